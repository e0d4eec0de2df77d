"""The code of a notebook as one Python file, with the cell of each line.

A notebook is run cell by cell beside its data; a submission is imported alone. So what is graded
are its definitions: imports, functions, classes, and the assignments that those need; what is
imported from this package or from Colab only if they need it. Everything else stays to be read, as
a comment:

    of the notebook             in the file
    %matplotlib inline          pass  # %matplotlib inline
    !pip install torch          pass  # !pip install torch
    data = load("iris.csv")     # data = load("iris.csv")        nothing that is defined needs it
    a cell that is not Python   a comment, line by line

Lines keep their order and are never joined, so that a line of the file is one of a cell.
"""

from __future__ import annotations

import ast
import codecs
import itertools
import json
import re
import symtable
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

from practica.grading.engine.result import FunctionResult, RuleResult
from practica.grading.engine.source import (
    FUNCTIONS,
    bindings,
    body_of,
    has_conflict,
    is_unwritten,
    names_in,
    parse,
    rebindings,
    running,
)

COMMAND = re.compile(r"(?P<indent>\s*)(?:[%!?]|[\w.\[\], ()]+=\s*[%!]|[\w.]+\?{1,2}\s*$)")
RUNS_PYTHON = re.compile(r"%%(time|timeit|capture|check|prun|memit|mprun|writefile\s+\S+\.py)\b")
MOST_CODE = 500_000  # characters, as much as a file of Python may have
MOST_COMMANDS = 50  # in a cell, which is read again after each
IMPORTS = (ast.Import, ast.ImportFrom)
DEFINITIONS = (*IMPORTS, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class OtherLanguageError(ValueError):
    """A notebook is in another language than Python, so that its cells would look empty."""

    def __init__(self, language: str) -> None:
        super().__init__(f"its language is {language}, not Python")
        self.language = language


@dataclass(frozen=True)
class WrongCell:
    """A cell that should be Python and is not.

    `cell`, `within`: its number, and the line in it that Python cannot read.
    `line`: the same line, in the file.
    `reason`, `text`: what Python says of the line, and the line itself.
    `defines`: the functions and classes that it begins to define.
    """

    cell: int
    within: int
    line: int
    reason: str
    text: str
    defines: tuple[str, ...]


@dataclass(frozen=True)
class TextCell:
    """A cell of text that defines functions, and so was meant to run.

    `cell`: its number among all cells of the notebook.
    `kind`: its type, "markdown" or "raw".
    """

    cell: int
    kind: str
    defines: tuple[str, ...]


def rules_of_cells(notebook: Notebook) -> dict[str, RuleResult]:
    """Return, by function, the rule that is broken because its cell is text, or not Python."""
    rules = {}
    for text in notebook.texts:
        for name in text.defines:
            facts = {"function": name, "cell": text.cell, "kind": text.kind.capitalize()}
            rules[name] = RuleResult("check.text_cell", "broken", "zero", None, facts)
    for wrong in notebook.wrong:
        facts = {"reason": wrong.reason}
        rule = RuleResult("check.cell", "broken", "zero", wrong.line, facts)
        rules |= dict.fromkeys(wrong.defines, rule)
    return rules


def with_cells(
    functions: Iterable[FunctionResult], rules: Mapping[str, RuleResult]
) -> tuple[FunctionResult, ...]:
    """Return the functions; a missing one that has a rule in `rules` breaks that rule instead."""
    return tuple(
        replace(each, verdict="rule", points=0.0, rules=(rules[each.function],), checks=())
        if each.verdict == "missing" and each.function in rules
        else each
        for each in functions
    )


@dataclass(frozen=True)
class Notebook:
    """A notebook as a Python file."""

    source: bytes  # Python, in UTF-8
    # for each line of `source`, the cell and the line there, from 1; (0, 0) for a line that is not
    # the student's
    lines: tuple[tuple[int, int], ...]
    unread: tuple[int, ...]  # cells that are not Python
    # cells with statements that are left out because no definition needs them
    not_run: tuple[int, ...]
    # the number beside each cell, which says when it ran; None if it has none
    runs: tuple[int | None, ...] = ()
    wrong: tuple[WrongCell, ...] = ()
    texts: tuple[TextCell, ...] = ()


def convert(content: bytes, functions: Set[str] = frozenset()) -> Notebook:
    r"""Return the code of a notebook.

    `content`: an `.ipynb` file, of any version of the format.
    `functions`: those of the assignment. A statement that gives the name of one to something else,
        below its definition, is left out: `accuracy = accuracy(outputs, targets)`.
    Raises `OtherLanguageError` if it is one in another language, as its metadata say.
    Raises `ValueError` if it is not a notebook.

    >>> cells = [
    ...     {
    ...         "cell_type": "code",
    ...         "source": ["%pip install torch\n", "K = 2\n", "def f(): return K\n", "f()"],
    ...     }
    ... ]
    >>> notebook = convert(json.dumps({"cells": cells}).encode())
    >>> print(notebook.source.decode())
    # %% [1]
    pass  # %pip install torch
    K = 2
    def f(): return K
    # f()
    <BLANKLINE>
    >>> notebook.lines[4], notebook.not_run
    ((1, 4), (1,))
    """
    text: list[str] = []
    lines: list[tuple[int, int]] = []
    unread, wrong = list[int](), list[WrongCell]()
    all_cells = _cells(content)
    cells = _code_of(all_cells)
    # each command makes all the code of its cell be read again
    most = min(MOST_COMMANDS, (3 * MOST_CODE) // (1 + sum(len(code) for code, _ in cells)))
    for number, (code, _) in enumerate(cells, start=1):
        cell = code.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")
        read = _python(cell, most)
        if read is None:
            unread.append(number)
            wrong += _wrong(number, len(text) + 1, cell)
            # Python reads no file with one
            read = [f"# {line}".replace("\0", "\N{SYMBOL FOR NULL}") for line in cell]
        text += [f"# %% [{number}]", *read]
        lines += [(0, 0), *((number, position) for position in range(1, len(cell) + 1))]
    left_out = _not_needed("\n".join(text), functions)
    for line in left_out:
        text[line - 1] = f"# {text[line - 1]}"
    source = "".join(f"{line}\n" for line in text).encode("utf-8", "replace")
    not_run = sorted({lines[line - 1][0] for line in left_out})
    return Notebook(
        source,
        tuple(lines),
        tuple(unread),
        tuple(not_run),
        tuple(run for _, run in cells),
        tuple(wrong),
        tuple(_texts(all_cells)),
    )


def is_utf_16(source: bytes) -> bool:
    """Return whether a file begins with the mark of UTF-16, which Python does not read."""
    return source.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))


