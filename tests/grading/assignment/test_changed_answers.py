"""No answer makes a check raise: a defect of a check is no mark.

The model answer is asked once for each check, and what it said is kept. Then one place of one
answer after the other holds something else, so that the check comes as deep as it can with it.
"""

import pickle
import zlib
from collections.abc import Mapping
from dataclasses import is_dataclass, replace

import numpy as np
import pytest
from submissions import MODEL

from practica.grading.engine.examples import known_examples
from practica.grading.engine.framework import load_checks
from practica.grading.engine.grade import grade_submission
from practica.grading.engine.rubric import load_rubric
from practica.grading.engine.runner import run_check
from practica.grading.engine.solution import LocalSolution, Solution, SolutionLost
from practica.grading.inside.loading import load_source
from practica.grading.inside.plain_data import Answer, Failure, Handle, Opaque, Transcript
from practica.grading.sandbox.answers import fits

CHECKS = load_checks()
# lists in lists; of a list, and of asks that are alike, that are tried
DEEPEST, WIDEST, MOST_ALIKE = 4, 8, 4
SHARE = 24  # one in so many places


def of_array(change):
    """Change an array, or a number as one.

    Of what cannot be changed like that, there is an empty vector.
    """

    def changed(value):
        try:
            return change(np.asarray(value))
        except (ValueError, TypeError, IndexError, OverflowError):
            return np.empty(0)

    return changed


# What stands in the place of a value, one after the other: with a prime number of them, all come to
# all places.
OTHERS = (
    *(
        lambda value, other=other: other
        for other in (np.empty(0), None, 0.5, [], np.array(0.5), np.empty((0, 2)), ())
    ),
    *(
        lambda value, other=other: other
        for other in (-1, True, 10**400, 1j, "añ\ud800", {}, [[1], [1, 2]])
    ),
    *(lambda value, other=other: other for other in (Opaque("object"), Handle(0))),
    lambda value: [[value]],
    *(
        of_array(lambda array, other=other: np.full(array.shape, other))
        for other in (np.nan, -np.inf, 1e308, None)
    ),
    *(
        of_array(lambda array, kind=kind: array.astype(kind))
        for kind in (object, "U3", complex, bool, np.uint8)
    ),
    of_array(lambda array: array[..., np.newaxis]),
    of_array(lambda array: array[0]),
    of_array(lambda array: array[:1]),
    of_array(lambda array: array[:-1]),
    of_array(lambda array: np.concatenate([array, array])),
)
ERROR = (
    lambda answer: replace(answer, value=None, error=Failure("ValueError", "of the student", 3)),
)
OTHER_ROWS = (  # rows that are a list or a dictionary whatever the student's file is
    lambda rows: type(rows)(),
    lambda rows: rows[:-1] if isinstance(rows, list) else dict([*rows.items()][1:]),
    lambda rows: [*rows, *rows[:1]] if isinstance(rows, list) else rows,
)


class Asked:
    """The model answer, which answers what it was asked before without running again."""

    def __init__(self):
        self.solution = LocalSolution(load_source(MODEL.read_bytes(), str(MODEL)))
        self.names = self.solution.names()
        self.known = {}

    def answer(self, method, args, kwargs):
        """Return the answer to a request: equal ones have equal seeds, and equal right helpers."""
        asked = kwargs.get("asked")
        key = pickle.dumps((method, args, {**kwargs, "asked": asked is not None}))
        if key not in self.known:
            try:
                answer = self.solution.ask(method, *args, **kwargs)
            except LookupError:  # a network that there is not
                raise SolutionLost("died") from None
            self.known[key] = answer, asked is not None and asked.used
        answer, used = self.known[key]
        if used:
            asked.used = True
        return answer


class Changed(Solution):
    """The model answer, with something else in one place of one of its answers."""

    def __init__(self, model, changes=None):
        super().__init__()
        self.model, self.changes = model, changes or {}
        self.answers = []

    def names(self):
        """List the functions."""
        return self.model.names

    def ask(self, method, *args, **kwargs):
        """Answer right, but for one time."""
        answer = self.model.answer(method, args, kwargs)
        answer = self.changes.get(len(self.answers), answer)
        self.answers.append((method, args, answer))
        return answer


