"""The benchmark for a machine with a GPU, on tiny networks of whatever machine this is."""

import bench_gpu
import pytest


@pytest.mark.slow
def test_each_data_set_has_its_row(monkeypatch, capsys):
    """On a machine without a GPU the processors alone are timed."""
    rows = [row._replace(executions=1, epochs=5) for row in bench_gpu.rows()[:3]]
    monkeypatch.setattr(bench_gpu, "rows", lambda: rows)
    bench_gpu.main()
    printed = capsys.readouterr().out
    assert all(f"| {row.name} {row.topology}, 10 × 5 |" in printed for row in rows)
