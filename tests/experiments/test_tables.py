"""A CSV file becomes attributes in numbers and classes, or one sentence says why it cannot."""

import math
import re
from pathlib import Path

import numpy as np
import pytest

from practica.experiments.tables import shipped
from tests.tables import read_csv


@pytest.fixture
def csv(tmp_path):
    """Write a file and give its path."""

    def write(content: str | bytes) -> Path:
        path = tmp_path / "data.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_numeric_columns_come_as_they_are_and_the_target_as_text(csv):
    """The target may stand anywhere, and numbers in it are labels."""
    table = read_csv(csv("height,kind,width\n1,1,-2.5\n3e2,0,.5\n+4,1,5\n"), "kind")
    assert table.name == "data.csv"
    assert table.attributes == ("height", "width")
    np.testing.assert_array_equal(table.inputs, [[1, -2.5], [300, 0.5], [4, 5]])
    assert table.targets.tolist() == ["1", "0", "1"]
    assert table.class_sizes() == {"1": 2, "0": 1}


def test_text_columns_are_one_hot_encoded_and_two_values_make_one_column(csv):
    """The columns are named after the value for which they are 1, in order of first appearance."""
    table = read_csv(csv("colour,sex,c\nred,m,x\nblue,f,y\ngreen,f,x\nred,m,y\n"), "c")
    assert table.attributes == ("colour=red", "colour=blue", "colour=green", "sex=m")
    np.testing.assert_array_equal(
        table.inputs, [[1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 1]]
    )


def test_separator_decimal_mark_quotes_and_spaces_are_understood(csv):
    """What spreadsheets in Spanish write, with spaces around the values."""
    table = read_csv(
        csv('"peso; kg" ;clase\n 1,5 ; "a;b"\n2,5;c \n3;c\n'), "clase", separator=";", decimal=","
    )
    assert table.attributes == ("peso; kg",)
    assert table.inputs.ravel().tolist() == [1.5, 2.5, 3.0]
    assert table.targets.tolist() == ["a;b", "c", "c"]


@pytest.mark.parametrize("separator", ["tab", "\\t", "\t"])
def test_a_tabulator_can_be_written_in_three_ways(csv, separator):
    """A shell makes the real one hard to type."""
    assert read_csv(csv("a\tc\n1\tx\n2\ty\n3\tx\n"), "c", separator=separator).inputs.shape == (
        3,
        1,
    )


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "latin-1"])
def test_the_encoding_can_be_given_and_a_byte_order_mark_is_not_part_of_the_header(csv, codec):
    """UTF-8 with a mark, as Excel writes it, needs no option."""
    path = csv("año,a\nsí,1\nno,2\nsí,3\n".encode(codec))
    table = read_csv(path, "año", encoding="utf-8" if codec == "utf-8-sig" else codec)
    assert table.targets.tolist() == ["sí", "no", "sí"]


def test_ignored_columns_are_neither_read_nor_checked(csv):
    """An identifier, a column with gaps and the row numbers without a name."""
    table = read_csv(
        csv(",id,a,b,c\n0,p1,1,,x\n1,p2,2,9,y\n2,p3,3,,x\n"), "c", ignore=["", "id", "b"]
    )
    assert table.attributes == ("a",)


