"""Every submission of tests/entregas fails exactly the checks that it should, and right ones none."""

import functools
import inspect

import joblib
import pytest
import torch
from rich.console import Console
from submissions import MODEL, functions_that_use, submissions

from practica.engine.framework import load_checks
from practica.engine.result import CheckResult, FunctionResult, SubmissionResult
from practica.engine.runner import run_check
from practica.engine.solution import LocalSolution
from practica.inside.loading import load_source
from practica.report.messages import LANGUAGES, say
from practica.report.result_table import print_sentences
from practica.student.example_file import with_examples_beside

CHECKS = load_checks()
SUBMISSIONS = submissions()
SHARE = 8  # a wrong submission runs one in so many of the checks that it passes
MOST_LINES, COLUMNS = 40, 80  # of the terminal, about a function
SECRETS = {"train_class_ann": 10}  # seeds, and of other rows
FEW_SECRETS = 2
FEW = 6  # examples for what is right in a wrong one, and for the functions that only use what is wrong


@pytest.fixture(autouse=True)
def hurry():
    """Threads of torch wait for each other on small networks; joblib works in turn, as in a box."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    with joblib.parallel_config(backend="sequential"):
        yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def called():
    """Tell which functions of the model answer a check calls: it does not notice what others stand for the rest."""
    module, ran = load_source(MODEL.read_bytes(), str(MODEL)), set()

    def noting(function):
        @functools.wraps(function)
        def noted(*args, **kwargs):
            ran.add(function.__name__)
            return function(*args, **kwargs)

        return noted

    for name, function in inspect.getmembers(module, inspect.isfunction):
        if function.__module__ == module.__name__:
            setattr(module, name, noting(function))
    solution = LocalSolution(module)

    @functools.cache
    def called_by(identifier):
        ran.clear()
        assert run_check(CHECKS[identifier], solution, max_examples=FEW).verdict == "pass"
        return frozenset(ran)

    return called_by


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # the students' code may warn of what it does
@pytest.mark.parametrize("submission", SUBMISSIONS, ids=lambda submission: submission.slug)
def test_a_submission_fails_what_it_should(submission, called, tmp_path):
    """Of the checks that call what differs from the model answer; each failure has its sentences, and they are few.

    Those that it passes are run in turns, each by many submissions: `scripts/try_submissions.py` runs all.
    """
    solution = LocalSolution(load_source(submission.source, f"{submission.slug}.py"))
    affected = functions_that_use(submission.differs) if submission.differs is not None else None
    failed, outcomes = set(), []
    for turn, check in enumerate(CHECKS.values(), SUBMISSIONS.index(submission)):
        if affected is None or check.function in affected:
            if submission.inside and not called(check.id) & submission.differs:
                continue
            inherits = submission.differs is not None and check.function not in submission.differs
            passes = submission.fails and check.id not in submission.fails
            if passes and turn % SHARE:
                continue  # the next submissions run it
            few = inherits or passes
            outcome = run_check(check, solution, max_examples=FEW if few else None, helpers=affected, shrink=False)
            if outcome.verdict != "pass":
                assert outcome.verdict == "fail", outcome
                assert all(say(outcome.message, outcome.message_facts, lang) for lang in LANGUAGES)
                failed.add(check.id)
                outcomes.append(outcome)
    assert failed == submission.fails
    for lang in LANGUAGES if failed else ():
        first = [each for each in outcomes if CHECKS[each.id].function == CHECKS[outcomes[0].id].function]
        assert len(told(first, tmp_path, lang)) <= MOST_LINES


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("submission", [each for each in SUBMISSIONS if not each.fails], ids=lambda each: each.slug)
def test_a_right_submission_passes_whatever_nobody_knows(submission):
    """The checks with examples from secret seeds, with several; known ones run above."""
    solution = LocalSolution(load_source(submission.source, f"{submission.slug}.py"))
    judged = submission.differs or {check.function for check in CHECKS.values()}
    drawn = [check for check in CHECKS.values() if check.strategies and check.function in judged]
    outcomes = [
        run_check(
            check,
            solution,
            secret=seed,
        )
        for check in drawn
        for seed in range(SECRETS.get(check.row, FEW_SECRETS))
    ]
    assert [each for each in outcomes if each.verdict != "pass"] == []


def told(outcomes, folder, lang):
    """Return the lines that `practica check` prints of a function with these failures, as broken by a terminal."""
    checks = tuple(
        CheckResult(each.id, each.verdict, each.message, each.message_facts, each.counterexample) for each in outcomes
    )
    function = FunctionResult("f", "f", None, 0.0, 1.0, "fail", checks=checks)
    submission = SubmissionResult("solucion", "solucion.py", "", "graded", None, 0.0, 1.0, functions=(function,))
    submission = with_examples_beside(submission, folder / "solucion.py", lang)
    with open(folder / "told.txt", "w+", encoding="utf-8") as file:
        print_sentences(submission, lang=lang, console=Console(file=file, width=COLUMNS))
        file.seek(0)
        return [line[at : at + COLUMNS] for line in file.read().splitlines() for at in range(0, len(line), COLUMNS)]


def test_no_check_is_idle():
    """Each check is failed by some submission: one that nothing fails is a defect."""
    assert {identifier for submission in SUBMISSIONS for identifier in submission.fails} == set(CHECKS)


def test_each_submission_says_what_it_is():
    """And right ones are told from wrong ones by their name."""
    for submission in SUBMISSIONS:
        assert submission.why
        assert submission.slug.startswith("bien_") == (not submission.fails)
