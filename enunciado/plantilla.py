"""Aprendizaje Automático, ejercicios 2 a 6: evaluar una red de neuronas sin engañarse.

Autor o autora: escribe aquí tu nombre.

Cada función pendiente termina en `raise NotImplementedError`. Escribe una, guarda el fichero y
compruébala:

    practica check solucion.py

El enunciado (`enunciado.md`) explica qué hace cada función, con ejemplos. No cambies los nombres de
las funciones ni los de sus parámetros. Puedes añadir funciones auxiliares e importar lo que haga
falta, salvo lo que ya hace lo que se pide.
"""

import numpy as np
import torch
from torch import nn

# --- Ejercicio 2: los datos y la red --------------------------------------------------------------


def one_hot_encoding(feature, classes=None):
    """Codifica un vector de etiquetas en columnas booleanas, con un patrón por fila.

    feature: vector de N etiquetas de cualquier tipo.
    classes: vector con las clases, en el orden de las columnas; sin él, las de `feature` en orden
        de aparición.

    Devuelve una matriz booleana de N×C con más de dos clases, y de N×1 con dos o con un vector
    booleano sin `classes`.
    """
    raise NotImplementedError


def calculate_min_max_normalization_parameters(dataset):
    """Calcula el mínimo y el máximo de cada columna.

    dataset: matriz real de N×L.

    Devuelve una tupla con dos matrices de 1×L: los mínimos y los máximos.
    """
    raise NotImplementedError


def calculate_zero_mean_normalization_parameters(dataset):
    """Calcula la media y la desviación típica (que divide entre N − 1) de cada columna.

    dataset: matriz real de N×L.

    Devuelve una tupla con dos matrices de 1×L: las medias y las desviaciones típicas.
    """
    raise NotImplementedError


def normalize_min_max_(dataset, normalizationParameters=None):
    """Normaliza cada columna entre su mínimo y su máximo, en la propia matriz.

    dataset: matriz de números reales (float) de N×L; se modifica.
    normalizationParameters: tupla (mínimos, máximos); sin ella, los de `dataset`.

    Devuelve `dataset`, el mismo objeto.
    """
    raise NotImplementedError


def normalize_min_max(dataset, normalizationParameters=None):
    """Normaliza cada columna entre su mínimo y su máximo, en una copia.

    dataset: matriz real de N×L; queda como estaba.
    normalizationParameters: tupla (mínimos, máximos); sin ella, los de `dataset`.

    Devuelve una matriz nueva de N×L.
    """
    raise NotImplementedError


def normalize_zero_mean_(dataset, normalizationParameters=None):
    """Normaliza cada columna con su media y su desviación típica, en la propia matriz.

    dataset: matriz de números reales (float) de N×L; se modifica.
    normalizationParameters: tupla (medias, desviaciones típicas); sin ella, las de `dataset`.

    Devuelve `dataset`, el mismo objeto.
    """
    raise NotImplementedError


def normalize_zero_mean(dataset, normalizationParameters=None):
    """Normaliza cada columna con su media y su desviación típica, en una copia.

    dataset: matriz real de N×L; queda como estaba.
    normalizationParameters: tupla (medias, desviaciones típicas); sin ella, las de `dataset`.

    Devuelve una matriz nueva de N×L.
    """
    raise NotImplementedError


def classify_outputs(outputs, *, threshold=0.5):
    """Convierte las salidas reales de un modelo en valores booleanos.

    outputs: vector real de N elementos, o matriz de N×1 o de N×C con C > 2.
    threshold: umbral a partir del cual una salida es True, para un vector o una sola columna.

    Devuelve un array booleano del tamaño de `outputs`.
    """
    raise NotImplementedError


def accuracy(outputs, targets, *, threshold=0.5):
    """Calcula la precisión: la fracción de patrones bien clasificados.

    outputs: vector o matriz, de valores booleanos o de salidas reales.
    targets: vector o matriz booleana del mismo tamaño, con las salidas deseadas.
    threshold: umbral para las salidas reales, como en `classify_outputs`.

    Devuelve un número real entre 0 y 1.
    """
    raise NotImplementedError


def build_class_ann(numInputs, topology, numOutputs, *, transferFunctions=None):
    """Crea una red de neuronas para clasificar, sin entrenar.

    numInputs: número de atributos de un patrón.
    topology: número de neuronas de cada capa oculta; puede estar vacía.
    numOutputs: 1 con dos clases, y si no el número de clases.
    transferFunctions: una función por capa oculta; sin ella, todas sigmoidales.

    Devuelve un módulo de torch que recibe un tensor float32 de N×numInputs y devuelve uno de
    N×numOutputs.
    """
    raise NotImplementedError


