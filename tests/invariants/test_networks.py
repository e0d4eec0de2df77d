# ruff: noqa: E501  (one way on each line)
"""Networks: however a right one holds all its layers, it keeps its points, and a wrong one does not.

What a single layer is made of is drawn in `tests/same`. A factor of 1 has 12 pairs of a way and a
seed; PRACTICA_BUDGET=100 tries each way many times.
"""

import textwrap

import pytest
from budget import budget
from hypothesis import given, settings
from hypothesis import strategies as st
from lanes import one_in
from submissions import merged

from practica.grading.engine.framework import load_checks
from practica.grading.engine.runner import run_check
from practica.grading.engine.solution import LocalSolution
from practica.grading.inside.loading import load_source

RED = '''
class Red(nn.Module):
    """A network: in layer i, `pairs[i]` are its inputs and neurons."""

    def __init__(self, pairs, functions):
        super().__init__()
        self.pairs, self.functions = pairs, functions
{made}

    def forward(self, x):
{begun}
        for i, (n, m) in enumerate(self.pairs):
            x = self.functions[i]({layer})
        return x


class OneByOne(nn.Module):
    """A network in which each pattern goes its way alone."""

    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x):
        return torch.cat([self.net(row[None]) for row in x])


class Neurons(nn.Module):
    """A network of neurons, each of which has its function in a hidden layer."""

    def __init__(self, pairs, functions):
        super().__init__()
        self.functions = functions
        self.layers = nn.ModuleList(
            [nn.ModuleList([nn.Linear(n, 1) for _ in range(m)]) for n, m in pairs]
        )

    def forward(self, x):
        *hidden, last = zip(self.layers, self.functions)
        for layer, function in hidden:
            x = torch.cat([function(neuron(x)) for neuron in layer], 1)
        return last[1](torch.cat([neuron(x) for neuron in last[0]], 1))


class Hooked(nn.Sequential):
    """A network of modules, each of which has its function as a hook."""

    def __init__(self, pairs, functions):
        super().__init__(*(nn.Linear(n, m) for n, m in pairs))
        for layer, function in zip(self, functions):
            layer.register_forward_hook(lambda module, given, z, f=function: f(z))


def build_class_ann(numInputs, topology, numOutputs, *, transferFunctions=None):
    """Create a network."""
    sizes = [numInputs, *topology, numOutputs]
    hidden = [torch.sigmoid] * len(topology) if transferFunctions is None else transferFunctions
    last = torch.sigmoid if numOutputs == 1 else lambda z: torch.softmax(z, dim=1)
    return {built}
'''
BUILT = "Red([*zip(sizes, sizes[1:])], [*hidden, last])"


def listed(name, size):
    """Return the line that makes a list of parameters, one for each layer."""
    return f"self.{name} = nn.ParameterList([torch.randn({size}) for n, m in pairs])\n"


def modules(of_a_layer):
    """Return the line that makes a list of modules, one for each layer."""
    return f"self.layers = nn.ModuleList([{of_a_layer} for n, m in pairs])\n"


W, B, ROWS = listed("W", "n, m"), listed("b", "m"), listed("b", "1, m")
LINEAR = modules("nn.Linear(n, m)")
VECTOR = "self.{} = nn.Parameter(torch.randn(sum({} for n, m in pairs)))\n"
CUT = "{} = iter(self.{}.split([size for n, m in self.pairs for size in ({})]))\n"
NAMED = """
for i, (n, m) in {}:
    for name, size in {}:
        self.register_parameter(f"{{name}}{{i}}", nn.Parameter(torch.randn(size)))
"""
DICT = """
self.p = nn.ParameterDict()
for i, (n, m) in enumerate(pairs):
    self.p[f"b{i}"], self.p[f"W{i}"] = torch.randn(m), torch.randn(n, m)
"""
HIDDEN_LINEAR = "self.hidden = nn.ModuleList([nn.Linear(n, m) for n, m in pairs[:-1]])\n"
OWN_LAST = (
    "self.W, self.b = (nn.Parameter(torch.randn(size)) for size in (pairs[-1], pairs[-1][1]))\n"
)
BARE_LAST = (
    "self.W = nn.Linear(*pairs[-1], bias=False)\nself.b = nn.Parameter(torch.zeros(pairs[-1][1]))\n"
)
LAST = "self.hidden[i](x) if i < len(self.hidden) else {}"

