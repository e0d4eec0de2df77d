#!/usr/bin/env python
"""Checks and times of `ann_cross_validation` on a GPU: by blocks, in a stack, and on the
processors.

    .venv/bin/python scripts/bench_gpu.py        less than two minutes with an H200 and 16
                                                 processors
    PYTHONPATH=. python3 scripts/bench_gpu.py    the same without an installation, where Python has
                                                 the libraries

It needs torch for CUDA and, for blocks, CuPy; without a GPU it times the processors only. First the
losses of some networks in blocks of threads, and in a stack, are compared with those in C, epoch by
epoch; then come the scores of all 1 300 networks, and the times. The devices take turns, and the
fastest call of each counts. No training stops early. Where JAX is installed and sees the GPU, it
trains the same networks, its compilation not counted. The tables are Markdown. What fails is NaN,
with its reason on stderr.
"""

from __future__ import annotations

import importlib.util
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from unittest import mock

import _installed  # noqa: F401 - it says what to do first
import joblib
import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, make_classification
from sklearn.preprocessing import StandardScaler

from practica.reference import batched_training, block_training, trainers
from practica.reference.batched_training import TrainedNetwork
from practica.reference.block_training import Block, Launcher, Memory, block_for, shared_memory
from practica.reference.compiled_training import kernel
from practica.reference.compiled_training import train_networks as train_compiled
from practica.reference.cross_validation import ann_cross_validation
from practica.reference.encoding import one_hot_encoding
from practica.reference.network import initial_parameters
from practica.reference.partition import crossvalidation
from practica.reference.randomness import SeedTree
from practica.reference.trainers import plan_network
from practica.reference.training import TrainingOptions

ROUNDS = 3
SECONDS_OF_A_ROW = 15  # after which no other round begins
FOLDS = 10
Result = TypeVar("Result")


class Data(NamedTuple):
    """A row of the tables."""

    name: str
    inputs: NDArray[np.float64]
    targets: NDArray[np.int64]
    topology: list[int]
    executions: int  # in each fold
    epochs: int

    @property
    def encoded(self) -> NDArray[np.bool_]:
        """Return the targets as the networks have them."""
        return one_hot_encoding(self.targets)

    @property
    def sizes(self) -> list[int]:
        """Return the attributes, the neurons of each hidden layer, and the outputs."""
        return [self.inputs.shape[1], *self.topology, self.encoded.shape[1]]


def rows() -> list[Data]:
    """Return the data sets, standardized."""
    synthetic = make_classification(20_000, 50, n_informative=20, n_classes=5, random_state=1)
    return [
        Data(name, StandardScaler().fit_transform(inputs), targets, topology, executions, epochs)
        for name, (inputs, targets), topology, executions, epochs in (
            ("Iris", load_iris(return_X_y=True), [8], 50, 1000),
            ("breast cancer", load_breast_cancer(return_X_y=True), [16, 8], 50, 300),
            ("digits", load_digits(return_X_y=True), [32], 20, 200),
            ("20000×50", synthetic, [64, 32], 10, 30),
        )
    ]


def call(data: Data, way: str, epochs: int) -> tuple[float, NDArray[np.float64]]:
    """Cross-validate; return seconds and scores.

    A "block" leaves to a stack what it cannot train.
    """
    folds = crossvalidation(data.targets, FOLDS, random_state=1)

    def cross_validate() -> NDArray[np.float64]:
        return ann_cross_validation(
            data.topology,
            data.inputs,
            data.targets,
            folds,
            numExecutions=data.executions,
            maxEpochs=epochs,
            validationRatio=0.2,
            maxEpochsVal=epochs,
            random_state=1,
            device="cpu" if way == "cpu" else "cuda",
        ).scores

    with mock.patch.object(
        trainers, "shared_memory", return_value=memory_of_a_block() if way == "block" else None
    ):
        start = time.perf_counter()
        scores = tried(cross_validate)
        seconds = time.perf_counter() - start
    return (
        (float("nan"), np.full((FOLDS, data.executions, 7), np.nan))
        if scores is None
        else (seconds, scores)
    )


def tried(function: Callable[[], Result]) -> Result | None:
    """Return what a function returns, or None, with the reason on stderr: the other figures are
    wanted all the same.
    """
    try:
        return function()
    except Exception:
        traceback.print_exc()
        return None


