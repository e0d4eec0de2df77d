"""Checks of exercise 2, `build_class_ann`.

A network is judged by its linear layers, and by what stands between them and after the last one:
modules, functions and lambdas are the same. Any initial weights are legal if they are random. The
layers are found in the arrays that the network computes, regardless of what it is made of: one that
depends linearly on what the layer before gives, and one that is a function of it. If the first one
never exists as an array, the function is inverted; if arrays are of single patterns, each goes
through the network alone. A network in which nothing can be found is judged by its outputs and by
how many parameters it has.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
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
from practica.grading.engine.helper_substitution import Part, require_small
from practica.grading.engine.rendering import Words, close
from practica.grading.engine.solution import Solution, StudentError
from practica.grading.inside.plain_data import Answer, Array, Floats, Function, Handle, Network


def sizes_to_draw(shape: Shape) -> Sizes:
    """Return the sizes of the layers of a network that the grader makes in place of the student's;
    raise ValueError if a layer has no neurons, or the network too many weights.
    """
    sizes = sizes_for(shape)
    if min(map(min, sizes)) < 1:
        raise ValueError(f"layers of sizes {sizes}")
    require_small(size_for(shape))
    return sizes


def right_build(args: list[Any], kwargs: dict[str, Any], draw: tuple[int, int]) -> Network | None:
    """Return a right network for the arguments of `build_class_ann`, another one for each `draw`;
    None if the number of functions does not fit.
    """
    given = (
        dict(zip(("numInputs", "topology", "numOutputs", "transferFunctions"), args, strict=False))
        | kwargs
    )
    topology, numOutputs = list(given["topology"]), given["numOutputs"]
    functions = list(given.get("transferFunctions") or ())
    sizes = sizes_to_draw((given["numInputs"], topology, numOutputs))
    if len(functions) not in (0, len(topology)):
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
    "tanh": np.arctanh,
    "softplus": lambda x: x + np.log(-np.expm1(-x)),
}
ANY = "?"  # function

Shape: TypeAlias = "tuple[int, list[int], int]"  # numInputs, topology, numOutputs
Layers: TypeAlias = "list[dict[str, Any]]"  # the facts of each linear layer
Sizes: TypeAlias = "list[tuple[int, int]]"  # (inputs, outputs) of each layer


def sizes_for(shape: Shape) -> Sizes:
    """Return (inputs, outputs) of each layer of a right network."""
    numInputs, topology, numOutputs = shape
    return [*pairwise([numInputs, *topology, numOutputs])]


def names_for(shape: Shape, functions: Sequence[str]) -> list[str]:
    """Return the names of the functions that the layers of a right network have, in order.

    `functions`: those of the hidden layers; sigmoids if there are none.
    """
    return [*(functions or ["sigmoid"] * len(shape[1])), last_of(shape)]


def last_of(shape: Shape) -> str:
    """Return the name of the function that the output layer of a right network has."""
    return "sigmoid" if shape[2] == 1 else "softmax"


def as_network(
    solution: Solution, value: Any, shape: Shape, functions: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the facts of a network that should have a shape and hidden functions; raise
    `CheckFailed` if the value is not a network.

    Its "layers" are the linear ones, regardless of what they are made of; none if they cannot be
    found.
    """
    if not isinstance(value, Handle):
        raise CheckFailed({"obtained": value}, "form.nothing" if value is None else "form.network")
    return _read(
        _described(solution, value, shape, functions, alone=each) for each in (False, True)
    )


def recorded(
    looks: Sequence[tuple[str, tuple[Any, ...], Any]],
    network: Any,
    shape: Shape,
    functions: Sequence[str],
) -> dict[str, Any]:
    """Return the facts that `as_network` returned, recomputed from the recorded requests; an empty
    dict if it made none, or they cannot be read.
    """
    found = (
        _Computed(_checked(value, args[1]), shape, functions)
        for method, args, value in looks
        if (method, args[0]) == ("describe", network) and not args[2]
    )
    try:
        return _read(found)
    except (CheckFailed, TypeError, ValueError):
        return {}


