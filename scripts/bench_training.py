#!/usr/bin/env python
"""Time `ann_cross_validation` against other ways of training the same networks, and against what
the machine can do.

All take turns in one run and the medians are compared: a busy moment of the machine hits all of
them. Each trains networks of 10 stratified folds for the same fixed number of epochs, or for fewer
where setting up is not counted, on inputs standardized beforehand. The tables are Markdown, on
stdout, row by row; progress goes to stderr. A peer that fails, or takes longer than --limit, leaves
its cell empty and is named below the table. scripts/README.md explains it.

    .venv/bin/python -m pip install -e '.[bench]'       skorch and JAX; a column stays empty
                                                        without its package
    .venv/bin/python scripts/bench_training.py          some minutes on 2 cores
        --quick            a minute or two, rougher figures
        --jax PYTHON       JAX of another Python, which needs JAX and numpy only
        --processor        seconds of processor, where others use the machine

Notes
-----
The limit of a network-epoch is the time of its arithmetic at the best rates this machine shows, one
after the other:

    products   at the peak of SGEMM: 2 operations per weight and pattern forward; as many for the
               gradient of the weights, and again for that of the values below all layers but the
               first, over the training patterns only
    exps       at the peak of exp: one per neuron and pattern
    Adam       at the peak of a copy: 7 floats per parameter, 4 read and 3 written
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import functools
import importlib.util
import itertools
import json
import math
import os
import platform
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar

import _installed  # noqa: F401 - it says what to do first
import joblib
import numpy as np
import sklearn
import torch
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, make_classification
from sklearn.model_selection import cross_validate
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler
from torch import Tensor, nn

from practica.reference.batched_training import default_slots
from practica.reference.compiled_training import SWITCH, kernel
from practica.reference.cross_validation import ann_cross_validation
from practica.reference.encoding import number_classes, one_hot_encoding
from practica.reference.metrics import Metrics, confusion_matrix
from practica.reference.network import FLUX_EPSILON, build_class_ann
from practica.reference.partition import crossvalidation
from practica.reference.randomness import SeedTree
from practica.reference.trainers import Replica, plan_network, validation_fraction
from practica.reference.training import TrainedANN, train_class_ann

FOLDS = 10
SEED = 1
RATE = 0.01
OURS_IN_TORCH, OURS_IN_C = "ours, torch", "ours, C"
NEVER = 10**9  # epochs without improvement before stopping
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
TURNS = 3
ORDER = 2048  # rows of the matrices that show the peak of products
Result = TypeVar("Result")


class Effort(NamedTuple):
    """How much of each way fills about a second."""

    epochs: int  # for each network; a quarter of them where setting up is not counted
    # networks per fold that ours trains: its stacks are full and its workers equally loaded
    executions: int
    alone: int  # networks that the loop trains, and each process of joblib
    slow: int  # networks of skorch


@dataclasses.dataclass(frozen=True)
class Work:
    """A data set with its folds, the topology and the validation ratio: what there is to train."""

    name: str
    inputs: Any  # float32 array, shape (N, L)
    labels: Any  # int array, shape (N,)
    targets: Any  # one-hot labels, bool array, shape (N, C)
    folds: Any  # int array, shape (N,), values 1..FOLDS
    topology: list[int]
    effort: Effort
    validationRatio: float = 0.0

    @property
    def sizes(self) -> list[int]:
        """Attributes, neurons of each hidden layer, outputs."""
        return [self.inputs.shape[1], *self.topology, self.targets.shape[1]]

    @property
    def title(self) -> str:
        """What the tables call it."""
        N, L = self.inputs.shape
        return f"{self.name} {N}×{L} {self.topology}"

    def networks(self, count: int) -> list[Replica]:
        """Return some networks, spread over the folds."""
        return [Replica(1 + number % FOLDS, number // FOLDS) for number in range(count)]

    def patterns(self, network: Replica) -> tuple[Any, Any, Any, np.random.Generator]:
        """Draw the training, validation and test patterns of a network as `ann_cross_validation`
        does.
        """
        fold, execution = network
        training, test = np.flatnonzero(self.folds != fold), np.flatnonzero(self.folds == fold)
        fraction = validation_fraction(
            self.validationRatio, N=len(self.folds), N_train=len(training), fold=fold
        )
        generator = SeedTree(SEED).generator(fold, execution)
        plan = plan_network("", self.inputs, training, fraction, generator)
        return plan.training, plan.validation, test, generator

    def cross_validate(self, numExecutions: int, **options: Any) -> Any:
        """Make the call that is measured."""
        options |= {
            "validationRatio": self.validationRatio,
            "learningRate": RATE,
            "random_state": SEED,
        }
        data = self.topology, self.inputs, self.labels, self.folds
        return ann_cross_validation(*data, numExecutions=numExecutions, device="cpu", **options)


def data_sets() -> dict[str, Callable[[], Work]]:
    """Return what loads each data set."""

    def work(name: str, data: tuple[Any, Any], topology: list[int], effort: Effort) -> Work:
        inputs, labels = StandardScaler().fit_transform(data[0]).astype(np.float32), data[1]
        targets = one_hot_encoding(labels, number_classes(labels)[0])
        return Work(
            name,
            inputs,
            labels,
            targets,
            crossvalidation(labels, FOLDS, random_state=SEED),
            topology,
            effort,
        )

    def synthetic() -> Work:
        data = make_classification(20000, 50, n_informative=20, n_classes=5, random_state=SEED)
        return work("synthetic", data, [64, 32], Effort(30, 2, 2, 1))

    return {
        "iris": lambda: work("Iris", load_iris(return_X_y=True), [8], Effort(1000, 50, 4, 1)),
        "breast-cancer": lambda: work(
            "breast cancer", load_breast_cancer(return_X_y=True), [16, 8], Effort(300, 50, 8, 2)
        ),
        "digits": lambda: work(
            "digits", load_digits(return_X_y=True), [32], Effort(100, 14, 10, 1)
        ),
        "synthetic": synthetic,
    }


# The ways of training. Each is prepared for some work, in every setting worth a try, and can then
# be run any number of times. All settings take turns and the best median counts: which one is best
# is not known before, and what is best on a calm machine may be a hundred times slower on a
# busy one.


class Way(NamedTuple):
    """A way of training, ready to run."""

    run: Callable[[], float]  # trains, and returns the seconds it took
    network_epochs: int  # networks times epochs of a run


# by name of the setting: "" for an only one; none where the way cannot be had
Settings: TypeAlias = dict[str, Way]


def seconds_of(function: Callable[[], object]) -> float:
    """Time a function."""
    start = CLOCK()
    function()
    return CLOCK() - start


def processor_seconds() -> float:
    """Return the time that all cores have spent on this process and its children, on Linux."""
    ticks = 0
    for task in Path("/proc/self/task").iterdir():
        with contextlib.suppress(OSError):  # a thread, or a child, may have ended just now
            for child in (task / "children").read_text().split():
                ticks += sum(
                    map(
                        int,
                        Path("/proc", child, "stat").read_text().rpartition(")")[2].split()[11:13],
                    )
                )
    ended = os.times()
    return (
        time.process_time()
        + ended.children_user
        + ended.children_system
        + ticks / os.sysconf("SC_CLK_TCK")
    )


CLOCK: Callable[[], float] = time.perf_counter


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeoutError after so many seconds by the clock, where there are signals."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"it took more than {seconds:g} s")

    if not hasattr(signal, "SIGALRM"):
        yield
        return
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Attempts:
    """What is tried within a limit of time, and what failed."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.failures: list[str] = []

    def attempt(self, work: Work, name: str, function: Callable[[], Result]) -> Result | None:
        """Return what a function returns.

        None, listed among the failures, if it fails or takes too long.
        """
        try:
            with time_limit(self.seconds):
                return function()
        except Exception as error:  # peers are other people's: any of them may raise anything
            reason = str(error).strip().partition("\n")[0]
            failure = f"{name}: {type(error).__name__}: {reason}"
            self.failures.append(f"{work.name}, validation {work.validationRatio:g}: {failure}")
            report(work, failure)
            return None


