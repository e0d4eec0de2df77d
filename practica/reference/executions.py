"""The networks of a cross-validation as independent tasks: many executions in each fold, trained and scored."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import joblib
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from practica.reference.arguments import as_single_precision
from practica.reference.batched_training import NetworkPlan, can_be_batched, default_slots
from practica.reference.batched_training import train_networks as train_together
from practica.reference.compiled_training import can_be_compiled
from practica.reference.compiled_training import train_networks as train_compiled
from practica.reference.metrics import Metrics, confusion_matrix
from practica.reference.network import build_class_ann
from practica.reference.partition import hold_out
from practica.reference.randomness import SeedTree
from practica.reference.training import train_class_ann

__all__ = ["Executions", "FoldPatterns", "Network", "as_device", "in_parallel", "validation_fraction"]

Result = TypeVar("Result")


class Network(NamedTuple):
    """Which network of a cross-validation: the fold it is tested on, 1..k, and its execution there, from 0."""

    fold: int
    execution: int


class FoldPatterns(NamedTuple):
    """All inputs, (N, L), normalized for one fold, and the positions of those that train and test there."""

    inputs: NDArray[np.float32]
    training: NDArray[np.intp]
    test: NDArray[np.intp]


@dataclasses.dataclass(frozen=True)
class Executions:
    """What a worker needs to train and to score any network of a cross-validation; it travels between processes.

    Attributes
    ----------
    inputs : real array, shape (N, L)
    targets : bool array, shape (N, C), C = 1 or C >= 3
    folds : int array, shape (N,), values 1..k
    normalize : callable or None
        Called as normalize(inputs, training positions) for each fold.
    validationRatio : float, fraction of all patterns in [0, 1]
    seeds : SeedTree
    topology, options
        Of `train_class_ann`.
    device : {"cpu", "cuda"}
    """

    inputs: NDArray[Any]
    targets: NDArray[np.bool_]
    folds: NDArray[np.int64]
    normalize: Callable[[NDArray[Any], NDArray[np.intp]], NDArray[Any]] | None
    validationRatio: float
    seeds: SeedTree
    topology: Sequence[int]
    options: Mapping[str, Any]
    device: str

    def tasks(self, networks: Sequence[Network], workers: int) -> list[Sequence[Network]]:
        """Cut the work: enough tasks to share out and to show progress, each large enough to keep a stack full."""
        fair = math.ceil(len(networks) / workers)
        size = math.ceil(fair / 32)
        if not self._is_compiled():
            slots = default_slots(len(self.inputs), [*self.topology, self.targets.shape[1]], self.device)
            size = min(fair, max(2 * slots, size))
        return [networks[start : start + size] for start in range(0, len(networks), size)]

    def scores(self, networks: Sequence[Network]) -> list[tuple[Network, Metrics]]:
        """Train some networks and score each one on the patterns of its fold."""
        return [(network, self._score(ann, patterns)) for network, ann, patterns in self.trained(networks)]

    def trained(self, networks: Sequence[Network]) -> Iterator[tuple[Network, nn.Sequential, FoldPatterns]]:
        """Train some networks; give each one with its patterns, until the next one takes its place in the module."""
        patterns_of = functools.cache(self._patterns_of)
        with _one_torch_thread():
            for network, ann in self._train(networks, patterns_of):
                yield network, ann, patterns_of(network.fold)

    def _score(self, ann: nn.Sequential, patterns: FoldPatterns) -> Metrics:
        with torch.no_grad():
            outputs = ann(torch.from_numpy(patterns.inputs[patterns.test]))
        return Metrics(*confusion_matrix(outputs.numpy(), self.targets[patterns.test]))

    def _train(
        self, networks: Sequence[Network], patterns_of: Callable[[int], FoldPatterns]
    ) -> Iterator[tuple[Network, nn.Sequential]]:
        """Give each network as soon as it is trained; the module is used again for the next one."""
        plans = (self._plan(network, patterns_of(network.fold)) for network in networks)
        if self._is_compiled():
            results = train_compiled(self.topology, plans, self.targets, **self.options)
        elif can_be_batched(self.options["transferFunctions"]):
            shared = self.normalize is None
            results = train_together(
                self.topology, plans, self.targets, **self.options, shared_inputs=shared, device=self.device
            )
        else:
            for network, plan in zip(networks, plans, strict=True):
                yield network, self._train_alone(plan)
            return
        ann = build_class_ann(
            self.inputs.shape[1],
            self.topology,
            self.targets.shape[1],
            transferFunctions=self.options["transferFunctions"],
            random_state=0,
        )
        for trained in results:
            trained.load_into(ann)
            yield networks[trained.position], ann

    def _is_compiled(self) -> bool:
        return self.device == "cpu" and can_be_compiled(self.options["transferFunctions"], self.topology)

    def _train_alone(self, plan: NetworkPlan) -> nn.Sequential:
        training, validation = (
            (plan.inputs[positions], self.targets[positions]) for positions in (plan.training, plan.validation)
        )
        return train_class_ann(
            self.topology, training, validationDataset=validation, **self.options, random_state=plan.generator
        ).ann

    def _patterns_of(self, fold: int) -> FoldPatterns:
        training, test = np.flatnonzero(self.folds != fold), np.flatnonzero(self.folds == fold)
        inputs = self.inputs if self.normalize is None else self.normalize(self.inputs, training)
        return FoldPatterns(as_single_precision(inputs, f"the inputs of fold {fold}"), training, test)

    def _plan(self, network: Network, patterns: FoldPatterns) -> NetworkPlan:
        """Draw the hold-out of a network; its initial weights come next out of the same generator."""
        generator = self.seeds.generator(*network)
        training, validation = patterns.training, patterns.training[:0]
        fraction = validation_fraction(
            self.validationRatio, N=len(self.folds), N_train=len(training), fold=network.fold
        )
        if fraction > 0:
            first, second = hold_out(len(training), fraction, random_state=generator)
            training, validation = training[first], training[second]
        name = f"fold {network.fold}, execution {network.execution + 1}"
        return NetworkPlan(name, patterns.inputs, training, validation, generator)


def validation_fraction(validationRatio: float, *, N: int, N_train: int, fold: int) -> float:
    """Return the fraction of a fold's N_train training patterns that is validationRatio of all N patterns.

    Raises
    ------
    ValueError
        If the fold has not so many training patterns, or none would be left to train with.

    Examples
    --------
    >>> round(135 * validation_fraction(0.2, N=150, N_train=135, fold=1))
    30
    """
    fraction = validationRatio * N / N_train
    if fraction > 1 or round(N_train * (1 - fraction)) == 0:
        raise ValueError(
            f"validationRatio={validationRatio:g} of {N} patterns leaves none of the {N_train} training patterns of "
            f"fold {fold} to train with; it must be below {N_train / N:g}"
        )
    return fraction


def in_parallel(
    work: Callable[[Sequence[Network]], list[tuple[Network, Result]]],
    tasks: Sequence[Sequence[Network]],
    *,
    n_jobs: int,
    progress: Callable[[int, int], object] | None,
) -> Iterator[tuple[Network, Result]]:
    """Do tasks on joblib's workers, and give the result of each network as it comes.

    Parameters
    ----------
    work : callable
        Called as work(networks) for each task.
    tasks : sequences of networks
    n_jobs : int
        Workers, as joblib counts them.
    progress : callable or None
        Called as progress(networks done, networks in all) after each task.
    """
    # Threads, unless the caller's joblib.parallel_config says otherwise: torch works outside Python's lock.
    workers = joblib.Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator_unordered")
    done, total = 0, sum(map(len, tasks))
    for results in workers(joblib.delayed(work)(task) for task in tasks):
        yield from results
        done += len(results)
        if progress is not None:
            progress(done, total)


def as_device(device: str) -> str:
    """Return "cpu" or "cuda"; "auto" is a GPU where there is one."""
    if device not in ("auto", "cpu", "cuda"):
        raise ValueError(f"device={device!r} is unknown; it must be 'auto', 'cpu' or 'cuda'")
    if device == "cuda" and not torch.cuda.is_available():
        raise ValueError("device='cuda': torch finds no GPU here; use 'cpu' or 'auto'")
    if device == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    return device


@contextlib.contextmanager
def _one_torch_thread() -> Iterator[None]:
    """Let the workers share the processor out: threads of torch that wait for each other stall on a busy machine."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
