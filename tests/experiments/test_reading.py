"""Files as people have them: what may be meant otherwise is refused or said, with the option that
helps.
"""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from sklearn.datasets import load_iris

from practica.cli import main
from practica.evaluation import Imputation, compare
from tests.tables import read_csv

QUICK = ["--folds", "3", "--executions", "2", "--epochs", "2", "--seed", "4"]
BOOSTING = """
from sklearn.ensemble import HistGradientBoostingClassifier
def boosting():
    return HistGradientBoostingClassifier(categorical_features="from_dtype", early_stopping=False)
"""


@pytest.fixture
def file(tmp_path, monkeypatch):
    """Write lines to a file in the current folder."""
    monkeypatch.chdir(tmp_path)

    def write(*lines):
        Path("t.csv").write_text("\n".join([*lines, ""]), encoding="utf-8")
        return "t.csv"

    return write


def run(*arguments):
    """Run a command and return what it shows."""
    return CliRunner().invoke(main, [*map(str, arguments)])


def iris_rows():
    """Return the lines of `iris.data`, as courses have it."""
    X, y = load_iris(return_X_y=True)
    names = np.array(["Iris-setosa", "Iris-versicolor", "Iris-virginica"])
    return [",".join([*map(str, row), names[label]]) for row, label in zip(X, y, strict=True)]


def test_a_file_without_header_is_refused_and_then_read_whole(file):
    """All 150 patterns, by the option that the refusal names."""
    file(*iris_rows())
    refused = run("cv", "t.csv", "--target", "Iris-setosa", *QUICK)
    assert refused.exit_code == 2
    assert (
        "t.csv seems to have no header: its first line has '5.1', '3.5', ...; use --no-header"
        in refused.stderr
    )
    assert "--target 5" in refused.stderr
    done = run("cv", "t.csv", "--target", 5, "--no-header", "--models", "knn,majority", *QUICK)
    assert done.exit_code == 0, done.output
    assert "150 patterns, 4 attributes, 3 classes" in done.stdout
    assert "Classes: Iris-setosa 50, Iris-versicolor 50, Iris-virginica 50" in done.stdout


@pytest.mark.parametrize(
    ("lines", "is_data"),
    [
        # mushrooms: letters, all of them values
        (["x,s,n,t,e", "x,y,w,t,p", "b,s,w,t,e", "x,s,n,f,e"], True),
        # wine: the class is the first
        (["1,14.23,1.71,2.43", "1,13.2,1.78,2.14", "2,12.4,0.9,1.4"], True),
        # pandas' own names
        (["0,1,2,class", "5.1,3.5,1.4,a", "4.9,3.0,1.4,b", "4.8,3.0,1.5,a"], False),
        (["1990,1991,1992,class", "5.1,3.5,1.4,a", "4.9,3.0,1.4,b"], False),
        (["a,b,class", "1,2,a", "3,4,b"], False),
        (["400.5,401.0,401.5,class", "0.1,0.2,0.3,a", "0.3,0.2,0.1,b"], False),  # wavelengths
    ],
)
def test_a_first_line_is_data_where_it_looks_like_the_others(file, lines, is_data):
    """Numbers at equal distances are names."""
    target = lines[0].split(",")[-1]
    options = {"positive": None, "least": 1}
    if is_data:
        with pytest.raises(ValueError, match="seems to have no header"):
            read_csv(file(*lines), target, **options)
        target, options = str(lines[0].count(",") + 1), options | {"header": False}
    assert len(read_csv(file(*lines), target, **options).targets) == len(lines) - (not is_data)


def test_many_repeated_rows_are_counted(file):
    """A copied row is in training and test at once; a few equal ones are chance."""
    rng = np.random.default_rng(1)
    rows = [f"{a:.3f},{b:.3f},{'xy'[i % 2]}" for i, (a, b) in enumerate(rng.normal(size=(20, 2)))]
    (note,) = read_csv(file("a,b,c", *rows, *rows[:10]), "c").notes
    assert note.startswith("10 of 30 rows repeat another one and are in training and test at once")
    assert read_csv(file("a,b,c", *rows, rows[0]), "c").notes == ()
    grouped = [f"{row},{i}" for i, row in enumerate(rows)]
    again = [*grouped, *grouped]
    assert read_csv(file("a,b,c,who", *again), "c", groups="who").notes == ()


