"""The epoch of a stack as a CUDA graph, recorded and replayed on a processor; losses looked at now and then."""

import contextlib
import itertools
import types
import warnings

import numpy as np
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten
from training_cases import iris, plans, tumours

from practica.reference import batched_training
from practica.reference.batched_training import train_networks
from practica.reference.epoch_graph import replayed

WAITING = torch.ops.aten._local_scalar_dense.default  # the operation under `item`
SLOPE = torch.tensor(0.1)


def trained(inputs, targets, topology=(6,), count=7, fraction=0.2, **options):
    """Train some networks in a stack; return them in the order of their plans."""
    options = {"maxEpochs": 45, "maxEpochsVal": 3, "learningRate": 0.3, "keep_losses": True} | options
    results = train_networks(topology, plans(inputs, count, fraction), targets, **options)
    return sorted(results, key=lambda network: network.position)


def assert_same_bits(ones, others):
    """Compare networks, the epochs and all losses."""
    for one, other in zip(ones, others, strict=True):
        assert one[2:4] == other[2:4]
        np.testing.assert_array_equal(one.losses, other.losses)
        assert all(itertools.starmap(torch.equal, zip(one.parameters, other.parameters, strict=True)))


@pytest.mark.parametrize("epochs_a_look", [2, 7, 20, 100])
@pytest.mark.parametrize(
    ("data", "options"),
    [
        (iris, {}),
        (iris, {"slots": 3}),
        (iris, {"slots": 2, "shared_inputs": False, "transferFunctions": ["tanh"]}),
        (iris, {"fraction": 0}),
        (iris, {"minLoss": 0.4}),
        (iris, {"maxEpochs": 0}),
        (tumours, {"topology": (5, 3), "weightDecay": 0.01}),
        (tumours, {"transferFunctions": [torch.nn.ELU()], "slots": 4}),
    ],
    ids=["all", "refilled", "own inputs", "no validation", "loss reached", "no epochs", "decay", "of the user"],
)
def test_looking_at_the_losses_now_and_then_changes_no_bit(data, options, epochs_a_look):
    """Best weights, ends and losses are those of looking at each epoch, though the stack goes on meanwhile."""
    inputs, targets = data()
    each = trained(inputs, targets, **options)
    if not {"fraction", "maxEpochs"} & {*options}:
        assert len({network.epochs for network in each}) > 1, "the networks should end at different epochs"
    assert_same_bits(trained(inputs, targets, **options, epochs_a_look=epochs_a_look), each)


def test_quantities_are_looked_at_now_and_then_too():
    """The squared loss, and no class."""
    inputs, _ = iris()
    targets = inputs[:, 2:3] ** 2
    assert_same_bits(trained(inputs, targets, epochs_a_look=7), trained(inputs, targets))


def test_a_loss_that_is_not_finite_is_reported_with_its_own_epoch():
    """Not with that of the look, nor with a loss after it."""
    inputs, targets = iris()
    sentences = set()
    for epochs_a_look in (1, 4, 20):
        options = {"learningRate": 1e30, "transferFunctions": ["relu"], "epochs_a_look": epochs_a_look}
        with pytest.raises(ValueError, match=r"the training loss is nan at epoch \d+ with") as refused:
            trained(inputs, targets, count=1, **options)
        sentences.add(str(refused.value))
    assert len(sentences) == 1


@pytest.mark.parametrize("maxEpochs", [0, 1, 18, 19, 20, 30, 300, 1000, 10**30])
def test_few_epochs_are_left_over_after_the_last_look(maxEpochs):
    """Nobody needs them where no network stops early."""
    epochs = batched_training._epochs_a_look(maxEpochs, "cuda")
    assert 1 <= epochs <= 20
    assert -(maxEpochs + 1) % epochs <= (maxEpochs + 1) / 10
    assert batched_training._epochs_a_look(maxEpochs, "cpu") == 1


class Watch(TorchDispatchMode):
    """A stream in torch's debugging mode, in which an operation that waits for the GPU warns."""

    def __init__(self, gpu):
        super().__init__()
        self.gpu = gpu

    def __torch_dispatch__(self, operation, types, args=(), kwargs=None):
        if operation is WAITING and self.gpu.mode == "warn":
            warnings.warn("called a synchronizing CUDA operation", stacklevel=1)
        return operation(*args, **(kwargs or {}))


class Capture(TorchDispatchMode):
    """Capture of a graph: operations and the tensors they work on are recorded, and what they wrote is undone."""

    def __init__(self, graph, stream, capture_error_mode):
        super().__init__()
        self.graph, self.overwritten = graph, []

    def __torch_dispatch__(self, operation, types, args=(), kwargs=None):
        if operation is WAITING:
            raise RuntimeError("operation not permitted when stream is capturing")
        named = dict(zip((argument.name for argument in operation._schema.arguments), args, strict=False))
        for argument in operation._schema.arguments:
            if argument.alias_info is not None and argument.alias_info.is_write:
                written = (named | (kwargs or {}))[argument.name]
                self.overwritten.append((written, written.clone()))
        result = operation(*args, **(kwargs or {}))
        self.graph.calls.append((operation, args, kwargs or {}, result))
        return result

    def __exit__(self, *error):
        super().__exit__(*error)
        for tensor, before in reversed(self.overwritten):
            tensor.detach().copy_(before)


