"""Checks of exercise 2: `one_hot_encoding` and `classify_outputs`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from practica.checks.framework import check, for_all, require, untouched
from practica.checks.help import Part
from practica.checks.later import st
from practica.checks.readings import as_bool_array
from practica.checks.solution import Solution
from practica.checks.strategies import (
    EIGHTHS,
    NO_THRESHOLD,
    as_vector,
    bool_vectors,
    labelled_patterns,
    outputs_and_thresholds,
    score_matrices,
)

__all__ = ["CLASSIFY", "ONE_HOT"]


# -- what is right ---------------------------------------------------------------------------------------------------


def columns_of(labels: NDArray[Any], classes: list[Any]) -> NDArray[np.bool_]:
    """One column per class: True where the pattern has its label."""
    return np.array([[label == name for name in classes] for label in labels.tolist()]).reshape(-1, len(classes))


def right_one_hot(args: list[Any], kwargs: dict[str, Any]) -> Any:
    """Encode labels; of two classes the first one is True."""
    feature, *rest = [*args, *kwargs.values()]
    feature = np.asarray(feature) if isinstance(feature, np.ndarray) else as_vector(list(feature))
    if not rest or rest[0] is None:
        if feature.dtype == bool:
            return feature.reshape(-1, 1)
        rest = [list(dict.fromkeys(feature.tolist()))]
    classes = rest[0].tolist() if isinstance(rest[0], np.ndarray) else list(rest[0])
    encoded = columns_of(feature, classes)
    return encoded if len(classes) > 2 else encoded[:, :1]


def right_classify(args: list[Any], kwargs: dict[str, Any]) -> Any:
    """Apply the threshold, or put one True per row at the first maximum."""
    outputs = np.asarray(args[0] if args else kwargs["outputs"], dtype=float)
    if outputs.ndim == 1 or outputs.shape[1] == 1:
        return outputs >= kwargs.get("threshold", 0.5)
    return outputs.argmax(axis=1).reshape(-1, 1) == np.arange(outputs.shape[1])


ONE_HOT = Part(right_one_hot)
CLASSIFY = Part(right_classify)


# -- one_hot_encoding ------------------------------------------------------------------------------------------------


def _require_either_class(solution: Solution, labels: NDArray[Any], classes: list[Any], *given: Any) -> bool:
    """With two classes one column is True for one of the two, whichever; tell whether it is the first one."""
    first = columns_of(labels, classes)[:, :1]
    column = as_bool_array(solution.one_hot_encoding(labels, *given), first.shape)
    is_first = np.array_equal(column, first)
    require(is_first or np.array_equal(column, ~first), expected=first, obtained=column, classes=classes)
    return is_first


@check("one_hot_encoding.classes.columns")
@for_all(case=labelled_patterns(min_classes=1, max_classes=4), absent=st.integers(0, 2), turn=st.integers(0, 4))
def one_column_for_each_given_class(
    solution: Solution, case: tuple[NDArray[Any], list[Any]], absent: int, turn: int
) -> None:
    """Con más de dos clases, la columna j es True en los patrones de la clase classes[j], en el orden de classes."""
    labels, classes = case
    others = ["zeta", "eta", "theta"] if isinstance(classes[0], str) else [20, 21, 22]
    listed = classes + others[: max(absent, 3 - len(classes))]
    listed = listed[turn % len(listed) :] + listed[: turn % len(listed)]
    expected = columns_of(labels, listed)
    obtained = as_bool_array(solution.one_hot_encoding(labels, as_vector(listed)), expected.shape)
    require(np.array_equal(obtained, expected), expected=expected, obtained=obtained)


@check("one_hot_encoding.classes.two")
@for_all(case=labelled_patterns(min_classes=1, max_classes=2), swap=st.booleans())
def two_given_classes_take_one_column(solution: Solution, case: tuple[NDArray[Any], list[Any]], swap: bool) -> None:
    """Con dos clases basta una columna, con el valor de pertenencia a una de las dos clases."""
    labels, classes = case
    listed = classes if len(classes) == 2 else [*classes, "z" if isinstance(classes[0], str) else 20]
    listed = listed[::-1] if swap else listed
    exchanged = as_vector([listed[label == listed[0]] for label in labels.tolist()])  # the rarer class is the other one
    several = labels, labels[::-1], exchanged
    same = {_require_either_class(solution, each, listed, as_vector(listed)) for each in several}
    require(len(same) == 1, message="one_hot_encoding.classes.two.same", classes=listed)


@check("one_hot_encoding.default.columns")
@for_all(case=labelled_patterns(min_classes=3, max_classes=5))
def the_classes_are_found_in_order_of_appearance(solution: Solution, case: tuple[NDArray[Any], list[Any]]) -> None:
    """Sin el argumento classes, las clases son los valores distintos del vector, en orden de aparición."""
    labels, classes = case
    expected = columns_of(labels, classes)
    obtained = as_bool_array(solution.one_hot_encoding(labels), expected.shape)
    require(np.array_equal(obtained, expected), expected=expected, obtained=obtained, classes=classes)


@check("one_hot_encoding.default.two")
@for_all(case=labelled_patterns(min_classes=2, max_classes=2))
def two_classes_take_one_column(solution: Solution, case: tuple[NDArray[Any], list[Any]]) -> None:
    """Sin el argumento classes y con dos clases, el resultado tiene una sola columna."""
    labels, classes = case
    _require_either_class(solution, labels, classes)


@check("one_hot_encoding.mixed")
@for_all(case=labelled_patterns(min_classes=3, max_classes=5, mixed=True))
def labels_may_be_of_any_type(solution: Solution, case: tuple[NDArray[Any], list[Any]]) -> None:
    """El vector puede tener elementos de cualquier tipo, también mezclados: 1 y "1" son clases distintas."""
    labels, classes = case
    expected = columns_of(labels, classes)
    for given in ([as_vector(classes)], []):
        obtained = as_bool_array(solution.one_hot_encoding(labels, *given), expected.shape)
        require(np.array_equal(obtained, expected), expected=expected, obtained=obtained)


@check("one_hot_encoding.bool")
@for_all(feature=bool_vectors())
def a_bool_vector_is_its_own_column(solution: Solution, feature: NDArray[np.bool_]) -> None:
    """Si el vector ya es de valores booleanos, el resultado son los mismos valores como matriz de una columna."""
    obtained = as_bool_array(solution.one_hot_encoding(feature), (len(feature), 1))
    require(np.array_equal(obtained[:, 0], feature), expected=feature.reshape(-1, 1), obtained=obtained)


@check("one_hot_encoding.untouched")
def one_hot_encoding_leaves_its_arguments(solution: Solution) -> None:
    """La función devuelve una matriz nueva: sus argumentos quedan como estaban."""
    untouched(solution, "one_hot_encoding", np.array(["b", "a", "c", "a"]), np.array(["c", "b", "a"]))
    untouched(solution, "one_hot_encoding", np.array([3, 1, 2, 1]))
    untouched(solution, "one_hot_encoding", np.array([True, False, True]))


# -- classify_outputs ------------------------------------------------------------------------------------------------


NEAR = st.tuples(EIGHTHS, st.sampled_from([0, -1 / 1024, 1 / 1024])).map(sum)  # the threshold, but not on it


@check("classify_outputs.vector")
@for_all(outputs=st.lists(NEAR, min_size=1, max_size=10).map(np.array), times=st.sampled_from([1, 1, 1, 60]))
def outputs_from_the_threshold_on_are_positive(solution: Solution, outputs: NDArray[np.float64], times: int) -> None:
    """Las salidas mayores o iguales que el umbral, 0.5 por defecto, son True y las demás False."""
    outputs = np.tile(outputs, times)
    expected = outputs >= 0.5
    obtained = as_bool_array(solution.classify_outputs(outputs), expected.shape)
    require(np.array_equal(obtained, expected), expected=expected, obtained=obtained)


@check("classify_outputs.vector.threshold")
@for_all(case=outputs_and_thresholds())
def the_threshold_is_an_option(solution: Solution, case: tuple[NDArray[np.float64], float]) -> None:
    """El umbral se puede cambiar con el parámetro threshold."""
    outputs, threshold = case
    expected = outputs >= threshold
    obtained = as_bool_array(solution.classify_outputs(outputs, threshold=threshold), expected.shape)
    require(np.array_equal(obtained, expected), expected=expected, obtained=obtained, threshold=threshold)


@check("classify_outputs.column")
@for_all(case=outputs_and_thresholds(), default=st.booleans())
def one_column_is_classified_like_a_vector(
    solution: Solution, case: tuple[NDArray[np.float64], float], default: bool
) -> None:
    """Con una sola columna se aplica el umbral, y el resultado sigue siendo una matriz de una columna."""
    outputs, threshold = case[0].reshape(-1, 1), 0.5 if default else case[1]
    options = {} if default else {"threshold": threshold}
    expected = outputs >= threshold
    obtained = as_bool_array(solution.classify_outputs(outputs, **options), expected.shape)
    require(np.array_equal(obtained, expected), expected=expected, obtained=obtained, threshold=threshold)


@check("classify_outputs.matrix.maximum")
@for_all(outputs=score_matrices(), threshold=NO_THRESHOLD)
def the_largest_output_of_each_row_wins(
    solution: Solution, outputs: NDArray[np.float64], threshold: float | None
) -> None:
    """Con más de dos columnas, en cada fila es True la columna del mayor valor y las demás son False."""
    options = {} if threshold is None else {"threshold": threshold}
    expected = right_classify([outputs], {})
    obtained = as_bool_array(solution.classify_outputs(outputs, **options), expected.shape)
    require(np.array_equal(obtained, expected), expected=expected, obtained=obtained)


@check("classify_outputs.matrix.ties")
@for_all(outputs=score_matrices(ties=True))
def each_row_has_one_true_even_in_a_tie(solution: Solution, outputs: NDArray[np.float64]) -> None:
    """Cada fila tiene exactamente un True, aunque varias columnas tengan el mayor valor."""
    obtained = as_bool_array(solution.classify_outputs(outputs), outputs.shape)
    at_maximum = outputs == outputs.max(axis=1, keepdims=True)
    require(
        (obtained.sum(axis=1) == 1).all() and not (obtained & ~at_maximum).any(),
        expected=right_classify([outputs], {}),
        obtained=obtained,
    )


@check("classify_outputs.untouched")
def classify_outputs_leaves_its_argument(solution: Solution) -> None:
    """La función devuelve una matriz nueva: las salidas quedan como estaban."""
    untouched(solution, "classify_outputs", np.array([0.25, 0.5, 0.75]))
    untouched(solution, "classify_outputs", np.array([[0.25], [0.75]]))
    untouched(solution, "classify_outputs", np.array([[0.25, 0.5, 0.125], [0.5, 0.25, 0.125]]))
