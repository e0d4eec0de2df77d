"""What proves outside the grader that a file is right: networks are computed again from the sums of
their layers, trainings and all other answers compared with those of the model answer.
"""

import copy
import itertools
import random
import types

import numpy as np
import torch
from submissions import MODEL

NETWORKS = (
    (3, [4, 2], 1, None),
    (7, [6], 3, [torch.tanh]),
    (2, [], 3, None),
    (2, [3, 3], 4, [torch.relu, torch.tanh]),
    (4, [3, 3, 2], 1, [torch.sigmoid, torch.tanh, torch.tanh]),
)
OPTIONS = (  # how long the trainings last that are compared
    {"maxEpochs": 6},
    {"maxEpochs": 25, "maxEpochsVal": 3},
    {"maxEpochs": 25, "minLoss": 0.6},
    {"maxEpochs": 0, "maxEpochsVal": 2},
)


def loaded(source: str) -> types.ModuleType:
    """Run a file, and return it as a module."""
    module = types.ModuleType("solucion")
    exec(compile(source, "solucion.py", "exec"), module.__dict__)
    return module


def fault_of_networks(module) -> str:
    """Return what is wrong with the networks that a file builds; empty if nothing is."""
    for number, (inputs, topology, outputs, functions) in enumerate(NETWORKS):
        torch.manual_seed(number)
        given = {} if functions is None else {"transferFunctions": functions}
        one, other = (module.build_class_ann(inputs, topology, outputs, **given) for _ in range(2))
        fault = _fault(one, inputs, topology, outputs, functions)
        fault = fault or _fault_of_weights(_layers(one), _layers(other))
        if fault:
            return f"{inputs}, {topology}, {outputs}: {fault}"
    return ""


def _fault(net, inputs, topology, outputs, functions) -> str:
    """Compare the outputs of a network with those of its layers' sums and the right functions."""
    patterns = torch.randn(9, inputs)
    obtained = net(patterns)
    used = torch.autograd.grad(obtained.sum(), list(net.parameters()), allow_unused=True)
    if any(each is None for each in used):
        return "parameters without influence"
    layers = _layers(net)
    if [weights.shape[1] for weights, _ in layers] != [*topology, outputs]:
        return "another structure"
    last = torch.sigmoid if outputs == 1 else torch.nn.Softmax(1)
    hidden = [torch.sigmoid] * len(topology) if functions is None else functions
    values = patterns.double()
    for (weights, biases), function in zip(layers, [*hidden, last], strict=True):
        values = function(values @ weights + biases)
    same = obtained.shape == values.shape and torch.allclose(obtained.double(), values, atol=1e-4)
    return "" if same else "other outputs"


