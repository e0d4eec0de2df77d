"""The benchmark for a machine with a GPU, on tiny networks of whatever machine this is."""

import ast

import bench_gpu
import pytest

from practica.reference import devices


@pytest.mark.slow
def test_its_last_lines_can_be_put_into_the_module(monkeypatch, capsys):
    """As many constants as there are terms, on a machine without a GPU those of the processors."""
    rows = [row._replace(executions=1, epochs=5) for row in bench_gpu.rows()[:3]]
    monkeypatch.setattr(bench_gpu, "rows", lambda: rows)
    bench_gpu.main()
    printed = capsys.readouterr().out
    assert all(f"| {row.name} {row.topology}, 10 × 5 |" in printed for row in rows)
    lines = [line for line in printed.splitlines() if line.startswith(("PROCESSORS", "STACK", "BLOCKS", "# PROC"))]
    assert lines
    for node in ast.parse("\n".join(lines)).body:
        assert len(ast.literal_eval(node.value)) == len(getattr(devices, node.targets[0].id))
