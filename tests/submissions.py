"""Submissions of our own, `tests/entregas/<slug>/`, with what must come of them.

A folder has `solucion.py` and `esperado.toml`:

    why = "what is wrong in it, or which style it is"
    fails = ["ids of the checks that must fail"]      # nothing else fails; empty for a right one
    base = "modelo"                                   # optional: solucion.py has what differs from the model answer
    diagnosis = ["ids of mistakes"]                   # optional: those that its functions get together
    flags = ["joblib.Parallel"]                       # optional: names for which a right one goes to a person

With a base, every top-level function or class of `solucion.py` takes the place of the one of that name, and what is new
goes before the first function. `source_of` returns the whole file that a student would have handed in.
"""

import ast
import functools
import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
MODEL = HERE.parent / "enunciado" / "profesorado" / "solucion.py"
FOLDER = HERE / "entregas"


@dataclass(frozen=True)
class Submission:
    """A submission, what must fail in it, and the functions in which it differs from the model answer.

    Where `inside` is true, what differs is inside these functions: their headers are those of the model answer, and the
    file has no statement that the model answer lacks. Without `diagnosis` nobody has said yet what that should be.
    """

    slug: str
    source: bytes
    why: str
    fails: frozenset[str]
    differs: frozenset[str] | None
    inside: bool = False
    diagnosis: frozenset[str] | None = None
    flags: frozenset[str] = frozenset()


def submissions() -> list[Submission]:
    """Return all submissions, by slug."""
    return list(_all())


@functools.cache
def _all() -> tuple[Submission, ...]:
    return tuple(_load(folder) for folder in sorted(FOLDER.iterdir()) if (folder / "esperado.toml").exists())


@functools.cache
def _model() -> tuple[str, dict[str, ast.stmt]]:
    source = MODEL.read_text(encoding="utf-8")
    return source, _definitions(source)


def _load(folder: Path) -> Submission:
    expected = tomllib.loads((folder / "esperado.toml").read_text(encoding="utf-8"))
    raw = (folder / "solucion.py").read_bytes()
    fails, diagnosis = frozenset(expected["fails"]), expected.get("diagnosis")
    known, flags = None if diagnosis is None else frozenset(diagnosis), frozenset(expected.get("flags", ()))
    if "base" not in expected:
        return Submission(folder.name, raw, expected["why"], fails, None, diagnosis=known, flags=flags)
    patch = raw.decode()
    names = frozenset(_definitions(patch))
    source, inside = merged(patch).encode(), _is_inside(patch)
    return Submission(folder.name, source, expected["why"], fails, names, inside, known, flags)


def _definitions(source: str) -> dict[str, ast.stmt]:
    kinds = (ast.FunctionDef, ast.ClassDef)
    return {node.name: node for node in ast.parse(source).body if isinstance(node, kinds)}


def _is_inside(patch: str) -> bool:
    (_, old), kinds = _model(), (ast.FunctionDef, ast.Import, ast.ImportFrom)
    return all(
        isinstance(node, kinds) and not (getattr(node, "name", None) in old and _head(node) != _head(old[node.name]))
        for node in ast.parse(patch).body
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
    )


def _head(node: ast.stmt) -> str:
    return ast.dump(ast.FunctionDef(name=node.name, args=node.args, body=[], decorator_list=node.decorator_list))


def _lines_of(node: ast.stmt) -> tuple[int, int]:
    first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", []))])
    return first - 1, node.end_lineno


def merged(patch: str) -> str:
    """Return the model answer with the definitions of a patch in their places."""
    source, old = _model()
    lines, new, added = source.splitlines(), patch.splitlines(), _definitions(patch)
    first_function = min(_lines_of(node)[0] for node in old.values())
    taken: set[int] = set()
    edits = []
    for name, node in added.items():
        begin, end = _lines_of(node)
        if name in old:
            edits.append((*_lines_of(old[name]), new[begin:end]))
            taken |= set(range(begin, end))
    rest = [line for number, line in enumerate(new) if number not in taken]
    while rest and not rest[-1].strip():
        rest.pop()
    for begin, end, text in sorted(edits, reverse=True):
        lines[begin:end] = text
    if rest:
        lines[first_function:first_function] = [*rest, "", ""]
    return "\n".join(lines) + "\n"


@functools.cache
def functions_that_use(names: frozenset[str]) -> frozenset[str]:
    """Return these functions of the model answer and all that call them, directly or not."""
    _, definitions = _model()
    calls = {
        name: {leaf.id for leaf in ast.walk(node) if isinstance(leaf, ast.Name)} & definitions.keys()
        for name, node in definitions.items()
    }
    affected = set(names)
    while more := {name for name, called in calls.items() if called & affected} - affected:
        affected |= more
    return frozenset(affected)
