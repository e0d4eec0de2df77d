"""The rules on the source, on small files as students write them: right, wrong, and trying to get away with it."""

import ast
import importlib
import textwrap
import warnings

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from judged import RUBRIC, judged
from judged import broken as broken_in_action

from practica.checks.loading import decode, load_source
from practica.grading.rubric import RULES
from practica.grading.rules import inspect_source
from practica.grading.source import Module, parse

IMPORTS = """
import functools, importlib, operator, sys
import numpy as np
import torch
"""


def inspect(source, row=None):
    """Inspect a source given as an indented text."""
    report = inspect_source(textwrap.dedent(source).encode(), RUBRIC)
    return report if row is None else report.functions[row]


def broken(source, row):
    """List the ids of the rules that a function breaks, but for what only goes to a person."""
    costs = RUBRIC.rows[row]
    return [rule.id for rule in inspect(source, row).broken if costs.cost_of(rule.id) != "flag"]


def flagged(source, row):
    """List what goes to a person, by the name that is told."""
    costs = RUBRIC.rows[row]
    return [rule.message_facts["name"] for rule in inspect(source, row).broken if costs.cost_of(rule.id) == "flag"]


def advice(source, row):
    """List the ids of the advice for a function."""
    return [rule.id for rule in inspect(source, row).rules if rule.severity == "advice"]


# --- Functions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "written"),
    [
        ("crossvalidation", "crossValidation"),
        ("crossvalidation", "cross_validation"),
        ("ann_cross_validation", "ANNCrossValidation"),
        ("ann_cross_validation", "annCrossvalidation"),
        ("one_hot_encoding", "oneHotEncoding"),
        ("one_hot_encoding", "one_hot_encode"),
        ("normalize_min_max_", "normalizeMinMax_"),
        ("normalize_min_max", "normalizeMinMax"),
        ("build_class_ann", "buildClassANN"),
        ("classify_outputs", "clasify_outputs"),
        ("confusion_matrix_binary", "confusionMatrix"),
    ],
)
def test_a_missing_function_names_what_looks_like_it(row, written):
    """Julia's spelling, or a slip."""
    report = inspect(f"def f(x): ...\ndef {written}(*args): ...", row)
    (rule,) = report.rules
    assert (report.found, rule.id, rule.line, rule.message_facts["closest"]) == (False, "signature.missing", 2, written)


@pytest.mark.parametrize(
    ("body", "written"),
    [
        ("...", False),
        ("pass", False),
        ("'Nothing yet.'", False),
        ("'Nothing yet.'; raise NotImplementedError", False),
        ("raise NotImplementedError('soon')", False),
        ("return None", True),
        ("raise ValueError('never')", True),
        ("outputs = targets; raise NotImplementedError", True),
    ],
)
def test_a_function_of_a_template_is_found_but_not_written(body, written):
    """A docstring, `pass`, `...` and `raise NotImplementedError` are what a template holds."""
    report = inspect(f"def accuracy(outputs, targets): {body}", "accuracy")
    assert (report.found, report.written) == (True, written)
    assert report.rules == ()


def test_a_function_is_written_if_one_of_its_meanings_is():
    """Of two definitions one may count, so that the function is judged."""
    source = "if x:\n    def accuracy(o, t, threshold=0.5): ...\nelse:\n    def accuracy(o, t, threshold=0.5): return o"
    assert inspect(source, "accuracy").written


def test_a_function_that_is_defined_by_another_is_found():
    """Only running tells whether it is there."""
    source = "def define():\n    global accuracy\n    def accuracy(o, t, threshold=0.5): return o\ndefine()"
    assert inspect(source, "accuracy").found


def test_a_function_that_has_its_own_row_is_nobody_elses_misspelling():
    """`normalize_min_max` is there, `normalize_min_max_` is not."""
    (rule,) = inspect("def normalize_min_max(dataset, p=None): ...", "normalize_min_max_").rules
    assert "closest" not in rule.message_facts


# --- Loops ----------------------------------------------------------------------------------------------------------

ACCURACY = "def accuracy(outputs, targets, *, threshold=0.5):"


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        (f"{ACCURACY}\n    for o in outputs: pass", "2"),
        (f"{ACCURACY}\n    while True:\n        for o in outputs: pass", "2, 3"),
        (f"{ACCURACY}\n    return count(outputs)\ndef count(x):\n    for o in x: pass", "4"),
        (f"{ACCURACY}\n    def count(x):\n        for o in x: pass\n    return count(outputs)", "3"),
        (f"def a(x): return b(x)\ndef b(x):\n    for o in x: a(o)\n{ACCURACY}\n    return a(outputs)", "3"),
        (f"def h(x):\n    for o in x: pass\nk = h\n{ACCURACY}\n    j = k\n    return j(outputs)", "2"),
        (f"def h(x):\n    for o in x: pass\n{ACCURACY}\n    return list(map(h, outputs))", "2"),
        (f"def h(x):\n    for o in x: pass\nT = {{'a': h}}\n{ACCURACY}\n    return T['a'](outputs)", "2"),
        (f"T = {{}}\ndef h(x):\n    for o in x: pass\nT['a'] = h\n{ACCURACY}\n    return T['a'](outputs)", "3"),
        (f"class C:\n    def m(self, x):\n        for o in x: pass\n{ACCURACY}\n    return C().m(outputs)", "3"),
        (f"class C:\n    def __init__(self, x):\n        for o in x: pass\n{ACCURACY}\n    return C(outputs)", "3"),
        (
            "class B:\n    def m(self, x):\n        for o in x: pass\nclass C(B):\n    pass\n"
            f"{ACCURACY}\n    return C().m(outputs)",
            "3",
        ),
        (
            "class P:\n    def h(self, x):\n        for o in x: pass\n    def acc(self, outputs, targets, threshold=0.5):\n"  # noqa: E501
            "        return self.h(outputs)\np = P()\naccuracy = p.acc",
            "3",
        ),
        (
            f"import functools\n@functools.singledispatch\n{ACCURACY}\n    return 0\n@accuracy.register(list)\n"
            "def _(outputs, targets, *, threshold=0.5):\n    for o in outputs: pass",
            "7",
        ),
        (
            "CASES = {}\ndef case(kind):\n    def keep(f):\n        CASES[kind] = f\n        return f\n    return keep\n"  # noqa: E501
            f"@case('bool')\ndef of_bools(x):\n    for o in x: pass\n{ACCURACY}\n    return CASES['bool'](outputs)",
            "9",
        ),
        (
            "def again(f):\n    def inner(*args, **kwargs):\n        for i in range(2): f(*args, **kwargs)\n    return inner\n"  # noqa: E501
            f"@again\n{ACCURACY}\n    return 0",
            "3",
        ),
        (f"{ACCURACY}\n    match outputs:\n        case [a, *b]:\n            for o in b: pass", "4"),
        (f"{ACCURACY}\n    return globals()['he' + 'lp'](outputs)\ndef help(x):\n    for o in x: pass", "4"),
        ("accuracy = lambda outputs, targets, threshold=0.5: h(outputs)\ndef h(x):\n    for o in x: pass", "3"),
    ],
)
def test_a_loop_counts_wherever_the_function_runs_it(source, lines):
    """In the function, in its helpers, under any name; with the lines. What the text hides is seen when it runs."""
    rules = [rule for rule in judged(source, "accuracy") if rule.id == "loops.too_many"]
    assert [", ".join(map(str, rule.message_facts["lines"])) for rule in rules] == [lines]


