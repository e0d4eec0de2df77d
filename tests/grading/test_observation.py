"""Loops that are told apart by running them: over the classes, or over the patterns."""

import textwrap
import types

import pytest

from practica.checks.solution import LocalSolution
from practica.grading.observation import growth, observed_loops
from practica.grading.rubric import load_rubric
from practica.grading.rules import inspect_source

RUBRIC = load_rubric()


def solution_of(source):
    """Run a source in this process."""
    module = types.ModuleType("entrega")
    exec(compile(source, "entrega.py", "exec"), module.__dict__)
    return LocalSolution(module, "entrega.py")


def broken(source, row):
    """List the rules broken on paper, and those broken in action with their overloads."""
    source = "import numpy as np\n" + textwrap.dedent(source)
    report = inspect_source(source.encode(), RUBRIC).functions[row]
    rules = observed_loops(RUBRIC.rows[row].function, report.to_observe, solution_of(source))
    return [rule.id for rule in report.broken], [rule.message_facts["overload"] for rule in rules]


def test_one_loop_over_the_classes_may_serve_all_vectors():
    """Bools included: it takes no more steps for more patterns."""
    source = """
    def crossvalidation(N, k):
        if isinstance(N, int):
            folds = np.resize(np.arange(1, k + 1), N)
            np.random.shuffle(folds)
            return folds
        N = np.asarray(N)
        if N.ndim == 2:
            N = N.argmax(axis=1)
        folds = np.zeros(len(N), dtype=int)
        for label in dict.fromkeys(N.tolist()):
            folds[N == label] = crossvalidation(int((N == label).sum()), k)
        return folds
    """
    assert broken(source, "crossvalidation") == ([], [])


def test_one_loop_over_the_patterns_may_not():
    """It is only one loop, and it is not over the classes."""
    source = """
    def crossvalidation(N, k):
        targets = np.zeros(N) if np.isscalar(N) else np.asarray(N)
        folds = np.zeros(len(targets), dtype=int)
        for i in range(len(targets)):
            folds[i] = i % k + 1
        return folds
    """
    assert broken(source, "crossvalidation") == ([], ["N: int, k: int", "targets: bool[:], k: int"])


@pytest.mark.parametrize(
    ("loop", "overloads"),
    [
        ("for j, c in enumerate(classes): out[:, j] = feature == c", []),
        ("for i, f in enumerate(feature): out[i, list(classes).index(f)] = True", ["feature: any[:]"]),
    ],
)
def test_the_loop_of_one_hot_encoding_is_over_the_classes(loop, overloads):
    """Not over the patterns."""
    source = f"""
    def one_hot_encoding(feature, classes=None):
        feature = np.asarray(feature)
        if classes is None:
            if feature.dtype == bool:
                return feature[:, None]
            classes = list(dict.fromkeys(feature.tolist()))
        out = np.zeros((len(feature), len(classes)), dtype=bool)
        {loop}
        return out
    """
    assert broken(source, "one_hot_encoding") == ([], overloads)


CONFUSION = """
def confusion_matrix(outputs, targets, *, threshold=0.5, weighted=True):
    outputs, targets = np.asarray(outputs), np.asarray(targets)
    {top}
    if outputs.ndim == 1 and targets.dtype == bool:
        return 0
    if outputs.ndim == 1:
        outputs, targets = outputs[:, None] == ["a", "b", "c"], targets[:, None] == ["a", "b", "c"]
    if outputs.dtype != bool:
        outputs = outputs == outputs.max(axis=1, keepdims=True)
    for i in range(len(outputs)):
        outputs[i].any()
    return 0
"""


def test_loops_of_the_bool_matrix_are_free_for_all_that_comes_through_it():
    """Real outputs and labels are turned into a bool matrix."""
    assert broken(CONFUSION.format(top=""), "confusion_matrix_multiclass") == ([], [])
    assert broken(CONFUSION.format(top=""), "confusion_matrix_binary") == ([], [])


def test_a_loop_over_the_patterns_before_the_two_ways_part_is_the_binary_rows_too():
    """It runs for bool vectors."""
    source = CONFUSION.format(top="for o in outputs: str(o)")
    assert broken(source, "confusion_matrix_binary")[1] == [
        "outputs: bool[:], targets: bool[:]",
        "outputs: real[:], targets: bool[:]",
    ]
    assert broken(source, "confusion_matrix_multiclass") == ([], [])


def test_what_raises_or_cannot_be_called_has_no_growth():
    """The checks say what is wrong with it."""
    overload = RUBRIC.rows["accuracy"].overloads[0]
    assert growth("accuracy", overload, solution_of("def accuracy(o, t): raise ValueError")) is None
    assert growth("build_class_ann", RUBRIC.rows["train_class_ann"].overloads[0], solution_of("")) is None
    assert growth("accuracy", overload, solution_of("def accuracy(o, t): return 1")) == 0
    assert growth("accuracy", overload, solution_of("def accuracy(o, t): return [1 for p in o]")) > 0
