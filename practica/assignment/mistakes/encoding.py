"""Known mistakes of `one_hot_encoding` and `classify_outputs`: the wrong ways of their oracles."""

from __future__ import annotations

from typing import Any

import numpy as np

from practica.assignment.encoding import classified, encoded
from practica.engine.known_mistakes import Seen, alike, imitates, sign


def _either_class(expected: Any, obtained: Any, seen: Seen) -> bool:
    """Return whether two encodings are equal.

    A single column may stand for either of two classes.
    """
    if alike(expected, obtained):
        return True
    free = len({*seen.args[0].tolist(), *(seen.args[1] if len(seen.args) > 1 else ())}) == 2
    if not free or seen.args[0].dtype == bool or np.size(expected) not in np.shape(expected):
        return False
    return alike(~expected if expected.dtype == bool else 1 - expected, obtained)


ONE_HOT = """
    sorted|given_too ignores_classes as_text|classes_before two_columns|of_bools_too
    vector|of_bools_too|of_bools_only numbers|several codes transposed|several first_missing
    last_missing bool_as_labels|reversed inverted only_filled|several
"""
CLASSIFY = """
    strict ignores_threshold|column reversed rounded rows_by_threshold ties
    by_column|of_rows|rows_of_it|ties absolute minimum positions column_by_maximum
    numbers|threshold_only|several flat_column two_columns whole_columns winner_by_threshold
    whole_matrix losers
"""
imitates("one_hot_encoding", "one_hot", ONE_HOT, alike=_either_class)(encoded)
imitates("classify_outputs", "classify", CLASSIFY)(classified)


@sign("one_hot.order", "one_hot_encoding")
def the_columns_in_another_order(seen: Seen) -> bool | None:
    """Return whether the columns are those of right code in another order.

    One column may be of either class.
    """
    value, right = seen.answer.value, None if seen.right is None else seen.right.value
    if seen.agrees or not isinstance(right, np.ndarray) or seen.answer.error is not None:
        return None
    if (
        not isinstance(value, np.ndarray)
        or value.shape != right.shape
        or value.dtype != bool
        or value.shape[1:] == (1,)
    ):
        return False
    return sorted(value.T.tolist()) == sorted(right.T.tolist())


@sign("one_hot.empty_columns", "one_hot_encoding", unless=["one_hot.order"])
def columns_that_nothing_fills(seen: Seen) -> bool | None:
    """Return whether some columns have no True, and the others are those of right code."""
    value, right = seen.answer.value, None if seen.right is None else seen.right.value
    if seen.agrees or not isinstance(right, np.ndarray) or right.shape[1:] in ((), (1,)):
        return None
    if not isinstance(value, np.ndarray) or value.shape != right.shape:
        return False
    return all(
        not one.any() or np.array_equal(one, other)
        for one, other in zip(value.T, right.T, strict=True)
    )


@sign("one_hot.columns", "one_hot_encoding", last=True)
def as_many_columns_as_something_else(seen: Seen) -> dict[str, int] | bool | None:
    """Return the number of columns if it is not the number that the classes require."""
    value, right = seen.answer.value, None if seen.right is None else seen.right.value
    if not (
        isinstance(value, np.ndarray)
        and isinstance(right, np.ndarray)
        and value.ndim == right.ndim == 2
    ):
        return None
    if len(value) != len(right):
        return False
    return (
        {"obtained": value.shape[1], "expected": right.shape[1]}
        if value.shape[1] != right.shape[1]
        else None
    )


@sign("one_hot.positive", "one_hot_encoding", together=True, fails=["one_hot_encoding.classes.two"])
def the_positive_class_by_the_labels(seen: list[Seen]) -> bool:
    """Return whether only the choice of the positive class of two is wrong."""
    return all(each.agrees for each in seen if each.right is not None)
