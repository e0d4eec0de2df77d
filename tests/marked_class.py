"""A class as the grader marks it, small and with everything that a page has to show."""

from dataclasses import replace
from typing import Any

from practica.grading.engine.result import (
    CheckResult,
    Class,
    Entry,
    FunctionResult,
    Reason,
    Result,
    RuleResult,
    SubmissionResult,
    UsedRubric,
)
from practica.grading.report.questions import Exceptions

SOURCE = b"""import numpy as np
from sklearn.metrics import accuracy_score


def accuracy(outputs, targets, *, threshold=0.5):
    return accuracy_score(targets, outputs)


def hold_out(N, P, Ptest=None):
    raise ValueError("</pre><script>hacked = true</script>")


def classify_outputs(outputs, *, threshold=0.5):
    return outputs > threshold
"""
TEXT = SOURCE.decode()
HOSTILE = (
    "</title></script><script>hacked = true</script><img src=x onerror='hacked = true'>\u202e\0"
)


def check(
    identifier: str,
    verdict: str = "pass",
    message: str = "",
    facts: Any = None,
    **counterexample: str,
) -> CheckResult:
    """Make a check of the result."""
    return CheckResult(identifier, verdict, message, facts or {}, counterexample or None)


def rule(
    identifier: str, line: int | None = None, severity: str = "broken", **facts: Any
) -> RuleResult:
    """Make a rule of the result."""
    return RuleResult(identifier, severity, "zero" if severity == "broken" else None, line, facts)


def function(
    name: str,
    verdict: str = "pass",
    points: float | None = None,
    most: float = 0.25,
    checks: Any = (),
    rules: Any = (),
) -> FunctionResult:
    """Make a function of the result; all its points if it passes."""
    earned = (most if verdict == "pass" else 0.0) if points is None else points
    begins = [
        number
        for number, line in enumerate(TEXT.splitlines(), 1)
        if line.startswith(f"def {name}(")
    ]
    line, checks = begins[0] if begins else None, tuple(checks) or (check(f"{name}.value"),)
    return FunctionResult(name, name, line, earned, most, verdict, tuple(rules), checks)


def submission(
    identifier: str, functions: Any, status: str = "graded", reason: Any = None
) -> SubmissionResult:
    """Make a submission of the result."""
    functions = tuple(functions)
    return SubmissionResult(
        id=identifier,
        file=f"entregas/{identifier}.py",
        sha256="0123456789abcdef" * 4,
        status=status,
        reason=reason,
        points=None if status == "grader_error" else sum(each.points for each in functions),
        max_points=1.0,
        seconds=1.0,
        functions=functions,
        source=TEXT,
        cells=(),
    )


def entry(submission: SubmissionResult) -> Entry:
    """Make what a class has of a submission, from outside Moodle."""
    return Entry(submission.id, submission.id, source=submission.file, sha256=submission.sha256)


def result(submissions: Any, sandbox: str = "full", similar: Any = ()) -> Result:
    """Make a canonical result."""
    submissions = tuple(submissions)
    rubric = UsedRubric("Criterios oficiales", "fedcba9876543210" * 4, 1.0)
    class_ = Class(tuple(map(entry, submissions)), (), tuple(similar))
    return Result(2, "0.1.0", rubric, sandbox, class_, submissions)


def noted(made: Result, lang: str, *notes: str) -> Exceptions:
    """Make the list of what needs a person, with more that it is good to know."""
    return replace(Exceptions.of(made, lang), notes=notes)


def all_right(identifier: str) -> SubmissionResult:
    """Make a submission with nothing to say about it."""
    return submission(
        identifier,
        [function(name) for name in ("classify_outputs", "accuracy", "hold_out", "extra")],
    )


def with_everything(identifier: str, said: str = HOSTILE) -> SubmissionResult:
    """Make a submission that breaks a rule, fails, misses a function and has an advice.

    The student says something.
    """
    threshold = check(
        "classify_outputs.vector",
        "fail",
        "classify_outputs.vector",
        {
            "call": "classify_outputs(np.array([0.5]))",
            "obtained": f"[False] {said}",
            "expected": "[True]",
        },
        call="classify_outputs(np.array([0.5]))",
        input="np.array([0.5])",
        expected="[True]",
        obtained=f"[False] {said}",
        printed=f"i = 0\n{said}",
    )
    raised = [
        check(
            f"hold_out.{topic}",
            "fail",
            "any.raises",
            {"call": f"hold_out({size}, 0.1)", "error": f"ValueError {size}: {said}", "line": "10"},
            call=f"hold_out({size}, 0.1{' ' * 500 if topic == 'long' else ''})",
            input=f"{size}, 0.1",
            obtained=f"ValueError: {said}",
        )
        for size, topic in enumerate(["two", "three", "random", "sizes", "long"], 1)
    ]
    broken = rule("calls.forbidden", 6, name="sklearn.metrics.accuracy_score")
    unused = rule("signature.open", 1, "advice", name=f"numpy {said}")
    return submission(
        identifier,
        [
            function(
                "classify_outputs",
                "fail",
                checks=[threshold, check("classify_outputs.column")],
                rules=[unused],
            ),
            function(
                "accuracy", "rule", checks=[check("accuracy.bool.vector")], rules=[broken, unused]
            ),
            function("hold_out", "fail", checks=raised, rules=[unused]),
            function(
                "train_class_ann",
                "missing",
                checks=[
                    check(
                        "train_class_ann.learns",
                        "not_run",
                        "any.missing",
                        {"function": "train_class_ann"},
                    )
                ],
                rules=[rule("signature.missing", function="train_class_ann"), unused],
            ),
        ],
    )


def not_run(identifier: str, said: str = "def f(:") -> SubmissionResult:
    """Make a submission that Python cannot read, with what its second line says."""
    syntax = rule("source.syntax", 2, reason="invalid syntax", text=said)
    functions = [
        function(name, "not_run", checks=[check(f"{name}.value", "not_run")], rules=[syntax])
        for name in ("classify_outputs", "accuracy", "hold_out", "train_class_ann")
    ]
    reason = Reason(syntax.id, syntax.facts, 2)
    return submission(identifier, functions, "not_run", reason)


def grader_error(identifier: str) -> SubmissionResult:
    """Make a submission at which the grader failed."""
    error = "accuracy.value: ZeroDivisionError: division by zero " * 9
    return submission(identifier, [], "grader_error", Reason("grader.error", {"error": error}))
