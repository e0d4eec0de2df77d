"""The process of a submission in its box, seen from the trusted side.

`practica.grading.inside.child` is the other one.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import struct
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Protocol, Self

from practica.grading.inside import wire
from practica.grading.inside.orders import ProcessPlan
from practica.grading.inside.processes import (
    has_own_network,
    memory_of,
    socket_buffer,
    sockets_of,
    stopped,
    tree,
)
from practica.grading.sandbox.cgroup import Group, group_parents
from practica.grading.sandbox.cpu_accounting import Usage, charged, pace

# bytes that the kernel may hold for the mappings of a process, which /proc does not show
_MAPPINGS = 32 << 20
GRACE = 2.0  # seconds for a box to end by itself
_TICK = 0.05  # seconds between two looks at the memory
START = 180.0  # seconds for a box to start, generous: a slow disk is not the student's
PACKET = 1 << 16  # bytes from a control line or a leash
_LONGEST_POSITION = 1 << 16  # bytes; a hundred lines at most, and what was printed before
_QUIET = 0.1  # seconds without output after which the position is complete


class SandboxError(RuntimeError):
    """The sandbox itself does not work; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that one submission may use."""

    # call_seconds, import_seconds, total_seconds: of one call, of importing the file, and of
    # everything together, as `practica.grading.sandbox.cpu_accounting` charges them. The model
    # answer takes 0.2 for its longest call and 3 for all: right code may be slow
    call_seconds: float = 6.0
    import_seconds: float = 15.0
    statement_seconds: float = 8.0  # one statement of the file that neither imports nor defines
    total_seconds: float = 54.0
    memory: int = 2 << 30  # bytes of memory of all its processes together
    address_space: int = 8 << 30  # bytes of addresses of each process
    disk: int = 64 << 20  # bytes in its /tmp, and as many in its /dev/shm
    processes: int = 64  # processes, files: how many processes and threads, and open files
    files: int = 128
    output: int = 16 << 20  # bytes that it may write to its standard streams

    @classmethod
    def here(cls) -> Self:
        """Return the limits for this machine, which may be slower than that on which they were
        chosen.
        """
        chosen, slower = cls(), max(1.0, pace())
        seconds = ("call_seconds", "import_seconds", "statement_seconds", "total_seconds")
        return replace(chosen, **{name: getattr(chosen, name) * slower for name in seconds})

    def of_process(self, other_processes: int) -> dict[str, int]:
        """Return the limits that the kernel enforces, by their names in `resource` without RLIMIT_.

        `other_processes`: how many processes and threads its user has already, which count too.
        """
        return {
            "AS": self.address_space,
            "CPU": int(self.total_seconds) + 1,
            "CORE": 0,
            "FSIZE": self.disk,
            "NOFILE": self.files,
            "NPROC": self.processes + other_processes,
        }


class LostError(Exception):
    """The process of a submission is gone: the reason and the facts of a `SolutionLost`, and what
    the process wrote about its position when it ran out of time.
    """

    def __init__(self, reason: str, *, written: bytes = b"", **facts: object) -> None:
        super().__init__(reason)
        self.reason, self.written, self.facts = reason, written, facts


class Warm(Protocol):
    """The warm process from which a box is forked, with the methods that a box needs."""

    memory: str

    def order(
        self, packet: Mapping[str, object], descriptors: tuple[int, ...], control: socket.socket
    ) -> None:
        """Send an order, with file descriptors, to the warm process or one of its forks by its
        control line.
        """

    def close(self) -> None:
        """End the warm process and all processes within it."""


class Box:
    """The running process of one submission, seen from outside.

    It runs only during an exchange:

        stopped ──► exchange: request out, answer or question in ──► stopped ──► ... ──► close
                        └──► out of time, out of memory, malformed, gone: closed;
                             LostError says why
    """

    def __init__(
        self, sandbox: Warm, limits: Limits, plan: ProcessPlan, control: socket.socket
    ) -> None:
        self._limits = limits
        self._sandbox = sandbox
        self._written = 0
        self._end: dict[str, object] | None = None
        self._group: Group | None = None
        self._out_of_memory = False
        self._look = 0.0  # when to look at the memory again
        self.pid, self._used = 0, (0.0, 0.0)
        self._usage = Usage(0)
        self._has_begotten = False
        theirs_requests, self._requests = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        theirs_leash, self._leash = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._output, theirs_output = os.pipe()
        self._requests.setblocking(False)
        os.set_blocking(self._output, False)
        self._leash.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        descriptors = (theirs_requests.fileno(), theirs_leash.fileno(), theirs_output)
        try:
            sandbox.order({"fork": asdict(plan)}, descriptors, control)
        finally:
            theirs_requests.close()
            theirs_leash.close()
            os.close(theirs_output)
        self._leash.settimeout(START)
        try:
            packet, credentials, _, _ = self._leash.recvmsg(PACKET, socket.CMSG_SPACE(12))
        except TimeoutError:
            packet, credentials = b"", []
        ready = json.loads(packet) if packet else {"failed": "fork", "error": "no answer"}
        if "ready" not in ready:
            self.close()
            raise OSError(f"{ready.get('failed')}: {ready.get('error')}")
        self.pid = struct.unpack("3i", credentials[0][2])[0]
        self._usage = Usage(self.pid)
        self._group = _group_of(self.pid, limits)
        sandbox.memory = "counted" if self._group is None else "cgroup"
        self._own_network = has_own_network(self.pid)
        self._pause()

    def exchange(self, message: bytes, seconds: float) -> bytes:  # noqa: C901  # all that may happen while it waits
        """Send a message, and return the message that answers it.

        Raises `LostError` if none comes in `seconds`, or the process ends, exceeds a limit or
            answers with something malformed.
        """
        if _readable(self._requests):
            if not self._receive(1):  # its end
                raise self._lost("died")
            raise self._lost("malformed", error="bytes without a request")
        nonce = os.urandom(wire.NONCE)
        outgoing = memoryview(wire.frame(nonce, message))
        incoming = bytearray()
        wanted = wire.FRAME
        begin = time.monotonic()
        deadline, (ran, waited) = begin + seconds, (0.0, 0.0)
        poll = select.poll()
        poll.register(self._requests, select.POLLIN | select.POLLOUT)
        poll.register(self._leash, select.POLLIN)
        poll.register(self._output, select.POLLIN)
        self._resume()
        while True:
            now = time.monotonic()
            if now >= deadline:
                own_ran, own_waited = self.used()
                if (
                    left := seconds
                    - charged(now - begin, own_ran - ran, max(own_waited - waited, 0.0))
                ) <= 0:
                    raise self._lost("timeout", written=self._position())
                deadline = now + max(left, _TICK)
            if now >= self._look:
                if not ran:  # what is charged is looked at where a call is long
                    ran, waited = self.used()
                self._check_memory()
            events = dict(poll.poll(1000 * min(deadline - now, self._look - now) + 1))
            if self._output in events and not self._drain():
                poll.unregister(self._output)
            state = events.get(self._requests.fileno(), 0)
            if state & select.POLLOUT and outgoing:
                with contextlib.suppress(BlockingIOError, BrokenPipeError, ConnectionResetError):
                    outgoing = outgoing[self._requests.send(outgoing[: 1 << 20]) :]
                if not outgoing:
                    poll.modify(self._requests, select.POLLIN)
            if state & (select.POLLIN | select.POLLHUP | select.POLLERR):
                part = self._receive(min(wanted - len(incoming), 1 << 20))
                if not part:
                    raise self._lost("died")
                incoming += part
                if len(incoming) == wanted and wanted == wire.FRAME:
                    wanted += self._length(bytes(incoming), nonce)
                if len(incoming) == wanted:
                    if outgoing:
                        raise self._lost(
                            "malformed", error="an answer before the question was read"
                        )
                    self._pause()
                    return bytes(incoming[wire.FRAME :])
            elif self._leash.fileno() in events:
                raise self._lost("died")

    def used(self) -> tuple[float, float]:
        """Return the seconds that the process has run, and those that it has waited for a
        processor.

        The kernel does not report what children used that were never waited for, so a process with
        children is charged by the wall clock.
        """
        if self._leash.fileno() != -1:
            ran, waited = self._usage.look()
            self._has_begotten = self._has_begotten or sum(1 for _ in tree(self.pid)) > 1
            self._used = ran, 0.0 if self._has_begotten else waited
        return self._used

    def _receive(self, count: int) -> bytes:
        try:
            return self._requests.recv(count)
        except (BlockingIOError, ConnectionResetError):
            return b""

    def _length(self, head: bytes, nonce: bytes) -> int:
        try:
            answered, length = wire.parse_frame(head)
        except wire.WireError as error:
            raise self._lost("malformed", error=str(error)) from None
        if answered != nonce:
            raise self._lost("malformed", error="an answer to another request")
        if length == 0:
            raise self._lost("malformed", error="an empty answer")
        return length

    def _drain(self) -> bool:
        """Discard the output of the student's code; return False once the output is closed.

        Raises `LostError` if there was too much.
        """
        try:
            part = os.read(self._output, 1 << 16)
        except BlockingIOError:
            return True
        self._written += len(part)
        if self._written > self._limits.output:
            raise self._lost("output", limit=self._limits.output)
        return bool(part)

    def _position(self) -> bytes:
        """Send the process a signal, and return what it prints about the line it is at."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGUSR1)
        written = b""
        while len(written) < _LONGEST_POSITION and _readable(
            self._output, _QUIET if written else GRACE / 4
        ):
            part = os.read(self._output, _LONGEST_POSITION)
            if not part:
                break
            written += part
        return written

    def _pause(self) -> None:
        """Stop all processes between two requests, when nobody counts their time and memory."""
        self._signal(signal.SIGSTOP)
        if self._group is not None:
            self._group.freeze(True)
        elif not stopped(self.pid, GRACE):
            raise self._lost("timeout", seconds=GRACE)
        if time.monotonic() >= self._look:
            self._check_memory()

    def _resume(self) -> None:
        if self._group is not None:
            self._group.freeze(False)
        self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        """Send a signal to all processes of the box: they cannot leave the process group of the
        first one.
        """
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, number)

    def _check_memory(self) -> None:
        self._look = time.monotonic() + _TICK
        if self._group is not None:
            return  # the kernel does
        used = sum(_MAPPINGS + memory_of(number) for number in tree(self.pid))
        if self._own_network:
            used += sockets_of(self.pid) * socket_buffer()
        if used > self._limits.memory:
            raise self._lost("memory", limit=self._limits.memory)

    def _lost(self, reason: str, *, written: bytes = b"", **facts: object) -> LostError:
        """End the process and return the error that says why, with the facts that its supervisor
        reports.
        """
        self.close()
        end = self._end or {}
        code = end.get("exit")
        if reason == "died":
            if self._out_of_memory:
                return LostError("memory", limit=self._limits.memory)
            if code == _OUT_OF_MEMORY:
                return LostError("memory", limit=self._limits.address_space)
            if type(code) is int and code < 0 and code != -signal.SIGKILL:
                facts["signal"] = (
                    signal.Signals(-code).name if -code in set(signal.Signals) else -code
                )
            elif type(code) is int and code >= 0:
                facts["exit"] = code
        return LostError(reason, written=written, **facts)

    def close(self) -> None:
        """Kill the process and all that it started, and return when they are gone."""
        if self._leash.fileno() == -1:
            return
        self.used()  # afterwards it is unknown
        try:
            self._leash.shutdown(socket.SHUT_WR)
            self._leash.settimeout(START)
            while packet := self._leash.recv(PACKET):
                self._end = json.loads(packet)
        except (OSError, ValueError):
            self._sandbox.close()  # no confirmation: end the whole box
        if self._end is None or "exit" not in self._end:
            self._sandbox.close()
        if self._group is not None:
            self._out_of_memory = self._group.out_of_memory()
            self._group.close()
        self._requests.close()
        self._leash.close()
        os.close(self._output)


_OUT_OF_MEMORY = 71  # the exit code of a submission that has no memory left for its answer


def _group_of(pid: int, limits: Limits) -> Group | None:
    for parent in group_parents():
        with contextlib.suppress(OSError):
            return Group(parent, pid, memory=limits.memory, processes=limits.processes)
    return None


def _readable(line: socket.socket | int, seconds: float = 0.0) -> bool:
    poll = select.poll()
    poll.register(line, select.POLLIN)
    return any(state & select.POLLIN for _, state in poll.poll(1000 * seconds))
