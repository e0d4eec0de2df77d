def model_cross_validation(modelType, modelHyperparameters, inputs, targets, crossValidationIndices):
    if modelType == "ANN":
        return ann_cross_validation(modelHyperparameters["topology"], inputs, targets, crossValidationIndices, **{k: v for k, v in modelHyperparameters.items() if k != "topology"})
    y = np.array([str(t) for t in targets])
    clases = list(dict.fromkeys(y.tolist()))
    filas = []
    for f in range(1, max(crossValidationIndices) + 1):
        m = _crear_modelo(modelType, modelHyperparameters)
        m.fit(inputs[np.asarray(crossValidationIndices) != f], y[np.asarray(crossValidationIndices) != f])
        filas.append(confusion_matrix(one_hot_encoding(m.predict(inputs), clases), one_hot_encoding(y, clases))[:7])
    return _medias_y_desviaciones(filas)