def _described(
    solution: Solution,
    network: Handle,
    shape: Shape,
    functions: Sequence[str],
    *,
    shaken: bool = False,
    alone: bool = False,
) -> _Computed:
    """Return the arrays that a network computes from patterns. There are more patterns than neurons
    in any layer.

    `shaken`, `alone`: see `practica.grading.inside.agent.Agent.describe`.
    """
    L, topology, _ = shape
    inputs = patterns(2 * max([L, *topology]) + 12, L)
    facts = _checked(solution.describe(network, inputs, shaken=shaken, alone=alone), inputs)
    return solution.once(_Computed, facts, shape, functions)


def _checked(described: dict[str, Any], inputs: Array) -> dict[str, Any]:
    """Return the facts of a network and the `inputs` that it was given; raise `CheckFailed` if they
    are not those of a torch network.
    """
    facts = {**described, "inputs": inputs}
    values, steps = facts.get("values"), facts.get("steps")
    if facts.get("module") is not True:
        raise CheckFailed({"obtained": facts.get("class")}, "form.network")
    outputs = as_outputs(facts.get("outputs"), len(inputs))
    if not (
        isinstance(values, list)
        and all(map(_is_numbers, values))
        and isinstance(steps, list)
        and bool(steps)
        and all(_is_numbers(each, 2) and len(each) == len(inputs) for each in steps)
    ):
        raise CheckFailed({"obtained": facts.get("class")}, "form.network")
    return facts | {"outputs": outputs, "shape": np.shape(facts["outputs"])}


# --- the layers -----------------------------------------------------------------------------------


def _read(described: Iterable[_Computed]) -> dict[str, Any]:
    """Return the facts of a network with its layers: those of the first description in which they
    can be found.

    Its "guess" are layers of which only some function is known to be wrong.
    """
    tried = list[_Computed]()
    for each in described:
        if each.layers:
            return each.facts | {"layers": each.layers, "guess": []}
        tried.append(each)
    guesses = filter(None, (each.guess for each in tried))
    return tried[-1].facts | {"layers": [], "guess": next(guesses, [])} if tried else {}


def _size_of_all(layers: Layers) -> int:
    """Return how many weights and biases layers have."""
    return sum(each["weight"].size + each["out"] for each in layers)


def _with_own_weights(facts: dict[str, Any]) -> Layers:
    """Return the layers of a network if their weights are certain; none if a hidden layer has no
    function, since it and the next one could be cut elsewhere.
    """
    layers = facts["layers"]
    is_linear = any("identity" in activations(each) for each in layers[:-1])
    return [] if is_linear else layers


def has_no_biases(facts: dict[str, Any]) -> bool:
    """Return whether all biases of a network are 0, and its parameters are only weights."""
    layers = facts["layers"]
    zero = all(close(each["bias"], np.zeros(each["out"]), UNUSED) for each in layers)
    return zero and size_of(facts) == sum(each["weight"].size for each in layers) > 0


def size_of(facts: dict[str, Any]) -> int:
    """Return how many numbers all parameters of a network have together."""
    return sum(each.size for each in facts["values"])


def size_for(shape: Shape) -> int:
    """Return how many numbers all parameters of a right network have together."""
    return sum(n * m + m for n, m in sizes_for(shape))


