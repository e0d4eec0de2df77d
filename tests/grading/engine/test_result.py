"""The mark of a submission: verdicts, points and the canonical result."""

import json
import platform
import types
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal

import msgspec
import pytest
from rich.console import Console

from practica.grading.engine.examples import known_examples
from practica.grading.engine.framework import Check, require
from practica.grading.engine.grade import grade_submission
from practica.grading.engine.helper_substitution import Part
from practica.grading.engine.result import (
    FunctionResult,
    Result,
    RuleResult,
    SubmissionResult,
    canonical_result,
    exit_code,
)
from practica.grading.engine.rubric import load_rubric
from practica.grading.engine.solution import LocalSolution, SolutionLost, Stop
from practica.grading.report.messages import say
from practica.grading.report.result_table import print_sandbox, print_submission, sentences
from practica.grading.report.words import said, stop_of

RUBRIC_TEXT = """
name = "Dos funciones"
only = ["accuracy", "hold_out"]
[functions.accuracy]
points = 0.70
max_loops = 0
forbidden = ["sklearn.metrics.*"]
[functions.hold_out]
points = 0.10
cap = 0.05
max_loops = 0
costs = {loops = "cap"}
"""

GOOD = """
import random
def accuracy(outputs, targets, *, threshold=0.5):
    return sum(map(lambda o, t: o == t, outputs, targets)) / len(targets)
def hold_out(N, P, Ptest=None):
    return random.sample(range(N), N), []
"""


def the_mean_is_right(solution, outputs):
    """«...la media de los aciertos...»."""
    obtained = solution.accuracy(outputs, outputs)
    require(obtained == 1, obtained=obtained, expected=1.0)


def the_parts_are_two(solution):
    """«...dos vectores...»."""
    parts = solution.hold_out(10, 0.2)
    require(len(parts) == 2, obtained=len(parts), expected=2)


def it_is_broken(solution):
    """Fail by a mistake of ours."""
    raise ZeroDivisionError("ours")


def it_fails(solution):
    """«...»."""
    require(False, obtained=1)


def bools(draw):
    """Draw some bools."""
    return draw.some([False, True], 1, 5)


CHECKS = {
    "accuracy.mean": Check(
        "accuracy.mean", "accuracy", "accuracy", the_mean_is_right, {"outputs": bools}, 10
    ),
    "hold_out.parts": Check("hold_out.parts", "hold_out", "hold_out", the_parts_are_two),
}


@pytest.fixture(scope="module")
def rubric(tmp_path_factory):
    """Two functions, 0.80 points."""
    file = tmp_path_factory.mktemp("rubric") / "rubric.toml"
    file.write_text(RUBRIC_TEXT, encoding="utf-8")
    return load_rubric(file)


@pytest.fixture
def mark(rubric):
    """Mark a source where it stands."""

    def run(source, *, checks=CHECKS, solution=None, **options):
        if solution is None:
            module = types.ModuleType("entrega")
            exec(compile(source, "entrega.py", "exec"), module.__dict__)
            solution = LocalSolution(module)
        return grade_submission(
            source.encode(),
            solution,
            rubric,
            identifier="1",
            file="entrega.py",
            checks=checks,
            **options,
        )

    return run


def two_calls_give_something(solution):
    """«...»."""
    require(
        None not in [solution.answer("hold_out", N, 0.2).value for N in (10, 20)], obtained=None
    )


def test_what_explains_a_function_that_failed_stands_in_the_result_and_costs_nothing(mark):
    """It is said first, and a function that is right has none."""
    source = GOOD.replace("return random.sample(range(N), N), []", "N = random.sample(range(N), N)")
    checks = {
        **CHECKS,
        "hold_out.parts": replace(CHECKS["hold_out.parts"], body=two_calls_give_something),
    }
    submission = mark(source, checks=checks)
    accuracy, hold_out = said(submission, "en").functions
    assert (hold_out.verdict, hold_out.points, submission.points) == ("fail", 0, 0.7)
    assert [each.id for each in hold_out.diagnosis.mistakes] == ["any.no_return"]
    assert hold_out.likely.startswith("Most likely: hold_out returns None")
    assert (accuracy.diagnosis, accuracy.likely) == (None, "")


