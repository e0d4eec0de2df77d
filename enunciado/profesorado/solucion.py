"""Aprendizaje Automático: prácticas 2 a 6. Solución de referencia para el profesorado."""

import copy
import random
from math import ceil

import numpy as np
import torch
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from torch import nn

# ------------------------------------------------- Práctica 2 ---------------------------------------------------------


def one_hot_encoding(feature, classes=None):
    """Codifica un vector categórico: una columna por clase, o una sola si hay como mucho dos."""
    feature = np.asarray(feature)
    if classes is None:
        if feature.dtype == bool:
            return feature.reshape(-1, 1).copy()
        classes = list(dict.fromkeys(feature.tolist()))
    if len(classes) <= 2:
        return np.asarray(feature == classes[0], dtype=bool).reshape(-1, 1)
    codificado = np.zeros((len(feature), len(classes)), dtype=bool)
    for columna, clase in enumerate(classes):
        codificado[:, columna] = feature == clase
    return codificado


def calculate_min_max_normalization_parameters(dataset):
    """Mínimo y máximo de cada atributo, en matrices de una fila."""
    return dataset.min(axis=0, keepdims=True), dataset.max(axis=0, keepdims=True)


def calculate_zero_mean_normalization_parameters(dataset):
    """Media y desviación típica de cada atributo, en matrices de una fila."""
    return dataset.mean(axis=0, keepdims=True), dataset.std(axis=0, ddof=1, keepdims=True)


def normalize_min_max_(dataset, normalizationParameters=None):
    """Normaliza entre mínimo y máximo, en la propia matriz."""
    if normalizationParameters is None:
        normalizationParameters = calculate_min_max_normalization_parameters(dataset)
    minimos, maximos = normalizationParameters
    rango = maximos - minimos
    constantes = (rango == 0).ravel()
    dataset -= minimos
    dataset /= np.where(rango == 0, 1, rango)
    dataset[:, constantes] = 0
    return dataset


def normalize_min_max(dataset, normalizationParameters=None):
    """Normaliza entre mínimo y máximo, en una copia."""
    return normalize_min_max_(np.array(dataset, dtype=float), normalizationParameters)


def normalize_zero_mean_(dataset, normalizationParameters=None):
    """Normaliza a media 0 y desviación típica 1, en la propia matriz."""
    constantes = np.zeros(dataset.shape[1], dtype=bool)
    if normalizationParameters is None:
        constantes = dataset.min(axis=0) == dataset.max(axis=0)
        normalizationParameters = calculate_zero_mean_normalization_parameters(dataset)
    medias, desviaciones = normalizationParameters
    constantes = constantes | (desviaciones == 0).ravel()
    dataset -= medias
    dataset /= np.where(constantes, 1, desviaciones)
    dataset[:, constantes] = 0
    return dataset


def normalize_zero_mean(dataset, normalizationParameters=None):
    """Normaliza a media 0 y desviación típica 1, en una copia."""
    return normalize_zero_mean_(np.array(dataset, dtype=float), normalizationParameters)


def classify_outputs(outputs, *, threshold=0.5):
    """Pasa las salidas de un modelo a valores booleanos."""
    outputs = np.asarray(outputs)
    if outputs.ndim == 1 or outputs.shape[1] == 1:
        return outputs >= threshold
    ganadoras = outputs.argmax(axis=1)
    clasificadas = np.zeros(outputs.shape, dtype=bool)
    clasificadas[np.arange(len(outputs)), ganadoras] = True
    return clasificadas


def accuracy(outputs, targets, *, threshold=0.5):
    """Fracción de patrones bien clasificados."""
    outputs, targets = np.asarray(outputs), np.asarray(targets)
    if outputs.dtype != bool:
        outputs = classify_outputs(outputs, threshold=threshold)
    if outputs.ndim == 1:
        return float(np.mean(outputs == targets))
    return float(np.mean(np.all(outputs == targets, axis=1)))


