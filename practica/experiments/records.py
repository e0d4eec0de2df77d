"""The record of an experiment as JSON: every score, and all that is needed to repeat it."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, TextIO

import practica
from practica.evaluation.comparison import Comparison, finite
from practica.evaluation.estimators import Estimator
from practica.evaluation.model_scores import ModelScores
from practica.experiments.tables import Table

__all__ = ["record_of", "write"]


def record_of(
    comparison: Comparison, models: Mapping[str, Estimator], table: Table, names: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Return an experiment as dictionaries, lists, texts and numbers; `practica.evaluation.load_comparison` reads it.

    `models` has the estimators that were compared, and perhaps more, by their titles, and `names` the names that titles
    have in the record, where they are others. A number that is not finite, which JSON does not know, is None; a
    parameter that JSON does not know is its text.
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


def _described(model: Estimator, result: ModelScores) -> dict[str, Any]:
    pairs = {metric: result.mean_and_std(metric) for metric in result.metrics}
    return {
        "parameters": {name: _known_to_json(value) for name, value in model.get_params().items()},
        "mean": {metric: finite(pair.mean) for metric, pair in pairs.items()},
        "std": {metric: finite(pair.std) for metric, pair in pairs.items()},
    }


def _known_to_json(value: object) -> object:
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
