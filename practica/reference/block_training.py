"""Train networks on a GPU, each by a block of threads: `block.cu`, compiled for the sizes of its
layers.

The epoch of a stack is some fifty operations of torch, each of which reads from memory what another
has written. Here all epochs of all networks are one launch, and a network stays in the shared
memory of its threads. `train_networks` has the meaning and the results of the one in
`batched_training`, up to float32 rounding, for classes, the four activations that have a name and
networks that fit the shared memory of a block. CuPy compiles and launches; without it, or for other
networks, the stack does the work.
"""

from __future__ import annotations

import collections
import dataclasses
import functools
import importlib.util
import itertools
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias, Unpack

import numpy as np
import torch
from numpy.typing import NDArray

from practica.reference.arguments import Array, Bools, Singles
from practica.reference.batched_training import NetworkPlan, TrainedNetwork
from practica.reference.network import TransferFunction, as_transfer_functions, name_of_activation
from practica.reference.training import (
    CheckedOptions,
    StoppingRule,
    TrainingOptions,
    require_finite_losses,
)

__all__ = ["Block", "block_for", "train_networks"]

_LOG = logging.getLogger(__name__)
_SOURCE = Path(__file__).with_name("block.cu")
_ACTIVATIONS = {"sigmoid": "SIGMOID", "tanh": "TANH", "relu": "RELU", "identity": "IDENTITY"}
_LANES, _ROW = 32, 36  # patterns of a warp, floats from row to row of its tile

# What registers hold without spilling: a pattern's values in a layer, and a lane's part of
# all weights.
_WIDEST_LAYER, _MOST_WEIGHTS = 64, 5_000

# The default call of a cross-validation has 500 networks, about four for each multiprocessor of a
# large GPU. The number is fixed, for that of the warps changes the last bits of a network, which
# must not depend on the others.
_BLOCKS_OF_A_MULTIPROCESSOR = 4

# while they train, the next ones are drawn, and those before them scored
NETWORKS_OF_A_LAUNCH = 128
_MOST_NUMBERS = 1 << 26  # in one launch: positions, or losses that are kept

Launcher: TypeAlias = (
    "Callable[[int, Sequence[Array | np.generic], Sequence[Array]], Callable[[], Sequence[Array]]]"
)


class Memory(NamedTuple):
    """The shared memory of a GPU in bytes: the most of a block, and that of a multiprocessor."""

    of_a_block: int
    of_a_multiprocessor: int


@dataclasses.dataclass(frozen=True)
class Block:
    """A block of threads that trains one network with layers of these sizes."""

    sizes: tuple[int, ...]  # attributes, hidden layers, outputs
    activations: tuple[str, ...]  # one for each hidden layer
    warps: int

    @property
    def threads(self) -> int:
        """Return the number of threads."""
        return self.warps * _LANES

    @functools.cached_property
    def layers(self) -> list[tuple[int, int]]:
        """Return the positions at which the weights and the biases of each layer begin, multiples
        of four.
        """
        starts, end = [], 0
        for fan_in, fan_out in itertools.pairwise(self.sizes):
            biases = end + _whole_fours(fan_in * fan_out)
            starts.append((end, biases))
            end = biases + _whole_fours(fan_out)
        return starts

    @property
    def parameters(self) -> int:
        """Return the number of parameters, with the padding between them."""
        return self.layers[-1][1] + _whole_fours(self.sizes[-1])

    @property
    def bytes(self) -> int:
        """Return the bytes of shared memory that the block takes."""
        tile = _ROW * (sum(self.sizes[:-1]) + sum(self.sizes[1:]))
        return 4 * (5 * self.parameters + _whole_fours(2 * self.warps) + self.warps * tile)

    @property
    def source(self) -> str:
        """Return the source `block.cu` with the constants of this network."""
        defined = {
            "SIZES": ", ".join(map(str, self.sizes)),
            "ACTIVATIONS": ", ".join(self.activations or ["IDENTITY"]),
            "WARPS": str(self.warps),
        }
        lines = [f"#define {name} {value}\n" for name, value in defined.items()]
        return "".join(lines) + _SOURCE.read_text(encoding="utf-8")


