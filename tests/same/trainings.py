# ruff: noqa: E501  (one choice on each line)
"""Trainings: the optimiser, the loss, how the best network is kept, the loop, and the form of the
result, with networks of several makings.
"""

from same import networks
from same.choices import Choices, plain
from same.proofs import fault_of_trainings, loaded
from same.walking import Grammar
from submissions import merged

TEXT = '''
import array
import io
import itertools
from typing import NamedTuple

import torch.nn.functional as F


class Trained(NamedTuple):
    """A network and its losses."""

    ann: nn.Module
    training: list
    validation: list
    test: list


class OwnAdam:
    """Adam, step by step."""

    def __init__(self, parameters, lr):
        self.parameters, self.lr, self.t = parameters, lr, 0
        self.means = [torch.zeros_like(p) for p in parameters]
        self.squares = [torch.zeros_like(p) for p in parameters]

    def zero_grad(self):
        _ = [setattr(p, "grad", None) for p in self.parameters]

    def step(self, closure=lambda: None):
        closure()
        self.t += 1
        with torch.no_grad():
            _ = [self.move(*each) for each in zip(self.parameters, self.means, self.squares)]

    def move(self, p, m, v):
        m.mul_(0.9).add_(p.grad, alpha=0.1)
        v.mul_(0.999).addcmul_(p.grad, p.grad, value=0.001)
        p.sub_(self.lr * (m / (1 - 0.9**self.t)) / ((v / (1 - 0.999**self.t)).sqrt() + 1e-8))


def parameters_from(ann, values):
    with torch.no_grad():
        _ = [p.copy_(value) for p, value in zip(ann.parameters(), values)]
    return ann


def from_vector(ann, vector):
    nn.utils.vector_to_parameters(vector, ann.parameters())
    return ann


def from_state(ann, state):
    ann.load_state_dict(state)
    return ann


def as_bytes(ann):
    stream = io.BytesIO()
    torch.save(ann.state_dict(), stream)
    return stream.getvalue()


def as_tensors(data):
    if data is None:
        return None
    targets = np.asarray(data[1]).reshape(len(data[1]), -1)
    return torch.tensor(np.asarray(data[0]), dtype={type}), torch.tensor(targets, dtype={type})


def cross_entropy(ann, x, y):
    p = {outputs}
    return {loss}


def backwards(optimizer, loss):
    optimizer.zero_grad()
    loss.backward()
    return loss


def with_gradients(ann, gradients):
    _ = [setattr(p, "grad", g) for p, g in zip(ann.parameters(), gradients)]


def note(losses, ann, sets):
    with torch.no_grad():
        _ = [each.append(cross_entropy(ann, *data).item()) for each, data in zip(losses, sets) if data]


def train_class_ann(
    topology,
    trainingDataset,
    *,
    validationDataset=None,
    testDataset=None,
    transferFunctions=None,
    maxEpochs=1000,
    minLoss=0.0,
    learningRate=0.01,
    maxEpochsVal=20,
):
    """Train a network."""
    train, val, test = sets = [as_tensors(each) for each in (trainingDataset, validationDataset, testDataset)]
    ann = build_class_ann(train[0].shape[1], topology, train[1].shape[1], transferFunctions=transferFunctions){cast}
    optimizer = {optimizer}
    losses = [], [], []
    note(losses, ann, sets)
    best, worse = {kept}, 0
{loop}
    ann = ann if val is None else {restored}
    return {result}
'''
OPTIMIZERS = {
    "Adam": "torch.optim.Adam(ann.parameters(), lr=learningRate)",
    "a group for each parameter": "torch.optim.Adam([dict(params=[p]) for p in ann.parameters()], lr=learningRate)",
    "AdamW without decay": "torch.optim.AdamW(ann.parameters(), lr=learningRate, weight_decay=0)",
    "foreach": "torch.optim.Adam(list(ann.parameters()), learningRate, foreach=True)",
    "fused": "torch.optim.Adam(ann.parameters(), lr=learningRate, fused=True)",
    "a rate in a tensor": "torch.optim.Adam(ann.parameters(), lr=torch.tensor(learningRate))",
    "its own": "OwnAdam(list(ann.parameters()), learningRate)",
}
ONE = "y.shape[1] == 1 else"
LOSSES = {
    "by hand": f"-(y * torch.log(p + 1e-7) + (1 - y) * torch.log(1 - p + 1e-7)).mean() if {ONE} -(y * torch.log(p + 1e-7)).sum(dim=1).mean()",
    "of torch": f"F.binary_cross_entropy(p, y) if {ONE} F.nll_loss(torch.log(p + 1e-7), y.argmax(1))",
    "of the right class": f"-torch.where(y > 0.5, p + 1e-7, 1 - p + 1e-7).log().mean() if {ONE} -(p.gather(1, y.argmax(1)[:, None]) + 1e-7).log().mean()",
    "xlogy": f"-(torch.xlogy(y, p + 1e-7) + torch.xlogy(1 - y, 1 - p + 1e-7)).mean() if {ONE} -torch.xlogy(y, p + 1e-7).sum() / len(y)",
    "in double": f"-(y.double() * torch.log(p.double() + 1e-7) + (1 - y.double()) * torch.log(1 - p.double() + 1e-7)).mean() if {ONE} -(y.double() * torch.log(p.double() + 1e-7)).sum(1).mean()",
    "of the network": "ann.loss(x, y)",
}
OUTPUTS = {
    "called": "ann(x)",
    "forward": "ann.train().forward(x)",
    "functional": "torch.func.functional_call(ann, dict(ann.named_parameters()), (x,))",
}
TYPES = {  # of the data, what makes the network of that type, and what makes it float32 again
    "float32": ("torch.float32", "", ""),
    "float64": ("torch.float64", ".double()", ""),
    "float64 until the end": ("torch.float64", ".double()", ".float()"),
}
COPIES = {  # what is kept, and the network that is made of it
    "deepcopy": ("copy.deepcopy(ann)", "best"),
    "a state": ("{k: v.clone() for k, v in ann.state_dict().items()}", "from_state(ann, best)"),
    "a copied state": ("copy.deepcopy(ann.state_dict())", "from_state(ann, best)"),
    "a vector": (
        "nn.utils.parameters_to_vector(ann.parameters()).detach().clone()",
        "from_vector(ann, best)",
    ),
    "bytes": ("as_bytes(ann)", "from_state(ann, torch.load(io.BytesIO(best)))"),
    "parameters": ("[p.detach().clone() for p in ann.parameters()]", "parameters_from(ann, best)"),
    "arrays": (
        "[p.detach().numpy().copy() for p in ann.parameters()]",
        "parameters_from(ann, map(torch.tensor, best))",
    ),
}
GRADIENTS = {
    "backward": "backwards(optimizer, {loss})\n        optimizer.step()",
    "zeros": "ann.zero_grad(set_to_none=False)\n        {loss}.backward()\n        optimizer.step()",
    "autograd": "with_gradients(ann, torch.autograd.grad({loss}, list(ann.parameters())))\n        optimizer.step()",
    "a closure": "loss = {loss}\n        optimizer.step(lambda: backwards(optimizer, loss))",
}
ON = "losses[0][-1] > minLoss and worse < maxEpochsVal"
STEP = "        {gradient}\n        note(losses, ann, sets)\n"
BEST = """        if val and losses[1][-1] < min(losses[1][:-1]):
            best, worse = {kept}, 0
        elif val:
            worse += 1
"""
FOR = f"    for epoch in range(maxEpochs):\n        if not ({ON}):\n            break\n"
LOOPS = {
    "while": f"    while len(losses[0]) <= maxEpochs and {ON}:\n{STEP}{BEST}",
    "for": f"{FOR}{STEP}{BEST}",
    "takewhile": f"    for epoch in itertools.takewhile(lambda _: {ON}, range(maxEpochs)):\n{STEP}{BEST}",
    "for ever": f"    while True:\n        if len(losses[0]) > maxEpochs or not ({ON}):\n            break\n{STEP}{BEST}",
    "the loss once": f"    pending = cross_entropy(ann, *train)\n{FOR}{STEP.replace('note(losses, ann, sets)', 'pending = cross_entropy(ann, *train)')}        losses[0].append(pending.item())\n        note(losses[1:], ann, sets[1:])\n{BEST}",
}
VECTORS = {
    "list": "[*{}]",
    "tuple": "tuple({})",
    "array": "np.array({})",
    "float32 array": "np.array({}, dtype=np.float32)",
    "tensor": "torch.tensor({})",
    "float64 tensor": "torch.tensor({}, dtype=torch.float64)",
    "array.array": "array.array('d', {})",
    "numpy's scalars": "[np.float32(each) for each in {}]",
}
RESULTS = {"tuple": "({})", "list": "[{}]", "names": "Trained({})"}
AXES = {
    "optimiser": OPTIMIZERS,
    "loss": LOSSES,
    "outputs": OUTPUTS,
    "type": TYPES,
    "copy": COPIES,
    "gradient": GRADIENTS,
    "loop": LOOPS,
    "vectors": VECTORS,
    "result": RESULTS,
} | {f"network's {axis}": networks.MAKING[axis] for axis in ("layer", "container", "type")}


