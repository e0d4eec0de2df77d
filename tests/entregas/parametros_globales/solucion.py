def calculate_min_max_normalization_parameters(dataset):
    """Mínimo y máximo de cada atributo, en matrices de una fila."""
    return np.full((1, dataset.shape[1]), dataset.min()), np.full((1, dataset.shape[1]), dataset.max())


def calculate_zero_mean_normalization_parameters(dataset):
    """Media y desviación típica de cada atributo, en matrices de una fila."""
    return np.full((1, dataset.shape[1]), dataset.mean()), dataset.std(axis=0, ddof=1, keepdims=True)
