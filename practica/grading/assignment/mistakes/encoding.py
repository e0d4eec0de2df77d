"""Known mistakes of `one_hot_encoding` and `classify_outputs`: the wrong ways of their oracles."""

from __future__ import annotations

from practica.grading.assignment.encoding import classified, encoded
from practica.grading.engine.known_mistakes import Seen, imitates, sign


def _names(seen: Seen) -> set[object]:
    """Return all classes of a call: the given ones and the labels."""
    feature, *classes = seen.given
    return {*feature.tolist()}.union(*classes)


def _either_class(seen: Seen) -> tuple[str, ...]:
    """Return the switches that are not mistakes in a call: of two classes, either may be the one
    that is True.
    """
    is_free = len(_names(seen)) == 2 and seen.given[0].dtype != bool
    return ("one_hot.other_class",) if is_free else ()


ONE_HOT = """
    sorted|given_too ignores_classes as_text|classes_before two_columns vector numbers codes
    transposed first_missing last_missing bool_as_labels|reversed inverted only_filled|several
"""
CLASSIFY = """
    strict ignores_threshold reversed rounded rows_by_threshold ties
    by_column|of_rows|rows_of_it|ties absolute minimum positions column_by_maximum numbers
    flat_column two_columns whole_columns winner_by_threshold whole_matrix losers
"""
imitates(
    "one_hot_encoding",
    "one_hot",
    ONE_HOT,
    kind=lambda seen: (seen.given[0].dtype == bool, len(seen.given), len(_names(seen)) > 2),
    free=_either_class,
)(encoded)
imitates(
    "classify_outputs",
    "classify",
    CLASSIFY,
    kind=lambda seen: (seen.args[0].ndim, seen.args[0].shape[1:] == (1,)),
)(classified)


@sign("one_hot.positive", "one_hot_encoding", together=True, fails=["one_hot_encoding.classes.two"])
def positive(seen: list[Seen]) -> bool:
    """Return whether every single answer is right, so that only the choice of the positive class of
    two is wrong.
    """
    return all(each.agrees for each in seen if each.right is not None)