ROWS = "rows are counted from 1 below the header"
WAY_OUT = """
These models cannot take missing values. --impute fills them in each training part: medians, most
frequent categories, indicators. A model of yours can take them as they are. These lines in mine.py
are one, and "Tables with holes" in the guide has others:

    from sklearn.ensemble import HistGradientBoostingClassifier
    def boosting():
        options = {"categorical_features": "from_dtype", "early_stopping": False}
        return HistGradientBoostingClassifier(**options)

practica compare ... --model boosting=mine:boosting"""
REFUSED = {
    "empty file": ("", "data.csv is empty"),
    "blank file": (" \n\n", "data.csv is empty"),
    "header only": ("a,c\n", "data.csv has a header and no rows"),
    "unknown target": (
        "a,Class\n1,x\n",
        "data.csv has no column 'c'; its columns are 'a', 'Class'",
    ),
    "misspelt target": ("a,C\n1,x\n", "data.csv has no column 'c'; did you mean 'C'?"),
    "repeated column": (
        "a,b,a,c\n1,2,3,x\n",
        "data.csv: columns 1 and 3 of the header have the same name, 'a'",
    ),
    "column without a name": (
        ",a,c\n1,2,x\n",
        (
            "data.csv: column 1 has no name in the header; name it, or leave it out with --ignore"
            " '' if it only counts the rows"
        ),
    ),
    "no attributes": ("c\nx\ny\nx\n", "data.csv has no attributes besides the target 'c'"),
    "semicolons": (
        "a;c\n1;x\n",
        (
            "data.csv has one column only with separator ',', and its header contains ';'; try"
            " --separator ';'"
        ),
    ),
    "tabulators": (
        "a\tc\n1\tx\n",
        (
            "data.csv has one column only with separator ',', and its header contains '\\t'; try"
            " --separator 'tab'"
        ),
    ),
    "missing value": (
        "a,c\n1,x\n,y\n3,x\n",
        f"row 2, column 'a': the value is missing; {ROWS}.{WAY_OUT}",
    ),
    "missing value by name": (
        "a,c\n1,x\n2,y\nNaN,x\n",
        f"row 3, column 'a': the value is missing ('NaN'); {ROWS}.{WAY_OUT}",
    ),
    "missing class": (
        "a,c\n1,x\n2,?\n3,x\n",
        f"row 2, column 'c': the value is missing ('?'); {ROWS}; remove the rows without a target",
    ),
    "short row": (
        "a,b,c\n1,2,x\n3\n",
        "data.csv: line 3 of the file has 1 value, and the header has 3 columns",
    ),
    "long row": (
        "a,c\n1,x\n2,y,3\n",
        "data.csv: line 3 of the file has 3 values, and the header has 2 columns",
    ),
    "open quote": ('a,c\n1,"x\n2,y\n', "data.csv: a quotation mark is opened and never closed"),
    "numbers and text": (
        "a,c\n1,x\n2,y\nhigh,x\nlow,y\n",
        (
            "column 'a' mixes numbers and text: row 3 has 'high' and row 1 '1'; if that is a"
            " missing value, use --missing 'high' --missing 'low' --impute, or else use --ignore"
            f" 'a' ({ROWS})"
        ),
    ),
    "a unit in one row": (
        "a,c\n1,x\n2,y\n12.5%,x\n4,y\n",
        (
            "column 'a' mixes numbers with and without a unit: row 3 has '12.5%' and row 1 '1';"
            f" write '%' in all rows or in none, or use --ignore 'a' ({ROWS})"
        ),
    ),
    "infinite": (
        "a,c\n1,x\n2,y\n-inf,x\n",
        f"row 3, column 'a': '-inf' is not a finite number; {ROWS}",
    ),
    "too large": (
        "a,c\n1,x\n1e999,y\n3,x\n",
        f"row 2, column 'a': '1e999' is not a finite number; {ROWS}",
    ),
    "decimal commas": (
        'a,c\n"1,5",x\n"1,5",y\n"2,5",x\n',
        (
            "row 1, column 'a': '1,5' is not a number with the decimal mark '.'; if ',' is the"
            f" decimal mark, use --decimal ',' ({ROWS})"
        ),
    ),
    "identifier": (
        "a,c\np1,x\np2,y\np3,x\n",
        (
            "column 'a' has a different text in each of the 3 rows: an identifier says nothing"
            " about the class; use --ignore 'a'"
        ),
    ),
    "one class": (
        "a,c\n1,x\n2,x\n",
        "column 'c' has one class, 'x'; at least two are needed to classify",
    ),
    "numbers to predict": (
        "a,c\n1,0.5\n2,0.7\n",
        (
            "column 'c' has 2 different values in 2 rows, and none of them in 2 (--folds): this is"
            " a quantity, and these models predict classes. Cut it into a few, as pandas.qcut does,"
            " or predict it with practica compare and --models annr,linear,mean, or regressors of"
            " yours"
        ),
    ),
    "names to predict": (
        "a,c\n1,x\n2,y\n",
        (
            "column 'c' has 2 different values in 2 rows, and none of them in 2 (--folds): these"
            " are not classes; a class needs a pattern in each fold to be tested"
        ),
    ),
    "Latin-1": (
        "a,c\n1,x\n2,año\n".encode("latin-1"),
        (
            "data.csv is not utf-8 at line 3; an older program may have written it with --encoding"
            " latin-1"
        ),
    ),
    "spreadsheet": (
        b"PK\x03\x04\xff\x00",
        "data.csv cannot be unpacked: File is not a zip file",
    ),
    "binary": (
        b"a,c\n\x00,x\n",
        "data.csv is not a text file; a spreadsheet must be saved as CSV first",
    ),
}


