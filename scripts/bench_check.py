#!/usr/bin/env python
"""What a student waits for: `practica check` in processor time, beside `import torch` in the same run.

    scripts/bench_check.py

The model answer is checked from nothing and again, with one function changed, with five functions only, and beside it
the empty template. Each row is measured three times; the figure is the lowest, in seconds and in times `import torch`.
"""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parent.parent
MODEL = ROOT / "enunciado" / "profesorado" / "solucion.py"
TEMPLATE = ROOT / "enunciado" / "plantilla.py"
FIVE = ("one_hot_encoding", "classify_outputs", "accuracy", "hold_out", "crossvalidation")
CHECK = [sys.executable, "-m", "practica", "check"]
TIMES = 3


def processor(command: list[str], folder: Path) -> float:
    """Run a command, and return the processor time of it and of all that it started."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # or the package would be compiled anew each time
    subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def lowest(command: list[str], folder: Path, before: Callable[[], object]) -> float:
    """Return the lowest of some measurements, each after `before`."""
    found = []
    for _ in range(TIMES):
        before()
        found.append(processor(command, folder))
    return min(found)


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
            head, mark, tail = MODEL.read_text(encoding="utf-8").partition("def hold_out(")
            file.write_text(head + mark + tail.replace("return ", "return (), ", 1), encoding="utf-8")

        torch = lowest([sys.executable, "-c", "import torch"], folder, lambda: None)
        rows = {
            "the empty template": lowest(CHECK, folder, lambda: forget(TEMPLATE)),
            "five functions": lowest([*CHECK, *FIVE], folder, forget),
            "the model answer": lowest(CHECK, folder, forget),
            "again, nothing changed": lowest(CHECK, folder, lambda: None),
            "again, one function changed": lowest(CHECK, folder, change),
        }
    print(f"import torch: {torch:.2f} s of processor\n")
    print("| `practica check` of | s | times `import torch` |\n| --- | ---: | ---: |")
    for what, seconds in rows.items():
        print(f"| {what} | {seconds:.2f} | {seconds / torch:.2f} |")


if __name__ == "__main__":
    main()
