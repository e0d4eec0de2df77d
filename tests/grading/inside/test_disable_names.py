"""Forbidden functions, which raise where a file is marked, whatever name they are reached by."""

import ast

import pytest

from practica.grading.engine.rubric import forbidden_together, load_rubric
from practica.grading.sandbox.box import Limits
from practica.grading.sandbox.client import ProcessSolution
from practica.grading.sandbox.local import LocalProcesses

WAYS = """
import functools, statistics
import numpy as np, sklearn, torch
import sklearn.neighbors, sklearn.svm
from sklearn.metrics import accuracy_score
from sklearn.preprocessing import OneHotEncoder as Encoder

class Own(Encoder): ...

kept = functools.partial(accuracy_score, [1, 0])
labels, table = [["a"], ["b"]], np.array([[1.0], [3.0]])

def function_in_a_partial(): return kept([1, 0])
def class_with_another_name(): return Encoder().fit_transform(labels)
def class_of_ones_own(): return Own().fit_transform(labels)
def private_name(): return sklearn.metrics._classification.accuracy_score([1], [1])
def inherited_method():
    return list(sklearn.model_selection.StratifiedKFold(2).split([1] * 4, [0, 0, 1, 1]))
def what_it_calls():
    from sklearn.model_selection import cross_val_score
    return cross_val_score(sklearn.svm.SVC(), [[0], [1]] * 5, [0, 1] * 5)
def behind_decorators(): return sklearn.preprocessing.minmax_scale.__wrapped__(table)
def in_c(): return torch.nn.functional.one_hot(torch.tensor([0, 1]))
def operator(): return getattr(torch.ops, "aten").one_hot(torch.tensor([0, 1]), 2)
def operator_with_another_name():
    return torch._C._jit_get_operation("aten::one_hot")[0](torch.tensor([0, 1]), 2)
def class_in_c(): return sklearn.neighbors.BallTree([[0.0], [1.0]], metric="hamming").query([[0.0]])
def method_alone():
    import pandas
    return pandas.Series(["a", "b"]).str.get_dummies()
def module_of_now():
    import sklearn.feature_extraction.text
    return sklearn.feature_extraction.text.CountVectorizer().fit_transform(["one two"])
def imported_anew():
    import sys
    for name in [name for name in sys.modules if name.startswith("sklearn.preprocessing")]:
        del sys.modules[name]
    from sklearn.preprocessing import OneHotEncoder
    return OneHotEncoder().fit_transform(labels)
"""
ALLOWED = """
import sklearn, torch
import sklearn.cluster, sklearn.ensemble, sklearn.linear_model, sklearn.neighbors, sklearn.pipeline
def models():
    import scipy.stats, scipy.spatial, pandas
    fitted = [sklearn.svm.SVC(), sklearn.tree.DecisionTreeClassifier()]
    fitted = [model.fit([[0.0], [1.0]] * 9, [0, 1] * 9) for model in fitted]
    fitted = [model.predict([[0.0], [1.0]]).tolist() for model in fitted]
    return fitted, scipy.stats.norm.cdf(0.0), pandas.Series([1, 2]).sum()
"""


