"""Checks of exercise 5, `ann_cross_validation`.

It is judged by its calls of the functions that the statement tells it to use, which are recorded
while they run: which patterns are for training, which are held out, what the network is tested
with, and that the result is made of what `confusion_matrix` returned. So a mistake in one of those
functions is not its own.

Legal: a hold-out for each execution or for each fold; the ratio rescaled by N/N_train or k/(k−1);
the test set given to the training, which only watches it; an eighth element in the result; another
order of the classes in each training. A training that is not recorded does not count, nor does a
network that cannot be run. What `confusion_matrix` receives proves nothing by itself: the networks
that were trained are evaluated here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from itertools import permutations
from typing import Any, TypeAlias

import numpy as np

from practica.grading.assignment.accepted_forms import as_array, as_pairs, same_numbers
from practica.grading.assignment.measures import right_metrics
from practica.grading.assignment.network import require_functions_kept
from practica.grading.assignment.recorded_folds import (
    EVEN,
    FOLDS_OF_LACKING,
    FOLDS_OF_THREE,
    FOLDS_OF_TWO,
    FOUR_FOLDS,
    LACKING,
    NUMBERS,
    TEN,
    THREE,
    TWO,
    Indices,
    calls_of,
    labels_and_folds,
    number_of_attributes,
    patterns_of,
    readings_of,
    require_functions,
    require_pairs,
    run_with,
)
from practica.grading.assignment.recorded_trainings import (
    THROUGH,
    Training,
    first_two,
    outputs_of,
    run_ann,
    scores_seen,
    trained_with,
    trainings_of,
)
from practica.grading.engine.drawing import Draw
from practica.grading.engine.framework import (
    CheckFailed,
    check,
    for_all,
    require,
    require_untouched,
)
from practica.grading.engine.rendering import TOLERANCE, Words, close
from practica.grading.engine.solution import Solution
from practica.grading.inside.plain_data import Array, Floats, Function, Network, Transcript

# --- ann_cross_validation -------------------------------------------------------------------------


@check("ann_cross_validation.returns")
def returns(solution: Solution) -> None:
    pairs = as_pairs(run_ann(solution, THREE, FOLDS_OF_THREE).answer.value)
    means = [mean for mean, _ in pairs]
    within = all(-TOLERANCE <= mean <= 1 + TOLERANCE for mean in means)
    require(within, expected=Words("0..1"), obtained=means)


@check("ann_cross_validation.trainings")
@for_all(1, case=labels_and_folds, executions=lambda draw: draw.randint(1, 6))
def ann_cross_validation_trainings(
    solution: Solution, case: tuple[Array, Indices], executions: int
) -> None:
    labels, folds = case
    trainings = trained_with(solution, labels, folds, numExecutions=executions)
    parts, wanted = (
        Counter(tuple(training.held) for training in trainings),
        executions * int(folds.max()),
    )
    require(len(trainings) == wanted, expected=wanted, obtained=len(trainings))
    _require_test_not_validated(trainings, folds)
    own, each = "ann_cross_validation.trainings", sorted(parts.values())
    require(
        len(parts) == folds.max(),
        message=f"{own}.parts",
        expected=int(folds.max()),
        obtained=len(parts),
    )
    require(
        set(each) == {executions},
        message=f"{own}.per_fold",
        expected=[executions] * len(each),
        obtained=each,
    )
    if not solution.is_known:
        return
    three, two = (THREE, FOLDS_OF_THREE), (TWO, FOLDS_OF_TWO)
    # many folds, many executions
    for times, (labels, folds), ratio in (3, three, 0.25), (1, TEN, 0), (51, two, 0):
        transcript = run_ann(
            solution, labels, folds, alike=True, numExecutions=times, validationRatio=ratio
        )
        obtained, wanted = len(calls_of(transcript, "train_class_ann")), times * int(folds.max())
        require(obtained == wanted, expected=wanted, obtained=obtained)


@check("ann_cross_validation.test_fold_unseen")
@for_all(
    1,
    case=labels_and_folds,
    ratio=lambda draw: draw.choice([0.25, 0.125, 0.3125]),
    attributes=number_of_attributes,
)
def test_fold_unseen(
    solution: Solution, case: tuple[Array, Indices], ratio: float, attributes: int
) -> None:
    _require_fold_unseen(solution, *case, ratio, attributes)
    if solution.is_known:
        _require_fold_unseen(solution, TWO, FOLDS_OF_TWO, 0.25, 2)


def _require_test_not_validated(trainings: Sequence[Training], folds: Indices) -> None:
    """Raise `CheckFailed` if a training validates with patterns of the one fold that is left out of
    its training set.
    """
    message = "ann_cross_validation.test_fold_unseen.validation"
    for training in trainings:
        validated = folds[training.validation]
        if (
            validated.size
            and len({*validated.tolist()}) == 1
            and validated[0] not in folds[training.training]
        ):
            left = sorted({*range(1, int(folds.max()) + 1)} - {*folds[training.training].tolist()})
            require(
                left != [validated[0]],
                message=message,
                fold=int(validated[0]),
                obtained=training.validation,
            )


def _require_fold_unseen(
    solution: Solution, labels: Array, numbers: Indices, ratio: float, attributes: int
) -> None:
    folds = {
        fold: sorted(np.flatnonzero(fold != numbers).tolist())
        for fold in range(1, int(numbers.max()) + 1)
    }
    # more of two small folds leaves one pattern, which few index right
    largest = 0.25 if len(folds) == 2 else 1.0
    for each in (0, 0.375, ratio):
        seen = []
        options: dict[str, Any] = {"attributes": attributes, "validationRatio": min(each, largest)}
        for training in trained_with(solution, labels, numbers, **options):
            held = training.held
            _require_test_not_validated([training], numbers)
            closest = min(folds, key=lambda fold: len(set(folds[fold]) ^ set(held)))
            seen.append(closest)
            require(held == folds[closest], fold=closest, expected=folds[closest], obtained=held)
        tested, message = sorted(set(seen)), "ann_cross_validation.test_fold_unseen.folds"
        require(tested == sorted(folds), message=message, expected=sorted(folds), obtained=tested)


@check("ann_cross_validation.targets")
def ann_cross_validation_targets(solution: Solution) -> None:
    for labels, ratio in ((THREE, 0), (NUMBERS, 0.25)):
        for training in trained_with(solution, labels, FOLDS_OF_THREE, validationRatio=ratio):
            training.codes(labels)


@check("ann_cross_validation.all_classes")
def all_classes(solution: Solution) -> None:
    transcript = run_ann(solution, LACKING, FOLDS_OF_LACKING)
    for training in trainings_of(transcript, LACKING):
        obtained = training.columns.shape[1]
        require(obtained == 3, expected=3, obtained=obtained)
    for call in calls_of(transcript, "confusion_matrix"):
        # what comes of labels, and of what is not seen, is for the metrics
        _, targets = first_two(call)
        require(targets.ndim == 1 or targets.shape[1] == 3, expected=3, obtained=targets.shape[-1])


@check("ann_cross_validation.evaluation")
def evaluation(solution: Solution) -> None:
    inputs = patterns_of(THREE.tolist())
    for executions, ratio in ((2, 0), (1, 0.25)):
        transcript = run_ann(
            solution, THREE, FOLDS_OF_THREE, numExecutions=executions, validationRatio=ratio
        )
        trainings = trainings_of(transcript, THREE)
        left = [first_two(call) for call in calls_of(transcript, "confusion_matrix")]
        if len(trainings) != len(left):  # the networks are evaluated here
            scores = _scores_of_networks(solution, transcript, THREE, FOLDS_OF_THREE)
            require_pairs(scores, transcript, 0, "ann_cross_validation.metrics")
            continue
        tests = [training.tested(FOLDS_OF_THREE) for training in trainings]
        predicted = outputs_of(solution, trainings, [inputs[test] for test in tests])
        # evaluations may come in another order, where executions run at the same time
        for training, test, each in zip(trainings, tests, predicted, strict=True):
            codes, said = training.codes(THREE), each.argmax(axis=1)
            expected = readings_of(
                said, np.array([codes[label] for label in THREE[test].tolist()]), [*codes.values()]
            )
            same = [
                place for place, pair in enumerate(left) if close(_metrics_of(pair), expected[0])
            ]
            outputs, targets = left[0]
            sizes, own = (len(outputs), len(targets)), "ann_cross_validation.evaluation.sizes"
            wanted = len(test), len(test)
            require(same or sizes == wanted, message=own, expected=wanted, obtained=sizes)
            require(same, **_as_codes(outputs, said, codes))
            del left[same[0]]


def _as_codes(outputs: Array, expected: Array, codes: dict[Any, int]) -> dict[str, Any]:
    """Return what a test gave and what is expected: both as labels where labels were given, both as
    the columns of classes otherwise.
    """
    if outputs.ndim == 1 and outputs.dtype.kind in "UO":
        labels = {code: label for label, code in codes.items()}
        named = [labels[code] for code in expected.tolist()]
        return {"expected": named, "obtained": outputs}
    is_matrix = outputs.ndim == 2 and outputs.size > 0
    obtained = as_array(outputs).argmax(axis=1) if is_matrix else outputs
    return {"expected": expected, "obtained": obtained}


def _metrics_of(evaluated: tuple[Array, Array]) -> Sequence[float]:
    """Return the weighted metrics of the outputs and targets that `confusion_matrix` received;
    empty if they cannot be read.
    """
    with suppress(Exception):
        pair = [each.argmax(axis=1) if each.ndim == 2 else each for each in evaluated]
        names = {name: None for each in pair for name in each.tolist()}
        said, real = (
            np.array([[label == name for name in names] for label in each.tolist()])
            for each in pair
        )
        return right_metrics(said, real, True)
    return []


@check("ann_cross_validation.mean")
def ann_cross_validation_mean(solution: Solution) -> None:
    transcript = run_ann(solution, THREE, FOLDS_OF_THREE, numExecutions=3, validationRatio=0.25)
    require_pairs(_readings(solution, transcript, THREE, FOLDS_OF_THREE), transcript, 0)


@check("ann_cross_validation.std")
def std(solution: Solution) -> None:
    transcript = run_ann(
        solution, THREE, FOLDS_OF_THREE, numExecutions=3, maxEpochs=10, learningRate=0.1
    )
    require_pairs(_readings(solution, transcript, THREE, FOLDS_OF_THREE), transcript, 1)
    transcript = run_ann(solution, *TEN)
    require_pairs(_scores_of_networks(solution, transcript, *TEN), transcript, 1)


def _readings(solution: Solution, transcript: Transcript, labels: Array, folds: Indices) -> Floats:
    """Return the metrics of each fold, shape (fold, reading, metric): those that `confusion_matrix`
    returned or, if it was not called once for each training, those of the trained networks.
    """
    trained, evaluated = (len(calls_of(transcript, name)) for name in THROUGH)
    if trained == evaluated:  # who trains may be evaluated, too
        with suppress(CheckFailed):
            return scores_seen(transcript.calls, folds).mean(axis=1, keepdims=True)
    return _scores_of_networks(solution, transcript, labels, folds)


# labels, folds, how many attributes, and the options of a run
Run: TypeAlias = "tuple[Array, Indices, int, dict[str, Any]]"


def _drawn_run(draw: Draw) -> Run:
    case, attributes = labels_and_folds(draw), number_of_attributes(draw)
    order = np.argsort(case[0][: len(TWO)], kind="stable")  # nobody knows this order
    two, folds_of_two = TWO[order], FOLDS_OF_TWO[order]
    trained: dict[str, Any] = {"topology": [attributes], "networks": (), "validationRatio": 0.25}
    runs: list[Run] = [
        (*case, attributes, {"validationRatio": 0.25}),
        (THREE, FOLDS_OF_THREE, attributes, trained),
        (LACKING[order], FOLDS_OF_LACKING[order], 2, {}),
        (two, folds_of_two, 2, {"numExecutions": 4}),
        # of which classes are made in other ways
        (two == "ok", folds_of_two, 2, {"numExecutions": 1}),
        (np.where(two == "ok", 8, 3), folds_of_two, 2, {"numExecutions": 1}),
    ]
    return draw.in_turn(*runs)


@check("ann_cross_validation.metrics")
@for_all(6, run=_drawn_run)
def metrics(solution: Solution, run: Run) -> None:
    labels, folds, attributes, options = run
    transcript = run_ann(solution, labels, folds, attributes=attributes, **options)
    scores = _scores_of_networks(solution, transcript, labels, folds, attributes)
    require_pairs(scores, transcript, 0)
    require_pairs(scores, transcript, 1, "ann_cross_validation.std")


def _scores_of_networks(
    solution: Solution,
    transcript: Transcript,
    labels: Array,
    folds: Indices,
    attributes: int = 2,
) -> Floats:
    """Return the metrics of the trained networks, which are evaluated here: shape (fold, reading,
    metric), means over the executions.

    Raises `CheckFailed` if a network cannot be evaluated.
    """
    inputs = patterns_of(labels.tolist(), attributes)
    per_fold: dict[tuple[int, ...], list[list[list[float]]]] = {}
    trainings = trainings_of(transcript, labels, attributes)
    parts = [(training.codes(labels), training.tested(folds)) for training in trainings]
    predicted = outputs_of(solution, trainings, [inputs[test] for _, test in parts])
    for (codes, test), outputs in zip(parts, predicted, strict=True):
        size = len(test), len(codes) if len(codes) > 2 else 1
        require(
            outputs.shape == size, message="form.outputs", expected=size, obtained=outputs.shape
        )
        said = outputs.argmax(axis=1) if len(codes) > 2 else outputs[:, 0] >= 0.5
        real = np.array([codes[label] for label in labels[test].tolist()])
        per_fold.setdefault(tuple(test), []).append(readings_of(said, real, [*codes.values()]))
    k, message = int(folds.max()), "ann_cross_validation.trainings.parts"
    require(len(per_fold) == k, message=message, expected=k, obtained=len(per_fold))
    return np.array([np.mean(executions, axis=0) for executions in per_fold.values()])


@check("ann_cross_validation.executions_differ")
@for_all(1, order=lambda draw: draw.shuffled(range(len(TWO))))
def executions_differ(solution: Solution, order: list[int]) -> None:
    labels, folds = TWO[order], FOLDS_OF_TWO[order]
    inputs = patterns_of(labels.tolist())
    outputs: list[Array] = []
    for ratio, rate in (0, 0.02), (0, 1e-30), (0.25, 1e-30):
        options: dict[str, Any] = {"maxEpochs": 1, "learningRate": rate, "validationRatio": ratio}
        transcript = run_ann(solution, labels, folds, networks=(), **options)
        trainings = trainings_of(transcript, labels)
        before = outputs
        outputs = outputs_of(solution, trainings, [inputs] * len(trainings))
        twins = [
            (i + 1, j + 1)
            for i in range(len(outputs))
            for j in range(i)
            if close(outputs[i], outputs[j], 1e-9)
        ]
        require(not twins, obtained=twins)
        again = any(close(one, other, 1e-9) for one in outputs for other in before)
        require(not again, message="ann_cross_validation.executions_differ.calls")


@check("ann_cross_validation.options")
@for_all(
    1,
    case=labels_and_folds,
    topology=lambda draw: draw.choices(range(2, 7), k=draw.randint(2, 3)),
    epochs=lambda draw: draw.randint(120, 240),
    patience=lambda draw: draw.randint(4, 15),
    limit=lambda draw: draw.randint(60, 99) / 2,  # a training that gets it ends at once
    rate=lambda draw: draw.randint(4, 32) / 64,
)
def ann_cross_validation_options(
    solution: Solution,
    case: tuple[Array, Indices],
    topology: list[int],
    epochs: int,
    patience: int,
    limit: float,
    rate: float,
) -> None:
    given: dict[str, Any] = {
        "maxEpochs": epochs,
        "minLoss": limit,
        "learningRate": rate,
        "maxEpochsVal": patience,
    }
    two = TWO, FOLDS_OF_TWO
    cases = (0.25, 2, case), (0, 2, case), (0.25, 4, two), (0, 2, two), (0, 1, TEN)
    for ratio, executions, (labels, folds) in cases if solution.is_known else cases[:2]:
        if executions == 1:  # these networks may be trained
            given |= {"maxEpochs": 2, "minLoss": 0.0}
        wanted = {name: value for name, value in given.items() if ratio or name != "maxEpochsVal"}
        wanted["topology"] = topology
        options: dict[str, Any] = {"numExecutions": executions, "validationRatio": ratio, **given}
        trainings = trained_with(solution, labels, folds, topology, **options)
        for training in trainings:
            for name, value in wanted.items():
                obtained = training.options.get(name)
                require(
                    same_numbers(obtained, value), option=name, expected=value, obtained=obtained
                )
        message = "ann_cross_validation.transfer_functions.default"
        for functions in _functions_of(trainings):
            if functions is not None:
                require_functions(solution, functions, ["sigmoid"] * len(topology), message)


def _functions_of(trainings: list[Training]) -> list[Any]:
    """Return the different values of `transferFunctions` that trainings received."""
    given = [training.options.get("transferFunctions") for training in trainings]
    return list({repr(functions): functions for functions in given}.values())


@check("ann_cross_validation.transfer_functions")
@for_all(1, case=labels_and_folds)
def transfer_functions(solution: Solution, case: tuple[Array, Indices]) -> None:
    two = TWO, FOLDS_OF_TWO
    cases = (0.25, case, SEVERAL), (0, case, ONE), (0.25, two, ONE), (0, two, SEVERAL)
    for ratio, (labels, folds), pair in cases if solution.is_known else cases[:2]:
        given: list[list[Any]] = []
        for names in pair:
            functions = [Function(name) for name in names]
            options: dict[str, Any] = {"validationRatio": ratio, "transferFunctions": functions}
            trainings = trained_with(solution, labels, folds, [3, 2, 2][: len(names)], **options)
            given.append(_functions_of(trainings))
        one, other = ({*map(repr, received)} for received in given)
        require(not one & other, obtained=len(trainings))
        for names, received in zip(pair, given, strict=True):
            for functions in received:
                require_functions(
                    solution, functions, names, "ann_cross_validation.transfer_functions.others"
                )


ONE = ["softplus"], ["sigmoid"]  # two functions that differ
SEVERAL = ["softplus", "softplus", "tanh"], ["tanh", "relu", "softplus"]


@check("ann_cross_validation.validation.size")
@for_all(1, k=lambda draw: 5 if draw.is_known else draw.choice([5, 3, 6, 2]))
def validation_size(solution: Solution, k: int) -> None:
    many = np.tile(EVEN, k)  # so many in each fold that a wrong ratio makes a difference
    folds = np.arange(len(many)) // 3 % k + 1
    two = np.where(many == "c", "a", many)
    # any above 0 is one
    for ratio, executions, labels in ((0.25, 2, many), (2 / len(many), 1, many), (0.25, 1, two)):
        parts, expected = set(), round(ratio * len(labels))
        for training in trained_with(
            solution, labels, folds, validationRatio=ratio, numExecutions=executions
        ):
            obtained = len(training.validation)
            facts: dict[str, Any] = {"obtained": obtained, "expected": expected}
            require(obtained, message="form.no_validation", **facts)
            training_size = len(training.training)
            turned = abs(training_size - expected) <= 1 and obtained > training_size
            wrong = abs(obtained - expected) > 1
            require(
                not (wrong and turned),
                message="ann_cross_validation.validation.size.exchanged",
                training=training_size,
                **facts,
            )
            require(not wrong, **facts)
            parts.add(frozenset(training.held))
        own = "ann_cross_validation.trainings.parts"  # with more folds than classes
        require(len(parts) == k, message=own, expected=k, obtained=len(parts))


@check("ann_cross_validation.validation.disjoint")
def validation_disjoint(solution: Solution) -> None:
    for training in trained_with(solution, EVEN, FOUR_FOLDS, validationRatio=0.25):
        require(training.validation, message="form.no_validation")
        both = sorted(set(training.training) & set(training.validation))
        require(not both, obtained=both)
        again = sorted(who for who, times in Counter(training.held).items() if times > 1)
        require(not again, message="ann_cross_validation.validation.disjoint.again", obtained=again)


@check("ann_cross_validation.validation.fresh")
@for_all(1, order=lambda draw: draw.shuffled(range(len(EVEN))))
def validation_fresh(solution: Solution, order: list[int]) -> None:
    labels, folds = np.tile(EVEN[order], 3), np.tile(FOUR_FOLDS[order], 3)
    before: set[tuple[int, ...]] = set()
    for _ in range(2):
        trainings = trained_with(solution, labels, folds, validationRatio=0.25, numExecutions=1)
        drawn = {
            (
                tuple(training.held),
                tuple(training.held.index(who) for who in sorted(training.validation)),
            )
            for training in trainings
        }
        for positions, times in Counter(positions for _, positions in drawn).items():
            require(
                times == 1, message=None if positions else "form.no_validation", obtained=positions
            )
            again = "ann_cross_validation.validation.fresh.calls"  # a seed set inside
            require(positions not in before, message=again, obtained=positions)
        before = {positions for _, positions in drawn}


@check("ann_cross_validation.validation.none")
@for_all(1, case=labels_and_folds)
def validation_none(solution: Solution, case: tuple[Array, Indices]) -> None:
    for training in trained_with(solution, *case):
        require(not training.validation, expected=0, obtained=len(training.validation))


@check("ann_cross_validation.two_classes")
@for_all(1, order=lambda draw: draw.shuffled(range(len(TWO))))
def two_classes(solution: Solution, order: list[int]) -> None:
    labels, folds = TWO[order], FOLDS_OF_TWO[order]
    transcript = run_ann(solution, labels, folds)
    for training in trainings_of(transcript, labels):
        columns = training.columns
        expected = labels[training.training] == labels[0]
        width = columns.shape[1]
        require(
            width == 1,
            message="ann_cross_validation.two_classes.columns",
            expected=1,
            obtained=width,
        )
        right = np.array_equal(columns[:, 0], expected) or np.array_equal(columns[:, 0], ~expected)
        require(right, expected=expected, obtained=columns[:, 0])
    readings = _readings(solution, transcript, labels, folds)
    for which, id in enumerate(("mean", "std")):
        require_pairs(readings, transcript, which, f"ann_cross_validation.{id}")


@check("ann_cross_validation.equal_patterns")
def equal_patterns(solution: Solution) -> None:
    folds = np.arange(12) // 6 + 1  # each with as many patterns of each class
    for labels in ("ab", "abc"):
        targets = np.array(list(labels * (12 // len(labels))))
        transcript = run_ann(
            solution, targets, folds, inputs=np.ones((len(targets), 2)), numExecutions=1
        )
        obtained, expected = as_pairs(transcript.answer.value)[0][0], 1 / len(labels)
        require(close(obtained, expected), expected=expected, obtained=obtained)
    twice, folds = np.tile(THREE, 2), np.tile(FOLDS_OF_THREE, 2)
    inputs = np.tile(patterns_of(THREE.tolist()), (2, 1))
    for training in trained_with(solution, twice, folds, inputs=inputs, numExecutions=1):
        patterns, wanted = len(training.held), 2 * len({*training.held})
        repeated = "ann_cross_validation.equal_patterns.repeated"
        require(patterns == wanted, message=repeated, expected=wanted, obtained=patterns)


@check("ann_cross_validation.learns")
@for_all(1, turn=lambda draw: draw.randint(0, 999))
def learns(solution: Solution, turn: int) -> None:
    centres = np.array([[2.0, 0.0], [-1.0, 1.75], [-1.0, -1.75]])
    classes = np.arange(24) % 3
    labels, folds = np.array(list("cab"))[classes], np.arange(24) // 3 % 2 + 1
    inputs = centres[classes] + np.sin(np.arange(48).reshape(24, 2) * 7 + turn) / 4
    options: dict[str, Any] = {"numExecutions": 1, "maxEpochs": 200, "learningRate": 0.1}
    # of the columns, which is free; that of appearance comes first
    orders = map(list, permutations(range(3)))
    good = [
        [(Network(centres[order], np.zeros(3), "softmax"), [0.5], [0.5], [0.5])] for order in orders
    ]
    obtained = 0.0
    # it may be another order each time, which only a real training learns
    for networks in (*good, ()):
        transcript = run_ann(
            solution, labels, folds, [4], inputs=inputs, networks=networks, **options
        )
        obtained = max(obtained, as_pairs(transcript.answer.value)[0][0])
        if obtained > 0.75:
            return
    raise CheckFailed({"expected": 0.75, "obtained": obtained})


@check("ann_cross_validation.untouched")
def untouched(solution: Solution) -> None:
    inputs = patterns_of(THREE.tolist())
    options: dict[str, Any] = {"numExecutions": 1, "maxEpochs": 1, "validationRatio": 0.25}
    given = [2], inputs, THREE, FOLDS_OF_THREE
    require_untouched(
        given, run_with(solution, "ann_cross_validation", {}, *given, **options).answer
    )
    functions = [Function("tanh")] * 2
    # a double of the training leaves the list as it is
    require_functions_kept(
        run_ann(solution, THREE, FOLDS_OF_THREE, [2, 2], transferFunctions=functions).answer, 2
    )
