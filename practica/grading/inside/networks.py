"""Networks of torch, which the student's file may have made: run, described, copied and changed."""

from __future__ import annotations

import contextlib
import copy
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from practica.grading.inside.plain_data import Array, Network, as_array, name_of_type


def outputs_of(network: Any, inputs: Array, kind: Any = None) -> Any:
    """Run a network on patterns, in a precision: by default, that of its parameters."""
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
        restore = _shake(parameters)
        try:
            return facts_of(network, inputs, shaken=False, alone=alone)
        finally:
            restore()
    return {
        "module": True,
        "class": name_of_type(network),
        "single": _takes_single(network, inputs),
        "values": [as_array(parameter) for parameter in parameters],
        "outputs": as_array(outputs),
        "steps": _steps(network, inputs, len(inputs) if alone else 2) or [as_array(outputs)],
    }


def _takes_single(network: Any, inputs: Array) -> bool:
    """Return whether a network, which takes patterns in its own precision, takes them in single."""
    import torch

    if _kind_of(network) != torch.float32:
        try:
            outputs_of(network, inputs, torch.float32)
        except Exception:  # whatever it is, its own precision does not raise it
            return False
    return True


def _steps(network: Any, inputs: Array, count: int) -> list[Array]:
    """Return the arrays that a network computes from patterns, its outputs last.

    They have a row for each pattern, and are in double precision where the network can be. So many
    groups of patterns go through one after the other, so that what depends on the others of a group
    is not linear in what it is computed from. Nothing is left of a network that cannot run so.
    """
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode

    found: list[Array] = []
    groups, size = np.array_split(inputs, count), 0

    def note(made: Any) -> None:
        for each in made if type(made) in (tuple, list) else [made]:
            if issubclass(type(each), torch.Tensor):  # what is computed in place comes again
                found.extend(_with_rows(as_array(each).copy(), size))

    class Noting(TorchDispatchMode):  # type: ignore[no-untyped-call]
        """Notes what each operation of torch returns."""

        def __torch_dispatch__(
            self, operation: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            made = operation(*args, **(kwargs or {}))
            note(made)
            return made

    noting: Any = Noting
    for exact in True, False:
        with contextlib.suppress(Exception):
            run = copied(network).double() if exact else network
            of_groups = []
            for group in groups:
                size = len(group)
                with noting():
                    last = outputs_of(run, group)
                of_groups.append([*found, as_array(last).reshape(len(group), -1)])
                found.clear()
            return [np.concatenate(parts) for parts in zip(*of_groups, strict=True)]
        found.clear()
    return []


def _with_rows(array: Array, N: int) -> list[Array]:
    """Return an array with each of its axes of length N as that of its rows, and all others as that
    of its columns; as one row, where that is N.
    """
    if N == 1:
        return [array.reshape(1, -1)]
    axes = [axis for axis, length in enumerate(array.shape) if length == N]
    return [np.moveaxis(array, axis, 0).reshape(N, -1) for axis in axes]


def torch_function(name: str) -> Any:
    """Return the function of torch that a `Function` names."""
    import torch

    table: dict[str, Any] = {
        "sigmoid": torch.sigmoid,
        "tanh": torch.tanh,
        "relu": torch.relu,
        "identity": _identity,
        "softplus": torch.nn.functional.softplus,
        "sin": torch.sin,
        "square": torch.square,
    }
    return table[name]


def _identity(x: Any) -> Any:
    return x


def copied(value: Any) -> Any:
    """Copy a network with the tensors that it kept from a pass, which torch does not copy."""
    torch, computed = sys.modules.get("torch"), {}
    if torch is not None and issubclass(type(value), torch.nn.Module):
        for module in torch.nn.Module.modules(value):
            for kept in vars(module).values():
                if issubclass(type(kept), torch.Tensor) and not kept.is_leaf:
                    computed[id(kept)] = kept.detach()
    return copy.deepcopy(value, computed)


def tame(network: Any, seed: int) -> None:
    """Give a network small parameters, Glorot's where it has hidden layers, that depend on nothing
    but the seed.
    """
    torch = sys.modules.get("torch")
    if torch is None or not issubclass(type(network), torch.nn.Module):
        return
    draws, parameters = np.random.default_rng(seed), list(torch.nn.Module.parameters(network))
    with torch.no_grad():
        for parameter in parameters:
            size = tuple(parameter.shape)
            scale = (
                (0.1 if len(parameters) <= 2 else (6 / max(sum(size), 1)) ** 0.5)
                if len(size) > 1
                else 0.05
            )
            parameter.copy_(torch.tensor(draws.uniform(-scale, scale, size)))


def _shake(parameters: Sequence[Any]) -> Callable[[], None]:
    """Give parameters other values, from 0.5 to 1 with either sign, which saturate few functions.

    Return a function that restores the old ones.
    """
    import torch

    draws = np.random.default_rng(0)
    before = [parameter.detach().clone() for parameter in parameters]

    def put(values: Sequence[Any]) -> None:
        with torch.no_grad():
            for parameter, value in zip(parameters, values, strict=True):
                parameter.copy_(value)

    drawn = [draws.uniform(0.5, 1.0, (2, *each.shape)) for each in parameters]
    put([torch.tensor(np.where(sign < 0.75, -size, size)) for sign, size in drawn])
    return lambda: put(before)


def torch_network(network: Network, functions: Sequence[Any]) -> Any:
    """Build a network of torch from the weights of a `Network` and its functions."""
    import torch

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
            last = torch.nn.Softmax(dim=1)
        case _:
            last = torch.nn.Identity()
    return torch.nn.Sequential(*modules[:-1], last)