# of each way: what makes the parameters, what a layer computes, and what comes before all layers
LAYERS = {
    "registered by name": (NAMED.format("enumerate(pairs)", "(('W', (n, m)), ('b', m))"), "x @ getattr(self, f'W{i}') + getattr(self, f'b{i}')"),
    "the last layer is registered first": (NAMED.format("[*enumerate(pairs)][::-1]", "(('b', m), ('W', (m, n)))"), "x @ getattr(self, f'W{i}').T + getattr(self, f'b{i}')"),
    "a dictionary": (DICT, "x @ self.p[f'W{i}'] + self.p[f'b{i}']"),
    "lists from the last layer on": ((W + B).replace("in pairs", "in pairs[::-1]"), "x @ self.W[-1 - i] + self.b[-1 - i]"),
    "a vector, layer by layer": (VECTOR.format("v", "n * m + m"), "x @ next(v).view(m, n).T + next(v)", CUT.format("v", "v", "n * m, m")),
    "a vector, biases before weights": (VECTOR.format("v", "n * m + m"), "next(v) + x @ next(v).view(n, m)", CUT.format("v", "v", "m, n * m")),
    "a vector of weights, one of biases": (VECTOR.format("w", "n * m") + VECTOR.format("b", "m"), "x @ next(w).view(m, n).T + next(b)", CUT.format("w", "w", "n * m,") + CUT.format("b", "b", "m,")),
    "modules and an output layer of its own": (HIDDEN_LINEAR + OWN_LAST, LAST.format("x @ self.W + self.b")),
    "modules, and a bare one with a bias": (HIDDEN_LINEAR + BARE_LAST, LAST.format("self.W(x) + self.b")),
    "a first layer of its own": ("self.V, self.a = nn.Parameter(torch.randn(pairs[0])), nn.Parameter(torch.randn(1, pairs[0][1]))\n" + LINEAR.replace("pairs", "pairs[1:]"), "self.layers[i - 1](x) if i else x @ self.V + self.a"),
    "one module and vectors": ("self.first = nn.Linear(*pairs[0])\n" + modules("nn.ParameterList([torch.randn(n + 1) for _ in range(m)])").replace("pairs]", "pairs[1:]]"), "torch.stack([x @ w[:n] + w[n] for w in self.layers[i - 1]], dim=1) if i else self.first(x)"),
}  # fmt: skip
BUILDS = {
    "a sequence": "nn.Sequential(*(each for n, m, f in zip(sizes, sizes[1:], [*hidden, last])"
    " for each in (nn.Linear(n, m), Activacion(f))))",
    "logits, and a module of the last function": (
        "nn.Sequential(Red([*zip(sizes, sizes[1:])], [*hidden, lambda z: z]), Activacion(last))"
    ),
    "patterns that go through one by one": f"OneByOne({BUILT})",
    "neurons with their own functions": "Neurons([*zip(sizes, sizes[1:])], [*hidden, last])",
    "functions as hooks": "Hooked([*zip(sizes, sizes[1:])], [*hidden, last])",
    "a traced module": f"torch.jit.trace({BUILT}, torch.zeros(2, numInputs))",
}


def source_of(way, *edit):
    """Return the model answer with networks of a way, after an edit of what builds them."""
    made, layer, *begun = LAYERS.get(way, (W + ROWS, "x @ self.W[i] + self.b[i]"))
    text = RED.replace(*edit) if edit else RED
    assert not edit or text != RED
    return merged(
        text.format(
            made=textwrap.indent(made, " " * 8),
            begun=textwrap.indent("".join(begun), " " * 8),
            layer=layer,
            built=BUILDS.get(way, BUILT),
        )
    )


pytestmark = pytest.mark.usefixtures("one_thread")

CHECKS = load_checks().values()
BUILDING = [check for check in CHECKS if check.row == "build_class_ann"]
TRAINING = [check for check in CHECKS if check.row == "train_class_ann"]
WAYS = [*LAYERS, *BUILDS]
GIVEN = next(each for each in BUILDING if each.id.endswith("transfer_functions.given"))


def failed(source, checks, secret):
    """Return what the checks find that a file fails, without any help."""
    solution = LocalSolution(load_source(source.encode(), "entrega.py"))
    found = (run_check(each, solution, secret=secret, helpers=()) for each in checks)
    return [each for each in found if each.verdict != "pass"]


