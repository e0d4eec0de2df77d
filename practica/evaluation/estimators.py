"""Estimators of scikit-learn: what the evaluation needs of them, and which are deterministic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, Self, TypeAlias

from practica.reference.arguments import Array

__all__ = [
    "Estimator",
    "Inputs",
    "is_deterministic",
    "is_estimator",
    "require_estimator",
    "seeds_of",
    "text_of",
]


Inputs: TypeAlias = Any  # an array, a sparse matrix or a data frame; the latter two have no types


class Estimator(Protocol):
    """The part of scikit-learn's interface that the evaluation uses."""

    def fit(self, X: Inputs, y: Array) -> object:
        """Train the model."""

    def predict(self, X: Inputs) -> Array:
        """Return a label or a quantity for each pattern."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name."""

    def set_params(self, **params: Any) -> Self:
        """Change parameters."""


def _boosts_all(model: Any) -> bool:
    """Return whether every tree of a boosting model is trained with all patterns and attributes.

    The bins are drawn only from more than 200 000 patterns.
    """
    return model.early_stopping is False and model.max_features == 1


# Estimators of scikit-learn that have a `random_state` and, with these settings, do not use it.
_IGNORES_ITS_SEED: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("SVC", "NuSVC"), lambda model: model.probability is not True),
    "LogisticRegression": lambda model: model.solver not in ("sag", "saga", "liblinear"),
    "DummyClassifier": lambda model: model.strategy not in ("stratified", "uniform"),
    **dict.fromkeys(
        ("RidgeClassifier", "Ridge"), lambda model: model.solver not in ("auto", "sag", "saga")
    ),
    "LinearSVC": lambda model: model.dual is False,
    **dict.fromkeys(("Lasso", "ElasticNet"), lambda model: model.selection == "cyclic"),
    "PCA": lambda model: (
        model.svd_solver in ("full", "covariance_eigh")
        or (model.svd_solver == "auto" and not isinstance(model.n_components, int))
    ),
    "IterativeImputer": lambda model: (
        not model.sample_posterior and model.imputation_order != "random"
    ),
    "KBinsDiscretizer": lambda model: model.subsample is None or model.strategy == "uniform",
    **dict.fromkeys(
        ("HistGradientBoostingClassifier", "HistGradientBoostingRegressor"), _boosts_all
    ),
}


def is_deterministic(model: Estimator) -> bool:
    """Return whether an estimator trained again on the same patterns gives the same model.

    Parameters
    ----------
    model : estimator of scikit-learn

    Returns
    -------
    deterministic : bool
        True if neither it nor any part of it has a parameter `random_state`, or those that do are
        known not to use it: an SVC without `probability`, linear models with a solver that is no
        stochastic gradient, boosting by histograms without `early_stopping`, and the rules of a
        DummyClassifier that draw nothing. A `random_state` that is set counts as chance too:
        another number would give another model.

    Notes
    -----
    Randomness without a parameter `random_state`, such as that of a splitter inside a search, is
    not detected.

    Examples
    --------
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn.svm import SVC
    >>> [
    ...     is_deterministic(model)
    ...     for model in (KNeighborsClassifier(), SVC(), RandomForestClassifier(random_state=1))
    ... ]
    [True, True, False]
    """
    parameters = {"": model, **model.get_params(deep=True)}
    owners = [parameters[name.rpartition("__")[0]] for name in seeds_of(model)]
    return all(_ignores_its_seed(owner) for owner in owners)


def _ignores_its_seed(model: Estimator) -> bool:
    rule = _IGNORES_ITS_SEED.get(type(model).__name__)
    return rule is not None and type(model).__module__.startswith("sklearn.") and rule(model)


def seeds_of(model: Estimator) -> list[str]:
    """Return the names of the `random_state` parameters of an estimator and its parts."""
    return sorted(
        name for name in model.get_params(deep=True) if name.rpartition("__")[2] == "random_state"
    )


def is_estimator(model: object) -> bool:
    """Return whether a model is an object with the methods of an estimator."""
    methods = ("fit", "predict", "get_params")
    return not isinstance(model, type) and all(hasattr(model, name) for name in methods)


def require_estimator(model: object) -> None:
    """Raise a TypeError unless the model has the methods of an estimator."""
    if not is_estimator(model):
        kind = "class; make an object of it" if isinstance(model, type) else type(model).__name__
        raise TypeError(
            f"model={model!r} is a {kind}; it must be an estimator such as ANNClassifier([8])"
        )


def text_of(model: Estimator) -> str:
    """Return an estimator with its parameters as one line of text."""
    return " ".join(repr(model).split())
