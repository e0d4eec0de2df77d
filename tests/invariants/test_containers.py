"""A value is the same whatever holds it: for every public function, every container and every
type.
"""

import array
import collections
import datetime
import functools

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
import torch
from budget import budget
from hypothesis import given, settings
from hypothesis import strategies as st
from lanes import one_in
from strategies import class_sequences, number_pairs, one_hot

from practica import (
    ANNClassifier,
    ANNRegressor,
    accuracy,
    ann_cross_validation,
    calculate_min_max_normalization_parameters,
    calculate_zero_mean_normalization_parameters,
    classify_outputs,
    confusion_matrix,
    crossvalidation,
    hold_out,
    model_cross_validation,
    normalize_min_max,
    normalize_min_max_,
    normalize_zero_mean,
    normalize_zero_mean_,
    one_hot_encoding,
    train_class_ann,
)

KNN = "KNeighborsClassifier", {"n_neighbors": 1}
QUICK = {"numExecutions": 1, "maxEpochs": 1, "learningRate": 0.5, "random_state": 1, "n_jobs": 1}

pytestmark = pytest.mark.filterwarnings("ignore:k=", "ignore:the matrix subclass")


def read_only(values):
    """Return an array that cannot be written."""
    result = np.array(values)
    result.flags.writeable = False
    return result


def strided(values):
    """Return an array of which every other row is left out."""
    return np.repeat(np.array(values), 2, axis=0)[::2]


def backwards(values):
    """Return an array whose rows stand in memory from the last to the first."""
    return np.array(values)[::-1].copy()[::-1]


def of_type(dtype):
    """Return what makes an array of a type."""
    return functools.partial(np.array, dtype=dtype)


# --- labels ---------------------------------------------------------------------------------------

ANYTHING = {
    "list": list,
    "tuple": tuple,
    "array": np.array,
    "read-only": read_only,
    "strided": strided,
    "backwards": backwards,
    "object": lambda labels: np.fromiter(labels, dtype=object),
    "0-d arrays": lambda labels: [np.array(label) for label in labels],
    "0-d arrays in an object array": lambda labels: np.fromiter(
        [np.array(label) for label in labels], dtype=object
    ),
    "masked": lambda labels: np.ma.masked_array(labels, mask=False),
    "generator": iter,
    "deque": collections.deque,
    "Series": lambda labels: pd.Series(labels, index=range(len(labels), 0, -1)),
    "Series of objects": lambda labels: pd.Series(labels, dtype=object),
    "nullable": lambda labels: pd.Series(labels).convert_dtypes(),
    "categorical": lambda labels: pd.Series(labels).astype("category"),
    "pandas of Arrow": lambda labels: pd.Series(labels).convert_dtypes(dtype_backend="pyarrow"),
    "Index": pd.Index,
    "polars": lambda labels: pl.Series(labels),
    "scalars of a column": lambda labels: list(pl.Series(labels)),
    "Arrow": pa.array,
    "chunked": lambda labels: pa.chunked_array([labels[:1], labels[1:]]),
    "dictionary": lambda labels: pa.array(labels).dictionary_encode(),
    "scalars of Arrow": lambda labels: list(pa.array(labels)),
}
INTEGERS = ANYTHING | {
    **{
        kind: of_type(kind)
        for kind in ("i1", "i2", "i4", "u1", "u2", "u4", "u8", ">i4", "f2", "f4", "f8", "g", "c16")
    },
    **{
        f"tensor of {kind}": functools.partial(torch.tensor, dtype=kind)
        for kind in (torch.int64, torch.uint8, torch.bfloat16, torch.float16, torch.float32)
    },
    "with a gradient": lambda labels: torch.tensor(labels, dtype=torch.float32, requires_grad=True),
    "0-d tensors": lambda labels: list(torch.tensor(labels)),
    "0-d tensors of bfloat16": lambda labels: list(torch.tensor(labels, dtype=torch.bfloat16)),
    "data set of torch": lambda labels: [
        y for _, y in torch.utils.data.TensorDataset(torch.zeros(len(labels)), torch.tensor(labels))
    ],
    "array.array": lambda labels: array.array("h", labels),
    "memoryview": lambda labels: memoryview(np.array(labels)),
    "numpy's scalars": lambda labels: [np.int16(label) for label in labels],
    "types in turn": lambda labels: [
        kind(label)
        for kind, label in zip(
            [int, float, np.uint64, np.int8, np.float16] * len(labels), labels, strict=False
        )
    ],
}
TEXT = ANYTHING | {
    "numpy's strings": lambda labels: [np.str_(label) for label in labels],
    "strings of any length": of_type(np.dtypes.StringDType()),
    "string": lambda labels: pd.Series(labels, dtype="string"),
    "categorical of polars": lambda labels: pl.Series(labels, dtype=pl.Categorical),
    "enum of polars": lambda labels: pl.Series(labels, dtype=pl.Enum(sorted(set(labels)))),
    "large strings": lambda labels: pa.array(labels, type=pa.large_string()),
}
BOOLS = {name: hold for name, hold in ANYTHING.items() if "object" not in name} | {
    "tensor": torch.tensor,
    "0-d tensors": lambda labels: list(torch.tensor(labels)),
    "numpy's bools": lambda labels: list(np.array(labels)),
}
TIMES = ANYTHING | {
    **{unit: of_type(f"M8[{unit}]") for unit in ("s", "ms", "us", "ns", "h")},
    "Timestamps": lambda labels: list(map(pd.Timestamp, labels)),
    "numpy's times": lambda labels: [np.datetime64(label, "ns") for label in labels],
}
DATES = {
    "list": list,
    "D": of_type("M8[D]"),
    "ns": of_type("M8[ns]"),
    "polars": pl.Series,
    "Arrow": pa.array,
    "Timestamps": lambda labels: pd.Series(list(map(pd.Timestamp, labels))),
}
LONG = {
    name: ANYTHING[name]
    for name in ("list", "tuple", "object", "0-d arrays", "generator", "Series of objects")
}

