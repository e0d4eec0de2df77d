"""A student's own file in a process of their own machine: time limits, and no sandbox.

`LocalProcesses` stands where a `Sandbox` does for `ProcessSolution`, and needs nothing but Python:
an endless loop or a crash costs one check, and what the file prints does not get between the
sentences. The file runs with all the rights of the user who runs it.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from practica.grading.inside import wire
from practica.grading.inside.preload import LIBRARIES, import_libraries
from practica.grading.sandbox.box import Limits, LostError, SandboxError
from practica.grading.sandbox.cpu_accounting import Usage, charged, pace

SOON = 0.05  # seconds from one look at what a request uses to the next
# requests the position of a process; without it an alarm does
SIGNAL = getattr(signal, "SIGUSR1", None)
POSITION_SECONDS = 0.5  # what it may take to write it
_MEMORY = 2  # times what a box has
ALARM = 1 / 10  # a tenth of a call's seconds: several alarms before the shortest deadline


def patient() -> Limits:
    """Return limits for a student's machine, which may be slow and busy: somewhat more for a call
    than a box has.

    Only Linux reports the processor time of a process; elsewhere the wall clock counts.
    """
    slower = max(1.0, pace()) * (1 if sys.platform == "linux" else 3)
    return Limits(
        call_seconds=7.0 * slower,
        import_seconds=120.0 * slower,
        statement_seconds=5.0 * slower,
        total_seconds=600.0 * slower,
    )


class LocalProcesses:
    """A starter of processes for one file, one after the other, without a box.

    `folder`: their working directory, that of the file: what lies beside it can be imported and
        read.
    `unloadable`: the modules of libraries that a process could not import, each with the error.
    """

    running = True
    takes_forbidden = True

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._spare: LocalProcess | None = None
        self.unloadable: dict[str, str] = {}

    def close(self) -> None:
        """End the process that was started ahead."""
        if self._spare is not None:
            self._spare.close()
            self._spare = None

    def start_ahead(self, source: bytes) -> None:
        """Start the process that the next fork will need, with the limits of `patient`, and let it
        import the large libraries that `source` mentions.
        """
        if self._spare is None:
            self._spare = LocalProcess(self, patient(), source)

    def fork(
        self, limits: Limits, source: bytes = b"", disabled: Sequence[str] = ()
    ) -> LocalProcess:
        """Return a process that has not loaded the file yet: the one that was started ahead, if
        there is one.

        Its first request says what is forbidden in it; `disabled` is not used.
        """
        spare, self._spare = self._spare, None
        return spare or LocalProcess(self, limits, source)


class LocalProcess:
    """A process without a box, with the methods of `practica.grading.sandbox.box.Box`."""

    def __init__(self, starter: LocalProcesses, limits: Limits, source: bytes = b"") -> None:
        preload = [name for name in LIBRARIES if name.encode() in source]
        environment = {**os.environ, "MPLBACKEND": "agg", "OMP_NUM_THREADS": "1", "PYTHONUTF8": "1"}
        environment |= {"JOBLIB_MULTIPROCESSING": "0"}  # in turn, as in a box
        alarm = None if SIGNAL else ALARM * limits.call_seconds
        number, self._output = tempfile.mkstemp(prefix="practica-")
        os.close(number)
        self._failed, self._unloadable = f"{self._output}.failed", starter.unloadable
        kept = int(limits.total_seconds) + 1, _MEMORY * limits.memory
        boot = _BOOT.format(kept=kept, preload=preload, failed=self._failed, alarm=alarm)
        with open(self._output, "ab") as output:  # both read and write at places of their own
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", boot],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=output,
                cwd=starter.folder,
                env=environment,
                start_new_session=True,
            )
        self.pid = self._process.pid
        self._usage, self._looking = Usage(self.pid), threading.Lock()
        self._used = 0.0, 0.0
        # the request that is being answered, and its seconds
        self._running: tuple[bytes, float] | None = None
        self._late = self._answered = False
        self._position = b""
        self._closed = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def exchange(self, message: bytes, seconds: float) -> bytes:
        """Send a message, and return the message that answers it.

        Raises `LostError` if none comes in `seconds`, the process ends, or its answer is malformed.
        Raises `SandboxError` if the process does not start.
        """
        nonce = os.urandom(wire.NONCE)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._running = nonce, seconds
        try:
            self._process.stdin.write(wire.frame(nonce, message))
            self._process.stdin.flush()
            answered, length = wire.parse_frame(_exactly(self._process.stdout, wire.FRAME))
            if answered != nonce:
                raise wire.WireError("an answer to another request")
            if not self._answered:
                self._answered = True
                with contextlib.suppress(FileNotFoundError):
                    self._unloadable.update(json.loads(Path(self._failed).read_bytes()))
            return _exactly(self._process.stdout, length)
        except wire.WireError as error:
            raise LostError("malformed", error=str(error)) from None
        except (EOFError, OSError, ValueError):
            if self._late:
                raise LostError("timeout", written=self._position) from None
            if not self._answered and (
                lines := self._written().decode(errors="replace").strip().splitlines()
            ):
                raise SandboxError(
                    f"the process for the file does not start: {lines[-1]}"
                ) from None
            raise LostError("died") from None
        finally:
            self._running = None

    def _watch(self) -> None:
        """Kill the process when a request has taken its seconds, on one thread for all requests."""
        known, begin, ran, waited = self._running, 0.0, 0.0, 0.0
        while not self._closed.wait(SOON):
            running = self._running
            if running is None:
                known = None
            elif running is not known:
                known, begin, (ran, waited) = running, time.monotonic(), self.used()
            else:
                own_ran, own_waited = self.used()
                if (
                    charged(time.monotonic() - begin, own_ran - ran, own_waited - waited)
                    > running[1] - SOON
                ):
                    self._late, self._position = True, self._ask_position()
                    self._kill()
                    return

    def _ask_position(self) -> bytes:
        """Send the process a signal, and return what it then prints about the line it is at."""
        if SIGNAL is not None:
            self._process.send_signal(SIGNAL)
        until = time.monotonic() + POSITION_SECONDS
        before, written = b"", self._written()
        while (not written or written != before) and time.monotonic() < until:
            time.sleep(SOON)
            before, written = written, self._written()
        return written

    def _written(self) -> bytes:
        """Return what the process has written about itself: the error that kept it from serving, or
        its position.
        """
        return Path(self._output).read_bytes()

    def used(self) -> tuple[float, float]:
        """Return the seconds that the process has run, and those that it has waited for a
        processor; zeros if they are unknown.
        """
        with self._looking:
            if sys.platform == "linux" and self._process.poll() is None:
                self._used = self._usage.look()
            return self._used

    def close(self) -> None:
        """Kill the process and what it started; returns when it is gone."""
        self._closed.set()
        self.used()  # afterwards it is unknown
        self._kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        for path in (self._output, self._failed):
            with contextlib.suppress(OSError):
                os.remove(path)

    def _kill(self) -> None:
        if hasattr(os, "killpg"):
            with contextlib.suppress(OSError):
                os.killpg(self.pid, signal.SIGKILL)
        self._process.kill()


def _exactly(stream: IO[bytes], count: int) -> bytes:
    data = stream.read(count)
    if len(data) < count:
        raise EOFError
    return data


_BOOT = (
    "from practica.grading.sandbox.local import main; main({kept}, {preload}, {failed!r}, {alarm})"
)


def main(kept: tuple[int, int], preload: Sequence[str], failed: str, alarm: float | None) -> None:
    """Serve as the process of a file: answer on what was the standard output, and give the file
    empty streams.

    `kept`: limits of the processor's seconds and of bytes of data.
    `preload`: the libraries to import first.
    `failed`: the file to which those that cannot be imported are written, with their errors.
    `alarm`: seconds after which a long request writes its position; None if a signal requests it.
    """
    from practica.grading.inside.serve import serve

    incoming, outgoing, positions = os.dup(0), os.dup(1), os.dup(2)
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    if hasattr(os, "register_at_fork"):  # what outlives this process would keep the line open
        os.register_at_fork(after_in_child=lambda: os.dup2(null, outgoing))
    if sys.platform == "win32":
        import msvcrt

        for number in (incoming, outgoing):
            msvcrt.setmode(number, os.O_BINARY)
    else:
        import resource

        # If no process is left to end it; and CPython 3.13 does not count the frames of some calls,
        # which then take all the memory of the machine before their time is over.
        for kind, value in zip((resource.RLIMIT_CPU, resource.RLIMIT_DATA), kept, strict=True):
            resource.setrlimit(kind, (value, value))
    if errors := import_libraries(preload):
        Path(failed).write_text(json.dumps(errors), encoding="utf-8")
    serve(incoming, outgoing, positions, write_file=False, alarm=alarm)
