"""Checks of exercise 2, `build_class_ann`.

A network is judged by its linear layers, and by what stands between them and after the last one:
modules, functions and lambdas are the same. Any initial weights are legal if they are random, and
any floating type. Where the linear layers are not modules of torch, they are found in the arrays
that the network computes: one that depends linearly on what the layer before gives, and one that is
a function of it. A network in which nothing can be found is judged by its outputs and by how many
parameters it has.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import compress, pairwise
from typing import Any, TypeAlias

import numpy as np

from practica.grading.assignment.accepted_forms import as_outputs
from practica.grading.engine.drawing import Draw
from practica.grading.engine.framework import (
    CheckFailed,
    check,
    for_all,
    require,
    state,
    untouched,
)
from practica.grading.engine.helper_substitution import Part
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
    # that of Glorot and Bengio
    scales = [np.sqrt(6 / sum(size)) if topology else 0.1 for size in sizes]
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


# what a function is given, from its values: NaN where these do not tell
BACK: dict[str, Callable[[Array], Array]] = {
    "sigmoid": lambda x: np.log(x) - np.log1p(-x),
    "softmax": lambda x: np.log(x) - np.log(x[:, -1:]),
}
ANY = "?"  # function

Shape: TypeAlias = "tuple[int, list[int], int]"  # numInputs, topology, numOutputs
Layers: TypeAlias = "list[dict[str, Any]]"  # the facts of each linear layer
Sizes: TypeAlias = "list[tuple[int, int]]"  # (inputs, outputs) of each layer


def sizes_for(shape: Shape) -> Sizes:
    """Return the sizes of the layers of a right network."""
    numInputs, topology, numOutputs = shape
    return [*pairwise([numInputs, *topology, numOutputs])]


def names_for(shape: Shape, functions: Sequence[str]) -> list[str]:
    """Return the functions of the layers of a right network, in order."""
    return [*(functions or ["sigmoid"] * len(shape[1])), last_of(shape)]


def last_of(shape: Shape) -> str:
    """Return the function of the output layer of a right network."""
    return "sigmoid" if shape[2] == 1 else "softmax"


def as_network(
    solution: Solution, value: Any, shape: Shape, functions: Sequence[str] = ()
) -> dict[str, Any]:
    """Read a network that should have a shape and hidden functions: its facts.

    Its "layers" are the linear ones, be they modules of torch or found in what it computes; none
    where they cannot be found.
    """
    if not isinstance(value, Handle):
        raise CheckFailed({"obtained": value}, "form.nothing" if value is None else "form.network")
    facts = _described(solution, value, shape)
    if _is_usual(facts, shape):
        return facts
    return _read(facts, _described(solution, value, shape, traced=True), shape, functions)


def recorded(
    looks: Sequence[tuple[str, tuple[Any, ...], Any]],
    network: Any,
    shape: Shape,
    functions: Sequence[str],
) -> dict[str, Any]:
    """Return what `as_network` returned, from the requests that it made; nothing if it was not
    called.
    """
    found = [
        (args[1], value)
        for method, args, value in looks
        if (method, args[0]) == ("describe", network)
    ]
    try:
        facts, *others = [_checked(value, inputs) for inputs, value in found]
    except (CheckFailed, TypeError, ValueError):
        return {}
    traced = [each for each in others if each["steps"]]
    if _is_usual(facts, shape) or not traced:
        return facts
    return _read(facts, traced[0], shape, functions)


def _is_usual(facts: dict[str, Any], shape: Shape) -> bool:
    """Return whether the layers of a network are modules, each with a known function."""
    known = (any(_applies(name, layer) for name in KNOWN) for layer in facts["layers"])
    return _have_sizes(facts, shape) and all(known)


def _have_sizes(facts: dict[str, Any], shape: Shape) -> bool:
    """Return whether the layers have the sizes of a shape, and biases."""
    have = all(layer["bias"] is not None for layer in facts["layers"])
    return have and sizes_of(facts) == sizes_for(shape)


def _described(
    solution: Solution,
    network: Handle,
    shape: Shape,
    *,
    shaken: bool = False,
    traced: bool = False,
) -> dict[str, Any]:
    """Return the facts of a network; if they are traced, of more patterns than a layer has
    neurons.
    """
    L, topology, _ = shape
    inputs = patterns(2 * max([L, *topology]) + 12 if traced else 12, L)
    facts = solution.describe(network, inputs, shaken=shaken, traced=traced)
    return _checked(facts, inputs, traced=traced)


def _checked(described: dict[str, Any], inputs: Array, *, traced: bool = False) -> dict[str, Any]:
    """Return the facts of a network, probed with some patterns.

    What has not the form of such facts fails the check.
    """
    facts = {**described, "inputs": inputs}
    layers, arrays = facts.get("layers"), [facts.get("values"), facts.get("steps")]
    if not (
        facts.get("module") is True
        and isinstance(layers, list)
        and all(map(_is_linear, layers))
        and all(isinstance(each, list) and all(map(_is_numbers, each)) for each in arrays)
        and bool(facts["steps"]) >= traced
    ):
        raise CheckFailed({"obtained": facts.get("class")}, "form.network")
    outputs = as_outputs(facts.get("outputs"), len(inputs))
    return facts | {"outputs": outputs, "shape": np.shape(facts["outputs"])}


# -- layers that are no modules
# --------------------------------------------------------------------------------------------------


def _read(
    facts: dict[str, Any], traced: dict[str, Any], shape: Shape, functions: Sequence[str]
) -> dict[str, Any]:
    """Return the facts of a network with its layers: those that its steps show, or modules if all
    layers can be modules.

    Its "guess" are layers of which only some function of a hidden one is known to be wrong.

    `facts`, `traced`: its facts, and those with more patterns and what is computed on the way.
    """
    outputs, modules = facts["outputs"], facts["layers"]
    # other patterns must change none
    apart = close(traced["outputs"][: len(outputs)], outputs, 1e-3)
    has_size = size_of(facts) == size_for(shape)
    *hidden, last = names = names_for(shape, functions)
    steps = _Computed(traced, shape)
    if has_size and apart and (found := steps.layers(names)):
        return traced | {"layers": found}
    have_sizes, are_used = _have_sizes(facts, shape), _are_used(modules)
    if have_sizes and are_used:
        return facts
    others = [[*hidden, name] for name in KNOWN]
    if has_size and apart and (found := steps.layers_of_any(others)):
        return traced | {"layers": found}
    of_modules = [layer[name] for layer in modules for name in ("weight", "bias")]
    size = sum(each.size for each in of_modules if each is not None)
    fit = all(one["out"] == other["in"] for one, other in pairwise(modules))
    ends = [layer["out"] for layer in modules[-1:]] == [outputs.shape[1]]
    if fit and ends and size == size_of(facts) and (are_used or not have_sizes):
        return facts
    wrong = [hidden[::-1], *([name] * len(hidden) for name in KNOWN)]
    likely = [[*hidden, ANY], *([*each, last] for each in wrong), [ANY] * len(hidden) + [ANY]]
    guess = steps.layers_of_any(likely) if has_size else []
    return traced | {"layers": []} | ({"guess": guess} if guess else {})


def _are_used(modules: Layers) -> bool:
    """Return whether transfer functions are applied to what the modules compute.

    Where they are applied to something made of it, neither the last function nor some hidden one
    is a known one.
    """
    *hidden, last = [*map(activations, modules)] or [[]]
    return bool(last) or all(hidden)


def size_of(facts: dict[str, Any]) -> int:
    """Return how many numbers the parameters of a network have."""
    return sum(each.size for each in facts["values"])


def size_for(shape: Shape) -> int:
    """Return how many numbers the parameters of a right network have."""
    return sum(n * m + m for n, m in sizes_for(shape))


def _varies(array: Array) -> bool:
    """Return whether each column has values that are far apart."""
    return bool((np.ptp(array, axis=0) > VARIES * abs(array).max(axis=0)).all())


class _Computed:
    """The arrays that a network computes, among which its layers are searched.

    `arrays`: those with a row for each pattern, in order: the inputs first, the outputs last.
    `exact`: by how much these differ from other ways to compute the same, at most; what is linear,
        by that part of its range and by `rounding`.
    `names`: the functions of the layers that are searched.
    `is_wrong`: whether the network is; then no layer computes what it is given, nor what hardly
        varies, of which any function is nearly linear.
    `ends`: (layer, position of an array) from which no layers lead to the outputs.
    """

    def __init__(self, facts: dict[str, Any], shape: Shape) -> None:
        self.sizes, inputs = sizes_for(shape), facts["inputs"]
        last = facts["steps"][-1]
        finite = [each for each in facts["steps"] if np.isfinite(each).all()]
        by_rows = (_with_rows(each, len(inputs)) for each in finite)
        self.arrays = [inputs, *(each for found in by_rows for each in found)]
        self.starts = [at for at, each in enumerate(self.arrays) if each.shape[1] == shape[0]]
        if last.shape != (len(inputs), shape[2]) or not np.isfinite(last).all():
            self.starts = []
        self.exact, self.rounding = (1e-8, 1e-14) if last.dtype == np.float64 else (2e-5, 1e-6)
        self.linear = dict[tuple[int, int], dict[int, Array]]()
        self.joined = dict[tuple[int, str, int], list[Array]]()

    def layers_of_any(self, tried: Sequence[Sequence[str]]) -> Layers:
        """Return the layers of a wrong network, with the first functions that fit."""
        found = (self.layers(names, is_wrong=True) for names in tried)
        return next(filter(None, found), [])

    def layers(self, names: Sequence[str], *, is_wrong: bool = False) -> Layers:
        """Return the facts of the layers, or nothing.

        Where none begins with the inputs, the first one may begin with what they are turned into.
        """
        self.names, self.is_wrong, self.ends = names, is_wrong, set[tuple[int, int]]()
        return next(filter(None, (self._from(0, start) for start in self.starts)), [])

    def _from(self, number: int, at: int) -> Layers:
        """Return the layers from one on, which gets the array at a position; nothing where there
        are none.
        """
        if (number, at) in self.ends:
            return []
        self.ends.add((number, at))
        is_last = number + 1 == len(self.sizes)
        for before, after in self._pairs(number, at):
            rest = [] if is_last else self._from(number + 1, after)
            if rest or is_last:
                return [self._layer(at, before, after), *rest]
        return []

    def _pairs(self, number: int, at: int) -> Iterator[tuple[Array, int]]:
        """List what a layer may compute from the array at a position, and where the array is that
        its function makes of it.
        """
        m, last, name = self.sizes[number][1], len(self.arrays) - 1, self.names[number]
        befores = self._linear_in(at, m)
        if self.is_wrong:
            given = self.arrays[at]
            befores = {
                position: array
                for position, array in befores.items()
                if _varies(array) and not close(array, given, self.exact)
            }
        later = [each for each in range(at + 1, last + 1) if self.arrays[each].shape[1] == m]
        for after in [last] if number + 1 == len(self.sizes) else later:
            if name == ANY:  # the last ones first, in which biases have been added
                earlier = [befores[each] for each in reversed(befores) if each < after]
                yield from ((each, after) for each in earlier)
                continue
            tried = [*befores.values(), *self._joined(at, name, after)]
            yield from ((each, after) for each in self._before(name, self.arrays[after], tried))

    def _before(self, name: str, after: Array, tried: Sequence[Array]) -> Iterator[Array]:
        """List those of some arrays of which a function makes another one.

        Its first row tells most of them apart.
        """
        if not tried:
            return
        with np.errstate(all="ignore"):
            firsts = KNOWN[name](np.vstack([each[0] for each in tried]))
            near = abs(firsts - after[0]) <= 2 * self.exact * (1 + abs(after[0]))
        likely = compress(tried, near.all(axis=1))
        yield from (each for each in likely if self._is(name, each, after))

    def _is(self, name: str, before: Array, after: Array) -> bool:
        with np.errstate(all="ignore"):
            return close(KNOWN[name](before), after, self.exact)

    def _joined(self, at: int, name: str, after: int) -> list[Array]:
        """Return what the neurons of a layer compute, one beside the other, if the columns of an
        array are a function of single ones.

        It is the same for all lists of functions that are tried.
        """
        place = at, name, after
        if place not in self.joined:
            neurons = [*self._linear_in(at, 1).values()]
            columns = [
                next(self._before(name, column[:, None], neurons), None)
                for column in self.arrays[after].T
            ]
            found = [each for each in columns if each is not None]
            self.joined[place] = [np.hstack(found)] if len(found) == len(columns) > 1 else []
        return self.joined[place]

    def _linear_in(self, at: int, m: int) -> dict[int, Array]:
        """Return the later arrays of m columns that are linear in the one at a position, by their
        own positions.
        """
        if (at, m) in self.linear:
            return self.linear[at, m]
        given, later = self.arrays[at], range(at + 1, len(self.arrays))
        tried = {each: self.arrays[each] for each in later if self.arrays[each].shape[1] == m}
        if not tried:
            return {}
        inputs, made = _with_ones(given), np.hstack([*tried.values()])
        off = abs(inputs @ np.linalg.lstsq(inputs, made)[0] - made)
        nothing = self.exact * np.ptp(made, axis=0) + self.rounding * abs(made).max(axis=0)
        far = off.max(axis=0) > nothing
        self.linear[at, m] = {
            each: values
            for (each, values), wrong in zip(tried.items(), far.reshape(-1, m), strict=True)
            if not wrong.any()
        }
        return self.linear[at, m]

    def _layer(self, at: int, before: Array, after: int) -> dict[str, Any]:
        """Return the facts of a layer; its weights lead from an array to what it computes."""
        *weights, bias = np.linalg.lstsq(_with_ones(self.arrays[at]), before)[0]
        weight = np.array(weights).T
        m, n = weight.shape
        return {
            "in": n,
            "out": m,
            "weight": weight,
            "bias": bias,
            "before": before,
            "after": self.arrays[after],
        }


def _with_rows(array: Array, N: int) -> list[Array]:
    """Return an array with each of its axes of length N as that of its rows, and all others as that
    of its columns.
    """
    axes = [axis for axis, length in enumerate(array.shape) if length == N]
    return [np.moveaxis(array, axis, 0).reshape(N, -1) for axis in axes]


def _with_ones(array: Array) -> Array:
    return np.column_stack([array, np.ones(len(array))])


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
    return [name for name in KNOWN if _applies(name, layer)]


def _applies(name: str, layer: dict[str, Any]) -> bool:
    before, after = layer["before"].astype(float), layer["after"]
    if before.shape != after.shape or before.ndim != 2 or not before.size:
        return False
    with np.errstate(all="ignore"):
        outputs = KNOWN[name](before)
        away = abs(outputs - after) - 1e-4 * abs(outputs)
    return bool(((away <= 1e-5) | (outputs == after)).all())


def _turned_back(name: str, given: Array, made: Array) -> Array | None:
    """Return what is linear in an array and of which a function makes another one; None where that
    cannot be known.

    It is fitted, neuron by neuron, to the patterns of which the function can be turned back with
    little loss.
    """
    inputs, before = _with_ones(given), np.empty(made.shape)
    lossy = 1e6 if made.dtype == np.float64 else 1e3
    with np.errstate(all="ignore"):
        turned = BACK[name](made.astype(float))
        slope = (BACK[name](made * (1 + SMALL)) - turned) / SMALL
    sure = np.isfinite(turned) & (abs(slope) < lossy)
    if (np.count_nonzero(sure, axis=0) < inputs.shape[1] + SPARE).any():
        return None
    for column, rows in enumerate(sure.T):
        before[:, column] = inputs @ np.linalg.lstsq(inputs[rows], turned[rows, column])[0]
    return before


def sizes_of(facts: dict[str, Any]) -> Sizes:
    """Return (inputs, outputs) of each layer, in order."""
    return [(layer["in"], layer["out"]) for layer in facts["layers"]]


def _build(solution: Solution, shape: Shape, functions: Sequence[str] = ()) -> dict[str, Any]:
    given = {"transferFunctions": [*map(Function, functions)]} if functions else {}
    network = solution.build_class_ann(*shape, **given)
    return as_network(solution, network, shape, functions)


ALIKE = 2e-5  # weights of two neurons, or layers, that are the same up to rounding
SMALL = 1e-6  # change of what is turned back
SPARE = 3  # patterns beyond those that determine weights
VARIES = 1e-2  # range of a column, where its largest value is 1
UNUSED = 1e-6  # weights and biases, where the largest ones are of about 1
WIDEST = 20  # inputs
SHAPES: tuple[Shape, ...] = (2, [3], 1), (4, [5, 2], 3)


def require_sizes(facts: dict[str, Any], shape: Shape, message: str | None = None) -> None:
    """Require the layers of a shape: as many parameters, where the layers cannot be read."""
    expected, obtained = sizes_for(shape), sizes_of(facts)
    if obtained:
        require(obtained == expected, message=message, expected=expected, obtained=obtained)
    else:
        count, right = size_of(facts), size_for(shape)
        require(count == right, message="form.weights", expected=right, obtained=count)


def drawn_shape(
    draw: Draw,
    widest: int = 9,
    outputs: Sequence[int] = (1, 3, 4, 5, 6),
    hidden: int = 6,
    narrowest: int = 1,
) -> Shape:
    """Draw (numInputs, topology, numOutputs), with hidden layers."""
    topology = draw.choices(range(narrowest, 8), k=draw.length(1, hidden))
    return draw.length(1, widest), topology, draw.choice(outputs)


_wide = functools.partial(drawn_shape, widest=WIDEST, narrowest=2)


@check("build_class_ann.structure")
@for_all(6, shape=drawn_shape)
def structure(solution: Solution, shape: Shape) -> None:
    require_sizes(_build(solution, shape), shape)


@check("build_class_ann.no_hidden_layers")
@for_all(2, numOutputs=lambda draw: draw.in_turn(1, 3))
def no_hidden_layers(solution: Solution, numOutputs: int) -> None:
    shape: Shape = (4, [], numOutputs)
    require_sizes(_build(solution, shape), shape)


@check("build_class_ann.inputs")
@for_all(4, shape=functools.partial(drawn_shape, widest=4, hidden=3))
def build_class_ann_inputs(solution: Solution, shape: Shape) -> None:
    network = solution.build_class_ann(*shape)
    facts = as_network(solution, network, shape)
    if facts["steps"]:
        _require_all_inputs(solution, network, facts)
    if sizes_of(facts) == sizes_for(shape):  # the structure is for another check
        layer = facts["layers"][0]
        bias = 0 if layer["bias"] is None else layer["bias"]
        expected = facts["inputs"] @ layer["weight"].T + bias
        right = close(layer["before"], expected, 1e-3)
        require(right, expected=expected[0], obtained=layer["before"][0])


def _require_all_inputs(solution: Solution, network: Handle, facts: dict[str, Any]) -> None:
    """Require that each input has weights or, where these are not known, changes some output."""
    inputs, outputs = facts["inputs"], facts["outputs"]
    for column in range(inputs.shape[1]):
        others = inputs.copy()
        others[:, column] += 1
        if facts["layers"]:
            weight = abs(facts["layers"][0]["weight"])
            used = weight[:, column].max() > UNUSED * weight.max()
        else:
            used = not np.array_equal(solution.predict(network, others), outputs)
        require(used, message="build_class_ann.inputs.unused", column=column)


@check("build_class_ann.biases")
@for_all(4, shape=drawn_shape)
def biases(solution: Solution, shape: Shape) -> None:
    network = solution.build_class_ann(*shape)
    facts = as_network(solution, network, shape)
    without = [(layer["in"], layer["out"]) for layer in facts["layers"] if layer["bias"] is None]
    require(not without, obtained=without)
    shaken = _described(solution, network, shape, shaken=True, traced=True)
    layers = _read(shaken, shaken, shape, ())["layers"]
    known = [each for each in layers if activations(each)]
    unused = any(close(each["bias"], np.zeros(each["out"]), UNUSED) for each in known)
    require(not unused, message="build_class_ann.biases.unused")


def require_hidden_functions(facts: dict[str, Any], expected: list[str]) -> None:
    """Require the function of each hidden layer, where the layers can be found."""
    layers = facts["layers"] or facts.get("guess")
    if not layers:
        return
    obtained = [*map(activations, layers[:-1])]
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


def _require_output_function(solution: Solution, shape: Shape) -> None:
    """Require the function of the output layer; hidden layers are left to other checks."""
    numInputs, _, numOutputs = shape
    _require_last_function(_build(solution, shape), numOutputs, last_of(shape))
    with suppress(StudentError):
        facts = _build(solution, (numInputs, [], numOutputs))
        if sizes_of(facts) == [(numInputs, numOutputs)]:
            _require_last_function(facts, numOutputs, last_of(shape))


def _are_probabilities(outputs: Array) -> bool:
    """Return whether outputs are what a sigmoid or a softmax may give, which saturate."""
    total = outputs.sum(axis=1) if outputs.shape[1] > 1 else np.ones(len(outputs))
    return bool(((outputs >= 0) & (outputs <= 1)).all()) and close(total, np.ones_like(total), 1e-3)


def _require_last_function(facts: dict[str, Any], numOutputs: int, function: str) -> None:
    outputs = facts["outputs"]
    size = len(outputs), numOutputs
    require(facts["shape"] == size, message="form.outputs", expected=size, obtained=facts["shape"])
    right = _may_end_with(facts, function)
    require(right, message=_sums_of(outputs), expected=function, obtained=outputs[0])


def _may_end_with(facts: dict[str, Any], function: str) -> bool:
    """Return whether nothing shows that the output layer has another function than this one."""
    if facts["layers"]:
        return function in activations(facts["layers"][-1])
    *hidden, last = facts.get("guess") or [{}]
    known = bool(last) and all(map(activations, hidden))
    given = hidden[-1]["after"] if hidden else facts["inputs"]
    before = _turned_back(function, given, last["after"]) if known else None
    fits = before is None or close(KNOWN[function](before), last["after"], ALIKE)
    return fits and _are_probabilities(facts["outputs"])


state(
    "build_class_ann.output.two_classes",
    _require_output_function,
    4,
    shape=functools.partial(_wide, outputs=[1]),
)


@check("build_class_ann.output.several_classes")
@for_all(8, shape=lambda draw: _wide(draw, outputs=[draw.in_turn(3, 4, 5, 12)]))
def output_several_classes(solution: Solution, shape: Shape) -> None:
    if shape[2] > 3:
        _require_output_function(solution, shape)
        return
    network = solution.build_class_ann(*shape)
    _require_last_function(as_network(solution, network, shape), shape[2], last_of(shape))
    as_outputs(solution.predict(network, patterns(1, shape[0])), 1)  # one pattern alone will do too


@check("build_class_ann.transfer_functions.default")
@for_all(5, shape=_wide)
def transfer_functions_default(solution: Solution, shape: Shape) -> None:
    require_hidden_functions(_build(solution, shape), ["sigmoid"] * len(shape[1]))


@check("build_class_ann.transfer_functions.given")
@for_all(12, shape=drawn_shape, turn=lambda draw: draw.randint(0, 3))
def transfer_functions_given(solution: Solution, shape: Shape, turn: int) -> None:
    _, topology, numOutputs = shape
    names = [
        ("tanh", "relu", "sigmoid", "softplus")[(turn + layer) % 4]
        for layer in range(len(topology))
    ]
    plain = _build(solution, shape)
    facts = _build(solution, shape, names)  # the last call, which is the one that is shown
    require_hidden_functions(facts, names)
    expected, obtained = sizes_of(plain), sizes_of(facts)
    require(
        obtained == expected or [] in (obtained, expected),
        message="build_class_ann.structure",
        expected=expected,
        obtained=obtained,
    )
    if plain["layers"] and last_of(shape) in activations(
        plain["layers"][-1]
    ):  # it is so by default
        _require_last_function(facts, numOutputs, last_of(shape))


@check("build_class_ann.transfer_functions.not_on_the_output")
@for_all(2, numOutputs=lambda draw: draw.in_turn(1, 3))
def transfer_functions_not_on_the_output(solution: Solution, numOutputs: int) -> None:
    shape: Shape = (3, [4], numOutputs)
    facts, last = _build(solution, shape, ["tanh"]), last_of(shape)
    used = activations(facts["layers"][-1]) if facts["layers"] else []
    right = "identity" in used or _may_end_with(facts, last)
    outputs, size = facts["outputs"], (len(facts["outputs"]), numOutputs)
    if facts["shape"] != size:
        raise CheckFailed({"expected": size, "obtained": facts["shape"]}, "form.outputs")
    message = None if "tanh" in used else _sums_of(outputs)
    require(right, message=message, expected=last, obtained=outputs[0])


def _of_equal_layers(draw: Draw) -> Shape:
    size = draw.randint(4, 9)
    return size, [size] * 3, 3


def _without_hidden(draw: Draw) -> Shape:
    numInputs, _, numOutputs = drawn_shape(draw)
    return numInputs, [], numOutputs


@check("build_class_ann.random_weights")
@for_all(4, shape=lambda draw: draw.in_turn(_of_equal_layers, drawn_shape, _without_hidden)(draw))
def random_weights(solution: Solution, shape: Shape) -> None:
    try:
        one, other = (_build(solution, shape) for _ in range(2))
    except StudentError:  # whether there may be such a network is for other checks
        return
    values = [*zip(one["values"], other["values"], strict=False)]
    same = all(close(*pair, 1e-9) for pair in values)
    if values:
        require(not same, obtained=values[0][0])
    first, second = ([layer["weight"] for layer in facts["layers"]] for facts in (one, other))
    for one, other in zip(first, second, strict=False):
        same = one.shape == other.shape and _are_alike(one, other)
        require(not same, obtained=one[0])
    for weight in first:
        # neurons that start alike stay alike
        equal = len(weight) > 1 and weight.size > 0 and _are_alike(weight, weight[:1])
        require(not equal, message="build_class_ann.random_weights.equal", obtained=weight[0])
    for one, other in pairwise(first):
        repeated = one.shape == other.shape and _are_alike(one, other)
        require(not repeated, message="build_class_ann.random_weights.layers", obtained=one[0])


def _are_alike(one: Array, other: Array) -> bool:
    """Return whether weights are the same, up to the rounding of what is found."""
    return bool((abs(one - other) <= ALIKE * abs(one).max()).all())


@check("build_class_ann.untouched")
def build_class_ann_untouched(solution: Solution) -> None:
    for shape in SHAPES:
        untouched(solution, "build_class_ann", *shape)
        functions = [Function("tanh")] * len(shape[1])
        answer = solution.answer(
            "build_class_ann", *shape, want_args=True, transferFunctions=functions
        )
        require_functions_kept(answer, len(shape[1]))


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
