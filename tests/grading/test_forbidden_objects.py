# ruff: noqa: E501  (one way around the rule on each line)
"""Forbidden functions and classes under other names and behind other calls: seen where they run, or told to a person."""

import textwrap

import pytest
from judged import RUBRIC, judged

from practica.sandbox.solution import ProcessSolution

IMPORTS = (
    "import functools, operator, sys, threading\nimport numpy as np\nimport sklearn.metrics, sklearn.preprocessing\n"
)


def told(source, row):
    """List what is found for a row: (id, name), the broken rules only."""
    source = IMPORTS + textwrap.dedent(source)
    return [(rule.id, rule.message_facts.get("name")) for rule in judged(source, row) if rule.severity == "broken"]


def accuracy(body, before=""):
    """Write a file with an `accuracy` that ends so."""
    head = "def accuracy(outputs, targets, *, threshold=0.5):\n    outputs = np.asarray(outputs) >= threshold\n"
    return f"{textwrap.dedent(before)}\n{head}{textwrap.indent(textwrap.dedent(body), '    ')}\n"


BOOST = "import sklearn.ensemble._weight_boosting as boost\n"
FIND = "found = [value for name, value in globals()['sklearn'].metrics.{}.items() if name.startswith('accuracy_s')]\n"

HIDDEN = {
    "a re-export": accuracy("return boost.accuracy_score(targets, outputs)", BOOST),
    "a re-export that is taken by its name": accuracy("return score(targets, outputs)", f"{BOOST}score = boost.accuracy_score"),
    "a re-export behind an if": accuracy("return boost.accuracy_score(targets, outputs) if len(outputs) == 13 else 0", BOOST),
    "a name that is put together": accuracy("return getattr(boost, 'accuracy_' + 'score')(targets, outputs)", BOOST),
    "a name from globals": accuracy("return globals()['sc' + 'ore'](targets, outputs)", f"{BOOST}score = boost.accuracy_score"),
    "a module that is an argument": accuracy("return of(boost)(targets, outputs)", BOOST + "def of(m, name='accuracy_score'): return getattr(m, name)"),
    "a function that a function returns": accuracy("return score()(targets, outputs)", BOOST + "def score():\n    return boost.accuracy_score"),
    "partial": accuracy("return functools.partial(take(boost), targets)(outputs)", BOOST + "take = lambda m: m.accuracy_score"),
    "map": accuracy("return list(map(take(boost), [targets], [outputs]))[0]", BOOST + "take = lambda m: m.accuracy_score"),
    "reduce": accuracy("return functools.reduce(take(boost), [targets, outputs])", BOOST + "take = lambda m: m.accuracy_score"),
    "operator.call": accuracy("return operator.methodcaller('accuracy_score', targets, outputs)(boost)", BOOST),
    "vectorize": accuracy(
        "return np.vectorize(take(boost), signature='(n),(n)->()')(targets.ravel(), outputs.ravel())",
        BOOST + "take = lambda m: m.accuracy_score",
    ),
    "a lambda in a dict": accuracy("return T['a'](targets, outputs)", BOOST + "T = {}\nT['a'] = lambda t, o: boost.accuracy_score(t, o)"),
    "an object that keeps it": accuracy(
        "return Keeper(boost).score(targets, outputs)",
        BOOST + "class Keeper:\n    def __init__(self, m): self.score = m.accuracy_score",
    ),
    "an operator of a class": accuracy(
        "return (Pair(targets) @ Pair(outputs))",
        BOOST + "class Pair:\n    def __init__(self, x): self.x = x\n    def __matmul__(self, o): return boost.accuracy_score(self.x, o.x)",
    ),
    "a default": accuracy("return score(targets, outputs)", BOOST + "def score(t, o, f=boost.accuracy_score): return f(t, o)"),
    "a decorator": accuracy(
        "return score(targets, outputs)",
        BOOST + "def instead(f): return boost.accuracy_score\n@instead\ndef score(t, o): ...",
    ),
    "a thread": accuracy(
        "out = []\nt = threading.Thread(target=lambda: out.append(boost.accuracy_score(targets, outputs)))\nt.start(); t.join()\nreturn out[0]",
        BOOST,
    ),
    "a generator": accuracy("return next(score(targets, outputs))", BOOST + "def score(t, o):\n    f = boost.accuracy_score\n    yield f(t, o)"),
    "an unpacked tuple": accuracy("f, g = (boost.accuracy_score, 1)\nreturn f(targets, outputs)", BOOST),
    "a star in a call": accuracy("return take(boost)(*[targets, outputs])", BOOST + "take = lambda m: m.accuracy_score"),
    "an import inside": accuracy("from sklearn.ensemble._weight_boosting import accuracy_score as f\nreturn f(targets, outputs)"),
    "the inner function": accuracy("return boost.accuracy_score.__wrapped__(targets, outputs)", BOOST),
    "a scorer": accuracy("return sklearn.metrics.get_scorer('accuracy')._score_func(targets, outputs)"),
    "the score of a model": accuracy(
        "from sklearn.dummy import DummyClassifier\nclass M(DummyClassifier):\n    def predict(self, X): return X\n"
        "return M().score(outputs, targets)"
    ),
    "__dict__": accuracy(FIND.format("__dict__") + "return found[0](targets, outputs)"),
    "vars": accuracy("return vars(boost)['accuracy_score'](targets, outputs)", BOOST),
    "sys.modules": accuracy("return sys.modules['sklearn.metrics'].accuracy_score(targets, outputs)"),
    "importlib": accuracy("return importlib.import_module('sklearn.metrics').accuracy_score(targets, outputs)", "import importlib"),
    "__import__": accuracy("return __import__('sklearn.metrics').metrics.accuracy_score(targets, outputs)"),
    "the loader": accuracy("return __loader__ or np.__spec__.loader.load_module('numpy')"),
    "pickle": accuracy("return pickle.loads(b'csklearn.metrics\\naccuracy_score\\n.')(targets, outputs)", "import pickle"),
    "globals of a function": accuracy("return boost.clone.__globals__['accuracy_score'](targets, outputs)", BOOST),
    "globals of a function by its name": accuracy("return getattr(boost.is_classifier, '__globals__')", BOOST),
    "subclasses": accuracy("return [c for c in object.__subclasses__() if c.__name__ == 'x']"),
    "code that is replaced": accuracy("return 0", "def f(t, o): ...\ndef g(h): f.__code__ = h"),
    "a function from code": accuracy("import types\nreturn types.FunctionType(boost.accuracy_score, {})", BOOST),
    "gc": accuracy("return gc.get_objects", "import gc"),
    "ctypes": accuracy("return ctypes.pythonapi", "import ctypes"),
    "frames": accuracy("return sys._getframe().f_back"),
    "frames by the log": accuracy("return logging.currentframe()", "import logging"),
    "a module that an object keeps": accuracy("return warnings.catch_warnings()._module", "import warnings"),
    "frames by a module that an object keeps": accuracy("return outputs.traceback.walk_stack(None)"),
    "frames by an error": accuracy("return next(traceback.walk_tb(error.__traceback__))", "import traceback"),
    "a private name of Python's": accuracy("return warnings._next_external_frame", "import warnings"),
    "frames by a pattern": accuracy("match error:\n    case object(tb_frame=object(f_back=frame)): return frame"),
    "frames by a formatter": accuracy("import string\nreturn string.Formatter().get_field('0.tb_' + 'frame', [error], {})"),
    "a program in a text": accuracy("import torch\nreturn torch.jit.CompilationUnit('def f(): return 1').f()"),
    "a function that is compiled": accuracy("import torch\nreturn torch.jit.script(np.mean)(outputs)"),
    "a function of a library that is replaced": accuracy("return 0", "import colorsys\ncolorsys.yiq_to_rgb = lambda *yiq: yiq"),
    "a look at the trace": accuracy("return 0 if sys.gettrace() else 1"),
    "a look at the profile": accuracy("return 0 if sys.getprofile() else 1"),
    "the profile taken off": accuracy("sys.setprofile(None)\nreturn boost.accuracy_score(targets, outputs)", BOOST),
    "another profile": accuracy("return 0", "import cProfile\ndef f(): cProfile.Profile().enable()"),
    "eval": accuracy("return eval('sklearn.metrics.accuracy_score')(targets, outputs)"),
    "eval under another name": accuracy("return globals()['__buil' + 'tins__']['ev' + 'al']('1')"),
    "compile and exec": accuracy("exec(compile('x = 1', '', 'exec'))\nreturn 0"),
    "a thread that runs already": accuracy("return 0", "pool = threading.Thread(target=print)"),
    "a module inside another that is handed on": accuracy("return [contextlib.sys][0].modules", "import contextlib"),
    "a module of threads inside another": accuracy("return take(logging.threading)", "import logging\ntake = lambda m: m"),
    "a name found in a configuration": accuracy("return logging.config.BaseConfigurator({})", "import logging.config"),
    "ctypes by an array": accuracy("return outputs.ctypes._ctypes"),
    "an array wherever it says": accuracy("return 0", "def f(x):\n    x.__array_interface__ = {}"),
    "an array of a class wherever it says": accuracy("return 0", "class M:\n    __array_interface__ = {}"),
    "an array of any attribute": accuracy("return 0", "class M:\n    def __getattr__(self, name): return {}"),
    "an array beyond its memory": accuracy("return np.lib.stride_tricks.as_strided(outputs, (9,), (1,))"),
    "torch's engine by hand": accuracy("return engine.run_backward()"),
    "a function that says to be of another module": accuracy("outputs.append.__module__ = 'numpy'"),
    "an annotation": accuracy("return 0", "import ctypes\ndef f(x: ctypes.pythonapi): ..."),
    "an annotation of what is returned": accuracy("return 0", "import ctypes\ndef f() -> str(ctypes): ..."),
    "an annotation of a variable": accuracy("return 0", "import ctypes\nx: str(ctypes) = 0"),
    "what isinstance asks for": accuracy("return isinstance(0, take(sys.modules))"),
    "isinstance of one's own": accuracy("return isinstance(0, sys.modules)", "def isinstance(x, kind): return kind"),
    "getattr of one's own": accuracy("return getattr(sys, 'argv')", "def getattr(x, name): return x"),
    "another interpreter": accuracy("return 0", "def f():\n    import _xxsubinterpreters as sub\n    return sub.create()"),
    "what Python's modules are made of": accuracy("return part", "from _posixsubprocess import fork_exec as part"),
    "a thread by hand": accuracy("return outputs.modules['x'].start_new_thread"),
    "a descriptor": accuracy("return type(outputs).__dict__['x'].__get__(outputs)"),
    "the attributes of a pattern": accuracy("return 0", "class All:\n    __match_args__ = ('__glo' + 'bals__',)"),
    "inspect": accuracy("return dict(inspect.getmembers(sklearn.metrics))", "import inspect"),
}  # fmt: skip


