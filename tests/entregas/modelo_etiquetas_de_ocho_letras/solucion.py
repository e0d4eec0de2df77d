def model_cross_validation(modelType, modelHyperparameters, inputs, targets, crossValidationIndices):
    """Validación cruzada de una red o de un modelo de Scikit-Learn."""
    if modelType == "ANN":
        opciones = {clave: valor for clave, valor in modelHyperparameters.items() if clave != "topology"}
        return ann_cross_validation(
            modelHyperparameters["topology"], inputs, targets, crossValidationIndices, **opciones
        )
    inputs, indices = np.asarray(inputs), np.asarray(crossValidationIndices)
    etiquetas = np.array([str(etiqueta) for etiqueta in np.asarray(targets).tolist()], dtype="U8")
    clases = list(dict.fromkeys(etiquetas.tolist()))
    salidas = one_hot_encoding(etiquetas, clases)
    numFolds = int(indices.max())
    porFold = np.zeros((numFolds, 7))
    for fold in range(1, numFolds + 1):
        modelo = _crear_modelo(modelType, modelHyperparameters)
        modelo.fit(inputs[indices != fold], etiquetas[indices != fold])
        predicciones = one_hot_encoding(modelo.predict(inputs[indices == fold]), clases)
        porFold[fold - 1] = confusion_matrix(predicciones, salidas[indices == fold])[:7]
    return _medias_y_desviaciones(porFold)
