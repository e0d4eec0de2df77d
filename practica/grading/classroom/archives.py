"""Folders and zips as lists of members, which are read one at a time; nothing is unpacked.

A member of the class's own folder or zip that is not safe is refused alone. A zip that a student
hands in is refused whole when it is not safe: one that was made to leave its folder, or to fill the
disk, is not an accident.
"""

from __future__ import annotations

import io
import os
import re
import stat
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import IO

from practica.json_data import shortened

JUNK = frozenset(
    [
        "__macosx",
        "__pycache__",
        "thumbs.db",
        "desktop.ini",
        "venv",
        "env",
        "node_modules",
        "site-packages",
    ]
)
UNREADABLE = (OSError, zipfile.BadZipFile, NotImplementedError, ValueError)
ENTRY = b"PK\1\2"  # begins each line of a zip's list
LONGEST_PATH = 1_000  # characters; systems take less
MISNAMED = re.compile(r"[\u2500-\u259f]")  # line drawing where a name was read as code page 437


@dataclass(frozen=True)
class ArchiveLimits:
    """The limits within which one student's submission is read."""

    file: int = 50_000_000  # bytes of one file
    # bytes of what is read, and of zips when unpacked, those of the zips in them included
    total: int = 200_000_000
    count: int = 5_000  # files that may be read, and all that zips hold
    ratio: int = 200  # how many times smaller than itself a file above a megabyte may have become
    depth: int = 3  # zips inside each other


class RefusedFile(Exception):
    """Raised for a file or zip that is unsafe, too large or unreadable, with the `code` and the
    `facts` of the incident to report.
    """

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        self.code, self.facts = code, facts


@dataclass(frozen=True)
class Member:
    """A file or folder that was listed in a folder or zip; only `read` reads its bytes."""

    parts: tuple[str, ...]  # its path. Those of the zips that it is in are parts too
    size: int  # bytes that it says it has
    is_folder: bool = False
    refused: RefusedFile | None = None  # why it must not be read
    _open: Callable[[], IO[bytes]] | None = field(default=None, repr=False, compare=False)

    @property
    def name(self) -> str:
        """The last part of the member's path."""
        return self.parts[-1]

    @property
    def path(self) -> str:
        """The path of the member as a person reads it."""
        return "/".join(self.parts)

    @property
    def is_top_file(self) -> bool:
        """Whether it is a file that lies in no folder."""
        return len(self.parts) == 1 and not self.is_folder

    @property
    def escapes(self) -> bool:
        """Whether the path leads out of the folder into which the zip would be unpacked."""
        return self.refused is not None and self.refused.code in ("file.traversal", "file.absolute")

    def under(self, depth: int) -> Member:
        """Return the member without the first `depth` parts of its path."""
        return replace(self, parts=self.parts[depth:])

    def read(self, most: int) -> bytes:
        """Return the bytes of the member.

        Raises `RefusedFile` if it is not safe, has more than `most` bytes, or cannot be read.
        """
        if self.refused is not None:
            raise self.refused
        if self.size > most:
            raise RefusedFile("file.too_large", file=self.path, bytes=self.size, most=most)
        assert self._open is not None, "a folder has no bytes"
        try:
            with self._open() as file:
                content = file.read(most + 1)
        except Exception as error:  # each way of compressing fails in its own way
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise RefusedFile(
                "file.unreadable", file=self.path, reason=reason or type(error).__name__
            ) from None
        if len(content) > most:
            raise RefusedFile("file.too_large", file=self.path, bytes=len(content), most=most)
        return content


def members(path: Path, *, is_class: bool = True) -> Iterator[Member]:
    """Yield the members of a folder or zip of the class; of a single file, the file itself.

    Unsafe members are yielded too, marked as `refused`.

    `is_class`: if False, a zip is yielded as a single file.
    Raises `ValueError` if `path` cannot be read at all.
    """
    try:
        found = path.stat()
        if stat.S_ISDIR(found.st_mode):
            yield from _of_folder(path)
        elif not stat.S_ISREG(found.st_mode):
            raise OSError("it is neither a file nor a folder")  # to read a pipe may never end
        elif path.suffix.lower() == ".zip" and is_class:
            yield from _of_zip(zipfile.ZipFile(path))
        else:
            yield Member((decoded(path.name),), found.st_size, False, None, partial(_binary, path))
    except UNREADABLE as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise ValueError(f"{path} cannot be read: {reason}") from None


@dataclass
class Held:
    """Running totals of one student's submission: files and bytes, those inside zips included."""

    count: int = 0
    size: int = 0


def inside(member: Member, limits: ArchiveLimits, held: Held | None = None) -> list[Member]:
    """List the members of a zip that a student handed in, and of the zips within it, without junk.

    `held`: the totals of the submission so far, to which those of the zip are added.
    Raises `RefusedFile` if a member is unsafe, or the zip is corrupt or exceeds a limit.
    """
    found: list[Member] = []
    _unfold(member, limits, 1, found, held or Held())
    return found


