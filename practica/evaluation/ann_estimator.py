"""Base of ANNClassifier and ANNRegressor: options, a training as in the practice, and the outputs
of the network.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data
from torch import from_numpy, nn, no_grad

from practica.reference.arguments import (
    Array,
    Floats,
    Positions,
    Singles,
    as_array,
    as_labels,
    as_real,
    as_single_precision,
    require_equal_lengths,
)
from practica.reference.batched_training import Targets
from practica.reference.devices import as_device
from practica.reference.network import TransferFunction, as_topology
from practica.reference.randomness import RandomState, as_generator
from practica.reference.trainers import SAME_WARNINGS, plan_network, train_networks

__all__ = ["ANNEstimator", "Topology", "TransferFunctions", "as_weights", "opened"]

Topology: TypeAlias = "int | Sequence[int]"
TransferFunctions: TypeAlias = "TransferFunction | Sequence[TransferFunction] | None"


class ANNEstimator(BaseEstimator):  # type: ignore[misc]
    """The base of ANNClassifier and ANNRegressor: their common parameters, training and outputs."""

    topology: Topology
    transferFunctions: TransferFunctions
    maxEpochs: int
    minLoss: float
    learningRate: float
    weightDecay: float
    validationRatio: float
    maxEpochsVal: int
    random_state: RandomState
    warm_start: bool
    device: str

    def _keep(self, arguments: Mapping[str, Any]) -> None:
        """Store each argument of `__init__` under its name, unchanged, as scikit-learn requires."""
        for name in arguments.keys() - {"self"}:
            setattr(self, name, arguments[name])

    def ended_at_its_limit(self) -> bool:
        """Return whether a training with a validation set ended at `maxEpochs`, before validation
        could end it.
        """
        return self.validationRatio > 0 and self.n_iter_ >= self.maxEpochs

    def options(self) -> dict[str, Any]:
        """Return the parameters as the functions of the practice take them: a list of layers, a
        function for each.
        """
        options: dict[str, Any] = self.get_params(deep=False)
        if isinstance(self.topology, int | np.integer) and not isinstance(self.topology, bool):
            options["topology"] = [self.topology]
        if isinstance(self.transferFunctions, str) or callable(self.transferFunctions):
            options["transferFunctions"] = [self.transferFunctions] * len(
                as_topology(options["topology"])
            )
        return options

    def _train(
        self,
        inputs: Singles,
        targets: Targets,
        patterns: Positions,
        weights: Floats | None,
        start: nn.Sequential | None,
    ) -> None:
        options, ratio = (
            self.options(),
            as_real(self.validationRatio, "validationRatio", low=0, high=1),
        )
        plan = plan_network("the network", inputs, patterns, ratio, as_generator(self.random_state))
        if len(plan.training) == 0:
            raise ValueError(
                f"validationRatio={ratio:g} of {len(patterns)} patterns leaves none of them to"
                " train with"
            )
        topology, functions = as_topology(options["topology"]), options["transferFunctions"]
        layers = [inputs.shape[1], *topology, targets.shape[1]]
        if start is not None:
            before = [start[0].in_features, *(layer.out_features for layer in [*start][::2])]
            if before != layers:
                raise ValueError(
                    f"warm_start=True: the network to go on from has layers of {before}, not of"
                    f" {layers}"
                )
        plan = plan._replace(weights=weights, start=start)
        names = (
            "transferFunctions",
            "maxEpochs",
            "minLoss",
            "learningRate",
            "weightDecay",
            "maxEpochsVal",
        )
        device = as_device(self.device, functions)
        ((_, module, losses, _, _),) = train_networks(
            topology,
            [plan],
            targets,
            **{name: options[name] for name in names},
            device=device,
            together=device != "cpu",
            keep_losses=True,
        )
        self.ann_ = module()
        self.loss_curve_, validation = losses.T
        self.validation_loss_curve_ = validation if len(plan.validation) else validation[:0]
        self.n_iter_ = len(losses) - 1

    def _outputs(self, X: ArrayLike, layers: int | None) -> Floats:
        """Return the outputs of the first `layers` layers of the network, or of all, in double
        precision.

        Numpy multiplies: for a few patterns it is faster than torch, which wakes all its threads.
        """
        check_is_fitted(self)
        with SAME_WARNINGS:
            inputs = validate_data(self, opened(X, "X"), reset=False)
        values = as_single_precision(inputs, "X in float32").astype(np.float64)
        for position, layer in enumerate([*self.ann_][:layers]):
            if position % 2 == 0:
                weight, bias = (part.detach().cpu().double().numpy() for part in layer.parameters())
                values = values @ weight.T + bias
            else:
                function = copy.deepcopy(layer).double() if layer.state_dict() else layer
                with no_grad():
                    values = function(from_numpy(values)).numpy()
        return values


def opened(values: Any, name: str) -> Any:
    """Return as an array what scikit-learn cannot read or would take for a single object, such as
    tensors, arrays of objects and sets; return anything else unchanged. `name`: what errors call
    it.
    """
    first = values[0] if isinstance(values, list) and values else values
    has_objects = isinstance(values, np.ndarray) and values.dtype == object
    if (
        hasattr(first, "detach")
        or has_objects
        or isinstance(values, np.matrix | set | frozenset | Iterator)
    ):
        return as_array(values, name)
    return values


def as_weights(sample_weight: ArrayLike | None, X: Array) -> tuple[Floats | None, Positions]:
    """Check the weights of the patterns; return them, and the positions of the patterns with a
    weight above 0. Without weights, return None and all positions.

    Raises `ValueError` if a weight is negative or not finite, or all of them are 0.
    """
    if sample_weight is None:
        return None, np.arange(len(X))
    weights = as_labels(sample_weight, "sample_weight").astype(np.float64)
    require_equal_lengths(X=X, sample_weight=weights)
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if len(wrong):
        raise ValueError(
            f"sample_weight[{wrong[0]}]={weights[wrong[0]]:g} is out of range; it must be finite"
            " and not below 0"
        )
    patterns = np.flatnonzero(weights)
    if not len(patterns):
        raise ValueError(
            "sample_weight is zero for all patterns; some must have a weight to train with"
        )
    return weights, patterns