class _Computed:
    """The arrays that a network computes, among which its layers are searched.

    `arrays`: those with a row for each pattern, in order: the inputs first, the outputs last.
    `exact`: the largest difference from other ways to compute the same. What should be linear may
        differ by this part of its range, and by `rounding`.
    `sizes`, `names`: the sizes of the layers that are searched, None for any, and the functions
        that are tried for each layer; for any sizes, those of the hidden layers and of the last.
    `is_wrong`: whether a wrong network is searched. Then a layer computes neither the array that it
        is given nor one that hardly varies, of which any function is nearly linear.
    `ends`: (layer, position of an array) from which no layers lead to the outputs.
    """

    def __init__(self, facts: dict[str, Any], shape: Shape, functions: Sequence[str]) -> None:
        self.facts, self.shape, self.expected = facts, shape, names_for(shape, functions)
        self.size, inputs, outputs = size_of(facts), facts["inputs"], facts["steps"][-1]
        finite = [
            each
            for each in [inputs, *facts["steps"]]
            if each.dtype.kind == "f" and np.isfinite(each).all()
        ]
        different = {(each.shape, each.tobytes()): each for each in finite}
        place = outputs.shape, outputs.tobytes()
        self.last = [*different].index(place) if place in different else 0
        self.arrays = [*different.values()][: self.last + 1]
        is_single = any(each.dtype != np.float64 for each in self.arrays[1:])
        self.exact, self.rounding = (2e-5, 1e-6) if is_single else (1e-8, 1e-14)
        matrices = [each for each in facts["values"] if each.ndim == 2]
        self.weights = [turned for each in matrices for turned in (each, each.T)]
        self.linear = dict[tuple[int, int, bool], dict[int, Array]]()
        self.joined = dict[tuple[int, str, int], list[Array]]()

    @functools.cached_property
    def layers(self) -> Layers:
        """Return the facts of the layers: the right ones if there are any, or those of a wrong
        network; nothing if there are none.
        """
        last = self.expected[-1]
        asked = [[name] for name in self.expected]
        known = [[name, *KNOWN] for name in self.expected]
        curved = [name for name in KNOWN if name != "identity"]
        sizes = sizes_for(self.shape)
        return (
            self._search(sizes, asked)
            or self._search(sizes, asked, turned=True)
            or self._search(sizes, known, is_wrong=True)
            or self._of_other_sizes([curved, [last, *KNOWN, ANY]])
        )

    @functools.cached_property
    def guess(self) -> Layers:
        """Return the facts of the layers where only some of their functions are known; none if no
        layers are found in that way either.
        """
        sizes, any_hidden = sizes_for(self.shape), [[*KNOWN, ANY]] * len(self.shape[1])
        *hidden, last = [[name, *KNOWN] for name in self.expected]
        tried = [*hidden, [ANY]], [*any_hidden, last], [*any_hidden, [ANY]]
        found = (self._search(sizes, names, is_wrong=True) for names in tried)
        return next(filter(None, found), [])

    def _of_other_sizes(self, names: Sequence[Sequence[str]]) -> Layers:
        """Return the facts of layers of any sizes, if the network has as many parameters as they
        have weights; else none.
        """
        found = self._search(None, names, is_wrong=True)
        weights = sum(each["weight"].size for each in found)
        return found if self.size in (weights, _size_of_all(found)) else []

    def _search(
        self,
        sizes: Sizes | None,
        names: Sequence[Sequence[str]],
        *,
        turned: bool = False,
        is_wrong: bool = False,
    ) -> Layers:
        """Return the facts of the layers, or none.

        If none begins with the inputs, the first one may begin with what the network makes of them,
        unless `turned`: then any layer looks like two.

        `sizes`, `names`, `is_wrong`: as in the class.
        `turned`: whether the functions are inverted to find what the layers compute.
        """
        self.sizes, self.names, self.turned, self.is_wrong = sizes, names, turned, is_wrong
        self.ends = set[tuple[int, int]]()
        L, starts = self.shape[0], range(min(self.last, 1))
        if sizes and not turned and self.size == size_for(self.shape):
            starts = range(self.last)
        begun = (self._from(0, start) for start in starts if self.arrays[start].shape[1] == L)
        return next(filter(None, begun), [])

    def _from(self, number: int, at: int) -> Layers:
        """Return the facts of the layer `number` and all after it, if it can be given the array at
        position `at`; none if no such layers lead to the outputs.
        """
        if (number, at) in self.ends:
            return []
        self.ends.add((number, at))
        for before, after in self._pairs(number, at):
            rest = [] if after == self.last else self._from(number + bool(self.sizes), after)
            if rest or after == self.last:
                return [self._layer(at, before, after), *rest]
        return []

    def _pairs(self, number: int, at: int) -> Iterator[tuple[Array, int]]:
        """Yield what the layer `number` may compute from the array at position `at`, each with the
        position of the array that its function makes of it.
        """
        later = list(range(at + 1, self.last))
        if self.sizes is None:
            later.append(self.last)
        elif number + 1 == len(self.sizes):
            later = [self.last]
        tried = [
            (rank, after, name)
            for after in later
            if self.sizes is None or self.arrays[after].shape[1] == self.sizes[number][1]
            for rank, name in enumerate(self.names[-1 if after == self.last else number])
        ]
        for _, after, name in sorted(tried):  # the first names first
            yield from ((each, after) for each in self._candidates(name, at, after))

    def _candidates(self, name: str, at: int, after: int) -> Iterator[Array]:
        """Yield what a layer may have computed from the array at position `at` before its function:
        arrays that are linear in it, and from which the function `name` makes the array at position
        `after`.

        Some are not among the arrays of the network: those of single neurons are joined and, with
        `turned`, the function is inverted.
        """
        given, made = self.arrays[at], self.arrays[after]
        linear = self._linear_in(at, made.shape[1])
        if name == ANY:  # the last ones first, in which biases have been added
            yield from (linear[each] for each in reversed(linear) if each < after)
            return
        yield from self._before(name, made, [*linear.values()])
        yield from self._before(name, made, self._joined(at, name, after))
        before = _turned_back(name, given, made) if self.turned and name in BACK else None
        if before is not None and self._is(name, before, made):
            yield before

    def _before(self, name: str, after: Array, tried: Sequence[Array]) -> Iterator[Array]:
        """Yield those of the arrays `tried` from which the function `name` makes the array `after`.

        The first row alone rules most of them out.
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
        """Return what the neurons of a layer compute, side by side, if the network computes each of
        them in an array of its own: a list of one array, or none.
        """
        place = at, name, after
        neurons = [*self._linear_in(at, 1).values()]
        if not neurons or self.arrays[after].shape[1] == 1:
            return []
        if place not in self.joined:
            columns = [
                next(self._before(name, column[:, None], neurons), None)
                for column in self.arrays[after].T
            ]
            found = [each for each in columns if each is not None]
            self.joined[place] = [np.hstack(found)] if len(found) == len(columns) else []
        return self.joined[place]

    def _linear_in(self, at: int, m: int) -> dict[int, Array]:
        """Return, by position, the later arrays of m columns that are linear in the array at
        position `at`.
        """
        place = at, m, self.is_wrong
        if place not in self.linear:
            given, later = self.arrays[at], range(at + 1, self.last + 1)
            tried = {each: self.arrays[each] for each in later if self.arrays[each].shape[1] == m}
            enough = len(given) > given.shape[1] + SPARE
            self.linear[place] = self._linear_among(tried, given) if tried and enough else {}
        return self.linear[place]

    def _linear_among(self, tried: dict[int, Array], given: Array) -> dict[int, Array]:
        """Return those of the arrays `tried`, all of one width, that are linear in the array
        `given`.
        """
        inputs, made = _with_ones(given), np.hstack([*tried.values()])
        off = abs(inputs @ np.linalg.lstsq(inputs, made)[0] - made)
        nothing = self.exact * np.ptp(made, axis=0) + self.rounding * abs(made).max(axis=0)
        far = (off.max(axis=0) > nothing).reshape(len(tried), -1).any(axis=1)
        return {
            each: values
            for (each, values), is_far in zip(tried.items(), far, strict=True)
            if not is_far
            and not (
                self.is_wrong and (close(values, given, self.exact) or not self._varies(values))
            )
        }

    def _varies(self, array: Array) -> bool:
        """Return whether each column varies by more than a small part of its largest value."""
        least = 1e-5 if self.exact < 1e-6 else 1e-2  # of the largest value
        return bool((np.ptp(array, axis=0) > least * abs(array).max(axis=0)).all())

    def _layer(self, at: int, before: Array, after: int) -> dict[str, Any]:
        """Return the facts of a layer. It computes `before` from the array at position `at`, and
        its function makes the array at `after` of that.

        Its weights are a parameter of the network, if one fits, or else are fitted.
        """
        given = self.arrays[at]
        m, n = before.shape[1], given.shape[1]
        for weight in self.weights:
            if weight.shape == (m, n):
                left = before - given @ weight.T
                if np.ptp(left, axis=0).max() <= self.exact * (1 + abs(before).max()):
                    bias = left.mean(axis=0)
                    break
        else:
            *fitted, bias = np.linalg.lstsq(_with_ones(given), before)[0]
            weight = np.array(fitted).T.reshape(m, n)
        made = self.arrays[after]
        return {"in": n, "out": m, "weight": weight, "bias": bias, "before": before, "after": made}


def _with_ones(array: Array) -> Array:
    return np.column_stack([array, np.ones(len(array))])


def _is_numbers(value: Any, ndim: int | None = None) -> bool:
    return (
        isinstance(value, np.ndarray) and value.dtype.kind in "biuf" and ndim in (None, value.ndim)
    )


def activations(layer: dict[str, Any]) -> list[str]:
    """Return the names of the functions that lead from what a layer computes to what the next one
    gets, regardless of what they are made of.
    """
    before, after = layer["before"].astype(float), layer["after"]
    with np.errstate(all="ignore"):
        return [name for name in KNOWN if close(KNOWN[name](before), after, ALIKE)]


def _turned_back(name: str, given: Array, made: Array) -> Array | None:
    """Return what a layer computed from `given`, so that the function `name` made `made` of it;
    None if too few patterns tell.

    It is fitted, neuron by neuron, to the patterns for which the function can be inverted with
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
UNUSED = 1e-6  # weights and biases, where the largest ones are of about 1
WIDEST = 20  # inputs
SHAPES: tuple[Shape, ...] = (2, [3], 1), (4, [5, 2], 3)


