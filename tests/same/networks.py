# ruff: noqa: E501  (one choice on each line)
"""Networks: what makes a layer, where its function is applied, what holds the layers, how patterns
go through, and how the functions of hidden and output layers are written.

A mistake is an edit of the same text, so that a network is wrong in every making.
"""

from same.choices import Axes, Choices
from same.proofs import fault_of_networks, loaded
from same.walking import Grammar
from submissions import merged

TEXT = '''
from collections import OrderedDict
from functools import reduce

import torch.nn.functional as F


class Layer(nn.Module):
    """A layer of m neurons with n inputs, and its function."""

    def __init__(self, n, m, f):
        super().__init__()
        self.n, self.m, self.f = n, m, f
        {made}

    def z(self, x):
        """Return the sums of the neurons."""
        return {z}

    def forward(self, x):
        return {forward}


class Function(nn.Module):
    """A function as a module."""

    def __init__(self, f):
        super().__init__()
        self.f = f

    def forward(self, x):
        return self.f(x)


class InTurn(nn.Module):
    """Parts that are applied in turn."""

    def __init__(self, parts):
        super().__init__()
        self.parts = nn.ModuleList(parts)

    def forward(self, x):
        return reduce(lambda x, part: part(x), self.parts, x)

    def loss(self, x, y):
        """Return the cross-entropy of the outputs."""
        p = self(x) + 1e-7
        terms = y * torch.log(p)
        return -(terms + (1 - y) * torch.log(1 - p + 2e-7)).mean() if y.shape[1] == 1 else -terms.sum(1).mean()


class FirstAndRest(nn.Module):
    """The first part, and a network of the others."""

    def __init__(self, parts):
        super().__init__()
        self.first = parts[0]
        self.rest = FirstAndRest(parts[1:]) if parts[1:] else nn.Identity()

    def forward(self, x):
        return self.rest(self.first(x))


class Named(nn.Module):
    """Parts that have names."""

    def __init__(self, parts):
        super().__init__()
        _ = [self.add_module("part%d" % i, part) for i, part in enumerate(parts)]

    def forward(self, x):
        return reduce(lambda x, part: part(x), self.children(), x)


class Stack(nn.Sequential):
    """A sequence of its own."""

    def loss(self, x, y):
        """Return the cross-entropy of the outputs."""
        return InTurn.loss(self, x, y)


class Passing(nn.Module):
    """A network through which patterns go in their own way."""

    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x):
        return {passed}

    def loss(self, x, y):
        """Return the cross-entropy of the outputs."""
        return InTurn.loss(self, x, y)


def hooked(layer, module, f):
    """Let a function be applied to what a module of the layer returns."""
    module.register_forward_hook(lambda module, args, z: f(z))
    return [layer]


def before(f):
    """Return a module in front of which a function is applied."""
    module = nn.Identity()
    module.register_forward_pre_hook(lambda module, args: (f(args[0]),))
    return module


def usual(z):
    """Return the default function of hidden layers."""
    return {usual}


def one_output(z):
    """Return the function of one output."""
    return {one}


def several_outputs(z):
    """Return the function of several outputs."""
    return {several}


usual.turned = one_output.turned = lambda n: 1 / (1 + torch.exp(n))
several_outputs.turned = lambda n: torch.exp(-n) / torch.exp(-n).sum(-1, keepdim=True)


def build_class_ann(numInputs, topology, numOutputs, *, transferFunctions=None):
    """Create a network."""
    hidden = [usual] * len(topology) if transferFunctions is None else list(transferFunctions)
    last = one_output if numOutputs == 1 else several_outputs
    sizes, functions = [numInputs, *topology, numOutputs], [*hidden, last]
    parts = []
    for n, m, f in zip(sizes, sizes[1:], functions):
        layer = Layer(n, m, f)
        parts += {parts}
    net = {held}
    return {built}
'''
LIN = "self.lin = nn.Linear(n, m)"
W, B = (
    "self.W = nn.Parameter(torch.randn(n, m) * 0.4)",
    "self.b = nn.Parameter(torch.randn(m) * 0.4)",
)
OWN = f"{W}; {B}"
TURNED = f"self.W = nn.Parameter(torch.randn(m, n) * 0.4); {B}"
LAYERS = {  # what makes the parameters, and what computes the sums
    "nn.Linear": (LIN, "self.lin(x)"),
    "its forward": (LIN, "self.lin.forward(x)"),
    "its parameters": (LIN, "F.linear(x, self.lin.weight, self.lin.bias)"),
    "a further axis": (LIN, "self.lin(x.unsqueeze(0)).squeeze(0)"),
    "an axis between": (LIN, "self.lin(x[:, None, :])[:, 0, :]"),
    "each row": (LIN, "torch.stack([self.lin(row) for row in x])"),
    "rows as matrices": (LIN, "torch.cat([self.lin(row) for row in x.split(1)])"),
    "a map of nn.Linear": (LIN, "torch.vmap(self.lin)(x)"),
    "patterns in columns": (LIN, "self.lin(x.T.contiguous().T)"),
    "nn.Linear in double": (f"{LIN}.double()", "self.lin(x.double()).to(x.dtype)"),
    "a module for each neuron": ("self.lin = nn.ModuleList([nn.Linear(n, 1) for _ in range(m)])", "torch.cat([one(x) for one in self.lin], dim=-1)"),
    "a bias apart": (f"self.lin = nn.Linear(n, m, bias=False); {B}", "self.lin(x) + self.b"),
    "lazy": ("self.lin = nn.LazyLinear(m); self.lin(torch.zeros(1, n))", "self.lin(x)"),
    "bilinear": ("self.lin = nn.Bilinear(1, n, m)", "self.lin(torch.ones_like(x[:, :1]), x)"),
    "a convolution": ("self.lin = nn.Conv1d(n, m, 1)", "self.lin(x.unsqueeze(2)).squeeze(2)"),
    "a convolution of columns": ("self.lin = nn.Conv1d(n, m, 1)", "self.lin(x.T.unsqueeze(0)).squeeze(0).T"),
    "a wide convolution": ("self.lin = nn.Conv1d(1, m, n)", "self.lin(x.unsqueeze(1)).squeeze(2)"),
    "normed weights": ("self.lin = nn.utils.parametrizations.weight_norm(nn.Linear(n, m))", "self.lin(x)"),
    "parameters": (OWN, "x @ self.W + self.b"),
    "turned parameters": (TURNED, "F.linear(x, self.W, self.b)"),
    "addmm": (OWN, "torch.addmm(self.b, x, self.W)"),
    "baddbmm": (OWN, "torch.baddbmm(self.b[None, None], x[None], self.W[None])[0]"),
    "einsum": (OWN, "torch.einsum('...j,jk->...k', x, self.W) + self.b"),
    "tensordot": (OWN, "torch.tensordot(x, self.W, 1) + self.b"),
    "products": (OWN, "(x[:, :, None] * self.W).sum(1) + self.b"),
    "a map": (OWN, "torch.vmap(lambda row: row @ self.W + self.b)(x)"),
    "rows": (OWN, "torch.stack([row @ self.W + self.b for row in x])"),
    "columns": (OWN, "(self.W.T @ x.T + self.b[:, None]).T"),
    "in double": (OWN, "(x.double() @ self.W.double() + self.b.double()).to(x.dtype)"),
    "a bias subtracted": (OWN, "x @ self.W - self.b"),
    "the bias among the weights": ("self.W = nn.Parameter(torch.randn(n + 1, m) * 0.4)", "torch.cat([x, torch.ones_like(x[:, :1])], dim=1) @ self.W"),
    "the bias in front": ("self.W = nn.Parameter(torch.randn(n + 1, m) * 0.4)", "F.pad(x, (1, 0), value=1.0) @ self.W"),
    "a list of neurons": (f"self.W = nn.ParameterList([torch.randn(n) * 0.4 for _ in range(m)]); {B}", "torch.stack([x @ w for w in self.W], dim=-1) + self.b"),
    "one vector": ("self.p = nn.Parameter(torch.randn(n * m + m) * 0.4)", "x @ self.p[: self.n * self.m].view(self.n, self.m) + self.p[self.n * self.m :]"),
    "scaled weights": (f"self.W = nn.Parameter(torch.randn(m, n)); {B}", "F.linear(x, self.W / self.n**0.5, self.b)"),
    "a bias first": (f"{B}; {W}", "x @ self.W + self.b"),
    "a bias in a row": (f"{W}; self.b = nn.Parameter(torch.randn(1, m) * 0.4)", "x @ self.W + self.b"),
    "bmm": (f"self.W = nn.Parameter(torch.randn(1, n, m) * 0.4); {B}", "torch.bmm(x[None], self.W)[0] + self.b"),
    "the bias in the last column": ("self.W = nn.Parameter(torch.randn(m, n + 1) * 0.4)", "x @ self.W[:, :-1].T + self.W[:, -1]"),
    "a vector for each neuron": ("self.W = nn.ParameterList([torch.randn(n + 1) * 0.4 for _ in range(m)])", "torch.stack([x @ w[:-1] + w[-1] for w in self.W], dim=-1)"),
    "a vector for each input": ("self.W = nn.ParameterList([torch.randn(m) * 0.4 for _ in range(n + 1)])", "x @ torch.stack([*self.W][:-1]) + self.W[-1]"),
    "a number for each weight": (f"self.W = nn.ParameterList([torch.randn(()) * 0.4 for _ in range(n * m)]); {B}", "x @ torch.stack([*self.W]).view(self.n, self.m) + self.b"),
    "weights in two blocks": (f"self.U, self.V = (nn.Parameter(torch.randn(n, size) * 0.4) for size in (m // 2, m - m // 2)); {B}", "x @ torch.cat([self.U, self.V], dim=1) + self.b"),
    "weights within bounds": (OWN, "x @ torch.tanh(self.W) + self.b.sin()"),
    "positive parameters": ("self.W, self.b = nn.Parameter(torch.rand(n, m) + 0.5), nn.Parameter(torch.rand(m) + 0.5)", "x @ torch.log(self.W) + torch.log(self.b)"),
    "weights less their mean": (OWN, "x @ (self.W - self.W.mean() / 2) + self.b"),
    "weights turned over": (OWN, "x @ self.W.flip(0) + self.b.flip(0)"),
    "wide weights": (f"self.W = nn.Parameter(torch.randn(n, m) * 9); {B}", "x @ self.W + self.b"),
    "a scaled module": (LIN, "0.5 * self.lin(x)"),
    "scaled sums": (OWN, "0.5 * (x @ self.W + self.b)"),
    "groups of five": (LIN, "torch.cat([self.lin(five) for five in x.split(5)])"),
    "single precision": (OWN, "(x.float() @ self.W.float() + self.b.float()).to(x.dtype)"),
}  # fmt: skip
PLACES = {  # what the layer returns, and the parts of the network that it becomes
    "in the layer": ("self.f(self.z(x))", "[layer]"),
    "a module": ("self.z(x)", "[layer, Function(f)]"),
    "a hook": ("self.z(x)", "hooked(layer, layer, f)"),
    "a hook of what the layer holds": ("self.z(x)", "hooked(layer, next(layer.children()), f)"),
    "a hook in front of the next": ("self.z(x)", "[layer, before(f)]"),
    "of the negative sums": ("self.f.turned(-(x @ self.W) - self.b) if hasattr(self.f, 'turned') else self.f(x @ self.W + self.b)", "[layer]"),
}  # fmt: skip
HELD = {
    "a sequence": "nn.Sequential(*parts)",
    "a named sequence": "nn.Sequential(OrderedDict(('part%d' % i, part) for i, part in enumerate(parts)))",
    "a sequence of its own": "Stack(*parts)",
    "a list": "InTurn(parts)",
    "nested": "FirstAndRest(parts)",
    "by name": "Named(parts)",
    "sequences in a sequence": "nn.Sequential(nn.Sequential(*parts[:1]), nn.Sequential(*parts[1:]))",
}
PASSED = {
    "together": "self.net({x})",
    "row by row": "torch.stack([self.net(row) for row in {x}])",
    "matrix by matrix": "torch.cat([self.net(row) for row in {x}.split(1)])",
    "a map over patterns": "torch.vmap(self.net)({x})",
    "in twos": "torch.cat([self.net(two) for two in {x}.split(2)])",
    "within a further axis": "self.net({x}[None])[0]",
}
TYPES = {  # what the network reads, and what it returns
    "float32": ("x", "{}"),
    "float64": ("x.double()", "{}"),
    "float64 inside": ("x.double()", "({}).float()"),
}
USUAL = {
    "sigmoid": "torch.sigmoid(z)",
    "a method": "z.sigmoid()",
    "by hand": "1 / (1 + torch.exp(-z))",
    "a tanh": "(1 + torch.tanh(z / 2)) / 2",
    "of logarithms": "F.logsigmoid(z).exp()",
    "a module": "nn.Sigmoid()(z)",
}
ONE = USUAL | {
    "reciprocal": "torch.reciprocal(1 + (-z).exp())",
    "a softmax with 0": "torch.softmax(torch.cat([torch.zeros_like(z), z], -1), -1)[..., 1:]",
    "expit": "torch.special.expit(z)",
}
SEVERAL = {
    "softmax": "torch.softmax(z, dim=-1)",
    "a module": "nn.Softmax(-1)(z)",
    "of logarithms": "F.log_softmax(z, -1).exp()",
    "by hand": "torch.exp(z) / torch.exp(z).sum(-1, keepdim=True)",
    "less the largest": "torch.exp(z - z.amax(-1, keepdim=True)) / torch.exp(z - z.amax(-1, keepdim=True)).sum(-1, keepdim=True)",
    "logsumexp": "(z - z.logsumexp(-1, keepdim=True)).exp()",
    "normalize": "F.normalize(z.exp(), p=1, dim=-1)",
    "columns": "torch.softmax(z.T, 0).T",
}
MAKING = {
    "layer": LAYERS,
    "function": PLACES,
    "container": HELD,
    "patterns": PASSED,
    "type": TYPES,
    "default": USUAL,
    "one output": ONE,
    "several outputs": SEVERAL,
}
BUILT = "    return {built}"
LAST = "last = one_output if numOutputs == 1 else several_outputs"
GIVEN = "else list(transferFunctions)"
SIZES = "*topology, numOutputs], "
PARTS = "    parts = []\n"
LAYER = "        layer = Layer(n, m, f)\n"
LOOP = f"{PARTS}    for n, m, f in zip(sizes, sizes[1:], functions):\n{LAYER}"
HOLD = "    net = {held}\n"


