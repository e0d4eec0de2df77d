"""The files that this program wrote in a folder: only they are replaced or removed.

`manifest.json` has the hash of each, so that a file that a person has changed since is theirs. New
files are made in a folder aside and take their places together. The manifest has the old hash and
the new one meanwhile: a run that is killed between two files leaves nothing that the next one does
not know.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath

from practica.files import private_folder, remove_tree, write_bytes

MANIFEST = "manifest.json"
ASIDE = ".practica."  # how the folder begins in which files are made
# what a process leaves that is killed, with its number
UNFINISHED = re.compile(r"\..+\.(\d+)(\.\w+)?\.partial")


class Manifest:
    """The record of the files that earlier runs wrote into a folder.

    `folder`: it need not be there.
    `commands`: by command, "grade" or "report", the arguments that make the folder again, as typed.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        known = _read(folder / MANIFEST)
        self._hashes, self._is_manifest = ({}, False) if known is None else (known[0], True)
        self.commands = {} if known is None else known[1]

    @property
    def is_there(self) -> bool:
        """Whether the folder has a manifest of its own."""
        return self._is_manifest and os.path.lexists(self.folder / MANIFEST)

    def adopt(self, name: str, read: Callable[[Path], object]) -> None:
        """Count the file `name` as written by an earlier run although the manifest lacks it, if
        `read` can read it.
        """
        with suppress(OSError, ValueError):
            path = self.folder / name
            if name not in self._hashes and path.is_file() and not path.is_symlink() and read(path):
                self._hashes[name] = [_digest(path)]

    def strangers(self, names: Iterable[str]) -> list[str]:
        """Return those of `names` that must not be written: the folder holds a file there that no
        earlier run wrote, or that has changed since, or a file where a folder is needed.

        The manifest itself is added if the file of its name is not a manifest.
        """
        names = [*names]
        found = [
            name for name in names if os.path.lexists(self.folder / name) and not self._is_own(name)
        ]
        parents = sorted({str(each) for name in names for each in PurePath(name).parents[:-1]})
        places = {name: self.folder / name for name in parents}
        found += [
            name for name, place in places.items() if os.path.lexists(place) and not place.is_dir()
        ]
        return found if self._is_manifest else [*found, MANIFEST]

    @contextmanager
    def aside(self) -> Iterator[Path]:
        """Yield a folder on the same disk for files that `place` moves; remove it in the end."""
        private_folder(self.folder)
        aside = Path(
            tempfile.mkdtemp(prefix=f"{ASIDE}{os.getpid()}.", suffix=".partial", dir=self.folder)
        )
        try:
            yield aside
        finally:
            remove_tree(aside)

    def place(self, aside: Path, own: str | None = None) -> None:
        """Move the files of the folder `aside` to their places, and remove the files of earlier
        runs that are no longer made.

        `own`: the name of this run's worksheet. Those of earlier runs stay: their marks may be
            wanted.

        A new file is its owner's alone; one that was there keeps its mode.
        """
        new = {
            path.relative_to(aside).as_posix(): _digest(path)
            for path in sorted(aside.rglob("*"))
            if path.is_file()
        }
        before = {
            name: hashes
            for name, hashes in self._hashes.items()
            if os.path.lexists(self.folder / name)
        }
        self._write(
            {**before, **{name: [*before.get(name, []), digest] for name, digest in new.items()}}
        )
        for name in new:
            target = self.folder / name
            private_folder(target.parent)
            (aside / name).chmod(stat.S_IMODE(target.stat().st_mode) if name in before else 0o600)
            os.replace(aside / name, target)
        kept = {}
        for name in before.keys() - new.keys():
            if name != own and "/" not in name and name.endswith(".csv"):
                kept[name] = before[name]
            elif self._is_own(name):
                (self.folder / name).unlink()
                # there are other files in it, or it is the folder of the results
                with suppress(OSError):
                    for folder in (self.folder / name).relative_to(self.folder).parents:
                        (self.folder / folder).rmdir()
        self._write({**kept, **{name: [digest] for name, digest in new.items()}})

    def remove_unfinished(self) -> None:
        """Remove the half-made files of runs that were killed; those of a process that still runs
        stay.
        """
        for path in self.folder.rglob(".*.partial"):
            if (found := UNFINISHED.fullmatch(path.name)) and not _lives(int(found[1])):
                remove_tree(path) if path.is_dir() else path.unlink(missing_ok=True)

    def _is_own(self, name: str) -> bool:
        path = self.folder / name
        is_file = path.is_file() and not path.is_symlink()
        return name in self._hashes and is_file and _digest(path) in self._hashes[name]

    def _write(self, hashes: dict[str, list[str]]) -> None:
        self._hashes = hashes
        text = json.dumps(
            {"practica": 1, "commands": self.commands, "files": dict(sorted(hashes.items()))},
            ensure_ascii=False,
            indent=0,
        )
        write_bytes(self.folder / MANIFEST, f"{text}\n".encode(), private=True)


def _read(path: Path) -> tuple[dict[str, list[str]], dict[str, str]] | None:
    """Return what a manifest records: the hashes of each file by its name, and the arguments of
    each command by its name, both empty if there is no file. Return None if the file is not a
    manifest.
    """
    if not os.path.lexists(path):
        return {}, {}
    with suppress(OSError, ValueError, RecursionError):
        match json.loads(path.read_bytes()) if path.is_file() else None:
            case {"practica": 1, "files": dict(files), "commands": dict(commands)}:
                known = {
                    name: [*map(str, hashes)]
                    for name, hashes in files.items()
                    if isinstance(hashes, list)
                }
                return known, {name: str(words) for name, words in commands.items()}
    return None


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # a process of another user
        pass
    return True
