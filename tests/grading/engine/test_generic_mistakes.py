"""Mistakes of any function: None and printing are named where they are wrong, and only there."""

from functools import partial

import pytest
from diagnosed import named

from practica.grading.engine.diagnosis import diagnose
from practica.grading.engine.framework import Check, require
from practica.grading.engine.runner import Outcome
from practica.grading.engine.solution import LocalSolution

WORDS = (["sol", "mar"], ["mar", "sol", "sal"], ["ala", "sol"], [])


def first_with_s(solution, words):
    """Require the first word that begins with s, or None."""
    expected = next((word for word in words if word.startswith("s")), None)
    obtained = solution.f(words)
    require(obtained == expected, expected=expected, obtained=obtained)


def length(solution, words):
    """Require how many words there are."""
    obtained = solution.f(words)
    require(obtained == len(words), expected=len(words), obtained=obtained)


def printed(solution, words):
    """Require that the words are printed, each on a line."""
    obtained = solution.answer("f", words).printed
    require(obtained == "".join(f"{word}\n" for word in words), obtained=obtained)


def in_place(solution, words):
    """Require that the words are sorted where they are."""
    (obtained,) = solution.answer("f", words, want_args=True).args
    require(obtained == sorted(words), expected=sorted(words), obtained=obtained)


@pytest.mark.parametrize(
    ("check", "function", "name"),
    [
        (first_with_s, lambda words: words[-1] if words else None, None),
        (first_with_s, lambda words: next((word for word in words if "s" in word[1:]), None), None),
        (first_with_s, lambda words: next(iter(words), "none"), None),
        (printed, lambda words: print(*words), None),
        (in_place, lambda words: words.reverse(), None),
        (length, lambda words: print(len(words)), "any.prints"),
        (length, lambda words: len(words) if len(words) < 2 else None, "any.no_return"),
        (length, lambda words: len(words) + 1, None),
    ],
)
def test_none_and_printing_are_named_only_where_they_are_wrong(check, function, name):
    """A check that accepts or expects None, or reads what is printed, shows that they are right."""
    checks = [Check("f.value", "f", "f", partial(check, words=words)) for words in WORDS]
    found = diagnose(checks, LocalSolution({"f": function}), [Outcome("f.value", "fail")])
    assert named(found) == {*filter(None, [name])}
