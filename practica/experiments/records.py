"""The record of an experiment as JSON: every score, and all that is needed to repeat it."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import numpy as np
from numpy.typing import NDArray

import practica
from practica.evaluation.comparison import Comparison, finite, load_comparison
from practica.evaluation.estimators import Estimator, text_of
from practica.evaluation.folds import fingerprint
from practica.evaluation.model_scores import ModelScores
from practica.experiments.tables import Table

_PREPARED = ("normalization", "imputed")  # settings that models of the user's own do not depend on


def record_of(
    comparison: Comparison,
    models: Mapping[str, Estimator],
    table: Table,
    names: Mapping[str, str] | None = None,
    sources: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return an experiment as dictionaries, lists, texts and numbers.

    `practica.evaluation.load_comparison` reads it.

    `models` has the estimators that were compared, and perhaps more, by their titles, and `names`
    the names that titles have in the record, where they are others; `sources` has the result of
    `sources_of`. A number that is not finite, which JSON does not know, is None; a parameter that
    JSON does not know is its text.
    """
    record = comparison.record()
    record["models"] = {
        (names or {}).get(title, title): {
            **_described(models[title], comparison.results[title]),
            **({"source": sources[title]} if sources and title in sources else {}),
            **model,
        }
        for title, model in record["models"].items()
    }
    data = {
        "name": table.name,
        "patterns": len(table.targets),
        "attributes": list(table.attributes),
        "class_sizes": {} if table.is_quantity else table.class_sizes(),
        "sha256": table.sha256,
    }
    return {"data": data, **record, "versions": _versions()}


def _versions() -> dict[str, str]:
    packages = {package: version(package) for package in ("numpy", "torch", "scikit-learn")}
    return {"practica": practica.__version__, "python": platform.python_version(), **packages}


def seed_of(path: Path | None) -> int | None:
    """Return the seed of an earlier record, with which its models need not be trained again.

    None without any.
    """
    try:
        seed = (
            json.loads(path.read_text(encoding="utf-8"))["settings"]["random_state"]
            if path is not None
            else None
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return seed if isinstance(seed, int) else None


class Earlier(NamedTuple):
    """The part of an earlier record that the same experiment can reuse."""

    # the models that would be trained again in just the same way, if there are any
    same: Comparison | None
    entries: Mapping[str, Any]  # of those models and of others that are not asked for now
    # how attributes were prepared for the models that are not the user's own
    prepared: Mapping[str, object]

    def kept_in(self, record: dict[str, Any]) -> dict[str, Any]:
        """Return a record with the models of the earlier one, too."""
        settings = dict(record["settings"])
        if all("source" in model for model in record["models"].values()):
            settings |= self.prepared
        models = {
            **record["models"],
            **{n: entry for n, entry in self.entries.items() if n not in record["models"]},
        }
        if own := sorted(name for name, model in models.items() if "source" in model):
            settings["own_models"] = own
        return {**record, "settings": settings, "models": models}


def earlier_record(
    path: Path,
    models: Mapping[str, Estimator],
    sources: Mapping[str, str],
    table: Table,
    folds: NDArray[np.int64],
    metrics: Sequence[str],
    settings: Mapping[str, object],
    pictured: bool = False,
) -> Earlier | None:
    """Read an earlier record; return None if it is of another experiment.

    The same are the values of the table, the folds, the metrics, the settings and the versions; of
    a model all its parameters, and of one of the user's own its source, see `sources_of`.
    Attributes are prepared for the others alone. A classifier that is `pictured` on a page needs
    its matrices and curves, which a record without a page lacks.
    """
    try:
        kept, record = load_comparison(path), json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    found, entries = record["settings"], record["models"]
    same = (
        record.get("data", {}).get("sha256") == table.sha256
        and record.get("versions") == _versions()
        and kept.metrics == tuple(metrics)
        and fingerprint(kept.crossValidationIndices) == fingerprint(folds)
        and all(
            found.get(name) == value for name, value in settings.items() if name not in _PREPARED
        )
        and table.positive in (None, record["classes"][0] if record["classes"] else None)
    )
    if not same:
        return None
    prepared = {name: found[name] for name in _PREPARED if name in found}
    fits = all(found.get(name) == settings.get(name) for name in _PREPARED)
    # no model of this run says how attributes are prepared
    is_free = fits or models.keys() <= sources.keys()
    names = [
        name
        for name, model in models.items()
        if name in entries
        and entries[name].get("model") == text_of(model)
        and entries[name].get("parameters") == _parameters(model)
        and entries[name].get("source") == sources.get(name)
        and (fits or name in sources)
        and (not pictured or "matrices" in entries[name])
    ]
    others = [
        name
        for name, entry in entries.items()
        if name not in models and (is_free or "source" in entry)
    ]
    again = (
        Comparison(
            {name: kept.results[name] for name in names},
            {name: kept.descriptions[name] for name in names},
            {name: kept.seconds[name] for name in names},
            {name: value for name, value in found.items() if name != "own_models"},
        )
        if names
        else None
    )
    return Earlier(again, {name: entries[name] for name in [*names, *others]}, prepared)


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
        f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False, allow_nan=False)}"
        for key, value in record.items()
    )
    file.write("{" + ",\n ".join(lines) + "}\n")
