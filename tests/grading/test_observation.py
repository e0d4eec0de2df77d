"""Loops that are told apart by running them: in which overloads, over the classes or over the patterns."""

import textwrap
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from judged import RUBRIC, broken, judged

import practica
from practica.checks.loading import load_source
from practica.checks.runner import SpareCall
from practica.checks.solution import LocalSolution
from practica.grading import observation
from practica.grading.observation import observed_rules
from practica.grading.rules import inspect_source
from practica.grading.source import Loop
from practica.sandbox.solution import ProcessSolution


def overloads(source, row):
    """List the overloads that run loops they may not have."""
    rules = judged(source, row)
    assert set(broken(source, row)) <= {"loops.overload"}
    return [rule.message_facts["overload"] for rule in rules if rule.id == "loops.overload"]


CROSSVALIDATION = """
import numpy as np
def crossvalidation(N, k):
    if isinstance(N, (int, np.integer)):
        {int}
        return folds
    targets = np.asarray(N)
    if targets.ndim == 2:
        {matrix}
        return folds
    if targets.dtype == bool:
        {bool}
        return folds
    {any}
    return folds
"""
LOOP, NOTHING = "for fold in range(k): folds = fold", "folds = k"


@pytest.mark.parametrize(
    ("loops", "rules"),
    [
        ("", []),
        ("matrix", []),
        ("any", []),
        ("matrix any", []),
        ("int", ["loops.overload"]),
        ("bool", ["loops.overload"]),
        ("bool matrix", ["loops.overload"]),
        ("int matrix any", ["loops.too_many"]),
    ],
)
def test_each_overload_has_its_own_limit(loops, rules):
    """`crossvalidation` may have a loop over the classes in two of its four branches."""
    branches = {name: LOOP if name in loops.split() else NOTHING for name in ("int", "bool", "matrix", "any")}
    assert broken(CROSSVALIDATION.format(**branches), "crossvalidation") == rules


@pytest.mark.parametrize("classes", ["given", "found"])
def test_a_loop_over_the_classes_may_be_where_they_are_given_or_where_they_are_found(classes):
    """The statement allows one when there are more than two classes; none for a bool vector."""
    loops = {"given": "result[:, 0] = feature == classes[0]", "found": "result[:, 0] = feature == found[0]"}
    loops[classes] = f"for j, c in enumerate({'classes' if classes == 'given' else 'found'}): result[:, j] = c"
    source = f"""
import numpy as np
def one_hot_encoding(feature, classes=None):
    result = np.zeros((len(feature), 3))
    if feature.dtype == bool: return feature.reshape(-1, 1)
    if classes is None:
        found = list(dict.fromkeys(feature.tolist()))
        {loops["found"]}
        return result
    {loops["given"]}
    return result
"""
    assert broken(source, "one_hot_encoding") == []
    in_bool = source.replace("bool: return", f"bool:\n        {LOOP.replace('k', '3')}\n        return")
    in_bool = in_bool.replace(loops[classes], "pass")
    assert overloads(in_bool, "one_hot_encoding") == ["feature: bool[:]"]


@pytest.mark.parametrize(
    "two", ["for a in range(k):\n            for b in range(k): folds = b", f"{LOOP}\n        {LOOP}"]
)
def test_one_loop_over_the_classes_is_not_two(two):
    """Neither one inside the other nor one after the other."""
    source = CROSSVALIDATION.format(int=NOTHING, matrix=two, bool=NOTHING, any=NOTHING)
    assert overloads(source, "crossvalidation") == ["targets: bool[:, :], k: int"]


