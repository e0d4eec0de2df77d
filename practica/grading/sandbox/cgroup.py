"""Limits that the kernel keeps over all processes of a submission together: cgroup v2, where it can
be had.

It can be had where the hierarchy of version 2 limits memory and this user may make a group beside
its own: as root, or as a user with a session that systemd manages. Containers usually show the
hierarchy read-only.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import time
from pathlib import Path

_turn = itertools.count()


@functools.cache
def group_parents() -> tuple[Path, ...]:
    """List the control groups below which memory can be limited, best first: the one around the
    group of this process, and the root.
    """
    try:
        mounts = [line.split() for line in Path("/proc/self/mounts").read_text().splitlines()]
        top = Path(next(mount[1] for mount in mounts if mount[2] == "cgroup2"))
        groups = Path("/proc/self/cgroup").read_text().splitlines()
        own = top / next(group[len("0::/") :] for group in groups if group.startswith("0::/"))
        parents = dict.fromkeys((own if own == top else own.parent, top))
        return tuple(
            path
            for path in parents
            if "memory" in Path(path, "cgroup.subtree_control").read_text().split()
        )
    except (OSError, StopIteration):
        return ()


class Group:
    """A group below `parent`, with the process `pid` and all that it will start.

    `memory`: the limit in bytes for all that the kernel holds for them.
    `processes`: how many processes and threads there may be. Together they get one processor.
    Raises `OSError` if it cannot be made.
    """

    def __init__(self, parent: Path, pid: int, *, memory: int, processes: int) -> None:
        self._path = parent / f"practica-{os.getpid()}-{next(_turn)}"
        self._path.mkdir()
        limits = {
            "memory.max": memory,
            "memory.swap.max": 0,
            "memory.oom.group": 1,
            "pids.max": processes,
        }
        try:
            for name, value in {**limits, "cpu.max": "100000 100000", "cgroup.procs": pid}.items():
                if name == "cgroup.procs" or Path(self._path, name).exists():
                    self._write(name, value)
        except OSError:
            self.close()
            raise

    def freeze(self, on: bool) -> None:
        """Stop all processes of the group, or let them run again."""
        self._write("cgroup.freeze", int(on))

    def out_of_memory(self) -> bool:
        """Return whether the kernel ended processes of the group for lack of memory."""
        with contextlib.suppress(OSError):
            events = Path(self._path, "memory.events").read_text().split()
            return int(dict(zip(events[::2], events[1::2], strict=True))["oom_kill"]) > 0
        return False

    def close(self) -> None:
        """Remove the group, once its processes have ended."""
        for _ in range(100):
            try:
                self._path.rmdir()
            except FileNotFoundError:
                return
            except OSError:
                time.sleep(0.01)

    def _write(self, name: str, value: object) -> None:
        Path(self._path, name).write_text(str(value))
