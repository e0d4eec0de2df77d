def hold_out(N, P, Ptest=None):
    rng = np.random.default_rng()
    orden = rng.permutation(N)
    if Ptest is None:
        numTest = int(np.floor(N * P))
        return orden[numTest:], orden[:numTest]
    numTest, numVal = int(np.floor(N * Ptest)), int(np.floor(N * P))
    return orden[numTest + numVal :], orden[numTest : numTest + numVal], orden[:numTest]


def crossvalidation(N, k, /):
    if np.isscalar(N):
        return np.random.default_rng().permutation(np.arange(N) % k + 1).astype(np.int32)
    targets = np.asarray(N)
    if targets.dtype != bool:
        targets = np.array([[valor == clase for clase in dict.fromkeys(targets.tolist())] for valor in targets.tolist()])
    if targets.ndim == 1 or targets.shape[1] == 1:
        targets = np.column_stack([targets.ravel(), ~targets.ravel()])
    indices = np.empty(len(targets), dtype=np.int32)
    for columna in targets.T:
        indices[columna] = crossvalidation(int(columna.sum()), k)
    return indices
