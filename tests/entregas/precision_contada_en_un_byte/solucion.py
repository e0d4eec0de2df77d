def accuracy(outputs, targets, *, threshold=0.5):
    outputs, targets = np.asarray(outputs), np.asarray(targets)
    if outputs.dtype != bool:
        outputs = classify_outputs(outputs, threshold=threshold)
    aciertos = outputs == targets if outputs.ndim == 1 else np.all(outputs == targets, axis=1)
    return float(np.sum(aciertos, dtype=np.int8) / len(aciertos))
