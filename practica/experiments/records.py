"""The record of an experiment or of a comparison as JSON: every score, and all that is needed to repeat it."""

from __future__ import annotations

import json
import math
import platform
from dataclasses import asdict
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, TextIO

import practica
from practica.experiments.experiment import Experiment
from practica.experiments.tables import Table
from practica.files import opened
from practica.reference.metrics import Metrics

if TYPE_CHECKING:
    from practica.evaluation.comparison import Comparison

__all__ = ["opened", "record_of", "record_of_comparison", "write"]


def record_of(experiment: Experiment) -> dict[str, Any]:
    """Return an experiment as dictionaries, lists, texts and numbers.

    Parameters
    ----------
    experiment : Experiment

    Returns
    -------
    record : dict
        `models[name]["scores"]` has shape (folds, executions, 7), the metrics in the order of `metrics`. A number that
        is not finite, which JSON does not know, is None.
    """
    return {
        "data": _described(experiment.table),
        "settings": asdict(experiment.settings),
        "classes": list(experiment.table.class_sizes()),
        "crossValidationIndices": experiment.crossValidationIndices.tolist(),
        "metrics": list(Metrics._fields),
        "models": {
            name: {
                "modelType": outcome.model.modelType,
                "hyperparameters": outcome.model.hyperparameters,
                "mean": {metric: _finite(pair.mean) for metric, pair in outcome.result._asdict().items()},
                "std": {metric: _finite(pair.std) for metric, pair in outcome.result._asdict().items()},
                "scores": _finite(outcome.result.scores.tolist()),
                "seconds": outcome.seconds,
            }
            for name, outcome in experiment.outcomes.items()
        },
        "versions": _versions(),
    }


def record_of_comparison(comparison: Comparison, table: Table) -> dict[str, Any]:
    """Return a comparison as `practica.evaluation.load_comparison` reads it, with the data and the versions."""
    return {"data": _described(table), **comparison.record(), "versions": _versions()}


def _described(table: Table) -> dict[str, Any]:
    return {
        "name": table.name,
        "patterns": len(table.inputs),
        "attributes": list(table.attributes),
        "class_sizes": table.class_sizes(),
    }


def _versions() -> dict[str, str]:
    packages = {package: version(package) for package in ("numpy", "torch", "scikit-learn")}
    return {"practica": practica.__version__, "python": platform.python_version(), **packages}


def _finite(value: Any) -> Any:
    if isinstance(value, list):
        return [_finite(element) for element in value]
    return value if math.isfinite(value) else None


def write(record: dict[str, Any], file: TextIO | None) -> None:
    """Write a record as JSON, one key a line, unless nobody asked for it."""
    if file is not None:
        lines = (
            f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False, allow_nan=False)}"
            for key, value in record.items()
        )
        file.write("{" + ",\n ".join(lines) + "}\n")
