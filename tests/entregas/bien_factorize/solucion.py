import pandas as pd


def one_hot_encoding(feature, classes=None):
    if classes is None and feature.dtype == bool:
        return np.array([feature]).T
    if classes is None:
        codigos, clases = pd.factorize(feature)
    else:
        clases = list(classes)
        codigos = pd.Categorical(feature, categories=clases).codes
    if len(clases) <= 2:
        return (codigos == 0).reshape(-1, 1)
    return np.eye(len(clases), dtype=bool)[codigos]