@contextlib.contextmanager
def torch_threads(number: int) -> Iterator[None]:
    """Let torch use so many threads for one operation."""
    before = torch.get_num_threads()
    torch.set_num_threads(number)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextlib.contextmanager
def kernel_switched(on: bool) -> Iterator[None]:
    """Let ours train in C, or leave that to torch."""
    before = os.environ.get(SWITCH)
    if not on:
        os.environ[SWITCH] = "off"
    kernel.cache_clear()
    try:
        kernel()  # here, so that no measured call looks for it
        yield
    finally:
        if before is None:
            os.environ.pop(SWITCH, None)
        else:
            os.environ[SWITCH] = before
        kernel.cache_clear()


def ours(work: Work, effort: Effort, in_c: bool) -> Settings:
    """Prepare the whole call of `ann_cross_validation`, setting up and scoring included, with a C
    compiler or without.

    Where one is wanted and there is none, there is no way.
    """
    if in_c and kernel() is None:
        return {}

    def run() -> float:
        with kernel_switched(in_c):
            return seconds_of(
                lambda: work.cross_validate(
                    effort.executions, maxEpochs=effort.epochs, maxEpochsVal=NEVER
                )
            )

    with kernel_switched(in_c):
        work.cross_validate(1, maxEpochs=2)
    return {"": Way(run, FOLDS * effort.executions * effort.epochs)}


