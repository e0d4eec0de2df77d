#!/usr/bin/env python
"""Try the drawn checks of train_class_ann on the right submissions of tests/entregas, with many seeds: none may fail.

`scripts/try_trainings.py` takes 200 seeds for each right training that differs from the model answer, and
`scripts/try_trainings.py 60 'bien_red_*'` takes 60, for those whose slugs match a pattern.
"""

import argparse
import fnmatch
import sys
import time
import warnings
from pathlib import Path

import _installed  # noqa: F401 - it says what to do first
import torch

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from submissions import submissions

from practica.engine.framework import CheckFailed, load_checks
from practica.engine.solution import LocalSolution, StudentError
from practica.inside.loading import load_source

ROW, PARTS = "train_class_ann", {"train_class_ann", "build_class_ann"}


def main() -> int:
    """Print a line for each submission; 0 if nothing is lost."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("seeds", nargs="?", type=int, default=200)
    parser.add_argument("patterns", nargs="*", default=["*"])
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # the students' code may warn of what it does
    torch.set_num_threads(1)
    checks = [each for each in load_checks().values() if each.row == ROW and each.strategies]
    failures = 0
    for submission in submissions():
        differs = submission.differs is None or submission.differs & PARTS
        chosen = any(fnmatch.fnmatch(submission.slug, one) for one in options.patterns)
        if submission.fails or not differs or not chosen:
            continue
        solution, lost = LocalSolution(load_source(submission.source, f"{submission.slug}.py")), list[str]()
        begin = time.process_time()
        for seed in range(options.seeds):
            for check in checks:
                solution.seed = seed
                try:
                    check.body(solution, seed=seed)
                except (CheckFailed, StudentError) as error:
                    lost.append(f"{check.id} with {seed} ({getattr(error, 'message', '') or error})")
        failures += len(lost)
        runs, seconds = options.seeds * len(checks), time.process_time() - begin
        print(f"{submission.slug:36} {runs:6} runs {seconds:6.1f} s  {len(lost)} lost  {'; '.join(lost)}", flush=True)
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
