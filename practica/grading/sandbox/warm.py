"""The warm process of a sandbox, seen from the trusted side: it has imported the libraries, and is
forked.

`practica.grading.inside.launch` and `practica.grading.inside.child` are the other side.
"""

from __future__ import annotations

import atexit
import base64
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import tempfile
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

from practica.files import remove_tree
from practica.grading.inside.orders import ProcessPlan
from practica.grading.sandbox.box import GRACE, PACKET, START, Box, Limits, SandboxError
from practica.grading.sandbox.mounts import launching, plan_of
from practica.grading.sandbox.uids import give_back, kill_user, processes_of, take_user

_PRELOADS = {
    "torch": ["torch"],
    "sklearn": ["sklearn.svm", "sklearn.tree", "sklearn.neighbors"],
    "pandas": ["pandas"],
    "scipy": ["scipy.special"],
}


class WarmBox:
    """A box and the warm process in it, from which submissions are forked.

    `Sandbox` chooses its level.

    `level`: "full", "reduced" or "none".
    `shared`: whether a submission can have namespaces of its own, so that one warm process serves
        many.
    `user`: the unprivileged user of the box, where the grader runs as root.
    `steps`: the parts of the level that this machine does not give, each with the reason.
    `unloadable`: the libraries that the warm process could not import, with the reason.
    `memory`: "cgroup" if the kernel limits the memory of a submission, "counted" if it is added up
        from outside.
    """

    takes_forbidden = False  # a branch is a process in which it is forbidden

    def __init__(self, level: str, *, shared: bool) -> None:
        self.level = level
        self.shared = shared
        self.user = None
        if os.geteuid() == 0 and level != "none":
            try:
                self.user = take_user()
            except OSError as error:
                raise SandboxError(str(error)) from error
            # the locks end with the process
            weakref.finalize(self, give_back, self.user).atexit = False
        self.steps: dict[str, str] = {}
        self.unloadable: dict[str, str] = {}
        self.memory = "counted"
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._folder: str | None = None
        # control lines, by what is disabled there
        self._branches: dict[tuple[str, ...], socket.socket] = {}
        self._loaded: set[str] = set()
        self._used = False
        self._filter = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_process", None) is not None:
            self.close()

    @property
    def running(self) -> bool:
        """Whether the warm process is running."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start the warm process, if there is none."""
        if self.running:
            return
        self.close()
        if self.level != "none":
            # the student kit, which has no boxes, does without
            from practica.grading.sandbox.syscalls import filter_of

            try:  # a machine of which files and services are in sight gives no sockets
                self._filter = base64.b64encode(filter_of(sockets=self.level == "full")).decode()
            except OSError as error:
                raise SandboxError(str(error)) from error
        _OPEN.add(self)
        self._folder = tempfile.mkdtemp(prefix="practica-")
        os.chmod(self._folder, 0o755)
        theirs, self._control = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        plan = plan_of(
            *(self._folder, theirs.fileno()),
            level=self.level,
            user=self.user,
            shared=self.shared,
            disk=Limits().disk,
        )
        with theirs, open(f"{self._folder}/errors", "wb") as errors:
            self._process = subprocess.Popen(
                launching(self._folder, plan),
                stdin=subprocess.DEVNULL,
                stdout=errors,
                stderr=errors,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                env={},
            )
        self.steps = self._hear("steps")
        self._hear("hello")
        self._loaded.clear()
        self._used = False

    def preload(self, source: bytes) -> None:
        """Import in the warm process the large libraries that a file mentions."""
        self.start()
        wanted = [name for name in _PRELOADS if re.search(rb"\b%b\b" % name.encode(), source)]
        modules = [module for name in wanted for module in _PRELOADS[name]]
        missing = [
            module
            for module in modules
            if module not in self._loaded and module not in self.unloadable
        ]
        if not missing:
            return
        self._close_branches()  # they would be without what is imported now
        self.order({"import": missing})
        failed = self._hear("failed")
        self._loaded.update(missing)
        # half-imported modules would confuse the student's own import: begin again without them
        if failed:
            self.unloadable.update(failed)
            self.close()
            self.preload(source)

    def close(self) -> None:
        """End the box and all processes in it."""
        process, self._process = self._process, None
        self._close_branches()
        if self._control is not None:
            self._control.close()
            self._control = None
        if process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                # without its control line the warm process ends, and each parent reaps its own
                process.wait(GRACE)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.kill()
            process.wait()
            if self.user is not None:
                kill_user(self.user)
        if self._folder is not None:
            remove_tree(self._folder)
            self._folder = None

    def fork(self, limits: Limits, source: bytes = b"", disabled: Sequence[str] = ()) -> Box:
        """Fork the process of a submission.

        `source`: the file, which shows what to import beforehand.
        `disabled`: patterns of full names of functions that raise there; see
            `practica.grading.inside.disable_names`.
        """
        if not self.shared and self._used:
            self.close()  # the warm process of a submission must not serve another one
        self.preload(source)
        self._used = True
        try:
            return Box(self, limits, self._plan(limits), self._branch(tuple(disabled)))
        except OSError as error:
            self.close()
            raise SandboxError(f"the box does not start: {error}") from error

    def _plan(self, limits: Limits) -> ProcessPlan:
        counted = 0 if self.user is not None or self.shared else processes_of(os.getuid())
        place = None if self.level == "full" else f"{self._folder}/place"
        kept = limits.of_process(counted)
        return ProcessPlan(
            self.shared, self.level == "reduced", place, limits.disk, self._filter, kept
        )

    def _branch(self, disabled: tuple[str, ...]) -> socket.socket:
        """Return the control line of a fork of the warm process in which some functions are
        disabled; without any, that of the warm process itself.
        """
        assert self._control is not None
        if not disabled:
            return self._control
        if disabled not in self._branches:
            theirs, ours = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with theirs:
                self.order({"branch": disabled}, (theirs.fileno(),))
            self._branches[disabled] = ours
            self._hear("disabled", ours)
        return self._branches[disabled]

    def _close_branches(self) -> None:
        for control in self._branches.values():
            control.close()  # the branch then ends
        self._branches.clear()

    def order(
        self,
        packet: Mapping[str, object],
        descriptors: tuple[int, ...] = (),
        control: socket.socket | None = None,
    ) -> None:
        """Send an order down a control line, that of the warm process itself by default."""
        line = control or self._control
        assert line is not None
        try:
            socket.send_fds(line, [json.dumps(packet).encode()], descriptors)
        except OSError as error:
            raise self._failure("takes no orders") from error

    def _hear(self, key: str, control: socket.socket | None = None) -> dict[str, str]:
        line = control or self._control
        assert line is not None
        line.settimeout(START)
        try:
            packet = line.recv(PACKET)
        except TimeoutError:
            raise self._failure(f"is silent for {START:.0f} s") from None
        except OSError:
            packet = b""
        if not packet:
            raise self._failure("ended")
        heard = json.loads(packet)
        if type(heard) is not dict or key not in heard:
            raise self._failure(f"says {packet[:100]!r}")
        return heard[key] if type(heard[key]) is dict else {}

    def _failure(self, what: str) -> SandboxError:
        text = ""
        with contextlib.suppress(OSError):
            text = (
                Path(f"{self._folder}/errors").read_bytes()[:4000].decode(errors="replace").strip()
            )
        details = [f"{name}: {error}" for name, error in self.steps.items()]
        self.close()
        return SandboxError(
            ": ".join(
                [f"the box of level {self.level!r} {what}", *details, *([text] if text else [])]
            )
        )


_OPEN: weakref.WeakSet[WarmBox] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    for box in list(_OPEN):
        box.close()