@pytest.mark.parametrize(
    "dispatch",
    [
        "if np.isscalar(N):{loop}return folds",
        "if isinstance(N, int) and not isinstance(N, bool):{loop}return folds",
        "if not hasattr(N, '__len__'):{loop}return folds",
        "if type(N) == int:{loop}return folds",
        "if type(N) in (int, np.int64):{loop}return folds",
        "if np.ndim(N) == 0:{loop}return folds",
        "if np.ndim(N) > 0: return 0\n    else:{loop}pass",
        "match N:\n     case int():{loop}return folds\n     case _: return 0",
        "match np.ndim(N), k:\n     case 1, _: return 0\n     case 0, x:{loop}return folds",
        "if k < 1: raise ValueError\n    if is_number(N):{loop}return 0",
        "if k < 1: return None\n    if is_number(N):{loop}return 0",
        "if mystery(k): raise ValueError\n    if is_number(N):{loop}return 0",
        "return of_number(N, k) if is_number(N) else 0",
        "return OF[type(N)](N, k) if type(N) in OF else 0",
        "return globals()['of_' + 'number'](N, k) if is_number(N) else 0",
        "return sum(1 for fold in Folds(N)) if is_number(N) else 0",
        "kind = is_number(N)\n    if kind:{loop}return 0",
        "if isinstance(N, np.ndarray): return 0\n    elif N:{loop}return 0\n    else:{loop}return 0",
        "if is_number(N):\n     with np.errstate(all='ignore'):{loop}return 0",
    ],
)
def test_the_overload_without_loops_is_found_behind_any_dispatch(dispatch):
    """An int has no classes: what loops for an int, loops over patterns or folds."""
    loop = "\n            for i in range(N): folds = i\n            "
    source = f"""
import numpy as np
def is_number(x): return isinstance(x, (int, np.integer))
def mystery(x): return x == 77
def of_number(x, k):
    for i in range(x): folds = i
OF = {{int: of_number}}
class Folds:
    def __init__(self, count): self.count = count
    def __iter__(self):
        for fold in range(self.count): yield fold
def crossvalidation(N, k):
    {dispatch.format(loop=loop)}
"""
    assert overloads(source, "crossvalidation") == ["N: int, k: int"]


@pytest.mark.parametrize(
    "question",
    [
        "targets.dtype == bool",
        "targets.dtype == np.bool_",
        "targets.dtype == 'bool'",
        "targets.dtype is np.dtype(bool)",
        "targets.dtype.kind == 'b'",
        "targets.dtype.name in ('bool',)",
        "np.issubdtype(targets.dtype, np.bool_)",
        "not targets.dtype != bool and len(targets.shape) == 1",
        "isinstance(targets, np.ndarray) and targets.ndim == 1 and targets.dtype == bool",
        "all(isinstance(t, (bool, np.bool_)) for t in targets)",
        "isinstance(targets[0], (bool, np.bool_))",
        "isinstance(targets[0], np.bool_) and mystery(targets)",
        "mystery(targets) and isinstance(targets[0], np.bool_)",
        "np.array(targets).dtype == bool",
        "es_bool(targets)",
        "(lambda x: x.dtype == bool)(targets)",
    ],
)
def test_a_loop_for_bool_vectors_alone_is_found_behind_any_question(question):
    """The statement allows one for matrices and for labels."""
    source = f"""
    import numpy as np
    def mystery(x):
        return len(x) > 1
    def es_bool(x):
        if len(x) == 0:
            return False
        return np.asarray(x).dtype == bool
    def crossvalidation(N, k):
        if isinstance(N, int):
            return 0
        targets = np.asarray(N)
        if targets.ndim == 2:
            return 2
        if {question}:
            for fold in range(k): folds = fold
            return folds
        return 1
    """
    assert overloads(source, "crossvalidation") == ["targets: bool[:], k: int"]


@pytest.mark.parametrize(
    "body",
    [
        # One loop over the classes serves every vector.
        "if np.isscalar(N): return 1\n    N = np.asarray(N)\n    if N.ndim == 2: N = N.argmax(axis=1)\n"
        "    for c in np.unique(N): folds = crossvalidation(sum(N == c), k)",
        # The helper of the labels is the matrix's too.
        "if np.isscalar(N): return 1\n    return by_class(N, k)",
        # The matrix and the bools go the way of the labels.
        "if np.isscalar(N): return 1\n    N = np.asarray(N)\n    if N.ndim > 1: return crossvalidation(N[:, 0], k)\n"
        "    if N.dtype == bool: return crossvalidation(N.astype(object), k)\n    return by_class(N, k)",
    ],
)
def test_a_loop_that_an_overload_may_have_can_be_shared(body):
    """The bool vector may go the way of the labels."""
    source = (
        f"import numpy as np\ndef by_class(x, k):\n    for c in range(k): ...\ndef crossvalidation(N, k):\n    {body}"
    )
    assert overloads(source, "crossvalidation") == []


