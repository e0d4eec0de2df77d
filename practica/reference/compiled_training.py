"""Train networks one by one in C: `kernel.c`, compiled on this machine the first time it is needed.

Stacking networks spreads the overhead of an interpreter over them; a compiled loop has none to
spread. `train_networks` has the meaning and the results of the one in `batched_training`, up to
float32 rounding, for the four activations that have a name. If there is no C compiler, a wheel for
Linux x86-64 brings the kernel for the two newest levels of its processors; else `kernel()` is None
and the stack does the work.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import hashlib
import logging
import os
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Unpack

import numpy as np
import torch

from practica.reference.arguments import Singles
from practica.reference.batched_training import NetworkPlan, Targets, TrainedNetwork, are_quantities
from practica.reference.network import (
    TransferFunction,
    as_topology,
    as_transfer_functions,
    name_of_activation,
)
from practica.reference.training import (
    CheckedOptions,
    TrainingOptions,
    require_finite_losses,
)

__all__ = ["SWITCH", "can_be_compiled", "kernel", "train_networks"]

SWITCH = "PRACTICA_KERNEL"  # environment variable: "off" leaves the kernel out

_LOG = logging.getLogger(__name__)
_SOURCE, _HEADER = (Path(__file__).with_name(name) for name in ("kernel.c", "vectors.h"))
_FLAGS = ("-O3", "-march=native", "-fno-math-errno", "-shared", "-fPIC")
_V3 = {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"}
_LEVELS = {  # processors, the fastest first, and what Linux calls their instructions
    "x86-64-v4": _V3 | {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
    "x86-64-v3": _V3,
}
_ACTIVATIONS = {"sigmoid": 0, "tanh": 1, "relu": 2, "identity": 3}
# the output layer among them: MAX_LAYERS of kernel.c, whose arrays have no room for more
_MOST_LAYERS = 64


@functools.cache
def kernel() -> ctypes.CDLL | None:
    """Return the compiled kernel; None, which is logged once, if it is switched off, cannot be
    compiled or does not work.
    """
    if os.environ.get(SWITCH) == "off":
        return None
    compiler = (
        shutil.which(os.environ.get("CC") or "cc") or shutil.which("gcc") or shutil.which("clang")
    )
    reason = "there is no C compiler"
    try:
        if compiler is not None:
            return _compiled(compiler)
    except (OSError, subprocess.SubprocessError) as error:
        reason = f"{compiler} cannot compile the training kernel ({error})"
    for path in _brought():
        with contextlib.suppress(OSError):  # another system's, or on a disk that runs no programs
            return _loaded(path)
    _LOG.warning("%s: torch trains the networks, which takes longer", reason)
    return None


def build(folder: Path, compiler: str = "cc") -> list[Path]:
    """Compile the kernel for each level of processors into a folder, from which a wheel takes
    it.
    """
    paths = {level: folder / _brought_name(level) for level in _LEVELS}
    for level, path in paths.items():
        flags = [flag.replace("native", level) for flag in _FLAGS]
        subprocess.run([compiler, *flags, str(_SOURCE), "-o", str(path), "-lm"], check=True)
    return [*paths.values()]


def _brought_name(level: str) -> str:
    # checkers of wheels want a name that could be imported
    return f"kernel_{level.replace('-', '_')}.so"


def _brought() -> list[Path]:
    """Return the kernels in the wheel that this processor can run, the fastest first."""
    try:
        instructions = set(
            Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").split()
        )
    except OSError:
        return []
    paths = [
        _SOURCE.with_name(_brought_name(level))
        for level, needed in _LEVELS.items()
        if needed <= instructions
    ]
    return [path for path in paths if path.is_file()]


def _compiled(compiler: str) -> ctypes.CDLL:
    """Load the library for this source, compiler and processor.

    Build it if the user's cache has none that works.
    """
    native = subprocess.run(
        [compiler, "-march=native", "-E", "-dM", "-x", "c", os.devnull],
        capture_output=True,
        check=True,
        timeout=60,
    ).stdout  # the macros contain the compiler's version and the instructions of this processor
    parts = [_SOURCE.read_bytes(), _HEADER.read_bytes(), native, repr(_FLAGS).encode()]
    key = hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]
    name = f"kernel-{platform.machine()}-{key}.so"
    cache = _cache_folder()
    if cache is not None and _is_ours(cache / name):
        with contextlib.suppress(OSError, AttributeError):  # half a library, or another one
            return _loaded(cache / name)
    with tempfile.TemporaryDirectory(
        prefix="practica-", dir=cache, ignore_cleanup_errors=True
    ) as folder:
        fresh = Path(folder) / name
        command = [compiler, *_FLAGS, str(_SOURCE), "-o", str(fresh), "-lm"]
        subprocess.run(command, capture_output=True, check=True, timeout=300)
        library = _loaded(fresh)
        if cache is not None:
            fresh.chmod(0o700)
            fresh.replace(cache / name)  # at once: another process never sees half a library
    return library


def _loaded(path: Path) -> ctypes.CDLL:
    """Load a compiled library and declare the types of its function's arguments."""
    library = ctypes.CDLL(str(path))
    pointer, long, double = ctypes.c_void_p, ctypes.c_long, ctypes.c_double
    library.train.argtypes = [
        *(ctypes.c_int, pointer, pointer, ctypes.c_int),
        *(pointer, long, long, long, pointer, pointer, pointer),
        *(long, double, double, double, long),
        *(pointer, pointer, pointer, pointer),
    ]
    return library