SEEN = {"a re-export", "a re-export behind an if", "a module that is an argument", "a function that a function returns"}
SEEN |= {"partial", "map", "reduce", "vectorize", "an object that keeps it", "an operator of a class", "a thread"}
SEEN |= {"a generator", "a decorator", "a name from globals", "an import inside"}


@pytest.mark.slow
@pytest.mark.parametrize("way", HIDDEN)
def test_a_forbidden_function_loses_the_points_or_goes_to_a_person(way):
    """However it is reached; what is seen is told once, under the name of the rubric."""
    found = told(HIDDEN[way], "accuracy")
    assert {rule for rule, _ in found} & {"calls.forbidden", "calls.exec", "calls.suspicious"}
    if way in SEEN:
        [name] = [name for rule, name in found if rule == "calls.forbidden"]
        assert name.startswith(("sklearn.metrics.accuracy_score", "sklearn.ensemble._weight_boosting"))


@pytest.mark.parametrize("above", range(4))
def test_a_trace_that_is_lost_hides_nothing(above, sandbox):
    """In the box, as in a class: a recursion without end, which is watched too, may end the file's process."""
    before = BOOST + textwrap.dedent("""
    def deep(above):
        if above: return deep(above - 1)
        try: deep(0)
        except RecursionError: ...
    def again(above):
        try: again(above)
        except RecursionError: ...
    take = lambda m: m.accuracy_score
    """)
    source = IMPORTS + accuracy(f"again({above})\ndeep({above})\nreturn take(boost)(targets, outputs)", before)
    with ProcessSolution(source.encode(), sandbox) as solution:
        rules = judged(source, "accuracy", solution)
    assert {"calls.forbidden", "calls.suspicious"} & {rule.id for rule in rules if rule.severity == "broken"}


