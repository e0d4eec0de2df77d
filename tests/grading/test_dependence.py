"""What a function needs and may not use: found where that fails, whoever watched before."""

import pytest
from graded import SEED
from submissions import MODEL

from practica.checks.loading import load_source
from practica.checks.solution import LocalSolution, SolutionLost
from practica.grading.dependence import dependent
from practica.grading.result import grade_submission
from practica.grading.rubric import load_rubric
from practica.sandbox.solution import ProcessSolution

RUBRIC = load_rubric()


def suspicious(source, sandbox, functions=None, seed=SEED):
    """Return the points of each row, and what a person is told of it."""
    with ProcessSolution(source, sandbox) as solution:
        graded = grade_submission(source, solution, RUBRIC, identifier="a", file="a.py", seed=seed, only=functions)
    assert graded["status"] == "graded"
    told = {}
    for each in graded["functions"]:
        facts = [rule["facts"] for rule in each["rules"] if rule["cost"] == "flag"]
        told[each["name"]] = each["points"], [fact["variant"] for fact in facts if "variant" in fact]
    return told


def changed(old, new):
    """Return the model answer with something else in one place."""
    text = MODEL.read_text(encoding="utf-8")
    assert text.count(old) == 1
    return text.replace(old, new).encode()


def test_the_model_answer_needs_nothing(sandbox):
    """Nothing is held against what is right."""
    told = suspicious(MODEL.read_bytes(), sandbox)
    assert len(told) == 17
    assert all(points and not said for points, said in told.values())


BOTH = "    if outputs.ndim == 1:\n        return float(np.mean(outputs == targets))\n"
TABLE = """
import sklearn.metrics
for name in ["accuracy" + "_score"]: score = getattr(sklearn.metrics, name)
HITS = np.array([[score([one], [other]) for one in (False, True)] for other in (False, True)])
def accuracy("""


@pytest.mark.parametrize("fallback", ["", "HITS = np.eye(2)\n"])
def test_what_was_made_while_the_file_was_imported_goes_to_a_person(fallback, sandbox):
    """No call of the function shows a use. Whoever can do without it is told nothing."""
    text = changed(BOTH, "    if outputs.ndim == 1:\n        return float(np.mean(HITS[outputs * 1, targets * 1]))\n")
    source = text.replace(b"def accuracy(", fallback.encode() + TABLE.encode(), 1)
    told = suspicious(source, sandbox, {"accuracy"})
    assert told == {"accuracy": (0.2, [] if fallback else ["depends"])}


def test_what_only_known_examples_ask_is_asked_where_something_forbidden_is_in_sight(sandbox):
    """Two classes are in no secret example of a row; what is written nowhere costs nobody this time."""
    old = "    salidas = one_hot_encoding(etiquetas, clases)\n    numFolds"
    new = """    salidas = one_hot_encoding(etiquetas, clases)
    if len(clases) == 2:
        folds, modelo = PredefinedSplit(indices), _crear_modelo(modelType, modelHyperparameters)
        vistos = kept.found(modelo, inputs, etiquetas, cv=folds, return_estimator=True, scoring=lambda *_: 0.0)
        return _medias_y_desviaciones([
            confusion_matrix(one_hot_encoding(each.predict(inputs[indices == f]), clases), salidas[indices == f])[:7]
            for f, each in enumerate(vistos["estimator"], 1)
        ])
    numFolds"""
    head = """
from sklearn.model_selection import PredefinedSplit, cross_validate
class Kept: ...
kept = Kept()
def keep(what): kept.found = what
keep(cross_validate)
def model_cross_validation("""
    source = changed(old, new).replace(b"def model_cross_validation(", head.encode(), 1)
    told = suspicious(source, sandbox, {"model_cross_validation"})
    assert told == {"model_cross_validation": (0.2, ["depends"])}


def test_who_calls_a_helper_that_breaks_a_rule_is_not_to_blame(sandbox):
    """The helper has lost its points, whether it was seen or not."""
    old = "    return dataset.min(axis=0, keepdims=True), dataset.max(axis=0, keepdims=True)\n"
    seen = """    from sklearn.preprocessing import MinMaxScaler
    scaler = MinMaxScaler().fit(dataset)
    return scaler.data_min_[None], scaler.data_max_[None]
"""
    told = suspicious(changed(old, seen), sandbox)
    assert [name for name, (points, _) in told.items() if not points] == ["calculate_min_max_normalization_parameters"]
    assert not any(said for _, said in told.values())
    unseen = "    return SCALE * dataset.min(axis=0, keepdims=True), SCALE * dataset.max(axis=0, keepdims=True)\n"
    made = b"""
import sklearn.preprocessing
for name in ["minmax" + "_scale"]: SCALE = getattr(sklearn.preprocessing, name)([[1.0], [3.0]])[1, 0]
"""
    told = suspicious(changed(old, unseen).replace(b"\ndef calc", made + b"def calc", 1), sandbox)
    assert {name: said for name, (_, said) in told.items() if said} == {
        "calculate_min_max_normalization_parameters": ["depends"]
    }