NAMES = {
    "integers": (INTEGERS, [3, 0, 7, 1, 100]),
    "text": (TEXT, ["b", "", "ñandú", "a", "1"]),
    "bools": (BOOLS, [False, True]),
    "times": (TIMES, [datetime.datetime(2026, month, 1, 3) for month in (5, 1, 4, 2, 9)]),
    "dates": (DATES, [datetime.date(2026, month, 1) for month in (5, 1, 4, 2, 9)]),
    "long integers": (LONG, [2**63 + 1, 2**63, -1, 2**53 + 1, 2**53]),
    "long integers and floats": (LONG, [2**53 + 1, 2**53, 0.5, -1, 3]),
}


def folds_of(N):
    """Return folds in which each class of a few patterns, repeated four times, is everywhere."""
    return np.tile(np.repeat([1, 2], N), 2)


def patterns_of(N):
    """Return inputs for them."""
    return np.random.default_rng(1).normal(size=(4 * N, 2))


USES_OF_LABELS = {
    "one_hot_encoding": lambda hold, labels, _: one_hot_encoding(hold(labels)),
    "one_hot_encoding with classes": lambda hold, labels, _: one_hot_encoding(
        hold(labels), hold(list(dict.fromkeys(labels)))
    ),
    "classes of a list": lambda hold, labels, _: one_hot_encoding(
        hold(labels), list(dict.fromkeys(labels))
    ),
    "crossvalidation": lambda hold, labels, _: crossvalidation(hold(labels), 3, random_state=1),
    "confusion_matrix": lambda hold, labels, outputs: (
        confusion_matrix(hold(outputs), hold(labels)).matrix
    ),
    "targets": lambda hold, labels, outputs: confusion_matrix(outputs, hold(labels)).matrix,
    "outputs": lambda hold, labels, outputs: confusion_matrix(hold(outputs), labels).matrix,
    "ann_cross_validation": lambda hold, labels, _: (
        ann_cross_validation(
            [2], patterns_of(len(labels)), hold(labels * 4), folds_of(len(labels)), **QUICK
        ).scores
    ),
    "model_cross_validation": lambda hold, labels, _: (
        model_cross_validation(
            *KNN, patterns_of(len(labels)), hold(labels * 4), folds_of(len(labels))
        ).scores
    ),
}