def of_outputs(change):
    """Return the edit by which a network changes its outputs y."""
    return (
        BUILT,
        f"    net = {{built}}\n    net.register_forward_hook(lambda net, x, y: {change})\n    return net",
    )


def of_parameters(change):
    """Return the edit by which each parameter p of a layer is changed at first."""
    return (
        LAYER,
        f"{LAYER}        with torch.no_grad():\n            _ = [{change} for p in layer.parameters()]\n",
    )


MISTAKES = {
    "none": ("", ""),
    "one output in a vector": of_outputs("y[:, 0] if y.shape[1] == 1 else y"),
    "a softmax over patterns": of_outputs("torch.softmax(y.log(), 0) if y.shape[1] > 1 else y"),
    "a softmax of a softmax": ("    return {several}", "    z = {several}\n    return {several}"),
    "a sigmoid of a sigmoid": ("    return {one}", "    z = {one}\n    return {one}"),
    "sigmoids of several outputs": (LAST, "last = one_output"),
    "no last function": (LAST, "last = lambda z: z"),
    "no last function of one output": (LAST, "last = (lambda z: z) if numOutputs == 1 else several_outputs"),
    "given functions on the output": (LAST, f"{LAST}\n    last = hidden[-1] if transferFunctions and numOutputs == 1 else last"),
    "another default": ("    return {usual}", "    return torch.tanh(z)"),
    "no hidden functions": (PARTS, f"    functions = [lambda z: z for _ in topology] + [last]\n{PARTS}"),
    "functions ignored": (GIVEN, "else [usual] * len(topology)"),
    "functions backwards": (GIVEN, f"{GIVEN}[::-1]"),
    "the topology backwards": (SIZES, SIZES.replace("y,", "y[::-1],")),
    "a neuron more": (SIZES, "*[m + 1 for m in topology], numOutputs], "),
    "one layer at most": (PARTS, f"    sizes, functions = sizes[:2] + sizes[-1:], functions[:1] + functions[-1:]\n{PARTS}"),
    "a layer more": (PARTS, f"    sizes, functions = [numInputs, *sizes], [usual, *functions]\n{PARTS}"),
    "a function on the inputs": (HOLD, f"    parts = [Function(torch.tanh), *parts]\n{HOLD}"),
    "a dead input": (HOLD, f"    parts = [Function(lambda x: torch.cat([x[..., :-1], x[..., :1] * 0], -1)), *parts]\n{HOLD}"),
    "equal neurons": of_parameters("p.copy_(p.mean())"),
    "zeros at first": of_parameters("p.zero_()"),
    "equal layers": (LOOP, LOOP.replace("parts = []", "parts, seed = [], int(torch.randint(1 << 30, ()))").replace(LAYER, f"        torch.manual_seed(seed)\n{LAYER}")),
    "a seed": (LAYER, f"        torch.manual_seed(n)\n{LAYER}"),
    "a layer that is not registered": (HOLD, f"    parts[0] = Function(parts[0].__call__)\n{HOLD}"),
    "refuses float32": (BUILT, "    net = {built}.double()\n    net.register_forward_pre_hook(lambda net, x: (x[0] + (x[0] @ torch.zeros(x[0].shape[-1], 1).double()),))\n    return net"),
}  # fmt: skip


