#!/usr/bin/env python
"""What a student waits for: `practica check` in times `import torch`, measured in turns with it.

    scripts/bench_check.py [--against FOLDER] [--quick]

The model answer is checked from nothing and again, with one function changed, with single
functions; beside it the empty template and a wrong `train_class_ann`. Each row is measured three
times (once with --quick), each time after an `import torch` of its own; the figures are the lowest
quotients, of processor time (user and system) and by the clock. --against has the root of another
checkout, which takes turns with this one. Below stands how long `practica check --watch` takes by
the clock from a save to the verdict on the changed function.
"""

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
MODEL = ROOT / "enunciado" / "profesorado" / "solucion.py"
TEMPLATE = ROOT / "enunciado" / "plantilla.py"
FIVE = ("one_hot_encoding", "classify_outputs", "accuracy", "hold_out", "crossvalidation")
CHECK = [sys.executable, "-m", "practica", "check"]
TIMES = 3
PAUSE = 8.0  # seconds between the first check and a save: the process for it starts meanwhile


class Took(NamedTuple):
    """Seconds of a command: of processor, of it and of all that it started, and by the clock."""

    processor: float
    clock: float


def environment(folder: Path, tree: Path = ROOT) -> dict[str, str]:
    """Return the environment of a student; the package is compiled once and not each time."""
    variables = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), "PYTHONUNBUFFERED": "1"}
    variables["PYTHONPATH"] = str(tree)
    variables.pop("PYTHONDONTWRITEBYTECODE", None)
    return variables


def took(command: list[str], folder: Path, tree: Path = ROOT) -> Took:
    """Run a command, and return its seconds."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(
        command, cwd=folder, env=environment(folder, tree), stdout=subprocess.DEVNULL, check=False
    )
    clock, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Took(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, clock)


def quotients(
    command: list[str],
    folder: Path,
    before: Callable[[Path], object],
    trees: list[Path],
    times: int,
) -> list[Took]:
    """Return for each tree what a command takes in times `import torch`, each after `before`."""
    found: list[list[Took]] = [[] for _ in trees]
    for _ in range(times):
        for tree, kept in zip(trees, found, strict=True):
            torch = took([sys.executable, "-c", "import torch"], folder)
            before(tree)
            own = took(command, folder, tree)
            kept.append(Took(own.processor / torch.processor, own.clock / torch.clock))
    return [Took(*map(min, zip(*kept, strict=True))) for kept in found]


def first_verdict(folder: Path, file: Path) -> float:
    """Save a change while the file is watched, and return the seconds until the changed function is
    reported.
    """
    file.write_bytes(MODEL.read_bytes())
    with subprocess.Popen(
        [*CHECK, "--watch"], cwd=folder, env=environment(folder), stdout=subprocess.PIPE
    ) as process:
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


def changed(function: str = "hold_out") -> str:
    """Return the model answer with a mistake in one function."""
    head, mark, tail = MODEL.read_text(encoding="utf-8").partition(f"def {function}(")
    return head + mark + tail.replace("return ", "return (), ", 1)


def as_in_exercise_3() -> str:
    """Return the model answer up to `train_class_ann`, which returns the last network: a student's
    file on that day.
    """
    text = MODEL.read_text(encoding="utf-8").partition(
        "# ------------------------------------------------- Práctica 4"
    )[0]
    text = "".join(line for line in text.splitlines(True) if not line.startswith("from sklearn"))
    return text.replace(
        "mejor, mejorLoss, ciclosSinMejorar = copy.deepcopy(ann)",
        "mejor, mejorLoss, ciclosSinMejorar = ann",
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--against", type=Path, help="the root of another checkout")
    parser.add_argument("--quick", action="store_true", help="measure each row once")
    options = parser.parse_args()
    trees = [*([options.against] if options.against else []), ROOT]
    times = 1 if options.quick else TIMES
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "solucion.py"

        def forget(text: str) -> Callable[[Path], None]:
            def begin(tree: Path) -> None:
                shutil.rmtree(folder / "cache", ignore_errors=True)
                file.write_text(text, encoding="utf-8")

            return begin

        def change(tree: Path) -> None:
            again(tree)
            file.write_text(changed(), encoding="utf-8")

        def again(tree: Path) -> None:
            forget(model)(tree)
            took(CHECK, folder, tree)

        model, template = (path.read_text(encoding="utf-8") for path in (MODEL, TEMPLATE))
        rows: dict[str, tuple[list[str], Callable[[Path], None]]] = {
            "the empty template": (CHECK, forget(template)),
            "`accuracy` alone": ([*CHECK, "accuracy"], forget(as_in_exercise_3())),
            "a wrong `accuracy`": ([*CHECK, "accuracy"], forget(changed("accuracy"))),
            "a wrong `train_class_ann`": ([*CHECK, "train_class_ann"], forget(as_in_exercise_3())),
            "five functions": ([*CHECK, *FIVE], forget(model)),
            "the model answer": (CHECK, forget(model)),
            "again, nothing changed": (CHECK, again),
            "again, one function changed": (CHECK, change),
        }
        heads = ["before", "after"][-len(trees) :]
        columns = [f"{head}, {kind}" for kind in ("processor", "clock") for head in heads]
        print("Times `import torch`:\n")
        print(
            f"| `practica check` of | {' | '.join(columns)} |\n| --- |"
            f" {' | '.join(['---:'] * len(columns))} |"
        )
        for what, (command, before) in rows.items():
            found = quotients(command, folder, before, trees, times)
            figures = [each.processor for each in found] + [each.clock for each in found]
            print(f"| {what} | {' | '.join(f'{figure:.2f}' for figure in figures)} |", flush=True)
        saved = min(first_verdict(folder, file) for _ in range(times))
    print(
        f"\nFrom a save to the verdict on the changed function, watched: {saved:.1f} s by the"
        " clock."
    )


if __name__ == "__main__":
    main()
