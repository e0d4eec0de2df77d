"""A number is the same however it is written, and what only looks like one is named."""

import functools
import re
import unicodedata

import numpy as np
import pandas as pd
import pytest
from budget import budget
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.tables import read_csv

SEEDS = st.integers(0, 10**6)
UNITS = [
    ("", "%"),
    ("$", ""),
    ("", " km"),
    ("€ ", ""),
    ("", " €"),
    ("US$", ""),
    ("", "°C"),
    ("", " m²"),
    ("USD ", ""),
    ("", " years"),
    ("", "kg"),
    ("", " km/h"),
]


@pytest.fixture(scope="module")
def read(tmp_path_factory):
    """Read a frame with the column `it`, an ordinary number and a class.

    Return the column and the notes.
    """
    path = tmp_path_factory.mktemp("written") / "t.csv"

    def of(it, **options):
        rng = np.random.default_rng(1)
        frame = pd.DataFrame(
            {"it": it, "x": rng.normal(size=len(it)).round(3), "c": rng.choice(["p", "q"], len(it))}
        )
        frame.to_csv(path, index=False)
        table = read_csv(path, "c", **options)
        is_it = [name.split("=")[0] == "it" for name in table.attributes[: table.inputs.shape[1]]]
        return table.inputs[:, is_it], "\n".join(table.notes)

    return of


def written(number, decimals, mark, thousands, sign="-"):
    """Write a number with a decimal mark and a mark between thousands."""
    text = (
        f"{abs(number):,.{decimals}f}".replace(",", "T").replace(".", mark).replace("T", thousands)
    )
    return (sign if number < 0 else "") + text


@settings(max_examples=budget(60))
@given(
    seed=SEEDS,
    unit=st.sampled_from(UNITS),
    decimals=st.integers(0, 2),
    sign=st.sampled_from("-\u2212"),
    marks=st.sampled_from(
        [
            (".", ""),
            (".", ","),
            (",", "."),
            (",", " "),
            (".", "'"),
            (",", "\u00a0"),
            (".", "\u202f"),
        ]
    ),
)
def test_numbers_with_one_unit_are_those_without_it(read, seed, unit, decimals, sign, marks):
    """And a note says so, with an example.

    What has two readings is refused with the option for each.
    """
    before, after = unit
    numbers = (np.random.default_rng(seed).normal(0, 40_000, 30)).round(decimals)
    texts = [f"{written(abs(number), decimals, *marks)}" for number in numbers]
    texts = [
        f"{sign if number < 0 else ''}{before}{text}{after}"
        for number, text in zip(numbers, texts, strict=True)
    ]
    assume(decimals or marks[1] != ".")  # 1.234 is a decimal number, as in a column without a unit
    if decimals == 0 and marks[1] == ",":
        with pytest.raises(
            ValueError,
            match=r"column 'it': .* thousands marks: if it is -?\d+, use --thousands ','; if it",
        ):
            read(texts)
    options = {} if decimals or marks[1] != "," else {"thousands": ","}
    found, notes = read(texts, **options)
    np.testing.assert_allclose(found[:, 0], numbers)
    assert f"column 'it': read as numbers without '{(before + after).strip()}': " in notes


@settings(max_examples=budget(25))
@given(
    seed=SEEDS,
    units=st.sampled_from(
        [("km", "m"), ("%", "‰"), ("kg", "g"), ("h", "min"), ("$", "€"), ("k", "bn")]
    ),
)
def test_several_units_in_a_column_are_refused(read, seed, units):
    """With a row of each: no number is what it seems."""
    rng = np.random.default_rng(seed)
    texts = [f"{number:.2f} {rng.choice(units)}" for number in rng.exponential(50, 28)]
    texts += [f"1.5 {unit}" for unit in units]
    with pytest.raises(
        ValueError,
        match=r"column 'it' has numbers in several units: row \d+ has '.*' and row \d+ has",
    ):
        read(texts)


@settings(max_examples=budget(25))
@given(
    seed=SEEDS,
    labels=st.sampled_from(
        ["p{}", "T{}", "v{}.1.2", "{}-{}", "room {}b", "0{}m", "Q{}", "grade {}"]
    ),
)
def test_what_only_holds_a_number_stays_text(read, seed, labels):
    """Labels of a few values, versions, ranges and codes."""
    texts = [
        labels.format(number, number + 1)
        for number in np.random.default_rng(seed).integers(1, 5, 40)
    ]
    found, notes = read(texts)
    assert "read as numbers" not in notes
    assert found.shape[1] == (len(set(texts)) if len(set(texts)) > 2 else 1)
    assert set(np.unique(found)) <= {0, 1}


@settings(max_examples=budget(25))
@given(
    seed=SEEDS,
    form=st.sampled_from(["{}E{}", "0{}E{}", "0{}42E00{}", "0{}e{}", "000{}{}", "{}e{}"]),
)
def test_codes_that_are_read_as_numbers_are_noted(read, seed, form):
    """1E5 is 100 000 to every program."""
    pairs = np.random.default_rng(seed).integers(1, 9, (40, 2))
    _, notes = read([form.format(*pair) for pair in pairs])
    assert "column 'it': these look like codes and are read as quantities" in notes