def text(choices: Choices) -> str:
    """Return what takes the place of `build_class_ann` in the model answer."""
    made, z = LAYERS[choices["layer"]]
    forward, parts = PLACES[choices["function"]]
    read, returned = TYPES[choices["type"]]
    passed = returned.format(PASSED[choices["patterns"]].format(x=read))
    net = "net" if passed == "self.net(x)" else "Passing(net)"
    old, new = MISTAKES[choices.get("mistake", "none")]
    assert old in TEXT
    return TEXT.replace(old, new).format(
        made=made,
        z=z,
        forward=forward,
        parts=parts,
        held=HELD[choices["container"]],
        passed=passed,
        built=net if read == "x" else f"{net}.double()",
        usual=USUAL[choices["default"]],
        one=ONE[choices["one output"]],
        several=SEVERAL[choices["several outputs"]],
    )


def fault(choices: Choices) -> str:
    """Return what is wrong with the networks, which are right without the mistake."""
    found = fault_of_networks(loaded(merged(text({**choices, "mistake": "none"}))))
    if choices.get("mistake", "none") == "none":
        return found
    assert not found, found
    try:
        return fault_of_networks(loaded(merged(text(choices))))
    except Exception as error:
        return repr(error)


def _grammar(axes: Axes) -> Grammar:
    return Grammar(
        axes,
        text,
        lambda choices: merged(text(choices)),
        lambda choices: frozenset({"build_class_ann"}),
        fault,
    )


RIGHT, WRONG = _grammar(MAKING), _grammar(MAKING | {"mistake": MISTAKES})
