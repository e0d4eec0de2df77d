"""Machine Learning, exercises 2 to 6: evaluating a neural network honestly.

Author: write your name here.

Each function that is not written yet ends in `raise NotImplementedError`. Write one, save the file
and check it:

    practica check solucion.py --lang en

The statement (`statement.md`) says what each function does, with examples. Change neither the names
of the functions nor those of their parameters. You may add helper functions and import what you
need, except what already does what is asked for.
"""

import numpy as np
import torch
from torch import nn

# --- Exercise 2: the data and the network ---------------------------------------------------------


def one_hot_encoding(feature, classes=None):
    """Encode a vector of labels in bool columns, with one pattern per row.

    feature: vector of N labels of any type.
    classes: vector of the classes, in the order of the columns; without it, those of `feature` as
        they appear.

    Returns a bool matrix of N×C with more than two classes, and of N×1 with two or with a bool
    vector and no `classes`.
    """
    raise NotImplementedError


def calculate_min_max_normalization_parameters(dataset):
    """Calculate the minimum and the maximum of each column.

    dataset: real matrix of N×L.

    Returns a tuple of two matrices of 1×L: the minimums and the maximums.
    """
    raise NotImplementedError


def calculate_zero_mean_normalization_parameters(dataset):
    """Calculate the mean and the standard deviation (which divides by N − 1) of each column.

    dataset: real matrix of N×L.

    Returns a tuple of two matrices of 1×L: the means and the standard deviations.
    """
    raise NotImplementedError


def normalize_min_max_(dataset, normalizationParameters=None):
    """Normalise each column by its minimum and its maximum, in the matrix itself.

    dataset: matrix of real numbers (float) of N×L; it is modified.
    normalizationParameters: tuple (minimums, maximums); without it, those of `dataset`.

    Returns `dataset`, the same object.
    """
    raise NotImplementedError


def normalize_min_max(dataset, normalizationParameters=None):
    """Normalise each column by its minimum and its maximum, in a copy.

    dataset: real matrix of N×L; it stays as it was.
    normalizationParameters: tuple (minimums, maximums); without it, those of `dataset`.

    Returns a new matrix of N×L.
    """
    raise NotImplementedError


def normalize_zero_mean_(dataset, normalizationParameters=None):
    """Normalise each column by its mean and its standard deviation, in the matrix itself.

    dataset: matrix of real numbers (float) of N×L; it is modified.
    normalizationParameters: tuple (means, standard deviations); without it, those of `dataset`.

    Returns `dataset`, the same object.
    """
    raise NotImplementedError


def normalize_zero_mean(dataset, normalizationParameters=None):
    """Normalise each column by its mean and its standard deviation, in a copy.

    dataset: real matrix of N×L; it stays as it was.
    normalizationParameters: tuple (means, standard deviations); without it, those of `dataset`.

    Returns a new matrix of N×L.
    """
    raise NotImplementedError


def classify_outputs(outputs, *, threshold=0.5):
    """Turn the real outputs of a model into bool values.

    outputs: real vector of N elements, or matrix of N×1 or of N×C with C > 2.
    threshold: from which value on an output is True, for a vector or a single column.

    Returns a bool array of the size of `outputs`.
    """
    raise NotImplementedError


def accuracy(outputs, targets, *, threshold=0.5):
    """Calculate the accuracy: the fraction of patterns that are classified right.

    outputs: vector or matrix, of bool values or of real outputs.
    targets: bool vector or matrix of the same size, with the wanted outputs.
    threshold: threshold for real outputs, as in `classify_outputs`.

    Returns a real number between 0 and 1.
    """
    raise NotImplementedError


def build_class_ann(numInputs, topology, numOutputs, *, transferFunctions=None):
    """Build a neural network that classifies, not trained yet.

    numInputs: number of attributes of a pattern.
    topology: number of neurons of each hidden layer; it may be empty.
    numOutputs: 1 with two classes, and otherwise the number of classes.
    transferFunctions: one function per hidden layer; without it, all of them sigmoids.

    Returns a torch module that takes a float32 tensor of N×numInputs and returns one of
    N×numOutputs.
    """
    raise NotImplementedError


