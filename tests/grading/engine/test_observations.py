"""What is said of wrong answers is true of every one of them: computed again, from the calls."""

import ast

import numpy as np
import pytest
from diagnosed import ROWS, diagnosed
from lanes import one_in
from submissions import submissions

from practica.grading.engine.diagnosis import answer_of
from practica.grading.engine.framework import RIGHT
from practica.grading.engine.known_mistakes import Seen, alike, imitation
from practica.grading.engine.observations import ALL, VALUES, WHOLES, Pair, observe, pairs_of
from practica.grading.engine.result import Diagnosis, Mistake
from practica.grading.engine.runner import run_check
from practica.grading.engine.solution import LocalSolution
from practica.grading.inside.loading import load_source
from practica.grading.inside.plain_data import Answer
from practica.grading.report.messages import LANGUAGES
from practica.grading.report.words import likely

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

SHARE = 6  # one submission in so many is not thorough
TRAINS = {"train_class_ann", "ann_cross_validation", "model_cross_validation", "build_class_ann"}
WRONG = [
    (submission, row)
    for submission in submissions()
    for row in sorted({id.partition(".")[0] for id in submission.fails} - TRAINS)
]


def rows_of(array):
    """Return the rows of an array, sorted."""
    return sorted(np.round(np.asarray(array, dtype=float), 5).tolist())


# what a sentence says is there, of what is expected, the arguments and the facts
MADE = {
    "infinite": lambda want, given, facts: np.inf,
    "as_it_came": lambda want, given, facts: given[facts["position"] - 1],
    "rounded": lambda want, given, facts: np.round(want, facts["digits"]),
    "always": lambda want, given, facts: float(facts["value"]),
    "without_decimals": lambda want, given, facts: np.trunc(want),
    "complement": lambda want, given, facts: 1 - want,
    "opposite": lambda want, given, facts: -want,
    "times": lambda want, given, facts: float(facts["factor"]) * want,
    "more": lambda want, given, facts: (
        want + (1 if facts["variant"] == "plus" else -1) * float(facts["amount"])
    ),
}
# whether what a sentence says of a whole array holds
IS_SO = {
    "all_false": lambda want, got: not got.any(),
    "all_true": lambda want, got: got.all(),
    "inverse": lambda want, got: (got != want).all(),
    "transposed": lambda want, got: np.allclose(got, want.T),
    "reversed": lambda want, got: np.allclose(got, want[::-1]),
    "columns_moved": lambda want, got: rows_of(got.T) == rows_of(want.T),
    "rows_moved": lambda want, got: rows_of(got) == rows_of(want),
    "elements_moved": lambda want, got: rows_of(got.ravel()) == rows_of(want.ravel()),
    "columns_shifted": lambda want, got: np.allclose(np.ptp(got - want, axis=0), 0, atol=1e-4),
    "columns_scaled": lambda want, got: np.allclose(
        got * want[:1].repeat(len(want), 0), want * got[:1].repeat(len(want), 0), atol=1e-4
    ),
    "more_true": lambda want, got: got[want].all(),
    "fewer_true": lambda want, got: want[got].all(),
    "above": lambda want, got: (got >= want - 1e-5).all(),
    "below": lambda want, got: (got <= want + 1e-5).all(),
}
OF_FORM = {
    "groups": lambda want, got: sorted(np.concatenate(got).tolist()) == [*range(len(want))],
    "several": lambda want, got: isinstance(got, tuple),
    "masks": lambda want, got: {np.asarray(each).dtype.kind for each in got if len(each)} == {"b"},
    "floats": lambda want, got: "f" in {np.asarray(each).dtype.kind for each in (*got, got)},
    "turned": lambda want, got: alike(np.asarray(want).T, got),
    "shape": lambda want, got: alike(np.ravel(want), np.ravel(got)),
    "kind": lambda want, got: (np.asarray(want) == got).all(),
    "length": lambda want, got: len(want) != len(got),
    "rows": lambda want, got: len(want) != len(got),
    "repeated": lambda want, got: len({*np.concatenate(got)}) < sum(map(len, got)),
    "columns": lambda want, got: np.shape(want)[1] != np.shape(got)[1],
}