CONFUSION_BY_TYPES = """
import numpy as np
def one_hot_encoding(feature, classes=None):
    return np.unique(feature)[None, :] == np.asarray(feature)[:, None]
def classify_outputs(outputs, *, threshold=0.5):
    return outputs == outputs.max(axis=1, keepdims=True)
def confusion_matrix(outputs, targets, *, threshold=0.5, weighted=True):
    outputs, targets = np.asarray(outputs), np.asarray(targets)
    {top}
    if outputs.ndim == 1 and targets.dtype == bool:
        if outputs.dtype == bool:
            {bool_vector}
            return 0
        {real_vector}
        return confusion_matrix(outputs >= threshold, targets)
    if outputs.ndim == 1:
        {labels}
        return confusion_matrix(one_hot_encoding(outputs), one_hot_encoding(targets), weighted=weighted)
    if outputs.dtype != bool:
        {real_matrix}
        return confusion_matrix(classify_outputs(outputs), targets, weighted=weighted)
    {bool_matrix}
    return 0
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("loop", "rows"),
    [
        ("bool_vector", {"confusion_matrix_binary"}),
        ("real_vector", {"confusion_matrix_binary"}),
        ("bool_matrix", set()),
        ("real_matrix", {"confusion_matrix_multiclass"}),
        ("labels", {"confusion_matrix_multiclass"}),
        ("top", {"confusion_matrix_binary"}),  # the bool matrix may, and whatever comes through it
    ],
)
@pytest.mark.parametrize("beside", ["", "parts = [str(o) for o in outputs]; "])
def test_the_loops_of_the_two_confusion_matrices_are_told_apart(loop, rows, beside):
    """The function has two rows; only the bool matrix may loop. A comprehension elsewhere does not matter."""
    loops = dict.fromkeys(["bool_vector", "real_vector", "bool_matrix", "real_matrix", "labels", "top"], "...")
    loops[loop] = "for p in outputs: str(p)"
    loops["top" if loop != "top" else "bool_matrix"] = f"{beside}..."
    source = CONFUSION_BY_TYPES.format(**loops)
    assert {row for row in ("confusion_matrix_binary", "confusion_matrix_multiclass") if broken(source, row)} == rows


@pytest.mark.parametrize(
    "hidden",
    [
        "parts = [str(o) for o in outputs]",
        "parts = list(map(lambda o: o, outputs))",
        "parts = np.vectorize(lambda o: o)(outputs)",
        "parts = functools.reduce(lambda a, o: a, outputs)",
        "parts = sum(1 for o in outputs)",
    ],
)
def test_a_loop_in_disguise_is_told_where_there_may_be_none(hidden):
    """It costs nothing: the course's own answer without loops is a comprehension."""
    loops = dict.fromkeys(["bool_vector", "real_vector", "bool_matrix", "real_matrix", "labels", "top"], "...")
    source = "import functools" + CONFUSION_BY_TYPES.format(**loops | {"bool_vector": hidden})
    line = source.split(hidden)[0].count("\n") + 1
    told = [(rule.id, rule.severity, rule.line) for rule in judged(source, "confusion_matrix_binary")]
    assert told == [("loops.hidden", "advice", line)]
    free = "import functools" + CONFUSION_BY_TYPES.format(**loops | {"bool_matrix": hidden})
    for row in ("confusion_matrix_binary", "confusion_matrix_multiclass"):
        assert judged(free, row) == []


