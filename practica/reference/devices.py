"""Choice of the device that trains the networks of a cross-validation: the one that would take less time.

The time is a sum of terms, for R networks of w weights and u neurons on N patterns, E epochs each, as if no training
stopped early:

    processors    R, R·N (drawing and scoring, in one thread of Python), R·E·w·N / workers, R·E·u·N / workers
    a GPU         R, R·N, E (launches of a stack), R·E (epochs of a block), R·E·w·N

Each term has a constant, in seconds, which `scripts/bench_gpu.py` fits to calls that it times.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import torch

from practica.reference.batched_training import can_be_batched
from practica.reference.block_training import Block, block_for, shared_memory
from practica.reference.compiled_training import can_be_compiled
from practica.reference.network import TransferFunction

__all__ = [
    "Work",
    "as_device",
    "block_of",
    "seconds_on_a_gpu",
    "seconds_on_processors",
    "terms_on_a_gpu",
    "terms_on_processors",
]

# Seconds that were measured on an H100 with 16 and with 2 processors, and in brackets those of the sums below. Those of
# the stack are a call of one epoch (0.27, 0.32, 0.14, 0.21) plus the training of a prototype that replays its epochs as
# a graph (0.13, 0.10, 0.12, 0.17).
#
#     networks            R × E         stack          16 processors    2 processors
#     Iris                500 × 1000    0.40 (0.42)    0.22 (0.21)      0.42 (0.42)
#     breast cancer       500 × 300     0.42 (0.37)    0.34 (0.37)      1.65 (1.51)
#     digits              200 × 200     0.26 (0.24)    0.67 (0.55)      3.31 (3.50)
#     20 000 × 50         100 × 30      0.38 (0.40)    1.17 (1.16)      6.60 (6.85)
#
# No whole call with graphs or blocks has been measured yet. The constants of a block's epochs are those of a prototype,
# too (3.4, 16 and 43 ms for the first three rows). Drawing and scoring for blocks took 79 to 214 µs a network on a
# machine where the processors' took 241 to 492, and is put in proportion to theirs.
PROCESSORS = (3.3e-4, 1.6e-7, 3.2e-11, 4.3e-10)
STACK = (5.8e-4, 7.1e-8, 1.25e-4, 0.0, 4.6e-13)
BLOCKS = (1.3e-4, 5e-8, 0.0, 5e-9, 2.5e-13)

MULTIPROCESSORS = 132  # of the H100; another GPU is taken to be as much faster or slower as it has more or fewer
WITHOUT_THE_KERNEL = 4  # times as long: 2.4 to 4.9 in scripts/README.md
LEAST_SAVING = 0.1  # seconds: less is not worth the start of CUDA, a second or two once in a process


class Work(NamedTuple):
    """The networks of a cross-validation, and how many workers would train them on processors."""

    sizes: Sequence[int]  # attributes, hidden layers, outputs
    transferFunctions: Sequence[TransferFunction] | None
    patterns: int
    networks: int
    epochs: int
    workers: int
    quantities: bool = False  # whether they predict these, and no classes
    weightDecay: float = 0.0

    @property
    def products(self) -> int:
        """Return weights × patterns."""
        return self.patterns * sum(fan_in * fan_out for fan_in, fan_out in itertools.pairwise(self.sizes))


def terms_on_processors(work: Work) -> tuple[float, ...]:
    """Return the terms of the time that the workers would take."""
    R, N = work.networks, work.patterns
    turns = R * work.epochs / min(work.workers, R)
    return R, R * N, turns * work.products, turns * N * sum(work.sizes[1:])


def terms_on_a_gpu(work: Work, multiprocessors: int) -> tuple[float, ...]:
    """Return the terms of the time that a GPU would take; fewer networks than multiprocessors leave some idle."""
    R, N, E = work.networks, work.patterns, work.epochs
    epochs = E * max(R, multiprocessors) * MULTIPROCESSORS / multiprocessors
    return R, R * N, E, epochs, epochs * work.products


def seconds_on_processors(work: Work) -> float:
    """Return what the workers would take."""
    slower = 1 if can_be_compiled(work.transferFunctions, work.sizes[1:-1]) else WITHOUT_THE_KERNEL
    drawing_and_scoring, training = PROCESSORS[:2], [slower * constant for constant in PROCESSORS[2:]]
    return _sum((*drawing_and_scoring, *training), terms_on_processors(work))


def block_of(work: Work) -> Block | None:
    """Return the block that would train these networks on this GPU; None where a stack would."""
    return block_for(
        work.sizes,
        work.transferFunctions,
        work.patterns,
        shared_memory(),
        quantities=work.quantities,
        weightDecay=work.weightDecay,
    )


def seconds_on_a_gpu(work: Work, *, multiprocessors: int, in_blocks: bool) -> float:
    """Return what a GPU would take: blocks of threads, or torch's stack."""
    return _sum(BLOCKS if in_blocks else STACK, terms_on_a_gpu(work, multiprocessors))


def _sum(constants: Sequence[float], terms: Sequence[float]) -> float:
    return sum(constant * term for constant, term in zip(constants, terms, strict=True))


def as_device(device: str, work: Work | None = None) -> str:
    """Return "cpu" or "cuda"; "auto" is a GPU where there is one and the work is worth it.

    Networks with transfer functions other than torch's elementwise ones are trained on processors, whatever the device.
    """
    if device not in ("auto", "cpu", "cuda"):
        raise ValueError(f"device={device!r} is unknown; it must be 'auto', 'cpu' or 'cuda'")
    if device == "cuda" and not torch.cuda.is_available():
        raise ValueError("device='cuda': torch finds no GPU here; use 'cpu' or 'auto'")
    if work is not None and not can_be_batched(work.transferFunctions):
        return "cpu"  # the loop
    if device == "auto":
        return "cuda" if work is not None and torch.cuda.is_available() and _is_worth_a_gpu(work) else "cpu"
    return device


def _is_worth_a_gpu(work: Work) -> bool:
    processors = seconds_on_processors(work)
    if processors <= LEAST_SAVING:
        return False
    in_blocks = block_of(work) is not None
    multiprocessors = torch.cuda.get_device_properties(torch.cuda.current_device()).multi_processor_count
    gpu = seconds_on_a_gpu(work, multiprocessors=multiprocessors, in_blocks=in_blocks)
    return gpu + LEAST_SAVING < processors
