#!/usr/bin/env python
"""Time the grading of a class beside plain pytest, and work out what a hundred thousand submissions
cost.

    scripts/bench_class.py                  a class of 30, on 1 and on 2 workers; some minutes
    scripts/bench_class.py --students 60

The class is that of scripts/make_class.py, graded with one command from Moodle's zip to all the
files. Five small functions of the model answer, with all their checks, go beside ten plain tests of
them in pytest, a process for each submission, as in scripts/bench_grading.py; ours is a new process
too, and all of its start is counted. The turns of both alternate. Memory is what the processes do
not share (PSS where the kernel reports it), the maximum.
"""

import argparse
import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple, TypeAlias

import _installed  # noqa: F401 - it says what to do first
from bench_grading import FIVE, MODEL, PYTEST, TESTS, five_functions, run, seconds
from make_class import make_class

from practica.grading.classroom.collect import collect
from practica.grading.classroom.outputs import Outputs
from practica.grading.engine.result import Result
from practica.grading.engine.rubric import official_rubric
from practica.grading.engine.stored import read_result, read_submission

MOOC = 100_000
WORKERS = (1, 2)
Times: TypeAlias = dict[int, list[float]]  # by the number of workers
MANY = (100, 400)  # submissions to write files of, for the cost of one more


@dataclass
class Memory:
    """The most memory that each kind of process had, in bytes."""

    most: dict[str, int] = field(default_factory=dict)

    @contextlib.contextmanager
    def watching(self, session: int) -> Iterator[None]:
        """Look at the processes below one, twice a second."""
        done = threading.Event()

        def watch() -> None:
            while not done.wait(0.5):
                self.look(session)

        with ThreadPoolExecutor(1) as pool:
            pool.submit(watch)
            try:
                yield
            finally:
                done.set()

    def look(self, parent: int) -> None:
        """Look once: joblib's processes are workers, and the boxes below each of them are added
        up.
        """
        for child in _children(parent):
            with contextlib.suppress(OSError):
                if b"popen_loky" in Path(f"/proc/{child}/cmdline").read_bytes():
                    sizes = {
                        "worker": _memory(child),
                        "its boxes": sum(map(_memory, _below(child))),
                    }
                    self.most = {
                        kind: max(self.most.get(kind, 0), size) for kind, size in sizes.items()
                    }


def _children(process: int) -> list[int]:
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{process}/task").iterdir():
            found += map(int, (task / "children").read_text().split())
    return found


def _below(process: int) -> list[int]:
    return [each for child in _children(process) for each in (child, *_below(child))]


def _memory(process: int) -> int:
    for name, label in (("smaps_rollup", "Pss"), ("status", "VmRSS")):
        with contextlib.suppress(OSError):
            found = re.search(
                rf"^{label}:\s+(\d+) kB", Path(f"/proc/{process}/{name}").read_text(), re.MULTILINE
            )
            if found:
                return 1024 * int(found[1])
    return 0


class Run(NamedTuple):
    """One run of `practica grade`: how many submissions, and the seconds from the command to its
    end.
    """

    submissions: int
    wall: float


def grade(folder: Path, given: list[str], workers: int, memory: Memory) -> tuple[Run, Path]:
    """Grade a class with one command; return the run and where its files are."""
    out = folder / f"out-{len(list(folder.glob('out-*')))}"
    command = [
        sys.executable,
        "-m",
        "practica",
        "grade",
        *given,
        "--out",
        str(out),
        "--workers",
        str(workers),
    ]
    begin = time.perf_counter()
    with (
        subprocess.Popen(command, stdout=subprocess.DEVNULL) as process,
        memory.watching(process.pid),
    ):
        process.wait()
    wall = time.perf_counter() - begin
    if process.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)} ended with {process.returncode}")
    count = len(json.loads((out / "results.json").read_text(encoding="utf-8"))["submissions"])
    return Run(count, wall), out


def sizes(out: Path, count: int) -> dict[str, float]:
    """Return the bytes for each submission: of the journal, and of all files."""
    files = [path for path in out.rglob("*") if path.is_file()]
    return {
        "journal": (out / "diario.jsonl").stat().st_size / count,
        "files": sum(path.stat().st_size for path in files) / count,
    }


def five_of(folder: Path, count: int) -> tuple[list[str], list[Path]]:
    """Write a class with the five small functions only.

    Return what to grade, and a folder with tests for each.
    """
    source = five_functions(MODEL.read_text(encoding="utf-8"))
    rubric = folder / "five.toml"
    text = official_rubric().read_text(encoding="utf-8")
    head, *rows = re.split(r"^(?=\[functions\.)", text, flags=re.MULTILINE)
    chosen = [row for row in rows if row.partition("]")[0].removeprefix("[functions.") in FIVE]
    rubric.write_text(
        re.sub(r"^max_points.*$", "", head, flags=re.MULTILINE) + "".join(chosen), encoding="utf-8"
    )
    class_folder, tested = folder / "five", []
    class_folder.mkdir()
    for number in range(count):
        (class_folder / f"alumno{number}.py").write_text(
            f"{source}\n# {number}\n", encoding="utf-8"
        )
        tested.append(folder / f"pytest{number}")
        tested[-1].mkdir()
        (tested[-1] / "entrega.py").write_text(source, encoding="utf-8")
        (tested[-1] / "test_entrega.py").write_text(TESTS, encoding="utf-8")
    return [str(class_folder), "--rubric", str(rubric)], tested


