"""The student's file as Python would read it: which names mean what, and which code a function runs.

Nothing is imported or run. A name is followed through imports, assignments, containers, classes, decorators and
functions that return functions; where it could mean several things it means all of them, except that the last of
several definitions on one straight line hides those before it, as in Python.
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

__all__ = [
    "Body",
    "Bound",
    "Class",
    "Dynamic",
    "Entity",
    "External",
    "Instance",
    "Loop",
    "Module",
    "Reached",
    "decode",
    "parse",
]

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Loop = ast.For | ast.AsyncFor | ast.While
BUILTINS = frozenset(dir(builtins))
DEPTH = 60  # assignments to follow from one name to its meaning
MEANINGS = 64  # of one name; more is nobody's code
STEPS = 300_000  # to follow names in one file; then the rest is unknown, and the module `tangled`
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
class Dynamic:
    """Something of a module (any, if empty) under a name that only running the file can tell."""

    module: str


@dataclass(eq=False, repr=False)
class Body:
    """A function, method or lambda of the file, or the file itself.

    Attributes
    ----------
    node : ast node
    name : str
    scope : Scope
        Where the names inside are looked up.
    owner : Class or None
        The class whose method it is.
    loops, comprehensions : list of ast nodes
        Those of this body alone, not of the functions defined in it.
    references : list of (ast.expr, Scope)
        Every name, attribute, call and subscript that is read in it.
    attributes : set of str
        The names after a dot.
    returns : list of (ast.expr, Scope)
    stores : list of (str, ast.expr, Scope)
        What is put into containers: the name of the container, and the element.
    """

    node: FunctionNode | ast.Module
    name: str
    scope: Scope
    owner: Class | None = None
    loops: list[Loop] = field(default_factory=list)
    comprehensions: list[ast.expr] = field(default_factory=list)
    references: list[tuple[ast.expr, Scope]] = field(default_factory=list)
    attributes: set[str] = field(default_factory=set)
    returns: list[tuple[ast.expr, Scope]] = field(default_factory=list)
    stores: list[tuple[str, ast.expr, Scope]] = field(default_factory=list)
    inner: list[Body] = field(default_factory=list)

    @property
    def line(self) -> int:
        """The line of its `def`."""
        return getattr(self.node, "lineno", 1)

    @property
    def unwritten(self) -> bool:
        """Whether nothing is in it but a docstring, `pass`, `...` or `raise NotImplementedError`: a template's."""
        return isinstance(self.node, ast.FunctionDef) and all(map(_does_nothing, self.node.body))

    def decorated_with(self, *names: str) -> bool:
        """Tell whether one of its decorators has one of these names, whatever module it is from."""
        return any(_last_name(decorator) in names for decorator in getattr(self.node, "decorator_list", ()))


@dataclass(frozen=True)
class Bound:
    """A function with some of its parameters already given: the first `skip`, and those in `given` by name."""

    body: Body
    skip: int = 1
    given: frozenset[str] = frozenset()


@dataclass(eq=False, repr=False)
class Class:
    """A class of the file."""

    node: ast.ClassDef
    scope: Scope
    outer: Scope
    methods: dict[str, list[Body]] = field(default_factory=dict)


@dataclass(frozen=True)
class Instance:
    """An object of a class of the file."""

    type: Class


Entity = External | Dynamic | Body | Bound | Class | Instance


@dataclass
class Binding:
    """One place that gives a name its meaning; `value` is None where it cannot be followed (a parameter, a loop)."""

    value: ast.expr | Entity | None
    scope: Scope
    conditional: bool = False
    line: int = 0
    imported: bool = False


@dataclass(eq=False, repr=False)
class Scope:
    """Where names live: the file, a function, a class or a comprehension."""

    parent: Scope | None
    kind: str
    body: Body = field(init=False)
    owner: Class | None = None
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    elsewhere: dict[str, str] = field(default_factory=dict)  # declared global or nonlocal

    def root(self) -> Scope:
        """Return the scope of the file."""
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope

    def home_of(self, name: str) -> Scope | None:
        """Return the scope that holds a name read here, None if none of the file does."""
        scope: Scope | None = self
        while scope is not None:
            if scope.elsewhere.get(name) == "global":
                scope = scope.root()
            if name in scope.bindings and (scope is self or scope.kind != "class") and name not in scope.elsewhere:
                return scope
            scope = scope.parent
        return None

    def bind(self, name: str, binding: Binding) -> None:
        """Give a name a meaning, here or where it was declared to live."""
        target = self
        while target.kind == "comprehension" and target.parent is not None and isinstance(binding.value, ast.expr):
            target = target.parent  # (name := value) belongs to the function
        if (where := target.elsewhere.get(name)) is not None:
            binding.conditional = True
            target = target.root() if where == "global" else (target.parent or target)
        target.bindings.setdefault(name, []).append(binding)


