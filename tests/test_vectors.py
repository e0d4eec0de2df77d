"""The 175 test vectors in `data/vectors.json`: what the Julia originals return, each with the
reason for it.

`status` tells who decides: the statement, its teachers' solution, the Julia language, or a decision
of this project.
"""

import json
import warnings
from collections.abc import Callable
from fractions import Fraction
from itertools import repeat
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

import practica
from practica.reference.cross_validation import CrossValidation, mean_and_std, validation_fraction
from practica.reference.network import binary_crossentropy, crossentropy, glorot_uniform
from practica.reference.training import StoppingRule

VECTORS = json.loads((Path(__file__).parent / "data" / "vectors.json").read_text(encoding="utf-8"))

# relative, absolute
TOLERANCES = {"exact": (0.0, 0.0), "approx": (1e-12, 1e-12), "approx_f32": (1e-6, 1e-9)}


# --- names that begin with "_" stand for parts of functions ---------------------------------------


def validation_split_sizes(N: int, N_train: int, validationRatio: float) -> list[int]:
    """Split the training part of a fold as `ann_cross_validation` does."""
    fraction = validation_fraction(validationRatio, N=N, N_train=N_train, fold=1)
    return [len(part) for part in practica.hold_out(N_train, fraction)]


def early_stopping_trace(
    *, trainingLosses: list[float], validationLosses: list[float], **limits: float
) -> dict[str, int]:
    """Let the rule of `train_class_ann` read the losses of a script, epoch by epoch."""
    rule = StoppingRule(**limits)
    seen = []
    for losses in zip(trainingLosses, validationLosses or repeat(None), strict=False):
        rule.observe(*losses)
        seen.append(losses)
        if not rule.goes_on():
            break
    return {
        "epochs_run": rule.epoch,
        "returned_epoch": rule.best_epoch,
        "len_training_losses": len(seen),
        "len_validation_losses": sum(validation is not None for _, validation in seen),
    }


def binary_loss(outputs: list[float], targets: list[int]) -> float:
    """Take the loss of a column of probabilities, in double precision."""
    return binary_crossentropy(
        *(torch.tensor(column, dtype=torch.float64)[:, None] for column in (outputs, targets))
    )


def multiclass_loss(outputs: list[list[float]], targets: list[list[bool]]) -> float:
    """Take the loss of rows of probabilities, in double precision."""
    return crossentropy(*(torch.tensor(rows, dtype=torch.float64) for rows in (outputs, targets)))


def glorot_limit(fan_in: int, fan_out: int) -> float:
    """Take the weight that comes of the lowest draw, which is the lower end of the range."""
    lowest = SimpleNamespace(random=np.zeros)
    return float(-glorot_uniform(fan_in, fan_out, lowest).min())


def fold_summary(matrices: list[list[list[int]]]) -> list[tuple[float, float]]:
    """Turn confusion matrices back into patterns, score them, and summarize the folds."""
    scores = []
    for matrix in np.array(matrices):
        rows = np.eye(len(matrix), dtype=bool)
        real, predicted = (
            np.repeat(number, matrix.ravel()) for number in np.indices(matrix.shape).reshape(2, -1)
        )
        scores.append([practica.confusion_matrix(rows[predicted], rows[real])])
    return list(
        CrossValidation.of(np.array(scores), np.arange(len(scores)) + 1, range(len(matrices[0])))
    )


PARTS = {
    "_mean_std": mean_and_std,
    "_validation_split_sizes": validation_split_sizes,
    "_early_stopping_trace": early_stopping_trace,
    "_binary_crossentropy": binary_loss,
    "_crossentropy": multiclass_loss,
    "_glorot_limit": glorot_limit,
    "_fold_summary": fold_summary,
}


# --- from JSON and back ---------------------------------------------------------------------------


def with_nan(value: Any) -> Any:
    """Replace the text "NaN", for which JSON has no number."""
    match value:
        case "NaN":
            return float("nan")
        case list():
            return [with_nan(element) for element in value]
        case dict():
            return {key: with_nan(element) for key, element in value.items()}
    return value


def as_argument(value: Any) -> Any:
    """Make the array that a caller would pass: bool, numeric, or of objects that keep their
    types.
    """
    match value:
        case {"repeat": runs}:
            return np.array([label for label, times in runs for _ in range(times)], dtype=object)
        case {"dtype": dtype, "data": data}:
            return np.array(data, dtype=dtype)
        case list():
            kinds = {type(leaf) for leaf in leaves(value)}
            return np.array(
                value, dtype=None if kinds in ({bool}, {int}, {float}, {int, float}) else object
            )
    return value


def leaves(value: Any) -> list[Any]:
    """List what nested lists hold."""
    return (
        [leaf for element in value for leaf in leaves(element)]
        if isinstance(value, list)
        else [value]
    )