def test_one_loop_over_the_classes_may_serve_all_vectors():
    """Bools included: it takes no more steps for more patterns."""
    source = """
    import numpy as np
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
    assert overloads(source, "crossvalidation") == []


@pytest.mark.parametrize(
    "loop",
    [
        "for i in range(len(targets)):\n            folds[i] = i % k + 1",
        "for i in range(len(targets)): folds[i] = i % k + 1",
        "for i in range(\n            len(targets)\n        ):\n            folds[i] = i % k + 1",
        "i = 0\n        while i < len(targets):\n            folds[i] = i % k + 1\n            i += 1",
        "i = 0\n        while i < len(targets): folds[i] = k; i += 1",
        "i = 0\n        while True:\n            if i == len(targets): break\n            i += 1",
        "i = 0\n        while True:\n            i += 1\n            if i == len(targets): break",
        "for c in range(2):\n            for i in range(len(targets)):\n                folds[i] = c",
    ],
)
def test_a_loop_over_the_patterns_may_not_be_shared(loop):
    """It is only one loop, and it is not over the classes."""
    source = f"""
    import numpy as np
    def crossvalidation(N, k):
        targets = np.zeros(N) if np.isscalar(N) else np.asarray(N)
        folds = np.zeros(len(targets), dtype=int)
        {loop}
        return folds
    """
    wrong = ["N: int, k: int", "targets: bool[:], k: int", "targets: bool[:, :], k: int", "targets: str[:], k: int"]
    assert overloads(source, "crossvalidation") == wrong


@pytest.mark.parametrize(
    "loop",
    [
        "for c in dict.fromkeys([t for t in targets]):\n            folds[targets == c] = 1",
        "for c in set(\n            [t\n             for t in targets]):\n            folds[targets == c] = 1",
        "for c in set(targets):\n            where = np.array([t == c\n                              for t in folds])",
        "for c in set(targets):\n            where = list(map(lambda t: t == c, targets))",
        "for c in set(targets): folds[targets == c] = 1",
    ],
)
def test_a_loop_over_the_classes_is_one_whatever_stands_on_its_lines(loop):
    """A comprehension over the patterns in its head, or in what it repeats, is no loop statement."""
    source = f"""
    import numpy as np
    def crossvalidation(N, k):
        if np.isscalar(N):
            return np.arange(N) % k + 1
        targets = np.asarray(N)
        if targets.ndim == 2:
            targets = targets.argmax(axis=1)
        folds = np.zeros(len(targets), dtype=int)
        {loop}
        return folds
    """
    assert overloads(source, "crossvalidation") == []


@pytest.mark.parametrize(
    ("loop", "wrong"),
    [
        ("for j, c in enumerate(classes): out[:, j] = feature == c", []),
        (
            "for i, f in enumerate(feature): out[i, list(classes).index(f)] = True",
            ["feature: str[:], classes: str[:]", "feature: str[:]"],
        ),
    ],
)
def test_the_loop_of_one_hot_encoding_is_over_the_classes(loop, wrong):
    """Not over the patterns."""
    source = f"""
    import numpy as np
    def one_hot_encoding(feature, classes=None):
        feature = np.asarray(feature)
        if classes is None:
            if feature.dtype == bool:
                return feature[:, None]
            classes = list(dict.fromkeys(feature.tolist()))
        if len(classes) == 2:
            return (feature == classes[0])[:, None]
        out = np.zeros((len(feature), len(classes)), dtype=bool)
        {loop}
        return out
    """
    assert overloads(source, "one_hot_encoding") == wrong


LABELS = ["feature: str[:], classes: str[:]", "feature: str[:]"]


@pytest.mark.parametrize(
    ("loop", "wrong"),
    [
        ("for j, c in enumerate(classes): out[:, j] = feature == c", [*LABELS, "feature: bool[:]"]),
        ("for j, c in enumerate(classes):\n            out[:, j] = feature == c", [*LABELS, "feature: bool[:]"]),
        ("j = 0\n        while j < out.shape[1]: j += 1", [*LABELS, "feature: bool[:]"]),
        ("if feature.dtype != bool:\n            for j, c in enumerate(classes): out[:, j] = feature == c", LABELS),
        ("for j, c in enumerate(classes if len(classes) > 2 else []): out[:, j] = feature == c", []),
        ("for j, c in enumerate(classes * (len(classes) > 2)):\n            out[:, j] = feature == c", []),
    ],
)
def test_with_two_classes_one_hot_encoding_has_no_loop_whoever_shares_it(loop, wrong):
    """The statement says so of two classes and of a bool vector; a loop that never goes round is none."""
    source = f"""
    import numpy as np
    def one_hot_encoding(feature, classes=None):
        feature = np.asarray(feature)
        classes = list(dict.fromkeys(feature.tolist()) if classes is None else classes)
        out = np.zeros((len(feature), len(classes)), dtype=bool)
        {loop}
        return out[:, :1] if len(classes) == 2 else out
    """
    assert overloads(source, "one_hot_encoding") == wrong


@pytest.mark.parametrize(
    "decorator",
    [
        "def timed(f):\n    def wrapper(*args): return f(*args)\n    return wrapper",
        "def timed(f):\n    @functools.wraps(f)\n    def wrapper(*args): return f(*args)\n    return wrapper",
        "timed = functools.partial(lambda f: f)",
        "timed = functools.singledispatch",
    ],
)
@pytest.mark.parametrize(("called", "wrong"), [("crossvalidation", []), ("by_class", ["targets: bool[:], k: int"])])
def test_what_a_function_calls_again_is_judged_there_behind_any_decorator(decorator, called, wrong):
    """The bools may go the way of the labels by a new call; a helper's loop is their own."""
    source = f"""import functools
import numpy as np
{decorator}
def by_class(labels, k):
    for fold in range(k): ...
@timed
def crossvalidation(N, k):
    if isinstance(N, int): return k
    N = np.asarray(N).tolist()
    if isinstance(N[0], bool): return {called}(list(map(str, N)), k)
    for label in dict.fromkeys(map(str, N)): ...
    return k
"""
    assert overloads(source, "crossvalidation") == wrong


