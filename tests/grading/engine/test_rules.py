"""The rules on the source, on small files as students write them: right, wrong, and trying to get
away with it.
"""

import ast
import textwrap
import warnings

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from judged import RUBRIC, judged
from judged import broken as broken_in_action

from practica.grading.engine.rubric import RULES
from practica.grading.engine.rules import inspect_source
from practica.grading.engine.source import Source, parse
from practica.grading.inside.loading import declares_encoding, decode, load_source

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
    return [
        rule.message_facts["name"]
        for rule in inspect(source, row).broken
        if costs.cost_of(rule.id) == "flag"
    ]


def advice(source, row):
    """List the ids of the advice for a function."""
    return [rule.id for rule in inspect(source, row).rules if rule.severity == "advice"]


# --- Functions ------------------------------------------------------------------------------------


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
    assert (report.found, rule.id, rule.line, rule.message_facts["closest"]) == (
        False,
        "signature.missing",
        2,
        written,
    )


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
    source = (
        "if x:\n    def accuracy(o, t, threshold=0.5): ...\nelse:\n    def accuracy(o, t,"
        " threshold=0.5): return o"
    )
    assert inspect(source, "accuracy").written


def test_a_function_that_is_defined_by_another_is_found():
    """Only running tells whether it is there."""
    source = (
        "def define():\n    global accuracy\n    def accuracy(o, t, threshold=0.5): return"
        " o\ndefine()"
    )
    assert inspect(source, "accuracy").found


def test_a_function_that_has_its_own_row_is_nobody_elses_misspelling():
    """`normalize_min_max` is there, `normalize_min_max_` is not."""
    (rule,) = inspect("def normalize_min_max(dataset, p=None): ...", "normalize_min_max_").rules
    assert "closest" not in rule.message_facts


# --- Loops ----------------------------------------------------------------------------------------

ACCURACY = "def accuracy(outputs, targets, *, threshold=0.5):"


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        (f"{ACCURACY}\n    for o in outputs: pass", "2"),
        (f"{ACCURACY}\n    while True:\n        for o in outputs: pass", "2, 3"),
        (f"{ACCURACY}\n    return count(outputs)\ndef count(x):\n    for o in x: pass", "4"),
        (
            f"{ACCURACY}\n    def count(x):\n        for o in x: pass\n    return count(outputs)",
            "3",
        ),
        (
            (
                f"def a(x): return b(x)\ndef b(x):\n    for o in x: a(o)\n{ACCURACY}\n    return"
                " a(outputs)"
            ),
            "3",
        ),
        (
            f"def h(x):\n    for o in x: pass\nk = h\n{ACCURACY}\n    j = k\n    return j(outputs)",
            "2",
        ),
        (f"def h(x):\n    for o in x: pass\n{ACCURACY}\n    return list(map(h, outputs))", "2"),
        (
            (
                f"def h(x):\n    for o in x: pass\nT = {{'a': h}}\n{ACCURACY}\n    return"
                " T['a'](outputs)"
            ),
            "2",
        ),
        (
            (
                f"T = {{}}\ndef h(x):\n    for o in x: pass\nT['a'] = h\n{ACCURACY}\n    return"
                " T['a'](outputs)"
            ),
            "3",
        ),
        (
            (
                f"class C:\n    def m(self, x):\n        for o in x: pass\n{ACCURACY}\n    return"
                " C().m(outputs)"
            ),
            "3",
        ),
        (
            (
                f"class C:\n    def __init__(self, x):\n        for o in x: pass\n{ACCURACY}\n   "
                " return C(outputs)"
            ),
            "3",
        ),
        (
            (
                "class B:\n    def m(self, x):\n        for o in x: pass\nclass C(B):\n    pass\n"
                f"{ACCURACY}\n    return C().m(outputs)"
            ),
            "3",
        ),
        (
            "class P:\n    def h(self, x):\n        for o in x: pass\n    def acc(self, outputs, targets, threshold=0.5):\n"  # noqa: E501
            "        return self.h(outputs)\np = P()\naccuracy = p.acc",
            "3",
        ),
        (
            (
                f"import functools\n@functools.singledispatch\n{ACCURACY}\n    return"
                " 0\n@accuracy.register(list)\ndef _(outputs, targets, *, threshold=0.5):\n    for"
                " o in outputs: pass"
            ),
            "7",
        ),
        (
            "CASES = {}\ndef case(kind):\n    def keep(f):\n        CASES[kind] = f\n        return f\n    return keep\n"  # noqa: E501
            f"@case('bool')\ndef of_bools(x):\n    for o in x: pass\n{ACCURACY}\n    return"
            " CASES['bool'](outputs)",
            "9",
        ),
        (
            "def again(f):\n    def inner(*args, **kwargs):\n        for i in range(2): f(*args, **kwargs)\n    return inner\n"  # noqa: E501
            f"@again\n{ACCURACY}\n    return 0",
            "3",
        ),
        (
            f"{ACCURACY}\n    match outputs:\n        case [a, *b]:\n            for o in b: pass",
            "4",
        ),
        (
            (
                f"{ACCURACY}\n    return globals()['he' + 'lp'](outputs)\ndef help(x):\n    for o"
                " in x: pass"
            ),
            "4",
        ),
        (
            (
                "accuracy = lambda outputs, targets, threshold=0.5: h(outputs)\ndef h(x):\n    for"
                " o in x: pass"
            ),
            "3",
        ),
    ],
)
def test_a_loop_counts_wherever_the_function_runs_it(source, lines):
    """In the function, in its helpers, under any name; with the lines.

    What the text hides is seen when it runs.
    """
    rules = [rule for rule in judged(source, "accuracy") if rule.id == "loops.too_many"]
    assert [", ".join(map(str, rule.message_facts["lines"])) for rule in rules] == [lines]


