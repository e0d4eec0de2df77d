#!/usr/bin/env python
"""What a student waits for: `practica check` in processor time, beside `import torch` in the same run.

    scripts/bench_check.py

The model answer is checked from nothing and again, with one function changed, with five functions only, and beside it
the empty template. Each row is measured three times; the figure is the lowest, in seconds and in times `import torch`.
Below stands how long `practica check --watch` takes by the clock from a save to the verdict on the changed function.
"""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parent.parent
MODEL = ROOT / "enunciado" / "profesorado" / "solucion.py"
TEMPLATE = ROOT / "enunciado" / "plantilla.py"
FIVE = ("one_hot_encoding", "classify_outputs", "accuracy", "hold_out", "crossvalidation")
CHECK = [sys.executable, "-m", "practica", "check"]
TIMES = 3
PAUSE = 8.0  # seconds between the first check and a save: the process for it starts meanwhile


def environment(folder: Path) -> dict[str, str]:
    """Return the environment of a student; the package is compiled once and not each time."""
    variables = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), "PYTHONUNBUFFERED": "1"}
    variables.pop("PYTHONDONTWRITEBYTECODE", None)
    return variables


def processor(command: list[str], folder: Path) -> float:
    """Run a command, and return the processor time of it and of all that it started."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=folder, env=environment(folder), stdout=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def lowest(command: list[str], folder: Path, before: Callable[[], object]) -> float:
    """Return the lowest of some measurements, each after `before`."""
    found = []
    for _ in range(TIMES):
        before()
        found.append(processor(command, folder))
    return min(found)


def first_verdict(folder: Path, file: Path) -> float:
    """Save a change while the file is watched, and return the seconds until the changed function is reported."""
    file.write_bytes(MODEL.read_bytes())
    with subprocess.Popen([*CHECK, "--watch"], cwd=folder, env=environment(folder), stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        lines = iter(process.stdout.readline, b"")
        next(line for line in lines if b"Ctrl-C" in line)  # the first time is over
        time.sleep(PAUSE)  # the student types
        file.write_text(changed(), encoding="utf-8")
        begin = time.monotonic()
        next(line for line in lines if b"hold_out" in line)
        seconds = time.monotonic() - begin
        process.terminate()
    return seconds


def changed() -> str:
    """Return the model answer with a mistake in one function."""
    head, mark, tail = MODEL.read_text(encoding="utf-8").partition("def hold_out(")
    return head + mark + tail.replace("return ", "return (), ", 1)


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "solucion.py"

        def forget(source: Path = MODEL) -> None:
            shutil.rmtree(folder / "cache", ignore_errors=True)
            file.write_bytes(source.read_bytes())

        def change() -> None:
            forget()
            processor(CHECK, folder)
            file.write_text(changed(), encoding="utf-8")

        torch = lowest([sys.executable, "-c", "import torch"], folder, lambda: None)
        rows = {
            "the empty template": lowest(CHECK, folder, lambda: forget(TEMPLATE)),
            "five functions": lowest([*CHECK, *FIVE], folder, forget),
            "the model answer": lowest(CHECK, folder, forget),
            "again, nothing changed": lowest(CHECK, folder, lambda: None),
            "again, one function changed": lowest(CHECK, folder, change),
        }
        saved = min(first_verdict(folder, file) for _ in range(TIMES))
    print(f"import torch: {torch:.2f} s of processor\n")
    print("| `practica check` of | s | times `import torch` |\n| --- | ---: | ---: |")
    for what, seconds in rows.items():
        print(f"| {what} | {seconds:.2f} | {seconds / torch:.2f} |")
    print(f"\nFrom a save to the verdict on the changed function, watched: {saved:.1f} s by the clock.")


if __name__ == "__main__":
    main()
