"""Checks of exercise 2, `build_class_ann`.

A network is judged by its linear layers, and by what stands between them and after the last one:
modules, functions and lambdas are the same. Any initial weights are legal if they are random, and
any floating type. Where a network has no `torch.nn.Linear`, its parameters are read as weights and
biases in their order.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from practica.assignment.accepted_forms import as_outputs
from practica.engine.framework import CheckFailed, check, for_all, require, untouched
from practica.engine.helper_substitution import Part
from practica.engine.lazy_hypothesis import st
from practica.engine.rendering import Words, close
from practica.engine.solution import Solution, StudentError
from practica.inside.plain_data import Answer, Function, Handle, Network

LARGEST = 100_000  # weights of a network that stands for the student's


def right_build(args: list[Any], kwargs: dict[str, Any], draw: tuple[int, int]) -> Network | None:
    """Return a right network, another one in each call; None if it would be too large."""
    given = (
        dict(zip(("numInputs", "topology", "numOutputs", "transferFunctions"), args, strict=False))
        | kwargs
    )
    topology, numOutputs = list(given["topology"]), given["numOutputs"]
    functions = list(given.get("transferFunctions") or ())
    sizes = list(pairwise([given["numInputs"], *topology, numOutputs]))
    if len(functions) not in (0, len(topology)) or sum(map(math.prod, sizes)) > LARGEST:
        return None
    draws = np.random.default_rng(draw)
    scales = [np.sqrt(6 / sum(size)) if topology else 0.1 for size in sizes]  # of Glorot and Bengio
    weights = [
        draws.uniform(-scale, scale, size[::-1]) for scale, size in zip(scales, sizes, strict=True)
    ]
    *hidden, (weight, bias) = ([weight, np.zeros(len(weight))] for weight in weights)
    return Network(weight, bias, "sigmoid" if numOutputs == 1 else "softmax", hidden, functions)


BUILD = Part(right_build, draws=True)


def _softmax(x: NDArray[Any]) -> NDArray[Any]:
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


FUNCTIONS: dict[str, Callable[[NDArray[Any]], NDArray[Any]]] = {
    "sigmoid": lambda x: 1 / (1 + np.exp(-np.clip(x, -700, 700))),
    "tanh": np.tanh,
    "relu": lambda x: np.maximum(x, 0),
    "softplus": lambda x: np.logaddexp(x, 0),
    "softmax": _softmax,
}
OTHER_FUNCTIONS: dict[str, Callable[[NDArray[Any]], NDArray[Any]]] = {
    "identity": lambda x: x,
    "sin": np.sin,
    "square": np.square,
}


def patterns(N: int, L: int) -> NDArray[np.float64]:
    """Return fixed patterns, some of them far from zero, so that different functions give different
    outputs.
    """
    return np.random.default_rng(L).normal(size=(N, L)) * 2


def as_network(solution: Solution, value: Any, L: int, *, shaken: bool = False) -> dict[str, Any]:
    """Read a network, with other parameters if it is to be shaken: its facts, probed with patterns
    of L attributes.
    """
    if not isinstance(value, Handle):
        raise CheckFailed({"obtained": value}, "form.nothing" if value is None else "form.network")
    facts = {**solution.describe(value, patterns(12, L), shaken=shaken), "inputs": patterns(12, L)}
    layers, values = facts.get("layers"), facts.get("values")
    if not (
        facts.get("module") is True
        and isinstance(layers, list)
        and all(map(_is_linear, layers))
        and isinstance(values, list)
        and all(map(_is_numbers, values))
    ):
        raise CheckFailed({"obtained": facts.get("class")}, "form.network")
    facts["vector"] = getattr(facts.get("outputs"), "ndim", 2) == 1
    facts["outputs"] = as_outputs(facts.get("outputs"), 12)
    return facts


def _is_numbers(value: Any, ndim: int | None = None) -> bool:
    return (
        isinstance(value, np.ndarray) and value.dtype.kind in "biuf" and ndim in (None, value.ndim)
    )


def _is_linear(layer: Any) -> bool:
    """Return whether a value has the form of a linear layer's facts."""
    return (
        isinstance(layer, dict)
        and _is_numbers(layer.get("weight"), 2)
        and type(layer.get("out")) is type(layer.get("in")) is int
        and layer["weight"].shape == (layer["out"], layer["in"])
        and (
            layer.get("bias") is None
            or (_is_numbers(layer["bias"]) and layer["bias"].shape == (layer["out"],))
        )
        and _is_numbers(layer.get("before"), 2)
        and len(layer["before"]) > 0
        and _is_numbers(layer.get("after"))
    )