@pytest.mark.thorough
@pytest.mark.parametrize("way", WAYS)
def test_a_right_network_keeps_its_points_whatever_it_is_made_of(way):
    """So does what trains it."""
    assert failed(source_of(way), BUILDING + TRAINING, secret=1) == []


@pytest.mark.thorough
@settings(max_examples=budget(12))
@given(st.sampled_from(WAYS), st.integers(0, 2**53))
def test_no_seed_costs_a_right_network_its_points(way, secret):
    """Nor do weights with which its outputs are 0 or 1, up to the rounding of float32."""
    assert failed(source_of(way), BUILDING, secret) == []


HIDDEN = "[torch.sigmoid] * len(topology) if transferFunctions is None else transferFunctions"
LAST_OF_ALL = "torch.sigmoid if numOutputs == 1 else lambda z: torch.softmax(z, dim=1)"
GIVEN_LAST = f"hidden[-1] if hidden and numOutputs == 1 else {LAST_OF_ALL}"
# the same value for all numbers of a parameter
SET = """net, v = {built}, float(torch.rand(()))
    with torch.no_grad():
        for p in net.parameters():
            p.fill_(v)
    return net"""
MISTAKES = {
    "another default": (HIDDEN, HIDDEN.replace("sigmoid", "tanh")),
    "no hidden functions": (HIDDEN, "[lambda z: z] * len(topology)"),
    "functions ignored": (HIDDEN, "[torch.sigmoid] * len(topology)"),
    "functions backwards": (HIDDEN, HIDDEN + "[::-1]"),
    "no last function": (LAST_OF_ALL, "lambda z: z"),
    "the last function of the hidden layers": (LAST_OF_ALL, GIVEN_LAST),
    "a softmax over patterns": ("dim=1", "dim=0"),
    "the topology backwards": ("*topology, num", "*topology[::-1], num"),
    "equal neurons": ("return {built}", SET),
    "one output in a vector": ("return x\n\n\nclass One", "return x.squeeze(1)\n\n\nclass One"),
    "a softmax of a softmax": (
        "lambda z: torch.softmax(z, dim=1)",
        "lambda z: torch.softmax(torch.softmax(z, dim=1), dim=1)",
    ),
    "a seed": ("    return {built}", "    torch.manual_seed(1)\n    return {built}"),
    "a function on the inputs": ("{begun}", "{begun}\n        x = torch.tanh(x)"),
    "the last input is not used": (
        "{begun}",
        "{begun}\n        x = torch.cat([x[:, :-1], x[:, :1] * 0], 1)",
    ),
}
# two mistakes for each way, in turn
TURNS = [
    (way, [*MISTAKES][(number + half) % len(MISTAKES)])
    for number, way in enumerate(WAYS)
    for half in (0, len(MISTAKES) // 2)
]
# a way that builds no `Red` has no `forward` to begin with something
WRONG = [
    (way, each)
    for way, each in TURNS
    if ("{begun}" not in MISTAKES[each][0] or "Red(" in BUILDS.get(way, BUILT))
    # no array has a row for each pattern: nothing shows which hidden functions are there
    and (way != "patterns that go through one by one" or MISTAKES[each][0] != HIDDEN)
]


@pytest.mark.parametrize(("way", "mistake"), one_in(16, WRONG))
def test_a_wrong_network_fails_whatever_it_is_made_of(way, mistake):
    """No sentence says that a network without a bias is what is wrong, or one with a seed."""
    found = failed(source_of(way, *MISTAKES[mistake]), BUILDING, secret=1)
    assert {each.verdict for each in found} == {"fail"}
    assert "build_class_ann.biases" not in {each.message for each in found}
    ids = {each.id.removeprefix("build_class_ann.") for each in found}
    assert ("random_weights" in ids) == (mistake in ("a seed", "equal neurons"))


UNUSED = ("{layer}", "{layer} - self.b[i]")


def test_biases_that_cancel_out_are_none():
    """Though they are parameters."""
    assert failed(source_of(None, *UNUSED), BUILDING, secret=1)


def test_the_call_that_is_shown_is_the_one_that_failed():
    """The one with functions, where a network is only wrong with them."""
    edit = LAST_OF_ALL, GIVEN_LAST
    (outcome,) = failed(source_of("a sequence", *edit), [GIVEN], secret=None)
    assert "transferFunctions" in outcome.counterexample["call"]
