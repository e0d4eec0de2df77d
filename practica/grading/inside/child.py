"""The process inside the box, and the warm one that it is forked from.

`main` is the warm process: it imports numpy and the other modules of its plan, once,
single-threaded, and never a student's file. For each submission it forks a supervisor, which moves
into namespaces of its own where it may and forks the process of the submission:

    main ── branch ── supervisor ── submission

The submission is pid 1 of its own namespace: nothing that it starts outlives it.

A branch is a fork of `main` in which some functions are disabled, once for all submissions that it
begins.

Three lines lead out, none of them the standard streams, which are the student's:

    control   trusted process → main: what to import, and the control line of a new branch with what
              it disables; trusted process → branch: three descriptors for each new submission
    leash     supervisor ↔ trusted process: "ready", "failed", "exit"; the submission is killed when
              the far end closes
    requests  trusted process → submission: frames of `practica.grading.inside.wire`, one answer for
              each, in turn; before it a call may ask a question, to which one frame replies

Control and leash carry JSON, one object a packet. If nested namespaces are not to be had, main
serves a single submission and the box around it is all the isolation there is; the student could
then forge what main and the supervisor say, which is no more than dying in another way.
"""

from __future__ import annotations

import base64
import contextlib
import gc
import itertools
import json
import os
import select
import signal
import socket
import time
from collections.abc import Iterator

from practica.grading.inside import isolation
from practica.grading.inside.disable_names import Disabled
from practica.grading.inside.orders import ProcessPlan
from practica.grading.inside.preload import import_libraries
from practica.grading.inside.processes import state, tree

_PLACE = "/tmp/entrega"  # the working directory of a submission
_PACKET = 1 << 16
_GARBAGE = 10_000  # objects more than there were before it is looked for: so few calls leave little
# descriptors in the submission; the last one is closed before its file is loaded
_ERRORS, _REQUESTS, _LEASH = 2, 3, 4


def main(control_number: int) -> None:
    """Serve orders on the control line, a socket with this descriptor, until it closes."""
    control = socket.socket(fileno=control_number)
    with contextlib.suppress(OSError):
        isolation.set_dumpable(False)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # supervisors are not waited for
    gc.set_threshold(_GARBAGE)
    import_libraries(
        [
            "numpy",
            "numpy.random",
            "numpy.linalg",
            "practica.grading.inside.agent",
            "practica.grading.inside.serve",
        ]
    )
    _send(control, {"hello": os.getpid()})
    disabled: Disabled | None = None
    while True:
        packet, descriptors, _, _ = socket.recv_fds(control, _PACKET, 3)
        if not packet:
            os._exit(0)
        order = json.loads(packet)
        if "import" in order:
            _send(control, {"failed": import_libraries(order["import"])})
        elif "branch" in order:
            if os.fork() == 0:
                control.close()
                control = socket.socket(fileno=descriptors[0])
                try:
                    disabled = Disabled(order["branch"])
                except Exception as error:
                    _send(control, {"failed": f"{type(error).__name__}: {error}"[:500]})
                    os._exit(1)
                _send(control, {"disabled": os.getpid()})
                continue
            os.close(descriptors[0])
        elif "fork" in order:
            gc.collect()
            gc.freeze()
            if os.fork() == 0:
                control.close()
                _supervise(ProcessPlan(**order["fork"]), disabled, *descriptors)
            for number in descriptors:
                os.close(number)


def _send(line: socket.socket, packet: dict[str, object]) -> None:
    with contextlib.suppress(OSError):
        line.send(json.dumps(packet).encode())


# --- the supervisor -------------------------------------------------------------------------------


def _supervise(
    plan: ProcessPlan, disabled: Disabled | None, requests: int, leash_number: int, output: int
) -> None:
    """Fork the submission, wait until it ends or the other end of the leash closes, and remove what
    is left of it.
    """
    leash = socket.socket(fileno=leash_number)
    status = 1
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        step = "namespaces"
        try:
            if plan.nested:
                uid, gid = os.getuid(), os.getgid()
                isolation.set_dumpable(True)  # or the files below belong to root
                isolation.unshare(["user", "mount", "pid", "net", "ipc", "uts"])
                isolation.map_user(uid, gid)
            else:
                isolation.subreaper()
            step = "fork"
            submission = os.fork()
        except OSError as error:
            _send(leash, {"failed": step, "error": str(error)})
            return
        if submission == 0:
            _become_submission(plan, disabled, requests, leash, output)
        for number in (requests, output):
            os.close(number)
        _wait(leash, submission, plan.nested)
        status = 0
    finally:
        os._exit(status)