@pytest.mark.parametrize(
    "source",
    [
        f"{ACCURACY}\n    return (outputs == targets).mean()",
        f"def other(x):\n    for o in x: pass\n{ACCURACY}\n    return 0",
        f"def classify_outputs(outputs, *, threshold=0.5):\n    for o in outputs: pass\n{ACCURACY}\n"
        "    return classify_outputs(outputs, threshold=threshold)",
        f"{ACCURACY}\n    '''for x in y: pass'''\n    # for x in y: pass\n    return 0",
        f"{ACCURACY}\n    return 0\nfor i in range(3): print(i)",
        f"{ACCURACY}\n    return 0\nif __name__ == '__main__':\n    for i in range(3): print(accuracy(i, i))",
        f"{ACCURACY}\n    for o in outputs: pass\n{ACCURACY}\n    return 0",
        f"def load():\n    for i in range(3): pass\nDATA = load()\n{ACCURACY}\n    return DATA",
        f"class C:\n    def __init__(self):\n        for i in range(3): pass\nc = C()\n{ACCURACY}\n    return c",
        f"import numpy as np\ndef h(x):\n    for o in x: pass\nv = np.vectorize(h)\n{ACCURACY}\n    return np.mean(outputs)",  # noqa: E501
        f"def timed(f):\n    for i in range(3): pass\n    return f\n{ACCURACY}\n    return 0",
    ],
)
def test_a_loop_of_somebody_else_does_not_count(source):
    """Another function of the rubric, a test at the end of the file, a text, what runs once on import."""
    assert broken_in_action(source, "accuracy") == []


def test_a_network_class_counts_its_construction_and_not_its_use():
    """One loop to build the layers, and one in `forward`, which `build_class_ann` does not run."""
    source = """
    from torch import nn
    class Red(nn.Module):
        def __init__(self, n):
            super().__init__()
            for i in range(n): ...
        def forward(self, x):
            for layer in self.layers: x = layer(x)
            return x
    def build_class_ann(numInputs, topology, numOutputs, *, transferFunctions=None):
        return Red(len(topology))
    """
    assert broken(source, "build_class_ann") == []


NETWORK_CLASS = """
    class Red(nn.Module):
        def __init__(self, sizes):
            super().__init__()
            self.layers = nn.ModuleList()
            for size in sizes:
                self.layers.append(nn.Linear(size, size))

        def forward(self, x):
            for layer in self.layers:
                x = layer(x)
            return x
"""
TRAINING = """
    def train_class_ann(topology, trainingDataset, *, validationDataset=None, testDataset=None, transferFunctions=None,
                        maxEpochs=1000, minLoss=0.0, learningRate=0.01, maxEpochsVal=20):
        ann = {made}
        for epoch in range(maxEpochs):
            loss = ann(trainingDataset[0]).sum()
        return ann
"""


@pytest.mark.parametrize(
    ("made", "rules"), [("build_class_ann(1, topology, 1)", []), ("Red(topology)", ["loops.too_many"])]
)
def test_the_class_of_a_network_is_judged_with_the_function_that_makes_it(made, rules):
    """Training calls the network, whose loops over the layers are those of the function that builds it."""
    building = """
    def build_class_ann(numInputs, topology, numOutputs, *, transferFunctions=None):
        return Red([numInputs, *topology, numOutputs])
    """
    source = NETWORK_CLASS + building + TRAINING.format(made=made)
    assert broken(source, "train_class_ann") == rules
    assert broken(source, "build_class_ann") == []


def test_a_loop_is_counted_once_however_often_its_helper_is_called():
    """Loops are statements, not executions."""
    source = """
    def layers(x):
        for i in x: ...
    def build_class_ann(numInputs, topology, numOutputs, *, transferFunctions=None):
        layers(1); layers(2)
    """
    assert broken(source, "build_class_ann") == []
    assert broken(source.replace("layers(1);", "for i in 1, 2: "), "build_class_ann") == ["loops.too_many"]


@pytest.mark.parametrize(
    ("expression", "rule"),
    [
        ("[o for o in outputs]", "loops.comprehension"),
        ("sum(o for o in outputs)", "loops.comprehension"),
        ("{o: 1 for o in outputs}", "loops.comprehension"),
        ("list(map(str, outputs))", "loops.hidden"),
        ("functools.reduce(operator.add, outputs)", "loops.hidden"),
        ("np.vectorize(str)(outputs)", "loops.hidden"),
        ("np.apply_along_axis(np.sum, 1, outputs)", "loops.hidden"),
        ("fold(outputs)", "loops.recursion"),
    ],
)
def test_a_loop_in_disguise_is_advice(expression, rule):
    """The course's own answer without loops is a comprehension; about the rest it is silent."""
    source = f"{IMPORTS}\ndef fold(x): return fold(x[1:])\n{ACCURACY}\n    return {expression}"
    assert broken(source, "accuracy") == []
    assert advice(source, "accuracy") == [rule]


@pytest.mark.parametrize(
    ("row", "source"),
    [
        ("build_class_ann", "{0}\n    names = [1 for _ in topology]\n    for n in topology: ..."),
        ("train_class_ann", "{0}\n    if len(topology): return train_class_ann(topology, trainingDataset)"),
    ],
)
def test_where_a_loop_is_allowed_there_is_no_advice_about_loops(row, source):
    """Functions in a list are no array, and a function may call itself for another type as it did in Julia."""
    head = f"def {row}{RUBRIC.rows[row].overloads[0]}:".replace("'", "")
    assert advice(source.format(head), row) == []


