"""Methods of an experiment, as an author needs them for a paper: all of it from the record that
JSON has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from practica.evaluation.folds import repeated
from practica.experiments.choices import NORMALIZED

Record: TypeAlias = "Mapping[str, Any]"  # what JSON has

_NETWORKS = ("ANNClassifier", "ANNRegressor")
_MANY = 12  # classes: the sizes of more are not listed
# no paper names them
_TECHNICAL = ("random_state", "n_jobs", "verbose", "warm_start", "cache_size", "leaf_size")

_PROPER = {"python": "Python", "numpy": "NumPy", "torch": "PyTorch"}
_NOTHING = (None, "deprecated")


def methods_of(*records: Record) -> list[tuple[str, str]]:
    """Return the terms of the section "Methods", each with its text.

    `records`: results of `record_of`: of one comparison, or of the same models on several tables.
    """
    first, settings = records[0], dict(records[0]["settings"])
    settings["imputed"] = any(record["settings"].get("imputed") for record in records)
    is_one = len(records) == 1
    return [
        *((record["data"]["name"], _data(record)) for record in records),
        ("Attributes", _attributes(settings)),
        (
            "Folds",
            _folds(first)
            + (f"; SHA-256 {first['sha256'][:12]}…" if is_one else "; each table has its own"),
        ),
        *((name, _described(model, settings)) for name, model in first["models"].items()),
        ("Executions", _executions(first["models"])),
        ("Seed", _seed(settings)),
        (
            "Versions",
            ", ".join(
                f"{_PROPER.get(name, name)} {number}" for name, number in first["versions"].items()
            ),
        ),
    ]


def _kind(model: Record) -> str:
    return str(model["model"]).partition("(")[0]


def _data(record: Record) -> str:
    data, classes = record["data"], record["data"]["class_sizes"]
    text = f"{data['patterns']} patterns, {len(data['attributes'])} attributes"
    if not classes:
        return f"{text}, a quantity"
    positive = str(record["classes"][0]) if len(record["classes"]) == 2 else None
    sizes = [
        f"{label} {size}{' (positive)' * (label == positive)}" for label, size in classes.items()
    ]
    listed = (
        f": {', '.join(sizes)}"
        if len(sizes) <= _MANY
        else f", of {min(classes.values())} to {max(classes.values())} patterns"
    )
    return f"{text}, {len(classes)} classes{listed}"


def _attributes(settings: Record) -> str:
    parts: list[str] = []
    if settings.get("imputed"):
        parts.append(
            "missing values filled with the median or the most frequent category, and marked in a"
            " column"
        )
    normalization = settings["normalization"]
    parts.append(
        f"normalized to {NORMALIZED.get(normalization, normalization)}"
        if normalization
        else "not normalized"
    )
    if normalization or len(parts) > 1:
        parts[-1] += ", with figures of the training part of each fold alone"
    if own := settings.get("own_models"):
        parts.append(f"as they are for {', '.join(own)}")
    return "; ".join(parts)


def _folds(record: Record) -> str:
    settings, indices = record["settings"], np.atleast_2d(record["crossValidationIndices"])
    if "folds_file" in settings:
        how = f"those of {settings['folds_file']}"
    elif settings.get("groups"):
        how = (
            "of whole groups, the classes spread over them"
            if record["data"]["class_sizes"]
            else "of whole groups"
        )
    elif settings.get("forward"):
        how = "in the order of time"
    else:
        how = "stratified by class, at random" if record["data"]["class_sizes"] else "at random"
    is_forward = bool(settings.get("forward"))
    tested = "; each tested with models of all rows before it" if is_forward else ""
    count = f"{indices.max() - is_forward} folds{repeated(len(indices))}"
    return f"{count}, {how}, the same for all models{tested}"


def _described(model: Record, settings: Record) -> str:
    if _kind(model) in _NETWORKS and "parameters" in model:
        of_all = _kind(model) == "ANNClassifier" and not settings.get("forward")
        return _network(model, "all" if of_all else "the training")
    return _estimator(model)


def _network(model: Record, whole: str) -> str:
    """Return the text on how a network is built and trained; `whole` names the patterns of which
    its validation ratio is a fraction.
    """
    parameters = model["parameters"]
    layers = parameters["topology"]
    sizes = [layers] if isinstance(layers, int) else list(layers)
    functions = parameters["transferFunctions"] or "sigmoid"
    hidden = f"{_layers(sizes)}, {_names(functions)}" if sizes else "no hidden layer"
    is_classifier = _kind(model) == "ANNClassifier"
    parts = [
        f"{hidden}; {'cross-entropy' if is_classifier else 'linear output and squared error'}, Adam"
        f" with learning rate {parameters['learningRate']:g}, at most"
        f" {counted(parameters['maxEpochs'], 'epoch')}"
    ]
    if parameters.get("standardizeTarget"):
        parts.append("target standardized with mean and standard deviation of the training part")
    if parameters["weightDecay"]:
        parts.append(f"weight decay {parameters['weightDecay']:g}")
    if parameters["minLoss"]:
        parts.append(f"minimum loss {parameters['minLoss']:g}")
    if parameters.get("class_weight") is not None:
        parts.append(f"class weights {parameters['class_weight']}")
    if ratio := parameters["validationRatio"]:
        patience = counted(parameters["maxEpochsVal"], "epoch")
        parts.append(
            f"early stopping: validation ratio {ratio:g} of {whole} patterns, patience {patience}"
        )
    else:
        parts.append("no validation set")
    return "; ".join(parts)


def _layers(sizes: Sequence[int]) -> str:
    *first, last = map(str, sizes)
    return (
        f"hidden layers of {', '.join(first)} and {last} neurons"
        if first
        else f"one hidden layer of {last} neurons"
    )


def _names(functions: str | Sequence[str]) -> str:
    return (
        functions if isinstance(functions, str) else ", ".join(dict.fromkeys(map(str, functions)))
    )


def _estimator(model: Record) -> str:
    """Return the text on an estimator, with all parameters that decide what it learns; one that is
    made of others is written as it prints itself.
    """
    given = model.get("parameters", {}).items()
    parameters = {
        name: value for name, value in given if value not in _NOTHING and name not in _TECHNICAL
    }
    if not parameters or any("__" in name for name in parameters):
        return str(model["model"])
    return f"{_kind(model)}({', '.join(f'{name}={value!r}' for name, value in parameters.items())})"


def _executions(models: Record) -> str:
    """Return the text on how often each of some models was trained in a fold."""
    often: dict[int, list[str]] = {}
    for name, model in models.items():
        often.setdefault(0 if model["deterministic"] else len(model["scores"][0]), []).append(name)
    return " ".join(
        f"{f'{number} per fold' if number else 'One, as deterministic models need'}:"
        f" {'; '.join(names)}."
        for number, names in sorted(often.items(), reverse=True)
    )


def _seed(settings: Record) -> str:
    seed = settings["random_state"]
    return (
        "none" if seed is None else f"{seed}; execution e of fold f has the same seed in all models"
    )


def counted(number: int, noun: str) -> str:
    """Return a number and its noun, in the plural unless the number is 1."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
