"""Checks of exercise 2, `accuracy`, and of exercise 4, `confusion_matrix`.

Legal in a confusion matrix: seven values, or eight with the matrix; of two labels the first one that appears, in either
vector, or always the other one, as the positive class; of several labels any order of the classes, the matrix permuted
alike.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from practica.checks.encoding import CLASSIFY, ONE_HOT, right_classify
from practica.checks.framework import CheckFailed, check, for_all, helped_by, require, untouched
from practica.checks.help import Part
from practica.checks.later import st
from practica.checks.readings import METRICS, as_metrics, as_number, close, first_difference
from practica.checks.solution import Solution, StudentError
from practica.checks.strategies import (
    EIGHTHS,
    NO_THRESHOLD,
    WIDTHS,
    as_vector,
    bool_pairs,
    class_pairs,
    distinct_labels,
    one_hot,
    outputs_and_thresholds,
    score_matrices,
)

__all__ = ["CONFUSION", "right_confusion", "two_class_metrics"]

Bools = NDArray[np.bool_]
Reals = NDArray[np.float64]


# -- what is right ---------------------------------------------------------------------------------------------------


def right_accuracy(args: list[Any], kwargs: dict[str, Any]) -> float:
    """Fraction of patterns, or rows, that agree."""
    outputs, targets = (np.asarray(value) for value in args[:2])
    if outputs.dtype != bool:
        outputs = right_classify([outputs], kwargs)
    agree = (outputs == targets).reshape(len(targets), -1).all(axis=1)
    return float(agree.mean())


def _ratio(part: float, whole: float, of_nothing: float) -> float:
    return part / whole if whole else of_nothing


def two_class_metrics(outputs: Bools, targets: Bools) -> list[float]:
    """Return the seven metrics of two bool vectors; 0/0 is 1, and the F1 of two zeros is 0."""
    TP = int(np.count_nonzero(outputs & targets))
    FP, FN = int(np.count_nonzero(outputs)) - TP, int(np.count_nonzero(targets)) - TP
    TN = len(targets) - TP - FP - FN
    accuracy = (TP + TN) / len(targets)
    recall, specificity = _ratio(TP, TP + FN, 1.0), _ratio(TN, TN + FP, 1.0)
    PPV, NPV = _ratio(TP, TP + FP, 1.0), _ratio(TN, TN + FN, 1.0)
    F1 = _ratio(2 * recall * PPV, recall + PPV, 0.0)
    return [accuracy, 1 - accuracy, recall, specificity, PPV, NPV, F1]


def two_class_matrix(outputs: Bools, targets: Bools) -> NDArray[np.int64]:
    """Return [[TN, FP], [FN, TP]]."""
    return np.array(
        [[int((outputs[targets == real] == said).sum()) for said in (False, True)] for real in (False, True)]
    )


def many_class_metrics(outputs: Bools, targets: Bools, weighted: bool, *, exchanged: bool = False) -> list[float]:
    """Return the seven metrics of one-hot rows: those of each column, averaged; the accuracy is that of the whole.

    With `exchanged`, each column has its false positives for false negatives and these for those.
    """
    pairs = zip(*(targets.T, outputs.T) if exchanged else (outputs.T, targets.T), strict=True)
    per_class = np.array([two_class_metrics(*pair)[2:] for pair in pairs])
    weights = targets.mean(axis=0) if weighted else np.full(targets.shape[1], 1 / targets.shape[1])
    accuracy = float((outputs == targets).all(axis=1).mean())
    return [accuracy, 1 - accuracy, *(weights @ per_class).tolist()]


def _as_bools(args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[Bools, Bools]:
    """Return outputs and targets of any of the overloads as bools: vectors of two classes, matrices of more."""
    outputs, targets = (np.asarray(value) for value in args[:2])
    if targets.dtype != bool:
        classes = list(dict.fromkeys([*targets.tolist(), *outputs.tolist()]))
        outputs, targets = (np.array([[x == c for c in classes] for x in v.tolist()]) for v in (outputs, targets))
        if len(classes) <= 2:
            outputs, targets = outputs[:, 0], targets[:, 0]
    elif outputs.dtype != bool:
        outputs = right_classify([outputs], {"threshold": kwargs.get("threshold", 0.5)})
    if targets.ndim == 2 and targets.shape[1] == 1:
        outputs, targets = outputs[:, 0], targets[:, 0]
    return outputs, targets


def right_confusion(args: list[Any], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """Return the eight values for any of the overloads; of two labels the first target is the positive one."""
    outputs, targets = _as_bools(args, kwargs)
    if targets.ndim == 1:
        return *two_class_metrics(outputs, targets), two_class_matrix(outputs, targets)
    matrix = targets.T.astype(int) @ outputs.astype(int)
    return *many_class_metrics(outputs, targets, kwargs.get("weighted", True)), matrix


def _like_the_students(right: tuple[Any, ...], result: Any) -> Any:
    same_size = right[:7] if isinstance(result, tuple | list) and len(result) == 7 else right
    return list(same_size) if isinstance(result, list) else same_size


def _overload(args: Sequence[Any]) -> int:
    """Tell how far arguments are from two bool vectors: columns, matrices and labels come down to them.

    What is none of the overloads of the statement, which have checks, raises ValueError.
    """
    outputs, targets = map(np.asarray, args)
    labels, shape = targets.dtype != bool, targets.shape
    if outputs.shape != shape or len(shape) > (1 if labels else 2) or shape[1:] in ((0,), (2,)):
        raise ValueError(f"no overload takes {outputs.shape} and {shape}")
    columns = min(shape[1], 2) if len(shape) > 1 else 0
    return 6 if labels else 2 * columns + (outputs.dtype != bool)


ACCURACY = Part(right_accuracy, level=_overload)
CONFUSION = Part(right_confusion, adapt=_like_the_students, level=_overload)
helped_by("accuracy", classify_outputs=CLASSIFY, accuracy=ACCURACY)
for _row in ("confusion_matrix_binary", "confusion_matrix_multiclass"):
    helped_by(_row, classify_outputs=CLASSIFY, accuracy=ACCURACY, one_hot_encoding=ONE_HOT, confusion_matrix=CONFUSION)


# -- accuracy --------------------------------------------------------------------------------------------------------


ROWS = 990  # of one column: counts of eight bits are too small for so many, and helpers still know what is right
MANY = st.sampled_from([False, False, False, True])


def repeated(outputs: NDArray[Any], targets: Bools, many: bool) -> tuple[NDArray[Any], Bools]:
    """Repeat the first pattern, if there are to be many."""
    copies = ROWS // outputs[0].size - len(outputs) if many else 0
    first, second = (np.concatenate([each, np.repeat(each[:1], copies, axis=0)]) for each in (outputs, targets))
    return first, second


def _accuracy(solution: Solution, outputs: Any, targets: Any, **options: Any) -> None:
    expected = right_accuracy([outputs, targets], options)
    obtained = as_number(solution.accuracy(outputs, targets, **options))
    require(close(obtained, expected), expected=expected, obtained=obtained)


@check("accuracy.bool.vector")
@for_all(case=bool_pairs(), many=MANY)
def fraction_of_equal_elements(solution: Solution, case: tuple[Bools, Bools], many: bool) -> None:
    """La precisión es la fracción de patrones en los que la salida coincide con la salida deseada."""
    _accuracy(solution, *repeated(*case, many))


@check("accuracy.bool.column")
@for_all(20, case=bool_pairs(), many=MANY)
def one_column_is_compared_like_a_vector(solution: Solution, case: tuple[Bools, Bools], many: bool) -> None:
    """Con matrices de una sola columna, la precisión es la de los vectores."""
    outputs, targets = repeated(*case, many)
    _accuracy(solution, outputs.reshape(-1, 1), targets.reshape(-1, 1))


@check("accuracy.bool.matrix")
@for_all(case=class_pairs(), many=MANY)
def a_row_is_right_when_all_its_columns_are(
    solution: Solution, case: tuple[NDArray[np.int64], NDArray[np.int64], int], many: bool
) -> None:
    """Con más de dos columnas, un patrón está bien clasificado si coinciden todas las columnas de su fila."""
    outputs, targets, C = case
    _accuracy(solution, *repeated(one_hot(outputs, C), one_hot(targets, C), many))


def bool_targets(outputs: Reals) -> st.SearchStrategy[Bools]:
    """Draw targets for these outputs."""
    return st.lists(st.booleans(), min_size=len(outputs), max_size=len(outputs)).map(np.array)


@st.composite
def outputs_and_targets(draw: st.DrawFn) -> tuple[Reals, Bools]:
    """Draw real outputs, often exactly 0.5, and bool targets."""
    pairs = draw(st.lists(st.tuples(EIGHTHS, st.booleans()), min_size=1, max_size=10))
    outputs, targets = zip(*pairs, strict=True)
    return np.array(outputs, dtype=draw(st.sampled_from(WIDTHS))), np.array(targets)


@st.composite
def outputs_targets_threshold(draw: st.DrawFn) -> tuple[Reals, Bools, float]:
    """Draw real outputs, bool targets, and a threshold that is not 0.5."""
    outputs, threshold = draw(outputs_and_thresholds())
    return outputs, draw(bool_targets(outputs)), threshold


@st.composite
def scores_and_targets(draw: st.DrawFn) -> tuple[Reals, Bools]:
    """Draw real outputs of three classes or more, without ties, and one-hot targets."""
    outputs = draw(score_matrices())
    N, C = outputs.shape
    return outputs, one_hot(np.array(draw(st.lists(st.integers(0, C - 1), min_size=N, max_size=N))), C)


@check("accuracy.real.vector")
@for_all(case=outputs_and_targets(), many=MANY)
def real_outputs_are_classified_first(solution: Solution, case: tuple[Reals, Bools], many: bool) -> None:
    """Las salidas reales se clasifican antes con el umbral, 0.5 por defecto."""
    _accuracy(solution, *repeated(*case, many))


@check("accuracy.real.threshold")
@for_all(case=outputs_targets_threshold())
def the_threshold_of_the_accuracy_is_an_option(solution: Solution, case: tuple[Reals, Bools, float]) -> None:
    """El umbral se puede cambiar con el parámetro threshold."""
    outputs, targets, threshold = case
    _accuracy(solution, outputs, targets, threshold=threshold)


@check("accuracy.real.column")
@for_all(20, case=outputs_targets_threshold())
def one_real_column_is_classified_with_the_threshold(solution: Solution, case: tuple[Reals, Bools, float]) -> None:
    """Con una sola columna de salidas reales se aplica el umbral."""
    outputs, targets, threshold = case
    _accuracy(solution, outputs.reshape(-1, 1), targets.reshape(-1, 1), threshold=threshold)


@check("accuracy.real.matrix")
@for_all(case=scores_and_targets(), threshold=NO_THRESHOLD, many=MANY)
def a_row_is_right_when_its_largest_output_is(
    solution: Solution, case: tuple[Reals, Bools], threshold: float | None, many: bool
) -> None:
    """Con más de dos columnas de salidas reales, acierta la fila cuyo mayor valor está en la clase deseada."""
    _accuracy(solution, *repeated(*case, many), **({} if threshold is None else {"threshold": threshold}))


@check("accuracy.untouched")
def accuracy_leaves_its_arguments(solution: Solution) -> None:
    """Las salidas y las salidas deseadas quedan como estaban."""
    targets = np.array([True, False, True])
    untouched(solution, "accuracy", np.array([0.25, 0.5, 0.75]), targets)
    untouched(solution, "accuracy", np.array([True, True, False]), targets)
    scores = np.array([[0.25, 0.5, 0.125], [0.5, 0.25, 0.125]])
    untouched(solution, "accuracy", scores, one_hot(np.array([0, 2]), 3))


# -- confusion_matrix: two classes -----------------------------------------------------------------------------------

Wanted = Sequence[int]
ALL: Wanted = range(7)


def _require_metrics(value: Any, expected: Sequence[Sequence[float]], wanted: Wanted = ALL) -> None:
    """Require the wanted metrics of one of the expected readings."""
    obtained, _ = as_metrics(value)
    differences = [
        first_difference([obtained[i] for i in wanted], [reading[i] for i in wanted]) for reading in expected
    ]
    if None in differences:
        return
    worst = wanted[max(position for position in differences if position is not None)]
    reading = expected[differences.index(wanted.index(worst))]
    require(False, metric=METRICS[worst], expected=reading[worst], obtained=obtained[worst])


def _confusion(
    solution: Solution, outputs: Any, targets: Any, expected: Sequence[float], wanted: Wanted = ALL, **options: Any
) -> None:
    value = solution.confusion_matrix(outputs, targets, **options)
    try:
        _require_metrics(value, [expected], wanted)
    except CheckFailed as failure:
        wrong = _wrong_readings(*_as_bools([outputs, targets], options), weighted=options.get("weighted", True))
        for message, reading in wrong.items() if "metric" in failure.facts else ():
            if close(as_metrics(value)[0], reading):
                raise CheckFailed(failure.facts, message) from None
        raise


def _wrong_readings(outputs: Bools, targets: Bools, weighted: bool) -> dict[str, list[float]]:
    """Return the metrics that come of two mistakes, whatever is being checked, by the sentences that say so."""
    if targets.ndim == 1:
        return {"form.exchanged": two_class_metrics(targets, outputs)}
    average = f"confusion_matrix_multiclass.bool.{'weighted' if weighted else 'macro'}"
    return {
        average: many_class_metrics(outputs, targets, not weighted),
        "form.exchanged": many_class_metrics(outputs, targets, weighted, exchanged=True),
    }


def with_hits(outputs: Any, targets: Any) -> tuple[Any, Any]:
    """Append a true positive and a true negative: no metric is 0/0."""
    both = np.array([True, False])
    return np.concatenate([outputs, both.astype(outputs.dtype)]), np.concatenate([targets, both])


@check("confusion_matrix_binary.bool.values")
@for_all(case=bool_pairs(), many=MANY)
def the_seven_metrics_in_their_order(solution: Solution, case: tuple[Bools, Bools], many: bool) -> None:
    """Devuelve precisión, tasa de error, sensibilidad, especificidad, VPP, VPN y F1, por este orden."""
    outputs, targets = repeated(*with_hits(*case), many)
    _confusion(solution, outputs, targets, two_class_metrics(outputs, targets))


@check("confusion_matrix_binary.bool.matrix")
@for_all(20, case=bool_pairs(), many=MANY)
def rows_are_what_is_real(solution: Solution, case: tuple[Bools, Bools], many: bool) -> None:
    """La matriz de confusión, si se devuelve, es [[VN, FP], [FN, VP]]: en las filas, lo real."""
    outputs, targets = repeated(*with_hits(*case), many)
    _, matrix = as_metrics(solution.confusion_matrix(outputs, targets))
    expected = two_class_matrix(outputs, targets)
    require(matrix is None or np.array_equal(matrix, expected), expected=expected, obtained=matrix)


def _register_zero(metric: str, outputs: Any, targets: Any, sentence: str) -> None:
    @for_all(10, size=st.integers(1, 5), other=st.lists(st.booleans(), min_size=5, max_size=5))
    def nothing_over_nothing(solution: Solution, size: int, other: list[bool]) -> None:
        vectors = [np.array([value] * size if value is not None else other[:size]) for value in (outputs, targets)]
        expected = two_class_metrics(vectors[0], vectors[1])
        _confusion(solution, vectors[0], vectors[1], expected, [METRICS.index(metric)])

    nothing_over_nothing.__doc__ = sentence
    check(f"confusion_matrix_binary.zero.{metric}")(nothing_over_nothing)


_register_zero("recall", None, False, "Sin positivos reales (VP = FN = 0), la sensibilidad vale 1.")
_register_zero("specificity", None, True, "Sin negativos reales (VN = FP = 0), la especificidad vale 1.")
_register_zero("PPV", False, None, "Sin ningún positivo predicho (VP = FP = 0), el VPP vale 1.")
_register_zero("NPV", True, None, "Sin ningún negativo predicho (VN = FN = 0), el VPN vale 1.")


@check("confusion_matrix_binary.zero.F1")
@for_all(10, FP=st.integers(1, 3), FN=st.integers(1, 3), TN=st.integers(0, 2))
def two_zeros_give_an_f1_of_zero(solution: Solution, FP: int, FN: int, TN: int) -> None:
    """Si la sensibilidad y el VPP son 0, F1 vale 0."""
    outputs = np.array([True] * FP + [False] * (FN + TN))
    targets = np.array([False] * FP + [True] * FN + [False] * TN)
    _confusion(solution, outputs, targets, two_class_metrics(outputs, targets), [6])


@check("confusion_matrix_binary.zero.none_right")
@for_all(20, FP=st.integers(0, 3), FN=st.integers(0, 3), TP=st.integers(0, 1), TN=st.integers(0, 1))
def nothing_right_over_something_is_zero(solution: Solution, FP: int, FN: int, TP: int, TN: int) -> None:
    """Las métricas solo valen 1 si son 0/0: si hay fallos y ningún acierto (0/n), valen 0."""
    FP += not FP + FN
    outputs = np.array([True] * (FP + TP) + [False] * (FN + TN))
    targets = np.array([False] * FP + [True] * (TP + FN) + [False] * TN)
    wholes = TP + FN, TN + FP, TP + FP, TN + FN
    wanted = [metric for metric, whole in enumerate(wholes, 2) if whole]  # 0/0 has checks of its own
    _confusion(solution, outputs, targets, two_class_metrics(outputs, targets), wanted)


@check("confusion_matrix_binary.zero.all_negative")
def all_negative_and_said_so(solution: Solution) -> None:
    """Si todos los patrones son verdaderos negativos, sensibilidad, VPP y F1 valen 1."""
    for size in (1, 3):
        nothing = np.zeros(size, dtype=bool)
        _confusion(solution, nothing, nothing, two_class_metrics(nothing, nothing), [2, 4, 6])


@check("confusion_matrix_binary.real.default")
@for_all(case=outputs_and_targets())
def real_outputs_take_the_threshold(solution: Solution, case: tuple[Reals, Bools]) -> None:
    """Las salidas reales se pasan antes por el umbral, 0.5 por defecto: positivo si es mayor o igual."""
    outputs, targets = with_hits(*case)
    _confusion(solution, outputs, targets, two_class_metrics(outputs >= 0.5, targets))


@check("confusion_matrix_binary.real.threshold")
@for_all(case=outputs_targets_threshold())
def the_threshold_of_the_matrix_is_an_option(solution: Solution, case: tuple[Reals, Bools, float]) -> None:
    """El umbral se puede cambiar con el parámetro threshold."""
    outputs, targets = with_hits(*case[:2])
    expected = two_class_metrics(outputs >= case[2], targets)
    _confusion(solution, outputs, targets, expected, threshold=case[2])


@check("confusion_matrix_binary.untouched")
def the_two_class_matrix_leaves_its_arguments(solution: Solution) -> None:
    """Las salidas y las salidas deseadas quedan como estaban."""
    targets = np.array([True, False, True, False])
    untouched(solution, "confusion_matrix", np.array([0.25, 0.5, 0.75, 0.125]), targets)
    untouched(solution, "confusion_matrix", np.array([True, True, False, False]), targets)


# -- confusion_matrix: several classes -------------------------------------------------------------------------------

ClassPairs = tuple[NDArray[np.int64], NDArray[np.int64], int]


def with_class_hits(case: ClassPairs) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """Append one pattern of each class that is classified right: no metric of a class is 0/0."""
    outputs, targets, C = case
    return np.concatenate([outputs, np.arange(C)]), np.concatenate([targets, np.arange(C)]), C


def _one_hot_pair(case: ClassPairs) -> tuple[Bools, Bools]:
    return one_hot(case[0], case[2]), one_hot(case[1], case[2])


@check("confusion_matrix_multiclass.bool.accuracy")
@for_all(case=class_pairs())
def accuracy_and_error_rate_are_of_the_whole(solution: Solution, case: ClassPairs) -> None:
    """La precisión y la tasa de error son las de todo el conjunto, no medias de las de cada clase."""
    outputs, targets = _one_hot_pair(with_class_hits(case))
    for weighted in (True, False):
        expected = many_class_metrics(outputs, targets, weighted)
        _confusion(solution, outputs, targets, expected, [0, 1], weighted=weighted)


AVERAGED = range(2, 7)


@check("confusion_matrix_multiclass.bool.weighted")
@for_all(case=class_pairs(), many=MANY)
def the_average_is_weighted_by_default(solution: Solution, case: ClassPairs, many: bool) -> None:
    """Por defecto, cada métrica es la media de las de las clases ponderada por los patrones deseados de cada una."""
    outputs, targets = repeated(*_one_hot_pair(with_class_hits(case)), many)
    expected = many_class_metrics(outputs, targets, True)
    _confusion(solution, outputs, targets, expected, AVERAGED)
    _confusion(solution, outputs, targets, expected, AVERAGED, weighted=True)


@check("confusion_matrix_multiclass.bool.macro")
@for_all(case=class_pairs())
def the_average_is_plain_without_weights(solution: Solution, case: ClassPairs) -> None:
    """Con weighted=False, cada métrica es la media simple de las de las clases."""
    outputs, targets = _one_hot_pair(with_class_hits(case))
    _confusion(solution, outputs, targets, many_class_metrics(outputs, targets, False), AVERAGED, weighted=False)


@check("confusion_matrix_multiclass.bool.matrix")
@for_all(20, case=class_pairs(), many=MANY)
def the_matrix_counts_real_against_predicted(solution: Solution, case: ClassPairs, many: bool) -> None:
    """La matriz de confusión, si se devuelve, cuenta en la fila i y columna j los patrones de i clasificados como j."""
    outputs, targets = repeated(*_one_hot_pair(with_class_hits(case)), many)
    expected = targets.T.astype(int) @ outputs.astype(int)
    _, matrix = as_metrics(solution.confusion_matrix(outputs, targets))
    require(matrix is None or np.array_equal(matrix, expected), expected=expected, obtained=matrix)


@check("confusion_matrix_multiclass.zero.weighted")
@for_all(case=class_pairs(max_size=6))
def classes_without_patterns_do_not_spoil_the_average(solution: Solution, case: ClassPairs) -> None:
    """Una clase sin patrones, o que nunca se predice, no estropea la media: sus métricas 0/0 valen 1."""
    outputs, targets = _one_hot_pair(case)
    _confusion(solution, outputs, targets, many_class_metrics(outputs, targets, True), AVERAGED)


@check("confusion_matrix_multiclass.zero.macro")
@for_all(case=class_pairs(max_size=6))
def classes_never_predicted_do_not_spoil_the_plain_average(solution: Solution, case: ClassPairs) -> None:
    """Una clase que nunca se predice tiene VPP 1 (es 0/0), y si no acierta ninguno F1 0, también en la media simple."""
    outputs, targets, C = case
    outputs, targets = np.concatenate([outputs, np.zeros(C, dtype=int)]), np.concatenate([targets, np.arange(C)])
    pair = _one_hot_pair((outputs, targets, C))
    _confusion(solution, *pair, many_class_metrics(*pair, False), AVERAGED, weighted=False)


@check("confusion_matrix_multiclass.zero.absent")
@for_all(20, case=class_pairs(max_size=6))
def classes_without_patterns_count_in_the_plain_average(solution: Solution, case: ClassPairs) -> None:
    """En la media simple cuentan todas las columnas, también las de las clases sin patrones: sus 0/0 valen 1."""
    outputs, targets, C = case
    pair = _one_hot_pair((outputs, targets, C + 1))  # the last class appears nowhere
    _confusion(solution, *pair, many_class_metrics(*pair, False), AVERAGED, weighted=False)


@check("confusion_matrix_multiclass.column")
@for_all(20, case=bool_pairs(), weighted=st.booleans())
def one_column_gives_the_two_class_metrics(solution: Solution, case: tuple[Bools, Bools], weighted: bool) -> None:
    """Con matrices de una sola columna, el resultado es el de dos clases."""
    outputs, targets = with_hits(*case)
    columns, expected = (outputs.reshape(-1, 1), targets.reshape(-1, 1)), two_class_metrics(outputs, targets)
    options: dict[str, Any] = {} if weighted else {"weighted": False}
    _confusion(solution, *columns, expected, **options)


@check("confusion_matrix_multiclass.real.column")
@for_all(20, case=outputs_targets_threshold())
def one_real_column_gives_the_two_class_metrics(solution: Solution, case: tuple[Reals, Bools, float]) -> None:
    """Con una sola columna de salidas reales, se aplica el umbral y el resultado es el de dos clases."""
    outputs, targets = with_hits(*case[:2])
    columns = outputs.reshape(-1, 1), targets.reshape(-1, 1)
    _confusion(solution, *columns, two_class_metrics(outputs >= 0.5, targets))
    _confusion(solution, *columns, two_class_metrics(outputs >= case[2], targets), threshold=case[2])


def _with_score_hits(case: tuple[Reals, Bools]) -> tuple[Reals, Bools]:
    outputs, targets = case
    C = outputs.shape[1]
    return np.concatenate([outputs, np.eye(C, dtype=outputs.dtype)]), np.concatenate([targets, np.eye(C, dtype=bool)])


@check("confusion_matrix_multiclass.real.weighted")
@for_all(case=scores_and_targets(), threshold=NO_THRESHOLD, many=MANY)
def real_rows_are_classified_first(
    solution: Solution, case: tuple[Reals, Bools], threshold: float | None, many: bool
) -> None:
    """Las salidas reales de varias clases se clasifican antes: en cada fila, la clase del mayor valor."""
    outputs, targets = repeated(*_with_score_hits(case), many)
    options: dict[str, Any] = {} if threshold is None else {"threshold": threshold}
    _confusion(solution, outputs, targets, many_class_metrics(right_classify([outputs], {}), targets, True), **options)


@check("confusion_matrix_multiclass.real.macro")
@for_all(20, case=scores_and_targets())
def real_rows_take_the_option_weighted(solution: Solution, case: tuple[Reals, Bools]) -> None:
    """El parámetro weighted también vale con salidas reales."""
    outputs, targets = _with_score_hits(case)
    expected = many_class_metrics(right_classify([outputs], {}), targets, False)
    _confusion(solution, outputs, targets, expected, weighted=False)


# Label vectors.


@st.composite
def label_cases(
    draw: st.DrawFn, *, mixed: bool = False, max_classes: int = 7
) -> tuple[NDArray[Any], NDArray[Any], list[Any]]:
    """Draw (outputs, targets, classes) of three classes or more, each of them hit once at least, in any order."""
    outputs, targets, C = with_class_hits(draw(class_pairs(max_size=6, max_classes=max_classes)))
    classes = draw(_labels_of_classes(C, mixed))
    order = draw(st.permutations(range(len(outputs))))
    return (
        as_vector([classes[outputs[i]] for i in order]),
        as_vector([classes[targets[i]] for i in order]),
        classes,
    )


@st.composite
def _labels_of_classes(draw: st.DrawFn, C: int, mixed: bool) -> list[Any]:
    if mixed:
        return draw(distinct_labels(C, mixed=True))
    numbers = st.integers(0, 9)
    kind = draw(st.sampled_from([st.text("abcdefgh", min_size=1, max_size=2), numbers, numbers.map(float)]))
    return draw(st.lists(kind, min_size=C, max_size=C, unique=True))


def _columns(labels: NDArray[Any], classes: list[Any]) -> Bools:
    return np.array([[label == name for name in classes] for label in labels.tolist()])


def _labels(
    solution: Solution, outputs: NDArray[Any], targets: NDArray[Any], classes: list[Any], **options: Any
) -> None:
    pair = _columns(outputs, classes), _columns(targets, classes)
    _confusion(solution, outputs, targets, many_class_metrics(*pair, options.get("weighted", True)), **options)


@check("confusion_matrix_multiclass.labels.values")
@for_all(case=label_cases())
def labels_are_encoded_alike_in_both_vectors(
    solution: Solution, case: tuple[NDArray[Any], NDArray[Any], list[Any]]
) -> None:
    """Con vectores de etiquetas, salidas y salidas deseadas se codifican con las mismas clases, en el mismo orden."""
    _labels(solution, *case)


@check("confusion_matrix_multiclass.labels.macro")
@for_all(20, case=label_cases())
def labels_take_the_option_weighted(solution: Solution, case: tuple[NDArray[Any], NDArray[Any], list[Any]]) -> None:
    """El parámetro weighted también vale con vectores de etiquetas."""
    _labels(solution, *case, weighted=False)


@check("confusion_matrix_multiclass.labels.mixed")
@for_all(20, case=label_cases(mixed=True))
def labels_of_several_types_are_classes(solution: Solution, case: tuple[NDArray[Any], NDArray[Any], list[Any]]) -> None:
    """Las etiquetas pueden ser de cualquier tipo, también mezcladas."""
    _labels(solution, *case)


@check("confusion_matrix_multiclass.labels.matrix")
@for_all(20, case=label_cases(max_classes=4))
def the_matrix_of_labels_counts_pairs(solution: Solution, case: tuple[NDArray[Any], NDArray[Any], list[Any]]) -> None:
    """La matriz de confusión de las etiquetas, si se devuelve, tiene lo real en las filas, en algún orden de clases."""
    outputs, targets, classes = case
    expected = _columns(targets, classes).T.astype(int) @ _columns(outputs, classes).astype(int)
    _, matrix = as_metrics(solution.confusion_matrix(outputs, targets))
    orders = (list(order) for order in itertools.permutations(range(len(classes))))
    require(
        matrix is None or any(np.array_equal(matrix, expected[np.ix_(order, order)]) for order in orders),
        expected=expected,
        obtained=matrix,
    )


@st.composite
def two_label_cases(draw: st.DrawFn) -> tuple[NDArray[Any], NDArray[Any], list[Any]]:
    """Draw (outputs, targets, classes) of two classes, both hit once at least, in any order."""
    outputs, targets = with_hits(*draw(bool_pairs(max_size=6)))
    classes = draw(_labels_of_classes(2, False))
    order = draw(st.permutations(range(len(outputs))))
    return (
        as_vector([classes[int(outputs[i])] for i in order]),
        as_vector([classes[int(targets[i])] for i in order]),
        classes,
    )


@check("confusion_matrix_multiclass.labels.two")
@for_all(case=two_label_cases(), weighted=st.booleans())
def two_labels_give_the_two_class_metrics(
    solution: Solution, case: tuple[NDArray[Any], NDArray[Any], list[Any]], weighted: bool
) -> None:
    """Con etiquetas de dos clases, el resultado es el de dos clases: una de ellas, cualquiera, es la positiva."""
    outputs, targets, classes = case
    readings = [
        two_class_metrics(_columns(outputs, classes)[:, column], _columns(targets, classes)[:, column])
        for column in range(2)
    ]
    options = {} if weighted else {"weighted": False}
    _require_metrics(solution.confusion_matrix(outputs, targets, **options), readings)


@check("confusion_matrix_multiclass.labels.positive")
@for_all(1, drawn=st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=5, max_size=20))
def the_positive_label_goes_by_appearance(solution: Solution, drawn: list[tuple[int, int]]) -> None:
    """Las dos clases se toman en orden de aparición: la positiva no depende del orden alfabético de las etiquetas."""
    failures = []
    cases = [([0, 0, 1, 1, 0], [0, 1, 1, 0, 0]), ([0, 0, 1, 1, 1], [0, 1, 1, 0, 1])]  # the first has more, or fewer
    outputs, targets = zip((0, 0), *drawn, (1, 1), strict=True)
    cases.append(([*outputs], [*targets]))
    for which in (0, 1):  # which of the two is positive is free, but it is always the same one
        try:
            numbers = itertools.permutations((0, 1))  # which are not False and True
            pairs = itertools.chain(itertools.permutations(("no", "ok", "a", "z"), 2), numbers)
            for pair, case in itertools.product(pairs, cases):
                said, true = (np.array(pair)[each] for each in case)  # both begin with the first one
                _confusion(solution, said, true, two_class_metrics(said == pair[which], true == pair[which]))
            return
        except CheckFailed as failure:
            failures.append(failure)
    raise failures[0]


@check("confusion_matrix_multiclass.labels.missing")
def a_class_that_is_never_said_counts(solution: Solution) -> None:
    """Si una clase no aparece entre las salidas, sigue contando como clase."""
    for outputs, targets in ((list("aabba"), list("aabbc")), (list("bbbabb"), list("caabcb"))):
        _labels(solution, np.array(outputs), np.array(targets), sorted(set(targets)))


@check("confusion_matrix_multiclass.labels.unknown")
def a_label_that_no_target_has_counts_or_is_refused(solution: Solution) -> None:
    """Si entre las salidas hay una etiqueta que no está entre las deseadas, cuenta como fallo o se avisa."""
    for outputs, targets in (
        (list("aabbd"), list("aabbc")),
        (list("dbcaab"), list("cbcabb")),
        (list("abcab"), list("abbab")),  # a third class only in the outputs
    ):
        with suppress(StudentError):
            _labels(solution, np.array(outputs), np.array(targets), sorted(set(targets + outputs)))
            _, matrix = as_metrics(solution.confusion_matrix(np.array(outputs), np.array(targets)))
            whole = matrix is None or matrix.sum() == len(targets)
            require(whole, metric="matrix.sum()", expected=len(targets), obtained=matrix)


@check("confusion_matrix_multiclass.untouched")
def the_matrix_of_classes_leaves_its_arguments(solution: Solution) -> None:
    """Las salidas y las salidas deseadas quedan como estaban."""
    targets = one_hot(np.array([0, 1, 2, 2]), 3)
    untouched(solution, "confusion_matrix", one_hot(np.array([0, 1, 2, 1]), 3), targets)
    untouched(solution, "confusion_matrix", np.eye(4, 3) + np.array([0.125, 0.25, 0.375]), targets)
    untouched(solution, "confusion_matrix", np.array(list("abca")), np.array(list("abcc")))
