"""The benchmark of trainings where a peer hangs or fails."""

import argparse
import dataclasses
import itertools
import signal
import time

import bench_training
import pytest
from bench_training import Effort, Way, data_sets, per_network_epoch


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