def test_thousands_marks_are_no_decimal_commas(file):
    """Both readings are named where both are possible, and one where only one is."""
    path = file("a,b,c", '"1,234",1,x', '"2,000",2,y', '"12,555",3,x')
    with pytest.raises(
        ValueError, match=r"if it is 1234, use --thousands ','; if it is 1\.234, use --decimal ','"
    ):
        read_csv(path, "c")
    assert read_csv(path, "c", thousands=",").inputs[:, 0].tolist() == [1234, 2000, 12555]
    path = file("a,b,c", '"1,234,567.5",1,x', '"2,000.0",2,y', "999,3,x")
    with pytest.raises(ValueError, match=r"if it is 1234567.5, use --thousands ',' \("):
        read_csv(path, "c")
    assert read_csv(path, "c", thousands=",").inputs[:, 0].tolist() == [1234567.5, 2000, 999]
    path = file("a;b;c", "1.234,5;1;x", "2.000,0;2;y", "3.000,0;2;y")
    with pytest.raises(ValueError, match=r"if it is 1234,5, use --thousands '.' \("):
        read_csv(path, "c", separator=";", decimal=",")
    options = {"separator": ";", "decimal": ",", "thousands": "."}
    assert read_csv(path, "c", **options).inputs[:, 0].tolist() == [1234.5, 2000, 3000]
    # 1,23 has no groups of three
    with pytest.raises(ValueError, match=r"mixes numbers and text|not a number"):
        read_csv(file("a,b,c", '"1,23",1,x', '"2,000",2,y', "1,1,x"), "c", thousands=",")
    with pytest.raises(
        ValueError, match=r"thousands='.' must be one character other than the decimal mark"
    ):
        read_csv(path, "c", thousands=".")


@pytest.mark.parametrize("target", ["c", "a"])
@pytest.mark.parametrize("encoded", [("knn",), ()])
def test_a_row_of_another_length_is_refused_with_its_line(file, target, encoded):
    """Also for models that take holes: what is missing may be in the middle. A table without a
    header has a first line.
    """
    options = {"encoded": encoded, "whole": not encoded}
    for last in ("2,1", "2,1,y,z"):
        lines, count = ["1,2,x", "1,3,y", last], last.count(",") + 1
        sentence = f"t.csv: line 3 of the file has {count} values, and the first line has 3 columns"
        with pytest.raises(ValueError, match=sentence):
            read_csv(file(*lines), "3" if target == "c" else "1", header=False, **options)
    with pytest.raises(
        ValueError, match=r"t.csv: line 3 of the file has 2 values, and the header has 3 columns"
    ):
        read_csv(file("a,b,c", "1,2,x", "1,x", "2,5,x", "2,1,y"), target, **options)
    with pytest.raises(
        ValueError, match=r"t.csv: line 3 of the file has 4 values, and the header has 3 columns"
    ):
        read_csv(file("a,b,c", "1,2,x", "1,x,2,3", "2,5,x", "2,1,y"), target, **options)
    whole = read_csv(file("a,b,c", "1,2,x", "1,3,y", "2,5,", "2,1,y"), "a", encoded=(), whole=True)
    assert whole.columns["c"].isna().tolist() == [False, False, True, False]


def test_a_column_that_gives_the_target_away_is_named(file):
    """The class in other words, in numbers, or where it is missing.

    Not one that has both classes somewhere.
    """
    rows = [
        f"{i * i % 37 / 7:.2f},{'yn'[i % 2]},{i % 2},{'' if i % 2 else 'boat'},{'xyz'[i % 3]}"
        for i in range(60)
    ]
    table = read_csv(
        file("a,alive,code,boat,other,survived", *(f"{row},{i % 2}" for i, row in enumerate(rows))),
        "survived",
        impute=True,
    )
    (note,) = [note for note in table.notes if "each value has one class only" in note]
    assert note.startswith(
        "columns 'alive', 'code', 'boat': each value has one class only; if it was derived from "
    )
    assert note.endswith("--ignore 'alive' --ignore 'code' --ignore 'boat'.")


@pytest.mark.parametrize(
    ("days", "sentence"),
    [
        (
            [1] * 20 + [2] * 20 + [3] * 20,
            "--time has 3 different times, and 3 folds in time need 4; give --folds 2",
        ),
        (
            [1] * 57 + [2, 3, 4],
            "3 folds in time would leave some empty, for many rows have the same time",
        ),
    ],
)
def test_fewer_times_than_folds_are_refused(file, days, sentence):
    """With the number that works."""
    file("a,day,c", *(f"{i * i % 37 / 7:.2f},{day},{'xy'[i % 2]}" for i, day in enumerate(days)))
    done = run("cv", "t.csv", "--target", "c", "--time", "day", "--models", "knn", *QUICK)
    assert done.exit_code == 2
    assert sentence in done.stderr


def test_a_category_called_na_is_said_to_be_missing_and_can_be_kept(file):
    """For the models that would refuse it, and for those that would take it without a word."""
    path = file(
        "a,alley,c",
        *(f"{i * i % 37 / 7:.2f},{('NA', 'Pave', 'Grvl')[i % 3]},{'xy'[i % 2]}" for i in range(30)),
    )
    with pytest.raises(
        ValueError, match=r"column 'alley': the value is missing \('NA'\); if 'NA' is a category"
    ):
        read_csv(path, "c")
    (note,) = read_csv(path, "c", encoded=(), whole=True).notes
    assert (
        note
        == "column 'alley': 'NA' is read as a missing value; if it is a category, use --missing ''."
    )
    assert read_csv(path, "c", missing=[""]).attributes == (
        "a",
        "alley=NA",
        "alley=Pave",
        "alley=Grvl",
    )
    assert read_csv(path, "c", missing=["?"]).attributes == (
        "a",
        "alley=NA",
        "alley=Pave",
        "alley=Grvl",
    )


