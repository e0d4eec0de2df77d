"""Networks of torch, which the student's file may have made: run, described, copied and changed."""

from __future__ import annotations

import contextlib
import copy
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from practica.inside.plain_data import Network, as_array, name_of_type


def outputs_of(network: Any, inputs: NDArray[Any]) -> Any:
    """Run a network on patterns, in the precision of its parameters."""
    torch = sys.modules.get("torch")
    if torch is None:
        return network(inputs.astype(np.float32))
    kind = torch.float32
    if hasattr(network, "parameters"):
        kind = next((parameter.dtype for parameter in network.parameters()), kind)
    with torch.no_grad():
        return network(torch.tensor(inputs, dtype=kind))


def facts_of(network: Any, inputs: NDArray[Any] | None, shaken: bool) -> dict[str, Any]:
    """Return the facts of a network; see `practica.inside.agent.Agent.describe`."""
    torch = sys.modules.get("torch")
    if torch is None or not issubclass(type(network), torch.nn.Module):
        return {"module": False, "class": name_of_type(network)}
    module = torch.nn.Module  # its methods are torch's, whatever the network's own are
    parameters = list(module.parameters(network))
    if shaken:
        restore = _shake(parameters)
        try:
            return facts_of(network, inputs, shaken=False)
        finally:
            restore()
    facts = {
        "module": True,
        "class": name_of_type(network),
        "parameters": sum(parameter.numel() for parameter in parameters),
        "trainable": sum(parameter.numel() for parameter in parameters if parameter.requires_grad),
        "dtype": str(parameters[0].dtype).removeprefix("torch.") if parameters else None,
        "shapes": [tuple(int(size) for size in parameter.shape) for parameter in parameters],
        "values": [as_array(parameter) for parameter in parameters],
    }
    if inputs is None:
        linear = next(
            (
                layer
                for layer in module.modules(network)
                if issubclass(type(layer), torch.nn.Linear)
            ),
            None,
        )
        width = (
            linear.in_features
            if linear
            else next((p.shape[-1] for p in parameters if p.ndim == 2), 1)
        )
        inputs = np.random.default_rng(0).normal(size=(16, width)).astype(np.float32)
    seen: list[tuple[Any, Any, Any]] = []

    def note(layer: Any, given: Any, out: Any) -> None:
        seen.append((layer, given[0], _linear(layer, given, out)))

    outputs = outputs_of(network, np.asarray(inputs))  # as it is for everybody
    hooks = [
        module.register_forward_hook(layer, note)
        for layer in module.modules(network)
        if issubclass(type(layer), torch.nn.Linear)
    ]
    try:
        outputs_of(network, np.asarray(inputs))
    finally:
        for hook in hooks:
            hook.remove()
    after = [given for _, given, _ in seen[1:]] + [outputs] * bool(seen)
    facts["inputs"], facts["outputs"] = np.asarray(inputs), as_array(outputs)
    facts["layers"] = [
        {
            "in": int(layer.in_features),
            "out": int(layer.out_features),
            "weight": as_array(layer.weight),
            "bias": None if layer.bias is None else as_array(layer.bias),
            "before": as_array(before),
            "after": as_array(reached),
        }
        for (layer, _, before), reached in zip(seen, after, strict=True)
    ]
    return facts


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
    """Copy a network, with what it keeps of a pass: tensors that were computed, which torch does
    not copy.
    """
    torch, computed = sys.modules.get("torch"), {}
    if torch is not None and issubclass(type(value), torch.nn.Module):
        for module in torch.nn.Module.modules(value):
            for kept in vars(module).values():
                if issubclass(type(kept), torch.Tensor) and not kept.is_leaf:
                    computed[id(kept)] = kept.detach()
    return copy.deepcopy(value, computed)


def tame(network: Any, seed: int) -> None:
    """Give a network small parameters (Glorot and Bengio's weights, with hidden layers), the same
    in each call.
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
    """Give parameters other values, by as much as what they are multiplied with allows.

    Return what restores them.
    """
    import torch

    draws, before = (
        np.random.default_rng(0),
        [parameter.detach().clone() for parameter in parameters],
    )

    def restore() -> None:
        with torch.no_grad():
            for parameter, values in zip(parameters, before, strict=True):
                parameter.copy_(values)

    with torch.no_grad():
        for parameter in parameters:
            change = draws.uniform(0.5, 1.0, tuple(parameter.shape)) / max(
                parameter.shape, default=1
            )
            parameter.add_(torch.tensor(change, dtype=parameter.dtype))
    return restore


def _linear(layer: Any, given: Any, out: Any) -> Any:
    """Compute the output of a linear layer, without the overrides of a student's own class."""
    import torch

    if type(layer).forward is torch.nn.Linear.forward:
        return out
    with contextlib.suppress(Exception), torch.no_grad():
        return torch.nn.functional.linear(given[0], layer.weight, layer.bias)
    return out


def torch_network(network: Network, functions: Sequence[Any]) -> Any:
    """Make a network of torch with these weights and functions."""
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
