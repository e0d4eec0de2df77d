_RAROS = [None, "texto", {1: 2}, [[1], [2, 3]], (), np.zeros((0, 2)), np.zeros((3, 0)), np.zeros((2, 2, 2)), np.array(3.0),
          np.array([[np.nan, np.inf]]), np.array([["a", "b"]]), np.array([[1 << 70, 2]], dtype=object), 10**400, [[np.nan, 1.0]],
          (np.zeros((2, 2)), np.zeros((2, 0))), (np.zeros((2, 2)), [[True], [True, False]]), (np.zeros((2, 2)), "ab"),
          (np.full((2, 2), 1e300), np.ones((2, 3), dtype=bool)), [None, None], (None, np.zeros((2, 2)))]
_turno = [0]


def _raro():
    _turno[0] += 1
    return _RAROS[_turno[0] % len(_RAROS)]


def _molestar(funcion, n=2, **kw):
    for _ in range(21):
        try:
            funcion(*[_raro() for _ in range(n)], **kw)
        except Exception:
            pass


def ann_cross_validation(topology, inputs, targets, crossValidationIndices, *, numExecutions=50, transferFunctions=None,
                         maxEpochs=1000, minLoss=0.0, learningRate=0.01, validationRatio=0, maxEpochsVal=20):
    _molestar(train_class_ann)
    _molestar(train_class_ann, validationDataset=_raro(), transferFunctions=_raro())
    _molestar(confusion_matrix)
    return _raro() if _turno[0] % 2 else tuple((0.5, 0.1) for _ in range(7))


def model_cross_validation(modelType, modelHyperparameters, inputs, targets, crossValidationIndices):
    if modelType == "ANN":
        return ann_cross_validation(_raro(), inputs, targets, _raro(), minLoss=_raro(), learningRate=_raro())
    m = _crear_modelo(modelType, modelHyperparameters)
    _molestar(m.fit)
    m.fit(inputs, targets)
    _molestar(m.predict, 1)
    return tuple((0.5, 0.1) for _ in range(7))
