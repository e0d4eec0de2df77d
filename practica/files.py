"""Files that are written whole or not at all, and folders that are removed with any contents."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, BinaryIO, TextIO, cast

HINTS = {
    errno.EACCES: "permission denied, or it is open in another program",
    errno.EPERM: "permission denied, or it is open in another program",
    errno.EBUSY: "it is open in another program",
    errno.EISDIR: "it is a folder",
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EFBIG: "it is larger than this disk, or a limit on files, allows",
    errno.EROFS: "the disk is read-only",
}
# what writing ends with; such an error names no file
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def opened(
    path: str | Path | None, *, data: Path | Iterable[Path], private: bool = False
) -> Iterator[TextIO | None]:
    """Open a file that takes the place of `path` when the block ends well, and otherwise leaves no
    trace.

    Opening it before a long computation shows at once that the result can be kept. Without a path
    there is no file; `data` are the files that hold the data. A file that is there keeps its mode;
    a new `private` one is its owner's alone.

    Raises `ValueError` if the file cannot be created there or written to its end, or would
    overwrite the data.
    """
    if path is None:
        yield None
        return
    with _replacing(Path(path), data, "w", private=private) as file:
        yield cast("TextIO", file)


@contextmanager
def opened_bytes(
    path: str | Path, *, data: Path | Iterable[Path] = (), private: bool = False
) -> Iterator[BinaryIO]:
    """Open a file for bytes, as `opened` does for text."""
    with _replacing(Path(path), data, "wb", private=private) as file:
        yield cast("BinaryIO", file)


def write_bytes(
    path: str | Path, content: bytes, *, data: Path | Iterable[Path] = (), private: bool = False
) -> None:
    """Replace a file with `content`, or leave it as it was if that fails; see `opened`.

    `data`: the files with the user's data, which are never overwritten.
    `private`: whether a new file is its owner's alone; an existing one keeps its mode.

    Raises `ValueError` if `path` is one of `data` or cannot be written.
    """
    with opened_bytes(path, data=data, private=private) as file:
        file.write(content)


def private_folder(folder: Path) -> None:
    """Create a folder, with its parents, that only its owner may open.

    An existing folder stays as it is.
    """
    for each in reversed(folder.parents):
        if not os.path.lexists(each):
            each.mkdir(mode=0o700, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)


def remove_tree(folder: str | Path) -> None:
    """Remove a folder with untrusted contents: also one that is very deep, or that the user may not
    read.

    `shutil` ends in a RecursionError on the first before Python 3.13, and leaves the second; the
    system's own programs take both.
    """
    try:
        shutil.rmtree(folder)
    except FileNotFoundError:
        return
    except (OSError, RecursionError):
        for command in (["chmod", "-R", "u+rwX"], ["rm", "-rf"]):
            with suppress(OSError):  # Windows has no such programs, and no boxes
                subprocess.run(
                    [*command, "--", os.fspath(folder)], stderr=subprocess.DEVNULL, check=False
                )


def refuse_data(path: Path, data: Path | Iterable[Path]) -> None:
    """Raise `ValueError` if a path to write to is one of `data`, the user's own files."""
    files = [data] if isinstance(data, str | Path) else data
    if os.path.realpath(path) in map(os.path.realpath, files):
        raise ValueError(f"{path} is the file with the data: the record needs another name")


@contextmanager
def _replacing(
    path: Path, data: Path | Iterable[Path], mode: str, *, private: bool
) -> Iterator[IO[str] | IO[bytes]]:
    refuse_data(path, data)
    final = Path(os.path.realpath(path))
    # /dev/stdout is written, never replaced
    is_device = os.path.exists(path) and not os.path.isfile(path)
    partial = None
    try:
        place: int | Path = path
        if not is_device:
            place, partial = tempfile.mkstemp(
                ".partial", f".{final.name}.{os.getpid()}.", final.parent
            )
        file = open(place, mode, encoding=None if "b" in mode else "utf-8")  # noqa: SIM115 - closed below, in a block
    except OSError as error:
        raise _refusal(path, error) from None
    try:
        with file:
            if partial is not None and (rights := _rights(final, private=private)) is not None:
                os.chmod(partial, rights)
            yield file
        if partial is not None:
            os.replace(partial, final)
    except OSError as error:
        if error.filename == partial or (error.filename is None and error.errno in FULL):
            raise _refusal(path, error) from None
        raise  # something else in the block has failed
    finally:
        if partial is not None:
            Path(partial).unlink(missing_ok=True)


def _rights(path: Path, *, private: bool) -> int | None:
    """Return the mode for a written file: that of the existing one, or the user's default; None for
    a new private file.
    """
    with suppress(OSError):
        return stat.S_IMODE(path.stat().st_mode)
    if private:
        return None
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o666 & ~mask


def _refusal(path: Path, error: OSError) -> ValueError:
    return ValueError(
        f"{path} cannot be written: {HINTS.get(error.errno or 0, error.strerror or error)}"
    )