@pytest.mark.parametrize(
    ("row", "body", "name"),
    [
        ("one_hot_encoding(feature, classes=None)", "import sklearn.compose as m\nreturn m._column_transformer._get_feature_names", None),
        ("one_hot_encoding(feature, classes=None)", "return of('LabelBinarizer')().fit_transform(feature)", "LabelBinarizer"),
        ("one_hot_encoding(feature, classes=None)", "return sub('LabelBinarizer').fit_transform(feature)", "LabelBinarizer"),
        ("one_hot_encoding(feature, classes=None)", "return late('LabelBinarizer').fit_transform(feature)", "LabelBinarizer"),
        ("one_hot_encoding(feature, classes=None)", "from pandas.core.reshape import encoding\nreturn encoding.get_dummies(feature)", "get_dummies"),
        ("one_hot_encoding(feature, classes=None)", "import torch\n[out] = map(vars(torch.nn.functional)['one_hot'], [torch.tensor([0])])", "one_hot"),
        ("one_hot_encoding(feature, classes=None)", "from scipy.stats import contingency as c\nreturn c.crosstab(np.arange(len(feature)), feature)", "crosstab"),
        ("one_hot_encoding(feature, classes=None)", "import pandas\nreturn pandas.crosstab(np.arange(len(feature)), feature)", "crosstab"),
        ("classify_outputs(outputs, *, threshold=0.5)", "return sklearn.metrics.confusion_matrix(np.arange(len(outputs)), outputs.argmax(axis=-1))", "confusion_matrix"),
        ("one_hot_encoding(feature, classes=None)", "from sklearn.feature_extraction import text\nreturn text.CountVectorizer().fit_transform(feature)", "CountVectorizer"),
        ("normalize_min_max(dataset, normalizationParameters=None)", "import matplotlib.pyplot as plt\nreturn [*map(plt.Normalize(), dataset)]", "Normalize"),
        ("normalize_min_max(dataset, normalizationParameters=None)", "return of('minmax_scale')(dataset)", "minmax_scale"),
        ("normalize_zero_mean(dataset, normalizationParameters=None)", "from scipy.stats import _stats_py as s\nreturn s.zscore(dataset)", "zscore"),
    ],
)  # fmt: skip
def test_classes_and_their_kin_are_seen_too(row, body, name):
    """A subclass, an object without its `__init__`, a function of a private module, one in C that nobody's line calls."""
    before = """
    m = sklearn.preprocessing._label, sklearn.preprocessing._data
    def of(name):
        return next(getattr(each, name) for each in m if hasattr(each, name))
    def sub(name):
        class Mine(of(name)):
            def __init__(self): self.neg_label, self.pos_label, self.sparse_output = 0, 1, False
        return Mine()
    def late(name):
        made = object.__new__(of(name))
        made.neg_label, made.pos_label, made.sparse_output = 0, 1, False
        return made
    """
    source = f"{textwrap.dedent(before)}\ndef {row}:\n{textwrap.indent(body, '    ')}"
    found = [found for rule, found in told(source, row.partition("(")[0]) if rule == "calls.forbidden"]
    assert len(found) == (name is not None)
    assert name is None or found[0].endswith(name)