def holds(id: str, facts, pair: Pair) -> bool | None:
    """Return whether an observation is true of a pair, None if this is no claim about pairs."""
    kind = id.removeprefix("observation.")
    if kind in MADE:
        want, got = (np.atleast_1d(np.asarray(each, float)) for each in (pair.want, pair.got))
        with np.errstate(all="ignore"):
            made = np.broadcast_to(MADE[kind](want, pair.given, facts), got.shape)
        is_right = np.isclose(want, got, rtol=1e-5, atol=1e-5)
        return bool((np.isclose(made, got, rtol=1e-4, atol=1e-5) | is_right).all())
    if kind in IS_SO:
        return bool(IS_SO[kind](np.asarray(pair.want), np.asarray(pair.got)))
    if kind.startswith("form.") and kind.removeprefix("form.") in OF_FORM:
        return bool(OF_FORM[kind.removeprefix("form.")](pair.want, pair.got))
    if kind == "nan":
        return bool(np.isnan(np.asarray(pair.got, float)).any())
    return None


def printed_calls(row: str, function: str, fails, solution):
    """Return the calls that a student sees, with the answers of the file and of right code."""
    seen = []
    for check in ROWS[row]:
        if check.id in fails:
            call = run_check(check, solution).counterexample.get("call", "")
            if "…" in call:  # too long to be repeated
                continue
            node = ast.parse(call, mode="eval").body
            if isinstance(node, ast.Call) and ast.unparse(node.func) == function:
                made = eval(call, {"np": np, function: lambda *args, **kwargs: (args, kwargs)})
                answer = solution.answer(function, *made[0], want_args=True, **made[1])
                seen.append(Seen([*made[0]], dict(made[1]), answer))
    known = [(each, answer_of(imitation(row), RIGHT, 0, each)) for each in seen]
    return [
        Seen(each.args, each.kwargs, each.answer, right=right) for each, right in known if right
    ]


@pytest.mark.parametrize(
    ("submission", "row"), one_in(2 * SHARE, WRONG), ids=lambda value: getattr(value, "slug", value)
)
def test_what_is_seen_is_true_of_the_call_that_is_shown(submission, row):
    """And of all others in which the function is wrong, right values and own ones."""
    found = diagnosed(submission, [row])[row]
    if found is None or found.how != "seen" or imitation(row) is None:
        return
    for lang in LANGUAGES:
        assert "…" not in likely(found, lang)
    solution = LocalSolution(load_source(submission.source, f"{submission.slug}.py"))
    shown = printed_calls(row, ROWS[row][0].function, submission.fails, solution)
    for mistake in found.mistakes:
        for pair in pairs_of(row, shown):
            facts = mistake.facts
            about = pair.part in facts.get("part", [ALL]) and not pair.agrees
            if about and facts.get("scope") != "some":
                assert holds(mistake.id, facts, pair) in (True, None)


RANDOM = np.random.default_rng(5)
CASES = [RANDOM.normal(size=(n, 3)) * 7 for n in range(3, 9)]
WAYS = {
    "rounded": lambda x: np.round(x, 1),
    "always": lambda x: np.full_like(x, 4.5),
    "without_decimals": np.trunc,
    "complement": lambda x: 1 - x,
    "opposite": lambda x: -x,
    "times": lambda x: x * 100,
    "times_size": lambda x: x / len(x),
    "applied": np.square,
    "more": lambda x: x + 0.25,
    "reversed": lambda x: x[::-1],
    "columns_moved": lambda x: x[:, [1, 2, 0]],
    "rows_moved": lambda x: np.roll(x, 1, axis=0),
    "elements_moved": lambda x: np.roll(x.ravel(), 2).reshape(x.shape),
    "columns_shifted": lambda x: x - x.mean(axis=0),
    "columns_scaled": lambda x: x / x.std(axis=0),
    "nan": lambda x: np.where(x > 4, np.nan, x),
    "above": lambda x: x + np.abs(np.sin(x * 9)) + 0.1,
    "below": lambda x: x - np.abs(np.sin(x * 9)) - 0.1,
    "form.turned": lambda x: x.T,
    "form.shape": np.ravel,
    "form.end": lambda x: x[1:],
    "form.columns": lambda x: np.hstack([x, x[:, :2] * 3]),
    "form.item": lambda x: (x.mean(axis=0), x),
    "place.first_column": lambda x: np.hstack([x[:, :1] * 0.5 + np.sin(x[:, :1] * 9), x[:, 1:]]),
    "place.other_rows": lambda x: np.vstack([x[:1], np.sin(x[1:] * 9) + 3 * x[1:] ** 3]),
    "place.negative": lambda x: np.where(x < 0, np.sin(x * 9), x),
}
BOOLS = {
    "all_false": np.zeros_like,
    "all_true": np.ones_like,
    "inverse": np.logical_not,
    "more_true": lambda x: x | np.roll(x, 1, axis=0),
    "fewer_true": lambda x: x & np.roll(x, 1, axis=0),
    "form.kind": lambda x: x.astype(float),
}


