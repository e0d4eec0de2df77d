"""The student's file as text: which functions it has, what they mention, and which helpers they lead to.

Nothing is imported or run. A name is followed through imports (`import a.b as c`, `from a import b`), plain assignments
(`f = a.b`) and attributes of modules (`a.b.c`, `getattr(a, "b")`); other variables of the file lead to all that their
expressions mention. A function leads to every function of the file that it mentions, and to the methods of the classes
that it mentions by their names alone. The last of several definitions on one straight line hides those before it.

What is not followed: names that are put together or looked up when the file runs (`globals()`, `vars(x)`,
`__dict__`, `sys.modules`, importlib, `getattr` under another name); what a function returns, gets as an argument, keeps
in an object, puts into a container or declares global; types; pickles; other names of the same library object; and
whatever changes a function from outside. What running tells is looked at there (`practica.grading.observation`), and so
is what an imported name stands for; where names are hidden, the mention of how is found, for a person.
"""

from __future__ import annotations

import ast
import builtins
import re
import unicodedata
import warnings
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

__all__ = ["Body", "External", "Loop", "Module", "Reached", "parse"]

BUILTINS = frozenset(dir(builtins))
STEPS = 100_000  # to follow names in one file, whatever for, and
HOPS = 100  # from one name to its meaning; then the rest is unknown, and the module `tangled`
# What keeps Python's parser busy for minutes, and it listens to nobody meanwhile:
MARKS = 50  # on one letter, which it puts in order by exchanging neighbours, again and again
FIELDS = 500_000_000  # of f-strings, times the length of their string, through which 3.11 goes again for each of them
LONGEST = 16  # names between dots; what follows is no module's
DEEPEST = 16  # functions and classes in one another; for each name all are gone through
MAKING = frozenset(["__init__", "__new__", "__post_init__", "__init_subclass__", "__call__", "__set_name__"])


def parse(text: str) -> ast.Module | SyntaxError:
    """Parse a file, or return the error with its line; whatever Python's parser gives up with is a syntax error."""
    if _most_marks(text) > MARKS:
        return SyntaxError(f"more than {MARKS} marks on one letter")
    if _fields(text) > FIELDS:
        return SyntaxError("too many fields in an f-string")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes are the student's, and no matter of ours
            return ast.parse(text)
    except SyntaxError as error:
        return error
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        return SyntaxError(str(error) or type(error).__name__)


def _most_marks(text: str) -> int:
    """Return how many combining characters follow one another at most, once they are taken apart."""
    most = 0
    for foreign in re.findall(rf"[^\0-\x7f]{{{MARKS // 2},}}", text):  # none is taken apart into more than two
        marks = 0
        for character in "".join(unicodedata.normalize("NFKD", letter) for letter in foreign):
            marks = marks + 1 if unicodedata.combining(character) else 0
            most = max(most, marks)
    return most


# An open string goes up to its quotes, and a short one ends with its line, too. One may seem to begin within another.
_STRING = "|".join(
    rf"{3 * quote}(?:[^\\{quote}]|\\.|{quote}(?!{quote}{quote}))*+|{quote}(?:[^\\\n{quote}]|\\.)*+" for quote in "'\""
)
_F_STRING = re.compile(rf"(?:f|rf|fr)(?=({_STRING}))", re.IGNORECASE | re.DOTALL)


def _fields(text: str) -> int:
    """Return how many fields f-strings have at most, each counted as often as its string is long."""
    return sum(string.count("{") * len(string) for string in _F_STRING.findall(text))


@dataclass(frozen=True)
class External:
    """Something of a module outside the file, by its full name: "sklearn.metrics.confusion_matrix".

    It is not certain where several modules were imported with a star.
    """

    name: str
    certain: bool = True


@dataclass(frozen=True)
class Loop:
    """A `for` or `while` statement: its first line, those of what it repeats, and whether it asks nothing to go on.

    Where what it repeats begins on the line on which its head ends, that is all one.
    """

    line: int
    first: int
    last: int
    endless: bool
    in_one: bool = False


@dataclass(frozen=True, eq=False)
class Mention:
    """`a.b.c` somewhere in the code: whether it is called or stored, and whether `getattr` adds a computed name."""

    names: tuple[str, ...]
    line: int
    scope: Scope
    called: bool
    computed: bool
    stored: bool


@dataclass(eq=False, repr=False)
class Body:
    """A piece of code that is read as one.

    Attributes
    ----------
    kind : "module", "function", "class" or "value"
        A value is an expression that is evaluated when the file is imported: what is assigned, a default, a decorator.
    name : str
    node : ast node
    loops : list of Loop
    comprehensions : list of int
        Their lines.
    mentions : list of Mention
    attributes : dict
        The names after a dot, with the first line of each.
    inner : list of Body
        What is defined in it and counts as a part of it.
    methods : dict of lists of Body
        Of a class, by name.
    """

    kind: str
    name: str
    node: ast.AST
    loops: list[Loop] = field(default_factory=list)
    comprehensions: list[int] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)
    attributes: dict[str, int] = field(default_factory=dict)
    inner: list[Body] = field(default_factory=list)
    methods: dict[str, list[Body]] = field(default_factory=dict)

    @property
    def line(self) -> int:
        """The line of its `def`."""
        return getattr(self.node, "lineno", 1)

    @property
    def unwritten(self) -> bool:
        """Whether nothing is in it but a docstring, `pass`, `...` or `raise NotImplementedError`: a template's."""
        return isinstance(self.node, ast.FunctionDef) and all(map(_does_nothing, self.node.body))


