"""The block of a GPU against the loop it replaces: the same source, its threads in turn on a
processor.
"""

import ctypes
import functools
import logging
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from lanes import one_in
from sklearn.datasets import load_iris
from training_cases import (
    assert_follows_the_loop,
    assert_networks_follow_the_loop,
    iris,
    outputs_of,
    plans,
    train_in_a_loop,
    tumours,
)

from practica import ann_cross_validation, crossvalidation
from practica.reference import block_training
from practica.reference.block_training import Memory, block_for, train_networks

COMPILER = shutil.which(os.environ.get("CXX") or "c++")
HEADER = Path(__file__).with_name("threads_in_turn.h")
H100, T4 = Memory(227 << 10, 228 << 10), Memory(64 << 10, 64 << 10)

needs_compiler = pytest.mark.skipif(
    COMPILER is None, reason="the emulation needs a C++ compiler, and there is none"
)


@pytest.fixture(scope="module")
def emulated(tmp_path_factory):
    """Return what compiles a block for this processor.

    Its threads take turns forwards or backwards.
    """

    @functools.cache
    def launcher(block, backwards=False):
        folder = tmp_path_factory.mktemp("block")
        (folder / "block.cc").write_text(f'#include "{HEADER}"\n{block.source}\nLAUNCH(train)\n')
        command = [
            COMPILER,
            "-O2",
            "-std=c++17",
            "-shared",
            "-fPIC",
            "-Wno-unknown-pragmas",
            "block.cc",
            "-o",
            "b.so",
        ]
        subprocess.run(command, cwd=folder, check=True, timeout=120)
        library = ctypes.CDLL(str(folder / "b.so"))
        library.launch.restype = ctypes.c_bool

        def launch(networks, arguments, results):
            given = [np.ascontiguousarray(each) for each in (*arguments, *results)]
            holders = [
                (
                    ctypes.c_void_p(value.ctypes.data)
                    if isinstance(each, np.ndarray)
                    else ctypes.c_void_p()
                )
                for each, value in zip((*arguments, *results), given, strict=True)
            ]
            pointers = (ctypes.c_void_p * len(given))(
                *(
                    ctypes.addressof(holder) if isinstance(each, np.ndarray) else value.ctypes.data
                    for each, holder, value in zip(
                        (*arguments, *results), holders, given, strict=True
                    )
                )
            )
            kept = library.launch(
                networks, block.threads, ctypes.c_size_t(block.bytes), backwards, pointers
            )
            assert kept, (
                "the block wrote beyond its shared memory, or its threads wait for each other"
            )
            return lambda: given[len(arguments) :]

        return launch

    return launcher


@pytest.fixture(params=["emulated", "on the card"])
def emulate(request, emulated, monkeypatch):
    """Let blocks run on this processor, or on the GPU where there is one."""
    if request.param == "emulated":
        monkeypatch.setattr(block_training, "launcher", emulated)
    elif not torch.cuda.is_available() or block_training.shared_memory() is None:
        pytest.skip("needs a GPU that torch can use, and CuPy")


def in_blocks(topology, plans, targets, *, memory=H100, **options):
    """Train as `batched_training.train_networks` does, by blocks."""
    plans = list(plans)
    sizes = [plans[0].inputs.shape[1], *topology, targets.shape[1]]
    block = block_for(sizes, options.get("transferFunctions"), len(targets), memory)
    return list(train_networks(block, plans, targets, **options))


@needs_compiler
@pytest.mark.parametrize(
    ("data", "topology"),
    one_in(4, [(iris, ()), (iris, (8,)), (iris, (4, 3, 2)), (tumours, (16, 8))]),
)
@pytest.mark.parametrize(("fraction", "epochs"), [(0, 40), (0.2, 160)])
def test_each_network_follows_the_loop(emulate, data, topology, fraction, epochs):
    """Losses agree epoch by epoch, training ends at the same one, and the network returned gives
    the same outputs.
    """
    assert_networks_follow_the_loop(in_blocks, data, topology, fraction, epochs)


