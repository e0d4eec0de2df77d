import warnings
from typing import Optional, Sequence, Union


def hold_out(N: int, P: float, Ptest: Optional[float] = None, *, rng: Optional[np.random.Generator] = None):
    """Parte los patrones."""
    rng = np.random.default_rng(np.random.randint(2**31)) if rng is None else rng
    orden = rng.permutation(N)
    fracciones = [1 - P] if Ptest is None else [1 - P - Ptest, 1 - Ptest]
    return tuple(np.split(orden, [int(round(f * N)) for f in fracciones]))


def crossvalidation(N: Union[int, np.ndarray], k: int, /, *, rng: Optional[np.random.Generator] = None) -> np.ndarray:
    """Reparte los patrones en k subconjuntos."""
    rng = np.random.default_rng(np.random.randint(2**31)) if rng is None else rng
    if isinstance(N, (int, np.integer)):
        return rng.permutation(np.tile(np.arange(1, k + 1, dtype=np.int32), N // k + 1)[:N])
    targets = np.asarray(N)
    if targets.ndim == 2:
        targets = targets[:, 0] if targets.shape[1] == 1 else np.argmax(targets, axis=1)
    folds = np.zeros(targets.shape[0], dtype=np.int32)
    for etiqueta in dict.fromkeys(targets.tolist()):
        mascara = targets == etiqueta
        if mascara.sum() < k:
            warnings.warn(f"la clase {etiqueta} tiene menos de {k} patrones", stacklevel=2)
        folds[mascara] = crossvalidation(int(mascara.sum()), k, rng=rng)
    return folds


def accuracy(outputs: np.ndarray, targets: np.ndarray, *, threshold: float = 0.5) -> np.floating:
    """Precisión."""
    if not np.issubdtype(outputs.dtype, np.bool_):
        outputs = classify_outputs(outputs, threshold=threshold)
    iguales = outputs == targets
    return (iguales if iguales.ndim == 1 else iguales.all(axis=1)).mean(dtype=np.float32)


def calculate_min_max_normalization_parameters(dataset: np.ndarray) -> Sequence[np.ndarray]:
    """Mínimos y máximos."""
    return [np.min(dataset, axis=0)[np.newaxis, :], np.max(dataset, axis=0)[np.newaxis, :]]


def calculate_zero_mean_normalization_parameters(dataset: np.ndarray) -> Sequence[np.ndarray]:
    """Medias y desviaciones típicas."""
    media = dataset.sum(axis=0, keepdims=True) / len(dataset)
    return [media, np.sqrt(((dataset - media) ** 2).sum(axis=0, keepdims=True) / (len(dataset) - 1))]


def normalize_min_max_(dataset: np.ndarray, normalizationParameters: Optional[Sequence[np.ndarray]] = None):
    """Normaliza en la propia matriz."""
    dataset[:] = normalize_min_max(dataset, normalizationParameters)
    return dataset


def normalize_min_max(dataset: np.ndarray, normalizationParameters: Optional[Sequence[np.ndarray]] = None):
    """Normaliza una copia."""
    minimo, maximo = normalizationParameters or calculate_min_max_normalization_parameters(dataset)
    normalizado = np.zeros(dataset.shape)
    np.divide(dataset - minimo, maximo - minimo, out=normalizado, where=np.broadcast_to(maximo != minimo, dataset.shape))
    return normalizado
