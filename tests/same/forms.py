# ruff: noqa: E501  (one choice on each line)
"""Forms: what a function returns and is given in another legal form, which its callers in the file
need, and helpers that are not right, which cost their callers nothing.
"""

import re

from same.choices import Choices, others
from same.proofs import fault_of_answers, loaded
from same.walking import Grammar
from submissions import MODEL, functions_that_use

from practica.grading.engine.rubric import load_rubric

TEXT = '''
import collections
import functools


METRICS = "accuracy", "error", "recall", "specificity", "ppv", "npv", "f1"
kind = functools.cache(lambda names: collections.namedtuple("Named", names))


def named(value, *names):
    """Return a tuple with names."""
    return kind(names)(*value)


class Shown(tuple):
    """A tuple that can be shown."""

    def show(self):
        return str(list(self))


class Share(float):
    """A number that can be shown."""

    def show(self):
        return f"{self:.2f}"


class Matrix(np.ndarray):
    """A matrix of its own kind."""

    def classes(self):
        return self.shape[1:]


def needs(seen, result):
    """Return a result of which something was read."""
    return result


def with_method(net):
    """Let a network predict."""
    net.predict = lambda x: net(torch.as_tensor(x, dtype=torch.float32)).detach().numpy()
    return net


def with_history(value):
    """Let a network know its losses."""
    value[0].history = list(value[1])
    return value


def ready(value):
    """Return a trained network that is trained no more."""
    value[0].eval().requires_grad_(False)
    return value


def as_array(value):
    """Return the array of what is a list, a tensor or a column."""
    return value if isinstance(value, (str, bool, int, float, tuple)) or value is None else np.asarray(value)


def same(value):
    """Return a value as it is."""
    return value


'''
FORMED = '''def formed_{name}(function):
    """Return what a function returns in another form."""

    @functools.wraps(function)
    def with_form(*args, **kwargs):
        value = function(*[{taken}(each) for each in args], **kwargs)
        return {made}

    return with_form


def called_{name}(*args, **kwargs):
    """Call a function, and read its result."""
    result = {name}(*[{sent} for each in args], **kwargs)
    return {read}


'''
PLAIN = "value", "result"
PAIRS = {
    "plain": PLAIN,
    "names": (
        'named([named(each, "mean", "deviation") for each in value], *METRICS)',
        "needs(result.accuracy.mean, result)",
    ),
    "an array": ("np.array(value)", "needs(result[0, 0], result)"),
    "lists": ("[list(each) for each in value]", "result + []"),
    "a tensor": ("torch.tensor(value)", "needs(result.unsqueeze(0), result)"),
    "numpy's scalars": ("tuple(map(tuple, np.array(value)))", "needs(result[0][0].dtype, result)"),
    "a tuple with methods": ("Shown(value)", "needs(result.show(), result)"),
}
MATRICES = {
    "plain": PLAIN,
    "lists": ("value.tolist()", "np.array(result + [])"),
    "in columns": ("np.asfortranarray(value)", "result"),
    "a subclass": ("value.view(Matrix)", "needs(result.classes(), np.asarray(result))"),
    "a tensor": ("torch.tensor(value)", "result.detach().numpy()"),
}
PARAMETERS = {
    "plain": PLAIN,
    "names": ('named(value, "first", "second")', "(result.first, result.second)"),
    "a list": ("list(value)", "tuple(result + [])"),
    "one array": ("np.array(value)", "tuple(result.copy())"),
    "tensors": (
        "tuple(map(torch.tensor, value))",
        "tuple(each.detach().numpy() for each in result)",
    ),
}
RESULTS = {
    "calculate_min_max_normalization_parameters": PARAMETERS,
    "calculate_zero_mean_normalization_parameters": PARAMETERS,
    "one_hot_encoding": MATRICES,
    "classify_outputs": MATRICES,
    "accuracy": {
        "plain": PLAIN,
        "numpy's scalar": ("np.float64(value)", "needs(result.dtype, result)"),
        "an array": ("np.array(value)", "needs(result.shape, float(result))"),
        "a tensor": ("torch.tensor(value, dtype=torch.float64)", "needs(result.requires_grad, result.item())"),
        "a number with methods": ("Share(value)", "needs(result.show(), result)"),
    },
    "build_class_ann": {
        "plain": PLAIN,
        "a method": ("with_method(value)", "needs(result.predict, result)"),
        "a list of its own": ("with_history((value, []))[0]", "needs(result.history, result)"),
    },
    "hold_out": {
        "plain": PLAIN,
        "lists": ("tuple(each.tolist() for each in value)", "tuple(np.array(each + [], dtype=int) for each in result)"),
        "int32": ("tuple(each.astype(np.int32) for each in value)", "tuple(each.astype(int) for each in result)"),
        "tensors": ("tuple(map(torch.tensor, value))", "tuple(each.detach().numpy() for each in result)"),
        "a list": ("list(value)", "tuple(result + [])"),
        "names": ('named(value, *("train", "val", "test")[-len(value) :])', "(*result[:-1], result.test)"),
    },
    "train_class_ann": {
        "plain": PLAIN,
        "names": ('named(value, "ann", "training", "validation", "test")', "(result.ann, *result[1:])"),
        "arrays": ("(value[0], *(np.array(each) for each in value[1:]))", "needs(result[1].shape, result)"),
        "tensors": ("(value[0], *(torch.tensor(each) for each in value[1:]))", "needs(result[1].numpy(), result)"),
        "a network with its losses": ("with_history(value)", "needs(result[0].history[0], result)"),
        "a network that is ready": ("ready(value)", "needs(result[0].training or 1, result)"),
        "a network with a method": ("(with_method(value[0]), *value[1:])", "needs(result[0].predict, result)"),
    },
    "confusion_matrix": {
        "plain": PLAIN,
        "names": ('named(value, *METRICS, "matrix")', "needs(result.f1, tuple(result))"),
        "a list": ("list(value)", "tuple(result + [])"),
        "numpy's scalars": ("(*map(np.float64, value[:7]), *value[7:])", "needs(result[0].dtype, result)"),
        "a tuple with methods": ("Shown(value)", "needs(result.show(), result)"),
    },
    "crossvalidation": {
        "plain": PLAIN,
        "a list": ("value.tolist()", "np.array(result + [])"),
        "int8": ("value.astype(np.int8)", "result.astype(int)"),
        "a tensor": ("torch.tensor(value)", "result.detach().numpy()"),
    },
    "ann_cross_validation": PAIRS,
    "model_cross_validation": PAIRS,
}  # fmt: skip
ARRAYS = "isinstance(each, np.ndarray)"
SENT = {
    "plain": "each",
    "lists": f"each.tolist() if {ARRAYS} else each",
    "tensors": f"torch.as_tensor(each) if {ARRAYS} and each.dtype.kind in 'bf' else each",
    "float32": f"each.astype(np.float32) if {ARRAYS} and each.dtype == float else each",
    "in columns": f"np.asfortranarray(each) if {ARRAYS} else each",
}
GIVEN = ("classify_outputs", "accuracy", "confusion_matrix")
# an edit after which a function answers, and wrongly; one whose answer is its caller's is left out
WRONG = {
    "one_hot_encoding": ("codificado[:, columna] = feature == clase", "codificado[:, columna] = feature != clase"),
    "calculate_min_max_normalization_parameters": ("dataset.max(", "dataset.mean("),
    "calculate_zero_mean_normalization_parameters": ("ddof=1, keepdims", "ddof=0, keepdims"),
    "classify_outputs": (">= threshold", "< threshold"),
    "accuracy": ("outputs == targets", "outputs != targets"),
    "build_class_ann": ("nn.Sigmoid() if", "nn.Tanh() if"),
    "hold_out": ("return posiciones[:numEntrenamiento], posiciones[numEntrenamiento:]", "return posiciones[numEntrenamiento:], posiciones[:numEntrenamiento]"),
    "train_class_ann": ("        optimizador.step()\n", ""),
    "confusion_matrix": ("        VP, VN =", "        VN, VP ="),
    "ann_cross_validation": ("porEjecucion.mean(axis=0)", "porEjecucion[0]"),
}  # fmt: skip
NOT_RIGHT = {  # what else a helper may be: its statement, or what follows all others
    "wrong": "",
    "unwritten": "    raise NotImplementedError\n",
    "raising": "    raise ValueError('not today')\n",
    "constant": "    return 0.5\n",
    "nothing": "    return None\n",
    "bound again": "{} = 0.93\n",
    "defined again": "def {}(*args, **kwargs):\n    return 1.0\n",
}
AXES = {
    **{f"result of {name}": forms for name, forms in RESULTS.items()},
    **{f"arguments of {name}": SENT for name in GIVEN},
    **{f"{name} is": {"right": "", **NOT_RIGHT} for name in WRONG},
}
FUNCTIONS = {row.function for row in load_rubric().rows.values()}
SOURCE = MODEL.read_text(encoding="utf-8")


