"""The choice among the four trainers, and the networks of a cross-validation: planned, trained and
scored.

`train_networks` takes the fastest trainer that can do it; they equal each other up to float32
rounding:

    compiled_training    in C: on a processor, where there is a compiler and all transfer functions
                         have a name
    block_training       in CUDA: on a GPU, where there is CuPy and a network fits a block of
                         threads
    batched_training     a stack: on a GPU, or where there is no compiler; many networks share the
                         work
    training             the loop: one network, or transfer functions not known to compute each
                         pattern by itself
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import itertools
import math
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar, Unpack

import joblib
import numpy as np
import threadpoolctl
import torch
from torch import Tensor, nn

from practica.reference.arguments import (
    Array,
    Bools,
    Floats,
    Label,
    Positions,
    Singles,
    as_real,
    as_single_precision,
    brief,
    closest,
)
from practica.reference.batched_training import (
    NetworkPlan,
    Targets,
    TrainedNetwork,
    are_quantities,
    can_be_batched,
    default_slots,
)
from practica.reference.batched_training import train_networks as train_together
from practica.reference.block_training import block_for, shared_memory
from practica.reference.block_training import train_networks as train_in_blocks
from practica.reference.compiled_training import can_be_compiled
from practica.reference.compiled_training import train_networks as train_compiled
from practica.reference.metrics import Metrics, count_pairs, metrics_of
from practica.reference.network import (
    TransferFunction,
    as_topology,
    build_class_ann,
    load_parameters,
    squared_error,
)
from practica.reference.partition import Folds, hold_out
from practica.reference.randomness import RandomState, SeedTree
from practica.reference.training import (
    CheckedOptions,
    Patterns,
    TrainingOptions,
    train_on,
)

__all__ = [
    "SAME_WARNINGS",
    "FoldPatterns",
    "Replica",
    "Shared",
    "Trainer",
    "as_class_weight",
    "in_parallel",
    "plan_network",
    "train_networks",
    "validation_fraction",
    "weights_in_loss",
]

# at least, of all its networks together: a task takes a millisecond to begin
PATTERNS_OF_A_TASK = 5_000

Result = TypeVar("Result")


def plan_network(
    name: str,
    inputs: Singles,
    patterns: Positions,
    validationRatio: float,
    generator: np.random.Generator,
) -> NetworkPlan:
    """Return the plan of a network: a random fraction `validationRatio` of its patterns validates
    it, and the rest trains it.

    `name`: its name in errors. Its initial weights are drawn from the same generator afterwards.
    """
    training, validation = patterns, patterns[:0]
    if validationRatio > 0:
        first, second = hold_out(len(patterns), validationRatio, random_state=generator)
        training, validation = patterns[first], patterns[second]
    return NetworkPlan(name, inputs, training, validation, generator)


def as_class_weight(
    class_weight: Mapping[Label, float] | str | None, classes: Sequence[Label]
) -> str | Floats | None:
    """Check how much each class counts: None, "balanced", or a mapping, which becomes an array in
    order of `classes`.

    A class that the mapping does not name counts 1. A name that is not among `classes` is refused,
    unless all of these are named: a training part may well lack a rare class.
    """
    if class_weight is None or (isinstance(class_weight, str) and class_weight == "balanced"):
        return class_weight
    if not isinstance(class_weight, Mapping):
        raise ValueError(
            f"class_weight={brief(class_weight)} must be None, 'balanced' or a dictionary such"
            " as {'yes': 10}"
        )
    unknown = [label for label in class_weight if label not in classes]
    if unknown and any(label not in class_weight for label in classes):
        raise ValueError(
            f"class_weight: there is no class {unknown[0]!r}{closest(unknown[0], classes)}"
        )
    return np.array(
        [
            as_real(
                class_weight.get(label, 1), f"class_weight[{label!r}]", low=0, high=1e36, above=True
            )
            for label in classes
        ]
    )


def weights_in_loss(
    targets: Bools,
    patterns: Positions,
    class_weight: str | Floats | None,
    sample_weight: Floats | None = None,
) -> Floats | None:
    """Return the weight of each pattern in the loss of a network, shape (N,); None if all are
    equal.

    `patterns` are the positions of those used for its training and validation: only they have a
    weight and are counted. `class_weight` is what `as_class_weight` returns; balanced classes have
    the same weight in all.
    """
    if class_weight is None and sample_weight is None:
        return None
    weights = np.zeros(len(targets))
    weights[patterns] = 1 if sample_weight is None else sample_weight[patterns]
    numbers = (targets.argmax(axis=1) if targets.shape[1] > 1 else 1 - targets[:, 0])[patterns]
    if isinstance(class_weight, str):
        weights[patterns] /= np.bincount(numbers, weights[patterns])[numbers]
    elif class_weight is not None:
        weights[patterns] *= class_weight[numbers]
    return weights


def train_networks(
    topology: Sequence[int],
    plans: Iterable[NetworkPlan],
    targets: Targets,
    *,
    device: str = "cpu",
    together: bool = True,
    shared_inputs: bool = True,
    keep_losses: bool = False,
    **options: Unpack[TrainingOptions],
) -> Iterator[tuple[int, Callable[[], nn.Sequential], Singles, Singles | None, int]]:
    """Train networks, each as if it were alone, with the fastest trainer that can do it.

    `together` says whether there are so many that a stack is worth it.

    The other parameters are those of `batched_training.train_networks`.

    Yields
    ------
    position : int
    module : callable
        Returns the network as a torch.nn.Sequential, which the next call fills with the next
        network: to build, fill and call one takes as long as many epochs of a small network.
    losses, outputs, epochs
        As in `TrainedNetwork`.
    """
    topology = as_topology(topology)
    transferFunctions = options.get("transferFunctions")
    if _are_compiled(topology, transferFunctions, device):
        results = train_compiled(topology, plans, targets, keep_losses=keep_losses, **options)
    elif together and can_be_batched(transferFunctions):
        train = _train_on_gpu if device == "cuda" else train_together
        results = train(
            topology,
            plans,
            targets,
            shared_inputs=shared_inputs,
            device=device,
            keep_losses=keep_losses,
            **options,
        )
    else:
        for position, plan in enumerate(plans):
            checked = CheckedOptions.of(topology, options)  # with modules of its own
            yield position, *_train_alone(topology, plan, targets, checked)
        return

    @functools.cache
    def built(numInputs: int) -> nn.Sequential:
        return _built(numInputs, topology, targets, transferFunctions, 0)

    def filled(parameters: Sequence[Tensor]) -> nn.Sequential:
        ann = built(parameters[0].shape[1])
        load_parameters(ann, parameters)
        return ann

    for trained in results:
        module = functools.partial(filled, trained.parameters)
        yield trained.position, module, trained.losses, trained.outputs, trained.epochs


def _built(
    numInputs: int,
    topology: Sequence[int],
    targets: Targets,
    transferFunctions: Sequence[TransferFunction] | None,
    random_state: RandomState,
) -> nn.Sequential:
    """Return an untrained network for these targets; its output layer is linear if they are
    quantities.
    """
    ann = build_class_ann(
        numInputs,
        topology,
        targets.shape[1],
        transferFunctions=transferFunctions,
        random_state=random_state,
    )
    return nn.Sequential(*[*ann][:-1]) if are_quantities(targets) else ann


def _are_compiled(
    topology: Sequence[int], transferFunctions: Sequence[TransferFunction] | None, device: str
) -> bool:
    return device == "cpu" and can_be_compiled(transferFunctions, topology)


def _train_on_gpu(
    topology: Sequence[int],
    plans: Iterable[NetworkPlan],
    targets: Targets,
    *,
    shared_inputs: bool,
    device: str,
    keep_losses: bool,
    **options: Unpack[TrainingOptions],
) -> Iterator[TrainedNetwork]:
    """Train each network by a block of threads, or all in a stack where a block cannot."""
    plans = iter(plans)
    first = next(plans, None)
    if first is None:
        return
    plans = itertools.chain([first], plans)
    sizes = [first.inputs.shape[1], *topology, targets.shape[1]]
    block = block_for(
        sizes,
        options.get("transferFunctions"),
        len(targets),
        shared_memory(),
        quantities=are_quantities(targets),
        weightDecay=options.get("weightDecay", 0.0),
    )
    if block is not None:
        yield from train_in_blocks(
            block, plans, targets.astype(np.bool_), keep_losses=keep_losses, **options
        )
    else:
        yield from train_together(
            topology,
            plans,
            targets,
            shared_inputs=shared_inputs,
            device=device,
            keep_losses=keep_losses,
            **options,
        )


def _train_alone(
    topology: Sequence[int],
    plan: NetworkPlan,
    targets: Targets,
    options: CheckedOptions,
) -> tuple[Callable[[], nn.Sequential], Singles, None, int]:
    ann = _built(plan.inputs.shape[1], topology, targets, options.functions, plan.generator)
    if plan.start is not None:
        # with the parameters of the transfer functions
        ann.load_state_dict(plan.start.state_dict(), strict=False)
    training, validation = (
        Patterns(
            torch.from_numpy(plan.inputs[positions]),
            torch.from_numpy(targets[positions].astype(np.float32)),
            (
                None
                if plan.weights is None
                else torch.from_numpy(plan.shares(positions).astype(np.float32))
            ),
        )
        for positions in (plan.training, plan.validation)
    )
    trained = train_on(
        training,
        validation if len(plan.validation) else None,
        None,
        ann,
        options.rule,
        options.rate,
        loss=squared_error if are_quantities(targets) else None,
        weightDecay=options.decay,
    )
    losses = np.zeros((len(trained.trainingLosses), 2), dtype=np.float32)
    for column, curve in zip(losses.T, trained[1:3], strict=True):
        column[: len(curve)] = curve  # an empty set has no losses
    return lambda: trained.ann, losses, None, len(losses) - 1


class Replica(NamedTuple):
    """One network of a cross-validation: the fold on which it is tested, 1..k, and its number
    there, from 0.
    """

    fold: int
    execution: int


class FoldPatterns(NamedTuple):
    """All inputs, (N, L), normalized for one fold, and the positions of those used for training and
    testing there.
    """

    inputs: Singles
    training: Positions
    test: Positions


@dataclasses.dataclass(frozen=True)
class Trainer:
    """The trainer of the networks of a cross-validation, which can be sent to other processes."""

    inputs: Array  # (N, L)
    targets: Bools  # (N, C), C = 1 or C >= 3
    folds: Folds
    # called with the inputs and the training positions
    normalize: Callable[[Array, Positions], Array] | None
    validationRatio: float  # fraction of all patterns
    seeds: SeedTree
    topology: Sequence[int]
    options: TrainingOptions
    device: str
    # balanced for the training patterns of each fold
    class_weight: str | Floats | None = None

    def n_jobs(self, wanted: int) -> int:
        """Return the number of jobs for joblib: the wanted one, but 1 on a GPU, where parallel
        stacks would wait for each other.
        """
        return wanted if self.device == "cpu" else 1

    def tasks(self, replicas: Sequence[Replica], workers: int) -> list[Sequence[Replica]]:
        """Divide the networks into tasks: enough of them to occupy the workers and show progress,
        each large enough to be worth its start.
        """
        fair = math.ceil(len(replicas) / workers)
        size = max(math.ceil(fair / 32), min(fair, PATTERNS_OF_A_TASK // len(self.inputs)))
        if not _are_compiled(self.topology, self.options["transferFunctions"], self.device):
            slots = default_slots(
                len(self.inputs), [*self.topology, self.targets.shape[1]], self.device
            )
            size = min(fair, max(2 * slots, size))
        return [replicas[start : start + size] for start in range(0, len(replicas), size)]

    def scores(self, replicas: Sequence[Replica]) -> list[tuple[Replica, Metrics[float]]]:
        """Train some networks and score each one on the patterns of its fold."""
        order, counts = [], []
        for replica, module, patterns, outputs, _ in self.trained(replicas):
            if outputs is None:
                with torch.no_grad():
                    outputs = module()(torch.from_numpy(patterns.inputs[patterns.test])).numpy()
            targets = self.targets[patterns.test]
            counts.append(
                count_pairs(_numbers(outputs), _numbers(targets), max(2, targets.shape[1]))
            )
            order.append(replica)
        return [*zip(order, map(Metrics._make, metrics_of(np.stack(counts)).tolist()), strict=True)]

    def trained(
        self, replicas: Sequence[Replica]
    ) -> Iterator[tuple[Replica, Callable[[], nn.Sequential], FoldPatterns, Singles | None, int]]:
        """Train some networks.

        Yield each with its patterns, its outputs and its epochs, see `train_networks`.
        """
        patterns_of = functools.cache(self._patterns_of)
        plans = (self._plan(replica, patterns_of(replica.fold)) for replica in replicas)
        shared = self.normalize is None
        for position, module, _, outputs, epochs in train_networks(
            self.topology,
            plans,
            self.targets,
            **self.options,
            device=self.device,
            shared_inputs=shared,
        ):
            yield replicas[position], module, patterns_of(replicas[position].fold), outputs, epochs

    def _patterns_of(self, fold: int) -> FoldPatterns:
        training, test = self.folds.split(fold)
        inputs = self.inputs if self.normalize is None else self.normalize(self.inputs, training)
        return FoldPatterns(
            as_single_precision(inputs, f"the inputs of fold {fold}"), training, test
        )

    def _plan(self, replica: Replica, patterns: FoldPatterns) -> NetworkPlan:
        fold, execution = replica
        training = patterns.training
        fraction = validation_fraction(
            self.validationRatio, N=len(self.folds), N_train=len(training), fold=fold
        )
        name = f"fold {fold}, execution {execution + 1}"
        weights = weights_in_loss(self.targets, training, self.class_weight)
        plan = plan_network(
            name, patterns.inputs, training, fraction, self.seeds.generator(fold, execution)
        )
        return plan._replace(weights=weights, test=patterns.test)


def _numbers(columns: Array) -> Array:
    """Return the number of the class in each row of outputs or targets; of a single column, whether
    the row is positive.
    """
    return columns.argmax(axis=1) if columns.shape[1] > 1 else columns[:, 0] >= 0.5


def validation_fraction(validationRatio: float, *, N: int, N_train: int, fold: int) -> float:
    """Return the fraction of a fold's N_train training patterns that is validationRatio of all N
    patterns.

    >>> round(135 * validation_fraction(0.2, N=150, N_train=135, fold=1))
    30
    """
    fraction = validationRatio * N / N_train
    if fraction > 1 or round(N_train * (1 - fraction)) == 0:
        raise ValueError(
            f"validationRatio={validationRatio:g} of {N} patterns leaves none of the {N_train}"
            f" training patterns of fold {fold} to train with; it must be below {N_train / N:g}"
        )
    return fraction


def in_parallel(
    work: Callable[[Sequence[Replica]], list[tuple[Replica, Result]]],
    tasks: Sequence[Sequence[Replica]],
    *,
    n_jobs: int,
    progress: Callable[[int, int], object] | None,
    of_torch: bool = True,
) -> Iterator[tuple[Replica, Result]]:
    """Call work(networks) for each task on joblib's workers, and yield the result of each network
    as soon as it is there.

    After each task, progress(networks done, networks in all) is called. `of_torch` says whether
    torch does the work: it gets one thread in each worker, since threads that wait for each other
    stall on a busy machine.
    """
    # Threads, unless the caller's joblib.parallel_config says otherwise: torch works outside
    # Python's lock.
    workers = joblib.Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator_unordered")
    done, total = 0, sum(map(len, tasks))
    task_of = functools.partial(_with_one_torch_thread, work) if of_torch else work
    with (
        SAME_WARNINGS,
        _ONE_BLAS_THREAD if joblib.effective_n_jobs(n_jobs) > 1 else contextlib.nullcontext(),
    ):
        for results in workers(joblib.delayed(task_of)(task) for task in tasks):
            yield from results
            done += len(results)
            if progress is not None:
                progress(done, total)


class Shared:
    """A setting of the process that lasts as long as any caller needs it: the first caller makes
    it, and the last one undoes it.

    If each of two threads restored the setting that it found, the second would restore the first
    one's.
    """

    def __init__(self, setting: Callable[[], contextlib.AbstractContextManager[object]]) -> None:
        self._setting, self._lock, self._callers = setting, threading.Lock(), 0
        self._made = contextlib.ExitStack()

    def __enter__(self) -> None:
        with self._lock:
            if not self._callers:
                self._made.enter_context(self._setting())
            self._callers += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._callers -= 1
            if not self._callers:
                self._made.close()


_ONE_BLAS_THREAD = Shared(functools.partial(threadpoolctl.threadpool_limits, 1, user_api="blas"))
# scikit-learn changes the filters for a moment in each check, and two threads that do may leave
# those of one.
SAME_WARNINGS = Shared(warnings.catch_warnings)


def _with_one_torch_thread(
    work: Callable[[Sequence[Replica]], Result], task: Sequence[Replica]
) -> Result:
    """Do a task with one OpenMP thread, for the calling thread only; `torch.set_num_threads` would
    affect all threads.
    """
    torch.get_num_threads()  # gives a new thread its number, or torch would do it later
    before = [(library, library.get_num_threads()) for library in _openmp()]
    try:
        for library, _ in before:
            library.set_num_threads(1)
        return work(task)
    finally:
        for library, threads in before:
            library.set_num_threads(threads)


@functools.cache
def _openmp() -> list[threadpoolctl.LibController]:
    """Return the OpenMP libraries that this process has loaded, torch's among them."""
    return threadpoolctl.ThreadpoolController().select(user_api="openmp").lib_controllers
