"""The index vector goes to scikit-learn and to a file, and comes back the same."""

import hashlib
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import cross_val_predict
from sklearn.neighbors import KNeighborsClassifier

from practica.evaluation.folds import (
    fingerprint,
    read_folds,
    require_same_folds,
    to_splitter,
    write_folds,
)
from practica.reference.partition import crossvalidation

FOLDS = np.array([1, 2, 3, 1, 2, 3])


def written(folds, path):
    """Write folds to a file and return where."""
    with open(path, "w", encoding="utf-8") as file:
        write_folds(folds, file)
    return path


@given(N=st.integers(6, 60), k=st.integers(2, 6), seed=st.integers(0, 99))
def test_each_split_tests_on_one_fold_and_trains_on_the_others(N, k, seed):
    """In the order of the folds, without loss."""
    folds = crossvalidation(N, k, random_state=seed)
    splits = list(to_splitter(folds).split())
    assert len(splits) == k
    for fold, (training, test) in enumerate(splits, start=1):
        assert test.tolist() == np.flatnonzero(folds == fold).tolist()
        assert training.tolist() == np.flatnonzero(folds != fold).tolist()


def test_a_splitter_is_what_scikit_learn_takes_as_cv():
    """With one neighbour, each pattern is predicted by the nearest one of the other folds."""
    inputs = np.array([[0.0], [0.1], [0.2], [1.0], [1.1], [1.2]])
    predicted = cross_val_predict(
        KNeighborsClassifier(1), inputs, list("aaabbb"), cv=to_splitter(FOLDS)
    )
    assert "".join(predicted) == "aaabbb"


@pytest.mark.parametrize(
    ("folds", "error", "message"),
    [
        ([0, 1, 2], ValueError, "has the value 0; folds are numbered from 1"),
        ([1, 1, 3], ValueError, "fold 2 is empty"),
        ([1, 1, 1], ValueError, "fold 2 is empty; there must be two or more folds"),
        ([1.0, 2.0], TypeError, "elements of type float64; they must be integers"),
        ([], ValueError, "fold 1 is empty"),
    ],
)
def test_a_vector_that_is_no_partition_is_refused(folds, error, message):
    """scikit-learn would count zero-based folds, or test twice on nothing."""
    with pytest.raises(error, match=message):
        to_splitter(np.array(folds, dtype=int) if folds == [] else folds)


def test_the_hash_is_that_of_the_numbers_whatever_holds_them():
    """As 64-bit little-endian integers, so that any program can compute it."""
    expected = hashlib.sha256(
        b"".join(int(fold).to_bytes(8, "little") for fold in FOLDS)
    ).hexdigest()
    for same in (FOLDS, FOLDS.tolist(), FOLDS.astype(np.uint8), FOLDS.astype(">i4")):
        assert fingerprint(same) == expected
    assert fingerprint(FOLDS[::-1].copy()) != expected


def test_a_file_gives_its_vector_back(tmp_path):
    """It says what it is, in a line that CSV readers can skip."""
    path = written(FOLDS, tmp_path / "folds.csv")
    np.testing.assert_array_equal(read_folds(path), FOLDS)
    first, header, *rows = path.read_text().splitlines()
    assert (
        first == f"# crossValidationIndices of 6 patterns in 3 folds, sha256 {fingerprint(FOLDS)}"
    )
    assert (header, rows) == ("pattern,fold", ["1,1", "2,2", "3,3", "4,1", "5,2", "6,3"])


