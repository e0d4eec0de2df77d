"""What an author of an assignment may have forgotten: facts that the sentence of a check needs."""

import pytest

from practica.grading.engine.framework import Check, require
from practica.grading.report import completeness

SENTENCES = {
    "f.value": "Its value|: {call} of {function} is {obtained:.2f} and not {expected}.",
    "f.other": "{count} of {count:thing/things}",
}


def _whole(solution):
    require(solution.f() == 1, obtained=0, expected=1)


def _lacking(solution):
    require(solution.f() == 1, obtained=0)


def _through_another(solution):
    _lacking(solution)


def _other(solution):
    require(
        solution.f() == 1,
        message="f.other",
        number=1,
    )


def _nothing(solution):
    require(solution.f() == 1, message="f.nothing")


def _unknown(solution, **facts):
    require(solution.f() == 1, **facts)
    require(solution.f() == 1, message="f" + ".nothing")


A_LAMBDA = {
    "a": lambda solution: require(solution.f()),
}


@pytest.mark.parametrize(
    ("body", "line", "reason"),
    [
        (
            _lacking,
            19,
            "the sentence of 'f.value' has a place {expected}, and the facts are call, ",
        ),
        (
            _through_another,
            19,
            "has a place {expected}, and the facts are call, function, obtained",
        ),
        (_other, 27, "the sentence of 'f.other' has a place {count}, and the facts are call, "),
        (_nothing, 35, "there is no sentence for 'f.nothing' in messages.toml"),
    ],
)
def test_a_requirement_without_a_fact_of_its_sentence_is_named_with_its_line(
    body, line, reason, monkeypatch
):
    """Its own, that of a function that it calls, or another sentence than that of the check."""
    monkeypatch.setattr(completeness, "catalogue", lambda lang: SENTENCES)
    said = next(completeness._without_fact(Check("f.value", "f", "f", body)))
    assert said.startswith(f"{__file__}, line {line}: ")
    assert reason in said


@pytest.mark.parametrize("body", [_whole, _unknown, A_LAMBDA["a"]])
def test_what_is_whole_or_only_known_when_it_runs_is_not_refused(body, monkeypatch):
    """The line of a lambda may be no program."""
    monkeypatch.setattr(completeness, "catalogue", lambda lang: SENTENCES)
    assert [*completeness._without_fact(Check("f.value", "f", "f", body))] == []
