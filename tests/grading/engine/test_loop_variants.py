# ruff: noqa: E501  (one loop on each line)
"""Loops as students write and hide them: statements cost the points, what goes over the patterns
otherwise is told.
"""

import textwrap

import pytest
from judged import RUBRIC, broken, judged

from practica.grading.engine.loops import loop_rules
from practica.grading.engine.rules import inspect_source
from practica.grading.engine.solution import LocalSolution
from practica.grading.inside.loading import load_source

ACCURACY = "def accuracy(outputs, targets, *, threshold=0.5):"
CLASSIFY = "def classify_outputs(outputs, *, threshold=0.5):"
IMPORTS = (
    "import functools, itertools, operator, threading\nimport numpy as np\nimport pandas as pd\n"
)

BINARY = """
def confusion_matrix(outputs, targets, *, threshold=0.5, weighted=True):
    outputs, targets = np.asarray(outputs), np.asarray(targets)
    if outputs.ndim == 1 and targets.dtype == bool:
        outputs = outputs >= threshold
        {binary}
        return np.array([[1, 2], [3, 4]])
    if outputs.ndim == 1:
        {labels}
        classes = np.array(['a', 'b', 'c'], dtype=object)
        return confusion_matrix(outputs[:, None] == classes, targets[:, None] == classes, weighted=weighted)
    if outputs.dtype != bool:
        {real}
        return confusion_matrix(outputs == outputs.max(axis=1, keepdims=True), targets, weighted=weighted)
    for c in range(outputs.shape[1]):
        for d in range(outputs.shape[1]): np.sum(outputs[:, c] & targets[:, d])
    return np.array([[1, 2], [3, 4]])
"""
CROSS = """
def crossvalidation(N, k):
    if isinstance(N, int):
        {int}
        return np.resize(np.arange(k) + 1, N)
    N = np.asarray(N)
    folds = np.zeros(len(N), dtype=int)
    if N.ndim == 2:
        {matrix}
        return folds
    if N.dtype == bool:
        {bool}
        return folds
    {any}
    return folds
"""


def binary(**loops):
    """Write a confusion matrix, whose last case alone may loop."""
    return BINARY.format(**dict.fromkeys(("binary", "labels", "real"), "...") | loops)


def cross(**loops):
    """Write a partition, with one loop over the classes where it may be."""
    clean = {"int": "...", "bool": "...", "matrix": "...", "any": "..."}
    return CROSS.format(**clean | loops)


