"""Contents of a box: Python, its packages and `practica.grading.inside`.

Nothing else of this package can be read there.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import shutil
import stat
import sys
import sysconfig
from dataclasses import asdict
from pathlib import Path

import practica.grading.inside
from practica.grading.inside.orders import BoxPlan

_IN_BOX = "/caja"
_BOOT = (
    "import sys; sys.path[:0] = {paths!r}; from practica.grading.inside.{module} import main;"
    " main({argument})"
)
_ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "HOME": "/tmp",
    "USER": "alumno",
    "LOGNAME": "alumno",
    "MPLBACKEND": "agg",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    # in turn, whatever n_jobs says: a new interpreter would find no packages here
    "JOBLIB_MULTIPROCESSING": "0",
}


def plan_of(
    folder: str, control: int, *, level: str, user: int | None, shared: bool, disk: int
) -> BoxPlan:
    """Fill the folder of a box, and return the plan with which `practica.grading.inside.launch`
    builds it.

    `folder`: an empty folder. In it the box gets `own`, the package `practica.grading.inside`, and
        `place`, where it may write.
    `control`: the descriptor of the control line.
    `level`, `user`, `shared`: as in `practica.grading.sandbox.box.WarmBox`.
    `disk`: bytes in its /tmp.
    """
    own = Path(folder, "own", "practica", "grading")
    inside = Path(practica.grading.inside.__file__).parent
    shutil.copytree(inside, own / "inside", ignore=shutil.ignore_patterns("__pycache__"))
    for package in (own, own.parent):
        (package / "__init__.py").touch()
    for name in ("stage", "place"):
        Path(folder, name).mkdir()
    place = f"{folder}/place"
    if user is not None:
        os.chown(place, user, user)
    system = [*_libraries()]
    binds = [(f"{folder}/own", f"{_IN_BOX}/own")]
    sites = []
    for position, path in enumerate(_site_packages()):
        if path.startswith("/usr/"):
            system.append(path)
            sites.append(path)
        else:
            sites.append(f"{_IN_BOX}/site-{position:02}")
            binds.append((path, sites[-1]))
    python = os.path.realpath(sys.executable)
    base = os.path.realpath(sys.base_prefix)
    if not python.startswith(f"{base}/"):  # a copy, in a virtual environment without links
        python = os.path.realpath(
            f"{base}/bin/python{sys.version_info.major}.{sys.version_info.minor}"
        )
    environment = dict(_ENVIRONMENT)
    if f"{base}/".startswith("/usr/"):
        # not those of a virtual environment
        prefixes = {"base": sys.base_prefix, "platbase": sys.base_exec_prefix}
        system += [
            python,
            *dict.fromkeys(
                sysconfig.get_path(name, vars=prefixes) for name in ("stdlib", "platstdlib")
            ),
        ]
    else:
        binds.append((base, f"{_IN_BOX}/python"))
        python = python.replace(base, f"{_IN_BOX}/python", 1)
        environment["LD_LIBRARY_PATH"] = f"{_IN_BOX}/python/lib"
    boot = _BOOT.format(paths=[f"{_IN_BOX}/own", *sites], module="child", argument=control)
    hidden = [
        *_hidden([*binds[1:], *zip(system, system, strict=True)]),
        *((path, False) for path in _setuid()),
    ]
    return BoxPlan(
        level=level,
        user=user,
        control=control,
        stage=f"{folder}/stage",
        place=place,
        disk=disk,
        bwrap=shutil.which("bwrap", path="/usr/bin:/usr/local/bin:/bin") or "/usr/bin/bwrap",
        nested=shared,
        system=system,
        binds=binds,
        hidden=hidden,
        environment=environment,
        command=[python, "-I", "-S", "-B", "-u", "-X", "utf8", "-c", boot],
    )


def launching(folder: str, plan: BoxPlan) -> list[str]:
    """Return the command that builds a box by a plan."""
    boot = _BOOT.format(paths=[f"{folder}/own"], module="launch", argument="")
    return [sys.executable, "-I", "-S", "-B", "-c", boot, json.dumps(asdict(plan))]


def _site_packages() -> list[str]:
    """List the folders of installed packages that this interpreter looks into."""
    folders = [
        os.path.realpath(path)
        for path in sys.path
        if Path(path).name in ("site-packages", "dist-packages")
    ]
    return [path for path in dict.fromkeys(folders) if os.path.isdir(path)]


def _hidden(shown: list[tuple[str, str]]) -> list[tuple[str, bool]]:
    """List the paths in the box that would show this package or its project, each with whether it
    is a folder. `shown` are the pairs of a path outside and its path in the box.
    """
    own = {os.path.realpath(os.path.dirname(practica.__file__))}
    own.update(str(path) for site in _site_packages() for path in Path(site).glob("*practica*"))
    found = []
    for path in sorted(own):
        for source, target in shown:
            source = os.path.realpath(source)
            if path.startswith(f"{source}/") and os.path.exists(path):
                found.append((target + path[len(source) :], os.path.isdir(path)))
    return found


@functools.cache
def _libraries() -> tuple[str, ...]:
    """List what a box shows of the system: libraries, their languages, and time zones; no
    programs.
    """
    own = f"/usr/lib/{sysconfig.get_config_var('MULTIARCH')}"
    folders = [
        own if os.path.isdir(own) else "/usr/lib",
        "/usr/lib64",
        "/usr/local/lib",
        "/usr/lib/locale",
    ]
    return tuple(path for path in [*folders, "/usr/share/zoneinfo"] if os.path.isdir(path))


@functools.cache
def _setuid() -> tuple[str, ...]:
    """List the programs in the libraries' folders that run with another user's rights."""
    found = []
    for folder in _libraries():
        for parent, _, names in os.walk(folder):
            for path in (f"{parent}/{name}" for name in names):
                with contextlib.suppress(OSError):
                    mode = os.lstat(path).st_mode
                    if stat.S_ISREG(mode) and mode & (stat.S_ISUID | stat.S_ISGID):
                        found.append(path)
    return tuple(found)
