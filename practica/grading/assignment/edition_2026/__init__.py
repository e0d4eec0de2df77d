"""The newest edition of the practice, of 2025/26: what it changes, and all else as it is.

    confusion_matrix          takes the classes of label vectors; all labels have to be among them
    ann_cross_validation      takes inputs and targets as one tuple, and returns the test matrix as
                              an eighth value: the mean over the executions, summed over the folds
    model_cross_validation    as well

Its folder has `rubric.toml`, the sentences of its checks, the template, and a page with the
differences.
"""

from dataclasses import replace

from practica.grading.assignment import ASSIGNMENT as PRACTICE

__all__ = ["ASSIGNMENT"]

ASSIGNMENT = replace(
    PRACTICE,
    package=__name__,
    checks=("changed",),
    mistakes=tuple(f".{name}" for name in PRACTICE.mistakes),  # beside this package
)
