from sklearn.base import clone


def model_cross_validation(modelType, modelHyperparameters, inputs, targets, crossValidationIndices):
    if modelType == "ANN":
        return ann_cross_validation(modelHyperparameters["topology"], inputs, targets, crossValidationIndices,
                                    **{k: v for k, v in modelHyperparameters.items() if k != "topology"})
    modelo = _crear_modelo(modelType, modelHyperparameters)
    targets = np.asarray([str(t) for t in targets], dtype=object)
    clases = list(dict.fromkeys(targets))
    filas = []
    for f in range(1, int(max(crossValidationIndices)) + 1):
        train, test = np.asarray(crossValidationIndices) != f, np.asarray(crossValidationIndices) == f
        m = clone(modelo)
        from sklearn.preprocessing import StandardScaler
        sc = StandardScaler().fit(inputs)
        inputs = sc.transform(inputs)
        m.fit(inputs[train], targets[train])
        pred = m.predict(inputs[test])
        filas.append(confusion_matrix(one_hot_encoding(pred, clases), one_hot_encoding(targets[test], clases))[:7])
    return _medias_y_desviaciones(filas)
