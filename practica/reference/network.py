"""The practice's network: an ordinary torch module that takes (N, attributes) and returns (N,
outputs).
"""

from __future__ import annotations

import copy
import itertools
import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from practica.reference.arguments import Singles, as_integer
from practica.reference.randomness import RandomState, as_generator

__all__ = [
    "ACTIVATIONS",
    "Activation",
    "Loss",
    "as_topology",
    "as_transfer_functions",
    "binary_crossentropy",
    "build_class_ann",
    "crossentropy",
    "glorot_uniform",
    "initial_parameters",
    "is_elementwise",
    "load_parameters",
    "loss_of",
    "name_of_activation",
    "squared_error",
]

TransferFunction: TypeAlias = "str | Callable[[Tensor], Tensor]"
# of outputs, targets and shares
Loss: TypeAlias = "Callable[[Tensor, Tensor, Tensor | None], Tensor]"

FLUX_EPSILON = 2.0**-23  # eps(Float32): what Flux adds inside its logarithms


def identity(x: Tensor) -> Tensor:
    """Return the input unchanged: the transfer function of a linear neuron."""
    return x


ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "sigmoid": torch.sigmoid,
    "tanh": torch.tanh,
    "relu": torch.relu,
    "identity": identity,
}


_SPELLINGS: dict[object, str] = {
    **{
        getattr(home, name): name
        for home in (torch, functional, Tensor)
        for name in ("sigmoid", "tanh", "relu")
    },
    **{
        nn.Sigmoid: "sigmoid",
        nn.Tanh: "tanh",
        nn.ReLU: "relu",
        nn.Identity: "identity",
        identity: "identity",
    },
}


_ELEMENTWISE: set[object] = {
    *_SPELLINGS,
    *(
        getattr(home, name)
        for home in (torch, functional, Tensor)
        for name in (
            *(
                "abs",
                "atan",
                "celu",
                "cos",
                "elu",
                "erf",
                "exp",
                "gelu",
                "hardshrink",
                "hardsigmoid",
                "hardswish",
            ),
            *(
                "hardtanh",
                "leaky_relu",
                "logsigmoid",
                "mish",
                "relu6",
                "selu",
                "silu",
                "sin",
                "softplus",
                "softshrink",
            ),
            *("softsign", "square", "tanhshrink"),
        )
        if hasattr(home, name)
    ),
    *(
        nn.CELU,
        nn.ELU,
        nn.GELU,
        nn.Hardshrink,
        nn.Hardsigmoid,
        nn.Hardswish,
        nn.Hardtanh,
        nn.LeakyReLU,
        nn.LogSigmoid,
    ),
    *(
        nn.Mish,
        nn.ReLU6,
        nn.SELU,
        nn.SiLU,
        nn.Softplus,
        nn.Softshrink,
        nn.Softsign,
        nn.Tanhshrink,
        nn.Threshold,
    ),
}


def name_of_activation(function: Callable[[Tensor], Tensor]) -> str | None:
    """Return the name of a function in `ACTIVATIONS`, whichever of torch's spellings it is; None
    for any other function.
    """
    return _SPELLINGS.get(_as_torch_knows_it(function))


def is_elementwise(function: Callable[[Tensor], Tensor]) -> bool:
    """Return whether a function is one of torch's that compute each element by itself, without
    parameters or chance.
    """
    return _as_torch_knows_it(function) in _ELEMENTWISE and not getattr(function, "inplace", False)


def _as_torch_knows_it(function: Callable[[Tensor], Tensor]) -> object:
    """Return what identifies a transfer function: a function itself, or the class of a module; None
    for a module with a hook or a `forward` of its own, which could look at all patterns.
    """
    if not isinstance(function, nn.Module):
        return function if isinstance(function, Hashable) else None
    if "forward" in vars(function) or any(
        value for name, value in vars(function).items() if name.endswith("_hooks")
    ):
        return None
    return type(function)


class Activation(nn.Module):
    """A transfer function as a layer, so that it can stand in a `torch.nn.Sequential`."""

    def __init__(self, function: Callable[[Tensor], Tensor]) -> None:
        super().__init__()
        self.function = function

    def forward(self, x: Tensor) -> Tensor:
        """Apply the function to every element."""
        return self.function(x)

    def extra_repr(self) -> str:
        """Name the function where the network is printed."""
        return getattr(self.function, "__name__", repr(self.function))