def without_commands(source: bytes) -> tuple[bytes, tuple[int, ...]]:
    r"""Return a file of Python without commands for a notebook, which a copied cell may bring
    along.

    `source`: an `.py` file.
    Returned `source`: the same bytes if Python reads them, or does not without commands either;
        otherwise UTF-8. Of a file in UTF-16, always UTF-8.
    Returned `lines`: those of the commands, from 1; each is a comment now.

    >>> without_commands(b"!pip install seaborn\nimport numpy as np\n%matplotlib inline\n")
    (b'pass  # !pip install seaborn\nimport numpy as np\npass  # %matplotlib inline\n', (1, 3))
    >>> without_commands(b"def f(:\n")
    (b'def f(:\n', ())
    """
    if is_utf_16(source):
        source = source.decode("utf-16", "replace").encode()
    try:
        text = source.decode("utf-8-sig")
    except UnicodeDecodeError:
        return source, ()
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    before = text.split("\n")
    after = _python(before, MOST_COMMANDS) if len(text) <= MOST_CODE else None
    if after is None or after == before:
        return source, ()
    changed = (
        number
        for number, (old, new) in enumerate(zip(before, after, strict=True), start=1)
        if old != new
    )
    return "\n".join(after).encode(), tuple(changed)


def cell_of(line: int, cells: Sequence[Sequence[int]]) -> tuple[int, int] | None:
    """Return the cell of a line, and the line in that cell; None for a line outside all cells.

    >>> cell_of(2, [(0, 0), (1, 1)]), cell_of(1, [(0, 0), (1, 1)]), cell_of(3, [(0, 0), (1, 1)])
    ((1, 1), None, None)
    """
    cell, within = cells[line - 1] if 0 < line <= len(cells) else (0, 0)
    return (cell, within) if (cell, within) != (0, 0) else None


