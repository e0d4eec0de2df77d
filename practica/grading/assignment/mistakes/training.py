"""Known mistakes of `train_class_ann`: the wrong way to train that explains every answer, and
mistakes in the form of its results.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from practica.grading.assignment.accepted_forms import as_outputs, as_trained
from practica.grading.assignment.network import recorded
from practica.grading.assignment.oracle import (
    DEFAULTS,
    PATTERNS,
    SETS,
    Case,
    Steps,
    Trained,
    Values,
    Way,
    Weights,
    probe,
    simulate,
)
from practica.grading.assignment.training import CLUSTERS, are_rounded
from practica.grading.assignment.trajectory import (
    Plan,
    alike,
    follow,
    right_ways,
    shape_of,
    weights_of,
)
from practica.grading.assignment.ways import WRONG, variants
from practica.grading.engine.framework import CheckFailed
from practica.grading.engine.known_mistakes import (
    ENOUGH,
    Seen,
    examples,
    id_of,
    read_once,
    sign,
)
from practica.grading.engine.observations import FIRST_OF, Pair, compares
from practica.grading.engine.rendering import close, equal
from practica.grading.engine.solution import Solution, StudentError
from practica.grading.inside.plain_data import Function, Handle, Network

ROW = "train_class_ann"
BUILDS = "build_class_ann"
MANY = 10**9
LEGAL = 5e-5  # by which legal ways of computing differ
FIRST = 3  # losses in which no rounding error has grown
UNREADABLE = (CheckFailed, StopIteration, KeyError, TypeError, ValueError, AttributeError)
Found = dict[str, Any] | bool | None


@examples(ROW)
def steps_beyond_the_lowest_loss(solution: Solution) -> None:
    """Train beyond the lowest loss, where the best network of training is not the last one."""
    sizes, options = {"training": 14, "validation": 9}, {"maxEpochs": 5, "learningRate": 1.5}
    plan = Plan([], 2, 1, sizes, options, noise=3.0, against=("improves_with_training",))
    follow(solution, plan, 20, "network")


KNOWN = [
    Network(np.array([weights]), np.array([bias]), "sigmoid")
    for weights, bias in (([0.4, -0.9], 0.2), ([-0.7, 0.3], 0.5))
]


@examples(ROW)
def networks_whose_weights_are_known(solution: Solution) -> None:
    """Give known weights to the first network that is built, and others to the second."""
    doubles = {BUILDS: {"sequence": KNOWN}} if solution.has(BUILDS) else {}
    for maxEpochs in (0, 3) if doubles else ():
        with suppress(*UNREADABLE, StudentError):
            transcript = solution.scripted(ROW, doubles, [], CLUSTERS, maxEpochs=maxEpochs)
            solution.predict(as_trained(transcript.answer.value)[0], probe(2))


# --- ways to train --------------------------------------------------------------------------------


@dataclass(eq=False)
class WrongTraining:
    """A training whose arguments, initial weights and results are known, to find out how it is
    wrong.

    `seen`: the call.
    `courses`: the epochs that several ways have in common.
    `explained`: what `is_explained` found, by way.
    """

    case: Case
    start: Weights
    trained: Trained
    seen: Seen
    courses: dict[Any, Any] = field(default_factory=dict)
    explained: dict[str, bool] = field(default_factory=dict)

    def is_explained(self, id: str) -> bool:
        """Return whether training in the way `id`, "" for the right one, leads to the result."""
        if id not in self.explained:
            ways = variants(WRONG[id]) if id else right_ways(self.case)
            with np.errstate(all="ignore"):
                found = (
                    simulate(self.case, self.start, way, self.courses, self.trained) for way in ways
                )
                self.explained[id] = any(alike(each, self.trained) for each in found)
        return self.explained[id]

    def begins_like(self, id: str) -> bool:
        """Return whether training in the way `id` has the same first losses.

        Later ones may differ because rounding errors grow.
        """
        own = self.trained.losses["training"][:FIRST]
        found = (simulate(self.case, self.start, way, self.courses) for way in variants(WRONG[id]))
        with np.errstate(all="ignore"):
            return any(
                close(each.losses["training"][: len(own)][:FIRST], own, LEGAL) for each in found
            )


def _outputs(seen: Seen, network: Handle) -> Any:
    asked = "predict", network
    return next(value for method, args, value in seen.looks if (method, args[0]) == asked)


def _runs(seen: Sequence[Seen]) -> list[WrongTraining]:
    """Return the trainings whose initial weights are known, because a training without epochs was
    called before.
    """
    starts, runs = dict[Any, Weights](), []
    for each in seen:
        with suppress(*UNREADABLE):
            given = dict(
                zip(
                    SETS,
                    [each.args[1], *(each.kwargs.get(f"{name}Dataset") for name in SETS[1:])],
                    strict=True,
                )
            )
            sets = {
                name: (one[0], np.reshape(one[1], (len(one[0]), -1)))
                for name, one in given.items()
                if one
            }
            functions = tuple(
                one.name
                for one in each.kwargs.get("transferFunctions") or ()
                if isinstance(one, Function)
            )
            options = {name: value for name, value in each.kwargs.items() if name in DEFAULTS}
            case = Case(each.args[0], sets, options, functions, given["training"][1].ndim == 1)
            network, *losses = as_trained(each.answer.value)
            key = repr((case.topology, functions, case.vector, [x.shape for x, _ in sets.values()]))
            if starts_now := options.get("maxEpochs") == 0:
                facts = recorded(each.looks, network, shape_of(case), functions)
                starts[key], outputs = _weights(facts, case), facts["outputs"][:PATTERNS]
            else:
                outputs = _outputs(each, network)
            # an untrained network tells whether it has its functions
            if functions or not starts_now:
                trained = Trained(
                    dict(zip(SETS, losses, strict=True)), as_outputs(outputs, PATTERNS)
                )
                runs.append(WrongTraining(case, starts[key], trained, each))
    return runs


def _weights(facts: dict[str, Any], case: Case) -> Weights:
    """Return the initial weights of a network from its facts.

    The outputs in the facts must follow from the weights and the functions of the case or, because
    a wrong training may ignore `transferFunctions`, from the weights and sigmoids. Raises
    `CheckFailed` if they follow from neither.
    """
    try:
        return weights_of(facts, case)
    except CheckFailed:
        return weights_of(facts, replace(case, functions=()))


WHERE: tuple[Callable[[Case], bool], ...] = (  # a mistake may be made only there
    lambda case: True,
    lambda case: case.vector,
    lambda case: not case.vector,
    lambda case: case.sets["training"][1].shape[1] == 1,
    lambda case: case.sets["training"][1].shape[1] > 1,
    lambda case: "validation" in case.sets,
    lambda case: "validation" not in case.sets,
    lambda case: len(case.topology) > 0,
)


def _best_ways(runs: Sequence[WrongTraining], wrong: int) -> list[str]:
    """Return the wrong ways that leave the fewest trainings in `runs` unexplained; none if all
    leave too many.

    `wrong`: how many trainings do not have the right result.
    """
    fewest, ways = MANY - 1, set[str]()
    # as soon as one way explains all, another one is given up at its first training
    for id in sorted(WRONG, key=lambda id: not runs[0].is_explained(id)):
        missed = _missed(id, runs, wrong, fewest)
        if missed <= fewest:
            ways = {*ways, id} if missed == fewest else {id}
            fewest = missed
    return [id for id in WRONG if id in ways]


def _missed(id: str, runs: Sequence[WrongTraining], wrong: int, fewest: int) -> int:
    """Count the trainings in `runs` whose result differs from that of training in the wrong way
    `id`. Return `MANY` if they are more than `fewest`, or than rounding errors may account for.

    `wrong`: how many trainings do not have the right result; a fraction of them may be missed.
    """
    most = wrong // (4 if WRONG[id].steps != Steps() else 6)
    if WRONG[id].improves is not Way().improves:  # what is compared shows in nearly all
        most = wrong // 12
    if id == "upwards":  # what saturates depends on how the logarithm is kept finite
        most = wrong // 3
    missed = 0
    for run in runs:
        missed += not run.is_explained(id)
        if missed > min(most, fewest):
            return MANY
    return missed


def _wrong(runs: Sequence[WrongTraining]) -> list[WrongTraining]:
    return [run for run in runs if not run.is_explained("")]


@read_once
def _found(seen: tuple[Seen, ...]) -> dict[str, Found]:
    """Return the facts of the one mistake that explains all trainings, by its id; an empty dict if
    none is wrong, or no single mistake explains them.
    """
    runs = sorted(_runs(seen), key=lambda run: len(run.trained.losses["training"]))
    wrong = _wrong(runs)
    ordered = [*wrong, *(run for run in runs if run not in wrong)]
    ways: list[str] = []
    # which explains the rest
    rounded = all(are_rounded(run.trained.losses["training"]) for run in runs)
    for applies in WHERE if wrong and not rounded else ():
        if all(applies(run.case) for run in wrong) and not ways:
            ways = _best_ways([run for run in ordered if applies(run.case)], len(wrong))
    if len({*map(id_of, ways)}) != 1:
        return {}
    id, _, how = ways[0].partition(":")
    longest = max(wrong, key=lambda run: run.case.options.get("maxEpochs", 0))
    facts = {"max_epochs": _epochs(longest.seen), "fixed_patience": {"patience": how}}
    return {id: facts.get(id, {"options": how})}


def _epochs(seen: Seen) -> dict[str, Any]:
    """Return how many epochs were asked for in a call, and how many losses say that there were."""
    return {
        "asked": seen.kwargs.get("maxEpochs"),
        "obtained": len(_losses(seen)["training"]) - 1,
    }


def _at(id: str, calls: Sequence[Seen]) -> Found:
    """Return whether the mistake `id`, made in any of its ways, explains the last training of an
    example; None if that is right, or its initial weights are unknown.
    """
    run = next((each for each in _runs(calls) if each.seen is calls[-1]), None)
    if run is None or run.is_explained(""):
        return None
    for way in (each for each in WRONG if id_of(each) == id):
        if run.is_explained(way) or (WRONG[way].steps != Steps() and run.begins_like(way)):
            return _epochs(run.seen) if id == "max_epochs" else True
    return False


@sign("training.several_networks", ROW, enough=1)
def several_networks(seen: Seen) -> Found:
    """Return whether as many networks are built as there are epochs; None if the call cannot tell.

    Two are normal, one for the best weights.
    """
    epochs = seen.kwargs.get("maxEpochs", 0)
    if BUILDS not in seen.doubles or epochs < 2:  # one epoch shows two networks at most
        return None
    return sum(call.name == BUILDS for call in seen.calls) >= max(epochs, 3)


@functools.cache
def _of_known(number: int, epochs: int) -> Values:
    """Return the outputs, after some epochs, of the network that began with the weights number
    `number`.
    """
    case = Case([], {"training": CLUSTERS}, {"maxEpochs": epochs})
    start = [(KNOWN[number].weight, KNOWN[number].bias)]
    return simulate(case, start, Way(), {}).outputs


@sign("training.not_initial", ROW, enough=1)
def another_network_without_epochs(seen: Seen) -> Found:
    """Return whether the network that no epoch should train has made a step, or is the second one
    that was built; None if the call cannot tell.
    """
    if "sequence" not in seen.doubles.get(BUILDS, ()) or seen.kwargs["maxEpochs"] > 0:
        return None
    with suppress(*UNREADABLE):
        outputs = as_outputs(_outputs(seen, as_trained(seen.answer.value)[0]), PATTERNS)
        return any(close(outputs, _of_known(*each), LEGAL) for each in ((0, 1), (1, 0)))
    return None


@compares(ROW)
def losses_and_outputs(seen: Sequence[Seen]) -> list[Pair]:
    """Return a `Pair` for the losses and the outputs of each training beside the right ones: those
    of the network with the same initial weights.
    """
    if any(map(another_network_without_epochs, seen)):
        return []  # the initial weights are not those that a training without epochs shows
    pairs = []
    for run in _runs(seen):
        right = run.trained
        if not run.is_explained(""):
            with np.errstate(all="ignore"):
                right = simulate(run.case, run.start, Way(), run.courses)
        for name, want in right.losses.items():
            got = run.trained.losses.get(name, ())
            losses = _without_rounding(want, got)
            pairs.append(Pair(f"{name}Losses", *losses, seen=run.seen))
            if all(map(len, losses)):
                want, got = (each[0] for each in losses)
                pairs.append(Pair(f"{name}Losses{FIRST_OF}", want, got, seen=run.seen))
        outputs = _without_rounding(right.outputs, run.trained.outputs)
        pairs.append(Pair("outputs", *outputs, seen=run.seen))
    return pairs


def _without_rounding(want: Any, got: Any) -> tuple[Values, Values]:
    """Return the right and the obtained values, with the right ones in place of obtained ones that
    differ no more than legal ways to compute do.
    """
    right, own = np.asarray(want, dtype=float), np.asarray(got, dtype=float)
    if right.shape != own.shape:
        return right, own
    is_same = np.isclose(own, right, rtol=LEGAL, atol=LEGAL, equal_nan=True)
    return right, np.where(is_same, right, own)


def _is_found(id: str, seen: Sequence[Seen]) -> Found:
    return _found(tuple(seen)).get(id)


for _id in dict.fromkeys(map(id_of, WRONG)):
    if _id != "max_epochs":
        sign(
            f"training.{_id}",
            ROW,
            together=True,
            holds=functools.partial(_at, _id),
        )(functools.partial(_is_found, _id))


# --- facts of form --------------------------------------------------------------------------------


def _losses(seen: Seen) -> dict[str, Any]:
    """Return the losses of each set; none if the result has another form."""
    with suppress(CheckFailed):
        return dict(zip(SETS, as_trained(seen.answer.value)[1:], strict=True))
    return {}


def _absent(seen: Seen) -> list[str]:
    return [name for name in SETS[1:] if seen.kwargs.get(f"{name}Dataset") is None]


def _ends_wrong(calls: Sequence[Seen]) -> bool:
    """Return whether the last training of an example is a wrong one."""
    return any(run.seen is calls[-1] and not run.is_explained("") for run in _runs(calls))


@sign("training.from_a_size", ROW, together=True, last=True, holds=_ends_wrong)
def wrong_from_a_size(seen: Sequence[Seen]) -> Found:
    """Return up to how many patterns all trainings are right, and from how many on all are wrong,
    if there are such sizes.
    """
    sizes = {True: set[int](), False: set[int]()}
    for run in _runs(seen):
        losses = run.trained.losses["training"]
        if losses.size and np.ptp(losses) > LEGAL:  # its steps change something
            sizes[run.is_explained("")].add(len(run.case.sets["training"][0]))
    if not sizes[True] or len(sizes[False]) < ENOUGH or max(sizes[True]) >= min(sizes[False]):
        return None
    return {"most": max(sizes[True]), "least": min(sizes[False])}


@sign("training.count_of_results", ROW, together=True)
def not_four_results(seen: Sequence[Seen]) -> Found:
    """Return, as facts, the numbers of elements that results have, if one is not four; else
    None.
    """
    values = [each.answer.value for each in seen if each.answer.error is None]
    results = [value if isinstance(value, list | tuple) and value else [value] for value in values]
    counts = {len(each) for each in results}
    networks = all(isinstance(each[0], Handle) for each in results)
    return {"counts": ", ".join(map(str, sorted(counts)))} if networks and counts - {4} else None


@sign("training.order_of_losses", ROW)
def test_before_validation(seen: Seen) -> Found:
    """Return whether the losses of the validation set and of the test set have changed places; None
    if the call cannot tell.
    """
    losses, absent = _losses(seen), _absent(seen)
    if not losses or len(absent) != 1:
        return None
    (other,) = {*SETS[1:]} - {*absent}
    return len(losses[absent[0]]) > 0 and not len(losses[other])


@sign("training.absent_zeros", ROW)
def absent_zeros(seen: Seen) -> Found:
    """Return whether the losses of every absent set are zeros instead of empty; None if no set is
    absent or the result has another form.
    """
    losses, absent = _losses(seen), _absent(seen)
    return (
        all(len(losses[name]) and not losses[name].any() for name in absent)
        if losses and absent
        else None
    )


@sign("training.fixed_seed", ROW, together=True)
def fixed_seed(seen: Sequence[Seen]) -> Found:
    """Return whether equal patterns have equal first losses with every seed, and not because all
    weights are 0.
    """
    plain = [
        each
        for each in seen
        if equal(each.args, [[], CLUSTERS]) and each.kwargs == {"maxEpochs": 1}
    ]
    first = [
        losses["training"][0]
        for losses in map(_losses, plain)
        if losses and len(losses["training"])
    ]
    return (
        len(first) > 1
        and float(np.ptp(first)) == 0
        and first[0] > 0
        and not close(first[0], np.log(2))
    )


def _too_many(calls: Sequence[Seen]) -> Found:
    """Return, as facts, how many epochs the last training of an example was to run and ran, if
    these are too many; else what `_at` returns for "max_epochs".
    """
    epochs = _epochs(calls[-1]) if _losses(calls[-1]) else {"asked": 0, "obtained": 0}
    return epochs if epochs["obtained"] > epochs["asked"] else _at("max_epochs", calls)


@sign("training.max_epochs", ROW, together=True, holds=_too_many)
def max_epochs(seen: Sequence[Seen]) -> Found:
    """Return, as facts, how many epochs run when `maxEpochs` is 0, if it is one number above 0 in
    all calls; else whether the mistake explains all trainings.
    """
    none = [
        losses for each in seen if each.kwargs.get("maxEpochs") == 0 and (losses := _losses(each))
    ]
    lengths = {len(losses["training"]) for losses in none}
    if len(lengths) == 1 and min(lengths) > 1:
        return {"asked": 0, "obtained": min(lengths) - 1}
    return _is_found("max_epochs", seen)


@sign("training.changes_data", ROW)
def changes_data(seen: Seen) -> Found:
    """Return True if a call has changed a set that it was given, else None."""
    given = [
        seen.args[1],
        *(value for name, value in seen.kwargs.items() if name.endswith("Dataset")),
    ]
    left = [value for value in seen.answer.args or () if isinstance(value, tuple)]
    return (len(left) == len(given) and not all(map(equal, given, left))) or None