def activations(layer: dict[str, Any]) -> list[str]:
    """Name the functions that lead from what a layer computes to what the next one gets, whatever
    they are made of.
    """
    before, after = layer["before"].astype(float), layer["after"]
    if before.shape != after.shape or before.ndim != 2 or not before.size:
        return []
    with np.errstate(all="ignore"):
        made = {
            name: function(before) for name, function in {**FUNCTIONS, **OTHER_FUNCTIONS}.items()
        }
        away = {name: abs(outputs - after) - 1e-4 * abs(outputs) for name, outputs in made.items()}
        return [
            name
            for name, outputs in made.items()
            if ((away[name] <= 1e-5) | (outputs == after)).all()
        ]


def sizes_of(facts: dict[str, Any]) -> list[tuple[int, int]]:
    """Return (inputs, outputs) of each layer, in order."""
    if facts["layers"]:
        return [(layer["in"], layer["out"]) for layer in facts["layers"]]
    return [(weight.shape[1], weight.shape[0]) for weight, _ in weights_and_biases(facts)]


def weights_and_biases(facts: dict[str, Any]) -> list[tuple[NDArray[Any], NDArray[Any]]]:
    """Pair weights (outputs, inputs) and biases.

    Without linear modules, the parameters in their order.
    """
    if facts["layers"] and all(layer["bias"] is not None for layer in facts["layers"]):
        return [(layer["weight"], layer["bias"]) for layer in facts["layers"]]
    matrices = [value for value in facts["values"] if value.ndim == 2]
    vectors = [value for value in facts["values"] if value.ndim == 1]
    if len(vectors) != len(matrices):  # biases that are rows
        vectors = [value.ravel() for value in facts["values"][1::2]]
        matrices = facts["values"][0::2]
    if len(vectors) != len(matrices) or any(matrix.ndim != 2 for matrix in matrices):
        return []
    turned = all(
        weight.shape[-1] == len(bias) for weight, bias in zip(matrices, vectors, strict=True)
    )
    return [
        (weight.T if turned else weight, bias)
        for weight, bias in zip(matrices, vectors, strict=True)
    ]


def _build(
    solution: Solution, numInputs: int, topology: list[int], numOutputs: int, **options: Any
) -> dict[str, Any]:
    return as_network(
        solution, solution.build_class_ann(numInputs, topology, numOutputs, **options), numInputs
    )


WIDEST = 20  # inputs
SHAPES: tuple[tuple[int, list[int], int], ...] = (
    (2, [3], 1),
    (4, [5, 2], 3),
    (1, [2, 3, 4], 1),
    (3, [1], 4),
)


def _require_structure(
    solution: Solution, numInputs: int, topology: list[int], numOutputs: int
) -> None:
    expected = list(pairwise([numInputs, *topology, numOutputs]))
    obtained = sizes_of(_build(solution, numInputs, topology, numOutputs))
    require(obtained == expected, expected=expected, obtained=obtained)


@st.composite
def shapes(draw: st.DrawFn, fewest: int = 1, widest: int = 9) -> tuple[int, list[int], int]:
    """Draw (numInputs, topology, numOutputs), with hidden layers."""
    topology = draw(st.lists(st.integers(1, 7), min_size=fewest, max_size=6))
    return draw(st.integers(1, widest)), topology, draw(st.sampled_from([1, 3, 4, 5, 6]))


@check("build_class_ann.structure")
@for_all(6, shape=shapes())
def one_layer_per_element_of_the_topology_and_the_output(
    solution: Solution, shape: tuple[int, list[int], int]
) -> None:
    """Tantas capas ocultas como elementos tiene topology, con esas neuronas, y una capa de
    salida.
    """
    _require_structure(solution, *shape)


