def normalize_min_max(dataset, normalizationParameters=None):
    """Normaliza entre mínimo y máximo, en una copia."""
    return normalize_min_max_(np.array(dataset, dtype=float))


def normalize_zero_mean(dataset, normalizationParameters=None):
    """Normaliza a media 0 y desviación típica 1, en una copia."""
    return normalize_zero_mean_(np.array(dataset, dtype=float))