# --- Exercise 3: training -------------------------------------------------------------------------


def hold_out(N, P, Ptest=None):
    """Split N patterns at random: hold_out(N, P) into two sets and hold_out(N, Pval, Ptest) into
    three.

    N: number of patterns.
    P: fraction for testing; with three arguments it is Pval, the fraction for validation.
    Ptest: fraction for testing.

    Returns the vectors of positions (training, test), or (training, validation, test).
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
    """Train a network; with a validation set, with early stopping.

    topology, transferFunctions: as in `build_class_ann`.
    trainingDataset, validationDataset, testDataset: tuples (inputs, targets).
    maxEpochs: greatest number of epochs.
    minLoss: training loss at which it ends.
    learningRate: learning rate of Adam.
    maxEpochsVal: epochs in a row without an improvement of the validation loss at which it ends.

    Returns the network and the vectors of the training, validation and test losses, from epoch 0
    on.
    """
    raise NotImplementedError


# --- Exercise 4: measuring ------------------------------------------------------------------------


def confusion_matrix(outputs, targets, *, threshold=0.5, weighted=True):
    """Calculate the seven metrics of a classifier and its confusion matrix.

    outputs: vector or matrix, of bool values, of real outputs or (the vector) of labels.
    targets: vector or matrix of the same size, with the wanted outputs: bool, or a vector of
        labels.
    threshold: threshold for real outputs, as in `classify_outputs`.
    weighted: with more than two classes, whether each class weighs as much as it has patterns.

    Returns (accuracy, error rate, recall, specificity, PPV, NPV, F1, confusion matrix).
    """
    raise NotImplementedError


def print_confusion_matrix(outputs, targets, *, threshold=0.5, weighted=True):
    """Show the confusion matrix and the seven metrics on the screen (it gives no points).

    outputs, targets, threshold, weighted: as in `confusion_matrix`.
    """
    raise NotImplementedError


# --- Exercise 5: repeating, so that the result does not depend on luck ----------------------------


def crossvalidation(N_or_targets, /, k):
    """Assign each pattern to one of the k folds of a cross-validation.

    N_or_targets: number of patterns; or their targets, for a stratified split: a bool vector, a
        bool matrix with a column per class, or a vector of labels of any type.
    k: number of folds.

    Returns a vector of N integers, from 1 to k.
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
    """Evaluate a network by cross-validation, with several trainings in each fold.

    inputs: real matrix of N×L.
    targets: vector of N labels of any type.
    crossValidationIndices: vector with the fold of each pattern, from `crossvalidation`.
    numExecutions: networks that are trained in each fold.
    validationRatio: fraction of the N patterns for validation; 0 if there is none.
    topology, transferFunctions, maxEpochs, minLoss, learningRate, maxEpochsVal: as in
        `train_class_ann`.

    Returns seven pairs (mean, standard deviation), in the order of the metrics of
    `confusion_matrix`.
    """
    raise NotImplementedError


# --- Exercise 6: comparing with other models ------------------------------------------------------

# When you get here, remove the number signs: scikit-learn takes a while to import, and nothing
# needed it before.
# from sklearn.neighbors import KNeighborsClassifier
# from sklearn.svm import SVC
# from sklearn.tree import DecisionTreeClassifier


def model_cross_validation(
    modelType, modelHyperparameters, inputs, targets, crossValidationIndices
):
    """Evaluate a model by cross-validation: a network or one of scikit-learn.

    modelType: "ANN", "SVC", "DecisionTreeClassifier" or "KNeighborsClassifier".
    modelHyperparameters: dictionary with the hyperparameters of the model; it stays as it was.
    inputs, targets, crossValidationIndices: as in `ann_cross_validation`.

    Returns seven pairs (mean, standard deviation), in the order of the metrics of
    `confusion_matrix`.
    """
    raise NotImplementedError
