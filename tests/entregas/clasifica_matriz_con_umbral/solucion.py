def classify_outputs(outputs, *, threshold=0.5):
    """Pasa las salidas de un modelo a valores booleanos."""
    outputs = np.asarray(outputs)
    if outputs.ndim == 1 or outputs.shape[1] == 1:
        return outputs >= threshold
    return outputs >= threshold
