"""Results as they come, each safe on the disk before the next one: a run that was cut goes on from
them.

A journal is a file of lines, JSON each: `{"journal": 1}` where a run begins, `{"seed": ...}` with
that of its secret examples, `{"key": ..., "record": ...}` for each result, and `{"finished":
count}` where the run ended. A key is the hash of everything that a record depends on, so that a
changed submission, rubric or version is not found, and done again. A line that is none of these is
passed over.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import stat
from collections.abc import Sequence
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Self

from practica.files import opened_bytes

FORMAT = 1


class Unfinished(Exception):
    """The journal is that of a run that did not end, and has `count` records."""

    def __init__(self, count: int) -> None:
        super().__init__(f"{count} records of a run that did not end")
        self.count = count


class Journal:
    """The journal at `path`, open, and locked against other processes until it is closed.

    `path`: created if there is none.
    `resume`: whether the records in it are kept; if not, they are deleted.
    `records`: all records of the journal, by key.
    `seed`: the seed of their secret examples; None if the journal has none.
    Raises `BlockingIOError` if another process has it open.
    Raises `Unfinished` if it is that of a run that did not end, and `resume` is false.
    Raises `ValueError` if it is not a file, or not a journal; it is left as it is.
    Raises `OSError` if it cannot be written.
    """

    def __init__(self, path: Path, *, resume: bool) -> None:
        self.path = path
        self.records: dict[str, object] = {}
        self.seed: int | None = None
        self._file = _locked(path)
        try:
            ended = self._read()
            if not resume:
                if self.records and not ended:
                    raise Unfinished(len(self.records))
                self.records.clear()
                self.seed = None
                self._file.truncate(0)
            self._append({"journal": FORMAT})
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def add(self, key: str, record: object) -> None:
        """Write a record under its key; it is on the disk when this returns."""
        self._append({"key": key, "record": record})
        self.records[key] = record

    def begin(self, seed: int) -> None:
        """Write the seed of the secret examples of the records that follow, unless it is the same
        as before.
        """
        if seed != self.seed:
            self._append({"seed": seed})
            self.seed = seed

    def finish(self, keys: Sequence[str]) -> None:
        """Rewrite the journal as that of a run that ended: the records of `keys`, in that order,
        and no others.
        """
        with opened_bytes(self.path) as file:
            file.write(_line({"journal": FORMAT}))
            if self.seed is not None:
                file.write(_line({"seed": self.seed}))
            for key in keys:
                file.write(_line({"key": key, "record": self.records[key]}))
            file.write(_line({"finished": len(keys)}))

    def close(self) -> None:
        """Release the journal, so that another process can open it."""
        self._file.close()

    def _read(self) -> bool:
        """Take over the records, and return whether the run ended.

        A line that a cut left unfinished is removed.
        """
        whole, ended = 0, True
        with open(self.path, "rb") as file:
            for number, line in enumerate(file):
                match _item(line):
                    case {"journal": form} if form == FORMAT:
                        ended = False
                    case _ if number == 0 and not _line({"journal": FORMAT}).startswith(line):
                        raise ValueError(
                            f"{self.path} is not a journal of this version: it is left as it is"
                        )
                    case {"key": str(key), "record": record}:
                        self.records[key] = record
                    case {"seed": int(seed)} if not isinstance(seed, bool):
                        self.seed = seed
                    case {"finished": _}:
                        ended = True
                whole += len(line) if line.endswith(b"\n") else 0
        self._file.truncate(whole)
        return ended

    def _append(self, item: object) -> None:
        begin = self._file.seek(0, os.SEEK_END)
        rest = memoryview(_line(item))
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
            os.fsync(self._file.fileno())
        except OSError:
            with contextlib.suppress(OSError):
                self._file.truncate(begin)
            raise


def key_of(*parts: str | bytes) -> str:
    """Return one hash of several strings, which also depends on where each one ends.

    >>> key_of("ab", "c") == key_of("a", "bc")
    False
    """
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(b"%d:" % len(data) + data)
    return digest.hexdigest()


def _locked(path: Path) -> FileIO:
    """Open a file for appending, and lock it against other processes.

    If a process that has ended meanwhile replaced the file, the new one is opened.

    Raises `BlockingIOError` if another process has locked it.
    Raises `ValueError` if it is a pipe or a device; opening a pipe does not wait for a reader.
    """
    while True:
        # Closed by Journal.close(); nothing waits to be written.
        file = open(path, "a+b", buffering=0, opener=_at_once)  # noqa: SIM115
        try:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                raise ValueError(f"{path} is a pipe or a device, where no journal can be kept")
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(found, os.stat(path)):
                    return file
        except BaseException:
            file.close()
            raise
        file.close()


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK, 0o600)


def _item(line: bytes) -> object:
    try:
        item = json.loads(line) if line.endswith(b"\n") else None
        _line(item)  # what cannot be written again, for a lone surrogate, is none of ours
    except (ValueError, RecursionError):
        return None
    return item


def _line(item: object) -> bytes:
    return json.dumps(item, ensure_ascii=False).encode() + b"\n"
