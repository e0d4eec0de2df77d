"""The networks of a cross-validation as tasks: the same scores whoever runs them."""

import os
import shutil
import signal
import threading
import time

import joblib
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from training_cases import LOSS_TOLERANCE, assert_networks_follow_the_loop, iris, tumours

from practica.evaluation.classifier import ANNClassifier
from practica.evaluation.model_scores import cross_validate_executions
from practica.evaluation.regressor import ANNRegressor
from practica.reference import batched_training, compiled_training
from practica.reference.block_training import Memory
from practica.reference.cross_validation import ann_cross_validation
from practica.reference.devices import as_device
from practica.reference.metrics import confusion_matrix
from practica.reference.network import build_class_ann
from practica.reference.normalization import normalize_zero_mean
from practica.reference.partition import Folds, crossvalidation, hold_out
from practica.reference.randomness import SeedTree
from practica.reference.trainers import Replica, Trainer, plan_network, train_networks
from practica.reference.training import train_class_ann

INPUTS, SPECIES = load_iris(return_X_y=True)
FOLDS = crossvalidation(SPECIES, 3, random_state=1)
OPTIONS = {"numExecutions": 4, "maxEpochs": 15, "validationRatio": 0.2, "random_state": 7}


def scores(**options):
    """Cross-validate a small network on Iris."""
    return ann_cross_validation([3], INPUTS, SPECIES, FOLDS, **(OPTIONS | options)).scores


@pytest.mark.slow
@pytest.mark.parametrize(
    "trainer", [batched_training, compiled_training], ids=["batched", "compiled"]
)
@pytest.mark.parametrize(
    ("data", "topology"),
    [(iris, ()), (iris, (8,)), (iris, (4, 3, 2)), (tumours, (16, 8)), (tumours, (1,))],
)
@pytest.mark.parametrize(("fraction", "epochs"), [(0, 40), (0.2, 160)])
def test_each_network_follows_the_loop(trainer, data, topology, fraction, epochs):
    """Losses agree epoch by epoch, training ends at the same one, and the network returned gives
    the same outputs.
    """
    if trainer is compiled_training and shutil.which(os.environ.get("CC") or "cc") is None:
        pytest.skip("the kernel needs a C compiler, and this machine has none")
    assert_networks_follow_the_loop(trainer.train_networks, data, topology, fraction, epochs)


@pytest.mark.parametrize("epoch", [0, 1, 7])
@pytest.mark.parametrize(
    "trainer", [batched_training, compiled_training], ids=["batched", "compiled"]
)
def test_a_loss_of_minLoss_ends_training(trainer, epoch):
    """Not only one below it, as in the loop."""
    if trainer is compiled_training and shutil.which(os.environ.get("CC") or "cc") is None:
        pytest.skip("the kernel needs a C compiler, and this machine has none")
    inputs, targets = iris()

    def losses(**options):
        plan = plan_network("it", inputs, np.arange(150), 0, np.random.default_rng(1))
        (trained,) = trainer.train_networks(
            [3], [plan], targets, keep_losses=True, maxEpochs=9, **options
        )
        return trained.losses[:, 0]

    whole = losses()
    assert (np.diff(whole) < 0).all()
    assert len(losses(minLoss=float(whole[epoch]))) == epoch + 1
    assert len(losses(minLoss=float(np.nextafter(whole[epoch], np.float32(0))))) == epoch + 2


@pytest.mark.parametrize("n_jobs", [1, 2, 3])
@pytest.mark.parametrize("normalization", [None, "zeromean"])
def test_the_number_of_workers_does_not_change_a_score(n_jobs, normalization):
    """Each network has a seed of its own, and the same bits in any task."""
    np.testing.assert_array_equal(
        scores(n_jobs=n_jobs, normalization=normalization), scores(normalization=normalization)
    )


def test_a_worker_has_one_thread_of_torch():
    """Threads that wait for each other stall on a busy machine.

    Tests/invariants/test_globals.py has the caller's.
    """
    seen = set()

    def function(sums):
        seen.add(torch.get_num_threads())
        return torch.sigmoid(sums)

    before = torch.get_num_threads()
    torch.set_num_threads(3)
    try:
        scores(n_jobs=2, transferFunctions=[function], numExecutions=2, maxEpochs=1)
    finally:
        torch.set_num_threads(before)
    assert seen == {1}


def trainer(**changes):
    """Return what trains the networks of a tiny cross-validation."""
    settings = {
        "inputs": INPUTS,
        "targets": SPECIES[:, None] == np.arange(3),
        "folds": Folds(FOLDS),
        "normalize": None,
        "validationRatio": 0.2,
        "seeds": SeedTree(7),
        "topology": [3],
        "options": {"transferFunctions": None, "maxEpochs": 15},
        "device": "cpu",
    }
    return Trainer(**(settings | changes))


