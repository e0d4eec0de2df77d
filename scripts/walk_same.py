#!/usr/bin/env python
"""Walk through files that say the same thing otherwise, and print those that are not judged as they
should be.

    scripts/walk_same.py --seed 7 --networks 1000 --mistakes 300 --trainings 500 --forms 500

A file is drawn by a seed, proved to be right (or wrong, as it says) outside the grader, and marked
in the rows that it can touch. One that is judged otherwise is printed with the fewest choices that
are needed. A line for each grammar counts its files.
"""

import argparse
import collections
import gc
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
from same import forms, networks, trainings
from same.choices import Choices, drawn, line, others
from same.walking import Grammar, Step, judge, lost_rows, smallest, told
from submissions import MODEL

from practica.grading.inside.preload import later

GRAMMARS = {
    "networks": networks.RIGHT,
    "mistakes": networks.WRONG,
    "trainings": trainings.RIGHT,
    "forms": forms.RIGHT,
}
ENOUGH = 20  # files after which a process ends, and what they left with it


def warm_up() -> None:
    """Mark the model answer, so that all processes have the libraries and what marking keeps."""
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")  # what a file warns of
    later()
    lost_rows(MODEL.read_text(encoding="utf-8"), frozenset({"train_class_ann"}), 1)
    gc.freeze()
    gc.set_threshold(20_000)


def judged(task: tuple[str, Choices, int]) -> tuple[Step, int]:
    """Judge a file of a grammar, with its own seed."""
    name, choices, seed = task
    return judge(GRAMMARS[name], choices, seed), seed


def shown(name: str, step: Step, seed: int) -> tuple[Step, str]:
    """Return the smallest file that is judged otherwise too, and what is to be printed of it."""
    least = smallest(GRAMMARS[name], step, seed)
    return least, told(GRAMMARS[name], least, seed)


def tasks(name: str, grammar: Grammar, count: int, seed: int) -> list[tuple[str, Choices, int]]:
    """Draw so many files of a grammar, each with a seed of its own for the secret examples."""
    choices = itertools.islice(drawn(grammar.axes, seed, grammar.most), count)
    return [(name, each, seed + number) for number, each in enumerate(choices)]


def main() -> int:
    """Print each file that is judged otherwise, and the table; 0 if there is none."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--seed", type=int, default=1, help="draws the files")
    parser.add_argument("--workers", type=int, default=1, help="processes that mark")
    for name in GRAMMARS:
        parser.add_argument(f"--{name}", type=int, default=0, metavar="N", help=f"files of {name}")
    options = vars(parser.parse_args())
    counts: dict[str, collections.Counter[str]] = {}
    warm_up()
    with get_context("fork").Pool(options["workers"], maxtasksperchild=ENOUGH) as pool:
        for name, grammar in GRAMMARS.items():
            counts[name] = collections.Counter()
            otherwise: list[tuple[Step, int]] = []
            known: list[Choices] = []
            files = tasks(name, grammar, options[name], options["seed"])
            for step, seed in pool.imap_unordered(judged, files):
                counts[name][step.judged] += 1
                if step.judged == "otherwise":
                    otherwise.append((step, seed))
                    said = line(step.choices, grammar.axes)
                    print(f"{name}, seed {seed}; {said}: {step.why}", flush=True)
            for step, seed in otherwise:
                if not any(kind.items() <= step.choices.items() for kind in known):
                    least, text = pool.apply(shown, (name, step, seed))
                    known.append(others(least.choices, grammar.axes))
                    print(f"--- {name}, {text}", flush=True)
            counts[name]["kinds"] = len(known)
            print(
                name,
                *(f"{count} {word}" for word, count in counts[name].items()),
                sep=", ",
                flush=True,
            )
    return int(any(each["otherwise"] for each in counts.values()))


if __name__ == "__main__":
    sys.exit(main())
