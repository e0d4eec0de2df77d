"""A sentence on a function holds for the example that is printed under it."""

import itertools
import re

import numpy as np
import pytest
from diagnosed import ROWS, judged
from lanes import by_night, one_in
from moodle_files import MODEL
from submissions import slips, submissions

from practica.grading.engine.diagnosis import answer_of, seen_of
from practica.grading.engine.known_mistakes import alike, id_of, imitation, signs
from practica.grading.engine.observations import STATE
from practica.grading.engine.solution import LocalSolution
from practica.grading.inside.loading import load_source

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

SHARE, TRAINING_SHARE = 80, 5  # one file in so many is not thorough; and of trainings by day
ALL = [
    *((slip.row, slip.source) for slip in slips()),
    *(
        (row, submission.source)
        for submission in submissions()
        for row in sorted({id.partition(".")[0] for id in submission.fails})
    ),
]
TRAINS = {"train_class_ann", "ann_cross_validation", "model_cross_validation", "build_class_ann"}
FILES = [
    *(file for file in ALL if file[0] not in TRAINS),
    *by_night(TRAINING_SHARE, [file for file in ALL if file[0] in TRAINS]),
]


def example_of(row, check, names, drawn):
    """Return the calls of a printed example, with the answers of right code where these are
    known.
    """
    seen = seen_of(ROWS[row], LocalSolution(names), {check: drawn})
    calls = [each for each in seen if each.check == check]
    return calls[: 1 + [each.failed for each in calls].index(drawn)]


def is_imitated(row, ids, call):
    """Return whether an imitation with some mistakes, each made in any of its ways, gives the
    answer to a call; None if nothing can be said.
    """
    oracle = imitation(row)
    ways = [{switch} for switch in oracle.switches if id_of(switch) in ids] if oracle else []
    if len(ids) > 1:
        ways = [one | other for one, other in itertools.combinations(ways, 2)]
    if not ways or oracle.draws or call.doubles or oracle.skips(call):
        return None
    free = [set(), *({switch} for switch in oracle.free(call))]
    answers = [answer_of(oracle, way | more, 0, call) for way in ways for more in free]
    known = [answer for answer in answers if answer is not None]
    if call.answer.error:
        return any(answer.error and answer.error.type == call.answer.error.type for answer in known)
    values = [answer.value for answer in known if not answer.error]
    return any(alike(value, call.answer.value, oracle.tolerance) for value in values)


@pytest.mark.parametrize("file", one_in(SHARE, range(len(FILES))))
def test_every_sentence_holds_in_the_example_that_is_printed(file):
    """Names and observations, recomputed on that call alone."""
    row, source = FILES[file]
    names = load_source(source, "entrega.py")
    outcomes, found = judged(row, names)
    printed = {each.id: each.counterexample.get("drawn") for each in outcomes}
    if found is None or not found.mistakes or not printed.get(found.leads):
        return
    if found.mistakes[0].id == STATE:
        return
    calls = example_of(row, found.leads, names, int(printed[found.leads]))
    ids = {each.id for each in found.mistakes if not each.id.startswith("observation.")}
    of_row = {sign.id: sign for sign in signs(row)}
    assert found.how == "either" or is_imitated(row, ids, calls[-1]) is not False
    for mistake in found.mistakes:
        at = of_row[mistake.id].at(calls) if mistake.id in of_row else None
        assert at is not False
        if isinstance(at, dict):
            assert {name: str(fact) for name, fact in at.items()}.items() <= {
                name: str(fact) for name, fact in mistake.facts.items()
            }.items()


def leads_to(row, function, **others):
    """Return the sentences on a function, and the example that is printed under them."""
    outcomes, found = judged(row, {ROWS[row][0].function: function, **others})
    facts = {each.id: each.counterexample for each in outcomes}
    return {each.id: each.facts for each in found.mistakes}, facts[found.leads]


def test_two_observations_on_several_parts_keep_their_parts_apart():
    """The first sentence was said of the parts of the second one too."""

    def ordered(dataset):
        rows = sorted(dataset.tolist())
        return np.array(rows[:1]), np.array(rows[-1:])

    row = "calculate_min_max_normalization_parameters"
    told, _ = leads_to(row, ordered)
    assert "observation.above" not in told or told["observation.above"]["part"] == ["first"]


def test_calls_without_a_known_answer_are_wrong_calls_too():
    """What all wrong calls have in common, the failed one that is printed has."""

    def partition(N, k, /):
        if np.ndim(N) == 0:
            folds = np.arange(N) % k + 1
            return folds[np.argsort(np.random.rand(N))]  # noqa: NPY002
        targets = N[:, 0] if np.ndim(N) == 2 and N.shape[1] == 1 else N
        if targets.ndim == 1 and targets.dtype not in (bool, object):
            targets.sort()
        folds = np.zeros(len(targets), dtype=int)
        rows = targets.tolist()
        for label in rows if targets.ndim == 1 else ():
            where = np.array([each == label for each in rows])
            folds[where] = partition(int(where.sum()), k)
        for column in range(targets.shape[1]) if targets.ndim == 2 else ():
            folds[targets[:, column]] = partition(int(targets[:, column].sum()), k)
        return folds

    told, _ = leads_to("crossvalidation", partition)
    assert told.get("observation.calls", {}).get("variant") != "texts"


def test_a_sentence_has_the_facts_of_the_example_under_it():
    """The functions of a network, which differ from call to call."""
    source = MODEL.decode()
    old = "zip(topology, transferFunctions"
    assert source.count(old) == 1
    names = load_source(source.replace(old, f"{old}[::-1]").encode(), "entrega.py")
    outcomes, found = judged("build_class_ann", names)
    (functions,) = found.mistakes
    shown = {each.id: each.counterexample for each in outcomes}[found.leads]
    assert functions.id == "network.functions"
    assert re.findall(r"torch\.(\w+)", shown["call"]) == functions.facts["asked"].split(", ")


def test_what_follows_from_the_cause_does_not_lead():
    """The deviation is right for the metrics that were recorded on the way to it."""
    source, old = MODEL.decode(), "confusion_matrix(predicciones, salidasTest)"
    assert source.count(old) == 1
    wrong = source.replace(old, "confusion_matrix(predicciones[::-1], salidasTest)")
    outcomes, found = judged("ann_cross_validation", load_source(wrong.encode(), "entrega.py"))
    failed = [each.id.partition(".")[2] for each in outcomes if each.verdict == "fail"]
    assert {"mean", "std"} & {*failed[: failed.index("metrics")]}
    assert found.leads.partition(".")[2] in {"evaluation", "metrics"}