def in_pytest(folders: list[Path], workers: int) -> float:
    """Return the seconds that plain pytest takes for all, a process for each, some at the same
    time.
    """
    with ThreadPoolExecutor(workers) as pool:
        return seconds(
            lambda: list(pool.map(lambda path: run([sys.executable, *PYTEST], str(path)), folders))
        )


def memory_of_outputs(result: Result, count: int) -> int:
    """Return the most memory of a process that writes the files of a class of so many."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "in").mkdir()
        for number in range(count):
            (folder / "in" / f"alumno{number:06}.py").write_text(
                MODEL.read_text(encoding="utf-8"), encoding="utf-8"
            )
        child = os.fork()
        if child == 0:
            collection = collect([folder / "in"], folder / "work")
            first = json.dumps(result.submissions[0].as_json())
            # each with memory of its own
            copies = [read_submission(json.loads(first)) for _ in collection.entries]
            named = zip(copies, collection.entries, strict=True)
            submissions = [replace(copy, id=entry.id) for copy, entry in named if copy is not None]
            (folder / "out").mkdir()
            whole = replace(result, class_=collection.as_class(), submissions=tuple(submissions))
            Outputs(folder / "out", "es").write(whole)
            os._exit(0)
        _, status, usage = os.wait4(child, 0)
        assert status == 0, status
        return 1024 * usage.ru_maxrss


def main() -> int:
    """Print the tables and the plan."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--students", type=int, default=30, help="of the class; 16 at least")
    parser.add_argument(
        "--small", type=int, default=60, help="submissions with the five small functions"
    )
    parser.add_argument("--turns", type=int, default=2, help="of the comparison with pytest")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_class(folder / "class", options.students)
        moodle = [
            str(folder / "class" / "entregas.zip"),
            "--worksheet",
            str(folder / "class" / "calificaciones.csv"),
        ]
        memory = Memory()
        whole = {}
        for workers in WORKERS:
            whole[workers], out = grade(folder, moodle, workers, memory)
        given, tested = five_of(folder, options.small)
        ours: Times = {workers: [] for workers in WORKERS}
        plain: Times = {workers: [] for workers in WORKERS}
        for _ in range(options.turns):
            for workers in WORKERS:
                ours[workers].append(grade(folder, given, workers, Memory())[0].wall)
                plain[workers].append(in_pytest(tested, workers))
        result = read_result(out / "results.json")
        graded = replace(
            result,
            submissions=tuple(each for each in result.submissions if each.status == "graded"),
        )
        few, many = (memory_of_outputs(graded, count) for count in MANY)
        each = sizes(out, whole[1].submissions)
    _print_rates(whole, ours, plain, len(tested))
    _print_plan(whole[1], memory, each, (many - few) / (MANY[1] - MANY[0]))
    return 0


def _print_rates(whole: dict[int, Run], ours: Times, plain: Times, count: int) -> None:
    rates = [60 * run.submissions / run.wall for run in whole.values()]
    rows = {
        f"a class from Moodle, all 17 functions, {whole[1].submissions} files": rates,
        f"five small functions, {count} files": [
            60 * count / min(times) for times in ours.values()
        ],
        "the same five in plain pytest, no sandbox": [
            60 * count / min(times) for times in plain.values()
        ],
    }
    print(f"submissions a minute, all of the start counted; {os.cpu_count()} processors\n")
    print(f"| {'what is graded':50} | 1 worker | 2 workers |")
    print(f"| {'-' * 50} | -------: | --------: |")
    for what, (one, two) in rows.items():
        print(f"| {what:50} | {one:8.0f} | {two:9.0f} |")
    ratios = " and ".join(
        f"{min(plain[workers]) / min(ours[workers]):.1f} ({workers})" for workers in WORKERS
    )
    print(f"\nbest of {len(ours[1])} turns, side by side: as fast as pytest times {ratios}\n")


def _print_plan(one: Run, memory: Memory, each: dict[str, float], outputs: float) -> None:
    seconds_each = one.wall / one.submissions
    hours = MOOC * seconds_each / 3600
    megabytes = {kind: size / 1e6 for kind, size in memory.most.items()}
    print(f"{MOOC} submissions like these, on workers like this one:\n")
    print(
        f"- {seconds_each:.1f} s each, {hours:.0f} hours of one worker: {hours / 24:.1f} workers"
        " for a day"
    )
    print(
        f"- memory of a worker {megabytes['worker']:.0f} MB, of its boxes"
        f" {megabytes['its boxes']:.0f} MB"
    )
    print(
        f"- disk: {MOOC * each['journal'] / 1e9:.1f} GB of journal,"
        f" {MOOC * each['files'] / 1e9:.1f} GB of all files"
    )
    print(
        f"- memory to write the files of one --out: {outputs / 1e3:.0f} kB for each submission"
        " in it"
    )


if __name__ == "__main__":
    sys.exit(main())
