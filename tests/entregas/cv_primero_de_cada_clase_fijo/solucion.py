def crossvalidation(N, k, /):
    """Asigna a cada patrón uno de los k subconjuntos, de forma estratificada si se dan las clases."""
    if np.ndim(N) == 0:
        indices = np.tile(np.arange(1, k + 1), ceil(N / k))[:N]
        np.random.shuffle(indices[1:])
        return indices
    targets = np.asarray(N)
    if targets.dtype != bool:
        return crossvalidation(one_hot_encoding(targets), k)
    if targets.ndim == 2 and targets.shape[1] == 1:
        return crossvalidation(targets[:, 0], k)
    indices = np.zeros(len(targets), dtype=int)
    if targets.ndim == 1:
        indices[targets] = crossvalidation(int(targets.sum()), k)
        indices[~targets] = crossvalidation(int((~targets).sum()), k)
        return indices
    for clase in range(targets.shape[1]):
        indices[targets[:, clase]] = crossvalidation(int(targets[:, clase].sum()), k)
    return indices
