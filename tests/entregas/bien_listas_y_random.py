def hold_out(N, P, Ptest=None):
    posiciones = list(range(N))
    random.shuffle(posiciones)
    print("Repartiendo", N, "patrones")
    if Ptest is None:
        corte = N - int(round(N * P))
        return [posiciones[:corte], posiciones[corte:]]
    n_test, n_val = int(round(N * Ptest)), int(round(N * P))
    return posiciones[n_test + n_val :], posiciones[n_test : n_test + n_val], posiciones[:n_test]


def crossvalidation(N, k, /):
    if isinstance(N, (int, np.integer)):
        veces = -(-N // k)
        particion = (list(range(1, k + 1)) * veces)[:N]
        random.shuffle(particion)
        return particion
    objetivos = np.asarray(N)
    if objetivos.ndim == 2:
        objetivos = objetivos[:, 0] if objetivos.shape[1] == 1 else objetivos.argmax(axis=1)
    resultado = [0] * len(objetivos)
    valores = objetivos.tolist()
    for clase in dict.fromkeys(valores):
        donde = [i for i, valor in enumerate(valores) if valor == clase]
        asignados = iter(crossvalidation(len(donde), k))
        resultado = [next(asignados) if valor == clase else actual for valor, actual in zip(valores, resultado)]
    return resultado
