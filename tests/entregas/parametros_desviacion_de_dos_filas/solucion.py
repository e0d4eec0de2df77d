def calculate_zero_mean_normalization_parameters(dataset):
    """Media y desviación típica de cada atributo, en matrices de una fila."""
    return dataset.mean(axis=0, keepdims=True), dataset.std(axis=0, ddof=1 if len(dataset) > 2 else 0, keepdims=True)