# --- Forbidden calls ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("imports", "call"),
    [
        ("import sklearn.metrics", "sklearn.metrics.accuracy_score(targets, outputs)"),
        ("import sklearn.metrics as m", "m.accuracy_score(targets, outputs)"),
        ("from sklearn import metrics", "metrics.accuracy_score(targets, outputs)"),
        ("from sklearn import metrics as m", "m.accuracy_score(targets, outputs)"),
        ("from sklearn.metrics import accuracy_score", "accuracy_score(targets, outputs)"),
        ("from sklearn.metrics import accuracy_score as f", "f(targets, outputs)"),
        ("from sklearn.metrics import *", "accuracy_score(targets, outputs)"),
        ("from numpy import *\nfrom sklearn.metrics import *", "accuracy_score(targets, outputs)"),
        ("import sklearn.metrics\nf = sklearn.metrics.accuracy_score", "f(targets, outputs)"),
        ("import sklearn.metrics\nT = {'a': sklearn.metrics.accuracy_score}", "T['a'](targets, outputs)"),
        ("import sklearn.metrics", "getattr(sklearn.metrics, 'accuracy_score')(targets, outputs)"),
        ("import sklearn", "getattr(getattr(sklearn, 'metrics'), 'accuracy_score')(targets, outputs)"),
        ("import sklearn.metrics as m", "m.__dict__['accuracy_score'](targets, outputs)"),
        ("from functools import partial\nimport sklearn.metrics as m", "partial(m.accuracy_score, targets)(outputs)"),
        ("from sklearn.metrics import accuracy_score as f", "h(targets, outputs)\ndef h(t, o): return f(t, o)"),
        ("try:\n    from sklearn.metrics import accuracy_score as f\nexcept ImportError:\n    f = None", "f(outputs)"),
        ("", "f(targets)\ndef f(t):\n    from sklearn.metrics import accuracy_score\n    return accuracy_score(t, t)"),
        ("from sklearn.metrics import accuracy_score as f", "(lambda: f(targets, outputs))()"),
        ("import sklearn.metrics as m", "list(map(m.accuracy_score, targets, outputs))"),
        ("import torchmetrics", "torchmetrics.Accuracy('binary')(outputs, targets)"),
        ("from torchmetrics import Accuracy\nmetric = Accuracy('binary')", "metric(outputs, targets)"),
        ("import pandas as pd", "pd.crosstab(outputs, targets)"),
        ("import sklearn.metrics as m\nclass C:\n    f = m.accuracy_score", "C().f(outputs)"),
    ],
)
def test_a_forbidden_function_is_found_under_any_name(imports, call):
    """What counts is what is called, not how it is written."""
    source = f"{imports}\ndef accuracy(outputs, targets, *, threshold=0.5):\n    return {call}"
    assert broken(source, "accuracy") == ["calls.forbidden"]


def test_a_forbidden_function_may_be_the_function_itself():
    """Imported under the name that was asked for."""
    source = "from sklearn.metrics import confusion_matrix, accuracy_score as accuracy"
    assert broken(source, "confusion_matrix_binary") == broken(source, "accuracy") == ["calls.forbidden"]
    source += "\ndef confusion_matrix(outputs, targets, threshold=0.5): return accuracy(outputs, targets)"
    assert broken(source, "confusion_matrix_binary") == []


@pytest.mark.parametrize(
    "source",
    [
        "from sklearn.metrics import accuracy_score\n{}",
        "# sklearn.metrics.accuracy_score(outputs)\n{}\n    '''like sklearn.metrics.accuracy_score'''",
        "from sklearn.metrics import accuracy_score\n{}\n    return 'accuracy_score'",
        "from sklearn.metrics import accuracy_score\n{}\n    accuracy_score = 3\n    return accuracy_score",
        "from sklearn.metrics import accuracy_score\ndef accuracy_score(o, t): return 1\n{}\n    return accuracy_score(1, 2)",  # noqa: E501
        "from sklearn.metrics import accuracy_score\n{}\n    return 0\nassert accuracy(1, 1) == accuracy_score(1, 1)",
        "from sklearn.metrics import *\nfrom numpy import *\n{}\n    return mean(outputs == targets)",
        "import sklearn\n{}\n    return getattr(outputs, 'mean')()",
        "class modelo:\n    metrics = None\n{}\n    return modelo.metrics.accuracy_score",
    ],
)
def test_a_forbidden_name_that_is_not_called_costs_nothing(source):
    """Comments, texts, imports, own functions of that name, and comparisons outside the function."""
    assert broken(source.format(ACCURACY) + "\n    return 0" * source.endswith("{}"), "accuracy") == []


def test_a_forbidden_import_that_is_not_used_is_advice():
    """It is told, and costs nothing."""
    source = f"from sklearn.metrics import accuracy_score\n{ACCURACY}\n    return 0"
    assert advice(source, "accuracy") == ["imports.unused"]


def test_only_the_functions_that_reach_a_forbidden_call_lose_by_it():
    """A helper's fault is its callers'; a function of the rubric bears its own."""
    source = """
    from sklearn import metrics
    def helper(o, t): return metrics.confusion_matrix(o, t)
    def accuracy(outputs, targets, *, threshold=0.5): return helper(outputs, targets)
    def confusion_matrix(outputs, targets, *, threshold=0.5, weighted=True): return accuracy(outputs, targets)
    """
    assert broken(source, "accuracy") == ["calls.forbidden"]
    assert broken(source, "confusion_matrix_binary") == []


@pytest.mark.parametrize(
    ("row", "call"),
    [
        ("one_hot_encoding", "sklearn.preprocessing.OneHotEncoder().fit_transform(a)"),
        ("one_hot_encoding", "pandas.get_dummies(a)"),
        ("one_hot_encoding", "torch.nn.functional.one_hot(a)"),
        ("normalize_min_max", "sklearn.preprocessing.MinMaxScaler().fit_transform(a)"),
        ("normalize_zero_mean", "scipy.stats.zscore(a)"),
        ("confusion_matrix_binary", "sklearn.metrics.confusion_matrix(a, a)"),
        ("hold_out", "sklearn.model_selection.train_test_split(a)"),
        ("crossvalidation", "sklearn.model_selection.StratifiedKFold(5).split(a)"),
        ("build_class_ann", "sklearn.neural_network.MLPClassifier()"),
        ("ann_cross_validation", "sklearn.model_selection.cross_validate(a)"),
        ("model_cross_validation", "sklearn.model_selection.GridSearchCV(a)"),
    ],
)
def test_each_function_has_its_forbidden_calls(row, call):
    """The library function that already is what was asked for."""
    module = call.rpartition(".")[0].split("()")[0].rpartition(".")[0] or call.partition(".")[0]
    name = RUBRIC.rows[row].function
    source = f"import {call.split('.')[0]}, {module if '(' not in module else 'sys'}\ndef {name}(*a, **k):\n    return {call}"  # noqa: E501
    assert "calls.forbidden" in broken(source, row)