class LostSolution(LocalSolution):
    """A solution whose process is gone: from the start, or when one of its functions runs."""

    def __init__(self, reason, at_once=False):
        namespace = {}
        exec(GOOD, namespace)
        super().__init__(namespace)
        self.reason, self.at_once = reason, at_once

    def names(self):
        """List two names, or nothing."""
        if self.at_once:
            raise SolutionLost(self.reason, type="NameError", message="x", line=3)
        return ["accuracy", "hold_out"]

    def ask(self, method, *args, **kwargs):
        """Tell the parameters, and answer nothing else."""
        if method == "signature":
            return super().ask(method, *args, **kwargs)
        raise SolutionLost(self.reason)


def verdicts(submission):
    """Map the functions to their verdicts and points."""
    return {function.name: (function.verdict, function.points) for function in submission.functions}


def test_a_right_submission_has_all_its_points(mark, rubric):
    """And the canonical result has exactly the keys that it should."""
    submission = mark(GOOD)
    assert verdicts(submission) == {"accuracy": ("pass", 0.7), "hold_out": ("pass", 0.1)}
    assert (submission.status, submission.reason) == ("graded", None)
    assert (submission.points, submission.max_points) == (0.8, 0.8)
    made = canonical_result([submission], rubric, "full")
    result = json.loads(json.dumps(made.as_json(), allow_nan=False))
    assert msgspec.convert({**result, "class_": None}, Result) == made
    assert list(result) == [
        "schema",
        "practica",
        "rubric",
        "sandbox",
        "seed",
        "class",
        "submissions",
    ]
    assert list(result["rubric"]) == ["name", "sha256", "max_points", "late", "titles"]
    assert list(result["submissions"][0]) == [
        *[
            "id",
            "file",
            "sha256",
            "status",
            "reason",
            "points",
            "max_points",
            "seconds",
            "functions",
        ],
    ]
    function = submission.functions[0]
    assert list(result["submissions"][0]["functions"][0]) == [
        *[
            "name",
            "function",
            "line",
            "points",
            "max_points",
            "verdict",
            "rules",
            "checks",
            "diagnosis",
        ],
    ]
    assert (function.function, function.line) == ("accuracy", 3)
    assert [(rule.id, rule.severity, rule.line) for rule in function.rules] == [
        ("loops.hidden", "advice", 4)
    ]
    written = result["submissions"][0]["functions"][0]
    assert list(written["rules"][0]) == ["id", "severity", "cost", "line", "facts"]
    (check,) = written["checks"]
    assert check == {
        "id": "accuracy.mean",
        "verdict": "pass",
        "message": "",
        "facts": {},
        "counterexample": None,
    }
    assert exit_code([submission]) == 0


def test_the_same_submission_has_the_same_result(mark):
    """But for the time it took."""
    first, second = (replace(mark(GOOD.replace("== t", "!= t")), seconds=0) for _ in range(2))
    assert first == second


