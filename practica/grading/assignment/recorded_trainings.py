"""Trainings inside an `ann_cross_validation`, as the doubles of its helpers record them.

A training that is not recorded does not count, nor does a network that cannot be run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from practica.grading.assignment.accepted_forms import as_array, as_metrics, as_outputs
from practica.grading.assignment.encoding import CLASSIFY, ONE_HOT
from practica.grading.assignment.metrics import CONFUSION
from practica.grading.assignment.network import BUILD, sizes_to_draw
from practica.grading.assignment.partition import HOLD_OUT
from practica.grading.assignment.recorded_folds import (
    MOST_ATTRIBUTES,
    Indices,
    calls_seen,
    ids_of,
    patterns_of,
    run_with,
)
from practica.grading.engine.framework import CheckFailed, helped_by, require
from practica.grading.engine.helper_substitution import Part
from practica.grading.engine.rendering import Words
from practica.grading.engine.solution import Solution
from practica.grading.inside.plain_data import (
    Array,
    Floats,
    Handle,
    Network,
    RecordedCall,
    Transcript,
)

# --- what is right --------------------------------------------------------------------------------

UNTRAINED = {"maxEpochs": 0}


def _trained(
    C: int, draw: tuple[int, int], attributes: int = 2, topology: Sequence[int] = ()
) -> Any:
    """Return what a training with C classes might return: a network and losses. Networks differ
    with `draw`, so that the metrics of executions differ.
    """
    outputs, activation = (1, "sigmoid") if C <= 2 else (C, "softmax")
    draws = np.random.default_rng(draw)
    layers = [
        [draws.normal(size=(size, inputs)) * 3, draws.normal(size=size)]
        for inputs, size in sizes_to_draw((attributes, [*topology], outputs))
    ]
    *hidden, (weight, bias) = layers
    return Network(weight, bias, activation, hidden), [0.5], [0.5], [0.5]


def right_training(args: list[Any], kwargs: dict[str, Any], draw: tuple[int, int]) -> Any:
    """Return a result for a call of `train_class_ann` without training: a drawn network. Return
    None for patterns of one attribute or many, for which there is none.
    """
    inputs, targets = (args[1:] or [kwargs["trainingDataset"]])[0]
    topology = (args or [kwargs["topology"]])[0]
    few = 2 <= inputs.shape[1] <= MOST_ATTRIBUTES
    return (
        _trained(targets.shape[1] if targets.ndim == 2 else 1, draw, inputs.shape[1], topology)
        if few
        else None
    )


helped_by(
    "ann_cross_validation",
    one_hot_encoding=ONE_HOT,
    build_class_ann=BUILD,
    hold_out=HOLD_OUT,
    classify_outputs=CLASSIFY,
    confusion_matrix=CONFUSION,
    train_class_ann=Part(right_training, draws=True, brief=UNTRAINED),
)


# --- reading a transcript -------------------------------------------------------------------------


class Training:
    """One recorded call of `train_class_ann`: the positions of the patterns used for training and
    for validation, each with its targets (`sets`), and the options.
    """

    def __init__(self, call: RecordedCall, patterns: Floats) -> None:
        given = dict(zip(("topology", "trainingDataset"), call.args, strict=False)) | call.kwargs
        self.options = call.bound | call.kwargs | {"topology": given.get("topology")}
        datasets, validation = [given.get("trainingDataset")], self.options.get("validationDataset")
        if validation is not None and not (
            isinstance(validation, tuple | list) and len(validation) == 0
        ):
            datasets.append(validation)
        self.sets: list[tuple[list[int], Array]] = []
        for dataset in datasets:
            if not isinstance(dataset, tuple | list) or len(dataset) != 2:
                raise CheckFailed({"obtained": dataset}, "form.dataset")
            if self.sets and not as_array(dataset[0]).size:
                continue
            who, targets = ids_of(dataset[0], patterns), as_array(dataset[1])
            if targets.ndim not in (1, 2) or len(targets) != len(who):
                raise CheckFailed({"obtained": targets.shape}, "form.dataset")
            self.sets.append((who, targets))
        self.training, self.columns = self.sets[0][0], _columns(self.sets[0][1])
        self.validation = self.sets[1][0] if len(self.sets) > 1 else []
        self.held = sorted(self.training + self.validation)  # the training part of the fold
        self.ann = next(_handles(call.result), None)

    def tested(self, folds: Indices) -> list[int]:
        """Return the positions of the patterns that a training leaves for testing.

        They are those that it uses neither for training nor for validation, if these make up whole
        folds. Otherwise they are the patterns of the folds of which it uses none for training.

        Raises `CheckFailed` if there are none.
        """
        left = ~np.isin(np.arange(len(folds)), self.held)
        if not left.any() or (np.isin(folds, folds[left]) & ~left).any():
            left = ~np.isin(folds, folds[self.training])
        require(left.any(), message="ann_cross_validation.evaluation.nobody")
        return np.flatnonzero(left).tolist()

    def codes(self, labels: Array) -> dict[Any, int]:
        """Return, for each label, the column of the targets that stands for it or, where there is
        one column, its value; raise `CheckFailed` if the targets do not encode the labels.

        Within a training the columns keep their meaning; between trainings they need not.
        """
        classes = list(dict.fromkeys(labels.tolist()))
        width, codes = len(classes) if len(classes) > 2 else 1, dict[Any, int]()
        for patterns, targets in self.sets:
            columns, message = _columns(targets), "ann_cross_validation.targets"
            size = len(patterns), width
            right = columns.shape == size
            require(right, message=message, expected=size, obtained=targets.shape)
            # numbers for torch are legal
            is_row = np.isin(columns, (0, 1)).all(axis=1)
            if width > 1 and is_row.all():
                is_row = columns.sum(axis=1) == 1
            wrong = columns[~is_row][:1].ravel()
            require(is_row.all(), message=f"{message}.row", obtained=wrong)
            found = columns.argmax(axis=1) if width > 1 else columns[:, 0].astype(int)
            pairs = {*codes.items(), *zip(labels[patterns].tolist(), found.tolist(), strict=True)}
            codes = dict(pairs)
            one_each = len(pairs) == len(codes) == len({code for _, code in pairs})
            require(one_each, message=f"{message}.classes", obtained=sorted(pairs))
        free = iter(code for code in range(max(width, 2)) if code not in codes.values())
        return {label: codes[label] if label in codes else next(free) for label in classes}


def outputs_of(
    solution: Solution, trainings: Sequence[Training], inputs: Sequence[Floats]
) -> list[Array]:
    """Return the outputs of the network that each training returned, for the patterns at its place
    in `inputs`; raise `CheckFailed` if a network is unknown.
    """
    asked: list[tuple[Handle, Array]] = []
    for training, patterns in zip(trainings, inputs, strict=True):
        if training.ann is None:
            raise CheckFailed({"helper": "train_class_ann"}, "form.unseen_network")
        asked.append((training.ann, patterns))
    found: list[Array] = []
    for predicted, patterns in zip(solution.predictions(asked), inputs, strict=True):
        outputs, expected = as_outputs(predicted, len(patterns)), Words(f"({len(patterns)}, C)")
        require(outputs.size, message="form.outputs", expected=expected, obtained=outputs.shape)
        found.append(outputs)
    return found


def _handles(value: Any) -> Iterator[Handle]:
    """Yield the handles of objects in the student's process that a value of any form contains."""
    if isinstance(value, Handle):
        yield value
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _handles(each)
    elif isinstance(value, dict):
        yield from _handles([*value.values()])


