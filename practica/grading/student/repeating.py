"""An example of `practica check` repeated: what the programs of
`practica.grading.student.example_file` call.

Importing it makes `default_rng()` follow the seed, so it is imported before the student's file.
"""

from __future__ import annotations

import functools
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from practica.console import plain_console, print_wrapped
from practica.grading.engine.framework import load_checks
from practica.grading.engine.rendering import Call, equal, show
from practica.grading.engine.result import CheckResult
from practica.grading.engine.runner import repeat
from practica.grading.engine.solution import DelegatingSolution, LocalSolution, RenewedSolution
from practica.grading.inside.plain_data import Function, Handle, Network
from practica.grading.inside.seeding import make_generators_repeatable, seed_all
from practica.grading.report.failure import failure_lines
from practica.grading.report.messages import say
from practica.grading.report.words import SaidCheck, sentence_of
from practica.grading.student.language import choose_kept

make_generators_repeatable()


@dataclass(frozen=True)
class RepeatedExample:
    """An example that failed a check, with what is needed to repeat it."""

    lang: str  # "es" or "en"
    check: str
    seed: int = 0  # all generators begin with it
    drawn: int = 0  # the number of the check's example
    # whether it only failed after other calls, from which the file kept something
    earlier: bool = False

    def repeat(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> None:
        """Run the check on the functions of the file as they are now, and print what it finds.

        A call that was changed in the program is made as it stands, and its result is printed.
        """
        names = getattr(function, "__globals__", {})
        make = functools.partial(self._make, functools.partial(function, *args, **kwargs), names)
        print(f"\n{function.__name__}")
        choose_kept(Path(sys.path[0]))
        check = load_checks().get(self.check)
        if check is None:  # its assignment is not here
            make()
            return
        solution = _NotingCalls(LocalSolution(names, names.get("__file__")))
        renewed = RenewedSolution(solution)
        if self.earlier and repeat(check, self.drawn, renewed)[0].verdict == "pass":
            make()
            kept = {"names": [*renewed.kept]}
            if renewed.kept:
                print_wrapped(plain_console(), say("check.earlier", kept, self.lang))
            return
        outcome, call = repeat(check, self.drawn, solution)
        if outcome.verdict == "pass" or not _is_call(call, args, kwargs):
            make()
            return
        found = CheckResult(
            self.check,
            outcome.verdict,
            outcome.message,
            outcome.message_facts,
            outcome.counterexample,
        )
        said = SaidCheck(**vars(found), sentence=sentence_of(found, (), self.lang), again=False)
        lines = [*failure_lines(said, self.lang, named=False)]
        if solution.fixed:
            facts = {"functions": solution.fixed, "count": len(solution.fixed)}
            lines.append(str(say("check.fixed", facts, self.lang)))
        console = plain_console()
        for line in lines:  # code keeps its lines
            print_wrapped(console, line, always=not line.startswith(" "))
        if outcome.message.startswith("any.raises"):
            make()

    def _make(self, call: Callable[[], Any], names: Mapping[str, Any]) -> None:
        """Make a call of the function, and print its result, or the traceback of its error."""
        seed_all(self.seed, names.values())
        try:
            result = call()
        except Exception:
            traceback.print_exc()
        else:
            print(f"  {say('label.obtained', {}, self.lang)}  {show(result)}")


class _NotingCalls(DelegatingSolution):
    """A solution that remembers which functions were replaced by right ones in its last call."""

    fixed: tuple[str, ...] = ()

    def ask(self, method: str, *args: Any, **kwargs: Any) -> Any:
        """Pass a request on to the solution behind this one."""
        if method == "call":
            self.fixed = ()
        elif method == "scripted":
            self.fixed = tuple(name for name, double in args[1].items() if "sequence" in double)
        return super().ask(method, *args, **kwargs)


def _is_call(call: Call | None, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Return whether a call of the check has these arguments."""
    if call is None or len(call[1]) != len(args) or {*call[2]} != {*kwargs}:
        return False
    return all(map(_same, call[1], args)) and all(
        _same(value, kwargs[name]) for name, value in call[2].items()
    )


def _same(asked: Any, given: Any) -> bool:
    if isinstance(asked, Function | Handle | Network):
        return True
    if isinstance(asked, list | tuple) and isinstance(given, list | tuple):
        return len(asked) == len(given) and all(map(_same, asked, given))
    if isinstance(asked, dict) and isinstance(given, dict):
        return asked.keys() == given.keys() and all(_same(asked[key], given[key]) for key in asked)
    return equal(asked, given)
