"""A marker that stands for the sandbox where a class is read, written and decided: it goes by the
words of a file.
"""

import contextlib
import os
from dataclasses import dataclass, replace
from unittest.mock import patch

from practica.grading.classroom import marking
from practica.grading.classroom.marker import Marked, Marker
from practica.grading.engine.result import (
    FunctionResult,
    Reason,
    RuleResult,
    with_manual,
    without_mark,
)

__all__ = ["Cheap", "cheaply"]


@dataclass(frozen=True)
class Cheap(Marker):
    """Marks by the words of a file: each row that it names is right.

    Some words stop it, or are flagged.
    """

    def __call__(self, task):
        """Return what the words earn."""
        text = task.source.decode(errors="replace")
        flag = RuleResult("calls.suspicious", "broken", "flag", 1, {"name": "os.system"})
        rules = (flag,) if "os_system" in text else ()
        if "grader" in text:
            reason = Reason.of("grader.error", {"error": "E: e"})
            return Marked(
                without_mark(
                    task.source, self.rubric, identifier=task.id, file=task.file, reason=reason
                ),
                None,
            )
        readable = "unreadable" not in text
        functions = []
        for row in self.rubric.rows.values():
            earned = float(row.points) if readable and row.name in text else 0.0
            verdict = ("pass" if earned else "missing") if readable else "not_run"
            functions.append(
                FunctionResult(row.name, row.name, None, earned, float(row.points), verdict, rules)
            )
        status, why = (
            ("graded", None)
            if readable
            else ("not_run", Reason.of("source.syntax", {"reason": "x"}, 1))
        )
        blank = without_mark(
            task.source, self.rubric, identifier=task.id, file=task.file, reason=why
        )
        points = round(float(sum(each.points for each in functions)), 2)
        marked = replace(blank, status=status, points=points, functions=tuple(functions))
        return Marked(with_manual(marked, self.rubric), "full")


def cheaply():
    """Return what makes `practica grade` use the cheap marker, in this process."""
    stack = contextlib.ExitStack()
    stack.enter_context(patch.object(marking, "Marker", Cheap))
    stack.enter_context(patch.object(marking, "workers_at", lambda *_: contextlib.nullcontext()))
    one_by_one = lambda tasks, marker, _: ((task, marker(task)) for task in tasks)  # noqa: E731
    stack.enter_context(patch.object(marking, "mark_all", one_by_one))
    stack.enter_context(patch.dict(os.environ, COLUMNS="4000"))
    return stack