STATEMENTS = {
    "a loop over the patterns": ("accuracy", f"{ACCURACY}\n    for o in outputs: pass"),
    "while with pop": ("accuracy", f"{ACCURACY}\n    rest = list(outputs)\n    while rest: rest.pop()"),
    "in __iter__": ("accuracy", f"class Pairs:\n    def __init__(self, x): self.x = x\n    def __iter__(self):\n        for o in self.x: yield o\n{ACCURACY}\n    return list(Pairs(outputs))"),
    "in __getitem__": ("accuracy", f"class Pairs:\n    def __getitem__(self, x):\n        for o in x: pass\n{ACCURACY}\n    return Pairs()[outputs]"),
    "in __call__": ("accuracy", f"class Pairs:\n    def __call__(self, x):\n        for o in x: pass\ncount = Pairs()\n{ACCURACY}\n    return count(outputs)"),
    "in a property": ("accuracy", f"class Pairs:\n    @property\n    def mean(self):\n        for o in self.x: pass\n{ACCURACY}\n    p = Pairs()\n    p.x = outputs\n    return p.mean"),
    "in an operator": ("accuracy", f"class Pairs:\n    def __eq__(self, other):\n        for o in other: pass\n{ACCURACY}\n    return Pairs() == outputs"),
    "in a context": ("accuracy", f"class Pairs:\n    def __enter__(self):\n        for o in range(9): pass\n    def __exit__(self, *a): ...\n{ACCURACY}\n    with Pairs(): return 0"),
    "in a class inside": ("accuracy", f"{ACCURACY}\n    class Pairs:\n        for o in outputs: pass"),
    "in a subclass of list": ("accuracy", f"class Pairs(list):\n    def mean(self):\n        for o in self: pass\n{ACCURACY}\n    return Pairs(outputs).mean()"),
    "in a generator": ("accuracy", f"def each(x):\n    for o in x: yield o\n{ACCURACY}\n    return sum(each(outputs))"),
    "in a coroutine": ("accuracy", f"async def each(x):\n    for o in x: ...\n{ACCURACY}\n    each(outputs).send(None)"),
    "in a helper of a helper": ("accuracy", f"def a(x): return b(x)\ndef b(x):\n    for o in x: ...\n{ACCURACY}\n    return a(outputs)"),
    "in a decorator": ("accuracy", f"def each(f):\n    def inner(outputs, targets, *, threshold=0.5):\n        for o in outputs: f(outputs, targets)\n    return inner\n@each\n{ACCURACY}\n    return 0"),
    "in a function that is found by its name": ("accuracy", f"def each(x):\n    for o in x: ...\n{ACCURACY}\n    return globals()['ea' + 'ch'](outputs)"),
    "in another function of the rubric without limits": ("accuracy", f"def model_cross_validation(*given):\n    for o in given[0]: ...\n{ACCURACY}\n    return model_cross_validation(outputs)"),
    "in a thread": ("confusion_matrix_binary", "def each(x):\n    for o in x: ...\n" + binary(binary="t = threading.Thread(target=each, args=(outputs,)); t.start(); t.join()")),
    "two loops for one": ("build_class_ann", "def build_class_ann(numInputs, topology, numOutputs, *, transferFunctions=None):\n    for n in topology: ...\n    for n in topology: ..."),
    "in a finally": ("classify_outputs", f"{CLASSIFY}\n    try: return 0\n    finally:\n        for o in outputs: ..."),
    "in a walrus": ("classify_outputs", f"{CLASSIFY}\n    i = 0\n    while (i := i + 1) < len(outputs): ..."),
    "one for each row of a matrix": ("normalize_min_max", "def normalize_min_max(dataset, normalizationParameters=None):\n    for row in dataset: ..."),
    "in steps of four": ("confusion_matrix_binary", binary(binary="for i in range(0, len(outputs), 4): np.sum(outputs[i:i + 4])")),
    "with what it asks on another line": ("confusion_matrix_binary", binary(binary="rest = iter(outputs)\n        while \\\n                next(rest, None) is not None: ...")),
    "in the binary case": ("confusion_matrix_binary", binary(binary="for o, t in zip(outputs, targets): ...")),
    "beside a comprehension": ("confusion_matrix_binary", binary(binary="parts = [str(o) for o in outputs]\n        for o in outputs: ...")),
    "inside a comprehension's helper": ("confusion_matrix_binary", "def each(x):\n    for o in x: ...\n" + binary(binary="[each(x) for x in (outputs, targets)]")),
    "nested in a class of the file": ("confusion_matrix_binary", "class Pairs:\n    def __init__(self, x): self.x = x\n    def __iter__(self):\n        for o in self.x: yield o\n" + binary(binary="sum(Pairs(outputs))")),
    "__next__ in a loop": ("confusion_matrix_binary", "class Pairs:\n    def __init__(self, x): self.x, self.i = x, -1\n    def __iter__(self): return self\n    def __next__(self):\n        self.i += 1\n        if self.i == len(self.x): raise StopIteration\n        return self.x[self.i]\n" + binary(binary="for o in Pairs(outputs): ...")),
    "in the case of labels": ("confusion_matrix_multiclass", binary(labels="for o in outputs: ...")),
    "only for labels that are texts": ("confusion_matrix_multiclass", binary(labels="if targets.dtype.kind == 'U':\n            for o in outputs: ...")),
    "only for labels that are objects": ("confusion_matrix_multiclass", binary(labels="if targets.dtype == object:\n            for o in outputs: ...")),
    "over the patterns for texts": ("crossvalidation", cross(any="if N.dtype.kind == 'U':\n        for label in N: ...")),
    "in the case of real matrices": ("confusion_matrix_multiclass", binary(real="for o in outputs: ...")),
    "only with two labels": ("confusion_matrix_multiclass", binary(labels="if len(set(outputs)) == 2:\n            for o in outputs: ...")),
    "only with one column": ("confusion_matrix_multiclass", binary(real="if outputs.shape[1] == 1:\n            for o in outputs: ...")),
    "for an int": ("crossvalidation", cross(int="for i in range(N): ...")),
    "for bools": ("crossvalidation", cross(bool="for i in range(2): ...")),
    "for bools, which a matrix of one column becomes": ("crossvalidation", cross(bool="for i in range(2): ...").replace("    if N.ndim", "    if N.ndim == 2 and N.shape[1] == 1: N = N[:, 0]\n    if N.ndim", 1)),
    "in the binary case, which a matrix of one column becomes": ("confusion_matrix_binary", binary(binary="for positive in True, False: ...").replace("    if outputs.ndim", "    if outputs.ndim == 2 and outputs.shape[1] == 1: outputs, targets = outputs[:, 0], targets[:, 0]\n    if outputs.ndim", 1)),
    "two nested for a matrix": ("crossvalidation", cross(matrix="for c in range(N.shape[1]):\n            for i in range(k): ...")),
    "two in a row for a matrix": ("crossvalidation", cross(matrix="for c in range(N.shape[1]): ...\n        for c in range(N.shape[1]): ...")),
    "over the patterns for a matrix": ("crossvalidation", cross(matrix="for row in N: ...")),
    "over the patterns for labels": ("crossvalidation", cross(any="for label in N: ...")),
    "over the patterns with classes": ("one_hot_encoding", "def one_hot_encoding(feature, classes=None):\n    if classes is None: return feature\n    for f in feature: ..."),
    "for bools, until another call": ("crossvalidation", "done = []\n" + cross(int="done.append(1)", bool="if not done:\n            for label in N: ...")),
    "for bools of one-hot": ("one_hot_encoding", "def one_hot_encoding(feature, classes=None):\n    if np.asarray(feature).dtype == bool:\n        for f in feature: ...\n    return feature"),
}  # fmt: skip