@check("build_class_ann.no_hidden_layers")
def the_topology_may_be_empty(solution: Solution) -> None:
    """La red puede no tener capas ocultas: con topology vacía, las entradas van a la capa de
    salida.
    """
    for numOutputs in (1, 3):
        _require_structure(solution, 4, [], numOutputs)


@check("build_class_ann.inputs")
def the_first_layer_gets_the_inputs(solution: Solution) -> None:
    """Las entradas de la red llegan a la primera capa sin pasar por ninguna función."""
    for shape in SHAPES:
        facts = _build(solution, *shape)
        for layer in facts["layers"][:1]:
            if layer["in"] != shape[0]:
                continue  # not the first one: the structure is for another check
            expected = facts["inputs"] @ layer["weight"].T + (
                0 if layer["bias"] is None else layer["bias"]
            )
            require(
                close(layer["before"], expected, 1e-3),
                expected=expected[0],
                obtained=layer["before"][0],
            )


@check("build_class_ann.biases")
@for_all(1, drawn=shapes())
def every_layer_has_biases(solution: Solution, drawn: tuple[int, list[int], int]) -> None:
    """Todas las neuronas, ocultas y de salida, tienen su bias."""
    for shape in (*SHAPES, drawn):
        network = solution.build_class_ann(*shape)
        facts = as_network(solution, network, shape[0])
        without = [
            (layer["in"], layer["out"]) for layer in facts["layers"] if layer["bias"] is None
        ]
        require(not without, obtained=without)
        if _computes(facts, shape):  # so it does with other biases
            used = _computes(as_network(solution, network, shape[0], shaken=True), shape)
            require(used, message="build_class_ann.biases.unused")


def _computes(facts: dict[str, Any], shape: tuple[int, list[int], int]) -> bool:
    """Return whether the outputs follow from the parameters, with sigmoids in the hidden layers."""
    _, topology, numOutputs = shape
    try:
        expected = _forward(
            facts, ["sigmoid"] * len(topology), "sigmoid" if numOutputs == 1 else "softmax"
        )
    except ValueError:  # layers that do not fit one behind the other
        return False
    return close(expected, facts["outputs"], 1e-3)


def _forward(facts: dict[str, Any], hidden: list[str], last: str) -> NDArray[Any]:
    """Run the network in numpy with the functions it should have."""
    values = np.asarray(facts["inputs"], dtype=float)
    layers = weights_and_biases(facts)
    for (weight, bias), function in zip(layers, [*hidden, last], strict=True):
        values = FUNCTIONS[function](values @ weight.T + bias)
    return values


def require_hidden_functions(facts: dict[str, Any], expected: list[str], last: str) -> None:
    """Require the function of each hidden layer."""
    count = len(facts["layers"] or weights_and_biases(facts))
    require(
        count == len(expected) + 1,
        message="form.layers",
        obtained=count,
        expected=len(expected) + 1,
    )
    if facts["layers"]:
        obtained = [*map(activations, facts["layers"][:-1])]
        right = all(map(lambda names, name: name in names, obtained, expected))
        require(
            right,
            expected=expected,
            obtained=["/".join(names) if names else "?" for names in obtained],
        )
    else:
        right = False
        with suppress(ValueError):  # layers that do not fit one behind the other
            right = close(_forward(facts, expected, last), facts["outputs"], 1e-3)
        require(right, expected=expected, obtained=["?"] * len(expected))


def _sums_of(outputs: NDArray[Any]) -> str | None:
    """Return the sentence on outputs that are wrong by themselves: always 1, or not adding up to
    1.
    """
    if outputs.shape[1] == 1:
        return "build_class_ann.output.two_classes.ones" if (outputs == 1).all() else None
    if close(outputs.sum(axis=1), np.ones(len(outputs)), 1e-3):
        return None
    over_patterns = (outputs >= 0).all() and close(
        outputs.sum(axis=0), np.ones(outputs.shape[1]), 1e-3
    )
    return f"build_class_ann.output.several_classes.{'over_patterns' if over_patterns else 'sum'}"