def _layers(net) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Return the weights and biases of each layer, from what it computes of unit vectors."""
    bare = copy.deepcopy(net).double()
    for each in bare.modules():
        each._forward_hooks.clear()
        each._forward_pre_hooks.clear()
    found = []
    for layer in (each for each in bare.modules() if type(each).__name__ == "Layer"):
        units = torch.eye(layer.n, dtype=torch.float64)
        with torch.no_grad():
            biases = layer.z(torch.zeros_like(units))[:1]
            found.append((layer.z(units) - biases, biases))
    return found


def _fault_of_weights(one, other) -> str:
    """Return whether neurons, layers or two networks are alike."""
    columns = [torch.cat(layer).T for layer in one]
    if any(len(each.unique(dim=0)) < len(each) or (each[:, :-1] == 0).any() for each in columns):
        return "neurons that are alike, or do not use an input"
    firsts = [layer[0].flatten()[:2] for layer in one]
    if any(torch.allclose(*each) for each in itertools.pairwise(firsts)):
        return "layers that are alike"
    if any(torch.allclose(a, b) for (a, _), (b, _) in zip(one, other, strict=True)):
        return "networks that are alike"
    return ""


def fault_of_trainings(module) -> str:
    """Return how a file trains otherwise than the model answer does from the same networks."""
    model = loaded(MODEL.read_text(encoding="utf-8"))
    model.build_class_ann = module.build_class_ann
    numbers = np.random.default_rng(0)
    inputs, classes = numbers.normal(size=(14, 3)), numbers.integers(0, 3, 14)
    for targets in (classes == 1, np.eye(3, dtype=bool)[classes]):
        for options in OPTIONS:
            given = {"learningRate": 0.3, "testDataset": (inputs[:4], targets[:4]), **options}
            if "maxEpochsVal" in options:
                given["validationDataset"] = inputs[:5], targets[5:10]
            expected, obtained = (
                seeded(each.train_class_ann, [2], (inputs, targets), **given)
                for each in (model, module)
            )
            fault = _fault_of_training(expected, obtained, inputs)
            if fault:
                return f"{options}: {fault}"
    return ""


def seeded(function, *args, **kwargs):
    """Call a function with the same random numbers each time."""
    random.seed(4)
    np.random.seed(4)  # noqa: NPY002
    torch.manual_seed(4)
    return function(*args, **kwargs)


def _fault_of_training(expected, obtained, inputs) -> str:
    if any(
        not np.allclose(_numbers(a), _numbers(b), atol=1e-3)
        for a, b in zip(expected[1:], obtained[1:], strict=True)
    ):
        return "other losses"
    patterns = torch.tensor(inputs, dtype=torch.float32)
    one, other = (
        each[0](patterns.to(next(each[0].parameters()).dtype)) for each in (expected, obtained)
    )
    return "" if torch.allclose(one.double(), other.double(), atol=1e-3) else "another network"


def calls():
    """Yield the calls in which a file is compared with the model answer."""
    numbers = np.random.default_rng(5)
    labels, two = np.array(["b", "a", "c"] * 4), np.array(["x", "y"] * 6)
    rows, bools = numbers.normal(size=(12, 3)), numbers.random(12) > 0.4
    matrix, folds = np.eye(3, dtype=bool)[numbers.integers(0, 3, 12)], np.repeat([1, 2, 3], 4)
    for feature in (labels, two, bools):
        yield "one_hot_encoding", (feature,), {}
    yield "one_hot_encoding", (labels, np.array(["a", "b", "c", "d"])), {}
    for name in ("calculate_min_max", "calculate_zero_mean"):
        yield f"{name}_normalization_parameters", (rows,), {}
    for name in ("min_max", "zero_mean"):
        yield f"normalize_{name}", (rows,), {}
        yield f"normalize_{name}_", (rows.copy(),), {}
    for outputs in (numbers.random(12), numbers.random((12, 1)), numbers.random((12, 3))):
        targets = {1: bools, 3: matrix}.get(outputs[0].size, bools).reshape(outputs.shape)
        yield "classify_outputs", (outputs,), {"threshold": 0.3}
        yield "accuracy", (outputs, targets), {}
        yield "confusion_matrix", (outputs, targets), {}
        yield "confusion_matrix", (targets, targets[::-1].copy()), {"weighted": False}
    yield "confusion_matrix", (labels, labels[::-1].copy()), {}
    yield "build_class_ann", (3, [4, 2], 1), {}
    yield "hold_out", (20, 0.3), {}
    yield "hold_out", (20, 0.3, 0.2), {}
    for targets in (bools, matrix):
        validation = {"validationDataset": (rows[:4], targets[:4])}
        yield "train_class_ann", ([3], (rows, targets)), {"maxEpochs": 4, **validation}
    for targets in (12, labels, bools, matrix):
        yield "crossvalidation", (targets, 3), {}
    options = {"numExecutions": 2, "maxEpochs": 3}
    yield "ann_cross_validation", ([2], rows, labels, folds), {**options, "validationRatio": 0.2}
    yield "model_cross_validation", ("ANN", {"topology": [2], **options}, rows, two, folds), {}
    nearest = "KNeighborsClassifier", {"n_neighbors": 2}
    yield "model_cross_validation", (*nearest, rows, labels, folds), {}


def fault_of_answers(module, names) -> str:
    """Return which function of a file first answers otherwise than that of the model answer."""
    model = loaded(MODEL.read_text(encoding="utf-8"))
    for name, args, options in calls():
        if name not in names:
            continue
        expected, obtained = (
            seeded(getattr(each, name), *copy.deepcopy(args), **options) for each in (model, module)
        )
        if not np.allclose(_numbers(expected), _numbers(obtained), atol=1e-5):
            return f"{name} answers otherwise"
    return ""


def _numbers(value) -> np.ndarray:
    """Return all numbers of an answer in one vector."""
    if isinstance(value, torch.nn.Module):
        value = value(torch.ones(2, next(value.parameters()).shape[1]))
    if isinstance(value, torch.Tensor):
        value = value.detach().numpy()
    if isinstance(value, tuple | list):
        return np.concatenate([[], *map(_numbers, value)])
    return np.asarray(value, dtype=float).ravel()