Value = External | Body | tuple[str, ...] | None  # of a name: another name, or None where it is not followed


@dataclass(eq=False, repr=False)
class Scope:
    """Where names live: the file, a function or a class; each name with its values, and whether another may hold."""

    kind: str
    parent: Scope | None = None
    owner: Body | None = None
    names: dict[str, list[tuple[Value, Scope, bool]]] = field(default_factory=dict)
    kinds: dict[str, set[type]] = field(default_factory=dict)
    elsewhere: set[str] = field(default_factory=set)  # names of an outer one that are given a meaning here
    depth: int = field(init=False)

    def __post_init__(self) -> None:
        self.depth = self.parent.depth + 1 if self.parent else 0

    def home_of(self, name: str) -> Scope | None:
        """Return the scope that holds a name read here, None if none of the file does."""
        scope: Scope | None = self
        while scope is not None and (name not in scope.names or (scope.kind == "class" and scope is not self)):
            scope = scope.parent
        return scope

    def bind(self, name: str, value: Value, *, maybe: bool = False) -> None:
        """Give a name a meaning; a later one on the same straight line hides it, except inside a function."""
        if not maybe and self.kind != "function":
            self.names.pop(name, None)
            self.kinds.pop(name, None)
        self.names.setdefault(name, []).append((value, self, maybe))
        self.kinds.setdefault(name, set()).add(type(value))

    def leads_to(self, name: str, kind: type) -> bool:
        """Tell whether one of the values of a name is of a kind."""
        return kind in self.kinds.get(name, ())


@dataclass(frozen=True)
class Place:
    """Where a node is read: the piece of code, its names, and whether it may not run."""

    body: Body
    scope: Scope
    maybe: bool = False

    def holds(self, nodes: Iterable[ast.AST | None]) -> list[tuple[ast.AST, Place]]:
        """List nodes to be read here."""
        return [(node, self) for node in nodes if node is not None]


@dataclass
class Reached:
    """All that runs when a function is called.

    Attributes
    ----------
    bodies : list of Body
        The function itself and the helpers of the file that it leads to, nearest first.
    externals : dict of (External, line)
        What it mentions of other modules.
    computed : dict of (External, line)
        Where `getattr` looks up a computed name.
    stored : dict of (External, line)
        What it changes in other modules.
    attributes : dict
        All names after a dot, with the line of each.
    """

    bodies: list[Body] = field(default_factory=list)
    externals: dict[tuple[External, int], None] = field(default_factory=dict)
    computed: dict[tuple[External, int], None] = field(default_factory=dict)
    stored: dict[tuple[External, int], None] = field(default_factory=dict)
    attributes: dict[str, int] = field(default_factory=dict)