def test_the_implementations_of_a_single_dispatch_are_the_function_called_again():
    """Whatever their names are."""
    source = """
    import functools
    import numpy as np
    @functools.singledispatch
    def crossvalidation(N, k):
        return k
    @crossvalidation.register
    def _(targets: np.ndarray, k):
        for label in set(targets.ravel()):
            crossvalidation(targets.tolist(), k)
    @crossvalidation.register
    def of_list(targets: list, k):
        for label in set(map(str, targets)):
            crossvalidation(7, k)
    """
    assert overloads(source, "crossvalidation") == []


def test_a_loop_inside_another_function_of_the_rubric_is_judged_there():
    """`confusion_matrix` is not to blame for the loops of `one_hot_encoding`."""
    loops = dict.fromkeys(["bool_vector", "real_vector", "bool_matrix", "real_matrix", "labels", "top"], "...")
    source = CONFUSION_BY_TYPES.format(**loops).replace(
        "    return np.unique(feature)[None, :] ==",
        "    for f in feature: str(f)\n    return np.unique(feature)[None, :] ==",
    )
    assert overloads(source, "confusion_matrix_multiclass") == []
    wrong = ["feature: str[:], classes: str[:]", "feature: str[:]", "feature: bool[:]"]
    assert overloads(source, "one_hot_encoding") == wrong


