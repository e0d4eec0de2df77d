"""Known mistakes of `ann_cross_validation` and `model_cross_validation`, all of them signs.

They are read as the checks read them: who trained, who was tested, and what `confusion_matrix` returned. Their
own examples do not run: each of these here serves many mistakes.
"""

from __future__ import annotations

import functools
import importlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from practica.checks.cross_validation import Training, each_execution_starts_from_other_weights, first_two, run_ann
from practica.checks.folds import EVEN, FOLDS_OF_LACKING, FOLDS_OF_THREE, FOLDS_OF_TWO, FOUR_FOLDS, LACKING, THREE, TWO
from practica.checks.framework import CheckFailed
from practica.checks.models import ANN_DEFAULTS, ANN_OPTIONS, FOLDS, LABELS, MODELS, RESULT, fitted, noisy
from practica.checks.plain import Function, Handle, RecordedCall
from practica.checks.readings import as_array, as_metrics, as_pairs, close, same_numbers
from practica.checks.solution import Solution, StudentError
from practica.checks.values import equal
from practica.diagnosis.known import Seen, examples, sign

ANN, MODEL = "ann_cross_validation", "model_cross_validation"
PARAMETERS = {
    ANN: ("topology", "inputs", "targets", "crossValidationIndices"),
    MODEL: ("modelType", "modelHyperparameters", "inputs", "targets", "crossValidationIndices"),
}
OPTIONS = ("maxEpochs", "minLoss", "learningRate", "maxEpochsVal", "transferFunctions")  # of a training
Said: TypeAlias = "Mapping[str, object] | bool | None"


# -- reading a call --------------------------------------------------------------------------------------------------


class _Run:
    """A call of one of both functions. Of what cannot be read, CheckFailed."""

    def __init__(self, seen: Seen) -> None:
        self.seen = seen
        self.row = MODEL if isinstance(seen.args[0], str) else ANN
        self.given: dict[str, Any] = dict(zip(PARAMETERS[self.row], seen.args, strict=True)) | seen.kwargs
        self.labels, self.folds = self.given["targets"], self.given["crossValidationIndices"]
        self.N, self.k, self.C = len(self.labels), int(self.folds.max()), len(set(self.labels.tolist()))
        self.attributes = self.given["inputs"].shape[1]
        self.everybody = list(range(self.N))
        self.inside = [np.flatnonzero(self.folds == fold).tolist() for fold in range(1, self.k + 1)]
        self.outside = [np.flatnonzero(self.folds != fold).tolist() for fold in range(1, self.k + 1)]
        self.ratio = self.given.get("validationRatio", 0)
        self.failed = seen.answer.error is not None
        self.own_networks = seen.doubles.get("train_class_ann", {"through": True}) == {"through": True}

    def calls(self, name: str) -> list[RecordedCall]:
        """Return the calls of a function, or of a method of any model."""
        return [call for call in self.seen.calls if call.name == name or call.name.endswith(f".{name}")]

    @functools.cached_property
    def trainings(self) -> list[Training]:
        return [Training(call, self.given["inputs"]) for call in self.calls("train_class_ann")]

    @functools.cached_property
    def trained(self) -> list[list[int]]:
        """The patterns of the training part of each round, those that validate included."""
        if self.row == ANN:
            return [sorted(set(training.held)) for training in self.trainings]
        return [sorted(fitted(call, self.given["inputs"])[0]) for call in self.calls("fit")]

    @functools.cached_property
    def datasets(self) -> list[tuple[Any, Any]]:
        """What each training got, as it was given."""
        if self.row == MODEL:
            given = [[*call.args, *call.kwargs.values()] for call in self.calls("fit")]
        else:
            calls = self.calls("train_class_ann")
            pairs = [[*call.args[1:], call.kwargs.get("trainingDataset")][0] for call in calls]
            given = [list(pair) if isinstance(pair, tuple | list) else [] for pair in pairs]
        return [(pair[0], pair[1]) for pair in given if len(pair) > 1]

    @functools.cached_property
    def evaluations(self) -> list[tuple[NDArray[Any], NDArray[Any]]]:
        return [first_two(call) for call in self.calls("confusion_matrix")]

    @functools.cached_property
    def tested(self) -> list[int]:
        """How many patterns were tested each time."""
        if self.row == ANN:
            return [len(targets) for _, targets in self.evaluations]
        return [len(as_array((*call.args, *call.kwargs.values())[0])) for call in self.calls("predict")]

    @functools.cached_property
    def scores(self) -> NDArray[np.float64]:
        """What `confusion_matrix` returned: (fold, execution, metric)."""
        sizes = [len(fold) for fold in self.inside]
        per_fold: list[list[list[float]]] = [[] for _ in sizes]
        for call, (_, targets) in zip(self.calls("confusion_matrix"), self.evaluations, strict=True):
            if len(targets) not in sizes or len(set(sizes)) < self.k:
                raise CheckFailed({})
            per_fold[sizes.index(len(targets))].append(as_metrics(call.result)[0])
        if len({len(values) for values in per_fold}) > 1 or not per_fold[0]:
            raise CheckFailed({})
        return np.array(per_fold)