@dataclass
class Reached:
    """All that runs when a function is called.

    Attributes
    ----------
    bodies : list of Body
        The function itself and the helpers of the file that it uses, nearest first.
    externals : list of (External or Dynamic, line)
        What it uses of other modules.
    recursive : list of Body
        Helpers that come back to themselves.
    created : set of Class
        Of which it makes objects.
    """

    bodies: list[Body]
    externals: list[tuple[External | Dynamic, int]]
    recursive: list[Body]
    created: set[Class] = field(default_factory=set)


class Module:
    """The student's file.

    Parameters
    ----------
    tree : ast.Module

    Attributes
    ----------
    body : Body
        The code of the file itself, which runs when it is imported.
    bodies : list of Body
        All functions, methods and lambdas, in the order of the file.
    classes : list of Class
    imports : list of (name in the file, full name, line, whether it is in a function)
    stars : list of str
        Modules of `from module import *`.
    used : set of str
        All names that are read somewhere.
    tangled : bool
        Whether there are so many names for names that not all of them were followed.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.scope = Scope(None, "module")
        self.body = self.scope.body = Body(tree, "<module>", self.scope)
        self.bodies: list[Body] = []
        self.classes: list[Class] = []
        self.imports: list[tuple[str, str, int]] = []
        self.stars: list[str] = []
        self.used: set[str] = set()
        self._body_of: dict[ast.AST, Body] = {}
        self._extras: dict[str, list[tuple[ast.expr | Body, Scope]]] = {}
        self._edges: dict[Body, list[tuple[Entity, int]]] = {}
        self._resolved: dict[tuple[ast.expr, Scope], list[Entity]] = {}
        self._meanings: dict[tuple[Scope, str], list[Entity]] = {}
        self._steps = 0
        self.tangled = False
        self._build(tree)
        self._register_decorated()

    # --- Reading the tree -------------------------------------------------------------------------------------------

    def _build(self, tree: ast.Module) -> None:
        """Visit every node once, without recursion: a long sum is a deep tree."""
        stack: list[tuple[ast.AST, Scope, bool]] = [(node, self.scope, False) for node in reversed(tree.body)]
        while stack:
            node, scope, conditional = stack.pop()
            following = self._visit(node, scope, conditional)
            stack.extend(reversed(following))
        for bindings in self.scope.bindings.values():
            bindings.sort(key=lambda binding: binding.line)

    def _visit(self, node: ast.AST, scope: Scope, conditional: bool) -> list[tuple[ast.AST, Scope, bool]]:
        body = scope.body
        line = getattr(node, "lineno", 0)

        def all_in(
            nodes: Iterable[ast.AST | None], where: Scope = scope, maybe: bool = conditional
        ) -> list[tuple[ast.AST, Scope, bool]]:
            return [(child, where, maybe) for child in nodes if child is not None]

        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                inner = self._function(node, scope)
                if not isinstance(node, ast.Lambda):
                    scope.bind(node.name, Binding(inner, scope, conditional, line))
                outside = [*getattr(node, "decorator_list", ()), *node.args.defaults, *node.args.kw_defaults]
                inside = node.body if isinstance(node.body, list) else [node.body]
                if isinstance(node, ast.Lambda):
                    inner.returns.append((node.body, inner.scope))
                    body.references.append((node, scope))
                return all_in(outside) + all_in(inside, inner.scope, False)
            case ast.ClassDef():
                made = self._class(node, scope)
                scope.bind(node.name, Binding(made, scope, conditional, line))
                outside = [*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)]
                return all_in(outside) + all_in(node.body, made.scope, False)
            case ast.Import() | ast.ImportFrom():
                self._import(node, scope, conditional)
                return []
            case ast.Global() | ast.Nonlocal():
                kind = "global" if isinstance(node, ast.Global) else "nonlocal"
                scope.elsewhere.update(dict.fromkeys(node.names, kind))
                return []
            case ast.If() if scope.kind == "module" and _is_main_guard(node.test):
                return all_in(node.orelse)
            case ast.If() | ast.Try() | ast.Match() | ast.TryStar():
                self._bind_patterns(node, scope)
                return all_in(ast.iter_child_nodes(node), maybe=True)
            case ast.For() | ast.AsyncFor() | ast.While():
                body.loops.append(node)
                if not isinstance(node, ast.While):
                    self._assign(node.target, None, scope, True)
                return all_in(ast.iter_child_nodes(node), maybe=True)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                body.comprehensions.append(node)
                inside_scope = Scope(scope, "comprehension")
                inside_scope.body = body
                for generator in node.generators:
                    for name in _names_in(generator.target):
                        inside_scope.bindings.setdefault(name, []).append(Binding(None, inside_scope))
                return all_in(ast.iter_child_nodes(node), inside_scope)
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._assign(target, value, scope, conditional)
                if (
                    scope.kind == "module"
                    and isinstance(value, ast.Name | ast.Attribute)
                    and (root := _root_name(value))
                ):
                    self.used.add(root)  # another name for something: it counts where it is used
                    return all_in(targets)
                return all_in([*targets, value])
            case ast.AnnAssign(target=target, value=annotated):
                if annotated is not None:
                    self._assign(target, annotated, scope, conditional)
                return all_in([target, annotated])
            case ast.AugAssign(target=target, value=value):
                self._assign(target, value, scope, True)
                return all_in([target, value])
            case ast.NamedExpr(target=target, value=value):
                self._assign(target, value, scope, conditional)
                return all_in([value])
            case ast.withitem(context_expr=context, optional_vars=target):
                if target is not None:
                    self._assign(target, None, scope, conditional)
                return all_in([context, target])
            case ast.ExceptHandler():
                if node.name:
                    scope.bind(node.name, Binding(None, scope, True, line))
            case ast.Return(value=value) if value is not None:
                body.returns.append((value, scope))
            case ast.Call():
                body.references.append((node, scope))
                self._call(node, scope)
            case ast.Name(ctx=ast.Load()):
                self.used.add(node.id)
                body.references.append((node, scope))
            case ast.Attribute():
                body.attributes.add(node.attr)
                body.references.append((node, scope))
            case ast.Subscript():
                body.references.append((node, scope))
            case ast.arg():
                return []
        return all_in(ast.iter_child_nodes(node))

    def _function(self, node: FunctionNode, scope: Scope) -> Body:
        inner_scope = Scope(scope, "function")
        owner = scope.owner
        body = Body(node, getattr(node, "name", "<lambda>"), inner_scope, owner)
        inner_scope.body = body
        scope.body.inner.append(body)
        self.bodies.append(body)
        self._body_of[node] = body
        if owner is not None:
            owner.methods.setdefault(body.name, []).append(body)
        arguments = node.args
        positional = [*arguments.posonlyargs, *arguments.args]
        defaults = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)
        for argument, default in [
            *zip(positional, defaults, strict=True),
            *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
        ]:
            inner_scope.bind(argument.arg, Binding(None, inner_scope))
            if default is not None:
                inner_scope.bind(argument.arg, Binding(default, scope, True))
        for extra in (arguments.vararg, arguments.kwarg):
            if extra is not None:
                inner_scope.bind(extra.arg, Binding(None, inner_scope))
        return body

    def _class(self, node: ast.ClassDef, scope: Scope) -> Class:
        inner_scope = Scope(scope, "class")
        inner_scope.body = scope.body  # its statements run where the class is defined
        made = inner_scope.owner = Class(node, inner_scope, scope)
        self.classes.append(made)
        return made

    def _import(self, node: ast.Import | ast.ImportFrom, scope: Scope, conditional: bool) -> None:
        for alias in node.names:
            if isinstance(node, ast.Import):
                name = alias.asname or alias.name.partition(".")[0]
                meaning = alias.name if alias.asname else name
                self.imports.append((name, alias.name, node.lineno))
            else:
                module = "." * node.level + (node.module or "")
                if alias.name == "*":
                    self.stars.append(module)
                    self.imports.append(("*", module, node.lineno))
                    continue
                name = alias.asname or alias.name
                meaning = f"{module}.{alias.name}"
                self.imports.append((name, meaning, node.lineno))
            scope.bind(name, Binding(External(meaning), scope, conditional, node.lineno, imported=True))

    def _bind_patterns(self, node: ast.AST, scope: Scope) -> None:
        if isinstance(node, ast.Match):
            for case in node.cases:
                for part in ast.walk(case.pattern):
                    match part:
                        case (
                            ast.MatchAs(name=str(name))
                            | ast.MatchStar(name=str(name))
                            | ast.MatchMapping(rest=str(name))
                        ):
                            scope.bind(name, Binding(None, scope, True, node.lineno))

    def _assign(self, target: ast.expr, value: ast.expr | None, scope: Scope, conditional: bool) -> None:
        match target:
            case ast.Name():
                scope.bind(target.id, Binding(value, scope, conditional, target.lineno))
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                values: list[ast.expr | None] = [None] * len(targets)
                if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(targets):
                    values = list(value.elts)
                for part, element in zip(targets, values, strict=True):
                    self._assign(part, element, scope, conditional)
            case ast.Starred(value=inner):
                self._assign(inner, None, scope, conditional)
            case ast.Subscript() | ast.Attribute():
                root = _root_name(target)
                if root and value is not None:
                    self._store(root, value, scope)

    def _call(self, node: ast.Call, scope: Scope) -> None:
        """`registry.append(f)` puts f into the registry."""
        if isinstance(node.func, ast.Attribute) and node.func.attr in FILLING and (root := _root_name(node.func)):
            for argument in [*node.args, *(keyword.value for keyword in node.keywords)]:
                if isinstance(argument, ast.Name | ast.Attribute | ast.Lambda | ast.Dict | ast.Tuple | ast.List):
                    self._store(root, argument, scope)

    def _store(self, root: str, value: ast.expr, scope: Scope) -> None:
        scope.body.stores.append((root, value, scope))
        if scope.kind in ("module", "class") and scope.body is self.body:
            self._extras.setdefault(root, []).append((value, scope))

    def _register_decorated(self) -> None:
        """`@f.register` and `@registry.add` tie a function to f and to the registry; so may `@register`."""
        for body in self.bodies:
            for decorator in getattr(body.node, "decorator_list", ()):
                called = decorator.func if isinstance(decorator, ast.Call) else decorator
                root = _root_name(called)
                if root is None or body.scope.parent is None:
                    continue
                if isinstance(called, ast.Attribute):
                    self._extras.setdefault(root, []).append((body, body.scope))
                    continue
                for found in self.resolve(called, body.scope.parent):
                    if isinstance(found, Body):
                        for container in _containers_filled_by(found):
                            self._extras.setdefault(container, []).append((body, body.scope))

    # --- What a name means ------------------------------------------------------------------------------------------

    def meanings(self, name: str) -> list[Entity]:
        """Return what a name of the file is in the end; empty if there is no such name or nobody can tell."""
        return self._look_up(name, self.scope, DEPTH)

    def has(self, name: str) -> bool:
        """Tell whether the file gives the name a meaning."""
        return name in self.scope.bindings

    def line_of(self, name: str) -> int:
        """Return the line of the last definition of a name."""
        return self.scope.bindings[name][-1].line

    def resolve(self, expression: ast.expr, scope: Scope, depth: int = DEPTH) -> list[Entity]:
        """Return everything that an expression may be, as far as it can be told."""
        key = (expression, scope)
        if (known := self._resolved.get(key)) is not None:
            return known
        self._steps += 1
        if depth <= 0 or self._steps > STEPS:
            # A long chain of calls on one line is only long; names for names for names are meant to be lost in.
            self.tangled = self.tangled or self._steps > STEPS or isinstance(expression, ast.Name)
            return []
        self._resolved[key] = []  # what goes in a circle means nothing more
        found = self._resolved[key] = self._resolve(expression, scope, depth)[:MEANINGS]
        return found

    def _resolve(self, expression: ast.expr, scope: Scope, depth: int) -> list[Entity]:
        found: list[Entity] = []
        match expression:
            case ast.Name():
                return self._look_up(expression.id, scope, depth - 1)
            case ast.Attribute():
                for base in self.resolve(expression.value, scope, depth - 1):
                    found += self._attribute(base, expression.attr, depth - 1)
            case ast.Call():
                return self._result_of(expression, scope, depth - 1)
            case ast.Lambda():
                return [self._body_of[expression]]
            case ast.IfExp():
                return self._several([expression.body, expression.orelse], scope, depth)
            case ast.BoolOp():
                return self._several(expression.values, scope, depth)
            case ast.NamedExpr() | ast.Starred() | ast.Await():
                return self.resolve(expression.value, scope, depth - 1)
            case ast.Subscript():
                return self._element(expression.value, expression.slice, scope, depth - 1)
        return found[:MEANINGS]

    def _several(self, expressions: Iterable[ast.expr], scope: Scope, depth: int) -> list[Entity]:
        return [entity for part in expressions for entity in self.resolve(part, scope, depth - 1)][:MEANINGS]

    def _look_up(self, name: str, scope: Scope, depth: int) -> list[Entity]:
        home = scope.home_of(name)
        if home is None:
            if name == "__builtins__":
                return [External("builtins")]
            if name in BUILTINS:
                return [External(f"builtins.{name}")]
            return [External(f"{module}.{name}", len(self.stars) == 1) for module in self.stars]
        if (known := self._meanings.get((home, name))) is not None:
            return known
        self._meanings[home, name] = []  # x = f(x) means nothing more
        found: list[Entity] = []
        for binding in _visible(home, name):
            if isinstance(binding.value, ast.expr):
                found += self.resolve(binding.value, binding.scope, depth - 1)
            elif binding.value is not None:
                found.append(binding.value)
        found = self._meanings[home, name] = list(dict.fromkeys(found))[:MEANINGS]
        return found

    def _attribute(self, base: Entity, name: str, depth: int) -> list[Entity]:
        match base:
            case External():
                return [External(f"{base.name}.{name}", base.certain)]
            case Class():
                return [
                    Bound(body) if body.decorated_with("classmethod") else body for body in self.methods(base, name)
                ] or self._class_attribute(base, name, depth)
            case Instance():
                return [
                    body if body.decorated_with("staticmethod") else Bound(body)
                    for body in self.methods(base.type, name)
                ] or self._class_attribute(base.type, name, depth)
            case Body() | Bound() if name in ("__call__", "__wrapped__", "func", "__func__"):
                return [base]
        return []

    def _class_attribute(self, base: Class, name: str, depth: int) -> list[Entity]:
        if name not in base.scope.bindings or depth <= 0:
            return []
        return [
            entity
            for binding in _visible(base.scope, name)
            if isinstance(binding.value, ast.expr)
            for entity in self.resolve(binding.value, binding.scope, depth - 1)
        ]

    def methods(self, made: Class, name: str, seen: frozenset[Class] = frozenset()) -> list[Body]:
        """Return the methods of a name in a class, or else in its bases."""
        if name in made.methods:
            return made.methods[name]
        found = []
        for base in made.node.bases:
            for entity in self.resolve(base, made.outer):
                if isinstance(entity, Class) and entity not in seen:
                    found += self.methods(entity, name, seen | {made})
        return found

    def _result_of(self, call: ast.Call, scope: Scope, depth: int) -> list[Entity]:
        if isinstance(call.func, ast.Attribute) and call.func.attr in ("get", "__getitem__") and call.args:
            return self._element(call.func.value, call.args[0], scope, depth)
        found: list[Entity] = []
        if isinstance(call.func, ast.Call) and call.args:
            for entity in self.resolve(call.func.func, scope, depth - 1):
                if entity in (External("operator.attrgetter"), External("operator.methodcaller")) and call.func.args:
                    found += self._by_name(call.args[0], call.func.args[0], scope, depth)
        for entity in self.resolve(call.func, scope, depth - 1):
            match entity:
                case External(name="builtins.getattr" | "operator.getitem") if len(call.args) >= 2:
                    found += self._by_name(call.args[0], call.args[1], scope, depth)
                case External(name="builtins.__import__" | "importlib.__import__") if call.args:
                    name = self.text(call.args[0], scope)
                    whole = len(call.args) > 3 or any(keyword.arg == "fromlist" for keyword in call.keywords)
                    found.append(Dynamic("") if name is None else External(name if whole else name.partition(".")[0]))
                case External(
                    name="importlib.import_module"
                    | "pydoc.locate"
                    | "pkgutil.resolve_name"
                    | "importlib.util.find_spec"
                ) if call.args:
                    name = self.text(call.args[0], scope)
                    found.append(Dynamic("") if name is None else External(name.replace(":", ".")))
                case External(name="functools.partial") if call.args:
                    given = frozenset(keyword.arg for keyword in call.keywords if keyword.arg)
                    for inner in self.resolve(call.args[0], scope, depth - 1):
                        if isinstance(inner, Body):
                            found.append(Bound(inner, len(call.args) - 1, given))
                        elif isinstance(inner, Bound):
                            found.append(Bound(inner.body, inner.skip + len(call.args) - 1, inner.given | given))
                        else:
                            found.append(inner)
                case External() if call.args:  # np.vectorize(f), lru_cache(f), njit(f): a function like f
                    found += [
                        inner
                        for inner in self.resolve(call.args[0], scope, depth - 1)
                        if isinstance(inner, Body | Bound) and len(call.args) <= 2
                    ]
                case Class():
                    found.append(Instance(entity))
                case Body() | Bound():
                    body = entity if isinstance(entity, Body) else entity.body
                    for value, inside in body.returns:
                        found += self.resolve(value, inside, depth - 2)
                    for argument in call.args:
                        given_functions = self.resolve(argument, scope, depth - 2)
                        found += [inner for inner in given_functions if isinstance(inner, Body | Bound)]
        return list(dict.fromkeys(found))[:MEANINGS]

    def _by_name(self, base: ast.expr, name: ast.expr, scope: Scope, depth: int) -> list[Entity]:
        text = self.text(name, scope)
        found: list[Entity] = []
        for entity in self.resolve(base, scope, depth - 1):
            if text is not None:
                for part in text.split("."):
                    entities = self._attribute(entity, part, depth - 1)
                    entity = entities[0] if entities else entity
                    found += entities
            elif isinstance(entity, External):
                found.append(Dynamic(entity.name))
        return found

    def _element(self, container: ast.expr, key: ast.expr, scope: Scope, depth: int) -> list[Entity]:
        text = self.text(key, scope)
        match container:
            case ast.Attribute(attr="__dict__", value=base) | ast.Call(func=ast.Name(id="vars"), args=[base]):
                return self._by_name(base, key, scope, depth)
            case ast.Call(func=ast.Name(id="globals" | "locals" | "vars"), args=[]):
                return self._look_up(text, self.scope, depth - 1) if text is not None else []
        found: list[Entity] = []
        for entity in self.resolve(container, scope, depth - 1):
            if entity == External("sys.modules"):
                found.append(Dynamic("") if text is None else External(text))
            elif entity == External("builtins"):
                found.append(Dynamic("builtins") if text is None else External(f"builtins.{text}"))
        return found

    def text(self, expression: ast.expr, scope: Scope, depth: int = 12) -> str | None:
        """Return the text that an expression is, if it can be told without running it."""
        if depth <= 0:
            return None
        match expression:
            case ast.Constant(value=str(value)):
                return value
            case ast.BinOp(op=ast.Add(), left=left, right=right):
                first, second = self.text(left, scope, depth - 1), self.text(right, scope, depth - 1)
                return first + second if first is not None and second is not None else None
            case ast.JoinedStr(values=values):
                parts = [
                    self.text(part.value if isinstance(part, ast.FormattedValue) else part, scope, depth - 1)
                    for part in values
                ]
                return "".join(part for part in parts if part is not None) if None not in parts else None
            case ast.Call(
                func=ast.Attribute(attr="join", value=glue), args=[ast.List(elts=elements) | ast.Tuple(elts=elements)]
            ):
                between = self.text(glue, scope, depth - 1)
                words = [self.text(element, scope, depth - 1) for element in elements]
                if between is None or None in words:
                    return None
                return between.join(word for word in words if word is not None)
            case ast.Subscript(
                value=inner,
                slice=ast.Slice(lower=None, upper=None, step=ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1))),
            ):
                reverse = self.text(inner, scope, depth - 1)
                return None if reverse is None else reverse[::-1]
            case ast.Call(
                func=ast.Attribute(attr="lower" | "upper" | "strip" | "title" as method, value=inner), args=[]
            ):
                raw = self.text(inner, scope, depth - 1)
                return None if raw is None else str(getattr(raw, method)())
            case ast.Call(func=ast.Attribute(attr="replace", value=inner), args=[old, new]):
                pieces = [self.text(part, scope, depth - 1) for part in (inner, old, new)]
                if None in pieces or not pieces[1]:
                    return None
                return str(pieces[0]).replace(str(pieces[1]), str(pieces[2]))[:10_000]
            case ast.Name(id=name):
                home = scope.home_of(name)
                bindings = _visible(home, name) if home is not None else []
                if len(bindings) == 1 and isinstance(bindings[0].value, ast.expr):
                    return self.text(bindings[0].value, bindings[0].scope, depth - 1)
        return None

    # --- What a function runs ---------------------------------------------------------------------------------------

    def reach(self, start: Iterable[Entity | str], stop: set[Body]) -> Reached:
        """Follow a function into the helpers of the file.

        Parameters
        ----------
        start : functions of the file, or a name in it
        stop : set of Body
            Functions that are judged on their own and not followed.
        """
        bodies: dict[Body, None] = {}
        externals: dict[tuple[External | Dynamic, int], None] = {}
        known: dict[Class, None] = {}
        created: set[Class] = set()
        calls: dict[Body, set[Body]] = {}
        waiting: deque[tuple[Entity, int, Body | None]] = deque()
        for entity in start:
            if isinstance(entity, str):
                waiting += [(found, self.line_of(entity), None) for found in self.meanings(entity)]
                for binding in self.bindings_of(entity):
                    waiting += [(found, line, None) for found, line in self._uses_of_binding(binding)]
                waiting += [(found, line, None) for found, line in self._added_to(entity)]
            else:
                waiting.append((entity, 0, None))
        first = {_body_in(entity) for entity, _, _ in waiting}

        def meet(entity: Entity, line: int, origin: Body | None) -> None:
            match entity:
                case External() | Dynamic():
                    externals.setdefault((entity, line))
                case Class() | Instance():
                    made = entity if isinstance(entity, Class) else entity.type
                    new = isinstance(entity, Instance) and made not in created
                    if made in known and not new:
                        return
                    for base in made.node.bases:
                        for found in self.resolve(base, made.outer):
                            if isinstance(found, Class) and found is not made:
                                waiting.append((Instance(found) if new else found, made.node.lineno, None))
                    if new:
                        created.add(made)
                        meet(made, line, None)
                    known.setdefault(made)
                    for name, methods in made.methods.items():
                        if name.startswith("__") and name.endswith("__") and (name in MAKING) == new:
                            waiting.extend((method, method.line, None) for method in methods)
                case Bound():
                    meet(entity.body, line, origin)
                case Body():
                    if origin is not None:
                        calls.setdefault(origin, set()).add(entity)
                    if entity in bodies or (entity in stop and entity not in first):
                        return
                    bodies.setdefault(entity)
                    if entity.owner is not None:
                        known.setdefault(entity.owner)
                    waiting.extend((found, at, entity) for found, at in self.uses(entity))

        looked_at: set[tuple[Body, Class]] = set()
        while waiting:
            while waiting:
                meet(*waiting.popleft())
            for body in list(bodies):
                for made in list(known):
                    if (body, made) not in looked_at:
                        looked_at.add((body, made))
                        for name in body.attributes & made.methods.keys():
                            waiting.extend((method, body.line, None) for method in made.methods[name])
        around = _between_circles(calls)
        recursive = [body for body in bodies if body in around and body not in stop and _comes_back(body, calls)]
        return Reached(list(bodies), list(externals), recursive, created)

    def uses(self, body: Body) -> list[tuple[Entity, int]]:
        """Return what the code of one function refers to, and where."""
        if body not in self._edges:
            self._edges[body] = []  # against endless recursion
            found: dict[tuple[Entity, int], None] = {}
            asked = {
                id(argument)
                for reference, _ in body.references
                if isinstance(reference, ast.Call) and _last_name(reference.func) in ("isinstance", "issubclass")
                for kind in reference.args[1:]
                for argument in ast.walk(kind)
            }
            for reference, scope in body.references:
                if id(reference) not in asked:
                    found.update(dict.fromkeys(self.uses_of(reference, scope)))
            for decorator in getattr(body.node, "decorator_list", ()):
                called = decorator.func if isinstance(decorator, ast.Call) else decorator
                for entity in self.resolve(called, body.scope.parent or self.scope):
                    match entity:
                        case Body():  # what it returns runs around the function
                            found.update(((inner, body.line), None) for inner in _inner_functions(entity))
                        case External():
                            found[(entity, body.line)] = None
            self._edges[body] = list(found)
        return self._edges[body]

    def uses_of(self, reference: ast.expr, scope: Scope) -> Iterator[tuple[Entity, int]]:
        """Yield what a name, attribute, call or subscript refers to, and where."""
        made_here = self.resolve(reference.func, scope) if isinstance(reference, ast.Call) else []
        for entity in self.resolve(reference, scope):
            made_elsewhere = isinstance(entity, Instance) and entity.type not in made_here
            yield (entity.type if made_elsewhere and isinstance(entity, Instance) else entity), reference.lineno
        match reference:
            case ast.Name(id=name):
                home = scope.home_of(name)
                if home is not None and home is not scope:
                    for binding in _visible(home, name):
                        if isinstance(binding.value, ast.expr):
                            yield from self._uses_of_binding(binding)
                if home is self.scope:
                    yield from self._added_to(name)
            case ast.Call(func=ast.Name() | ast.Attribute() as called):  # an object of a class of the file is called
                for entity in self.resolve(called, scope):
                    if isinstance(entity, Instance):
                        for method in [*self.methods(entity.type, "__call__"), *self.methods(entity.type, "forward")]:
                            yield method, reference.lineno

    def _added_to(self, name: str) -> Iterator[tuple[Entity, int]]:
        """Yield what the file puts into a container, or registers with a function."""
        if any(binding.imported for binding in self.scope.bindings.get(name, ())):
            return
        for extra, where in self._extras.get(name, ()):
            if isinstance(extra, Body):
                yield extra, extra.line
                continue
            for part in _parts_read(extra):
                for entity in self.resolve(part, where):
                    yield entity, part.lineno

    def _uses_of_binding(self, binding: Binding) -> Iterator[tuple[Entity, int]]:
        """Yield what is behind a variable: the functions in a table, the object of another module's class."""
        if not isinstance(binding.value, ast.expr):
            if binding.value is not None:
                yield binding.value, binding.line
            return
        for part in _parts_read(binding.value):
            for entity in self.resolve(part, binding.scope):
                made_at_import = isinstance(part, ast.Name | ast.Attribute) and part in _called_in(binding.value)
                if not (made_at_import and isinstance(entity, Body | Bound)):
                    yield entity.type if isinstance(entity, Instance) else entity, part.lineno

    def bindings_of(self, name: str) -> list[Binding]:
        """Return the places that give a name of the file the meaning it has in the end."""
        return _visible(self.scope, name) if name in self.scope.bindings else []


