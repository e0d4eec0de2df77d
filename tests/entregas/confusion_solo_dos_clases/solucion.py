def confusion_matrix(outputs, targets, *, threshold=0.5, weighted=True):
    """Cuenta los aciertos y los fallos de cada signo, y calcula con ellos las métricas."""
    if outputs.dtype != bool:
        outputs = outputs >= threshold
    vp, vn = np.sum(outputs & targets), np.sum(~outputs & ~targets)
    fp, fn = np.sum(outputs & ~targets), np.sum(~outputs & targets)
    precision = (vp + vn) / (vp + vn + fp + fn)
    sensibilidad = vp / (vp + fn) if vp + fn else 1.0
    especificidad = vn / (vn + fp) if vn + fp else 1.0
    vpp = vp / (vp + fp) if vp + fp else 1.0
    vpn = vn / (vn + fn) if vn + fn else 1.0
    f1 = 2 * vpp * sensibilidad / (vpp + sensibilidad) if vpp + sensibilidad else 0.0
    return precision, 1 - precision, sensibilidad, especificidad, vpp, vpn, f1, np.array([[vn, fp], [fn, vp]])
