def model_cross_validation(modelType, modelHyperparameters, inputs, targets, crossValidationIndices):
    if modelType == "ANN":
        parametros = dict(modelHyperparameters)
        return ann_cross_validation(
            topology=parametros.pop("topology"),
            inputs=inputs,
            targets=targets,
            crossValidationIndices=crossValidationIndices,
            **parametros,
        )
    from sklearn import neighbors, svm, tree

    h = modelHyperparameters
    crear = {
        "SVC": lambda: svm.SVC(**{c: h[c] for c in ("kernel", "C", "degree", "gamma", "coef0") if c in h}, random_state=1),
        "DecisionTreeClassifier": lambda: tree.DecisionTreeClassifier(max_depth=h["max_depth"], random_state=1),
        "KNeighborsClassifier": lambda: neighbors.KNeighborsClassifier(n_neighbors=h["n_neighbors"]),
    }[modelType]
    nombres = list(dict.fromkeys(str(t) for t in targets))
    numeros = np.array([nombres.index(str(t)) for t in targets])
    resultados = np.empty((0, 7))
    for fold in range(1, max(crossValidationIndices) + 1):
        test = np.asarray(crossValidationIndices) == fold
        predicho = crear().fit(X=inputs[~test], y=numeros[~test]).predict(inputs[test])
        if len(nombres) == 2:
            fila = confusion_matrix(predicho == 1, numeros[test] == 1)
        else:
            unos = np.eye(len(nombres), dtype=bool)
            fila = confusion_matrix(unos[predicho], unos[numeros[test]])
        resultados = np.vstack((resultados, fila[:7]))
    return tuple(zip(resultados.mean(axis=0), resultados.std(axis=0, ddof=1)))
