"""Functions that fail before a file is loaded, by whatever way it takes to them."""

import numpy as np
import pytest

from practica.checks.solution import SolutionLost
from practica.grading.rubric import load_rubric
from practica.sandbox.solution import ProcessSolution

WAYS = """
import functools, statistics
import numpy as np, sklearn, torch
import sklearn.svm
from sklearn.metrics import accuracy_score
from sklearn.preprocessing import OneHotEncoder as Encoder

class Own(Encoder): ...

kept = functools.partial(accuracy_score, [1, 0])
labels, table = [["a"], ["b"]], np.array([[1.0], [3.0]])

def function_in_a_partial(): return kept([1, 0])
def class_with_another_name(): return Encoder().fit_transform(labels)
def class_of_ones_own(): return Own().fit_transform(labels)
def private_name(): return sklearn.metrics._classification.accuracy_score([1], [1])
def inherited_method(): return list(sklearn.model_selection.StratifiedKFold(2).split([1] * 4, [0, 0, 1, 1]))
def what_it_calls(): return sklearn.model_selection.cross_val_score(sklearn.svm.SVC(), [[0], [1]] * 5, [0, 1] * 5)
def behind_decorators(): return sklearn.preprocessing.minmax_scale.__wrapped__(table)
def in_c(): return torch.nn.functional.one_hot(torch.tensor([0, 1]))
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
    fitted = [model.fit([[0.0], [1.0]] * 9, [0, 1] * 9).predict([[0.0], [1.0]]).tolist() for model in fitted]
    return fitted, scipy.stats.norm.cdf(0.0), pandas.Series([1, 2]).sum()
"""


@pytest.fixture(scope="module")
def forbidden():
    """Return what some row of the rubric forbids and no other one needs."""
    rows = load_rubric().rows.values()
    needed = {pattern for row in rows for pattern in row.needs}
    return sorted({pattern for row in rows for pattern in row.forbidden} - needed)


def test_what_is_disabled_fails_by_whatever_way_it_is_reached(sandbox, forbidden):
    """In Python or in C, in a module that is there or that is imported later, and nowhere else."""
    with ProcessSolution(WAYS.encode(), sandbox) as solution:
        names = [name for name in solution.names() if f"\ndef {name}()" in WAYS]
        assert [name for name in names if solution.answer(name).error is not None] == []
        with solution.without(forbidden) as without:
            errors = {name: without.answer(name).error for name in names}
        assert [name for name, error in errors.items() if "forbidden" not in str(error and error.message)] == []
        assert len(names) == 11
        assert solution.answer("in_c").error is None


def test_libraries_that_call_it_while_they_are_imported_work(sandbox, forbidden):
    """The lists of what an option may be are made by functions that are forbidden."""
    with ProcessSolution(ALLOWED.encode(), sandbox, disabled=forbidden) as solution:
        assert solution.stop is None
        answer = solution.answer("models")
        assert (answer.error, answer.value) == (None, ([[0, 1], [0, 1]], 0.5, 3))


def test_a_statement_that_fails_without_it_is_left_out_alone(sandbox):
    """An experiment in the middle of a file has nothing to do with what follows."""
    source = b"""
import statistics
def before(): return 1
mean = statistics.mean([1, 2])
print(mean)
def after(): return 2
"""
    with ProcessSolution(source, sandbox, disabled=["statistics.mean"]) as solution:
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
    module = importlib.util.module_from_spec(importlib.machinery.ModuleSpec("_classification", loader))
    module.__package__ = "sklearn.metrics"
    loader.exec_module(module)
    return module.accuracy_score([1], [1])
"""


@pytest.mark.parametrize("way", ["by_another_path", "as_another_module", "compiled"])
def test_a_second_copy_of_a_librarys_file_fails_too(sandbox, forbidden, way):
    """Whatever it is called, and whatever path leads to it."""
    with ProcessSolution(SECOND.encode(), sandbox) as solution:
        assert solution.answer(way).error is None
        with solution.without(forbidden) as without:
            assert without.answer(way).error.message == "this function is forbidden"


def test_what_inherits_from_pythons_own_classes_leaves_them_as_they_are(sandbox):
    """An enum of a library is one of Python's, which needs it everywhere."""
    source = b"import re\nfrom sklearn import ensemble\ndef both(): return (re.I | re.M).name"
    with ProcessSolution(source, sandbox, disabled=["sklearn.ensemble.*"]) as solution:
        assert solution.answer("both").error is None


def test_a_process_of_its_own_remembers_nothing(sandbox):
    """Who has seen a call before could know the answer."""
    source = b"""
known = []
def times(x):
    known.append(x)
    with open("known", "a") as file: file.write("x")
    return len(known), len(open("known").read())
"""
    with ProcessSolution(source, sandbox) as solution:
        assert [solution.times(1), solution.times(np.arange(2))] == [(1, 1), (2, 2)]
        for _ in range(2):
            with solution.without(["statistics.mean"]) as without:
                assert without.times(1) == (1, 1)


def test_all_that_are_asked_for_share_what_the_file_has_needed(sandbox):
    """Who waits for ever where something fails does not cost the time of many submissions."""
    source = b"import statistics\nmean = statistics.mean\ndef wait():\n    while mean([1]): pass\ndef quick(): return 1"
    with ProcessSolution(source, sandbox) as solution:
        assert solution.quick() == 1
        reasons = []
        for _ in range(2):
            with solution.without(["statistics.median"]) as without:
                assert without.limits.total_seconds < 0.5 * solution.limits.total_seconds
                while reasons[-1:] != ["budget"] and len(reasons) < 100:
                    with pytest.raises(SolutionLost) as lost:
                        without.wait()
                    reasons.append(lost.value.reason)
        with solution.without(["statistics.median"]) as without, pytest.raises(SolutionLost, match="budget"):
            without.quick()
        assert solution.quick() == 1
