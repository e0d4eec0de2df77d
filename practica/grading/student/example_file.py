"""The examples of a checked file, in a file beside it that repeats them: `python ejemplo.py
hold_out`.

Each is repeated with the seeds that it had, so that it fails in the same way.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace
from keyword import iskeyword
from pathlib import Path

from practica.grading.engine.observations import STATE
from practica.grading.engine.result import FunctionResult, SubmissionResult
from practica.grading.report.failure import call_lines
from practica.grading.report.messages import say
from practica.grading.report.words import SaidCheck, said


def with_examples_beside(
    submission: SubmissionResult, file: Path, lang: str = "es"
) -> SubmissionResult:
    """Write the examples of a marked file beside it, and return the submission with the lines that
    repeat them.

    `submission`: for each function, the example that its student reads is written.
    Returned `submission`: the counterexamples that were written have `file` and `function`. If
        there are none, a file of examples that was written before is removed. If the file cannot be
        written, the submission is returned as it is.
    """
    beside = file.with_name(str(say("check.examples", {}, lang)))
    head = str(say("check.examples_head", {"file": beside.name}, lang))
    if file.suffix != ".py" or (beside.exists() and not _is_ours(beside, head)):
        return submission
    calls: dict[str, tuple[str, str]] = {}
    functions = []
    for function, told in zip(submission.functions, said(submission, lang).functions, strict=True):
        first = next(iter(told.failed), None)
        checks = function.checks
        if first is not None and (call := _call(first, function, lang)):
            calls[function.name] = function.function, call
            more = {"file": str(beside), "function": function.name}
            checks = tuple(
                replace(check, counterexample={**(check.counterexample or {}), **more})
                if check.id == first.id
                else check
                for check in checks
            )
        functions.append(replace(function, checks=checks))
    try:
        if calls:
            beside.write_text(_program(head, file, calls), encoding="utf-8")
        else:
            beside.unlink(missing_ok=True)
    except OSError:
        return submission  # the calls are shown as they are
    return replace(submission, functions=tuple(functions))


def _is_ours(file: Path, head: str) -> bool:
    try:
        return file.read_text(encoding="utf-8").startswith(head)
    except (OSError, UnicodeDecodeError):
        return False


def _call(check: SaidCheck, function: FunctionResult, lang: str) -> str:
    """Return the code that repeats the example of a failed check; empty if it cannot be written as
    Python.
    """
    found = check.counterexample or {}
    call, begin = found.get("call", ""), f"{function.function}("
    try:
        ast.parse(call)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    if not call.startswith(begin):
        return ""
    given = call_lines(f"repeat({function.function}, {call.removeprefix(begin)}", fold=False)
    seed = [f"seed={found['seed']}"] if "seed" in found else []
    more = [f"drawn={found['drawn']}"] if found.get("drawn", "0") != "0" else []
    known = function.diagnosis
    ids = [mistake.id for mistake in known.mistakes] if known else []
    is_state = STATE in ids and known is not None and check.id in known.explains
    about = ", ".join([repr(lang), repr(check.id), *seed, *more, *["earlier=True"] * is_state])
    return "\n    ".join([f"example = RepeatedExample({about})", f"example.{given[0]}", *given[1:]])


# what the written values are made with, besides numpy and torch
IMPORTS = {
    "datetime": "import datetime",
    "Decimal": "from decimal import Decimal",
    "Fraction": "from fractions import Fraction",
    "pd": "import pandas as pd",
}


def _imports_of(call: str) -> set[str]:
    """Return the imports that the lines of a call need."""
    nodes = ast.walk(ast.parse(f"if True:\n    {call}"))
    return {IMPORTS[node.id] for node in nodes if isinstance(node, ast.Name) and node.id in IMPORTS}


def _program(head: str, file: Path, calls: Mapping[str, tuple[str, str]]) -> str:
    named = file.stem.isidentifier() and not iskeyword(file.stem)
    needed = set[str]().union(*(_imports_of(call) for _, call in calls.values()))
    imports = [
        *["import runpy"] * (not named),
        "import sys",
        "",
        "import numpy as np",
        "import torch",
        *sorted(needed),
        "from practica.grading.student.repeating import RepeatedExample",
    ]
    run = f"globals().update(runpy.run_path(f'{{sys.path[0]}}/' {file.name!r}))"
    lines = [
        head,
        *imports,
        "",
        f"from {file.stem} import *" if named else run,
        "",
        "wanted = sys.argv[1:]",
        "",
    ]
    for name, (function, call) in calls.items():
        either = " or ".join(f"{each!r} in wanted" for each in dict.fromkeys([name, function]))
        lines += [f"if not wanted or {either}:", f"    {call}", ""]
    return "\n".join(lines)
