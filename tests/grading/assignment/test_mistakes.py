"""Known mistakes: each has a wrong function that gets its name, right functions get none, and each
has its sentence.
"""

import itertools
from functools import partial

import joblib
import numpy as np
import pytest
from diagnosed import ROWS, diagnosed, judged, named
from lanes import by_night, one_in
from submissions import edited, slips, submissions

from practica.grading.engine.diagnosis import diagnose
from practica.grading.engine.known_mistakes import id_of, imitation, signs
from practica.grading.engine.runner import Outcome
from practica.grading.engine.solution import LocalSolution
from practica.grading.inside.loading import load_source
from practica.grading.report.messages import LANGUAGES, catalogue
from practica.grading.report.words import likely

SUBMISSIONS = submissions()
SLIPS = slips()
NAMED = [
    submission
    for submission in SUBMISSIONS
    if submission.fails and submission.diagnosis is not None
]
RIGHT = [submission for submission in SUBMISSIONS if not submission.fails]
# rows with mistakes of their own
KNOWN = [row for row in ROWS if imitation(row) or len(signs(row)) > len(signs(""))]
IMITATED = {row: imitation(row) for row in ROWS if imitation(row)}
SWITCHES = [(row, switch) for row, oracle in IMITATED.items() for switch in oracle.switches]
TRAINS = {"train_class_ann", "ann_cross_validation", "model_cross_validation"}
# What is not thorough: one in so many submissions, and wrong trainings; edits of other functions;
# and right files, and strange answers.
SHARE, EDITS, FILES = 36, 24, 8
TRAINING = [row for row in KNOWN if ROWS[row][0].function in TRAINS]
ALL = {
    "any.exchanged",
    "any.inherits",
    *(id_of(switch) for _, switch in SWITCHES),
    *(mistake for oracle in IMITATED.values() for mistake in oracle.only),
    *(sign.id for row in ROWS for sign in signs(row)),
}

# the students' code may warn of what it does
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(autouse=True)
def in_turn():
    """Let joblib work in turn, as in a box: a process of its own would import torch again."""
    with joblib.parallel_config(backend="sequential"):
        yield


def diagnosed_alone(row, function):
    """Return the diagnosis of one function as the only one of a file, of which every check
    fails.
    """
    return diagnosed_in(row, {ROWS[row][0].function: function})


def diagnosed_in(row, names):
    """Return the diagnosis of one function of a file, of which every check fails."""
    checks, solution = ROWS[row], LocalSolution(names)
    return diagnose(checks, solution, [Outcome(check.id, "fail") for check in checks])


@pytest.mark.parametrize("submission", one_in(SHARE, NAMED), ids=lambda submission: submission.slug)
def test_a_submission_gets_the_names_that_it_should(submission):
    """All of them, and no other; each can be said."""
    found = diagnosed(submission)
    assert set().union(*map(named, found.values())) == submission.diagnosis
    for diagnosis in filter(None, found.values()):
        told = [likely(diagnosis, lang) for lang in LANGUAGES]
        assert all(sentence and "…" not in sentence for sentence in told)


@pytest.mark.parametrize(
    "slip",
    [
        *one_in(EDITS, [slip for slip in SLIPS if slip.row not in TRAINS]),
        *one_in(SHARE, [slip for slip in SLIPS if slip.row in TRAINS]),
    ],
    ids=lambda slip: f"{slip.mistake}-{slip.row}",
)
def test_a_mistake_in_the_model_answer_gets_its_name(slip):
    """And no other name beside it."""
    assert named(diagnosed_in(slip.row, load_source(slip.source, "entrega.py"))) == {slip.mistake}


def test_a_mistake_in_some_calls_only_is_said_with_them():
    """A student whose vectors are right reads that a column is not."""
    old = "if outputs.ndim == 1 or outputs.shape[1] == 1:"
    new = (
        f"if outputs.ndim == 2 and outputs.shape[1] == 1:\n        return outputs >= 0.5\n    {old}"
    )
    source = edited([{"old": old, "new": new}]).encode()
    named, where = diagnosed_in("classify_outputs", load_source(source, "entrega.py")).mistakes
    assert named.id == "classify.ignores_threshold"
    assert (where.id, where.facts["variant"]) == ("observation.calls", "one_column")


