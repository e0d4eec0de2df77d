"""Build the box, then become the warm process of `practica.grading.inside.child` inside it.

Run by `practica.grading.sandbox.box` in a fresh interpreter, with the plan of
`practica.grading.sandbox.mounts` in JSON. What it does depends on the plan's level:

full      as root: show Python, its packages and the box's own files at a place that everybody may
          reach (in a private mount namespace), and become an unprivileged user; then, for
          everybody, bubblewrap
reduced   as root: the same, and namespaces where the kernel gives them; then Landlock
none      nothing

bubblewrap runs *after* the user is given up, because the limit on processes means nothing to root.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import NoReturn

from practica.grading.inside import isolation
from practica.grading.inside.orders import BoxPlan

_TOP = ("/lib", "/lib32", "/lib64", "/bin", "/sbin")  # links to their namesakes in /usr
_SETTINGS = ("/etc/ld.so.cache", "/etc/localtime", "/etc/alternatives")


def main() -> None:
    """Read the plan from the command line and carry it out; never returns."""
    plan = BoxPlan(**json.loads(sys.argv[1]))
    # those of a worker are not for its boxes
    for number in (resource.RLIMIT_CPU, resource.RLIMIT_DATA):
        resource.setrlimit(number, (resource.getrlimit(number)[1],) * 2)
    steps: dict[str, str] = {}  # what did not work, and why
    if plan.level == "full":
        _full(plan, steps)
    else:
        _reduced(plan, steps)


def _attempt(steps: dict[str, str], name: str, action: Callable[[], object]) -> bool:
    try:
        action()
    except OSError as error:
        steps[name] = str(error)
        return False
    return True


def _report(plan: BoxPlan, steps: dict[str, str]) -> None:
    with contextlib.closing(socket.socket(fileno=os.dup(plan.control))) as line:
        line.send(json.dumps({"steps": steps}).encode())


def _staged(plan: BoxPlan, steps: dict[str, str]) -> BoxPlan:
    """Return the plan with its sources under the stage, a folder that an unprivileged user can
    reach.
    """
    binds = []
    try:
        isolation.unshare(["mount"])
        isolation.make_mounts_private()
        isolation.mount_tmpfs(plan.stage, 1 << 20, mode="755")
        for position, (source, target) in enumerate(plan.binds):
            staged = os.path.join(plan.stage, str(position))
            os.mkdir(staged)
            try:
                isolation.overlay(source, staged)
            except OSError:  # an old kernel, or a path that its options cannot hold
                isolation.bind(source, staged)
            binds.append((staged, target))
    except OSError as error:
        steps["stage"] = str(error)
    return replace(plan, binds=[*binds, *plan.binds[len(binds) :]])


def _full(plan: BoxPlan, steps: dict[str, str]) -> None:
    if plan.user is not None:
        user, plan = plan.user, _staged(plan, steps)
        isolation.drop_user(user, user)
    _report(plan, steps)
    options = [
        "--unshare-all",
        "--unshare-user",
        "--die-with-parent",
        "--new-session",
        "--clearenv",
    ]
    options += ["--hostname", "caja", "--proc", "/proc", "--tmpfs", "/dev"]
    for name in ("null", "random", "urandom"):  # no zero, which is memory too, and no terminals
        options += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        options += ["--symlink", f"/proc/self/fd/{number}", f"/dev/{name}"]
    options += ["--symlink", "/proc/self/fd", "/dev/fd"]
    for place in ("/tmp", "/dev/shm"):
        options += ["--size", str(plan.disk), "--tmpfs", place]
    options += [
        part
        for path in _TOP
        if os.path.islink(path)
        for part in ("--symlink", os.readlink(path), path)
    ]
    options += [part for path in plan.system for part in ("--ro-bind", path, path)]
    options += [part for path in _SETTINGS for part in ("--ro-bind-try", path, path)]
    options += [part for source, target in plan.binds for part in ("--ro-bind", source, target)]
    if not plan.nested:  # else each submission has a /proc of its own
        options += [
            part for path in isolation.kernel_files() for part in ("--ro-bind", "/dev/null", path)
        ]
    for path, is_folder in plan.hidden:
        options += (
            ["--tmpfs", path, "--remount-ro", path]
            if is_folder
            else ["--ro-bind", "/dev/null", path]
        )
    for name, value in plan.environment.items():
        options += ["--setenv", name, value]
    options += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/tmp"]
    reading, writing = os.pipe()  # the command line of bubblewrap can be read in the box
    os.write(writing, "\0".join(options).encode())
    os.close(writing)
    os.set_inheritable(reading, True)
    _become(plan, [plan.bwrap, "--args", str(reading), "--", *plan.command], os.environ)


def _become(plan: BoxPlan, command: list[str], environment: Mapping[str, str]) -> NoReturn:
    os.set_inheritable(plan.control, True)
    try:
        os.execve(command[0], command, environment)
    except OSError as error:
        sys.exit(f"{command[0]}: {error.strerror}")


def _reduced(plan: BoxPlan, steps: dict[str, str]) -> None:
    if plan.level == "reduced":
        uid, gid = os.getuid(), os.getgid()
        apart = ["mount", "pid", "net", "ipc", "uts"]
        if plan.user is not None:
            plan = _staged(plan, steps)
            apart.remove("mount")
        elif _attempt(steps, "user namespace", lambda: isolation.unshare(["user"])):
            _attempt(steps, "user map", lambda: isolation.map_user(uid, gid))
        apart = [
            name
            for name in apart
            if _attempt(steps, f"{name} namespace", partial(isolation.unshare, [name]))
        ]
        if "mount" in apart or (plan.user is not None and "stage" not in steps):
            _attempt(
                steps, "disk", lambda: isolation.mount_tmpfs(plan.place, plan.disk, mode="1777")
            )
        if "pid" in apart:
            _fork_as_first(plan)
            _attempt(steps, "proc", isolation.mount_proc)
        if plan.user is not None:
            isolation.drop_user(plan.user, plan.user)
    targets = {target: source for source, target in plan.binds}
    command = [_moved(part, targets) for part in plan.command]
    environment = {name: _moved(value, targets) for name, value in plan.environment.items()}
    environment |= {"HOME": plan.place, "TMPDIR": plan.place}
    if plan.level == "reduced":
        readable = [*_SETTINGS, "/proc", "/dev/urandom", "/dev/random"]
        hidden = {_moved(path, targets) for path, _ in plan.hidden}
        for path in [*plan.system, *targets.values()]:
            readable += _all_but(path, hidden)
        writable = [plan.place, "/dev/null"]
        listable = [os.path.dirname(path) for path in hidden]
        _attempt(steps, "landlock", lambda: isolation.landlock(readable, writable, listable))
        isolation.forbid_new_privileges()
        isolation.drop_capabilities()
    isolation.die_with_parent()
    _report(plan, steps)
    _become(plan, command, environment)


def _fork_as_first(plan: BoxPlan) -> None:
    """Fork the first process of the new pid namespace and go on in it; the parent waits for it."""
    child = os.fork()
    if child == 0:
        isolation.die_with_parent()
        return
    os.close(plan.control)
    signal.signal(signal.SIGTERM, lambda *_: os.kill(child, signal.SIGKILL))
    os.waitpid(child, 0)
    os._exit(0)


def _moved(text: str, targets: dict[str, str]) -> str:
    """Replace each path inside the box that `targets` has by the path outside that it stands
    for.
    """
    for target, source in targets.items():
        text = text.replace(target, source)
    return text


def _all_but(path: str, hidden: set[str]) -> list[str]:
    """List paths that together hold everything under a directory except the hidden ones."""
    if path in hidden:
        return []
    if not any(other.startswith(path + "/") for other in hidden):
        return [path]
    return [
        part for name in sorted(os.listdir(path)) for part in _all_but(f"{path}/{name}", hidden)
    ]
