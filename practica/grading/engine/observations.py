"""Observations: facts about wrong answers, recomputed from the recorded calls.

They are what is said where no mistake explains a function. One table of relations, for every
function of every course, says how what was obtained is made of what is expected or of the
arguments; two more say in which places of a value, and in which calls, it is wrong. A relation is
said only if it holds in every wrong call. Four guards keep the sentences true:

* of what is drawn, only the form is compared, and whether values repeat;
* what the statement leaves free is not a difference: a call in which right code may choose is left
  out;
* the calls that are wrong are described only if chance hardly explains the description;
* a call that cannot tell (a constant column, an empty array) is left out.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from practica.grading.engine.known_mistakes import (
    ANYTHING,
    Holds,
    Imitation,
    Seen,
    alike,
    numbers,
)
from practica.grading.engine.known_mistakes import imitation as imitation_of
from practica.grading.engine.rendering import TOLERANCE, show
from practica.grading.engine.result import Mistake
from practica.grading.inside.plain_data import Answer
from practica.json_data import plain

ENOUGH = 2  # wrong calls, and different elements in them, that show a relation
OF_A_SEARCH = 3  # the same where a parameter was looked for
CHANCE = 1e-3  # that calls which have nothing to do with a feature are described by it
STATE = "observation.state"  # the file keeps something from one call to the next
FIRST_OF = "[0]"  # ends the name of a part that is the first element of another
WEAK = ("above", "below")  # are said where nothing else is
OF_WRONG = (*WEAK, "more_true", "fewer_true")  # relations of what differs
LEFT = ("same object", "argument")  # begin the parts that are not in the result
ALL = "value"  # the part that is a whole result
OF_LABELS = ("texts", "mixed")  # features of calls that only labels have

Array: TypeAlias = "NDArray[Any]"
Facts: TypeAlias = "Mapping[str, Any]"
Told: TypeAlias = "tuple[Mistake, Holds]"  # a sentence, and whether it holds in an example
# id, facts, and the calls of which it is said
Observed: TypeAlias = "tuple[str, Facts, frozenset[Seen]]"


@dataclass(frozen=True, eq=False)
class Pair:
    """A part of an answer, as obtained and as expected.

    `part`: its name; `ALL` for a whole result.
    `want`, `got`: the expected value, and the obtained one.
    `given`: the arguments of the call.
    `parts`: the expected values of all parts of the answer, by name.
    `drawn`: whether the function draws it, so that right code may return another value of this
        form.
    `seen`: the call.
    """

    part: str
    want: Any
    got: Any
    given: Sequence[Any] = ()
    parts: Mapping[str, Any] = field(default_factory=dict)
    drawn: bool = False
    seen: Seen | None = None

    @property
    def agrees(self) -> bool:
        """Whether `got` is right: alike to `want` or, if `drawn`, of the same form and without
        repetitions that `want` does not have.
        """
        try:
            if self.drawn:
                return _has_form(self) and _repeated(self) is None
            return alike(self.want, self.got)
        except ValueError:  # rows of different lengths
            return False


def _has_form(pair: Pair) -> bool:
    """Return whether an obtained value has the form of the expected one: the same number of items
    in lists and tuples, and arrays of as many dimensions with the same kind of number.
    """
    want, got = pair.want, pair.got
    if isinstance(want, list | tuple) and isinstance(got, list | tuple):
        inner = (Pair(pair.part, *each) for each in zip(want, got, strict=False))
        return len(want) == len(got) and all(map(_has_form, inner))
    one, other = numbers(want), numbers(got)
    if one is None or other is None:
        return one is other
    same_kind = (one.dtype.kind in "iu") == (other.dtype.kind in "iu")
    return one.ndim == other.ndim and (same_kind or not other.size)


def pairs_of(row: str, seen: Sequence[Seen]) -> list[Pair]:
    """Return a `Pair` for each part of each recorded answer, if the right value of the part is
    known.

    The parts are those into which the imitation of the row splits an answer, or else the whole
    result. A call that raised an error has none.
    """
    if row in _comparisons:
        return _comparisons[row](seen)
    imitation, pairs = imitation_of(row), []
    for each in seen:
        if each.right is None or each.right.error is not None or each.answer.error is not None:
            continue
        whole = Pair(ALL, each.right.value, each.answer.value, each.given, seen=each)
        if imitation is None or imitation.draws:
            pairs.append(replace(whole, drawn=imitation is not None))
        elif not imitation.free(each) and not imitation.skips(each):
            pairs += _split(imitation, each, each.right)
    return pairs


def _split(imitation: Imitation, seen: Seen, right: Answer) -> Iterator[Pair]:
    """Yield a `Pair` for each part of an answer, except the parts about arguments after the call.

    `right`: the answer that right code gives.

    A part that differs only where right code may differ counts as equal.
    """
    wanted, own = imitation.parts([seen], [right]), imitation.parts([seen], [seen.answer])
    values = {part: value for part, value in wanted.items() if not part.startswith(LEFT)}
    if not values.keys() <= own.keys():
        values, own = {ALL: right.value}, {ALL: seen.answer.value}
    for part, want in values.items():
        got = own[part]
        if want is ANYTHING or got is ANYTHING:
            continue
        with suppress(ValueError):  # rows of different lengths
            got = want if seen.agrees or alike(want, got, imitation.tolerance) else got
        yield Pair(part, want, got, seen.given, values, seen=seen)


_comparisons: dict[str, Callable[[Sequence[Seen]], list[Pair]]] = {}


def compares(row: str) -> Callable[[Callable[..., list[Pair]]], Callable[..., list[Pair]]]:
    """Register the decorated function as the one that makes the pairs of a row, from all recorded
    calls of the row.

    It replaces the comparison with right code, for rows whose calls right code cannot repeat one by
    one.
    """

    def register(read: Callable[..., list[Pair]]) -> Callable[..., list[Pair]]:
        _comparisons[row] = read
        return read

    return register


def observations(pairs: Sequence[Pair], seen: Sequence[Seen]) -> list[Told]:
    """Return the observations on a function's wrong answers, the best first: each as the `Mistake`
    of its sentence, and a function that returns whether it holds in an example, None if that is
    unknown.
    """
    known = {*_calls_of(pairs), *(each for each in seen if each.failed is not None)}

    def holds(those: Set[Seen], calls: Sequence[Seen]) -> bool | None:
        return calls[-1] in those if calls[-1] in known else None

    return [
        (Mistake(f"observation.{id}", _written(facts)), partial(holds, those))
        for id, facts, those in observe(pairs, seen)
    ]


def _calls_of(pairs: Iterable[Pair]) -> frozenset[Seen]:
    return frozenset(pair.seen for pair in pairs if pair.seen is not None)


def _written(facts: Facts) -> dict[str, Any]:
    """Return the facts with floats written as text for a sentence."""
    return plain(
        {name: show(fact) if isinstance(fact, float) else fact for name, fact in facts.items()}
    )


def observe(pairs: Sequence[Pair], seen: Sequence[Seen]) -> list[Observed]:
    """Return the observations on a function's wrong answers: what is wrong, how, and in which
    calls.

    `pairs`: the parts of the recorded answers, obtained and expected.
    `seen`: all recorded calls, those that raised an error included.
    Returned `observations`: the best first; each is an id, its facts and the calls in which it
        holds.
    """
    errors = sum(_raises(each) for each in seen)
    total = sum(each.right is not None and not each.agrees for each in seen)
    found: list[Observed] = []
    for part in dict.fromkeys(pair.part for pair in pairs):
        own = [pair for pair in pairs if pair.part == part]
        told = [facts.get("part") for id, facts, _ in found if not id.startswith("place.")]
        if not part.endswith(FIRST_OF) or [part.removesuffix(FIRST_OF)] not in told:
            found += _of_part(own, errors, total)
    found = _joined(found)
    places = [each for each in found if each[0].startswith("place.")]
    weak = [each for each in found if each[0] in WEAK]
    values = [each for each in found if each not in places and each not in weak]
    return [*values, *places, *_of_calls(seen), *weak]


def _joined(found: Iterable[Observed]) -> list[Observed]:
    """Merge observations that differ only in the part of the answer that they are about into one
    that names all these parts.
    """
    joined: dict[str, Observed] = {}
    for id, facts, calls in found:
        words = repr((id, {**facts, "part": None}))
        if words in joined and "part" in facts:
            _, others, of_others = joined[words]
            facts, calls = {**facts, "part": others["part"] + facts["part"]}, calls | of_others
        joined[words] = id, facts, calls
    return [*joined.values()]


def _raises(seen: Seen) -> bool:
    """Return whether a call raised an error although right code would not."""
    is_right = seen.right is not None and seen.right.error is None
    return is_right and seen.answer.error is not None


def _of_part(pairs: Sequence[Pair], errors: int, total: int) -> Iterator[Observed]:
    """Yield the observations on one part of the answers.

    `pairs`: this part in each call.
    `errors`: the number of calls that raised an error, so that they have no pair.
    `total`: the number of calls with a wrong answer, in this part or in others.
    """
    part = {} if pairs[0].part == ALL else {"part": [pairs[0].part]}
    everywhere_compared = [(pair, _Compared.of(pair)) for pair in pairs]
    where_wrong = [(pair, each) for pair, each in everywhere_compared if not pair.agrees]
    wrong = [pair for pair, _ in where_wrong]
    compared = [each for _, each in where_wrong if each is not None]
    others = [pair for pair, each in where_wrong if each is None or pair.drawn]
    everything = [each for _, each in everywhere_compared if each is not None]

    def scope(those: Sequence[Any], everywhere: bool) -> Facts:
        if len(those) < len(wrong) + errors:
            return {
                "scope": "some",
                "these": len(those),
                "wrong": max(total, len(wrong) + errors),
            }
        return {} if everywhere else {"scope": "wrong"}

    nans = [pair for pair in wrong if _has_nan(pair.got) and not _has_nan(pair.want)]
    if nans:
        yield "nan", {**part, **scope(nans, False)}, _calls_of(nans)
        return
    for id, facts in _form_of(others) if len(others) >= ENOUGH else ():
        everywhere = not part or len(others) == len(pairs)
        yield id, {**facts, **part, **scope(others, everywhere)}, _calls_of(others)
    if pairs[0].drawn:
        return
    those = _calls_of(each.pair for each in compared)
    for id, facts, holds in _relations(compared):
        everywhere = id not in OF_WRONG and len(everything) == len(pairs)
        everywhere = everywhere and all(map(holds, everything))
        yield id, {**facts, **part, **scope(compared, everywhere)}, those
        break
    if len(compared) == len(wrong) >= ENOUGH:
        yield from ((f"place.{id}", part, those) for id in _places_of(compared))


def _has_nan(value: Any) -> bool:
    """Return whether a value, read as an array, contains NaN."""
    array = numbers(value)
    return array is not None and array.dtype.kind == "f" and bool(np.isnan(array).any())


# --- values of the expected form ------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Compared:
    """An expected and an obtained array of one shape, and the mask of the elements that differ."""

    want: Array
    got: Array
    wrong: Array
    pair: Pair

    @classmethod
    def of(cls, pair: Pair) -> _Compared | None:
        """Return the arrays of a pair; None if one value is not an array of numbers, if their
        shapes differ, or if only one of them is of bools.
        """
        want, got = numbers(pair.want), numbers(pair.got)
        if want is None or got is None or want.shape != got.shape:
            return None
        if (want.dtype == bool) != (got.dtype == bool):
            return None
        want, got = np.atleast_1d(want), np.atleast_1d(got)
        return cls(want, got, ~_close(want, got), pair)

    @property
    def is_bool(self) -> bool:
        return self.got.dtype == bool


def _close(one: Any, other: Any) -> Array:
    with np.errstate(all="ignore"):
        first, second = np.asarray(one, dtype=float), np.asarray(other, dtype=float)
        return np.isclose(first, second, rtol=TOLERANCE, atol=TOLERANCE, equal_nan=True)


@dataclass(frozen=True)
class Computed:
    """A relation by which the wrong elements follow from the expected array and the call: "times"
    says that each is the expected one times a factor.

    `of` : takes the expected array, a parameter and the pair; returns the array that follows
    `parameters` : takes the first wrong call; returns the parameters to try, simplest first
    `name` : the name of the parameter in the facts of the sentence
    `looks_for` : whether the parameter was searched for, so that more elements have to agree
    `varies` : whether it shows only if the obtained numbers are not all the same
    """

    of: Callable[[Array, Any, Pair], Any]
    parameters: Callable[[_Compared], Iterable[Any]] = lambda _: (None,)
    name: str = ""
    looks_for: bool = False
    varies: bool = True

    def holds(self, parameter: Any, compared: _Compared) -> bool:
        """Return whether the relation, with this parameter, gives the obtained number for every
        wrong element.
        """
        with np.errstate(all="ignore"), suppress(ValueError, ZeroDivisionError, IndexError):
            made = np.broadcast_to(
                self.of(compared.want.astype(float), parameter, compared.pair), compared.got.shape
            )
            return bool(_close(made, compared.got)[compared.wrong].all())
        return False


def _size(pair: Pair) -> int:
    """Return the length of the first array among the arguments, or 0."""
    lengths = (len(each) for each in pair.given if isinstance(each, np.ndarray) and each.ndim)
    return next(lengths, 0)


SIZES: Mapping[str, Callable[[int], float]] = {
    "N": lambda n: n,
    "1/N": lambda n: 1 / n,
    "N − 1": lambda n: n - 1,
    "1/(N − 1)": lambda n: 1 / (n - 1),
    "N/(N − 1)": lambda n: n / (n - 1),
    "(N − 1)/N": lambda n: (n - 1) / n,
    "√N": lambda n: math.sqrt(n),
    "1/√N": lambda n: 1 / math.sqrt(n),
    "√(N/(N − 1))": lambda n: math.sqrt(n / (n - 1)),
    "√((N − 1)/N)": lambda n: math.sqrt((n - 1) / n),
}
FUNCTIONS: Mapping[str, Callable[[Array], Array]] = {
    "square": np.square,
    "root": np.sqrt,
    "absolute": np.abs,
    "logarithm": np.log,
    "exponential": np.exp,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
}
FIGURES: Mapping[str, Callable[..., Any]] = {
    "mean": np.mean,
    "median": np.median,
    "min": np.min,
    "max": np.max,
    "sum": np.sum,
    "deviation_N": np.std,
    "deviation_N_1": lambda x, axis: np.std(x, axis=axis, ddof=1),
    "variance": np.var,
    "range": np.ptp,
    "mean_absolute": lambda x, axis: np.mean(np.abs(x), axis=axis),
    "max_absolute": lambda x, axis: np.max(np.abs(x), axis=axis),
}


def _ratio(compared: _Compared) -> list[float]:
    want, got = compared.want[compared.wrong], compared.got[compared.wrong]
    ratios = got[want != 0] / want[want != 0]
    return [float(ratios[0])] if ratios.size and np.isfinite(ratios[0]) and ratios[0] else []


def _difference(compared: _Compared) -> list[float]:
    difference = (compared.got.astype(float) - compared.want)[compared.wrong][0]
    return [float(difference)] if np.isfinite(difference) else []


def _first_value(compared: _Compared) -> list[float]:
    value = float(compared.got[compared.wrong][0])
    return [value] if np.isfinite(value) else []


def _arguments(compared: _Compared) -> list[int]:
    """Return the positions, from 1, of the arguments that have the shape of the result."""
    return [
        place
        for place, each in enumerate(compared.pair.given, 1)
        if (one := numbers(each)) is not None and one.shape == compared.got.shape
    ]


def _figures(compared: _Compared) -> Iterator[tuple[str, str, int]]:
    for place, each in enumerate(compared.pair.given, 1):
        if isinstance(each, np.ndarray) and each.dtype.kind in "biuf" and each.size > 1:
            yield from itertools.product(("columns", "all"), FIGURES, (place,))


def _figure(_: Array, parameter: tuple[str, str, int], pair: Pair) -> Any:
    by, figure, place = parameter
    argument = np.asarray(pair.given[place - 1], dtype=float)
    return FIGURES[figure](argument, axis=0 if by == "columns" else None)


def _other_parts(compared: _Compared) -> Iterator[tuple[str, ...]]:
    """Yield the names of the other parts of the answer that are single numbers: each alone, then in
    pairs. Yield none if the part itself is not a single number.
    """
    others = [
        name
        for name, value in compared.pair.parts.items()
        if name != compared.pair.part and np.isscalar(value) and compared.got.size == 1
    ]
    yield from ((name,) for name in others)
    yield from itertools.combinations(others, 2)


def _other(_: Array, parameter: tuple[str, ...], pair: Pair) -> Any:
    return np.mean([float(pair.parts[name]) for name in parameter])


VALUES: Mapping[str, Computed] = {
    "infinite": Computed(lambda want, p, _: p, lambda _: (np.inf, -np.inf), varies=False),
    "as_it_came": Computed(lambda _, p, pair: pair.given[p - 1], _arguments, "position"),
    "rounded": Computed(lambda want, p, _: np.round(want, p), lambda _: range(5), "digits", True),
    "always": Computed(lambda _, p, __: p, _first_value, "value", varies=False),
    "without_decimals": Computed(lambda want, _, __: np.trunc(want)),
    "complement": Computed(lambda want, _, __: 1 - want),
    "opposite": Computed(lambda want, _, __: -want),
    "times": Computed(lambda want, p, _: p * want, _ratio, "factor", True),
    "times_size": Computed(
        lambda want, p, pair: SIZES[p](_size(pair)) * want, lambda _: SIZES, "factor", True
    ),
    "applied": Computed(
        lambda want, p, _: FUNCTIONS[p](want), lambda _: FUNCTIONS, "applied", True
    ),
    "more": Computed(lambda want, p, _: want + p, _difference, "amount", True),
    "other_part": Computed(_other, _other_parts, "others", True),
    "of_argument": Computed(_figure, _figures, "figure", True),
}


def _relations(
    wrong: Sequence[_Compared],
) -> Iterator[tuple[str, Facts, Callable[[_Compared], bool]]]:
    """Yield the relations that hold in all wrong calls, simplest first: each as an id, its facts,
    and a function that returns whether it holds in all elements of a given call.
    """
    tells = [each for each in wrong if each.got.size]
    if len(tells) < ENOUGH:
        return
    wanted = {float(number) for each in tells for number in each.want[each.wrong].ravel()}
    obtained = {float(number) for each in tells for number in each.got[each.wrong].ravel()}
    has_bools = any(each.is_bool for each in tells)
    for id, relation in () if has_bools else VALUES.items():
        enough = OF_A_SEARCH if relation.looks_for else ENOUGH
        if len(wanted) < enough or (relation.varies and len(obtained) < enough):
            continue
        for parameter in relation.parameters(tells[0]):
            if all(relation.holds(parameter, each) for each in tells):
                facts = _named(relation.name, parameter)

                def holds(each: _Compared, way: Any = relation, value: Any = parameter) -> bool:
                    return way.holds(value, _everywhere(each))

                yield id, facts, holds
                break
    names = [id for id, shows in WHOLES.items() if _all_show(shows, tells)]
    yield from ((id, {}, lambda each, id=id: WHOLES[id](each) is not False) for id in names)


def _named(name: str, parameter: Any) -> Facts:
    """Return the parameter of a relation as facts of its sentence."""
    if name == "figure":
        by, figure, place = parameter
        return {"variant": by, "figure": figure, "position": place}
    if name == "others":
        return {"variant": "one" if len(parameter) == 1 else "mean", "others": list(parameter)}
    if name == "amount":
        return {"variant": "plus" if parameter > 0 else "minus", "amount": abs(parameter)}
    return {name: parameter} if name else {}


def _everywhere(compared: _Compared) -> _Compared:
    return replace(compared, wrong=np.ones(compared.got.shape, dtype=bool))


def _all_show(shows: Callable[[_Compared], bool | None], tells: Sequence[_Compared]) -> bool:
    found = [shows(each) for each in tells]
    return found.count(True) >= ENOUGH and False not in found


# --- whole arrays: True or False, or None of an array that cannot tell ----------------------------


def _lists(array: Array) -> list[Any]:
    return sorted(np.round(array.astype(float), 5).tolist())


def _are_all(value: bool, each: _Compared) -> bool:
    return each.is_bool and bool((each.got == value).all())


def _is_inverse(each: _Compared) -> bool:
    return each.is_bool and bool((each.got != each.want).all())


def _is_transposed(each: _Compared) -> bool | None:
    if each.want.ndim != 2 or each.want.shape[0] != each.want.shape[1]:
        return False
    return bool(_close(each.want.T, each.got).all())


def _is_reversed(each: _Compared) -> bool:
    return len(each.want) > ENOUGH and bool(_close(each.want[::-1], each.got).all())


def _has_moved(axis: int, each: _Compared) -> bool | None:
    """Return whether the obtained rows (axis 0) or columns (axis 1) are the expected ones in
    another order; None if the array is right and has too few of them to show it.
    """
    if each.want.ndim != 2:
        return False
    if each.want.shape[axis] < ENOUGH:
        return None if each.pair.agrees else False
    return _lists(each.want.swapaxes(0, axis)) == _lists(each.got.swapaxes(0, axis))


def _has_elements(each: _Compared) -> bool:
    return each.want.size > ENOUGH and _lists(each.want.ravel()) == _lists(each.got.ravel())


def _by_columns(shift: bool, each: _Compared) -> bool | None:
    """Return whether each column is the expected one plus an amount (`shift`) or times a factor
    (without it); None if no column has enough different values to show it.
    """
    if each.want.ndim != 2 or each.is_bool:
        return False
    told = False
    for want, got in zip(each.want.T.astype(float), each.got.T.astype(float), strict=True):
        with np.errstate(all="ignore"):
            amounts = got - want if shift else got[want != 0] / want[want != 0]
        finite = bool(amounts.size) and bool(np.isfinite(amounts).all())
        if not finite or not _close(amounts, amounts[0]).all():
            return False
        told |= len({*want.tolist()}) > ENOUGH
    return told or None


def _is_beyond(above: bool, each: _Compared) -> bool | None:
    """Return whether every wrong number is larger than the expected one or, without `above`,
    smaller; None if no number is wrong.
    """
    if each.is_bool or not np.isfinite(each.got).all():
        return False
    larger = (each.got > each.want)[each.wrong]
    return bool((larger == above).all()) if larger.size else None


def _has_more(value: bool, each: _Compared) -> bool:
    """Return whether an array of bools has `value` at least wherever it should have it."""
    return each.is_bool and bool((each.got == value)[each.want == value].all())


WHOLES: Mapping[str, Callable[[_Compared], bool | None]] = {
    "all_false": partial(_are_all, False),
    "all_true": partial(_are_all, True),
    "inverse": _is_inverse,
    "transposed": _is_transposed,
    "reversed": _is_reversed,
    "columns_moved": partial(_has_moved, 1),
    "rows_moved": partial(_has_moved, 0),
    "elements_moved": _has_elements,
    "columns_shifted": partial(_by_columns, True),
    "columns_scaled": partial(_by_columns, False),
    "more_true": partial(_has_more, True),
    "fewer_true": partial(_has_more, False),
    "above": partial(_is_beyond, True),
    "below": partial(_is_beyond, False),
}

# --- places in an array ---------------------------------------------------------------------------


def _index(axis: int, array: Array) -> Array:
    return np.indices(array.shape)[axis]


PLACES: Mapping[str, Callable[[Array], Array]] = {
    "first_row": lambda want: _index(0, want) == 0,
    "other_rows": lambda want: _index(0, want) > 0,
    "last_row": lambda want: _index(0, want) == len(want) - 1,
    "first_column": lambda want: _index(1, want) == 0,
    "other_columns": lambda want: _index(1, want) > 0,
    "last_column": lambda want: _index(1, want) == want.shape[1] - 1,
    "diagonal": lambda want: _index(0, want) == _index(1, want),
    "off_diagonal": lambda want: _index(0, want) != _index(1, want),
    "negative": lambda want: want < 0,
    "above_1": lambda want: want > 1,
}


def _places_of(wrong: Sequence[_Compared]) -> list[str]:
    """Return a list with the id of the first region of `PLACES`, such as "first_row", that contains
    all wrong elements but not the whole of enough arrays; an empty list if there is none.
    """
    for id, place in PLACES.items():
        with suppress(IndexError):  # an array without columns
            if _is_place([place(each.want) for each in wrong], wrong):
                return [id]
    return []


def _is_place(masks: Sequence[Array], wrong: Sequence[_Compared]) -> bool:
    """Return whether all wrong elements lie within the masks and make up at least half of them, and
    enough arrays have elements outside.

    `masks`: the elements that lie in the place, one mask for each array of `wrong`.
    """
    pairs = list(zip(masks, wrong, strict=True))
    inside = all(bool((mask | ~each.wrong).all()) for mask, each in pairs)
    leaves_out = sum(not mask.all() for mask in masks)
    share = sum(each.wrong.sum() for each in wrong) / max(1, sum(mask.sum() for mask in masks))
    return inside and leaves_out >= max(OF_A_SEARCH, len(wrong) / 3) and bool(share >= 1 / 2)


# --- other forms: facts, or None where it is not this ---------------------------------------------


def _is_sequence(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _item(pair: Pair) -> Facts | None:
    """Return facts if several values were returned and one of them is the expected one: how many
    there are, and its position, from 1. Else return None.
    """
    if not _is_sequence(pair.got) or _is_sequence(pair.want) or pair.drawn:
        return None
    places = (at for at, each in enumerate(pair.got, 1) if alike(each, pair.want))
    place = next(places, None)
    return None if place is None else {"count": len(pair.got), "position": place}


def _several(pair: Pair) -> Facts | None:
    if not isinstance(pair.got, tuple) or _is_sequence(pair.want):
        return None
    return {"count": len(pair.got)}


def _groups(pair: Pair) -> Facts | None:
    """Return empty facts if a vector of N elements is expected and the answer is several lists of
    positions, in which each position from 0 to N − 1 occurs once; else None.
    """
    if not _is_sequence(pair.got) or not isinstance(pair.want, np.ndarray):
        return None
    parts = [numbers(each) for each in pair.got]
    if any(part is None or part.ndim != 1 for part in parts):
        return None
    together = sorted(np.concatenate(parts).tolist())  # type: ignore[arg-type]
    return {} if together == [*range(len(pair.want))] else None


def _parts_have(kinds: str, pair: Pair) -> list[tuple[Array, Array]] | None:
    """Return the arrays in an obtained and in the expected value, as pairs of both, without empty
    ones. Return None unless all expected arrays are of integers and all obtained ones of a dtype
    kind in `kinds`.
    """
    several = _is_sequence(pair.got) and _is_sequence(pair.want)
    got, want = (pair.got, pair.want) if several else ([pair.got], [pair.want])
    arrays = [(numbers(one), numbers(other)) for one, other in zip(got, want, strict=False)]
    if len(got) != len(want) or any(one is None or other is None for one, other in arrays):
        return None
    known = [(one, other) for one, other in arrays if one.size]  # type: ignore[union-attr]
    if not known or any(one.dtype.kind not in kinds for one, _ in known):  # type: ignore[union-attr]
        return None
    is_int = all(other.dtype.kind in "iu" for _, other in known)  # type: ignore[union-attr]
    return known if is_int else None  # type: ignore[return-value]


def _masks(pair: Pair) -> Facts | None:
    return None if _parts_have("b", pair) is None else {}


def _floats(pair: Pair) -> Facts | None:
    parts = _parts_have("f", pair)
    if parts is None or any((one != np.trunc(one)).any() for one, _ in parts):
        return None
    return {}


def _repeated(pair: Pair) -> Facts | None:
    """Return empty facts if an integer occurs twice in the obtained value, and none does in the
    expected one; else None.
    """
    parts = _parts_have("iu", pair)
    if parts is None:
        return None
    got, want = (np.concatenate([*map(np.ravel, each)]) for each in zip(*parts, strict=True))
    is_so = len(np.unique(got)) < len(got) and len(np.unique(want)) == len(want)
    return {} if is_so else None


def _shape_only(want: Array, got: Array) -> Facts | None:
    """Return empty facts if an array has the expected numbers, in order, in another shape; else
    None.
    """
    if want.shape == got.shape:
        return None
    same_kind = (want.dtype == bool) == (got.dtype == bool)
    return {} if same_kind and alike(want.ravel(), got.ravel()) else None


def _kind_only(want: Array, got: Array) -> Facts | None:
    if want.shape != got.shape:
        return None
    is_same = (want.dtype == bool) != (got.dtype == bool) and bool(_close(want, got).all())
    return {"variant": "bool" if want.dtype == bool else "number"} if is_same else None


def _transposed_form(want: Array, got: Array) -> Facts | None:
    if want.ndim != 2:
        return None
    return {} if alike(want.T, got) else None


def _one_end(want: Array, got: Array) -> Facts | None:
    """Return facts if an array has one row or column too many or too few at one end: which, and at
    which end. Else return None.
    """
    if want.ndim != got.ndim:
        return None
    for axis, place in itertools.product(range(want.ndim), ("first", "last")):
        at = 0 if place == "first" else -1
        line = "row" if axis == 0 else "column"
        for longer, shorter, what in ((want, got, "missing"), (got, want, "extra")):
            is_one = longer.shape[axis] == shorter.shape[axis] + 1
            if is_one and alike(np.delete(longer, at, axis), shorter):
                return {"variant": f"{what}_{place}_{line}"}
    return None


def _count(axis: int, want: Array, got: Array) -> Facts | None:
    if want.ndim != got.ndim or want.ndim <= axis:
        return None
    amount = got.shape[axis] - want.shape[axis]
    if not amount:
        return None
    line = "rows" if axis == 0 else "columns"
    return {"variant": f"{'more' if amount > 0 else 'fewer'}_{line}", "count": abs(amount)}


def _length(want: Array, got: Array) -> Facts | None:
    """Return facts if a vector is longer or shorter than the expected one and agrees with it as far
    as both go; else None.
    """
    if not want.ndim == got.ndim == 1:
        return None
    both = min(len(want), len(got))
    if not both or not _close(want[:both], got[:both]).all():
        return None
    return {"variant": "longer" if len(got) > len(want) else "shorter"}


def _of_arrays(
    facts_of: Callable[[Array, Array], Facts | None],
) -> Callable[[Pair], Facts | None]:
    """Return a function of a `Pair` that calls `facts_of` with its arrays, expected and obtained.
    It returns None if one value is not an array of numbers, or if the answer is drawn.
    """

    def of_pair(pair: Pair) -> Facts | None:
        want, got = numbers(pair.want), numbers(pair.got)
        if want is None or got is None or pair.drawn:
            return None
        return facts_of(want, got)

    return of_pair


FORMS: Mapping[str, Callable[[Pair], Facts | None]] = {
    "groups": _groups,
    "item": _item,
    "several": _several,
    "masks": _masks,
    "floats": _floats,
    "repeated": _repeated,
    "turned": _of_arrays(_transposed_form),
    "shape": _of_arrays(_shape_only),
    "kind": _of_arrays(_kind_only),
    "end": _of_arrays(_one_end),
    "columns": _of_arrays(partial(_count, 1)),
    "rows": _of_arrays(partial(_count, 0)),
    "length": _of_arrays(_length),
}


def _form_of(wrong: Sequence[Pair]) -> Iterator[tuple[str, Facts]]:
    """Yield the id and the facts of the first entry of `FORMS` that all wrong values have with the
    same facts; yield nothing if there is none.
    """
    for id, facts_of in FORMS.items():
        with suppress(ValueError, TypeError, OverflowError):  # rows of different lengths
            found = [facts_of(pair) for pair in wrong]
            if None not in found and all(each == found[0] for each in found):
                yield f"form.{id}", found[0] or {}
                return


# --- calls ----------------------------------------------------------------------------------------


def _features(seen: Seen) -> Iterator[tuple[str, Hashable]]:
    """Yield the features of a call, each as an id and the argument that has it: ("matrix", 1) says
    that the first argument is a matrix.
    """
    for place, value in [*enumerate(seen.args, 1), *seen.kwargs.items()]:
        if place in seen.kwargs:
            yield "named", place
        if not isinstance(value, np.ndarray):
            continue
        yield ("vector" if value.ndim == 1 else "matrix"), place
        if value.ndim == 2:
            yield ("one_column" if value.shape[1] == 1 else "several_columns"), place
        kind = {"b": "bools", "U": "texts", "O": "mixed", "f": "reals"}.get(value.dtype.kind)
        if kind is not None:
            yield kind, place
        if kind != "bools":
            yield "no_bools", place
        yield ("one_row" if len(value) == 1 else "several_rows"), place
        if value.ndim == 2 and value.dtype.kind in "biuf" and len(value):
            constant = bool((value == value[0]).all(axis=0).any())
            yield ("constant_column" if constant else "varied_columns"), place
    yield "arguments", len(seen.given)


def _is_comparable(id: str, call: Set[tuple[str, Hashable]]) -> bool:
    """Return whether a call could have the feature `id` at all: a call with bools cannot have
    strings as labels.

    `call`: the features that it has.
    """
    return id not in OF_LABELS or all(other != "bools" for other, _ in call)


def _of_calls(seen: Sequence[Seen]) -> list[Observed]:
    """Return the observation on which calls are wrong, in a list that is empty if there is none: a
    feature that all wrong calls have, and as few right ones as possible.

    If the right answer is unknown, a call with which a check failed counts as wrong.
    """
    known = [each for each in seen if each.right is not None]
    wrong = [each for each in known if not each.agrees]
    right = [{*_features(each)} for each in known if each.agrees]
    if len(wrong) < OF_A_SEARCH or len(right) < OF_A_SEARCH:
        return []
    failed = [each for each in seen if each.right is None and each.failed is not None]
    of_all = [{*_features(each)} for each in [*wrong, *failed]]
    told: dict[tuple[str, Hashable], int] = {}
    for feature in dict.fromkeys(each for call in known for each in _features(call)):
        comparable = [call for call in right if _is_comparable(feature[0], call)]
        others = sum(feature not in call for call in comparable)
        calls = len(wrong) + len(comparable)
        chance = math.comb(calls - others, len(wrong)) / math.comb(calls, len(wrong))
        is_enough = chance < CHANCE and others >= max(OF_A_SEARCH, len(comparable) / 3)
        if is_enough and all(feature in call for call in of_all):
            told[feature] = others
    if not told:
        return []
    id, place = min(told, key=lambda feature: sum(feature in call for call in right))
    name = {"arguments": "number", "named": "name"}.get(id, "place")
    facts = {"variant": id, name: place, "count": len(wrong), "others": told[id, place]}
    return [("calls", facts, frozenset([*wrong, *failed]))]