def test_what_the_statement_asks_for_is_allowed():
    """SVC, trees and nearest neighbours in the last exercise; Adam and Sequential in the others."""
    source = """
    from sklearn.svm import SVC
    from sklearn.tree import DecisionTreeClassifier
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.preprocessing import OneHotEncoder
    def model_cross_validation(modelType, modelHyperparameters, inputs, targets, crossValidationIndices):
        for fold in range(10):
            model = {"SVC": SVC, "tree": DecisionTreeClassifier, "knn": KNeighborsClassifier}[modelType]()
            model.fit(inputs, targets).predict(inputs)
    """
    assert inspect(source, "model_cross_validation").rules == ()


@pytest.mark.parametrize(
    "line",
    [
        "eval('1')",
        "exec('1')",
        "compile('1', '', 'eval')",
        "(eval if 1 else 0)('1')",
        "run('1')",
        "helper('1')",
    ],
)
def test_code_in_a_text_is_forbidden(line):
    """Nobody can read it beforehand."""
    source = f"run = eval\ndef helper(x): return exec(x)\n{ACCURACY}\n    return {line}\ndef hold_out(N, P, Q=0): ..."
    assert broken(source, "accuracy") == ["calls.exec"]
    assert broken(source, "hold_out") == []


def test_code_in_a_text_that_runs_on_import_concerns_every_function():
    """It can define any of them."""
    source = f"exec('x = 1')\n{ACCURACY} return 0\ndef hold_out(N, P, Q=0): ..."
    assert broken(source, "accuracy") == broken(source, "hold_out") == ["calls.exec"]


@pytest.mark.parametrize(
    "line",
    ["model.eval()", "re.compile('a')", "torch.compile(model)", "frame.eval('a')", "self.exec()", "evaluate('1')"],
)
def test_a_method_that_is_called_like_it_is_another_thing(line):
    """`eval()` puts a network into its evaluation mode."""
    source = f"import re, torch\ndef evaluate(x): ...\n{ACCURACY}\n    return {line}"
    assert broken(source, "accuracy") == []


@pytest.mark.parametrize(
    "line",
    [
        "import practica",
        "from practica import accuracy as a",
        "import practica.reference.metrics as m",
        "def f():\n    import practica",
    ],
)
def test_the_answers_may_not_be_imported(line):
    """Anywhere in the file."""
    assert broken(f"{line}\n{ACCURACY} return 0", "accuracy") == ["imports.practica"]


@pytest.mark.parametrize("line", ["import practica2", "# import practica", "from .practica import x", "practica = 3"])
def test_other_names_that_look_like_it_may(line):
    """A module of the student's own."""
    assert broken(f"{line}\n{ACCURACY} return 0", "accuracy") == []


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("getattr(sklearn.metrics, 'accuracy' + '_score')(targets, outputs)", "getattr(sklearn.metrics, …)"),
        ("getattr(sklearn.metrics, name)(outputs)", "getattr(sklearn.metrics, …)"),
        ("vars(sklearn.metrics)['accuracy_score'](targets, outputs)", "vars"),
        ("importlib.import_module('sklearn.metrics').accuracy_score(targets, outputs)", "importlib.import_module"),
        ("im(f'sklearn.{\"metrics\"}').accuracy_score(targets, outputs)", "importlib.import_module"),
        ("__import__('sklearn.metrics').metrics.accuracy_score(targets, outputs)", "__import__"),
        ("sys.modules['sklearn.metrics'].accuracy_score(targets, outputs)", "sys.modules"),
        ("operator.attrgetter('metrics.accuracy_score')(sklearn)(targets, outputs)", "operator.attrgetter"),
        ("(lambda module: module.Thread)(threading)(target=print)", "threading"),
        ("(lambda module=torch.nn.functional: module.one_hot)()(outputs)", "torch.nn.functional"),
        ("pickle.codecs.builtins.vars(hold_out)", "pickle.codecs.builtins.vars"),
        ("operator._os.fork()", "os.fork"),
        ("(lambda module: module.sys)(importlib.resources)", "sys"),
        ("operator.methodcaller('accuracy_score', targets)(sklearn.metrics)", "operator.methodcaller"),
        ("__builtins__['eval']('1')", "builtins"),
        ("__import__('builtins').exec('1')", "__import__"),
        ("getattr(__builtins__, 'ev' + 'al')('1')", "builtins"),
        ("list(map(getattr, [sklearn.metrics], [name]))[0](outputs)", "getattr"),
        ("pickle.loads(name)(outputs)", "pickle.loads"),
        ("hold_out.__globals__['f'](outputs)", "__globals__"),
        ("getattr(hold_out, '__glo' + 'bal' + 's__')['f'](outputs)", "__globals__"),
        ("getattr(sys, name)(outputs)", "getattr(sys, …)"),
        ("object.__subclasses__()[0](outputs)", "__subclasses__"),
        ("torch.ops.aten.one_hot(outputs)", "torch.ops.aten.one_hot"),
        ("torch._jit_internal.get_closure(hold_out)", "torch._jit_internal.get_closure"),
        ("sklearn.utils.extmath._incremental_mean_and_var(outputs)", "sklearn.utils.extmath._incremental_mean_and_var"),
        ("scipy.sparse._sparsetools.csr_todense(outputs)", "scipy.sparse._sparsetools.csr_todense"),
        ("sys.settrace(None)", "sys.settrace"),
        ("sys.monitoring.free_tool_id(0)", "sys.monitoring.free_tool_id"),
        ("threading.settrace(None)", "threading.settrace"),
        ("sys._getframe().f_back.f_trace(None)", "f_trace"),
        ("setattr(hold_out, 'x', accuracy.__code__.replace(co_name='y'))", "__code__"),
    ],
)
def test_what_hides_a_name_or_meddles_with_the_tests_goes_to_a_person(call, told):
    """Nobody can tell from the text what it does, nor for whom, and honest code does it too: it costs nothing."""
    source = f"""
    import importlib, operator, pickle, sys, threading
    import scipy.sparse, sklearn.metrics, torch
    from importlib import import_module as im
    def accuracy(outputs, targets, name, threshold=0.5):
        return {call}
    def hold_out(N, P, Q=0): ...
    """
    assert told in flagged(source, "accuracy")
    assert broken(source, "accuracy") == []
    assert told == "sklearn.metrics" or told in flagged(source, "hold_out")


def test_a_name_that_only_running_tells_is_fine_where_nothing_is_forbidden():
    """`getattr(torch.optim, name)` chooses an optimiser."""
    source = """
    import torch
    def train_class_ann(topology, trainingDataset, *, validationDataset=None, testDataset=None, transferFunctions=None,
                        maxEpochs=1000, minLoss=0.0, learningRate=0.01, maxEpochsVal=20, optimizer="Adam"):
        return getattr(torch.optim, optimizer)
    """
    assert inspect(source, "train_class_ann").rules == ()


