"""Which submissions resemble each other: something to look at, never a verdict."""

from __future__ import annotations

import heapq
import io
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Pair", "require_copydetect", "similar_pairs"]

LEAST, MOST = 0.8, 100  # share of a pair that is told, and how many pairs are
LENGTH, WINDOW = 25, 6  # tokens of a fingerprint, and one of how many is kept: as copydetect does


class Pair(NamedTuple):
    """Two submissions, and the larger of the fractions in [0, 1] of their code that is in the other one as well."""

    first: str
    second: str
    share: float


def require_copydetect() -> None:
    """Refuse, before anything is marked, where the library is missing.

    Raises
    ------
    ValueError
        With what to install.
    """
    try:
        import copydetect  # noqa: F401
    except ImportError:
        raise ValueError("--similarity needs copydetect: pip install 'practica[similarity]'") from None


def similar_pairs(sources: Mapping[str, bytes], template: bytes = b"") -> list[Pair]:
    """Compare all submissions with each other, without names, comments and layout, and without the template's code.

    Parameters
    ----------
    sources : dict of bytes
        The file of each submission, by its id.
    template : bytes
        What all were given.

    Returns
    -------
    pairs : list of Pair
        The most alike first, 100 at most, with a share of 0.8 or more.

    References
    ----------
    S. Schleimer, D. S. Wilkerson and A. Aiken, "Winnowing: local algorithms for document fingerprinting", 2003.
    """
    require_copydetect()
    from copydetect import CodeFingerprint

    given = CodeFingerprint("template.py", LENGTH, 1, fp=io.StringIO(_text(template))).hashes
    numbers: dict[int, int] = {}  # of all fingerprints of the class
    prints = {}
    for name, source in sorted(sources.items()):
        found = CodeFingerprint("class.py", LENGTH, WINDOW, sorted(given), fp=io.StringIO(_text(source)))
        places = sorted((place, mark) for mark, places in found.hash_idx.items() for place in places)
        kinds = [numbers.setdefault(mark, len(numbers)) for _, mark in places]
        prints[name] = _Prints(np.array([place for place, _ in places], int), np.array(kinds, int))
    return heapq.nsmallest(MOST, _pairs(prints, len(numbers)), key=lambda pair: (-pair.share, pair.first, pair.second))


class _Prints(NamedTuple):
    """Where a file has fingerprints, in the order of its code, and which."""

    places: npt.NDArray[np.int_]
    kinds: npt.NDArray[np.int_]


def _pairs(prints: Mapping[str, _Prints], count: int) -> Iterator[Pair]:
    """Compare everybody with everybody, which copydetect itself does some hundred times more slowly."""
    whole = {name: _covered(each.places) for name, each in prints.items()}
    known = np.zeros(count, bool)
    shares: dict[tuple[str, str], float] = {}
    for name, each in prints.items():
        known[:] = False
        known[each.kinds] = True
        for other, its in prints.items():
            if other != name and (common := _covered(its.places[known[its.kinds]])) >= LEAST * whole[other] > 0:
                pair = (min(name, other), max(name, other))
                shares[pair] = max(shares.get(pair, 0.0), common / whole[other])
    return (Pair(*pair, share) for pair, share in shares.items())


def _covered(places: npt.NDArray[np.int_]) -> int:
    """Count the tokens of code that are in a fingerprint that begins at one of these places."""
    return int(np.minimum(np.diff(places), LENGTH).sum()) + LENGTH if len(places) else 0


def _text(source: bytes) -> str:
    try:
        return source.decode("utf-8-sig")
    except UnicodeDecodeError:
        return source.decode("latin-1")
