"""Transfer functions of a stack of networks, in place: [S, units, N], patterns contiguous."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

from practica.reference.network import name_of_activation

__all__ = ["InPlace", "in_place"]


class InPlace(NamedTuple):
    """A transfer function in place: `forward_` replaces the sums by the outputs, and `backward_`
    the gradients of the outputs by those of the sums.
    """

    forward_: Callable[[Tensor], object]
    backward_: Callable[[Tensor, Tensor], object]


def _tanh_(sums: Tensor) -> None:
    if sums.device.type == "cpu":
        sums.mul_(2).sigmoid_().mul_(2).sub_(1)  # torch's own tanh takes ten times as long
    else:
        sums.tanh_()


def _gradient_of_torch(name: str) -> Callable[[Tensor, Tensor], object]:
    """Return torch's own gradient of the function `name`, computed from its outputs; it has no
    public name.
    """
    operator = getattr(getattr(torch.ops.aten, f"{name}_backward", None), "grad_input", None)
    assert operator is not None, (
        f"torch {torch.__version__} has no aten.{name}_backward.grad_input: write this gradient out"
        f" in {__name__}"
    )
    return lambda delta, out: operator(delta, out, grad_input=delta)


_KNOWN: dict[str | None, InPlace] = {
    "sigmoid": InPlace(Tensor.sigmoid_, _gradient_of_torch("sigmoid")),
    "tanh": InPlace(_tanh_, _gradient_of_torch("tanh")),
    "relu": InPlace(Tensor.relu_, lambda delta, out: delta.mul_(out > 0)),
    "identity": InPlace(lambda sums: None, lambda delta, out: None),
}


def in_place(function: Callable[[Tensor], Tensor]) -> InPlace:
    """Return a transfer function in place, with a gradient of its own if it is a known function."""
    return _KNOWN.get(name_of_activation(function)) or _of_the_user(function)


def _of_the_user(function: Callable[[Tensor], Tensor]) -> InPlace:
    """Return the in-place form of a user's function, which is written for one network with patterns
    in rows; autograd finds its gradient.
    """
    of_all_networks = torch.vmap(function, randomness="different")
    graph: list[Tensor] = []

    def forward_(sums: Tensor) -> None:
        with torch.enable_grad():
            before = sums.detach().clone().requires_grad_()
            after = of_all_networks(before.transpose(1, 2)).transpose(1, 2)
        graph[:] = [before, after]
        sums.copy_(after.detach())

    def backward_(delta: Tensor, _: Tensor) -> None:
        before, after = graph
        delta.copy_(torch.autograd.grad(after, before, delta)[0])

    return InPlace(forward_, backward_)