def build_class_ann(
    numInputs: int,
    topology: Sequence[int],
    numOutputs: int,
    *,
    transferFunctions: Sequence[TransferFunction] | None = None,
    random_state: RandomState = None,
) -> nn.Sequential:
    """Build a network to classify, with its initial weights.

    Parameters
    ----------
    numInputs : int, >= 1
        Attributes of a pattern.
    topology : sequence of int, each >= 1
        Neurons of each hidden layer; it may be empty.
    numOutputs : int, >= 1
        1 for two classes: a neuron with a sigmoid. Otherwise one neuron per class, with a softmax.
    transferFunctions : sequence of functions, one per hidden layer, optional
        Functions of a tensor such as `torch.tanh`, modules such as `torch.nn.ELU()`, or the names
        "sigmoid", "tanh", "relu", "identity". By default sigmoids. They never apply to the output
        layer.
    random_state : int, numpy.random.Generator, numpy.random.RandomState or None

    Returns
    -------
    ann : torch.nn.Sequential
        Takes a float32 tensor of shape (N, numInputs) and returns probabilities, shape (N,
        numOutputs).

    Raises
    ------
    ValueError
        If a size is below 1, or there is not one function per hidden layer.

    Notes
    -----
    Weights are Glorot-uniform and biases zero, as in Flux (torch's own default draws both from
    another distribution).

    References
    ----------
    Exercise 2, `buildClassANN`. X. Glorot and Y. Bengio, "Understanding the difficulty of training
    deep feedforward neural networks", AISTATS 2010.

    Examples
    --------
    >>> build_class_ann(4, [8], 3, random_state=1)
    Sequential(
      (0): Linear(in_features=4, out_features=8, bias=True)
      (1): Activation(sigmoid)
      (2): Linear(in_features=8, out_features=3, bias=True)
      (3): Softmax(dim=1)
    )
    """
    inputs = as_integer(numInputs, "numInputs", minimum=1)
    hidden = as_topology(topology)
    outputs = as_integer(numOutputs, "numOutputs", minimum=1)
    functions = [
        _as_layer(function) for function in as_transfer_functions(transferFunctions, hidden)
    ]
    functions.append(nn.Sigmoid() if outputs == 1 else nn.Softmax(dim=1))
    sizes = [inputs, *hidden, outputs]
    layers: list[nn.Module] = []
    for (fan_in, fan_out), function in zip(itertools.pairwise(sizes), functions, strict=True):
        # without torch's initial weights
        linear = nn.Linear(fan_in, fan_out, device="meta").to_empty(device="cpu")
        layers += [linear, function]
    ann = nn.Sequential(*layers)
    load_parameters(
        ann, map(torch.from_numpy, initial_parameters(sizes, as_generator(random_state)))
    )
    return ann


def initial_parameters(sizes: Sequence[int], generator: np.random.Generator) -> list[Singles]:
    """Draw the weights of each linear layer, (fan_out, fan_in), each followed by its biases, which
    are zero.
    """
    parameters = []
    for fan_in, fan_out in itertools.pairwise(sizes):
        parameters += [
            glorot_uniform(fan_in, fan_out, generator),
            np.zeros(fan_out, dtype=np.float32),
        ]
    return parameters


def load_parameters(ann: nn.Sequential, parameters: Iterable[Tensor]) -> None:
    """Give the linear layers of a network their weights and biases, in the order of
    `initial_parameters`.
    """
    own = (parameter for linear in [*ann][::2] for parameter in linear.parameters())
    with torch.no_grad():
        for parameter, value in zip(own, parameters, strict=True):
            parameter.copy_(value)


def glorot_uniform(fan_in: int, fan_out: int, generator: np.random.Generator) -> Singles:
    """Draw the weights of a layer, shape (fan_out, fan_in), from U[−x, x) with x = sqrt(6 / (fan_in
    + fan_out)).
    """
    draws = generator.random((fan_out, fan_in), dtype=np.float32)
    return (draws - np.float32(0.5)) * np.float32(math.sqrt(24 / (fan_in + fan_out)))


def _as_layer(function: Callable[[Tensor], Tensor]) -> nn.Module:
    # A module may have parameters of its own (PReLU): each network trains its own copy of them.
    return copy.deepcopy(function) if isinstance(function, nn.Module) else Activation(function)


def as_topology(topology: Iterable[int]) -> list[int]:
    """Return the sizes of the hidden layers as a list of ints >= 1."""
    unordered = isinstance(topology, str | bytes | set | frozenset | Mapping)
    if unordered or not hasattr(topology, "__iter__") or getattr(topology, "ndim", 1) != 1:
        raise TypeError(
            f"topology={topology!r} is a {type(topology).__name__}; it must be a list of integers"
        )
    return [
        as_integer(size, f"topology[{layer}]", minimum=1) for layer, size in enumerate(topology)
    ]


