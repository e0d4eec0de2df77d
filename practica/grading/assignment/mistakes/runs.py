"""Calls of `ann_cross_validation` and `model_cross_validation` as their checks read them: trained,
tested, returned.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from practica.grading.assignment.accepted_forms import as_array, same_numbers
from practica.grading.assignment.models import MODELS, fitted
from practica.grading.assignment.recorded_trainings import Training, first_two
from practica.grading.engine.known_mistakes import Seen, read_once, sign
from practica.grading.inside.plain_data import RecordedCall

ANN, MODEL = "ann_cross_validation", "model_cross_validation"
PARAMETERS = {
    ANN: ("topology", "inputs", "targets", "crossValidationIndices"),
    MODEL: ("modelType", "modelHyperparameters", "inputs", "targets", "crossValidationIndices"),
}
# of a training
OPTIONS = ("maxEpochs", "minLoss", "learningRate", "maxEpochsVal", "transferFunctions")
Said: TypeAlias = "Mapping[str, object] | bool | None"


# --- reading a call -------------------------------------------------------------------------------


class RecordedRun:
    """A recorded call of `ann_cross_validation` or `model_cross_validation`: which patterns trained
    and were tested, and what the call returned.

    Its properties raise `CheckFailed` if what was recorded cannot be read.
    """

    def __init__(self, seen: Seen) -> None:
        self.seen, self.value, self.error = seen, seen.answer.value, seen.answer.error
        self.row = MODEL if isinstance(seen.args[0], str) else ANN
        self.given: dict[str, Any] = (
            dict(zip(PARAMETERS[self.row], seen.args, strict=True)) | seen.kwargs
        )
        self.inputs, self.labels, self.folds = (self.given[name] for name in PARAMETERS[ANN][1:])
        self.N, self.k, self.C = (
            len(self.labels),
            int(self.folds.max()),
            len(set(self.labels.tolist())),
        )
        self.everybody = list(range(self.N))
        self.inside = [np.flatnonzero(self.folds == fold).tolist() for fold in range(1, self.k + 1)]
        self.outside = [
            np.flatnonzero(self.folds != fold).tolist() for fold in range(1, self.k + 1)
        ]
        self.ratio = self.given.get("validationRatio", 0)
        self.kind = str(self.given.get("modelType"))
        self.model, self.hyper = MODELS.get(self.kind), self.given.get("modelHyperparameters", {})
        self.own_networks = seen.doubles.get("train_class_ann", {"through": True}) == {
            "through": True
        }

    def calls(self, name: str) -> list[RecordedCall]:
        """Return the recorded calls of a function, or of a method of any model, by its name."""
        return [
            call for call in self.seen.calls if call.name == name or call.name.endswith(f".{name}")
        ]

    @functools.cached_property
    def trainings(self) -> list[Training]:
        """Return the recorded calls of `train_class_ann`, read as trainings."""
        return [Training(call, self.inputs) for call in self.calls("train_class_ann")]

    @functools.cached_property
    def trained(self) -> list[list[int]]:
        """The positions of the patterns used for training or validation, by training in turn."""
        if self.row == ANN:
            return [sorted(set(training.held)) for training in self.trainings]
        return [sorted(fitted(call, self.inputs)[0]) for call in self.calls("fit")]

    @functools.cached_property
    def datasets(self) -> list[tuple[Any, Any]]:
        """The inputs and targets that each training received."""
        given = [[*call.args, *call.kwargs.values()] for call in self.calls("fit")]
        if self.row == ANN:
            calls = self.calls("train_class_ann")
            pairs = [[*call.args[1:], call.kwargs.get("trainingDataset")][0] for call in calls]
            given = [list(pair) if isinstance(pair, tuple | list) else [] for pair in pairs]
        return [(pair[0], pair[1]) for pair in given if len(pair) > 1]

    @functools.cached_property
    def evaluations(self) -> list[tuple[NDArray[Any], NDArray[Any]]]:
        """The outputs and targets of each call of `confusion_matrix`."""
        return [first_two(call) for call in self.calls("confusion_matrix")]

    @functools.cached_property
    def tested(self) -> list[int]:
        """The number of patterns in each test: in each evaluation of a network, or prediction of a
        model.
        """
        if self.row == ANN:
            return [len(targets) for _, targets in self.evaluations]
        return [
            len(as_array((*call.args, *call.kwargs.values())[0])) for call in self.calls("predict")
        ]

    @functools.cached_property
    def delegated(self) -> dict[str, Any]:
        """The arguments of the first call of `ann_cross_validation`.

        Empty unless a network was requested.
        """
        calls = self.calls(ANN) if self.kind == "ANN" else []
        first = [
            dict(zip(PARAMETERS[ANN], call.args, strict=False)) | call.bound | call.kwargs
            for call in calls[:1]
        ]
        return first[0] if first else {}

    @functools.cached_property
    def fits(self) -> list[dict[str, Any]]:
        """The parameters of each fitted model that is of the requested kind."""
        calls = [
            call for call in self.calls("fit") if self.model and call.name.startswith(self.model[0])
        ]
        return [
            call.owner["params"] for call in calls if isinstance(call.owner.get("params"), dict)
        ]


read = read_once(RecordedRun)


def arrives(given: Any, obtained: Any) -> bool:
    """Return whether a training received an option as it was given; for functions, whether it
    received any.
    """
    return obtained is not None if isinstance(given, list) else same_numbers(obtained, given)


def shows(id: str, *rows: str, **options: Any) -> Callable[[Callable[[Any], Said]], None]:
    """Register a predicate on one call as a sign. One call in which it holds is enough, because all
    trainings of the call are looked at.
    """

    def register(body: Callable[[Any], Said]) -> None:
        def said(runs: Any) -> Said:
            # a function may call others with what makes no sense: nothing can be said
            with suppress(Exception):
                return body(runs)
            return None

        sign(id, *rows, read=read, enough=1, **options)(said)

    return register


def all_known(found: Iterable[bool]) -> bool | None:
    """Return whether all facts are true; None if there are none."""
    known = list(found)
    return all(known) if known else None
