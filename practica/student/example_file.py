"""The long examples of a checked file, in a file beside it that repeats them.

A long call would fill the terminal; `python ejemplo.py hold_out` runs it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from keyword import iskeyword
from pathlib import Path

from practica.engine.result import SubmissionResult
from practica.report.messages import say

__all__ = ["LONGEST", "with_examples_beside"]

LONGEST = 160  # characters of a call that is shown


def with_examples_beside(submission: SubmissionResult, file: Path, lang: str = "es") -> SubmissionResult:
    """Write the long calls of a marked file of Python beside it, and return it with what repeats them.

    Parameters
    ----------
    submission : SubmissionResult
        Of each function that has a long example, the first one is written.
    file : path
    lang : "es" or "en"

    Returns
    -------
    submission : SubmissionResult
        The counterexamples that were written have `file` and `function`. Without any, a file of examples that was
        written before is removed; one that cannot be written is not.
    """
    beside = file.with_name(str(say("check.examples", {}, lang)))
    head = str(say("check.examples_head", {"file": beside.name}, lang))
    if file.suffix != ".py" or (beside.exists() and not _is_ours(beside, head)):
        return submission
    calls: dict[str, str] = {}
    functions = []
    for function in submission.functions:
        checks = []
        for check in function.checks:
            call = (check.counterexample or {}).get("call", "")
            if len(call) > LONGEST and function.function not in calls:
                calls[function.function] = call
                repeated = {**(check.counterexample or {}), "file": str(beside), "function": function.function}
                check = replace(check, counterexample=repeated)
            checks.append(check)
        functions.append(replace(function, checks=tuple(checks)))
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


def _program(head: str, file: Path, calls: Mapping[str, str]) -> str:
    named = file.stem.isidentifier() and not iskeyword(file.stem)
    imports = [
        *["import runpy"] * (not named),
        "import sys",
        "",
        "import numpy as np",
        *["import torch"] * any("torch." in call for call in calls.values()),
    ]
    run = f"globals().update(runpy.run_path(f'{{sys.path[0]}}/' {file.name!r}))"
    lines = [head, *imports, "", f"from {file.stem} import *" if named else run, "", "wanted = sys.argv[1:]", ""]
    for name, call in calls.items():
        lines += [f"if not wanted or {name!r} in wanted:", f"    print({call})", ""]
    return "\n".join(lines)