@needs_compiler
@pytest.mark.parametrize("name", ["sigmoid", "tanh", "relu", "identity"])
@pytest.mark.parametrize("patterns", one_in(2, [1, 31, 33, 150]))
def test_every_activation_and_size_of_a_set_follows_the_loop(emulate, name, patterns):
    """Lanes without a pattern add nothing to a loss or to a gradient."""
    inputs, targets = iris()
    options = {"transferFunctions": [name], "maxEpochs": 20, "learningRate": 0.05}
    (plan,), (again,) = plans(inputs, 1), plans(inputs, 1)
    chosen = np.concatenate([plan.training, plan.validation])[:patterns]
    plan, again = (
        each._replace(training=chosen, validation=chosen[: patterns // 2]) for each in (plan, again)
    )
    (trained,) = in_blocks([5], [plan], targets, keep_losses=True, **options)
    assert_follows_the_loop(trained, train_in_a_loop([5], again, targets, **options))


@needs_compiler
@pytest.mark.parametrize("memory", [H100, T4])
def test_layers_that_fill_no_rectangle_follow_the_loop(emulate, memory):
    """37 neurons and 30 attributes are cut unevenly, and a smaller GPU has fewer warps for them."""
    inputs, targets = tumours()
    (plan,), (again,) = plans(inputs, 1), plans(inputs, 1)
    (trained,) = in_blocks([37, 3], [plan], targets, memory=memory, keep_losses=True, maxEpochs=40)
    assert_follows_the_loop(trained, train_in_a_loop([37, 3], again, targets, maxEpochs=40))


@needs_compiler
def test_weights_of_patterns_and_inputs_of_a_fold_follow_the_loop(emulate):
    """Two folds that normalize on their own, and patterns that count as often as their weight
    says.
    """
    inputs, targets = iris()
    weights = np.random.default_rng(2).integers(1, 4, size=150).astype(float)
    drawn = [*plans(inputs, 2), *plans(inputs * np.float32(0.5), 1)]
    trained = in_blocks(
        [4], [p._replace(weights=weights) for p in drawn], targets, keep_losses=True, maxEpochs=30
    )
    for result, plan in zip(
        trained, [*plans(inputs, 2), *plans(inputs * np.float32(0.5), 1)], strict=True
    ):
        repeated = (
            np.repeat(each, weights[each].astype(int)) for each in (plan.training, plan.validation)
        )
        again = plan._replace(**dict(zip(("training", "validation"), repeated, strict=True)))
        assert_follows_the_loop(result, train_in_a_loop([4], again, targets, maxEpochs=30))


@needs_compiler
@pytest.mark.parametrize("outputs", [1, 3])
@pytest.mark.parametrize("count", [0, 1, 70])
def test_the_outputs_are_those_of_the_network_that_is_returned(emulate, outputs, count):
    """Not those of the last epoch."""
    inputs, targets = iris()
    targets = targets if outputs == 3 else targets[:, 1:2]
    asked = np.random.default_rng(4).integers(0, 150, size=count)
    (plan,) = plans(inputs, 1)
    options = {"maxEpochs": 70, "learningRate": 0.5, "maxEpochsVal": 70}
    (trained,) = in_blocks([5], [plan._replace(test=asked)], targets, **options)
    assert trained.best_epoch < trained.epochs
    expected = outputs_of([5], inputs[asked], targets, trained)
    np.testing.assert_allclose(trained.outputs, expected, rtol=0, atol=2e-6)


@needs_compiler
@pytest.mark.parametrize(
    ("options", "epochs"),
    [
        ({"maxEpochs": 0}, 0),
        ({"maxEpochsVal": 0}, 0),
        ({"maxEpochs": 7, "maxEpochsVal": 1000}, 7),
        ({"minLoss": 100.0}, 0),
        ({"learningRate": 1e-30, "maxEpochs": 50, "maxEpochsVal": 4}, 4),
    ],
    ids=[
        "no epochs",
        "no patience",
        "few epochs",
        "loss reached",
        "an equal loss is no improvement",
    ],
)
def test_the_stop_criteria_are_tested_before_each_epoch(emulate, options, epochs):
    """As in the loop, training can end before its first step."""
    inputs, targets = iris()
    (trained,) = in_blocks([3], plans(inputs, 1), targets, keep_losses=True, **options)
    assert trained.epochs == epochs
    assert trained.losses.shape == (epochs + 1, 2)


@pytest.mark.thorough
@needs_compiler
def test_a_loss_that_is_not_finite_names_the_network(emulate):
    """A NaN goes through every function of the block and comes out in the loss."""
    inputs, targets = iris()
    spoilt = inputs.copy()
    spoilt[7, 2] = np.nan
    for name in ("relu", "tanh", "sigmoid", "identity"):
        with pytest.raises(ValueError, match="execution 1: the training loss is nan at epoch 0"):
            in_blocks([3], plans(spoilt, 1, 0), targets, transferFunctions=[name])
    with pytest.raises(
        ValueError, match=r"the training loss is nan at epoch \d+ with learningRate=1e\+30"
    ):
        in_blocks([3], plans(inputs, 1), targets, learningRate=1e30, transferFunctions=["relu"])


@pytest.mark.thorough
@needs_compiler
def test_a_network_has_the_same_bits_in_any_order_of_threads_and_in_any_company(
    emulated, monkeypatch
):
    """A barrier that is missing would show when the turns go backwards.

    Other networks are in other blocks.
    """
    inputs, targets = tumours()
    monkeypatch.setattr(block_training, "launcher", emulated)
    forwards = in_blocks([6, 4], plans(inputs, 3), targets, maxEpochs=12)
    monkeypatch.setattr(block_training, "launcher", lambda block: emulated(block, backwards=True))
    monkeypatch.setattr(block_training, "NETWORKS_OF_A_LAUNCH", 2)
    backwards = in_blocks([6, 4], plans(inputs, 3), targets, maxEpochs=12)
    assert [trained.position for trained in backwards] == [0, 1, 2]
    for one, other in zip(forwards, backwards, strict=True):
        for part, again in zip(one.parameters, other.parameters, strict=True):
            assert torch.equal(part, again)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs the CUDA compiler nvcc")
@pytest.mark.parametrize("sizes", one_in(3, [[4, 8, 3], [30, 16, 8, 1], [64, 32, 10], [7, 5]]))
@pytest.mark.parametrize("architecture", one_in(3, ["sm_90", "sm_75", "sm_80"]))
def test_a_block_compiles_for_each_generation_of_gpus(tmp_path, sizes, architecture):
    """As what CuPy compiles: C++17, and no function of the host."""
    (tmp_path / "block.cu").write_text(block_for(sizes, None, 1000, H100).source)
    command = [
        "nvcc",
        "-cubin",
        f"-arch={architecture}",
        "-std=c++17",
        "-Werror",
        "all-warnings",
        "block.cu",
    ]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=120)


@pytest.mark.parametrize(
    ("sizes", "patterns", "warps"),
    [((4, 8, 3), 150, 4), ((30, 16, 8, 1), 569, 2), ((64, 32, 10), 1797, 8), ((4, 3), 10, 1)],
)
def test_a_block_has_the_threads_that_were_fastest(sizes, patterns, warps):
    """On an H100, for Iris, breast cancer and digits; 10 patterns keep one warp busy."""
    assert block_for(sizes, None, patterns, H100).warps == warps


@pytest.mark.parametrize(
    ("sizes", "functions", "memory"),
    [
        ((4, 8, 3), None, None),
        ((4, 8, 3), [torch.nn.ELU()], H100),
        ((4, 65, 3), None, H100),
        ((50, 64, 32, 5), None, H100),
        ((64, 32, 10), None, Memory(48 << 10, 48 << 10)),
    ],
    ids=[
        "no CuPy",
        "a function of the user's",
        "too wide a layer",
        "too many weights",
        "too little memory",
    ],
)
def test_other_networks_are_left_to_the_stack(sizes, functions, memory):
    """No block trains what it does not know, or has no room for."""
    assert block_for(sizes, functions, 1000, memory) is None


def test_without_cupy_a_sentence_says_so(caplog):
    """Once, with the name of the extra."""
    if block_training.importlib.util.find_spec("cupy"):
        pytest.skip("CuPy is installed here")
    with caplog.at_level(logging.WARNING):
        assert block_training.shared_memory.__wrapped__() is None
    assert "practica[gpu]" in caplog.text


@pytest.mark.slow
@pytest.mark.skipif(
    torch.cuda.is_available(), reason="this machine has the GPU whose absence is tested"
)
def test_without_a_gpu_nothing_of_cuda_is_loaded(tmp_path):
    """Even where CuPy is installed: neither an import nor a training takes longer for it."""
    (tmp_path / "cupy.py").write_text("raise SystemExit('CuPy was imported')")
    program = (
        "import practica, torch;practica.ann_cross_validation([2], [[0.0], [1.0]] * 6, [False,"
        " True] * 6, [1, 2, 3] * 4, maxEpochs=2);assert not torch.cuda.is_initialized()"
    )
    subprocess.run(
        [sys.executable, "-c", program], env=os.environ | {"PYTHONPATH": str(tmp_path)}, check=True
    )


@needs_compiler
def test_a_cross_validation_on_a_gpu_is_trained_by_blocks(emulate, monkeypatch):
    """The door chooses them, and the scores are those of the processor."""
    inputs, species = load_iris(return_X_y=True)
    folds = crossvalidation(species, 3, random_state=1)
    options = {"numExecutions": 2, "maxEpochs": 20, "random_state": 1, "normalization": "zeromean"}
    monkeypatch.setattr("practica.reference.devices.finds_a_gpu", lambda: True)
    monkeypatch.setattr("practica.reference.trainers.shared_memory", lambda: H100)
    monkeypatch.delattr("practica.reference.trainers.train_together")  # a stack would be an error
    on_the_gpu = ann_cross_validation([4], inputs, species, folds, device="cuda", **options)
    on_the_processor = ann_cross_validation([4], inputs, species, folds, device="cpu", **options)
    np.testing.assert_allclose(on_the_gpu.scores, on_the_processor.scores, atol=1e-12)
