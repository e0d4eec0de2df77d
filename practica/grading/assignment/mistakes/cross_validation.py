"""Known mistakes of `ann_cross_validation` and `model_cross_validation`, all of them signs.

They are read as the checks read them: who trained, who was tested, and what `confusion_matrix`
returned. Their own examples do not run: each of these here serves many mistakes.

What networks and models give is a matrix of metrics, folds times executions, and the result a
formula of it: the wrong formula that explains every answer is the mistake.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from practica.grading.assignment.accepted_forms import as_array
from practica.grading.assignment.cases import as_vector
from practica.grading.assignment.cross_validation import executions_differ
from practica.grading.assignment.mistakes.runs import (
    ANN,
    MODEL,
    OPTIONS,
    RecordedRun,
    Said,
    all_known,
    arrives,
    read,
    shows,
)
from practica.grading.assignment.models import ANN_OPTIONS, FOLDS, LABELS, MODELS, RESULT, noisy
from practica.grading.assignment.recorded_folds import (
    EVEN,
    FOLDS_OF_LACKING,
    FOLDS_OF_THREE,
    FOLDS_OF_TWO,
    FOUR_FOLDS,
    LACKING,
    THREE,
    TWO,
    is_renamed,
)
from practica.grading.assignment.recorded_trainings import Training, first_two, run_ann, scores_seen
from practica.grading.engine.framework import CheckFailed
from practica.grading.engine.known_mistakes import Seen, examples, follows, read_once
from practica.grading.engine.rendering import close, equal
from practica.grading.engine.solution import Solution, StudentError
from practica.grading.inside.plain_data import Function, Handle

# --- examples -------------------------------------------------------------------------------------


@examples(ANN)
def networks_with_all_their_options(solution: Solution) -> None:
    """Cross-validate with and without validation, on two and three classes, once with a large
    validation set.
    """
    numbers = {"maxEpochs": 3, "minLoss": 0.015625, "learningRate": 0.0625, "maxEpochsVal": 7}
    more: dict[str, Any] = {
        "transferFunctions": [Function("softplus")] * 2,
        "numExecutions": 1,
    }
    for times, ratio in ((1, 0.25), (2, 0)):
        options = {name: times * value for name, value in numbers.items()} | more
        with suppress(StudentError):
            run_ann(solution, EVEN, FOUR_FOLDS, [3, 2], validationRatio=ratio, **options)
    for labels, folds, ratio, executions in (
        (THREE, FOLDS_OF_THREE, 0, 3),
        (THREE, FOLDS_OF_THREE, 0, 1),
        (THREE[:-1], FOLDS_OF_THREE[:-1], 0, 1),  # k does not divide so many patterns
        (TWO, FOLDS_OF_TWO, 0, 2),
        (LACKING, FOLDS_OF_LACKING, 0, 2),
        (np.tile(EVEN, 5), np.arange(120) // 3 % 3 + 1, 0.2, 1),
        (np.tile(EVEN, 6), np.tile(FOUR_FOLDS, 6), 0.25, 2),
    ):
        with suppress(StudentError):
            run_ann(solution, labels, folds, validationRatio=ratio, numExecutions=executions)


@examples(ANN)
def networks_that_are_really_trained(solution: Solution) -> None:
    """Train real networks, unlike all other examples, unless `maxEpochs` is ignored, which would
    take long.
    """
    calls = [
        call
        for call in run_ann(solution, THREE, FOLDS_OF_THREE).calls
        if call.name == "train_class_ann"
    ]
    if len(calls) == 6 and all(call.bound.get("maxEpochs") == 2 for call in calls):
        executions_differ(solution, list(range(len(TWO))))


@examples(MODEL)
def models_with_all_calls_seen(solution: Solution) -> None:
    """Record the calls of every kind of model, whichever kind is requested."""
    doubles: dict[str, dict[str, Any]] = {
        f"{kind}.{method}": {"through": True}
        for kind, *_ in MODELS.values()
        for method in ("fit", "predict", "score")
    }
    doubles |= {"confusion_matrix": {"through": True}, ANN: {"returns": RESULT}}
    known = {name: way for name, way in doubles.items() if ":" in name or solution.has(name)}
    cases = [(kind, case) for kind, (_, _, cases, _) in MODELS.items() for case in cases]
    everything = {name: value for _, case in cases for name, value in case.items()}
    functions = {"transferFunctions": [Function("tanh"), Function("relu")]}
    neighbours = "KNeighborsClassifier", {"n_neighbors": 1}
    mixed = as_vector([{"a": 1, "b": "b", "c": 0.5}[label] for label in LABELS.tolist()])
    calls = [(*each, LABELS, FOLDS) for each in cases]
    calls += [
        (*neighbours, np.array(list("aabbaabbccccab")), np.repeat([1, 2, 3], [4, 6, 4])),
        (*neighbours, mixed, FOLDS),
        ("ANN", {"topology": [2]}, LABELS, FOLDS),
        ("ANN", {"topology": [4, 3], **ANN_OPTIONS, **functions}, LABELS, FOLDS),
        ("Ninguno", {"topology": [2], **everything}, LABELS, FOLDS),
    ]
    for modelType, given, labels, folds in calls:
        inputs = noisy(LABELS)[: len(labels)]
        solution.scripted(MODEL, known, modelType, {**given}, inputs, labels, folds)


# --- who trains and who is tested -----------------------------------------------------------------

# The number of a fold is none of those in the indices.
shows("cv.empty_round", ANN, MODEL)(lambda run: 0 in run.tested if run.tested else None)
shows("cv.trains_all", ANN, MODEL, unless=["cv.empty_round"])(
    lambda run: all_known(who == run.everybody for who in run.trained)
)
# Every training has one fold; of two folds nobody can tell.
shows("cv.reversed", ANN, MODEL)(
    lambda run: all_known(who in run.inside for who in run.trained) if run.k > 2 else None
)


@shows("cv.fold_missing", ANN, MODEL, unless=["cv.empty_round"])
def _fold_missing(run: RecordedRun) -> Said:
    if run.error or not run.trained or any(who not in run.outside for who in run.trained):
        return None
    done = [fold in run.trained for fold in run.outside]
    return done.count(False) == 1 and not (done[0] and done[-1])


@shows("cv.one_round", ANN, MODEL)
def _one_round(run: RecordedRun) -> Said:
    return _only_fold(run, many=False)


@shows("cv.one_fold", ANN, MODEL, unless=["cv.one_round"])
def _one_fold(run: RecordedRun) -> Said:
    sizes = [len(who) for who in run.inside]
    in_turn = (
        not run.error and run.tested and {*map(tuple, run.trained)} == {*map(tuple, run.outside)}
    )
    if in_turn:
        is_one = len({*sizes}) == run.k and len({*run.tested}) == 1 and run.tested[0] in sizes
        return {"fold": sizes.index(run.tested[0]) + 1} if is_one else None
    return _only_fold(run, many=True)


def _only_fold(run: RecordedRun, *, many: bool) -> Said:
    """Return, as facts, the one fold that is left out of training in a single round or, with
    `many`, in as many rounds as there are folds. Return False if there is no such fold, and None if
    the call cannot tell.
    """
    executions = run.given.get("numExecutions", 1)
    if run.error or run.k < 3 or not run.trained or run.trained[0] not in run.outside:
        return None
    rounds = len(run.trained) // executions
    if any(who != run.trained[0] for who in run.trained) or rounds != (run.k if many else 1):
        return False
    if len(run.tested) > len(run.trained):  # one network or model serves in several rounds
        return False
    return {"fold": run.outside.index(run.trained[0]) + 1}


@shows("cv.outputs_and_targets", ANN, MODEL)
def _outputs_and_targets(run: RecordedRun) -> Said:
    return (
        any(
            _is_target(one, run) and not _is_target(two, run) and not _is_moved(one, two)
            for one, two in run.evaluations
        )
        or None
    )


def _is_moved(one: NDArray[Any], two: NDArray[Any]) -> bool:
    """Return whether two arrays have the same rows in any order: right outputs have those of
    targets that are in a wrong order.
    """
    return sorted(map(repr, one.tolist())) == sorted(map(repr, two.tolist()))


def _is_target(given: NDArray[Any], run: RecordedRun) -> bool:
    """Return whether an array holds the labels of one fold, possibly renamed."""
    codes = list(map(repr, given.tolist()))
    return given.dtype.kind != "f" and any(
        len(who) == len(codes) and is_renamed(run.labels[who].tolist(), codes) for who in run.inside
    )


@shows("cv.tests_training", ANN, MODEL)
def _tests_training(run: RecordedRun) -> Said:
    if run.error or run.everybody in run.trained:
        return None
    if not run.tested or len(run.tested) != len(run.trained):
        return None
    pairs = list(zip(run.tested, run.trained, strict=True))
    return all(size == len(who) != run.N - len(who) for size, who in pairs)


shows("cv.tests_all", ANN, MODEL)(lambda run: all_known(size == run.N for size in run.tested))


@shows("cv.pooled", ANN, MODEL, unless=["cv.tests_all"])
def _pooled(run: RecordedRun) -> Said:
    sizes = [len(targets) for _, targets in run.evaluations]
    everybody = run.N * run.given.get("numExecutions", 1)
    if run.error or not sizes:
        return None
    return sizes[-1] == everybody and (len(sizes) == 1 or sizes[0] < everybody)


@shows("ann_cv.evaluated_together", ANN, unless=["cv.pooled"])
def _evaluated_together(run: RecordedRun) -> Said:
    count, networks = len(run.evaluations), len(run.trainings)
    if run.error or run.given.get("numExecutions", 1) < 2 or not networks:
        return None
    return {"count": count, "networks": networks} if count == run.k < networks else False


@shows("cv.modifies", ANN, MODEL)
def _modifies(run: RecordedRun) -> Said:
    after = dict(zip(run.given, run.seen.answer.args or (), strict=False))
    return next(
        ({"argument": name} for name, left in after.items() if not _kept(run.given[name], left)),
        None,
    )


def _kept(given: Any, left: Any) -> bool:
    """Return whether a call left an argument as it was given; a function comes back as a handle."""
    if isinstance(given, Function):
        return isinstance(left, Handle)
    if isinstance(given, list) and isinstance(left, list):
        twins = len(set(map(repr, given))) == len(set(map(repr, left)))
        return len(given) == len(left) and twins and all(map(_kept, given, left))
    if isinstance(given, dict) and isinstance(left, dict):
        return given.keys() == left.keys() and all(_kept(given[key], left[key]) for key in given)
    return equal(given, left)


@shows("cv.normalizes", ANN, MODEL, unless=["cv.modifies"])
def _normalizes(run: RecordedRun) -> Said:
    if not close(run.inputs[:, 0] * 64, run.everybody) or run.ratio:
        return None
    return all_known(_is_scaled(as_array(given), run) for given, _ in run.datasets)


def _is_scaled(given: NDArray[Any], run: RecordedRun) -> bool:
    if (
        given.ndim == 2
        and given.shape[1] == 2
        and given.dtype.kind == "f"
        and (given.std(axis=0) > 0).all()
    ):
        for before in (
            run.inputs[who] for who in (run.everybody, *run.outside) if len(who) == len(given)
        ):
            alike = [np.corrcoef(before[:, column], given[:, column])[0, 1] for column in range(2)]
            if not close(before, given) and min(alike) > 1 - 1e-5:
                return True
    return False


@shows("ann_cv.argmax_of_a_column", ANN)
def _argmax_of_a_column(run: RecordedRun) -> Said:
    if run.C > 2:
        return None
    return all_known(
        one.ndim == two.ndim == 1 and not one.any() and not two.any()
        for one, two in run.evaluations
    )


@shows(
    "cv.classes_per_fold",
    ANN,
    MODEL,
    unless=["ann_cv.argmax_of_a_column", "cv.outputs_and_targets"],
)
def _classes_per_fold(run: RecordedRun) -> Said:
    present = [len(set(run.labels[who].tolist())) for who in (*run.inside, *run.outside)]
    if run.C < 3:
        return None
    # an edition passes all classes to `confusion_matrix`
    calls = [
        call
        for call in run.calls("confusion_matrix")
        if len(call.args) < 3 and "classes" not in call.kwargs
    ]
    widths = [_width(*first_two(call)) for call in calls]
    widths += [training.columns.shape[1] for training in (run.trainings if run.row == ANN else ())]
    is_narrow = any(0 < width < run.C for width in widths)
    if min(present) == run.C:  # no class is missing anywhere
        return False if is_narrow else None
    return is_narrow or None


def _width(outputs: NDArray[Any], targets: NDArray[Any]) -> int:
    """Return how many classes an evaluation has: the columns of the targets or, of vectors of
    labels, the number of labels if it is below three. Return 0 if neither tells.
    """
    if targets.ndim == 2:
        return int(targets.shape[1])
    present = len(set(outputs.tolist()) | set(targets.tolist())) if outputs.ndim == 1 else 0
    return present if present < 3 else 0


shows("cv.macro", ANN, MODEL)(
    lambda run: all_known(
        call.bound.get("weighted", True) is False for call in run.calls("confusion_matrix")
    )
)


# --- the result -----------------------------------------------------------------------------------

Table: TypeAlias = "NDArray[np.float64]"
# of the scores (fold, execution, metric), what has a deviation
TABLES: dict[str, Callable[[Table], list[Table]]] = {
    "": lambda scores: [scores.mean(axis=1)],
    "ann_cv.one_kept": lambda scores: [scores[:, 0], scores[:, -1]],
    "ann_cv.best_kept": lambda scores: [
        scores.max(axis=1),
        *(_best_by(metric, scores) for metric in (0, 6)),
    ],
    "ann_cv.sum_of_executions": lambda scores: [scores.sum(axis=1)],
    "ann_cv.std_of_all": lambda scores: [scores.reshape(-1, scores.shape[2])],
    "ann_cv.one_row_filled": lambda scores: [scores[:, -1] / scores.shape[1]],
    "ann_cv.not_emptied": lambda scores: [_means_so_far(scores.mean(axis=1))],
    "cv.row_of_zeros": lambda scores: [np.pad(scores.mean(axis=1), ((0, 1), (0, 0)))],
}
SPREADS: dict[str, Callable[[Table], Table]] = {  # each takes a table (row, metric)
    "": lambda table: table.std(axis=0, ddof=1),
    "cv.population": lambda table: table.std(axis=0),
    "cv.variance": lambda table: table.var(axis=0, ddof=1),
    "cv.standard_error": lambda table: table.std(axis=0, ddof=1) / np.sqrt(len(table)),
}
CENTRES: dict[str, Callable[[Table], Table]] = {  # each takes a table (row, metric)
    "": lambda table: table.mean(axis=0),
    "cv.median": lambda table: np.median(table, axis=0),
    "cv.sum_of_folds": lambda table: table.sum(axis=0),
    "cv.best_fold": lambda table: table.max(axis=0),
}
SHAPES: dict[str, Callable[[Table], list[Table]]] = {  # what is made of the pairs
    "": lambda pairs: [pairs],
    "cv.exchanged": lambda pairs: [pairs[:, ::-1]],
    "cv.transposed": lambda pairs: [pairs.T],
    "cv.only_means": lambda pairs: [pairs[:, 0]],
    "cv.accuracy_only": lambda pairs: [pairs[0], pairs[:1], pairs[0, 0]],
    "cv.percent": lambda pairs: [100 * pairs],
    "cv.rounded": lambda pairs: [np.round(pairs, digits) for digits in (2, 3, 4)],
}


def _means_so_far(folds: Table) -> Table:
    """Return of each fold the mean of its row and of all rows before it."""
    return np.cumsum(folds, axis=0) / np.arange(1, len(folds) + 1)[:, np.newaxis]


def _best_by(metric: int, scores: Table) -> Table:
    """Return, for each fold, the scores of the execution with the best accuracy (`metric` 0) or F1
    (6).
    """
    return scores[np.arange(len(scores)), scores[:, :, metric].argmax(axis=1)]


def _formulas(scores: Table, sizes: Sequence[int]) -> Iterator[tuple[set[str], Table]]:
    """Yield each combination of mistakes and the result that it makes of the scores.

    `scores`: shape (fold, execution, metric).
    `sizes`: how many patterns each fold has.
    """
    for one, two, three, four in itertools.product(TABLES, CENTRES, SPREADS, SHAPES):
        for table in TABLES[one](scores):
            pairs = np.column_stack([CENTRES[two](table), SPREADS[three](table)])
            yield from (({one, two, three, four} - {""}, shaped) for shaped in SHAPES[four](pairs))
    folds = scores.mean(axis=1)
    weighted = np.average(folds, axis=0, weights=sizes)
    yield {"cv.weighted_folds"}, np.column_stack([weighted, SPREADS[""](folds)])
    for ddof in range(min(2, scores.shape[1])):  # one execution has no deviation
        within = scores.std(axis=1, ddof=ddof).mean(axis=0)
        yield {"ann_cv.std_of_executions"}, np.column_stack([folds.mean(axis=0), within])
    yield from (({"cv.fold_values"}, values) for values in (folds, folds.T))
    means = folds.mean(axis=1)
    for ddof in (0, 1):
        yield {"cv.wrong_axis"}, np.column_stack([means, folds.std(axis=1, ddof=ddof)])
        yield {"cv.wrong_axis"}, np.tile([means.mean(), means.std(ddof=ddof)], (7, 1))


@read_once
def _explaining(run: RecordedRun) -> set[frozenset[str]] | None:
    """Return the sets of mistakes that each explain the result of a call, the empty set if it is
    right. Return None if the result is not an array of numbers, or the scores of its folds are
    unknown.
    """
    if run.error:
        return None
    found: set[frozenset[str]] = set()
    with suppress(CheckFailed):
        scores = scores_seen(run.seen.calls, run.folds)
        value = run.value[:7] if isinstance(run.value, tuple | list) else run.value
        obtained = as_array(value).astype(float)
        for ids, expected in _formulas(scores, [*map(len, run.inside)]):
            if close(obtained, expected):
                found.add(frozenset(ids))
            if obtained.shape == expected.shape == (7, 2) and close(
                _sorted(obtained), _sorted(expected)
            ):
                found.add(frozenset(ids | {"cv.order"}))
        return found
    return None


def _sorted(pairs: Table) -> Table:
    return np.array(sorted(np.round(pairs, 6).tolist()))


@read_once
def _of_the_result(runs: tuple[RecordedRun, ...]) -> frozenset[str]:
    """Return the smallest set of mistakes that explains the results of all calls; the empty set if
    fewer than two results are wrong, or if there is not exactly one such set.
    """
    known = [each for each in map(_explaining, runs) if each is not None]
    if sum(frozenset() not in each for each in known) < 2:
        return frozenset()
    common = sorted(set.intersection(*known), key=len)
    fewest = [ids for ids in common if len(ids) == len(common[0])]
    return fewest[0] if len(fewest) == 1 else frozenset()


@follows(ANN, f"{ANN}.mean", f"{ANN}.std")
def _is_the_right_formula(seen: Sequence[Seen]) -> bool:
    """Return whether every result follows from the metrics that were recorded on the way to it, so
    that only these may be wrong; False if none is known.
    """
    with suppress(Exception):  # what a wrong function is given may make no sense
        known = [found for found in map(_explaining, map(read, seen)) if found is not None]
        return bool(known) and all(frozenset() in found for found in known)
    return False


def _register_formula(id: str) -> None:
    rows = [ANN] if id.startswith("ann_") else [ANN, MODEL]
    shows(id, *rows, together=True)(lambda runs: id in _of_the_result(tuple(runs)))


@shows("cv.wrong_axis", ANN)
def _metrics_replaced_by_executions(run: RecordedRun) -> Said:
    count = run.given.get("numExecutions", 1)
    if not run.error or count in (1, 7):
        return None
    return f"from shape ({count},) into shape (7,)" in run.error.message


OF_RESULTS = [
    *TABLES,
    *CENTRES,
    *SPREADS,
    *SHAPES,
    "ann_cv.std_of_executions",
    "cv.fold_values",
    "cv.weighted_folds",
    "cv.order",
    "cv.wrong_axis",
]
for _id in dict.fromkeys(OF_RESULTS):
    if _id:
        _register_formula(_id)


# --- the trainings of networks --------------------------------------------------------------------


@shows("ann_cv.no_training", ANN)
def _nothing_is_trained(run: RecordedRun) -> Said:
    if run.error or "train_class_ann" not in run.seen.doubles or run.value is None:
        return None
    return not run.calls("train_class_ann")


@shows("ann_cv.executions_ignored", ANN, together=True)
def _executions_ignored(runs: list[RecordedRun]) -> Said:
    runs = [run for run in runs if not run.error and run.calls("train_class_ann")]
    counts = {len(run.calls("train_class_ann")) / run.k for run in runs}
    asked = {run.given.get("numExecutions") for run in runs}
    return (
        {"count": int(min(counts))}
        if len(asked) > 1 and len(counts) == 1 and min(counts) % 1 == 0
        else None
    )


@shows("ann_cv.same_seed", ANN, fails=["ann_cross_validation.executions_differ"])
def _same_seed(run: RecordedRun) -> Said:
    told = {args[0]: value for method, args, value in run.seen.looks if method == "predict"}
    networks: dict[tuple[int, ...], list[Handle | None]] = {}
    for training in run.trainings if told and run.own_networks else ():
        if training.ann not in told:
            return None
        networks.setdefault(tuple(training.held), []).append(training.ann)
    return all_known(
        len(set(group)) == len(group) > 1
        and all(close(told[group[0]], told[each], 1e-9) for each in group)
        for group in networks.values()
    )


@shows("ann_cv.not_encoded", ANN)
def _not_encoded(run: RecordedRun) -> Said:
    return all_known(np.asarray(targets).dtype.kind in "UO" for _, targets in run.datasets)


# Two classes have a column each, so that the network has two outputs.
shows("ann_cv.two_columns", ANN)(
    lambda run: (
        all_known(each.columns.shape[1] == 2 for each in run.trainings) if run.C == 2 else None
    )
)


@shows("ann_cv.targets_of_others", ANN, unless=["ann_cv.not_encoded"])
def _targets_of_others(run: RecordedRun) -> Said:
    for training in run.trainings:
        patterns = [pattern for held, _ in training.sets for pattern in held]
        targets = np.concatenate([each for _, each in training.sets])
        if targets.shape[1] != run.C or not (targets.sum(axis=1) == 1).all():
            return None
        codes = targets.argmax(axis=1).tolist()
        pairs = set(zip(run.labels[patterns].tolist(), codes, strict=True))
        if len(pairs) > len({label for label, _ in pairs}):
            return True
    return None


@shows("ann_cv.options_lost", ANN, together=True)
def _options_lost(runs: list[RecordedRun]) -> Said:
    with_validation, without = _lost_options(runs)
    lost = with_validation & (without | {"maxEpochsVal"})
    return _listed({name for name in lost if _is_constant(name, runs)})


def _is_constant(name: str, runs: list[RecordedRun]) -> bool:
    """Return whether an option is the same in all trainings, whatever is given."""
    known = [run for run in runs if {*OPTIONS} <= run.given.keys()]
    received = {repr(each.options.get(name)) for run in known for each in run.trainings}
    return len(received) == 1


@shows("ann_cv.options_lost_in_one_call", ANN, together=True)
def _options_lost_in_one_call(
    runs: list[RecordedRun],
) -> Said:
    with_validation, without = _lost_options(runs)
    return _listed(without - with_validation or with_validation - without - {"maxEpochsVal"})


def _listed(names: set[str]) -> Said:
    return {"options": ", ".join(name for name in OPTIONS if name in names)} if names else None


def _lost_options(runs: list[RecordedRun]) -> tuple[set[str], set[str]]:
    """Return the options that no training received: in calls with a validation set, and in calls
    without one.
    """
    lost: dict[bool, set[str]] = {True: set(), False: set()}
    for run in runs:
        if run.trainings and all(name in run.given for name in OPTIONS):
            for name in OPTIONS if run.ratio else set(OPTIONS) - {"maxEpochsVal"}:
                if not any(
                    arrives(run.given[name], training.options.get(name))
                    for training in run.trainings
                ):
                    lost[run.ratio > 0].add(name)
    return lost[True], lost[False]


# --- the validation set ---------------------------------------------------------------------------


def _register_ratio(id: str, share: Callable[[RecordedRun, int], float]) -> None:
    @shows(id, ANN, fails=["ann_cross_validation.validation.size"])
    def _so_much_is_taken_of_those_that_do_not_test(run: RecordedRun) -> Said:
        for training in run.trainings:
            held = len(training.held)
            expected = share(run, held) * held
            if abs(expected - run.ratio * run.N) < 3:
                return None
            if held not in map(len, run.outside) or abs(len(training.validation) - expected) > 1:
                return False
        return bool(run.trainings) or None


_register_ratio("ann_cv.ratio_unscaled", lambda run, held: run.ratio)
_register_ratio("ann_cv.ratio_upside_down", lambda run, held: run.ratio * held / run.N)
_register_ratio("ann_cv.ratio_of_ten_folds", lambda run, held: run.ratio * 10 / 9)


def _is_test(training: Training, run: RecordedRun) -> bool:
    """Return whether all validation patterns belong to the fold that is left out of the
    training.
    """
    apart = [fold for fold in run.inside if not set(fold) & set(training.training)]
    return len(apart) == 1 and set(training.validation) <= set(apart[0])


def _of_each_training(
    id: str, is_so: Callable[[Training, RecordedRun], bool], when: Callable[[RecordedRun], Any]
) -> None:
    shows(id, ANN)(
        lambda run: all_known(is_so(each, run) for each in run.trainings) if when(run) else None
    )


_of_each_training(
    "ann_cv.ratio_ignored",
    lambda each, run: not each.validation and sorted(each.training) in run.outside,
    lambda run: run.ratio,
)
_of_each_training(  # some patterns are in no training, validation or test set
    "ann_cv.validation_not_passed",
    lambda each, run: (
        not each.validation and any(set(each.training) < set(part) for part in run.outside)
    ),
    lambda run: run.ratio,
)

_NOT_WHOLE = ["cv.one_round", "cv.one_fold", "cv.fold_missing", "ann_cv.validation_not_passed"]


@shows("cv.never_trains", ANN, MODEL, unless=_NOT_WHOLE)
def _never_trains(run: RecordedRun) -> Said:
    left = {*run.everybody}.difference(*run.trained)
    if run.error or not run.trained or not left:
        return None
    return {"positions": ", ".join(map(str, sorted(left)))}


_of_each_training(
    "ann_cv.validation_is_test",
    lambda each, run: not each.validation or _is_test(each, run),
    lambda run: any(each.validation for each in run.trainings),
)
_of_each_training(
    "ann_cv.validation_is_test_without_ratio",
    lambda each, run: bool(each.validation) and _is_test(each, run),
    lambda run: not run.ratio,
)
_of_each_training(
    "ann_cv.validation_is_a_fold",
    lambda each, run: sorted(each.validation) in run.inside and each.held in run.outside,
    lambda run: run.ratio and run.k > 2,
)
_of_each_training(
    "ann_cv.validation_trains",
    lambda each, run: bool(each.validation) and set(each.validation) < set(each.training),
    lambda run: run.ratio,
)


@shows("ann_cv.shrinks", ANN)
def _shrinks(run: RecordedRun) -> Said:
    split = [(one, two) for one, two in itertools.pairwise(run.trainings) if one.validation]
    apart = (each for each in split if set(each[0].training).isdisjoint(each[0].validation))
    return any(set(two.held) == set(one.training) for one, two in apart) or None


@shows("ann_cv.validation_fixed", ANN, unless=["ann_cv.validation_is_test", "ann_cv.same_seed"])
def _validation_fixed(run: RecordedRun) -> Said:
    if len(run.trainings) < 4 or not all(
        each.validation and each.held in run.outside for each in run.trainings
    ):
        return None
    places: dict[int, set[tuple[int, ...]]] = {}  # the training parts of one size
    for each in run.trainings:
        places.setdefault(len(each.held), set()).add(
            tuple(each.held.index(who) for who in sorted(each.validation))
        )
    return all(len(of_size) == 1 for of_size in places.values()) and (len(places) == 1 or None)


_of_each_training(
    "ann_cv.exchanged_sets",
    lambda each, run: (
        each.held in run.outside
        and abs(len(each.training) - run.ratio * run.N) <= 1
        and abs(len(each.validation) - run.ratio * run.N) > 2
    ),
    lambda run: (
        run.ratio and all(abs(len(part) - 2 * run.ratio * run.N) > 3 for part in run.outside)
    ),
)

# Somebody validates without a ratio.
shows(
    "ann_cv.validates_always",
    ANN,
    unless=["ann_cv.validation_is_test", "ann_cv.validation_is_test_without_ratio"],
)(
    lambda run: (
        any(each.validation for each in run.trainings) if run.trainings and not run.ratio else None
    )
)
