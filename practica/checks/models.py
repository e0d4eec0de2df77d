"""Checks of exercise 6, `model_cross_validation`.

A network is the business of `ann_cross_validation`, which is recorded here and does not run. Of the models of
scikit-learn, `fit` and `predict` are recorded, and the same models are fitted here.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from practica.checks.encoding import ONE_HOT
from practica.checks.folds import (
    ATTRIBUTES,
    FOLDS_OF_THREE,
    FOLDS_OF_TWO,
    FOUR_FOLDS,
    TEN,
    THREE,
    TWO,
    UNEVEN,
    Indices,
    calls_of,
    calls_seen,
    ids_of,
    is_renamed,
    partitions,
    patterns_of,
    require_functions,
    run_with,
)
from practica.checks.framework import CheckFailed, check, for_all, helped_by, require, require_untouched
from practica.checks.later import st
from practica.checks.metrics import CONFUSION, many_class_metrics, two_class_metrics
from practica.checks.plain import Function, RecordedCall, Transcript
from practica.checks.readings import METRICS, as_array, as_pairs, close, same_numbers
from practica.checks.solution import Solution
from practica.checks.values import equal

helped_by("model_cross_validation", one_hot_encoding=ONE_HOT, confusion_matrix=CONFUSION)

RESULT = tuple((0.9 - 0.07 * position, 0.01 + 0.02 * position) for position in range(7))
ANN_OPTIONS = {
    "numExecutions": 3,
    "maxEpochs": 4,
    "minLoss": 0.015625,
    "learningRate": 0.0625,
    "validationRatio": 0.25,
    "maxEpochsVal": 7,
}
ANN_DEFAULTS = {
    "numExecutions": 50,
    "maxEpochs": 1000,
    "minLoss": 0.0,
    "learningRate": 0.01,
    "validationRatio": 0,
    "maxEpochsVal": 20,
}


ANN: Mapping[str, Mapping[str, Any]] = {"ann_cross_validation": {"returns": RESULT}}


def _scripted_ann(solution: Solution, hyperparameters: dict[str, Any]) -> Transcript:
    return _run_double(solution, hyperparameters, UNEVEN, FOUR_FOLDS, 2)


def _run_double(
    solution: Solution, hyperparameters: dict[str, Any], labels: NDArray[Any], folds: Indices, attributes: int
) -> Transcript:
    given = hyperparameters, patterns_of(labels.tolist(), attributes), labels, folds
    return run_with(solution, "model_cross_validation", ANN, "ANN", *given)


@check("model_cross_validation.ann.result")
@for_all(1, case=partitions(), attributes=ATTRIBUTES)
def a_network_is_the_business_of_exercise_5(
    solution: Solution, case: tuple[NDArray[Any], Indices], attributes: int
) -> None:
    """Con "ANN" se llama a ANNCrossValidation, con los mismos datos y subconjuntos, y se devuelve su resultado."""
    for (labels, folds), many in ((UNEVEN, FOUR_FOLDS), 2), (case, attributes), ((TWO, FOLDS_OF_TWO), 2), (TEN, 2):
        transcript = _run_double(solution, {"topology": [3], "numExecutions": 1, "maxEpochs": 1}, labels, folds, many)
        obtained = as_pairs(transcript.answer.value)
        calls = calls_seen(transcript, "ann_cross_validation")
        require(close(obtained, RESULT), expected=RESULT, obtained=obtained)
        for call in calls:
            _require_same_data(call, labels, folds, patterns_of(labels.tolist(), many))


def _require_same_data(call: RecordedCall, labels: NDArray[Any], folds: Indices, patterns: NDArray[np.float64]) -> None:
    """Require that `ann_cross_validation` gets the same patterns and folds, and the same classes in any names."""
    given = list(call.bound.values()) if call.bound else call.args
    require(
        len(given) >= 4 and as_array(given[1]).shape == patterns.shape and same_numbers(given[3], folds),
        expected=folds,
        obtained=given[3] if len(given) > 3 else None,
    )
    require(ids_of(given[1], patterns) == list(range(len(labels))), expected=labels, obtained=given[1])
    codes = list(map(repr, _codes(given[2])))
    require(len(codes) == len(labels) and is_renamed(labels.tolist(), codes), expected=labels, obtained=given[2])


@check("model_cross_validation.ann.options")
def the_hyperparameters_of_a_network_are_passed_on(solution: Solution) -> None:
    """Con "ANN", los hiperparámetros del diccionario llegan a ANNCrossValidation."""
    hyperparameters = {"topology": [4, 3], **ANN_OPTIONS, "transferFunctions": [Function("tanh"), Function("relu")]}
    transcript = _scripted_ann(solution, hyperparameters)
    for call in calls_seen(transcript, "ann_cross_validation"):
        given = dict(zip(("topology",), call.args, strict=False)) | call.bound | call.kwargs
        for name in ("topology", *ANN_OPTIONS):
            obtained, expected = given.get(name), hyperparameters[name]
            require(same_numbers(obtained, expected), option=name, expected=expected, obtained=obtained)
        functions = given.get("transferFunctions")
        require_functions(solution, functions, ["tanh", "relu"], None, option="transferFunctions")
    for call in calls_seen(_scripted_ann(solution, {"topology": [3]}), "ann_cross_validation"):
        for name, expected in ANN_DEFAULTS.items():
            obtained = call.kwargs.get(name, expected)  # or it is the default of the other function
            require(same_numbers(obtained, expected), option=name, expected=expected, obtained=obtained)
        functions = call.kwargs.get("transferFunctions")
        if functions is not None:
            require_functions(solution, functions, ["sigmoid"], "model_cross_validation.ann.options.functions")


LABELS = np.array(list("abcabcabcabcabcabc"))
FOLDS = np.array([1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 2, 3, 3, 3, 3, 2, 2, 3])  # 7, 6 and 5 patterns, all classes in each
# Of each kind: its class, what all models of the kind have, the dictionaries that are tried, and what is used of them.
MODELS: dict[str, tuple[str, dict[str, Any], list[dict[str, Any]], dict[str, tuple[str, ...]]]] = {
    "SVC": (
        "sklearn.svm:SVC",
        {"shrinking": True, "tol": 1e-3, "class_weight": None, "max_iter": -1, "break_ties": False},
        [
            {"kernel": "rbf", "C": 2.5, "gamma": 0.75, "degree": 2, "coef0": 0.5},
            {"kernel": "linear", "C": 0.5, "gamma": 0.75, "degree": 2, "coef0": 0.5},
            {"kernel": "poly", "C": 12.5, "gamma": 0.25, "degree": 2, "coef0": 1.5},
            {"kernel": "sigmoid", "C": 3.5, "gamma": 0.125, "degree": 2, "coef0": 0.25},
        ],
        {
            "linear": ("kernel", "C"),
            "rbf": ("kernel", "C", "gamma"),
            "poly": ("kernel", "C", "degree", "gamma", "coef0"),
            "sigmoid": ("kernel", "C", "gamma", "coef0"),
        },
    ),
    "DecisionTreeClassifier": (
        "sklearn.tree:DecisionTreeClassifier",
        {
            **{"random_state": 1, "class_weight": None, "criterion": "gini", "splitter": "best", "max_features": None},
            **{"min_samples_split": 2, "min_samples_leaf": 1, "max_leaf_nodes": None, "ccp_alpha": 0},
            **{"min_weight_fraction_leaf": 0, "min_impurity_decrease": 0, "monotonic_cst": None},
        },
        [{"max_depth": 2}, {"max_depth": 15}],
        {"": ("max_depth",)},
    ),
    "KNeighborsClassifier": (
        "sklearn.neighbors:KNeighborsClassifier",
        {"weights": "uniform", "p": 2, "metric": ("minkowski", "euclidean", "l2"), "metric_params": None},
        [{"n_neighbors": 1}, {"n_neighbors": 9}],
        {"": ("n_neighbors",)},
    ),
}


def noisy(labels: NDArray[Any], attributes: int = 2) -> NDArray[np.float64]:
    """Return patterns of which some lie among those of another class, so that every model makes mistakes."""
    inputs = patterns_of(labels.tolist(), attributes)
    swapped = np.arange(len(labels)) % 4 == 1
    inputs[swapped, 1:] = inputs[np.roll(swapped, 1), 1:][: swapped.sum()]
    return inputs


def _model(
    solution: Solution,
    modelType: str,
    hyperparameters: dict[str, Any],
    labels: NDArray[Any] = LABELS,
    folds: Indices = FOLDS,
    inputs: NDArray[np.float64] | None = None,
) -> Transcript:
    """Run a cross-validation of a kind of models, and record their trainings and predictions."""
    target = MODELS[modelType][0]
    inputs = noisy(labels) if inputs is None else inputs
    doubles = {f"{target}.fit": {"through": True}, f"{target}.predict": {"through": True}}
    return run_with(solution, "model_cross_validation", doubles, modelType, hyperparameters, inputs, labels, folds)


def _register_model(modelType: str, id: str, what: str) -> None:
    target, common, cases, used = MODELS[modelType]

    def one_fit_per_fold(solution: Solution, case: tuple[NDArray[Any], Indices]) -> None:
        require_fits(solution, *case, hyperparameters=cases[0])
        for each in cases[1:]:
            require_fits(solution, LABELS, FOLDS, hyperparameters=each)
        if id == "tree":  # one model has as many folds as in class
            require_fits(solution, *TEN, hyperparameters=cases[0])
        if id == "knn":  # and one has patterns that come again
            require_fits(solution, *case, hyperparameters=cases[0], times=2)

    def require_fits(
        solution: Solution, labels: NDArray[Any], folds: Indices, *, hyperparameters: dict[str, Any], times: int = 1
    ) -> None:
        given = np.tile(labels, times), np.tile(folds, times), np.tile(noisy(labels), (times, 1))
        transcript = _model(solution, modelType, dict(hyperparameters), *given)
        as_pairs(transcript.answer.value)
        fits, k = calls_of(transcript, f"{target}.fit"), int(folds.max())
        require(len(fits) == k, expected=k, obtained=len(fits))
        read = [fitted(call, noisy(labels)) for call in fits]
        trained = sorted(sorted(ids) for ids, _ in read)
        expected = sorted(sorted(np.flatnonzero(fold != folds).tolist() * times) for fold in range(1, k + 1))
        for ids, wanted in zip(trained, expected, strict=True):
            require(ids == wanted, message="form.fit", expected=wanted, obtained=ids)
        for ids, codes in read:
            right = is_renamed(labels[ids].tolist(), list(map(repr, codes)))
            require(right, message="form.fit_labels", expected=labels[ids], obtained=codes)

    one_fit_per_fold.__doc__ = (
        f"En cada fold se entrena {what} una sola vez, con los patrones de los demás subconjuntos."
    )
    check(f"model_cross_validation.{id}.fits")(for_all(1, case=partitions())(one_fit_per_fold))

    def hyperparameters(solution: Solution) -> None:
        for case in cases:
            calls, (first, *_) = calls_of(_model(solution, modelType, dict(case)), f"{target}.fit"), case
            require(calls, option=first, expected=case[first], obtained=None)  # with one kernel, another model
            for call in calls:
                known = call.owner.get("params")
                params = known if isinstance(known, dict) else {}
                wanted = common | {name: case[name] for name in used[case.get("kernel", "")]}
                for name, expected in wanted.items():
                    obtained = params.get(name)
                    is_number = isinstance(expected, int | float)
                    any_of = expected if isinstance(expected, tuple) else (expected,)
                    same = (
                        same_numbers(obtained, expected) if is_number else any(equal(obtained, each) for each in any_of)
                    )
                    require(same, option=name, expected=expected, obtained=obtained)

    hyperparameters.__doc__ = f"Los hiperparámetros del diccionario llegan a {what}, y los demás no cambian."
    check(f"model_cross_validation.{id}.hyperparameters")(hyperparameters)

    def values(solution: Solution, case: tuple[NDArray[Any], Indices], attributes: int) -> None:
        others = {"knn": (TEN, 2), "tree": ((THREE, FOLDS_OF_THREE), 2)}
        for (labels, folds), many in (case, attributes), *([others[id]] if id in others else []):
            inputs = noisy(labels, many)
            transcript = _model(solution, modelType, dict(cases[0]), labels, folds, inputs)
            _require_scores(transcript, modelType, cases[0], inputs, labels, folds)

    values.__doc__ = f"Con {what}, devuelve media y desviación típica de cada métrica en los folds."
    check(f"model_cross_validation.{id}.values")(for_all(1, case=partitions(), attributes=ATTRIBUTES)(values))


def fitted(call: RecordedCall, patterns: NDArray[np.float64]) -> tuple[list[int], list[Any]]:
    """Tell which patterns a model was trained with, and what it got for the class of each."""
    given = [*call.args, *call.kwargs.values()]
    if len(given) < 2:
        raise CheckFailed({"obtained": len(given)}, "form.dataset")
    ids, codes = ids_of(given[0], patterns), _codes(given[1])
    if len(ids) != len(codes):
        raise CheckFailed({"obtained": (len(ids), len(codes))}, "form.dataset")
    return ids, codes


def _codes(labels: Any) -> list[Any]:
    """Read a vector of labels, or of what stands for them."""
    if isinstance(labels, np.ndarray):
        return labels.ravel().tolist()
    return list(labels) if isinstance(labels, list | tuple) else []


def _predicted(
    transcript: Transcript, target: str, labels: NDArray[Any], folds: Indices, inputs: NDArray[np.float64]
) -> dict[int, list[str]] | None:
    """Return the labels predicted for each test fold by a model of all the others; None if they were not seen."""
    models: dict[str, tuple[set[int], dict[str, str]]] = {}  # as they are at the time: one may serve again
    tests = {fold: np.flatnonzero(folds == fold).tolist() for fold in range(1, int(folds.max()) + 1)}
    result: dict[int, list[str]] = {}
    for call in transcript.calls:
        model = repr(call.owner.get("object"))
        if call.name == f"{target}.fit":
            ids, codes = fitted(call, inputs)
            models[model] = {*ids}, {repr(code): str(labels[who]) for who, code in zip(ids, codes, strict=True)}
        elif call.name == f"{target}.predict":
            who = ids_of(call.args[0] if call.args else call.kwargs.get("X"), inputs)
            trained, names = models.get(model, (set(), {}))
            codes = _codes(call.result)
            for fold, test in tests.items():
                if who == test and len(codes) == len(who) and trained >= {*range(len(labels))} - {*test}:
                    result[fold] = [names.get(repr(code), "?") for code in codes]
    return result if len(result) == len(tests) else None


def _predicted_here(
    target: str, hyperparameters: dict[str, Any], inputs: NDArray[np.float64], labels: NDArray[Any], folds: Indices
) -> dict[int, list[str]]:
    """Train models of the same kind, where it was not seen what those of the student said of each test fold."""
    module, _, name = target.partition(":")
    kind = getattr(importlib.import_module(module), name)
    if name == "DecisionTreeClassifier":  # whose ties are broken at random
        hyperparameters = {**hyperparameters, "random_state": 1}
    models = {fold: kind(**hyperparameters).fit(inputs[folds != fold], labels[folds != fold]) for fold in set(folds)}
    return {int(fold): model.predict(inputs[folds == fold]).tolist() for fold, model in models.items()}


def _require_scores(
    transcript: Transcript,
    modelType: str,
    hyperparameters: dict[str, Any],
    inputs: NDArray[np.float64],
    labels: NDArray[Any] = LABELS,
    folds: Indices = FOLDS,
) -> None:
    obtained = as_pairs(transcript.answer.value)
    target = MODELS[modelType][0]
    predicted = _predicted(transcript, target, labels, folds, inputs)
    predicted = predicted or _predicted_here(target, hyperparameters, inputs, labels, folds)
    classes = list(dict.fromkeys(labels.tolist()))

    def columns(values: Sequence[str]) -> NDArray[np.bool_]:
        return np.array([[value == name for name in classes] for value in values])

    scores = np.array(
        [
            many_class_metrics(columns(predicted[fold]), columns(labels[folds == fold].tolist()), True)
            for fold in sorted(predicted)
        ]
    )
    expected = np.column_stack([scores.mean(axis=0), scores.std(axis=0, ddof=1)])
    for position, metric in enumerate(METRICS):
        require(
            close(obtained[position], expected[position]),
            metric=metric,
            expected=tuple(expected[position].tolist()),
            obtained=obtained[position],
        )


_register_model("SVC", "svc", "una máquina de soporte vectorial (SVC)")
_register_model("DecisionTreeClassifier", "tree", "un árbol de decisión")
_register_model("KNeighborsClassifier", "knn", "kNN")


@check("model_cross_validation.all_classes")
def the_classes_of_a_model_are_those_of_all_patterns(solution: Solution) -> None:
    """Las clases son las de todos los patrones: un fold con solo dos de las tres se evalúa con las tres."""
    labels = np.array(list("aabbaabbccccab"))
    folds = np.array([1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3])
    inputs = np.column_stack(
        [np.arange(14) / 64, [0.0, 2.1, 2.0, 2.2, 0.1, 0.2, 1.9, 2.05, 4.0, 4.1, 4.2, 4.3, 0.3, 1.8]]
    )
    transcript = _model(solution, "KNeighborsClassifier", {"n_neighbors": 1}, labels, folds, inputs)
    _require_scores(transcript, "KNeighborsClassifier", {"n_neighbors": 1}, inputs, labels, folds)


@check("model_cross_validation.two_classes")
def two_classes_have_the_metrics_of_two_classes(solution: Solution) -> None:
    """Con dos clases, las métricas son las de dos clases, con la misma clase positiva en todos los folds."""
    for modelType, (_, _, cases, _) in MODELS.items():
        _require_two_classes(solution, modelType, cases[0])


def _require_two_classes(solution: Solution, modelType: str, hyperparameters: dict[str, Any]) -> None:
    inputs = np.column_stack([np.arange(10) / 64, [0.0, 1.0, 1.1, 0.1, 0.9, 0.2, 0.3, 1.2, 0.05, 0.8]])
    transcript = _model(solution, modelType, dict(hyperparameters), TWO, FOLDS_OF_TWO, inputs)
    obtained = as_pairs(transcript.answer.value)
    target = MODELS[modelType][0]
    predicted = _predicted(transcript, target, TWO, FOLDS_OF_TWO, inputs)
    predicted = predicted or _predicted_here(target, hyperparameters, inputs, TWO, FOLDS_OF_TWO)
    readings = []
    for positive in dict.fromkeys(TWO.tolist()):
        scores = np.array(
            [
                two_class_metrics(np.array(predicted[fold]) == positive, TWO[fold == FOLDS_OF_TWO] == positive)
                for fold in sorted(predicted)
            ]
        )
        readings.append(np.column_stack([scores.mean(axis=0), scores.std(axis=0, ddof=1)]))
    require(any(close(obtained, reading) for reading in readings), expected=readings[0], obtained=obtained)


@check("model_cross_validation.mixed_labels")
def labels_are_turned_into_text(solution: Solution) -> None:
    """«…vector con elementos heterogéneos…»: las etiquetas se pasan a texto antes de entrenar ningún modelo."""
    names = {"a": "clase de flor A", "b": 11, "c": "clase de flor a"}
    labels = np.array([names[label] for label in LABELS.tolist()], dtype=object)
    inputs = noisy(LABELS)
    transcript = _model(solution, "KNeighborsClassifier", {"n_neighbors": 1}, labels, FOLDS, inputs)
    _require_scores(transcript, "KNeighborsClassifier", {"n_neighbors": 1}, inputs)


@check("model_cross_validation.dictionary")
def the_dictionary_is_left_as_it_was(solution: Solution) -> None:
    """El diccionario de hiperparámetros queda como estaba."""
    inputs = noisy(LABELS)
    cases: dict[str, dict[str, Any]] = {
        "SVC": {"kernel": "rbf", "C": 2.0, "gamma": 0.5, "degree": 3, "coef0": 0.0},
        "DecisionTreeClassifier": {"max_depth": 3},
        "KNeighborsClassifier": {"n_neighbors": 2},
        "ANN": {"topology": [2], "numExecutions": 1, "maxEpochs": 1},
    }
    if not solution.has("ann_cross_validation"):
        del cases["ANN"]
    for modelType, hyperparameters in cases.items():
        given = modelType, hyperparameters, inputs, LABELS, FOLDS
        after = [*(run_with(solution, "model_cross_validation", ANN, *given).answer.args or ()), None, None][1]
        require(equal(after, hyperparameters), expected=hyperparameters, obtained=after, model=modelType)


@check("model_cross_validation.unknown")
@for_all(1, name=st.text("mnopqr", min_size=3, max_size=8))
def an_unknown_model_has_no_metrics(solution: Solution, name: str) -> None:
    """Con un modelType que no es ninguno de los cuatro no se evalúa otro modelo en su lugar."""
    hyperparameters = {"topology": [2], "max_depth": 2, "n_neighbors": 2, "kernel": "linear", "C": 1.0, "gamma": 1.0}
    given = {**hyperparameters, "degree": 2, "coef0": 0.0}, noisy(LABELS), LABELS, FOLDS
    answer = solution.answer("model_cross_validation", name, *given)
    if answer.error is not None:
        return
    evaluates = False
    with suppress(CheckFailed):
        evaluates = len(as_pairs(answer.value)) > 0
    message = None if evaluates else "model_cross_validation.unknown.no_error"
    raise CheckFailed({"obtained": answer.value}, message)


@check("model_cross_validation.no_score")
def the_metrics_of_a_model_are_not_its_score(solution: Solution) -> None:
    """Las métricas las da confusion_matrix, también la precisión: no se llama al método score del modelo."""
    for modelType, (target, _, cases, _) in MODELS.items():
        doubles = {f"{target}.score": {"through": True}}
        given = modelType, dict(cases[0]), noisy(LABELS), LABELS, FOLDS
        obtained = len(run_with(solution, "model_cross_validation", doubles, *given).calls)
        require(not obtained, model=modelType, obtained=obtained)


@check("model_cross_validation.untouched")
def model_cross_validation_leaves_the_data(solution: Solution) -> None:
    """Las entradas, las salidas deseadas y los índices quedan como estaban."""
    given = "KNeighborsClassifier", {"n_neighbors": 2}, noisy(LABELS), LABELS, FOLDS
    require_untouched(given, run_with(solution, "model_cross_validation", {}, *given).answer, first=2)