def _columns(targets: Array) -> Array:
    return targets if targets.ndim == 2 else targets[:, np.newaxis]


def trainings_of(transcript: Transcript, labels: Array, attributes: int = 2) -> list[Training]:
    """Return the recorded trainings of a transcript; fail the check if there is none."""
    patterns = patterns_of(labels.tolist(), attributes)
    return [Training(call, patterns) for call in calls_seen(transcript, "train_class_ann")]


def trained_with(
    solution: Solution,
    labels: Array,
    folds: Indices,
    topology: Sequence[int] = (2,),
    **options: Any,
) -> list[Training]:
    """Call `ann_cross_validation` on small data, with the options of `run_ann`, and return the
    trainings that it requests.
    """
    # one network serves for all trainings: the metrics do not count here
    transcript = run_ann(solution, labels, folds, topology, alike=True, **options)
    return trainings_of(transcript, labels, options.get("attributes", 2))


THROUGH: Mapping[str, Mapping[str, Any]] = {
    "train_class_ann": {"through": True},
    "confusion_matrix": {"through": True},
}


def run_ann(
    solution: Solution,
    targets: Array,
    folds: Indices,
    topology: Sequence[int] = (2,),
    *,
    inputs: Floats | None = None,
    attributes: int = 2,
    networks: Sequence[Any] | None = None,
    alike: bool = False,
    **options: Any,
) -> Transcript:
    """Call `ann_cross_validation` on small data, and return the transcript with its calls of other
    functions.

    `inputs`: the patterns, by default those of `patterns_of`.
    `networks`: what the trainings return, so that nothing is trained; if empty, the student's
        function trains. By default, a network for each training, or a single one if all may be
        `alike`.
    `options`: of `ann_cross_validation`.
    """
    options = {"numExecutions": 2, "maxEpochs": 2} | options
    if networks is None:
        trainings = 1 if alike else len(set(folds.tolist())) * options["numExecutions"]
        C = len(set(targets.tolist()))
        networks = [_trained(C, (5, turn), attributes, topology) for turn in range(trainings)]
    inputs = patterns_of(targets.tolist(), attributes) if inputs is None else inputs
    given = list(topology), inputs, targets, folds
    training = {"sequence": networks, "like": UNTRAINED} if networks else {"through": True}
    doubles = {**THROUGH, "train_class_ann": training}
    return run_with(solution, "ann_cross_validation", doubles, *given, **options)


