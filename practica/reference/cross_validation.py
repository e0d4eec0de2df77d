"""Cross-validation of networks, many executions per fold, and of scikit-learn's models on the same
folds.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias, Unpack, cast

import joblib
import numpy as np
from numpy.typing import ArrayLike

from practica.reference.arguments import (
    Array,
    Floats,
    Integers,
    Label,
    Labels,
    Positions,
    as_integer,
    as_labels,
    as_real,
    as_real_matrix,
    as_single_precision,
    brief,
    closest,
    require_equal_lengths,
    require_finite,
)
from practica.reference.devices import as_device
from practica.reference.encoding import number_classes, one_hot_encoding
from practica.reference.metrics import WithAttributes, confusion_matrix, require_few_classes
from practica.reference.network import TransferFunction, as_topology
from practica.reference.normalization import (
    calculate_min_max_normalization_parameters,
    calculate_zero_mean_normalization_parameters,
    normalize_min_max,
    normalize_zero_mean,
)
from practica.reference.partition import Folds
from practica.reference.randomness import RandomState, SeedTree
from practica.reference.trainers import (
    SAME_WARNINGS,
    Replica,
    Trainer,
    as_class_weight,
    in_parallel,
    validation_fraction,
)
from practica.reference.training import CheckedOptions, TrainingOptions

__all__ = [
    "MODEL_TYPES",
    "NORMALIZATIONS",
    "CrossValidation",
    "MeanStd",
    "Normalizer",
    "ann_cross_validation",
    "as_classes",
    "as_patterns_in_folds",
    "checked_trainer",
    "mean_and_std",
    "model_cross_validation",
    "normalizer",
]

Progress: TypeAlias = "Callable[[int, int], object]"
# called with inputs and training positions
Normalizer: TypeAlias = "Callable[[Array, Positions], Array]"


class MeanStd(NamedTuple):
    """Mean and sample standard deviation (n − 1) of a metric over the folds."""

    mean: float
    std: float


class CrossValidation(WithAttributes[MeanStd]):
    """Seven (mean, std) pairs over the folds, and beside them every score they come from.

    Attributes
    ----------
    scores : float array, shape (folds, executions, 7)
        The metrics of each network in the practice's order; a deterministic model has one
        execution. The value of a fold is the mean of its executions.
    crossValidationIndices : int array, shape (N,), values 1..folds
        The fold of each pattern: two models can be compared in pairs only where these are the same.
    classes : tuple
        The classes in the order of the encoding; of two, the first is the positive one.
    """

    scores: Floats
    crossValidationIndices: Integers
    classes: tuple[Label, ...]

    @classmethod
    def of(
        cls,
        scores: Floats,
        crossValidationIndices: Integers,
        classes: Iterable[Label],
    ) -> CrossValidation:
        """Return the summary of the scores of all networks."""
        result = cls(*(mean_and_std(values) for values in scores.mean(axis=1).T))
        result.scores = scores
        result.crossValidationIndices = crossValidationIndices
        result.classes = tuple(classes)
        return result


def mean_and_std(values: ArrayLike) -> MeanStd:
    """Return the mean and the sample standard deviation.

    Of one value the deviation is NaN, as in Julia.

    >>> mean_and_std([1.0, 2.0, 3.0])
    MeanStd(mean=2.0, std=1.0)
    """
    numbers = np.asarray(values, dtype=np.float64)
    return MeanStd(
        float(numbers.mean()), float(numbers.std(ddof=1)) if len(numbers) > 1 else math.nan
    )


def ann_cross_validation(
    topology: Sequence[int],
    inputs: ArrayLike,
    targets: Labels,
    crossValidationIndices: ArrayLike | Folds,
    *,
    numExecutions: int = 50,
    transferFunctions: Sequence[TransferFunction] | None = None,
    maxEpochs: int = 1000,
    minLoss: float = 0.0,
    learningRate: float = 0.01,
    validationRatio: float = 0,
    maxEpochsVal: int = 20,
    normalization: str | None = None,
    random_state: RandomState = None,
    progress: Progress | None = None,
    n_jobs: int = -1,
    device: str = "cpu",
) -> CrossValidation:
    """Cross-validate networks, training several of them in each fold.

    Parameters
    ----------
    topology : sequence of int, each >= 1
        Neurons of each hidden layer; it may be empty.
    inputs : real array, shape (N, L)
    targets : sequence of labels of any type, shape (N,)
        At least two classes. Of two, the first to appear is the positive one, also for bool
        targets.
    crossValidationIndices : int array, shape (N,), values 1..k, k >= 2
        The fold in which each pattern is tested, see `crossvalidation`; no fold may be empty.
    numExecutions : int, >= 1
        Networks trained in each fold; the statement recommends at least 50.
    transferFunctions, maxEpochs, minLoss, learningRate, maxEpochsVal
        As in `train_class_ann`.
    validationRatio : float, fraction of *all* patterns in [0, 1]
        Size of the validation set taken out of the training part of each fold, for early stopping;
        0 for none.
    normalization : {"minmax", "zeromean", None}
        Normalize the attributes with the parameters of the training part of each fold.
    random_state : int, numpy.random.Generator, numpy.random.RandomState or None
        Each (fold, execution) has a seed of its own: its network is the same regardless of
        `numExecutions`.
    progress : callable, optional
        Called as progress(networks trained, networks in all), now and then.
    n_jobs : int
        Workers, as joblib counts them: -1 for one on each processor. They are threads of this
        process, or whatever an active `joblib.parallel_config` says: processes, or a cluster.
    device : {"cpu", "cuda"}
        What trains the networks. The devices round differently. On a GPU `n_jobs` does not count;
        only with torch's own elementwise transfer functions is it used.

    Returns
    -------
    result : CrossValidation
        Seven (mean, std) pairs over the folds: accuracy, errorRate, recall, specificity, PPV, NPV,
        F1; `scores` keeps every value.

    Raises
    ------
    ValueError
        If sizes differ, a value is not finite or out of its range, there is one class or one fold,
        or a fold is empty.

    Notes
    -----
    It equals this loop, although the networks are trained in C (see `compiled_training`), by a
    GPU's blocks of threads (see `block_training`) or all together (see `batched_training`); neither
    that, nor the number of workers, nor the device change what is drawn::

        for f in folds:
            for execution in range(numExecutions):
                # of the N_f patterns that are not in fold f
                training, validation = hold_out(N_f, validationRatio * N / N_f)
                ann = train_class_ann(
                    topology, training, validationDataset=validation, ...
                ).ann
                scores[f, execution] = confusion_matrix(
                    ann(inputs in fold f), targets in fold f
                )
        mean and sample std, over the folds, of scores.mean(axis=1)

    References
    ----------
    Exercise 5, `ANNCrossValidation`.

    Examples
    --------
    >>> inputs = [[0.1], [0.2], [0.3], [0.7], [0.8], [0.9]]
    >>> targets = ["low"] * 3 + ["high"] * 3
    >>> folds = [1, 2, 3, 1, 2, 3]
    >>> result = ann_cross_validation(
    ...     [], inputs, targets, folds, numExecutions=2, learningRate=0.5, random_state=1
    ... )
    >>> result.accuracy, result.scores.shape
    (MeanStd(mean=1.0, std=0.0), (3, 2, 7))
    """
    count = as_integer(numExecutions, "numExecutions", minimum=1)
    trainer, classes = checked_trainer(
        topology,
        inputs,
        targets,
        crossValidationIndices,
        transferFunctions=transferFunctions,
        maxEpochs=maxEpochs,
        minLoss=minLoss,
        learningRate=learningRate,
        validationRatio=validationRatio,
        maxEpochsVal=maxEpochsVal,
        normalization=normalization,
        random_state=random_state,
        device=device,
    )
    replicas = [
        Replica(fold, execution) for fold in trainer.folds.tested for execution in range(count)
    ]
    n_jobs = trainer.n_jobs(n_jobs)
    tasks = trainer.tasks(replicas, workers=max(1, joblib.effective_n_jobs(n_jobs)))
    scores = np.empty((trainer.folds.k, count, 7))
    for (fold, execution), metrics in in_parallel(
        trainer.scores, tasks, n_jobs=n_jobs, progress=progress
    ):
        scores[fold - 1, execution] = metrics
    return CrossValidation.of(scores, trainer.folds.indices, classes)


def checked_trainer(
    topology: Sequence[int],
    inputs: ArrayLike,
    targets: Labels,
    crossValidationIndices: ArrayLike | Folds,
    *,
    validationRatio: float,
    normalization: str | Normalizer | None,
    random_state: RandomState,
    device: str,
    class_weight: Mapping[Label, float] | str | None = None,
    **options: Unpack[TrainingOptions],
) -> tuple[Trainer, list[Label]]:
    """Check the arguments of `ann_cross_validation`; return the trainer of its networks, and the
    classes.

    If the normalization is a function, it may fill holes, and inputs may be missing.
    """
    whole = not callable(normalization)
    matrix, labels, folds = as_patterns_in_folds(
        inputs, targets, crossValidationIndices, whole=whole
    )
    classes = as_classes(labels, folds)
    hidden = as_topology(topology)
    normalize = normalizer(normalization)
    if normalize is None:
        matrix = as_single_precision(matrix, "inputs in float32")
    ratio = as_real(validationRatio, "validationRatio", low=0, high=1)
    for fold in folds.tested:
        validation_fraction(ratio, N=len(folds), N_train=len(folds.split(fold)[0]), fold=fold)
    encoded = one_hot_encoding(labels, classes)
    functions = CheckedOptions.of(hidden, options).functions
    seeds = SeedTree(random_state)
    options["transferFunctions"] = functions
    counts = as_class_weight(class_weight, classes)
    chosen = as_device(device, functions)
    trainer = Trainer(
        matrix, encoded, folds, normalize, ratio, seeds, hidden, options, chosen, counts
    )
    return trainer, classes


_SVC_OPTIONS = {
    "linear": ("C",),
    "rbf": ("C", "gamma"),
    "sigmoid": ("C", "gamma", "coef0"),
    "poly": ("C", "degree", "gamma", "coef0"),
}
_REQUIRED = {
    "ANN": ("topology",),
    "SVC": ("kernel",),
    "DecisionTreeClassifier": ("max_depth",),
    "KNeighborsClassifier": ("n_neighbors",),
}
_OPTIONAL = {
    "ANN": (
        *("numExecutions", "transferFunctions", "maxEpochs", "minLoss"),
        *("learningRate", "validationRatio", "maxEpochsVal"),
    ),
    "SVC": _SVC_OPTIONS["poly"],
}
MODEL_TYPES = tuple(_REQUIRED)


def model_cross_validation(
    modelType: str,
    modelHyperparameters: Mapping[str, Any],
    inputs: ArrayLike,
    targets: Labels,
    crossValidationIndices: ArrayLike | Folds,
    *,
    normalization: str | None = None,
    random_state: RandomState = None,
    progress: Progress | None = None,
    n_jobs: int = -1,
    device: str = "cpu",
) -> CrossValidation:
    """Cross-validate a model of the practice: networks, or one of three models of scikit-learn.

    Parameters
    ----------
    modelType : {"ANN", "SVC", "DecisionTreeClassifier", "KNeighborsClassifier"}
    modelHyperparameters : mapping
        Left as it is. "ANN": `topology`, and any of the options of `ann_cross_validation` that the
        statement names. "SVC": `kernel` ("linear", "rbf", "sigmoid" or "poly"), `C`, and of
        `degree`, `gamma`, `coef0` those it uses. "DecisionTreeClassifier": `max_depth`.
        "KNeighborsClassifier": `n_neighbors`.
    inputs, targets, crossValidationIndices, normalization, progress
        As in `ann_cross_validation`.
    random_state : int, numpy.random.Generator, numpy.random.RandomState or None
        For "ANN" only; the trees use random_state=1 as the statement requires.
    n_jobs, device
        For "ANN" only, as in `ann_cross_validation`.

    Returns
    -------
    result : CrossValidation
        As `ann_cross_validation`; a deterministic model has a single execution in each fold.

    Raises
    ------
    ValueError
        If the model is unknown, a hyperparameter is missing, unknown or refused by the model, and
        as `ann_cross_validation`.

    Notes
    -----
    Labels are compared as text by the models of scikit-learn, so that 1 and "1" are one class
    there. The classes are those of all patterns: a fold without some class is still scored with all
    of them.

    References
    ----------
    Exercise 6, `modelCrossValidation`.

    Examples
    --------
    >>> inputs = [[0.1], [0.2], [0.3], [0.7], [0.8], [0.9]]
    >>> targets = ["low"] * 3 + ["high"] * 3
    >>> folds = [1, 2, 3, 1, 2, 3]
    >>> model_cross_validation(
    ...     "KNeighborsClassifier", {"n_neighbors": 1}, inputs, targets, folds
    ... ).recall
    MeanStd(mean=1.0, std=0.0)
    """
    if not isinstance(modelType, str) or modelType not in MODEL_TYPES:
        raise ValueError(f"modelType={modelType!r} is unknown{closest(modelType, MODEL_TYPES)}")
    if not isinstance(modelHyperparameters, Mapping):
        kind = type(modelHyperparameters).__name__
        raise TypeError(
            f"modelHyperparameters is a {kind}; it must be a dictionary such as"
            " {'n_neighbors': 3}"
        )
    hyperparameters = dict(modelHyperparameters)
    _require_known(modelType, hyperparameters, _REQUIRED[modelType], _OPTIONAL.get(modelType, ()))
    if modelType == "ANN":
        topology = hyperparameters.pop("topology")
        hyperparameters |= {
            "normalization": normalization,
            "random_state": random_state,
            "progress": progress,
        }
        return ann_cross_validation(
            topology,
            inputs,
            targets,
            crossValidationIndices,
            **hyperparameters,
            n_jobs=n_jobs,
            device=device,
        )
    model = _estimator(modelType, hyperparameters)
    matrix, labels, folds = as_patterns_in_folds(inputs, targets, crossValidationIndices)
    # the same distances regardless of the type of the data
    matrix = matrix.astype(np.float64, copy=False)
    names, numbers = number_classes(labels)
    _require_classes(names, len(labels))
    text = np.array([str(label) for label in names], dtype=object)[numbers]
    classes = as_classes(text, folds)
    encoded = one_hot_encoding(text, classes)
    scores = np.empty((folds.k, 1, 7))
    normalize = normalizer(normalization)
    for fold in folds.tested:
        training, test = folds.split(fold)
        normalized = matrix if normalize is None else normalize(matrix, training)
        try:
            with SAME_WARNINGS:
                predicted = model.fit(normalized[training], text[training]).predict(
                    normalized[test]
                )
        except ValueError as error:  # scikit-learn checks its own parameters, and at fitting time
            reason = str(error).partition("\n")[0]
            raise ValueError(f"fold {fold}: {model!r} cannot be trained: {reason}") from error
        scores[fold - 1, 0] = confusion_matrix(one_hot_encoding(predicted, classes), encoded[test])
        if progress is not None:
            progress(fold, folds.k)
    return CrossValidation.of(scores, folds.indices, classes)


def _estimator(modelType: str, hyperparameters: Mapping[str, object]) -> Any:
    """Return an untrained model of scikit-learn."""
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.svm import SVC
    from sklearn.tree import DecisionTreeClassifier

    if modelType == "DecisionTreeClassifier":
        return DecisionTreeClassifier(**hyperparameters, random_state=1)
    if modelType == "KNeighborsClassifier":
        return KNeighborsClassifier(**hyperparameters)
    kernel = hyperparameters["kernel"]
    if not isinstance(kernel, str) or kernel not in _SVC_OPTIONS:
        raise ValueError(
            f"modelHyperparameters: kernel={kernel!r} is unknown{closest(kernel, _SVC_OPTIONS)}"
        )
    used = _SVC_OPTIONS[kernel]
    _require_known(f"SVC with kernel {kernel}", hyperparameters, used, tuple(hyperparameters))
    return SVC(kernel=kernel, **{key: hyperparameters[key] for key in used})


def _require_known(
    model: str,
    hyperparameters: Mapping[str, object],
    required: Sequence[str],
    optional: Sequence[str],
) -> None:
    known = (*required, *optional)
    for key in hyperparameters:
        if key not in known:
            raise ValueError(f"modelHyperparameters: {model} has no {key!r}{closest(key, known)}")
    for key in required:
        if key not in hyperparameters:
            raise ValueError(f"modelHyperparameters: {model} needs {key!r}, which is missing")


def as_patterns_in_folds(
    inputs: ArrayLike,
    targets: Labels,
    crossValidationIndices: ArrayLike | Folds,
    *,
    whole: bool = True,
) -> tuple[Array, Array, Folds]:
    """Return the data of a cross-validation after checking that every pattern has a fold, no fold
    is empty and, with `whole`, no value is missing.
    """
    matrix, labels = as_real_matrix(inputs, "inputs"), as_labels(targets, "targets")
    if not isinstance(crossValidationIndices, Folds):
        crossValidationIndices = as_labels(crossValidationIndices, "crossValidationIndices")
    require_equal_lengths(
        inputs=matrix, targets=labels, crossValidationIndices=crossValidationIndices
    )
    if matrix.dtype not in (np.float32, np.float64):
        matrix = matrix.astype(np.float64)
    if whole:
        require_finite(matrix, "inputs")
    return matrix, labels, Folds.of(crossValidationIndices)


def as_classes(labels: Array, folds: Folds) -> list[Label]:
    """Return the classes in order of first appearance; refuse fewer than two, in all labels or in
    the training part of a fold.
    """
    classes, numbers = number_classes(labels)
    if len(classes) < 2:
        raise ValueError(
            f"targets has one class, {brief(classes[0])}; at least two are needed to classify"
        )
    _require_classes(classes, len(labels))
    C = len(classes)
    tested = np.bincount((folds.indices - 1) * C + numbers, minlength=folds.k * C).reshape(
        folds.k, C
    )
    trained = np.cumsum(tested, axis=0) - tested if folds.forward else tested.sum(axis=0) - tested
    for fold in folds.tested:
        if np.count_nonzero(trained[fold - 1]) < 2:
            label = brief(classes[int(trained[fold - 1].argmax())])
            remedy = "use stratified or other folds"
            if folds.forward:
                remedy = "let the first stretch have more patterns"
            raise ValueError(
                f"fold {fold}: its training part has one class, {label}; models need two or more to"
                f" learn from: {remedy}"
            )
    return classes


def _require_classes(classes: Sequence[Label], N: int) -> None:
    """Refuse floats that are quantities, and so many classes that nothing could be made of them.

    Floats may name classes, such as 1.0 and 2.5. They are quantities if there are more than ten,
    and more than a tenth of the patterns; of a few patterns, if they are not whole and most of them
    occur once.
    """
    require_few_classes(len(classes))
    if not all(isinstance(label, float | np.floating) for label in classes):
        return
    of_few = len(classes) > N / 2 and not all(
        float(cast(float, label)).is_integer() for label in classes
    )
    if of_few or len(classes) > max(10, N / 10):
        raise ValueError(
            f"targets has {len(classes)} different numbers, such as {classes[0]!r}, in {N}"
            " patterns: they are quantities and no classes; ANNRegressor predicts quantities, and"
            " numbers that name classes can be text"
        )


NORMALIZATIONS: dict[str, tuple[Callable[..., Any], Callable[..., Array]]] = {
    "minmax": (calculate_min_max_normalization_parameters, normalize_min_max),
    "zeromean": (calculate_zero_mean_normalization_parameters, normalize_zero_mean),
}


def normalizer(normalization: str | Normalizer | None) -> Normalizer | None:
    """Return a function that normalizes all inputs with the parameters of the patterns at given
    positions, the training part of a fold; None for no normalization. A function is returned as it
    is.
    """
    if normalization is None or callable(normalization):
        return normalization
    if normalization not in NORMALIZATIONS:
        raise ValueError(
            f"normalization={normalization!r} is unknown{closest(normalization, NORMALIZATIONS)}"
        )
    return functools.partial(_normalized_by, normalization)


def _normalized_by(normalization: str, inputs: Array, training: Positions) -> Array:
    calculate_parameters, normalize = NORMALIZATIONS[normalization]
    return normalize(inputs, calculate_parameters(inputs[training]))
