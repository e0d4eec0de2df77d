"""The text of a submission: its definitions, what they mention, and the helpers that they lead to.

The file is read, never run. Nothing here has to be proof against code that hides something: a
forbidden function does not work where a file is marked (`practica.grading.inside.disable_names`). A
name is followed through imports, `getattr(a, "b")` and plain assignments of the file. A function
leads to the functions and classes of the file that it mentions, and to the methods of these classes
that it mentions or that Python calls by itself. What only runs under `if __name__ == "__main__":`
is left out, because it does not run here.
"""

from __future__ import annotations

import ast
import builtins
import re
import unicodedata
import warnings
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Any

from practica.grading.inside.loading import decode, first_line

# Limits on what keeps Python's parser busy for minutes:
MARKS = 50  # combining marks on one letter
FIELDS = 500_000_000  # fields of f-strings, each times the length of its string
BUILTINS = frozenset(dir(builtins))
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
LOOPS = ast.For | ast.AsyncFor | ast.While
FEW = 3  # things over which no array operation would be shorter
COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def goes_over_few(comprehension: ast.AST) -> bool:
    """Return whether a comprehension goes over at most three values that the text lists one by one.

    >>> goes_over_few(ast.parse("[len(x) for x in (a, b)]", mode="eval").body)
    True
    >>> goes_over_few(ast.parse("[len(x) for x in (a, *b)]", mode="eval").body)
    False
    """
    displays = [each.iter for each in getattr(comprehension, "generators", ())]
    return all(
        isinstance(each, ast.Tuple | ast.List | ast.Set)
        and len(each.elts) <= FEW
        and not any(isinstance(item, ast.Starred) for item in each.elts)
        for each in displays
    )


def parse(text: str) -> ast.Module | SyntaxError:
    """Return the syntax tree of a file, or the error with its line; any exception of Python's
    parser counts as a syntax error.
    """
    if _most_marks(text) > MARKS:
        return SyntaxError(f"more than {MARKS} marks on one letter")
    if _fields(text) > FIELDS:
        return SyntaxError("too many fields in an f-string")
    try:
        with warnings.catch_warnings():
            # invalid escapes are the student's, and no matter of ours
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        return error
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        return SyntaxError(str(error) or type(error).__name__)


def body_of(text: str) -> list[ast.stmt]:
    """Return the statements of a file; none if Python cannot parse it."""
    tree = parse(text)
    return [] if isinstance(tree, SyntaxError) else tree.body


def imports_of(text: str) -> list[tuple[str, str, int]]:
    """Return the imports of a file, as `Source` has them; none if Python cannot parse it."""
    tree = parse(text)
    return [] if isinstance(tree, SyntaxError) else Source(tree).imports


def has_conflict(text: str) -> bool:
    """Return whether a merge of two versions was left half-way, with its marks in the text."""
    return all(re.search(rf"^{mark * 7}( |$)", text, re.MULTILINE) for mark in "<>")


def _most_marks(text: str) -> int:
    """Return the length of the longest run of combining characters in a string, after
    decomposition.
    """
    most = 0
    # none is taken apart into more than two
    for foreign in re.findall(rf"[^\0-\x7f]{{{MARKS // 2},}}", text):
        marks = 0
        for character in "".join(unicodedata.normalize("NFKD", letter) for letter in foreign):
            marks = marks + 1 if unicodedata.combining(character) else 0
            most = max(most, marks)
    return most


# An open string goes up to its quotes, and a short one ends with its line, too. One may seem to
# begin within another.
_STRING = "|".join(
    rf"{3 * quote}(?:[^\\{quote}]|\\.|{quote}(?!{quote}{quote}))*+|{quote}(?:[^\\\n{quote}]|\\.)*+"
    for quote in "'\""
)
_F_STRING = re.compile(rf"(?:f|rf|fr)(?=({_STRING}))", re.IGNORECASE | re.DOTALL)


def _fields(text: str) -> int:
    """Count the fields of all f-strings in source text, each times the length of its string."""
    return sum(string.count("{") * len(string) for string in _F_STRING.findall(text))


@dataclass(frozen=True)
class Loop:
    """A `for` or `while` statement."""

    line: int  # that of its head
    first: int  # first, last: the lines of its body
    last: int
    endless: bool  # whether its head has no condition, as in `while True`
    in_one: bool = False  # whether the body begins on the line on which the head ends