class Module:
    """The student's file.

    Parameters
    ----------
    tree : ast.Module
    apart : collection of str
        Names of the file that are judged on their own: nobody else leads to them.

    Attributes
    ----------
    scope : Scope
    body : Body
        The code of the file itself, which runs when it is imported.
    bodies : list of Body
        All pieces, in the order of the file.
    lines : dict
        For each name of the file the line of its last definition.
    imports : list of (name in the file, full name, line)
    handed_on : list of (full name, line)
        What is imported under a name that is not followed: a class's, or one of another function's.
    modules : set of str
        The full names of what is certainly a module.
    used : set of str
        All names that are read somewhere.
    asked : set of str
        All names that are asked of something, after a dot or by `getattr`.
    tangled : bool
        Whether there are so many names for names, or so many in one another, that not all of them were followed.
    """

    def __init__(self, tree: ast.Module, apart: Iterable[str] = ()) -> None:
        self.scope = Scope("module")
        self.body = Body("module", "<module>", tree)
        self.bodies = [self.body]
        self.lines: dict[str, int] = {}
        self.imports: list[tuple[str, str, int]] = []
        self.handed_on: list[tuple[str, int]] = []
        self.modules: set[str] = set()
        self.used: set[str] = set()
        self.asked: set[str] = set()
        self.tangled = False
        self._shown = _only_shown(tree)
        self._own = _ASKING.intersection(name for node in ast.walk(tree) for name in _bound(node))
        read = {id(name) for node in ast.walk(tree) if (name := _only_read(node)) is not None}
        guards = [node for node in tree.body if isinstance(node, ast.If) and _is_main_guard(node.test)]
        # Whether `__name__` is what it was in the whole file. What stands under a guard cannot open it.
        read |= {id(node) for guard in guards for statement in guard.body for node in ast.walk(statement)}
        named = not any(_may_rename(node) for node in ast.walk(tree) if id(node) not in read)
        self._introduced = _only_introduced(tree)
        self._guards = {id(node) for node in guards if named}  # others may run where the name has been changed
        self._stars: list[str] = []
        self._apart = frozenset(apart)
        self._methods: dict[str, list[tuple[Body, Body]]] = {}  # by name, with their classes
        self._resolved: dict[tuple[Scope | None, tuple[str, ...], bool], list[External | Body]] = {}
        self._steps = 0
        # Every node once, and without recursion: a long sum is a deep tree.
        stack: list[tuple[ast.AST, Place]] = [(tree, Place(self.body, self.scope))]
        while stack:
            node, at = stack.pop()
            if at.scope.depth <= DEEPEST or not self._is_too_long(STEPS):
                stack.extend(reversed(self._visit(node, at)))
        meant = [entity for name in self._apart for entity in self.meanings(name)]
        self._stop = {entity for entity in meant if isinstance(entity, Body) and entity.kind == "function"}

    # --- Reading the tree -------------------------------------------------------------------------------------------

    def _visit(self, node: ast.AST, at: Place) -> list[tuple[ast.AST, Place]]:
        """Note what a node says, and return what is in it and where that is read."""
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                return self._function(node, at)
            case ast.ClassDef():
                made, statements = self._new("class", node), self._new("value", node)  # which run where it is defined
                self._bind(node.name, made, node, at)
                made.inner.append(statements)
                at.body.inner.append(made if at.scope.kind == "function" else statements)
                around = [*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)]
                inside = Place(statements, Scope("class", at.scope, made))
                return replace(at, body=made).holds(around) + inside.holds(node.body)
            case ast.Import() | ast.ImportFrom():
                self._import(node, at)
                return []
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                at.scope.elsewhere.update(names)
                if isinstance(node, ast.Nonlocal):
                    return []
                for name in names:  # what it becomes, only running tells
                    self._bind(name, None, node, Place(self.body, self.scope, True))
                return []
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign() | ast.NamedExpr():
                at = replace(at, maybe=at.maybe or isinstance(node, ast.AugAssign))
                targets = self._targets(node) if isinstance(node, ast.Assign) else [node.target]
                children = [child for target in targets for child in self._assign(target, node.value, at)]
                if isinstance(node, ast.NamedExpr):  # another name, and what has it
                    return children or at.holds([node.value])
                return children + self._aside(at, [node.annotation] if isinstance(node, ast.AnnAssign) else [])
            case ast.If() if id(node) in self._guards:
                return at.holds(node.orelse)  # the rest does not run when the file is marked
            case ast.If() | ast.Try() | ast.TryStar() | ast.Match():
                at = replace(at, maybe=True)
            case ast.For() | ast.AsyncFor() | ast.While():
                at = replace(at, maybe=True)
                endless = isinstance(node, ast.While) and isinstance(node.test, ast.Constant)
                last = node.body[-1].end_lineno or node.body[-1].lineno
                first, head = node.body[0].lineno, node.test if isinstance(node, ast.While) else node.iter
                at.body.loops.append(Loop(node.lineno, first, last, endless, first == (head.end_lineno or first)))
                if isinstance(node, ast.For) and (introduced := self._introduces(node)):
                    self.used.update(introduced)
                    return at.holds([node.target, *node.body, *node.orelse])
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                at.body.comprehensions.append(node.lineno)
            case ast.Name(ctx=ast.Store(), id=name):  # the target of a loop or of `with`
                self._bind(name, None, node, replace(at, maybe=True))
            case (
                ast.ExceptHandler(name=str(name))
                | ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
                | ast.MatchMapping(rest=str(name))
            ):
                self._bind(name, None, node, replace(at, maybe=True))
            case ast.MatchClass(kwd_attrs=names):  # `case object(f_back=frame)` reads them
                self.asked.update(names)
                for name in names:
                    at.body.attributes.setdefault(name, node.lineno)
            case ast.Name(id="type", ctx=ast.Load()) if at.scope.home_of("type") is None:  # somebody else calls it
                at.body.attributes.setdefault("type()", node.lineno)
                return at.holds(self._mention(node, at))
            case ast.Name() | ast.Attribute():
                return at.holds(self._mention(node, at))
            case ast.Compare() if name := self._looked_for(node, at):
                self.used.add(name)
                return []
            case ast.Call(func=ast.Name(id=name)) if name in self._own:
                return at.holds([*self._mention(node.func, at, called=True), *node.args, *node.keywords])
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[asked, *kinds], keywords=[]) if (
                _only_names(kinds)
            ):
                self.used.update(part.id for kind in kinds for part in ast.walk(kind) if isinstance(part, ast.Name))
                return at.holds([asked])  # to ask for a class is not to use it
            case ast.Call(func=ast.Name(id="getattr"), args=[base, name, *more]):
                known = _identifier(name)
                read = ast.copy_location(ast.Attribute(base, known, ast.Load()), node) if known else base
                return at.holds([*self._mention(read, at, computed=not known), name, *more, *node.keywords])
            case ast.Call(func=ast.Name(id="vars"), args=[asked], keywords=[]) if id(
                node
            ) in self._shown and self._is_own(asked, at):
                return at.holds([asked])  # it gives what a dot does
            case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[base, name, *more]):  # is an assignment
                known = _identifier(name) or "?"
                stored = ast.copy_location(ast.Attribute(base, known, ast.Store()), node)
                return at.holds([*self._mention(stored, at), name, *more, *node.keywords])
            case ast.Call(func=ast.Attribute(value=base, attr="__setattr__"), args=[*_, name, _], keywords=[]) if (
                _identifier(name)
            ):
                return at.holds([base, *node.args])
            case ast.Call(func=ast.Name(id="map"), args=[ast.Name(id="type"), each], keywords=[]):
                return at.holds([*self._mention(node.func, at, called=True), each])
            case ast.Call():
                if told := self._makes(node, at):
                    at.body.attributes.setdefault(told, node.lineno)
                return at.holds([*self._mention(node.func, at, called=True), *node.args, *node.keywords])
            case ast.Constant() | ast.BinOp() if (text := _text(node)).isidentifier():  # for whoever looks names up
                at.body.attributes.setdefault(text, node.lineno)
            case ast.keyword(arg="stacklevel", value=ast.Constant(value=1 | 2)):  # as everybody warns
                pass
            case ast.keyword(arg=str(name)):  # what it switches on may be nothing that the practice needs
                at.body.attributes.setdefault(f"{name}=", node.lineno)
            case ast.arg():
                return []
        return at.holds(ast.iter_child_nodes(node))

    def _makes(self, call: ast.Call, at: Place) -> str:
        """Return what a call makes something of that has names which nobody can read; empty for all others.

        `type(name, bases, {...})`, `SimpleNamespace(**names)`, and arrays in memory that is there already.
        """
        names, _ = _chain(call.func)
        is_class = not names and isinstance(call.func, ast.Call) and _last_name(call.func.func) == "type"
        last = "type" if is_class else self._imported(names, at)
        starred = any(isinstance(each, ast.Starred) for each in call.args)
        doubled = [each.value for each in call.keywords if each.arg is None]
        if last in ("type", "__class__") and (len(call.args) > 2 or starred or doubled):
            written = len(call.args) == 3 and not starred and not doubled and _has_names(call.args[2])
        elif last in ("SimpleNamespace", "Namespace", "Bunch"):
            written = not call.args and all(map(_has_names, doubled))
        elif last in ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"):
            members = [each.value for each in call.keywords if each.arg == "names"] + call.args[1:2]
            written = not (starred or doubled) and all(_text(part) for each in members for part in _parts(each))
        elif last == "ndarray":
            written = len(call.args) < 3 and not starred and not doubled
        else:
            written = True
        return "" if written else f"{last}()"

    def _imported(self, names: tuple[str, ...], at: Place) -> str:
        """Return the last of some names; of one of the file's, that of what it stands for."""
        for _ in range(LONGEST):
            home = at.scope.home_of(names[0]) if len(names) == 1 else None
            if home is None or self._is_too_long(len(home.names[names[0]])):
                break
            values = (value for value, *_ in home.names[names[0]])
            found = next((value for value in values if isinstance(value, External | tuple)), None)
            if found is None:
                break
            names = (found.name.rpartition(".")[2], "") if isinstance(found, External) else found
        return next((name for name in reversed(names) if name), "")

    def _introduces(self, loop: ast.For) -> list[str]:
        """Return the names of a list that a loop goes through only to print what they are and their versions."""
        match loop:
            case ast.For(target=ast.Name(id=name), iter=ast.Tuple(elts=parts) | ast.List(elts=parts)):
                names = [part.id for part in parts if isinstance(part, ast.Name)]
                return names if name in self._introduced and len(names) == len(parts) else []
        return []

    def _is_own(self, expression: ast.expr, at: Place) -> bool:
        """Tell whether an expression is an object that the file has made, and no other name for what it imports."""
        match expression:
            case ast.Call():
                return True
            case ast.Name(id=name) if (home := at.scope.home_of(name)) is not None:
                return home.kinds[name].isdisjoint((External, tuple))
        return False

    def _looked_for(self, node: ast.Compare, at: Place) -> str:
        """Return the name of an import of which a comparison only asks whether it is there; empty for all others.

        `plt is None`, `getattr(torch.backends, "mps", None) is not None`, `"google.colab" in sys.modules`.
        """
        match node:
            case ast.Compare(left=asked, ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant(value=None)]):
                pass
            case ast.Compare(
                left=ast.Constant(value=str()),
                ops=[ast.In() | ast.NotIn()],
                comparators=[ast.Attribute(attr="modules") as asked],
            ):
                pass
            case _:
                return ""
        names, front = _chain(asked)
        home = at.scope.home_of(names[0]) if front is None else None
        return names[0] if home is not None and home.leads_to(names[0], External) else ""

    def _targets(self, node: ast.Assign) -> list[ast.expr]:
        """Return the targets of an assignment, for each of which its value is read; one, where that takes too long."""
        work = len(node.targets) * sum(1 for _ in ast.walk(node.value)) if len(node.targets) > 1 else 0
        return node.targets[:1] if self._is_too_long(work) else node.targets

    def _aside(self, at: Place, nodes: Iterable[ast.AST]) -> list[tuple[ast.AST, Place]]:
        """List annotations, which are evaluated where they stand and are no part of what a function runs.

        Those that are texts are code as well, for whoever asks for the types.
        """
        found = []
        for node in nodes:
            if isinstance(node, ast.Name) and node.id == "type":
                continue  # of what is a class
            texts = [part.value for part in ast.walk(node) if isinstance(part, ast.Constant)]
            parsed = [parse(text) for text in texts if isinstance(text, str)]
            codes = [code for code in parsed if isinstance(code, ast.Module)]
            for part in (part for code in codes for part in ast.walk(code)):
                ast.copy_location(part, node)
            found += replace(at, body=self._new("value", node)).holds([node, *codes])
        return found

    def _new(self, kind: str, node: ast.AST) -> Body:
        self.bodies.append(Body(kind, getattr(node, "name", f"<{kind}>"), node))
        return self.bodies[-1]

    def _bind(self, name: str, value: Value, node: ast.AST, at: Place) -> None:
        at.scope.bind(name, value, maybe=at.maybe)
        # `case C(x)` takes names from anything that says to be a C, and an array is wherever an interface says.
        if name in ("__match_args__", "__array_interface__", "__array_struct__", "__module__", "__getattr__"):
            at.body.attributes.setdefault(name, getattr(node, "lineno", 1))
        if at.scope is self.scope:
            self.lines[name] = getattr(node, "lineno", 1)

    def _function(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, at: Place
    ) -> list[tuple[ast.AST, Place]]:
        made, around = self._new("function", node), self._new("value", node)
        made.inner.append(around)  # decorators and defaults
        inside, outside = Place(made, Scope("function", at.scope)), replace(at, body=around)
        arguments = node.args
        children = outside.holds([*arguments.defaults, *arguments.kw_defaults])
        for argument in ast.iter_child_nodes(arguments):
            if isinstance(argument, ast.arg):
                inside.scope.bind(argument.arg, None)
                children += self._aside(at, [argument.annotation] if argument.annotation else [])
        children += self._aside(at, [node.returns] if not isinstance(node, ast.Lambda) and node.returns else [])
        if isinstance(node, ast.Lambda):
            at.body.inner.append(made)
            return children + inside.holds([node.body])
        if at.body.kind != "function":
            at.body.inner.append(around)
        if at.scope.owner is not None:
            at.scope.owner.methods.setdefault(made.name, []).append(made)
            self._methods.setdefault(made.name, []).append((at.scope.owner, made))
        elif at.scope.kind == "function":
            at.body.inner.append(made)
        several = False
        for decorator in node.decorator_list:
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            names, front = _chain(called)
            several = several or names[-1:] in (("dispatch",), ("multimethod",))
            if front is None and len(names) > 1 and at.scope.leads_to(names[0], Body):
                at.scope.bind(names[0], made, maybe=True)  # `@f.register` ties a function to f
            children += outside.holds(self._mention(called, outside, called=True))
            children += outside.holds([*decorator.args, *decorator.keywords] if isinstance(decorator, ast.Call) else ())
        self._bind(node.name, made, node, replace(at, maybe=at.maybe or several))
        return children + inside.holds(node.body)

    def _import(self, node: ast.Import | ast.ImportFrom, at: Place) -> None:
        for alias in node.names:
            first = alias.name.partition(".")[0]
            written = ".".join(alias.name.split(".", LONGEST)[:LONGEST])
            if isinstance(node, ast.Import):
                full, name, meaning = written, alias.asname or first, written if alias.asname else first
                self.modules.update((meaning, full))
            else:
                module = ".".join((node.module or "").split(".", LONGEST)[:LONGEST])
                full = meaning = f"{'.' * min(node.level, LONGEST)}{module}.{alias.name}"
                name = alias.asname or alias.name
            if name == "*":
                self._stars.append(full := full.removesuffix(".*"))
            else:
                self._bind(name, External(meaning), node, at)
                if at.scope.kind == "class" or name in at.scope.elsewhere:
                    self.handed_on.append((full, node.lineno))
            self.imports.append((name, full, node.lineno))

    def _assign(self, target: ast.expr, value: ast.expr | None, at: Place) -> list[tuple[ast.AST, Place]]:
        match target, value:
            case (ast.Tuple(elts=parts) | ast.List(elts=parts), ast.Tuple(elts=elements) | ast.List(elts=elements)):
                if len(parts) == len(elements):
                    pairs = zip(parts, elements, strict=True)
                    return [child for part, element in pairs for child in self._assign(part, element, at)]
        if value is None:
            return at.holds([target])
        names, front = _chain(value)
        inside = at.scope.kind == "function"
        plain = front is None and not (names[1:] and at.scope.leads_to(names[0], Body))
        if isinstance(target, ast.Name) and plain:  # another name for something
            self._bind(target.id, names, target, at)
            self.used.add(names[0])
            return [] if at.scope is self.scope else at.holds([value])  # in the file it counts where it is used
        if inside:
            return at.holds([target, value])
        made = self._new("value", value)
        at.body.inner.append(made)
        for part in ast.walk(target):  # `table["a"] = f` adds to the table
            known = part is target or (isinstance(part, ast.Name) and at.scope.home_of(part.id) is not None)
            if isinstance(part, ast.Name) and known and not at.scope.leads_to(part.id, External):
                self._bind(part.id, made, target, replace(at, maybe=at.maybe or part is not target))
        names, front = _chain(target)
        changes = isinstance(target, ast.Attribute) and (front is not None or at.scope.leads_to(names[0], External))
        # Whose part it is may be told in any words.
        inside_it = ast.iter_child_nodes(target) if isinstance(target, ast.Subscript) else ()
        return replace(at, body=made).holds([value]) + at.holds([target] if changes else inside_it)

    def _mention(self, node: ast.expr, at: Place, *, called: bool = False, computed: bool = False) -> list[ast.expr]:
        """Note `a.b.c`, and return what is in front of the dots if it is no name."""
        names, front = _chain(node)
        asked = names if front is not None else names[1:]
        self.asked.update(asked)
        for attribute in asked:
            at.body.attributes.setdefault(attribute, node.lineno)
        if front is not None:
            return [front]
        self.used.add(names[0])
        stored = isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)
        at.body.mentions.append(Mention(names[:LONGEST], node.lineno, at.scope, called, computed, stored))
        return []

    def _is_too_long(self, steps: int = 1) -> bool:
        """Count what is done more than once for each node, or has no end, and tell whether it has been too much."""
        self._steps += steps
        self.tangled |= self._steps > STEPS
        return self._steps > STEPS

    # --- What a name means ------------------------------------------------------------------------------------------

    def meanings(self, name: str) -> list[External | Body]:
        """Return what a name of the file is in the end; empty if there is no such name or nobody can tell."""
        return self._resolve(self.scope, (name,), judged=True) if name in self.scope.names else []

    def _resolve(self, scope: Scope, names: tuple[str, ...], *, judged: bool = False) -> list[External | Body]:
        """Return everything that a name may mean, as far as it can be told."""
        key = scope.home_of(names[0]), names, judged
        if key in self._resolved:
            return self._resolved[key]
        found: dict[External | Body, None] = {}
        seen = set()
        waiting = [(scope, names, 0)]
        while waiting:
            scope, names, hops = waiting.pop()
            self.tangled |= hops > HOPS
            if self._is_too_long() or hops > HOPS:
                break
            home = scope.home_of(names[0])
            if home is None:
                found.update(dict.fromkeys(self._from_outside(names)))
            elif (home is not self.scope or names[0] not in self._apart or judged) and (home, names) not in seen:
                seen.add((home, names))
                self._steps += len(home.names[names[0]])
                for value, where, _ in home.names[names[0]]:
                    if isinstance(value, tuple):
                        waiting.append((where, (*value, *names[1:])[:LONGEST], hops + 1))
                    elif value is not None:
                        external = isinstance(value, External)
                        found[External(".".join([value.name, *names[1:]])) if external else value] = None
            judged = False
        self._resolved[key] = list(found)
        return self._resolved[key]

    def _from_outside(self, names: tuple[str, ...]) -> list[External]:
        if names[0] == "__builtins__":
            return [External(".".join(["builtins", *names[1:]]))]
        if names[0] in BUILTINS:
            return [External(".".join(["builtins", *names]))]
        self._steps += len(self._stars)
        return [External(".".join([module, *names]), len(self._stars) == 1) for module in self._stars]

    def own(self, known: Callable[[str], bool]) -> set[str]:
        """Return the names that classes of the file have, with their objects, if all that they come from is known.

        A class of a library's may do something with a name that is given another meaning.
        """
        names: set[str] = set()
        seen: set[ast.AST] = set()  # what is in a class was gone through with it
        for body in self.bodies:
            if body.kind == "class":
                found = (each for mention in body.mentions for each in self._meant(mention))
                if all(isinstance(each, Body) or known(each.name) for each in found):
                    names |= _members(body.node, seen)
        return names

    # --- What a function runs ---------------------------------------------------------------------------------------

    def reach(self, start: Iterable[External | Body], *, importing: bool = False) -> Reached:
        """Follow functions into the helpers of the file, but not into what is judged apart.

        Parameters
        ----------
        start : of `meanings`, or the file's own code
        importing : bool
            Whether the file is being imported, so that what it calls runs; otherwise the values are there already.
        """
        start = list(start)
        reached = Reached()
        reached.externals.update(((entity, 0), None) for entity in start if isinstance(entity, External))
        seen = {(body, False) for body in self._stop.difference(start)}
        known: dict[Body, bool] = {}  # the classes, and whether objects of them are made
        waiting = deque((entity, False) for entity in start if isinstance(entity, Body))
        while waiting and not self._is_too_long():
            body, finished = waiting.popleft()  # finished: it was only called when the file was imported
            if (body, finished) in seen:
                continue
            seen.add((body, finished))
            if body.kind == "class" and not known.get(body, False):
                known[body] = not finished
                for name, methods in body.methods.items():
                    special = name.startswith("__") and name.endswith("__") and not (finished and name in MAKING)
                    if special or name in reached.attributes:
                        waiting.extend((method, False) for method in methods)
            if finished:
                waiting.extend((inner, False) for inner in body.inner if inner.kind != "value" or body.kind == "class")
            else:
                for name in body.attributes:
                    methods_of_name = self._methods.get(name, ()) if name not in reached.attributes else ()
                    waiting.extend((method, False) for owner, method in methods_of_name if owner in known)
                waiting.extend((inner, False) for inner in body.inner)
                for found, called in self._note(body, reached):
                    made = called and body.kind == "value" and found.kind != "value" and not importing
                    waiting.append((found, made))
        return reached

    def everywhere(self) -> Reached:
        """Return all that the file mentions, whether anything leads there or not."""
        reached = Reached()
        for body in self.bodies:
            self._note(body, reached)
        return reached

    def _note(self, body: Body, reached: Reached) -> list[tuple[Body, bool]]:
        """Add what a body mentions, and return what it leads to and whether it calls it."""
        reached.bodies.append(body)
        for name, line in body.attributes.items():
            reached.attributes.setdefault(name, line)
        led: dict[tuple[Body, bool], None] = {}
        for mention in body.mentions:
            for entity in self._meant(mention):
                if isinstance(entity, Body):
                    led[entity, mention.called] = None
                else:
                    reached.externals[entity, mention.line] = None
                    if mention.computed:
                        reached.computed[entity, mention.line] = None
                    if mention.stored:
                        reached.stored[entity, mention.line] = None
        return list(led)

    def _meant(self, mention: Mention) -> list[External | Body]:
        """Return what a mention may mean; nothing once that has been too much."""
        found = self._resolve(mention.scope, mention.names)
        return [] if self._is_too_long(len(found)) else found