def _cells(content: bytes) -> list[dict[str, Any]]:
    try:
        data = json.loads(content)
    except (ValueError, RecursionError) as error:
        merging = ", and a merge of two versions was left half-way" * has_conflict(
            content.decode("utf-8", "replace")
        )
        raise ValueError(f"not a notebook: {error}{merging}") from None
    found = _listed(data, "cells") or [
        cell for sheet in _listed(data, "worksheets") for cell in _listed(sheet, "cells")
    ]  # before version 4
    if not found and not (isinstance(data, dict) and "cells" in data):
        raise ValueError("not a notebook: it has no cells")
    if (language := _language(data.get("metadata"))) is not None:
        raise OtherLanguageError(language)
    return [cell for cell in found if isinstance(cell, dict)]


def _source_of(cell: Mapping[str, Any]) -> str:
    source = cell.get("source", cell.get("input", ""))
    lines = source if isinstance(source, list) else [source]
    return "".join(line for line in lines if isinstance(line, str))


def _texts(cells: Iterable[Mapping[str, Any]]) -> Iterator[TextCell]:
    """Yield the text cells whose whole content is Python."""
    for number, cell in enumerate(cells, start=1):
        kind, text = cell.get("cell_type"), _source_of(cell)
        if kind not in ("markdown", "raw") or "def " not in text or len(text) > MOST_CODE:
            continue
        body = body_of(text)
        written = (node for node in body if isinstance(node, FUNCTIONS) and not is_unwritten(node))
        if defines := tuple(node.name for node in written):
            yield TextCell(number, kind, defines)


def _code_of(cells: Iterable[Mapping[str, Any]]) -> list[tuple[str, int | None]]:
    """Return the code of each cell of code, and the number that it got when it ran."""
    coded = [cell for cell in cells if cell.get("cell_type") == "code"]
    codes = [_source_of(cell) for cell in coded]
    if (size := sum(map(len, codes))) > MOST_CODE:
        raise ValueError(f"{size} characters of code; the maximum is {MOST_CODE}")
    runs = (cell.get("execution_count", cell.get("prompt_number")) for cell in coded)
    return [
        (code, run if type(run) is int else None) for code, run in zip(codes, runs, strict=True)
    ]


def _language(metadata: Any) -> str | None:
    """Return the language of a notebook, None if it is Python or nothing says which it is."""
    parts = (
        metadata.get(key) if isinstance(metadata, dict) else None
        for key in ("language_info", "kernelspec")
    )
    info, kernel = (part if isinstance(part, dict) else {} for part in parts)
    name = info.get("name") or kernel.get("language")
    # other kernels are called as people like
    if not name and str(kernel.get("name")).startswith("julia"):
        name = "julia"
    return None if not name or "python" in str(name).casefold() else str(name)[:40]


def _listed(data: Any, key: str) -> list[Any]:
    value = data.get(key) if isinstance(data, dict) else None
    return value if isinstance(value, list) else []


def _is_of_another_program(cell: Sequence[str]) -> bool:
    """Return whether the first line of a cell gives it to another program than Python."""
    return bool(cell) and cell[0].startswith("%%") and not RUNS_PYTHON.match(cell[0])


def _python(cell: list[str], most: int) -> list[str] | None:
    """Return the lines of a cell without the commands for the notebook; None if the rest is not
    Python.
    """
    if _is_of_another_program(cell):
        return None
    cell, dropped = list(cell), 0
    while isinstance(error := parse("\n".join(cell)), SyntaxError):
        wrong = (error.lineno or 0) - 1
        short = 0 <= wrong < len(cell) and len(cell[wrong]) <= 1_000
        found = COMMAND.match(cell[wrong]) if short else None
        if found is None or dropped == most:
            return None
        indent = found["indent"]
        cell[wrong] = f"{indent}pass  # {cell[wrong].strip()}"  # what is before it may need a body
        dropped += 1
    return cell


def _wrong(number: int, before: int, cell: list[str]) -> list[WrongCell]:
    """Return the error in the code cell `number`, before which the file has `before` lines; none if
    the cell is Python or in another language.
    """
    if _is_of_another_program(cell):
        return []
    blank = [
        "" if COMMAND.match(line) and not line.lstrip().startswith(("def ", "class ")) else line
        for line in cell
    ]
    errors = (parse("\n".join(lines)) for lines in (blank, cell))
    error = next((each for each in errors if isinstance(each, SyntaxError)), None)
    if error is None:
        return []
    within = min(max(error.lineno or 1, 1), len(cell))
    defines = re.findall(r"^(?:async\s+)?(?:def|class)\s+(\w+)", "\n".join(cell), re.MULTILINE)
    text = cell[within - 1].strip()[:80]
    return [WrongCell(number, within, before + within, error.msg or "syntax", text, tuple(defines))]


