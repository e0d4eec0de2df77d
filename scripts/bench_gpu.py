#!/usr/bin/env python
"""Times of `ann_cross_validation` on the processors, on a GPU, and as `device="auto"` chooses.

The devices take turns, and the fastest call of each counts. No training stops early. The table is Markdown, on stdout.

    .venv/bin/python scripts/bench_gpu.py        less than a minute with an H100 and 16 processors
"""

from __future__ import annotations

import time

import numpy as np
import torch
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, make_classification
from sklearn.preprocessing import StandardScaler

from practica.reference.cross_validation import ann_cross_validation
from practica.reference.partition import crossvalidation

ROUNDS = 3
DATA = {  # inputs and targets, layers, networks in each of 10 folds, epochs
    "Iris": (load_iris, [8], 50, 1000),
    "breast cancer": (load_breast_cancer, [16, 8], 50, 300),
    "digits": (load_digits, [32], 20, 200),
    "20000×50": (None, [64, 32], 10, 30),
}


def main() -> None:
    """Print a row for each data set."""
    devices = ["cpu", "auto", *(["cuda"] if torch.cuda.is_available() else [])]
    gpu = torch.cuda.get_device_name() if torch.cuda.is_available() else "no GPU that torch can use"
    print(f"{gpu}; torch {torch.__version__}; seconds, and times `cpu`\n")
    print(f"| networks × epochs | {' | '.join(devices)} | scores that differ from `cpu` |")
    print("| :-- |" + " --: |" * (len(devices) + 1))
    for name, (load, topology, executions, epochs) in DATA.items():
        if load is None:
            inputs, targets = make_classification(20_000, 50, n_informative=20, n_classes=5, random_state=1)
        else:
            inputs, targets = load(return_X_y=True)
        inputs = StandardScaler().fit_transform(inputs)
        folds = crossvalidation(targets, 10, random_state=1)
        seconds = dict.fromkeys(devices, float("inf"))
        scores = {}
        for device in devices * ROUNDS:
            start = time.perf_counter()
            scores[device] = ann_cross_validation(
                topology,
                inputs,
                targets,
                folds,
                numExecutions=executions,
                maxEpochs=epochs,
                validationRatio=0.2,
                maxEpochsVal=epochs,
                random_state=1,
                device=device,
            ).scores
            seconds[device] = min(seconds[device], time.perf_counter() - start)
        times = " | ".join(f"{seconds[device]:.2f} ({seconds[device] / seconds['cpu']:.2f}×)" for device in devices)
        differ = np.mean(scores[devices[-1]] != scores["cpu"])
        print(f"| {name} {topology}, {10 * executions} × {epochs} | {times} | {differ:.2%} |", flush=True)


if __name__ == "__main__":
    main()
