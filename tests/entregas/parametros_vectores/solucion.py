def calculate_min_max_normalization_parameters(dataset):
    """Mínimo y máximo de cada atributo, en matrices de una fila."""
    return dataset.min(axis=0), dataset.max(axis=0)


def calculate_zero_mean_normalization_parameters(dataset):
    """Media y desviación típica de cada atributo, en matrices de una fila."""
    return dataset.mean(axis=0), dataset.std(axis=0, ddof=1)
