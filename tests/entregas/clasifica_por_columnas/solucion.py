def classify_outputs(outputs, *, threshold=0.5):
    """Pasa las salidas de un modelo a valores booleanos."""
    outputs = np.asarray(outputs)
    if outputs.ndim == 1 or outputs.shape[1] == 1:
        return outputs >= threshold
    ganadoras = outputs.argmax(axis=0)
    clasificadas = np.zeros(outputs.shape, dtype=bool)
    clasificadas[ganadoras, np.arange(outputs.shape[1])] = True
    return clasificadas
