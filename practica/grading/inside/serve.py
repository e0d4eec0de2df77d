"""The process of a submission, once it runs where it should: it loads the file and answers
requests.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import signal
import sys
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from practica.grading.inside import wire
from practica.grading.inside.agent import ANSWERING, Agent
from practica.grading.inside.disable_names import Disabled
from practica.grading.inside.doors import Doors
from practica.grading.inside.loading import Step, steps_of
from practica.grading.inside.plain_data import Answer, Opaque, RecordedCall, failure_of
from practica.grading.inside.preload import later
from practica.grading.inside.seeding import make_generators_repeatable
from practica.grading.inside.stand_ins import import_is_over, stand_in


def serve(
    incoming: int,
    outgoing: int,
    positions: int,
    disabled: Disabled | None = None,
    *,
    write_file: bool = True,
    alarm: float | None = None,
) -> NoReturn:
    """Load a student's file and answer requests about it until the line closes; never returns.

    `incoming`, `outgoing`: descriptors of the requests and of the answers, frames of
        `practica.grading.inside.wire`.
    `positions`: descriptor to which the process writes the lines at which it is, on SIGUSR1.
    `disabled`: what raises in this process already. Without it a request `forbid`, before the file
        is loaded, says what does: on the student's own machine.
    `write_file`: whether the file is written to the working directory, where it is not yet.
    `alarm`: seconds after which a request that goes on writes its position, again and again: for
        systems without SIGUSR1.
    """
    later()
    make_generators_repeatable()
    _give_interactive_names()
    _hide_ourselves()
    if alarm is None:
        faulthandler.register(signal.SIGUSR1, file=positions, all_threads=False)
    _Server(incoming, outgoing, positions, disabled, write_file=write_file, alarm=alarm).run()


class _Server:
    """The loop that answers requests; it binds what it uses before the student's file can replace
    it.
    """

    def __init__(
        self,
        incoming: int,
        outgoing: int,
        positions: int,
        disabled: Disabled | None,
        *,
        write_file: bool,
        alarm: float | None,
    ) -> None:
        self.incoming, self.outgoing, self.positions = incoming, outgoing, positions
        self.disabled = disabled
        self.write_file, self.alarm = write_file, alarm
        self.read, self.write, self.pid, self.my_pid = os.read, os.write, os.getpid(), os.getpid
        self.watch, self.unwatch = (
            faulthandler.dump_traceback_later,
            faulthandler.cancel_dump_traceback_later,
        )
        self.doors = Doors()
        self.agent: Agent | None = None
        self.nonce = b""  # the last frame's, which the next one repeats
        self.steps: Iterator[Step] = iter(())
        self.namespace: dict[str, object] = {}
        self.own: dict[str, Callable[..., Answer]] = {
            "load": self.load,
            "advance": self.advance,
            "refused": lambda: _taken_from(self.disabled.refused if self.disabled else {}),
            "opened": lambda: _taken_from(self.doors.found),
        }
        if not write_file:
            self.own["forbid"] = self.forbid

    def run(self) -> NoReturn:
        """Answer requests until the line from the trusted side closes."""
        while True:
            method, args, kwargs = self.receive()
            own = self.own.get(method)
            self.reply(self.answer(method, args, kwargs) if own is None else own(*args))

    def receive(self) -> Any:
        self.nonce, length = wire.parse_frame(self.read_exactly(wire.FRAME))
        return wire.decode(self.read_exactly(length))

    def read_exactly(self, count: int) -> bytes:
        parts = []
        while count:
            part = self.read(self.incoming, min(count, 1 << 20))
            if not part:
                os._exit(0)
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def reply(self, answer: object) -> None:
        try:
            message = wire.encode(answer)
        except wire.WireError as error:
            message = wire.encode(Answer(value=Opaque(f"answer ({error})")))
        if self.my_pid() != self.pid:
            os._exit(0)  # the student forked and returned in both processes: one of them answers
        self.send(message)

    def ask(self, number: int, call: RecordedCall) -> Any:
        """Return the right results of a recorded call, which the trusted side computes in the
        middle of a request. Return none for a call that is too large, and in a process that the
        student forked.

        `number`: that of the scripted call.
        """
        if self.my_pid() != self.pid:
            return []
        try:
            message = wire.encode((number, call))
        except wire.WireError:  # too large to be a question that is answered
            return []
        self.send(message)
        return self.receive()

    def send(self, message: bytes) -> None:
        view = memoryview(wire.frame(self.nonce, message))
        while view:
            view = view[self.write(self.outgoing, view) :]

    def answer(self, method: str, args: list[object], kwargs: dict[str, object]) -> object:
        """Pass a request to the agent and return its answer."""
        import_is_over()
        if self.alarm is None:
            return ANSWERING[method](self.agent, *args, **kwargs)
        self.watch(self.alarm, repeat=True, file=self.positions)
        answer = ANSWERING[method](self.agent, *args, **kwargs)
        self.unwatch()
        return answer

    def forbid(self, patterns: list[str]) -> Answer:
        self.disabled = Disabled(patterns)
        return Answer(value=None)

    def load(self, source: Any, path: str, first_handle: int) -> Answer:
        if self.write_file:
            with contextlib.suppress(OSError), open(path, "wb") as file:
                file.write(source.tobytes())
        sys.argv = [path]
        sys.path.insert(0, os.getcwd())
        self.disabled = self.disabled or Disabled(())
        guard = self.doors.guard = self.disabled.guard
        self.disabled.path = self.doors.path = path
        self.doors.watch()
        try:
            module, found = steps_of(source.tobytes(), path, prepared=guard.prepared)
        except BaseException as error:
            return Answer(error=failure_of(error, path))
        guard.give(module)
        self.steps, self.namespace = iter(found), vars(module)
        self.agent = Agent(module, path, first_handle, self.ask)
        return Answer(value=[[step.line, step.loose] for step in found])

    def advance(self, path: str) -> Answer:
        assert self.agent is not None
        step, absent = next(self.steps), []
        try:
            while True:
                try:
                    exec(step.code, self.namespace)
                    break
                except ModuleNotFoundError as error:
                    if (name := stand_in(error, step.modules)) is None:
                        raise
                    absent.append(name)
        except BaseException as error:
            return Answer(error=failure_of(error, path))
        finally:
            for name in absent:
                sys.modules.pop(name, None)
        later()
        return Answer(value=self.agent.names())


def _taken_from(found: dict[str, int | None]) -> Answer:
    """Return an answer with what was found, each with its line, and empty `found`."""
    answer = Answer(value=[[name, line] for name, line in found.items()])
    found.clear()
    return answer


def _give_interactive_names() -> None:
    """Define `exit`, `quit` and `help`, which Python leaves out with -S."""
    import site

    site.setquit()
    site.setcopyright()
    site.sethelper()


def _hide_ourselves() -> None:
    """Take the modules of this package out of `sys.modules`: a file that imports `practica` finds
    none.
    """
    for name in [name for name in sys.modules if name.partition(".")[0] == "practica"]:
        del sys.modules[name]