def test_a_failed_check_costs_its_function_and_no_other(mark, rubric):
    """With the shortest counterexample."""
    submission = mark(GOOD.replace("o == t", "o != t"))
    assert verdicts(submission) == {"accuracy": ("fail", 0.0), "hold_out": ("pass", 0.1)}
    check = submission.functions[0].checks[0]
    assert check.verdict == "fail"
    shortest = min(known_examples(CHECKS["accuracy.mean"]), key=lambda example: example.length)
    outputs = shortest.values["outputs"]
    assert check.counterexample["call"] == f"accuracy({outputs}, {outputs})"
    assert exit_code([submission]) == 1


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        # A broken rule: no points, though the checks pass.
        (
            ("    return sum", "    for o in outputs: pass\n    return sum"),
            {"accuracy": ("rule", 0.0)},
        ),
        (("threshold=0.5", "umbral=0.5"), {"accuracy": ("rule", 0.0)}),
        # And when they fail as well, it is still the rule that is told first.
        (
            ("    return sum", "    for o in outputs: pass\n    return -sum"),
            {"accuracy": ("rule", 0.0)},
        ),
        # A cap.
        (
            ("    return random", "    for i in range(3): pass\n    return random"),
            {"hold_out": ("rule", 0.05)},
        ),
        (
            ("return random.sample(range(N), N), []", "for i in [1]: return 1, 2, 3"),
            {"hold_out": ("fail", 0.0)},
        ),
        # A flag costs nothing.
        (
            ("    return random", "    import os; os.getpid or os.system('')\n    return random"),
            {"hold_out": ("pass", 0.1)},
        ),
        # Missing; the closest name is told.
        (("def accuracy", "def acuracy"), {"accuracy": ("missing", 0.0)}),
        (("def accuracy", "accuracy = 3\ndef nothing"), {"accuracy": ("missing", 0.0)}),
        # The code raises.
        (("return sum", "return no_such_name"), {"accuracy": ("fail", 0.0)}),
        # For the whole file.
        (
            ("import random", "import random, practica"),
            {"accuracy": ("rule", 0.0), "hold_out": ("rule", 0.0)},
        ),
    ],
)
def test_each_verdict_has_its_points(mark, change, expected):
    """What is broken costs what the rubric says, and only there."""
    source = GOOD.replace(*change)
    assert source != GOOD
    submission = mark(source)
    right = {"accuracy": ("pass", 0.7), "hold_out": ("pass", 0.1)}
    assert verdicts(submission) == right | expected
    assert submission.points == float(
        sum(Decimal(str(points)) for _, points in (right | expected).values())
    )


def test_a_source_that_python_cannot_read_is_not_run(mark, rubric):
    """It is told with the line, and nothing is asked of the solution."""
    submission = mark("def f(:\n", solution=LostSolution("died", at_once=True))
    assert (submission.status, submission.points) == ("not_run", 0.0)
    assert said(submission).why.startswith("línea 1: Python no puede leer el fichero: ")
    assert f"(Python {platform.python_version()})" in said(submission).why
    assert {verdict for verdict, _ in verdicts(submission).values()} == {"not_run"}
    assert exit_code([submission]) == 1


def test_a_file_that_cannot_be_imported_is_not_run(mark):
    """With the reason that the sandbox gives."""
    submission = mark(GOOD, solution=LostSolution("import_failed", at_once=True))
    assert (submission.status, submission.points) == ("not_run", 0.0)
    assert said(submission).why == "El fichero no se puede importar: NameError: x (línea 3)."


class StoppedSolution(LocalSolution):
    """A file that stops at a line, and is from there on what stands before."""

    def __init__(self, source, at, **facts):
        lines = source.splitlines(keepends=True)
        before, namespace = "".join(lines[: at - 1]), {}
        exec(before, namespace)
        super().__init__(namespace)
        self.stop = Stop(
            before.encode(), at, lines[at - 1].strip(), SolutionLost("import_failed", **facts)
        )


def test_what_stands_before_a_failed_import_is_marked(mark, rubric):
    """A person looks at it, and it costs what the rubric says.

    What stands behind is told by name.
    """
    first, _, second = GOOD.partition("def hold_out")
    source = f"{first}1 / 0\ndef hold_out{second}"
    line = first.count("\n") + 1
    solution = StoppedSolution(
        source, line, type="ZeroDivisionError", message="division by zero", line=line
    )
    submission = mark(source, solution=solution)
    assert submission.status == "graded"
    assert verdicts(submission) == {"accuracy": ("pass", 0.7), "hold_out": ("missing", 0.0)}
    stopped, unreached = (said(submission).functions[0].rules)[:2]
    assert (stopped.id, stopped.line, stopped.cost) == ("source.stopped", line, "flag")
    assert "«1 / 0» falla (ZeroDivisionError: division by zero)" in stopped.sentence
    assert "hold_out" in unreached.sentence
    dear = replace(
        rubric,
        rows={
            name: replace(row, costs={"source.stopped": "zero"})
            for name, row in rubric.rows.items()
        },
    )
    submission = grade_submission(
        source.encode(), solution, dear, identifier="1", file="x.py", checks=CHECKS
    )
    assert verdicts(submission)["accuracy"] == ("rule", 0.0)