@given(count=st.integers(1, 2000), workers=st.integers(1, 64))
def test_every_network_is_in_exactly_one_task(count, workers):
    """However the work is cut, nothing is lost and nothing is done twice."""
    replicas = [Replica(1, execution) for execution in range(count)]
    tasks = trainer().tasks(replicas, workers)
    assert [replica for task in tasks for replica in task] == replicas
    assert len(tasks) >= min(workers, count) // 2


def test_a_score_is_that_of_the_loop():
    """Hold-out, training and confusion matrix of one execution, written out."""
    inputs = INPUTS.astype(np.float32)
    targets = SPECIES[:, None] == np.arange(3)
    [(replica, metrics)] = trainer().scores([Replica(fold=2, execution=3)])
    assert replica == (2, 3)
    plan = trainer()._plan(replica, trainer()._patterns_of(2))
    assert len(plan.validation) == 30
    assert not np.intersect1d(
        np.r_[plan.training, plan.validation], np.flatnonzero(FOLDS == 2)
    ).size
    ann = train_class_ann(
        [3],
        (inputs[plan.training], targets[plan.training]),
        validationDataset=(inputs[plan.validation], targets[plan.validation]),
        maxEpochs=15,
        random_state=plan.generator,
    ).ann
    with torch.no_grad():
        outputs = ann(torch.from_numpy(inputs[FOLDS == 2]))
    assert metrics == pytest.approx(confusion_matrix(outputs, targets[FOLDS == 2]))


def test_a_function_with_parameters_of_its_own_is_trained_by_the_plain_loop():
    """Each network trains its own copy of a PReLU, and the caller's stays as it was."""
    slope = torch.nn.PReLU()
    result = scores(transferFunctions=[slope], numExecutions=2, maxEpochs=5)
    assert np.isfinite(result).all()
    assert slope.weight.item() == 0.25


@pytest.mark.parametrize("outputs", [1, 3])
@pytest.mark.parametrize("beginning", ["drawn", "given"])
def test_all_trainers_weigh_the_patterns_and_begin_where_they_are_told(
    monkeypatch, outputs, beginning
):
    """Losses agree epoch by epoch; the first one is torch's own weighted mean."""
    targets = SPECIES[:, None] == np.arange(outputs)
    inputs = normalize_zero_mean(INPUTS).astype(np.float32)
    weights = np.random.default_rng(2).exponential(size=150)
    start = build_class_ann(4, [3], outputs, random_state=5) if beginning == "given" else None
    options = {
        "transferFunctions": None,
        "maxEpochs": 40,
        "minLoss": 0,
        "learningRate": 0.1,
        "maxEpochsVal": 40,
    }
    curves = []
    for kernel, together in ((True, True), (False, True), (False, False)):
        if not kernel:
            monkeypatch.setattr("practica.reference.trainers.can_be_compiled", lambda *_: False)
        plan = plan_network("it", inputs, np.arange(150), 0.2, np.random.default_rng(1))
        plan = plan._replace(weights=weights, start=start)
        ((_, _, losses, *_),) = train_networks(
            [3], [plan], targets, together=together, keep_losses=True, **options
        )
        curves.append(losses)
    for curve in curves:
        np.testing.assert_allclose(curve, curves[2], rtol=0, atol=LOSS_TOLERANCE)
    generator = np.random.default_rng(1)
    hold_out(150, 0.2, random_state=generator)
    ann = start or build_class_ann(4, [3], outputs, random_state=generator)
    for patterns, loss in zip((plan.training, plan.validation), curves[0][0], strict=True):
        with torch.no_grad():
            given = ann(torch.from_numpy(inputs[patterns])).numpy().astype(float)
        hit = np.where(targets[patterns], given, 1 - given if outputs == 1 else 0).sum(axis=1)
        assert loss == pytest.approx(np.average(-np.log(hit), weights=weights[patterns]), rel=1e-5)


@pytest.mark.parametrize("device", ["gpu", "", None])
def test_an_unknown_device_is_refused(device):
    """The sentence says what a device can be."""
    with pytest.raises(ValueError, match=r"device=.* is unknown; it must be 'cpu' or 'cuda'"):
        as_device(device)


