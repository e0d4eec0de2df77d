"""Known mistakes of `train_class_ann`, read off the losses and off the network that it returns.

Most are read off the trainings of which the checks of exercise 3 know everything: those of a network without hidden
layers on patterns whose attributes are all 0. There the only thing that moves is the bias of the output.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from practica.checks.framework import CheckFailed
from practica.checks.network import activations
from practica.checks.plain import Function, Handle
from practica.checks.readings import as_trained, close
from practica.checks.solution import Solution
from practica.checks.trained import (
    CLUSTERS,
    LOSS_TOLERANCE,
    MIXED,
    NEGATIVE,
    POSITIVE,
    THREE_CLUSTERS,
    blank,
    cross_entropy,
)
from practica.checks.values import equal
from practica.diagnosis.known import Seen, examples, id_of, sign

ROW = "train_class_ann"
SETS = ("training", "validation", "test")
DEFAULTS = {"maxEpochs": 1000, "minLoss": 0.0, "learningRate": 0.01, "maxEpochsVal": 20}
COPIES = ("copy:deepcopy", "copy:copy", "torch.nn:Module.load_state_dict")
Found = dict[str, Any] | bool | None
Values = NDArray[np.float64]


@examples(ROW)
def trainings_that_tell_mistakes_apart(solution: Solution) -> None:
    """Losses of several outputs, a best network that is neither the first nor the last, and what copies it."""

    def train(training: Any, doubles: Sequence[str] = (), **options: Any) -> None:
        through = {name: {"through": True} for name in doubles}
        value = solution.scripted(ROW, through, [], training, **options).answer.value
        network = value[0] if isinstance(value, list | tuple) and value else value
        if isinstance(network, Handle):
            solution.ask("predict", network, training[0])

    vector, many = (CLUSTERS[0], CLUSTERS[1][:, 0]), blank(*[False] * 12)
    for rate in (0.1, 0.3):
        train(THREE_CLUSTERS, maxEpochs=2, learningRate=rate)
        train(vector, maxEpochs=3, learningRate=rate)
        train(POSITIVE, maxEpochs=4, learningRate=rate)
        train(vector, validationDataset=vector, testDataset=vector, maxEpochs=1, learningRate=rate)
        train(POSITIVE, testDataset=many, maxEpochs=4, learningRate=rate)
        train(POSITIVE, validationDataset=many, maxEpochs=4, maxEpochsVal=50, learningRate=rate)
        # The bias swings around log 3: the best network in training is not the last, nor the best of the validation.
        train(MIXED, validationDataset=NEGATIVE, maxEpochs=12, maxEpochsVal=50, learningRate=2.0)
        train(POSITIVE, COPIES, validationDataset=MIXED, maxEpochs=15, maxEpochsVal=50, learningRate=0.3)
    train(POSITIVE, maxEpochs=16, learningRate=0.5)  # gradients so small that nobody clips them
    train(MIXED, validationDataset=POSITIVE, maxEpochs=20, maxEpochsVal=50, learningRate=0.3, minLoss=0.5)


class Run:
    """A training that came to an end with the results that are asked for.

    Attributes
    ----------
    sets : dict
        Inputs and targets, in columns, of each set that was given.
    vector : bool
        Whether the targets of the training set were a vector.
    losses : dict
        Of each set.
    blank : bool
        Whether all inputs are 0, no layer is hidden, and there is one output.
    outputs : array or None
        Of the network that was returned, for the training set.
    """

    def __init__(self, seen: Seen) -> None:
        self.seen = seen
        watched = map(seen.kwargs.get, ("validationDataset", "testDataset"))
        given = dict(zip(SETS, [seen.args[1], *watched], strict=True))
        self.sets = {
            name: (each[0], np.reshape(each[1], (len(each[1]), -1))) for name, each in given.items() if each is not None
        }
        self.vector = given["training"][1].ndim == 1
        self.network, *losses = as_trained(seen.answer.value)
        self.losses: dict[str, Values] = dict(zip(SETS, losses, strict=True))
        inputs, targets = self.sets["training"]
        self.blank = not inputs.any() and not seen.args[0] and targets.shape[1] == 1
        self.outputs = self._outputs()

    def __getattr__(self, name: str) -> Any:
        """Return an option: `maxEpochs` and the others."""
        if name not in DEFAULTS:
            raise AttributeError(name)
        return self.seen.kwargs.get(name, DEFAULTS[name])

    def _outputs(self) -> Values | None:
        inputs, targets = self.sets["training"]
        for method, args, value in self.seen.looks:
            if method == "predict" and args[0] == self.network and isinstance(value, np.ndarray):
                if equal(args[1], inputs) and value.shape == targets.shape:
                    return value
                if self.blank and value.shape[1:] == (1,):
                    return np.full(targets.shape, value[0, 0])
        return None

    @property
    def training(self) -> Values:
        """Return the losses of the training set."""
        return self.losses["training"]

    @property
    def last(self) -> int:
        """Return the last epoch, if the first one is 0."""
        return len(self.training) - 1

    def loss_of(self, name: str) -> float | None:
        """Return the loss of the network that was returned, if it is known."""
        if self.outputs is None or not (name == "training" or self.blank):
            return None
        targets = self.sets[name][1]
        return cross_entropy(np.resize(self.outputs, targets.shape), targets)

    @functools.cached_property
    def returned(self) -> list[int]:
        """The epochs of which the network may be that was returned."""
        alike = np.ones(len(self.training), dtype=bool)
        for name in self.sets:
            losses, loss = self.losses[name], self.loss_of(name)
            if loss is None or len(losses) != len(alike):
                return []
            alike &= np.abs(losses - loss) <= LOSS_TOLERANCE * (1 + loss)
        return np.flatnonzero(alike).tolist()

    @functools.cached_property
    def biases(self) -> Values | None:
        """The bias after each epoch, where all targets of the training set are alike."""
        targets = self.sets["training"][1]
        if not self.blank or not len(self.training) or targets.any() != targets.all():
            return None
        with np.errstate(all="ignore"):
            biases = -np.log(np.expm1(self.training)) * (1 if targets.any() else -1)
        return biases if np.isfinite(biases).all() else None

    def ran_out(self) -> bool:
        """Tell whether it ended because of `maxEpochs`."""
        return len(self.training) >= self.maxEpochs

    def apart(self, name: str, one: int, other: int) -> bool:
        """Tell whether the losses of two epochs differ clearly."""
        return bool(abs(self.losses[name][one] - self.losses[name][other]) > 3 * LOSS_TOLERANCE)


@functools.lru_cache(maxsize=128)
def _run(seen: Seen) -> Run | None:
    if seen.answer.error is not None:
        return None
    try:
        run = Run(seen)
    except CheckFailed:
        return None
    lengths = {len(losses) for losses in run.losses.values()} - {0, len(run.training)}
    return None if lengths or not all(np.isfinite(losses).all() for losses in run.losses.values()) else run


Of = Callable[[Any], Found]


def _of_each(id: str, **options: Any) -> Callable[[Of], Of]:
    """Register a sign that looks at each training."""
    return sign(id, ROW, read=_run, **options)


def _of_all(id: str, **options: Any) -> Callable[[Of], Of]:
    """Register a sign that looks at all trainings together."""
    return sign(id, ROW, read=_run, together=True, **options)


def _all(found: Iterable[bool | None], least: int = 2) -> bool:
    """Tell whether all that is known says yes, and so many do."""
    known = [each for each in found if each is not None]
    return len(known) >= least and all(known)


# -- what is returned ------------------------------------------------------------------------------------------------


@sign("training.count_of_results", ROW, together=True)
def not_four_results(seen: Sequence[Seen]) -> Found:
    """More or less, always or only where a set is missing."""
    values = [each.answer.value for each in seen if each.answer.error is None]
    results = [value if isinstance(value, list | tuple) and value else [value] for value in values]
    counts = {len(each) for each in results}
    networks = all(isinstance(each[0], Handle) for each in results)
    return {"counts": ", ".join(map(str, sorted(counts)))} if networks and counts - {4} else None


@_of_each("training.order_of_losses")
def test_before_validation(run: Run) -> Found:
    """The losses of the validation set stand where those of the test set should."""
    if ("validation" in run.sets) == ("test" in run.sets):
        return None
    given, absent = ("validation", "test") if "validation" in run.sets else ("test", "validation")
    return len(run.losses[absent]) > 0 and not len(run.losses[given])


@_of_each("training.absent_zeros")
def zeros_for_an_absent_set(run: Run) -> Found:
    """As many as there are epochs."""
    absent = [run.losses[name] for name in SETS if name not in run.sets]
    return all(len(losses) > 0 and not losses.any() for losses in absent) if absent else None


def _losses_of_another(name: str, other: str, run: Run) -> Found:
    """Tell whether those of two different sets are equal."""
    if not {name, other} <= run.sets.keys() or run.last < 1:
        return None
    if all(map(equal, run.sets[name], run.sets[other])) or float(np.ptp(run.training)) < LOSS_TOLERANCE:
        return None
    return bool(run.losses[name].shape == run.losses[other].shape and close(run.losses[name], run.losses[other]))


for _pair in (("validation", "training"), ("test", "training"), ("test", "validation")):
    _of_each("training.{}_losses_of_{}".format(*_pair))(functools.partial(_losses_of_another, *_pair))


# -- the loss --------------------------------------------------------------------------------------------------------


def _binary(p: Values, y: Values) -> float:
    return float(-(y * np.log(p + 1e-7) + (1 - y) * np.log(1 - p + 1e-7)).mean())


def _softmax_again(p: Values, y: Values) -> float:
    return float((np.log(np.exp(p).sum(axis=1)) - (p * y).sum(axis=1)).mean())


def _is_multiple(run: Run) -> bool:
    return run.sets["training"][1].shape[1] > 1


FORMULAS: dict[str, Callable[[Values, Values], float]] = {
    "training.softmax_twice": _softmax_again,
    "training.sigmoid_twice": lambda p, y: float((np.logaddexp(0, p) - p * y).mean()),
    "training.squared_error": lambda p, y: float(((p - y) ** 2).mean()),
    "training.squared_error:half": lambda p, y: float(((p - y) ** 2).sum(axis=1).mean()),
    "training.sum_of_losses": lambda p, y: cross_entropy(p, y > 0) * len(p),
    "training.mean_over_outputs": lambda p, y: cross_entropy(p, y > 0) / p.shape[1],
    "training.binary_for_several": _binary,
    "training.every_output_with_every_target": lambda p, y: _binary(p, y.T),
}
APPLIES: dict[str, Callable[[Run], bool]] = {  # where not to all
    **dict.fromkeys(
        ("training.softmax_twice", "training.mean_over_outputs", "training.binary_for_several"), _is_multiple
    ),
    "training.every_output_with_every_target": lambda run: run.vector,
}


def _another_loss(switch: str, run: Run) -> Found:
    """Tell whether the last loss is what another formula gives for the network that was returned."""
    applies = APPLIES.get(switch)
    if run.outputs is None or "validation" in run.sets or not len(run.training) or (applies and not applies(run)):
        return None
    p, targets = run.outputs.astype(float), run.sets["training"][1]
    expected, right = FORMULAS[switch](p, targets.astype(float)), cross_entropy(p, targets)
    if close(expected, right, 5 * LOSS_TOLERANCE) or close(run.training[-1], right, LOSS_TOLERANCE):
        return None
    return close(run.training[-1], expected, LOSS_TOLERANCE)


for _switch in FORMULAS:
    _of_each(id_of(_switch))(functools.partial(_another_loss, _switch))


@_of_each("training.cross_entropy_of_one_output")
def losses_that_are_always_0(run: Run) -> Found:
    """Tell whether all are: a softmax of one output is 1."""
    return None if run.sets["training"][1].shape[1] > 1 or not len(run.training) else not run.training.any()


@_of_each("training.losses_late", unless=["training.sum_of_losses"])
def losses_of_before_the_step(run: Run) -> Found:
    """Tell whether the network that is returned is one step beyond the last loss."""
    biases = run.biases
    if biases is None or run.outputs is None or "validation" in run.sets or len(biases) < 3:
        return None
    p, step = run.outputs[0, 0], biases[-1] - biases[-2]
    beyond = np.log(p / (1 - p)) - biases[-1] if 0 < p < 1 else np.inf
    early = len(biases) == run.maxEpochs or close(*biases[:2])
    return bool(early and 0.5 * step < beyond < 1.6 * step)


@_of_all("training.no_epoch_0", unless=["training.losses_late"])
def no_loss_of_the_untrained_network(runs: list[Run]) -> Found:
    """As many losses as epochs, none for none."""
    alone = [run for run in runs if len(run.sets) == 1 and run.minLoss == 0 and not run.vector]
    none = any(not run.maxEpochs for run in alone)
    late = any(run.last > 0 and run.returned != [] and run.last not in run.returned for run in alone)
    return none and not late and _all((len(run.training) == run.maxEpochs for run in alone), 3)


# -- the steps -------------------------------------------------------------------------------------------------------


@_of_each("training.no_step", unless=["training.cross_entropy_of_one_output"])
def losses_that_do_not_move(run: Run) -> Found:
    """All epochs have the same loss."""
    if run.last < 2 or run.learningRate < 0.01:
        return None
    return bool(np.ptp(run.training) == 0)


@_of_each("training.new_optimiser")
def steps_as_long_as_the_first(run: Run) -> Found:
    """Each is as long as the learning rate, though the gradient shrinks."""
    biases = run.biases
    if biases is None or len(biases) < 5 or run.learningRate < 0.3 or run.learningRate > 1:
        return None
    steps = np.abs(np.diff(biases))
    return bool((np.abs(steps / run.learningRate - 1) < 0.02).all())


def _trained(run: Run, biases: Values, adam: bool, keeps: bool) -> Values:
    """Return the biases that an optimiser makes, which may keep the gradients of all epochs."""
    target = float(run.sets["training"][1][0, 0])
    b, gradient, first, second = biases[0], 0.0, 0.0, 0.0
    made = [b]
    for epoch in range(1, len(biases)):
        gradient = gradient * keeps + 1 / (1 + np.exp(-b)) - target
        first, second = 0.9 * first + 0.1 * gradient, 0.999 * second + 0.001 * gradient**2
        step = first / (1 - 0.9**epoch) / (np.sqrt(second / (1 - 0.999**epoch)) + 1e-8)
        b -= run.learningRate * (step if adam else gradient)
        made.append(b)
    return np.array(made)


@_of_each("training.no_zero_grad")
def gradients_of_all_epochs(run: Run) -> Found:
    """Tell whether the steps are those of gradients that add up."""
    biases = run.biases
    if biases is None or len(biases) < 5 or run.learningRate < 0.05 or len(run.sets) > 1:
        return None
    like = 0.01 * run.learningRate  # which a rate that falls by a hundredth in each epoch soon leaves
    near = {
        (adam, keeps): bool(np.abs(_trained(run, biases, adam, keeps) - biases).max() < like)
        for adam, keeps in product((True, False), (True, False))
    }
    added, apart = (near[True, keeps] or near[False, keeps] for keeps in (True, False))
    return added if added != apart else None


def _rate_matters(runs: Iterable[Run]) -> bool | None:
    """Tell whether first steps differ where the learning rates do; None if there are too few."""
    steps = []
    for run in runs:
        biases = run.biases
        if biases is not None and len(biases) > 1 and run.learningRate > 1e-3 and biases[1] != biases[0]:
            slope = abs(1 / (1 + np.exp(-biases[0])) - float(run.sets["training"][1][0, 0]))
            steps.append((run.learningRate, abs(biases[1] - biases[0]), slope))
    rates = [rate for rate, _, _ in steps]
    if len({*rates}) < 2 or max(rates) < 5 * min(rates):
        return None
    same = [max(values) < 1.1 * min(values) for values in ([s for _, s, _ in steps], [s / g for _, s, g in steps])]
    return not any(same)


_of_all("training.learning_rate_ignored")(lambda runs: _rate_matters(run for run in runs if not run.vector) is False)


def _follows(name: str, run: Run) -> bool | None:
    """Tell whether a network that learns positive patterns gets better for a set of negative ones, as it should not."""
    watched = {each: bool(run.sets[each][1].all()) for each in run.sets}
    if not run.blank or run.last < 2 or run.learningRate < 0.01 or not watched.pop("training"):
        return None
    if all(watched.values()):
        return False if run.training[-1] >= run.training[0] else None
    loss, losses = run.loss_of(name) if name in run.sets else None, run.losses[name]
    if watched.pop(name, True) or not all(watched.values()) or run.sets[name][1].any() or not len(losses):
        return None
    known = loss is not None and any(close(each, loss, LOSS_TOLERANCE) for each in losses)
    better = losses[-1] < losses[0] or (losses[-1] == losses[0] and run.training[-1] >= run.training[0])
    return (known and bool(better)) or None


for _name in ("validation", "test"):
    _of_each(f"training.trains_on_{_name}")(functools.partial(_follows, _name))


@sign("training.only_last_layer", ROW)
def hidden_layers_stay_as_they_were(seen: Seen) -> Found:
    """Only the output layer has other weights than before."""
    networks = [value for method, _, value in seen.looks if method == "describe" and isinstance(value, dict)]
    weights = [[layer["weight"] for layer in facts.get("layers") or ()] for facts in networks]
    found = None
    for before, after in combinations(weights if "build_class_ann" in seen.doubles else (), 2):
        if len(before) < 2 or [weight.shape for weight in before] != [weight.shape for weight in after]:
            return None
        *hidden, last = (float(abs(new - old).max(initial=0)) for old, new in zip(before, after, strict=True))
        if 0 < max(hidden) < LONGEST_STEP:  # others are other networks
            return False
        found = found or (max(hidden) == 0 < last) or None
    return found


LONGEST_STEP = 0.05


@_of_all("training.fixed_seed", unless=["training.cross_entropy_of_one_output"])
def always_the_same_start(runs: list[Run]) -> Found:
    """Tell whether the first losses of the same patterns are equal, and not those of weights that are 0."""
    alike = [run for run in runs if not run.seen.args[0] and equal(run.sets["training"], CLUSTERS)]
    first = [run.training[0] for run in alike if len(run.training)]
    return len(first) > 2 and float(np.ptp(first)) == 0 and not close(first[0], np.log(2))


# -- when it ends ----------------------------------------------------------------------------------------------------


@_of_all("training.max_epochs")
def more_or_fewer_epochs(runs: list[Run]) -> Found:
    """Tell whether they are, always by the same number."""
    alone = [run for run in runs if len(run.sets) == 1 and run.minLoss == 0 and not run.vector]
    missing = {len(run.training) - run.maxEpochs - 1 for run in alone if run.maxEpochs}
    untrained = {len(run.training) for run in alone if not run.maxEpochs}
    if len(alone) < 3 or len(missing) != 1 or untrained == {0}:
        return None
    run = next(run for run in alone if run.maxEpochs > 1)
    right = missing == {0} or (missing == {-1} and untrained != {1})
    return None if right else {"asked": run.maxEpochs, "obtained": run.last}


def _ends_at_min_loss(run: Run) -> bool | None:
    """Tell whether it ended where the training loss came down to minLoss."""
    low = np.flatnonzero(run.training <= run.minLoss)
    return None if not run.minLoss or not len(low) else bool(low[0] == run.last)


def _columns(runs: Iterable[Run], validation: bool) -> list[Run]:
    return [run for run in runs if not run.vector and ("validation" in run.sets) == validation]


@_of_all("training.min_loss_of_validation")
def the_validation_loss_ends_it(runs: list[Run]) -> Found:
    """Tell whether the validation loss comes down to minLoss in the end, and the training loss does not."""
    found = []
    for run in runs:
        losses = run.losses["validation"]
        high = len(losses) > 0 and run.training.min() > run.minLoss > 0
        if high and run.maxEpochsVal >= len(losses):
            ended = bool(losses[-1] <= run.minLoss and (losses[:-1] > run.minLoss).all())
            found.append(ended and not run.ran_out())
    return _all(found, 1)


@_of_all("training.min_loss_ignored")
def a_low_loss_does_not_end_it(runs: list[Run]) -> Found:
    """With a validation set and without."""
    with_any = [*_columns(runs, True), *_columns(runs, False)]
    ignored = [run.ran_out() and not ends for run in with_any if (ends := _ends_at_min_loss(run)) is not None]
    return _all(ignored)


@_of_all(
    "training.min_loss_only_without_validation",
    unless=["training.min_loss_ignored", "training.min_loss_of_validation"],
)
def a_low_loss_ends_it_only_without_validation(runs: list[Run]) -> Found:
    """With a validation set it does not."""
    without, with_one = (
        [ends for run in _columns(runs, validation) if (ends := _ends_at_min_loss(run)) is not None]
        for validation in (False, True)
    )
    return _all(without, 1) and len(with_one) > 0 and not any(with_one)


@_of_all("training.min_loss_after_a_step")
def a_first_step_whatever_the_loss_is(runs: list[Run]) -> Found:
    """Tell whether an untrained network whose loss is low enough is trained for one epoch, and no longer."""
    low = [run for run in runs if run.last > 0 and run.maxEpochs > 1 and run.training[0] <= run.minLoss]
    return _all((run.last == 1 for run in low), 1)


@_of_all("training.stops_without_validation")
def it_stops_early_without_a_validation_set(runs: list[Run]) -> Found:
    """Where the training loss has not improved."""
    alone = [run for run in _columns(runs, False) if not run.minLoss]
    stopped = [run for run in alone if not run.ran_out() and len(run.training)]
    rising = [bool(run.training[-1] > run.training.min()) and run.last >= run.maxEpochsVal for run in stopped]
    return len(alone) > 2 and _all(rising, 1)


Improves = Callable[[float, float, float], bool]  # of the new loss, the best, and the one before
Rule = Callable[[Run, int, int], "int | None"]  # of a training, the patience, and the first epoch that competes


def _end(losses: Values, patience: int, first: int, improves: Improves, resets: bool = True) -> int | None:
    """Return the epoch after which a rule stops, or None."""
    best, since = (float(losses[0]), 0) if not first else (np.inf, 0)
    for epoch in range(1, len(losses)):
        if improves(losses[epoch], best, np.inf if first and epoch == 1 else losses[epoch - 1]):
            best, since = losses[epoch], 0 if resets else since
        else:
            since += 1
        if since >= patience:
            return epoch
    return None


def _rule(improves: Improves = lambda new, best, previous: new < best, name: str = "validation", **how: bool) -> Rule:
    """Return the rule that looks at the losses of a set, or at those of validation where there is none."""
    return lambda run, patience, first: _end(
        run.losses[name if name in run.sets else "validation"], patience, first, improves, **how
    )


def _least(improvement: float) -> Improves:
    return lambda new, best, previous: new < best - improvement


RIGHT = _rule()
RULES: dict[str, Rule] = {
    "training.never_stops": lambda run, patience, first: None,
    "training.stops_too_soon": lambda run, patience, first: RIGHT(run, max(1, patience - 1), first),
    "training.count_never_reset": _rule(resets=False),
    "training.previous_loss": _rule(lambda new, best, previous: new < previous),
    "training.equal_improves": _rule(lambda new, best, previous: new <= best),
    **{f"training.least_improvement:{least}": _rule(_least(least)) for least in (1e-6, 1e-5, 1e-4, 1e-3)},
    "training.stops_by_training": _rule(name="training"),
    "training.stops_by_test": _rule(name="test"),
    "training.epochs_from_the_start": lambda run, patience, first: patience if run.last >= patience else None,
}
FIXED = range(1, 31)  # epochs, for those who do not look at maxEpochsVal


def _stopping(runs: Sequence[Run], rule: Rule, patience: int | None = None) -> bool:
    """Tell whether a rule explains where all trainings ended, in one of the ways in which epochs are counted."""
    for first, slack in product((0, 1), (0, 1) if patience is None else (0,)):
        ends = [rule(run, (patience or run.maxEpochsVal) + slack, first) for run in runs]
        if all(end == run.last or (end is None and run.ran_out()) for end, run in zip(ends, runs, strict=True)):
            return True
    return False


@functools.lru_cache(maxsize=4)
def _how_it_stops(seen: tuple[Seen, ...]) -> tuple[str, int]:
    """Return the only rule that explains where trainings ended, and its patience; nothing if that is none."""
    runs = [
        run
        for run in map(_run, seen)
        if run is not None
        and not run.vector
        and len(run.losses["validation"]) == len(run.training) > 1
        and min(run.training.min(), run.losses["validation"].min()) > run.minLoss
        and ("test" not in run.sets or len(run.losses["test"]) == len(run.training))
    ]
    if len(runs) < 4 or _stopping(runs, RIGHT):
        return "", 0
    found = {id_of(id): 0 for id, rule in RULES.items() if _stopping(runs, rule)}
    if not found and any(not run.ran_out() for run in runs):
        fixed = [patience for patience in FIXED if _stopping(runs, RIGHT, patience)]
        found = {"training.fixed_patience": fixed[0]} if fixed else {}
    return next(iter(found.items())) if len(found) == 1 else ("", 0)


def _ends_by(id: str, seen: Sequence[Seen]) -> Found:
    """Tell whether only this rule explains where the trainings ended."""
    found, patience = _how_it_stops(tuple(seen))
    if found == "training.epochs_from_the_start" and any(_returns_best(run) is False for run in map(_run, seen) if run):
        return None  # what counts as an improvement is something else, which does not improve here
    return {"patience": patience} if found == id else None


for _id in dict.fromkeys([*map(id_of, RULES), "training.fixed_patience"]):
    sign(_id, ROW, together=True, unless=["training.order_of_losses"])(functools.partial(_ends_by, _id))


# -- which network is returned ---------------------------------------------------------------------------------------


def _best(run: Run) -> int | None:
    """Return the epoch of the best validation loss, where the network of another one is clearly another network."""
    losses = run.losses["validation"]
    if "validation" not in run.sets or run.last < 2 or len(losses) != len(run.training) or not run.returned:
        return None
    best = int(np.argmin(losses))
    return best if run.apart("validation", best, run.last) and best != run.last else None


def _returns_best(run: Run) -> bool | None:
    """Tell whether the best network is returned where it is not the last."""
    best = _best(run)
    return None if best is None or not run.returned else best in run.returned


def _returns_last(run: Run) -> bool | None:
    """Tell whether the last network is returned where another one is the best."""
    best = _best(run)
    if best is None or (best == 0 and 0 in run.returned):  # the first one may be kept in another way
        return None
    return run.last in run.returned


def _returns_last_after(name: str, run: Run) -> Found:
    """Tell whether the last network is returned where of the functions that copy only one was called."""
    if "copy:deepcopy" not in run.seen.doubles:
        return None if _returns_last(run) is not False else False
    return bool(_returns_last(run)) and {call.name for call in run.seen.calls} == {name}


for _id, _name in (
    ("training.state_dict_follows", "torch.nn:Module.load_state_dict"),  # of weights that were not copied
    ("training.shallow_copy", "copy:copy"),
):
    _of_each(_id)(functools.partial(_returns_last_after, _name))
_of_each("training.last_network", unless=["training.state_dict_follows", "training.shallow_copy"])(_returns_last)


@_of_all("training.best_only_if_stopped")
def the_last_network_if_epochs_run_out(runs: list[Run]) -> Found:
    """And the best after early stopping."""
    runs = [run for run in runs if _returns_last(run) is not None]
    known = [(run.ran_out() or bool(run.training[-1] <= run.minLoss), _returns_last(run)) for run in runs]
    return len({ended for ended, _ in known}) == 2 and all(ended == last for ended, last in known)


def _returns_best_of(run: Run, name: str) -> bool | None:
    best = _best(run)
    if best is None or len(run.losses[name]) != len(run.training):
        return None
    lowest = int(np.argmin(run.losses[name]))
    return lowest in run.returned if run.apart("validation", lowest, best) else None


@_of_all("training.best_of_training")
def the_best_network_in_training(runs: list[Run]) -> Found:
    """Which is not always the last."""
    other = [run for run in runs if _best(run) is not None and run.last not in run.returned]
    return len(other) > 0 and _all(_returns_best_of(run, "training") for run in runs)


@_of_each("training.epoch_0_not_best", fails=["train_class_ann.best.never_better"])
def the_network_after_the_first_epoch(run: Run) -> Found:
    """Where the untrained one is the best."""
    if _best(run) != 0:
        return None
    second = 1 + int(np.argmin(run.losses["validation"][1:]))
    return second in run.returned and 0 not in run.returned if run.apart("validation", 0, second) else None


@_of_each("training.first_network")
def the_untrained_network(run: Run) -> Found:
    """Without a validation set."""
    if len(run.sets) > 1 or run.last < 2 or not run.returned or not run.apart("training", 0, run.last):
        return None
    return 0 in run.returned and bool(run.training[-1] < run.training[0])


# -- targets in a vector, functions, and what it does beside ----------------------------------------------------------


@sign("training.vectors_raise", ROW, together=True)
def targets_in_a_vector_raise(seen: Sequence[Seen]) -> Found:
    """And those in a column do not."""
    errors: dict[int, list[str | None]] = {1: [], 2: []}
    for each in seen:
        errors[each.args[1][1].ndim].append(each.answer.error.type if each.answer.error else None)
    alone = len(errors[1]) > 1 and all(errors[1]) and len(set(errors[1])) == 1 and not any(errors[2])
    return {"error": errors[1][0]} if alone else None


@_of_all("training.vector_sets")
def no_losses_of_vectors(runs: list[Run]) -> Found:
    """Of the validation and test set, which there are for columns."""
    lengths = {
        vector: [len(run.losses[name]) > 0 for run in runs if run.vector is vector for name in run.sets]
        for vector in (True, False)
    }
    alone = [len(run.losses[name]) == 0 for run in runs if run.vector for name in run.sets if name != "training"]
    return _all(lengths[False]) and _all(alone)


def _functions_used(run: Run) -> bool | None:
    """Tell whether the functions of the hidden layers are those that were given."""
    given = [each.name for each in run.seen.kwargs.get("transferFunctions") or () if isinstance(each, Function)]
    looks = run.seen.looks
    facts = next((value for method, args, value in looks if method == "describe" and args[0] == run.network), None)
    layers = facts.get("layers") if isinstance(facts, dict) else None
    if not given or not layers or len(layers) != len(given) + 1 or "sigmoid" in given:
        return None
    if all(name in activations(layer) for name, layer in zip(given, layers, strict=False)):
        return True
    return False if all("sigmoid" in activations(layer) for layer in layers[:-1]) else None


@_of_all("training.functions_ignored")
def sigmoids_though_others_are_given(runs: list[Run]) -> Found:
    """In the hidden layers."""
    used = [_functions_used(run) for run in runs if not run.vector]
    return False in used and True not in used


def _patience_used(run: Run) -> bool | None:
    """Tell whether a validation loss that only rises ended it."""
    losses = run.losses["validation"]
    if run.minLoss or len(losses) < 3 or (np.diff(losses) <= 0).any() or run.maxEpochs < run.maxEpochsVal + 5:
        return None
    return run.last <= run.maxEpochsVal + 1


def _options_used(runs: Sequence[Run]) -> dict[str, list[bool | None]]:
    """Tell what of each option was seen to be used."""
    return {
        "transferFunctions": list(map(_functions_used, runs)),
        "maxEpochs": [run.last <= run.maxEpochs for run in runs if run.maxEpochs > 1 and not run.minLoss],
        "minLoss": list(map(_ends_at_min_loss, runs)),
        "learningRate": [_rate_matters(runs)],
        "maxEpochsVal": list(map(_patience_used, runs)),
    }


@_of_all("training.vector_options")
def options_that_vectors_do_not_use(runs: list[Run]) -> Found:
    """And columns do."""
    vectors, columns = (_options_used([run for run in runs if run.vector is vector]) for vector in (True, False))
    lost = [name for name in vectors if False in vectors[name] and True not in vectors[name] and True in columns[name]]
    lost = [name for name in lost if False not in columns[name]]
    return {"options": ", ".join(lost)} if lost else None


@sign("training.changes_data", ROW)
def patterns_are_not_what_they_were(seen: Seen) -> Found:
    """In a set that it got."""
    given = [seen.args[1], *(value for name, value in seen.kwargs.items() if name.endswith("Dataset"))]
    left = [value for value in seen.answer.args or () if isinstance(value, tuple)]
    return (len(left) == len(given) and not all(map(equal, given, left))) or None