PYTHONS = ("builtins.sorted", "math.sqrt", "random.*", "collections.Counter", "itertools.*")
ROADS = """
import builtins, collections, copy, functools, heapq, importlib, itertools
import math, operator, random as chance, statistics, sys, threading
import numpy as np
from math import sqrt as root
from random import shuffle

alias, kept = sorted, functools.partial(sorted, reverse=True)
table = copy.deepcopy({"f": sorted, "g": [lambda values: sorted(values)]})
data = {"name": "sqrt"}
class Box:
    static = staticmethod(sorted)
    def method(self): return sorted((2, 1))
    @property
    def own(self): return root(4)

def plain(): return sorted((2, 1))
def with_another_name(): return alias((2, 1))
def imported_with_another_name(): return root(4)
def in_a_map(): return [*map(sorted, ((2, 1), (4, 3)))]
def in_a_partial(): return kept((2, 1))
def partial_of_now(): return functools.partial(math.sqrt, 4)()
def as_a_key(): return max((4, 9), key=math.sqrt)
def of_a_literal(): return getattr(math, "sqrt")(4)
def of_a_text(): return getattr(math, data["name"])(4)
def in_a_method(): return Box().method()
def in_a_class(): return Box.static((2, 1))
def in_a_property(): return Box().own
def in_a_table(): return table["f"]((2, 1))
def in_a_lambda(): return table["g"][0]((2, 1))
def as_a_default(function=sorted): return function((2, 1))
def as_text(): return eval("sorted((2, 1))")
def as_code(): exec("import math; math.sqrt(4)", {})
def module_of_builtins(): return builtins.sorted((2, 1))
def dict_of_builtins(): return vars(builtins)["sorted"]((2, 1))
def own_builtins(): return __builtins__["sorted"]((2, 1))
def module_of_a_function(): return len.__self__.sorted((2, 1))
def module_by_name(): return importlib.import_module("math").sqrt(4)
def module_that_is_there(): return sys.modules["math"].sqrt(4)
def module_with_another_name(): return chance.random()
def in_another_module(): return statistics.sqrt(4)
def in_a_dict(): return vars(math)["sqrt"](4)
def in_python(): shuffle([1, 2, 3])
def of_a_class(): return chance.Random().random()
def class_itself(): return collections.Counter("aab")
def method_of_a_class(): return itertools.chain.from_iterable(((1,), (2,)))
def inherited():
    class Own(collections.Counter): ...
    return Own("aab")
def called_by_python(): return heapq.nsmallest(1, (4, 9), key=root)
def called_by_c(): return np.vectorize(root)((4.0, 9.0))
def iterator_in_c(): return [*itertools.accumulate((1, 2))]
def by_operator(): return operator.attrgetter("sqrt")(math)(4)
def reduced(): return functools.reduce(lambda values, each: each(values), [sorted], (2, 1))
def all_of_a_module():
    names = {}
    exec("from math import *", names)
    return names["sqrt"](4)
def generated(): return [*(root(each) for each in (4, 9))]
def in_a_thread():
    found = []
    thread = threading.Thread(target=lambda: found.append(root(4)))
    thread.start(); thread.join()
    return found[0]
def decorated():
    @functools.lru_cache
    def inner(): return root(4)
    return inner()
"""
UNUSED = ("math.*", "random.*", "re.*", "json.decoder.*", "warnings.*", "operator.*")
UNUSED += (
    "functools.*",
    *(f"builtins.{name}" for name in ("list", "len", "int", "sorted", "float")),
)
UNTOUCHED = """
import json, statistics
import numpy as np
from sklearn.model_selection import train_test_split

def libraries():
    np.random.default_rng(1).permutation(4)
    split = train_test_split([1, 2, 3], random_state=1)
    return statistics.stdev([1, 2, 3]), json.loads("[1]"), split
def names_of_classes(value: list[int] | None = None):
    kinds = isinstance([], list), issubclass(bool, int), type([]) == list, {int: 1}[type(1)]
    return kinds, np.zeros(2, dtype=int).astype(float), list.__name__
"""
FORBIDDEN = forbidden_together(load_rubric().rows.values())
OWN_WORK = FORBIDDEN["accuracy"]
PATIENT = Limits(call_seconds=300, import_seconds=300, total_seconds=900)


@pytest.fixture(params=["box", "local"])
def starter(request, sandbox, tmp_path):
    """Return what starts processes: a box, or the student's machine."""
    return sandbox if request.param == "box" else LocalProcesses(tmp_path)


@pytest.mark.thorough
def test_a_forbidden_function_raises_by_whatever_way_it_is_reached(starter):
    """In Python or in C, in a module that is there or is imported later.

    And it works where it is not forbidden.
    """
    names = [line[4:].partition("(")[0] for line in WAYS.splitlines() if line.startswith("def ")]
    with ProcessSolution(WAYS.encode(), starter, PATIENT) as solution:
        solution.forbid(OWN_WORK)
        assert solution.stop is None
        errors = {name: solution.answer(name).error for name in names}
        assert [name for name in names if errors[name] is None] == []
        raised = {
            name: f"{error.type}: {error.message}"
            for name, error in errors.items()
            if name != "imported_anew"
        }
        assert [
            name
            for name, text in raised.items()
            if "Forbidden" not in text and "forbidden" not in text
        ] == []
        solution.forbid(())
        assert [name for name in names if solution.answer(name).error is not None] == []


def test_a_name_of_python_costs_the_line_that_calls_it_by_whatever_road(starter):
    """The file may read it anywhere, and anything may call it later."""
    tree = ast.parse(ROADS)
    roads = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    with ProcessSolution(ROADS.encode(), starter, PATIENT) as solution:
        solution.forbid(PYTHONS)
        found = {}
        for name in roads:
            solution.answer(name)
            found[name] = [*solution.refused().values()]
        lines = {name: [*range(node.lineno, node.end_lineno + 1)] for name, node in roads.items()}
        elsewhere = {"in_a_method": 13, "in_a_property": 15, "in_a_lambda": 9}
        lines |= {name: [line] for name, line in elsewhere.items()}
        assert {n: at for n, at in found.items() if len(at) != 1 or at[0] not in lines[n]} == {}
        solution.forbid(())
        assert [name for name in roads if solution.answer(name).error is not None] == []


