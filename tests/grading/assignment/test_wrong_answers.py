"""Every submission of tests/entregas fails exactly the checks that it should, and right ones
none.
"""

import functools
import inspect
from collections import Counter

import joblib
import pytest
import torch
from budget import WHOLE
from lanes import one_in
from rich.console import Console
from submissions import MODEL, functions_that_use, submissions

from practica.grading.engine.framework import load_checks
from practica.grading.engine.result import CheckResult, FunctionResult, SubmissionResult
from practica.grading.engine.runner import run_check
from practica.grading.engine.solution import LocalSolution
from practica.grading.inside.loading import load_source
from practica.grading.report.messages import LANGUAGES, say
from practica.grading.report.result_table import print_sentences
from practica.grading.student.example_file import with_examples_beside

CHECKS = load_checks()
SUBMISSIONS = submissions()
FAILURES = Counter(identifier for submission in SUBMISSIONS for identifier in submission.fails)
SHARE, LARGE_SHARE = 8, 64  # a wrong submission runs one in so many of the checks that it passes
RAREST = 3  # the checks of a submission that the fewest others fail
MOST_LINES, COLUMNS = 40, 80  # lines of the terminal about a function
# seeds; of other rows one, and invariants/test_seeds.py has many of the model answer
SECRETS = {"train_class_ann": 2}
# examples for what is right in a wrong one
FEW = 6


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
    """Tell which functions of the model answer a check calls: it does not notice what others stand
    for the rest.
    """
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


@functools.lru_cache(maxsize=4)
def solution_of(submission):
    """Return a submission in this process."""
    return LocalSolution(load_source(submission.source, f"{submission.slug}.py"))


def outcome_of(submission, identifier, max_examples):
    """Return what a check finds in a submission."""
    affected = None if submission.differs is None else functions_that_use(submission.differs)
    check, solution = CHECKS[identifier], solution_of(submission)
    return run_check(check, solution, max_examples=max_examples, helpers=affected)


def outcomes_of(submission, called, whole):
    """Run the checks that call what differs from the model answer.

    Of those that a wrong one passes, some in turns.

    Without `whole` also fewer of those that it fails. `scripts/try_submissions.py` runs all.
    """
    affected = None if submission.differs is None else functions_that_use(submission.differs)
    right = not submission.fails
    rarest = sorted(submission.fails, key=lambda identifier: (FAILURES[identifier], identifier))[
        :RAREST
    ]
    outcomes = []
    for turn, check in enumerate(CHECKS.values(), SUBMISSIONS.index(submission)):
        own = submission.differs is None or check.function in submission.differs
        if affected is not None and check.function not in affected:
            continue
        if submission.inside and not called(check.id) & submission.differs:
            continue
        if check.id in submission.fails:
            runs = whole or check.id in rarest
        elif right:
            runs = whole or own or turn % SHARE == 0
        else:
            runs = turn % (SHARE if whole else LARGE_SHARE) == 0
        if runs:
            many = check.id in submission.fails or (own and right and whole)
            outcomes.append(outcome_of(submission, check.id, None if many else FEW))
    return outcomes


def check_outcomes(submission, outcomes, folder):
    """Check that a submission fails what it should.

    Each failure has its sentences, and they are few.
    """
    failed = [each for each in outcomes if each.verdict != "pass"]
    assert {each.id for each in failed} == submission.fails & {each.id for each in outcomes}
    for each in failed:
        assert each.verdict == "fail", each
        assert all(say(each.message, each.message_facts, lang) for lang in LANGUAGES)
    for lang in LANGUAGES if failed else ():
        first = [
            each for each in failed if CHECKS[each.id].function == CHECKS[failed[0].id].function
        ]
        shown = told(first, folder, lang)
        assert len(shown) <= MOST_LINES, "\n".join(shown)


@pytest.mark.filterwarnings("ignore")  # the students' code may warn of what it does
@pytest.mark.parametrize(
    "submission", one_in(24, SUBMISSIONS), ids=lambda submission: submission.slug
)
def test_a_submission_fails_what_it_should(submission, called, tmp_path):
    """Nothing else, and with `--all` all of it; else the checks that are made for its mistake."""
    outcomes = outcomes_of(submission, called, WHOLE)
    assert not submission.fails or any(each.verdict == "fail" for each in outcomes)
    assert not WHOLE or submission.fails <= {each.id for each in outcomes}
    check_outcomes(submission, outcomes, tmp_path)


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "submission", [each for each in SUBMISSIONS if not each.fails], ids=lambda each: each.slug
)
def test_a_right_submission_passes_whatever_nobody_knows(submission):
    """The checks with examples from secret seeds, with several; known ones run above."""
    solution = LocalSolution(load_source(submission.source, f"{submission.slug}.py"))
    judged = submission.differs or {check.function for check in CHECKS.values()}
    drawn = [check for check in CHECKS.values() if check.drawn and check.function in judged]
    outcomes = [
        run_check(each, solution, secret=seed)
        for each in drawn
        for seed in range(SECRETS.get(each.row, 1))
    ]
    assert [each for each in outcomes if each.verdict != "pass"] == []


def told(outcomes, folder, lang):
    """Return the lines that `practica check` prints of a function with these failures, as broken by
    a terminal.
    """
    checks = tuple(
        CheckResult(
            each.id, each.verdict, each.message, each.message_facts, each.counterexample or None
        )
        for each in outcomes
    )
    name = CHECKS[outcomes[0].id].function
    function = FunctionResult(name, name, None, 0.0, 1.0, "fail", checks=checks)
    submission = SubmissionResult(
        "a", "solucion.py", "", "graded", None, 0.0, 1.0, functions=(function,)
    )
    submission = with_examples_beside(submission, folder / "solucion.py", lang)
    with open(folder / "told.txt", "w+", encoding="utf-8") as file:
        print_sentences(submission, lang=lang, console=Console(file=file, width=COLUMNS))
        file.seek(0)
        return [
            line[at : at + COLUMNS]
            for line in file.read().splitlines()
            for at in range(0, len(line), COLUMNS)
        ]


def test_no_check_is_idle():
    """Each check is failed by some submission: one that nothing fails is a defect."""
    assert {identifier for submission in SUBMISSIONS for identifier in submission.fails} == set(
        CHECKS
    )


def test_each_submission_says_what_it_is():
    """And right ones are told from wrong ones by their name."""
    for submission in SUBMISSIONS:
        assert submission.why
        assert submission.slug.startswith("bien_") == (not submission.fails)
