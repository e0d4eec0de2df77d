"""Whose fault a failure is: help for those who only inherit a mistake, and no points out of
help.
"""

import tracemalloc
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_values import plain_values
from submissions import MODEL

from practica.grading.assignment import metrics
from practica.grading.engine.framework import Check, load_checks, require
from practica.grading.engine.helper_substitution import Part, RightResults
from practica.grading.engine.rubric import load_rubric
from practica.grading.engine.runner import run_check
from practica.grading.engine.solution import LocalSolution, SolutionLost
from practica.grading.inside.loading import load_source
from practica.grading.inside.plain_data import RecordedCall

PARTS = {"part": Part(lambda args, kwargs: args[0] + 1)}


def module(source):
    """Return the names of a file of the student's, whose functions call each other."""
    namespace = {}
    exec(source, namespace)
    return namespace


def run(body, functions, parts=PARTS, **options):
    """Run a check of `double` on these functions, with right parts."""
    check = Check("double.right", "double", "double", body, parts=parts)
    return run_check(check, LocalSolution(functions), **options)


def double_of_three_is_seven(solution):
    """Seven."""
    obtained = solution.double(3)
    require(obtained == 7, expected=7, obtained=obtained)


@pytest.mark.parametrize(
    ("double", "part", "verdict", "helped"),
    [
        ("return 2 * x + part(0)", "return x + 1", "pass", False),
        # only inherits the mistake of the part
        ("return 2 * x + part(0)", "return x + 2", "pass", True),
        ("return 2 * x + part(0)", "raise ValueError", "pass", True),
        ("return 2 * x + part(part(0)) - 1", "return x + 5", "pass", True),
        ("return 3 * x + part(0)", "return x + 1", "fail", False),
        ("return 3 * x + part(0)", "return x + 2", "fail", False),
        # the part is right, what it is asked is not
        ("return 2 * x + part(1)", "return x + 1", "fail", False),
        ("return 8", "return x + 2", "fail", False),
    ],
)
def test_who_only_inherits_a_mistake_does_not_fail(double, part, verdict, helped):
    """The helpers are replaced by right ones, for exactly what they are asked."""
    functions = module(f"def part(x):\n    {part}\n\ndef double(x):\n    {double}\n")
    real = functions["part"]
    outcome = run(double_of_three_is_seven, functions)
    assert (outcome.verdict, outcome.helped) == (verdict, helped)
    assert functions["part"] is real


def test_calls_that_are_repeated_are_helped_too():
    """Each of them."""

    def each_is_seven(solution):
        assert [*solution.repeated(3, "double", 3)] == [7, 7, 7] or require(False)

    functions = module("def part(x): return x + 2\ndef double(x): return 2 * x + part(0)")
    outcome = run(each_is_seven, functions)
    assert (outcome.verdict, outcome.helped) == ("pass", True)


def test_what_is_told_is_what_students_see():
    """The failure without help, though it is not theirs alone."""
    functions = module(
        "def part(x):\n    return x + 10\n\ndef double(x):\n    return 3 * x + part(0)\n"
    )
    outcome = run(double_of_three_is_seven, functions)
    told = {"call": "double(3)", "input": "3", "expected": "7", "obtained": "19"}
    assert told.items() <= outcome.counterexample.items()


@pytest.mark.parametrize(
    ("helpers", "verdict"), [({"part"}, "pass"), ({"other"}, "fail"), (set(), "fail")]
)
def test_only_some_helpers_are_helped(helpers, verdict):
    """Those that were written and are not known to be right; who marks says which."""
    functions = module(
        "def part(x):\n    return x + 2\n\ndef double(x):\n    return 2 * x + part(0)\n"
    )
    assert run(double_of_three_is_seven, functions, helpers=helpers).verdict == verdict


def test_right_results_that_are_drawn_differ_from_call_to_call():
    """And are the same each time that the example runs."""

    def check(solution):
        first, second = solution.double(5)
        require(first != second, obtained=first)

    parts = {"part": Part(lambda args, kwargs, draw: args[0] + draw[1], draws=True)}
    functions = module(
        "def part(x):\n    return 0\n\ndef double(x):\n    return part(x), part(x)\n"
    )
    assert run(check, functions, parts).helped


# --- help gives no points -------------------------------------------------------------------------


def test_the_helpers_of_a_row_come_before_it():
    """So that no two functions help each other, and none itself but in an earlier row."""
    rows = load_rubric().assigned
    for check in load_checks().values():
        (own,) = (row for row in rows if row.name == check.row)
        earlier = {row.function for row in rows if row.place < own.place}
        assert {*check.parts} <= earlier


class Unreachable(LocalSolution):
    """The model answer, some functions of which only its own functions may call."""

    def __init__(self, hidden):
        super().__init__(load_source(MODEL.read_bytes(), "modelo.py"))
        self.hidden = hidden

    def ask(self, method, name, *args, **options):
        """Answer what is about another function."""
        if method in ("call", "scripted") and name in self.hidden:
            raise SolutionLost("timeout")
        return super().ask(method, name, *args, **options)