@dataclass(frozen=True)
class Piece:
    """The names, calls and loops in a function, a method, a value of the file, or a class without
    its methods.
    """

    # names, attributes: the names that it reads or writes, and those that follow a dot
    names: Set[str]
    attributes: Set[str]
    # of a value, the names that are called to make it, once, when the file is imported. They are
    # not in `names`
    made_by: Set[str]
    # the full names of what it mentions from outside the file, and the lines; an attribute of
    # something else is named `?.attribute`
    mentions: Sequence[tuple[str, int]]
    classes: Sequence[ast.ClassDef]  # those that are defined in it
    loops: Sequence[int]  # their lines
    comprehensions: Sequence[ast.expr]


class Source:
    """The names of a file, and what they stand for.

    `meanings`: what each name of the file may stand for: definitions of functions and classes, and
        values.
    `imports` (list of (str, str, int)): the name in the file, the full name that it stands for, and
    the line.
    `redefined`: the lines of functions that always run more than once under one name: only the last
        one is kept.
    `rebound`: the functions whose name stands for something else once the file has run, and the
        line that says so: `accuracy = accuracy(outputs, targets)`.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self.statements = list(statements(tree.body))
        # of what runs in the file
        self.nodes = [node for statement in self.statements for node in _heads(statement)]
        self.meanings: dict[str, list[ast.AST]] = {}
        self.imports: list[tuple[str, str, int]] = []
        self._imported: dict[str, str] = {}
        self._pieces: dict[ast.AST, Piece] = {}
        for node in self.nodes:
            if isinstance(node, ast.Import | ast.ImportFrom):
                self._import(node)
        declared = _declared(self.nodes)
        for node in self.nodes:
            if isinstance(node, FUNCTIONS) and node.name in declared:
                self.meanings.setdefault(node.name, []).append(node)
        top = {*tree.body}
        plain = [
            node for node in tree.body if isinstance(node, FUNCTIONS) and not node.decorator_list
        ]
        lines: dict[str, list[int]] = {}
        for node in plain:
            lines.setdefault(node.name, []).append(node.lineno)
        self.redefined = {name: found for name, found in lines.items() if len(found) > 1}
        self.rebound = {name: found[-1].lineno for name, found in rebindings(tree).items()}
        registered: dict[str, list[ast.AST]] = {}
        for node in self.nodes:
            for decorator in getattr(node, "decorator_list", ()):
                chain = _chain(decorator.func if isinstance(decorator, ast.Call) else decorator)
                if len(chain) > 1:  # `@accuracy.register(list)`
                    registered.setdefault(chain[0], []).append(node)
        for statement in self.statements:
            self._bind(statement, hides=statement in top)
        for name in registered.keys() & self.meanings.keys():
            self.meanings[name] += registered[name]
        self._defined = {
            name
            for name, meant in self.meanings.items()
            if any(isinstance(each, FUNCTIONS | ast.ClassDef) for each in meant)
        }
        self.loops = [_loop(node) for node in self.nodes if isinstance(node, LOOPS)]
        methods = (
            each for node in self.nodes if isinstance(node, ast.ClassDef) for each in node.body
        )
        self._methods = [each for each in methods if isinstance(each, FUNCTIONS)]

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        for name in node.names:
            if isinstance(node, ast.Import):
                full, first = name.name, name.name.partition(".")[0]
                self._imported[name.asname or first] = full if name.asname else first
            else:
                full = f"{'.' * node.level}{node.module or ''}.{name.name}"
                self._imported[name.asname or name.name] = full
            self.imports.append((name.asname or name.name, full, node.lineno))

    def _bind(self, statement: ast.stmt, *, hides: bool) -> None:
        """Record what the names that a statement binds stand for.

        `hides`: whether the statement always runs, so that a definition replaces earlier ones of
            its name.
        """
        match statement:
            case (
                ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.ClassDef(name=name)
            ):
                self.meanings[name] = [*([] if hides else self.meanings.get(name, [])), statement]
                return
            case ast.Assign(targets=targets, value=value):
                pass
            case (
                ast.AnnAssign(target=target, value=ast.expr() as value)
                | ast.AugAssign(target=target, value=value)
            ):
                targets = [target]
            case ast.For(target=target, iter=value):
                targets = [target]
            case _:
                return
        for target in targets:
            pairs = [(target, value)] if isinstance(statement, ast.For) else _pairs(target, value)
            for one, meant in pairs:
                for name in names_in([one]):
                    self.meanings.setdefault(name, []).append(meant)

    def reached(self, function: str, apart: Iterable[str]) -> list[ast.AST]:
        """Return the pieces of the file that a function uses, directly or through others.

        `apart`: functions that are judged on their own: what they use is left out.
        Returned `pieces`: functions, methods and values; the function's own first.
        """
        others = {*apart} - {function}
        own = self._definitions(function)
        reach = _Reach(
            self, others, {each for other in others for each in self._definitions(other)} - own
        )
        for meaning in self.meanings.get(function, []):
            reach.follow(meaning, is_used=True)
        return list(reach.found)

    def _definitions(self, function: str) -> set[ast.AST]:
        """Return the definitions of functions that a name stands for, directly or through other
        names of the file.
        """
        found: set[ast.AST] = set()
        waiting, known = [function], {function}
        while waiting:
            for meaning in self.meanings.get(waiting.pop(), ()):
                match meaning:
                    case ast.Name(id=name) if name not in known:
                        known.add(name)
                        waiting.append(name)
                    case ast.Attribute(attr=name):
                        found |= {each for each in self._methods if each.name == name}
                    case ast.FunctionDef() | ast.AsyncFunctionDef():
                        found.add(meaning)
        return found

    def piece(self, node: ast.AST) -> Piece:
        """Return the contents of a node of the file as a `Piece`."""
        if node not in self._pieces:
            nodes = list(_own_nodes(node))
            own = _own_names(node)
            is_value = isinstance(node, ast.expr) and not isinstance(node, ast.Lambda)
            makers = {leaf.func for leaf in nodes if is_value and isinstance(leaf, ast.Call)}
            made_by = {maker.id for maker in makers if isinstance(maker, ast.Name)}
            self._pieces[node] = Piece(
                {
                    leaf.id
                    for leaf in nodes
                    if isinstance(leaf, ast.Name) and leaf not in makers and leaf.id not in own
                },
                {leaf.attr for leaf in nodes if isinstance(leaf, ast.Attribute)},
                made_by,
                list(self.mentioned(nodes, own)),
                [leaf for leaf in nodes if isinstance(leaf, ast.ClassDef) and leaf is not node],
                [leaf.lineno for leaf in nodes if isinstance(leaf, LOOPS)],
                [leaf for leaf in nodes if isinstance(leaf, COMPREHENSIONS)],
            )
        return self._pieces[node]

    def mentions(self) -> list[tuple[str, int]]:
        """Return the names from outside that the whole file mentions, its imports included."""
        found = [(full, line) for _, full, line in self.imports]
        for statement in self.statements:
            if isinstance(statement, FUNCTIONS | ast.ClassDef):
                waiting: list[ast.AST] = [statement]
                while waiting:
                    node = waiting.pop()
                    piece = self.piece(node)
                    found += piece.mentions
                    inside = (
                        [node, *piece.classes] if isinstance(node, ast.ClassDef) else piece.classes
                    )
                    waiting += [
                        each for one in inside for each in one.body if isinstance(each, FUNCTIONS)
                    ]
            else:
                found += self.mentioned(_heads(statement))
        return found

    def mentioned(
        self, nodes: Iterable[ast.AST], own: Set[str] = frozenset()
    ) -> Iterator[tuple[str, int]]:
        """Yield the outside names that some nodes mention, as `Piece` has them; `own` are names
        that mean something local.
        """
        for node in nodes:
            match node:
                case ast.Name(id=name, ctx=ast.Load()):
                    if name not in own and (full := self._full_name((name,))):
                        yield full, node.lineno
                case ast.Attribute() | ast.Call(func=ast.Name(id="getattr")):
                    names = _chain(node)
                    if names[:1] and names[0] not in own and (full := self._full_name(names)):
                        yield full, node.lineno
                    if names:
                        yield f"?.{names[-1]}", node.lineno

    def _full_name(self, names: tuple[str, ...]) -> str:
        """Return the full name outside the file for `a.b.c`; empty if the file defines it."""
        # from one name of the file to the next
        for _ in range(20):
            if not names or names[0] == "?":
                return ""
            first, *rest = names
            if first in self._imported and first not in self._defined:
                return ".".join([self._imported[first], *rest])
            meaning = self.meanings.get(first)
            if meaning is None:
                return ".".join(["builtins", *names]) if first in BUILTINS else ""
            if len(meaning) != 1 or not (chain := _chain(meaning[0])):
                return ""
            names = (*chain, *rest)
        return ""


class _Reach:
    """A search for the pieces of a file that a definition uses, directly or through other names.

    `found`: the pieces, in the order in which they were found.
    """

    def __init__(self, source: Source, names: set[str], apart: Set[ast.AST]) -> None:
        self.found: dict[ast.AST, None] = {}
        # those that are not followed any more
        self._source, self._names, self._apart = source, names, apart
        self._made: set[str] = set()
        self._attributes: set[str] = set()
        self._classes: set[tuple[ast.ClassDef, bool]] = set()
        # of the classes, by name, until an attribute is called so
        self._methods: dict[str, list[ast.AST]] = {}

    def follow(self, meaning: ast.AST, *, is_used: bool) -> None:
        """Add to `found` what a name stands for, and all pieces that this uses.

        `is_used`: of a class, whether Python may call its special methods, such as `__init__` and
            `__add__`.
        """
        waiting = [(meaning, is_used)]
        while waiting:
            node, is_used = waiting.pop()
            if isinstance(node, ast.ClassDef):
                waiting += self._class(node, is_used)
            elif node not in self.found and node not in self._apart:
                self.found[node] = None
                piece = self._source.piece(node)
                waiting += self._meant(piece.names, self._names, is_used=True)
                waiting += self._meant(piece.made_by, self._made, is_used=False)
                waiting += [(each, True) for each in piece.classes]
                for attribute in piece.attributes - self._attributes:
                    waiting += [(each, True) for each in self._methods.pop(attribute, ())]
                self._attributes |= piece.attributes

    def _meant(
        self, names: Set[str], known: set[str], *, is_used: bool
    ) -> list[tuple[ast.AST, bool]]:
        new = sorted(names - known)
        known.update(new)
        meant = [each for name in new for each in self._source.meanings.get(name, ())]
        return [(each, is_used) for each in meant if is_used or isinstance(each, ast.ClassDef)]

    def _class(self, node: ast.ClassDef, is_used: bool) -> list[tuple[ast.AST, bool]]:
        if (node, is_used) in self._classes:
            return []
        self._classes.add((node, is_used))
        piece = self._source.piece(node)
        reached = self._meant(piece.names, self._names, is_used=True)
        for method in node.body:
            if isinstance(method, FUNCTIONS):
                by_python = method.name == "__call__" or (is_used and method.name.startswith("__"))
                if by_python or method.name in self._attributes:
                    reached.append((method, True))
                else:
                    self._methods.setdefault(method.name, []).append(method)
        bases = dict.fromkeys(base.id for base in node.bases if isinstance(base, ast.Name))
        return reached + [
            (each, is_used) for name in bases for each in self._source.meanings.get(name, ())
        ]


def is_unwritten(definition: ast.AST) -> bool:
    """Return whether the body of a function has only a docstring, `pass`, `...` or `raise
    NotImplementedError`.
    """
    return isinstance(definition, FUNCTIONS) and all(map(_does_nothing, definition.body))


def statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements that run when the file is imported, also those under a condition."""
    waiting = [*body][::-1]
    while waiting:
        statement = waiting.pop()
        if isinstance(statement, ast.If) and is_main_guard(statement.test):
            waiting += statement.orelse[::-1]
            continue
        yield statement
        if not isinstance(statement, FUNCTIONS | ast.ClassDef):
            waiting += [each for inner in _bodies(statement) for each in inner][::-1]