def text(choices: Choices) -> str:
    """Return what is added to the model answer in front of its functions."""
    return TEXT + "".join(_formed(name, choices) for name in _with_form(choices))


def source(choices: Choices) -> str:
    """Return the model answer with results, arguments and helpers of these choices."""
    found = SOURCE
    for name, kind in _not_right(choices).items():
        assert kind == "wrong" or name not in _with_form(choices), "nothing shows the form"
        found = _spoilt(found, name, kind)
    for name in _with_form(choices):
        found = re.sub(rf"(?<!def )\b{name}\(", f"called_{name}(", found)
        found = re.sub(rf"^def {name}\(", f"@formed_{name}\ndef {name}(", found, flags=re.MULTILINE)
    head, first, rest = found.partition("# ---")
    return head + text(choices) + first + rest


def functions(choices: Choices) -> frozenset[str]:
    """Return the functions that a choice can touch, without helpers that are not right."""
    spoilt = _not_right(choices).keys()
    return functions_that_use(frozenset({*_with_form(choices), *spoilt})) & FUNCTIONS - spoilt


def fault(choices: Choices) -> str:
    """Return how the file answers otherwise than the model answer, all its helpers being right."""
    right = {axis: name for axis, name in choices.items() if not axis.endswith(" is")}
    touched = functions_that_use(frozenset(_with_form(right))) & FUNCTIONS
    source(choices)
    return fault_of_answers(
        loaded(source({**choices, **dict.fromkeys(choices.keys() - right, "right")})), touched
    )