class Activacion(nn.Module):
    """Una función de transferencia como capa."""

    def __init__(self, funcion):
        super().__init__()
        self.funcion = funcion

    def forward(self, x):
        """Aplica la función."""
        return self.funcion(x)


def _capa(entradas, salidas):
    capa = nn.Linear(entradas, salidas)
    nn.init.xavier_uniform_(capa.weight)
    nn.init.zeros_(capa.bias)
    return capa


def build_class_ann(numInputs, topology, numOutputs, *, transferFunctions=None):
    """Crea una red para clasificar; sus entradas y salidas tienen un patrón por fila."""
    if transferFunctions is None:
        transferFunctions = [torch.sigmoid] * len(topology)
    capas = []
    entradas = numInputs
    for neuronas, funcion in zip(topology, transferFunctions):
        capas += [_capa(entradas, neuronas), Activacion(funcion)]
        entradas = neuronas
    capas.append(_capa(entradas, numOutputs))
    capas.append(nn.Sigmoid() if numOutputs == 1 else nn.Softmax(dim=1))
    return nn.Sequential(*capas)


# ------------------------------------------------- Práctica 3 ---------------------------------------------------------


def hold_out(N, P, Ptest=None):
    """Reparte N patrones en entrenamiento y test, o en entrenamiento, validación y test."""
    if Ptest is None:
        posiciones = np.random.permutation(N)
        numEntrenamiento = round(N * (1 - P))
        return posiciones[:numEntrenamiento], posiciones[numEntrenamiento:]
    resto, test = hold_out(N, Ptest)
    if len(resto) == 0:
        return resto, resto, test
    entrenamiento, validacion = hold_out(len(resto), min(1.0, P * N / len(resto)))
    return resto[entrenamiento], resto[validacion], test


def _loss(ann, entradas, salidas):
    p = ann(entradas)
    epsilon = torch.finfo(p.dtype).eps
    if salidas.shape[1] == 1:
        return -(salidas * torch.log(p + epsilon) + (1 - salidas) * torch.log(1 - p + epsilon)).mean()
    return -(salidas * torch.log(p + epsilon)).sum(dim=1).mean()


def _tensores(dataset):
    if dataset is None or np.size(dataset[0]) == 0:
        return None
    entradas, salidas = dataset
    salidas = np.asarray(salidas).reshape(len(salidas), -1)
    return torch.tensor(np.asarray(entradas), dtype=torch.float32), torch.tensor(salidas, dtype=torch.float32)


def _anotar(losses, ann, dataset):
    if dataset is not None:
        with torch.no_grad():
            losses.append(_loss(ann, *dataset).item())


def train_class_ann(
    topology,
    trainingDataset,
    *,
    validationDataset=None,
    testDataset=None,
    transferFunctions=None,
    maxEpochs=1000,
    minLoss=0.0,
    learningRate=0.01,
    maxEpochsVal=20,
):
    """Entrena una red; con conjunto de validación, hace parada temprana y devuelve la mejor."""
    entrenamiento = _tensores(trainingDataset)
    validacion = _tensores(validationDataset)
    test = _tensores(testDataset)

    ann = build_class_ann(
        entrenamiento[0].shape[1], topology, entrenamiento[1].shape[1], transferFunctions=transferFunctions
    )
    optimizador = torch.optim.Adam(ann.parameters(), lr=learningRate)

    trainingLosses, validationLosses, testLosses = [], [], []
    _anotar(trainingLosses, ann, entrenamiento)
    _anotar(validationLosses, ann, validacion)
    _anotar(testLosses, ann, test)

    mejor, mejorLoss, ciclosSinMejorar = ann, np.inf, 0
    if validacion is not None:
        mejor, mejorLoss = copy.deepcopy(ann), validationLosses[0]

    ciclo = 0
    while ciclo < maxEpochs and trainingLosses[-1] > minLoss and ciclosSinMejorar < maxEpochsVal:
        optimizador.zero_grad()
        loss = _loss(ann, *entrenamiento)
        loss.backward()
        optimizador.step()
        ciclo += 1

        _anotar(trainingLosses, ann, entrenamiento)
        _anotar(validationLosses, ann, validacion)
        _anotar(testLosses, ann, test)
        if validacion is not None:
            if validationLosses[-1] < mejorLoss:
                mejor, mejorLoss, ciclosSinMejorar = copy.deepcopy(ann), validationLosses[-1], 0
            else:
                ciclosSinMejorar += 1

    return mejor, trainingLosses, validationLosses, testLosses


