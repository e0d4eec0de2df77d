"""What a submission is charged for its time."""

from practica.grading.sandbox import cpu_accounting


def test_threads_that_wait_for_each_other_wait_once(monkeypatch):
    """Fifty that wake at the same moment wait together for much longer than that moment lasts."""
    looks = iter(
        [
            {"1": 2.0},
            {"1": 2.0, **{str(number): 0.03 * number for number in range(2, 52)}},
            {"1": 2.5},
        ]
    )
    monkeypatch.setattr(cpu_accounting, "_used", lambda pid: (0.5, next(looks)))
    usage = cpu_accounting.Usage(1)
    assert [usage.look() for _ in range(3)] == [
        (0.5, 2.0),
        (0.5, 2.0 + 0.03 * 51),
        (0.5, 2.5 + 0.03 * 51),
    ]