@pytest.mark.parametrize(
    ("kind", "container"),
    one_in(3, [(kind, container) for kind, (holders, _) in NAMES.items() for container in holders]),
)
@settings(max_examples=budget(2))
@given(data=st.data())
def test_a_label_is_its_value_whatever_holds_it(kind, container, data):
    """Wherever labels are taken: the encoding, the folds, the matrix and the scores are those of a
    list.
    """
    holders, names = NAMES[kind]
    numbers = data.draw(class_sequences(min_classes=2, max_classes=len(names), max_size=9)).tolist()
    labels = [names[number] for number in numbers]
    outputs = data.draw(st.permutations(labels))
    for use, call in USES_OF_LABELS.items():
        expected = call(list, labels, outputs)
        np.testing.assert_array_equal(
            call(holders[container], labels, outputs), expected, err_msg=use
        )


# --- matrices -------------------------------------------------------------------------------------


def frame(make):
    """Return what makes a table with named columns."""
    return lambda rows: make(
        {f"x{place}": [row[place] for row in rows] for place in range(len(rows[0]))}
    )


MATRICES = {
    "tuples": lambda rows: tuple(map(tuple, rows)),
    "list of tuples": lambda rows: list(map(tuple, rows)),
    "list of arrays": lambda rows: list(np.array(rows)),
    "list of tensors": lambda rows: list(torch.tensor(rows)),
    "list of columns": lambda rows: [pl.Series(row) for row in rows],
    "rows of 0-d tensors": lambda rows: [list(torch.tensor(row)) for row in rows],
    "generator": lambda rows: (row for row in rows),
    "read-only": read_only,
    "strided": strided,
    "backwards": backwards,
    "Fortran": np.asfortranarray,
    "every other column": lambda rows: np.repeat(np.array(rows), 2, axis=1)[:, ::2],
    "object": of_type(object),
    "matrix": lambda rows: np.asmatrix(np.array(rows)),
    "masked": lambda rows: np.ma.masked_array(rows, mask=False),
    "memoryview": lambda rows: memoryview(np.array(rows)),
    "tensor": torch.tensor,
    "DataFrame": frame(pd.DataFrame),
    "nullable": lambda rows: frame(pd.DataFrame)(rows).convert_dtypes(),
    "pandas of Arrow": (
        lambda rows: frame(pd.DataFrame)(rows).convert_dtypes(dtype_backend="pyarrow")
    ),
    "columns of objects": lambda rows: frame(pd.DataFrame)(rows).astype(object),
    "polars": frame(pl.DataFrame),
    "Arrow": frame(pa.table),
}
NUMBERS = MATRICES | {
    **{
        kind: of_type(kind)
        for kind in ("i1", "i2", "i8", "u1", "u4", "u8", ">i4", "f2", "f4", ">f4", "f8", "g")
    },
    **{
        f"tensor of {kind}": functools.partial(torch.tensor, dtype=kind)
        for kind in (torch.int8, torch.bfloat16, torch.float16, torch.float32)
    },
    "with a gradient": lambda rows: torch.tensor(rows, dtype=torch.float32, requires_grad=True),
    "sparse tensor": lambda rows: torch.tensor(rows).to_sparse(),
    "array of rows": lambda rows: np.fromiter([np.array(row) for row in rows], dtype=object),
    "types in turn": lambda rows: [
        [kind(x) for kind, x in zip([int, np.float32, float], row, strict=False)] for row in rows
    ],
}


def one_class_each(rows):
    """Return targets of three classes for some patterns."""
    return one_hot(np.arange(len(rows)) % 3, 3)