@pytest.mark.parametrize("row", sorted({check.row for check in load_checks().values()}))
def test_no_check_calls_a_helper_of_its_row_itself(row):
    """It would be lost with a helper that never ends, for which nothing stands there."""
    for check in load_checks().values():
        if check.row == row:
            solution = Unreachable({*check.parts} - {check.function})
            outcome = run_check(check, solution, max_examples=1, helpers=())
            assert outcome.verdict == "pass", check.id


def test_many_classes_are_only_helped_with_two_vectors():
    """Columns, matrices and labels are what that row is about."""
    of_many = next(check for check in load_checks().values() if check.row == metrics.MANY)
    right = of_many.parts["confusion_matrix"].right
    bools = np.eye(3, dtype=bool)
    assert right([bools[0], bools[1]], {})[0] == 1 / 3
    others = bools, bools[:, :1], bools[0] * 0.5, np.array(["a", "b", "c"])
    assert [right([each, each], {}) for each in others] == [None] * 4


class Hangs(LocalSolution):
    """A solution whose helper never ends."""

    def ask(self, method, name, *args, **options):
        """Answer, unless the helper would have to."""
        if method == "call" or args[0].get("part", {"through": True}) == {"through": True}:
            raise SolutionLost("timeout")
        return super().ask(method, name, *args, **options)


@pytest.mark.parametrize(
    ("double", "verdict"),
    [
        ("return 2 * x + part(0)", "pass"),
        ("return 2 * x + part(part(0)) - 1", "pass"),
        ("return 3 * x", "fail"),
    ],
)
def test_a_helper_that_never_ends_is_not_called(double, verdict):
    """What it is asked becomes known all the same."""
    functions = module(f"def part(x):\n    while True: pass\n\ndef double(x):\n    {double}\n")
    check = Check("double.right", "double", "double", double_of_three_is_seven, parts=PARTS)
    outcome = run_check(check, Hangs(functions), lost={"part"})
    assert (outcome.verdict, outcome.helped) == (verdict, verdict == "pass")
    assert run_check(check, Hangs(functions)).message == "lost.timeout"


EMPTY = np.zeros((0, 3)), np.zeros(0, bool), np.zeros((0, 3), bool), np.array([], dtype="U1")
ARGUMENTS = [[], [EMPTY[0], EMPTY[2]], *([each] for each in EMPTY), *([each] * 2 for each in EMPTY)]
RIGHT = {name: part for each in load_checks().values() for name, part in each.parts.items()}


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_helper_does_not_warn_of_what_it_is_given(name):
    """A student who asks for the mean of nothing gets no warning of ours."""
    calls = [RecordedCall(name, args, {}, {}, None, {}) for args in ARGUMENTS]
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        for call in calls:
            RightResults(RIGHT, 0)(call)
    assert found == []


@pytest.mark.thorough
@given(
    st.sampled_from(sorted(RIGHT)),
    st.lists(plain_values(), max_size=3),
    st.dictionaries(st.text(max_size=3), plain_values(), max_size=2),
)
def test_no_question_makes_the_grader_raise(name, args, kwargs):
    """Whatever a file asks has right results or none."""
    found = RightResults(RIGHT, 0)(RecordedCall(name, args, kwargs, {}, None, {}))
    assert type(found) is list


SIDES = st.sampled_from([1, 3, 200, 1_100, 1_499])
LAYERS = st.lists(st.sampled_from([-1_999, 0, 1, 3, 300, 2_000, 10**18]), max_size=6)


def labels(count):
    """Return as many different labels, in a vector or a column."""
    return st.sampled_from([np.arange(count), np.arange(count)[:, None], np.zeros(count, bool)])


DATASET = np.zeros((4, 2)), np.zeros((4, 1), bool)
PAIRS = SIDES.flatmap(lambda count: st.tuples(labels(count), SIDES.flatmap(labels) | labels(count)))
ODD = {
    "build_class_ann": st.tuples(st.integers(1, 10**9), LAYERS, st.integers(-3, 10**9)),
    "train_class_ann": LAYERS.map(lambda topology: (topology, DATASET)),
    "hold_out": st.tuples(st.integers(1, 10**12), st.just(0.5)),
}


PARTS_OF_ALL = {
    id(part): (name, part) for each in load_checks().values() for name, part in each.parts.items()
}


@pytest.mark.parametrize(("name", "part"), PARTS_OF_ALL.values())
@given(st.data())
def test_what_a_question_makes_the_grader_compute_is_small(name, part, data):
    """However large the layers, the classes, or the sets are that the arguments describe."""
    args = [*data.draw(ODD.get(name, PAIRS))]
    tracemalloc.start()
    try:
        RightResults({name: part}, 0)(RecordedCall(name, args, {}, {}, None, {}))
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("hidden", [[3, -2, 3], [0], [-1], [280, 400]])
def test_no_layer_hides_the_size_of_another(hidden):
    """Each has neurons, and all together few weights."""
    for name, args in {
        "build_class_ann": [2, hidden, 1],
        "train_class_ann": [hidden, DATASET],
    }.items():
        assert RightResults(RIGHT, 0)(RecordedCall(name, args, {}, {}, None, {})) == []