def places(data, depth=0):
    """Yield the path to each place of an answer, and what else may stand there."""
    match data:
        case Transcript():
            yield from ((("answer", *path), others) for path, others in places(data.answer))
            yield ("calls",), OTHER_ROWS
            for position in sorted({0, len(data.calls) - 1} & {*range(len(data.calls))}):
                for name in ("args", "kwargs", "bound", "owner"):
                    given = getattr(data.calls[position], name)
                    yield ("calls", position, name), OTHER_ROWS
                    yield from (
                        (("calls", position, name, *path), others)
                        for path, others in inside(given, 0)
                    )
                result = places(data.calls[position].result)
                yield from (
                    (("calls", position, "result", *path), others) for path, others in result
                )
        case Answer():
            yield (), ERROR
            yield from ((("value", *path), others) for path, others in places(data.value))
            if data.args is not None:
                yield ("args",), OTHER_ROWS
                yield from ((("args", *path), others) for path, others in inside(data.args, 0))
        case _:
            yield (), OTHERS
            yield from inside(data, depth)


def inside(data, depth):
    """Yield the places of a container."""
    if depth < DEEPEST and isinstance(data, dict | list | tuple):
        keys = [*data] if isinstance(data, dict) else range(len(data))
        for key in keys if len(keys) <= WIDEST else (keys[0], keys[-1]):
            yield from (((key, *path), others) for path, others in places(data[key], depth + 1))


def put(data, path, other):
    """Return data with something else in a place."""
    if not path:
        return other(data)
    first, *rest = path
    if is_dataclass(data):
        return replace(data, **{first: put(getattr(data, first), rest, other)})
    if isinstance(data, Mapping):
        return {**data, first: put(data[first], rest, other)}
    return type(data)([*data[:first], put(data[first], rest, other), *data[first + 1 :]])


@pytest.fixture(scope="module")
def model():
    """Return the model answer, for all the checks."""
    return Asked()


EMPTY_LOSSES = """
_train = train_class_ann
def train_class_ann(topology, trainingDataset, *args, **kwargs):
    return _train(topology, trainingDataset, *args, **kwargs)[0], [], [], []
"""


@pytest.mark.thorough
def test_empty_losses_are_a_mistake_and_leave_a_mark():
    """No check of the training looks for the last of no losses."""
    source = (
        MODEL.read_text(encoding="utf-8").partition('if __name__ == "__main__"')[0] + EMPTY_LOSSES
    )
    solution = LocalSolution(load_source(source.encode(), str(MODEL)))
    marked = grade_submission(
        source.encode(),
        solution,
        load_rubric(),
        identifier="s",
        file="s.py",
        only={"train_class_ann"},
    )
    assert (marked.status, marked.reason) == ("graded", None)
    (function,) = marked.functions
    assert {check.verdict for check in function.checks} == {"pass", "fail"}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # numbers may overflow
@pytest.mark.parametrize("share", [SHARE, pytest.param(1, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("id", CHECKS)
def test_no_place_of_an_answer_makes_a_check_raise(model, id, share):
    """Neither empty vectors nor None, nor a number, text, NaN, another rank or type, in one in so
    many places.
    """
    check = CHECKS[id]
    drawn = known_examples(check)[0].values
    check = replace(check, drawn={}, body=lambda solution: CHECKS[id].body(solution, **drawn))
    right = Changed(model)
    assert run_check(check, right).verdict == "pass"
    turn, alike = zlib.crc32(id.encode()), {}
    for number, (method, args, answer) in enumerate(right.answers):
        kind = method, args[0] if method in ("call", "scripted") else None
        alike[kind] = alike.get(kind, 0) + 1
        if alike[kind] > MOST_ALIKE:
            continue
        for path, others in places(answer):
            turn += 1
            if turn % share:
                continue
            changed = put(answer, path, others[turn % len(others)])
            if fits(method, changed):  # or it is refused before a check sees it
                outcome = run_check(check, Changed(model, {number: changed}))
                assert outcome.verdict in ("pass", "fail", "not_run"), (
                    number,
                    path,
                    outcome.message_facts,
                )
