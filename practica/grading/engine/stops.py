"""Files that stop while they are imported, and packages that are not installed here."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterable, Mapping

from practica.grading.engine.rendering import show
from practica.grading.engine.result import FunctionResult
from practica.grading.engine.rules import Rule
from practica.grading.engine.solution import SolutionLost
from practica.grading.engine.source import imports_of
from practica.grading.inside.loading import decode
from practica.grading.inside.preload import distribution
from practica.json_data import Facts, shortened

# how a file stops half-way
STOPPED = ("import_failed", "input", "file", "notebook", "timeout", "other")
LONGEST_STATEMENT = 60  # characters of it in a sentence


def missing_package(type: object, message: object) -> str | None:
    """Return the module that an import did not find, if its package is not installed here.

    A package that `practica` hides is not missing, and neither is a module that an installed
    package does not have.
    """
    found = re.fullmatch(r"No module named '([\w.]+)'", str(message))
    if found is None or type != "ModuleNotFoundError":
        return None
    package = found[1].partition(".")[0]
    try:
        spec = importlib.util.find_spec(package)
    except ValueError:  # a module of this process that came from no file
        return None
    # several may share a folder such as `google`
    is_installed = spec is not None and spec.origin is not None
    return None if is_installed or package == "practica" else found[1]


def needed_package(functions: Iterable[FunctionResult]) -> Facts | None:
    """Return the facts of the first function that needs a package that is not installed here."""
    for function in functions:
        for facts in (
            check.facts for check in function.checks if check.message.startswith("any.raises")
        ):
            kind, _, message = str(facts["error"]).partition(": ")
            if package := missing_package(kind, message):
                return {"function": function.function, "package": package, "line": facts["line"]}
    return None


def broken_package(source: bytes, unloadable: Mapping[str, str]) -> Facts | None:
    """Return the facts of the first library that a file uses and that fails to import although it
    is installed here.

    `source`: the file, which Python can read. `unloadable`: as in `Solution`.
    """
    errors = {}
    for module, error in unloadable.items():
        kind, _, message = error.partition(": ")
        package = module.partition(".")[0]
        if missing_package(kind, message) != package:
            errors[package] = error
    if not errors:
        return None
    imports = imports_of(decode(source)[0])
    for _, full, line in sorted(imports, key=lambda found: found[2]):
        package = full.partition(".")[0]
        if package in errors:
            error = show(errors[package].partition("\n")[0].removesuffix("."), quoted=False)
            return {"package": distribution(package), "line": line, "error": error}
    return None


def stopped(lost: SolutionLost, line: int, statement: str, *, loses: bool) -> Rule:
    """Return the rule that a file breaks if its process was lost at the statement on a line.

    `loses`: whether a function is lost by it. If not, a missing file of data is only advice: it
        belongs to an experiment.
    """
    error = ": ".join(str(lost.facts[name]) for name in ("type", "message") if lost.facts.get(name))
    way = {"FileNotFoundError": "file", "EOFError": "input"}.get(
        str(lost.facts.get("type")), lost.reason
    )
    way = "notebook" if "'get_ipython'" in error else way
    variant = way if way in STOPPED else "other"
    facts = {
        "variant": variant,
        "statement": shortened(statement, LONGEST_STATEMENT),
        "error": show(error or way, quoted=False),
    }
    severity = "advice" if variant == "file" and not loses else "broken"
    return Rule("source.stopped", severity, line, facts)