@pytest.mark.parametrize(("behind", "cost"), [("", None), ("def hold_out(N, P): pass\n", "flag")])
def test_a_table_that_is_missing_below_the_last_function_is_only_advice(mark, behind, cost):
    """An experiment left behind; with a function behind it, a person has to look."""
    first, _, _ = GOOD.partition("def hold_out")
    source = f"{first}read_csv('iris.csv')\n{behind}"
    facts = {"type": "FileNotFoundError", "message": "iris.csv"}
    submission = mark(source, solution=StoppedSolution(source, first.count("\n") + 1, **facts))
    rule = submission.functions[0].rules[0]
    assert (rule.id, rule.cost) == ("source.stopped", cost)
    assert "debajo de if __name__" in stop_of(submission.functions)
    assert bool(stop_of(submission.functions, flagged=True)) == bool(cost)


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"type": "EOFError"}, "input()"),
        ({"type": "FileNotFoundError", "message": "a.csv"}, "fichero de datos"),
        (
            {"type": "NameError", "message": "name 'get_ipython' is not defined"},
            "cuaderno (.ipynb)",
        ),
        (
            {"type": "ModuleNotFoundError", "message": "No module named 'no_hay'", "line": 2},
            "módulo no_hay",
        ),
    ],
)
def test_a_file_that_stops_before_its_first_function_is_not_run(mark, facts, words):
    """And why is told.

    A package that is not there is no fault of a function, wherever it is imported.
    """
    source = f"from math import sqrt\nread()\n{GOOD}"
    submission = mark(source, solution=StoppedSolution(source, 2, **facts))
    assert submission.status == "not_run"
    assert words in said(submission).why
    assert "línea 2" in said(submission).why


@pytest.mark.parametrize(("reason", "verdict"), [("timeout", "fail"), ("budget", "not_run")])
def test_a_solution_that_gets_lost_costs_the_check_and_not_the_grader(mark, reason, verdict):
    """No answer is the student's failure, no time left is no verdict.

    Neither is the grader's error.
    """
    submission = mark(GOOD, solution=LostSolution(reason))
    assert submission.status == "graded"
    assert verdicts(submission) == {"accuracy": (verdict, 0.0), "hold_out": (verdict, 0.0)}


def test_a_function_that_is_lost_while_it_tells_its_parameters_is_not_run(mark):
    """It has not been judged; the others have."""

    class Silent(LocalSolution):
        def ask(self, method, name, *args, **options):
            if (method, name) == ("signature", "accuracy"):
                raise SolutionLost("died")
            return super().ask(method, name, *args, **options)

    namespace = {}
    exec(GOOD, namespace)
    submission = mark(GOOD, solution=Silent(namespace))
    assert verdicts(submission) == {"accuracy": ("not_run", 0.0), "hold_out": ("pass", 0.1)}
    assert submission.functions[0].checks[0].message == "lost.died"


class HangingSolution(LocalSolution):
    """A solution in which accuracy never ends, nor what calls it, nor hold_out with three
    arguments.
    """

    def quick_answers(self, requests):
        """Answer nothing, as where one of several requests never ends."""
        return []

    def ask(self, method, name, *args, **options):
        """Answer, unless accuracy would have to."""
        if method in ("call", "scripted"):
            doubles, given = (args[0], args[1]) if method == "scripted" else ({}, args[0])
            if (
                name == "accuracy"
                or len(given) == 3
                or doubles.get("accuracy", {"through": True}) == {"through": True}
            ):
                raise SolutionLost("timeout")
        return super().ask(method, name, *args, **options)