class Graph:
    """A captured graph: the recorded operations on the recorded tensors, without any Python around them."""

    def __init__(self):
        self.calls, self.replays = [], 0

    def replay(self):
        """Do the operations again, each on the tensors that it had."""
        self.replays += 1
        for operation, args, kwargs, recorded in self.calls:
            results, places = (tree_flatten(each)[0] for each in (operation(*args, **kwargs), recorded))
            for result, place in zip(results, places, strict=True):
                if result.data_ptr() != place.data_ptr():
                    place.copy_(result)


@pytest.fixture
def gpu(monkeypatch):
    """Stand in for torch's graphs; stacks on the processor then train as on a GPU."""
    gpu = types.SimpleNamespace(mode=0, graphs=[])

    def graph():
        gpu.graphs.append(Graph())
        return gpu.graphs[-1]

    stream = types.SimpleNamespace(wait_stream=lambda other: None)
    for name, stand_in in {
        "Stream": lambda: stream,
        "current_stream": lambda: stream,
        "stream": lambda _: Watch(gpu) if gpu.mode else contextlib.nullcontext(),
        "get_sync_debug_mode": lambda: gpu.mode,
        "set_sync_debug_mode": lambda mode: setattr(gpu, "mode", mode),
        "CUDAGraph": graph,
        "graph": Capture,
    }.items():
        monkeypatch.setattr(torch.cuda, name, stand_in)
    monkeypatch.setitem(batched_training._PREPARED, "cpu", replayed)
    return gpu


def of_the_user(sums):
    """Stand for a function that a graph can hold."""
    return sums / (1 + torch.abs(sums))


def that_waits(sums):
    """Stand for a function that reads a number of the GPU's."""
    return torch.where(sums > 0, sums, SLOPE.to(sums.device).item() * sums)


def that_counts_its_calls():
    """Return a function that fails in its second call, in which it would be captured."""
    calls = itertools.count(1)

    def function(sums):
        if next(calls) == 2:
            raise RuntimeError("not while a stream is capturing")
        return torch.tanh(sums)

    return function


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"topology": (5, 4), "transferFunctions": ["tanh", "relu"], "slots": 3},
        {"transferFunctions": [of_the_user], "fraction": 0},
        {"transferFunctions": [torch.nn.ELU()], "shared_inputs": False, "weightDecay": 0.01},
    ],
    ids=["named", "refilled", "of the user", "own inputs"],
)
@pytest.mark.parametrize("data", [iris, tumours])
def test_a_replayed_epoch_gives_the_same_bits(gpu, data, options):
    """All that changes from epoch to epoch is in tensors that stay where they are."""
    inputs, targets = data()
    plain = trained(inputs, targets, **options)
    assert not gpu.graphs
    assert_same_bits(trained(inputs, targets, **options, epochs_a_look=10), plain)
    assert sum(graph.replays for graph in gpu.graphs) > 10
    assert gpu.mode == 0


@pytest.mark.parametrize(
    ("function", "graphs"), [(that_waits, 0), (that_counts_its_calls(), 1)], ids=["waits", "fails"]
)
def test_a_function_that_cannot_be_captured_is_trained_without_a_graph(gpu, caplog, function, graphs):
    """With the same result; one that waits is found before a capture breaks off."""
    inputs, targets = iris()
    options = {"transferFunctions": [function], "maxEpochs": 30, "maxEpochsVal": 30}
    replayed_stack = trained(inputs, targets, **options, epochs_a_look=10, count=2)
    assert [graph.replays for graph in gpu.graphs] == [0] * graphs
    assert len(caplog.messages) == graphs
    assert_same_bits(replayed_stack, trained(inputs, targets, **options, count=2))


def test_a_graph_is_captured_again_only_when_the_stack_is_halved(gpu):
    """Sixteen networks that end one by one are not sixteen captures."""
    inputs, targets = iris()
    networks = trained(inputs, targets, count=16, maxEpochs=400, epochs_a_look=5)
    assert len({network.epochs for network in networks}) > 5
    assert 1 < len(gpu.graphs) <= 5


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU that torch can use")
@pytest.mark.parametrize("function", ["sigmoid", of_the_user, that_waits])
def test_a_gpu_replays_what_it_would_compute(monkeypatch, function):
    """The real thing: the same bits as without a graph, and random numbers of the GPU still work."""
    inputs, targets = iris()
    options = {"transferFunctions": [function], "device": "cuda"}
    with_graphs = trained(inputs, targets, **options)
    torch.rand(1, device="cuda")
    monkeypatch.setitem(batched_training._PREPARED, "cuda", lambda epoch: epoch)
    assert_same_bits(with_graphs, trained(inputs, targets, **options))
