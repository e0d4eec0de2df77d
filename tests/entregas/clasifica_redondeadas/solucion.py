def classify_outputs(outputs, *, threshold=0.5):
    """Pasa las salidas de un modelo a valores booleanos."""
    outputs = np.asarray(outputs)
    if outputs.ndim == 1 or outputs.shape[1] == 1:
        return np.round(outputs, 2) >= threshold
    ganadoras = outputs.argmax(axis=1)
    clasificadas = np.zeros(outputs.shape, dtype=bool)
    clasificadas[np.arange(len(outputs)), ganadoras] = True
    return clasificadas
