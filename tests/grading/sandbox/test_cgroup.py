"""A group of the kernel's stops what is in it.

Its limits need a machine where version 2 has the controllers.
"""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from practica.grading.sandbox.cgroup import Group


@pytest.fixture
def parent():
    """Return the top of the hierarchy, or skip."""
    mounts = [line.split() for line in Path("/proc/self/mounts").read_text().splitlines()]
    for mount in mounts:
        if mount[2] == "cgroup2":
            return Path(mount[1])
    pytest.skip("no hierarchy of version 2")


@pytest.fixture
def group(parent):
    """Yield a group with a process that never rests, and what counts its turns."""
    with subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) as process:
        try:
            group = Group(parent, process.pid, memory=1 << 30, processes=8)
        except OSError as error:
            process.kill()
            pytest.skip(f"no group can be made: {error}")
        yield group, Path(f"/proc/{process.pid}/schedstat")
        process.kill()
    group.close()
    assert not group._path.exists()


def test_what_is_frozen_does_not_run(group):
    """It goes on where it was, and ends with its group."""
    group, turns = group
    group.freeze(True)
    deadline = time.monotonic() + 60
    while (
        "frozen 1" not in (group._path / "cgroup.events").read_text()
        and time.monotonic() < deadline
    ):
        time.sleep(0.01)
    before = turns.read_text()
    time.sleep(0.1)
    assert turns.read_text() == before
    group.freeze(False)
    while turns.read_text() == before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert turns.read_text() != before
    assert not group.out_of_memory()