def _not_needed(text: str, functions: Set[str]) -> list[int]:
    """Return the lines of the statements that the definitions of the file do not need."""
    tree = parse(text)
    if isinstance(tree, SyntaxError):  # right cells that are wrong together
        return []
    try:
        needed = _globals_of(text, tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    body = tree.body
    units = _units(body)
    nodes_of = {name: nodes for name, nodes in rebindings(tree).items() if name in functions}
    again = {node for nodes in nodes_of.values() for node in nodes}
    rebound = [
        {name for each in unit for name, node in bindings(each) if node in again} for unit in units
    ]
    defining = [
        not names and any(_defines(node) and not _is_for_experiments(node) for node in unit)
        for unit, names in zip(units, rebound, strict=True)
    ]
    always = [node for unit in itertools.compress(units, defining) for node in unit]
    imported = {name for node in always if isinstance(node, IMPORTS) for name in _changes(node)}
    changing: dict[str, list[int]] = {}
    for number, unit in enumerate(units):
        for name in set().union(*map(_changes, unit)) - imported - rebound[number]:
            changing.setdefault(name, []).append(number)
    kept: set[int] = set()
    waiting = [number for number, defines in enumerate(defining) if defines]
    waiting += [number for name in needed for number in changing.get(name, ())]
    while waiting:
        number = waiting.pop()
        if number not in kept:
            kept.add(number)
            names = set() if all(map(_defines, units[number])) else names_in(units[number])
            waiting += [other for name in names for other in changing.pop(name, ())]
    spans = (_span(unit) for number, unit in enumerate(units) if number not in kept)
    return [line for first, last in spans for line in range(first, last + 1)]


def _units(body: Sequence[ast.stmt]) -> list[list[ast.stmt]]:
    """Group statements on the same line, such as `import os; print(1)`, because they are kept or
    left out together.
    """
    units: list[list[ast.stmt]] = []
    for node in body:
        if units and node.lineno <= _span(units[-1])[1]:
            units[-1].append(node)
        else:
            units.append([node])
    return units


def _span(unit: Sequence[ast.stmt]) -> tuple[int, int]:
    return unit[0].lineno, unit[-1].end_lineno or unit[-1].lineno


def _defines(node: ast.stmt) -> bool:
    return isinstance(node, DEFINITIONS) or _says_nothing(node)


def _is_for_experiments(node: ast.stmt) -> bool:
    """Return whether a statement imports our pictures or Colab's tools: where the file is marked
    there are none.
    """
    match node:
        case ast.Import(names=names):
            modules = [alias.name for alias in names]
        case ast.ImportFrom(module=str(module), names=names, level=0):
            modules = [f"{module}.{alias.name}" for alias in names]
        case _:
            return False
    return all(f"{module}.".startswith(("practica.", "google.colab.")) for module in modules)


def _says_nothing(node: ast.stmt) -> bool:
    return isinstance(node, ast.Pass) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    )


def _globals_of(text: str, tree: ast.Module) -> set[str]:
    """Return the names of the file that its functions and classes read, when they run or when they
    are defined.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        waiting: Sequence[symtable.SymbolTable] = symtable.symtable(
            text, "<notebook>", "exec"
        ).get_children()
    found = set()
    while waiting:
        found |= {
            symbol.get_name()
            for table in waiting
            for symbol in table.get_symbols()
            if symbol.is_global()
        }
        waiting = [child for table in waiting for child in table.get_children()]
    for node in tree.body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                found |= names_in(
                    [*node.decorator_list, node.args, *([node.returns] if node.returns else [])]
                )
            case ast.ClassDef():
                found |= names_in([*node.decorator_list, *node.bases, *node.keywords])
    return found


def _changes(node: ast.stmt) -> set[str]:
    """Return the names that a statement assigns or may change: `table = []`, `table[k] = 1`,
    `table.add(1)`.
    """
    changed: list[ast.AST] = []  # every name in these counts, and none is within another
    within: set[ast.AST] = set()
    for leaf in running(node):
        match leaf:
            case (
                ast.Attribute(value=inner, ctx=ast.Store())
                | ast.Subscript(value=inner, ctx=ast.Store())
                | ast.Call(func=ast.Attribute(value=inner))
            ) if leaf not in within:
                changed.append(inner)
                within.update(ast.walk(inner))
    return {name for name, _ in bindings(node)} | names_in(changed)