def test_repeated_folds_come_back_with_their_repetitions(tmp_path):
    """A column more; and the hash is that of all the numbers."""
    matrix = np.array([FOLDS, [2, 2, 1, 3, 1, 3]])
    path = written(matrix, tmp_path / "folds.csv")
    np.testing.assert_array_equal(read_folds(path, list("aabbcc")), matrix)
    first, header, *rows = path.read_text().splitlines()
    assert (
        first == "# crossValidationIndices of 6 patterns in 3 folds repeated 2 times, sha256"
        f" {fingerprint(matrix)}"
    )
    assert (header, rows[0], rows[6:8]) == ("repetition,pattern,fold", "1,1,1", ["2,1,2", "2,2,2"])
    assert fingerprint(matrix) != fingerprint(matrix[::-1])
    assert fingerprint(matrix[:1]) == fingerprint(FOLDS)
    with pytest.raises(ValueError, match="has the folds of 6 patterns, and here are 2"):
        read_folds(path, ["a", "b"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace("2,1,2", "2,1,1"), "its folds have the sha256"),
        (
            lambda text: text.replace("2,6,3\n", ""),
            "one repetition has 5 patterns and another one 6",
        ),
        (
            lambda text: text.replace("\n2,", "\n3,"),
            "its repetitions are 1, 3; they must be 1, 2, ...",
        ),
        (
            lambda text: text.replace("2,1,2\n2,2,2", "2,2,2\n2,1,2"),
            "row 7: it is that of pattern 2",
        ),
    ],
    ids=["changed", "short", "numbers", "order"],
)
def test_a_file_of_repetitions_that_was_changed_is_refused(tmp_path, change, message):
    """As one of a single index vector is."""
    path = written([FOLDS, [2, 2, 1, 3, 1, 3]], tmp_path / "folds.csv")
    path.write_text(change(path.read_text()))
    with pytest.raises(ValueError, match=message):
        read_folds(path)


def test_repetitions_of_different_numbers_of_folds_are_refused():
    """They would have different training sets."""
    with pytest.raises(ValueError, match="repetitions of 2 and of 3 folds; all need the same k"):
        fingerprint([FOLDS, [1, 2, 1, 2, 1, 2]])
    with pytest.raises(ValueError, match="a was tested on 1 repetitions and b on 2"):
        require_same_folds(FOLDS, np.array([FOLDS, FOLDS]), ("a", "b"))


def test_a_vector_of_another_program_is_read_without_a_hash(tmp_path):
    """A column of that name is enough."""
    (tmp_path / "folds.csv").write_text("fold\n2\n1\n2\n")
    assert read_folds(tmp_path / "folds.csv").tolist() == [2, 1, 2]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda text: text.replace("3,3", "3,2"),
            r"folds\.csv: its folds have the sha256 [0-9a-f]{12}… and its first",
        ),
        (
            lambda text: text.replace("pattern,fold", "row,part"),
            r"no column 'fold'; its columns are \['row', 'part'\]",
        ),
        (
            lambda text: text.replace("2,2", "2,b"),
            r"row 2: {'pattern': '2', 'fold': 'b'} has no whole number",
        ),
        (
            lambda text: text.replace("2,2\n3,3", "3,3\n2,2"),
            r"row 2: it is that of pattern 3; .* in their order",
        ),
        (lambda text: text.replace("2,2", "2"), r"row 2: .* has no whole number as its fold"),
        (lambda _: "", r"no column 'fold'; its columns are none"),
    ],
    ids=["changed", "other columns", "no number", "other order", "short row", "empty"],
)
def test_a_file_that_was_changed_is_refused(tmp_path, change, message):
    """What was compared on it could not be compared any more."""
    path = written(FOLDS, tmp_path / "folds.csv")
    path.write_text(change(path.read_text()))
    with pytest.raises(ValueError, match=message):
        read_folds(path)


def test_a_file_that_is_no_text_is_refused(tmp_path):
    """With a sentence, not with the codec's."""
    (tmp_path / "folds.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match=r"folds\.csv is not a text file"):
        read_folds(tmp_path / "folds.csv")


def test_two_vectors_that_differ_are_told_apart():
    """The sentence names both models and the first pattern that differs."""
    require_same_folds(FOLDS, FOLDS.copy(), ("a", "b"))
    with pytest.raises(
        ValueError,
        match=re.escape("a and b were tested on different folds (pattern 3 in fold 3 and"),
    ):
        require_same_folds(FOLDS, np.array([1, 2, 2, 1, 3, 3]), ("a", "b"))
    with pytest.raises(ValueError, match="a was tested on 6 patterns and b on 5"):
        require_same_folds(FOLDS, FOLDS[:5], ("a", "b"))
