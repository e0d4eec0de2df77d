"""Files of a class, made in memory: zips, notebooks, and a canonical result with something of
everything.
"""

import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path

from practica.grading.engine.result import (
    CheckResult,
    Class,
    FunctionResult,
    Reason,
    Result,
    RuleResult,
    SubmissionResult,
    UsedRubric,
)

MODEL = (Path(__file__).parent.parent / "enunciado" / "profesorado" / "solucion.py").read_bytes()


def zipped(files) -> bytes:
    """Return a zip of names (or `ZipInfo`) and contents; pairs may repeat a name."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items() if isinstance(files, dict) else files:
            archive.writestr(name, data)
    return content.getvalue()


def notebook(*cells: str, language: str = "python") -> bytes:
    """Return a notebook with these cells of code."""
    made = [
        {"cell_type": "code", "metadata": {}, "source": cell.splitlines(keepends=True)}
        for cell in cells
    ]
    return json.dumps(
        {
            "cells": made,
            "metadata": {"kernelspec": {"language": language}},
            "nbformat": 4,
            "nbformat_minor": 5,
        }
    ).encode()


def submission(identifier="ana-12", status="graded", **changes):
    """Return a submission of a canonical result with one function for each verdict."""
    facts = {"call": "accuracy(<x>) & «y»", "obtained": "1"}
    check = CheckResult("accuracy.bool", "fail", "form.number", facts)
    example = {"call": "hold_out(4, .5)", "expected": "2", "obtained": "3"}
    functions = (
        _function(
            "classify_outputs",
            "pass",
            0.25,
            replace(check, id="classify_outputs.a", verdict="pass"),
        ),
        _function("accuracy", "fail", 0.0, *[check] * 5),
        _function(
            "hold_out", "rule", 0.0, replace(check, id="hold_out.n", counterexample=example), line=3
        ),
        _function(
            "crossvalidation",
            "missing",
            0.0,
            replace(check, id="crossvalidation.n", verdict="not_run"),
        ),
        _function(
            "build_class_ann", "not_run", 0.0, replace(check, id="build.n", verdict="not_run")
        ),
    )
    made = SubmissionResult(
        id=identifier,
        file=f"{identifier}.py",
        sha256="0" * 64,
        status=status,
        reason=None if status == "graded" else Reason("grader.error", {"error": "\x00 <mal>"}, 1),
        points=None if status == "grader_error" else 0.25,
        max_points=2.5,
        seconds=1.25,
        functions=functions if status == "graded" else (),
        source="",
        cells=(),
    )
    return replace(made, **changes)


def _function(name, verdict, points, *checks, line=None):
    rule = RuleResult(
        "loops.too_many",
        "broken",
        "zero",
        line,
        {"limit": 0, "count": 2, "lines": [3, 5], "variant": "none"},
    )
    advice = RuleResult("loops.hidden", "advice", None, line, {"names": "map", "lines": [3]})
    rules = (advice,) if line is None else (rule, advice)
    return FunctionResult(name, name, None, points, 0.25, verdict, rules, checks)


def result(*submissions):
    """Return a canonical result."""
    return Result(
        2, "0.1.0", UsedRubric("Criterios", "1" * 64, 2.5), "full", Class(()), submissions
    )