# ------------------------------------------------- Práctica 4 ---------------------------------------------------------


def _cociente(numerador, denominador):
    return numerador / denominador if denominador != 0 else 1.0


def confusion_matrix(outputs, targets, *, threshold=0.5, weighted=True):
    """Las siete métricas y, en octavo lugar, la matriz de confusión (en las filas, las clases reales)."""
    outputs, targets = np.asarray(outputs), np.asarray(targets)

    if targets.dtype != bool:  # etiquetas
        clases = list(dict.fromkeys([*targets.tolist(), *outputs.tolist()]))
        outputs, targets = one_hot_encoding(outputs, clases), one_hot_encoding(targets, clases)
        return confusion_matrix(outputs, targets, weighted=weighted)

    if outputs.dtype != bool:  # salidas reales de un modelo
        return confusion_matrix(classify_outputs(outputs, threshold=threshold), targets, weighted=weighted)

    if outputs.ndim == 2 and outputs.shape[1] == 1:
        return confusion_matrix(outputs[:, 0], targets[:, 0])

    if outputs.ndim == 1:  # dos clases
        VP, VN = int(np.sum(outputs & targets)), int(np.sum(~outputs & ~targets))
        FP, FN = int(np.sum(outputs & ~targets)), int(np.sum(~outputs & targets))
        precision = accuracy(outputs, targets)
        sensibilidad, especificidad = _cociente(VP, VP + FN), _cociente(VN, VN + FP)
        VPP, VPN = _cociente(VP, VP + FP), _cociente(VN, VN + FN)
        F1 = 2 * sensibilidad * VPP / (sensibilidad + VPP) if sensibilidad + VPP != 0 else 0.0
        matriz = np.array([[VN, FP], [FN, VP]])
        return precision, 1 - precision, sensibilidad, especificidad, VPP, VPN, F1, matriz

    numClases = targets.shape[1]
    porClase = np.zeros((numClases, 5))
    for clase in range(numClases):
        porClase[clase] = confusion_matrix(outputs[:, clase], targets[:, clase])[2:7]
    pesos = targets.mean(axis=0) if weighted else np.full(numClases, 1 / numClases)
    medias = pesos @ porClase
    precision = accuracy(outputs, targets)
    matriz = targets.T.astype(int) @ outputs.astype(int)
    return (precision, 1 - precision, *(float(media) for media in medias), matriz)


# ------------------------------------------------- Práctica 5 ---------------------------------------------------------


def crossvalidation(N, k, /):
    """Asigna a cada patrón uno de los k subconjuntos, de forma estratificada si se dan las clases."""
    if np.ndim(N) == 0:
        indices = np.tile(np.arange(1, k + 1), ceil(N / k))[:N]
        np.random.shuffle(indices)
        return indices
    targets = np.asarray(N)
    if targets.dtype != bool:
        return crossvalidation(one_hot_encoding(targets), k)
    if targets.ndim == 2 and targets.shape[1] == 1:
        return crossvalidation(targets[:, 0], k)
    indices = np.zeros(len(targets), dtype=int)
    if targets.ndim == 1:
        indices[targets] = crossvalidation(int(targets.sum()), k)
        indices[~targets] = crossvalidation(int((~targets).sum()), k)
        return indices
    for clase in range(targets.shape[1]):
        indices[targets[:, clase]] = crossvalidation(int(targets[:, clase].sum()), k)
    return indices


