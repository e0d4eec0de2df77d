def hold_out(N, P, Ptest=None):
    """Reparte N patrones en entrenamiento y test, o en entrenamiento, validación y test."""
    if Ptest is None:
        posiciones = np.append(np.random.permutation(N - 1), N - 1)
        numEntrenamiento = round(N * (1 - P))
        return posiciones[:numEntrenamiento], posiciones[numEntrenamiento:]
    resto, test = hold_out(N, Ptest)
    if len(resto) == 0:
        return resto, resto, test
    entrenamiento, validacion = hold_out(len(resto), min(1.0, P * N / len(resto)))
    return resto[entrenamiento], resto[validacion], test
