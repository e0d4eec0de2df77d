"""What a student reads of a failure: the example repeats the sentence's numbers, and no equality is
claimed falsely.
"""

import runpy
import sys

import numpy as np
import pytest
from budget import budget
from hypothesis import given, settings
from hypothesis import strategies as st
from lanes import one_in
from submissions import submissions

from practica.grading.assignment.oracle import PATTERNS, SETS, Way, simulate
from practica.grading.assignment.trajectory import Plan, compared
from practica.grading.engine.framework import load_checks
from practica.grading.engine.result import CheckResult, FunctionResult, SubmissionResult
from practica.grading.engine.runner import run_check
from practica.grading.engine.solution import LocalSolution
from practica.grading.inside.loading import load_source
from practica.grading.inside.plain_data import Handle
from practica.grading.report.failure import call_lines
from practica.grading.report.failure import compared as side_by_side
from practica.grading.student.example_file import with_examples_beside

CHECKS = load_checks()
NEVER_ALIKE = {"ann_llamadas_imposibles"}  # counts its calls, and asks something else in each
FAILING = [
    (each, id)
    for each in submissions()
    if each.slug not in NEVER_ALIKE
    for id in sorted(each.fails)[:1]
]
SHARE = 12  # one submission in so many is not thorough


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("submission", "identifier"),
    one_in(SHARE, FAILING),
    ids=lambda value: getattr(value, "slug", ""),
)
def test_the_example_that_is_printed_repeats_the_numbers_of_the_sentence(
    submission, identifier, tmp_path, monkeypatch, capsys
):
    """What the program beside the file prints as obtained and expected is what the sentence
    says.
    """
    file = tmp_path / f"de_{submission.slug}.py"
    file.write_bytes(submission.source)
    check = CHECKS[identifier]
    outcome = run_check(check, LocalSolution(load_source(submission.source, file.name)), helpers=())
    assert outcome.verdict == "fail"
    found = CheckResult(
        check.id, "fail", outcome.message, outcome.message_facts, outcome.counterexample
    )
    function = FunctionResult(check.row, check.function, 1, 0.0, 1.0, "fail", (), (found,))
    with_examples_beside(
        SubmissionResult("x", file.name, "", "graded", None, 0, 1, functions=(function,)), file
    )
    program = tmp_path / "ejemplo.py"
    if not program.exists():  # its call cannot be written as Python
        assert "<" in outcome.counterexample["call"] or "…" in outcome.counterexample["call"]
        return
    monkeypatch.setattr(sys, "argv", [str(program), check.row])
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    runpy.run_path(str(program))
    monkeypatch.delitem(sys.modules, file.stem, raising=False)
    printed = "".join(capsys.readouterr().out.replace("»", "").split())
    for name in {"obtained", "expected"} & outcome.counterexample.keys():
        assert "".join(outcome.counterexample[name].split()) in printed


class _Answers(LocalSolution):
    """A solution whose networks give known outputs."""

    def __init__(self, outputs):
        super().__init__({})
        self.outputs = outputs

    def predict(self, network, inputs):
        return self.outputs


@given(
    seed=st.integers(0, 10**6),
    name=st.sampled_from(SETS),
    epoch=st.integers(0, 5),
    change=st.floats(1e-4, 1.0),
    C=st.sampled_from([1, 3]),
)
@settings(max_examples=budget(40))
def test_losses_are_not_said_to_be_right_where_one_is_another(seed, name, epoch, change, C):
    """The sentence is about the first loss that is another one, however wrong the network is."""
    draws = np.random.default_rng(seed)
    options = {"maxEpochs": 5, "learningRate": 0.05, "maxEpochsVal": 99}
    plan = Plan([3], 2, C, {"training": 8, "validation": 6, "test": 5}, options)
    case = plan.case(draws)
    start = [
        (draws.normal(size=(3, 2)), draws.normal(size=3)),
        (draws.normal(size=(C, 3)), draws.normal(size=C)),
    ]
    right = simulate(case, start, Way(), {})
    losses = {each: line.copy() for each, line in right.losses.items()}
    losses[name][epoch] += change * (1 + losses[name][epoch])
    value = [Handle("ann"), *(losses[each] for each in SETS)]
    outputs = np.full((PATTERNS, C), 1 / C)
    found = compared(_Answers(outputs), case, start, value, [right])
    assert (found.facts["set"], found.facts["epoch"]) == (name, epoch)
    assert found.facts["obtained"] == losses[name][epoch]


NUMBERS = st.lists(
    st.floats(-100, 100, allow_nan=False).map(lambda value: float(f"{value:.3g}")),
    min_size=1,
    max_size=6,
)


@given(one=NUMBERS, other=NUMBERS)
@settings(max_examples=budget(100))
def test_values_beneath_each_other_are_marked_where_they_differ(one, other):
    """There are as many runs of marks as values that differ, where there are as many values."""
    lines = side_by_side(str(one), str(other), "", "es")
    assert ["".join(line.split()[1:]) for line in lines[:2]] == [
        str(each).replace(" ", "") for each in (one, other)
    ]
    marks = lines[2].split() if len(lines) > 2 else []
    if len(one) == len(other):
        assert len(marks) == sum(a != b for a, b in zip(one, other, strict=True))


@given(
    rows=st.lists(st.lists(st.integers(-9, 9), min_size=2, max_size=2), min_size=1, max_size=40),
    width=st.integers(30, 96),
)
@settings(max_examples=budget(60))
def test_a_call_in_lines_is_the_same_call(rows, width):
    """Set in lines without folding, a call is the Python that it was."""
    call = f"f(np.array({rows}), {rows!r}, names=['a', 'b'], k=3)"
    made = eval(
        "\n".join(call_lines(call, width, fold=False)),
        {"f": lambda *args, **kwargs: (args, kwargs), "np": _Raw},
    )
    assert made == ((rows, rows), {"names": ["a", "b"], "k": 3})


class _Raw:
    """Arrays as the lists that they are made of."""

    array = staticmethod(list)
