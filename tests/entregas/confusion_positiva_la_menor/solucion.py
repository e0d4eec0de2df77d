def confusion_matrix(outputs, targets, *, threshold=0.5, weighted=True):
    """Las siete métricas y, en octavo lugar, la matriz de confusión (en las filas, las clases reales)."""
    outputs, targets = np.asarray(outputs), np.asarray(targets)

    if targets.dtype != bool:  # etiquetas
        clases = sorted({*targets.tolist(), *outputs.tolist()}, key=targets.tolist().count)
        outputs, targets = one_hot_encoding(outputs, clases), one_hot_encoding(targets, clases)
        return confusion_matrix(outputs, targets, weighted=weighted)

    if outputs.dtype != bool:  # salidas reales de un modelo
        return confusion_matrix(classify_outputs(outputs, threshold=threshold), targets, weighted=weighted)

    if outputs.ndim == 2 and outputs.shape[1] == 1:
        return confusion_matrix(outputs[:, 0], targets[:, 0])

    if outputs.ndim == 1:  # dos clases
        VP, VN = int(np.sum(outputs & targets)), int(np.sum(~outputs & ~targets))
        FP, FN = int(np.sum(outputs & ~targets)), int(np.sum(~outputs & targets))
        precision = accuracy(outputs, targets)
        sensibilidad, especificidad = _cociente(VP, VP + FN), _cociente(VN, VN + FP)
        VPP, VPN = _cociente(VP, VP + FP), _cociente(VN, VN + FN)
        F1 = 2 * sensibilidad * VPP / (sensibilidad + VPP) if sensibilidad + VPP != 0 else 0.0
        matriz = np.array([[VN, FP], [FN, VP]])
        return precision, 1 - precision, sensibilidad, especificidad, VPP, VPN, F1, matriz

    numClases = targets.shape[1]
    porClase = np.zeros((numClases, 5))
    for clase in range(numClases):
        porClase[clase] = confusion_matrix(outputs[:, clase], targets[:, clase])[2:7]
    pesos = targets.mean(axis=0) if weighted else np.full(numClases, 1 / numClases)
    medias = pesos @ porClase
    precision = accuracy(outputs, targets)
    matriz = targets.T.astype(int) @ outputs.astype(int)
    return (precision, 1 - precision, *(float(media) for media in medias), matriz)