def _require_output_function(
    solution: Solution, shape: tuple[int, list[int], int], function: str
) -> None:
    """Require the function of the output layer; hidden layers are left to other checks."""
    _require_last_function(_build(solution, *shape), shape[2], function)
    numInputs, _, numOutputs = shape
    with suppress(StudentError):
        facts = _build(solution, numInputs, [], numOutputs)
        if sizes_of(facts) == [(numInputs, numOutputs)]:
            _require_last_function(facts, numOutputs, function)


def _require_last_function(facts: dict[str, Any], numOutputs: int, function: str) -> None:
    outputs = facts["outputs"]
    size = len(outputs), numOutputs
    require(outputs.shape == size, message="form.outputs", expected=size, obtained=outputs.shape)
    if facts["layers"]:
        right = function in activations(facts["layers"][-1])
    else:
        total = outputs.sum(axis=1) if numOutputs > 1 else np.ones(len(outputs))
        right = bool(
            (outputs > 0).all()
            and (outputs < 1).all()
            and close(total, np.ones(len(outputs)), 1e-3)
        )
    require(right, message=_sums_of(outputs), expected=function, obtained=outputs[0])


OUTPUTS_AFTER: tuple[tuple[int, list[int]], ...] = ((3, [3]), (3, [2, 4]))


@check("build_class_ann.output.two_classes")
@for_all(1, drawn=shapes(1, WIDEST))
def one_output_with_a_sigmoid(solution: Solution, drawn: tuple[int, list[int], int]) -> None:
    """Con dos clases hay una sola neurona de salida, con función de transferencia sigmoidal."""
    for numInputs, topology in (*OUTPUTS_AFTER, drawn[:2]):
        _require_output_function(solution, (numInputs, topology, 1), "sigmoid")


@check("build_class_ann.output.several_classes")
@for_all(1, drawn=shapes(1, WIDEST))
def several_outputs_with_a_softmax(solution: Solution, drawn: tuple[int, list[int], int]) -> None:
    """Con más de dos clases hay una neurona de salida por clase, y después la función softmax sobre
    cada patrón.
    """
    for numOutputs in (3, 4, 5, 12):
        for numInputs, topology in OUTPUTS_AFTER:
            _require_output_function(solution, (numInputs, topology, numOutputs), "softmax")
    numInputs, topology, numOutputs = drawn
    _require_output_function(solution, (numInputs, topology, max(numOutputs, 3)), "softmax")
    network = solution.build_class_ann(3, [2], 3)
    as_network(solution, network, 3)
    as_outputs(solution.predict(network, patterns(1, 3)), 1)  # of one pattern too


@check("build_class_ann.transfer_functions.default")
@for_all(1, drawn=shapes(1, WIDEST))
def hidden_layers_are_sigmoids_by_default(
    solution: Solution, drawn: tuple[int, list[int], int]
) -> None:
    """Por defecto, la función de transferencia de las capas ocultas es la sigmoidal."""
    for shape in (3, [3], 1), (3, [4, 2], 3), (3, [2, 4, 3], 1), (3, [3, 2, 2, 4], 3), drawn:
        last = "sigmoid" if shape[2] == 1 else "softmax"
        require_hidden_functions(_build(solution, *shape), ["sigmoid"] * len(shape[1]), last)


@check("build_class_ann.transfer_functions.given")
@for_all(4, shape=shapes(3), turn=st.integers(0, 3))
def each_hidden_layer_has_its_function(
    solution: Solution, shape: tuple[int, list[int], int], turn: int
) -> None:
    """Cada capa oculta usa su función de transferFunctions, en orden."""
    numInputs, longest, numOutputs = shape
    for topology in longest, longest[:1], longest[:2]:
        _require_given_functions(solution, numInputs, topology, numOutputs, turn)


def _require_given_functions(
    solution: Solution, numInputs: int, topology: list[int], numOutputs: int, turn: int
) -> None:
    names = [
        ("tanh", "relu", "sigmoid", "softplus")[(turn + layer) % 4]
        for layer in range(len(topology))
    ]
    functions = [Function(name) for name in names]
    last = "sigmoid" if numOutputs == 1 else "softmax"
    plain = _build(solution, numInputs, topology, numOutputs)  # before the call that is shown
    facts = _build(solution, numInputs, topology, numOutputs, transferFunctions=functions)
    require_hidden_functions(facts, names, last)
    expected, obtained = sizes_of(plain), sizes_of(facts)
    require(
        obtained == expected,
        message="build_class_ann.structure",
        expected=expected,
        obtained=obtained,
    )
    if plain["layers"] and last in activations(plain["layers"][-1]):  # which is so by default
        _require_last_function(facts, numOutputs, last)


