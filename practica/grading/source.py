"""The student's file as text: which functions it has, what they mention, and which helpers they lead to.

Nothing is imported or run. A name is followed through imports (`import a.b as c`, `from a import b`), plain assignments
(`f = a.b`), attributes of modules (`a.b.c`, `getattr(a, "b")`) and tables, decorators and calls that the file makes of
its own functions, by what they mention. A function leads to every function of the file that it mentions, and to the
methods of the classes that it mentions, by their names alone. The last of several definitions on one straight line hides
those before it, as in Python.

What is not followed: names that are put together or looked up when the file runs (in `globals()`, `vars(x)`, `__dict__`
or `sys.modules`, by importlib, by `getattr` under another name), the elements of containers one by one, what a function
returns, gets as an argument or keeps in an object, types, pickles, and whatever changes a function from outside. What can
be told from running is told there (`practica.grading.observation`); of the rest the mention is found, for a person.
"""

from __future__ import annotations

import ast
import builtins
import io
import tokenize
import warnings
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

__all__ = ["Body", "External", "Loop", "Module", "Reached", "decode", "parse"]

BUILTINS = frozenset(dir(builtins))
STEPS = 300_000  # to follow names in one file, and
HOPS = 100  # from one name to its meaning; then the rest is unknown, and the module `tangled`
MAKING = frozenset(["__init__", "__new__", "__post_init__", "__init_subclass__", "__call__", "__set_name__"])
FILLING = frozenset(["append", "add", "update", "setdefault", "extend", "insert", "register", "__setitem__"])


def decode(source: bytes) -> tuple[str, int | None]:
    """Decode a file as Python does, by its byte order mark or its declared encoding.

    Returns
    -------
    text : str
        Read as Latin-1 if it is not in its encoding.
    line : int or None
        The line that is not in the file's encoding; None when the file is well encoded.
    """
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    except (SyntaxError, ValueError, LookupError):
        encoding = "utf-8"
        declared = False
    else:
        declared = True
    try:
        text = source.decode(encoding)
        if declared and isinstance(text, str):
            return text, None
        return text, 1
    except (UnicodeError, LookupError, ValueError, AttributeError) as error:
        start = error.start if isinstance(error, UnicodeDecodeError) else 0
        return source.decode("latin-1"), source.count(b"\n", 0, start) + 1


