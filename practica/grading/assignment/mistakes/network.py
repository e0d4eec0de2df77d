"""Known mistakes of `build_class_ann`, read off what comes between the linear layers of its
networks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import pairwise, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from practica.grading.assignment.network import (
    FUNCTIONS,
    activations,
    as_network,
    has_no_biases,
    recorded,
    size_of,
    sizes_for,
)
from practica.grading.engine.framework import CheckFailed
from practica.grading.engine.known_mistakes import Seen, examples, read_once, sign
from practica.grading.engine.rendering import close
from practica.grading.engine.solution import Solution, StudentError
from practica.grading.inside.plain_data import Function, Handle

ROW = "build_class_ann"
NEARLY = 1e-3  # range of outputs over all patterns
Found = dict[str, Any] | bool | None


@examples(ROW)
def networks_of_every_kind(solution: Solution) -> None:
    """Build networks with and without hidden layers and functions, for two and three classes."""
    for names, numOutputs in product(
        ([], ["tanh"], ["relu", "tanh"], ["tanh", "sigmoid", "relu"]), (1, 3)
    ):
        topology = [4, 5, 2][: len(names)]
        functions: dict[str, Any] = {"transferFunctions": [Function(name) for name in names]}
        for options in ({}, functions) if names else ({},):
            value = solution.answer(ROW, 3, topology, numOutputs, **options).value
            if isinstance(value, Handle):
                with suppress(CheckFailed, StudentError):
                    as_network(solution, value, (3, topology, numOutputs), names)


class Built:
    """A call of `build_class_ann`, and the network that it returned if there is one.

    `inputs`, `topology`, `outputs`: as they were asked for.
    `given`: the names of `transferFunctions`.
    `facts`, `layers`: as `practica.grading.assignment.network.as_network` returns them.
    `right`: whether the layers have their sizes, so that their functions can be compared.
    """

    def __init__(self, seen: Seen) -> None:
        self.inputs, self.topology, self.outputs = (*seen.args, None, None, None)[:3]
        self.given = [each.name for each in seen.kwargs.get("transferFunctions") or ()]
        shape = self.inputs, self.topology, self.outputs
        self.facts = recorded(seen.looks, seen.answer.value, shape, self.given)
        self.layers: list[dict[str, Any]] = self.facts.get("layers") or self.facts.get("guess", [])
        self.expected = sizes_for(shape)
        self.sizes = [(layer["in"], layer["out"]) for layer in self.layers]
        self.right = bool(self.layers) and self.sizes == self.expected

    def hidden(self) -> list[list[str]]:
        """Return, for each hidden layer, the names that its function may have; empty if not
        `right`.
        """
        return [*map(activations, self.layers[:-1])] if self.right else []

    def after(self) -> list[str]:
        """Return the names that the function of the output layer may have; empty if not `right`."""
        return activations(self.layers[-1]) if self.right else []

    def gives(self, function: Callable[[NDArray[Any]], NDArray[Any]]) -> bool:
        """Return whether the outputs are this function of what the last layer computes."""
        if not self.right:
            return False
        with np.errstate(all="ignore"):
            return close(
                self.layers[-1]["after"], function(self.layers[-1]["before"].astype(float)), 1e-4
            )


@read_once
def _built(seen: Seen) -> Built | None:
    """Return a call as `Built`, which is made once for all signs; None if the call raised."""
    return None if seen.answer.error else Built(seen)


def _of_each(
    id: str, **options: Any
) -> Callable[[Callable[[Built], Found]], Callable[[Built], Found]]:
    """Register a predicate on one network as a sign that looks at every recorded call."""
    return sign(id, ROW, read=_built, **options)


# --- no network -----------------------------------------------------------------------------------


@sign("network.returns_layers", ROW)
def returns_layers(seen: Seen) -> bool | None:
    """Return True if `build_class_ann` returns a list of layers, else None."""
    value = seen.answer.value
    return (
        isinstance(value, list | tuple)
        and bool(value)
        and all(isinstance(each, Handle) for each in value)
    ) or None


def _fails_only(
    where: Callable[[Seen], bool], elsewhere: Callable[[Seen], bool], seen: Sequence[Seen]
) -> Found:
    """Return, as facts, the error that all calls selected by `where` raise, if it is the same one
    and the other calls that `elsewhere` selects raise none; else None.
    """
    errors = [each.answer.error and each.answer.error.type for each in seen if where(each)]
    others = [each.answer.error for each in seen if elsewhere(each) and not where(each)]
    alone = len(errors) > 1 and len(set(errors)) == 1 and errors[0] and others and not any(others)
    return {"error": errors[0]} if alone else None


sign("network.no_hidden_layers", ROW, together=True)(
    partial(_fails_only, lambda each: not each.args[1], lambda each: not each.kwargs)
)
sign("network.no_functions", ROW, together=True)(
    partial(
        _fails_only,
        lambda each: not each.kwargs and bool(each.args[1]),
        lambda each: bool(each.kwargs),
    )
)


@sign("network.sizes_do_not_fit", ROW)
def sizes_do_not_fit(seen: Seen) -> bool | None:
    """Return True if a network was built and raises for every pattern, as with layers whose sizes
    do not fit each other; else None.
    """
    value = seen.answer.value
    looks = [
        found for method, args, found in seen.looks if method == "describe" and args[0] == value
    ]
    return (
        isinstance(value, Handle) and bool(looks) and looks[0] is None and bool(seen.args[1])
    ) or None


# --- the layers -----------------------------------------------------------------------------------


@_of_each("network.reversed_topology")
def reversed_topology(built: Built) -> Found:
    """Return whether the hidden layers have the sizes of the topology backwards; None if that would
    be right, or no layer was found.
    """
    turned = list(pairwise([built.inputs, *reversed(built.topology), built.outputs]))
    return None if not built.sizes or turned == built.expected else built.sizes == turned


@_of_each("network.sizes", last=True)
def network_sizes(built: Built) -> Found:
    """Return, as facts, the sizes of the layers and the requested ones, if they differ; else
    None.
    """
    if built.right or not built.sizes:
        return None
    return {"obtained": _arrows(built.sizes), "asked": _arrows(built.expected)}


def _arrows(sizes: Sequence[tuple[int, int]]) -> str:
    return ", ".join(f"{n} → {m}" for n, m in sizes)


@_of_each("network.extra_parameters", unless=["network.unregistered"])
def extra_parameters(built: Built) -> Found:
    """Return whether a network with hidden layers has more parameters than the weights and biases
    of its layers; None if the network cannot tell.
    """
    if not built.right:
        return False if built.sizes else None
    if not built.topology:
        return None
    return size_of(built.facts) > sum(each["weight"].size + each["out"] for each in built.layers)


@_of_each("network.constant_weights")
def constant_weights(built: Built) -> Found:
    """Return whether the weights in each layer are all equal, as after `zeros_`; None if the
    network cannot tell.
    """
    several = [layer["weight"] for layer in built.layers if np.size(layer["weight"]) > 1]
    return (
        all(float(np.ptp(weight)) == 0 for weight in several) if built.right and several else None
    )


@_of_each("network.unregistered")
def unregistered(built: Built) -> Found:
    """Return whether only the output layer has parameters that torch finds, although the hidden
    layers compute something; None if the network cannot tell.
    """
    if not built.right or not built.topology:
        return None
    n, m = built.expected[-1]
    return size_of(built.facts) == n * m + m


_of_each("network.no_bias")(
    lambda built: has_no_biases(built.facts) if built.facts.get("layers") else None
)


@_of_each("network.function_on_inputs")
def function_on_inputs(built: Built) -> Found:
    """Return whether the first layer is given a function of the inputs instead of the inputs; None
    if the network cannot tell.
    """
    if not built.right or not built.topology:
        return None
    layer, inputs = built.layers[0], np.asarray(built.facts["inputs"], dtype=float)
    known: dict[str, Callable[[NDArray[Any]], NDArray[Any]]] = {"identity": np.array, **FUNCTIONS}
    tried = {
        name: close(layer["before"], function(inputs) @ layer["weight"].T + layer["bias"], 1e-3)
        for name, function in known.items()
    }
    return not tried.pop("identity") and any(tried.values())


@_of_each("network.dropout")
def dropout(built: Built) -> Found:
    """Return True if the outputs of a hidden layer are a multiple of its function's values and some
    are 0, as after dropout; else None.
    """
    functions = built.given or ["sigmoid"] * len(built.layers[:-1])
    dropped = [
        _is_dropped(layer, FUNCTIONS[name])
        for layer, name in zip(built.layers[:-1], functions, strict=False)
    ]
    return any(dropped) or None


def _is_dropped(layer: dict[str, Any], function: Callable[[NDArray[Any]], NDArray[Any]]) -> bool:
    made, left = function(layer["before"].astype(float)), layer["after"]
    if made.shape != left.shape:
        return False
    there = abs(made) > 1e-6
    gone, kept = there & (left == 0), there & (left != 0)
    if not gone.any() or np.count_nonzero(kept) <= len(made) // 2:
        return False
    return float(np.ptp(left[kept] / made[kept])) < 1e-3


# --- the functions --------------------------------------------------------------------------------


@_of_each("network.output_transfer")
def output_transfer(built: Built) -> Found:
    """Return whether the last transfer function is applied to the output layer; None if the network
    cannot tell.
    """
    last = "sigmoid" if built.outputs == 1 else "softmax"
    # where the last layer gives nearly the same for all patterns, nothing tells functions apart
    if not built.right or np.ptp(built.layers[-1]["after"], axis=0).max() < NEARLY:
        return None
    function = FUNCTIONS[built.given[-1] if built.given else "sigmoid"]
    behind = built.gives(lambda x: FUNCTIONS[last](function(x)))
    if last in built.after():
        return False if built.given and built.given[-1] != last and not behind else None
    return (
        behind
        or (bool(built.given) and built.gives(function))
        or (None if not built.given else False)
    )


SOFTMAX = FUNCTIONS["softmax"]


def _has_softmax_of(function: Callable[[Any], Any], built: Built) -> bool | None:
    """Return whether the outputs are the softmax of a function of what the last layer gives; None
    where that is nearly constant, and all functions look the same.
    """
    if "softmax" in built.after() or np.ptp(built.layers[-1]["after"], axis=0).max() < NEARLY:
        return None
    return built.gives(lambda x: SOFTMAX(function(x)))


def _softmax_over_patterns(x: NDArray[Any]) -> NDArray[Any]:
    """Return a softmax over the patterns instead of the outputs, by halves, because half of the
    patterns go through a network together.
    """
    return np.vstack([SOFTMAX(half.T).T for half in np.split(x, 2)])


# of several outputs or of one, and what shows it
OF_OUTPUTS: dict[str, tuple[bool, Callable[[Built], Found]]] = {
    "network.sigmoid_for_several": (True, lambda built: "sigmoid" in built.after()),
    "network.no_softmax": (True, lambda built: "identity" in built.after()),
    "network.no_sigmoid": (False, lambda built: "identity" in built.after()),
    "network.softmax_of_one": (False, lambda built: built.gives(np.ones_like)),
    "network.softmax_over_patterns": (True, lambda built: built.gives(_softmax_over_patterns)),
    "network.softmax_twice": (True, partial(_has_softmax_of, SOFTMAX)),
    "network.sigmoid_before_softmax": (True, partial(_has_softmax_of, FUNCTIONS["sigmoid"])),
    "network.log_softmax": (True, lambda built: built.gives(lambda x: np.log(SOFTMAX(x)))),
}


def _of_outputs(several: bool, shows: Callable[[Built], Found], built: Built) -> Found:
    return shows(built) if built.right and (built.outputs > 1) == several else None


for _id, _row in OF_OUTPUTS.items():
    _unless = ["network.output_transfer"] if _id == "network.sigmoid_for_several" else []
    _of_each(_id, unless=_unless)(partial(_of_outputs, *_row))


_of_each("network.no_hidden_functions", unless=["network.dropout"])(
    lambda built: all("identity" in names for names in built.hidden()) if built.hidden() else None
)


@_of_each("network.functions_ignored", unless=["network.no_hidden_functions"])
def functions_ignored(built: Built) -> Found:
    """Return whether the hidden layers have sigmoids although other functions are given; None if
    none are.
    """
    if not built.hidden() or set(built.given) <= {"sigmoid"}:
        return None
    return all("sigmoid" in names for names in built.hidden())


@_of_each("network.one_function", unless=["network.functions_ignored"])
def one_function(built: Built) -> Found:
    """Return whether one transfer function serves all hidden layers, the first that is given or the
    last; None if fewer than two different ones are given.
    """
    if not built.hidden() or len(set(built.given)) < 2:
        return None
    return any(
        all(name in names for names in built.hidden()) for name in (built.given[0], built.given[-1])
    )


@_of_each("network.functions", last=True)
def network_functions(built: Built) -> Found:
    """Return, as facts, the functions of the hidden layers and the requested ones, if they differ
    and all are known; else None.
    """
    asked, hidden = built.given or ["sigmoid"] * len(built.topology), built.hidden()
    is_right = all(name in names for name, names in zip(asked, hidden, strict=False))
    if is_right or any(len(names) != 1 for names in hidden):
        return None
    return {"obtained": ", ".join(names[0] for names in hidden), "asked": ", ".join(asked)}


@_of_each("network.output_other", last=True)
def output_other(built: Built) -> Found:
    """Return, as facts, the name of the output layer's function, if it is a known one and not the
    right one; else None.
    """
    right, names = "sigmoid" if built.outputs == 1 else "softmax", built.after()
    return {"obtained": names[0]} if names and right not in names else None


@_of_each("network.other_default", unless=["network.no_hidden_functions"])
def other_default(built: Built) -> Found:
    """Return, as facts, the function that hidden layers have when none is given, if it is relu,
    tanh or the identity; else False. Return None if functions are given or the layers are unknown.
    """
    if not built.hidden() or built.given:
        return None
    names = [
        name
        for name in ("relu", "tanh", "identity")
        if all(name in of_layer for of_layer in built.hidden())
    ]
    return {"obtained": names[0]} if names else False


# --- what it does beside --------------------------------------------------------------------------


@sign("network.fixed_weights", ROW, read=_built, together=True)
def fixed_weights(networks: Sequence[Built]) -> Found:
    """Return whether networks of the same sizes have equal weights that are not constants."""
    first: dict[str, Any] = {}
    equal = []
    for built in networks:
        if built.right and float(np.ptp(built.layers[0]["weight"])) > 0:
            weight = first.setdefault(str(built.sizes), built.layers[0]["weight"])
            if weight is not built.layers[0]["weight"]:
                equal.append(np.array_equal(weight, built.layers[0]["weight"]))
    return len(equal) > 1 and all(equal)


@sign("network.changes_lists", ROW, "train_class_ann")
def changes_lists(seen: Seen) -> Found:
    """Return, as facts, the argument that is longer or shorter after a call, such as `topology`;
    else None.
    """
    names = [*("numInputs", "topology", "numOutputs")[: len(seen.args)], *seen.kwargs]
    for name, before, after in zip(names, seen.given, seen.answer.args or (), strict=False):
        if isinstance(before, list) and isinstance(after, list) and len(before) != len(after):
            return {"name": name}
    return None