def train_alone(work: Work, network: Replica, **options: Any) -> tuple[TrainedANN, Metrics[float]]:
    """Train and score a network: the body of the loop."""
    training, validation, test, generator = work.patterns(network)
    trained = train_class_ann(
        work.topology,
        (work.inputs[training], work.targets[training]),
        validationDataset=(work.inputs[validation], work.targets[validation]),
        learningRate=RATE,
        random_state=generator,
        **options,
    )
    with torch.no_grad():
        outputs = trained.ann(torch.from_numpy(work.inputs[test])).numpy()
    return trained, Metrics(*confusion_matrix(outputs, work.targets[test]))


def loop(work: Work, effort: Effort) -> Settings:
    """Prepare one network after the other, with one thread of torch and with as many as cores."""

    def train_all() -> None:
        for network in work.networks(effort.alone):
            train_alone(work, network, maxEpochs=effort.epochs, maxEpochsVal=NEVER)

    return with_threads(train_all, effort.alone * effort.epochs)


def with_threads(train_all: Callable[[], object], network_epochs: int) -> Settings:
    """Prepare a way with one thread of torch and with as many as cores."""

    def run(threads: int) -> float:
        with torch_threads(threads):
            return seconds_of(train_all)

    numbers = sorted({1, CORES})
    return {str(number): Way(functools.partial(run, number), network_epochs) for number in numbers}


def train_in_process(work: Work, network: Replica, epochs: int) -> Metrics[float]:
    """Train and score a network in a process of joblib."""
    torch.set_num_threads(1)
    return train_alone(work, network, maxEpochs=epochs, maxEpochsVal=NEVER)[1]


def loop_in_processes(work: Work, effort: Effort) -> Settings:
    """Prepare joblib over the loop, a process for each core."""
    networks = work.networks(CORES * effort.alone)

    def train(epochs: int) -> None:
        task = joblib.delayed(train_in_process)
        joblib.Parallel(n_jobs=CORES)(task(work, network, epochs) for network in networks)

    train(1)
    return {
        "": Way(lambda: seconds_of(lambda: train(effort.epochs)), len(networks) * effort.epochs)
    }