@pytest.mark.parametrize(
    "source",
    [
        f"{ACCURACY}\n    return (outputs == targets).mean()",
        f"def other(x):\n    for o in x: pass\n{ACCURACY}\n    return 0",
        (
            "def classify_outputs(outputs, *, threshold=0.5):\n    for o in outputs:"
            f" pass\n{ACCURACY}\n    return classify_outputs(outputs, threshold=threshold)"
        ),
        f"{ACCURACY}\n    '''for x in y: pass'''\n    # for x in y: pass\n    return 0",
        f"{ACCURACY}\n    return 0\nfor i in range(3): print(i)",
        (
            f"{ACCURACY}\n    return 0\nif __name__ == '__main__':\n    for i in range(3):"
            " print(accuracy(i, i))"
        ),
        f"{ACCURACY}\n    for o in outputs: pass\n{ACCURACY}\n    return 0",
        f"def load():\n    for i in range(3): pass\nDATA = load()\n{ACCURACY}\n    return DATA",
        (
            "class C:\n    def __init__(self):\n        for i in range(3): pass\nc ="
            f" C()\n{ACCURACY}\n    return c"
        ),
        (
            "import numpy as np\ndef h(x):\n    for o in x: pass\nv ="
            f" np.vectorize(h)\n{ACCURACY}\n    return np.mean(outputs)"
        ),
        f"def timed(f):\n    for i in range(3): pass\n    return f\n{ACCURACY}\n    return 0",
    ],
)
def test_a_loop_of_somebody_else_does_not_count(source):
    """Another function of the rubric, a test at the end of the file, a text, what runs once on
    import.
    """
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


def test_a_class_inside_the_function_counts_its_construction_and_not_its_use():
    """As one beside it does."""
    source = """
    from torch import nn
    def build_class_ann(numInputs, topology, numOutputs, *, transferFunctions=None):
        layers = []
        for size in topology: layers.append(nn.Linear(size, size))
        class Red(nn.Module):
            def forward(self, x):
                for layer in layers: x = layer(x)
                return x
        return Red()
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
    def train_class_ann(topology, trainingDataset, *, validationDataset=None, testDataset=None,
                        transferFunctions=None, maxEpochs=1000, minLoss=0.0, learningRate=0.01,
                        maxEpochsVal=20):
        ann = {made}
        for epoch in range(maxEpochs):
            loss = ann(trainingDataset[0]).sum()
        return ann
"""