@functools.lru_cache(maxsize=256)
def _read(seen: Seen) -> _Run:
    return _Run(seen)


def shows(id: str, *rows: str, **options: Any) -> Callable[[Callable[..., Said]], Callable[..., Said]]:
    """Register a predicate on one call. All that trains in it is looked at, so one call that shows it is enough."""

    def register(body: Callable[..., Said]) -> Callable[..., Said]:
        sign(id, *rows, read=_read, enough=1, **options)(functools.partial(_said, body))
        return body

    return register


def shows_together(id: str, *rows: str) -> Callable[[Callable[..., Said]], Callable[..., Said]]:
    """Register a predicate on all calls."""
    return shows(id, *rows, together=True)


def _said(body: Callable[[Any], Said], runs: Any) -> Said:
    with suppress(Exception):  # a function may call others with what makes no sense, and then nothing can be said
        return body(runs)
    return None


# -- examples --------------------------------------------------------------------------------------------------------


@examples(ANN)
def networks_with_all_their_options(solution: Solution) -> None:
    """With validation and without; two and three classes; a validation set large enough to tell how it is scaled."""
    options: dict[str, Any] = {"maxEpochs": 3, "minLoss": 0.015625, "learningRate": 0.0625, "maxEpochsVal": 7}
    options |= {"transferFunctions": [Function("softplus")] * 2, "numExecutions": 1}
    for ratio in (0.25, 0):
        with suppress(StudentError):
            run_ann(solution, EVEN, FOUR_FOLDS, [3, 2], validationRatio=ratio, **options)
    for labels, folds, ratio, executions in (
        (THREE, FOLDS_OF_THREE, 0, 3),
        (THREE, FOLDS_OF_THREE, 0, 1),
        (TWO, FOLDS_OF_TWO, 0, 2),
        (LACKING, FOLDS_OF_LACKING, 0, 2),
        (np.tile(EVEN, 5), np.arange(120) // 3 % 3 + 1, 0.2, 1),
        (np.tile(EVEN, 6), np.tile(FOUR_FOLDS, 6), 0.25, 1),
    ):
        with suppress(StudentError):
            run_ann(solution, labels, folds, validationRatio=ratio, numExecutions=executions)


@examples(ANN)
def networks_that_are_really_trained(solution: Solution) -> None:
    """All other examples have doubles. A training that ignores maxEpochs would take long, and has its name without."""
    calls = [call for call in run_ann(solution, THREE, FOLDS_OF_THREE).calls if call.name == "train_class_ann"]
    if len(calls) == 6 and all(call.bound.get("maxEpochs") == 2 for call in calls):
        each_execution_starts_from_other_weights(solution, list(range(len(TWO))))


@examples(MODEL)
def models_with_all_calls_seen(solution: Solution) -> None:
    """Whatever model is trained for whatever was asked."""
    methods = [f"{kind}.{method}" for kind, *_ in MODELS.values() for method in ("fit", "predict", "score")]
    doubles: dict[str, dict[str, Any]] = {name: {"through": True} for name in (*methods, "confusion_matrix")}
    known = {name: way for name, way in doubles.items() if ":" in name or solution.has(name)}
    lacking = np.array(list("aabbaabbccccab")), np.array([1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3])
    mixed = np.array([{"a": 1, "b": "b", "c": 0.5}[label] for label in LABELS.tolist()], dtype=object)
    for modelType, (_, _, cases, _) in MODELS.items():
        for case in cases:
            solution.scripted(MODEL, known, modelType, dict(case), noisy(LABELS), LABELS, FOLDS)
    for labels, folds in (lacking, (mixed, FOLDS)):
        inputs = noisy(LABELS)[: len(labels)]
        solution.scripted(MODEL, known, "KNeighborsClassifier", {"n_neighbors": 1}, inputs, labels, folds)
    known |= {ANN: {"returns": RESULT}} if solution.has(ANN) else {}
    everything = {name: value for _, _, cases, _ in MODELS.values() for name, value in cases[0].items()}
    functions = {"transferFunctions": [Function("tanh"), Function("relu")]}
    for modelType, hyperparameters in (
        ("ANN", {"topology": [2]}),
        ("ANN", {"topology": [4, 3], **ANN_OPTIONS, **functions}),
        ("Ninguno", {"topology": [2], **everything}),
    ):
        solution.scripted(MODEL, known, modelType, hyperparameters, noisy(LABELS), LABELS, FOLDS)


# -- who trains and who is tested ------------------------------------------------------------------------------------


def _every(found: Iterable[bool]) -> bool | None:
    """Tell whether all are so; None where there is none."""
    known = list(found)
    return all(known) if known else None


# The number of a fold is none of those in the indices.
shows("cv.empty_round", ANN, MODEL)(lambda run: 0 in run.tested if run.tested else None)
# Every training has all patterns.
shows("cv.trains_all", ANN, MODEL, unless=["cv.empty_round"])(
    lambda run: _every(who == run.everybody for who in run.trained)
)
# Every training has one fold; of two folds nobody can tell.
shows("cv.reversed", ANN, MODEL)(lambda run: _every(who in run.inside for who in run.trained) if run.k > 2 else None)


@shows("cv.fold_missing", ANN, MODEL, unless=["cv.empty_round"])
def one_fold_is_never_tested(run: _Run) -> Said:
    """Tell whether the first or the last one is left out."""
    if run.failed or not run.trained or any(who not in run.outside for who in run.trained):
        return None
    done = [fold in run.trained for fold in run.outside]
    return done.count(False) == 1 and not (done[0] and done[-1])


@shows("cv.tests_training", ANN, MODEL)
def the_training_part_is_tested(run: _Run) -> Said:
    """As many patterns are tested as have trained, and they are not those of the fold."""
    if not run.tested or len(run.tested) != len(run.trained) or run.everybody in run.trained:
        return None
    pairs = list(zip(run.tested, run.trained, strict=True))
    return all(size == len(who) != run.N - len(who) for size, who in pairs)


shows("cv.tests_all", ANN, MODEL)(lambda run: _every(size == run.N for size in run.tested))


@shows("cv.modifies", ANN, MODEL)
def an_argument_is_changed(run: _Run) -> Said:
    """Look for one that is not what it was, whatever the result."""
    after = dict(zip(run.given, run.seen.answer.args or (), strict=False))
    return next(({"argument": name} for name, left in after.items() if not _kept(run.given[name], left)), None)


def _kept(given: Any, left: Any) -> bool:
    """Tell whether an argument is what it was; a function comes back as a handle."""
    if isinstance(given, Function):
        return isinstance(left, Handle)
    if isinstance(given, list) and isinstance(left, list):
        twins = len(set(map(repr, given))) == len(set(map(repr, left)))
        return len(given) == len(left) and twins and all(map(_kept, given, left))
    if isinstance(given, dict) and isinstance(left, dict):
        return given.keys() == left.keys() and all(_kept(given[key], left[key]) for key in given)
    return equal(given, left)


@shows("cv.normalizes", ANN, MODEL, unless=["cv.modifies"])
def the_inputs_do_not_train_as_they_came(run: _Run) -> Said:
    """Each attribute is moved and scaled."""
    inputs = run.given["inputs"]
    if not close(inputs[:, 0] * 64, run.everybody) or run.ratio:
        return None
    return all(_is_scaled(as_array(given), run) for given, _ in run.datasets) if run.datasets else None


def _is_scaled(given: NDArray[Any], run: _Run) -> bool:
    if given.ndim != 2 or given.shape[1] != 2 or given.dtype.kind != "f":
        return False
    for who in (run.everybody, *run.outside):
        before = run.given["inputs"][who]
        if len(before) == len(given) and not close(before, given) and (given.std(axis=0) > 0).all():
            alike = [np.corrcoef(before[:, column], given[:, column])[0, 1] for column in range(2)]
            if min(alike) > 1 - 1e-5:
                return True
    return False


@shows("ann_cv.argmax_of_a_column", ANN)
def the_largest_of_one_output(run: _Run) -> Said:
    """Tell whether it is always the first one, in the outputs and in the targets."""
    if run.C > 2 or not run.evaluations:
        return None
    return all(one.ndim == two.ndim == 1 and not one.any() and not two.any() for one, two in run.evaluations)


@shows("cv.classes_per_fold", ANN, MODEL, unless=["ann_cv.argmax_of_a_column"])
def each_fold_has_its_own_classes(run: _Run) -> Said:
    """Where a fold lacks a class it has no column for it."""
    present = [len(set(run.labels[who].tolist())) for who in (*run.inside, *run.outside)]
    if min(present) == run.C or run.C < 3:
        return None
    widths = [_width(outputs, targets) for outputs, targets in run.evaluations]
    widths += [training.columns.shape[1] for training in (run.trainings if run.row == ANN else ())]
    return any(0 < width < run.C for width in widths) if widths else None


def _width(outputs: NDArray[Any], targets: NDArray[Any]) -> int:
    """Count the columns with which patterns are evaluated, those that two vectors of labels are going to have too."""
    if targets.ndim == 2:
        return int(targets.shape[1])
    present = len(set(outputs.tolist()) | set(targets.tolist())) if outputs.ndim == 1 else 0
    return present if present < 3 else 0


shows("cv.macro", ANN, MODEL)(
    lambda run: _every(call.bound.get("weighted", True) is False for call in run.calls("confusion_matrix"))
)


# -- the result ------------------------------------------------------------------------------------------------------

Readings: TypeAlias = "Iterator[tuple[frozenset[str], NDArray[np.float64]]]"
IDS_OF_RESULTS = (
    "ann_cv.one_kept",
    "ann_cv.std_of_all",
    "cv.population",
    "cv.exchanged",
    "cv.transposed",
    "cv.only_means",
    "cv.fold_values",
    "cv.accuracy_only",
    "cv.order",
)


def _readings(scores: NDArray[np.float64]) -> Readings:
    """Return what is made of the scores with these mistakes, and with none."""
    folds = scores.mean(axis=1)
    values: list[tuple[set[str], NDArray[np.float64]]] = [(set(), folds)]
    values += [({"ann_cv.one_kept"}, scores[:, turn]) for turn in (0, -1)]
    values += [({"ann_cv.std_of_all"}, scores.reshape(-1, scores.shape[2]))]
    for ids, table in values:
        for more, ddof in ((set(), 1), ({"cv.population"}, 0)):
            pairs = np.column_stack([table.mean(axis=0), table.std(axis=0, ddof=ddof)])
            for shape, shaped in (
                (set(), pairs),
                ({"cv.exchanged"}, pairs[:, ::-1]),
                ({"cv.transposed"}, pairs.T),
                ({"cv.only_means"}, pairs[:, 0]),
                ({"cv.accuracy_only"}, pairs[0]),
                ({"cv.accuracy_only"}, pairs[:1]),
                ({"cv.accuracy_only"}, pairs[0, 0]),
            ):
                yield frozenset(ids | more | shape), shaped
    yield frozenset(["cv.fold_values"]), folds
    yield frozenset(["cv.fold_values"]), folds.T


def _explaining(run: _Run) -> set[frozenset[str]] | None:
    """Return the sets of mistakes that explain the result of a call; None if nobody can say."""
    if run.failed:
        return None
    try:
        scores = run.scores
    except CheckFailed:
        return None
    value = run.seen.answer.value
    try:
        obtained = as_array(value[:7] if isinstance(value, tuple | list) and len(value) == 8 else value).astype(float)
    except CheckFailed:
        return set()
    found = set()
    for ids, expected in _readings(scores):
        if obtained.shape == expected.shape:
            if close(obtained, expected):
                found.add(ids)
            if expected.shape == (7, 2) and close(_sorted(obtained), _sorted(expected)):
                found.add(ids | {"cv.order"})
    return found


def _sorted(pairs: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.array(sorted(np.round(pairs, 6).tolist()))


@functools.lru_cache(maxsize=1)
def _of_the_result(runs: tuple[_Run, ...]) -> frozenset[str]:
    """Return the fewest mistakes that explain all results, if two calls show that they are not right."""
    known = [each for each in map(_explaining, runs) if each is not None]
    if sum(frozenset() not in each for each in known) < 2:
        return frozenset()
    common = sorted(set.intersection(*known), key=len)
    fewest = [ids for ids in common if len(ids) == len(common[0])]
    return fewest[0] if len(fewest) == 1 else frozenset()


def _is_in_the_result(id: str, runs: list[_Run]) -> bool:
    return id in _of_the_result(tuple(runs))


for _id in IDS_OF_RESULTS:
    _rows = [ANN] if _id.startswith("ann_") else [ANN, MODEL]
    shows_together(_id, *_rows)(functools.partial(_is_in_the_result, _id))


# -- the trainings of networks ---------------------------------------------------------------------------------------


@shows("ann_cv.no_training", ANN)
def nothing_is_trained(run: _Run) -> Said:
    """There is a result, and `train_class_ann` was not called."""
    if run.failed or "train_class_ann" not in run.seen.doubles or run.seen.answer.value is None:
        return None
    return not run.calls("train_class_ann")


@shows_together("ann_cv.executions_ignored", ANN)
def always_as_many_executions(runs: list[_Run]) -> Said:
    """Whatever numExecutions is."""
    runs = [run for run in runs if not run.failed and run.calls("train_class_ann")]
    counts = {len(run.calls("train_class_ann")) / run.k for run in runs}
    asked = {run.given.get("numExecutions") for run in runs}
    return {"count": int(min(counts))} if len(asked) > 1 and len(counts) == 1 and min(counts) % 1 == 0 else None


@shows("ann_cv.same_seed", ANN, fails=["ann_cross_validation.executions_differ"])
def executions_end_in_the_same_network(run: _Run) -> Said:
    """Of each fold all networks give the same outputs, and are not the same object."""
    told = {args[0]: value for method, args, value in run.seen.looks if method == "predict"}
    networks: dict[tuple[int, ...], list[Handle | None]] = {}
    for training in run.trainings if told else ():
        if training.ann not in told:
            return None
        networks.setdefault(tuple(training.held), []).append(training.ann)
    if not run.own_networks or not networks:
        return None
    return all(
        len(set(group)) == len(group) > 1 and all(close(told[group[0]], told[each], 1e-9) for each in group)
        for group in networks.values()
    )


@shows("ann_cv.not_encoded", ANN)
def labels_train(run: _Run) -> Said:
    """Tell whether the targets of a training are the labels as they came."""
    kinds = {np.asarray(targets).dtype.kind for _, targets in run.datasets}
    return kinds <= {"U", "O"} if kinds else None


# Two classes have a column each, so that the network has two outputs.
shows("ann_cv.two_columns", ANN)(
    lambda run: _every(each.columns.shape[1] == 2 for each in run.trainings) if run.C == 2 else None
)


@shows("ann_cv.targets_of_others", ANN, unless=["ann_cv.not_encoded"])
def targets_belong_to_other_patterns(run: _Run) -> Said:
    """Patterns of one class have different targets in the same training."""
    for training in run.trainings:
        targets = training.columns
        if targets.shape[1] != run.C or not (targets.sum(axis=1) == 1).all():
            return None
        pairs = set(zip(run.labels[training.training].tolist(), targets.argmax(axis=1).tolist(), strict=True))
        if len(pairs) > len({label for label, _ in pairs}):
            return True
    return None


@shows_together("ann_cv.options_lost", ANN)
def options_do_not_arrive(runs: list[_Run]) -> Said:
    """With a validation set or without, the training has its default, or always the same."""
    lost = _lost_options(runs)
    always = lost[True] & (lost[False] | {"maxEpochsVal"})
    return {"options": ", ".join(name for name in OPTIONS if name in always)} if always else None


@shows_together("ann_cv.options_lost_in_one_call", ANN)
def options_do_not_arrive_in_one_case(runs: list[_Run]) -> Said:
    """They arrive with a validation set and not without, or the other way round."""
    lost = _lost_options(runs)
    once = lost[False] - lost[True] if lost[False] - lost[True] else lost[True] - lost[False] - {"maxEpochsVal"}
    return {"options": ", ".join(name for name in OPTIONS if name in once)} if once else None


def _lost_options(runs: list[_Run]) -> dict[bool, set[str]]:
    """Return the options that do not arrive with a validation set, and without it."""
    lost: dict[bool, set[str]] = {True: set(), False: set()}
    for run in runs:
        if not all(name in run.given for name in OPTIONS):
            continue
        for name in OPTIONS if run.ratio else set(OPTIONS) - {"maxEpochsVal"}:
            obtained = [training.options.get(name) for training in run.trainings]
            if obtained and not any(_arrives(run.given[name], each) for each in obtained):
                lost[run.ratio > 0].add(name)
    return lost


def _arrives(given: Any, obtained: Any) -> bool:
    return obtained is not None if isinstance(given, list) else same_numbers(obtained, given)


@shows("ann_cv.requires_grad", ANN)
def outputs_still_have_their_gradient(run: _Run) -> Said:
    """So numpy refuses them."""
    error = run.seen.answer.error
    if not run.own_networks or (error is not None and error.type != "RuntimeError"):
        return None
    return error is not None and "requires grad" in error.message


# -- the validation set ----------------------------------------------------------------------------------------------


RATIOS: dict[str, Callable[[_Run, int], float]] = {  # what is taken of so many as do not test
    "ann_cv.ratio_unscaled": lambda run, held: run.ratio,
    "ann_cv.ratio_upside_down": lambda run, held: run.ratio * held / run.N,
    "ann_cv.ratio_of_ten_folds": lambda run, held: run.ratio * 10 / 9,
}


def _is_scaled_so(share: Callable[[_Run, int], float], run: _Run) -> Said:
    for training in run.trainings:
        held = len(training.held)
        expected = share(run, held) * held
        if abs(expected - run.ratio * run.N) < 3:
            return None
        if held not in map(len, run.outside) or abs(len(training.validation) - expected) > 1:
            return False
    return bool(run.trainings) or None


for _id, _share in RATIOS.items():
    shows(_id, ANN, fails=["ann_cross_validation.validation.size"])(functools.partial(_is_scaled_so, _share))


def _is_test(training: Training, run: _Run) -> bool:
    """Tell whether all that validate are of the only fold of which nobody trains."""
    apart = [fold for fold in run.inside if not set(fold) & set(training.training)]
    return len(apart) == 1 and set(training.validation) <= set(apart[0])


def _is_lost(training: Training, run: _Run) -> bool:
    """Tell whether some patterns neither train nor validate nor are tested."""
    return not training.validation and any(set(training.training) < set(part) for part in run.outside)


VALIDATION: dict[str, tuple[Callable[[_Run], Any], Callable[[Training, _Run], bool]]] = {  # when, and in each training
    "ann_cv.ratio_ignored": (
        lambda run: run.ratio,
        lambda each, run: not each.validation and sorted(each.training) in run.outside,
    ),
    "ann_cv.validation_not_passed": (lambda run: run.ratio, _is_lost),
    "ann_cv.validation_is_test": (
        lambda run: any(each.validation for each in run.trainings),
        lambda each, run: not each.validation or _is_test(each, run),
    ),
    "ann_cv.validation_is_a_fold": (
        lambda run: run.ratio and run.k > 2,
        lambda each, run: sorted(each.validation) in run.inside and each.held in run.outside,
    ),
    "ann_cv.validation_trains": (
        lambda run: run.ratio,
        lambda each, run: bool(each.validation) and set(each.validation) < set(each.training),
    ),
}


def _validates_so(when: Callable[[_Run], Any], is_so: Callable[[Training, _Run], bool], run: _Run) -> Said:
    return all(is_so(each, run) for each in run.trainings) if when(run) and run.trainings else None


for _id, _row in VALIDATION.items():
    shows(_id, ANN)(functools.partial(_validates_so, *_row))


@shows("ann_cv.validation_fixed", ANN, unless=["ann_cv.validation_is_test", "ann_cv.same_seed"])
def the_same_positions_validate(run: _Run) -> Said:
    """In all rounds and executions."""
    if len(run.trainings) < 4 or not all(each.validation and each.held in run.outside for each in run.trainings):
        return None
    places: dict[int, set[tuple[int, ...]]] = {}  # of training parts of one size
    for each in run.trainings:
        places.setdefault(len(each.held), set()).add(tuple(each.held.index(who) for who in sorted(each.validation)))
    return all(len(of_size) == 1 for of_size in places.values()) and (len(places) == 1 or None)


# Somebody validates without a ratio.
shows("ann_cv.validates_always", ANN, unless=["ann_cv.validation_is_test"])(
    lambda run: any(each.validation for each in run.trainings) if run.trainings and not run.ratio else None
)


# -- the models ------------------------------------------------------------------------------------------------------


def _asked(run: _Run) -> Any:
    """Return the entry of the model that is asked for; None for networks, and for none."""
    return MODELS.get(run.given["modelType"])


def _own_fits(run: _Run) -> list[dict[str, Any]]:
    """Return the parameters of each model of the kind that is asked for."""
    kind = _asked(run)
    calls = [call for call in run.calls("fit") if kind and call.name.startswith(kind[0])]
    return [call.owner["params"] for call in calls if isinstance(call.owner.get("params"), dict)]


@shows_together("model_cv.wrong_key", MODEL)
def a_key_that_the_dictionary_lacks(runs: list[_Run]) -> Said:
    """Look for one that the statement does not name."""
    keys = [key for key in map(_missing_key, runs) if key and key not in (*ANN_DEFAULTS, OPTIONS[-1])]
    return {"key": keys[0]} if keys else None


@shows_together("model_cv.needs_options", MODEL)
def a_key_that_the_dictionary_may_lack(runs: list[_Run]) -> Said:
    """Look for an option of a network that has a default."""
    keys = [key for key in map(_missing_key, runs) if key in (*ANN_DEFAULTS, OPTIONS[-1])]
    return {"key": keys[0]} if keys else None


def _missing_key(run: _Run) -> str | None:
    error = run.seen.answer.error
    if error is None or error.type != "KeyError" or run.given["modelType"] not in ("ANN", *MODELS):
        return None
    key = error.message.strip("'\"")
    known = run.given["modelHyperparameters"]
    return (
        key if key.isidentifier() and key not in (*known, *map(str, known.values()), run.given["modelType"]) else None
    )


@shows("model_cv.not_reached", MODEL)
def a_kind_of_model_is_not_recognised(run: _Run) -> Said:
    """Look for a kind that ends in the error of an unknown model."""
    error = run.seen.answer.error
    own = {"ValueError", "UnboundLocalError", "NotImplementedError", "Exception"}
    kind = _asked(run)
    watched = f"{kind[0]}.fit" if kind else ANN
    if error is None or error.type not in own or watched not in run.seen.doubles or run.calls("fit") or run.calls(ANN):
        return None
    return {"model": run.given["modelType"]} if kind or run.given["modelType"] == "ANN" else None


@shows("model_cv.other_model", MODEL)
def another_kind_of_model_is_trained(run: _Run) -> Said:
    """And none of the one that is asked for."""
    calls, kind = run.calls("fit"), _asked(run)
    if not calls or not kind or any(call.name.startswith(kind[0]) for call in calls):
        return None
    return {"model": run.given["modelType"], "trained": calls[0].owner["class"]}


@shows("model_cv.unknown", MODEL)
def a_model_that_does_not_exist_has_metrics(run: _Run) -> Said:
    """Another one is evaluated in its place."""
    if run.given["modelType"] in ("ANN", *MODELS) or run.failed:
        return None
    return bool(as_pairs(run.seen.answer.value))


@shows_together("model_cv.lost", MODEL)
def hyperparameters_do_not_arrive(runs: list[_Run]) -> Said:
    """List those of which the model never has what was given."""
    lost: dict[str, dict[str, bool]] = {}  # of each kind, of each hyperparameter: whether it never arrived
    for run in runs:
        for params in _own_fits(run):
            kind, given = run.given["modelType"], run.given["modelHyperparameters"]
            for name in _asked(run)[3][given.get("kernel", "")]:
                if not equal(given[name], _default(kind, name)):
                    never = not equal(params.get(name), given[name])
                    lost.setdefault(kind, {}).setdefault(name, True)
                    lost[kind][name] &= never
    names = {kind: [name for name, never in of_kind.items() if never] for kind, of_kind in lost.items()}
    told = [f"{kind} ({', '.join(missing)})" for kind, missing in names.items() if missing]
    return {"lost": ", ".join(told)} if told else None


@functools.cache
def _default(modelType: str, name: str) -> Any:
    module, _, kind = MODELS[modelType][0].partition(":")
    return getattr(importlib.import_module(module), kind)().get_params()[name]


@shows("model_cv.tree_seed", MODEL)
def a_tree_without_its_seed(run: _Run) -> Said:
    """`random_state` is not 1."""
    fits = [params for params in _own_fits(run) if "splitter" in params]
    return {"value": fits[0].get("random_state")} if fits and fits[0].get("random_state") != 1 else None


@shows("model_cv.not_asked", MODEL)
def a_hyperparameter_that_nobody_asked_for(run: _Run) -> Said:
    """One that is not in the table and has not its default."""
    for params in _own_fits(run):
        for name, right in _asked(run)[1].items():
            obtained = params.get(name)
            if name != "random_state" and obtained not in (right if isinstance(right, tuple) else (right,)):
                return {"setting": f"{name}={obtained!r}"}
    return None


# The metrics are those of the model, and not all of `confusion_matrix`.
shows("model_cv.score", MODEL)(lambda run: bool(run.calls("score")) or None)


@shows("model_cv.fit_encoded", MODEL)
def a_model_is_trained_with_columns(run: _Run) -> Said:
    """Tell whether the targets of `fit` are encoded."""
    shapes = [np.shape(targets) for _, targets in run.datasets]
    return all(len(shape) == 2 and shape[1] > 1 for shape in shapes) if shapes and run.C > 2 else None


@shows("model_cv.repeats", MODEL)
def a_fold_trains_several_models(run: _Run) -> Said:
    """All of them with the same patterns."""
    parts = Counter(map(tuple, run.trained))
    if run.failed or not parts or any(list(part) not in run.outside for part in parts):
        return None
    counts = set(parts.values())
    return {"count": max(counts)} if len(counts) == 1 and max(counts) > 1 else False


@shows("model_cv.not_text", MODEL)
def mixed_labels_train(run: _Run) -> Said:
    """Tell whether some are text and some are not."""
    if run.labels.dtype != object or not run.datasets:
        return None
    targets = np.asarray(run.datasets[0][1], dtype=object).ravel().tolist()
    return len({isinstance(label, str) for label in targets}) == 2


# -- the networks of exercise 6 --------------------------------------------------------------------------------------


def _delegated(run: _Run) -> dict[str, Any] | None:
    """Return what `ann_cross_validation` got."""
    calls = run.calls(ANN) if run.given["modelType"] == "ANN" else []
    return dict(zip(PARAMETERS[ANN], calls[0].args, strict=False)) | calls[0].bound | calls[0].kwargs if calls else None


@shows("model_cv.ann_apart", MODEL)
def a_network_is_evaluated_without_exercise_5(run: _Run) -> Said:
    """There is a result, and `ann_cross_validation` was not called."""
    if run.given["modelType"] != "ANN" or ANN not in run.seen.doubles or run.failed:
        return None
    return not run.calls(ANN) and bool(as_pairs(run.seen.answer.value))


@shows("model_cv.ann_options", MODEL)
def the_options_of_a_network_do_not_arrive(run: _Run) -> Said:
    """All of them were in the dictionary."""
    given, obtained = run.given["modelHyperparameters"], _delegated(run)
    if obtained is None or len(given) < len(ANN_DEFAULTS):
        return None
    names = [name for name in (*ANN_DEFAULTS, "transferFunctions") if name in given]
    lost = [name for name in names if not _arrives(given[name], obtained.get(name))]
    return {"options": ", ".join(lost)} if lost else False


@shows("model_cv.ann_defaults", MODEL, unless=["model_cv.ann_options"])
def a_network_has_other_defaults(run: _Run) -> Said:
    """Look for an option that the dictionary lacks and that gets a value of its own."""
    given, obtained = run.given["modelHyperparameters"], _delegated(run) or {}
    for name, right in ANN_DEFAULTS.items():
        if name not in given and not same_numbers(obtained.get(name, right), right):
            return {"option": name, "value": obtained[name]}
    return None


@shows("model_cv.ann_other_folds", MODEL)
def a_network_is_evaluated_on_other_folds(run: _Run) -> Said:
    """Tell whether the indices are not those that were given."""
    obtained = (_delegated(run) or {}).get("crossValidationIndices")
    return None if obtained is None else not same_numbers(obtained, run.folds)