def running(statement: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a statement that run with it; of a function or class, those of its
    header.
    """
    waiting = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        match node:
            case ast.If(test=test, orelse=otherwise) if is_main_guard(test):
                waiting += otherwise
            case (
                ast.FunctionDef(args=given)
                | ast.AsyncFunctionDef(args=given)
                | ast.Lambda(args=given)
            ):
                waiting += getattr(node, "decorator_list", [])
                waiting += [*given.defaults, *filter(None, given.kw_defaults)]
            case ast.ClassDef():
                waiting += [*node.decorator_list, *node.bases]
                waiting += [keyword.value for keyword in node.keywords]
            case _:
                waiting += ast.iter_child_nodes(node)


def bindings(statement: ast.AST) -> Iterator[tuple[str, Any]]:
    """Yield each name that a statement itself binds or deletes, with the node that does.

    "*" stands for the names of `from module import *`.
    """
    elsewhere: set[ast.AST] = set()
    for node in running(statement):
        match node:
            case ast.comprehension(target=target) | ast.AnnAssign(target=target, value=None):
                elsewhere |= {*ast.walk(target)}
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) if node not in elsewhere:
                yield name, node
            case ast.alias(name=full, asname=name):
                yield name or full.partition(".")[0], node
            case (
                ast.FunctionDef(name=str(name))
                | ast.AsyncFunctionDef(name=str(name))
                | ast.ClassDef(name=str(name))
                | ast.ExceptHandler(name=str(name))
                | ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
                | ast.MatchMapping(rest=str(name))
            ):
                yield name, node


def rebindings(tree: ast.Module) -> dict[str, list[Any]]:
    """Return, by name, the nodes that bind the name of a function of the file again below its
    `def`.

    Another function, or a decorated one as in `f = cache(f)`, is a definition as well, and what
    stands above it no longer counts. A function of the file that assigns global names binds them
    where the file calls it.
    """
    found: dict[str, list[Any]] = {}
    by_calls = {each.name: _globals_of(each) for each in tree.body if isinstance(each, FUNCTIONS)}
    for statement in tree.body:
        bound = [*bindings(statement)]
        for leaf in running(statement):
            if isinstance(leaf, ast.Call) and isinstance(leaf.func, ast.Name):
                bound += by_calls.get(leaf.func.id, [])
        for name, node in bound:
            if isinstance(node, FUNCTIONS) or (name in found and _is_definition(statement, found)):
                found[name] = []
            elif name in found:
                found[name].append(node)
    return {name: nodes for name, nodes in found.items() if nodes}


def _globals_of(function: ast.AST) -> list[tuple[str, ast.AST]]:
    """Return the global names that a function assigns, each with the node that does."""
    leaves = [*ast.walk(function)]
    declared = _declared(leaves)
    names = [leaf for leaf in leaves if isinstance(leaf, ast.Name) and leaf.id in declared]
    return [(leaf.id, leaf) for leaf in names if not isinstance(leaf.ctx, ast.Load)]


def _is_definition(statement: ast.stmt, functions: Collection[str]) -> bool:
    """Return whether an assignment gives its name to a function: a lambda, a function of the file,
    or what a decorator makes of the one of that name.
    """
    match statement:
        case ast.Assign(value=ast.Lambda()):
            return True
        case ast.Assign(value=ast.Name(id=name)):
            return name in functions
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(args=[ast.Name(id=wrapped)])):
            return wrapped == name
    return False


def names_bound_at(source: bytes, line: int) -> list[str]:
    r"""Return the names that the statements on a line bind.

    >>> sorted(names_bound_at(b"x = 1\na, b = 1, 2\n", 2)), names_bound_at(b"@f\ndef g(): 1", 1)
    (['a', 'b'], ['g'])
    """
    nodes = body_of(decode(source)[0])
    found = [node for node in nodes if first_line(node) <= line <= (node.end_lineno or line)]
    return [name for node in found for name, _ in bindings(node)]


def names_in(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the names that are read or written anywhere in some nodes."""
    return {leaf.id for node in nodes for leaf in ast.walk(node) if isinstance(leaf, ast.Name)}


def written_out(node: ast.AST, *, with_lines: bool = False) -> str:
    """Return a string that is the same for equal trees only, however deep they are.

    `with_lines`: whether trees on different lines count as different.
    """
    leaves = [*ast.walk(node)]
    fields = [[_shown(value) for _, value in ast.iter_fields(leaf)] for leaf in leaves]
    lines = [getattr(leaf, "lineno", 0) for leaf in leaves] if with_lines else []
    return repr((fields, lines))


def _shown(field: object) -> object:
    if isinstance(field, list):
        return [_shown(each) for each in field]
    if isinstance(field, ast.AST):
        return type(field).__name__
    # Python writes no decimal number of thousands of digits
    return hex(field) if isinstance(field, int) else repr(field)


def _heads(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield the nodes of a statement, without the statements in its body."""
    if isinstance(statement, FUNCTIONS | ast.ClassDef) or not any(True for _ in _bodies(statement)):
        yield from ast.walk(statement)
        return
    yield statement
    for field in ("test", "iter", "target", "subject", "items"):
        value = getattr(statement, field, None)
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, ast.AST):
                yield from ast.walk(part)


def _bodies(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        if inner := getattr(statement, name, []):
            yield inner
    for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield part.body


def _pairs(target: ast.expr, value: ast.AST) -> Iterator[tuple[ast.expr, ast.AST]]:
    """Yield each target of an assignment with its value, one by one if both sides list their
    elements.
    """
    match target, value:
        case (
            ast.Tuple(elts=targets) | ast.List(elts=targets),
            ast.Tuple(elts=values) | ast.List(elts=values),
        ) if len(targets) == len(values) and not any(
            isinstance(each, ast.Starred) for each in (*targets, *values)
        ):
            for one, meant in zip(targets, values, strict=True):
                yield from _pairs(one, meant)
        case _:
            yield target, value


def _own_nodes(piece: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a piece, except those of methods, which are pieces of their own."""
    waiting = [piece]
    while waiting:
        node = waiting.pop()
        yield node
        inner = ast.iter_child_nodes(node)
        waiting += [
            each
            for each in inner
            if not (isinstance(node, ast.ClassDef) and isinstance(each, FUNCTIONS))
        ]


def _own_names(piece: ast.AST) -> Set[str]:
    """Return the local names of a function: its parameters, and the names that it assigns without
    declaring them global.
    """
    if not isinstance(piece, FUNCTIONS | ast.Lambda):
        return frozenset()
    leaves = list(ast.walk(piece))
    given = {leaf.arg for leaf in leaves if isinstance(leaf, ast.arg)}
    written = {
        leaf.id
        for leaf in leaves
        if isinstance(leaf, ast.Name) and not isinstance(leaf.ctx, ast.Load)
    }
    return (given | written) - _declared(leaves)


def _declared(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the names that some nodes declare global."""
    return {name for node in nodes if isinstance(node, ast.Global) for name in node.names}


def _chain(expression: ast.AST) -> tuple[str, ...]:
    """Return the names in `a.b.c`, or in `getattr(a, "b").c`; none if the expression is neither.

    "?" stands for an `a` that is not a name.
    """
    names: list[str] = []
    # what has more names between dots is not a module's
    while len(names) < 16:
        match expression:
            case ast.Attribute(value=inner, attr=name):
                pass
            case ast.Call(
                func=ast.Name(id="getattr"), args=[inner, ast.Constant(value=str(name)), *_]
            ):
                pass
            case ast.Name(id=name):
                return (name, *reversed(names))
            case _:
                return ("?", *reversed(names)) if names else ()
        names.append(name)
        expression = inner
    return ()


def _loop(node: ast.For | ast.AsyncFor | ast.While) -> Loop:
    head = node.test if isinstance(node, ast.While) else node.iter
    first, last = node.body[0].lineno, node.body[-1].end_lineno or node.lineno
    endless = isinstance(node, ast.While) and isinstance(node.test, ast.Constant)
    return Loop(node.lineno, first, last, endless, first == (head.end_lineno or node.lineno))


def _does_nothing(statement: ast.stmt) -> bool:
    match statement:
        case ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Raise(exc=ast.Call(func=error) | (ast.Name() | ast.Attribute() as error)):
            return _chain(error)[-1:] == ("NotImplementedError",)
    return False


def is_main_guard(test: ast.expr) -> bool:
    """Return whether a condition is `__name__ == "__main__"`."""
    match test:
        case ast.Compare(
            left=ast.Name(id="__name__"),
            ops=[ast.Eq()],
            comparators=[ast.Constant(value="__main__")],
        ):
            return True
        case ast.Compare(
            left=ast.Constant(value="__main__"),
            ops=[ast.Eq()],
            comparators=[ast.Name(id="__name__")],
        ):
            return True
    return False
