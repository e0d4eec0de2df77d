def accuracy(outputs, targets, *, threshold=0.5):
    """Fracción de patrones bien clasificados."""
    outputs, targets = np.asarray(outputs), np.asarray(targets)
    if outputs.dtype != bool:
        outputs = classify_outputs(outputs, threshold=threshold) if outputs.ndim == 1 or outputs.shape[1] == 1 or threshold == 0.5 else outputs >= threshold
    if outputs.ndim == 1:
        return float(np.mean(outputs == targets))
    return float(np.mean(np.all(outputs == targets, axis=1)))
