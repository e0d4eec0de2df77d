"""Models written as text: `ann:16,8`, `svm:C=1,kernel=rbf`, `knn:5`.

text        model of scikit-learn         a value without a name
ann         ANNClassifier                 layer sizes (topology); `ann:` has no hidden layer
knn         KNeighborsClassifier          n_neighbors
svm         SVC                           kernel
tree        DecisionTreeClassifier        max_depth
forest      RandomForestClassifier        n_estimators
logistic    LogisticRegression            C
bayes       GaussianNB
majority    DummyClassifier, which knows only the largest class: what any model has to beat
"""

from __future__ import annotations

import importlib
import inspect
import re
from typing import Any, NamedTuple

from practica.reference.arguments import closest

__all__ = ["KINDS", "model_of"]


class _Kind(NamedTuple):
    module: str
    name: str
    unnamed: str | None = None  # the parameter whose value needs no name


KINDS = {
    "ann": _Kind("practica.evaluation.classifier", "ANNClassifier", "topology"),
    "knn": _Kind("sklearn.neighbors", "KNeighborsClassifier", "n_neighbors"),
    "svm": _Kind("sklearn.svm", "SVC", "kernel"),
    "tree": _Kind("sklearn.tree", "DecisionTreeClassifier", "max_depth"),
    "forest": _Kind("sklearn.ensemble", "RandomForestClassifier", "n_estimators"),
    "logistic": _Kind("sklearn.linear_model", "LogisticRegression", "C"),
    "bayes": _Kind("sklearn.naive_bayes", "GaussianNB"),
    "majority": _Kind("sklearn.dummy", "DummyClassifier"),
}


def model_of(text: str, **network: Any) -> Any:
    """Return the untrained model that a text describes.

    Parameters
    ----------
    text : str
        A kind of model and, after a colon, values separated by commas, or by spaces before a name: NAME=VALUE for any
        parameter of the model, and one that needs no name. `transferFunctions=relu` is the function of every hidden
        layer.
    **network
        Parameters of an `ann` that does not name them.

    Returns
    -------
    model : estimator of scikit-learn

    Raises
    ------
    ValueError
        If the kind or a parameter is unknown, given twice or has no value; the closest one is named.

    Examples
    --------
    >>> model_of("ann:16,8,learningRate=0.1", validationRatio=0.2)
    ANNClassifier(learningRate=0.1, topology=[16, 8], validationRatio=0.2)
    >>> model_of("svm:C=10,kernel=linear")
    SVC(C=10, kernel='linear')
    """
    kind, _, values = text.strip().partition(":")
    if kind not in KINDS:
        raise ValueError(f"model {text!r}: there is no {kind!r}{closest(kind, KINDS)}")
    module, name, unnamed = KINDS[kind]
    model = getattr(importlib.import_module(module), name)
    known = [parameter for parameter in inspect.signature(model).parameters if parameter != "random_state"]
    parameters = _parameters(text, values, unnamed, known)
    if kind != "ann":
        return model(**parameters)
    if "topology" in parameters or text.strip() == "ann:":
        parameters["topology"] = _as_topology(text, parameters.get("topology", []))
    built = model(**network | parameters)
    if isinstance(built.transferFunctions, str):
        built.set_params(transferFunctions=[built.transferFunctions] * len(built.topology))
    return built


def _parameters(text: str, values: str, unnamed: str | None, known: list[str]) -> dict[str, Any]:
    """Return the parameters that a text gives; values without a name become a list."""
    named: dict[str, Any] = {}
    alone: list[Any] = []
    for part in re.split(r",\s*|\s+(?=\w+\s*=)", values.strip()) if values.strip() else ():
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            alone.append(_as_value(name))
            continue
        if name == "random_state":
            raise ValueError(f"model {text!r}: random_state cannot be given; each execution has a seed of its own")
        if name not in known:
            raise ValueError(f"model {text!r}: there is no parameter {name!r}{closest(name, known)}")
        if name in named:
            raise ValueError(f"model {text!r}: {name} is given twice")
        named[name] = _as_value(value)
    if not alone:
        return named
    if unnamed is None or (len(alone) > 1 and unnamed != "topology"):
        raise ValueError(
            f"model {text!r}: {alone[-1]!r} needs a name, as in NAME=VALUE; the parameters are {', '.join(known)}"
        )
    if unnamed in named:
        raise ValueError(f"model {text!r}: {unnamed} is given twice")
    return {unnamed: alone if unnamed == "topology" else alone[0], **named}


def _as_value(text: str) -> Any:
    constants = {"none": None, "true": True, "false": False}
    if text.lower() in constants:
        return constants[text.lower()]
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text


def _as_topology(text: str, sizes: Any) -> list[int]:
    layers = sizes if isinstance(sizes, list) else [sizes]
    for size in layers:
        if not isinstance(size, int) or isinstance(size, bool) or size < 1:
            raise ValueError(
                f"model {text!r}: {size!r} is no layer size; write ann:16,8 for layers of 16 and 8 neurons"
            )
    return layers
