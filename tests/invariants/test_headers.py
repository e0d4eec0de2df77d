"""The first line is what it is: names, or data, or names that come again further down."""

import numpy as np
import pytest
from budget import budget
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.tables import read_csv

WORDS = ["Python", "R", "male", "yes", "red", "none", "high"]


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """Write lines and return the file."""
    path = tmp_path_factory.mktemp("headers") / "t.csv"

    def write(lines):
        path.write_text("\n".join([*(",".join(map(str, line)) for line in lines), ""]))
        return path

    return write


@st.composite
def surveys(draw):
    """Draw columns of texts in which the name of the column is a value, a number or none, and a
    class.
    """
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    names = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5, unique=True))
    columns = {name: rng.choice([name, "other"], 40) for name in names}
    if draw(st.booleans()):
        columns = {"age": rng.integers(18, 60, 40), **columns}
    target = draw(st.sampled_from(["outcome", names[-1]] if "age" in columns else ["outcome"]))
    columns.setdefault(target, rng.choice(["pass", "fail"], 40))
    return list(columns), list(zip(*columns.values(), strict=True)), target


@settings(max_examples=budget(30))
@given(survey=surveys())
def test_a_header_may_be_made_of_values(file, survey):
    """A survey has a column Python with the values Python and other: the user's target, or an age,
    says what it is.
    """
    header, rows, target = survey
    assert len(read_csv(file([header, *rows]), target).targets) == 40


@settings(max_examples=budget(30))
@given(survey=surveys(), place=st.integers(0, 39), again=st.integers(1, 3))
def test_a_header_that_comes_again_is_named_as_that(file, survey, place, again):
    """Files were joined with their headers.

    Other values that equal a name do not hide it, if one column has none.
    """
    header, rows, target = survey
    header, rows = ["x", *header], [(number / 7, *row) for number, row in enumerate(rows)]
    rows = [row for row in rows if row[header.index(target)] != target]
    place = min(place, len(rows))
    for insisting in ({}, {"header": True}):
        with pytest.raises(
            ValueError,
            match=rf"t.csv: row {place + 1} repeats the header, as where files were joined",
        ):
            read_csv(
                file([header, *rows[:place], *[header] * again, *rows[place:]]), target, **insisting
            )


@settings(max_examples=budget(20))
@given(seed=st.integers(0, 10**6), texts=st.integers(2, 6))
def test_the_user_may_insist_on_either_reading(file, seed, texts):
    """Of letters alone, no program can know; each option of the refusal works."""
    rng = np.random.default_rng(seed)
    rows = [list(row) for row in rng.choice(list("xyz"), (40, texts))]
    names = rows[0] = list("xyzxyz")[:texts]
    path = file(rows)
    with pytest.raises(ValueError, match=r"seems to have no header.*--no-header") as refusal:
        read_csv(path, names[-1])
    assert ("--header, if these are names" in str(refusal.value)) == (texts <= 3)
    assert len(read_csv(path, str(texts), header=False, positive=None).targets) == 40
    if len(set(names)) == texts:
        assert len(read_csv(path, names[-1], header=True).targets) == 39


@settings(max_examples=budget(30))
@given(
    seed=st.integers(0, 10**6),
    numbers=st.integers(2, 5),
    decimals=st.integers(0, 3),
    texts=st.integers(0, 2),
)
def test_a_first_row_of_numbers_is_data_whatever_the_target_names(
    file, seed, numbers, decimals, texts
):
    """Its class may be the only one of its kind."""
    rng = np.random.default_rng(seed)
    drawn = rng.normal(20, 6, size=(40, numbers)).round(decimals)
    order = np.argsort(np.abs(drawn - 20).max(axis=1))  # the first row is an ordinary one
    cells = drawn[order].tolist()
    values = [[int(cell) if decimals == 0 else cell for cell in row] for row in cells]
    steps = np.diff(values[0])
    assume(not np.allclose(steps, steps[0]))
    kinds = ["alone", *rng.choice(["p", "q"], 39)]
    words = rng.choice(list("uvw"), (40, texts)).tolist()
    rows = [[*row, *more, kind] for row, more, kind in zip(values, words, kinds, strict=True)]
    with pytest.raises(ValueError, match=r"seems to have no header.*use --no-header"):
        read_csv(file(rows), "alone")
    assert len(read_csv(file(rows), str(len(rows[0])), header=False).targets) == 40
