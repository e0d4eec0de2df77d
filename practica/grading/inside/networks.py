"""Networks of torch, which the student's file may have made: run, described, copied and changed."""

from __future__ import annotations

import contextlib
import copy
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from practica.grading.inside.plain_data import Array, Network, as_array, name_of_type


def outputs_of(network: Any, inputs: Array, kind: Any = None) -> Any:
    """Return the outputs of a network for patterns.

    `kind`: the dtype of torch in which it gets them; by default, that of its parameters.
    """
    torch = sys.modules.get("torch")
    if torch is None:
        return network(inputs.astype(np.float32))
    with torch.no_grad():
        return network(torch.tensor(inputs, dtype=kind or _kind_of(network)))


def _kind_of(network: Any) -> Any:
    """Return the precision of a network's parameters, single if it has none."""
    import torch

    parameters = network.parameters() if hasattr(network, "parameters") else ()
    return next((parameter.dtype for parameter in parameters), torch.float32)


def facts_of(network: Any, inputs: Array, shaken: bool, alone: bool) -> dict[str, Any]:
    """Return the facts of a network; see `practica.grading.inside.agent.Agent.describe`."""
    torch = sys.modules.get("torch")
    if torch is None or not issubclass(type(network), torch.nn.Module):
        return {"module": False, "class": name_of_type(network)}
    outputs = outputs_of(network, inputs)  # the same for everybody; lazy parameters are there now
    parameters = list(torch.nn.Module.parameters(network))
    if shaken:
        before = _put(parameters, _shaken(parameters))
        try:
            return facts_of(network, inputs, shaken=False, alone=alone)
        finally:
            _put(parameters, before)
    return {
        "module": True,
        "class": name_of_type(network),
        "single": _takes_single(network, inputs),
        "values": [as_array(parameter) for parameter in parameters],
        "outputs": as_array(outputs),
        "steps": _steps(network, inputs, len(inputs) if alone else 2) or [as_array(outputs)],
    }


def _takes_single(network: Any, inputs: Array) -> bool:
    """Return whether a network, which takes patterns in its own precision, also takes them in
    single precision.
    """
    import torch

    if _kind_of(network) != torch.float32:
        try:
            outputs_of(network, inputs, torch.float32)
        except Exception:  # whatever it is, its own precision does not raise it
            return False
    return True


