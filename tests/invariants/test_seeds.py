"""Seeds: whatever a secret draws can be judged, and ends in no error of the grader's own.

A factor of 1 has 150 seeds of trainings, 20 of other checks and 8 of the files that train;
PRACTICA_BUDGET=1200 has 20 000 for each check of a training, in which all that follows is computed.
"""

from itertools import pairwise

import numpy as np
import pytest
from budget import budget
from hypothesis import example, given, settings
from hypothesis import strategies as st
from submissions import MODEL, submissions

from practica.grading.assignment.oracle import Case, Way, forward, simulate
from practica.grading.engine.examples import secret_examples
from practica.grading.engine.framework import CheckFailed, load_checks
from practica.grading.engine.runner import run_check
from practica.grading.engine.solution import LocalSolution, Solution, StudentError
from practica.grading.inside.loading import load_source
from practica.grading.inside.plain_data import Answer, Handle, Transcript

CHECKS = {name: check for name, check in load_checks().items() if secret_examples(check, 0)}
TRAININGS = [name for name, check in CHECKS.items() if check.row == "train_class_ann"]
OTHERS = [name for name in CHECKS if name not in TRAININGS]
SECRETS = st.integers(0, 2**53)
SETS = ("validationDataset", "testDataset")


class Foreseen(Solution):
    """A `train_class_ann` that is right, computed in numpy: what follows from the weights that a
    seed gives.
    """

    def __init__(self, scale):
        super().__init__()
        self.scale, self.networks = scale, []

    def names(self):
        """List the functions there are."""
        return ["train_class_ann"]

    def ask(self, method, *args, **kwargs):
        """Train, run or describe a network."""
        # with the small weights that a network gets whose own ones are too large
        if method == "scripted":
            name, _, args, given = args
            return Transcript(Answer(value=self._call(name, args, given, scale=0.3, **kwargs)), [])
        return Answer(value=getattr(self, f"_{method}")(*args, **kwargs))

    def _call(self, name, args, given, seed, want_args=False, scale=None):
        topology, training = args
        sets = {
            "training": training,
            **{key.removesuffix("Dataset"): given[key] for key in SETS if key in given},
        }
        sets = {key: (x, y.reshape(len(y), -1)) for key, (x, y) in sets.items()}
        functions = tuple(function.name for function in given.get("transferFunctions", ()))
        options = {
            key: value for key, value in given.items() if key not in (*SETS, "transferFunctions")
        }
        draws = np.random.default_rng(seed)
        sizes = pairwise([training[0].shape[1], *topology, sets["training"][1].shape[1]])
        scale = self.scale if scale is None else scale
        start = [
            (scale * draws.normal(size=(n, m)) / m**0.5, scale * draws.normal(size=n))
            for m, n in sizes
        ]
        trained = simulate(Case(topology, sets, options, functions), start, Way(), {})
        self.networks.append((start, functions, trained.outputs))
        losses = [
            trained.losses.get(key, np.empty(0)).astype(np.float32)
            for key in ("training", "validation", "test")
        ]
        return [Handle(len(self.networks) - 1), *losses]

    def _predict(self, network, inputs):
        return self.networks[network.number][2].astype(np.float32)

    def _describe(self, network, inputs, *_):
        start, functions, _ = self.networks[network.number]
        found = forward(start, functions, inputs)
        steps = [
            step
            for (w, b), x, y in zip(start, found[:-1], found[1:], strict=True)
            for step in (x @ w.T + b, y)
        ]
        values = [part for layer in start for part in layer]
        return {
            "module": True,
            "class": "Red",
            "values": values,
            "steps": steps,
            "outputs": found[-1],
        }


def judged(name, solution, secret):
    """Judge a case that a secret draws, of which nobody knows.

    Whatever else than a verdict goes through.
    """
    check = CHECKS[name]
    solution.seed, solution.is_known = secret % 2**32, False
    try:
        for example in secret_examples(check, secret):
            check.body(solution, **example.values)
    except (CheckFailed, StudentError) as failure:
        return failure
    return None


@pytest.mark.thorough
@settings(max_examples=budget(150))
@given(st.sampled_from(TRAININGS), SECRETS, st.sampled_from([0.3, 1.0, 1.7]))
# it ends before the epoch that was read
@example("train_class_ann.min_loss", 3812985675697934, 0.3)
@example("train_class_ann.learns", 2363253938387068, 1.7)  # no case is tame
def test_every_training_that_a_seed_draws_is_judged_right(name, secret, scale):
    """A training that is right passes, whatever the seeds of the data and of its weights are."""
    assert judged(name, Foreseen(scale), secret) is None


@settings(max_examples=budget(20))
@given(st.sampled_from(OTHERS), SECRETS)
def test_every_case_that_a_seed_draws_is_judged_right(name, secret):
    """The model answer passes all the other checks, whatever is drawn for them."""
    assert judged(name, LocalSolution(load_source(MODEL.read_bytes(), "modelo.py")), secret) is None


HELPED = [name for name in OTHERS if {*CHECKS[name].parts} - {CHECKS[name].function}]


@settings(max_examples=budget(20))
@given(st.sampled_from(HELPED), SECRETS)
@example("normalize_zero_mean_.own", 0)  # 300 patterns with 8 features
def test_no_case_that_a_seed_draws_charges_a_function_for_its_helpers(name, secret):
    """The model answer passes a check where the helpers of its function return nothing."""
    check, solution = CHECKS[name], load_source(MODEL.read_bytes(), "modelo.py")
    helpers = {*check.parts} - {check.function}
    for helper in helpers:
        setattr(solution, helper, lambda *args, **kwargs: None)
    outcome = run_check(
        check, LocalSolution(solution), max_examples=1, secret=secret, helpers=helpers
    )
    assert outcome.verdict == "pass", outcome.message_facts


WRONG = [
    each
    for each in submissions()
    if each.inside and any(id.startswith("train_") for id in each.fails)
]


@settings(max_examples=budget(8))
@given(st.sampled_from(WRONG), st.sampled_from(TRAININGS), SECRETS)
def test_no_training_of_the_corpus_ends_in_an_error_of_the_grader(wrong, name, secret):
    """With helpers of its own and with right ones, it is right or wrong, or does not run."""
    solution = LocalSolution(load_source(wrong.source, "entrega.py"))
    outcome = run_check(CHECKS[name], solution, max_examples=1, secret=secret)
    assert outcome.verdict != "error", outcome.message_facts