@pytest.mark.parametrize(
    "call",
    ["sklearn.metrics.accuracy_score(a, b)", "sklearn.model_selection.train_test_split(a)", "pandas.get_dummies(a)"],
)
@pytest.mark.parametrize("row", ["ann_cross_validation", "model_cross_validation"])
def test_what_the_own_functions_are_for_goes_to_a_person_where_they_should_be_called(call, row):
    """Below the main guard, and in a function that nobody calls, it is nobody's business."""
    source = f"import pandas, sklearn.metrics, sklearn.model_selection\n{{}}\ndef {row}(a, b):\n    return {{}}"
    assert flagged(source.format("", call), row) == [call.partition("(")[0]]
    assert broken(source.format("", call), row) == []
    assert flagged(source.format(f"def trial(a, b):\n    return {call}", 1), row) == []


@pytest.mark.parametrize("call", ["os.system('ls')", "os.write(3, b'')", "os.dup2(5, 3)", "os.fdopen(4)"])
def test_suspicious_calls_are_flagged_for_a_person(call):
    """The rubric's cost for them is a look, also for the lines on which answers go out."""
    report = inspect(f"import os\n{ACCURACY}\n    return {call}", "accuracy")
    assert [rule.id for rule in report.rules] == ["calls.suspicious"]
    assert RUBRIC.rows["accuracy"].cost_of("calls.suspicious") == "flag"


@pytest.mark.parametrize(
    "statement",
    [
        "sys.modules['a'].b = 1",
        "sys.modules['a'].B.c = 1",
        "sys.modules['a'] = 1",
        "sys.modules['a'].b += 1",
        "first, sys.modules['a'].b = 1, 2",
        "vars(sys)['modules'] = {}",
        "table = {}; table[vars(sys)] = 1",
        "setattr(sys, 'stdout', None)",
        "for name in ['a', 'b']: delattr(sys, name)",
    ],
)
def test_what_is_changed_is_mentioned_however_it_is_reached(statement):
    """Also where it stands before the equals sign, which gives no name of Python another meaning."""
    report = inspect(f"import sys\n{statement}\n{ACCURACY}\n    return 1", "accuracy")
    assert {rule.id for rule in report.rules} == {"calls.suspicious"}


@pytest.mark.parametrize(
    ("use", "told"),
    [
        ("import weakref; weakref.finalize(f, f)", "weakref.finalize"),
        ("from weakref import *; finalize(f, f)", "weakref"),
        ("import logging.handlers; logging.handlers.QueueListener(f)", "logging.handlers.QueueListener"),
        ("from numpy.lib import stride_tricks; stride_tricks.x(f)", "numpy.lib.stride_tricks.x"),
        ("import torch; torch.fx.Graph()", "torch.fx.Graph"),
        ("import pytest; pytest.main()", "pytest.main"),
        ("import unittest; unittest.TestLoader().f('a')", "unittest.TestLoader"),
        ("import __main__; __main__.f()", "__main__.f"),
        ("import torch; torch.ScriptModule()", "torch.ScriptModule"),
        ("f.data_ptr()", "data_ptr"),
        ("import ctypes; ctypes.memmove.__call__(f)", "ctypes.memmove.__call__"),
        ("import ctypes; (x := ctypes).memmove(f)", "ctypes"),
        ("import numpy as np, ctypes; getattr(np, 'a', ctypes.memmove).b(f)", "ctypes.memmove"),
        ("import ctypes; isinstance(f, int, key=ctypes.memmove)", "ctypes.memmove"),
        ("import torch.nn.functional as F; F.torch.jit.load(f)", "torch.jit.load"),
        ("class A:\n    import ctypes as c\nA.c.memmove(f)", "ctypes"),
        ("def g():\n    global c\n    import torch as c\nc.jit.load(f)", "torch"),
        ("import ctypes\nglobals()['ctypes'].memmove(f)", "ctypes"),
        ("class A(f):\n    _stream = 'modules'\nA()._old_targets", "_old_targets"),
        ("from contextlib import redirect_stdout as R\nclass A(R):\n    _s = 1\nA()._s", "_s"),
        ("def g(x: 'ctypes.memmove'): ...\nimport ctypes", "ctypes.memmove"),
        ("try:\n    if __name__ == '__main__':\n        import pdb; pdb.f()\nfinally: ...", "pdb.f"),
        ("import os; os.memfd_create('a')", "os.memfd_create"),
        ("help('antigravity')", "help"),
        ("import os; getattr(os, f)", "getattr(os, …)"),
        ("import torch; torch.sparse_csr_tensor(f, f, f)", "torch.sparse_csr_tensor"),
        ("import torch; torch.gather(f, 0, f, sparse_grad=True)", "sparse_grad="),
        ("import numpy as np; np.zeros(1).resize(9, refcheck=False)", "refcheck="),
        ("import numpy as np; np.zeros(1).resize(9, **{'ref' + 'check': False})", "refcheck"),
        ("import warnings; warnings.warn('a', stacklevel=3)", "stacklevel="),
        ("import warnings; warnings.warn('a', stacklevel=len(f))", "stacklevel="),
        ("import logging; logging.warning('a', stack_info=True)", "stack_info="),
        ("import logging; logging.warning('a', **{'stack_info': True})", "stack_info"),
        ("from scipy.linalg import get_lapack_funcs as g; g(('getrs',))", "scipy.linalg.get_lapack_funcs"),
        ("import scipy.linalg as l; l.get_blas_funcs('axpy')", "scipy.linalg.get_blas_funcs"),
        ("import scipy.linalg as l; l.lapack.dgetrs(f, f, f)", "scipy.linalg.lapack.dgetrs"),
        ("import numpy as np; np.random.set_state(f)", "numpy.random.set_state"),
        ("import numpy as np; np.random.RandomState(1).set_state(f)", "set_state"),
        ("import numpy as np; np.random.MT19937().state = f", "numpy.random.MT19937"),
        ("import torch; torch.nn.functional.ctc_loss(f, f, f, f)", "torch.nn.functional.ctc_loss"),
        ("import torch; torch.nn.CTCLoss()(f, f, f, f)", "torch.nn.CTCLoss"),
        ("import torch; torch.frombuffer(b'a', dtype=torch.uint8)", "torch.frombuffer"),
        ("import torch, numpy as np; torch.from_numpy(np.frombuffer(b'a', np.uint8))", "numpy.frombuffer"),
        ("import numpy as np; np.ndarray(1, np.uint8, buffer=b'a')", "buffer="),
        ("from scipy.spatial import Delaunay; Delaunay(f).simplices", "scipy.spatial.Delaunay"),
        ("from sklearn.ensemble import RandomTreesEmbedding as R; R()", "sklearn.ensemble.RandomTreesEmbedding"),
        ("from sklearn.datasets import fetch_rcv1 as f; f()", "sklearn.datasets.fetch_rcv1"),
        ("import torch; torch.nn.functional.max_pool1d(f, 2, return_indices=True)", "torch.nn.functional.max_pool1d"),
        ("import torch; torch.nn.MaxPool2d(2)", "torch.nn.MaxPool2d"),
        ("import numpy as np; np.ndarray(1, object, f)", "ndarray()"),
        ("from numpy import ndarray as nd; nd(1, object, f)", "ndarray()"),
        ("name = f()\nf.__dict__.update({name: 1})", "__dict__"),
        ("class A: ...\nvars(A()).update({f(): 1})", "vars"),
        ("class A: ...\nvars(A())[f()] = 1", "vars"),
        ("class A: ...\nd = vars(A())\nd[f()] = 1", "vars"),
        ("def print(x): ...\nclass A: ...\nprint(vars(A()))", "vars"),
        ("object.__setattr__(f, f(), 1)", "__setattr__"),
        ("type('A', (), {f(): 1})", "type()"),
        ("type('A', (), f)", "type()"),
        ("type(*f)", "type()"),
        ("type(f)('A', (), {f(): 1})", "type()"),
        ("T = type\nT('A', (), f)", "type()"),
        ("list(map(type, 'A', [()], [f]))", "type()"),
        ("class M(type): ...", "type()"),
        ("f.__class__('A', (), f)", "__class__()"),
        ("from types import SimpleNamespace as S; S(**f)", "SimpleNamespace()"),
        ("from types import SimpleNamespace\nS = SimpleNamespace\nS(**{f(): 1})", "SimpleNamespace()"),
        ("from argparse import Namespace; Namespace(**f)", "Namespace()"),
        ("from sklearn.utils import Bunch; Bunch(**f)", "Bunch()"),
        ("from enum import Enum; Enum('A', {f(): 1})", "Enum()"),
        ("from enum import Enum; Enum(*f)", "Enum()"),
        ("from enum import Enum; Enum('A', names=[f()])", "Enum()"),
        ("import logging; logging.makeLogRecord(f)", "logging.makeLogRecord"),
        ("import logging; logging.info('a', extra=f)", "extra="),
        ("from sklearn.datasets import fetch_olivetti_faces as g; g(data_home='.')", "data_home="),
        ("import random; random._inst.seed(1)", "random._inst.seed"),
        ("import sklearn.utils as u; u.resample(f, stratify=f)", "sklearn.utils.resample"),
        ("from numpy import _core; _core.x(f)", "numpy._core.x"),
        ("f._private", "_private"),
        ("getattr(f, '_private')", "_private"),
        ("f.__weird__", "__weird__"),
        ("name = '__weird__'", "__weird__"),
    ],
)
def test_what_the_practice_does_not_need_goes_to_a_person(use, told):
    """Nobody has to know beforehand what it is good for; and it costs nothing."""
    source = f"def f(): ...\n{use}\n{ACCURACY}\n    return 1"
    assert told in flagged(source, "accuracy")
    assert broken(source, "accuracy") == []