def _medias_y_desviaciones(porFold):
    return tuple((float(np.mean(valores)), float(np.std(valores, ddof=1))) for valores in np.transpose(porFold))


def ann_cross_validation(
    topology,
    inputs,
    targets,
    crossValidationIndices,
    *,
    numExecutions=50,
    transferFunctions=None,
    maxEpochs=1000,
    minLoss=0.0,
    learningRate=0.01,
    validationRatio=0,
    maxEpochsVal=20,
):
    """Validación cruzada de una red: media y desviación típica de cada métrica en los subconjuntos."""
    inputs, indices = np.asarray(inputs), np.asarray(crossValidationIndices)
    salidas = one_hot_encoding(targets)
    numFolds = int(indices.max())
    porFold = np.zeros((numFolds, 7))
    for fold in range(1, numFolds + 1):
        entradasTrain, salidasTrain = inputs[indices != fold], salidas[indices != fold]
        entradasTest, salidasTest = inputs[indices == fold], salidas[indices == fold]
        porEjecucion = np.zeros((numExecutions, 7))
        for ejecucion in range(numExecutions):
            entrenamiento, validacion = (entradasTrain, salidasTrain), None
            if validationRatio > 0:
                ratio = validationRatio * len(inputs) / len(entradasTrain)
                posTrain, posVal = hold_out(len(entradasTrain), ratio)
                entrenamiento = entradasTrain[posTrain], salidasTrain[posTrain]
                validacion = entradasTrain[posVal], salidasTrain[posVal]
            ann, *_ = train_class_ann(
                topology,
                entrenamiento,
                validationDataset=validacion,
                transferFunctions=transferFunctions,
                maxEpochs=maxEpochs,
                minLoss=minLoss,
                learningRate=learningRate,
                maxEpochsVal=maxEpochsVal,
            )
            with torch.no_grad():
                predicciones = ann(torch.tensor(entradasTest, dtype=torch.float32)).numpy()
            porEjecucion[ejecucion] = confusion_matrix(predicciones, salidasTest)[:7]
        porFold[fold - 1] = porEjecucion.mean(axis=0)
    return _medias_y_desviaciones(porFold)


# ------------------------------------------------- Práctica 6 ---------------------------------------------------------


def _crear_modelo(tipo, h):
    if tipo == "SVC":
        opciones = {
            "linear": ["C"],
            "rbf": ["C", "gamma"],
            "sigmoid": ["C", "gamma", "coef0"],
            "poly": ["C", "degree", "gamma", "coef0"],
        }[h["kernel"]]
        return SVC(kernel=h["kernel"], **{opcion: h[opcion] for opcion in opciones})
    if tipo == "DecisionTreeClassifier":
        return DecisionTreeClassifier(max_depth=h["max_depth"], random_state=1)
    if tipo == "KNeighborsClassifier":
        return KNeighborsClassifier(n_neighbors=h["n_neighbors"])
    raise ValueError(f"Modelo desconocido: {tipo}")


def model_cross_validation(modelType, modelHyperparameters, inputs, targets, crossValidationIndices):
    """Validación cruzada de una red o de un modelo de Scikit-Learn."""
    if modelType == "ANN":
        opciones = {clave: valor for clave, valor in modelHyperparameters.items() if clave != "topology"}
        return ann_cross_validation(
            modelHyperparameters["topology"], inputs, targets, crossValidationIndices, **opciones
        )
    inputs, indices = np.asarray(inputs), np.asarray(crossValidationIndices)
    etiquetas = np.array([str(etiqueta) for etiqueta in np.asarray(targets).tolist()])
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


def fijar_semillas(semilla):
    """Fija las semillas aleatorias, para poder repetir los resultados."""
    random.seed(semilla)
    np.random.seed(semilla)
    torch.manual_seed(semilla)
