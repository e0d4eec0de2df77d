"""Train many small networks at once, each exactly as if it were alone.

The networks of a cross-validation differ only in their initial weights and in the patterns that
train and validate them. So they are stacked: every weight, activation and gradient has the network
as its first axis, and one operation of torch serves them all. `train_networks` equals this loop, in
which each plan has a generator of its own:

    for plan in plans:
        trained = train_class_ann(
            topology,
            (plan.inputs[plan.training], targets[plan.training]),
            validationDataset=(plan.inputs[plan.validation], targets[plan.validation]),
            random_state=plan.generator,
            ...
        )

How the stack is laid out, with S slots that hold one network each, N patterns, L attributes and P
parameters:

    inputs       [1 or S, L, N]    one for all, or one for each slot where every fold normalizes its
                 own
    parameters   [S, P]            all weights and biases of a network in one row: Adam is a few
                 operations
    activations  [S, units, N]     patterns contiguous: products are plain GEMMs, the rest streams
                 through memory
    shares       [S, 2, N]         1/n for the n training (validation) patterns of a network, 0 for
                 the others; with
                                   weights, the weight of each over the sum of theirs

Every network computes all patterns, and only the shares decide the use of each pattern: an epoch
needs no gathering. Its one forward pass gives both losses and then the gradient of the next step.
The slot of a network that has ended takes the next plan; when there are none left, the networks
still training are moved together.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias, Unpack

import numpy as np
import torch
from torch import Tensor, nn

from practica.reference.activations import in_place
from practica.reference.arguments import Bools, Floats, Numbers, Singles
from practica.reference.network import (
    FLUX_EPSILON,
    TransferFunction,
    as_topology,
    initial_parameters,
    is_elementwise,
)
from practica.reference.training import (
    CheckedOptions,
    StoppingRule,
    TrainingOptions,
    require_finite_losses,
)

__all__ = [
    "NetworkPlan",
    "Targets",
    "TrainedNetwork",
    "are_quantities",
    "can_be_batched",
    "default_slots",
    "train_networks",
]

_BETA1, _BETA2, _EPSILON = 0.9, 0.999, 1e-8  # Adam's defaults, in Flux and in torch
# epochs: from here on 0.999^t is lost in float32, and Adam corrects no bias
_UNBIASED_AFTER = 20_000

# A partial SIMD step may round differently, and where it falls depends on the size of the whole
# stack: with every row a multiple of this, there is none, and a network has the same bits in
# any company.
_SIMD = 32

# Activations in all slots: about 3 MB of them stay in the cache of a CPU core; a GPU wants all it
# can get.
_STACKED_ACTIVATIONS = {"cpu": 600_000, "cuda": 1 << 28}

Targets: TypeAlias = "Bools | Singles"  # (N, C): classes, or quantities


def are_quantities(targets: Targets) -> bool:
    """Return whether the output layer is linear, with squared loss, because the targets are no
    classes.
    """
    return targets.dtype != bool


class NetworkPlan(NamedTuple):
    """A network to train, and the positions of its training, validation and test patterns; without
    validation patterns it is not validated.
    """

    name: str  # what an error calls it, such as "fold 1, execution 1"
    inputs: Singles  # (N, L)
    training: Numbers
    validation: Numbers
    generator: np.random.Generator  # draws its initial weights
    # (N,): a loss is Σ weight·loss / Σ weight over a set; or all are equal
    weights: Floats | None = None
    # a network of the same layers; its weights are then the initial ones
    start: nn.Sequential | None = None
    # the patterns for which the kernel in C returns outputs
    test: Numbers = np.zeros(0, dtype=np.intp)

    def shares(self, patterns: Numbers) -> Floats:
        """Return the weight of each of some patterns in their mean loss: 1/n, or in proportion to
        `weights`.
        """
        weights = np.ones(len(patterns)) if self.weights is None else self.weights[patterns]
        return weights / weights.sum()

    def initial_parameters(self, sizes: Sequence[int]) -> list[Singles]:
        """Return the weights of each layer, (fan_out, fan_in), each followed by its biases."""
        if self.start is None:
            return initial_parameters(sizes, self.generator)
        return [
            part.detach().cpu().float().numpy()
            for layer in [*self.start][::2]
            for part in layer.parameters()
        ]


class TrainedNetwork(NamedTuple):
    """A network trained by a `NetworkPlan`: its best parameters, the epoch where they were found,
    the number of epochs, its losses and its outputs.
    """

    position: int  # position of the plan
    parameters: list[Tensor]  # the returned network's, in the order of `network.initial_parameters`
    best_epoch: int  # epoch of the returned network
    epochs: int
    # (epochs + 1, 2), training and validation from epoch 0 on; empty unless `keep_losses`
    losses: Singles
    # (len(plan.test), C), from a trainer that gives them
    outputs: Singles | None = None


def default_slots(N: int, sizes: Sequence[int], device: str) -> int:
    """Return how many networks with these layer sizes, outputs included, to train together on N
    patterns.
    """
    return max(1, _STACKED_ACTIVATIONS[device] // max(1, N * sum(sizes)))


def can_be_batched(transferFunctions: Sequence[TransferFunction] | None) -> bool:
    """Return whether all transfer functions certainly compute each pattern by itself.

    In a stack they get the patterns of all sets at once, test patterns and padding too, and could
    not have parameters or a state for each network.
    """
    return all(
        isinstance(function, str) or is_elementwise(function)
        for function in transferFunctions or ()
    )


@torch.no_grad()
def train_networks(
    topology: Sequence[int],
    plans: Iterable[NetworkPlan],
    targets: Targets,
    *,
    shared_inputs: bool = True,
    slots: int | None = None,
    device: str = "cpu",
    keep_losses: bool = False,
    **options: Unpack[TrainingOptions],
) -> Iterator[TrainedNetwork]:
    """Train networks together and give each one as soon as it ends.

    Parameters
    ----------
    topology : sequence of int
        As in `train_class_ann`.
    plans : iterable of NetworkPlan
        Taken one by one, when a slot is free: they may be drawn lazily.
    targets : bool array, shape (N, C), C = 1 or C >= 3, or float array, shape (N, C)
        Quantities make the output layer linear, and the loss the squared error.
    shared_inputs : bool
        Whether all plans have the same inputs, which are then held once.
    slots : int, optional
        Networks trained at the same time; by default what fits the cache of a CPU core, or a GPU.
        It changes the time and the memory, and no result.
    device : {"cpu", "cuda"}
    keep_losses : bool
    **options
        As in `train_class_ann`; a transfer function must treat each pattern by itself, see
        `can_be_batched`. The gradient of `weightDecay` / 2 times the sum of all squared weights and
        biases is added to that of the loss.

    Yields
    ------
    TrainedNetwork
        In the order in which they end.

    Notes
    -----
    The losses follow those of `train_class_ann` within float32 rounding: the sums are taken in
    another order.
    """
    hidden = as_topology(topology)
    functions, rule, rate, decay = CheckedOptions.of(hidden, options)
    queue = enumerate(plans)
    first = next(queue, None)
    if first is None:
        return
    layout = _Layout([first[1].inputs.shape[1], *hidden, targets.shape[1]])
    slots = slots or default_slots(len(targets), layout.sizes[1:], device)
    loaded = [first, *itertools.islice(queue, slots - 1)]
    stack = _Stack(layout, functions, targets, len(loaded), shared_inputs, device)
    adam = _Adam(rate, decay, rule.maxEpochs, device)
    for slot, (position, plan) in enumerate(loaded):
        stack.load(slot, position, plan)
    history: dict[int, list[Singles]] = {}

    while stack.position:
        losses = stack.forward()
        ended = stack.observe(losses, rule)
        if keep_losses:
            for position, pair in zip(stack.position, losses.cpu().numpy(), strict=True):
                history.setdefault(position, []).append(pair)
        for slot in ended:
            position = stack.position[slot]
            require_finite_losses(
                losses[slot].tolist(), int(stack.epoch[slot]), rate, stack.name[slot]
            )
            kept = (
                np.stack(history.pop(position))
                if keep_losses
                else np.empty((0, 2), dtype=np.float32)
            )
            yield stack.result(slot, kept)
        if len(ended) < len(stack.position):
            stack.step(adam)
        following = list(itertools.islice(queue, len(ended)))
        for slot, (position, plan) in zip(ended, following, strict=False):
            stack.load(slot, position, plan)
        if len(following) < len(ended):
            stack.close(ended[len(following) :])


class _Layout:
    """The positions of each layer's weights and biases in a row with all parameters of a
    network.
    """

    def __init__(self, sizes: list[int]) -> None:
        self.sizes = sizes
        self.shapes = list(itertools.pairwise(sizes))
        self.width = _padded(sum((fan_in + 1) * fan_out for fan_in, fan_out in self.shapes))

    def layers(self, rows: Tensor) -> list[tuple[Tensor, Tensor]]:
        """View rows [S, P] as the weights [S, fan_in, fan_out] and the biases [S, fan_out, 1] of
        each layer.
        """
        views, start = [], 0
        for fan_in, fan_out in self.shapes:
            end = start + fan_in * fan_out
            weight = rows[:, start:end].view(-1, fan_in, fan_out)
            views.append((weight, rows[:, end : end + fan_out].unsqueeze(2)))
            start = end + fan_out
        return views

    def initial_row(self, plan: NetworkPlan) -> Tensor:
        """Return the initial parameters of a planned network as a row."""
        row, parts = torch.zeros(1, self.width), iter(plan.initial_parameters(self.sizes))
        for weight, bias in self.layers(row):
            weight[0] = torch.from_numpy(next(parts)).T
            bias[0, :, 0] = torch.from_numpy(next(parts))
        return row[0]


class _Adam:
    """The optimiser of the networks that train together: Adam on a matrix with the parameters of
    each network in a row, each network at its own epoch.
    """

    def __init__(
        self, learningRate: float, weightDecay: float, maxEpochs: int, device: str
    ) -> None:
        self._decay = weightDecay
        epochs = torch.arange(1, min(maxEpochs, _UNBIASED_AFTER) + 2, dtype=torch.float64)
        self._step = (-learningRate / (1 - _BETA1**epochs)).float().to(device)
        self._scale = (1 / torch.sqrt(1 - _BETA2**epochs)).float().to(device)

    def update_(
        self, parameters: Tensor, mean: Tensor, square: Tensor, gradient: Tensor, epoch: Tensor
    ) -> None:
        """Take the next step of each network, in place.

        `mean`, `square`: Adam's moving averages of the gradient and of its square.
        `gradient`: overwritten.
        `epoch`: how many steps each network has taken, shape [S].
        """
        at = epoch.clamp(max=len(self._step) - 1)
        if self._decay:
            gradient.add_(parameters, alpha=self._decay)
        mean.lerp_(gradient, 1 - _BETA1)
        square.mul_(_BETA2).addcmul_(gradient, gradient, value=1 - _BETA2)
        denominator = (
            torch.sqrt(square, out=gradient).mul_(self._scale[at].unsqueeze(1)).add_(_EPSILON)
        )
        parameters.addcmul_(mean / denominator, self._step[at].unsqueeze(1))


class _Stack:
    """The networks that are in training, one in each slot."""

    _OF_A_NETWORK = (
        *("epoch", "_best_epoch", "_lowest", "_validates", "_shares"),
        *("_parameters", "_best", "_mean", "_square"),
    )

    def __init__(
        self,
        layout: _Layout,
        transferFunctions: Sequence[Callable[[Tensor], Tensor]],
        targets: Targets,
        slots: int,
        shared_inputs: bool,
        device: str,
    ) -> None:
        def zeros(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
            return torch.zeros(shape, dtype=dtype, device=device)

        self._layout = layout
        self._activations = [in_place(function) for function in transferFunctions]
        self._shared_inputs, self._is_linear = shared_inputs, are_quantities(targets)
        (attributes, *sizes), N, C = layout.sizes, _padded(len(targets)), targets.shape[1]
        self._targets = zeros(C, N)
        self._targets[:, : len(targets)] = torch.from_numpy(targets.T.astype(np.float32))

        # What belongs to a network, and moves with it from slot to slot.
        self.position, self.name = [-1] * slots, [""] * slots
        self.epoch, self._best_epoch = (
            zeros(slots, dtype=torch.int64),
            zeros(slots, dtype=torch.int64),
        )
        self._lowest = zeros(slots, dtype=torch.float64)
        self._validates = zeros(slots, dtype=torch.bool)
        self._shares = zeros(slots, 2, N)
        self._parameters, self._best, self._mean, self._square = (
            zeros(slots, layout.width) for _ in range(4)
        )
        self._inputs = zeros(1 if shared_inputs else slots, attributes, N)

        # What every epoch computes anew.
        self._gradient = zeros(slots, layout.width)
        self._outputs = [zeros(slots, size, N) for size in sizes]
        self._deltas = [zeros(slots, size, N) for size in sizes]
        # probability given to each pattern's own class
        self._hit, self._log = zeros(slots, N), zeros(slots, N)
        self._pair = zeros(slots, 2, N)

        self._narrow_to(slots)

    def load(self, slot: int, position: int, plan: NetworkPlan) -> None:
        """Start the planned network number `position` in a slot."""
        self.position[slot], self.name[slot] = position, plan.name
        self.epoch[slot] = self._best_epoch[slot] = 0
        self._lowest[slot] = torch.inf
        self._validates[slot] = len(plan.validation) > 0
        self._mean[slot] = self._square[slot] = 0
        self._parameters[slot] = self._layout.initial_row(plan)
        shares = np.zeros((2, self._shares.shape[2]), dtype=np.float32)
        for row, patterns in zip(shares, (plan.training, plan.validation), strict=True):
            row[patterns] = plan.shares(patterns)
        self._shares[slot] = torch.from_numpy(shares)
        if not self._shared_inputs or position == 0:
            where = 0 if self._shared_inputs else slot
            self._inputs[where, :, : len(plan.inputs)] = torch.from_numpy(plan.inputs.T)

    def close(self, slots: list[int]) -> None:
        """Close slots, in ascending order: the last networks move into them."""
        moving = [*self._OF_A_NETWORK, *([] if self._shared_inputs else ["_inputs"])]
        for slot in reversed(slots):
            self.position[slot], self.name[slot] = self.position[-1], self.name[-1]
            del self.position[-1], self.name[-1]
            for name in moving:
                tensor = getattr(self, name)
                tensor[slot] = tensor[len(self.position)]
        self._narrow_to(len(self.position))

    def _narrow_to(self, slots: int) -> None:
        for name in (*self._OF_A_NETWORK, "_gradient", "_hit", "_log", "_pair"):
            setattr(self, name, getattr(self, name)[:slots])
        self._outputs = [output[:slots] for output in self._outputs]
        self._deltas = [delta[:slots] for delta in self._deltas]
        if not self._shared_inputs:
            self._inputs = self._inputs[:slots]
        self._weights = self._layout.layers(self._parameters)
        self._weight_gradients = self._layout.layers(self._gradient)
        self._values = [self._inputs.expand(slots, -1, -1), *self._outputs]

    def forward(self) -> Tensor:
        """Compute the outputs of all networks.

        Return their training and validation losses, [S, 2].
        """
        for layer, (weight, bias) in enumerate(self._weights):
            output = self._values[layer + 1]
            _affine(bias, weight.transpose(1, 2), self._values[layer], output)
            if layer < len(self._activations):
                self._activations[layer].forward_(output)
        if self._is_linear:
            error = torch.sub(output, self._targets, out=self._deltas[-1])
            torch.sum(error * error, dim=1, out=self._log).neg_()
            return torch.mul(self._shares, self._log.unsqueeze(1), out=self._pair).sum(dim=2).neg_()
        if output.shape[1] == 1:
            output.sigmoid_()
            # p, or 1 − p
            torch.addcmul(1 - self._targets, output[:, 0], 2 * self._targets - 1, out=self._hit)
        else:
            torch.softmax(output, dim=1, out=output)
            torch.sum(torch.mul(output, self._targets, out=self._deltas[-1]), dim=1, out=self._hit)
        torch.add(self._hit, FLUX_EPSILON, out=self._log).log_()
        return torch.mul(self._shares, self._log.unsqueeze(1), out=self._pair).sum(dim=2).neg_()

    def observe(self, losses: Tensor, rule: StoppingRule) -> list[int]:
        """Keep the networks whose losses are the best so far; return the slots that the stopping
        rule ends, in ascending order.
        """
        training, validation = losses.double().unbind(1)
        improves = (validation < self._lowest) | ~self._validates
        torch.where(improves, validation, self._lowest, out=self._lowest)
        torch.where(improves, self.epoch, self._best_epoch, out=self._best_epoch)
        torch.where(improves.unsqueeze(1), self._parameters, self._best, out=self._best)
        waits = self._validates & (self.epoch - self._best_epoch >= rule.maxEpochsVal)
        goes_on = (
            (self.epoch < rule.maxEpochs)
            & (training > rule.minLoss)
            & (validation < torch.inf)
            & ~waits
        )
        return [] if goes_on.all() else goes_on.logical_not().nonzero().flatten().tolist()

    def step(self, adam: _Adam) -> None:
        """Take a step along the gradient of the training loss, using the outputs that `forward`
        computed.
        """
        delta = torch.sub(self._outputs[-1], self._targets, out=self._deltas[-1])
        if self._is_linear:
            share = torch.mul(self._shares[:, 0], 2, out=self._log)
        else:
            share = torch.add(self._hit, FLUX_EPSILON, out=self._log)
            # Flux's epsilon stops the gradient of a hopeless pattern
            torch.div(self._hit, share, out=share)
            share.mul_(self._shares[:, 0])
        delta.mul_(share.unsqueeze(1))
        for layer in reversed(range(len(self._weights))):
            weight, bias = self._weight_gradients[layer]
            weight.copy_(_products(self._values[layer], delta))
            bias.copy_(delta.sum(dim=2, keepdim=True))
            if layer > 0:
                delta = torch.bmm(self._weights[layer][0], delta, out=self._deltas[layer - 1])
                self._activations[layer - 1].backward_(delta, self._outputs[layer - 1])
        adam.update_(self._parameters, self._mean, self._square, self._gradient, self.epoch)
        self.epoch += 1

    def result(self, slot: int, losses: Singles) -> TrainedNetwork:
        """Return the best network of a slot, with its losses."""
        layers = self._layout.layers(self._best[slot : slot + 1].cpu().clone())
        return TrainedNetwork(
            self.position[slot],
            [part for weight, bias in layers for part in (weight[0].T, bias[0, :, 0])],
            int(self._best_epoch[slot]),
            int(self.epoch[slot]),
            losses,
        )


def _affine(bias: Tensor, weight: Tensor, values: Tensor, output: Tensor) -> None:
    """Write bias + weight · values, [S, fan_out, N], into the output.

    A stack of one network with a single row computes it twice, because on some processors MKL would
    round it differently.
    """
    if output.shape[:2] == (1, 1):
        output.copy_(
            torch.baddbmm(*(each.expand(2, -1, -1) for each in (bias, weight, values)))[:1]
        )
    else:
        torch.baddbmm(bias, weight, values, out=output)


def _products(values: Tensor, delta: Tensor) -> Tensor:
    """Return the product of [S, fan_in, N] and [S, fan_out, N] over the patterns, in the order of
    factors that is up to twice as fast.

    A matrix with a single row is the first factor: as the second, it would be rounded differently
    in a stack of one.
    """
    fan_in, fan_out = values.shape[1], delta.shape[1]
    if fan_in > 1 and fan_out < 16:
        return torch.bmm(delta, values.transpose(1, 2)).transpose(1, 2)
    return torch.bmm(values, delta.transpose(1, 2))


def _padded(size: int) -> int:
    return -(-size // _SIMD) * _SIMD