@pytest.mark.parametrize(
    ("made", "rules"),
    [("build_class_ann(1, topology, 1)", []), ("Red(topology)", ["loops.too_many"])],
)
def test_the_class_of_a_network_is_judged_with_the_function_that_makes_it(made, rules):
    """Training calls the network, whose loops over the layers are those of the function that builds
    it.
    """
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
    assert broken(source.replace("layers(1);", "for i in 1, 2: "), "build_class_ann") == [
        "loops.too_many"
    ]


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


@pytest.mark.parametrize("things", ["(outputs, targets)", "[outputs, targets, [threshold]]"])
def test_a_comprehension_over_two_or_three_fixed_things_brings_no_advice(things):
    """No array operation is shorter."""
    source = f"{IMPORTS}\n{ACCURACY}\n    return [np.asarray(each) for each in {things}]"
    assert advice(source, "accuracy") == []
    assert advice(source.replace(things, f"[*{things}]"), "accuracy") == ["loops.comprehension"]


@pytest.mark.parametrize(
    ("row", "source"),
    [
        ("build_class_ann", "{0}\n    names = [1 for _ in topology]\n    for n in topology: ..."),
        (
            "train_class_ann",
            "{0}\n    if len(topology): return train_class_ann(topology, trainingDataset)",
        ),
    ],
)
def test_where_a_loop_is_allowed_there_is_no_advice_about_loops(row, source):
    """Functions in a list are no array, and a function may call itself for another type as it did
    in Julia.
    """
    head = f"def {row}{RUBRIC.rows[row].overloads[0]}:".replace("'", "")
    assert advice(source.format(head), row) == []


# --- Forbidden calls ------------------------------------------------------------------------------


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


@pytest.mark.parametrize(
    "line", ["import practica2", "# import practica", "from .practica import x", "practica = 3"]
)
def test_other_names_that_look_like_it_may(line):
    """A module of the student's own."""
    assert broken(f"{line}\n{ACCURACY} return 0", "accuracy") == []


@pytest.mark.parametrize(
    "call",
    [
        "sklearn.metrics.accuracy_score(a, b)",
        "sklearn.model_selection.train_test_split(a)",
        "pandas.get_dummies(a)",
    ],
)
@pytest.mark.parametrize("row", ["ann_cross_validation", "model_cross_validation"])
def test_what_the_own_functions_are_for_goes_to_a_person_where_they_should_be_called(call, row):
    """Below the main guard, and in a function that nobody calls, it is nobody's business."""
    source = (
        f"import pandas, sklearn.metrics, sklearn.model_selection\n{{}}\ndef {row}(a, b):\n   "
        " return {}"
    )
    assert flagged(source.format("", call), row) == [call.partition("(")[0]]
    assert broken(source.format("", call), row) == []
    assert flagged(source.format(f"def trial(a, b):\n    return {call}", 1), row) == []


CODE_NOT_SHOWN = {
    "eval('1')": "eval",
    "(eval if 1 else 0)('1')": "eval",
    "exec('x = 1')": "exec",
    "compile('1', '', 'eval')": "compile",
    "__import__('sklearn.metrics').metrics": "__import__",
    "importlib.import_module('sklearn.metrics')": "importlib.import_module",
    "getattr(os, 'system')('ls')": "os.system",
    "os.system('ls')": "os.system",
    "subprocess.run('ls')": "subprocess.run",
    "multiprocessing.Pool()": "multiprocessing.Pool",
    "inspect.getsource(hold_out)": "inspect.getsource",
    "sys._getframe().f_back": "sys._getframe",
    "sys.settrace(None)": "sys.settrace",
    "types.FunctionType(hold_out, {})": "types.FunctionType",
    "hold_out.__globals__['f']": "__globals__",
    "hold_out.__code__": "__code__",
    "object.__subclasses__()": "__subclasses__",
    "ctypes.string_at(0)": "ctypes.string_at",
    "pickle.loads(b'a pickle that nobody can read')": "pickle.loads",
    "pickle.loads(base64.b64decode('YQ=='))": "pickle.loads",
    "torch.load(io.BytesIO(bytes.fromhex('00')))": "torch.load",
}