def as_transfer_functions(
    transferFunctions: Sequence[TransferFunction] | None, topology: Sequence[int]
) -> list[Callable[[Tensor], Tensor]]:
    """Return one function per hidden layer, sigmoids by default."""
    if transferFunctions is None:
        return [torch.sigmoid] * len(topology)
    if callable(transferFunctions) or isinstance(transferFunctions, str):
        raise TypeError(
            "transferFunctions is a single function; it must be a list with one for each hidden"
            " layer"
        )
    if isinstance(transferFunctions, set | frozenset | Mapping) or not isinstance(
        transferFunctions, Iterable
    ):
        kind = type(transferFunctions).__name__
        raise TypeError(
            f"transferFunctions is a {kind}; it must be a list with a function for each hidden"
            " layer"
        )
    transferFunctions = list(transferFunctions)
    if len(transferFunctions) != len(topology):
        raise ValueError(
            f"transferFunctions has {len(transferFunctions)} functions and topology {len(topology)}"
            " hidden layers; there must be one for each"
        )
    return [_as_function(function, layer) for layer, function in enumerate(transferFunctions)]


def _as_function(function: TransferFunction, layer: int) -> Callable[[Tensor], Tensor]:
    if isinstance(function, str):
        if function not in ACTIVATIONS:
            raise ValueError(
                f"transferFunctions[{layer}]={function!r} is unknown; it must be one of"
                f" {[*ACTIVATIONS]}"
            )
        return ACTIVATIONS[function]
    if not callable(function) or isinstance(function, type):
        raise TypeError(
            f"transferFunctions[{layer}]={function!r} must be a function of a tensor, or its name"
        )
    return function


def binary_crossentropy(outputs: Tensor, targets: Tensor, shares: Tensor | None = None) -> Tensor:
    """Return Flux's loss for two classes: the mean of −y·log(p + ε) − (1 − y)·log(1 − p + ε), ε =
    2⁻²³.

    The outputs are the probabilities p, not logits, and the targets y are 0 or 1, both of shape (N,
    1); unequal shapes are refused, since (N,) against (N, 1) would silently become N×N. The shares
    (N,) of the patterns add up to 1.

    >>> binary_crossentropy(torch.tensor([[0.5]]), torch.tensor([[1.0]]))
    tensor(0.6931)
    """
    _require_equal_shapes(outputs, targets)
    positive = targets * torch.log(outputs + FLUX_EPSILON)
    negative = (1 - targets) * torch.log(1 - outputs + FLUX_EPSILON)
    return _mean(-(positive + negative).flatten(), shares)


def crossentropy(outputs: Tensor, targets: Tensor, shares: Tensor | None = None) -> Tensor:
    """Return Flux's loss for three or more classes: the mean over patterns of −Σ y·log(p + ε), ε =
    2⁻²³.

    As `binary_crossentropy`, for outputs and one-hot targets of shape (N, C).

    >>> crossentropy(torch.tensor([[0.25, 0.25, 0.5]]), torch.tensor([[0.0, 0.0, 1.0]]))
    tensor(0.6931)
    """
    _require_equal_shapes(outputs, targets)
    return _mean(-(targets * torch.log(outputs + FLUX_EPSILON)).sum(dim=1), shares)


def squared_error(outputs: Tensor, targets: Tensor, shares: Tensor | None = None) -> Tensor:
    """Return the mean over patterns of the squared error, summed over the outputs of a linear
    layer. `shares`: as in `binary_crossentropy`.

    >>> squared_error(torch.tensor([[1.0], [2.0]]), torch.tensor([[1.0], [4.0]]))
    tensor(2.)
    """
    _require_equal_shapes(outputs, targets)
    return _mean(((outputs - targets) ** 2).sum(dim=1), shares)


def _mean(losses: Tensor, shares: Tensor | None) -> Tensor:
    return losses.mean() if shares is None else (shares * losses).sum()


def loss_of(numOutputs: int) -> Loss:
    """Return the loss of a network with so many outputs."""
    return binary_crossentropy if numOutputs == 1 else crossentropy


def _require_equal_shapes(outputs: Tensor, targets: Tensor) -> None:
    if outputs.shape != targets.shape:
        raise ValueError(
            f"outputs has shape {tuple(outputs.shape)} and targets {tuple(targets.shape)}; they"
            " must agree"
        )