@pytest.mark.parametrize(
    ("hold_out", "third", "verdict"),
    [
        ("return accuracy([True], [True]) + 2", None, "pass"),  # right with a right accuracy
        ("return accuracy([True], [True]) + 3", None, "fail"),
        ("return 3.0", None, "pass"),  # does not need it
        ("return accuracy([True], [True]) + 2", 0.2, "fail"),  # does not end with it either
    ],
)
def test_whoever_calls_what_never_ends_is_judged_with_a_right_one(mark, hold_out, third, verdict):
    """It is not called again, and only a run that passes excuses.

    After two checks that time out no more are run.
    """

    def asks_three(solution):
        require(solution.hold_out(*[4, 0.2, third][: 2 + bool(third)]) == 3.0)

    part = Part(lambda args, kwargs: 1.0)
    checks = {
        **{
            f"accuracy.{number}": replace(CHECKS["accuracy.mean"], id=f"accuracy.{number}")
            for number in range(4)
        },
        "hold_out.three": Check(
            "hold_out.three", "hold_out", "hold_out", asks_three, parts={"accuracy": part}
        ),
    }
    source = (
        "def accuracy(outputs, targets, *, threshold=0.5):\n    return len(outputs)\n"
        f"def hold_out(N, P=None, Ptest=None):\n    {hold_out}\n"
    )
    namespace = {}
    exec(source, namespace)
    submission = mark(source, checks=checks, solution=HangingSolution(namespace))
    assert verdicts(submission) == {
        "accuracy": ("fail", 0.0),
        "hold_out": (verdict, 0.1 * (verdict == "pass")),
    }
    told = [check.verdict for check in submission.functions[0].checks]
    assert told == ["fail", "not_run", "not_run", "not_run"]  # nobody waits for the same call again


class DearSolution(LocalSolution):
    """A solution in which each call of accuracy takes a fifth of the time of all."""

    def ask(self, method, name, *args, **options):
        """Answer, as long as there is time."""
        self.time_used += (method, name) == ("call", "accuracy") and 0.2
        if self.time_used >= 1:
            raise SolutionLost("budget")
        return super().ask(method, name, *args, **options)

    def quick_answers(self, requests):
        """Answer none: its calls take long."""
        return []


def test_a_function_that_fails_and_takes_long_leaves_time_for_the_others(mark):
    """Once one of its checks has failed, the others do not run.

    A right one may take what it needs.
    """
    checks = {
        f"accuracy.{number}": replace(CHECKS["accuracy.mean"], id=f"accuracy.{number}")
        for number in range(9)
    }
    checks["hold_out.parts"] = CHECKS["hold_out.parts"]
    namespace = {}
    exec(GOOD.replace("/ len(targets)", "/ (len(targets) + 1)"), namespace)
    submission = mark(GOOD, checks=checks, solution=DearSolution(namespace))
    told = [(check.verdict, check.message) for check in submission.functions[0].checks]
    assert told[0][0] == "fail"
    assert {*told[1:]} == {("not_run", "lost.skipped")}
    assert verdicts(submission) == {"accuracy": ("fail", 0.0), "hold_out": ("pass", 0.1)}


@pytest.mark.parametrize(
    "body",
    # with all arguments: without some, Python 3.13 does not see that a recursion is endless
    [
        "return accuracy(outputs, targets, threshold=threshold)",
        "return hold_out(4, None, None)",
        "return second(outputs)",
    ],
)
def test_no_function_is_helped_through_itself_or_a_cycle(mark, body):
    """An endless recursion would get the answer from its first call."""

    def asks(solution):
        require(solution.accuracy([[True]], [[True]]) == 1.0)

    parts = {name: Part(lambda args, kwargs: 1.0) for name in ("accuracy", "hold_out")}
    checks = {
        f"{name}.rows": Check(f"{name}.rows", name, name, body, parts=parts)
        for name, body in (("accuracy", asks), ("hold_out", calls_accuracy))
    }
    source = (
        f"def accuracy(outputs, targets=None, *, threshold=0.5):\n    {body}\n"
        "def second(outputs):\n    return accuracy(outputs, None, threshold=0.5)\n"
        "def hold_out(N, P=None, Ptest=None):\n    return accuracy([N], None, threshold=0.5)\n"
    )
    assert {*verdicts(mark(source, checks=checks)).values()} == {("fail", 0.0)}