@pytest.mark.parametrize(("code", "name"), CODE_NOT_SHOWN.items())
def test_code_that_the_file_does_not_show_is_flagged_once(code, name):
    """By its name and its line, for every function, at no cost."""
    source = f"""
    import base64, ctypes, importlib, inspect, io, multiprocessing, os, pickle, subprocess, sys
    import torch, types
    def accuracy(outputs, targets, *, threshold=0.5):
        return {code}
    def hold_out(N, P, Q=0): ...
    """
    for row in ("accuracy", "hold_out"):
        found = [
            rule for rule in inspect(source, row).rules if rule.message_facts.get("name") == name
        ]
        assert [(rule.id, rule.line) for rule in found] == [("calls.suspicious", 5)]
        assert broken(source, row) == []


def test_code_in_a_class_inside_a_function_is_flagged_too():
    """Its methods are pieces of their own."""
    source = (
        f"{ACCURACY}\n    class C:\n        class D:\n            def f(self): return eval('1')\n  "
        "  return C"
    )
    assert [rule.message_facts["name"] for rule in inspect(source, "accuracy").rules] == ["eval"]


ORDINARY = [
    "torch.save(x, 'best.pt'); torch.load('best.pt')",
    "torch.load(io.BytesIO())",
    "pickle.dump(x, open('a', 'wb')); pickle.load(open('a', 'rb'))",
    "pickle.loads(pickle.dumps(x))",
    "import logging; logging.basicConfig(level=logging.INFO); logging.getLogger(__name__).info(x)",
    "import concurrent.futures; concurrent.futures.ThreadPoolExecutor(2).map(print, x)",
    "import threading; threading.Thread(target=print).start()",
    "import joblib; joblib.Parallel(n_jobs=2)(joblib.delayed(print)(each) for each in x)",
    "joblib.dump(x, 'model'); joblib.load('model')",
    "torch.optim.lr_scheduler.StepLR(x, 10)",
    "x.param_groups[0]['lr'] = 0.1",
    "torch.compile(x)",
    "x.__dict__.update(a=1); vars(x); type(x).__name__; x.__class__",
    "x._modules; x._parameters",
    "import tracemalloc; tracemalloc.start()",
    "import urllib.request; urllib.request.urlopen('http://localhost')",
    "import pandas as pd; pd.read_csv('data.csv')",
    "from tqdm import tqdm; tqdm(x)",
    "import seaborn as sns; sns.heatmap(x)",
    "import matplotlib.pyplot as plt; plt.show()",
    "getattr(torch.optim, 'Ad' + 'am')(x)",
    "getattr(np, 'me' + 'an')(x)",
    "globals()['x']; locals()",
    "np.load('a.npy', allow_pickle=True)",
    "sys.path.append('.'); sys.exit(); sys.argv",
    "os.path.join('a', 'b'); os.makedirs('a', exist_ok=True); os.environ['A']; os.remove('a')",
    "import random; random.seed(0); np.random.seed(0); torch.manual_seed(0)",
    "import warnings; warnings.filterwarnings('ignore')",
    "copy.deepcopy(x.state_dict())",
    "import gc; gc.collect()",
    "inspect.signature(x)",
    "functools.wraps(x); functools.partial(x, 1); functools.lru_cache(x)",
    "import contextlib; contextlib.suppress(ValueError)",
    "isinstance(x, torch.nn.Module); super().__init__(); x.__call__()",
    "import time; time.perf_counter()",
    "import traceback; traceback.print_exc()",
    "import ast; ast.literal_eval('1')",
    "re.compile('a').match(x)",
]


