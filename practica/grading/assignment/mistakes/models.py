"""Known mistakes of `model_cross_validation`, all of them signs.

Those that it shares are in `cross_validation`.
"""

from __future__ import annotations

import functools
import importlib
from collections import Counter
from typing import Any

import numpy as np

from practica.grading.assignment.accepted_forms import as_pairs, same_numbers
from practica.grading.assignment.mistakes.runs import (
    ANN,
    MODEL,
    OPTIONS,
    RecordedRun,
    Said,
    all_known,
    arrives,
    shows,
)
from practica.grading.assignment.models import ANN_DEFAULTS, MODELS
from practica.grading.engine.rendering import equal

# --- the models -----------------------------------------------------------------------------------


def _missing_key(run: RecordedRun) -> str | None:
    """Return the key that a KeyError names; None if there is no such error, or it is a key or a
    value of the hyperparameters that were passed.
    """
    if run.error is None or run.error.type != "KeyError" or run.kind not in ("ANN", *MODELS):
        return None
    key = run.error.message.strip("'\"")
    return (
        key
        if key.isidentifier() and key not in (*run.hyper, *map(str, run.hyper.values()), run.kind)
        else None
    )


def _register_key(id: str, of_the_statement: bool) -> None:
    @shows(id, MODEL, together=True)
    def _the_dictionary_lacks_a_key(runs: list[RecordedRun]) -> Said:
        keys = [key for key in map(_missing_key, runs) if key]
        keys = [key for key in keys if (key in (*ANN_DEFAULTS, OPTIONS[-1])) == of_the_statement]
        return {"key": keys[0]} if keys else None


_register_key("model_cv.wrong_key", of_the_statement=False)
_register_key("model_cv.needs_options", of_the_statement=True)


@shows("model_cv.not_reached", MODEL)
def _not_reached(run: RecordedRun) -> Said:
    own = {"ValueError", "UnboundLocalError", "NotImplementedError", "Exception"}
    watched = f"{run.model[0]}.fit" if run.model else ANN
    if run.error is None or run.error.type not in own or watched not in run.seen.doubles:
        return None
    known = run.kind in ("ANN", *MODELS) and not run.calls("fit") and not run.calls(ANN)
    return {"model": run.kind} if known else None


@shows("model_cv.other_model", MODEL)
def _other_model(run: RecordedRun) -> Said:
    calls = run.calls("fit")
    if not calls or not run.model or any(call.name.startswith(run.model[0]) for call in calls):
        return None
    return {"model": run.kind, "trained": calls[0].owner["class"]}


@shows("model_cv.unknown", MODEL)
def _unknown(run: RecordedRun) -> Said:
    if run.kind in ("ANN", *MODELS) or run.error:
        return None
    return run.value is None or bool(as_pairs(run.value))


@shows("model_cv.lost", MODEL, together=True)
def _model_cv_lost(runs: list[RecordedRun]) -> Said:
    # of each kind and kernel, of each hyperparameter: whether it never arrived
    never: dict[str, dict[str, bool]] = {}
    for run in runs:
        for params in run.fits:
            for name in run.model[3][run.hyper.get("kernel", "")] if run.model else ():
                given, of_kind = run.hyper[name], never.setdefault(_kind_and_kernel(run), {})
                if not equal(given, _default(run.kind, name)):
                    of_kind[name] = of_kind.get(name, True) and not equal(params.get(name), given)
    lost = {
        kind: [name for name, each in of_kind.items() if each] for kind, of_kind in never.items()
    }
    for name in {name for names in lost.values() for name in names}:
        kinds = [kind for kind in never if kind.startswith("SVC") and name in never[kind]]
        if len(kinds) > 1 and all(name in lost[kind] for kind in kinds):  # for any kernel
            for kind in kinds:
                lost[kind].remove(name)
            lost.setdefault("SVC", []).append(name)
    told = [f"{kind} ({', '.join(sorted(names))})" for kind, names in lost.items() if names]
    return {"lost": ", ".join(told)} if told else None


def _kind_and_kernel(run: RecordedRun) -> str:
    return f"{run.kind} kernel={run.hyper['kernel']}" if "kernel" in run.hyper else run.kind


@functools.cache
def _default(kind: str, name: str) -> Any:
    module, _, model = MODELS[kind][0].partition(":")
    return getattr(importlib.import_module(module), model)().get_params()[name]


@shows("model_cv.tree_seed", MODEL)
def _tree_seed(run: RecordedRun) -> Said:
    seeds = [params.get("random_state") for params in run.fits if "splitter" in params]
    return {"value": seeds[0]} if seeds and seeds[0] != 1 else None


@shows("model_cv.not_asked", MODEL)
def _not_asked(run: RecordedRun) -> Said:
    for params in run.fits:
        for name, right in run.model[1].items() if run.model else ():
            obtained = params.get(name)
            if name != "random_state" and obtained not in (
                right if isinstance(right, tuple) else (right,)
            ):
                return {"setting": f"{name}={obtained!r}"}
    return None


# The metrics are those of the model, and not all of `confusion_matrix`.
shows("model_cv.score", MODEL)(lambda run: bool(run.calls("score")) or None)


@shows("model_cv.fit_encoded", MODEL)
def _fit_encoded(run: RecordedRun) -> Said:
    shapes = [np.shape(targets) for _, targets in run.datasets]
    return all_known(len(shape) == 2 and shape[1] > 1 for shape in shapes) if run.C > 2 else None


@shows("model_cv.repeats", MODEL, unless=["cv.one_fold"])
def _repeats(run: RecordedRun) -> Said:
    parts = Counter(map(tuple, run.trained))
    if run.error or not parts or any(list(part) not in run.outside for part in parts):
        return None
    counts = set(parts.values())
    return {"count": max(counts)} if len(counts) == 1 and max(counts) > 1 else False


@shows("model_cv.not_text", MODEL)
def _not_text(run: RecordedRun) -> Said:
    if run.labels.dtype != object or not run.datasets:
        return None
    targets = np.asarray(run.datasets[0][1], dtype=object).ravel().tolist()
    return len({isinstance(label, str) for label in targets}) == 2


# --- the networks of exercise 6 -------------------------------------------------------------------


@shows("model_cv.ann_apart", MODEL)
def _ann_apart(run: RecordedRun) -> Said:
    if run.kind != "ANN" or ANN not in run.seen.doubles or run.error:
        return None
    return not run.calls(ANN) and bool(as_pairs(run.value))


@shows("model_cv.ann_options", MODEL)
def _ann_options(run: RecordedRun) -> Said:
    if not run.delegated or len(run.hyper) < len(ANN_DEFAULTS):
        return None
    names = [name for name in (*ANN_DEFAULTS, "transferFunctions") if name in run.hyper]
    lost = [name for name in names if not arrives(run.hyper[name], run.delegated.get(name))]
    return {"options": ", ".join(lost)} if lost else False


@shows("model_cv.ann_defaults", MODEL, unless=["model_cv.ann_options"])
def _ann_defaults(run: RecordedRun) -> Said:
    for name, right in ANN_DEFAULTS.items():
        if name not in run.hyper and not same_numbers(run.delegated.get(name, right), right):
            return {"option": name, "value": run.delegated[name]}
    return None


@shows("model_cv.ann_other_folds", MODEL)
def _ann_other_folds(run: RecordedRun) -> Said:
    obtained = run.delegated.get("crossValidationIndices")
    return None if obtained is None else not same_numbers(obtained, run.folds)