def _whole_fours(count: int) -> int:
    return -(-count // 4) * 4


def block_for(
    sizes: Sequence[int],
    transferFunctions: Sequence[TransferFunction] | None,
    patterns: int,
    memory: Memory | None,
    *,
    quantities: bool = False,
    weightDecay: float = 0.0,
) -> Block | None:
    """Return the block that trains such a network on so many patterns; None if no block can, so
    that a stack has to.

    A block predicts classes, and its weights do not decay. It has as many warps as leave room for
    four blocks in a multiprocessor, or as fit at all, up to eight.
    """
    names = [
        name_of_activation(function)
        for function in as_transfer_functions(transferFunctions, sizes[1:-1])
    ]
    weights = sum(fan_in * fan_out for fan_in, fan_out in itertools.pairwise(sizes))
    if memory is None or None in names or quantities or weightDecay:
        return None
    if max(sizes[1:]) > _WIDEST_LAYER or weights > _MOST_WEIGHTS:
        return None
    activations = tuple(_ACTIVATIONS[name] for name in names if name)
    useful = min(8, -(-patterns // _LANES))
    blocks = [
        Block(tuple(sizes), activations, warps) for warps in (8, 4, 2, 1) if warps <= max(1, useful)
    ]
    for limit in (memory.of_a_multiprocessor // _BLOCKS_OF_A_MULTIPROCESSOR, memory.of_a_block):
        for block in blocks:
            if block.bytes <= min(limit, memory.of_a_block):
                return block
    return None


@functools.cache
def shared_memory() -> Memory | None:
    """Return the sizes of the shared memory of this GPU; None, which is logged once, if CuPy is
    missing or does not work.
    """
    reason = "CuPy is not installed (practica[gpu])"
    if importlib.util.find_spec("cupy"):
        try:
            import cupy

            cupy.RawKernel('extern "C" __global__ void nothing() {}', "nothing").compile()
            attributes = cupy.cuda.Device().attributes
            return Memory(
                attributes["MaxSharedMemoryPerBlockOptin"],
                attributes["MaxSharedMemoryPerMultiprocessor"],
            )
        # an installation can lack any part of CUDA: each has an exception of its own
        except Exception as error:
            reason = f"CuPy does not work here ({error})"
    _LOG.warning("%s: torch trains the networks on the GPU, which takes longer", reason)
    return None


@functools.cache
def launcher(block: Block) -> Launcher:
    """Compile a block; return a function that starts the training of as many networks as it is
    given, and returns a function that waits for the results.
    """
    import cupy

    kernel = cupy.RawKernel(block.source, "train", options=("-std=c++17",))
    kernel.max_dynamic_shared_size_bytes = block.bytes

    def launch(
        networks: int, arguments: Sequence[Array | np.generic], results: Sequence[Array]
    ) -> Callable[[], Sequence[Array]]:
        stream = cupy.cuda.Stream(non_blocking=True)
        with stream:
            given = [
                cupy.asarray(each) if isinstance(each, np.ndarray) else each for each in arguments
            ]
            received = [cupy.empty(each.shape, each.dtype) for each in results]
            kernel((networks,), (block.threads,), (*given, *received), shared_mem=block.bytes)

        def wait() -> Sequence[Array]:
            fetched = [each.get(stream=stream) for each in received]
            given.clear()  # kept until here: the stream reads it
            return fetched

        return wait

    return launch


def train_networks(
    block: Block,
    plans: Iterable[NetworkPlan],
    targets: Bools,
    *,
    keep_losses: bool = False,
    **options: Unpack[TrainingOptions],
) -> Iterator[TrainedNetwork]:
    """Train networks, a launch of some after the other.

    The parameters are those of `batched_training.train_networks`.

    Yields
    ------
    TrainedNetwork
        In the order of the plans, each with its outputs for `plan.test`.
    """
    _, rule, rate, decay = CheckedOptions.of(block.sizes[1:-1], options)
    assert decay == 0, "a stack trains with weight decay"
    launch = launcher(block)
    classes = (targets.argmax(axis=1) if targets.shape[1] > 1 else targets[:, 0]).astype(np.uint8)
    size = max(
        1,
        min(NETWORKS_OF_A_LAUNCH, _MOST_NUMBERS // max(len(targets), rule.maxEpochs * keep_losses)),
    )
    queue = enumerate(plans)
    under_way: collections.deque[Callable[[], Iterator[TrainedNetwork]]] = collections.deque()
    while chunk := list(itertools.islice(queue, size)):
        under_way.append(_launched(launch, block, chunk, classes, rule, rate, keep_losses))
        if len(under_way) > 1:
            yield from under_way.popleft()()
    for results in under_way:
        yield from results()


def _launched(
    launch: Launcher,
    block: Block,
    chunk: Sequence[tuple[int, NetworkPlan]],
    classes: NDArray[np.uint8],
    rule: StoppingRule,
    rate: float,
    keep_losses: bool,
) -> Callable[[], Iterator[TrainedNetwork]]:
    """Start the training of a chunk of networks on the GPU; return the function that waits for
    their results.
    """
    plans, count = [plan for _, plan in chunk], len(chunk)
    inputs, which = _distinct_inputs(plans)
    shapes = np.array(
        [
            [at, *map(len, (plan.training, plan.validation, plan.test))]
            for at, plan in zip(which, plans, strict=True)
        ],
        dtype=np.int32,
    )
    most, most_tests = max(1, int(shapes[:, 1:].sum(axis=1).max())), max(1, int(shapes[:, 3].max()))
    positions, shares = (
        np.zeros((count, most), dtype=np.int32),
        np.zeros((count, most), dtype=np.float32),
    )
    initial = np.zeros((count, block.parameters), dtype=np.float32)
    for plan, row, in_loss, parameters in zip(plans, positions, shares, initial, strict=True):
        sets = plan.training, plan.validation, plan.test
        row[: sum(map(len, sets))] = np.concatenate(sets)
        known = np.concatenate([plan.shares(patterns) for patterns in sets[:2] if len(patterns)])
        in_loss[: len(known)] = known
        drawn = iter(plan.initial_parameters(block.sizes))
        for (weights, biases), weight, bias in zip(block.layers, drawn, drawn, strict=True):
            parameters[weights : weights + weight.size] = weight.T.ravel()
            parameters[biases : biases + bias.size] = bias
    epochs = min(rule.maxEpochs, 2**30)
    results: list[Array] = [
        np.empty_like(initial),
        np.empty((count, most_tests, block.sizes[-1]), dtype=np.float32),
        np.empty((count, epochs + 1 if keep_losses else 0, 2), dtype=np.float32),
        np.empty((count, 2), dtype=np.int32),
        np.empty((count, 2), dtype=np.float32),
    ]
    arguments: list[Array | np.generic] = [
        *(
            _padded(inputs),
            classes,
            np.int32(len(classes)),
            shapes,
            positions,
            shares,
            np.int32(most),
        ),
        *(
            initial,
            np.int32(most_tests),
            np.int32(epochs),
            np.float64(rule.minLoss),
            np.float64(rate),
        ),
        *(np.int32(min(rule.maxEpochsVal, 2**30)), np.int32(keep_losses)),
    ]
    wait = launch(count, arguments, results)

    def trained() -> Iterator[TrainedNetwork]:
        for (position, plan), best, outputs, losses, (best_epoch, end), last in zip(
            chunk, *wait(), strict=True
        ):
            require_finite_losses(last.tolist(), int(end), rate, plan.name)
            yield TrainedNetwork(
                position,
                _parameters_of(block, best),
                int(best_epoch),
                int(end),
                losses[: int(end) + 1],
                outputs[: len(plan.test)],
            )

    return trained


def _distinct_inputs(plans: Sequence[NetworkPlan]) -> tuple[list[Singles], list[int]]:
    """Return the different inputs of all plans, and the number of the inputs of each plan: a fold
    may have its own normalization.
    """
    numbers: dict[int, int] = {}
    which = [numbers.setdefault(id(plan.inputs), len(numbers)) for plan in plans]
    return [plans[which.index(number)].inputs for number in numbers.values()], which


def _padded(inputs: Sequence[Singles]) -> Singles:
    """Return F inputs, (N, L) each, as one array, (F, N, M): M is L rounded up to a multiple of
    four, and the columns from L on are 0.
    """
    N, L = inputs[0].shape
    stacked = np.zeros((len(inputs), N, _whole_fours(L)), dtype=np.float32)
    for place, each in zip(stacked, inputs, strict=True):
        place[:, :L] = each
    return stacked


def _parameters_of(block: Block, row: Singles) -> list[torch.Tensor]:
    """Cut the parameters of a network into the weights and biases of its layers."""
    parts = []
    for (weights, biases), (fan_in, fan_out) in zip(
        block.layers, itertools.pairwise(block.sizes), strict=True
    ):
        parts.append(
            torch.from_numpy(row[weights : weights + fan_in * fan_out].reshape(fan_in, fan_out)).T
        )
        parts.append(torch.from_numpy(row[biases : biases + fan_out]))
    return parts