# --- Small things ---------------------------------------------------------------------------------------------------


def _chain(expression: ast.expr) -> tuple[tuple[str, ...], ast.expr | None]:
    """Return the names of `a.b.c`, which `getattr(a, "b").c` is too, and what is in front of them if it is no name."""
    names: list[str] = []
    while True:
        match expression:
            case ast.Attribute(value=inner, attr=name):
                pass
            case ast.Call(
                func=ast.Name(id="getattr"), args=[inner, text] | [inner, text, ast.Constant()], keywords=[]
            ) if name := _identifier(text):
                pass
            case ast.Name(id=name):
                return (name, *reversed(names)), None
            case _:
                return tuple(reversed(names)), expression
        names.append(name)
        expression = inner


def _identifier(expression: ast.expr) -> str:
    """Return a text that can stand after a dot; empty if it is none, or no text at all."""
    match expression:
        case ast.Constant(value=str(text)) if text.isidentifier():
            return text
    return ""


def _text(expression: ast.expr) -> str:
    """Return the text that constants make, also where they are added; empty if it is none, or a long sum."""
    parts: list[str] = []
    while len(parts) < LONGEST:
        match expression:
            case ast.BinOp(left=left, op=ast.Add(), right=ast.Constant(value=str(text))):
                parts, expression = [text, *parts], left
            case ast.Constant(value=str(text)):
                return "".join([text, *parts])
            case _:
                break
    return ""


