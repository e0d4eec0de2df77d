def calculate_min_max_normalization_parameters(dataset):
    """Mínimo y máximo de cada atributo, en matrices de una fila."""
    return dataset.min(axis=1, keepdims=True), dataset.max(axis=1, keepdims=True)
