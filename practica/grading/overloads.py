"""Which loops run for one overload of the statement, when one Python function serves several.

The statement limits the loops of each overload, and Julia chooses it by the types of the arguments. A Python function
chooses with `if x.ndim == 2`, `isinstance(x, int)`, `x.dtype == bool`, `match`, or a helper that asks so. Here it is
walked with what is known of the arguments of one overload: a branch that its types exclude is left out, and where it
cannot be told both branches are possible and neither is certain.

    def crossvalidation(x, k):          (N: int, k: int)    (targets: bool[1], k: int)
        if np.isscalar(x):              true                false
            ...                         certain
        x = np.asarray(x)
        if odd(x):                                          unknown
            for label in labels: ...                        possible
        for label in labels: ...                            certain
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from practica.grading.rubric import Overload
from practica.grading.source import Body, Bound, External, Instance, Loop, Module, Scope

__all__ = ["Loops", "loops_of_overload"]

DEPTH = 8  # helpers that call helpers
STEPS = 20_000  # nodes to visit; more is nobody's dispatch


@dataclass
class Loops:
    """The loop statements that an overload runs: in any case, and perhaps."""

    certain: set[Loop] = field(default_factory=set)
    possible: set[Loop] = field(default_factory=set)


@dataclass(frozen=True)
class _Const:
    value: Any


@dataclass(frozen=True)
class _Data:
    """A number (ndim 0) or an array of which the elements ("int", "bool", "real", "any") and dimensions are known."""

    element: str
    ndim: int


@dataclass(frozen=True)
class _Part:
    """`x.dtype`, `x.dtype.kind` or `x.shape` of some data."""

    what: str
    of: _Data


@dataclass(frozen=True)
class _Size:
    """A question about how many there are, such as `N == 0`: an early return there says nothing about the types."""


@dataclass(frozen=True)
class _Kind:
    """The name of a type: "bool", "int", "float", "number", "object", "ndarray", "list"..."""

    names: frozenset[str]


@dataclass(frozen=True)
class _Each:
    """What a comprehension says of each element."""

    value: _Const


_Value = _Const | _Data | _Part | _Size | _Kind | _Each | tuple[Any, ...] | None  # None: nothing is known
_Names = dict[str, _Value]

_KINDS: Mapping[str, str] = {
    "builtins.bool": "bool",
    "numpy.bool_": "bool",
    "numpy.bool": "bool",
    "torch.bool": "bool",
    "builtins.int": "int",
    "numpy.integer": "int",
    "numpy.int64": "int",
    "numpy.int32": "int",
    "numbers.Integral": "int",
    "builtins.float": "float",
    "numpy.floating": "float",
    "numpy.float64": "float",
    "numpy.float32": "float",
    "numpy.number": "number",
    "numbers.Number": "number",
    "numbers.Real": "number",
    "builtins.object": "object",
    "numpy.object_": "object",
    "builtins.str": "str",
    "numpy.str_": "str",
    "builtins.list": "list",
    "builtins.tuple": "tuple",
    "numpy.ndarray": "ndarray",
    "builtins.dict": "dict",
    "torch.Tensor": "Tensor",
}
_SAME = frozenset(
    ["numpy.asarray", "numpy.array", "numpy.asanyarray", "numpy.ascontiguousarray", "numpy.copy", "operator.index"]
)


def loops_of_overload(module: Module, body: Body, overload: Overload, stop: set[Body]) -> Loops:
    """Walk a function with the arguments of one overload.

    Parameters
    ----------
    module : Module
    body : Body
        The function.
    overload : Overload
    stop : set of Body
        Functions that are not followed; this one calling itself is not either: that is another overload.

    Returns
    -------
    loops : Loops
        Of the function and its helpers.
    """
    walk = _Walk(module, {*stop, body})
    given: list[_Value] = [_data_of(parameter.kind) for parameter in overload.positional]
    walk.call(body, given, {}, certain=True, depth=DEPTH, omitted_are_known=True)
    return walk.loops


def _data_of(kind: str) -> _Value:
    match = re.fullmatch(r"(\w+)\[(\d)\]", kind)
    if match:
        return _Data(match[1], int(match[2]))
    return None if kind == "any" else _Data(kind, 0)


@dataclass
class _Ended:
    """How a block ended: whether it is left for good (returned, or not at all), and what it returned."""

    returns: list[_Value] = field(default_factory=list)
    falls_through: bool = True
    sure: bool = True  # whether what follows runs in any case
    raises: bool = False


class _Walk:
    def __init__(self, module: Module, stop: set[Body]) -> None:
        self.module, self.stop = module, stop
        self.loops = Loops()
        self.steps = 0
        self.running: list[Body] = []
        self.followed: set[Body] = set()  # those whose loops, and those of all that they use, are possible already

    def call(
        self,
        body: Body,
        given: list[_Value],
        by_name: Mapping[str, _Value],
        *,
        certain: bool,
        depth: int,
        omitted_are_known: bool = False,
    ) -> _Value:
        """Run a function of the file on what is known of its arguments, and tell what is known of its value."""
        node = body.node
        if isinstance(node, ast.Module) or depth <= 0 or body in self.running or len(self.running) > 40:
            self._perhaps([body])
            return None
        names: _Names = {}
        positional = [*node.args.posonlyargs, *node.args.args]
        defaults = [None] * (len(positional) - len(node.args.defaults)) + list(node.args.defaults)
        for index, (argument, default) in enumerate(zip(positional, defaults, strict=True)):
            if index < len(given):
                names[argument.arg] = given[index]
            elif argument.arg in by_name:
                names[argument.arg] = by_name[argument.arg]
            elif isinstance(default, ast.Constant) and (default.value is None or not omitted_are_known):
                names[argument.arg] = _Const(default.value)
            else:
                names[argument.arg] = None
        for argument in node.args.kwonlyargs:
            names[argument.arg] = by_name.get(argument.arg)
        for extra in (node.args.vararg, node.args.kwarg):
            if extra is not None:
                names[extra.arg] = None
        if node.args.vararg is not None and omitted_are_known:
            names[node.args.vararg.arg] = tuple(given[len(positional) :])
        self.running.append(body)
        try:
            if isinstance(node, ast.Lambda):
                return self.value(node.body, names, body.scope, certain, depth)
            ended = self.block(node.body, names, body.scope, certain, depth)
        finally:
            self.running.pop()
        returned = ended.returns
        if ended.falls_through:
            returned = [*returned, _Const(None)]
        return returned[0] if returned and all(value == returned[0] for value in returned) else None

    def _perhaps(self, bodies: Iterable[Body]) -> None:
        wanted = [body for body in bodies if body not in self.stop and body not in self.followed]
        if wanted:
            reached = self.module.reach(wanted, self.stop)
            self.followed.update(reached.bodies)
            self.loops.possible.update(node for body in reached.bodies for node in body.loops)

    # --- Statements -------------------------------------------------------------------------------------------------

    def block(self, statements: Iterable[ast.stmt], names: _Names, scope: Scope, certain: bool, depth: int) -> _Ended:
        """Walk statements one after the other; `names` is changed in place."""
        ended = _Ended()
        for statement in statements:
            part = self.statement(statement, names, scope, certain and ended.sure, depth)
            ended.returns += part.returns
            ended.sure = ended.sure and part.sure
            if not part.falls_through:
                ended.falls_through, ended.raises = False, part.raises
                break
        return ended

    def statement(self, node: ast.stmt, names: _Names, scope: Scope, certain: bool, depth: int) -> _Ended:
        """Walk one statement."""
        self.steps += 1
        if self.steps > STEPS:
            return _Ended()
        match node:
            case ast.Return(value=value):
                known = self.value(value, names, scope, certain, depth) if value is not None else _Const(None)
                return _Ended([known], falls_through=False)
            case ast.Raise():
                return _Ended(falls_through=False, raises=True)
            case ast.Continue() | ast.Break():
                return _Ended(falls_through=False)
            case ast.If(test=test, body=then, orelse=otherwise):
                asked = self.value(test, names, scope, certain, depth)
                truth = _truth(asked)
                branches = [(truth, then), (None if truth is None else not truth, otherwise)]
                ended = self._branches(branches, names, scope, certain, depth)
                ended.sure = ended.sure or (isinstance(asked, _Size) and ended.falls_through)
                return ended
            case ast.Match():
                return self._match(node, names, scope, certain, depth)
            case ast.For() | ast.AsyncFor() | ast.While():
                head = node.test if isinstance(node, ast.While) else node.iter
                self.value(head, names, scope, certain, depth)
                self.loops.possible.add(node)
                if certain:
                    self.loops.certain.add(node)
                self._forget(node, names)
                inner = self.block(node.body, names, scope, certain, depth)
                self._forget(node, names)
                after = self.block(node.orelse, names, scope, certain, depth)
                returned = [*inner.returns, *after.returns]
                return _Ended(returned, sure=not returned)
            case ast.Try() | ast.TryStar():
                tried = self.block([*node.body, *node.orelse], names, scope, certain, depth)
                self._forget(node, names)
                for handler in node.handlers:
                    handled = self.block(handler.body, dict(names), scope, False, depth)
                    tried.returns += handled.returns
                    if handled.falls_through or handled.returns:
                        tried.sure = tried.sure and not (handled.returns or tried.returns)
                        tried.falls_through = tried.falls_through or handled.falls_through
                last = self.block(node.finalbody, names, scope, certain and tried.sure, depth)
                tried.returns += last.returns
                return tried
            case ast.With() | ast.AsyncWith():
                for item in node.items:
                    self.value(item.context_expr, names, scope, certain, depth)
                return self.block(node.body, names, scope, certain, depth)
            case ast.Assign(targets=targets, value=value):
                known = self.value(value, names, scope, certain, depth)
                for target in targets:
                    _assign(target, known, names)
            case ast.AnnAssign(target=target, value=value) if value is not None:
                _assign(target, self.value(value, names, scope, certain, depth), names)
            case ast.AugAssign(target=target, value=value):
                self.value(value, names, scope, certain, depth)
                _assign(target, None, names)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                names.pop(node.name, None)
            case _:
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.expr):
                        self.value(child, names, scope, certain, depth)
        return _Ended()

    def _branches(
        self,
        branches: list[tuple[bool | None, list[ast.stmt]]],
        names: _Names,
        scope: Scope,
        certain: bool,
        depth: int,
    ) -> _Ended:
        """Walk the branches that are not excluded; of several, none is certain, unless all the others raise."""
        taken = [(truth, statements) for truth, statements in branches if truth is not False]
        if len(taken) == 1:
            return self.block(taken[0][1], names, scope, certain, depth)
        refused = [_only_raises(statements) for _, statements in taken]
        accepted = refused.count(False)
        together = _Ended(falls_through=False, raises=True)
        results: list[_Names] = []
        for (_, statements), raising in zip(taken, refused, strict=True):
            if raising and accepted:
                continue  # arguments that are refused are no call of this overload
            own = dict(names)
            ended = self.block(statements, own, scope, certain and accepted == 1, depth)
            together.returns += ended.returns
            together.falls_through = together.falls_through or ended.falls_through
            together.raises = together.raises and ended.raises
            together.sure = together.sure and ended.sure
            if ended.falls_through:
                results.append(own)
        if together.returns and together.falls_through:
            together.sure = False
        if results:
            merged = {
                name: results[0].get(name) if all(own.get(name) == results[0].get(name) for own in results) else None
                for name in {name for own in results for name in own}
            }
            names.clear()
            names.update(merged)
        return together

    def _match(self, node: ast.Match, names: _Names, scope: Scope, certain: bool, depth: int) -> _Ended:
        subject = self.value(node.subject, names, scope, certain, depth)
        branches: list[tuple[bool | None, list[ast.stmt]]] = []
        for case in node.cases:
            self._forget(case, names)
            truth = self._fits(case.pattern, subject, scope)
            if truth is not False and case.guard is not None:
                guarded = _truth(self.value(case.guard, names, scope, certain and truth is True, depth))
                truth = False if guarded is False else guarded and truth
            branches.append((truth, case.body))
            if truth:
                break
        else:
            branches.append((None, []))
        decided = branches[-1][0] is True and all(truth is False for truth, _ in branches[:-1])
        if decided:
            return self.block(branches[-1][1], names, scope, certain, depth)
        return self._branches(
            [(truth if truth is False else None, body) for truth, body in branches], names, scope, certain, depth
        )

    def _fits(self, pattern: ast.pattern, subject: _Value, scope: Scope) -> bool | None:
        match pattern:
            case ast.MatchAs(pattern=None):
                return True
            case ast.MatchAs(pattern=inner) if inner is not None:
                return self._fits(inner, subject, scope)
            case ast.MatchValue(value=value):
                return _equal(subject, self.value(value, {}, scope, False, 1))
            case ast.MatchSingleton(value=value):
                return _equal(subject, _Const(value))
            case ast.MatchOr(patterns=patterns):
                return _any([self._fits(one, subject, scope) for one in patterns])
            case ast.MatchSequence(patterns=patterns) if isinstance(subject, tuple):
                if any(isinstance(one, ast.MatchStar) for one in patterns):
                    return None
                if len(patterns) != len(subject):
                    return False
                fits = [self._fits(one, part, scope) for one, part in zip(patterns, subject, strict=True)]
                return _all(fits)
            case ast.MatchClass(cls=kind, patterns=[], kwd_patterns=[]):
                return _is_instance(subject, self.value(kind, {}, scope, False, 1))
        return None

    def _forget(self, node: ast.AST, names: _Names) -> None:
        """Whatever is assigned in a loop or bound by a pattern is not known."""
        for part in ast.walk(node):
            self.steps += 1
            match part:
                case ast.Name(id=name, ctx=ast.Store()) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                    names[name] = None

    # --- Expressions ------------------------------------------------------------------------------------------------

    def value(self, node: ast.expr, names: _Names, scope: Scope, certain: bool, depth: int) -> _Value:
        """Tell what is known of an expression, and walk the helpers it calls."""
        self.steps += 1
        if self.steps > STEPS or depth <= 0:
            return None
        match node:
            case ast.Constant(value=value):
                return _Const(value)
            case ast.Name(id=name):
                if name in names:
                    return names[name]
                self._mention(node, scope)
                return self._named(node, scope)
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                return tuple(self.value(element, names, scope, certain, depth) for element in elements)
            case ast.NamedExpr(target=target, value=value):
                known = self.value(value, names, scope, certain, depth)
                _assign(target, known, names)
                return known
            case ast.BoolOp(op=op, values=values):
                return self._bool(op, values, names, scope, certain, depth)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                asked = self.value(operand, names, scope, certain, depth)
                truth = _truth(asked)
                return _Const(not truth) if truth is not None else asked if isinstance(asked, _Size) else None
            case ast.UnaryOp(op=ast.Invert() | ast.USub(), operand=operand):
                known = self.value(operand, names, scope, certain, depth)
                return known if isinstance(known, _Data) else None
            case ast.IfExp(test=test, body=then, orelse=otherwise):
                truth = _truth(self.value(test, names, scope, certain, depth))
                if truth is not None:
                    return self.value(then if truth else otherwise, names, scope, certain, depth)
                first = self.value(then, names, scope, False, depth)
                second = self.value(otherwise, names, scope, False, depth)
                return first if first == second else None
            case ast.Compare(left=left, ops=ops, comparators=comparators):
                return self._compare(left, ops, comparators, names, scope, certain, depth)
            case ast.Attribute():
                return self._attribute(node, names, scope, certain, depth)
            case ast.Call():
                return self._call(node, names, scope, certain, depth)
            case ast.Lambda():
                self._perhaps(entity for entity in self.module.resolve(node, scope) if isinstance(entity, Body))
                return None
            case ast.Subscript(value=inner, slice=ast.Constant(value=0)):
                known = self.value(inner, names, scope, certain, depth)
                if isinstance(known, _Data) and known.ndim:
                    return _Data(known.element, known.ndim - 1)
                rows = isinstance(known, _Part) and known.what == "shape"
                return _Data("int", 0) if rows else known[0] if isinstance(known, tuple) and known else None
            case (
                ast.GeneratorExp(elt=each, generators=[ast.comprehension(target=target, iter=source, ifs=[])])
                | ast.ListComp(elt=each, generators=[ast.comprehension(target=target, iter=source, ifs=[])])
            ):
                known = self.value(source, names, scope, certain, depth)
                own = dict(names)
                element = _Data(known.element, known.ndim - 1) if isinstance(known, _Data) and known.ndim else None
                _assign(target, element, own)
                said = self.value(each, own, scope, False, depth)
                return _Each(said) if isinstance(said, _Const) else None
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.value(child, names, scope, certain, depth)
            elif isinstance(child, ast.comprehension):
                for part in (child.iter, *child.ifs):
                    self.value(part, names, scope, certain, depth)
        return None

    def _mention(self, node: ast.expr, scope: Scope) -> None:
        """Hold every function that is only mentioned for possible: it may be called under another name."""
        found = [entity for entity, _ in self.module.uses_of(node, scope)]
        bodies = [entity.body if isinstance(entity, Bound) else entity for entity in found]
        self._perhaps(body for body in bodies if isinstance(body, Body))

    def _named(self, node: ast.expr, scope: Scope) -> _Value:
        kinds = [
            _KINDS[entity.name]
            for entity in self.module.resolve(node, scope)
            if isinstance(entity, External) and entity.name in _KINDS
        ]
        if kinds:
            return _Kind(frozenset(kinds))
        if isinstance(node, ast.Name) and (text := self.module.text(node, scope)) is not None:
            return _Const(text)
        return None

    def _bool(
        self, op: ast.boolop, values: list[ast.expr], names: _Names, scope: Scope, certain: bool, depth: int
    ) -> _Value:
        decisive = isinstance(op, ast.Or)
        asked: list[_Value] = []
        for part in values:
            sure = certain and all(_truth(value) is not None for value in asked)
            asked.append(self.value(part, names, scope, sure, depth))
            if _truth(asked[-1]) is decisive:
                break
        truths = [_truth(value) for value in asked]
        truth = _any(truths) if decisive else _all(truths)
        if truth is None and all(isinstance(value, _Size | _Const) for value in asked):
            return _Size()
        return None if truth is None else _Const(truth)

    def _compare(
        self,
        left: ast.expr,
        ops: list[ast.cmpop],
        comparators: list[ast.expr],
        names: _Names,
        scope: Scope,
        certain: bool,
        depth: int,
    ) -> _Value:
        first = self.value(left, names, scope, certain, depth)
        others = [self.value(other, names, scope, certain, depth) for other in comparators]
        if len(ops) != 1:
            return None
        second = others[0]
        truth: bool | None = None
        match ops[0]:
            case ast.Eq() | ast.Is():
                truth = _equal(first, second)
            case ast.NotEq() | ast.IsNot():
                same = _equal(first, second)
                truth = None if same is None else not same
            case ast.In() | ast.NotIn():
                if isinstance(second, tuple):
                    truth = _any([_equal(first, part) for part in second])
                elif isinstance(second, _Const) and isinstance(second.value, str) and isinstance(first, _Part):
                    truth = _any([_equal(first, _Const(letter)) for letter in second.value])
                    if first.what == "dtype.kind" and first.of.element == "real" and set("iuf") <= set(second.value):
                        truth = True
                if isinstance(ops[0], ast.NotIn) and truth is not None:
                    truth = not truth
            case ast.Gt() | ast.GtE() | ast.Lt() | ast.LtE():
                if isinstance(first, _Const) and isinstance(second, _Const):
                    numbers = (first.value, second.value)
                    if all(isinstance(number, int | float) for number in numbers):
                        truth = {
                            ast.Gt: numbers[0] > numbers[1],
                            ast.GtE: numbers[0] >= numbers[1],
                            ast.Lt: numbers[0] < numbers[1],
                            ast.LtE: numbers[0] <= numbers[1],
                        }[type(ops[0])]
        if truth is None and isinstance(first, _Data) and first.element == "int" and first.ndim == 0:
            return _Size()
        if truth is None and isinstance(first, _Data) and first.ndim:
            return _Data("bool", first.ndim)  # an array compared element by element
        return None if truth is None else _Const(truth)

    def _attribute(self, node: ast.Attribute, names: _Names, scope: Scope, certain: bool, depth: int) -> _Value:
        base = self.value(node.value, names, scope, certain, depth)
        match base, node.attr:
            case _Data(), "ndim":
                return _Const(base.ndim)
            case _Data(ndim=1 | 2), "size":
                return _Data("int", 0)
            case _Data(), "dtype" | "shape":
                return _Part(node.attr, base)
            case _Part(what="dtype"), "kind" | "type" | "name":
                return base if node.attr == "type" else _Part(f"dtype.{node.attr}", base.of)
            case _Data(ndim=2), "T":
                return base
        self._mention_attribute(node, scope)
        return self._named(node, scope)

    def _mention_attribute(self, node: ast.Attribute, scope: Scope) -> None:
        self._mention(node, scope)
        for made in self.module.classes:
            if node.attr in made.methods:
                self._perhaps(made.methods[node.attr])

    def _call(self, node: ast.Call, names: _Names, scope: Scope, certain: bool, depth: int) -> _Value:
        given = [self.value(argument, names, scope, certain, depth) for argument in node.args]
        by_name = {
            keyword.arg: self.value(keyword.value, names, scope, certain, depth)
            for keyword in node.keywords
            if keyword.arg is not None
        }
        for keyword in node.keywords:
            if keyword.arg is None:
                self.value(keyword.value, names, scope, certain, depth)
        local = isinstance(node.func, ast.Name) and node.func.id in names
        callees = [] if local else self.module.resolve(node.func, scope)
        bodies = [entity for entity in callees if isinstance(entity, Body)]
        if len(callees) == 1 and bodies and not any(isinstance(argument, ast.Starred) for argument in node.args):
            if bodies[0] in self.stop:
                return None
            return self.call(bodies[0], given, by_name, certain=certain, depth=depth - 1)
        externals = [entity.name for entity in callees if isinstance(entity, External)]
        if not externals:
            if isinstance(node.func, ast.Attribute):
                owner = self.value(node.func.value, names, scope, certain, depth)
                if isinstance(owner, _Data):
                    return self._method(owner, node.func.attr, given)
                self._mention_attribute(node.func, scope)
                return None
            self._mention(node.func, scope)
            for entity in callees:
                if isinstance(entity, Instance):
                    self._perhaps(self.module.methods(entity.type, "__call__"))
            return None
        return _library(externals[0], given, by_name)

    @staticmethod
    def _method(owner: _Data, name: str, given: list[_Value]) -> _Value:
        if name in ("copy",):
            return owner
        if name in ("ravel", "flatten"):
            return _Data(owner.element, 1)
        if name == "astype" and given and isinstance(given[0], _Kind):
            kinds = given[0].names
            if kinds == {"bool"}:
                return _Data("bool", owner.ndim)
            return _Data("real" if kinds <= {"int", "float", "number"} else "any", owner.ndim)
        return None


def _library(name: str, given: list[_Value], by_name: Mapping[str, _Value]) -> _Value:
    """Tell what is known of a call of numpy or a builtin."""
    first = given[0] if given else None
    second = given[1] if len(given) > 1 else by_name.get("dtype")
    match name:
        case "builtins.isinstance" | "builtins.issubclass" | "numpy.issubdtype" if len(given) == 2:
            if name == "builtins.isinstance":
                truth = _is_instance(first, given[1])
            else:
                truth = _equal(first, given[1]) if isinstance(first, _Part) else None
            return None if truth is None else _Const(truth)
        case "builtins.all" | "builtins.any" if isinstance(first, _Each):
            return first.value
        case "numpy.dtype" if isinstance(first, _Kind | _Const):
            return first
        case "builtins.type" if len(given) == 1 and first == _Data("bool", 0):
            return None  # bool or numpy.bool_
        case "builtins.type" if len(given) == 1 and isinstance(first, _Data):
            return _Part("type" if first.ndim else "dtype", first)
        case "builtins.len" if isinstance(first, _Part) and first.what == "shape":
            return _Const(first.of.ndim)
        case "builtins.len" if isinstance(first, _Data) and first.ndim:
            return _Data("int", 0)
        case "builtins.len" if isinstance(first, tuple):
            return _Const(len(first))
        case "numpy.ndim" if isinstance(first, _Data):
            return _Const(first.ndim)
        case "numpy.shape" if isinstance(first, _Data):
            return _Part("shape", first)
        case "numpy.isscalar" if isinstance(first, _Data):
            return _Const(first.ndim == 0)
        case "builtins.bool" if (truth := _truth(first)) is not None:
            return _Const(truth)
        case "builtins.callable" if isinstance(first, _Data):
            return _Const(False)
        case "builtins.hasattr" if isinstance(first, _Data) and isinstance(second, _Const):
            if second.value in ("__len__", "shape", "ndim", "dtype", "__iter__"):
                return _Const(first.ndim > 0)
        case _ if name in _SAME and isinstance(first, _Data):
            if isinstance(second, _Kind):
                return _Walk._method(first, "astype", [second])
            return first if second is None and "dtype" not in by_name else None
        case _ if name in _KINDS and isinstance(first, _Data) and first.ndim == 0:
            return first
    return None


# --- Three-valued logic ---------------------------------------------------------------------------------------------


def _truth(value: _Value) -> bool | None:
    match value:
        case _Const():
            return bool(value.value)
        case tuple():
            return bool(value)
    return None


def _all(truths: Iterable[bool | None]) -> bool | None:
    truths = list(truths)
    return False if False in truths else None if None in truths else True


def _any(truths: Iterable[bool | None]) -> bool | None:
    truths = list(truths)
    return True if True in truths else None if None in truths else False


def _equal(first: _Value, second: _Value) -> bool | None:
    match first, second:
        case _Const(), _Const():
            return bool(first.value == second.value) and (first.value is None) == (second.value is None)
        case (_Data(), _Const(value=None)) | (_Const(value=None), _Data()):
            return False
        case _Part(what="dtype"), _Kind():
            return _any([_has_kind(first.of, kind) for kind in second.names])
        case _Part(what="type"), _Kind():
            return _is_instance(first.of, second)
        case _Kind(), _Part(what="dtype" | "type"):
            return _equal(second, first)
        case _Part(what="dtype" | "dtype.name"), _Const(value=str(text)):
            kind = {"bool": "bool", "?": "bool", "object": "object", "O": "object", "float64": "float", "int64": "int"}
            return _has_kind(first.of, kind[text]) if text in kind else None
        case _Part(what="dtype.kind"), _Const(value=str(letter)):
            kind = {"b": "bool", "O": "object", "i": "int", "u": "int", "f": "float", "U": "str", "S": "str"}
            return _has_kind(first.of, kind[letter]) if letter in kind else None
        case tuple(), tuple() if len(first) != len(second):
            return False
        case tuple(), tuple():
            return _all([_equal(one, other) for one, other in zip(first, second, strict=True)])
    return None


def _is_instance(value: _Value, kinds: _Value) -> bool | None:
    names: set[str] = set()
    for kind in kinds if isinstance(kinds, tuple) else (kinds,):
        if not isinstance(kind, _Kind):
            return None
        names |= kind.names
    match value:
        case _Data(ndim=0):
            return _any([_has_kind(value, kind) for kind in names])
        case _Data(element="any"):
            return (
                True
                if {"list", "ndarray"} <= names
                else None
                if names & {"list", "tuple", "ndarray", "Tensor"}
                else False
            )
        case _Data():
            return "ndarray" in names
        case _Const(value=None):
            return False
    return None


def _has_kind(data: _Data, kind: str) -> bool | None:
    """Tell whether the elements are of a kind; of labels it is only known that they are not all bools."""
    if kind in ("list", "tuple", "ndarray", "dict", "Tensor"):
        return False
    match data.element:
        case "int":
            return kind in ("int", "number")
        case "bool":
            return kind == "bool"
        case "real":
            return True if kind == "number" else None if kind in ("int", "float") else False
    return False if kind == "bool" else None


def _assign(target: ast.expr, value: _Value, names: _Names) -> None:
    match target:
        case ast.Name(id=name):
            names[name] = value
        case ast.Tuple(elts=targets) | ast.List(elts=targets):
            parts = value if isinstance(value, tuple) and len(value) == len(targets) else (None,) * len(targets)
            for part, known in zip(targets, parts, strict=True):
                _assign(part, known, names)
        case ast.Starred(value=inner):
            _assign(inner, None, names)


def _only_raises(statements: list[ast.stmt]) -> bool:
    return bool(statements) and isinstance(statements[-1], ast.Raise)