def seconds_of_a_launch(data: Data) -> float:
    """Return the time in which blocks train all networks of a row at once, with the copies to the
    GPU and back.
    """
    compiled, seconds = block_training.launcher, [float("nan")]

    def timed(block: Block) -> Launcher:
        launch = compiled(block)

        def launch_and_wait(*work: Any) -> Callable[[], Sequence[Any]]:
            torch.cuda.synchronize()
            start = time.perf_counter()
            results = launch(*work)()
            seconds.append(time.perf_counter() - start)
            return lambda: results

        return launch_and_wait

    with (
        mock.patch.object(block_training, "launcher", timed),
        mock.patch.object(block_training, "NETWORKS_OF_A_LAUNCH", FOLDS * data.executions),
    ):
        for _ in range(ROUNDS):
            call(data, "block", data.epochs)
    return float(np.nanmin(seconds)) if len(seconds) > 1 else seconds[0]


def memory_of_a_block() -> Memory | None:
    """Return the shared memory of the GPU, if there is one that blocks can use."""
    return shared_memory() if torch.cuda.is_available() else None


def print_differences(data: Sequence[Data]) -> None:
    """Train four networks of each for 30 epochs in several ways.

    Print the largest differences of a loss.
    """
    in_c = "C" if kernel() is not None else "the stack of a processor"
    print(f"Largest differences of a loss in 31 epochs of four networks, from those in {in_c}:\n")
    print("| | blocks | stack |\n| :-- | --: | --: |")
    for each in data:
        expected, *others = losses_of_four(each)
        print(
            f"| {each.name} |"
            f" {' | '.join(f'{np.abs(other - expected).max():.1e}' for other in others)} |",
            flush=True,
        )
    print()


def losses_of_four(data: Data) -> list[NDArray[np.float32]]:
    """Return the losses on the processors, in blocks and in a stack.

    NaN where no block can train the networks.
    """
    inputs, everything = data.inputs.astype(np.float32), np.arange(len(data.inputs))
    options: TrainingOptions = {"maxEpochs": 30, "maxEpochsVal": 30}

    def losses(
        train: Callable[..., Iterator[TrainedNetwork]], *args: object, **others: object
    ) -> NDArray[np.float32]:
        generators = (SeedTree(1).generator(1, number) for number in range(4))
        plans = [
            plan_network("a network", inputs, everything, 0.2, generator)
            for generator in generators
        ]
        trained = tried(
            lambda: [*train(*args, plans, data.encoded, keep_losses=True, **options, **others)]
        )
        if trained is None:
            return np.full((4, 31, 2), np.nan, dtype=np.float32)
        return np.stack([each.losses for each in sorted(trained, key=lambda each: each.position)])

    train = train_compiled if kernel() is not None else batched_training.train_networks
    expected = losses(train, data.topology)
    block = block_for(data.sizes, None, len(data.inputs), shared_memory())
    in_blocks = (
        np.full_like(expected, np.nan)
        if block is None
        else losses(block_training.train_networks, block)
    )
    return [
        expected,
        in_blocks,
        losses(batched_training.train_networks, data.topology, device="cuda"),
    ]


class Jax:
    """A process with `training_in_jax.py`, in "highest" or "tensorfloat32" precision, if JAX is
    there with a GPU.
    """

    def __init__(self, precision: str) -> None:
        self._process: subprocess.Popen[str] | None = None
        if torch.cuda.is_available() and importlib.util.find_spec("jax") is not None:
            program = Path(__file__).with_name("training_in_jax.py")
            precise = {
                "JAX_DEFAULT_MATMUL_PRECISION": precision,
                "XLA_PYTHON_CLIENT_PREALLOCATE": "false",
            }
            self._process = subprocess.Popen(
                [sys.executable, str(program)],
                env=os.environ | precise,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )

    def has_gpu(self) -> bool:
        """Return whether there is one, after the time that JAX takes to begin."""
        answer = self._answer({})
        return answer is not None and answer["backend"] == "gpu"

    def _answer(self, request: dict[str, object]) -> dict[str, Any] | None:
        """Send a request; return the answer, None from now on if the process has ended."""
        if self._process is None:
            return None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            print(json.dumps(request), file=self._process.stdin, flush=True)
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            print("JAX has failed, see above", file=sys.stderr)
            self._process = None
            return None
        answer: dict[str, Any] = json.loads(line)
        return answer

    def seconds(self, data: Data) -> float:
        """Train the networks of a row; NaN if JAX cannot."""
        with tempfile.NamedTemporaryFile(suffix=".npz") as file:
            np.savez(file.name, **arrays_of(data))
            answer = self._answer({"file": file.name, "epochs": data.epochs, "stacks": 1})
        seconds = []
        for _ in range(ROUNDS):
            start = time.perf_counter()
            if answer is None or self._answer({"job": answer["job"]}) is None:
                return float("nan")
            seconds.append(time.perf_counter() - start)
        return min(seconds)

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.communicate()