@pytest.mark.parametrize("variant", STATEMENTS)
def test_a_loop_statement_costs_the_points_wherever_it_is(variant):
    """Where the statement allows none there, or fewer."""
    row, source = STATEMENTS[variant]
    found = broken(IMPORTS + textwrap.dedent(source), row)
    assert found
    assert set(found) <= {"loops.too_many", "loops.overload"}


DISGUISES = {
    "map": "list(map(lambda o: o, outputs))",
    "map in C": "sum(map(operator.eq, outputs, targets))",
    "vectorize": "np.vectorize(lambda o: o)(outputs)",
    "frompyfunc": "np.frompyfunc(lambda o: o, 1, 1)(outputs)",
    "reduce": "functools.reduce(lambda a, o: a, outputs)",
    "a generator": "sum(1 for o in outputs)",
    "any": "any(o > 2 for o in outputs)",
    "a comprehension": "[o for o in outputs]",
    "a comprehension in a dict": "{i: o for i, o in enumerate(outputs)}",
    "apply_along_axis": "np.apply_along_axis(lambda o: o, 1, np.reshape(outputs, (len(outputs), -1)))",
    "sorted by a function": "sorted(range(len(outputs)), key=lambda o: o)",
    "max by a function": "max(range(len(outputs)), key=lambda o: -o)",
    "filter": "list(filter(lambda o: True, outputs))",
    "starmap": "list(itertools.starmap(lambda o, t: o, zip(outputs, targets)))",
    "accumulate": "list(itertools.accumulate(range(len(outputs)), lambda o, t: o))",
    "iter with a sentinel": "list(iter(lambda rest=list(range(len(outputs))): rest.pop() if rest else None, None))",
    "pandas apply": "pd.Series(range(len(outputs))).apply(lambda o: o)",
    "recursion": "down(len(outputs))",
    "recursion of two": "ping(len(outputs))",
}
HELPERS = """
def down(n): return 0 if n == 0 else 1 + down(n - 1)
def ping(n): return 0 if n == 0 else pong(n - 1)
def pong(n): return 0 if n == 0 else ping(n - 1)
"""


