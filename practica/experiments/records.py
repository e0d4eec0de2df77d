"""The record of an experiment as JSON: every score, and all that is needed to repeat it."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, TextIO

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import practica
from practica.evaluation.comparison import Comparison, finite, load_comparison
from practica.evaluation.estimators import Estimator, text_of
from practica.evaluation.folds import fingerprint
from practica.evaluation.model_scores import ModelScores
from practica.experiments.tables import Table

__all__ = ["kept_models", "record_of", "seed_of", "write"]


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
        "sha256": _hash(table),
    }
    return {"data": data, **record, "versions": _versions()}


def _versions() -> dict[str, str]:
    packages = {package: version(package) for package in ("numpy", "torch", "scikit-learn")}
    return {"practica": practica.__version__, "python": platform.python_version(), **packages}


def _hash(table: Table) -> str:
    """Return the SHA-256 of all values that a model may see."""
    digest = hashlib.sha256(np.ascontiguousarray(table.inputs).tobytes())
    if table.columns is not None:
        digest.update(pd.util.hash_pandas_object(table.columns.astype(str)).to_numpy().tobytes())
    digest.update("\0".join(map(str, table.targets)).encode())
    return digest.hexdigest()


def seed_of(path: Path | None) -> int | None:
    """Return the seed of an earlier record, with which its models need not be trained again; None without any."""
    try:
        seed = json.loads(path.read_text(encoding="utf-8"))["settings"]["random_state"] if path is not None else None
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return seed if isinstance(seed, int) else None


def kept_models(
    path: Path, models: Mapping[str, Estimator], table: Table, folds: NDArray[np.int64], settings: Mapping[str, object]
) -> Comparison | None:
    """Return the models of an earlier record that would be trained again in just the same way; None without any.

    The same are the values of the table, the folds, the settings, the versions, and all parameters of the model.
    """
    try:
        kept, record = load_comparison(path), json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    same = (
        record.get("data", {}).get("sha256") == _hash(table)
        and record.get("versions") == _versions()
        and fingerprint(kept.crossValidationIndices) == fingerprint(folds)
        and all(record["settings"].get(name) == value for name, value in settings.items())
        and table.positive in (None, record["classes"][0] if record["classes"] else None)
    )
    names = [
        name
        for name, model in models.items()
        if same
        and name in kept.results
        and record["models"][name].get("model") == text_of(model)
        and record["models"][name].get("parameters") == _parameters(model)
    ]
    if not names:
        return None
    return Comparison(
        {name: kept.results[name] for name in names},
        {name: kept.descriptions[name] for name in names},
        {name: kept.seconds[name] for name in names},
        kept.settings,
    )


def _described(model: Estimator, result: ModelScores) -> dict[str, Any]:
    pairs = {metric: result.mean_and_std(metric) for metric in result.metrics}
    return {
        "parameters": _parameters(model),
        "mean": {metric: finite(pair.mean) for metric, pair in pairs.items()},
        "std": {metric: finite(pair.std) for metric, pair in pairs.items()},
    }


def _parameters(model: Estimator) -> dict[str, object]:
    return {name: _known_to_json(value) for name, value in model.get_params().items()}


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
