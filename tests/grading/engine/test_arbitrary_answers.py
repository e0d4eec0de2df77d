"""No answer makes a check raise, whatever it is: a defect of a check is no mark for the whole
file.
"""

import json
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from submissions import MODEL

from practica.grading.assignment.accepted_forms import as_losses
from practica.grading.engine.framework import CheckFailed, load_checks
from practica.grading.engine.grade import grade_submission
from practica.grading.engine.rubric import load_rubric
from practica.grading.engine.runner import run_check
from practica.grading.engine.solution import Solution
from practica.grading.inside.plain_data import (
    Answer,
    Failure,
    Handle,
    Network,
    Opaque,
    RecordedCall,
    Transcript,
)

CHECKS = load_checks()
FUNCTIONS = sorted({check.function for check in CHECKS.values()})
FACTS = (
    "module",
    "class",
    "values",
    "single",
    "outputs",
    "steps",
)
LEAVES = (
    *(
        None,
        True,
        -1,
        10**400,
        0.5,
        float("nan"),
        float("inf"),
        1j,
        "",
        "añ\ud800",
        [],
        {},
        {"a": 1},
        {(1, None): {2.5}, "a": frozenset({"b"})},
        {1, "a", 0.5},
    ),
    *(Handle(3), Opaque("object"), Network(np.eye(2), np.zeros(2))),
)
SHAPES = (
    (),
    (0,),
    (7,),
    (12,),
    (2, 1),
    (12, 0),
    (12, 1),
    (12, 2),
    (12, 3),
    (0, 3),
    (7, 2),
    (2, 2, 2),
)
TYPES = (bool, np.int64, np.uint8, np.float32, float, complex, "U3", object)
NORMAL = np.random.default_rng(0).normal(size=12 * 3) * 20
ARRAYS = (
    *(np.resize(NORMAL, shape).astype(kind) for shape in SHAPES for kind in TYPES),
    *(np.full(shape, value) for shape in SHAPES for value in (np.nan, np.inf, 1e308, 0.0, 0.5)),
    np.arange(24).reshape(12, 2) / 64,  # the patterns of cross-validation
)


class Arbitrary(Solution):
    """A solution that answers plain data at random, rather often of about the right form."""

    def __init__(self, seed):
        super().__init__()
        self.random = random.Random(seed)

    def names(self):
        """List all functions."""
        return FUNCTIONS

    def ask(self, method, *args, **kwargs):
        """Answer what the method promises, with anything in it."""
        match method:
            case "predict":
                return Answer(self.array())
            case "describe":
                steps = [self.array() for _ in range(self.upto(3))]
                facts = {key: self.value(1) for key in FACTS}
                return Answer(
                    facts | self.one({}, {"module": True}, {"module": True, "steps": steps})
                )
            case "signature":
                kinds = ("POSITIONAL_OR_KEYWORD", "KEYWORD_ONLY", "VAR_POSITIONAL", "", "añ\ud800")
                names = ("outputs", "targets", "", "x" * 5000, "añ\ud800")
                flag = bool(self.upto(1))
                return Answer(
                    [
                        [self.one(*names), self.one(*kinds), flag, self.value(2)]
                        for _ in range(self.upto(4))
                    ]
                )
            case "observe":
                lines = (-1, 0, 1, 3, 10**30)
                steps = [[self.one(*lines) for _ in range(3)] for _ in range(self.upto(9))]
                names = ("sklearn.metrics.accuracy_score", "accuracy", "", "añ\ud800")
                within = [[self.one(*names), *step] for step in steps[: self.upto(3)]]
                seen = {
                    "raised": bool(self.upto(1)),
                    "value": self.value(2),
                    "entries": self.one(*lines),
                }
                uses = [
                    [self.one(*names), self.one(*lines), seen["raised"], self.one(*names)]
                    for _ in within
                ]
                return Answer(seen | {"steps": steps, "within": within, "uses": uses})
            case "scripted":
                calls = [self.call(name) for name in args[1] for _ in range(self.upto(7))]
                return Transcript(self.answer_to(args[2]), calls)
            case _:
                return self.answer_to(args[1])

    def one(self, *choices):
        """Choose one of these."""
        return self.random.choice(choices)

    def upto(self, most):
        """Draw a number."""
        return self.random.randrange(most + 1)

    def answer_to(self, args):
        """Answer a call, or fail."""
        error = self.one(
            None, None, None, None, Failure("ValueError", "of the student", self.one(None, 3))
        )
        after = self.one(None, [], args, [self.value() for _ in args])
        return Answer(None if error else self.value(), error, after, self.one(None, 0))

    def call(self, name):
        """Record a call of a double."""
        args = self.one([], [self.value() for _ in range(self.upto(4))])
        named = self.one(
            {}, {key: self.value() for key in ("validationDataset", "targets", "X", "topology")}
        )
        return RecordedCall(
            name, args, named, self.one({}, named), self.value(), self.one({}, {"params": {"C": 1}})
        )

    def array(self):
        """Draw an array of any type and shape."""
        return self.one(*ARRAYS)

    def value(self, depth=0):
        """Draw plain data."""
        form = self.upto(6) if depth < 2 else 0
        if form < 3:
            return self.array() if form == 1 else self.one(*LEAVES)
        kind = self.one(list, tuple)
        if form == 3:
            return kind([Handle(1), *(self.value(2) for _ in range(3))])  # like a training
        if form == 4:
            # like metrics
            return kind(
                [*(self.random.random() for _ in range(7)), *[self.value(2)] * self.upto(1)]
            )
        if form == 5:
            return kind([(self.value(2), self.value(2))] * self.one(7, 8))
        return kind(self.value(depth + 1) for _ in range(self.upto(4)))


ROWS = sorted({check.row for check in CHECKS.values()})
EXAMPLES = settings(
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@pytest.mark.filterwarnings("ignore")  # numbers may overflow
@pytest.mark.parametrize("row", ROWS)
@given(data=st.data())
@settings(EXAMPLES, max_examples=1)
def test_no_answer_at_random_makes_a_check_raise(row, data):
    """The student's functions, their networks and the calls that they make may be anything."""
    for check in CHECKS.values():
        if check.row == row:
            answers, secret = data.draw(st.integers(0, 2**32)), data.draw(st.integers(0, 2**32))
            outcome = run_check(check, Arbitrary(answers), max_examples=1, secret=secret)
            assert outcome.verdict in ("pass", "fail"), (check.id, outcome.message_facts)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(2))
def test_no_answer_leaves_a_submission_without_mark(seed):
    """Nor what is asked of the functions beside their checks: signatures, and the lines that
    run.
    """
    checks = {name: replace(check, examples=2) for name, check in CHECKS.items()}
    source = MODEL.read_bytes()
    marked = grade_submission(
        source, Arbitrary(seed), load_rubric(), identifier="s", file="s.py", checks=checks
    )
    assert marked.status == "graded", marked.reason
    json.dumps(marked.as_json(), allow_nan=False).encode()


def test_losses_of_which_one_is_beyond_all_floats_are_none():
    """An int of Python's may have any size."""
    with pytest.raises(CheckFailed):
        as_losses([0.5, 10**400])
