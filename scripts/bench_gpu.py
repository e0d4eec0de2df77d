#!/usr/bin/env python
"""Checks and times of `ann_cross_validation` on a GPU: by blocks, in a stack, on the processors, as "auto" chooses.

    .venv/bin/python scripts/bench_gpu.py        less than two minutes with an H100 and 16 processors

First the losses of some networks in blocks of threads are compared with those in C, epoch by epoch; then the scores of
all 1 300 networks, and the times. The devices take turns, and the fastest call of each counts. No training stops early.
Where JAX is installed and sees the GPU, it trains the same networks with float32 products, its compilation not counted.
At the end stand the constants of `practica/reference/devices.py`, fitted to these times. The tables are Markdown.
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
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import joblib
import numpy as np
import torch
from numpy.typing import NDArray
from scipy.optimize import nnls
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, make_classification
from sklearn.preprocessing import StandardScaler

from practica.reference import devices, trainers
from practica.reference.batched_training import NetworkPlan
from practica.reference.block_training import Block, Memory, block_for, shared_memory
from practica.reference.block_training import train_networks as train_in_blocks
from practica.reference.compiled_training import train_networks as train_compiled
from practica.reference.cross_validation import ann_cross_validation
from practica.reference.devices import Work, terms_on_a_gpu, terms_on_processors
from practica.reference.encoding import one_hot_encoding
from practica.reference.network import initial_parameters
from practica.reference.partition import crossvalidation
from practica.reference.randomness import SeedTree
from practica.reference.trainers import plan_network
from practica.reference.training import TrainingOptions

ROUNDS = 3
FOLDS = 10


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

    def work(self, epochs: int) -> Work:
        """Return what the networks are to `practica.reference.devices`."""
        sizes = [self.inputs.shape[1], *self.topology, self.encoded.shape[1]]
        return Work(sizes, None, len(self.inputs), FOLDS * self.executions, epochs, joblib.cpu_count())


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


def call(data: Data, device: str, epochs: int) -> tuple[float, NDArray[np.float64]]:
    """Cross-validate; return seconds and scores. "stack" is a GPU without blocks."""
    folds = crossvalidation(data.targets, FOLDS, random_state=1)
    with mock.patch.object(trainers, "shared_memory", return_value=None if device == "stack" else memory_of_a_block()):
        start = time.perf_counter()
        result = ann_cross_validation(
            data.topology,
            data.inputs,
            data.targets,
            folds,
            numExecutions=data.executions,
            maxEpochs=epochs,
            validationRatio=0.2,
            maxEpochsVal=epochs,
            random_state=1,
            device="cuda" if device == "stack" else device,
        )
        return time.perf_counter() - start, result.scores


def memory_of_a_block() -> Memory | None:
    """Return the shared memory of the GPU, if there is one that blocks can use."""
    return shared_memory() if torch.cuda.is_available() else None


def block_of(work: Work) -> Block | None:
    """Return the block that trains these networks, if one can."""
    return block_for(work.sizes, None, work.patterns, memory_of_a_block())


def largest_difference(data: Data) -> str:
    """Train four networks for 30 epochs by blocks and in C; return the largest difference of a loss."""
    block = block_of(data.work(30))
    if block is None:
        return "no block"
    inputs, everything = data.inputs.astype(np.float32), np.arange(len(data.inputs))

    def plans() -> Iterator[NetworkPlan]:
        for number in range(4):
            generator = SeedTree(1).generator(1, number)
            yield plan_network(f"network {number}", inputs, everything, 0.2, generator)

    options: TrainingOptions = {"maxEpochs": 30, "maxEpochsVal": 30}
    in_blocks = train_in_blocks(block, plans(), data.encoded, keep_losses=True, **options)
    in_c = train_compiled(data.topology, plans(), data.encoded, keep_losses=True, **options)
    largest = max(np.abs(one.losses - other.losses).max() for one, other in zip(in_blocks, in_c, strict=True))
    return f"{largest:.1e} ({block.warps} warps)"


def jax_seconds(data: Data) -> float:
    """Train the networks with `training_in_jax.py` in float32; NaN where JAX is not installed or sees no GPU."""
    if importlib.util.find_spec("jax") is None:
        return float("nan")
    networks, N, sizes = FOLDS * data.executions, len(data.inputs), data.work(0).sizes
    generator = np.random.default_rng(1)
    shares = np.zeros((networks, 2, N), dtype=np.float32)
    for own in shares:
        training, validation, _ = np.split(generator.permutation(N), [round(0.7 * N), round(0.9 * N)])
        own[0, training], own[1, validation] = 1 / len(training), 1 / len(validation)
    arrays: dict[str, Any] = {"shares": shares}
    arrays |= {"inputs": data.inputs.T.astype(np.float32), "targets": data.encoded.T.astype(np.float32)}
    drawn = [initial_parameters(sizes, generator) for _ in range(networks)]
    for layer in range(len(sizes) - 1):
        arrays[f"weight{layer}"] = np.stack([each[2 * layer] for each in drawn])
        arrays[f"bias{layer}"] = np.stack([each[2 * layer + 1] for each in drawn])
    program = Path(__file__).with_name("training_in_jax.py")
    environment = os.environ | {"JAX_DEFAULT_MATMUL_PRECISION": "highest", "XLA_PYTHON_CLIENT_PREALLOCATE": "false"}
    has_gpu = [sys.executable, "-c", "import jax; raise SystemExit(jax.default_backend() != 'gpu')"]
    if subprocess.run(has_gpu, env=environment, stderr=subprocess.DEVNULL, check=False).returncode:
        return float("nan")
    with (
        tempfile.NamedTemporaryFile(suffix=".npz") as file,
        subprocess.Popen(
            [sys.executable, str(program)], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process,
    ):
        np.savez(file.name, **arrays)
        assert process.stdin is not None
        assert process.stdout is not None
        seconds = []
        for request in ({"file": file.name, "epochs": data.epochs, "stacks": 1}, *[{"job": 0}] * ROUNDS):
            start = time.perf_counter()
            print(json.dumps(request), file=process.stdin, flush=True)
            process.stdout.readline()
            seconds.append(time.perf_counter() - start)
        process.stdin.close()
    return min(seconds[1:])


def main() -> None:
    """Print the tables and the constants."""
    has_gpu = torch.cuda.is_available()
    gpu = torch.cuda.get_device_name() if has_gpu else "no GPU that torch can use"
    print(f"{gpu}; {joblib.cpu_count()} processors; torch {torch.__version__}; {time.strftime('%Y-%m-%d')}\n")
    ways = ["cpu", "auto", *(["cuda", "stack"] if has_gpu else [])]
    data = rows()
    if has_gpu:
        print("| | largest difference of a loss, blocks and C |\n| :-- | --: |")
        for each in data:
            print(f"| {each.name} | {largest_difference(each)} |", flush=True)
        print()
    print("Seconds of a whole call, and in brackets of one with a single epoch, which only sets up and scores.\n")
    columns = [*ways, "cuda − its brackets", "JAX, training only"] if has_gpu else ways
    print(f"| networks × epochs | {' | '.join(columns)} | networks with other scores than `cpu` |")
    print("| :-- |" + " --: |" * (len(columns) + 1))
    measured: dict[str, list[tuple[Work, float]]] = {way: [] for way in ways}
    for each in data:
        best: dict[tuple[str, int], float] = {}
        scores = {}
        for device, epochs in itertools.product(ways * ROUNDS, (1, each.epochs)):
            seconds, scores[device] = call(each, device, epochs)
            best[device, epochs] = min(seconds, best.get((device, epochs), float("inf")))
        for device, epochs in best:
            measured[device].append((each.work(epochs), best[device, epochs]))
        cells = [f"{best[device, each.epochs]:.3f} ({best[device, 1]:.3f})" for device in ways]
        if has_gpu:
            cells += [f"{best['cuda', each.epochs] - best['cuda', 1]:.4f}", f"{jax_seconds(each):.4f}"]
        differ = int((scores[ways[-1]] != scores["cpu"]).any(axis=-1).sum())
        if has_gpu:
            differ = max(differ, int((scores["cuda"] != scores["cpu"]).any(axis=-1).sum()))
        title = f"{each.name} {each.topology}, {FOLDS * each.executions} × {each.epochs}"
        print(f"| {title} | {' | '.join(cells)} | {differ} |", flush=True)
    print_constants(measured)


def print_constants(measured: dict[str, list[tuple[Work, float]]]) -> None:
    """Fit the constants of each way to its times, by the least squares of relative errors."""
    print("\nConstants for practica/reference/devices.py, largest errors, and those with the constants there:\n")
    on_processors = [(terms_on_processors(work), seconds) for work, seconds in measured["cpu"]]
    print_fit("PROCESSORS", on_processors, devices.PROCESSORS)
    if "cuda" not in measured:
        return
    multiprocessors = torch.cuda.get_device_properties(torch.cuda.current_device()).multi_processor_count
    in_a_stack = [(terms_on_a_gpu(work, multiprocessors), seconds) for work, seconds in measured["stack"]]
    print_fit("STACK", in_a_stack, devices.STACK)
    in_blocks = [(terms_on_a_gpu(work, multiprocessors), t) for work, t in measured["cuda"] if block_of(work)]
    print_fit("BLOCKS", in_blocks, devices.BLOCKS)


def print_fit(name: str, measured: Sequence[tuple[Sequence[float], float]], own: Sequence[float]) -> None:
    """Print a line of constants, as Python; what is 0 so far stays 0."""
    if not measured:
        return
    terms = np.array([[term / seconds for term in terms] for terms, seconds in measured])
    used = np.flatnonzero(own)
    fitted = np.zeros(len(own))
    fitted[used], _ = nnls(terms[:, used], np.ones(len(terms)))
    errors = (f"{abs(terms @ constants - 1).max():.0%}" for constants in (fitted, np.array(own)))
    print(f"    {name} = ({', '.join(f'{value:.2g}' for value in fitted)})    {', '.join(errors)}")


if __name__ == "__main__":
    main()
