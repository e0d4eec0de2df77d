"""Submissions of our own, with what must come of them: the tables of `tests/entregas/*.toml`, each
under its slug.

Most are the model answer but for a few lines:

    [red_sin_softmax]
    why = "what is wrong in it, or which style it is"
    fails = ["ids of the checks that must fail"]      # nothing else fails; empty for a right one
    diagnosis = ["ids of mistakes"]                   # optional: those that its functions get
                                                      together
    flags = ["joblib.Parallel"]                       # optional: names for which a right one is
                                                      flagged for review
    old = "a piece of the model answer, which occurs there once"
    new = "what the student has in its place"

Several edits are tables of their own, `[[red_sin_softmax.edits]]`. Others have a `source`. Each
top-level function or class of it takes the place of the one of the same name in the model answer,
and what is new goes before the first function. With `whole = true` the source is all that the
student handed in.

`tests/mistakes/*.toml` has known mistakes in the same form, `[[network.no_sigmoid]]`: the edit, and
the `row` of the rubric in which it is to be found. Nothing says which checks they fail, so that
they are only tried for their names.
"""

import ast
import functools
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
MODEL = HERE.parent / "enunciado" / "profesorado" / "solucion.py"
FOLDER = HERE / "entregas"
MISTAKES = HERE / "mistakes"


@dataclass(frozen=True)
class Submission:
    """A submission, what must fail in it, and the functions in which it differs from the model
    answer.

    Where `inside` is true, what differs is inside these functions: their headers are those of the
    model answer, and the file has no statement that the model answer lacks. Without `diagnosis`
    nobody has said yet what that should be.
    """

    slug: str
    source: bytes
    why: str
    fails: frozenset[str]
    differs: frozenset[str] | None
    inside: bool = False
    diagnosis: frozenset[str] | None = None
    flags: frozenset[str] = frozenset()


@functools.cache
def attacks(name: str) -> dict[str, dict]:
    """Return the tables of `tests/ataques/NAME.toml`: hostile files, each with its `source` as
    bytes.
    """
    tables = tomllib.loads((HERE / "ataques" / f"{name}.toml").read_text(encoding="utf-8"))
    return {slug: table | {"source": table["source"].encode()} for slug, table in tables.items()}


class Slip(NamedTuple):
    """The model answer with one known mistake, in the function of a row."""

    mistake: str
    row: str
    source: bytes


def submissions() -> list[Submission]:
    """Return all submissions, by slug."""
    return list(_all())


@functools.cache
def _all() -> tuple[Submission, ...]:
    return tuple(_load(slug, table) for slug, table in sorted(_tables().items()))


@functools.cache
def _tables() -> dict[str, dict]:
    """Return the table of each submission, by its slug."""
    files = [tomllib.loads(path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.toml")]
    tables = {slug: table for file in files for slug, table in file.items()}
    assert len(tables) == sum(map(len, files)), "two submissions have one name"
    return tables


@functools.cache
def _model() -> tuple[str, dict[str, ast.stmt], frozenset[str]]:
    """Return the model answer, its definitions, and its statements: their texts, and their
    trees.
    """
    source = MODEL.read_text(encoding="utf-8")
    body = ast.parse(source).body
    return source, _definitions(source), frozenset([*map(ast.dump, body), *_texts_of(body, source)])


def _load(slug: str, table: dict) -> Submission:
    fails, flags = frozenset(table["fails"]), frozenset(table.get("flags", ()))
    known = frozenset(table["diagnosis"]) if "diagnosis" in table else None
    if table.get("whole"):
        return Submission(
            slug, table["source"].encode(), table["why"], fails, None, diagnosis=known, flags=flags
        )
    source = merged(table["source"]) if "source" in table else edited(_edits(table))
    differs, inside = _differences(source)
    return Submission(slug, source.encode(), table["why"], fails, differs, inside, known, flags)


def _edits(table: dict) -> list[dict[str, str]]:
    return [table] if "old" in table else table.get("edits", [])


def edited(edits: list[dict[str, str]]) -> str:
    """Return the model answer with other text in place of some pieces of it."""
    source, *_ = _model()
    for edit in edits:
        assert source.count(edit["old"]) == 1, (
            f"{edit['old']!r} does not occur once in the model answer"
        )
    for edit in sorted(edits, key=lambda edit: source.index(edit["old"]), reverse=True):
        begin = source.index(edit["old"])
        source = source[:begin] + edit["new"] + source[begin + len(edit["old"]) :]
    return source


def edits_of(*slugs: str) -> list[dict[str, str]]:
    """Return the edits of some submissions."""
    return [edit for slug in slugs for edit in _edits(_tables()[slug])]


def slips() -> list[Slip]:
    """Return the model answer with each of the mistakes in `tests/mistakes`."""
    return [
        Slip(f"{group}.{name}", table["row"], edited(_edits(table)).encode())
        for path in sorted(MISTAKES.glob("*.toml"))
        for group, names in tomllib.loads(path.read_text(encoding="utf-8")).items()
        for name, tables in names.items()
        for table in tables
    ]


def _differences(source: str) -> tuple[frozenset[str], bool]:
    """Return the functions in which a source differs from the model answer, and whether nothing
    else differs.
    """
    _, old, known = _model()
    body = ast.parse(source).body
    texts = zip(_texts_of(body, source), body, strict=True)
    other = [node for text, node in texts if text not in known and ast.dump(node) not in known]
    names = frozenset(
        node.name for node in other if isinstance(node, ast.FunctionDef | ast.ClassDef)
    )
    kinds = ast.FunctionDef, ast.Import, ast.ImportFrom
    return names, all(isinstance(node, kinds) and _keeps_its_head(node, old) for node in other)


def _keeps_its_head(node: ast.stmt, old: dict[str, ast.stmt]) -> bool:
    name = getattr(node, "name", None)
    return name not in old or _head(node) == _head(old[name])


def _definitions(source: str) -> dict[str, ast.stmt]:
    kinds = (ast.FunctionDef, ast.ClassDef)
    return {node.name: node for node in ast.parse(source).body if isinstance(node, kinds)}


def _head(node: ast.stmt) -> str:
    return ast.dump(
        ast.FunctionDef(name=node.name, args=node.args, body=[], decorator_list=node.decorator_list)
    )


def _lines_of(node: ast.stmt) -> tuple[int, int]:
    first = min(
        [node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", []))]
    )
    return first - 1, node.end_lineno


def _texts_of(nodes: list[ast.stmt], source: str) -> list[str]:
    lines = source.splitlines()
    return ["\n".join(lines[slice(*_lines_of(node))]) for node in nodes]


def merged(patch: str) -> str:
    """Return the model answer with the definitions of a patch in their places."""
    source, old, _ = _model()
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
    _, definitions, _ = _model()
    calls = {
        name: {leaf.id for leaf in ast.walk(node) if isinstance(leaf, ast.Name)}
        & definitions.keys()
        for name, node in definitions.items()
    }
    affected = set(names)
    while more := {name for name, called in calls.items() if called & affected} - affected:
        affected |= more
    return frozenset(affected)
