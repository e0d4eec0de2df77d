"""The record of an experiment as JSON: every score, and all that is needed to repeat it."""

from __future__ import annotations

import json
import math
import platform
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, TextIO

import practica
from practica.evaluation.comparison import Comparison
from practica.evaluation.model_scores import ModelScores
from practica.experiments.tables import Table

__all__ = ["record_of", "write"]


def record_of(
    comparison: Comparison, models: Mapping[str, Any], table: Table, names: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Return an experiment as dictionaries, lists, texts and numbers; `practica.evaluation.load_comparison` reads it.

    Parameters
    ----------
    comparison : Comparison
    models : dict of estimators
        By their titles, those that were compared and perhaps more.
    table : Table
    names : dict, optional
        The name that each title has in the record, where that is another.

    Returns
    -------
    record : dict
        `models[name]["scores"]` has shape (folds, executions, metrics), the metrics in the order of `metrics`. A number
        that is not finite, which JSON does not know, is None; a parameter that JSON does not know is its text.
    """
    record = comparison.record()
    record["models"] = {
        (names or {}).get(title, title): {**_described(models[title], comparison.results[title]), **model}
        for title, model in record["models"].items()
    }
    data = {
        "name": table.name,
        "patterns": len(table.targets),
        "attributes": list(table.attributes),
        "class_sizes": {} if table.is_quantity else table.class_sizes(),
    }
    packages = {package: version(package) for package in ("numpy", "torch", "scikit-learn")}
    versions = {"practica": practica.__version__, "python": platform.python_version(), **packages}
    return {"data": data, **record, "versions": versions}


def _described(model: Any, result: ModelScores) -> dict[str, Any]:
    pairs = {metric: result.mean_and_std(metric) for metric in result.metrics}
    return {
        "parameters": {name: _known_to_json(value) for name, value in model.get_params().items()},
        "mean": {metric: _finite(pair.mean) for metric, pair in pairs.items()},
        "std": {metric: _finite(pair.std) for metric, pair in pairs.items()},
    }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _known_to_json(value: Any) -> Any:
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        return str(value)
    return value


def write(record: Mapping[str, Any], file: TextIO) -> None:
    """Write a record as JSON, one key a line."""
    lines = (
        f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False, allow_nan=False)}" for key, value in record.items()
    )
    file.write("{" + ",\n ".join(lines) + "}\n")