@pytest.mark.parametrize(
    ("loop", "own", "wrong"),
    [
        ("for number, each in enumerate(classes): found[:, number] = feature == each", "", []),
        ("for number, each in enumerate(feature): found[number] = classes == each", "", ["loops.overload"]),  # patterns
        (
            "for number, each in enumerate(classes): found[:, number] = feature == each",
            "for each in classes: str(each)",
            ["loops.overload"],
        ),
    ],
)
def test_a_helper_of_one_hot_encoding_may_be_shared(loop, own, wrong):
    """Its loop is over the classes, and there it may be; a loop of one's own is none of it."""
    source = f"""
    import numpy as np
    def columns(feature, classes):
        feature, classes = np.asarray(feature), np.asarray(classes)
        found = np.zeros((len(feature), len(classes)), dtype=bool)
        {loop}
        return found
    def one_hot_encoding(feature, classes=None):
        feature = np.asarray(feature)
        if feature.dtype == bool:
            return feature[:, None]
        classes = list(dict.fromkeys(feature.tolist())) if classes is None else classes
        return columns(feature, classes) if len(classes) > 2 else (feature == classes[0])[:, None]
    def confusion_matrix(outputs, targets, *, threshold=0.5, weighted=True):
        outputs, targets = np.asarray(outputs), np.asarray(targets)
        if targets.ndim == 1 and targets.dtype != bool:
            classes = list(dict.fromkeys(targets.tolist()))
            {own}
            return columns(outputs, classes), columns(targets, classes)
        return outputs, targets
    """
    assert broken(source, "confusion_matrix_multiclass") == wrong


def test_a_loop_of_accuracy_is_not_of_the_confusion_matrix_that_calls_itself_and_then_accuracy():
    """What runs inside both is the innermost's."""
    source = """
    import numpy as np
    def accuracy(outputs, targets, *, threshold=0.5):
        right = 0
        for output, target in zip(outputs, targets):
            right += np.all(output == target)
        return right / len(targets)
    def confusion_matrix(outputs, targets, *, threshold=0.5, weighted=True):
        outputs, targets = np.asarray(outputs), np.asarray(targets)
        if targets.dtype != bool:
            classes = np.array(list(dict.fromkeys(targets.tolist())), dtype=object)
            return confusion_matrix(outputs[:, None] == classes, targets[:, None] == classes)
        if outputs.dtype != bool:
            return confusion_matrix(outputs >= threshold, targets)
        return accuracy(outputs, targets)
    """
    assert broken(source, "accuracy") == ["loops.too_many"]
    module = LocalSolution(load_source(textwrap.dedent(source).encode(), "entrega.py"))
    report = inspect_source(textwrap.dedent(source).encode(), RUBRIC)
    known = {"accuracy": True, "confusion_matrix": False}
    for row in ("confusion_matrix_binary", "confusion_matrix_multiclass"):
        assert observed_rules(RUBRIC.rows[row], RUBRIC, report, module, judged=known) == []


@pytest.mark.parametrize(
    ("row", "call", "other"),
    [
        ("classify_outputs", "train_class_ann([], outputs)", "train_class_ann(topology, trainingDataset)"),
        ("classify_outputs", "confusion_matrix(outputs, outputs)", "confusion_matrix(topology, trainingDataset)"),
        ("normalize_min_max_", "build_class_ann(0, outputs, 0)", "build_class_ann(numInputs, trainingDataset, out)"),
        ("hold_out", "crossvalidation(range(outputs), 2)", "crossvalidation(trainingDataset, k)"),
    ],
)
def test_a_loop_inside_a_function_that_comes_later_is_no_ones_but_the_callers(row, call, other):
    """What comes later in the statement is no helper of the rubric's, whatever it may have itself."""
    source = f"""
    def {row}(outputs, *args, threshold=0.5):
        return {call}
    def {other}:
        for pattern in trainingDataset: str(pattern)
    """
    assert {rule.id for rule in judged(source, row) if rule.id.startswith("loops")} == {"loops.too_many"}


def test_a_loop_over_a_long_file_is_found_by_the_lines_that_ran():
    """How often each goes round is asked after every call: what it costs does not depend on the lines that did not."""
    times = {1: [(0, 1), (2, 3)], 2: [(1, 3)]}
    assert observation._rounds(Loop(1, 2, 10**12, endless=False), times, [1, 2]) == 3


