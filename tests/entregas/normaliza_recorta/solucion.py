def normalize_min_max_(dataset, normalizationParameters=None):
    """Normaliza entre mínimo y máximo, en la propia matriz."""
    if normalizationParameters is None:
        normalizationParameters = calculate_min_max_normalization_parameters(dataset)
    minimos, maximos = normalizationParameters
    rango = maximos - minimos
    constantes = (rango == 0).ravel()
    dataset -= minimos
    dataset /= np.where(rango == 0, 1, rango)
    dataset[:, constantes] = 0
    np.clip(dataset, 0, 1, out=dataset)
    return dataset