@check("build_class_ann.transfer_functions.not_on_the_output")
def the_output_layer_keeps_its_function(solution: Solution) -> None:
    """Las funciones de transferFunctions son de las capas ocultas: no se aplican a la capa de
    salida.
    """
    for numOutputs, last in ((1, "sigmoid"), (3, "softmax")):
        facts = _build(solution, 3, [4], numOutputs, transferFunctions=[Function("tanh")])
        used = activations(facts["layers"][-1]) if facts["layers"] else []
        if facts["layers"]:
            right = last in used or "identity" in used
        else:
            right = bool((facts["outputs"] > 0).all() and (facts["outputs"] < 1).all())
        outputs, size = facts["outputs"], (len(facts["outputs"]), numOutputs)
        if not right and outputs.shape != size:
            raise CheckFailed({"expected": size, "obtained": outputs.shape}, "form.outputs")
        message = None if "tanh" in used else _sums_of(outputs)
        require(right, message=message, expected=last, obtained=outputs[0])


@check("build_class_ann.random_weights")
@for_all(1, size=st.integers(4, 9), drawn=shapes())
def each_network_starts_from_other_weights(
    solution: Solution, size: int, drawn: tuple[int, list[int], int]
) -> None:
    """Los pesos iniciales son aleatorios: dos redes construidas igual son distintas."""
    numInputs, topology, numOutputs = drawn
    for shape in (
        (numInputs, topology, numOutputs),
        (numInputs, topology, 1),
        (numInputs, [], numOutputs),
    ):
        with suppress(StudentError):  # whether there may be such a network is for other checks
            pair = [weights_and_biases(_build(solution, *shape)) for _ in range(2)]
            same = [
                close(one, other, 1e-9)
                for layers in zip(*pair, strict=False)
                for one, other in zip(*layers, strict=True)
            ]
            require(not (same and all(same)), obtained=pair[0][0] if pair[0] else None)
    networks = [_build(solution, size, [size] * 3, 3) for _ in range(2)]
    first, second = ([weight for weight, _ in weights_and_biases(facts)] for facts in networks)
    outputs = [facts["outputs"] for facts in networks]
    for one, other in [outputs, *zip(first, second, strict=False)]:
        require(not close(one, other, 1e-9), obtained=one[0])
    for weight in first:
        equal = float(np.ptp(weight, axis=0).max()) == 0  # neurons that start alike stay alike
        require(not equal, message="build_class_ann.random_weights.equal", obtained=weight[0])
    for one, other in pairwise(first):
        repeated = one.shape == other.shape and close(one, other, 1e-9)
        require(not repeated, message="build_class_ann.random_weights.layers", obtained=one[0])


@check("build_class_ann.untouched")
def building_leaves_the_topology(solution: Solution) -> None:
    """La topología y las funciones que recibe quedan como estaban: con ellas se construyen más
    redes.
    """
    for numInputs, topology, numOutputs in SHAPES:
        untouched(solution, "build_class_ann", numInputs, list(topology), numOutputs)
        functions = [Function("tanh")] * len(topology)
        given = numInputs, topology, numOutputs
        answer = solution.answer(
            "build_class_ann", *given, want_args=True, transferFunctions=functions
        )
        require_functions_kept(answer, len(topology))


def require_functions_kept(answer: Answer, count: int) -> None:
    """Require that the last argument of a call is still a list with one function so many times."""
    left = answer.args[-1] if answer.args else None
    same = (
        isinstance(left, list)
        and len(left) == count
        and len({repr(function) for function in left}) <= 1
    )
    require(
        same,
        message="any.modified",
        position=len(answer.args or ()),
        expected=Words(f"[tanh] * {count}"),
        obtained=left,
    )
