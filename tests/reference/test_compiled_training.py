"""The kernel in C against the loop it replaces, and what happens where it cannot be had."""

import functools
import os
import re
import shutil
import subprocess

import numpy as np
import pytest
import torch
from sklearn.datasets import load_iris
from training_cases import (
    assert_follows_the_loop,
    iris,
    outputs_of,
    plans,
    train_in_a_loop,
    tumours,
)

from practica import ann_cross_validation, crossvalidation
from practica.reference import compiled_training
from practica.reference.compiled_training import SWITCH, can_be_compiled, kernel, train_networks

pytestmark = pytest.mark.skipif(
    shutil.which(os.environ.get("CC") or "cc") is None,
    reason="the kernel needs a C compiler, and this machine has none",
)


def compiled(topology, inputs, targets, count, fraction=0.2, **options):
    """Train some networks, keeping their losses."""
    return list(
        train_networks(
            topology, plans(inputs, count, fraction), targets, keep_losses=True, **options
        )
    )


def test_a_compiler_gives_a_kernel():
    """Where there is a compiler, the kernel compiles without a warning and loads."""
    assert kernel() is not None


@pytest.mark.parametrize("name", ["sigmoid", "tanh", "relu", "identity"])
@pytest.mark.parametrize("patterns", [1, 15, 16, 17, 33, 150])
def test_every_activation_and_size_of_a_set_follows_the_loop(name, patterns):
    """Padding to whole vectors adds no pattern to a loss or to a gradient."""
    inputs, targets = iris()
    options = {"transferFunctions": [name], "maxEpochs": 30, "learningRate": 0.05}
    (plan,), (again,) = plans(inputs, 1), plans(inputs, 1)
    chosen = np.concatenate([plan.training, plan.validation])[:patterns]
    plan, again = (
        each._replace(training=chosen, validation=chosen[: patterns // 2]) for each in (plan, again)
    )
    (trained,) = train_networks([5], [plan], targets, keep_losses=True, **options)
    alone = train_in_a_loop([5], again, targets, **options)
    assert_follows_the_loop(trained, alone)


@pytest.mark.parametrize("fraction", [0, 0.2])
def test_a_layer_that_fills_no_vector_follows_the_loop(fraction):
    """37 neurons are two vectors and a part of one."""
    inputs, targets = tumours()
    (plan,), (again,) = plans(inputs, 1, fraction), plans(inputs, 1, fraction)
    (trained,) = train_networks([37], [plan], targets, keep_losses=True, maxEpochs=100)
    assert_follows_the_loop(trained, train_in_a_loop([37], again, targets, maxEpochs=100))


def test_more_patterns_than_a_tile_follow_the_loop():
    """Sums over tiles are the sums over all patterns."""
    generator = np.random.default_rng(3)
    inputs = generator.normal(size=(1700, 6)).astype(np.float32)
    targets = inputs.argmax(axis=1)[:, None] == np.arange(6)
    results = compiled([9], inputs, targets, 2, 0.4, maxEpochs=40)
    for plan, trained in zip(plans(inputs, 2, 0.4), results, strict=True):
        alone = train_in_a_loop([9], plan, targets, maxEpochs=40)
        assert_follows_the_loop(trained, alone)


@pytest.mark.parametrize("count", [0, 1, 8, 150, 1700])
@pytest.mark.parametrize("outputs", [1, 3])
def test_the_outputs_are_those_of_the_network_that_is_returned(outputs, count):
    """Also of fewer patterns than a vector holds, and of more than a tile does."""
    inputs, targets = iris()
    asked = np.random.default_rng(4).integers(0, 150, size=count)
    (plan,) = plans(inputs, 1)
    (trained,) = train_networks(
        [5], [plan._replace(test=asked)], targets[:, :outputs], maxEpochs=30, learningRate=0.1
    )
    expected = outputs_of([5], inputs[asked], targets[:, :outputs], trained)
    np.testing.assert_allclose(trained.outputs, expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize("scale", [30.0, 1e4])
@pytest.mark.parametrize("data", [iris, tumours])
def test_saturated_outputs_follow_the_loop(data, scale):
    """Where an exp overflows or a probability is 0, Flux's epsilon gives the loss and the gradient
    of the loop.
    """
    inputs, targets = data()
    (plan,), (again,) = plans(inputs * np.float32(scale), 1), plans(inputs * np.float32(scale), 1)
    (trained,) = train_networks([], [plan], targets, keep_losses=True, maxEpochs=3)
    alone = train_in_a_loop([], again, targets, maxEpochs=3)
    np.testing.assert_allclose(trained.losses[:, 0], alone.trainingLosses, rtol=1e-4)


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
def test_the_stop_criteria_are_tested_before_each_epoch(options, epochs):
    """As in the loop, training can end before its first step."""
    inputs, targets = iris()
    (trained,) = compiled([3], inputs, targets, 1, **options)
    assert trained.epochs == epochs
    assert trained.losses.shape == (epochs + 1, 2)


def test_the_best_network_is_that_of_the_lowest_validation_loss():
    """With steps that overshoot, what is returned is not the last network but the best one."""
    inputs, targets = iris()
    results = compiled([6], inputs, targets, 5, maxEpochs=60, learningRate=0.5, maxEpochsVal=60)
    assert any(trained.best_epoch < trained.epochs for trained in results)
    for plan, trained in zip(plans(inputs, 5), results, strict=True):
        assert trained.best_epoch == trained.losses[:, 1].argmin()
        outputs = outputs_of([6], inputs, targets, trained)[plan.validation]
        loss = -np.log(outputs[targets[plan.validation]] + 2.0**-23).mean()
        assert loss == pytest.approx(trained.losses[:, 1].min(), abs=1e-5)


def test_a_loss_that_is_not_finite_names_the_network():
    """A NaN goes through every function of the kernel and comes out in the loss."""
    inputs, targets = iris()
    spoilt = inputs.copy()
    spoilt[7, 2] = np.nan
    for names in ([], ["relu"], ["tanh"], ["sigmoid"], ["identity"]):
        for classes in (targets, targets[:, :1]):
            with pytest.raises(
                ValueError, match="execution 1: the training loss is nan at epoch 0"
            ):
                list(
                    train_networks(
                        [3] * len(names), plans(spoilt, 1, 0), classes, transferFunctions=names
                    )
                )
    with pytest.raises(
        ValueError, match=r"the training loss is nan at epoch \d+ with learningRate=1e\+30"
    ):
        list(
            train_networks(
                [3], plans(inputs, 1), targets, learningRate=1e30, transferFunctions=["relu"]
            )
        )


def test_only_known_activations_are_compiled():
    """A function of the user's own is trained by torch."""
    assert can_be_compiled(None, [3])
    assert can_be_compiled([torch.nn.Tanh(), "relu"], [3, 2])
    assert not can_be_compiled([torch.nn.ELU()], [3])


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """Give this process a cache and a folder for temporary files of its own, and a quick build.

    Return that folder.
    """
    monkeypatch.setattr(compiled_training, "_FLAGS", ("-O0", "-shared", "-fPIC"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    return tmp_path / "temporary"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["_SOURCE", "_HEADER"])
def test_a_part_that_changes_is_compiled_anew(temporary, tmp_path, monkeypatch, name):
    """No library of another version is taken for this one."""
    for part in ("_SOURCE", "_HEADER"):
        path = getattr(compiled_training, part)
        monkeypatch.setattr(compiled_training, part, tmp_path / path.name)
        shutil.copy(path, tmp_path)
    assert kernel.__wrapped__() is not None
    with getattr(compiled_training, name).open("a", encoding="utf-8") as file:
        file.write("/* another version */\n")
    assert kernel.__wrapped__() is not None
    assert len([*(tmp_path / "cache/practica").iterdir()]) == 2


@pytest.mark.slow
def test_a_library_that_is_broken_is_built_again(temporary, tmp_path):
    """One that a full disk or a dead process left in the cache is no reason to do without."""
    assert kernel.__wrapped__() is not None
    (library,) = (tmp_path / "cache/practica").iterdir()
    built = library.read_bytes()
    library.unlink()  # what is loaded stays as it is
    library.write_bytes(built[:100])
    assert kernel.__wrapped__() is not None
    assert (tmp_path / "cache/practica").joinpath(library.name).stat().st_size == len(built)
    assert [*temporary.iterdir()] == []


def planted(path):
    """Build a library with a mark of its own, which is loaded if anything of that name is."""
    source = path.with_suffix(".c")
    source.write_text("int train(void) { return 0; }\nint planted(void) { return 1; }\n")
    subprocess.run(["cc", "-shared", "-fPIC", str(source), "-o", str(path)], check=True)
    source.unlink()
    path.chmod(0o700)


@pytest.mark.thorough
@pytest.mark.skipif(os.name != "posix", reason="elsewhere the folder of a user is that user's")
@pytest.mark.parametrize(
    "way", ["file", "folder", "link", "owner of the file", "owner of the folder"]
)
def test_a_library_that_another_user_may_have_written_is_not_loaded(temporary, tmp_path, way):
    """Whatever is loaded can do anything: it is built anew, in the cache if that is this user's
    alone.
    """
    assert kernel.__wrapped__() is not None
    cache = tmp_path / "cache/practica"
    (library,) = cache.iterdir()
    assert (cache.stat().st_mode | library.stat().st_mode) & 0o077 == 0
    library.unlink()
    planted(library)
    if way == "file":
        library.chmod(0o722)
    elif way == "folder":
        cache.chmod(0o777)
    elif way == "link":
        elsewhere = tmp_path / "elsewhere.so"
        library.rename(elsewhere)
        elsewhere.chmod(0o777)
        library.symlink_to(elsewhere)
    elif os.getuid() != 0:
        pytest.skip("only root can give files away")
    else:
        os.chown(library if way == "owner of the file" else cache, 12345, -1)
    assert not hasattr(kernel.__wrapped__(), "planted")
    if way != "owner of the folder":
        (library,) = cache.iterdir()
        assert (cache.stat().st_mode | library.stat().st_mode) & 0o077 == 0
        assert library.stat().st_uid == os.getuid()


@pytest.mark.slow
def test_a_library_without_its_function_is_built_again(temporary, tmp_path):
    """It loads, and has nothing to call."""
    assert kernel.__wrapped__() is not None
    (library,) = (tmp_path / "cache/practica").iterdir()
    library.unlink()
    source = tmp_path / "other.c"
    source.write_text("int other(void) { return 0; }\n")
    subprocess.run(["cc", "-shared", "-fPIC", str(source), "-o", str(library)], check=True)
    library.chmod(0o700)
    assert hasattr(kernel.__wrapped__(), "train")
    assert b"train" in library.read_bytes()


def test_no_network_has_more_layers_than_the_arrays_of_the_kernel():
    """One more would be written behind them; one as deep as they are follows the loop."""
    room = int(
        re.search(
            r"MAX_LAYERS = (\d+)", compiled_training._SOURCE.read_text(encoding="utf-8")
        ).group(1)
    )
    assert can_be_compiled(None, [1] * (room - 1))
    assert not can_be_compiled(None, [1] * room)
    inputs, targets = iris()
    options = {"transferFunctions": ["identity"] * (room - 1), "maxEpochs": 3}
    (plan,), (again,) = plans(inputs, 1), plans(inputs, 1)
    (trained,) = train_networks([2] * (room - 1), [plan], targets, keep_losses=True, **options)
    assert_follows_the_loop(trained, train_in_a_loop([2] * (room - 1), again, targets, **options))


@pytest.mark.slow
def test_without_a_cache_nothing_is_left_behind(temporary, tmp_path):
    """The library is loaded, and its folder is gone."""
    (tmp_path / "cache").write_text("a file where the folder would be")
    assert kernel.__wrapped__() is not None
    assert [*temporary.iterdir()] == []


@pytest.mark.parametrize(
    ("variable", "value", "reason"),
    [("PATH", "", "there is no C compiler"), ("CC", "false", "cannot compile the training kernel")],
)
def test_why_there_is_no_kernel_is_logged(temporary, monkeypatch, caplog, variable, value, reason):
    """In one sentence; whoever switched it off knows."""
    monkeypatch.setenv(variable, value)
    assert kernel.__wrapped__() is None
    (record,) = caplog.records
    assert reason in record.getMessage()
    monkeypatch.setenv(SWITCH, "off")
    assert kernel.__wrapped__() is None
    assert len(caplog.records) == 1


@pytest.mark.thorough
def test_without_a_compiler_the_kernel_of_a_wheel_trains(tmp_path, monkeypatch):
    """The fastest that this processor runs, and each of the others follows the loop, too."""
    built = compiled_training.build(tmp_path)
    monkeypatch.setattr(compiled_training, "_SOURCE", tmp_path / "kernel.c")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(compiled_training, "kernel", kernel.__wrapped__)
    inputs, targets = iris()
    for library in built:
        if library in compiled_training._brought():
            assert compiled_training.kernel()._name == str(library)
            (trained,) = compiled([4], inputs, targets, 1, maxEpochs=30)
            assert_follows_the_loop(
                trained, train_in_a_loop([4], *plans(inputs, 1), targets, maxEpochs=30)
            )
        library.unlink()
    assert compiled_training.kernel() is None


@pytest.mark.slow
def test_without_the_kernel_torch_gives_the_same_scores(tmp_path, monkeypatch, caplog):
    """Without a compiler the stack does the work, and one sentence of the log states it."""
    inputs, species = load_iris(return_X_y=True)
    folds = crossvalidation(species, 3, random_state=1)
    options = {"numExecutions": 2, "maxEpochs": 20, "random_state": 1}
    assert kernel() is not None
    compiled = ann_cross_validation([4], inputs, species, folds, **options)
    assert not caplog.records
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(compiled_training, "kernel", functools.cache(kernel.__wrapped__))
    by_torch = ann_cross_validation([4], inputs, species, folds, **options)
    assert compiled_training.kernel() is None
    assert [record.getMessage() for record in caplog.records] == [
        "there is no C compiler: torch trains the networks, which takes longer"
    ]
    np.testing.assert_allclose(by_torch.scores, compiled.scores, atol=1e-12)