def scikit_learn(work: Work, effort: Effort) -> Settings:
    """Prepare `cross_validate` of an MLPClassifier.

    It watches no validation loss, but trains on the same patterns.
    """
    splits = [(training, test) for training, _, test, _ in map(work.patterns, work.networks(FOLDS))]

    def train(epochs: int) -> None:
        model = MLPClassifier(
            work.topology,
            activation="logistic",
            solver="adam",
            alpha=0.0,
            batch_size=len(work.inputs),  # clipped to the whole training set
            shuffle=False,
            learning_rate_init=RATE,
            max_iter=epochs,
            tol=0.0,
            n_iter_no_change=NEVER,
        )
        with warnings.catch_warnings():
            # that it has not converged, and that the batch is clipped
            warnings.simplefilter("ignore")
            cross_validate(
                model, work.inputs, work.labels, cv=splits, n_jobs=CORES, error_score="raise"
            )

    train(2)
    return {"": Way(lambda: seconds_of(lambda: train(effort.epochs)), FOLDS * effort.epochs)}


def skorch(work: Work, effort: Effort) -> Settings:
    """Prepare NeuralNetClassifier as it comes, with full batches; two classes are two outputs."""
    if importlib.util.find_spec("skorch") is None:
        return {}
    from skorch import NeuralNetClassifier
    from skorch.dataset import Dataset
    from skorch.helper import predefined_split

    labels, outputs = work.labels.astype(np.int64), len(np.unique(work.labels))

    def train(network: Replica, epochs: int) -> None:
        training, validation, test, generator = work.patterns(network)
        held_out = Dataset(work.inputs[validation], labels[validation])
        model = NeuralNetClassifier(
            build_class_ann(work.sizes[0], work.topology, outputs, random_state=generator),
            criterion=nn.NLLLoss,
            optimizer=torch.optim.Adam,
            lr=RATE,
            batch_size=-1,
            max_epochs=epochs,
            train_split=predefined_split(held_out) if len(validation) else None,
            verbose=0,
        )
        model.fit(work.inputs[training], labels[training])
        model.predict(work.inputs[test])

    def train_all() -> None:
        for network in work.networks(effort.slow):
            train(network, effort.epochs)

    train(work.networks(1)[0], 2)
    return with_threads(train_all, effort.slow * effort.epochs)


class Stacked(NamedTuple):
    """What a stack of networks begins with: parameters [R, ...] by name, and shares [R, 2, N] as
    ours has them.
    """

    parameters: dict[str, Tensor]
    shares: Tensor


def stacked(work: Work, networks: Sequence[Replica]) -> Stacked:
    """Draw the hold-outs and the initial weights of some networks."""
    anns, shares = [], torch.zeros(len(networks), 2, len(work.inputs))
    for row, network in zip(shares, networks, strict=True):
        training, validation, _, generator = work.patterns(network)
        row[0, training] = 1 / len(training)
        row[1, validation] = 1 / max(len(validation), 1)
        anns.append(
            build_class_ann(work.sizes[0], work.topology, work.sizes[-1], random_state=generator)
        )
    return Stacked(torch.func.stack_module_state(anns)[0], shares)


def train_stack(work: Work, stack: Stacked, epochs: int) -> Tensor:
    """Train a stack with `torch.func.vmap`, keeping the weights of the lowest validation loss.

    Return last losses.
    """
    ann = build_class_ann(work.sizes[0], work.topology, work.sizes[-1], random_state=SEED)
    inputs, targets = (
        torch.from_numpy(work.inputs),
        torch.from_numpy(work.targets.astype(np.float32)),
    )
    validates = bool(work.validationRatio)

    def losses_of(parameters: dict[str, Tensor], shares: Tensor) -> tuple[Tensor, Tensor]:
        outputs = torch.func.functional_call(ann, parameters, (inputs,))
        if targets.shape[1] == 1:
            hit = torch.where(targets > 0, outputs, 1 - outputs)[:, 0]
        else:
            hit = (outputs * targets).sum(dim=1)
        losses = -(shares @ torch.log(hit + FLUX_EPSILON))
        return losses[0], losses

    gradients_of = torch.func.vmap(torch.func.grad(losses_of, has_aux=True))
    parameters = {name: values.detach().clone() for name, values in stack.parameters.items()}
    best = {name: values.clone() for name, values in parameters.items()}
    lowest = torch.full((len(stack.shares),), torch.inf)
    adam = torch.optim.Adam(parameters.values(), lr=RATE, fused=True)
    for _ in range(epochs):
        gradients, losses = gradients_of(parameters, stack.shares)
        if validates:
            improves = losses[:, 1] < lowest
            torch.minimum(lowest, losses[:, 1], out=lowest)
            for name, values in parameters.items():
                torch.where(
                    improves.view(-1, *[1] * (values.ndim - 1)), values, best[name], out=best[name]
                )
        for name, values in parameters.items():
            values.grad = gradients[name]
        adam.step()
    return losses


