"""A student's file as the text that Python reads, and as steps that run one after the other.

What reads a file and what runs it take the same text from here, so that both see the same program.
"""

from __future__ import annotations
import __future__

import ast
import codecs
import io
import itertools
import linecache
import re
import sys
import types
import warnings
from collections.abc import Callable
from dataclasses import dataclass

MAX_STEPS = 2_000  # steps of a file that is run step by step
# encodings that are written in Python, of names in the net: half a minute for a long file
SLOW = ("idna", "punycode")


@dataclass(frozen=True, slots=True)
class Step:
    """Statements of a file that run together: consecutive function definitions, or one other
    statement.
    """

    line: int  # the first one
    loose: bool  # whether it is neither import nor definition nor constant
    code: types.CodeType
    modules: frozenset[str] = frozenset()  # those that it imports before it does anything else


def load_source(source: bytes, path: str, name: str = "entrega") -> types.ModuleType:
    """Run a student's file and return its module.

    `source`: the file as it is, in the encoding that `decode` finds.
    `path`: what tracebacks and `__file__` say.
    `name`: the module's `__name__`, never "__main__".
    Raises whatever the file raises; a SyntaxError or ValueError if Python cannot read it.
    """
    module, steps = steps_of(source, path, name)
    for step in steps:
        exec(step.code, module.__dict__)
    return module


def steps_of(
    source: bytes,
    path: str,
    name: str = "entrega",
    prepared: Callable[[ast.Module], ast.Module] = lambda tree: tree,
) -> tuple[types.ModuleType, list[Step]]:
    """Return the module of a student's file, before anything of it has run, and the steps to run in
    it, in turn.

    `prepared`: returns the tree that runs in place of that of the text.
    Other parameters, and errors, are those of `load_source`. Run one after the other, the steps do
    what the file does; a caller that runs each of them knows on which line the file has come to its
    end.
    """
    module = types.ModuleType(name)
    module.__file__ = path
    text, wrong = decode(source)
    # Python says what it thinks of it, unless it is in comments
    if wrong is not None and declares_encoding(source):
        compile(source, path, "exec", dont_inherit=True)
    lines = [f"{line}\n" for line in lines_of(text)]
    # inspect.getsource works without the file
    linecache.cache[path] = (len(source), None, lines, path)
    # or the parts of a wrong file would run until the wrong one
    compile(text, path, "exec", dont_inherit=True)
    starts: list[tuple[int, bool]] = []
    flags = end = 0
    follows = False  # a statement that can be in one step with the next
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they were given above
        body = ast.parse(text).body
        for node in body:
            line = first_line(node)
            quiet, loose = _says_nothing(node), not isinstance(node, ast.Import | ast.ImportFrom)
            loose &= not quiet
            if line <= end:
                starts[-1] = starts[-1][0], starts[-1][1] or loose
            elif not (quiet and follows):
                starts.append((line, loose))
            follows, end = quiet and (line > end or follows), node.end_lineno or line
            if isinstance(node, ast.ImportFrom) and node.module == "__future__":
                flags |= sum(getattr(__future__, alias.name).compiler_flag for alias in node.names)
        body = prepared(ast.Module(body, [])).body
        starts = starts[:: 1 + len(starts) // MAX_STEPS]
        steps = []
        following = 0
        for number, (line, loose) in enumerate(starts, start=1):
            last = starts[number][0] - 1 if number < len(starts) else len(lines)
            modules: set[str] = set()
            begins = following
            while following < len(body) and body[following].lineno <= last:
                following += 1
            nodes = body[begins:following]
            for node in itertools.takewhile(_is_import, nodes):
                modules |= _modules_of(node)
            part = ast.Module(nodes, [])
            code = compile(part, path, "exec", flags, dont_inherit=True)
            steps.append(Step(line, loose, code, frozenset(modules)))
    sys.modules[name] = module
    return module, steps


def first_line(node: ast.stmt) -> int:
    """Return the line on which a statement, or the first of its decorators, begins."""
    return min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])


def lines_of(text: str) -> list[str]:
    r"""Return the lines of a file as Python counts them, without their ends.

    >>> lines_of("a\x0cb\r\nc\r\n")
    ['a\x0cb', 'c']
    """
    return [line.removesuffix("\n") for line in io.StringIO(text, newline=None)]


def _is_import(node: ast.stmt) -> bool:
    return isinstance(node, ast.Import | ast.ImportFrom)


def _modules_of(node: ast.stmt) -> set[str]:
    """Return the modules that a statement imports, and the packages that contain them."""
    match node:
        case ast.Import(names=aliases):
            names = [alias.name for alias in aliases]
        case ast.ImportFrom(module=str(module), level=0):
            names = [module]
        case _:
            return set()
    return {
        name[:end]
        for name in names
        for end in [*(found.start() for found in re.finditer(r"\.", name)), len(name)]
    }


def _says_nothing(node: ast.stmt) -> bool:
    """Return whether a statement can neither fail nor take any time: a constant, or a plain
    `def`.
    """
    match node:
        case (
            ast.Expr(value=ast.Constant()) | ast.Assign(value=ast.Constant(), targets=[ast.Name()])
        ):
            return True
        case ast.FunctionDef(decorator_list=[], returns=None, args=given):
            defaults = [*given.defaults, *given.kw_defaults]
            parameters = [each for each in ast.walk(given) if isinstance(each, ast.arg)]
            return all(
                each is None or isinstance(each, ast.Constant) for each in defaults
            ) and not any(each.annotation for each in parameters)
    return False


def decode(source: bytes) -> tuple[str, int | None]:
    """Decode a file as Python does, by its byte order mark or its declared encoding.

    What reads a file and what runs it take the same text from here, so that both see the same
    program.

    Returned `text`: if it is not in its encoding, UTF-8 with the other bytes as Latin-1.
    Returned `line`: the line that is not in the file's encoding; None when the file is well
        encoded.
    """
    marked = source.startswith(codecs.BOM_UTF8)
    encoding = "utf-8-sig" if marked else "utf-8"
    wrong = None
    if declared := _declared(source):
        if marked:
            wrong = None if re.fullmatch(r"utf-8(-.*)?", declared) else 1
        else:
            encoding = declared
    try:
        if b"coding".decode(encoding) != "coding" or codecs.lookup(encoding).name in SLOW:
            raise LookupError  # the declaration cannot be read in what it declares
        return source.decode(encoding), wrong
    except (UnicodeError, LookupError, ValueError) as error:
        before = source[: error.start] if isinstance(error, UnicodeDecodeError) else b""
        return source.decode("utf-8-sig", "latin-1"), len(re.findall(rb"\r\n?|\n", before)) + 1


def declares_encoding(source: bytes) -> bool:
    """Return whether a file says in which encoding it is: one that does not is UTF-8, or else read
    as Latin-1.
    """
    return bool(_declared(source)) or source.startswith(codecs.BOM_UTF8)


def _declared(source: bytes) -> str:
    """Return the encoding that a file declares in one of its first two lines; empty if it declares
    none.
    """
    for line in re.split(rb"\r\n?|\n", source.removeprefix(codecs.BOM_UTF8), maxsplit=2)[:2]:
        if found := re.match(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", line):
            return found[1].decode("ascii").lower().replace("_", "-")
        # after a statement it is a comment like any other
        if re.match(rb"[ \t\f]*(#|$)", line) is None:
            break
    return ""


def _as_latin_1(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error("latin-1", _as_latin_1)