def holes(rows=60):
    """Return lines with a number and a text that have holes."""
    age = ["" if i % 5 == 0 else f"{i * i % 37 / 7:.2f}" for i in range(rows)]
    port = ["" if i % 7 == 0 else "SCQ"[i % 3] for i in range(rows)]
    return [
        "age,port,fare,c",
        *(f"{age[i]},{port[i]},{i * i % 53 / 3:.3f},{'xy'[i % 2]}" for i in range(rows)),
    ]


@pytest.mark.parametrize(
    "command",
    [
        ["cv"],
        ["compare", "--model", "ann:2", "--model", "knn:5", "--model", "boosting=filled:boosting"],
    ],
    ids=["cv", "compare"],
)
def test_holes_are_filled_where_that_is_asked_for(file, command):
    """For the network too, with a page; without the option the models that refuse are named."""
    file(*holes())
    Path("filled.py").write_text(BOOSTING)
    command = [command[0], "t.csv", "--target", "c", *command[1:], *QUICK]
    refused = run(*command)
    assert refused.exit_code == 2
    names = "ann, knn, svm, tree, majority" if command[0] == "cv" else "ann:2, knn:5"
    assert f"{names} cannot take missing values. --impute fills them" in refused.stderr
    done = run(*command, "--impute", "--html", "page.html", "--json", "out.json")
    assert done.exit_code == 0, done.output
    assert (
        "t.csv: 60 patterns, 7 attributes (2 columns with holes that are filled), 2 classes"
        in done.stdout
    )
    record = json.loads(Path("out.json").read_text(encoding="utf-8"))
    assert record["settings"]["imputed"] is True
    assert record["settings"]["normalization"] == "zeromean"
    attributes = ["age", "port=C", "port=Q", "port=S", "fare", "age missing", "port missing"]
    assert sorted(record["data"]["attributes"]) == sorted(attributes)


def test_nothing_of_the_test_part_fills_a_hole(file):
    """The values of the training part are those of pandas.

    The columns are those that the heading names.
    """
    table = read_csv(file(*holes()), "c", impute=True)
    raw = pd.read_csv("t.csv")
    training = np.arange(0, 60, 2)
    filled = pd.DataFrame(
        Imputation(*table.holes)(table.inputs, training), columns=table.attributes
    )
    known = raw.iloc[training]
    expected = raw.assign(
        age=raw.age.fillna(known.age.median()), port=raw.port.fillna(known.port.mode()[0])
    )
    np.testing.assert_array_equal(filled["age"], expected.age)
    for port in "SCQ":
        np.testing.assert_array_equal(filled[f"port={port}"], expected.port == port)
    np.testing.assert_array_equal(filled["age missing"], raw.age.isna())
    np.testing.assert_array_equal(filled["port missing"], raw.port.isna())
    np.testing.assert_array_equal(filled["fare"], raw.fare)
    changed = table.inputs.copy()
    changed[1::2, [0, 2]] += 100
    again = Imputation(*table.holes)(changed, training)
    np.testing.assert_array_equal(again[training], filled.to_numpy()[training])


def test_a_table_without_holes_is_the_same_with_imputation(file):
    """Nothing to fill, and no column more."""
    rows = [row for row in holes() if not row.startswith(",") and ",," not in row]
    with_it, without = (read_csv(file(*rows), "c", impute=impute) for impute in (True, False))
    assert with_it.attributes == without.attributes
    assert with_it.holes is None
    np.testing.assert_array_equal(with_it.inputs, without.inputs)


def test_a_column_without_any_value_in_a_training_part_becomes_0():
    """And what else does not fit is refused."""
    X = np.array([[np.nan, 1.0], [np.nan, 2.0], [5.0, 3.0]])
    np.testing.assert_array_equal(Imputation([0, 0])(X, np.array([0, 1])), [[0, 1], [0, 2], [5, 3]])
    with pytest.raises(
        ValueError, match=r"X has 2 columns, and categories=\[0\] has one number for each"
    ):
        Imputation([0])(X, np.array([0, 1]))


def test_the_library_fills_holes_as_a_normalization():
    """Of networks and of any estimator, on the same folds."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(40, 2))
    y = np.where(X[:, 0] > 0, "p", "q")
    X[::6, 1] = np.nan
    comparison = compare(
        ["ann:2,maxEpochs=3", "knn:3"],
        X,
        y,
        np.arange(40) % 4 + 1,
        1,
        normalization=Imputation([0, 0], [1], "minmax"),
    )
    assert comparison.settings["imputed"]
    assert comparison.settings["normalization"] == "minmax"
    assert all(np.isfinite(scores).all() for scores in comparison.of().values())
