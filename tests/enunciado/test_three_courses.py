"""Three courses written as the page for authors says: texts and dictionaries; arrays with errors,
changes in place and iterators; tables of pandas.

A right solution keeps all its points in whatever style it is written. Each wrong one loses some,
and none of them breaks the grader.
"""

import json
from pathlib import Path

import pytest
from courses import course, run, write_files
from lanes import one_in

# --- Texts and dictionaries -----------------------------------------------------------------------

TEXTS = course(
    {
        "counted(text, *, lower=True)": ["(text: any, *, lower=True)"],
        'joined(words, mark=", ")': ["(words: any)", "(words: any, mark: any)"],
    },
    """
from practica.grading.engine.framework import check, for_all, require, untouched


def texts(draw):
    return " ".join(draw.some(["a", "A", "bb", "cat"], 0, 8))


@check("counted.words")
@for_all(text=texts)
def words(solution, text):
    expected = {word: text.lower().split().count(word) for word in text.lower().split()}
    obtained = solution.counted(text)
    require(obtained == expected, expected=expected, obtained=obtained)


@check("counted.case")
def case(solution):
    obtained = solution.counted("a A", lower=False)
    require(obtained == {"a": 1, "A": 1}, expected={"a": 1, "A": 1}, obtained=obtained)


@check("joined.words")
@for_all(words=lambda draw: draw.some(["x", "yy", "z"], 0, 5))
def joined(solution, words):
    obtained = solution.joined(words)
    require(obtained == ", ".join(words), expected=", ".join(words), obtained=obtained)


@check("joined.mark")
def mark(solution):
    obtained = solution.joined(["a", "b"], "-")
    require(len(obtained) == 3 and obtained[1] == "-", expected="a-b", obtained=obtained)


@check("joined.untouched")
def stays(solution):
    untouched(solution, "joined", ["a", "b"])
""",
    {
        "counted.words": "How often each word is there|: {obtained} and not {expected}.",
        "counted.case": "Capitals count apart|: {obtained} and not {expected}.",
        "joined.words": "Commas between the words|: {obtained} and not {expected}.",
        "joined.mark": "The mark may be another|: {obtained} and not {expected}.",
        "joined.untouched": "The words stay.",
    },
) | {
    "right/loop.py": """
def counted(text, *, lower=True):
    found = {}
    for word in (text.lower() if lower else text).split():
        found[word] = found.get(word, 0) + 1
    return found


def joined(words, mark=", "):
    text = ""
    for place, word in enumerate(words):
        text += (mark if place else "") + word
    return text
""",
    "right/counter.py": """
from collections import Counter


def counted(text, *, lower=True):
    return Counter((text.lower() if lower else text).split())


def joined(words, mark=", "):
    return mark.join(words)
""",
    "right/default.py": """
from collections import defaultdict
from functools import reduce


def counted(text, *, lower=True):
    found = defaultdict(int)
    for word in (text.lower() if lower else text).split():
        found[word] += 1
    return found


def joined(words, mark=", "):
    return reduce(lambda one, other: one + mark + other, words) if words else ""
""",
    "right/comprehension.py": """
class Text(str):
    pass


def counted(text, *, lower=True):
    words = (text.lower() if lower else text).split()
    return {word: words.count(word) for word in words}


def joined(words, mark=", "):
    return Text(mark.join(words))
""",
}
RIGHT_TEXT = TEXTS["right/counter.py"]
WRONG_TEXTS = {
    "nothing": ("return mark.join(words)", "return None"),
    "a number": ("return mark.join(words)", "return 3"),
    "a generator": ("return mark.join(words)", "return (word for word in words)"),
    "an object": ("return mark.join(words)", "return object()"),
    "no mark": ("mark.join", "', '.join"),
    "a change": (
        "return mark.join(words)",
        "words.sort(reverse=True)\n    return mark.join(words)",
    ),
    "pairs": ("return Counter(", "return sorted("),
    "an error": ("return Counter(", "return Counters("),
}

# --- Arrays, errors, changes in place, iterators --------------------------------------------------

