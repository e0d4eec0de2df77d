"""A worksheet out of a text, and a worker that is ready."""

import pytest
from worksheets import ENCODINGS

from practica.classroom.worksheet import read_worksheet


@pytest.fixture
def sheet(tmp_path):
    """Return a function that reads a worksheet of this text."""

    def of(text, encoding="utf-8-sig"):
        mark, codec = ENCODINGS[encoding]
        (tmp_path / "notas.csv").write_bytes(mark + text.encode(codec))
        return read_worksheet(tmp_path / "notas.csv")

    return of


@pytest.fixture(scope="session")
def worker():
    """Yield the address of a worker in a thread of this process, which keeps its sandbox from one
    class to the next.
    """
    distributed = pytest.importorskip("distributed", reason="needs the extra practica[dask]")
    with distributed.LocalCluster(
        n_workers=1,
        threads_per_worker=1,
        processes=False,
        dashboard_address="127.0.0.1:0",
        silence_logs=50,
    ) as cluster:
        yield cluster.scheduler_address
