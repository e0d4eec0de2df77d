"""A walk: files of a grammar are drawn, proved outside the grader, marked, and made smaller where
they are not judged as they should be.
"""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from same.choices import Axes, Choices, drawn, line, plain, smaller

from practica.grading.engine.grade import grade_submission
from practica.grading.engine.rubric import load_rubric
from practica.grading.engine.solution import LocalSolution
from practica.grading.inside.loading import load_source

RUBRIC = load_rubric()


@dataclass(frozen=True)
class Grammar:
    """What may be said in several ways.

    `text`: what some choices write anew, for a reader.
    `source`: the whole file.
    `functions`: those that the choices can touch, which are marked.
    `fault`: what a file does otherwise than a right one, outside the grader; empty if nothing.
    `most`: the number of choices that are not plain, if it is limited.
    """

    axes: Axes
    text: Callable[[Choices], str]
    source: Callable[[Choices], str]
    functions: Callable[[Choices], frozenset[str]]
    fault: Callable[[Choices], str]
    most: int | None = None


@dataclass(frozen=True)
class Step:
    """A file, and how it was judged: "as it should", "otherwise", or "thrown away" without that."""

    choices: Choices
    judged: str
    why: str = ""


def judge(grammar: Grammar, choices: Choices, seed: int) -> Step:
    """Prove that a file is right, or wrong as it says, and mark it."""
    is_right = choices.get("mistake", "none") == "none"
    try:
        fault = grammar.fault(choices)
    except Exception as error:
        return Step(choices, "thrown away", repr(error))
    if bool(fault) == is_right:
        return Step(choices, "thrown away", fault or "the mistake changes nothing")
    lost = lost_rows(grammar.source(choices), grammar.functions(choices), seed)
    if bool(lost) == is_right:
        return Step(choices, "otherwise", lost or f"all points, and {fault}")
    return Step(choices, "as it should")


def steps(grammar: Grammar, seed: int) -> Iterator[Step]:
    """Judge files of a grammar without end, except those that are thrown away."""
    found = (judge(grammar, each, seed) for each in drawn(grammar.axes, seed, grammar.most))
    return (step for step in found if step.judged != "thrown away")


def assert_walks(grammar: Grammar, seed: int, count: int) -> None:
    """Judge so many files of a grammar; each must be judged as it should."""
    for step in itertools.islice(steps(grammar, seed), count):
        if step.judged == "otherwise":
            raise AssertionError(told(grammar, smallest(grammar, step, seed), seed))


def assert_judged(grammar: Grammar, chosen: Choices, seed: int) -> None:
    """Judge the file in which all choices are plain but these; it must be judged as it should."""
    step = judge(grammar, plain(grammar.axes) | chosen, seed)
    assert step.judged == "as it should", told(grammar, step, seed)


def lost_rows(source: str, functions: frozenset[str], seed: int) -> str:
    """Return the rows that lose points, each with the first check and its sentence."""
    text = source.encode()
    solution = LocalSolution(load_source(text, "solucion.py"))
    result = grade_submission(
        text, solution, RUBRIC, identifier="same", file="solucion.py", only=functions, seed=seed
    )
    found = [] if result.status == "graded" else [f"{result.status}: {result.reason}"]
    for row in result.functions:
        if row.points != row.max_points:
            checks = [each for each in row.checks if each.verdict != "pass"]
            first = f"{checks[0].id}, {checks[0].message} {checks[0].facts}" if checks else ""
            rules = ", ".join(rule.id for rule in row.rules if rule.cost)
            found.append(f"{row.name} {row.verdict} {first}{rules}"[:400])
    return "; ".join(found)


def smallest(grammar: Grammar, step: Step, seed: int) -> Step:
    """Return the file with fewest choices that is judged otherwise too."""
    otherwise = lambda choices: judge(grammar, choices, seed).judged == "otherwise"  # noqa: E731
    return judge(grammar, smaller(step.choices, grammar.axes, otherwise), seed)


def told(grammar: Grammar, step: Step, seed: int) -> str:
    """Return of a file that is judged otherwise the choices in a line, why, and its own text."""
    return (
        f"seed {seed}; {line(step.choices, grammar.axes)}: {step.why}\n{grammar.text(step.choices)}"
    )