def first_two(call: RecordedCall) -> tuple[Array, Array]:
    """Return the outputs and the targets that a call of `confusion_matrix` received, as vectors or
    matrices, also of labels; raise `CheckFailed` if they are something else.
    """
    given = [
        *call.args,
        *(call.kwargs[name] for name in ("outputs", "targets") if name in call.kwargs),
    ]
    if len(given) < 2:
        raise CheckFailed({"obtained": len(given)}, "form.dataset")
    texts = [isinstance(each, tuple | list) and {*map(type, each)} == {str} for each in given]
    outputs, targets = (
        np.array(each) if text else each if isinstance(each, np.ndarray) else as_array(each)
        for text, each in zip(texts[:2], given[:2], strict=True)
    )
    if not {outputs.ndim, targets.ndim} <= {1, 2}:
        raise CheckFailed({"obtained": (outputs.shape, targets.shape)}, "form.dataset")
    return outputs, targets


def scores_seen(calls: Sequence[RecordedCall], folds: Indices) -> Floats:
    """Return the metrics that calls of `confusion_matrix` returned, shape (fold, execution,
    metric).

    The number of patterns tells to which fold a call belongs. Raises `CheckFailed` if it does not.
    """
    sizes = np.bincount(folds)[1:].tolist()
    per_fold: list[list[list[float]]] = [[] for _ in sizes]
    for call in calls:
        if call.name == "confusion_matrix":
            _, targets = first_two(call)
            if len(targets) not in sizes or len({*sizes}) < len(sizes):
                raise CheckFailed({})
            per_fold[sizes.index(len(targets))].append(as_metrics(call.result)[0])
    if len({*map(len, per_fold)}) > 1 or not per_fold[0]:
        raise CheckFailed({})
    return np.array(per_fold)