def _cache_folder() -> Path | None:
    """Return the user's cache folder; None if there is no home, or the folder is another user's or
    cannot be written.
    """
    root = os.environ.get("XDG_CACHE_HOME")
    try:
        folder = (Path(root) if root else Path.home() / ".cache") / "practica"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return None
    try:
        if (
            hasattr(os, "getuid")
            and folder.stat().st_uid == os.getuid()
            and folder.stat().st_mode & 0o022
        ):
            for library in folder.glob("kernel-*.so"):  # others could write here
                library.unlink()
            folder.chmod(0o700)
    except OSError:
        return None
    return folder if _is_ours(folder) and os.access(folder, os.W_OK) else None


def _is_ours(path: Path) -> bool:
    """Return whether only this user can have written a file or folder: a library that is loaded can
    do anything.
    """
    if not hasattr(os, "getuid"):
        return True  # the cache of a user of Windows is that user's
    try:
        states = path.lstat(), path.stat()
    except OSError:
        return False
    return all(state.st_uid == os.getuid() for state in states) and not states[1].st_mode & 0o022


def can_be_compiled(
    transferFunctions: Sequence[TransferFunction] | None, topology: Sequence[int]
) -> bool:
    """Return whether the kernel is available and implements all these transfer functions."""
    functions = as_transfer_functions(transferFunctions, topology)
    known = (
        all(name_of_activation(function) for function in functions)
        and len(functions) + 1 <= _MOST_LAYERS
    )
    return known and kernel() is not None


def train_networks(
    topology: Sequence[int],
    plans: Iterable[NetworkPlan],
    targets: Targets,
    *,
    keep_losses: bool = False,
    **options: Unpack[TrainingOptions],
) -> Iterator[TrainedNetwork]:
    """Train networks one after the other.

    The parameters are those of `batched_training.train_networks`.

    Yields
    ------
    TrainedNetwork
        In the order of the plans, each with its outputs for `plan.test`.
    """
    library = kernel()
    assert library is not None, "call can_be_compiled first"
    hidden = as_topology(topology)
    functions, rule, rate, decay = CheckedOptions.of(hidden, options)
    names = map(name_of_activation, functions)
    activations = np.array([_ACTIVATIONS[name] for name in names if name], dtype=np.int32)
    result, last = np.zeros(2, dtype=np.int64), np.zeros(2)
    at_activations, at_result, at_last = (
        array.ctypes.data for array in (activations, result, last)
    )
    inputs = None  # shared by consecutive plans
    for position, plan in enumerate(plans):
        if plan.inputs is not inputs:
            inputs, units = (
                plan.inputs,
                np.ascontiguousarray(np.hstack([plan.inputs, targets]), dtype=np.float32),
            )
            layers = [inputs.shape[1], *hidden, targets.shape[1]]
            sizes = np.array(layers, dtype=np.int32)
            at_units, at_sizes = units.ctypes.data, sizes.ctypes.data
        sets = plan.training, plan.validation, plan.test
        positions = np.concatenate(sets, dtype=np.int64)
        shares = (
            None
            if plan.weights is None
            else np.concatenate([plan.shares(patterns) for patterns in sets[:2]])
        )
        initial = plan.initial_parameters(layers)
        parameters = np.concatenate(initial, axis=None)
        losses = np.empty((rule.maxEpochs + 1 if keep_losses else 0, 2), dtype=np.float32)
        outputs = np.empty((len(plan.test), targets.shape[1]), dtype=np.float32)
        failed = library.train(
            len(hidden) + 1,
            at_sizes,
            at_activations,
            are_quantities(targets),
            at_units,
            *map(len, sets),
            positions.ctypes.data,
            None if shares is None else shares.ctypes.data,
            parameters.ctypes.data,
            min(rule.maxEpochs, 2**62),
            rule.minLoss,
            rate,
            decay,
            min(rule.maxEpochsVal, 2**62),
            losses.ctypes.data if keep_losses else None,
            at_result,
            at_last,
            outputs.ctypes.data,
        )
        best_epoch, epochs = result.tolist()
        require_finite_losses(last.tolist(), epochs, rate, plan.name)
        if failed:
            raise MemoryError(f"{plan.name}: there is no memory to train it")
        yield TrainedNetwork(
            position,
            _shaped_like(initial, parameters),
            best_epoch,
            epochs,
            losses[: epochs + 1],
            outputs,
        )


def _shaped_like(initial: Sequence[Singles], parameters: Singles) -> list[torch.Tensor]:
    """Cut the vector of all parameters of a network into the weights and biases of its layers, with
    the shapes of those in `initial`.
    """
    shaped, start = [], 0
    for drawn in initial:
        shaped.append(torch.from_numpy(parameters[start : start + drawn.size].reshape(drawn.shape)))
        start += drawn.size
    return shaped
