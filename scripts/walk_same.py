#!/usr/bin/env python
"""Walk through files that say the same thing otherwise, and print those that are not judged as they
should be.

    scripts/walk_same.py                         a minute of each grammar
    scripts/walk_same.py --seed 7 --networks 1000 --mistakes 300 --trainings 500 --forms 200
    scripts/walk_same.py --seed 7 --networks 1 --show

A file is drawn by a seed, proved to be right (or wrong, as it says) outside the grader, and marked
in the rows that it can touch. One that is judged otherwise is printed with the fewest choices that
are needed. A table of all ends the walk.
"""

import argparse
import collections
import itertools
import os
import sys
import warnings
from multiprocessing import get_context
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
os.environ.setdefault("OMP_NUM_THREADS", "1")

import _installed  # noqa: F401 - it says what to do first
import torch
from same import networks
from same.choices import drawn
from same.walking import Grammar, Step, judge, told

GRAMMARS = {"networks": networks.RIGHT, "mistakes": networks.WRONG}
ENOUGH = 20  # files after which a process ends, and what they left with it


def walked(task: tuple[str, dict[str, str], int]) -> tuple[Step, str]:
    """Judge a file; where that is otherwise than it should be, return what is to be printed."""
    name, choices, seed = task
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    step = judge(GRAMMARS[name], choices, seed)
    return step, told(GRAMMARS[name], step, seed) if step.judged == "otherwise" else ""


def tasks(name: str, grammar: Grammar, count: int, seed: int) -> list[tuple[str, dict, int]]:
    """Draw so many files of a grammar, each with a seed of its own for the secret examples."""
    choices = itertools.islice(drawn(grammar.axes, seed, grammar.most), count)
    return [(name, each, seed + number) for number, each in enumerate(choices)]


def main() -> int:
    """Print each file that is judged otherwise, and the table; 0 if there is none."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1, help="draws the files")
    parser.add_argument("--workers", type=int, default=1, help="processes that mark")
    for name in GRAMMARS:
        parser.add_argument(f"--{name}", type=int, default=0, metavar="N", help=f"files of {name}")
    options = vars(parser.parse_args())
    counts: collections.Counter[tuple[str, str]] = collections.Counter()
    with get_context("fork").Pool(options["workers"], maxtasksperchild=ENOUGH) as pool:
        for name, grammar in GRAMMARS.items():
            drawn_files = tasks(name, grammar, options[name], options["seed"])
            for step, text in pool.imap_unordered(walked, drawn_files):
                counts[name, step.judged] += 1
                if text:
                    print(f"--- {name}, {text}", flush=True)
    for name in GRAMMARS:
        numbers = [counts[name, judged] for judged in ("as it should", "otherwise", "thrown away")]
        print(
            f"{name:12} {numbers[0]:6} as they should, {numbers[1]} otherwise, {numbers[2]} thrown away"
        )
    return int(any(judged == "otherwise" for _, judged in counts))


if __name__ == "__main__":
    sys.exit(main())
