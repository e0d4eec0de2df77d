"""Methods of an experiment, as an author needs them for a paper: all of it from the record that JSON has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

__all__ = ["methods_of"]

Record: TypeAlias = "Mapping[str, Any]"  # as JSON has it

_NETWORKS = ("ANNClassifier", "ANNRegressor")
_NORMALIZED = {
    "zeromean": "mean 0 and standard deviation 1",
    "minmax": "minimum 0 and maximum 1",
}
_MANY = 12  # classes: the sizes of more are not listed
_TECHNICAL = ("random_state", "n_jobs", "verbose", "warm_start", "cache_size", "leaf_size")  # no paper names them

_PROPER = {"python": "Python", "numpy": "NumPy", "torch": "PyTorch"}
_NOTHING = (None, "deprecated")


def methods_of(record: Record) -> list[tuple[str, str]]:
    """Return what a methods section needs, as terms and texts.

    Parameters
    ----------
    record : dict
        What `record_of` returns.
    """
    return [
        ("Data", _data(record)),
        ("Attributes", _attributes(record)),
        ("Folds", _folds(record)),
        *((name, _described(model, record["settings"])) for name, model in record["models"].items()),
        ("Executions", _executions(record["models"])),
        ("Seed", _seed(record)),
        ("Versions", ", ".join(f"{_PROPER.get(name, name)} {version}" for name, version in record["versions"].items())),
    ]


def _kind(model: Record) -> str:
    return str(model["model"]).partition("(")[0]


def _data(record: Record) -> str:
    data, classes = record["data"], record["data"]["class_sizes"]
    text = f"{data['name']}: {data['patterns']} patterns, {len(data['attributes'])} attributes"
    if not classes:
        return f"{text}, a quantity"
    positive = str(record["classes"][0]) if len(record["classes"]) == 2 else None
    sizes = [f"{label} {size}{' (positive)' * (label == positive)}" for label, size in classes.items()]
    listed = (
        f": {', '.join(sizes)}"
        if len(sizes) <= _MANY
        else f", of {min(classes.values())} to {max(classes.values())} patterns"
    )
    return f"{text}, {len(classes)} classes{listed}"


def _attributes(record: Record) -> str:
    settings = record["settings"]
    parts: list[str] = []
    if settings.get("imputed"):
        parts.append("missing values filled with the median or the most frequent category, and marked in a column")
    normalization = settings["normalization"]
    parts.append(
        f"normalized to {_NORMALIZED.get(normalization, normalization)}" if normalization else "not normalized"
    )
    if normalization or len(parts) > 1:
        parts[-1] += ", with figures of the training part of each fold alone"
    if own := settings.get("own_models"):
        parts.append(f"as they are for {', '.join(own)}")
    return "; ".join(parts)


def _folds(record: Record) -> str:
    settings, k = record["settings"], max(record["crossValidationIndices"])
    if "folds_file" in settings:
        how = f"those of {settings['folds_file']}"
    elif settings.get("groups"):
        how = "of whole groups, the classes spread over them" if record["data"]["class_sizes"] else "of whole groups"
    elif settings.get("forward"):
        how = "in the order of time"
    else:
        how = "stratified by class, at random" if record["data"]["class_sizes"] else "at random"
    tested = "; each but the first tested with models of those before it" if settings.get("forward") else ""
    return f"{k} folds, {how}, the same for all models{tested}; SHA-256 {record['sha256'][:12]}…"


def _described(model: Record, settings: Record) -> str:
    if _kind(model) in _NETWORKS and "parameters" in model:
        return _network(model, "training" if settings.get("forward") else "all")
    return _estimator(model)


def _network(model: Record, whole: str) -> str:
    """Return how a network is built and trained; its validation ratio is of `whole` patterns."""
    parameters = model["parameters"]
    layers = parameters["topology"]
    sizes = [layers] if isinstance(layers, int) else list(layers)
    functions = parameters["transferFunctions"] or "sigmoid"
    hidden = f"{_layers(sizes)}, {_names(functions)}" if sizes else "no hidden layer"
    is_classifier = _kind(model) == "ANNClassifier"
    parts = [
        f"{hidden}; {'cross-entropy' if is_classifier else 'linear output and squared error'}, Adam with learning rate "
        f"{parameters['learningRate']:g}, at most {_counted(parameters['maxEpochs'], 'epoch')}"
    ]
    if parameters["weightDecay"]:
        parts.append(f"weight decay {parameters['weightDecay']:g}")
    if parameters["minLoss"]:
        parts.append(f"minimum loss {parameters['minLoss']:g}")
    if parameters.get("class_weight") is not None:
        parts.append(f"class weights {parameters['class_weight']}")
    if ratio := parameters["validationRatio"]:
        patience = _counted(parameters["maxEpochsVal"], "epoch")
        parts.append(f"early stopping: validation ratio {ratio:g} of {whole} patterns, patience {patience}")
    else:
        parts.append("no validation set")
    return "; ".join(parts)


def _layers(sizes: Sequence[int]) -> str:
    return f"hidden layers of {', '.join(map(str, sizes))}" if len(sizes) > 1 else f"one hidden layer of {sizes[0]}"


def _names(functions: str | Sequence[str]) -> str:
    return functions if isinstance(functions, str) else ", ".join(dict.fromkeys(map(str, functions)))


def _estimator(model: Record) -> str:
    """Return an estimator with all that decides what it learns; one with parts, as it prints itself."""
    given = model.get("parameters", {}).items()
    parameters = {name: value for name, value in given if value not in _NOTHING and name not in _TECHNICAL}
    if not parameters or any("__" in name for name in parameters):
        return str(model["model"])
    return f"{_kind(model)}({', '.join(f'{name}={value!r}' for name, value in parameters.items())})"


def _executions(models: Record) -> str:
    """Return how often each model was trained in a fold."""
    often: dict[int, list[str]] = {}
    for name, model in models.items():
        often.setdefault(0 if model["deterministic"] else len(model["scores"][0]), []).append(name)
    lines: Iterator[str] = (
        f"{', '.join(names)}: {_counted(number, 'training')} per fold"
        if number
        else f"{', '.join(names)}: once per fold, since they are deterministic"
        for number, names in sorted(often.items(), reverse=True)
    )
    return "; ".join(lines)


def _seed(record: Record) -> str:
    seed = record["settings"]["random_state"]
    return "none" if seed is None else f"{seed}; execution e of fold f has the same seed in all models"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
