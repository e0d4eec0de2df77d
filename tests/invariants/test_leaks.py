"""What makes a result too good is named with its remedy, and an ordinary column is not."""

import numpy as np
import pandas as pd
import pytest
from budget import budget
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tables import read_csv

SEEDS = st.integers(0, 10**6)
SETTINGS = settings(max_examples=budget(25))


@pytest.fixture(scope="module")
def notes(tmp_path_factory):
    """Return the notes on a frame, as one text, target `c`."""
    path = tmp_path_factory.mktemp("leaks") / "t.csv"

    def of(frame, **options):
        frame.to_csv(path, index=False)
        return "\n".join(read_csv(path, "c", **options).notes)

    return of


def ordinary(rng, N, classes):
    """Draw attributes as people have them, and classes that depend on the first one."""
    x = rng.normal(size=N)
    size = np.array_split(np.argsort(x + rng.normal(0, 0.6, N)), classes)
    label = np.empty(N, dtype=object)
    for number, part in enumerate(size):
        label[part] = "pqrst"[number]
    columns = {
        "x": x.round(3),
        "counts": rng.poisson(40, N),
        "age": rng.integers(18, 90, N),
        "price": (rng.exponential(100, N)).round(2),
        "income": rng.integers(900, 90_000, N),
        "town": rng.choice(["Lugo", "Vigo", "Ourense"], N),
    }
    return pd.DataFrame(columns).assign(c=label)


@SETTINGS
@given(seed=SEEDS, N=st.integers(40, 200), classes=st.integers(2, 4))
def test_ordinary_columns_are_not_taken_for_leaks(notes, seed, N, classes):
    """Counts, ages, prices with ties, whole incomes and towns say nothing too good."""
    assert notes(ordinary(np.random.default_rng(seed), N, classes)) == ""


@SETTINGS
@given(
    seed=SEEDS,
    N=st.integers(30, 200),
    start=st.integers(0, 10**5),
    step=st.sampled_from([1, 2, 10, 100, 0.5, -1, -7]),
    order=st.sampled_from(["kept", "shuffled", "reversed"]),
    deleted=st.integers(0, 8),
)
def test_an_identifier_is_named_in_any_step_and_order(notes, seed, N, start, step, order, deleted):
    """Also where rows were deleted from the table."""
    rng = np.random.default_rng(seed)
    table = ordinary(rng, N, 3).sort_values("c")  # the identifier follows the class
    table.insert(1, "number", start + step * np.arange(N))
    if step % 1 == 0:
        table = table.drop(index=rng.choice(table.index, deleted, replace=False))
    if order != "kept":
        table = table.sample(frac=1, random_state=seed) if order == "shuffled" else table[::-1]
    (note,) = [line for line in notes(table).split("\n") if "'number'" in line]
    assert note.startswith("column 'number': a number of its own for each row")
    assert "--ignore 'number'" in note


@SETTINGS
@given(
    seed=SEEDS,
    classes=st.integers(2, 4),
    sign=st.sampled_from([1, -1]),
    scale=st.sampled_from([1e-3, 1, 250]),
    holes=st.integers(0, 20),
)
def test_numbers_that_alone_separate_all_classes_are_named(
    notes, seed, classes, sign, scale, holes
):
    """The sign of a return, or a grade from which the class was cut; also with holes."""
    rng = np.random.default_rng(seed)
    table = ordinary(rng, 300, classes)
    place = pd.factorize(table["c"], sort=True)[0]
    table["today"] = sign * scale * (place + rng.uniform(0.01, 0.99, 300))
    table.loc[rng.choice(300, holes, replace=False), "today"] = np.nan
    (note,) = [line for line in notes(table, impute=True).split("\n") if "'today'" in line]
    assert "the numbers alone separate the classes" in note
    assert "--ignore 'today'" in note


@SETTINGS
@given(
    seed=SEEDS,
    form=st.sampled_from(["linear", "rounded", "log", "reciprocal"]),
    sign=st.sampled_from([1, -1]),
    holes=st.integers(0, 20),
)
def test_numbers_that_follow_a_quantity_are_named(notes, seed, form, sign, holes):
    """The price in another unit, its logarithm, or what falls as it rises; not what only helps."""
    rng = np.random.default_rng(seed)
    table = ordinary(rng, 300, 2)
    price = rng.lognormal(3, 0.5, 300)
    copy = {
        "linear": 0.92 * price + 3,
        "rounded": (0.92 * price).round(1),
        "log": np.log(price),
        "reciprocal": 1 / price,
    }
    table["c"], table["euro"] = price, sign * copy[form]
    table["hint"] = price + rng.normal(0, 2, 300)
    table.loc[rng.choice(300, holes, replace=False), "euro"] = np.nan
    given = {"impute": True, "quantity": True}
    (note,) = [line for line in notes(table, **given).split("\n") if "alone" in line]
    assert note.startswith("column 'euro': the numbers alone follow the target")
    assert "--ignore 'euro'" in note
    assert "alone" not in notes(table.drop(columns="euro"), **given)


@SETTINGS
@given(seed=SEEDS, classes=st.integers(2, 4), scale=st.sampled_from([1, 250]))
def test_one_class_of_several_may_be_apart(notes, seed, classes, scale):
    """As setosa is in iris: that is what one learns from, not a leak."""
    rng = np.random.default_rng(seed)
    table = ordinary(rng, 300, classes + 1)
    table["petal"] = scale * rng.normal(np.where(table["c"] == "p", 30, 0))
    assert notes(table) == ""


@SETTINGS
@given(
    seed=SEEDS,
    subjects=st.integers(15, 60),
    rows=st.integers(2, 20),
    shuffled=st.booleans(),
    quantity=st.booleans(),
    form=st.sampled_from(["s{}", "{}", "{}.0"]),
)
def test_a_column_of_subjects_is_named_with_groups_first(
    notes, seed, subjects, rows, shuffled, quantity, form
):
    """The class, or the quantity, belongs to the subject, whose rows repeat: leaving the column out
    leaves the leak.
    """
    rng = np.random.default_rng(seed)
    subject = np.repeat(np.arange(subjects), rows)
    table = ordinary(rng, subjects * rows, 2)
    of_subject = rng.normal(size=subjects).round(3) if quantity else np.arange(subjects) % 2
    table["c"] = of_subject[subject] if quantity else np.where(of_subject[subject], "ill", "well")
    table["who"] = [form.format(number * 3 + 5) for number in subject]
    if shuffled:
        table = table.sample(frac=1, random_state=seed)
    (note,) = [
        line
        for line in notes(table, quantity=quantity).split("\n")
        if line.startswith("column 'who': ")
    ]
    groups, ignored = note.find("--groups 'who'"), note.find("--ignore 'who'")
    assert -1 < groups < ignored
    assert "'who'" not in notes(table, quantity=quantity, groups="who")
