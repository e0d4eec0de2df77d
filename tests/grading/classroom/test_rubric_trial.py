"""A rubric is tried before a class is marked."""

import pytest

from practica.grading.classroom.rubric_trial import tried
from practica.grading.engine.rubric import RubricError, load_rubric

RUBRIC = """name = "Tried"
only = ["accuracy"]

[functions.accuracy]
forbidden = [
    "@metrics",
    {patterns},
]
"""


def forbids(tmp_path, *patterns):
    """Return what is found of the patterns of a rubric, after those of the official criteria."""
    path = tmp_path / "own.toml"
    path.write_text(RUBRIC.format(patterns=",\n    ".join(f'"{each}"' for each in patterns)))
    return tried(load_rubric(path), path)


def test_each_pattern_has_its_number_of_names_and_an_example(tmp_path):
    """Those of Python, and of libraries that are here or not; a package is all that is below it."""
    found = forbids(
        tmp_path, "collections.Counter", "xml.*", "statistics.m*", "mxnet.*", "joblib.*"
    )
    counts = {each.pattern: each.count for each in found}
    assert counts["collections.Counter"] == 1
    assert counts["mxnet.*"] is None
    assert counts["statistics.m*"] >= 5
    assert counts["xml.*"] > 50
    assert counts["joblib.*"] > 50
    for each in found:
        assert each.example.startswith(each.pattern.partition("*")[0]) == bool(each.count)


def test_the_official_criteria_are_not_tried_for_each_class(tmp_path):
    """The tests of the project do."""
    assert tried(load_rubric(), None) == []


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("numpy.sqr", "no function or class has such a name"),
        ("numpy.linalg.inverse*", "no function or class has such a name"),
        ("xml.sax.nothing*", "no function or class has such a name"),
        ("Counter", r"write its full name, 'collections\.Counter'$"),
        ("reduce", r"write its full name, 'functools\.reduce'$"),
        ("one_hotter", "write its full name with its module$"),
        ("joblib", "it is a module: write 'joblib.\\*'"),
        ("numpyy.*", "there is no package 'numpyy'; did you mean 'numpy'?"),
        ("numpy.*", r"the grader itself calls numpy\.\w+; list the parts of numpy"),
        ("numpy.asarray", r"the grader itself calls numpy\.asarray$"),
    ],
)
def test_what_would_forbid_nothing_or_the_grader_is_refused_with_its_line(
    tmp_path, pattern, reason
):
    """Before anything is marked."""
    with pytest.raises(RubricError, match=f"line 7: '.*' cannot be forbidden: {reason}"):
        forbids(tmp_path, pattern)