def _visible(scope: Scope, name: str) -> list[Binding]:
    """Leave out what a later definition on the same straight line hides; inside a function nothing is."""
    bindings = scope.bindings[name]
    if scope.kind == "function":
        return bindings
    start = 0
    for index, binding in enumerate(bindings):
        together = isinstance(binding.value, Body) and binding.value.decorated_with("dispatch", "multimethod")
        if not binding.conditional and not together:
            start = index
    kept = [
        binding
        for binding in bindings[start:]
        if not (isinstance(binding.value, Body) and binding.value.decorated_with("overload"))
    ]
    return kept or bindings[start:]


def _body_in(entity: Entity) -> Body | None:
    return entity.body if isinstance(entity, Bound) else entity if isinstance(entity, Body) else None


def _between_circles(calls: dict[Body, set[Body]]) -> set[Body]:
    """Leave out, one after the other, the functions that call none of those that are left: no circle has them."""
    callers: dict[Body, list[Body]] = {}
    for body, called in calls.items():
        for other in called:
            callers.setdefault(other, []).append(body)
    left = {body: len(called) for body, called in calls.items()}
    waiting = [body for body in callers if body not in left]
    while waiting:
        for caller in callers.get(waiting.pop(), ()):
            left[caller] -= 1
            if not left[caller]:
                waiting.append(caller)
    return {body for body, count in left.items() if count}