@pytest.mark.parametrize(("content", "sentence"), REFUSED.values(), ids=REFUSED)
def test_a_file_that_does_not_fit_is_refused_with_one_sentence(csv, content, sentence):
    """The sentence names the row and the column where there are any, and the way out where there is
    one.
    """
    with pytest.raises(ValueError) as refusal:  # noqa: PT011 - the whole sentence is compared below
        read_csv(csv(content), "c")
    assert str(refusal.value) == sentence


@pytest.mark.parametrize("number", ["1.5", "1.234,5", "-.5"])
def test_a_decimal_point_is_refused_where_the_comma_is_the_decimal_mark(csv, number):
    """Read as a number it might be wrong by a factor of a thousand.

    Taken as text it would be a category.
    """
    with pytest.raises(
        ValueError,
        match=r"is not a number with the decimal mark ','|has thousands marks: if it is 1234,5",
    ):
        read_csv(csv(f"a;c\n1,5;x\n{number};y\n1,5;x\n"), "c", separator=";", decimal=",")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"separator": "::"}, "separator='::' must be a single character, or 'tab'"),
        ({"decimal": "·"}, "decimal='·' must be '.' or ','"),
        (
            {"encoding": "klingon"},
            "encoding='klingon' is unknown; examples are utf-8, latin-1 and cp1252",
        ),
        ({"ignore": ["b"]}, "data.csv has no column 'b'; its columns are 'a', 'c'"),
        ({"ignore": ["c"]}, "column 'c' is the target: it cannot be left out"),
        ({"ignore": ["a"]}, "data.csv has no attributes besides the target 'c'"),
    ],
)
def test_an_option_that_does_not_fit_is_refused_with_one_sentence(csv, options, sentence):
    """Before the rows are looked at."""
    with pytest.raises(ValueError) as refusal:  # noqa: PT011 - the whole sentence is compared below
        read_csv(csv("a,c\n1,x\n2,y\n3,x\n"), "c", **options)
    assert str(refusal.value) == sentence


def test_codes_with_points_are_text(csv):
    """1.2.3 looks a little like a number, and is none in any notation."""
    assert read_csv(csv("a,c\n1.2.3,x\n1.2.4,y\n1.2.3,x\n"), "c").attributes == ("a=1.2.3",)


@pytest.mark.parametrize(
    ("name", "shape", "classes"), [("iris", (150, 4), 3), ("breast_cancer", (569, 30), 2)]
)
def test_the_shipped_tables_name_their_classes(name, shape, classes):
    """Labels are names, not numbers."""
    table = shipped(name)
    assert table.inputs.shape == shape
    assert len(table.attributes) == shape[1]
    assert len(table.class_sizes()) == classes
    assert all(isinstance(label, str) for label in table.targets)


@pytest.mark.parametrize(
    ("first", "second", "positive"),
    [
        ("0", "1", "1"),
        ("1", "0", "1"),
        ("no", "yes", "yes"),
        ("No", "Yes", "Yes"),
        ("False", "True", "True"),
        ("True", "False", "True"),
        ("0.0", "1.0", "1.0"),
        ("no", "sí", "sí"),
        ("1", "2", "1"),
        ("no", "maybe", "no"),
        ("malignant", "benign", "malignant"),
    ],
)
def test_the_positive_class_is_1_yes_or_true_or_else_the_first_to_appear(
    csv, first, second, positive
):
    """The user's word decides before that."""
    path = csv(f"a,c\n1,{first}\n2,{first}\n3,{second}\n4,{first}\n")
    assert read_csv(path, "c").positive == positive
    for chosen in (first, second):
        assert read_csv(path, "c", positive=chosen).positive == chosen


def test_the_positive_class_is_the_users_or_none_of_many(csv):
    """Of more than two there is none."""
    path = csv("a,c,three\n1,no,x\n2,no,y\n3,yes,z\n4,no,x\n")
    assert read_csv(path, "c", positive="no").positive == "no"
    assert read_csv(path, "three").positive is None
    assert shipped("breast_cancer", positive="benign").positive == "benign"
    with pytest.raises(ValueError, match=r"'c' has no class 'yess'; did you mean 'yes'\?"):
        read_csv(path, "c", positive="yess")
    with pytest.raises(
        ValueError, match="'three' has 3 classes; only one of two can be the positive one"
    ):
        read_csv(path, "three", positive="x")


def rows(**columns):
    """Write a table of 60 rows out of functions of the row, and a class."""
    lines = [
        ",".join([*map(str, (value(i) for value in columns.values())), "yn"[math.sin(i * i) > 0]])
        for i in range(60)
    ]
    return "\n".join([",".join([*columns, "c"]), *lines, ""])