def require_sizes(facts: dict[str, Any], shape: Shape, message: str | None = None) -> None:
    """Require the layers of a shape, and a parameter for each weight; as many parameters, where the
    layers cannot be read.
    """
    expected, obtained = sizes_for(shape), sizes_of(facts)
    count, right = size_of(facts), size_for(shape)
    if obtained:
        require(obtained == expected, message=message, expected=expected, obtained=obtained)
    weights = {each["weight"].tobytes(): each["weight"].size for each in facts["layers"]}
    has_all = count >= sum(weights.values()) if obtained else count == right
    require(has_all, message="form.weights", expected=right, obtained=count)


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
    require(facts.get("single") is True, message="build_class_ann.inputs.float32")
    _require_all_inputs(solution, network, facts)
    if sizes_of(facts) == sizes_for(shape):  # the structure is for another check
        layer = facts["layers"][0]
        expected = facts["inputs"] @ layer["weight"].T + layer["bias"]
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
    require(not has_no_biases(facts), obtained=sizes_of(facts))
    described = (
        _described(solution, network, shape, (), shaken=True, alone=each) for each in (False, True)
    )
    layers = _with_own_weights(_read(described))
    known = [each for each in layers if activations(each)]
    unused = any(close(each["bias"], np.zeros(each["out"]), UNUSED) for each in known)
    require(not unused, message="build_class_ann.biases.unused")


