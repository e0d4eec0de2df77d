"""The process of a submission, once it runs where it should: it loads the file and answers what it is asked."""

from __future__ import annotations

import contextlib
import faulthandler
import os
import signal
import sys
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from practica.checks.agent import ANSWERING, Agent
from practica.checks.loading import Step, steps_of
from practica.checks.plain import Answer, Opaque, failure_of
from practica.sandbox import wire
from practica.sandbox.absent import import_is_over, stand_in
from practica.sandbox.disabled import Disabled
from practica.sandbox.imports import later

__all__ = ["serve"]


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

    Parameters
    ----------
    incoming, outgoing : int
        Descriptors of the requests and of the answers, frames of `practica.sandbox.wire`.
    positions : int
        Descriptor to which the process writes the lines at which it is, on SIGUSR1.
    disabled : Disabled, optional
        What raises in this process already. Without it the requests `forbid` say what does: only on the student's own
        machine, where one process serves all rows.
    write_file : bool
        Whether the file is written to the working directory, where it is not yet.
    alarm : float, optional
        Seconds after which a request that goes on writes its position, again and again: for systems without SIGUSR1.
    """
    # What the loop needs is bound here, before the student's file can put something else in its place.
    read, write, getpid = os.read, os.write, os.getpid
    me = getpid()
    agent: Agent | None = None
    steps: Iterator[Step] = iter(())
    namespace: dict[str, Any] = {}
    path_of_file: str | None = None
    later()
    _repeatable_generators()
    _give_interactive_names()
    _hide_ourselves()
    if alarm is None:
        faulthandler.register(signal.SIGUSR1, file=positions, all_threads=False)
    watch, unwatch = faulthandler.dump_traceback_later, faulthandler.cancel_dump_traceback_later

    def read_exactly(count: int) -> bytes:
        parts = []
        while count:
            part = read(incoming, min(count, 1 << 20))
            if not part:
                os._exit(0)
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def reply(nonce: bytes, answer: Any) -> None:
        try:
            message = wire.encode(answer)
        except wire.WireError as error:
            message = wire.encode(Answer(value=Opaque(f"answer ({error})")))
        if getpid() != me:
            os._exit(0)  # the student forked and returned in both processes: one of them answers
        view = memoryview(wire.frame(nonce, message))
        while view:
            view = view[write(outgoing, view) :]

    def forbid(patterns: list[str]) -> Answer:
        nonlocal disabled
        if disabled is not None:
            disabled.undo()
        disabled = Disabled(patterns, reversible=True)
        disabled.path = path_of_file
        return Answer(value=None)

    def refused() -> Answer:
        found = {} if disabled is None else dict(disabled.refused)
        if disabled is not None:
            disabled.refused.clear()
        return Answer(value=[[name, line] for name, line in found.items()])

    def load(source: Any, path: str, first_handle: int) -> Answer:
        nonlocal agent, steps, namespace, path_of_file
        if write_file:
            with contextlib.suppress(OSError), open(path, "wb") as file:
                file.write(source.tobytes())
        sys.argv = [path]
        sys.path.insert(0, os.getcwd())
        path_of_file = path
        if disabled is not None:
            disabled.path = path
        try:
            module, found = steps_of(source.tobytes(), path)
        except BaseException as error:
            return Answer(error=failure_of(error, path))
        steps, namespace = iter(found), vars(module)
        agent = Agent(module, path, first_handle)
        return Answer(value=[[step.line, step.loose] for step in found])

    def advance(path: str) -> Answer:
        assert agent is not None
        step, absent = next(steps), []
        try:
            while True:
                try:
                    exec(step.code, namespace)
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
        return Answer(value=agent.names())

    while True:
        nonce, length = wire.parse_frame(read_exactly(wire.FRAME))
        method, args, kwargs = wire.decode(read_exactly(length))
        if method == "load":
            reply(nonce, load(*args))
        elif method == "advance":
            reply(nonce, advance(*args))
        elif method == "refused":
            reply(nonce, refused())
        elif method == "forbid" and not write_file:
            reply(nonce, forbid(*args))
        else:
            import_is_over()
            if alarm is not None:
                watch(alarm, repeat=True, file=positions)
            answer = ANSWERING[method](agent, *args, **kwargs)
            if alarm is not None:
                unwatch()
            reply(nonce, answer)


def _repeatable_generators() -> None:
    """Let `default_rng()` without a seed follow the seed of the call, as the global generators do."""
    import numpy as np

    make: Callable[..., Any] = np.random.default_rng
    draw = np.random.randint

    def default_rng(seed: Any = None) -> Any:
        """Make a Generator."""
        return make(draw(1 << 31) if seed is None else seed)

    np.random.default_rng = default_rng


def _give_interactive_names() -> None:
    """Define `exit`, `quit` and `help`, which Python leaves out with -S."""
    import site

    site.setquit()
    site.setcopyright()
    site.sethelper()


def _hide_ourselves() -> None:
    """Take the modules of this package out of `sys.modules`: a file that imports `practica` finds none."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "practica"]:
        del sys.modules[name]
