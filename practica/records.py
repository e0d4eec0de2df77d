"""The record of an experiment as JSON: every score, and all that is needed to repeat it."""

from __future__ import annotations

import json
import math
import platform
from dataclasses import asdict
from importlib.metadata import version
from typing import Any, TextIO

import practica
from practica.experiment import Experiment
from practica.files import opened
from practica.reference.metrics import Metrics

__all__ = ["opened", "record_of", "write"]


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
    table = experiment.table
    return {
        "data": {
            "name": table.name,
            "patterns": len(table.inputs),
            "attributes": list(table.attributes),
            "class_sizes": table.class_sizes(),
        },
        "settings": asdict(experiment.settings),
        "classes": list(table.class_sizes()),
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
        "versions": {
            "practica": practica.__version__,
            "python": platform.python_version(),
            **{package: version(package) for package in ("numpy", "torch", "scikit-learn")},
        },
    }


def _finite(value: Any) -> Any:
    if isinstance(value, list):
        return [_finite(element) for element in value]
    return value if math.isfinite(value) else None


def write(experiment: Experiment, file: TextIO | None) -> None:
    """Write the record of an experiment as JSON, unless nobody asked for it."""
    if file is not None:
        lines = (
            f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False, allow_nan=False)}"
            for key, value in record_of(experiment).items()
        )
        file.write("{" + ",\n ".join(lines) + "}\n")
