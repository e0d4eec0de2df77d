"""What an author of an assignment may have forgotten, found before anything is marked."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from practica.grading.engine.current import AssignmentError, assignment, choose, located
from practica.grading.engine.examples import known_examples
from practica.grading.engine.framework import Check, load_checks
from practica.grading.engine.rubric import Rubric, load_rubric, official_rubric
from practica.grading.engine.signatures import signature_rules
from practica.grading.engine.solution import LocalSolution
from practica.grading.engine.trial import fault, fault_after_error
from practica.grading.report.messages import LANGUAGES, MessageError, catalogue, places

REQUIRE = ("require", "framework.require")


def begin(folder: Path) -> None:
    """Choose the assignment of this process by its folder, and make sure that nothing is missing in
    it.

    Raises `ValueError` if the folder lacks something, or it cannot be read; the sentence names the
    file and what to write.
    """
    choose(folder)
    for reason in _missing():
        raise AssignmentError(reason)
    if not (assignment().is_official or assignment().extends_practice):  # tests run those
        for check in load_checks().values():
            _try(check)
            for reason in _without_fact(check):
                raise AssignmentError(reason)


def _missing() -> Iterator[str]:
    folder, checks = assignment().folder, load_checks()
    rubric = load_rubric(checks=checks)
    for check in checks.values():
        if check.row not in rubric.rows:
            yield (
                f"{official_rubric()} has no row [functions.{check.row}] for the check {check.id!r}"
            )
    for lang in LANGUAGES:
        try:
            sentences = catalogue(lang)
        except MessageError as error:
            raise AssignmentError(str(error)) from None
        for id in checks:
            if id not in sentences:
                yield f"{folder / 'messages.toml'} has no sentence for the check {id!r}"
            try:
                places(sentences.get(id, ""))
            except ValueError as error:
                yield f"{folder / 'messages.toml'}, the sentence of {id!r}: {error}"
    for file in sorted(folder.glob("template*.py")):
        yield from _unlike(file, rubric)


def _unlike(template: Path, rubric: Rubric) -> Iterator[str]:
    """Yield a sentence for each function whose header in the template differs from the rubric."""
    headers = _headers_in(template)
    solution = LocalSolution({name: header for name, (_, header) in headers.items()})
    for row in rubric.assigned:
        wanted = " and ".join(f"{row.function}{overload}" for overload in row.overloads)
        if row.function not in headers:
            yield f"{template} has no function {wanted}, which {official_rubric()} marks"
        elif signature_rules(row, None, solution):
            yield (
                f"{template}, line {headers[row.function][0]}: {official_rubric()} has another"
                f" header for this function, {wanted}"
            )


def _headers_in(file: Path) -> dict[str, tuple[int, Callable[..., None]]]:
    """Return the functions of a file by their names: the line of each, and a function with its
    parameters.

    Nothing of the file runs. A default that is not a literal is replaced by its text.
    """
    found = {}
    try:
        tree = ast.parse(file.read_bytes(), str(file))
    except (SyntaxError, ValueError) as error:
        raise located(error, file.parent, str(file)) from None
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef):
            continue
        arguments = node.args
        for each in ast.walk(arguments):
            if isinstance(each, ast.arg):
                each.annotation = None
        arguments.defaults = [_literal(each) for each in arguments.defaults]
        arguments.kw_defaults = [each and _literal(each) for each in arguments.kw_defaults]
        header = ast.Expression(ast.Lambda(arguments, ast.Constant(None)))
        made = eval(compile(ast.fix_missing_locations(header), str(file), "eval"))
        found[node.name] = node.lineno, made
    return found


def _literal(default: ast.expr) -> ast.expr:
    with suppress(ValueError):
        ast.literal_eval(default)
        return default
    return ast.Constant(ast.unparse(default))


def _try(check: Check) -> None:
    """Run a check on answers that students give: its first example on values of every kind, and all
    of them on an error.

    Raises `AssignmentError` with the file and the line if the check itself fails, or what it sends
        is not plain data.
    """
    try:
        examples = [example.values for example in known_examples(check)]
        faults = fault(check, examples[0]), *(fault_after_error(check, each) for each in examples)
        for error in filter(None, faults):
            raise error
    except Exception as error:
        raise located(error, assignment().folder, f"the check {check.id!r}") from error


def _without_fact(check: Check) -> Iterator[str]:
    """Yield a sentence for each `require` of a check for whose message there is no sentence, or
    whose sentence has a place that none of the facts given to `require` fills.
    """
    for function in _own_functions(inspect.unwrap(getattr(check.body, "func", check.body))):
        for call in _requirements(function):
            place = f"{inspect.getfile(function)}, line {call.lineno}"
            given = {each.arg: each.value for each in call.keywords}
            yield from (f"{place}: {reason}" for reason in _unfilled(check, given))


def _own_functions(body: Callable[..., Any]) -> list[Any]:
    """Return the body of a check and the functions of its module that it calls."""
    found = [body] if inspect.isfunction(body) else []
    for function in found:
        named = map(function.__globals__.get, function.__code__.co_names)
        own = (each for each in named if getattr(each, "__module__", "") == body.__module__)
        found += [each for each in own if inspect.isfunction(each) and each not in found]
    return found


def _requirements(function: Any) -> Iterator[ast.Call]:
    """Yield the calls of `require` in a function; of a lambda, if its lines are a program."""
    with suppress(SyntaxError):
        lines, first = inspect.getsourcelines(function)
        tree = ast.parse(textwrap.dedent("".join(lines)))
        for node in ast.walk(ast.increment_lineno(tree, first - 1)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in REQUIRE:
                yield node


def _unfilled(check: Check, given: Mapping[str | None, ast.expr]) -> Iterator[str]:
    """Yield what the sentence of a requirement lacks; `given` are its keywords."""
    message = given.get("message", ast.Constant(check.id))
    if not isinstance(message, ast.Constant) or {None, "variant"} & given.keys():
        return  # it is known when it runs
    facts = ["call", "function", *(str(name) for name in given if name != "message")]
    for lang in LANGUAGES:
        sentence = catalogue(lang).get(str(message.value))
        if sentence is None:
            yield f"there is no sentence for {message.value!r} in messages.toml"
        for place in sorted(places(sentence or "") - {*facts}):
            yield (
                f"the sentence of {message.value!r} has a place {{{place}}}, and the facts are"
                f" {', '.join(facts)}"
            )
