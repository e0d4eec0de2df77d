"""Which submissions resemble each other: something to look at, never a verdict."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

__all__ = ["Pair", "require_copydetect", "similar_pairs"]

LEAST, MOST = 0.8, 100  # share of a pair that is told, and how many pairs are


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
    from copydetect import CopyDetector

    if len(sources) < 2:
        return []
    with tempfile.TemporaryDirectory(prefix="practica-similarity-") as folder:
        class_folder, template_folder = Path(folder, "class"), Path(folder, "template")
        class_folder.mkdir()
        template_folder.mkdir()
        names = {}
        for number, (identifier, source) in enumerate(sorted(sources.items())):
            path = class_folder / f"{number}.py"
            path.write_text(_text(source), encoding="utf-8")
            names[str(path)] = identifier
        (template_folder / "template.py").write_bytes(template)
        detector = CopyDetector(
            test_dirs=[str(class_folder)],
            boilerplate_dirs=[str(template_folder)],
            extensions=["py"],
            display_t=1.0,
            silent=True,
            autoopen=False,
        )
        detector.run()
        files = [names[str(path)] for path in detector.test_files]
        shares = np.nan_to_num(np.asarray(detector.similarity_matrix, dtype=float)).clip(0).max(axis=2)
    rows, columns = np.nonzero(np.triu(np.maximum(shares, shares.T) >= LEAST, k=1))
    found = [
        Pair(min(files[i], files[j]), max(files[i], files[j]), float(max(shares[i, j], shares[j, i])))
        for i, j in zip(rows, columns, strict=True)
    ]
    return sorted(found, key=lambda pair: (-pair.share, pair.first, pair.second))[:MOST]


def _text(source: bytes) -> str:
    try:
        return source.decode("utf-8-sig")
    except UnicodeDecodeError:
        return source.decode("latin-1")