def _only_names(expressions: Iterable[ast.expr]) -> bool:
    """Tell whether expressions only name classes: `a.B`, and tuples and unions of them."""
    waiting = [*expressions]
    while waiting:
        match waiting.pop():
            case ast.Tuple(elts=parts):
                waiting += parts
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                waiting += [left, right]
            case ast.Call(func=ast.Name(id="type"), args=[ast.Constant(value=None)]):
                pass
            case other if _chain(other)[1] is not None:
                return False
    return True


_SHOWING = frozenset(["print", "len", "dict", "list", "sorted", "str", "repr", "set", "tuple"])
_ASKING = frozenset(["isinstance", "issubclass", "getattr", "setattr", "delattr", "vars"])


def _bound(node: ast.AST) -> list[str]:
    """Return the names that a node gives a meaning."""
    match node:
        case (
            ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) | ast.alias(asname=str(name)) | ast.alias(name=name)
        ):
            return [name]
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
            return [name]
    return []


def _members(node: ast.AST, seen: set[ast.AST]) -> set[str]:
    """Return the names that a class has by its body, or its objects by an assignment to `self`, if not seen before."""
    body = node.body if isinstance(node, ast.ClassDef) else []
    names = {name for statement in body for part in _direct(statement) for name in _bound(part)}
    parts = [] if node in seen else list(ast.walk(node))
    seen.update(parts)
    for part in parts:
        match part:
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store()):
                names.add(name)
    return names