@pytest.mark.skipif(
    torch.cuda.is_available(), reason="this machine has the GPU whose absence is tested"
)
def test_a_gpu_that_is_not_there_is_refused():
    """It does not become the processors in silence."""
    with pytest.raises(ValueError, match="torch finds no GPU here; use 'cpu'"):
        scores(device="cuda")


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU that torch can use")
def test_a_gpu_gives_the_scores_of_the_processor():
    """The same networks are drawn.

    Float32 sums differ in their last bits, and few predictions with them.
    """
    assert np.abs(scores(device="cuda") - scores(device="cpu")).max() < 0.05


@pytest.fixture
def stacks(monkeypatch):
    """Stand in for a GPU without CuPy: its stacks are trained on the processor, and each notes how
    many ran beside.
    """
    stacks, running, lock = [], [], threading.Lock()

    def train(topology, plans, targets, *, device, **options):
        if device == "cpu":  # the way without a compiler
            yield from batched_training.train_networks(topology, plans, targets, **options)
            return
        plans = list(plans)
        with lock:
            running.append(plans)
            stacks.append((len(plans), len(running)))
        time.sleep(0.1)  # others would begin meanwhile
        yield from batched_training.train_networks(topology, plans, targets, **options)
        with lock:
            running.remove(plans)

    monkeypatch.setattr("practica.reference.devices.finds_a_gpu", lambda: True)
    monkeypatch.setattr("practica.reference.trainers.shared_memory", lambda: None)
    monkeypatch.setattr("practica.reference.trainers.train_together", train)
    return stacks


@pytest.mark.parametrize("n_jobs", [1, 4, -1])
@pytest.mark.parametrize("normalization", [None, "zeromean"])
def test_a_gpu_trains_one_stack_whatever_the_number_of_workers(stacks, n_jobs, normalization):
    """Sixteen threads that share a GPU took up to eighteen times as long as the processor."""
    on_the_gpu = scores(device="cuda", n_jobs=n_jobs, normalization=normalization)
    assert stacks == [(12, 1)]
    np.testing.assert_allclose(on_the_gpu, scores(normalization=normalization), atol=0.05)
    cross_validate_executions(
        ANNClassifier([3], maxEpochs=5), INPUTS, SPECIES, FOLDS, 4, n_jobs=n_jobs, device="cuda"
    )
    assert stacks[1:] == [(12, 1)]


@pytest.mark.parametrize(
    ("device", "function", "chosen"),
    # no stack keeps its slopes
    [("cuda", "relu", "cuda"), ("cpu", "relu", "cpu"), ("cuda", torch.nn.PReLU(), "cpu")],
)
def test_a_gpu_trains_where_it_is_asked_for_and_can(stacks, device, function, chosen):
    """Networks with functions that have parameters are trained by the loop."""
    assert as_device(device, [function]) == chosen


@pytest.mark.parametrize(
    ("options", "way"),
    [
        ({}, "blocks"),
        ({"class_weight": "balanced"}, "blocks"),
        ({"weightDecay": 0.1}, "stack"),
        ({"transferFunctions": torch.nn.ELU()}, "stack"),
        ({"topology": 100}, "stack"),
        ({"transferFunctions": torch.nn.PReLU()}, "loop"),
    ],
    ids=["plain", "weights", "decay", "of the user", "too wide", "with parameters"],
)
@pytest.mark.parametrize("door", ["fit", "cross-validation", "quantities"])
def test_a_gpu_trains_in_the_way_that_its_options_allow(monkeypatch, stacks, door, options, way):
    """What a block cannot train is a stack, and what neither can is trained by the loop."""
    blocks = []

    def train(block, plans, targets, *, weightDecay=0, **others):
        blocks.append(block)
        yield from batched_training.train_networks([*block.sizes[1:-1]], plans, targets, **others)

    monkeypatch.setattr(
        "practica.reference.trainers.shared_memory", lambda: Memory(227 << 10, 228 << 10)
    )
    monkeypatch.setattr("practica.reference.trainers.train_in_blocks", train)
    options = {"topology": 3, "maxEpochs": 3} | options
    if door == "fit":
        ANNClassifier(**options, device="cuda").fit(INPUTS, SPECIES)
    elif door == "cross-validation":
        cross_validate_executions(
            ANNClassifier(**options), INPUTS, SPECIES, FOLDS, 2, device="cuda"
        )
    else:
        options.pop("class_weight", None)
        ANNRegressor(**options, device="cuda").fit(INPUTS, INPUTS[:, 0])
        way = "stack" if way == "blocks" else way
    taken = "blocks" if blocks else "stack" if stacks else "loop"
    assert taken == way