def parse(text: str) -> ast.Module | SyntaxError:
    """Parse a file, or return the error with its line; whatever Python's parser gives up with is a syntax error."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes are the student's, and no matter of ours
            return ast.parse(text)
    except SyntaxError as error:
        return error
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        return SyntaxError(str(error) or type(error).__name__)


@dataclass(frozen=True)
class External:
    """Something of a module outside the file, by its full name: "sklearn.metrics.confusion_matrix".

    It is not certain where several modules were imported with a star.
    """

    name: str
    certain: bool = True


@dataclass(frozen=True)
class Loop:
    """A `for` or `while` statement: its first line, those of what it repeats, and whether it asks nothing to go on."""

    line: int
    first: int
    last: int
    endless: bool


@dataclass(frozen=True, eq=False)
class Mention:
    """`a.b.c` somewhere in the code: whether it is called, and whether `getattr` adds a name that is computed."""

    names: tuple[str, ...]
    line: int
    scope: Scope
    called: bool = False
    computed: bool = False


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


@dataclass
class Binding:
    """One place that gives a name its meaning: another name, or None where it is not followed."""

    value: External | Body | tuple[str, ...] | None
    scope: Scope
    line: int
    conditional: bool = False


@dataclass(eq=False, repr=False)
class Scope:
    """Where names live: the file, a function or a class."""

    kind: str
    parent: Scope | None = None
    owner: Body | None = None
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    elsewhere: dict[str, Scope] = field(default_factory=dict)  # declared global or nonlocal

    def home_of(self, name: str) -> Scope | None:
        """Return the scope that holds a name read here, None if none of the file does."""
        scope: Scope | None = self.elsewhere.get(name, self)
        while scope is not None:
            if name in scope.bindings and (scope is self or scope.kind != "class"):
                return scope
            scope = scope.parent
        return None

    def bind(
        self, name: str, value: External | Body | tuple[str, ...] | None, line: int, conditional: bool = False
    ) -> None:
        """Give a name a meaning, here or where it was declared to live."""
        home = self.elsewhere.get(name, self)
        home.bindings.setdefault(name, []).append(Binding(value, self, line, conditional or home is not self))

    def visible(self, name: str) -> list[Binding]:
        """Leave out what a later definition on the same straight line hides; inside a function nothing is."""
        bindings = self.bindings[name]
        if self.kind == "function":
            return bindings
        start = 0
        for index, binding in enumerate(bindings):
            if not binding.conditional and not _of_several(binding.value):
                start = index
        return bindings[start:]


@dataclass
class Reached:
    """All that runs when a function is called.

    Attributes
    ----------
    bodies : list of Body
        The function itself and the helpers of the file that it mentions, nearest first.
    externals : dict of (External, line)
        What it mentions of other modules.
    computed : dict of (External, line)
        Where `getattr` looks up a computed name.
    attributes : dict
        All names after a dot, with the line of each.
    """

    bodies: list[Body] = field(default_factory=list)
    externals: dict[tuple[External, int], None] = field(default_factory=dict)
    computed: dict[tuple[External, int], None] = field(default_factory=dict)
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
    imports : list of (name in the file, full name, line)
    used : set of str
        All names that are read somewhere.
    tangled : bool
        Whether there are so many names for names that not all of them were followed.
    """

    def __init__(self, tree: ast.Module, apart: Iterable[str] = ()) -> None:
        self.scope = Scope("module")
        self.body = Body("module", "<module>", tree)
        self.bodies = [self.body]
        self.imports: list[tuple[str, str, int]] = []
        self.used: set[str] = set()
        self.tangled = False
        self._stars: list[str] = []
        self._apart = frozenset(apart)
        self._methods: dict[str, list[tuple[Body, Body]]] = {}  # by name, with their classes
        self._decorated: list[tuple[Body, tuple[str, ...], Scope]] = []
        self._resolved: dict[tuple[Scope | None, tuple[str, ...]], list[External | Body]] = {}
        self._steps = 0
        self._read(tree)
        meant = [entity for name in self._apart for entity in self.meanings(name)]
        self._stop = {entity for entity in meant if isinstance(entity, Body) and entity.kind == "function"}

    # --- Reading the tree -------------------------------------------------------------------------------------------

    def _read(self, tree: ast.Module) -> None:
        """Visit every node once, without recursion: a long sum is a deep tree."""
        stack: list[tuple[ast.AST, Body, Scope, bool]] = [(tree, self.body, self.scope, False)]
        while stack:
            stack.extend(reversed(list(self._visit(*stack.pop()))))
        for body, names, scope in self._decorated:
            self._register(body, names, scope)
        for bindings in self.scope.bindings.values():
            bindings.sort(key=lambda binding: binding.line)

    def _visit(
        self, node: ast.AST, body: Body, scope: Scope, maybe: bool
    ) -> Iterator[tuple[ast.AST, Body, Scope, bool]]:
        """Note what a node says, and yield what is in it and where that is read."""
        outside = scope.kind != "function"
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                yield from self._function(node, body, scope, maybe)
                return
            case ast.ClassDef():
                made = self._new("class", node.name, node)
                statements = self._new("value", node.name, node)  # which run where the class is defined
                scope.bind(node.name, made, node.lineno, maybe)
                made.inner.append(statements)
                body.inner.append(statements if outside else made)
                inside = Scope("class", scope, made)
                outer = [*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)]
                yield from ((child, made, scope, maybe) for child in outer)
                yield from ((child, statements, inside, False) for child in node.body)
                return
            case ast.Import() | ast.ImportFrom():
                self._import(node, scope, maybe)
                return
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                home = self.scope if isinstance(node, ast.Global) else scope.parent or scope
                scope.elsewhere.update(dict.fromkeys(names, home))
                return
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign() | ast.NamedExpr() if node.value is not None:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                maybe = maybe or isinstance(node, ast.AugAssign)
                for target in targets:
                    yield from self._assign(target, node.value, body, scope, maybe)
                return
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr=attribute, value=table)) as call) if outside:
                chain, front = _chain(table)  # `table.append(f)`: f belongs to the table
                if attribute in FILLING and front is None and not _imported(scope, chain[0]):
                    value = self._value(call, body)
                    scope.bind(chain[0], value, node.lineno, True)
                    yield from ((child, value, scope, maybe) for child in [*call.args, *call.keywords])
                    return
            case ast.If() if scope is self.scope and _is_main_guard(node.test):
                yield from ((child, body, scope, maybe) for child in node.orelse)  # the rest is not run by who marks
                return
            case ast.If() | ast.Try() | ast.TryStar() | ast.Match():
                maybe = True
            case ast.For() | ast.AsyncFor() | ast.While():
                endless = isinstance(node, ast.While) and isinstance(node.test, ast.Constant)
                last = node.body[-1].end_lineno or node.body[-1].lineno
                body.loops.append(Loop(node.lineno, node.body[0].lineno, last, endless))
                maybe = True
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                body.comprehensions.append(node.lineno)
                maybe = True
            case ast.Name(ctx=ast.Store()):  # the target of a loop or `with`; of what, is not followed
                scope.bind(node.id, None, node.lineno, True)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                scope.bind(name, None, node.lineno, True)
            case ast.MatchMapping(rest=str(name)):
                scope.bind(name, None, node.lineno, True)
            case ast.Name() | ast.Attribute():
                yield from ((child, body, scope, maybe) for child in self._mention(node, body, scope))
                return
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[asked, *kinds]):
                self.used.update(part.id for kind in kinds for part in ast.walk(kind) if isinstance(part, ast.Name))
                yield asked, body, scope, maybe  # to ask for a class is not to use it
                return
            case ast.Call(func=ast.Name(id="getattr"), args=[base, name, *more]):
                written = isinstance(name, ast.Constant)
                children = self._mention(node if written else base, body, scope, computed=not written)
                yield from ((child, body, scope, maybe) for child in [*children, name, *more])
                return
            case ast.Call():
                yield from ((child, body, scope, maybe) for child in self._mention(node.func, body, scope, called=True))
                yield from ((child, body, scope, maybe) for child in [*node.args, *node.keywords])
                return
            case ast.arg():
                return
        yield from ((child, body, scope, maybe) for child in ast.iter_child_nodes(node))

    def _new(self, kind: str, name: str, node: ast.AST) -> Body:
        made = Body(kind, name, node)
        self.bodies.append(made)
        return made

    def _value(self, node: ast.AST, body: Body) -> Body:
        """Make a piece of its own of an expression, which runs with what it is in."""
        value = self._new("value", "<value>", node)
        body.inner.append(value)
        return value

    def _function(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, body: Body, scope: Scope, maybe: bool
    ) -> Iterator[tuple[ast.AST, Body, Scope, bool]]:
        made = self._new("function", getattr(node, "name", "<lambda>"), node)
        inside = Scope("function", scope)
        arguments = node.args
        for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]:
            inside.bind(argument.arg, None, node.lineno)
        for extra in (arguments.vararg, arguments.kwarg):
            if extra is not None:
                inside.bind(extra.arg, None, node.lineno)
        around = self._value(node, made)
        if not isinstance(node, ast.Lambda):
            scope.bind(node.name, made, node.lineno, maybe)
            for decorator in node.decorator_list:
                called = decorator.func if isinstance(decorator, ast.Call) else decorator
                names, front = _chain(called)
                if front is None:
                    self._decorated.append((made, names, scope))
                for child in self._mention(called, around, scope, called=True):
                    yield child, around, scope, maybe
                if isinstance(decorator, ast.Call):
                    yield from ((child, around, scope, maybe) for child in [*decorator.args, *decorator.keywords])
        if scope.owner is not None and not isinstance(node, ast.Lambda):
            scope.owner.methods.setdefault(made.name, []).append(made)
            self._methods.setdefault(made.name, []).append((scope.owner, made))
        elif body.kind in ("function", "value"):
            body.inner.append(made)
        if body.kind in ("module", "value"):
            body.inner.append(around)
        defaults = [default for default in [*arguments.defaults, *arguments.kw_defaults] if default is not None]
        yield from ((default, around, scope, maybe) for default in defaults)
        statements = [node.body] if isinstance(node, ast.Lambda) else node.body
        yield from ((statement, made, inside, False) for statement in statements)

    def _import(self, node: ast.Import | ast.ImportFrom, scope: Scope, maybe: bool) -> None:
        for alias in node.names:
            if isinstance(node, ast.Import):
                name = alias.asname or alias.name.partition(".")[0]
                full, meaning = alias.name, alias.name if alias.asname else name
            else:
                full = meaning = f"{'.' * node.level}{node.module or ''}.{alias.name}"
                name = alias.asname or alias.name
            if name == "*":
                full = full.removesuffix(".*")
                self._stars.append(full)
            else:
                scope.bind(name, External(meaning), node.lineno, maybe)
            self.imports.append((name, full, node.lineno))

    def _assign(
        self, target: ast.expr, value: ast.expr, body: Body, scope: Scope, maybe: bool
    ) -> Iterator[tuple[ast.AST, Body, Scope, bool]]:
        outside = scope.kind != "function"
        match target, value:
            case (ast.Tuple() | ast.List(), ast.Tuple() | ast.List()) if len(target.elts) == len(value.elts):
                for part, element in zip(target.elts, value.elts, strict=True):
                    yield from self._assign(part, element, body, scope, maybe)
                return
            case ast.Name(id=name), _:
                names, front = _chain(value)
                if front is None:  # another name for something
                    scope.bind(name, names, target.lineno, maybe)
                    self.used.add(names[0])
                    if outside:  # it counts where it is used
                        return
                elif outside:
                    value_body = self._value(value, body)
                    scope.bind(name, value_body, target.lineno, maybe)
                    yield value, value_body, scope, maybe
                    return
                else:
                    scope.bind(name, None, target.lineno, maybe)
            case _ if outside:
                value_body = self._value(value, body)
                for name in _roots(target):
                    if not _imported(scope, name):
                        scope.bind(name, value_body, target.lineno, True)
                yield target, body, scope, maybe
                yield value, value_body, scope, maybe
                return
            case _:
                yield target, body, scope, maybe
        yield value, body, scope, maybe

    def _mention(
        self, node: ast.expr, body: Body, scope: Scope, *, called: bool = False, computed: bool = False
    ) -> list[ast.expr]:
        """Note `a.b.c`, and return what is in front of the dots if it is no name."""
        names, front = _chain(node)
        for attribute in names if front is not None else names[1:]:
            body.attributes.setdefault(attribute, node.lineno)
        if front is not None:
            return [front]
        self.used.add(names[0])
        body.mentions.append(Mention(names, node.lineno, scope, called, computed))
        return []

    def _register(self, body: Body, names: tuple[str, ...], scope: Scope) -> None:
        """`@f.register` and `@table.add` tie a function to f and to the table; so may `@register`, which fills one."""
        if len(names) > 1:
            home = scope.home_of(names[0])
            if home is not None and not _imported(home, names[0]):
                home.bind(names[0], body, body.line, True)
            return
        filled = {
            mention.names[0]
            for found in self._resolve(scope, names)
            if isinstance(found, Body)
            for part in (found, *_inner_functions(found))
            for mention in part.mentions
        }
        for name in filled:
            tables = [binding.value for binding in self.scope.bindings.get(name, ())]
            if any(isinstance(table, Body) and table.kind == "value" for table in tables):
                self.scope.bind(name, body, body.line, True)

    # --- What a name means ------------------------------------------------------------------------------------------

    def meanings(self, name: str) -> list[External | Body]:
        """Return what a name of the file is in the end; empty if there is no such name or nobody can tell."""
        return self._resolve(self.scope, (name,), judged=True) if name in self.scope.bindings else []

    def line_of(self, name: str) -> int:
        """Return the line of the last definition of a name."""
        return self.scope.bindings[name][-1].line

    def resolve(self, mention: Mention) -> list[External | Body]:
        """Return everything that a mention may mean, as far as it can be told."""
        key = mention.scope.home_of(mention.names[0]), mention.names
        if key not in self._resolved:
            self._resolved[key] = self._resolve(mention.scope, mention.names)
        return self._resolved[key]

    def _resolve(self, scope: Scope, names: tuple[str, ...], *, judged: bool = False) -> list[External | Body]:
        found: dict[External | Body, None] = {}
        seen: set[tuple[Scope, tuple[str, ...]]] = set()
        waiting = [(scope, names, 0)]
        while waiting:
            scope, names, hops = waiting.pop()
            root, rest = names[0], names[1:]
            self._steps += 1
            if hops > HOPS or self._steps > STEPS:
                self.tangled = True
                break
            home = scope.home_of(root)
            if home is None:
                found.update(dict.fromkeys(self._from_outside(root, rest)))
            elif (home, names) not in seen and not (home is self.scope and root in self._apart and not judged):
                seen.add((home, names))
                bindings = home.visible(root)
                self._steps += len(bindings)
                for binding in bindings:
                    match binding.value:
                        case External(name=name):
                            found[External(".".join([name, *rest]))] = None
                        case Body():
                            found[binding.value] = None
                        case tuple():
                            waiting.append((binding.scope, (*binding.value, *rest), hops + 1))
            judged = False
        return list(found)

    def _from_outside(self, root: str, rest: tuple[str, ...]) -> list[External]:
        if root == "__builtins__":
            return [External(".".join(["builtins", *rest]))]
        if root in BUILTINS:
            return [External(".".join(["builtins", root, *rest]))]
        self._steps += len(self._stars)
        return [External(".".join([module, root, *rest]), len(self._stars) == 1) for module in self._stars]

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
        seen = self._stop.difference(start)
        known: dict[Body, bool] = {}  # the classes, and whether objects of them are made
        waiting = deque((entity, False) for entity in start if isinstance(entity, Body))
        while waiting:
            body, finished = waiting.popleft()  # finished: it was only called when the file was imported
            if body.kind == "class" and not known.get(body, False):
                known[body] = not finished
                for name, methods in body.methods.items():
                    special = name.startswith("__") and name.endswith("__") and not (finished and name in MAKING)
                    if special or name in reached.attributes:
                        waiting.extend((method, False) for method in methods)
            if finished:
                waiting.extend((inner, False) for inner in body.inner if inner.kind != "value" or body.kind == "class")
            elif body not in seen:
                seen.add(body)
                for name in body.attributes.keys() - reached.attributes.keys():
                    methods_of_name = self._methods.get(name, ())
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
            for entity in self.resolve(mention):
                if isinstance(entity, Body):
                    led[entity, mention.called] = None
                else:
                    reached.externals[entity, mention.line] = None
                    if mention.computed:
                        reached.computed[entity, mention.line] = None
        return list(led)


