"""Which submissions resemble each other: something to look at, never a verdict."""

from __future__ import annotations

import heapq
import logging
from collections.abc import Hashable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from practica.grading.classroom.grader_limits import MOST_MEMORY, MOST_SECONDS, TooMuchError, within
from practica.grading.engine.rules import MAX_BYTES
from practica.grading.inside.loading import decode
from practica.grading.inside.plain_data import Integers

LEAST, MOST = 0.8, 100  # share of a pair that is reported, and how many pairs are
LENGTH, WINDOW = 25, 6  # tokens of a fingerprint, and one of how many is kept: as copydetect does
# odd; arithmetic modulo 2^64 mixes the letters of a fingerprint
BASE = np.uint64(0x9E3779B97F4A7C15)

_log = logging.getLogger(__name__)


class SimilarPair(NamedTuple):
    """Two submissions, and the larger of the fractions in [0, 1] of their code that is in the other
    one as well.
    """

    first: str
    second: str
    share: float


def require_copydetect() -> None:
    """Raise `ValueError` with what to install if the library that compares files is missing."""
    try:
        import copydetect  # noqa: F401
    except ImportError:
        raise ValueError(
            "--similarity needs copydetect: pip install 'practica[similarity]'"
        ) from None


class Similar(NamedTuple):
    """The result of comparing the submissions of a class."""

    pairs: list[SimilarPair]  # the most alike first, 100 at most
    found: int  # how many there are
    left_out: list[str]  # the ids of the files that cannot be compared


def similar_pairs(
    sources: Mapping[str, bytes],
    template: bytes = b"",
    owners: Mapping[str, Hashable] = MappingProxyType({}),
) -> Similar:
    """Return the pairs of submissions that resemble each other, apart from names, comments, layout
    and the template's code.

    `sources`: the file of each submission, by its id.
    `template`: what all were given.
    `owners`: by the id of a submission, its team or student; those of one owner are not compared,
        and one that is not here is its own owner.
    Returned `similar`: pairs with a share of 0.8 or more. Of a file that is longer than any that is
        marked the beginning is compared; one that cannot be compared is left out, as the log says.

    S. Schleimer, D. S. Wilkerson and A. Aiken, "Winnowing: local algorithms for document
    fingerprinting", 2003.
    """
    require_copydetect()
    given = fingerprints(template, 1).kinds
    numbers: dict[int, int] = {}  # a number for each fingerprint of the class
    prints: dict[str, Fingerprints] = {}
    left_out = []
    for name, source in sorted(sources.items()):
        try:
            with within(MOST_SECONDS, MOST_MEMORY):
                places, kinds = fingerprints(source[:MAX_BYTES], WINDOW)
        # whatever this one does to the library, the others are compared
        except (Exception, TooMuchError):
            _log.exception("%s could not be compared with the others", name)
            left_out.append(name)
            continue
        own = ~np.isin(kinds, given)
        numbered = [numbers.setdefault(kind, len(numbers)) for kind in kinds[own].tolist()]
        prints[name] = Fingerprints(places[own], np.array(numbered, np.int64))
    pairs = [
        pair
        for pair in _pairs(prints, len(numbers))
        if owners.get(pair.first, pair.first) != owners.get(pair.second, pair.second)
    ]
    listed = heapq.nsmallest(MOST, pairs, key=lambda pair: (-pair.share, pair.first, pair.second))
    return Similar(listed, len(pairs), left_out)


class Fingerprints(NamedTuple):
    """The fingerprints of a file: their positions in its code, in order, and their values."""

    places: Integers
    kinds: Integers


def fingerprints(source: bytes, window: int) -> Fingerprints:
    """Return the fingerprints of a file as copydetect takes them, but with hashes that are the same
    in every process, as Python's are not.

    `window`: one of so many neighbours is kept; 1 keeps all.
    """
    from copydetect.utils import filter_code, winnow

    code, _ = filter_code(decode(source)[0], "class.py")
    letters = np.frombuffer(code.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    if len(letters) < LENGTH:
        return Fingerprints(np.array([], np.int64), np.array([], np.int64))
    powers = np.cumprod(np.full(LENGTH, BASE, np.uint64))
    hashes = (np.lib.stride_tricks.sliding_window_view(letters, LENGTH) @ powers) * BASE
    kinds, places = winnow(hashes.view(np.int64), window, remove_duplicates=False)
    return Fingerprints(places.astype(np.int64), kinds)


def _pairs(prints: Mapping[str, Fingerprints], count: int) -> list[SimilarPair]:
    """Return the pairs of files with at least `LEAST` of the code of one in the other.

    `count`: how many different fingerprints there are; they are numbered from 0. copydetect takes
        some hundred times as long.
    """
    whole = {name: covered(each.places) for name, each in prints.items()}
    known = np.zeros(count, bool)
    shares: dict[tuple[str, str], float] = {}
    for name, each in prints.items():
        known[:] = False
        known[each.kinds] = True
        for other, its in prints.items():
            if (
                other != name
                and (common := covered(its.places[known[its.kinds]])) >= LEAST * whole[other] > 0
            ):
                pair = (min(name, other), max(name, other))
                shares[pair] = max(shares.get(pair, 0.0), common / whole[other])
    return [SimilarPair(*pair, share) for pair, share in shares.items()]


def covered(places: Integers) -> int:
    """Count the tokens of code within the fingerprints that begin at these positions."""
    return int(np.minimum(np.diff(places), LENGTH).sum()) + LENGTH if len(places) else 0