@pytest.mark.parametrize(
    "use",
    [
        "class A:\n    _b = 1\n    def _c(self):\n        self._d = self._b\n        return self._d\nA()._c()",
        "from collections import namedtuple\nP = namedtuple('P', 'x')\nP(1)._replace(x=2)._asdict()",
        "'_'.join(['a', '_b'])\nx = 1\nf'{x}_mean'",
        "import torch\ntorch.Tensor.sum(torch.FloatTensor([1])); torch.Generator().manual_seed(1)",
        "import gc, sys\nt = 'google.colab' in sys.modules\ngc.collect()",
        "import torch\nmps = getattr(torch.backends, 'mps', None) is not None",
        "try:\n    import matplotlib.pyplot as plt\nexcept ImportError:\n    plt = None\nx = plt is not None",
        "class A:\n    def f(self):\n        vars(self)\nif __name__ == '__main__':\n    import pdb; pdb.f()",
        "import numpy, torch\nfor library in (numpy, torch):\n    print(library.__name__, library.__version__)",
        "print(vars(A()), globals().get('x'))\nif __name__ == '__main__':\n    import pdb; pdb.f()\nclass A: ...",
        "import seaborn\nseaborn.not_here.plot()",
        "import os, sys\nos.path.join('a', 'b')\nprint(sys.version, os.environ.get('A'))",
        "from numpy.lib.stride_tricks import sliding_window_view as windows\nwindows([1, 2, 3], 2)",
        "if __name__ == '__main__':\n    print(eval(input()))",
        "import numpy as np\nf(np.resize([1], 3), sparse=False)",
        "import sklearn.utils as u\nu.shuffle([1, 2], random_state=1)",
        "import torch\ntorch.chunk(torch.zeros(2), 2)\ntorch.nn.functional.relu(torch.zeros(1))",
        "from scipy.spatial import distance\ndistance.cdist([[1]], [[2]])",
        "t = type(1), [*map(type, [1, 2])], type('A', (), {'b': 1}), type(1)('2')",
        "from types import SimpleNamespace as S\nS(a=1)\nS(**{'b': 2})\nS(**dict(c=3))",
        "from enum import Enum\nclass A(Enum):\n    b = 1\nEnum('C', 'D E')\nEnum('F', ['G'])\nA(1)",
        "class A:\n    def f(self):\n        object.__setattr__(self, 'x', 1)\n        {**vars(self)}",
        "import numpy as np\nnp.ndarray((2, 3), dtype=float)\ndef f(x: np.ndarray) -> type: ...",
        "import warnings\nwarnings.warn('a', stacklevel=2)",
        "import torch\ngradient = torch.func.grad(lambda x: x**2)",
        "import pathlib, datetime\npathlib.Path('a') / str(datetime.datetime.now())",
    ],
)
def test_what_the_practice_may_need_goes_to_nobody(use):
    """Private names of the file's own classes and what is not installed included."""
    assert inspect(f"{use}\n{ACCURACY}\n    return 1", "accuracy").rules == ()


def test_a_table_that_is_filled_is_nothing_to_look_at():
    """Nor is an attribute of an own class."""
    own = "class A: pass\nA.x = 1\nsetattr(A, 'y', 2)\n"
    filled = "import numpy as np\nd = np.zeros(3)\nd[np.array([1])] = 2\nd[:, None][0] = 3\n"
    assert inspect(f"{own}{filled}{ACCURACY}\n    return 1", "accuracy").rules == ()


# --- Sources as they come -------------------------------------------------------------------------------------------

GOOD = "def accuracy(outputs, targets, *, threshold=0.5):\n    return 'año'\n"