def as_plain(value: Any) -> Any:
    """Turn arrays, tensors and tuples into lists and Python's own numbers, to be compared with
    JSON.
    """
    match value:
        case np.ndarray() | np.generic() | torch.Tensor():
            return value.tolist()
        case practica.ConfusionMatrix():
            return [*value, value.matrix.tolist()]
        case list() | tuple():
            return [as_plain(element) for element in value]
    return value


def agree(actual: Any, expected: Any, relative: float, absolute: float) -> bool:
    """Compare nested lists; NaN equals NaN, and True is not 1."""
    match actual, expected:
        case list(), list():
            pairs = zip(actual, expected, strict=False)
            return len(actual) == len(expected) and all(
                agree(*pair, relative, absolute) for pair in pairs
            )
        case bool(), bool():
            return actual is expected
        case int() | float(), int() | float():
            return bool(np.isclose(actual, expected, rtol=relative, atol=absolute, equal_nan=True))
    return type(actual) is type(expected) and actual == expected


def call(vector: dict[str, Any]) -> Callable[[], Any]:
    """Return the call that the vector describes, ready to be made."""
    name, arguments, keywords = (
        vector["function"],
        with_nan(vector["args"]),
        with_nan(vector.get("kwargs", {})),
    )
    if name in PARTS:
        return lambda: PARTS[name](*arguments, **keywords)
    if name.startswith("normalize"):
        dataset, *parameters = arguments
        given = [tuple(map(as_argument, pair)) for pair in parameters]
        return lambda: getattr(practica, name)(as_argument(dataset), *given, **keywords)
    return lambda: getattr(practica, name)(*map(as_argument, arguments), **keywords)


def compared(*ways: str) -> Any:
    """Parametrize a test with the vectors to be compared in some of the ways."""
    chosen = [vector for vector in VECTORS if vector["compare"] in ways]
    return pytest.mark.parametrize(
        "vector", chosen, ids=lambda vector: f"{vector['id']}-{vector['function']}"
    )


def counts(folds: np.ndarray, k: int) -> list[int]:
    """Count the patterns of the folds 1..k."""
    return np.bincount(folds, minlength=k + 1)[1:].tolist()


# --- the tests ------------------------------------------------------------------------------------


def test_the_file_holds_every_vector_under_an_id_of_its_own():
    """No vector is lost, and each is compared in a way that some test below knows."""
    assert [vector["id"] for vector in VECTORS] == [f"v{number:03}" for number in range(1, 176)]
    ways = {*TOLERANCES, "raises", "sizes", "fold_counts", "fold_counts_by_class"}
    assert {vector["compare"] for vector in VECTORS} == ways


@compared(*TOLERANCES)
def test_value(vector):
    """The result is the expected one, to the tolerance of the vector."""
    actual = as_plain(call(vector)())
    expected = with_nan(vector["expected"])
    if isinstance(expected, dict):
        assert actual == expected, vector["why"]
    else:
        assert agree(actual, expected, *TOLERANCES[vector["compare"]]), f"{vector['why']}: {actual}"
    if fractions := vector.get("expected_fractions"):
        assert actual[:7] == pytest.approx(
            [float(Fraction(fraction)) for fraction in fractions], rel=1e-12
        )


@compared("raises")
def test_refusal(vector):
    """The call is refused with the expected kind of error and a sentence."""
    with pytest.raises(
        {"ValueError": ValueError, "TypeError": TypeError}[vector["expected"]], match=r"\w+ \w+ \w+"
    ):
        call(vector)()


@compared("sizes")
def test_sizes(vector):
    """The parts of a split have the expected sizes."""
    parts = call(vector)()
    assert [len(part) if np.ndim(part) else part for part in parts] == vector["expected"], vector[
        "why"
    ]
    if vector["function"] == "hold_out":
        assert sorted(np.concatenate(parts).tolist()) == list(range(vector["args"][0]))


@compared("fold_counts")
def test_fold_counts(vector):
    """Each fold has the expected number of patterns."""
    N, k = vector["args"]
    # some of them have fewer patterns than folds
    with warnings.catch_warnings(action="ignore", category=UserWarning):
        folds = call(vector)()
    assert len(folds) == N
    assert counts(folds, k) == vector["expected"], vector["why"]


@compared("fold_counts_by_class")
def test_fold_counts_by_class(vector):
    """Each fold has the expected number of patterns of each class."""
    targets, k, expected = as_argument(vector["args"][0]), vector["args"][1], vector["expected"]
    if targets.ndim == 2 and targets.shape[1] > 1:
        targets = np.array([f"col{column}" for column in targets.argmax(axis=1)])
    with warnings.catch_warnings(action="ignore", category=UserWarning):
        folds = call(vector)()
    assert len(folds) == len(targets)
    assert counts(folds, k) == expected["total"], vector["why"]
    for label, per_fold in zip(expected["classes"], expected["by_class"], strict=True):
        assert counts(folds[targets.ravel() == label], k) == per_fold, vector["why"]