def networks_of_a_stack(work: Work, effort: Effort) -> list[Replica]:
    """Return as many networks as fit the caches of all cores."""
    slots = default_slots(len(work.inputs), work.sizes[1:], "cpu")
    return work.networks(min(CORES * slots, FOLDS * effort.executions))


def vmap(work: Work, effort: Effort) -> Settings:
    """Prepare `torch.func.vmap`, with the threads of torch and with a stack on each of several
    threads of Python.
    """
    networks, epochs = networks_of_a_stack(work, effort), max(2, effort.epochs // 4)

    def candidate(stacks: int, threads: int) -> Way:
        pieces = [
            stacked(work, piece)
            for piece in (networks[start::stacks] for start in range(stacks))
            if piece
        ]

        def run() -> float:
            with torch_threads(threads), ThreadPoolExecutor(stacks) as pool:
                return seconds_of(
                    lambda: list(pool.map(lambda piece: train_stack(work, piece, epochs), pieces))
                )

        return Way(run, len(networks) * epochs)

    require_losses_of_the_loop(
        work, epochs, train_stack(work, stacked(work, networks[:1]), epochs)[0].tolist()
    )
    return {str(CORES): candidate(1, CORES), f"{CORES} of Python": candidate(CORES, 1)}


def require_losses_of_the_loop(work: Work, epochs: int, losses: Sequence[float]) -> None:
    """Raise AssertionError unless the first network has the losses that the loop gives it: same
    work, or no race.
    """
    trained, _ = train_alone(work, work.networks(1)[0], maxEpochs=epochs - 1, maxEpochsVal=NEVER)
    expected = [
        values[-1] for values in (trained.trainingLosses, trained.validationLosses) if len(values)
    ]
    np.testing.assert_allclose(losses[: len(expected)], expected, rtol=0, atol=1e-3)


class Jax:
    """A Python with JAX that does the jobs of `training_in_jax.py`; RuntimeError if it has none."""

    def __init__(self, python: str) -> None:
        program = Path(__file__).with_name("training_in_jax.py")
        self._process = subprocess.Popen(
            [python, str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.version = self.ask()["version"]

    def ask(self, **job: Any) -> Any:
        """Send a job and wait for what comes of it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(job) + "\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        except TimeoutError:
            self._process.kill()  # or its answer would be taken for that of the next job
            raise
        if not answer:
            raise RuntimeError("the Python with JAX has ended; its message is above")
        return json.loads(answer)

    def close(self) -> None:
        """End the process."""
        with contextlib.suppress(BrokenPipeError):
            self._process.communicate()

    def prepare(self, work: Work, effort: Effort) -> Settings:
        """Prepare jit and vmap, with one stack and with one for each core."""
        networks, epochs = networks_of_a_stack(work, effort), max(2, effort.epochs // 4)
        parameters, shares = stacked(work, networks)
        layers: dict[str, Any] = {}
        for name, values in parameters.items():  # "0.weight", "0.bias", "2.weight", ...
            kind = name.rpartition(".")[2]
            layers[f"{kind}{sum(key.startswith(kind) for key in layers)}"] = values.detach().numpy()
        targets = work.targets.T.astype(np.float32)

        def candidate(stacks: int) -> Way:
            answer = self.ask(file=file.name, epochs=epochs, stacks=stacks)
            require_losses_of_the_loop(work, epochs, answer["losses"][0])
            return Way(
                lambda: seconds_of(lambda: self.ask(job=answer["job"])), len(networks) * epochs
            )

        with tempfile.NamedTemporaryFile(suffix=".npz") as file:
            np.savez(file, inputs=work.inputs.T, targets=targets, shares=shares.numpy(), **layers)
            file.flush()
            return {
                f"{n} stack{'s' * (n > 1)}": candidate(n)
                for n in sorted({1, min(CORES, len(networks))})
            }


# What the machine can do.


class Peaks(NamedTuple):
    """The best rates, per second of all cores or per second of processor, each by the library that
    reached it.
    """

    products: dict[str, float]  # operations of SGEMM
    exps: dict[str, float]  # numbers
    copies: dict[str, float]  # bytes, read and written

    def or_better(self, other: Peaks) -> Peaks:
        """Return the better of each rate: what keeps the machine from its peak comes and goes."""
        return Peaks(
            *({key: max(a[key], b[key]) for key in a} for a, b in zip(self, other, strict=True))
        )

    def describe(self) -> str:
        """Write all rates, in 10⁹ per second."""
        names = "operations of SGEMM", "exps", "bytes copied within the cache"
        rates = (
            ", ".join(f"{rate / 1e9:.3g} by {library}" for library, rate in found.items())
            for found in self
        )
        return "; ".join(f"{name}: {text}" for name, text in zip(names, rates, strict=True))

    def limit(self, work: Work) -> float:
        """Return the seconds of a network-epoch at these rates."""
        N, (_, *fan_outs) = len(work.inputs), work.sizes
        N_train = N * (1 - 1 / FOLDS - work.validationRatio)
        N_both = N * (1 - 1 / FOLDS)
        weights = [fan_in * fan_out for fan_in, fan_out in itertools.pairwise(work.sizes)]
        operations = 2 * (N_both * sum(weights) + N_train * (sum(weights) + sum(weights[1:])))
        parameters = sum(weights) + sum(fan_outs)
        amounts = operations, N_both * sum(fan_outs), 28 * parameters
        return sum(
            amount / max(rates.values()) for amount, rates in zip(amounts, self, strict=True)
        )


def rate_of(step: Callable[[int], object], amount: float, cores: int) -> float:
    """Return the best rate of a step that some threads repeat at the same time, each in memory of
    its own.
    """
    with ThreadPoolExecutor(cores) as pool:

        def turn(repetitions: int) -> float:
            def repeat(core: int) -> None:
                for _ in range(repetitions):
                    step(core)

            return (
                cores
                * amount
                * repetitions
                / seconds_of(lambda: list(pool.map(repeat, range(cores))))
            )

        repetitions = 1 + int(0.05 * turn(10) / (cores * amount))
        return max(turn(repetitions) for _ in range(5))


# A library that does not know the processor may choose products for an older one; here it
# is stated.
AVX512_PRODUCTS = """
import sys
import time
import numpy as np
order = int(sys.argv[2])
clock = getattr(time, sys.argv[1])
left, right = np.random.default_rng(1).random((2, order, order), dtype=np.float32)
out, best = np.empty_like(left), float("inf")
for _ in range(6):
    start = clock()
    np.matmul(left, right, out=out)
    best = min(best, clock() - start)
print(2 * order**3 / best)
"""


def measure_peaks() -> Peaks:
    """Measure products, exps and copies with the libraries at hand.

    The best of each is the peak.
    """
    generator = np.random.default_rng(SEED)
    left, right = generator.random((2, ORDER, ORDER), dtype=np.float32)
    out = np.empty_like(left)
    tensors = [torch.from_numpy(array) for array in (left, right, out)]
    with torch_threads(CORES):
        products = {
            "torch": rate_of(lambda _: torch.mm(*tensors[:2], out=tensors[2]), 2 * ORDER**3, 1),
            "numpy": rate_of(lambda _: np.matmul(left, right, out=out), 2 * ORDER**3, 1),
        }
    if "avx512f" in told_of_processor().split():
        environment = os.environ | {"OPENBLAS_CORETYPE": "SkylakeX"}
        clock = "perf_counter" if CLOCK is time.perf_counter else "process_time"
        program = [sys.executable, "-c", AVX512_PRODUCTS, clock, str(ORDER)]
        output = subprocess.run(
            program, env=environment, stdout=subprocess.PIPE, text=True, check=True
        )
        products["numpy with AVX-512"] = float(output.stdout)
    values = [generator.random(1 << 16, dtype=np.float32) for _ in range(CORES)]
    outs = [np.empty_like(array) for array in values]
    inputs, outputs = ([torch.from_numpy(array) for array in arrays] for arrays in (values, outs))
    with torch_threads(1):
        exps = {
            "torch": rate_of(
                lambda core: torch.exp(inputs[core], out=outputs[core]), 1 << 16, CORES
            ),
            "numpy": rate_of(lambda core: np.exp(values[core], out=outs[core]), 1 << 16, CORES),
        }
    copies = {"numpy": rate_of(lambda core: np.copyto(outs[core], values[core]), 8 << 16, CORES)}
    return Peaks(products, exps, copies)


def told_of_processor() -> str:
    """Return what Linux says of the processor; nothing elsewhere."""
    with contextlib.suppress(OSError):
        return Path("/proc/cpuinfo").read_text(encoding="utf-8")
    return ""


def describe_machine(jax_version: str) -> str:
    """Name the day, the processor, its cores and vector instructions, and the versions that took
    part.
    """
    told = told_of_processor()
    name = re.search(r"^model name\s*: (.*)$", told, re.MULTILINE)
    known = ("fma", "avx", "avx2", "avx512f", "avx512_bf16", "amx_tile", "asimd")
    vectors = [each for each in known if each in told.split()]
    packages = [torch, np, sklearn, joblib]
    packages += (
        [importlib.import_module("skorch")]
        if importlib.util.find_spec("skorch") is not None
        else []
    )
    versions = [
        f"Python {platform.python_version()}",
        *(f"{each.__name__} {each.__version__}" for each in packages),
    ]
    versions += [f"JAX {jax_version}"] if jax_version else []
    return (
        f"{time.strftime('%Y-%m-%d')};"
        f" {name[1] if name else platform.processor() or 'unknown processor'}: {CORES} cores,"
        f" {platform.machine()} ({' '.join(vectors) or 'vector instructions unknown'});"
        f" {', '.join(versions)}; load average {os.getloadavg()[0]:.1f} at the end"
    )


# The tables.


def report(work: Work, text: str) -> None:
    """Print the progress on stderr, apart from the tables."""
    seconds = time.perf_counter() - BEGIN
    print(
        f"[{seconds:4.0f} s] {work.name}, validation {work.validationRatio:g}: {text}",
        file=sys.stderr,
        flush=True,
    )


def figure(value: float) -> str:
    """Write a number with two or three digits that count."""
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def row(cells: Sequence[str]) -> str:
    """Write a row of a table in Markdown."""
    return f"| {' | '.join(cells)} |"


def in_turns(
    work: Work, ways: dict[str, Settings], turns: int, attempts: Attempts
) -> dict[str, float]:
    """Run all ways in turns.

    Return the median seconds of a network-epoch of each, in its best setting.
    """
    entries: dict[tuple[str, str], tuple[Way, list[float]]] = {
        (name, setting): (way, [])
        for name, settings in ways.items()
        for setting, way in settings.items()
    }
    for _ in range(turns):
        for (name, setting), (way, times) in [*entries.items()]:
            seconds = attempts.attempt(work, f"{name} {setting}".strip(), way.run)
            if seconds is None:
                del entries[name, setting]
            else:
                times.append(seconds / way.network_epochs)
    best: dict[str, float] = {}
    for (name, _), (_, times) in entries.items():
        best[name] = min(best.get(name, math.inf), statistics.median(times))
    return best


def per_network_epoch(
    works: Sequence[Work], jax: Jax | None, options: argparse.Namespace
) -> Iterator[str]:
    """Give the table of all ways, a row for each work as it comes, and below it what was found on
    the way.
    """
    preparations: dict[str, Callable[[Work, Effort], Settings]] = {
        "loop": loop,
        f"joblib, {CORES} processes": loop_in_processes,
        f"scikit-learn, n_jobs={CORES}": scikit_learn,
        "skorch": skorch,
        "torch.func.vmap": vmap,
        "JAX jit+vmap": jax.prepare if jax is not None else lambda work, effort: {},
        OURS_IN_TORCH: functools.partial(ours, in_c=False),
        OURS_IN_C: functools.partial(ours, in_c=True),
    }
    attempts = Attempts(options.limit)
    peaks = measure_peaks()
    head = row(["data set and layers", "validation", *preparations, "limit", "limit / ours"])
    yield f"{head}\n| :-- | :-- {'| --: ' * (len(preparations) + 2)}|"
    for work in works:
        effort = work.effort
        if options.quick:
            effort = effort._replace(epochs=max(8, effort.epochs // 3))
        ways: dict[str, Settings] = {}
        for name, prepare in preparations.items():
            report(work, name)
            ways[name] = (
                attempts.attempt(work, name, functools.partial(prepare, work, effort)) or {}
            )
        report(work, "all in turns")
        best = in_turns(work, ways, 1 if options.quick else TURNS, attempts)
        peaks = peaks.or_better(measure_peaks())
        yield row_of(work, best, [*preparations], peaks)
    yield (
        f"\nPeaks of {'a core' if options.processor else 'all cores'}, in 10⁹ per second:"
        f" {peaks.describe()}."
    )
    if attempts.failures:
        yield "\nNot timed:\n" + "\n".join(f"- {failure}" for failure in attempts.failures)


def row_of(work: Work, times: dict[str, float], names: Sequence[str], peaks: Peaks) -> str:
    """Write the row of a work: seconds of a network-epoch in microseconds, and how many times those
    of ours.
    """
    limit, ours = peaks.limit(work), times.get(OURS_IN_C, times.get(OURS_IN_TORCH, float("nan")))
    cells = [work.title, f"{work.validationRatio:g}"]
    for name in names:
        if name not in times:
            cells.append("–")
        elif times[name] == ours:
            cells.append(f"**{figure(1e6 * ours)}**")
        else:
            cells.append(f"{figure(1e6 * times[name])} ({figure(times[name] / ours)}×)")
    both = [name for name in (OURS_IN_TORCH, OURS_IN_C) if name in times]
    shares = [f"{name.rpartition(' ')[2]} {100 * limit / times[name]:.0f} %" for name in both]
    return row([*cells, figure(1e6 * limit), ", ".join(shares)])


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--quick", action="store_true", help="fewer epochs and one turn: rough figures"
    )
    parser.add_argument(
        "--jax", metavar="PYTHON", help="a Python with JAX (this one, if it has JAX)"
    )
    parser.add_argument(
        "--limit", type=float, default=120, metavar="SECONDS", help="for a turn of a peer (120)"
    )
    parser.add_argument(
        "--processor", action="store_true", help="time of processor, all cores added up (Linux)"
    )
    parser.add_argument(
        "--data", nargs="+", choices=sorted(data_sets()), help="only some data sets (all)"
    )
    parser.add_argument(
        "--validation", nargs="+", type=float, default=[0.2, 0.0], metavar="RATIO", help="0.2 0"
    )
    options = parser.parse_args()
    if options.processor:
        global CLOCK
        CLOCK = processor_seconds
    unit = "Microseconds of processor" if options.processor else "Microseconds"
    chosen = [load() for name, load in data_sets().items() if name in (options.data or data_sets())]
    works = [
        dataclasses.replace(work, validationRatio=ratio)
        for work in chosen
        for ratio in options.validation
    ]
    python = options.jax or (sys.executable if importlib.util.find_spec("jax") else None)
    try:
        jax = Jax(python) if python else None
    except (OSError, RuntimeError) as error:
        parser.error(f"--jax {python}: {error}")
    print(f"{unit} per network-epoch; in brackets, times ours.\n", flush=True)
    for line in per_network_epoch(works, jax, options):
        print(line, flush=True)
    print(f"\n{describe_machine(jax.version if jax is not None else '')}.")
    if jax is not None:
        jax.close()


BEGIN = time.perf_counter()

if __name__ == "__main__":
    main()