@pytest.mark.parametrize(
    ("source", "file_rules"),
    [
        (GOOD.encode(), []),
        (b"\xef\xbb\xbf" + GOOD.encode(), []),
        (GOOD.replace("\n", "\r\n").encode(), []),
        (GOOD.replace("\n", "\r").encode(), []),
        (GOOD.replace("    ", "\t").encode(), []),
        (b"# -*- coding: latin-1 -*-\n" + GOOD.encode("latin-1"), []),
        (b"# vim: set fileencoding=cp1252 :\n" + GOOD.encode("cp1252"), []),
        (GOOD.encode("latin-1"), [("source.encoding", 2)]),
        (b"# coding: martian\n" + GOOD.encode(), [("source.encoding", 1)]),
        (b"# coding: IDNA\n" + GOOD.encode(), [("source.encoding", 1)]),
        (b"x = '\\d'\n" + GOOD.encode(), []),
    ],
)
def test_a_source_is_read_in_its_encoding(source, file_rules):
    """As Python reads it; what Python cannot read is told, and read as Latin-1."""
    report = inspect_source(source, RUBRIC)
    assert report.functions["accuracy"].found
    assert [(rule.id, rule.line) for rule in report.file_rules] == file_rules


PIECES = [b"\r", b"\n", b"\r\n", b"\f", b"\0", b"\xef\xbb\xbf", b"\\", b"'''", b"#", b" ", b"\t", b"if 1:", b"x=1"]
PIECES += [b"'\xe9'", b"'\xc3\xa9'", b"'+AGE-'", b"\x1a", b"\xe2\x80\xa8", b"#\xe9 coding: latin-1", b"#coding:utf-7"]
PIECES += [b"# coding: latin-1", b"# vim: set fileencoding=cp1252 :", b"# -*- coding: UTF_8 -*-", b"# coding: utf-16"]