def _comes_back(start: Body, calls: dict[Body, set[Body]]) -> bool:
    seen: set[Body] = set()
    waiting = list(calls.get(start, ()))
    while waiting:
        body = waiting.pop()
        if body is start:
            return True
        if body not in seen:
            seen.add(body)
            waiting.extend(calls.get(body, ()))
    return False


def _inner_functions(body: Body) -> Iterator[Body]:
    waiting = list(body.inner)
    while waiting:
        inner = waiting.pop()
        yield inner
        waiting.extend(inner.inner)


def _containers_filled_by(decorator: Body) -> set[str]:
    """Names of the file's containers into which a decorator puts the function it decorates."""
    found = set()
    for body in (decorator, *_inner_functions(decorator)):
        for root, value, scope in body.stores:
            if isinstance(value, ast.Name) and (home := scope.home_of(value.id)) is not None:
                given = any(binding.value is None for binding in home.bindings[value.id])
                if home.kind == "function" and given and scope.home_of(root) is scope.root():
                    found.add(root)
    return found


def _parts_read(expression: ast.expr) -> list[ast.expr]:
    return [
        part
        for part in ast.walk(expression)
        if isinstance(part, ast.Name | ast.Attribute | ast.Call | ast.Lambda | ast.Subscript)
    ]


def _called_in(expression: ast.expr) -> list[ast.expr]:
    return [part.func for part in ast.walk(expression) if isinstance(part, ast.Call)]


def _does_nothing(statement: ast.stmt) -> bool:
    match statement:
        case ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Raise(exc=ast.expr() as error):
            return _last_name(error) == "NotImplementedError"
    return False


def _last_name(expression: ast.expr) -> str | None:
    if isinstance(expression, ast.Call):
        expression = expression.func
    match expression:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return None


def _root_name(expression: ast.expr) -> str | None:
    while isinstance(expression, ast.Attribute | ast.Subscript):
        expression = expression.value
    return expression.id if isinstance(expression, ast.Name) else None


def _names_in(target: ast.expr) -> list[str]:
    return [part.id for part in ast.walk(target) if isinstance(part, ast.Name)]


def _is_main_guard(test: ast.expr) -> bool:
    """`if __name__ == "__main__":` does not run when the file is marked."""
    match test:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            texts = {part.id if isinstance(part, ast.Name) else getattr(part, "value", None) for part in (left, right)}
            return texts == {"__name__", "__main__"}
    return False