def test_what_raises_could_not_be_observed():
    """Neither the overload itself, nor those that may share the loops which it would have run."""
    source = CROSSVALIDATION.format(int=NOTHING, matrix=NOTHING, bool=LOOP, any=NOTHING)
    assert overloads(source, "crossvalidation") == ["targets: bool[:], k: int"]
    for refused in ("b", "OU"):
        raising = source.replace(
            "    if targets.ndim", f"    if targets.dtype.kind in '{refused}': raise ValueError\n    if targets.ndim"
        )
        assert overloads(raising, "crossvalidation") == []


def test_what_passes_and_cannot_be_watched_goes_to_a_person(sandbox):
    """No loop is concluded of what ends its process; a function that fails its checks loses its points by them."""
    source = "import os" + CROSSVALIDATION.format(int=LOOP, matrix=NOTHING, bool="os.abort()", any=NOTHING)
    row, report = RUBRIC.rows["crossvalidation"], inspect_source(source.encode(), RUBRIC)
    with ProcessSolution(source.encode(), sandbox) as solution:
        [rule] = observed_rules(row, RUBRIC, report, solution)
        assert (row.cost_of(rule.id), rule.message_facts) == ("flag", {"variant": "unseen"})
        assert observed_rules(row, RUBRIC, report, solution, passes=False) == []


def test_a_function_that_breaks_its_limit_on_paper_is_not_run(sandbox):
    """It would be told twice, and may never end."""
    source = "def accuracy(outputs, targets, threshold=0.5):\n    while True: pass"
    report = inspect_source(source.encode(), RUBRIC)
    with ProcessSolution(source.encode(), sandbox) as solution:
        assert observed_rules(RUBRIC.rows["accuracy"], RUBRIC, report, solution) == []
    assert [rule.id for rule in report.functions["accuracy"].broken] == ["loops.too_many"]


@pytest.mark.parametrize(
    ("row", "arguments"),
    [("one_hot_encoding", ["abca", "abc"]), ("confusion_matrix_multiclass", ["acba", "abca"])],
)
def test_the_call_of_a_check_with_few_patterns_proves_no_loop_over_them(row, arguments):
    """To tell such a loop some patterns come again in each call, also where so few would hardly ever be drawn."""
    source = (Path(practica.__file__).parents[1] / "enunciado" / "profesorado" / "solucion.py").read_bytes()
    report, solution = inspect_source(source, RUBRIC), LocalSolution(load_source(source, "entrega.py"))
    row, given = RUBRIC.rows[row], [np.array(list(labels)) for labels in arguments]
    none_again = [seed for seed in range(500) if np.random.default_rng(seed).integers(1, 4, 4).max() == 1]
    assert none_again
    known = {"one_hot_encoding": True}
    for seed in [*none_again, *range(5)]:
        call = SpareCall((row.function, given, {}), seed, alone=bool, helped=bool)
        assert not observed_rules(row, RUBRIC, report, solution, [call], known)


@pytest.mark.parametrize("passes", [True, False])
def test_networks_whose_options_may_be_lost_are_not_trained_to_be_watched(passes):
    """They may be the 500 that nobody asked for; where the options arrive they are two."""
    source = b"""def model_cross_validation(modelType, modelHyperparameters, inputs, targets, crossValidationIndices):
    asked.append(modelType)
asked = []
"""
    report, module = inspect_source(source, RUBRIC), load_source(source, "entrega.py")
    row = RUBRIC.rows["model_cross_validation"]
    assert not observed_rules(row, RUBRIC, report, LocalSolution(module), passes=passes)
    assert len(module.asked) >= 3
    assert ("ANN" in module.asked) is passes


LENDER = """
import numpy as np
import pandas
from sklearn.model_selection import train_test_split
def classify_outputs(outputs, *, threshold=0.5):
    return train_test_split(np.arange(outputs), test_size=1) if np.ndim(outputs) == 0 else pandas.get_dummies(outputs)
def hold_out(N, P, Ptest=None):
    return classify_outputs(N)
"""