@pytest.mark.parametrize("code", ORDINARY)
def test_an_ordinary_idiom_is_not_flagged(code):
    """Whatever the practice does not need and students write all the same."""
    source = (
        "import copy, functools, inspect, io, joblib, os, pickle, re, sys, torch\nimport numpy as"
        f" np\n{code}"
    )
    assert [
        rule.message_facts
        for rule in inspect(f"{source}\n{ACCURACY}\n    return 0", "accuracy").rules
    ] == []


# --- The file -------------------------------------------------------------------------------------

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


PIECES = [
    b"\r",
    b"\n",
    b"\r\n",
    b"\f",
    b"\0",
    b"\xef\xbb\xbf",
    b"\\",
    b"'''",
    b"#",
    b" ",
    b"\t",
    b"if 1:",
    b"x=1",
]
PIECES += [
    b"'\xe9'",
    b"'\xc3\xa9'",
    b"'+AGE-'",
    b"\x1a",
    b"\xe2\x80\xa8",
    b"#\xe9 coding: latin-1",
    b"#coding:utf-7",
]
PIECES += [
    b"# coding: latin-1",
    b"# vim: set fileencoding=cp1252 :",
    b"# -*- coding: UTF_8 -*-",
    b"# coding: utf-16",
]


@pytest.mark.slow
@settings(max_examples=500)
@given(st.lists(st.sampled_from(PIECES), max_size=8).map(b"".join))
@example(b"\r# coding: utf-7\nx='+AGE-'")
@example(b"x=1\r# coding: latin-1\n'\xe9'")
@example(b"\xef\xbb\xbf# coding: latin-1")
@example(b"x = 'a'  # \xe9")
def test_a_file_is_read_as_python_reads_it(source):
    """Whoever reads it and whoever runs it take one text: the program that Python makes of these
    bytes, or none.

    A file that declares no encoding and is not in UTF-8, which Python does not read, is read as
    Latin-1.
    """
    text, wrong = decode(source)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            read = text if wrong and not declares_encoding(source) else source
            program = ast.dump(ast.parse(read), include_attributes=True)
        except (SyntaxError, ValueError):
            with pytest.raises((SyntaxError, ValueError)):
                load_source(source, "entrega.py", "nothing")
        else:
            assert ast.dump(parse(decode(source)[0]), include_attributes=True) == program
            load_source(source, "entrega.py", "nothing")


def test_what_does_not_run_is_left_out():
    """What stands under the main guard of another file's."""
    source = "from math import fsum\nif __name__ == '__main__':\n    accuracy = fsum"
    assert not inspect(source, "accuracy").found
    assert inspect(f"{source}\nelse:\n    accuracy = len", "accuracy").found


@pytest.mark.parametrize(
    "guard", ["__name__ == __main__", "__main__ == __name__", "'__name__' == __main__"]
)
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


@pytest.mark.parametrize("number", ["0,0000001", "12,05", "3,007"])
@pytest.mark.parametrize("before", ["", "    " * 30])
def test_a_decimal_comma_has_its_name_and_stands_in_the_line(number, before):
    """However long the line is."""
    line = f"if x:\n    y = [{before}1 + {number}, {before}2]\n"
    (rule,) = inspect_source(line.encode(), RUBRIC).file_rules
    assert rule.message_facts["number"] == number
    assert rule.message_facts["right"] == number.replace(",", ".")
    assert number in rule.message_facts["text"]


@pytest.mark.parametrize("source", [b"", b"\n", b"# nada\n", b"\xef\xbb\xbf"])
def test_an_empty_source_has_no_function(source):
    """Every function is missing, and no rule is about anything else."""
    report = inspect_source(source, RUBRIC)
    assert {rule.id for function in report.functions.values() for rule in function.rules} == {
        "signature.missing"
    }


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
        (
            "match accuracy:\n    case {'a': 1, **rest}: pass\n    case [*_]: pass\n    case"
            " A(b=c): pass"
        ),
        "import a.b.c as accuracy",
        "from . import accuracy",
        (
            "from __future__ import annotations\n@dispatch\ndef accuracy(x): ...\n@dispatch\ndef"
            " accuracy(x, y): ..."
        ),
    ],
)
def test_strange_files_are_read_in_a_moment(source):
    """Circles, towers and names for names."""
    inspect_source(source.encode(), RUBRIC)


