"""Models written as text: `ann:16,8`, `svm:C=1,kernel=rbf`, `knn:5`.

`KINDS` has the model of each, and the parameter that needs no name; `ann:` has no hidden layer.
`OF_QUANTITIES` predict numbers, and `annr:16,8` is the network that does. Any other scikit-learn
estimator is added with `NAME=package.module:function`, a function that returns it.
"""

from __future__ import annotations

import hashlib
import importlib
import inspect
import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from practica.evaluation.estimators import Estimator, is_estimator
from practica.reference.arguments import brief, closest

__all__ = ["KINDS", "OF_QUANTITIES", "model_of", "name_of", "sources_of"]

Value: TypeAlias = "int | float | bool | str | None"


class _Kind(NamedTuple):
    module: str
    name: str
    unnamed: str | None = None  # the parameter that needs no name
    of_quantities: bool = False  # whether it predicts numbers


KINDS = {
    "ann": _Kind("practica.evaluation.classifier", "ANNClassifier", "topology"),
    "knn": _Kind("sklearn.neighbors", "KNeighborsClassifier", "n_neighbors"),
    "svm": _Kind("sklearn.svm", "SVC", "kernel"),
    "tree": _Kind("sklearn.tree", "DecisionTreeClassifier", "max_depth"),
    "forest": _Kind("sklearn.ensemble", "RandomForestClassifier", "n_estimators"),
    "logistic": _Kind("sklearn.linear_model", "LogisticRegression", "C"),
    "bayes": _Kind("sklearn.naive_bayes", "GaussianNB"),
    # knows only the largest class: what any model has to beat
    "majority": _Kind("sklearn.dummy", "DummyClassifier"),
    "annr": _Kind("practica.evaluation.regressor", "ANNRegressor", "topology", of_quantities=True),
    "linear": _Kind("sklearn.linear_model", "LinearRegression", of_quantities=True),
    # what any regressor has to beat
    "mean": _Kind("sklearn.dummy", "DummyRegressor", of_quantities=True),
}
OF_QUANTITIES = tuple(name for name, kind in KINDS.items() if kind.of_quantities)


def model_of(text: str, **network: Any) -> Estimator:
    """Return the untrained model that a string describes.

    Parameters
    ----------
    text : str
        A kind of model and, after a colon, values separated by commas, or by spaces before a name:
        NAME=VALUE for any parameter of the model, and one that needs no name.
        `transferFunctions=relu` is the function of every hidden layer. Or
        NAME=package.module:function, a function without parameters that returns an estimator; the
        module is also searched in the current folder.
    **network
        Parameters of an `ann` that does not name them.

    Returns
    -------
    model : estimator of scikit-learn

    Raises
    ------
    ValueError
        If the kind or a parameter is unknown, given twice or has no value, the closest one is
        named; or if there is no such function, or it fails or returns something else.

    Examples
    --------
    >>> model_of("ann:16,8,learningRate=0.1", validationRatio=0.2)
    ANNClassifier(learningRate=0.1, topology=[16, 8], validationRatio=0.2)
    >>> model_of("svm:C=10,kernel=linear")
    SVC(C=10, kernel='linear')
    """
    if name_of(text) != text:
        return _returned(text)
    kind, _, values = text.strip().partition(":")
    if kind not in KINDS:
        raise ValueError(f"model {text!r}: there is no {kind!r}{closest(kind, KINDS)}")
    unnamed = KINDS[kind].unnamed
    model = getattr(importlib.import_module(KINDS[kind].module), KINDS[kind].name)
    known = [
        parameter
        for parameter in inspect.signature(model).parameters
        if parameter != "random_state"
    ]
    parameters = _parameters(text, values, unnamed, known)
    if unnamed != "topology":
        return model(**parameters)
    if "topology" in parameters or text.strip() == f"{kind}:":
        network["topology"] = _as_topology(text, parameters.pop("topology", []))
    return model(**network | parameters)