def require_hidden_functions(facts: dict[str, Any], expected: list[str]) -> None:
    """Require that each hidden layer has the expected function, where the layers can be found."""
    layers = facts["layers"] or facts["guess"]
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
    """Return the id of the sentence on outputs that are wrong by themselves, always 1 or not adding
    up to 1; None if they are not.
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


def _require_size_of_outputs(facts: dict[str, Any], numOutputs: int) -> None:
    size = len(facts["outputs"]), numOutputs
    require(facts["shape"] == size, message="form.outputs", expected=size, obtained=facts["shape"])


def _require_last_function(facts: dict[str, Any], numOutputs: int, function: str) -> None:
    _require_size_of_outputs(facts, numOutputs)
    if not _may_end_with(facts, function):
        classes = "two" if numOutputs == 1 else "several"
        message = f"build_class_ann.output.{classes}_classes"
        raise _of_another_function(facts, function, message, _sums_of(facts["outputs"]))


def _of_another_function(
    facts: dict[str, Any], function: str, message: str, alone: str | None
) -> CheckFailed:
    """Return the failure of a network whose output layer has not this function.

    What the function would give is shown where the layers are found, if the pattern tells.

    `message`: the sentence that compares the two.
    `alone`: the sentence on outputs that are wrong by themselves, if they are.
    """
    obtained = facts["outputs"][0]
    shown = {"last": function, "obtained": obtained}
    if facts["layers"] and not alone:
        expected = FUNCTIONS[function](facts["layers"][-1]["before"].astype(float))[0]
        if not close(obtained, expected):
            return CheckFailed({**shown, "expected": expected}, message)
    return CheckFailed(shown, alone or _sums_of(facts["outputs"]) or "form.output_function")


def _may_end_with(facts: dict[str, Any], function: str) -> bool:
    """Return whether the output layer may have this function, by all that is known of it."""
    if facts["layers"]:
        return function in activations(facts["layers"][-1])
    hidden = facts["guess"][:-1]
    # any function can be turned back then, and no known one leads to the outputs
    told = facts["guess"] and all(map(activations, hidden)) and _are_between(facts["outputs"])
    return not told and _are_probabilities(facts["outputs"])


def _are_between(outputs: Array) -> bool:
    """Return whether all outputs are well between 0 and 1."""
    return bool((abs(outputs - 0.5) < 0.5 - SMALL).all())


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
    last, is_column = last_of(shape), facts["shape"] == facts["outputs"].shape
    is_default = plain["layers"] and last in activations(plain["layers"][-1])
    if is_default and is_column:
        _require_last_function(facts, numOutputs, last)


@check("build_class_ann.transfer_functions.not_on_the_output")
@for_all(2, numOutputs=lambda draw: draw.in_turn(1, 3))
def transfer_functions_not_on_the_output(solution: Solution, numOutputs: int) -> None:
    shape: Shape = (3, [4], numOutputs)
    facts, last = _build(solution, shape, ["tanh"]), last_of(shape)
    _require_size_of_outputs(facts, numOutputs)
    used = activations(facts["layers"][-1]) if facts["layers"] else []
    if "identity" not in used and not _may_end_with(facts, last):
        own = "build_class_ann.transfer_functions.not_on_the_output"
        alone = None if "tanh" in used else _sums_of(facts["outputs"])
        raise _of_another_function(facts, last, own, alone)


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
    first, second = (
        [layer["weight"] for layer in _with_own_weights(facts)] for facts in (one, other)
    )
    for one, other in zip(first, second, strict=False):
        same = one.shape == other.shape and _are_alike(one, other)
        require(not same, obtained=one[0])
    for weight in first:
        # neurons that start alike stay alike
        twins = [sum(_are_alike(row, other) for other in weight) > 1 for row in weight]
        equal = weight.size > 0 and all(twins)
        require(not equal, message="build_class_ann.random_weights.equal", obtained=weight[0])
    for one, other in pairwise(first):
        repeated = one.shape == other.shape and _are_alike(one, other)
        require(not repeated, message="build_class_ann.random_weights.layers", obtained=one[0])


def _are_alike(one: Array, other: Array) -> bool:
    """Return whether two arrays of weights are equal, up to rounding."""
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
    """Require that a call left its last argument, a list of `count` times one function, as it
    was.
    """
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
        expected=_listed(["tanh"] * count),
        # which functions these are is not known here
        obtained=_listed(["…"] * len(left)) if isinstance(left, list) else left,
    )


def _listed(names: Sequence[str]) -> Words:
    return Words(f"[{', '.join(names)}]")