def arrays_of(data: Data) -> dict[str, Any]:
    """Return what `training_in_jax.py` trains: networks with the sizes and the sets of a row."""
    networks, N, sizes = FOLDS * data.executions, len(data.inputs), data.sizes
    generator = np.random.default_rng(1)
    shares = np.zeros((networks, 2, N), dtype=np.float32)
    for own in shares:
        training, validation, _ = np.split(
            generator.permutation(N), [round(0.7 * N), round(0.9 * N)]
        )
        own[0, training], own[1, validation] = 1 / len(training), 1 / len(validation)
    arrays: dict[str, Any] = {"shares": shares}
    arrays |= {
        "inputs": data.inputs.T.astype(np.float32),
        "targets": data.encoded.T.astype(np.float32),
    }
    drawn = [initial_parameters(sizes, generator) for _ in range(networks)]
    for layer in range(len(sizes) - 1):
        arrays[f"weight{layer}"] = np.stack([each[2 * layer] for each in drawn])
        arrays[f"bias{layer}"] = np.stack([each[2 * layer + 1] for each in drawn])
    return arrays


def main() -> None:
    """Print the tables."""
    begin, has_gpu = time.perf_counter(), torch.cuda.is_available()
    jax = [Jax("highest"), Jax("tensorfloat32")]
    gpu = torch.cuda.get_device_name() if has_gpu else "no GPU that torch can use"
    print(
        f"{gpu}; {joblib.cpu_count()} processors; torch {torch.__version__};"
        f" {time.strftime('%Y-%m-%d')}\n"
    )
    ways = ["cpu", *(["block", "stack"] if has_gpu else [])]
    data = rows()
    if has_gpu:
        print_differences(data)
    jax_has_gpu = [each.has_gpu() for each in jax]
    print(
        "Seconds of a whole call, and in brackets of one with a single epoch, which only sets up"
        " and scores."
    )
    print(
        "The columns after those are training only, of a stack the time less that in brackets; the"
        " last one counts"
    )
    print("networks whose scores are others than those of the processors.\n")
    columns = (
        [*ways, "block, one launch", "stack", "JAX, float32", "JAX, TF32"] if has_gpu else ways
    )
    print(f"| networks × epochs | {' | '.join(columns)} | other scores |")
    print("| :-- |" + " --: |" * (len(columns) + 1))
    for each in data:
        best: dict[tuple[str, int], float] = {}
        scores = {}
        end = time.perf_counter() + SECONDS_OF_A_ROW
        for turn in range(ROUNDS):
            if turn and time.perf_counter() > end:
                break
            for way, epochs in itertools.product(ways, (1, each.epochs)):
                seconds, scores[way] = call(each, way, epochs)
                best[way, epochs] = min(seconds, best.get((way, epochs), float("inf")))
        cells = [f"{best[way, each.epochs]:.3f} ({best[way, 1]:.3f})" for way in ways]
        if has_gpu:
            cells += [
                f"{seconds_of_a_launch(each):.4f}",
                f"{best['stack', each.epochs] - best['stack', 1]:.4f}",
            ]
            cells += [
                f"{one.seconds(each) if can else float('nan'):.4f}"
                for one, can in zip(jax, jax_has_gpu, strict=True)
            ]
        differ = [
            f"{way} {int((scores[way] != scores['cpu']).any(axis=-1).sum())}" for way in ways[1:]
        ]
        title = f"{each.name} {each.topology}, {FOLDS * each.executions} × {each.epochs}"
        print(f"| {title} | {' | '.join(cells)} | {', '.join(differ)} |", flush=True)
    for process in jax:
        process.close()
    print(f"\n{time.perf_counter() - begin:.0f} s in all.")


if __name__ == "__main__":
    main()