def text(choices: Choices) -> str:
    """Return what takes the place of `train_class_ann` and `build_class_ann` in the model answer."""
    of_network = {axis: choices.get(f"network's {axis}") for axis in networks.MAKING}
    network = plain(networks.MAKING) | {axis: name for axis, name in of_network.items() if name}
    kept, restored = COPIES[choices["copy"]]
    kind, cast, back = TYPES[choices["type"]]
    once = choices["loop"] == "the loss once"
    loss = "pending" if once else "cross_entropy(ann, *train)"
    vectors = [VECTORS[choices["vectors"]].format(f"losses[{number}]") for number in range(3)]
    return networks.text(network) + TEXT.format(
        type=kind,
        cast=cast,
        outputs=OUTPUTS[choices["outputs"]],
        loss=LOSSES[choices["loss"]],
        optimizer=OPTIMIZERS[choices["optimiser"]],
        kept=kept,
        restored=restored,
        loop=LOOPS[choices["loop"]].format(
            gradient=GRADIENTS[choices["gradient"]].format(loss=loss), kept=kept
        ),
        result=RESULTS[choices["result"]].format(", ".join([f"ann{back}", *vectors])),
    )


RIGHT = Grammar(
    AXES,
    text,
    lambda choices: merged(text(choices)),
    lambda choices: frozenset({"train_class_ann"}),
    lambda choices: fault_of_trainings(loaded(merged(text(choices)))),
)