def _steps(network: Any, inputs: Array, count: int) -> list[Array]:
    """Return the arrays that a network computes from patterns, its outputs last; none if it cannot
    run in this way.

    They have a row for each pattern, and are in double precision where the network can be.

    `count`: in how many groups the patterns go through the network, one after the other, so that
        what depends on the other patterns of a group is not linear in what it is computed from.
    """
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode

    found: list[Array] = []
    groups, size = np.array_split(inputs, count), 0

    def note(made: Any) -> None:
        for each in made if type(made) in (tuple, list) else [made]:
            if issubclass(type(each), torch.Tensor):
                found.extend(_with_rows(as_array(each), size))

    class Noting(TorchDispatchMode):  # type: ignore[no-untyped-call]
        """A mode of torch in which the result of each operation is recorded."""

        def __torch_dispatch__(
            self, operation: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            made = operation(*args, **(kwargs or {}))
            note(made)
            return made

    noting: Any = Noting
    for precision in _in_double(network), contextlib.nullcontext():
        with contextlib.suppress(Exception), precision:
            of_groups = []
            for group in groups:
                size = len(group)
                with noting():
                    last = outputs_of(network, group)
                of_groups.append([*found, as_array(last).reshape(len(group), -1)])
                found.clear()
            return [np.concatenate(parts) for parts in zip(*of_groups, strict=True)]
        found.clear()
    return []


@contextlib.contextmanager
def _in_double(network: Any) -> Iterator[None]:
    """Convert the parameters and buffers of a network to double precision for the block."""
    import torch

    module = torch.nn.Module
    numbers = [*module.parameters(network), *module.buffers(network)]
    before = [(each, each.data) for each in numbers if each.is_floating_point()]
    try:
        for each, data in before:
            each.data = data.double()
        yield
    finally:
        for each, data in before:
            each.data = data


def _with_rows(array: Array, N: int) -> list[Array]:
    """Return an array once for each axis of length N, with that axis as rows and all others as
    columns; for N = 1, as one row.
    """
    axes = [axis for axis, length in enumerate(array.shape) if length == N]
    if N == 1:
        axes, array = [0], array.reshape(1, -1)
    turned = (np.moveaxis(array, axis, 0) if axis else array for axis in axes)
    return [each.reshape(N, -1).copy() for each in turned]


def torch_function(name: str) -> Any:
    """Return the function of torch that a `Function` names."""
    import torch

    elsewhere = {"identity": _identity, "softplus": torch.nn.functional.softplus}
    return elsewhere.get(name) or getattr(torch, name)


def _identity(x: Any) -> Any:
    return x


def copied(value: Any) -> Any:
    """Return a deep copy of a value; of a network, also the tensors that it kept from a pass, which
    torch does not copy.
    """
    torch, computed = sys.modules.get("torch"), {}
    if torch is not None and issubclass(type(value), torch.nn.Module):
        for module in torch.nn.Module.modules(value):
            for kept in vars(module).values():
                if issubclass(type(kept), torch.Tensor) and not kept.is_leaf:
                    computed[id(kept)] = kept.detach()
    return copy.deepcopy(value, computed)


def tame(network: Any, seed: int) -> None:
    """Give a network small parameters that depend only on the seed: Glorot's, if it has hidden
    layers.
    """
    torch = sys.modules.get("torch")
    if torch is None or not issubclass(type(network), torch.nn.Module):
        return
    draws, parameters = np.random.default_rng(seed), list(torch.nn.Module.parameters(network))
    is_single = len(parameters) <= 2
    values = []
    for parameter in parameters:
        size = tuple(parameter.shape)
        weight = 0.1 if is_single else (6 / max(sum(size), 1)) ** 0.5
        scale = weight if len(size) > 1 else 0.05
        values.append(draws.uniform(-scale, scale, size))
    _put(parameters, values)


def _put(parameters: Sequence[Any], values: Iterable[Any]) -> list[Any]:
    """Give parameters other values, and return those that they had."""
    import torch

    before = [parameter.detach().clone() for parameter in parameters]
    with torch.no_grad():
        for parameter, value in zip(parameters, values, strict=True):
            parameter.copy_(torch.as_tensor(value))
    return before


def _shaken(parameters: Sequence[Any]) -> list[Array]:
    """Return other values for parameters, from 0.5 to 1 with either sign, which saturate few
    functions.
    """
    draws = np.random.default_rng(0)
    drawn = [draws.uniform(0.5, 1.0, (2, *each.shape)) for each in parameters]
    return [np.where(sign < 0.75, -size, size) for sign, size in drawn]


def filled(own: Any, right: Any) -> Any:
    """Give the student's network the weights of a right one, and return it. It keeps its own
    weights if its outputs would not be finite. If it has another number of weights, return the
    right network instead, as `dressed` does.
    """
    import torch

    parameters = list(torch.nn.Module.parameters(own))
    weights = np.concatenate([as_array(each).ravel() for each in right.parameters()])
    ends = np.cumsum([each.numel() for each in parameters], dtype=int)
    if not parameters or ends[-1] != len(weights):
        return dressed(right.requires_grad_(any(each.requires_grad for each in parameters)), own)
    parts = zip(np.split(weights, ends), parameters, strict=False)
    before = _put(parameters, [values.reshape(each.shape) for values, each in parts])
    inputs = np.linspace(-2, 2, 3 * right[0].in_features).reshape(3, -1)
    try:
        is_finite = bool(np.isfinite(as_array(outputs_of(own, inputs))).all())
    except Exception:
        is_finite = False
    if not is_finite:
        _put(parameters, before)
    return own


def dressed(right: Any, own: Any) -> Any:
    """Return a right network as an object of the class of the student's network `own`, with the
    attributes and methods of that one and numbers as precise as its own.
    """
    import torch

    kind = type(own)
    if not issubclass(kind, torch.nn.Module):
        return right
    module = torch.nn.Module
    right = right.to(next((each.dtype for each in module.parameters(own)), torch.float32))
    if kind.__module__.partition(".")[0] == "torch":
        vars(right).update(vars(own) | vars(right))
        return right

    def forward(self: Any, x: Any) -> Any:
        return self._modules["right"](x)

    methods = {"forward": forward, "__call__": module.__call__}
    network: Any = object.__new__(type(kind.__name__, (kind,), methods))
    vars(network).update(vars(own) | vars(module()) | {"_modules": {"right": right}})
    return network


def torch_network(network: Network, functions: Sequence[Any]) -> Any:
    """Build a network of torch from the weights of a `Network`.

    `functions`: those of the hidden layers, in order; a hidden layer without one gets a sigmoid.

    A student's own network may accept arrays, a single pattern, and numbers of any precision. So
    does this one, and its outputs have the precision of the numbers.
    """
    import torch

    class Sequential(torch.nn.Sequential):
        """A sequence of modules that takes numbers of any precision."""

        def forward(self, x: Any) -> Any:
            given = torch.as_tensor(x)
            outputs = given.to(_kind_of(self))
            for module in self:
                outputs = module(outputs)
            return outputs.to(given.dtype) if given.is_floating_point() else outputs

    class Applied(torch.nn.Module):
        """A plain function as a module of torch."""

        def __init__(self, function: Callable[..., Any]) -> None:
            super().__init__()
            self.function = function

        def forward(self, x: Any) -> Any:
            return self.function(x)

    between = [
        each if issubclass(type(each), torch.nn.Module) else Applied(each) for each in functions
    ]
    modules: list[torch.nn.Module] = []
    for number, (weight, bias) in enumerate([*network.hidden, [network.weight, network.bias]]):
        layer = torch.nn.Linear(weight.shape[1], weight.shape[0])
        with torch.no_grad():
            layer.weight.copy_(torch.tensor(np.asarray(weight), dtype=torch.float32))
            layer.bias.copy_(torch.tensor(np.asarray(bias), dtype=torch.float32))
        modules += [layer, between[number] if number < len(between) else torch.nn.Sigmoid()]
    match network.activation:
        case "sigmoid":
            last: torch.nn.Module = torch.nn.Sigmoid()
        case "softmax":
            last = torch.nn.Softmax(dim=-1)
        case _:
            last = torch.nn.Identity()
    return Sequential(*modules[:-1], last)