ARRAYS = course(
    {
        "root(x)": ["(x: real)"],
        "scale(X)": ["(X: real[2])"],
        "windows(x, width)": ["(x: real[1], width: int)"],
    },
    """
import numpy as np

from practica.grading.engine.framework import check, for_all, require, untouched


@check("root.value")
@for_all(x=lambda draw: float(draw.randint(0, 9)))
def value(solution, x):
    obtained = solution.root(x)
    require(abs(obtained - x**0.5) < 1e-6, expected=x**0.5, obtained=obtained)


@check("root.negative")
def negative(solution):
    answer = solution.answer("root", -1.0)
    require("ValueError" in answer.raised, obtained=answer.error or answer.value)


@check("scale.in_place")
@for_all(X=lambda draw: np.array([[draw.randint(1, 9), 10.0], [-10.0, draw.randint(1, 9)]]))
def in_place(solution, X):
    answer = solution.answer("scale", X, want_args=True)
    expected = X / 10
    require(np.allclose(answer.args[0], expected), expected=expected, obtained=answer.args[0])


@check("scale.nothing")
def nothing(solution):
    answer = solution.answer("scale", np.array([[1.0, 4.0]]))
    require(answer.error is None and answer.value is None, obtained=answer.value)


@check("windows.values")
@for_all(x=lambda draw: np.array(draw.some([1.0, 5], 2, 6)), width=lambda draw: draw.randint(1, 2))
def values(solution, x, width):
    expected = [x[at : at + width] for at in range(len(x) - width + 1)]
    obtained = solution.windows(x, width)
    same = len(obtained) == len(expected) and all(map(np.array_equal, obtained, expected))
    require(same, expected=expected, obtained=obtained)


@check("windows.iterator")
def iterator(solution):
    answer = solution.answer("windows", np.arange(3.0), 2)
    require(answer.kind != "list", obtained=answer.kind)


@check("windows.untouched")
def stays(solution):
    untouched(solution, "windows", np.arange(3.0), 2)
""",
    {
        "root.value": "The root|: {obtained} and not {expected}.",
        "root.negative": "A negative number raises ValueError|: {obtained}.",
        "scale.in_place": "The largest becomes 1, in place|: {obtained} and not {expected}.",
        "scale.nothing": "It returns nothing|: {obtained}.",
        "windows.values": "All windows|: {obtained} and not {expected}.",
        "windows.iterator": "No list is made|: {obtained}.",
        "windows.untouched": "The array stays.",
    },
) | {
    "right/generator.py": """
import numpy as np


def root(x):
    if x < 0:
        raise ValueError(x)
    return x ** 0.5


def scale(X):
    X /= np.abs(X).max()


def windows(x, width):
    for at in range(len(x) - width + 1):
        yield x[at : at + width]
""",
    "right/expression.py": """
import math

import numpy as np


def root(x):
    return math.sqrt(x)


def scale(X):
    X[:] = X / np.abs(X).max()


def windows(x, width):
    return (x[at : at + width].copy() for at in range(len(x) - width + 1))
""",
    "right/mapped.py": """
import numpy as np


def root(x):
    if x < 0:
        raise ValueError("negative")
    return np.sqrt(np.float32(x))


def scale(X):
    largest = max(abs(each) for row in X for each in row)
    for row in X:
        for at in range(len(row)):
            row[at] /= largest


def windows(x, width):
    return map(lambda at: x[at : at + width].tolist(), range(len(x) - width + 1))
""",
    "right/zipped.py": """
from fractions import Fraction

import numpy as np


class NegativeError(ValueError):
    pass


def root(x):
    if x < 0:
        raise NegativeError
    return Fraction(x ** 0.5)


def scale(X):
    np.divide(X, np.abs(X).max(), out=X)
    return None


def windows(x, width):
    return zip(*(x[at : len(x) - width + 1 + at] for at in range(width)))
""",
}
RIGHT_ARRAY = ARRAYS["right/generator.py"]
WRONG_ARRAYS = {
    "no error": ("raise ValueError(x)", "return None"),
    "another error": ("raise ValueError(x)", "raise KeyError(x)"),
    "a text": ("return x ** 0.5", "return str(x ** 0.5)"),
    "a new array": ("X /= np.abs(X).max()", "X = X / np.abs(X).max()"),
    "an array returned": ("X /= np.abs(X).max()", "X /= np.abs(X).max()\n    return X"),
    "an array with a window less": ("- width + 1", "- width"),
    "an error while it is read": ("yield x[at : at + width]", "yield x[at : at + width] + y"),
    "a list": (
        "    for at in range(len(x) - width + 1):\n        yield x[at : at + width]",
        "    return [x[at : at + width] for at in range(len(x) - width + 1)]",
    ),
}

# --- Tables ---------------------------------------------------------------------------------------