@pytest.mark.parametrize("disguise", DISGUISES)
@pytest.mark.parametrize("row", ["accuracy", "confusion_matrix_binary"])
def test_a_loop_in_disguise_is_advice_wherever_no_loop_may_be(disguise, row):
    """In a function without loops, and in a case without loops of one that may have some."""
    if (disguise, row) == ("map in C", "confusion_matrix_binary"):
        pytest.skip("what a loop in C calls in C runs no line of the file")
    expression = DISGUISES[disguise]
    source = (
        f"{ACCURACY}\n    return {expression}" if row == "accuracy" else binary(binary=expression)
    )
    rules = judged(IMPORTS + HELPERS + source, row)
    assert [rule.severity for rule in rules] == ["advice"]
    assert rules[0].id in ("loops.hidden", "loops.comprehension", "loops.recursion")


def test_a_function_that_calls_itself_for_every_pattern_is_told():
    """However many cases it serves."""
    source = (
        f"{ACCURACY}\n    return 0 if len(outputs) == 0 else accuracy(outputs[1:], targets[1:])"
    )
    assert [rule.id for rule in judged(source, "accuracy")] == ["loops.recursion"]


@pytest.mark.parametrize(
    ("row", "source"),
    [
        ("confusion_matrix_binary", binary()),
        ("confusion_matrix_multiclass", binary()),
        ("crossvalidation", cross(matrix="for c in range(N.shape[1]): ...", any="for label in dict.fromkeys(N): ...")),
        ("crossvalidation", cross(matrix="return crossvalidation(N.argmax(axis=1).astype(object), k)", any="for label in dict.fromkeys(N): ...")),
        ("one_hot_encoding", "def one_hot_encoding(feature, classes=None):\n    found = dict.fromkeys(feature if classes is None else classes)\n    if len(found) > 2:\n        for c in found: ..."),
        ("accuracy", f"{ACCURACY}\n    if np.ndim(outputs) == 2: return accuracy(outputs[:, 0], targets[:, 0])\n    return np.mean(outputs)"),
        ("build_class_ann", "def build_class_ann(numInputs, topology, numOutputs, *, transferFunctions=None):\n    for n in topology: ..."),
        ("one_hot_encoding", "seen = []\ndef one_hot_encoding(feature, classes=None):\n    seen.extend(range(20))\n    if len(set(feature)) > 2:\n        for c in seen: ..."),
    ],
)  # fmt: skip
def test_loops_over_the_classes_and_calls_of_oneself_are_no_mistake(row, source):
    """Where the statement has them."""
    assert judged(IMPORTS + source, row) == []


def test_the_loop_over_the_classes_of_a_wrong_helper_is_the_helpers():
    """Whoever calls a function that has failed does not pay for the loop that it may have."""
    source = b"""
import numpy as np
def one_hot_encoding(feature, classes=None):
    classes = list(dict.fromkeys(np.asarray(feature).tolist())) if classes is None else classes
    encoded = np.zeros((len(feature), len(classes)), dtype=bool)
    for column, label in enumerate(classes):
        encoded[:, column] = feature != label
    return encoded
def confusion_matrix(outputs, targets, *, threshold=0.5, weighted=True):
    return one_hot_encoding(outputs).sum() if np.asarray(outputs).dtype.kind in "OU" else 0.0
"""
    report = inspect_source(source, RUBRIC)
    solution = LocalSolution(load_source(source, "entrega.py"))
    assert (
        loop_rules(
            RUBRIC.rows["confusion_matrix_multiclass"],
            RUBRIC,
            report,
            solution,
            0,
            wrong=["one_hot_encoding"],
        )
        == []
    )