def test_a_name_of_python_hurts_nothing_that_does_not_use_it(starter):
    """Libraries live on such names, and the name of a class has other uses than to call it."""
    names = ("libraries", "names_of_classes")
    with ProcessSolution(UNTOUCHED.encode(), starter, PATIENT) as solution:
        expected = [repr(solution.answer(name)) for name in names]
        solution.forbid(UNUSED)
        assert [repr(solution.answer(name)) for name in names] == expected
        assert (solution.refused(), solution.left_out) == ({}, {})


def test_the_names_that_were_called_are_told_with_their_lines(starter):
    """Once, also where the file catches the exception; the line is the file's that led there."""
    source = b"""
import sklearn.metrics
def f():
    try:
        return g()
    except Exception:
        return 1
def g(): return sklearn.metrics.accuracy_score([1], [1])
"""
    with ProcessSolution(source, starter, PATIENT) as solution:
        solution.forbid(OWN_WORK)
        assert solution.f() == 1
        assert solution.refused() == {"sklearn.metrics._classification.accuracy_score": 8}
        assert solution.refused() == {}


def test_libraries_that_call_it_while_they_are_imported_work(sandbox):
    """The lists of what an option may be are made by functions that are forbidden."""
    with ProcessSolution(ALLOWED.encode(), sandbox, PATIENT) as solution:
        solution.forbid(FORBIDDEN["model_cross_validation"])
        assert solution.stop is None
        answer = solution.answer("models")
        assert (answer.error, answer.value) == (None, ([[0, 1], [0, 1]], 0.5, 3))


def test_a_statement_that_needs_it_is_left_out(starter):
    """An experiment in the middle of a file, and what needs its result, have nothing to do with
    what follows.
    """
    source = b"""
import sklearn.metrics
def before(): return 1
score = sklearn.metrics.accuracy_score([1], [1])
print(score)
def after(): return 2
"""
    with ProcessSolution(source, starter, PATIENT) as solution:
        solution.forbid(OWN_WORK)
        assert (solution.names(), solution.stop) == (["before", "after"], None)
        assert [solution.before(), solution.after()] == [1, 2]


SECOND = """
import os, sys
import sklearn
root = os.path.dirname(sklearn.__file__)
sys.path += [root.replace("/sklearn", "//sklearn"), root + "/preprocessing"]
from metrics._classification import accuracy_score
import _label
import importlib.machinery
def by_another_path(): return accuracy_score([1], [1])
def as_another_module(): return _label.label_binarize([0, 1], classes=[0, 1])
def compiled():
    file = root + "/metrics/__pycache__/_classification." + sys.implementation.cache_tag + ".pyc"
    loader = importlib.machinery.SourcelessFileLoader("_classification", file)
    spec = importlib.machinery.ModuleSpec("_classification", loader)
    module = importlib.util.module_from_spec(spec)
    module.__package__ = "sklearn.metrics"
    loader.exec_module(module)
    return module.accuracy_score([1], [1])
"""


@pytest.mark.thorough
@pytest.mark.parametrize("way", ["by_another_path", "as_another_module", "compiled"])
def test_a_second_copy_of_a_librarys_file_raises_too(starter, way):
    """Whatever it is called, and whatever path leads to it; in a box there is no file to copy.

    A statement that imports it is left out.
    """
    with ProcessSolution(SECOND.encode(), starter, PATIENT) as solution:
        assert solution.answer(way).error is None
    with ProcessSolution(SECOND.encode(), starter, PATIENT) as solution:
        solution.forbid(OWN_WORK)
        errors = ("Forbidden", "NameError", "ImportError", "ModuleNotFoundError")
        assert solution.answer(way).error.type in errors


BELOW = b"""
import joblib
from joblib.numpy_pickle import dump as write
from sklearn.model_selection import cross_val_score as scored, KFold

def of_the_package(): return joblib.hash(1)
def of_a_module_below(): return write(1, "file")
def of_a_later_import():
    from joblib.externals.loky import cpu_count
    return cpu_count()
def offered(): return scored(None, [[1]], [1])
def other(): return KFold(2).get_n_splits()
def by_another_function():
    import pandas
    table = pandas.DataFrame({"a": [1, 2]})
    return table.join(table.set_index("a", drop=False).rename(columns={"a": "b"}), on="a")
"""