TABLES = course(
    {
        "clean(table)": ["(table: any)"],
        "means(table, by)": ["(table: any, by: any)"],
    },
    """
import pandas as pd

from practica.grading.assignment.accepted_forms import same_table
from practica.grading.engine.framework import check, for_all, require, untouched


def tables(draw):
    count = draw.length(2, 6)
    kind = [draw.choice(["x", "y"]) for _ in range(count)]
    size = [draw.choice([1.5, 2.0, None]) for _ in range(count)]
    when = pd.to_datetime(["2026-01-02"] * count)
    return pd.DataFrame({"kind": kind, "size": pd.Series(size, dtype=float), "when": when})


@check("clean.rows")
@for_all(table=tables)
def rows(solution, table):
    expected = table.dropna().reset_index(drop=True)
    obtained = solution.clean(table)
    require(same_table(obtained, expected), expected=expected, obtained=obtained)


@check("clean.untouched")
@for_all(table=tables)
def stays(solution, table):
    untouched(solution, "clean", table)


@check("means.values")
@for_all(table=tables)
def means(solution, table):
    expected = table.groupby("kind")["size"].mean()
    obtained = solution.means(table, "kind")
    require(same_table(obtained, expected, check_names=False), expected=expected, obtained=obtained)


@check("means.index")
def index(solution):
    table = pd.DataFrame({"kind": ["b", "a"], "size": [1.0, 2.0]})
    obtained = solution.means(table, "kind")
    require(obtained.index.tolist() == ["a", "b"], obtained=obtained)
""",
    {
        "clean.rows": "Rows without a gap|: {obtained} and not {expected}.",
        "clean.untouched": "The table stays.",
        "means.values": "A mean for each kind|: {obtained} and not {expected}.",
        "means.index": "The kinds are the index|: {obtained}.",
    },
) | {
    "right/short.py": """
def clean(table):
    return table.dropna().reset_index(drop=True)


def means(table, by):
    return table.groupby(by)["size"].mean()
""",
    "right/mask.py": """
import pandas as pd


def clean(table):
    kept = table[table["size"].notna()]
    kept.index = range(len(kept))
    return kept


def means(table, by):
    names = sorted(set(table[by]))
    return pd.Series([table["size"][table[by] == name].mean() for name in names], index=names)
""",
    "right/inplace.py": """
def clean(table):
    table = table.copy()
    table.dropna(inplace=True, ignore_index=True)
    return table


def means(table, by):
    sums = table.groupby(by)["size"]
    return sums.sum(min_count=1) / sums.count().where(lambda count: count > 0)
""",
    "right/pivot.py": """
import pandas as pd


def clean(table):
    return table.query("size == size").reset_index(drop=True)


def means(table, by):
    return table.groupby(by).agg({"size": "mean"})["size"] + 1e-9
""",
}
TABLES["right/pivot.py"] = TABLES["right/pivot.py"].replace(
    'table.query("size == size")', "table.loc[~table.isna().any(axis=1)]"
)
RIGHT_TABLE = TABLES["right/short.py"]
WRONG_TABLES = {
    "nothing": (".reset_index(drop=True)", "\n    return None\n"),
    "the old index": (".reset_index(drop=True)", ""),
    "the index as a column": ("drop=True", ""),
    "in place": ("return table.dropna()", "table.dropna(inplace=True)\n    return table"),
    "an array": (".mean()", ".mean().to_numpy()"),
    "a dictionary": (".mean()", ".mean().to_dict()"),
    "a table": ('["size"].mean()', '[["size"]].mean()'),
    "sums": (".mean()", ".sum()"),
}
COURSES = {
    "texts": (TEXTS, RIGHT_TEXT, WRONG_TEXTS),
    "arrays": (ARRAYS, RIGHT_ARRAY, WRONG_ARRAYS),
    "tables": (TABLES, RIGHT_TABLE, WRONG_TABLES),
}


@pytest.mark.parametrize("name", one_in(3, COURSES))
def test_right_solutions_keep_all_and_wrong_ones_lose(name, tmp_path):
    """In four styles each, and with eight mistakes; the grader never fails."""
    files, right, wrong = COURSES[name]
    for mistake, (old, new) in wrong.items():
        assert old in right
        files = {**files, f"wrong/{mistake}.py": right.replace(old, new)}
    write_files(files, tmp_path)
    for folder in ("right", "wrong"):
        command = f"practica grade {folder} --assignment course --lang en --json {folder}.json"
        done = run(command, tmp_path)
        assert done.returncode == (folder == "wrong"), done.stdout + done.stderr
        marked = json.loads(Path(tmp_path, f"{folder}.json").read_text())["submissions"]
        lost = {each["id"]: each["max_points"] - each["points"] for each in marked}
        assert len(lost) == (8 if folder == "wrong" else 4)
        assert all((points > 0) == (folder == "wrong") for points in lost.values()), lost
        assert {each["status"] for each in marked} == {"graded"}


VALUES = course(
    {"same(value)": ["(value: any)"]},
    """
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction

import pandas as pd

from practica.grading.engine.framework import check, require

TABLE = pd.DataFrame({"day": [pd.Timestamp("2026-01-02"), None], "size": [1.5, 2.5]})
VALUES = [TABLE, date(2026, 1, 2), timedelta(days=1), Decimal("1.5"), Fraction(1, 3)]


@check("same.value")
def value(solution):
    obtained = solution.same(VALUES)
    require(obtained is not None, obtained=obtained)
""",
    {"same.value": "What is given|: {call} returns {obtained}."},
)


@pytest.mark.thorough
def test_an_example_is_repeated_whatever_its_values_are(tmp_path):
    """What writes them is imported: dates, exact numbers, and tables."""
    solution = "def same(value):\n    print(*map(type, value))\n"
    write_files({**VALUES, "solucion.py": solution}, tmp_path)
    done = run("practica check solucion.py --assignment course --lang en", tmp_path)
    assert "python example.py same" in " ".join(done.stdout.split()), done.stdout + done.stderr
    shown = run("python example.py same", tmp_path)
    assert "DataFrame" in shown.stdout, shown.stderr
    assert "What is given: same(…) returns None." in shown.stdout, "the course's own sentence"