USES_OF_NUMBERS = {
    "minimum and maximum": lambda hold, rows: np.vstack(
        calculate_min_max_normalization_parameters(hold(rows))
    ),
    "mean and deviation": lambda hold, rows: np.vstack(
        calculate_zero_mean_normalization_parameters(hold(rows))
    ),
    "normalize_min_max": lambda hold, rows: normalize_min_max(hold(rows)),
    "normalize_zero_mean": lambda hold, rows: normalize_zero_mean(hold(rows)),
    "parameters": lambda hold, rows: normalize_min_max(rows, (hold(rows[:1]), hold(rows[1:2]))),
    "classify_outputs": lambda hold, rows: classify_outputs(hold(rows)),
    "accuracy": lambda hold, rows: accuracy(hold(rows), one_class_each(rows)),
    "confusion_matrix": lambda hold, rows: (
        confusion_matrix(hold(rows), one_class_each(rows)).matrix
    ),
    "train_class_ann": lambda hold, rows: (
        train_class_ann(
            [2],
            (hold(rows), one_class_each(rows)),
            testDataset=(hold(rows), one_class_each(rows)),
            maxEpochs=1,
            random_state=1,
        ).testLosses
    ),
    "ann_cross_validation": lambda hold, rows: (
        ann_cross_validation(
            [2],
            hold(rows),
            ["a", "b", "b"] * (len(rows) // 3),
            np.arange(len(rows)) // 3 + 1,
            normalization="zeromean",
            **QUICK,
        ).scores
    ),
    "model_cross_validation": lambda hold, rows: (
        model_cross_validation(
            *KNN,
            hold(rows),
            ["a", "b", "b"] * (len(rows) // 3),
            np.arange(len(rows)) // 3 + 1,
            normalization="minmax",
        ).scores
    ),
}


@pytest.mark.parametrize("container", NUMBERS)
@settings(max_examples=budget(3))
@given(data=st.data())
def test_a_matrix_is_its_numbers_whatever_holds_it(container, data):
    """Wherever numbers are taken.

    Float16, which cannot hold what is calculated, is no exception.
    """
    N = 3 * data.draw(st.integers(2, 4))
    row = st.lists(st.integers(0, 100), min_size=3, max_size=3)
    rows = data.draw(st.lists(row, min_size=N, max_size=N))
    for use, call in USES_OF_NUMBERS.items():
        expected = call(of_type(np.float64), rows)
        given_back = call(NUMBERS[container], rows)
        # float32 stays float32, and rows or columns that lie side by side are summed in
        # another order.
        tolerance = 1e-6 if np.asarray(given_back).dtype == np.float32 else 1e-12
        np.testing.assert_allclose(given_back, expected, rtol=0, atol=tolerance, err_msg=use)


@pytest.mark.parametrize("dtype", ["?", "i1", "i2", "i4", "f2", "f4"])
@settings(max_examples=budget(10))
@given(data=st.data())
def test_the_whole_range_of_a_type_is_normalized_as_its_numbers(dtype, data):
    """Where the maximum less the minimum does not fit in the type.

    Also with the parameters of such a column.
    """
    kind = np.dtype(dtype)
    limits = {"i": np.iinfo, "f": np.finfo}[kind.kind](kind) if kind != np.bool_ else None
    far = st.sampled_from(
        [0, 1] if limits is None else [limits.min, limits.max, limits.max / 2, 0, 1]
    )
    column = np.array(data.draw(st.lists(far, min_size=2, max_size=9)), dtype=np.float64).astype(
        kind
    )[:, None]
    for normalize, calculate in (
        (normalize_min_max, calculate_min_max_normalization_parameters),
        (normalize_zero_mean, calculate_zero_mean_normalization_parameters),
    ):
        exact = normalize(column.astype(np.float64))
        for normalized in (normalize(column), normalize(column, calculate(column))):
            np.testing.assert_allclose(normalized, exact, rtol=1e-6, atol=1e-6)
    if dtype != "f4":
        expected = np.ptp(column.astype(np.float64)) > 0
        assert np.ptp(normalize_min_max(column)) == expected


@pytest.mark.parametrize("container", NUMBERS)
@pytest.mark.parametrize("in_place", [normalize_min_max_, normalize_zero_mean_])
def test_in_place_is_the_same_object_or_refused(in_place, container):
    """What cannot hold the results is named with its type; the rest has the values of the copy."""
    rows = [[1, 2], [3, 5], [4, 2]]
    dataset, copy = (
        NUMBERS[container](rows),
        {normalize_min_max_: normalize_min_max}.get(in_place, normalize_zero_mean),
    )
    if container in ("f2", "f4", ">f4", "f8", "g"):
        assert in_place(dataset) is dataset
        np.testing.assert_allclose(dataset, copy(rows), rtol=1e-3 if container == "f2" else 1e-6)
    else:
        with pytest.raises(
            TypeError, match=r"^dataset is of type \S+; only an array of floats can be normalized"
        ):
            in_place(dataset)


def test_matrices_of_numpy_and_masked_ones_are_normalized_in_place():
    """They are arrays of floats; one that is read-only is refused."""
    for make in (np.asmatrix, np.ma.masked_array):
        dataset = make(np.array([[1.0, 7.0], [3.0, 7.0]]))
        assert normalize_min_max_(dataset) is dataset
        assert np.asarray(dataset).tolist() == [[0, 0], [1, 0]]
    with pytest.raises(ValueError, match=r"^dataset is read-only"):
        normalize_min_max_(read_only([[1.0], [2.0]]))


USES_OF_ONE_HOT = {
    "accuracy": lambda hold, rows, outputs: accuracy(hold(outputs), hold(rows)),
    "confusion_matrix": lambda hold, rows, outputs: (
        confusion_matrix(hold(outputs), hold(rows)).matrix
    ),
    "crossvalidation": lambda hold, rows, _: crossvalidation(hold(rows), 2, random_state=1),
    "train_class_ann": lambda hold, rows, _: (
        train_class_ann(
            [2],
            (np.eye(len(rows)), hold(rows)),
            validationDataset=(np.eye(len(rows)), hold(rows)),
            maxEpochs=1,
            random_state=1,
        ).validationLosses
    ),
}


@pytest.mark.parametrize("container", MATRICES)
@settings(max_examples=budget(3))
@given(numbers=number_pairs(max_size=8))
def test_one_hot_rows_are_their_bools_whatever_holds_them(container, numbers):
    """Also tuples of bools, which are rows and no labels."""
    outputs, targets, C = numbers
    rows, classified = one_hot(targets, C).tolist(), one_hot(outputs, C).tolist()
    for use, call in USES_OF_ONE_HOT.items():
        expected = call(np.array, rows, classified)
        np.testing.assert_array_equal(
            call(MATRICES[container], rows, classified), expected, err_msg=use
        )


@pytest.mark.parametrize("container", [*NUMBERS])
@settings(max_examples=budget(2))
@given(values=st.lists(st.sampled_from([0, 1]), min_size=1, max_size=9))
def test_numbers_of_patterns_are_outputs_beside_bools_whatever_holds_them(container, values):
    """A column of real outputs, classified by the threshold."""
    targets = np.arange(len(values))[:, None] % 2 == 0
    given_back = confusion_matrix(NUMBERS[container]([[value] for value in values]), targets)
    np.testing.assert_array_equal(
        given_back.matrix, confusion_matrix(np.array(values) == 1, targets[:, 0]).matrix
    )


@pytest.mark.parametrize("container", [name for name in INTEGERS if name != "c16"])
def test_a_vector_of_numbers_is_outputs_beside_bools_whatever_holds_it(container):
    """Also as objects: only bools as objects are labels."""
    outputs, targets = [0, 1, 1, 0, 1], [False, True, False, False, True]
    assert accuracy(INTEGERS[container](outputs), targets) == 0.8
    assert confusion_matrix(INTEGERS[container](outputs), targets).matrix.tolist() == [
        [2, 1],
        [0, 2],
    ]
    assert classify_outputs(INTEGERS[container](outputs)).tolist() == [
        False,
        True,
        True,
        False,
        True,
    ]


# --- sizes, layers and folds ----------------------------------------------------------------------


@pytest.mark.parametrize("one", [int, np.int8, np.uint64, np.array, torch.tensor])
def test_a_number_of_patterns_is_an_integer_whatever_holds_it(one):
    """Of Python, numpy or torch; without dimensions, an array is its value."""
    np.testing.assert_array_equal(
        crossvalidation(one(9), one(2), random_state=1), crossvalidation(9, 2, random_state=1)
    )
    np.testing.assert_array_equal(
        hold_out(one(9), 0.5, random_state=1)[0], hold_out(9, 0.5, random_state=1)[0]
    )


@pytest.mark.parametrize(
    "container", [name for name in INTEGERS if name not in ("f2", "f4", "f8", "c16", "dictionary")]
)
def test_layers_and_folds_are_integers_whatever_holds_them(container):
    """Or the type is named: a float is no integer."""
    hold, inputs, targets = INTEGERS[container], patterns_of(3), ["a", "b", "b"] * 4
    folds = folds_of(3).tolist()
    expected = ann_cross_validation([3, 2], inputs, targets, folds, **QUICK).scores
    inexact = "float" in container or container in ("g", "with a gradient", "types in turn")
    for topology, given_folds in ((hold([3, 2]), folds), ([3, 2], hold(folds))):
        if inexact:
            with pytest.raises(
                TypeError, match=r"must be (an integer|integers|a list of integers)"
            ):
                ann_cross_validation(topology, inputs, targets, given_folds, **QUICK)
        else:
            scores = ann_cross_validation(topology, inputs, targets, given_folds, **QUICK).scores
            np.testing.assert_array_equal(scores, expected)


# --- refusals -------------------------------------------------------------------------------------

NO_LABELS = {
    "set": {"a", "b"},
    "frozenset": frozenset("ab"),
    "dictionary": {"a": 1},
    "text": "abab",
    "bytes": b"abab",
    "bytearray": bytearray(b"abab"),
    "nothing": None,
    "matrix": np.asmatrix("1 2; 3 4"),
    "sparse": scipy.sparse.csr_matrix(np.eye(4)),
    "sparse array": scipy.sparse.coo_array(np.eye(4)),
    "lazy": pl.LazyFrame({"y": [1, 2]}),
    "without data": torch.zeros(4, device="meta"),
    "lists": [[1], {2}],
    "sets": [{1}, {2}, {3}, {4}],
    "NaN": [1.0, float("nan"), 2.0, 1.0],
    "NaN among text": ["a", float("nan"), "b", "a"],
    "NA": pd.Series([1, None, 2, 1], dtype="Int64"),
    "NA among bools": pd.Series([True, None, False, True], dtype="boolean"),
    "NaT": np.array(["2026-01-01", "NaT", "NaT", "NaT"], dtype="M8[D]"),
    "nulls": pl.Series([1, None, 2, 1]),
    "nulls of Arrow": pa.array(["a", None, "b", "a"]),
    "masked": np.ma.masked_array([1, 2, 1, 2], mask=[0, 1, 0, 0]),
}


@pytest.mark.parametrize("given_as", NO_LABELS)
@pytest.mark.parametrize(
    "call",
    [
        one_hot_encoding,
        lambda labels: crossvalidation(labels, 2),
        lambda labels: confusion_matrix(labels, [1, 2, 2, 1]),
        lambda labels: confusion_matrix(["a", "b", "b", "a"], labels),
        lambda labels: ann_cross_validation([2], np.eye(4), labels, [1, 1, 2, 2], **QUICK),
        lambda labels: model_cross_validation(*KNN, np.eye(4), labels, [1, 1, 2, 2]),
    ],
    ids=[
        "one_hot_encoding",
        "crossvalidation",
        "outputs",
        "targets",
        "ann_cross_validation",
        "model_cross_validation",
    ],
)
def test_what_holds_no_labels_is_refused_in_one_sentence(call, given_as):
    """With what was given, or the label that belongs to no class."""
    with pytest.raises(
        (TypeError, ValueError),
        match=r"^(feature|targets|outputs|N=|a label|label \d|the number of)",
    ):
        call(NO_LABELS[given_as])


NO_NUMBERS = {
    "text": [["a", "b"]] * 4,
    "text in an array": np.array([["1", "2"]] * 4),
    "complex": np.eye(4) * 1j,
    "times": np.zeros((4, 2), dtype="M8[D]"),
    "set": {1.0, 2.0},
    "dictionary": {"x": [1, 2, 3, 4]},
    "vector": [1, 2, 3, 4],
    "cube": np.zeros((4, 2, 2)),
    "ragged": [[1, 2], [3], [4, 5], [6, 7]],
    "sparse": scipy.sparse.csr_array(np.eye(4)),
    "lazy": pl.LazyFrame({"x": [1, 2]}),
    "without data": torch.zeros((4, 2), device="meta"),
    "nothing": None,
    "column of text": pd.DataFrame({"x": [1, 2, 3, 4], "town": list("abab")}),
    "too large": [[10**400, 1]] * 4,
}


@pytest.mark.parametrize("given_as", NO_NUMBERS)
@pytest.mark.parametrize(
    "call",
    [
        calculate_min_max_normalization_parameters,
        calculate_zero_mean_normalization_parameters,
        normalize_min_max,
        normalize_zero_mean,
        lambda rows: train_class_ann([2], (rows, [True, False] * 2)),
        lambda rows: ann_cross_validation([2], rows, list("abba"), [1, 1, 2, 2], **QUICK),
        lambda rows: model_cross_validation(*KNN, rows, list("abba"), [1, 1, 2, 2]),
    ],
    ids=["min-max", "mean", "normalize", "zero mean", "train", "ann", "model"],
)
def test_what_holds_no_matrix_of_numbers_is_refused_in_one_sentence(call, given_as):
    """With its name, and the column, the row or the type."""
    with pytest.raises((TypeError, ValueError), match=r"^(dataset|trainingDataset inputs|inputs)"):
        call(NO_NUMBERS[given_as])


@pytest.mark.parametrize(
    "text", [["a", "b", "a"], np.array(["a", "b", "a"]), pd.Series(["a", "b", "a"]), [None, 1, 2]]
)
def test_bools_are_not_compared_with_text(text):
    """Whichever of the two is text: nothing could agree."""
    for outputs, targets in ((text, [True, False, True]), ([True, False, True], text)):
        with pytest.raises(TypeError, match=r"is a bool vector and .* they cannot be compared"):
            confusion_matrix(outputs, targets)


def test_so_many_labels_that_no_matrix_could_hold_them_are_refused():
    """39 GB of counts: they are identifiers, or quantities."""
    identifiers = np.arange(70_000)
    for targets in (identifiers, identifiers.astype(str)):
        with pytest.raises(
            ValueError, match=r"^there are 70000 classes, and a confusion matrix would take 39 GB"
        ):
            confusion_matrix(targets, targets)
        with pytest.raises(ValueError, match=r"^there are 70000 classes"):
            ann_cross_validation([], np.zeros((70_000, 1)), targets, identifiers % 2 + 1, **QUICK)


@settings(max_examples=budget(10))
@given(N=st.integers(4, 60), seed=st.integers(0, 99), whole=st.booleans())
def test_quantities_are_no_classes(N, seed, whole):
    """A float for each pattern trained in silence, with as many outputs as patterns."""
    quantities = np.random.default_rng(seed).permutation(N) * (1.0 if whole else 0.37)
    if whole and N <= 10:
        return
    for targets in (quantities, quantities.tolist(), quantities.astype(object)):
        for cross_validate in (
            functools.partial(ann_cross_validation, [2], **QUICK),
            functools.partial(model_cross_validation, *KNN),
        ):
            with pytest.raises(
                ValueError, match=f"^targets has {N} different numbers, .* quantities"
            ):
                cross_validate(np.zeros((N, 1)), targets, np.arange(N) % 2 + 1)


@settings(max_examples=budget(10))
@given(numbers=number_pairs(), seed=st.integers(0, 99))
def test_every_row_of_one_hot_targets_has_exactly_one_true(numbers, seed):
    """Wherever one trains or measures: a row without one, or with two, is named."""
    _, targets, C = numbers
    rows, row = one_hot(targets, C), seed % len(targets)
    right, inputs = rows.copy(), np.zeros((len(rows), 1))
    rows[row] = np.arange(C) < 2 * (seed % 2)
    named = rf"targets: row {row} has {2 * (seed % 2)} True; each row must have exactly one"
    for call in (
        lambda: train_class_ann([], (inputs, rows)),
        lambda: train_class_ann([], (inputs, right), validationDataset=(inputs, rows)),
        lambda: train_class_ann([], (inputs, right), testDataset=(inputs, rows)),
        lambda: confusion_matrix(right, rows),
        lambda: crossvalidation(rows, 2),
    ):
        with pytest.raises(ValueError, match=named):
            call()


# --- results and names ----------------------------------------------------------------------------


def test_replacing_a_metric_keeps_what_hangs_on_the_result():
    """The matrix, the scores, the folds and the classes."""
    matrix = confusion_matrix(["a", "b", "c"], ["a", "b", "a"])
    scores = model_cross_validation(*KNN, np.eye(4), list("abba"), [1, 1, 2, 2])
    for result in (matrix, scores):
        other = result._replace(accuracy=result.recall)
        assert type(other) is type(result)
        assert (other.accuracy, other[1:]) == (result.recall, result[1:])
        assert vars(other) == vars(result)


def test_the_parts_of_a_split_in_three_have_the_names_of_the_statement():
    """`hold_out(N, Pval, Ptest)`, as it writes it."""
    for parts in (
        hold_out(10, Pval=0.2, Ptest=0.3),
        hold_out(N=10, Pval=0.2, Ptest=0.3),
        hold_out(10, 0.2, Ptest=0.3),
    ):
        assert list(map(len, parts)) == [5, 2, 3]
    for wrong in ({"P": 0.2, "Pval": 0.2, "Ptest": 0.2}, {"Pval": 0.2}, {}):
        with pytest.raises(TypeError):
            hold_out(10, **wrong)


@pytest.mark.parametrize("container", [name for name in INTEGERS if name not in ("c16",)])
def test_an_estimator_takes_labels_and_quantities_whatever_holds_them(container):
    """scikit-learn checks them; what it cannot read is read before."""
    inputs, labels = patterns_of(3), [3, 1, 1] * 4
    for estimator in (ANNClassifier, ANNRegressor):
        expected, other = (
            estimator([2], maxEpochs=2, random_state=1).fit(inputs, y)
            for y in (labels, INTEGERS[container](labels))
        )
        np.testing.assert_allclose(
            other.predict(inputs).astype(float), expected.predict(inputs), atol=1e-6
        )


@pytest.mark.parametrize("container", [*NUMBERS])
@pytest.mark.filterwarnings("ignore:X has feature names")
def test_an_estimator_takes_numbers_whatever_holds_them(container):
    """To train and to predict."""
    rows, labels = [[1, 2], [3, 50], [4, 2], [100, 7]], [True, False, True, True]
    hold = NUMBERS[container]
    for estimator in (ANNClassifier, ANNRegressor):
        expected = estimator([2], maxEpochs=2, random_state=1).fit(rows, labels).predict(rows)
        other = (
            estimator([2], maxEpochs=2, random_state=1).fit(hold(rows), labels).predict(hold(rows))
        )
        np.testing.assert_allclose(other, expected, atol=1e-6)


@pytest.mark.parametrize("given_as", ["set", "frozenset"])
def test_an_estimator_refuses_what_has_no_order(given_as):
    """As the functions do."""
    with pytest.raises(TypeError, match=rf"^y=.* is a {given_as}, which has no order"):
        ANNClassifier([2]).fit(np.eye(2), NO_LABELS[given_as])
