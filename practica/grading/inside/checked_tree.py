"""Syntax trees of a student's file in which the values of expressions are checked.

A check stands around each attribute, subscript and call, and around each name that may hold what
nobody has checked, such as a parameter. It is left out where the value is only an operand: nothing
calls it there. Lines and columns stay what they are.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Set
from typing import Any

CHECK = ".value"  # what the trees call: no name that a file can write
_SOURCES = ast.Attribute | ast.Subscript | ast.Call | ast.Await | ast.Yield | ast.YieldFrom
_OPERATIONS = (
    *(ast.BinOp, ast.UnaryOp, ast.Compare, ast.AugAssign, ast.Expr, ast.FormattedValue),
    *(ast.Attribute, ast.Subscript, ast.Slice, ast.Starred, ast.comprehension, ast.withitem),
)
_CALLED = {"func", "decorator_list"}
_TESTED = {"test", "iter", "subject", "exc"}
# with these a file can bind a name without saying so
_BINDERS = {"globals", "locals", "vars", "setattr", "exec", "__dict__", "modules"}


def checked(tree: Any, safe: Set[str] = frozenset()) -> Any:
    """Put checks, calls of `Guard.value`, around the expressions of a syntax tree, in place, and
    return the tree.

    `safe`: names whose values need no check.
    """
    nodes = [*ast.walk(tree)]
    apart = {leaf for node in nodes for root in _unchecked(node) for leaf in ast.walk(root)}
    for node in nodes:
        for field, old in ast.iter_fields(node) if node not in apart else ():
            if isinstance(old, list):
                old[:] = [
                    each if each in apart else _around(each, node, field, safe) for each in old
                ]
            elif isinstance(old, ast.expr) and old not in apart:
                setattr(node, field, _around(old, node, field, safe))
    return tree


def safe_names(tree: ast.Module, builtins: Collection[str]) -> Set[str]:
    """Return the names by which a whole file calls builtins, or functions and classes of its own,
    and that it binds nowhere else; none if it may bind names in hidden ways.
    """
    safe, other = {*builtins}, set[str]()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                safe.add(name)
            case (
                ast.Name(id=name, ctx=ast.Store())
                | ast.arg(arg=name)
                | ast.alias(asname=str(name))
                | ast.alias(name=name)
                | ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
            ):
                other.add(name)
            case ast.Name(id=name) | ast.Attribute(attr=name) if name in _BINDERS:
                other.add("*")
    return frozenset() if "*" in other else safe - other


def _unchecked(node: ast.AST) -> list[ast.AST]:
    """Return the patterns and annotations at a node: a check would change what they mean.

    An annotation that calls something is checked.
    """
    if isinstance(node, ast.match_case):
        return [node.pattern]
    found = [getattr(node, field, None) for field in ("annotation", "returns")]
    notes = [each for each in found if each is not None]
    return [] if any(isinstance(each, ast.Call) for n in notes for each in ast.walk(n)) else notes


def _around(child: Any, parent: Any, field: str, safe: Set[str]) -> Any:
    """Return an expression with a check around it if its value is called or given away, else as it
    is.
    """
    if not isinstance(getattr(child, "ctx", ast.Load()), ast.Load):
        return child
    is_open = isinstance(child, _SOURCES) or (isinstance(child, ast.Name) and child.id not in safe)
    if field in _CALLED:
        is_open |= not isinstance(child, ast.Name)
    elif field in _TESTED or isinstance(parent, _OPERATIONS):
        return child
    if not is_open:
        return child
    name = ast.copy_location(ast.Name(CHECK, ast.Load()), child)
    check = ast.copy_location(ast.Call(name, [child], []), child)
    attribute = getattr(child, "func", child)
    if isinstance(attribute, ast.Attribute) and attribute.lineno != attribute.end_lineno:
        # Python reads and calls it on its last line
        for each in (check, parent) if field == "func" else (check,):
            each.lineno, each.col_offset = attribute.end_lineno, attribute.end_col_offset
    return check