def test_a_local_name_is_not_the_experiments_variable_of_that_name():
    """Neither its loops nor what it is made of are the function's, nor is what another function
    imports.
    """
    source = """
    from sklearn.model_selection import train_test_split
    def trained(n):
        for i in range(n): pass
    def experiment():
        from sklearn.metrics import confusion_matrix
        eval, compile = 1, 2
        return eval + compile
    def confusion_matrix(outputs, targets, *, threshold=0.5, weighted=True): return 0
    def accuracy(outputs, targets, *, threshold=0.5):
        model = outputs == targets
        return model.mean()
    def ann_cross_validation(topology, inputs, targets, crossValidationIndices, *,
                             numExecutions=50):
        return confusion_matrix(inputs, targets)
    model = trained
    inputs, targets = train_test_split([1, 2])
    """
    for row in ("accuracy", "ann_cross_validation"):
        assert inspect(source, row).rules == ()


def test_helpers_that_all_call_each_other_are_followed_once():
    """There are more ways through forty of them than steps in the world."""
    helpers = "".join(
        f"def f{i}(x):\n    return {' + '.join(f'f{j}(x)' for j in range(i + 1, 40)) or 'x'}\n"
        for i in range(40)
    )
    source = Source(
        parse(f"{helpers}def confusion_matrix(outputs, targets):\n    return f0(outputs)\n")
    )
    assert len(source.reached("confusion_matrix", ())) == 41


KEYWORDS = (
    "def class lambda for while in if else : ( ) [ ] { } , = == . * ** @ return import from as"
    " global try except"
)
NAMES = "accuracy hold_out crossvalidation x self 0.5 'a' eval getattr sklearn metrics"
WORDS = [*KEYWORDS.split(), *NAMES.split(), "\n", "\n\t", "\n\t\t"]


@pytest.mark.slow
@given(
    st.binary(max_size=200)
    | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass"))
)
@example(b"# coding: utf-7\nx = '+AGE-'")
@example(b"# coding: rot13\nqrs s(): cnff")
@example(b"# coding: unicode_escape\nx = '\\u00e1'")
@example(b"\xff\xfe# coding: utf-16")
def test_any_bytes_are_inspected(source):
    """There is a report, with known rules, for whatever comes."""
    report = inspect_source(source, RUBRIC)
    assert set(report.functions) == set(RUBRIC.rows)
    assert {rule.id for function in report.functions.values() for rule in function.rules} <= set(
        RULES
    )


@given(st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join))
def test_any_words_of_python_are_inspected(source):
    """Pieces of programs, most of them wrong."""
    inspect_source(source.encode(), RUBRIC)


# What computes with indices that nobody checks; of torch, families of names.


def test_a_long_chain_of_attributes_is_read_in_a_moment():
    """Each of its links is looked at by itself; no module has so long a name."""
    source = parse("x = o" + ".a" * 100_000)
    assert isinstance(source, SyntaxError) or len(Source(source).mentions()) < 100_000


def test_a_function_defined_twice_comes_first_with_both_lines():
    """As cases are written in Julia.

    One that was chosen at run time, or registered, is no second one.
    """
    twice = (
        "def accuracy(x):\n    return 1\n\n\ndef accuracy(x, y):\n    for each in x:\n       "
        " pass\n    return 2\n"
    )
    rules = inspect(twice).functions["accuracy"].rules
    assert [(rule.id, rule.severity, rule.message_facts.get("lines")) for rule in rules[:1]] == [
        ("source.redefined", "advice", [1, 5])
    ]
    chosen = (
        "if True:\n    def accuracy(x):\n        return 1\nelse:\n    def accuracy(x):\n       "
        " return 2\n"
    )
    registered = (
        "@f.register\ndef accuracy(x):\n    return 1\n\n@f.register\ndef accuracy(x):\n   "
        " return 2\n"
    )
    for source in chosen, registered:
        assert "source.redefined" not in [
            rule.id for rule in inspect(source).functions["accuracy"].rules
        ]
