def normalize_min_max(dataset, normalizationParameters=None):
    """Normaliza entre mínimo y máximo, en una copia."""
    if normalizationParameters is None:
        normalizationParameters = calculate_min_max_normalization_parameters(dataset)
    minimos, maximos = normalizationParameters
    rango = np.where(maximos == minimos, 1, maximos - minimos)
    return dataset / rango


def normalize_zero_mean(dataset, normalizationParameters=None):
    """Normaliza a media 0 y desviación típica 1, en una copia."""
    if normalizationParameters is None:
        normalizationParameters = calculate_zero_mean_normalization_parameters(dataset)
    medias, desviaciones = normalizationParameters
    desviaciones = np.where(desviaciones == 0, 1, desviaciones)
    return dataset / desviaciones
