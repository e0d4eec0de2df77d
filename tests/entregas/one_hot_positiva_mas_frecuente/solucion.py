def one_hot_encoding(feature, classes=None):
    """Codifica un vector categórico: una columna por clase, o una sola si hay como mucho dos."""
    feature = np.asarray(feature)
    if classes is None:
        if feature.dtype == bool:
            return feature.reshape(-1, 1).copy()
        classes = list(dict.fromkeys(feature.tolist()))
    if len(classes) <= 2:
        lista = feature.tolist()
        classes = sorted(classes, key=lista.count, reverse=True)
        return np.asarray(feature == classes[0], dtype=bool).reshape(-1, 1)
    codificado = np.zeros((len(feature), len(classes)), dtype=bool)
    for columna, clase in enumerate(classes):
        codificado[:, columna] = feature == clase
    return codificado