@pytest.mark.parametrize(("id", "way"), [*WAYS.items(), *BOOLS.items()])
def test_each_relation_is_seen_where_it_is_made(id, way):
    """And said in both languages, with all its facts."""
    cases = CASES if id in WAYS else [case > 0 for case in CASES]
    arguments = [np.zeros((len(case), 2)) for case in cases]
    pairs = [
        Pair(ALL, case, way(case), [given]) for case, given in zip(cases, arguments, strict=True)
    ]
    found = [each[:2] for each in observe(pairs, [])]
    assert id in [each for each, _ in found]
    mistakes = tuple(
        Mistake(f"observation.{each}", {name: str(fact) for name, fact in facts.items()})
        for each, facts in found
    )
    for lang in LANGUAGES:
        sentence = likely(Diagnosis("seen", mistakes), lang)
        assert "…" not in sentence
        assert "observation" not in sentence
    for each, facts in found:
        assert False not in [holds(each, facts, pair) for pair in pairs if not pair.agrees]


def test_every_relation_of_values_has_a_case_here():
    """But those that need more than one argument, or shapes that the cases do not have."""
    other = {"as_it_came", "infinite", "other_part", "of_argument", "transposed"}
    assert {*VALUES, *WHOLES} - {*WAYS, *BOOLS} == other


def test_right_values_show_nothing():
    """Not even where few of them are wrong: one call is no rule."""
    right = [Pair(ALL, case, case.astype(np.float32), [case]) for case in CASES]
    assert observe(right, []) == []
    assert observe([*right[1:], Pair(ALL, CASES[0], CASES[0] + 1, [CASES[0]])], []) == []


def test_a_number_of_columns_that_differs_between_calls_is_not_said():
    """And no number of rows, which are as many as they should be."""
    wide = [Pair(ALL, case, np.hstack([case] * len(case)), [case]) for case in CASES]
    assert observe(wide, []) == []


def test_what_is_drawn_is_compared_by_its_form_only():
    """The same numbers in another order are as right; floats are not."""
    orders = [RANDOM.permutation(n) for n in range(4, 9)]
    drawn = [Pair(ALL, np.arange(len(each)), each, [len(each)], drawn=True) for each in orders]
    assert observe(drawn, []) == []
    floats = [
        Pair(ALL, np.arange(len(each)), each * 1.0, [len(each)], drawn=True) for each in orders
    ]
    assert [id for id, *_ in observe(floats, [])] == ["form.floats"]


def test_what_is_drawn_twice_is_seen_where_all_should_differ():
    """In one part or in two; not where right code repeats values too."""
    wanted = [np.split(RANDOM.permutation(n), [2]) for n in range(4, 9)]
    overlapping = [[np.append(first, second[:1]), second] for first, second in wanted]
    pairs = [
        Pair(ALL, want, got, drawn=True) for want, got in zip(wanted, overlapping, strict=True)
    ]
    assert [id for id, *_ in observe(pairs, [])] == ["form.repeated"]
    assert observe([Pair(ALL, each, each, drawn=True) for each in overlapping], []) == []


def test_the_calls_that_are_wrong_are_described_unless_by_chance():
    """Matrices of one column among many calls; not where as few were right."""

    def called(outputs, agrees):
        answer = LocalSolution({"f": lambda x: x}).answer("f", outputs)
        return Seen([outputs], {}, answer, right=answer, agrees=agrees)

    wide = [called(case, True) for case in CASES]
    narrow = [called(case[:, :1], False) for case in CASES]
    ((id, facts, _),) = observe([], [*wide, *wide, *narrow])
    assert (id, facts["variant"]) == ("calls", "one_column")
    assert observe([], [*wide[:3], *narrow[:3]]) == []


def calls_with(values, count, agrees):
    """Return calls with two arrays of these values."""
    args = [np.array(values), np.array(values)]
    answer = Answer(value=1)
    return [Seen(args, {}, answer, right=answer, agrees=agrees) for _ in range(count)]


VALUES_OF = {"texts": ["a", "b"], "numbers": [1, 2], "bools": [True, False]}


@pytest.mark.parametrize(
    ("right", "said"),
    [
        ({"texts": 0, "numbers": 30, "bools": 60}, "texts"),
        ({"texts": 0, "numbers": 0, "bools": 60}, "no_bools"),
        ({"texts": 40, "numbers": 30, "bools": 10}, None),
    ],
)
def test_labels_are_texts_where_other_labels_are_right(right, said):
    """Bools prove nothing about texts, and neither do numbers if most texts are right too."""
    seen = calls_with(VALUES_OF["texts"], 6, False)
    for kind, count in right.items():
        seen += calls_with(VALUES_OF[kind], count, True)
    assert [facts["variant"] for _, facts, _ in observe([], seen)] == [said] * (said is not None)