@pytest.fixture(scope="module")
def cluster():
    """Run a real Dask cluster of two processes, and a client of it."""
    distributed = pytest.importorskip("distributed", reason="needs the extra practica[dask]")
    with (
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",
            silence_logs=50,
        ) as local,
        distributed.Client(local) as client,
    ):
        yield client


@pytest.mark.thorough
# Dask's own, about its start and about the worker killed here
@pytest.mark.filterwarnings("default")
def test_a_dask_cluster_gives_the_scores_of_threads(cluster):
    """One line of the user's takes the tasks to a cluster."""
    with joblib.parallel_config(backend="dask"):
        on_the_cluster = scores()
    np.testing.assert_array_equal(on_the_cluster, scores())


@pytest.mark.thorough
@pytest.mark.filterwarnings("default")
def test_a_killed_worker_loses_no_network(cluster):
    """Its tasks are done again by another worker, with the same scores."""
    victim = min(cluster.run(os.getpid).values())
    done = []

    def kill_once(trained, total):
        if not done:
            os.kill(victim, signal.SIGKILL)
        done.append(trained / total)

    larger = {"numExecutions": 40, "transferFunctions": ["tanh"] * 2, "validationRatio": 0}
    with joblib.parallel_config(backend="dask"):
        on_the_cluster = ann_cross_validation(
            [60, 60], INPUTS, SPECIES, FOLDS, **(OPTIONS | larger), progress=kill_once
        ).scores
    assert done[0] <= 0.5, "work should remain when the worker is killed"
    here = ann_cross_validation([60, 60], INPUTS, SPECIES, FOLDS, **(OPTIONS | larger)).scores
    np.testing.assert_array_equal(on_the_cluster, here)


@pytest.mark.parametrize("fraction", [0, 0.2])
@pytest.mark.parametrize(
    ("topology", "functions"), [([], None), ([5], ["tanh"]), ([4, 3], ["sigmoid", "relu"])]
)
@pytest.mark.parametrize(
    ("kind", "decay"), [("one", 0.05), ("three", 0.05), ("quantity", 0), ("quantity", 0.05)]
)
def test_all_trainers_decay_weights_and_predict_quantities_alike(
    monkeypatch, kind, decay, topology, functions, fraction
):
    """Losses, ends and weights of the kernel and of the stack are those of the loop."""
    inputs = normalize_zero_mean(INPUTS).astype(np.float32)
    targets = {
        "one": SPECIES[:, None] == 1,
        "three": SPECIES[:, None] == np.arange(3),
        # Not of mean 0: the first gradient of the bias would be rounding, and Adam makes a whole
        # step of it.
        "quantity": (0.5 + normalize_zero_mean(INPUTS[:, 2:3] ** 2)).astype(np.float32),
    }[kind]
    options = {
        "transferFunctions": functions,
        "maxEpochs": 60,
        "learningRate": 0.05,
        "maxEpochsVal": 60,
    }
    results = []
    for kernel, together in ((True, True), (False, True), (False, False)):
        if not kernel:
            monkeypatch.setattr("practica.reference.trainers.can_be_compiled", lambda *_: False)
        plan = plan_network("it", inputs, np.arange(150), fraction, np.random.default_rng(1))
        ((_, module, losses, *_),) = train_networks(
            topology,
            [plan],
            targets,
            together=together,
            keep_losses=True,
            weightDecay=decay,
            **options,
        )
        with torch.no_grad():
            results.append((losses, module()(torch.from_numpy(inputs)).numpy()))
    for losses, outputs in results[:2]:
        np.testing.assert_allclose(losses, results[2][0], rtol=1e-5, atol=LOSS_TOLERANCE)
        np.testing.assert_allclose(outputs, results[2][1], rtol=0, atol=1e-4)
    if kind == "quantity" and not fraction:
        assert results[0][0][-1, 0] == pytest.approx(
            np.mean((results[0][1] - targets) ** 2), rel=1e-4
        )


def test_a_decay_of_nothing_changes_no_bit():
    """Nor does one that is left out."""
    inputs = normalize_zero_mean(INPUTS).astype(np.float32)
    targets = SPECIES[:, None] == np.arange(3)

    def losses(**options):
        plan = plan_network("it", inputs, np.arange(150), 0.2, np.random.default_rng(1))
        ((_, _, losses, *_),) = train_networks(
            [5], [plan], targets, keep_losses=True, maxEpochs=30, **options
        )
        return losses

    np.testing.assert_array_equal(losses(), losses(weightDecay=0.0))
    assert not np.array_equal(losses(), losses(weightDecay=0.01))
    with pytest.raises(ValueError, match="weightDecay=-1 is out of range"):
        losses(weightDecay=-1)