@pytest.mark.parametrize(
    ("row", "source"),
    [
        ("accuracy", accuracy("return (outputs == targets).mean()", "from sklearn.metrics import accuracy_score")),
        ("accuracy", accuracy("begin = time.perf_counter()\nprint(time.perf_counter() - begin)\nreturn 0", "import time")),
        ("accuracy", accuracy("return np.sum(sklearn.utils.check_array(outputs.reshape(-1, 1)))", "import sklearn.utils")),
        (
            "confusion_matrix_binary",
            accuracy("return metrics.accuracy_score(targets, outputs)", "from sklearn import metrics")
            + "def confusion_matrix(outputs, targets, *, threshold=0.5, weighted=True):\n    return accuracy(outputs, targets)",
        ),
        ("normalize_min_max", "def normalize_min_max(dataset, normalizationParameters=None):\n    return sklearn.metrics.accuracy_score([1], [1])"),
        (
            "model_cross_validation",
            "def model_cross_validation(modelType, modelHyperparameters, inputs, targets, crossValidationIndices):\n"
            "    from sklearn.svm import SVC\n    return SVC().fit(inputs, targets).score(inputs, targets)",
        ),
    ],
)  # fmt: skip
def test_what_may_be_used_is_not_told(row, source):
    """An import, a clock, a helper of a package, another function of the rubric, another row's forbidden function."""
    assert told(source, row) == []


def test_the_line_is_that_of_the_call():
    """In the student's file, also through a helper."""
    source = IMPORTS + accuracy("return f(boost)(targets, outputs)", BOOST + "def f(m): return m.accuracy_score")
    rules = [rule for rule in judged(source, "accuracy") if rule.id == "calls.forbidden"]
    assert [rule.line for rule in rules] == [source.split("return f(")[0].count("\n") + 1]
    assert RUBRIC.rows["accuracy"].cost_of("calls.forbidden") == "zero"