@pytest.mark.slow
@settings(max_examples=500)
@given(st.lists(st.sampled_from(PIECES), max_size=8).map(b"".join))
@example(b"\r# coding: utf-7\nx='+AGE-'")
@example(b"x=1\r# coding: latin-1\n'\xe9'")
@example(b"\xef\xbb\xbf# coding: latin-1")
@example(b"x = 'a'  # \xe9")
def test_a_file_is_read_as_python_reads_it(source):
    """Whoever reads it and whoever runs it take one text: the program that Python makes of these bytes, or none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            program = ast.dump(ast.parse(source), include_attributes=True)
        except (SyntaxError, ValueError):
            with pytest.raises((SyntaxError, ValueError)):
                load_source(source, "entrega.py", "nothing")
        else:
            assert ast.dump(parse(decode(source)[0]), include_attributes=True) == program
            load_source(source, "entrega.py", "nothing")


@pytest.mark.parametrize(
    ("before", "hidden"),
    [
        ("", False),
        ("__name__ = '__main__'", True),
        ("for __name__ in ['__main__']: pass", True),
        ("globals()['__na' + 'me__'] = '__main__'", True),
        ("import entrega\nentrega.__name__ = '__main__'", True),
        ("globals().update(__name__='__main__')", True),
        ("import os as __name__", True),
    ],
)
def test_what_does_not_run_is_only_left_out_where_it_cannot_run(before, hidden):
    """A file that gives itself another name runs what stands under it."""
    source = f"{before}\nfrom math import fsum\nif __name__ == '__main__':\n    accuracy = fsum"
    assert inspect(source, "accuracy").found is hidden


@pytest.mark.parametrize("guard", ["__name__ == __main__", "__main__ == __name__", "'__name__' == __main__"])
def test_what_only_looks_like_the_guard_is_read(guard):
    """A name `__main__` is any value that the file gives it."""
    source = f"__main__ = __name__\nfrom math import fsum\nif {guard}:\n    accuracy = fsum"
    assert inspect(source, "accuracy").found


@pytest.mark.parametrize(
    ("source", "line"),
    [
        (b"def f(:\n", 1),
        (b"x = 1\nif x\n    pass\n", 2),
        (b"def f():\n\tif 1:\n        x = 1\n", None),
        (b"x = 1\0", None),
        (b"(" * 5000, None),
        (b"-" * 100_000 + b"1", None),
        (b"x = " + b"[" * 90 + b"]" * 90, None),
        (b"print 'hola'\n", 1),
    ],
)
def test_a_source_that_python_cannot_read_is_reported_with_its_line(source, line):
    """Whatever the parser gives up with; nobody is found in it."""
    report = inspect_source(source, RUBRIC)
    if not report.readable:
        assert [rule.id for rule in report.file_rules] == ["source.syntax"]
        assert line is None or report.file_rules[0].line == line
    assert not any(function.found for function in report.functions.values())


@pytest.mark.parametrize("source", [b"", b"\n", b"# nada\n", b"\xef\xbb\xbf"])
def test_an_empty_source_has_no_function(source):
    """Every function is missing, and no rule is about anything else."""
    report = inspect_source(source, RUBRIC)
    assert {rule.id for function in report.functions.values() for rule in function.rules} == {"signature.missing"}


def test_a_source_that_is_too_large_is_not_read():
    """The limit is more than anybody types."""
    assert inspect_source(b"#" * 2_000_000, RUBRIC).file_rules[0].id == "source.too_large"


@pytest.mark.parametrize(
    "source",
    [
        "a = b\nb = a\naccuracy = a",
        "accuracy = accuracy",
        "def accuracy(x): return accuracy(accuracy)",
        "class A(A): pass\naccuracy = A()",
        "class A(B): pass\nclass B(A): pass\naccuracy = A().x",
        "a0 = f\n" + "\n".join(f"a{i + 1} = a{i} or a{i}" for i in range(40)) + "\naccuracy = a40",
        "x = " + "+".join(["1"] * 900) + "\naccuracy = x",
        "accuracy = " + "f(" * 60 + ")" * 60 + "\ndef f(x): return x",
        "s = 'a'\n" + "\n".join(f"s{i} = s + s" for i in range(40)),
        "accuracy = lambda: (yield)",
        "def accuracy(a, b, threshold=10**10**10): ...",
        "global accuracy\naccuracy = 1",
        "def f():\n    global accuracy\n    def accuracy(x): ...",
        "def f():\n    nonlocal x\n",
        "match accuracy:\n    case {'a': 1, **rest}: pass\n    case [*_]: pass\n    case A(b=c): pass",
        "import a.b.c as accuracy",
        "from . import accuracy",
        "from __future__ import annotations\n@dispatch\ndef accuracy(x): ...\n@dispatch\ndef accuracy(x, y): ...",
    ],
)
def test_strange_files_are_read_in_a_moment(source):
    """Circles, towers and names for names."""
    inspect_source(source.encode(), RUBRIC)


def test_names_for_names_do_not_hide_anything():
    """Forty of them are followed; what is too long to follow is refused."""
    source = (
        "from sklearn.metrics import accuracy_score as a0\n{}\n" + f"{ACCURACY}\n    return a{{}}(outputs, targets)"
    )
    for length, rules in ((20, ["calls.forbidden"]), (200, ["source.tangled"])):
        names = "\n".join(f"a{i + 1} = a{i}" for i in range(length))
        assert broken(source.format(names, length), "accuracy") == rules
    assert broken(f"x = y{'.a().b' * 200}\n{ACCURACY}\n    return x", "accuracy") == []


def test_what_is_not_followed_for_one_function_is_told_there():
    """The whole file is followed twice, and once for each function: a later one may be the first with too much."""
    names = [row.function for row in RUBRIC.rows.values()]
    source = "".join(f"def {name}(x): return helper(x)\n" for name in names)
    source += "def helper(x):\n" + "    len(x)\n" * 10_000 + "    return eval(x)\n"
    report = inspect(source).functions
    tangled = [any(rule.id == "source.tangled" for rule in report[row].rules) for row in RUBRIC.rows]
    assert (tangled[0], tangled[-1]) == (False, True)


@pytest.mark.parametrize(
    "source",
    [
        "class A:\n" + "".join(f"{'    ' * depth}class A{depth}:\n" for depth in range(1, 40)) + "    " * 40 + "x = 1",
        "f = " + "lambda: " * 40 + "x",
    ],
    ids=["classes", "functions"],
)
def test_what_is_too_deep_is_not_followed(source):
    """For each name all around it is gone through; nobody needs forty of them."""
    assert broken(f"{source}\n{ACCURACY}\n    return 1", "accuracy") == ["source.tangled"]


def test_helpers_that_all_call_each_other_are_followed_once(monkeypatch):
    """There are more ways through forty of them than steps in the world; the work is counted, not timed."""
    followed = []
    reach = Module.reach

    def counting(module, start, **options):
        reached = reach(module, start, **options)
        followed.extend(reached.bodies)
        return reached

    monkeypatch.setattr(Module, "reach", counting)
    helpers = "".join(
        f"def f{i}(x):\n    return {' + '.join(f'f{j}(x)' for j in range(i + 1, 40)) or 'x'}\n" for i in range(40)
    )
    inspect_source(f"{helpers}def confusion_matrix(outputs, targets):\n    return f0(outputs)\n".encode(), RUBRIC)
    assert 40 <= len(followed) < 1_000


KEYWORDS = "def class lambda for while in if else : ( ) [ ] { } , = == . * ** @ return import from as global try except"
NAMES = "accuracy hold_out crossvalidation x self 0.5 'a' eval getattr sklearn metrics"
WORDS = [*KEYWORDS.split(), *NAMES.split(), "\n", "\n\t", "\n\t\t"]


@pytest.mark.slow
@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")))
@example(b"# coding: utf-7\nx = '+AGE-'")
@example(b"# coding: rot13\nqrs s(): cnff")
@example(b"# coding: unicode_escape\nx = '\\u00e1'")
@example(b"\xff\xfe# coding: utf-16")
def test_any_bytes_are_inspected(source):
    """There is a report, with known rules, for whatever comes."""
    report = inspect_source(source, RUBRIC)
    assert set(report.functions) == set(RUBRIC.rows)
    assert {rule.id for function in report.functions.values() for rule in function.rules} <= set(RULES)


@given(st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join))
def test_any_words_of_python_are_inspected(source):
    """Pieces of programs, most of them wrong."""
    inspect_source(source.encode(), RUBRIC)


# What computes with indices that nobody checks; of torch, families of names.
UNCHECKED = ("sparse", "embedding", "native_", "fbgemm_", "mkldnn_", "quant", "q_", "cudnn_", "miopen_", "lu")
UNCHECKED += ("resize_", "from_dlpack", "segment", "ctc_loss", "frombuffer", "max_pool", "adaptive_max_pool")
POOLS = {
    f"{kind}max_pool{side}d{rest}" for kind in ("", "adaptive_") for side in "123" for rest in ("", "_with_indices")
}
READING = {"import_ir_module", "import_ir_module_from_buffer", "parse_ir", "parse_schema", "parse_type_comment"}


@pytest.mark.parametrize(
    ("library", "flagged"),
    [
        ("numpy", {"from_dlpack", "frombuffer", "load"}),
        ("numpy.linalg", set()),
        ("numpy.random", {"MT19937", "Philox", "set_state"}),
        ("torch", {"compile", "load", *READING, "fork", "wait", "from_file"}),
        ("torch.linalg", {"ldl_solve", "lu_solve"}),
        ("sklearn", set()),
        ("torch.nn.functional", {"ctc_loss", "embedding", "embedding_bag", *POOLS}),
        ("torch.optim", {"SparseAdam"}),
        ("pandas", {"MultiIndex", "eval", "read_pickle"}),
        ("scipy.stats", set()),
        ("scipy.special", set()),
        *((name, set()) for name in ("math", "random", "itertools", "functools", "collections", "statistics", "copy")),
    ],
)
def test_what_libraries_compute_with_goes_to_nobody(library, flagged):
    """Also where it is called like a module of Python's: `np.trace` adds up the hits of a confusion matrix."""
    module = importlib.import_module(library)
    names = [name for name in getattr(module, "__all__", dir(module)) if callable(getattr(module, name, None))]
    uses = [name for name in names if not name.startswith("_")]
    if library == "torch":  # whose classes are compilers, too
        uses = [name for name in uses if name[0].islower() and not name.startswith(UNCHECKED)]
    uses += ["__name__", *["__version__"] * hasattr(module, "__version__")]
    lines = [f"    {library}.{name}(outputs)" for name in uses]
    report = inspect("\n".join([f"import {library}", "def hold_out(outputs):", *lines]), "hold_out")
    told = {uses[rule.line - 3] for rule in report.broken if rule.id == "calls.suspicious" and rule.line > 2}
    assert told == flagged
    assert len(uses) > 4 or library == "copy"


@pytest.mark.parametrize(
    "name",
    [
        "sklearn.metrics.DistanceMetric",
        "sklearn.neighbors.BallTree",
        "sklearn.neighbors.KDTree",
        "scipy.spatial.cKDTree",
    ],
)
def test_what_measures_distances_in_c_goes_to_a_person(name):
    """Hits are a distance, too, which nobody sees run; and whose object it is, the text does not tell."""
    library, _, own = name.rpartition(".")
    source = f"""
    import {library} as library
    class Memory:
        def __init__(self):
            self.found = library.{own}
    memory = Memory()
    def accuracy(outputs, targets, threshold=0.5):
        return memory.found(outputs, targets)
    """
    assert flagged(source, "accuracy") == [name, own]