def _with_form(choices: Choices) -> list[str]:
    changed = others(choices, AXES)
    return [
        name for name in RESULTS if {f"result of {name}", f"arguments of {name}"} & changed.keys()
    ]


def _not_right(choices: Choices) -> Choices:
    changed = others(choices, AXES)
    return {name: changed[f"{name} is"] for name in WRONG if f"{name} is" in changed}


def _formed(name: str, choices: Choices) -> str:
    made, read = RESULTS[name][choices[f"result of {name}"]]
    sent = choices.get(f"arguments of {name}", "plain")
    taken = "same" if sent == "plain" else "as_array"
    return FORMED.format(name=name, made=made, read=read, sent=SENT[sent], taken=taken)


def _spoilt(found: str, name: str, kind: str) -> str:
    """Return a file in which a function is not right."""
    if kind == "wrong":
        return found.replace(*WRONG[name])
    if kind.endswith("again"):
        return f"{found}\n\n{NOT_RIGHT[kind].format(name)}"
    head = re.search(rf"^def {name}\(.*?\):\n", found, flags=re.MULTILINE | re.DOTALL)
    body = re.compile(r"\n\n\n").search(found, head.end())
    return found[: head.end()] + NOT_RIGHT[kind] + found[body.start() :]


RIGHT = Grammar(AXES, text, source, functions, fault, most=2)
