"""No answer makes a check raise, whatever it is: a defect of a check is no mark for the whole file."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from practica.checks.agent import Answer, Failure, Handle, Network, Opaque, RecordedCall, Transcript
from practica.checks.framework import load_checks
from practica.checks.runner import run_check
from practica.checks.solution import Solution

CHECKS = load_checks()
FUNCTIONS = sorted({check.function for check in CHECKS.values()})
FACTS = ("module", "class", "parameters", "dtype", "shapes", "values", "inputs", "outputs", "layers")
LAYER = ("in", "out", "weight", "bias", "before", "after", "activations")


class Arbitrary(Solution):
    """A solution that answers plain data at random, rather often of about the right form."""

    def __init__(self, seed):
        super().__init__()
        self.random = np.random.default_rng(seed)

    def names(self):
        """List all functions."""
        return FUNCTIONS

    def ask(self, method, *args, **kwargs):
        """Answer what the method promises, with anything in it."""
        match method:
            case "predict":
                return Answer(self.array())
            case "describe":
                layers = [dict.fromkeys(LAYER) | {key: self.value(2) for key in LAYER} for _ in range(self.upto(3))]
                facts = {key: self.value(1) for key in FACTS}
                return Answer(facts | self.one({}, {"module": True}, {"module": True, "layers": layers}))
            case "scripted":
                calls = [self.call(name) for name in args[1] for _ in range(self.upto(7))]
                return Transcript(self.answer_to(args[2]), calls)
            case _:
                return self.answer_to(args[1])

    def one(self, *choices):
        """Choose one of these."""
        return choices[self.random.integers(len(choices))]

    def upto(self, most):
        """Draw a number."""
        return int(self.random.integers(most + 1))

    def answer_to(self, args):
        """Answer a call, or fail."""
        error = self.one(None, None, None, None, Failure("ValueError", "of the student", self.one(None, 3)))
        after = self.one(None, [], args, [self.value() for _ in args])
        return Answer(None if error else self.value(), error, after, self.one(None, 0))

    def call(self, name):
        """Record a call of a double."""
        args = self.one([], [self.value() for _ in range(self.upto(4))])
        named = self.one({}, {key: self.value() for key in ("validationDataset", "targets", "X", "topology")})
        return RecordedCall(name, args, named, self.one({}, named), self.value(), self.one({}, {"params": {"C": 1}}))

    def array(self):
        """Draw an array of any type and shape."""
        shape = self.one((), (0,), (7,), (12,), (2, 1), (12, 1), (12, 2), (12, 3), (0, 3), (7, 2), (2, 2, 2))
        values = self.random.normal(size=shape) * self.one(0, 1, 1, 50)
        kind = self.one(bool, np.int64, np.uint8, np.float32, float, float, complex, "U3", object)
        if kind is float and self.upto(3) == 0:
            return np.full(shape, self.one(np.nan, np.inf, -np.inf, 1e308))
        return values.astype(kind)

    def value(self, depth=0):
        """Draw plain data."""
        if depth < 3 and self.upto(2):
            kind = self.one(list, tuple)
            match self.upto(3):
                case 0:
                    return kind([Handle(1), *(self.value(2) for _ in range(3))])  # like a training
                case 1:
                    return kind([*self.random.random(7).tolist(), *self.one([], [self.value(2)])])  # like metrics
                case 2:
                    return kind([(self.value(3), self.value(3)) for _ in range(self.one(7, 8))])
            return kind(self.value(depth + 1) for _ in range(self.upto(4)))
        return self.one(
            *(None, True, -1, 10**30, 0.5, float("nan"), float("inf"), 1j, "", "añ\ud800", {}, {"a": 1}),
            *(Handle(3), Opaque("object"), Network(np.eye(2), np.zeros(2)), self.array(), self.array(), self.array()),
        )


@pytest.mark.parametrize("row", sorted({check.row for check in CHECKS.values()}))
@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_no_answer_makes_a_check_raise(row, data):
    """The student's functions, their networks and the calls that they make may be anything."""
    for check in CHECKS.values():
        if check.row == row:
            drawn = {name: data.draw(strategy) for name, strategy in check.strategies.items()}
            fixed = replace(check, strategies={}, body=lambda solution, c=check, d=drawn: c.body(solution, **d))
            outcome = run_check(fixed, Arbitrary(data.draw(st.integers(0, 2**32))))
            assert outcome.verdict in ("pass", "fail"), (check.id, outcome.message_facts)
