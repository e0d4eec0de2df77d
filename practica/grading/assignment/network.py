"""Checks of exercise 2, `build_class_ann`.

A network is judged by its linear layers, and by what stands between them and after the last one:
modules, functions and lambdas are the same. Any initial weights are legal if they are random, and
any floating type. Where the linear layers are not modules of torch, they are read in the
parameters: in whatever layout these are, a forward pass of ours has the outputs of the network.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import pairwise, permutations, product
from typing import Any, TypeAlias

import numpy as np

from practica.grading.assignment.accepted_forms import as_outputs
from practica.grading.engine.framework import CheckFailed, check, for_all, require, untouched
from practica.grading.engine.helper_substitution import Part
from practica.grading.engine.lazy_hypothesis import st
from practica.grading.engine.rendering import Words, close
from practica.grading.engine.solution import Solution, StudentError
from practica.grading.inside.plain_data import Answer, Array, Floats, Function, Handle, Network

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


def _softmax(x: Array) -> Array:
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


FUNCTIONS: dict[str, Callable[[Array], Array]] = {
    "sigmoid": lambda x: 1 / (1 + np.exp(-np.clip(x, -700, 700))),
    "tanh": np.tanh,
    "relu": lambda x: np.maximum(x, 0),
    "softplus": lambda x: np.logaddexp(x, 0),
    "softmax": _softmax,
}
KNOWN: dict[str, Callable[[Array], Array]] = {
    **FUNCTIONS,
    "identity": lambda x: x,
    "sin": np.sin,
    "square": np.square,
}


def patterns(N: int, L: int) -> Floats:
    """Return fixed patterns, some of them far from zero, so that different functions give different
    outputs.
    """
    return np.random.default_rng(L).normal(size=(N, L)) * 2


Shape: TypeAlias = "tuple[int, list[int], int]"  # numInputs, topology, numOutputs
Layers: TypeAlias = "list[tuple[Array, Array]]"  # (outputs, inputs) and biases
Sizes: TypeAlias = "list[tuple[int, int]]"  # (inputs, outputs) of each layer


def sizes_for(shape: Shape) -> Sizes:
    """Return the sizes of the layers of a right network."""
    numInputs, topology, numOutputs = shape
    return [*pairwise([numInputs, *topology, numOutputs])]


def last_of(shape: Shape) -> str:
    """Return the function of the output layer of a right network."""
    return "sigmoid" if shape[2] == 1 else "softmax"


def as_network(
    solution: Solution, value: Any, shape: Shape, functions: Sequence[str] = ()
) -> dict[str, Any]:
    """Read a network that should have a shape and hidden functions: its facts.

    Its "layers" are the linear ones, be they modules of torch or read in the parameters; none where
    these cannot be read.
    """
    if not isinstance(value, Handle):
        raise CheckFailed({"obtained": value}, "form.nothing" if value is None else "form.network")
    facts = _described(solution, value, shape[0])
    shaken = None if _is_usual(facts, shape) else _described(solution, value, shape[0], shaken=True)
    return {**facts, "layers": _layers_of(facts, shaken, shape, functions)}


def recorded(
    looks: Sequence[tuple[str, tuple[Any, ...], Any]],
    network: Any,
    shape: Shape,
    functions: Sequence[str],
) -> dict[str, Any]:
    """Return what `as_network` returned, from the requests that it made; nothing if it was not
    called.
    """
    found = [value for method, args, value in looks if (method, args[0]) == ("describe", network)]
    try:
        facts, *others = [_checked(each, shape[0]) for each in found]
    except (CheckFailed, TypeError, ValueError):
        return {}
    shaken = others[0] if others else None
    return {**facts, "layers": _layers_of(facts, shaken, shape, functions)}


def _layers_of(
    facts: dict[str, Any], shaken: dict[str, Any] | None, shape: Shape, functions: Sequence[str]
) -> list[dict[str, Any]]:
    """Return the linear layers of a network, from its facts and those with other parameters.

    Modules of torch beside which there are other parameters are not all layers.
    """
    layers = facts["layers"]
    if _is_usual(facts, shape):
        return layers
    of_modules = [layer[name] for layer in layers for name in ("weight", "bias")]
    count = sum(each.size for each in of_modules if each is not None)
    rest = sum(each.size for each in facts["values"]) > count
    found = _read(facts, shaken, shape, functions) if shaken else []
    return found or ([] if rest else layers)


def _is_usual(facts: dict[str, Any], shape: Shape) -> bool:
    """Return whether the linear layers of a network are modules, with biases and the sizes of a
    shape.
    """
    have = all(layer["bias"] is not None for layer in facts["layers"])
    return have and sizes_of(facts) == sizes_for(shape)


def _described(
    solution: Solution, network: Handle, L: int, *, shaken: bool = False
) -> dict[str, Any]:
    return _checked(solution.describe(network, patterns(12, L), shaken=shaken), L)


def _checked(described: dict[str, Any], L: int) -> dict[str, Any]:
    """Return the facts of a network, probed with patterns of L attributes.

    What has not the form of such facts fails the check.
    """
    facts = {**described, "inputs": patterns(12, L)}
    layers, values = facts.get("layers"), facts.get("values")
    if not (
        facts.get("module") is True
        and isinstance(layers, list)
        and all(map(_is_linear, layers))
        and isinstance(values, list)
        and all(map(_is_numbers, values))
    ):
        raise CheckFailed({"obtained": facts.get("class")}, "form.network")
    return facts | {"outputs": as_outputs(facts.get("outputs"), 12)}


# -- layers that are no modules
# --------------------------------------------------------------------------------------------------

FORMS: tuple[Callable[[Array, int, int], Array], ...] = (
    # of the parameters of a layer with n inputs and m neurons, to (m, n + 1); the bias comes last
    lambda p, n, m: np.column_stack([p[: n * m].reshape(m, n), p[n * m :]]),
    lambda p, n, m: p.reshape(n + 1, m).T,
    lambda p, n, m: p.reshape(m, n + 1),
    # or first
    lambda p, n, m: np.column_stack([p[m:].reshape(m, n), p[:m]]),
    lambda p, n, m: np.roll(p.reshape(n + 1, m).T, -1, axis=1),
    lambda p, n, m: np.roll(p.reshape(m, n + 1), -1, axis=1),
)


def _by_layer(p: Array, sizes: Sizes) -> Array:
    return p


def _weights_first(p: Array, sizes: Sizes) -> Array:
    """Sort parameters by layers where the biases of all layers come behind all weights."""
    weights = np.cumsum([n * m for n, m in sizes])
    biases = weights[-1] + np.cumsum([m for _, m in sizes])
    cuts = np.split(p, [*weights, *biases[:-1]])
    return np.concatenate([*map(np.append, cuts[: len(sizes)], cuts[len(sizes) :])])


def _biases_first(p: Array, sizes: Sizes) -> Array:
    return _weights_first(np.roll(p, -sum(m for _, m in sizes)), sizes)


def _laid_out(p: Array, sizes: Sizes, order: Any, forms: Any, sign: int) -> Layers:
    """Return the weights and biases in a vector of all parameters that has a layout.

    `order`: what sorts them by layers.
    `forms`: those of the first layer, of those in the middle, and of the last one.
    `sign`: -1 where biases are subtracted.
    """
    ends = np.cumsum([n * m + m for n, m in sizes])[:-1]
    parts = np.split(order(p, sizes), ends)
    first, middle, last = forms
    own = [first, *[middle] * (len(sizes) - 2), last][-len(sizes) :]
    found = [form(part, *size) for form, part, size in zip(own, parts, sizes, strict=True)]
    return [(each[:, :-1], sign * each[:, -1]) for each in found]


ALIKE = [(form, form, form) for form in FORMS]
MIXED = [(first, first, last) for first, last in permutations(FORMS, 2)]
MIXED += [
    (first, middle, last)
    for first, middle, last in product(FORMS[:2], repeat=3)
    if first is not middle
]
LAYOUTS = [*product((_by_layer, _weights_first, _biases_first), ALIKE + MIXED, (1, -1))]
EXACT = 2e-5  # by which float32 differs where no function saturates
USUAL = 4  # layouts that are tried with wrong functions too


def _read(
    facts: dict[str, Any], shaken: dict[str, Any], shape: Shape, functions: Sequence[str]
) -> list[dict[str, Any]]:
    """Return the linear layers of which the parameters are; none where no layout explains outputs.

    What explains them is found where the parameters were shaken, for there no function saturates.
    """
    sizes = sizes_for(shape)
    own, other = (
        np.concatenate([np.empty(0), *(each.ravel() for each in of["values"])])
        for of in (facts, shaken)
    )
    if not own.size == other.size == sum(n * m + m for n, m in sizes):
        return []
    hidden = [*functions] or ["sigmoid"] * len(shape[1])
    wrong = [hidden, hidden[::-1], *([name] * len(hidden) for name in KNOWN)]
    tried = [
        *product([[*hidden, last_of(shape)]], LAYOUTS),
        *product([[*names, last] for last in KNOWN for names in wrong], LAYOUTS[:USUAL]),
    ]
    for names, layout in tried:
        made = _layers(_laid_out(other, sizes, *layout), names, shaken["inputs"])
        if close(made[-1]["after"], shaken["outputs"], EXACT):
            return _layers(_laid_out(own, sizes, *layout), names, facts["inputs"])
    return []


def _layers(weights: Layers, functions: Sequence[str], inputs: Array) -> list[dict[str, Any]]:
    """Run a network in numpy, and return the facts of its layers."""
    layers, values = list[dict[str, Any]](), np.asarray(inputs, dtype=float)
    for (weight, bias), function in zip(weights, functions, strict=True):
        with np.errstate(all="ignore"):
            before = values @ weight.T + bias
            values = KNOWN[function](before)
        m, n = weight.shape
        layers.append(
            {"in": n, "out": m, "weight": weight, "bias": bias, "before": before, "after": values}
        )
    return layers


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
        made = {name: function(before) for name, function in KNOWN.items()}
        away = {name: abs(outputs - after) - 1e-4 * abs(outputs) for name, outputs in made.items()}
        return [
            name
            for name, outputs in made.items()
            if ((away[name] <= 1e-5) | (outputs == after)).all()
        ]


def sizes_of(facts: dict[str, Any]) -> Sizes:
    """Return (inputs, outputs) of each layer, in order."""
    return [(layer["in"], layer["out"]) for layer in facts["layers"]]


def _build(
    solution: Solution,
    numInputs: int,
    topology: list[int],
    numOutputs: int,
    functions: Sequence[str] = (),
) -> dict[str, Any]:
    given = {"transferFunctions": [*map(Function, functions)]} if functions else {}
    network = solution.build_class_ann(numInputs, topology, numOutputs, **given)
    return as_network(solution, network, (numInputs, topology, numOutputs), functions)


WIDEST = 20  # inputs
SHAPES: tuple[tuple[int, list[int], int], ...] = (
    (2, [3], 1),
    (4, [5, 2], 3),
    (1, [2, 3, 4], 1),
    (3, [1], 4),
)


def require_sizes(facts: dict[str, Any], shape: Shape, message: str | None = None) -> None:
    """Require the layers of a shape: as many parameters, where the layers cannot be read."""
    expected, obtained = sizes_for(shape), sizes_of(facts)
    if obtained:
        require(obtained == expected, message=message, expected=expected, obtained=obtained)
    else:
        count, right = (
            sum(each.size for each in facts["values"]),
            sum(n * m + m for n, m in expected),
        )
        require(count == right, message="form.weights", expected=right, obtained=count)


def _require_structure(
    solution: Solution, numInputs: int, topology: list[int], numOutputs: int
) -> None:
    require_sizes(
        _build(solution, numInputs, topology, numOutputs), (numInputs, topology, numOutputs)
    )


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
    _require_structure(solution, *shape)


@check("build_class_ann.no_hidden_layers")
def the_topology_may_be_empty(solution: Solution) -> None:
    for numOutputs in (1, 3):
        _require_structure(solution, 4, [], numOutputs)


@check("build_class_ann.inputs")
def the_first_layer_gets_the_inputs(solution: Solution) -> None:
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
    for shape in (*SHAPES, drawn):
        network = solution.build_class_ann(*shape)
        facts = as_network(solution, network, shape)
        without = [
            (layer["in"], layer["out"]) for layer in facts["layers"] if layer["bias"] is None
        ]
        require(not without, obtained=without)
        if _computes(_described(solution, network, shape[0]), shape):  # also with other biases
            shaken = _described(solution, network, shape[0], shaken=True)
            require(_computes(shaken, shape), message="build_class_ann.biases.unused")


def _computes(facts: dict[str, Any], shape: Shape) -> bool:
    """Return whether modules of torch compute the outputs, with sigmoids in the hidden layers."""
    if not _is_usual(facts, shape):
        return False
    weights = [(layer["weight"], layer["bias"]) for layer in facts["layers"]]
    made = _layers(weights, [*["sigmoid"] * len(shape[1]), last_of(shape)], facts["inputs"])
    return close(made[-1]["after"], facts["outputs"], EXACT)


def require_hidden_functions(facts: dict[str, Any], expected: list[str]) -> None:
    """Require the function of each hidden layer."""
    obtained = (
        [*map(activations, facts["layers"][:-1])] if facts["layers"] else [[]] * len(expected)
    )
    require(
        len(obtained) == len(expected),
        message="form.layers",
        obtained=len(obtained) + 1,
        expected=len(expected) + 1,
    )
    require(
        all(map(lambda names, name: name in names, obtained, expected)),
        expected=expected,
        obtained=["/".join(names) if names else "?" for names in obtained],
    )


def _sums_of(outputs: Array) -> str | None:
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


def _are_probabilities(outputs: Array) -> bool:
    """Return whether outputs are what a sigmoid or a softmax may give, which saturate."""
    total = outputs.sum(axis=1) if outputs.shape[1] > 1 else np.ones(len(outputs))
    return bool(((outputs >= 0) & (outputs <= 1)).all()) and close(total, np.ones_like(total), 1e-3)


def _require_last_function(facts: dict[str, Any], numOutputs: int, function: str) -> None:
    outputs = facts["outputs"]
    size = len(outputs), numOutputs
    require(outputs.shape == size, message="form.outputs", expected=size, obtained=outputs.shape)
    if facts["layers"]:
        right = function in activations(facts["layers"][-1])
    else:
        right = _are_probabilities(outputs)
    require(right, message=_sums_of(outputs), expected=function, obtained=outputs[0])


OUTPUTS_AFTER: tuple[tuple[int, list[int]], ...] = ((3, [3]), (3, [2, 4]))


@check("build_class_ann.output.two_classes")
@for_all(1, drawn=shapes(1, WIDEST))
def one_output_with_a_sigmoid(solution: Solution, drawn: tuple[int, list[int], int]) -> None:
    for numInputs, topology in (*OUTPUTS_AFTER, drawn[:2]):
        _require_output_function(solution, (numInputs, topology, 1), "sigmoid")


@check("build_class_ann.output.several_classes")
@for_all(1, drawn=shapes(1, WIDEST))
def several_outputs_with_a_softmax(solution: Solution, drawn: tuple[int, list[int], int]) -> None:
    for numOutputs in (3, 4, 5, 12):
        for numInputs, topology in OUTPUTS_AFTER:
            _require_output_function(solution, (numInputs, topology, numOutputs), "softmax")
    numInputs, topology, numOutputs = drawn
    _require_output_function(solution, (numInputs, topology, max(numOutputs, 3)), "softmax")
    network = solution.build_class_ann(3, [2], 3)
    as_network(solution, network, (3, [2], 3))
    as_outputs(solution.predict(network, patterns(1, 3)), 1)  # of one pattern too


@check("build_class_ann.transfer_functions.default")
@for_all(1, drawn=shapes(1, WIDEST))
def hidden_layers_are_sigmoids_by_default(
    solution: Solution, drawn: tuple[int, list[int], int]
) -> None:
    for shape in (3, [3], 1), (3, [4, 2], 3), (3, [2, 4, 3], 1), (3, [3, 2, 2, 4], 3), drawn:
        require_hidden_functions(_build(solution, *shape), ["sigmoid"] * len(shape[1]))


@check("build_class_ann.transfer_functions.given")
@for_all(4, shape=shapes(3), turn=st.integers(0, 3))
def each_hidden_layer_has_its_function(
    solution: Solution, shape: tuple[int, list[int], int], turn: int
) -> None:
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
    shape = numInputs, topology, numOutputs
    plain = _build(solution, *shape)
    facts = _build(solution, *shape, names)  # the last call, which is the one that is shown
    require_hidden_functions(facts, names)
    expected, obtained = sizes_of(plain), sizes_of(facts)
    require(
        obtained == expected,
        message="build_class_ann.structure",
        expected=expected,
        obtained=obtained,
    )
    if plain["layers"] and last_of(shape) in activations(
        plain["layers"][-1]
    ):  # it is so by default
        _require_last_function(facts, numOutputs, last_of(shape))


@check("build_class_ann.transfer_functions.not_on_the_output")
def the_output_layer_keeps_its_function(solution: Solution) -> None:
    for numOutputs, last in ((1, "sigmoid"), (3, "softmax")):
        facts = _build(solution, 3, [4], numOutputs, ["tanh"])
        used = activations(facts["layers"][-1]) if facts["layers"] else []
        if facts["layers"]:
            right = last in used or "identity" in used
        else:
            right = _are_probabilities(facts["outputs"])
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
    numInputs, topology, numOutputs = drawn
    for shape in (
        (numInputs, topology, numOutputs),
        (numInputs, topology, 1),
        (numInputs, [], numOutputs),
    ):
        with suppress(StudentError):  # whether there may be such a network is for other checks
            one, other = (_build(solution, *shape) for _ in range(2))
            pairs = [*zip(one["values"], other["values"], strict=False)]
            same = all(close(*pair, 1e-9) for pair in pairs)
            if pairs:
                require(not same, obtained=pairs[0][0])
    networks = [_build(solution, size, [size] * 3, 3) for _ in range(2)]
    first, second = ([layer["weight"] for layer in facts["layers"]] for facts in networks)
    for one, other in zip(first, second, strict=False):
        require(not close(one, other, 1e-9), obtained=one[0])
    for weight in first:
        equal = float(np.ptp(weight, axis=0).max()) == 0  # neurons that start alike stay alike
        require(not equal, message="build_class_ann.random_weights.equal", obtained=weight[0])
    for one, other in pairwise(first):
        repeated = one.shape == other.shape and close(one, other, 1e-9)
        require(not repeated, message="build_class_ann.random_weights.layers", obtained=one[0])


@check("build_class_ann.untouched")
def building_leaves_the_topology(solution: Solution) -> None:
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