def _direct(statement: ast.stmt) -> Iterable[ast.AST]:
    """Return a definition as it is, and of an assignment its targets with all that is in them."""
    match statement:
        case ast.Assign(targets=targets):
            return [part for target in targets for part in ast.walk(target)]
        case ast.AnnAssign(target=target):
            return [target]
    return [statement]


def _does_nothing(statement: ast.stmt) -> bool:
    match statement:
        case ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Raise(exc=ast.expr() as error):
            return _last_name(error) == "NotImplementedError"
    return False


def _last_name(expression: ast.expr) -> str | None:
    names, _ = _chain(expression.func if isinstance(expression, ast.Call) else expression)
    return names[-1] if names else None


def _only_read(node: ast.AST) -> ast.expr | None:
    """Return the `vars` of `vars(x)`, or the `globals` of `globals().get("x")`: nothing of the file's is changed so."""
    match node:
        case ast.Call(func=ast.Name(id="vars") as name, args=[_], keywords=[]):
            return name
        case ast.Attribute(
            value=ast.Call(func=ast.Name(id="globals" | "locals") as name, args=[]),
            attr="get" | "items" | "keys" | "values",
        ):
            return name
    return None


def _only_shown(tree: ast.Module) -> set[int]:
    """Return the nodes of what is only looked at where it stands: nothing is put into it there."""
    bound = {name for node in ast.walk(tree) for name in _bound(node)}
    found: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case (
                ast.Attribute(value=value, attr="get" | "items" | "keys" | "values" | "copy")
                | ast.Subscript(value=value, ctx=ast.Load())
                | ast.keyword(arg=None, value=value)
                | ast.Expr(value=value)
                | ast.FormattedValue(value=value)
                | ast.For(iter=value)
                | ast.comprehension(iter=value)
            ):
                found.add(id(value))
            case ast.Dict(keys=keys, values=values):
                found.update(id(value) for key, value in zip(keys, values, strict=True) if key is None)
            case ast.Compare(comparators=values):
                found.update(map(id, values))
            case ast.Call(func=ast.Name(id=name), args=values) if name in _SHOWING - bound:
                found.update(map(id, values))
    return found


