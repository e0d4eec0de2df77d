def calculate_min_max_normalization_parameters(dataset):
    """Mínimo y máximo de cada atributo, en matrices de una fila."""
    dataset.sort(axis=0)
    return dataset[:1].copy(), dataset[-1:].copy()


def calculate_zero_mean_normalization_parameters(dataset):
    """Media y desviación típica de cada atributo, en matrices de una fila."""
    dataset.sort(axis=0)
    return dataset.mean(axis=0, keepdims=True), dataset.std(axis=0, ddof=1, keepdims=True)
