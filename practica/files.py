"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

__all__ = ["opened"]


@contextmanager
def opened(path: str | Path | None, *, data: Path | Iterable[Path]) -> Iterator[TextIO | None]:
    """Open a file that takes the place of `path` when the block ends well, and otherwise leaves no trace.

    Opening it before a long computation shows at once that the result can be kept.

    Parameters
    ----------
    path : path, optional
        None for no file.
    data : path or paths
        The files that hold the data, which must not be overwritten.

    Raises
    ------
    ValueError
        If the file cannot be created there, or would overwrite the data.
    """
    if path is None:
        yield None
        return
    final = Path(os.path.realpath(path))
    if any(final == Path(os.path.realpath(file)) for file in ([data] if isinstance(data, str | Path) else data)):
        raise ValueError(f"{path} is the file with the data: the record needs another name")
    partial = final.with_name(f".{final.name}.{os.getpid()}.partial")
    is_device = os.path.exists(path) and not os.path.isfile(path)  # /dev/stdout is written, never replaced
    try:
        file = open(path if is_device else partial, "w", encoding="utf-8")  # noqa: SIM115 - closed below, in a block
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {error.strerror}") from None
    try:
        with file:
            yield file
        if not is_device:
            os.replace(partial, final)
    finally:
        if not is_device:
            partial.unlink(missing_ok=True)
