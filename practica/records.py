"""The record of an experiment as JSON: every score, and all that is needed to repeat it."""

from __future__ import annotations

import json
import math
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any, TextIO

import practica
from practica.experiment import Experiment
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


@contextmanager
def opened(path: str | Path | None, *, data: Path) -> Iterator[TextIO | None]:
    """Open a file that takes the place of `path` when the block ends well, and otherwise leaves no trace.

    Opening it before a long computation shows at once that the result can be kept.

    Parameters
    ----------
    path : path, optional
        None for no file.
    data : path
        The file that holds the data, which must not be overwritten.

    Raises
    ------
    ValueError
        If the file cannot be created there, or would overwrite the data.
    """
    if path is None:
        yield None
        return
    final = Path(os.path.realpath(path))
    if final == Path(os.path.realpath(data)):
        raise ValueError(f"{path} is the file with the data: the record needs another name")
    partial = final.with_name(f".{final.name}.{os.getpid()}.partial")
    is_device = os.path.exists(path) and not os.path.isfile(path)  # /dev/stdout is written, never replaced
    try:
        file = open(path if is_device else partial, "w", encoding="utf-8")  # noqa: SIM115 - closed below, in a block
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {error.strerror}") from None
    try:
        with file:
            yield file
        if not is_device:
            os.replace(partial, final)
    finally:
        if not is_device:
            partial.unlink(missing_ok=True)