def _has_names(expression: ast.expr) -> bool:
    """Tell whether the names in a dict are written out."""
    match expression:
        case ast.Dict(keys=keys):
            return all(key is not None and _text(key) != "" for key in keys)
        case ast.Call(func=ast.Name(id="dict"), args=[], keywords=keywords):
            return all(each.arg is not None for each in keywords)
        case ast.Call(func=ast.Name(id="vars"), args=[_]):
            return True
    return False


def _parts(expression: ast.expr) -> list[ast.expr]:
    """Return the names that an enumeration is made of, as far as they can be read."""
    match expression:
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return [part.elts[0] if isinstance(part, ast.Tuple) and part.elts else part for part in parts]
        case ast.Dict(keys=keys):
            return [key or expression for key in keys]
    return [expression]


def _only_introduced(tree: ast.Module) -> set[str]:
    """Return the names of which the whole file only asks for the name or the version, as of modules in a list."""
    asked = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in ("__name__", "__version__")
    ]
    known = {id(node) for node in asked}
    others = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
    return {node.id for node in asked if isinstance(node, ast.Name)} - {
        node.id for node in others if id(node) not in known
    }


def _may_rename(node: ast.AST) -> bool:
    """Tell whether a node may give a module's `__name__` another value, or names of the file that nobody can read."""
    match node:
        case ast.Name(id="__name__", ctx=ast.Load()) | ast.Attribute(ctx=ast.Load()):
            return False
        case ast.Name(id="globals" | "vars" | "locals" | "setattr" | "delattr" | "exec" | "eval"):
            return True
    return any("__name__" in (value if isinstance(value, list) else [value]) for _, value in ast.iter_fields(node))


def _is_main_guard(test: ast.expr) -> bool:
    """`if __name__ == "__main__":` does not run when the file is marked."""
    match test:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            parts = {(type(part), getattr(part, "id", getattr(part, "value", None))) for part in (left, right)}
            return parts == {(ast.Name, "__name__"), (ast.Constant, "__main__")}  # a name `__main__` is any value
    return False
