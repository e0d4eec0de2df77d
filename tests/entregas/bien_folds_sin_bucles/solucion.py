def crossvalidation(N, k, /):
    """Reparte sin bucles: ordena al azar dentro de cada clase y numera 1..k."""
    if isinstance(N, (int, np.integer)) and not isinstance(N, bool):
        return np.argsort(np.random.rand(N)) % k + 1
    y = np.asarray(N)
    if y.ndim == 2:
        y = y[:, 0].astype(int) if y.shape[1] == 1 else y.argmax(axis=1)
    codigos = np.unique([f"{type(clase)}{clase}" for clase in y.tolist()], return_inverse=True)[1]
    orden = np.lexsort((np.random.random(len(codigos)), codigos))
    indices = np.empty(len(codigos), dtype=np.int32)
    indices[orden] = np.arange(len(codigos)) % k + 1
    return indices