def name_of(text: str) -> str:
    """Return the NAME of NAME=package.module:function, and any other string as it is."""
    name, equals, _ = text.partition("=")
    return name.strip() if equals and ":" not in name else text


def sources_of(texts: Iterable[str]) -> dict[str, str]:
    """Return, by the NAME of each text NAME=package.module:function, a SHA-256 of its source;
    `model_of` must have imported it.

    The source is the file of the module, and the file where the function is defined, if that is
    another.
    """
    sources: dict[str, str] = {}
    for text in texts:
        if name_of(text) != text:
            module, _, function = text.partition("=")[2].strip().partition(":")
            defined = getattr(getattr(sys.modules[module], function), "__module__", module)
            digest = hashlib.sha256()
            for name in dict.fromkeys((module, defined)):
                file = getattr(sys.modules.get(name), "__file__", None)
                digest.update(Path(file).read_bytes() if file else name.encode())
            sources[name_of(text)] = digest.hexdigest()
    return sources


def _returned(text: str) -> Estimator:
    """Return the estimator that the user's function NAME=package.module:function returns."""
    module, _, function = text.partition("=")[2].strip().partition(":")
    if not (module and function):
        raise ValueError(f"model {text!r}: write NAME=package.module:function")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())  # it stays there for the processes that a search may start
    try:
        made = importlib.import_module(module)
        if not hasattr(made, function):
            names = [
                name
                for name, value in vars(made).items()
                if callable(value) and not name.startswith("_")
            ]
            others = (
                closest(function, names, "its functions")
                if names
                else "; it has no function at all"
            )
            raise ValueError(f"{module} has no {function!r}{others}")
        model = getattr(made, function)()
    except Exception as error:
        kind = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
        raise ValueError(f"model {text!r}: {kind}{error}") from error
    if not is_estimator(model):
        raise ValueError(
            f"model {text!r}: {function} returns {brief(model)}; it must return an estimator"
        )
    return model


def _parameters(
    text: str, values: str, unnamed: str | None, known: list[str]
) -> dict[str, Value | list[Value]]:
    """Return the parameters in the `values` of a string; those without a name become the parameter
    `unnamed`. `known` are the names that the model takes.
    """
    named: dict[str, Value | list[Value]] = {}
    alone: list[Value] = []
    for part in re.split(r",\s*|\s+(?=\w+\s*=)", values.strip()) if values.strip() else ():
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            alone.append(_as_value(name))
            continue
        if name == "random_state":
            raise ValueError(
                f"model {text!r}: random_state cannot be given; each execution has a seed of"
                " its own"
            )
        if name not in known:
            raise ValueError(
                f"model {text!r}: there is no parameter {name!r}{closest(name, known)}"
            )
        if name in named:
            raise ValueError(f"model {text!r}: {name} is given twice")
        named[name] = _as_value(value)
    if not alone:
        return named
    if unnamed is None or (len(alone) > 1 and unnamed != "topology"):
        raise ValueError(
            f"model {text!r}: {alone[-1]!r} needs a name, as in NAME=VALUE; the parameters are"
            f" {', '.join(known)}"
        )
    if unnamed in named:
        raise ValueError(f"model {text!r}: {unnamed} is given twice")
    return {unnamed: alone if unnamed == "topology" else alone[0], **named}


def _as_value(text: str) -> Value:
    constants = {"none": None, "true": True, "false": False}
    if text.lower() in constants:
        return constants[text.lower()]
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text


def _as_topology(text: str, sizes: Value | list[Value]) -> list[int]:
    layers = []
    for size in sizes if isinstance(sizes, list) else [sizes]:
        if not isinstance(size, int) or isinstance(size, bool) or size < 1:
            raise ValueError(
                f"model {text!r}: {size!r} is no layer size; write ann:16,8 for layers of 16 and 8"
                " neurons"
            )
        layers.append(size)
    return layers