def calls_accuracy(solution):
    """«...»."""
    obtained = solution.hold_out(4)
    require(obtained == 3.0, obtained=obtained, expected=3.0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("accuracy", "hold_out", "earned"),
    [
        # it only inherits it
        ("return 0.5 * len(outputs)", "return accuracy([True], [True]) + 2", {"hold_out"}),
        ("return 0.5", "return accuracy([True], [True]) + 2", {"hold_out"}),  # whatever it gets
        ("return 1.0", "return accuracy([True], [False]) + 2", {"accuracy", "hold_out"}),
        # asks what it should not
        ("return 1.0 if outputs else 9.0", "return accuracy([], []) + 2", {"accuracy"}),
        # it was never written
        ("...", "return accuracy([True], [True]) + 2", {"hold_out"}),
        ("raise NotImplementedError", "return accuracy([True], [True]) + 2", {"hold_out"}),
    ],
)
def test_a_helper_that_is_not_right_is_replaced_whatever_it_is_instead(
    mark, accuracy, hold_out, earned
):
    """One that passes its own checks is called as it is."""
    part = Part(lambda args, kwargs: 1.0)
    checks = {
        "accuracy.mean": CHECKS["accuracy.mean"],
        "hold_out.parts": Check(
            "hold_out.parts", "hold_out", "hold_out", calls_accuracy, parts={"accuracy": part}
        ),
    }
    source = (
        f"def accuracy(outputs, targets, *, threshold=0.5):\n    {accuracy}\n"
        f"def hold_out(N, P=None, Ptest=None):\n    {hold_out}\n"
    )
    found = {name for name, (_, points) in verdicts(mark(source, checks=checks)).items() if points}
    assert found == earned


def test_a_mistake_of_ours_is_never_a_mark(mark, rubric, caplog):
    """The status says so, there are no points, and the exit code is 2."""
    broken = Check("hold_out.broken", "hold_out", "hold_out", it_is_broken)
    submission = mark(GOOD, checks={**CHECKS, "hold_out.broken": broken})
    assert (submission.status, submission.points) == ("grader_error", None)
    assert said(submission).why == "hold_out.broken: ZeroDivisionError: ours"
    assert verdicts(submission) == {"accuracy": ("pass", 0.7), "hold_out": ("not_run", None)}
    assert exit_code([mark(GOOD), submission]) == 2
    assert "hold_out.broken" in caplog.text


def test_a_mistake_of_ours_leaves_one_row_open(mark, monkeypatch):
    """The other functions are judged and explained, whichever part of the grader failed.

    The reason names the row.
    """
    broken = Check("hold_out.broken", "hold_out", "hold_out", it_is_broken)
    wrong = GOOD.replace("o == t", "o != t")
    told = []
    monkeypatch.setattr(
        "practica.grading.engine.grade.diagnose", lambda *_, **__: told.append(True)
    )
    assert verdicts(mark(wrong, checks={**CHECKS, "hold_out.broken": broken}))["accuracy"] == (
        "fail",
        0,
    )
    assert told == [True]

    def signatures(row, *given):
        return [] if row.name == "accuracy" else it_is_broken(None)

    monkeypatch.setattr("practica.grading.engine.grade.signature_rules", signatures)
    submission = mark(GOOD)
    assert (submission.status, submission.points) == ("grader_error", None)
    assert verdicts(submission) == {"accuracy": ("pass", 0.7), "hold_out": ("not_run", None)}
    assert "hold_out" in said(submission).why


def test_a_function_without_checks_is_no_gift(mark):
    """A rubric that asks for nothing is our mistake."""
    submission = mark(GOOD, checks={"accuracy.mean": CHECKS["accuracy.mean"]})
    assert submission.status == "grader_error"
    assert "hold_out: no check matches" in said(submission).why


@contextmanager
def captured():
    """Collect what is printed."""
    console = Console(width=120, record=True, file=open("/dev/null", "w"), markup=False)  # noqa: SIM115
    yield console
    console.file.close()