@settings(max_examples=budget(40))
@given(
    seed=SEEDS,
    sentinel=st.sampled_from([-999, -9999, -99, -9, -1, 999, 9999, 99999, -200, -32768, 10**6]),
    count=st.integers(2, 12),
    decimals=st.integers(0, 2),
    largest=st.sampled_from([60, 5000]),
)
def test_a_number_that_stands_for_a_missing_one_is_noted(
    read, seed, sentinel, count, decimals, largest
):
    """And the option of the note makes holes of it."""
    rng = np.random.default_rng(seed)
    values = rng.uniform(3, largest if sentinel < 0 else 60, 80).round(decimals)
    values[rng.choice(80, count, replace=False)] = sentinel
    _, notes = read(values)
    assert f"column 'it': {sentinel:g} repeats and is far from the others" in notes
    found, _ = read(values, missing=[f"{sentinel:g}"], impute=True)
    assert np.isnan(found[:, 0]).sum() == count


@settings(max_examples=budget(40))
@given(
    seed=SEEDS,
    kind=st.sampled_from(["normal", "counts", "zeros", "ages", "exponential", "grades", "signs"]),
)
def test_ordinary_numbers_have_no_such_note(read, seed, kind):
    """Counts with zeros, ages up to 99, long tails and a few levels."""
    rng = np.random.default_rng(seed)
    values = {
        "normal": rng.normal(size=80).round(1),
        "counts": rng.poisson(2, 80),
        "zeros": np.where(rng.random(80) < 0.5, 0, rng.uniform(100, 120, 80)).round(1),
        "ages": rng.integers(18, 100, 80),
        "exponential": rng.exponential(100, 80).round(2),
        "grades": rng.integers(0, 11, 80),
        "signs": rng.choice([-1, 0, 1], 80),
    }[kind]
    assert "repeats and is far" not in read(values)[1]


@settings(max_examples=budget(30))
@given(
    labels=st.lists(
        st.sampled_from(["no", "Ñandú café", "new york", "tipo a"]),
        min_size=2,
        max_size=4,
        unique=True,
    ),
    change=st.sampled_from(
        [
            str.upper,
            str.title,
            lambda s: s.replace(" ", "  ") + "\u200b",
            lambda s: unicodedata.normalize("NFD", s),
        ]
    ),
    target=st.booleans(),
)
def test_labels_that_differ_by_what_one_does_not_see_are_noted(
    tmp_path_factory, labels, change, target
):
    """`No` and `no`, blanks within, and é in two forms: of a column and of the target."""
    other = change(labels[0])
    assume(other != labels[0])
    rng = np.random.default_rng(1)
    values = rng.choice([*labels, other], 60)
    frame = pd.DataFrame({"x": rng.normal(size=60), "it": values, "c": rng.choice(["p", "q"], 60)})
    path = tmp_path_factory.mktemp("alike") / "t.csv"
    frame.to_csv(path, index=False)
    notes = "\n".join(read_csv(path, "it" if target else "c").notes)
    assert "column 'it': " in notes
    assert f"are different {'classes' if target else 'categories'}" in notes


@settings(max_examples=budget(30))
@given(seed=SEEDS, mark=st.sampled_from(",."), digits=st.integers(4, 8), small=st.booleans())
def test_the_decimal_mark_between_thousands_is_named(read, seed, mark, digits, small):
    """With the options that read it: refused where only they can be meant, and otherwise noted."""
    rng = np.random.default_rng(seed)
    numbers = rng.integers(10 ** (digits - 1), 10**digits, 30)
    if small:
        numbers[5:9] = 105
    texts = [f"{number:,}".replace(",", mark) for number in numbers]
    other = ",.".replace(mark, "")
    way_out = f"use --thousands '{mark}' --decimal '{other}'"
    read = functools.partial(read, ignore=["x"])
    if digits > 6:
        with pytest.raises(ValueError, match=rf"thousands marks: if it is \d+, {way_out}"):
            read(texts, decimal=mark)
    else:
        assert way_out in read(texts, decimal=mark)[1]
    found, notes = read(texts, decimal=other, thousands=mark)
    np.testing.assert_array_equal(found[:, 0], numbers)
    assert "--thousands" not in notes


@settings(max_examples=budget(30))
@given(
    seed=SEEDS,
    words=st.lists(
        st.sampled_from(["-", "None", "n.d.", "#DIV/0!", "<0.23", "(0.22)", "trace", "--", "NA"]),
        min_size=1,
        max_size=4,
        unique=True,
    ),
)
def test_a_text_among_numbers_has_the_option_that_reads_it(read, seed, words):
    """All of them at once, with what counted as missing before."""
    rng = np.random.default_rng(seed)
    values = [*map(str, rng.normal(size=30).round(2)), *words]
    assume(words != ["NA"])
    with pytest.raises(ValueError, match=r"mixes numbers and text.*use --missing") as refusal:
        read(values)
    options = re.findall("--missing '([^']*)'", str(refusal.value))
    assert sorted(options) == sorted(words)
    found, _ = read(values, missing=options, impute=True)
    np.testing.assert_array_equal(np.isnan(found[:, 0]), [False] * 30 + [True] * len(words))


def test_digits_with_an_e_among_codes_are_a_code(read):
    """1E8 beside 2F3 is no power of ten."""
    codes = ["1E8", "2F3", "3A1"] * 10
    found, _ = read(codes)
    np.testing.assert_array_equal(found.argmax(axis=1), [0, 1, 2] * 10)
