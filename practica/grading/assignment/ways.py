"""Wrong ways of training that are known by name: what each of them changes of the right one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from practica.grading.assignment.oracle import Steps, Way


def variants(way: Way) -> list[Way]:
    """Return the variants of a wrong way that differ in what the statement leaves open.

    Training may end one epoch later, and the untrained network need not compete for the best one.
    """
    slacks = (0, 1) if way.patience is Way.patience else (0,)
    firsts = (None, np.inf) if way.first is None else (way.first,)
    return [replace(way, slack=slack, first=first) for slack in slacks for first in firsts]


RIGHT = variants(Way())


def _first_low(*names: str) -> Way:
    return Way(
        low=lambda losses, least, epoch: (
            min(losses[name] for name in names if name in losses) <= least
        )
    )


def _fixed(epochs: int) -> Way:
    return Way(patience=lambda patience: epochs)


_OPTIMISERS = (
    "SGD",
    "SGD, momentum=0.9",
    "RMSprop",
    "RMSprop, momentum=0.9",
    "Adagrad",
    "Adadelta",
    "Rprop",
    "AdamW",
)
_OF_SECOND_ORDER = "LBFGS", "LBFGS, max_iter=1"
_BASES = "base 10", "base 2", "base 10 of both", "base 2 of both"
_OPTIONS = ("minLoss", "learningRate", "maxEpochsVal", "transferFunctions")

_BATCHES = 128, 100, 64, 50, 32, 20, 16, 10, 8, 5, 4, 1

# "mistake", or "mistake:how" for one that is made in several ways.
WRONG: Mapping[str, Way] = {
    # the losses
    "validation_losses_of_training": Way(
        noted_as={"validation": "training"}, watches=("training",)
    ),
    "validation_losses_of_training:noted": Way(noted_as={"validation": "training"}),
    "validation_losses_of_test": Way(
        noted_as={"validation": "test"}, watches=("test", "validation")
    ),
    "test_losses_of_training": Way(noted_as={"test": "training"}),
    "test_losses_of_validation": Way(noted_as={"test": "validation"}),
    "softmax_twice": Way(Steps(objective="softmax again"), "softmax again"),
    "sigmoid_twice": Way(Steps(objective="sigmoid again"), "sigmoid again"),
    "absolute_error": Way(Steps(objective="absolute"), "absolute"),
    "no_logarithm": Way(Steps(objective="probability"), "probability"),
    "squared_error": Way(Steps(objective="squared"), "squared"),
    "sum_of_losses": Way(Steps(objective="sum"), "sum"),
    "mean_over_outputs": Way(Steps(objective="over outputs"), "over outputs"),
    "binary_for_several": Way(Steps(objective="binary"), "binary"),
    **{f"another_logarithm:{base}": Way(Steps(objective=base), base) for base in _BASES},
    "every_output_with_every_target": Way(Steps(objective="pairs"), "pairs", only_vectors=True),
    "cross_entropy_of_one_output": Way(Steps(objective="nothing"), "nothing"),
    "test_losses_of_best": Way(of_best=("test",)),
    "validation_losses_of_best": Way(of_best=("validation",)),
    "validation_losses_of_best:test": Way(of_best=("validation", "test")),
    "losses_late": Way(late=True),
    "losses_late:stops": Way(late=True, stops_late=True),
    "losses_frozen": Way(frozen=True),
    "no_epoch_0": Way(epoch_0=False),
    "no_last_epoch": Way(until="last"),
    "losses_until_best": Way(until="best"),
    # the steps
    "no_step": Way(Steps(rate=lambda rate, epoch: 0.0)),
    "upwards": Way(Steps(rate=lambda rate, epoch: -rate)),
    "new_optimiser": Way(Steps(new_each_epoch=True)),
    **{
        f"another_optimiser:{name}": Way(Steps(optimiser=name))
        for name in (*_OPTIMISERS, *_OF_SECOND_ORDER)
    },
    "no_zero_grad": Way(Steps(keeps_gradients=lambda epoch: True)),
    "no_zero_grad:alternate": Way(Steps(keeps_gradients=lambda epoch: epoch % 2 == 1)),
    "learning_rate_ignored": Way(Steps(rate=lambda rate, epoch: 0.01)),
    "learning_rate_ignored:0.001": Way(Steps(rate=lambda rate, epoch: 0.001)),
    "learning_rate_part": Way(Steps(rate=lambda rate, epoch: rate / 2)),
    "learning_rate_part:at most 0.1": Way(Steps(rate=lambda rate, epoch: min(rate, 0.1))),
    "learning_rate_changes:1 %": Way(Steps(rate=lambda rate, epoch: rate * 0.99**epoch)),
    "learning_rate_changes:2 %": Way(Steps(rate=lambda rate, epoch: rate * 0.98**epoch)),
    "learning_rate_changes:after 100": Way(
        Steps(rate=lambda rate, epoch: rate / (1 + (epoch >= 100)))
    ),
    "learning_rate_changes:half each 10": Way(
        Steps(rate=lambda rate, epoch: rate * 0.5 ** (epoch // 10))
    ),
    "learning_rate_changes:a tenth each 10": Way(
        Steps(rate=lambda rate, epoch: rate * 0.1 ** (epoch // 10))
    ),
    "learning_rate_changes:half each epoch": Way(Steps(rate=lambda rate, epoch: rate * 0.5**epoch)),
    "learning_rate_changes:grows": Way(
        Steps(rate=lambda rate, epoch: rate * min(1, (epoch + 1) / 10))
    ),
    "rate_by_validation": Way(Steps(rate_if_worse=0.5)),
    "rate_by_validation:a tenth": Way(Steps(rate_if_worse=0.1)),
    "restarts_from_best": Way(Steps(restarts=True)),
    "several_steps": Way(Steps(times=2)),
    **{f"several_steps:batches of {size}": Way(Steps(batch=size)) for size in _BATCHES},
    **{
        f"remainder_left_out:batches of {size}": Way(Steps(batch=size, whole=True))
        for size in _BATCHES[:-1]
    },
    "several_steps:halves": Way(Steps(parts=2)),
    "weight_decay": Way(Steps(decay=0.01)),
    "weight_decay:0.001": Way(Steps(decay=0.001)),
    "clipped_gradient": Way(Steps(longest=1.0)),
    "another_objective": Way(Steps(objective="squared")),
    "another_objective:twice": Way(Steps(objective="softmax again")),
    "another_objective:smooth": Way(Steps(objective="smooth")),
    "another_objective:smooth:by_a_constant": Way(Steps(objective="smooth:by_a_constant")),
    "trains_on_validation": Way(Steps(trains=(("training", 0), ("validation", 0)))),
    "trains_on_validation:sum": Way(Steps(trains=(("training", 1), ("validation", 1)))),
    "trains_on_validation:a tenth": Way(Steps(trains=(("training", 1), ("validation", 0.1)))),
    "trains_on_validation:joined": Way(
        Steps(trains=(("training", 0), ("validation", 0)), joined=True)
    ),
    "trains_on_test": Way(Steps(trains=(("training", 0), ("test", 0)))),
    "trains_on_test:sum": Way(Steps(trains=(("training", 1), ("test", 1)))),
    "trains_on_test:joined": Way(Steps(trains=(("training", 0), ("test", 0)), joined=True)),
    "only_last_layer": Way(Steps(only_last=True)),
    # the end
    "max_epochs": Way(most=lambda epochs: epochs + 1),
    "max_epochs:less": Way(most=lambda epochs: max(0, epochs - 1)),
    "max_epochs:five more": Way(most=lambda epochs: epochs + 5),
    "max_epochs:100": Way(most=lambda epochs: min(epochs, 100)),
    "min_loss_ignored": Way(low=lambda losses, least, epoch: False),
    "min_loss_reversed": Way(low=lambda losses, least, epoch: losses["training"] >= least),
    "min_loss_below": Way(low=lambda losses, least, epoch: losses["training"] < least),
    "min_loss_after_a_step": Way(
        low=lambda losses, least, epoch: epoch > 0 and losses["training"] <= least
    ),
    "min_loss_only_without_validation": Way(
        low=lambda losses, least, epoch: "validation" not in losses and losses["training"] <= least
    ),
    "min_loss_of_validation": Way(
        low=lambda losses, least, epoch: losses.get("validation", losses["training"]) <= least
    ),
    "min_loss_of_validation:any": _first_low("training", "validation"),
    "min_loss_of_test": _first_low("training", "test"),
    "stops_without_validation": Way(watches=("validation", "training")),
    "never_stops": Way(patience=lambda patience: 10**9),
    "stops_too_soon": Way(patience=lambda patience: max(1, patience - 1)),
    "stops_too_soon:half": Way(patience=lambda patience: max(1, patience // 2)),
    "stops_too_late": Way(patience=lambda patience: patience + 2),
    **{f"fixed_patience:{epochs}": _fixed(epochs) for epochs in (1, 5, 10, 20)},
    "count_never_reset": Way(resets=False),
    "epochs_from_the_start": Way(from_the_start=True),
    "previous_loss": Way(improves=lambda new, best, before, falls: new < before),
    "previous_loss:best kept": Way(
        improves=lambda new, best, before, falls: new < before, best_by="validation"
    ),
    "larger_improves": Way(improves=lambda new, best, before, falls: new > best),
    "equal_improves": Way(improves=lambda new, best, before, falls: new <= best),
    "least_improvement": Way(improves=lambda new, best, before, falls: new < best - 1e-6),
    "least_improvement:1e-4": Way(improves=lambda new, best, before, falls: new < best - 1e-4),
    "mixed_losses": Way(compares="training"),
    "mixed_losses:kept": Way(keeps="training"),
    "improves_with_training": Way(improves=lambda new, best, before, falls: new < best and falls),
    "stops_by_training": Way(watches=("training",)),
    "stops_by_training:first of validation": Way(compares="training", keeps="training"),
    "stops_by_training:best by validation": Way(watches=("training",), best_by="validation"),
    "stops_by_test": Way(watches=("test", "validation")),
    "stops_by_test:best by validation": Way(watches=("test", "validation"), best_by="validation"),
    "stops_by_test:too": Way(also="test"),
    # the network
    "last_network": Way(returns=lambda validates, stopped: "last"),
    "last_network:if better": Way(
        returns=lambda validates, stopped: "last if better" if validates else "last"
    ),
    "only_output_of_best": Way(
        returns=lambda validates, stopped: "output of best" if validates else "last"
    ),
    "neighbour_of_best": Way(
        returns=lambda validates, stopped: "before best" if validates else "last"
    ),
    "neighbour_of_best:after": Way(
        returns=lambda validates, stopped: "after best" if validates else "last"
    ),
    "best_only_if_stopped": Way(
        returns=lambda validates, stopped: "best" if validates and stopped else "last"
    ),
    "best_of_training": Way(best_by="training"),
    "best_of_training:before the step": Way(best_by="training", best_late=True),
    "best_of_training:alone": Way(best_by="training", returns=lambda validates, stopped: "best"),
    "first_network": Way(returns=lambda validates, stopped: "best" if validates else "first"),
    "never_kept": Way(returns=lambda validates, stopped: "first" if validates else "last"),
    # what does not arrive
    "functions_ignored": Way(forgets=("transferFunctions",)),
    "vector_sets": Way(forgets=("validation", "test"), only_vectors=True),
    "vector_options:" + ", ".join(_OPTIONS): Way(forgets=_OPTIONS, only_vectors=True),
    **{f"vector_options:{name}": Way(forgets=(name,), only_vectors=True) for name in _OPTIONS},
}
