"""The findings of a file from the last time, for functions on which nothing has changed since.

A function's findings depend on its own text, on everything of the file that it names, directly or
not, on whatever runs when the file is imported, and on this package. The digest of all that is the
key under which they are kept. If it is not known, because modules lie beside the file or names are
looked up by their text, nothing is kept.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import importlib.util
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec
import platformdirs

import practica
from practica.files import write_bytes
from practica.grading.engine.current import chosen
from practica.grading.engine.grade import Finding
from practica.grading.engine.rubric import Row
from practica.grading.engine.source import Source, names_in, parse, written_out

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef

BY_TEXT = frozenset(
    {"eval", "exec", "getattr", "globals", "locals", "setattr", "vars", "__import__"}
)


class FileMemory:
    """The findings of the functions of one file, kept between runs in the user's cache folder.

    `file`: its path names the file in the cache. If that cannot be written, the findings last as
        long as this object.
    """

    def __init__(self, file: Path) -> None:
        name = hashlib.sha256(os.fsencode(file.resolve())).hexdigest()[:16]
        self._file = file
        self._store = platformdirs.user_cache_path("practica") / "check" / f"{name}.json"
        self._known: dict[str, Any] = {}
        self._keys: dict[str, tuple[str, str]] = {}
        with contextlib.suppress(OSError, ValueError):  # the first time
            read = json.loads(self._store.read_text(encoding="utf-8"))
            self._known = read if isinstance(read, dict) else {}

    def begin(self, source: str, functions: Iterable[str]) -> None:
        """Set the current text of the file, by which `get` knows whether a stored finding is still
        valid.

        `functions`: those of the assignment.
        """
        package = _package()
        self._keys = {
            function: (f"{digest} {package}", lines)
            for function, (digest, lines) in digests(source, functions, self._file).items()
        }

    def get(self, row: Row) -> Finding | None:
        """Return the stored finding of a row; None if there is none, or what it depends on has
        changed.
        """
        key, lines = self._keys.get(row.function, ("", ""))
        known = self._known.get(row.name)
        if not key or not isinstance(known, dict):
            return None
        # written by another version
        with contextlib.suppress(KeyError, TypeError, msgspec.ValidationError):
            if known["key"] == key and known["lines"] in ("", lines):
                return msgspec.convert(known, Finding)
        return None

    def put(self, row: Row, finding: Finding) -> None:
        """Store the finding of a row, unless the process was lost: another time the machine may be
        faster.

        A finding that names lines of the file is valid only while these lines stay the same.
        """
        key, lines = self._keys.get(row.function, ("", ""))
        lost = any(outcome.message.startswith("lost.") for outcome in finding.outcomes)
        if key and not lost and finding.outcomes:  # another time the machine may be faster
            is_right = all(outcome.verdict == "pass" for outcome in finding.outcomes)
            where = "" if is_right and not (finding.header or finding.seen) else lines
            self._known[row.name] = {"key": key, "lines": where, **asdict(finding)}

    def save(self) -> None:
        """Write all findings to the disk, if that is possible, so that the next run takes less
        time.
        """
        with contextlib.suppress(OSError, TypeError):
            self._store.parent.mkdir(parents=True, exist_ok=True)
            write_bytes(self._store, json.dumps(self._known).encode())


def digests(source: str, functions: Iterable[str], file: Path) -> dict[str, tuple[str, str]]:
    r"""Return a digest of everything that the findings of each function depend on.

    Empty if that is not known.

    `functions`: those that the source does not define are left out.
    Returned `digests`: by function, two digests: one without the numbers of the lines, one with
        them.

    >>> before = digests(
    ...     "def f(): return g()\ndef g(): return 1\ndef h(): return 2", "fgh", Path("solucion.py")
    ... )
    >>> after = digests(
    ...     "def f(): return g()\ndef g(): return 3\ndef h(): return 2", "fgh", Path("solucion.py")
    ... )
    >>> [name for name in before if before[name][0] != after[name][0]]
    ['f', 'g']
    """
    tree = parse(source)
    if isinstance(tree, SyntaxError):
        return {}
    definitions: dict[str, list[Definition]] = {}
    loose: list[ast.stmt] = []
    for node in tree.body:
        if isinstance(node, Definition):
            definitions.setdefault(node.name, []).append(node)
        else:
            loose.append(node)
    modules = {full.partition(".")[0] for _, full, _ in Source(tree).imports}
    if names_in([tree]) & BY_TEXT or any(_lies_beside(module, file) for module in modules):
        return {}
    names = {name: names_in(nodes) for name, nodes in definitions.items()}
    for name, nodes in definitions.items():  # `@f.register` makes it a part of f
        for decorated in names_in(each for node in nodes for each in node.decorator_list):
            if decorated in names:
                names[decorated].add(name)
    always = names_in(loose) & names.keys()
    texts = [
        {id(node): written_out(node, with_lines=with_lines) for node in tree.body}
        for with_lines in (False, True)
    ]
    found = {}
    for function in dict.fromkeys(functions):
        if function in names:
            parts = _reached({function, *always}, names)
            reached: list[ast.stmt] = [
                *loose,
                *(node for part in sorted(parts) for node in definitions[part]),
            ]
            without, with_lines = (_digest([text[id(node)] for node in reached]) for text in texts)
            found[function] = without, with_lines
    return found


def _digest(texts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()


def _reached(start: Iterable[str], names: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = set(start)
    while waiting:
        found |= waiting
        waiting = {name for each in waiting for name in names[each] if name in names} - found
    return found


def _lies_beside(module: str, file: Path) -> bool:
    return not module or any((file.parent / name).exists() for name in (module, f"{module}.py"))


def _package() -> str:
    """Return a string that changes with this package and with the libraries that students use."""
    folders = [Path(practica.__file__).parent, *filter(None, [chosen()])]
    files = (
        path
        for folder in folders
        for path in folder.rglob("*")
        if path.suffix in (".py", ".json", ".toml")
    )
    newest = max(path.stat().st_mtime_ns for path in files)
    origins = [importlib.util.find_spec(name) for name in ("numpy", "torch", "sklearn")]
    libraries = [
        spec.origin and os.stat(spec.origin).st_mtime_ns for spec in origins if spec is not None
    ]
    return f"{practica.__version__} {folders[1:]} {newest} {libraries}"
