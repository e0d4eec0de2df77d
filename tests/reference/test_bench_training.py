"""The benchmark of trainings where a peer hangs, fails, or runs in a Python of its own."""

import argparse
import dataclasses
import importlib.util
import itertools
import os
import signal
import subprocess
import sys
import time
import venv
from pathlib import Path

import bench_training
import pytest
from bench_training import Effort, Jax, Way, data_sets, per_network_epoch


@pytest.mark.thorough
@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="without signals nothing is cut short")
def test_a_peer_that_hangs_or_fails_costs_its_own_cells_only(monkeypatch):
    """Each row comes before the next one begins, and the others are in it."""
    begun = []

    def hangs(work, effort):
        begun.append(work)
        return {"2": Way(lambda: time.sleep(60 if work.validationRatio else 0), 1)}

    def fails(work, effort):
        raise ConnectionError("the workers have ended\nand more")

    monkeypatch.setattr(bench_training, "ORDER", 64)
    monkeypatch.setattr(bench_training, "skorch", hangs)
    monkeypatch.setattr(bench_training, "loop_in_processes", fails)
    monkeypatch.setattr(bench_training, "scikit_learn", fails)
    work = dataclasses.replace(
        data_sets()["iris"](), effort=Effort(8, 1, 1, 1), validationRatio=0.2
    )
    options = argparse.Namespace(quick=True, processor=False, limit=15)
    lines = per_network_epoch([work, dataclasses.replace(work, validationRatio=0.0)], None, options)
    head, first = itertools.islice(lines, 2)
    assert len(begun) == 1
    cells = dict(zip(head.partition("\n")[0].split(" | "), first.split(" | "), strict=True))
    missing = {name for name, cell in cells.items() if cell == "–"}
    cores = bench_training.CORES
    assert missing == {
        "skorch",
        f"joblib, {cores} processes",
        f"scikit-learn, n_jobs={cores}",
        "JAX jit+vmap",
    }
    second, *rest = lines
    assert second.startswith("| Iris 150×4 [8] | 0 |")
    assert "- Iris, validation 0.2: skorch 2: TimeoutError: it took more than 15 s\n" in rest[-1]
    assert (
        f"- Iris, validation 0: scikit-learn, n_jobs={cores}: ConnectionError: the workers have"
        " ended" in rest[-1]
    )


def python_with(folder, *packages):
    """Make a Python that has some packages of this one, and nothing of practica."""
    venv.create(folder, symlinks=True)
    (installed,) = folder.glob("lib/python*/site-packages")
    for package in packages:
        found = Path(importlib.util.find_spec(package).origin).parent
        for part in found.parent.glob(f"{package}*"):  # numpy.libs and jaxlib too
            (installed / part.name).symlink_to(part)
    return str(folder / "bin" / "python")


needs_posix = pytest.mark.skipif(os.name == "nt", reason="links of packages need rights on Windows")


@pytest.mark.thorough
@needs_posix
def test_a_python_without_jax_is_refused_before_anything_is_timed(tmp_path):
    """In a sentence that names what is missing there."""
    script = Path(bench_training.__file__)
    python = python_with(tmp_path / "numpy", "numpy")
    command = [sys.executable, script, "--quick", "--data", "iris", "--jax", python]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert "training_in_jax.py needs a Python with JAX and numpy: No module named 'jax'" in (
        done.stderr
    )
    assert f"--jax {python}: the Python with JAX has ended" in done.stderr
    assert done.stdout == ""


@needs_posix
@pytest.mark.skipif(
    importlib.util.find_spec("jax") is None, reason="JAX, of practica[bench], is not installed"
)
def test_a_python_with_jax_and_numpy_only_trains_the_networks_of_the_loop(tmp_path):
    """`prepare` compares the losses of a network with those of the loop."""
    packages = "numpy", "scipy", "jax", "ml_dtypes", "opt_einsum"
    jax = Jax(python_with(tmp_path / "jax", *packages))
    ways = jax.prepare(data_sets()["iris"](), Effort(8, 1, 1, 1))
    jax.close()
    assert "1 stack" in ways
    assert jax.version