def _wait(leash: socket.socket, submission: int, nested: bool) -> None:
    watched = os.pidfd_open(submission)
    poll = select.poll()
    poll.register(leash, select.POLLIN)  # nothing but its end is ever sent to it
    poll.register(watched, select.POLLIN)
    poll.poll()
    if not nested:
        _stop_descendants(seconds=5)
    with contextlib.suppress(ProcessLookupError):
        os.kill(submission, signal.SIGKILL)
    _, status = os.waitpid(submission, 0)  # pid 1: this returns when its whole namespace is gone
    if not nested:
        _kill_descendants()
    _send(leash, {"exit": os.waitstatus_to_exitcode(status)})


def _stop_descendants(seconds: float) -> None:
    """Stop all processes that the submission left, for at most some seconds, until all of them
    stand still.

    Stopped ones count against the limit of processes; killed ones would make room for new ones.
    """
    deadline = time.monotonic() + seconds  # some could keep waking each other up
    running = True
    while running and time.monotonic() < deadline:
        running = False
        for process in _descendants():
            # Looked at before its children are: a stopped process has no more of them.
            if state(process) not in b"TtZX":
                running = True
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGSTOP)


def _kill_descendants() -> None:
    """Kill and reap all descendants; orphans become children of this process."""
    while True:
        for process in _descendants():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.001)


def _descendants() -> Iterator[int]:
    return itertools.islice(tree(os.getpid()), 1, None)


# --- the submission -------------------------------------------------------------------------------


def _become_submission(
    plan: ProcessPlan, disabled: Disabled | None, requests: int, leash: socket.socket, output: int
) -> None:
    """Give up the remaining rights of this process, then serve requests until the end."""
    step = "start"
    try:
        if plan.nested:
            step = "file system"
            for place in ("/tmp", "/dev/shm"):
                isolation.mount_tmpfs(place, plan.disk, mode="1777")
            step = "sources"
            isolation.hide_files(disabled.sources if disabled else ())
            step = "proc"
            isolation.mount_proc()
        else:
            isolation.subreaper()  # what its children leave is still found below it
        step = "working directory"
        place = plan.place or _PLACE
        os.makedirs(place, exist_ok=True)
        os.chdir(place)
        os.environ.update({"HOME": place, "TMPDIR": place})
        step = "capabilities"
        isolation.forbid_new_privileges()
        isolation.drop_capabilities()
        if plan.landlock:
            step = "landlock"
            isolation.landlock(None)
        step = "keyring"
        isolation.new_keyring()
        step = "descriptors"
        os.setsid()
        signal.set_wakeup_fd(-1)
        null = os.open("/dev/null", os.O_RDONLY)
        high = [os.dup(number) for number in (null, output, output, requests, leash.detach())]
        high = [os.dup2(number, 50 + position) for position, number in enumerate(high)]
        for target, number in enumerate(high):
            os.dup2(number, target, inheritable=target < _REQUESTS)
        leash = socket.socket(fileno=_LEASH)
        os.closerange(_LEASH + 1, 4096)
        step = "limits"
        isolation.limit(plan.limits)
        isolation.set_dumpable(True)
        step = "system calls"
        if plan.filter:
            isolation.filter_calls(base64.b64decode(plan.filter))
        _send(leash, {"ready": os.getpid()})
        leash.close()
    except BaseException as error:
        _send(leash, {"failed": step, "error": str(error)[:500]})
        os._exit(70)
    try:
        from practica.grading.inside.serve import serve

        serve(_REQUESTS, _REQUESTS, _ERRORS, disabled)
    except MemoryError:
        os._exit(71)
    finally:
        os._exit(0)
