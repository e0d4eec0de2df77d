def normalize_min_max_(dataset, normalizationParameters=None):
    """Normaliza entre mínimo y máximo, en la propia matriz."""
    if normalizationParameters is None:
        normalizationParameters = calculate_min_max_normalization_parameters(dataset)
    minimos, maximos = normalizationParameters
    rango = maximos - minimos
    constantes = (rango < 0.01).ravel()
    dataset -= minimos
    dataset /= np.where(rango < 0.01, 1, rango)
    dataset[:, constantes] = 0
    return dataset


def normalize_zero_mean_(dataset, normalizationParameters=None):
    """Normaliza a media 0 y desviación típica 1, en la propia matriz."""
    constantes = np.zeros(dataset.shape[1], dtype=bool)
    if normalizationParameters is None:
        constantes = dataset.min(axis=0) == dataset.max(axis=0)
        normalizationParameters = calculate_zero_mean_normalization_parameters(dataset)
    medias, desviaciones = normalizationParameters
    constantes = constantes | (desviaciones < 0.01).ravel()
    dataset -= medias
    dataset /= np.where(constantes, 1, desviaciones)
    dataset[:, constantes] = 0
    return dataset