def test_a_pattern_holds_below_its_package_and_for_what_a_module_offers(starter):
    """`PKG.*` is all of a package; a function may say that it is from a private module.

    What uses a forbidden function raises too.
    """
    with ProcessSolution(BELOW, starter, PATIENT) as solution:
        solution.forbid(["joblib.*", "sklearn.model_selection.cross_val_*", "pandas.merge"])
        called = ["of_the_package", "of_a_module_below", "of_a_later_import", "offered"]
        called.append("by_another_function")
        errors = [solution.answer(name).error for name in called]
        assert [error and error.type for error in errors] == ["Forbidden"] * 5
        assert solution.other() == 2


def test_the_source_of_a_forbidden_function_is_empty_in_a_box(sandbox):
    """And so is what Python has compiled of it; other sources are there."""
    source = b"""
import sklearn.metrics._classification as forbidden
import sklearn.utils.validation as other
files = [file for each in (forbidden, other) for file in (each.__file__, each.__cached__)]
def sizes(): return [len(open(file, "rb").read()) for file in files]
"""
    with ProcessSolution(source, sandbox, PATIENT) as solution:
        solution.forbid(OWN_WORK)
        one, compiled, *others = solution.sizes()
        assert (one, compiled) == (0, 0)
        assert min(others) > 0


def test_what_inherits_from_pythons_own_classes_leaves_them_as_they_are(sandbox):
    """An enum of a library is one of Python's, which needs it everywhere."""
    source = b"import re\nfrom sklearn import ensemble\ndef both(): return (re.I | re.M).name"
    with ProcessSolution(source, sandbox, PATIENT) as solution:
        solution.forbid(["sklearn.ensemble.*"])
        assert solution.answer("both").error is None


def test_a_box_is_another_one_once_something_else_is_forbidden(sandbox):
    """Nothing stays that could bring a forbidden function back, and the file's time goes on."""
    source = b"known = []\ndef times():\n    known.append(1)\n    return len(known)"
    with ProcessSolution(source, sandbox, PATIENT) as solution:
        assert [solution.times(), solution.times()] == [1, 2]
        before = solution.budget.seconds
        solution.forbid(OWN_WORK)
        assert solution.times() == 1
        assert solution.budget.seconds > before
        solution.forbid(OWN_WORK)
        assert solution.times() == 2


AFTER_AN_EXPERIMENT = b"""
import sklearn.metrics
def before(): return 1
def uses(): return score
score = sklearn.metrics.accuracy_score([1], [1])
table = open("not_here.csv")
def after(): return 2
"""


def test_what_fails_after_an_experiment_stops_the_file_only_where_the_experiment_works(sandbox):
    """Where it is forbidden it was left out, and what comes after it may have needed it."""
    with ProcessSolution(AFTER_AN_EXPERIMENT, sandbox, PATIENT) as solution:
        solution.forbid(OWN_WORK)
        assert [solution.before(), solution.after()] == [1, 2]
        assert solution.answer("uses").error.type == "NameError"
        assert list(solution.left_out["score"]) == [
            "sklearn.metrics._classification.accuracy_score"
        ]
        solution.forbid(())
        assert (solution.before(), solution.names()) == (1, ["before", "uses"])
        assert solution.stop.line == 6


@pytest.mark.thorough
def test_loading_a_file_once_more_takes_nothing_of_its_time(sandbox):
    """It is the grader who wants to."""
    source = b"""
import time
def f(): return 1
begin = time.process_time()
while time.process_time() < begin + 1.0: pass
"""
    with ProcessSolution(source, sandbox, Limits(total_seconds=2.5)) as solution:
        for forbidden in ((), OWN_WORK, ()):
            solution.forbid(forbidden)
            assert solution.f() == 1


def test_a_line_that_a_file_forges_is_none(sandbox):
    """What is told of its calls fills the place of a sentence.

    A result with such a line could not be read again.
    """
    source = b"""
import sys
def f():
    frame = sys._getframe()
    while "disabled" not in frame.f_locals: frame = frame.f_back
    frame.f_locals["disabled"].refused.update({"a.b": -5, "c.d": 10**9, "e.f": 3})
"""
    with ProcessSolution(source, sandbox, PATIENT) as solution:
        solution.forbid(OWN_WORK)
        solution.answer("f")
        assert solution.refused() == {"a.b": None, "c.d": None, "e.f": 3}
