def normalize_zero_mean(dataset, normalizationParameters=None):
    """Normaliza a media 0 y desviación típica 1, en una copia."""
    if normalizationParameters is None:
        normalizationParameters = calculate_zero_mean_normalization_parameters(dataset)
    medias, desviaciones = normalizationParameters
    ceros = (desviaciones == 0).ravel()
    desviaciones[desviaciones == 0] = 1
    normalizado = (dataset - medias) / desviaciones
    normalizado[:, ceros] = 0
    return normalizado