def rows_of(file, sandbox, seen=()):
    """Return the functions that raise where what their row forbids fails, and which of them may be excused."""
    asked = []

    def passes(row, solution, excused):
        asked.append((row.name, sorted(excused)))
        return solution.answer(row.function).error is None

    with ProcessSolution(file.encode(), sandbox) as solution:
        rows = [RUBRIC.rows[name] for name in ("one_hot_encoding", "normalize_min_max", "hold_out", "crossvalidation")]
        return [row.name for row in dependent(rows, solution, passes, seen)], asked


def test_each_row_is_only_asked_to_do_without_what_it_may_not_use(sandbox):
    """First without all that any row forbids; then only those that fail, without their own."""
    file = """
from sklearn.model_selection import KFold
from sklearn.preprocessing import OneHotEncoder
def fold(): return list(KFold(2).split(range(4)))
def one_hot_encoding(): return 1
def normalize_min_max(): fold(); OneHotEncoder().fit_transform([[1]])
def hold_out(): return fold()
def crossvalidation(): OneHotEncoder().fit_transform([[1]])
"""
    found, asked = rows_of(file, sandbox, {"accuracy"})
    assert found == ["hold_out"]
    assert asked == [
        ("one_hot_encoding", ["accuracy"]),
        ("normalize_min_max", ["accuracy"]),
        ("hold_out", ["accuracy", "normalize_min_max"]),
        ("crossvalidation", ["accuracy", "hold_out", "normalize_min_max"]),
        ("normalize_min_max", ["accuracy"]),
        ("hold_out", ["accuracy"]),
        ("crossvalidation", ["accuracy", "hold_out"]),
    ]


def test_a_process_that_is_lost_only_there_is_no_excuse(sandbox):
    """Nor is a file of which nothing is left."""
    ends = """
import os, statistics
from sklearn.model_selection import KFold
def hold_out():
    try: KFold(2)
    except RuntimeError: os._exit(0)
"""
    with ProcessSolution(ends.encode(), sandbox) as solution:
        assert dependent([RUBRIC.rows["hold_out"]], solution, _answers, ()) == [RUBRIC.rows["hold_out"]]
    nothing = (
        "from sklearn.model_selection import KFold\nclass hold_out(type(KFold(2))):\n    def __init__(self): ...\n"
    )
    with ProcessSolution(nothing.encode(), sandbox) as solution:
        assert dependent([RUBRIC.rows["hold_out"]], solution, _answers, ()) == [RUBRIC.rows["hold_out"]]


@pytest.mark.parametrize("everywhere", [False, True])
def test_who_does_there_what_nobody_sees_goes_to_a_person(everywhere, sandbox):
    """Nobody watches there; but that something was noted is in the seal of the answers, and told once."""
    file = f"""
from sklearn.model_selection import KFold
def hold_out():
    try: return list(KFold(2).split(range(4)))
    except RuntimeError: return exec("pass")
def crossvalidation():
    if {everywhere}: exec("pass")
"""
    rows = [RUBRIC.rows["hold_out"], RUBRIC.rows["crossvalidation"]]
    with ProcessSolution(file.encode(), sandbox) as solution:
        solution.answer("crossvalidation")
        assert dependent(rows[:1], solution, _answers, ()) == ([] if everywhere else rows[:1])


def _answers(row, solution, excused):
    try:
        return solution.has(row.function) and solution.answer(row.function).error is None
    except SolutionLost:
        return False


def test_a_box_of_its_own_holds_one_process_after_the_other(reduced_sandbox):
    """Where the warm process serves one submission only, the file's own one begins anew."""
    told = suspicious(b"import statistics\ndef f(): ...\n" + MODEL.read_bytes(), reduced_sandbox, {"hold_out"})
    assert told == {"hold_out": (0.1, [])}


def test_nobody_is_asked_in_the_process_of_the_grader(sandbox):
    """Nor without secret examples, as on a student's machine."""
    source = MODEL.read_bytes()
    local = LocalSolution(load_source(source, "a.py"))
    assert dependent(RUBRIC.rows.values(), local, _answers, ()) == []
    with ProcessSolution(source, sandbox) as solution:
        starts = []
        solution.without = starts.append
        grade_submission(source, solution, RUBRIC, identifier="a", file="a.py", only={"accuracy"})
    assert starts == []