# --- Small things ---------------------------------------------------------------------------------------------------


def _chain(expression: ast.expr) -> tuple[tuple[str, ...], ast.expr | None]:
    """Return the names of `a.b.c`, which `getattr(a, "b").c` is too, and what is in front of them if it is no name."""
    names: list[str] = []
    while True:
        match expression:
            case ast.Attribute(value=inner, attr=name):
                pass
            case ast.Call(func=ast.Name(id="getattr"), args=[inner, ast.Constant(value=str(name)), *_]):
                pass
            case ast.Name(id=name):
                return (name, *reversed(names)), None
            case _:
                return tuple(reversed(names)), expression
        names.append(name)
        expression = inner


def _roots(target: ast.expr) -> list[str]:
    """Return the names that an assignment changes: T of `T["a"]`, a and b of `a, b`."""
    return [part.id for part in ast.walk(target) if isinstance(part, ast.Name)]


def _imported(scope: Scope, name: str) -> bool:
    return any(isinstance(binding.value, External) for binding in scope.bindings.get(name, ()))


def _inner_functions(body: Body) -> Iterator[Body]:
    waiting = list(body.inner)
    while waiting:
        inner = waiting.pop()
        yield inner
        waiting.extend(inner.inner)


def _of_several(value: External | Body | tuple[str, ...] | None) -> bool:
    """Tell whether a definition stands beside others of its name: `@dispatch` of several libraries."""
    decorators = getattr(value.node, "decorator_list", []) if isinstance(value, Body) else []
    return any(_last_name(decorator) in ("dispatch", "multimethod") for decorator in decorators)


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


def _is_main_guard(test: ast.expr) -> bool:
    """`if __name__ == "__main__":` does not run when the file is marked."""
    match test:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            texts = {part.id if isinstance(part, ast.Name) else getattr(part, "value", None) for part in (left, right)}
            return texts == {"__name__", "__main__"}
    return False