# --- Ejercicio 3: entrenar ------------------------------------------------------------------------


def hold_out(N, P, Ptest=None):
    """Reparte N patrones al azar: hold_out(N, P) en dos conjuntos y hold_out(N, Pval, Ptest) en
    tres.

    N: número de patrones.
    P: fracción para test; con tres argumentos es Pval, la fracción para validación.
    Ptest: fracción para test.

    Devuelve los vectores de posiciones (entrenamiento, test), o (entrenamiento, validación, test).
    """
    raise NotImplementedError


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
    """Entrena una red; con conjunto de validación, con parada temprana.

    topology, transferFunctions: como en `build_class_ann`.
    trainingDataset, validationDataset, testDataset: tuplas (entradas, salidas deseadas).
    maxEpochs: número máximo de ciclos.
    minLoss: loss de entrenamiento con el que se termina.
    learningRate: tasa de aprendizaje de Adam.
    maxEpochsVal: ciclos seguidos sin mejorar el loss de validación con los que se termina.

    Devuelve la red y los vectores con los loss de entrenamiento, validación y test, desde el ciclo
    0.
    """
    raise NotImplementedError


# --- Ejercicio 4: medir ---------------------------------------------------------------------------


def confusion_matrix(outputs, targets, *, threshold=0.5, weighted=True):
    """Calcula las siete métricas de un clasificador y su matriz de confusión.

    outputs: vector o matriz, de valores booleanos, de salidas reales o (el vector) de etiquetas.
    targets: vector o matriz del mismo tamaño, con las salidas deseadas: booleanas, o un vector de
        etiquetas.
    threshold: umbral para las salidas reales, como en `classify_outputs`.
    weighted: con más de dos clases, si la media de las clases se pondera por sus patrones.

    Devuelve (precisión, tasa de error, sensibilidad, especificidad, VPP, VPN, F1, matriz de
    confusión).
    """
    raise NotImplementedError


def print_confusion_matrix(outputs, targets, *, threshold=0.5, weighted=True):
    """Muestra en pantalla la matriz de confusión y las siete métricas (no se puntúa).

    outputs, targets, threshold, weighted: como en `confusion_matrix`.
    """
    raise NotImplementedError


# --- Ejercicio 5: repetir, para que el resultado no dependa de la suerte --------------------------


def crossvalidation(N_or_targets, /, k):
    """Asigna a cada patrón uno de los k subconjuntos de una validación cruzada.

    N_or_targets: número de patrones; o sus salidas deseadas, para que el reparto sea estratificado:
        un vector booleano, una matriz booleana con una columna por clase, o un vector de etiquetas
        de cualquier tipo.
    k: número de subconjuntos.

    Devuelve un vector de N números enteros, de 1 a k.
    """
    raise NotImplementedError


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
    """Evalúa una red por validación cruzada, con varios entrenamientos en cada subconjunto.

    inputs: matriz real de N×L.
    targets: vector de N etiquetas de cualquier tipo.
    crossValidationIndices: vector con el subconjunto de cada patrón, de `crossvalidation`.
    numExecutions: redes que se entrenan en cada subconjunto.
    validationRatio: fracción de los N patrones para validación; 0 si no la hay.
    topology, transferFunctions, maxEpochs, minLoss, learningRate, maxEpochsVal: como en
        `train_class_ann`.

    Devuelve siete parejas (media, desviación típica), en el orden de las métricas de
    `confusion_matrix`.
    """
    raise NotImplementedError


# --- Ejercicio 6: comparar con otros modelos ------------------------------------------------------

# Al llegar aquí, quita las almohadillas: scikit-learn tarda en importarse, y hasta ahora no hacía
# falta.
# from sklearn.neighbors import KNeighborsClassifier
# from sklearn.svm import SVC
# from sklearn.tree import DecisionTreeClassifier


def model_cross_validation(
    modelType, modelHyperparameters, inputs, targets, crossValidationIndices
):
    """Evalúa un modelo por validación cruzada: una red o uno de scikit-learn.

    modelType: "ANN", "SVC", "DecisionTreeClassifier" o "KNeighborsClassifier".
    modelHyperparameters: diccionario con los hiperparámetros del modelo; queda como estaba.
    inputs, targets, crossValidationIndices: como en `ann_cross_validation`.

    Devuelve siete parejas (media, desviación típica), en el orden de las métricas de
    `confusion_matrix`.
    """
    raise NotImplementedError