@pytest.mark.parametrize(
    ("column", "note"),
    [
        (lambda i: f"2024-01-{i % 28 + 1:02d}", "column 'it': dates are read as texts"),
        (lambda i: f"{i % 28 + 1}/3/24", "column 'it': dates are read as texts"),
        (lambda i: f"{i % 24:02d}:30", "column 'it': times are read as texts"),
        (lambda i: f"{i % 12 + 1}:05:00 PM", "column 'it': times are read as texts"),
        (
            lambda i: f"word{i % 21}",
            "column 'it' (21): more than 20 different texts, each of which becomes an attribute.",
        ),
        (lambda i: ("08001", "28013")[i % 3 % 2], "column 'it': these look like codes"),
        (lambda i: (28013, 28014, 99999)[i % 3], "column 'it': these look like codes"),
        (lambda i: i + 100, "column 'it': a number of its own for each row"),
        (lambda i: 60 - i, "column 'it': a number of its own for each row"),
        (lambda i: f"word{i % 20}", ""),
        (lambda i: 1990 + i % 30, ""),
        (lambda i: i * i % 61, ""),
        (lambda i: i % 5, ""),
        (lambda i: f"{28013 + i * i % 59}.5", ""),
    ],
)
def test_a_column_that_may_mean_something_else_is_noted_by_name(csv, column, note):
    """Dates, times, codes, many categories and numbers of rows; others are not."""
    notes = read_csv(csv(rows(it=column, other=lambda i: i * i / 7)), "c").notes
    assert len(notes) == bool(note)
    assert not note or notes[0].startswith(note)


def test_many_columns_are_one_note(csv):
    """The first of them by name."""
    (note,) = read_csv(csv(rows(**{f"n{k}": lambda i, k=k: i + k for k in range(10)})), "c").notes
    assert note.startswith(
        "columns 'n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7' and 2 more: a number of its own for"
        " each row"
    )


def test_a_rare_class_that_is_not_the_positive_one_is_noted(csv):
    """Unless the user says which one is meant."""
    path = csv(
        "a,c\n" + "".join(f"{i * i},{'ill' if i % 10 == 9 else 'well'}\n" for i in range(100))
    )
    (note,) = read_csv(path, "c").notes
    assert note.startswith(
        "The positive class is 'well', the first to appear, with 9 times the patterns of 'ill'; "
    )
    assert note.endswith("--positive 'ill'.")
    assert read_csv(path, "c", positive="well").notes == ()
    path = csv("a,c\n" + "".join(f"{i * i},{'no' if i % 10 == 9 else 'yes'}\n" for i in range(100)))
    (note,) = read_csv(path, "c").notes
    assert note.startswith("The positive class is 'yes' with 9 times the patterns of 'no'; ")


@pytest.mark.parametrize(
    "values", [[1.5, 2.5, 1e150], [0, -3, 2**53 + 1], [0.1 + 0.2, 1 / 3, 5e-324]]
)
def test_numbers_are_those_that_python_reads(csv, values):
    """To the last bit."""
    table = read_csv(csv("a,c\n" + "".join(f"{value!r},x\n" for value in values) + "0,y\n"), "c")
    assert table.inputs[:-1, 0].tolist() == list(map(float, values))


def test_what_is_wrong_far_down_is_found_too(csv):
    """Beyond the rows that are looked at as they are written."""
    lines = [f"{i * i % 101},{'xy'[i % 2]}" for i in range(5000)]
    for wrong, sentence in (
        ("high,x", "column 'a' mixes numbers and text: row 4002 has 'high' and row 1 '0'"),
        (" ,x", "row 4002, column 'a': the value is missing; "),
        ("5,1,x", "line 4003 of the file has 3 values, and the header has 2 columns"),
        ('"5,1",x', "row 4002, column 'a': '5,1' is not a number with the decimal mark '.'"),
        ("5", "line 4003 of the file has 1 value, and the header has 2 columns"),
    ):
        with pytest.raises(ValueError, match=re.escape(sentence)):
            read_csv(csv("\n".join(["a,c", *lines[:4001], wrong, *lines[4001:]])), "c")


@pytest.mark.parametrize("place", [0, 1, 11])
def test_a_code_is_noted_wherever_a_value_is_missing(csv, place):
    """Zeros before a number make it one."""
    codes = [f"{i % 7:03}" for i in range(12)]
    codes[place] = ""
    path = csv(
        "a,z,c\n" + "".join(f"{i % 5},{code},{'xy'[i % 2]}\n" for i, code in enumerate(codes))
    )
    assert "column 'z': these look like codes" in read_csv(path, "c", impute=True).notes[0]
