"""Checks of exercise 6, `model_cross_validation`.

A network is the business of `ann_cross_validation`, which is recorded here and does not run. Of the
models of scikit-learn, `fit` and `predict` are recorded; a model of which no prediction is seen is
trained here.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from practica.grading.assignment.accepted_forms import as_array, as_pairs, same_numbers
from practica.grading.assignment.encoding import ONE_HOT
from practica.grading.assignment.metrics import CONFUSION
from practica.grading.assignment.recorded_folds import (
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
    labels_and_folds,
    number_of_attributes,
    patterns_of,
    readings_of,
    require_functions,
    require_pairs,
    run_with,
)
from practica.grading.engine.framework import (
    CheckFailed,
    check,
    for_all,
    helped_by,
    require,
    require_untouched,
)
from practica.grading.engine.rendering import close, equal
from practica.grading.engine.solution import Solution
from practica.grading.inside.plain_data import Array, Floats, Function, RecordedCall, Transcript

helped_by("model_cross_validation", one_hot_encoding=ONE_HOT, confusion_matrix=CONFUSION)

# --- networks -------------------------------------------------------------------------------------

RESULT = tuple((0.9 - 0.07 * position, 0.01 + 0.02 * position) for position in range(7))
ANN_OPTIONS: dict[str, Any] = {
    "numExecutions": 3,
    "maxEpochs": 4,
    "minLoss": 0.015625,
    "learningRate": 0.0625,
}
ANN_OPTIONS |= {"validationRatio": 0.25, "maxEpochsVal": 7}
ANN_DEFAULTS: dict[str, Any] = {
    "numExecutions": 50,
    "maxEpochs": 1000,
    "minLoss": 0.0,
    "learningRate": 0.01,
}
ANN_DEFAULTS |= {"validationRatio": 0, "maxEpochsVal": 20}
BRIEF: dict[str, Any] = {"numExecutions": 1, "maxEpochs": 1}
ANN: Mapping[str, Mapping[str, Any]] = {"ann_cross_validation": {"returns": RESULT, "like": BRIEF}}


def _network(
    solution: Solution,
    given: dict[str, Any],
    labels: Array = UNEVEN,
    folds: Indices = FOUR_FOLDS,
    many: int = 2,
) -> Transcript:
    inputs = patterns_of(labels.tolist(), many)
    return run_with(solution, "model_cross_validation", ANN, "ANN", given, inputs, labels, folds)


@check("model_cross_validation.ann.result")
@for_all(1, case=labels_and_folds, attributes=number_of_attributes)
def ann_result(solution: Solution, case: tuple[Array, Indices], attributes: int) -> None:
    cases = (case, attributes), ((UNEVEN, FOUR_FOLDS), 2), ((TWO, FOLDS_OF_TWO), 2), (TEN, 2)
    for (labels, folds), many in cases if solution.is_known else cases[:1]:
        given = {"topology": [3], "numExecutions": 1, "maxEpochs": 1}
        transcript, patterns = (
            _network(solution, given, labels, folds, many),
            patterns_of(labels.tolist(), many),
        )
        obtained = as_pairs(transcript.answer.value)
        calls = calls_seen(transcript, "ann_cross_validation")
        require(close(obtained, RESULT), expected=RESULT, obtained=obtained)
        for call in calls:
            _, inputs, targets, indices = [
                *(list(call.bound.values()) or call.args),
                None,
                None,
                None,
                None,
            ][:4]
            require(same_numbers(indices, folds), expected=folds, obtained=indices)
            right = as_array(inputs).shape == patterns.shape and ids_of(inputs, patterns) == list(
                range(len(labels))
            )
            require(right, expected=patterns, obtained=inputs)
            codes = list(map(repr, _codes(targets)))
            renamed = len(codes) == len(labels) and is_renamed(labels.tolist(), codes)
            require(renamed, expected=labels, obtained=targets)


@check("model_cross_validation.ann.options")
def ann_options(solution: Solution) -> None:
    given = {
        "topology": [4, 3],
        **ANN_OPTIONS,
        "transferFunctions": [Function("tanh"), Function("relu")],
    }
    for call in calls_seen(_network(solution, given), "ann_cross_validation"):
        received = dict(zip(("topology",), call.args, strict=False)) | call.bound | call.kwargs
        for name in ("topology", *ANN_OPTIONS):
            right = same_numbers(received.get(name), given[name])
            require(right, option=name, expected=given[name], obtained=received.get(name))
        functions = received.get("transferFunctions")
        message = "model_cross_validation.ann.options.others"
        require_functions(solution, functions, ["tanh", "relu"], message)
    for call in calls_seen(_network(solution, {"topology": [3]}), "ann_cross_validation"):
        for name, expected in ANN_DEFAULTS.items():
            obtained = call.kwargs.get(name, expected)  # or it is the default of the other function
            require(
                same_numbers(obtained, expected), option=name, expected=expected, obtained=obtained
            )
        functions = call.kwargs.get("transferFunctions")
        if functions is not None:
            require_functions(
                solution, functions, ["sigmoid"], "model_cross_validation.ann.options.functions"
            )


# --- models ---------------------------------------------------------------------------------------

LABELS = np.array(list("abcabcabcabcabcabc"))
# 7, 6 and 5 patterns, all classes in each
FOLDS = np.array([1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 2, 3, 3, 3, 3, 2, 2, 3])
# Of each kind: its class, what all models of the kind have, the dictionaries that are tried, and
# what is used of them.
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
            **{
                "random_state": 1,
                "class_weight": None,
                "criterion": "gini",
                "splitter": "best",
                "max_features": None,
            },
            **{
                "min_samples_split": 2,
                "min_samples_leaf": 1,
                "max_leaf_nodes": None,
                "ccp_alpha": 0,
            },
            **{"min_weight_fraction_leaf": 0, "min_impurity_decrease": 0, "monotonic_cst": None},
        },
        [{"max_depth": 2}, {"max_depth": 15}],
        {"": ("max_depth",)},
    ),
    "KNeighborsClassifier": (
        "sklearn.neighbors:KNeighborsClassifier",
        {
            "weights": "uniform",
            "p": 2,
            "metric": ("minkowski", "euclidean", "l2"),
            "metric_params": None,
        },
        [{"n_neighbors": 1}, {"n_neighbors": 9}],
        {"": ("n_neighbors",)},
    ),
}


def noisy(labels: Array, attributes: int = 2) -> Floats:
    """Return patterns, some of which lie among those of another class, so that every model makes
    mistakes.
    """
    inputs = patterns_of(labels.tolist(), attributes)
    swapped = np.arange(len(labels)) % 4 == 1
    inputs[swapped, 1:] = inputs[np.roll(swapped, 1), 1:][: swapped.sum()]
    return inputs


def _run(
    solution: Solution,
    modelType: str,
    given: dict[str, Any],
    labels: Array = LABELS,
    folds: Indices = FOLDS,
    inputs: Floats | None = None,
) -> Transcript:
    """Call `model_cross_validation` with a kind of model, and record the models' trainings and
    predictions.

    `given`: the hyperparameters.
    """
    doubles = {
        f"{MODELS[modelType][0]}.{method}": {"through": True} for method in ("fit", "predict")
    }
    inputs = noisy(labels) if inputs is None else inputs
    return run_with(
        solution, "model_cross_validation", doubles, modelType, dict(given), inputs, labels, folds
    )


def fitted(call: RecordedCall, patterns: Floats) -> tuple[list[int], list[Any]]:
    """Return the positions of a model's training patterns, and the code that it received for the
    class of each; raise `CheckFailed` if they cannot be read.
    """
    given = [*call.args, *call.kwargs.values()]
    if len(given) < 2:
        raise CheckFailed({"obtained": len(given)}, "form.dataset")
    ids, codes = ids_of(given[0], patterns), _codes(given[1])
    if len(ids) != len(codes):
        raise CheckFailed({"obtained": (len(ids), len(codes))}, "form.dataset")
    return ids, codes


def _codes(labels: Any) -> list[Any]:
    """Return a vector of labels, or of codes for labels, as a list; an empty list if it is
    something else.
    """
    if isinstance(labels, np.ndarray):
        return labels.ravel().tolist()
    return list(labels) if isinstance(labels, list | tuple) else []


def _predicted(
    transcript: Transcript,
    modelType: str,
    labels: Array,
    folds: Indices,
    inputs: Floats,
) -> dict[int, Any]:
    """Return, by fold, the labels that a model predicted which was trained with all other folds. If
    that was not recorded for every fold, a right model predicts them here.
    """
    # as they are at the time: one may serve again
    models: dict[str, tuple[set[int], dict[str, str]]] = {}
    tests = {
        fold: np.flatnonzero(folds == fold).tolist() for fold in range(1, int(folds.max()) + 1)
    }
    result: dict[int, Any] = {}
    for call in transcript.calls:
        model = repr(call.owner.get("object"))
        if call.name.endswith(".fit"):
            ids, codes = fitted(call, inputs)
            models[model] = (
                {*ids},
                {repr(code): str(labels[who]) for who, code in zip(ids, codes, strict=True)},
            )
        else:
            who = ids_of(call.args[0] if call.args else call.kwargs.get("X"), inputs)
            (trained, names), codes = models.get(model, (set(), {})), _codes(call.result)
            for fold, test in tests.items():
                if (
                    who == test
                    and len(codes) == len(who)
                    and trained >= {*range(len(labels))} - {*test}
                ):
                    result[fold] = np.array([names.get(repr(code), "?") for code in codes])
    if len(result) == len(tests):
        return result
    target, common, (given, *_), used = MODELS[modelType]
    module, _, name = target.partition(":")
    options = {each: given[each] for each in used[given.get("kernel", "")]}
    options |= {"random_state": 1} if "random_state" in common else {}
    model = getattr(importlib.import_module(module), name)(**options)
    return {
        fold: model.fit(inputs[folds != fold], labels[folds != fold]).predict(inputs[tests[fold]])
        for fold in tests
    }


def _require_scores(
    solution: Solution,
    modelType: str,
    labels: Array = LABELS,
    folds: Indices = FOLDS,
    inputs: Floats | None = None,
    given: Array | None = None,
) -> None:
    """Require that the result of `model_cross_validation` follows from what the models predict.

    `given`: the labels in another form, for the call.
    """
    inputs = noisy(labels) if inputs is None else inputs
    case = MODELS[modelType][2][0]
    transcript = _run(solution, modelType, case, labels if given is None else given, folds, inputs)
    as_pairs(transcript.answer.value)
    predicted, classes = (
        _predicted(transcript, modelType, labels, folds, inputs),
        list(dict.fromkeys(labels.tolist())),
    )
    scores = [
        readings_of(predicted[fold], labels[folds == fold], classes) for fold in sorted(predicted)
    ]
    require_pairs(np.array(scores), transcript)


def _register_model(  # noqa: C901, three checks stand inside
    modelType: str, id: str, more: tuple[tuple[Array, Indices], ...] = ()
) -> None:
    """Register the three checks of a kind of model.

    `id`: the part of their ids that names the model.
    `more`: labels and folds of further calls, for examples that everybody knows.
    """
    target, common, cases, used = MODELS[modelType]

    def fits(solution: Solution, case: tuple[Array, Indices]) -> None:
        require_fits(solution, *case, cases[0])
        for each in cases[1:] if solution.is_known else ():
            require_fits(solution, LABELS, FOLDS, each)
        if id == "tree" and solution.is_known:  # one model has as many folds as in class
            require_fits(solution, *TEN, cases[0])
        if id == "knn":  # and one has patterns that come again
            require_fits(solution, *case, cases[0], times=2)

    def require_fits(
        solution: Solution,
        labels: Array,
        folds: Indices,
        given: dict[str, Any],
        times: int = 1,
    ) -> None:
        repeated = np.tile(labels, times), np.tile(folds, times), np.tile(noisy(labels), (times, 1))
        transcript = _run(solution, modelType, given, *repeated)
        as_pairs(transcript.answer.value)
        read, k = (
            [fitted(call, noisy(labels)) for call in calls_of(transcript, f"{target}.fit")],
            int(folds.max()),
        )
        require(len(read) == k, expected=k, obtained=len(read))
        expected = sorted(
            sorted(np.flatnonzero(fold != folds).tolist() * times) for fold in range(1, k + 1)
        )
        for ids, wanted in zip(sorted(sorted(ids) for ids, _ in read), expected, strict=True):
            require(ids == wanted, message="form.fit", expected=wanted, obtained=ids)
        for ids, codes in read:
            right = is_renamed(labels[ids].tolist(), list(map(repr, codes)))
            require(right, message="form.fit_labels", expected=labels[ids], obtained=codes)

    def hyperparameters(solution: Solution) -> None:
        for case in cases:
            calls = calls_of(_run(solution, modelType, case), f"{target}.fit")
            require(calls, message="form.unseen", helper=f"{modelType}.fit")
            for call in calls:
                params = call.owner.get("params")
                for name, expected in (
                    common | {name: case[name] for name in used[case.get("kernel", "")]}
                ).items():
                    obtained = params.get(name) if isinstance(params, dict) else None
                    same = same_numbers if isinstance(expected, int | float) else equal
                    any_of = expected if isinstance(expected, tuple) else (expected,)
                    right = any(same(obtained, each) for each in any_of)
                    require(right, option=name, expected=expected, obtained=obtained)

    def values(solution: Solution, case: tuple[Array, Indices], attributes: int) -> None:
        _require_scores(solution, modelType, *case, noisy(case[0], attributes))
        for each in more if solution.is_known else ():
            _require_scores(solution, modelType, *each)

    check(f"model_cross_validation.{id}.fits")(for_all(1, case=labels_and_folds)(fits))
    check(f"model_cross_validation.{id}.hyperparameters")(hyperparameters)
    check(f"model_cross_validation.{id}.values")(
        for_all(1, case=labels_and_folds, attributes=number_of_attributes)(values)
    )


_register_model("SVC", "svc")
_register_model("DecisionTreeClassifier", "tree", ((THREE, FOLDS_OF_THREE),))
_register_model("KNeighborsClassifier", "knn", (TEN,))


@check("model_cross_validation.all_classes")
def all_classes(solution: Solution) -> None:
    folds = np.array([1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3])
    clues = [0.0, 2.1, 2.0, 2.2, 0.1, 0.2, 1.9, 2.05, 4.0, 4.1, 4.2, 4.3, 0.3, 1.8]
    inputs = np.column_stack([np.arange(14) / 64, clues])
    _require_scores(
        solution, "KNeighborsClassifier", np.array(list("aabbaabbccccab")), folds, inputs
    )


@check("model_cross_validation.two_classes")
def two_classes(solution: Solution) -> None:
    inputs = np.column_stack(
        [np.arange(10) / 64, [0.0, 1.0, 1.1, 0.1, 0.9, 0.2, 0.3, 1.2, 0.05, 0.8]]
    )
    for modelType in MODELS:
        _require_scores(solution, modelType, TWO, FOLDS_OF_TWO, inputs)


@check("model_cross_validation.mixed_labels")
def mixed_labels(solution: Solution) -> None:
    names = {"a": "clase de flor A", "b": 11, "c": "clase de flor a"}
    labels = np.array([names[label] for label in LABELS.tolist()], dtype=object)
    _require_scores(solution, "KNeighborsClassifier", given=labels)


@check("model_cross_validation.dictionary")
def dictionary(solution: Solution) -> None:
    inputs = noisy(LABELS)
    cases: dict[str, dict[str, Any]] = {
        "SVC": {"kernel": "rbf", "C": 2.0, "gamma": 0.5, "degree": 3, "coef0": 0.0},
        "DecisionTreeClassifier": {"max_depth": 3},
        "KNeighborsClassifier": {"n_neighbors": 2},
        "ANN": {"topology": [2], "numExecutions": 1, "maxEpochs": 1},
    }
    for modelType, hyperparameters in cases.items():
        given = modelType, hyperparameters, inputs, LABELS, FOLDS
        after = [
            *(run_with(solution, "model_cross_validation", ANN, *given).answer.args or ()),
            None,
            None,
        ][1]
        require(
            equal(after, hyperparameters), expected=hyperparameters, obtained=after, model=modelType
        )


@check("model_cross_validation.unknown")
@for_all(1, name=lambda draw: "".join(draw.choices("mnopqr", k=draw.randint(3, 8))))
def unknown(solution: Solution, name: str) -> None:
    hyperparameters = {
        "topology": [2],
        "max_depth": 2,
        "n_neighbors": 2,
        "kernel": "linear",
        "C": 1.0,
        "gamma": 1.0,
    }
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
def no_score(solution: Solution) -> None:
    for modelType, (target, _, cases, _) in MODELS.items():
        doubles = {f"{target}.score": {"through": True}}
        given = modelType, dict(cases[0]), noisy(LABELS), LABELS, FOLDS
        obtained = len(run_with(solution, "model_cross_validation", doubles, *given).calls)
        require(not obtained, model=modelType, obtained=obtained)


@check("model_cross_validation.untouched")
def untouched(solution: Solution) -> None:
    given = "KNeighborsClassifier", {"n_neighbors": 2}, noisy(LABELS), LABELS, FOLDS
    require_untouched(
        given, run_with(solution, "model_cross_validation", {}, *given).answer, first=2
    )