@pytest.mark.parametrize(
    ("right", "lent", "rules"),
    [
        (True, "0.00", []),
        (True, "0.15", []),
        (True, "0.16", ["calls.forbidden"]),
        (False, "0.00", ["calls.suspicious"]),  # a person should look
    ],
)
def test_what_a_function_has_lost_pays_for_others_once(right, lent, rules):
    """It broke a rule, and answers for those that call it; for as many points as it has, and if it is of use."""
    source = LENDER.encode()
    report, solution = inspect_source(source, RUBRIC), LocalSolution(load_source(source, "entrega.py"))
    told = observed_rules(
        RUBRIC.rows["hold_out"],
        RUBRIC,
        report,
        solution,
        judged={"classify_outputs": right},
        lent={"classify_outputs": Decimal(lent)},
    )
    assert [rule.id for rule in told] == rules


def test_a_module_of_pythons_own_is_no_file_that_was_written(sandbox):
    """It is a part of the interpreter, and comes with whatever library is imported first where it is needed."""
    source = b"def accuracy(outputs, targets, *, threshold=0.5):\n    import __hello__\n    return float(outputs[0])\n"
    report = inspect_source(source, RUBRIC)
    with ProcessSolution(source, sandbox) as solution:
        assert observed_rules(RUBRIC.rows["accuracy"], RUBRIC, report, solution) == []


@pytest.mark.parametrize("asked", ["platform.processor()", "subprocess.run(['uname'])"])
def test_who_prints_the_machine_runs_no_program_of_its_own(asked, sandbox):
    """`platform` asks one of the system for the name of the processor; whatever else runs goes to a person."""
    source = f"import platform, subprocess\ndef accuracy(outputs, targets):\n    return {asked} and 0.5\n".encode()
    with ProcessSolution(source, sandbox) as solution:
        solution.answer("accuracy", np.array([True]), np.array([True]))
        assert solution.noted == (asked != "platform.processor()")


MEAN = """
def accuracy(outputs, targets, *, threshold=0.5):
    return float(np.mean(outputs == targets))
"""


@pytest.mark.parametrize(
    "aside",
    [
        """
        @functools.singledispatch
        def kind(x):
            return "object"

        @kind.register
        def _(x: int):
            return "int"
        """,
        """
        class Kind:
            @functools.singledispatchmethod
            def of(self, x):
                return "object"

            @of.register
            def _(self, x: "list"):
                return "list"
        """,
        "inspect.signature([].append), inspect.signature(len), inspect.signature(np.random.default_rng)",
        "from scipy.optimize import minimize; minimize(lambda x: (x**2).sum(), np.ones(2), callback=[].append)",
    ],
    ids=["singledispatch", "of methods", "signatures", "a callback in C"],
)
def test_what_a_library_reads_of_the_files_own_functions_is_not_told(aside, sandbox):
    """It asks for annotations where they were written, and for the parameters of what it is given."""
    source = "import functools, inspect\nimport numpy as np\n" + textwrap.dedent(aside) + MEAN
    report = inspect_source(source.encode(), RUBRIC)
    with ProcessSolution(source.encode(), sandbox) as solution:
        assert observed_rules(RUBRIC.rows["accuracy"], RUBRIC, report, solution) == []
        assert not solution.noted


def test_a_call_that_counts_on_a_double_to_train_is_watched_with_little_training():
    """A slow training ended there, and the file went to a person for it."""
    asked = []

    def ann_cross_validation(topology, inputs, targets, crossValidationIndices, *, numExecutions=50, maxEpochs=1000):
        asked.append((numExecutions, maxEpochs))

    row = RUBRIC.rows["ann_cross_validation"]
    report = inspect_source(b"def ann_cross_validation(*_, numExecutions=50, maxEpochs=1000): ...", RUBRIC)
    given = [3], np.zeros((4, 2)), np.array(list("abab")), np.array([1, 1, 2, 2])
    call = SpareCall((row.function, given, {"numExecutions": 30, "maxEpochs": 240}), 1, alone=bool, helped=bool)
    observed_rules(row, RUBRIC, report, LocalSolution({row.function: ann_cross_validation}), [call])
    assert len(asked) > 2
    assert set(asked) == {(1, 2)}