def _unfold(
    member: Member, limits: ArchiveLimits, depth: int, found: list[Member], held: Held
) -> None:
    if depth > limits.depth:
        raise RefusedFile("archive.nested", file=member.path, most=limits.depth)
    content = member.read(limits.total)
    held.count += content.count(ENTRY)  # before the list is read, which takes much longer
    if held.count > limits.count:
        raise RefusedFile("archive.many", file=member.path, most=limits.count)
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except Exception as error:  # whatever the bytes are
        raise RefusedFile("archive.corrupt", file=member.path, reason=str(error)) from None
    infos = archive.infolist()
    held.size += sum(info.file_size for info in infos)
    if held.size > limits.total:
        raise RefusedFile("archive.large", file=member.path, most=limits.total)
    for info in infos:
        if info.file_size > max(1_000_000, limits.ratio * info.compress_size):
            raise RefusedFile(
                "archive.ratio",
                file=member.path,
                member=info.filename[:LONGEST_PATH],
                most=limits.ratio,
            )
    for inner in _of_zip(archive):
        if is_junk(inner.parts) and not inner.escapes:
            continue
        if inner.refused is not None:
            code = inner.refused.code.replace("file.", "archive.")
            raise RefusedFile(code, file=member.path, member=inner.refused.facts["file"])
        whole = replace(inner, parts=(*member.parts, *inner.parts))
        if whole.name.lower().endswith(".zip") and not whole.is_folder:
            _unfold(whole, limits, depth + 1, found, held)
        else:
            found.append(whole)


def is_junk(parts: tuple[str, ...]) -> bool:
    """Return whether a path is what systems and editors leave behind: hidden files, caches,
    installed packages.

    >>> is_junk(("__MACOSX", "p1", "._solucion.py")), is_junk(("p1", "solucion.py"))
    (True, False)
    """
    return any(part.startswith(".") or part.lower() in JUNK for part in parts)


def _of_folder(folder: Path) -> Iterator[Member]:
    unread: list[OSError] = []
    for root, folders, files in os.walk(folder, onerror=unread.append):
        folders.sort()
        above = Path(root).relative_to(folder).parts
        if len("/".join(above)) > LONGEST_PATH:
            folders.clear()
            parts = tuple(map(decoded, above))
            yield Member(
                parts, 0, False, RefusedFile("file.long_path", file=shortened("/".join(parts), 51))
            )
            continue
        for name in [*folders, *sorted(files)]:
            path = Path(root, name)
            parts = tuple(decoded(part) for part in (*above, name))
            try:
                found = path.lstat()
            except OSError as error:
                yield _unreadable(parts, error)
                continue
            if stat.S_ISLNK(found.st_mode):
                yield Member(parts, 0, False, RefusedFile("file.link", file="/".join(parts)))
            elif stat.S_ISDIR(found.st_mode):
                yield Member(parts, 0, is_folder=True)
            elif stat.S_ISREG(found.st_mode):  # a pipe or a device is nothing to read
                yield Member(parts, found.st_size, False, None, partial(_binary, path))
    for failure in unread:
        if not (parts := Path(failure.filename).relative_to(folder).parts):
            raise failure
        yield _unreadable((*map(decoded, parts), "*"), failure)


def _unreadable(parts: tuple[str, ...], error: OSError) -> Member:
    reason = RefusedFile(
        "file.unreadable", file="/".join(parts), reason=error.strerror or str(error)
    )
    return Member(parts, 0, False, reason)


def _binary(path: Path) -> IO[bytes]:
    return path.open("rb")


def _of_zip(archive: zipfile.ZipFile) -> Iterator[Member]:
    for info in archive.infolist():
        path = _name_in(info).replace("\\", "/")
        parts = tuple(part for part in path.split("/") if part not in ("", "."))
        refused = _danger(info, path, parts)
        if refused is not None:
            parts = tuple(part for part in parts if part != "..")
        if parts:
            yield Member(parts, info.file_size, info.is_dir(), refused, partial(archive.open, info))


def _danger(info: zipfile.ZipInfo, path: str, parts: tuple[str, ...]) -> RefusedFile | None:
    if len(path) > LONGEST_PATH:
        return RefusedFile("file.long_path", file=shortened(path, 51))
    if ".." in parts:
        return RefusedFile("file.traversal", file=path)
    if path.startswith("/") or re.match(r"[A-Za-z]:", path):
        return RefusedFile("file.absolute", file=path)
    if stat.S_ISLNK(info.external_attr >> 16):
        return RefusedFile("file.link", file=path)
    if info.flag_bits & 1:
        return RefusedFile("file.encrypted", file=path)
    return None


def _name_in(info: zipfile.ZipInfo) -> str:
    """Return the name of a zip's member as text.

    If the flag for UTF-8 is not set, the name is read as UTF-8 where it can be, and otherwise in a
    code page of DOS.
    """
    if info.flag_bits & 0x800:
        return info.filename
    try:
        raw = info.filename.encode("cp437")
    except UnicodeEncodeError:  # Python has read it by another rule already
        return info.filename
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("cp850") if MISNAMED.search(info.filename) else info.filename


def decoded(name: str) -> str:
    """Return a name of the file system as text; bytes that are not UTF-8 are read as Latin-1."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return os.fsencode(name).decode("latin-1")
    return name