@pytest.mark.parametrize("trains", [False, pytest.param(True, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("submission", one_in(FILES, RIGHT), ids=lambda submission: submission.slug)
def test_a_right_function_gets_no_name(submission, trains):
    """Whatever its style, and even if its checks are said to have failed."""
    functions = submission.differs or {checks[0].function for checks in ROWS.values()}
    rows = [
        row for row in KNOWN if ROWS[row][0].function in functions and (row in TRAINING) == trains
    ]
    assert not any(diagnosed(submission, rows).values())


@pytest.mark.parametrize(("row", "switch"), one_in(SHARE, SWITCHES))
def test_the_examples_tell_an_imitation_from_all_others(row, switch):
    """A function that does exactly what the imitation does gets that name alone."""
    drawing = [np.random.default_rng(1)] if IMITATED[row].draws else []
    function = partial(IMITATED[row].body, frozenset([switch]), *drawing)
    assert named(diagnosed_alone(row, function)) == {id_of(switch)}


HUGE = 10**2400
STRANGE = [
    HUGE,
    [HUGE, 1],
    ([HUGE], [1]),
    (None, [1, 2], [1]),
    (HUGE,) * 7 + ([[1, 2], [3, 4]],),
    [[1, 2], [3]],
]


@pytest.mark.parametrize("place", one_in(FILES, range(len(STRANGE))))
def test_a_strange_answer_gets_a_diagnosis_or_none(place):
    """Numbers that no float holds, and rows of different lengths, are answers like others."""
    value = STRANGE[place]
    for row in ROWS:
        assert named(diagnosed_alone(row, lambda *_, **__: value)) <= ALL


def test_every_mistake_has_a_function_that_makes_it():
    """One that somebody wrote without looking at the imitation."""
    made = {slip.mistake for slip in SLIPS}.union(*(submission.diagnosis for submission in NAMED))
    assert made == ALL


def test_every_mistake_has_its_sentence():
    """And every sentence its mistake; the names of groups are not in the ids."""
    for lang in LANGUAGES:
        told = {id.removeprefix("mistake.") for id in catalogue(lang) if id.startswith("mistake.")}
        assert told == ALL


# two mistakes in one function: each pair of these
TWENTY = IMITATED["accuracy"].switches[:20]
PAIRS = [pair for pair in itertools.combinations(TWENTY, 2) if id_of(pair[0]) != id_of(pair[1])]


@pytest.mark.parametrize(("one", "other"), one_in(SHARE // 3, by_night(3, PAIRS)))
def test_a_mistake_explains_the_checks_that_fail_with_it_alone(one, other):
    """What passes with the named mistake alone fails because of another one."""
    imitated = IMITATED["accuracy"]

    def failed_with(wrong):
        outcomes, found = judged("accuracy", {"accuracy": partial(imitated.body, frozenset(wrong))})
        return {each.id for each in outcomes if each.verdict == "fail"}, found

    failed, found = failed_with({one, other})
    if found is None or not found.explains or found.how == "either":
        return
    ids = {each.id for each in found.mistakes}
    ways = [{switch} for switch in imitated.switches if id_of(switch) in ids]
    ways = [{one, other}] if found.how == "both" else ways
    assert {*found.explains} in [failed & failed_with(way)[0] for way in ways]


MODEL, ANN = "model_cross_validation", "ann_cross_validation"
FIRST = "np.asarray(targets).tolist()[0]"
# edits of the model answer that look like a mistake, and are another one
OTHERS = [
    (
        "cv.one_round",
        MODEL,
        "        modelo = _crear_modelo(modelType, modelHyperparameters)\n        modelo.fit(",
        "        if fold == 1:\n"
        "            modelo = _crear_modelo(modelType, modelHyperparameters)\n"
        "            modelo.fit(",
    ),
    (
        "cv.outputs_and_targets",
        MODEL,
        "salidas[indices == fold])[:7]\n    return",
        "salidas[indices == fold][::-1])[:7]\n    return",
    ),
    ("cv.classes_per_fold", MODEL, "[str(etiqueta) for", f"[str(etiqueta == {FIRST}) for"),
    (
        "cv.classes_per_fold",
        ANN,
        "    salidas = one_hot_encoding(targets)\n    numFolds",
        f"    salidas = (np.asarray(targets) == {FIRST}).reshape(-1, 1)\n    numFolds",
    ),
    (
        "cv.tests_training",
        MODEL,
        "modelo.fit(inputs[indices != fold], etiquetas[indices != fold])",
        "modelo.fit(inputs[indices <= fold], etiquetas[indices <= fold])",
    ),
    (
        "ann_cv.options_lost",
        ANN,
        "maxEpochs=maxEpochs,\n                min",
        "maxEpochs=maxEpochs - 1,\n                min",
    ),
]


@pytest.mark.parametrize(("mistake", "row", "old", "new"), one_in(2, OTHERS))
def test_a_mistake_that_looks_like_another_one_does_not_get_its_name(mistake, row, old, new):
    """One model that serves in every round; targets in a wrong order of a model that is right; two
    classes of all; more folds that train in each round; one epoch less.
    """
    source = edited([{"old": old, "new": new}]).encode()
    found = diagnosed_in(row, load_source(source, "entrega.py"))
    assert mistake not in named(found)