@pytest.mark.parametrize("lang", ["es", "en"])
def test_the_table_shows_every_function_and_the_total(mark, lang):
    """And below, a sentence for what is not right."""
    source = GOOD.replace("o == t", "o != t").replace("def hold_out", "def holdOut")
    with captured() as console:
        print_submission(mark(source), lang=lang, console=console)
        print_sandbox("none", lang=lang, console=console)
        text = console.export_text()
    assert "0.00 / 0.80" in text
    assert "accuracy([" in text
    assert "holdOut" in text
    assert ("sin aislamiento" if lang == "es" else "without a sandbox") in text


def test_a_report_does_not_take_what_students_write_for_its_own(mark):
    """Brackets and colons are text, and what would move the cursor is shown."""
    source = GOOD.replace(
        "    return sum", "    raise ValueError('[red]:a:{x}\\x1b[2J')\n    return sum"
    )
    with captured() as console:
        print_submission(mark(source), console=console)
        text = "".join(console.export_text().split())
    assert "[red]:a:{x}\\x1b[2J" in text


def test_no_line_that_a_student_writes_is_one_of_ours(mark):
    """Neither in an error nor in a result, nor in the name of the file."""
    forged = "otra.py  2.50 / 2.50"
    source = GOOD.replace("    return sum", f"    raise ValueError('x\\n{forged}')\n    return sum")
    with captured() as console:
        print_submission(replace(mark(source), file=f"x\n{forged}.py"), console=console)
        lines = console.export_text().splitlines()
    assert forged in "".join(lines)
    assert not [line for line in lines if line.startswith((forged, f"  {forged}"))]


def test_what_concerns_every_function_is_said_once(mark):
    """Not seventeen times."""
    groups = dict(sentences(mark(GOOD.replace("import random", "import random, practica"))))
    assert next(iter(groups)) == "en todas las funciones"
    assert sum("practica" in line for lines in groups.values() for line in lines) == 1


def test_a_rule_that_only_some_functions_break_is_told_as_broken_there():
    """Though it is advice for the others."""
    severities = {"accuracy": ("advice", None), "hold_out": ("broken", "zero")}
    functions = tuple(
        FunctionResult(
            name, name, 1, 1.0, 1.0, "pass", (RuleResult("source.encoding", *severity, 3, {}),)
        )
        for name, severity in severities.items()
    )
    groups = dict(
        sentences(SubmissionResult("a", "a.py", "", "graded", None, 2.0, 2.0, functions=functions))
    )
    encoding = say("source.encoding")
    assert groups == {
        "en todas las funciones": [f"línea 3: Consejo: {encoding}"],
        "hold_out": [f"línea 3: {encoding}"],
    }


@pytest.mark.slow
def test_a_function_that_fails_everywhere_is_told_briefly(mark):
    """One check in full, and how many others."""
    checks = {
        f"accuracy.{i}": Check(f"accuracy.{i}", "accuracy", "accuracy", it_fails) for i in range(5)
    }
    submission = mark(GOOD, checks={**checks, "hold_out.parts": CHECKS["hold_out.parts"]})
    lines = dict(sentences(submission))["accuracy"]
    assert len([line for line in lines if line.startswith("accuracy.")]) == 1
    assert lines[-1] == "Tampoco pasan 4 comprobaciones más:"


def test_what_a_function_does_wrong_is_told_before_what_got_no_answer(mark):
    """A wrong value tells more than a process that ended.

    A call that does not end is why the student has waited.
    """

    def dies(solution):
        raise SolutionLost("died")

    def hangs(solution):
        raise SolutionLost("timeout")

    bodies = {"accuracy.first": dies, "accuracy.second": it_fails, "accuracy.third": hangs}
    checks = {each: Check(each, "accuracy", "accuracy", body) for each, body in bodies.items()}
    submission = mark(GOOD, checks={**checks, "hold_out.parts": CHECKS["hold_out.parts"]})
    told = [check.id for check in said(submission).functions[0].checks]
    assert told == ["accuracy.third", "accuracy.second", "accuracy.first"]
