"""Files of a class, made in memory: zips, notebooks, and a canonical result with something of everything."""

import io
import json
import zipfile
from pathlib import Path

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
    made = [{"cell_type": "code", "metadata": {}, "source": cell.splitlines(keepends=True)} for cell in cells]
    return json.dumps(
        {"cells": made, "metadata": {"kernelspec": {"language": language}}, "nbformat": 4, "nbformat_minor": 5}
    ).encode()


def submission(identifier="ana-12", status="graded", **changes):
    """Return a submission of a canonical result with one function for each verdict."""
    check = {
        "id": "accuracy.bool",
        "verdict": "fail",
        "message": "form.number",
        "facts": {"call": "accuracy(<x>) & «y»", "obtained": "1"},
        "counterexample": None,
    }
    example = {"call": "hold_out(4, .5)", "expected": "2", "obtained": "3"}
    functions = [
        _function("classify_outputs", "pass", 0.25, [{**check, "id": "classify_outputs.a", "verdict": "pass"}]),
        _function("accuracy", "fail", 0.0, [check] * 5),
        _function("hold_out", "rule", 0.0, [{**check, "id": "hold_out.n", "counterexample": example}], line=3),
        _function("crossvalidation", "missing", 0.0, [{**check, "id": "crossvalidation.n", "verdict": "not_run"}]),
        _function("build_class_ann", "not_run", 0.0, [{**check, "id": "build.n", "verdict": "not_run"}]),
    ]
    made = {
        "id": identifier,
        "file": f"{identifier}.py",
        "sha256": "0" * 64,
        "status": status,
        "reason": None
        if status == "graded"
        else {"message": "grader.error", "facts": {"error": "\x00 <mal>"}, "line": 1},
        "points": None if status == "grader_error" else 0.25,
        "max_points": 2.5,
        "seconds": 1.25,
        "functions": functions if status == "graded" else [],
        "source": "",
        "cells": [],
    }
    return {**made, **changes}


def _function(name, verdict, points, checks, line=None):
    facts = {"limit": 0, "count": 2, "lines": [3, 5], "variant": "none"}
    rule = {"id": "loops.too_many", "severity": "broken", "cost": "zero", "line": line, "facts": facts}
    advice = {**rule, "id": "loops.hidden", "severity": "advice", "cost": None, "facts": {"names": "map", "lines": [3]}}
    return {
        "name": name,
        "function": name,
        "line": None,
        "points": points,
        "max_points": 0.25,
        "verdict": verdict,
        "rules": [advice] if line is None else [rule, advice],
        "checks": checks,
    }


def result(*submissions):
    """Return a canonical result."""
    return {
        "schema": 2,
        "practica": "0.1.0",
        "rubric": {"name": "Criterios", "sha256": "1" * 64, "max_points": 2.5},
        "sandbox": "full",
        "class": {"entries": [], "incidents": [], "similar": []},
        "submissions": list(submissions),
    }
