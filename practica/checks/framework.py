"""What a check is, and how it runs against a solution.

A check is one sentence of the statement that can be observed. It calls the student's functions on plain data, states
what must hold with `require`, and knows no language: the sentence that a student reads is looked up in the catalogue of
messages by `Outcome.message`, which is the check's id, or one of the general ids

    any.missing   any.raises   any.modified   any.grader   form.*   lost.*

Checks with `for_all` run on examples that Hypothesis generates here, in the trusted process, and shrinks after a
failure: the smallest one is the counterexample. Everything repeats exactly: examples are derandomised and each begins
with a seed of its own.

Blame: a function that is right but calls another one that is wrong should not pay for it. `judge` runs the call again
with the student's own helpers replaced by right results, computed here for exactly the arguments that the helpers got,
and only fails if that fails as well.
"""

from __future__ import annotations

import importlib
import logging
import time
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky

from practica.checks.agent import Answer, Failure, Function, Handle, Network, Opaque, RecordedCall, Transcript
from practica.checks.solution import Solution, SolutionLost, StudentError

__all__ = [
    "CHECKS",
    "Check",
    "CheckFailed",
    "Outcome",
    "Part",
    "Watched",
    "check",
    "equal",
    "for_all",
    "judge",
    "judge_calls",
    "load_checks",
    "require",
    "run_check",
    "show",
    "untouched",
    "with_right_parts",
]

MODULES = ("encoding", "normalization", "partition", "network", "training", "metrics", "cross_validation")
ROWS_OF_ANOTHER_NAME = {
    "confusion_matrix_binary": "confusion_matrix",
    "confusion_matrix_multiclass": "confusion_matrix",
}
EXAMPLES = 30  # of a check, unless it says otherwise
SHRINKING_RUNS = 600  # after the first failure; counted, so that a busy machine finds the same smallest example
SHRINKING_SECONDS = 10.0  # the same for functions that are slow
NOT_THE_CHECK = ("budget", "import_failed", "import_timeout", "sandbox")  # ways of being lost before any check
LONGEST_CODE = 8_000  # characters of a call that is to be copied and run
LONGEST_TEXT = 240  # characters of a value inside a sentence

_log = logging.getLogger(__name__)


class CheckFailed(Exception):
    """What a check requires does not hold.

    Attributes
    ----------
    facts : dict of plain data
        What the sentence shows: "obtained", "expected" and whatever else it has a place for.
    message : str, optional
        The id of the sentence where it is not the check's own.
    """

    def __init__(self, facts: Mapping[str, Any], message: str | None = None) -> None:
        super().__init__(facts)
        self.facts, self.message = dict(facts), message


@dataclass(frozen=True)
class Check:
    """One sentence of the statement, as a function of a solution.

    Attributes
    ----------
    id : str
        `<row>.<topic>[.<detail>]`.
    row, function : str
        The rubric's row, and the name of the function in the student's file.
    sentence : str
        The statement's own words.
    body : callable
        Takes the solution, and the drawn values by name.
    strategies : dict
        What Hypothesis draws; empty for a check with fixed data.
    examples : int
        How many examples are tried.
    """

    id: str
    row: str
    function: str
    sentence: str
    body: Callable[..., None]
    strategies: Mapping[str, st.SearchStrategy[Any]] = field(default_factory=dict)
    examples: int = EXAMPLES


@dataclass(frozen=True)
class Outcome:
    """What a check found.

    Attributes
    ----------
    id : str
    verdict : "pass", "fail", "not_run" or "error"
        "error" is a defect of the check itself, never of the student.
    message : str
        The id of the sentence; empty for "pass".
    message_facts : dict of str
        The texts of the sentence's places.
    counterexample : dict of str
        "call", a line that repeats it after `from solucion import *` and `import numpy as np`; "input", "expected" and
        "obtained" where they are known.
    """

    id: str
    verdict: str
    message: str = ""
    message_facts: dict[str, str] = field(default_factory=dict)
    counterexample: dict[str, str] = field(default_factory=dict)


CHECKS: dict[str, Check] = {}


def load_checks() -> dict[str, Check]:
    """Import every module of checks and return `CHECKS`, in the order of the statement."""
    for module in MODULES:
        importlib.import_module(f"practica.checks.{module}")
    return CHECKS


def check(id: str, *, function: str | None = None) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Register a function as the check `id`; the first part of the id is the row of the rubric.

    Parameters
    ----------
    id : str
    function : str, optional
        The student's function that the check is about, if it has not the row's name.
    """

    def register(body: Callable[..., None]) -> Callable[..., None]:
        if id in CHECKS:
            raise ValueError(f"two checks have the id {id!r}")
        row = id.partition(".")[0]
        CHECKS[id] = Check(
            id,
            row,
            function or ROWS_OF_ANOTHER_NAME.get(row, row),
            (body.__doc__ or "").strip(),
            body,
            getattr(body, "strategies", {}),
            getattr(body, "examples", EXAMPLES),
        )
        return body

    return register


def for_all(
    examples: int = EXAMPLES, /, **strategies: st.SearchStrategy[Any]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a check its examples: what Hypothesis draws for each parameter, and how many times."""

    def attach(body: Callable[..., None]) -> Callable[..., None]:
        body.strategies, body.examples = strategies, examples  # type: ignore[attr-defined]
        return body

    return attach


def require(condition: Any, *, message: str | None = None, **facts: Any) -> None:
    """Fail the check, telling the facts, unless the condition holds."""
    if not condition:
        raise CheckFailed(facts, message)


def untouched(solution: Solution, name: str, *args: Any, parts: Parts | None = None, **kwargs: Any) -> None:
    """Call a function and require that it leaves its positional arguments as they were; so for right helpers too."""
    answer = solution.answer(name, *args, want_args=True, **kwargs)
    position = _modified(args, answer)
    if position is not None and parts:
        again = with_right_parts(solution, name, parts, *args, **kwargs)
        if again is not None and _modified(args, again) is None:
            return
    if position is not None:
        facts = {"expected": args[position], "obtained": (answer.args or [])[position], "position": position + 1}
        raise CheckFailed(facts, "any.modified")


def _modified(args: Sequence[Any], answer: Answer) -> int | None:
    pairs = enumerate(zip(args, answer.args or [], strict=False))
    return next((position for position, (before, after) in pairs if not equal(before, after)), None)


class Watched(Solution):
    """A solution whose last call of each example is remembered, to be shown."""

    def __init__(self, solution: Solution) -> None:
        super().__init__()
        self._inner = solution
        self._known = solution.names()
        self.last: tuple[str, Sequence[Any], Mapping[str, Any]] | None = None

    def names(self) -> list[str]:
        """List the names of the file that can be called."""
        return self._known

    def begin(self, seed: int) -> None:
        """Begin an example."""
        self.seed, self.last = seed, None

    def ask(self, method: str, *args: Any, **kwargs: Any) -> Any:
        """Ask the solution, and remember what was called."""
        if method == "call":
            self.last = args[0], args[1], args[2]
        elif method == "scripted":
            self.last = args[0], args[2], args[3]
        return self._inner.ask(method, *args, **kwargs)

    @contextmanager
    def same_seed(self) -> Any:
        """Let the calls of this context repeat the seed of the last call before it."""
        calls = self._calls
        self._calls = calls - 1
        try:
            yield
        finally:
            self._calls = calls


class _Enough(BaseException):
    """Ends Hypothesis at once: no Exception, so that it does not take it for a failing example."""


class _Lost(_Enough):
    def __init__(self, lost: SolutionLost) -> None:
        super().__init__()
        self.lost = lost


@dataclass
class _Found:
    """A failing example: the exception and the call that it came from."""

    error: CheckFailed | StudentError
    last: tuple[str, Sequence[Any], Mapping[str, Any]] | None
    size: int


def run_check(check: Check, solution: Solution, *, max_examples: int | None = None) -> Outcome:
    """Run one check against a solution.

    Parameters
    ----------
    check : Check
    solution : Solution
    max_examples : int, optional
        Instead of the check's own number.

    Returns
    -------
    outcome : Outcome
        Never an exception, except KeyboardInterrupt.
    """
    try:
        watched = Watched(solution)
        if not watched.has(check.function):
            return Outcome(check.id, "not_run", "any.missing", {"function": check.function})
        found = _search(check, watched, max_examples or check.examples)
    except (_Lost, SolutionLost) as stop:
        return _lost(check, stop.lost if isinstance(stop, _Lost) else stop, watched if "watched" in locals() else None)
    except Exception as error:
        _log.exception("the check %s is broken", check.id)
        return Outcome(check.id, "error", "any.grader", {"error": f"{type(error).__name__}: {error}"[:500]})
    return _failed(check, found) if found else Outcome(check.id, "pass")


def _search(check: Check, watched: Watched, max_examples: int) -> _Found | None:
    """Run the check on its examples; return the smallest failing one."""
    smallest: _Found | None = None
    first_failure, shrinking = 0.0, 0
    tried: list[dict[str, Any]] = []
    fixed = not check.strategies

    def example(**drawn: Any) -> None:
        nonlocal smallest, first_failure, shrinking
        if smallest is not None:
            shrinking += 1
            if shrinking > SHRINKING_RUNS or time.monotonic() - first_failure > SHRINKING_SECONDS:
                raise _Enough
        text = repr(drawn)
        watched.begin(zlib.crc32(text.encode()))
        try:
            check.body(watched, **drawn)
        except SolutionLost as lost:
            raise _Lost(lost) from None
        except (CheckFailed, StudentError) as error:
            if smallest is None:
                first_failure = time.monotonic()
            if smallest is None or len(text) <= smallest.size:
                smallest = _Found(error, watched.last, len(text))
            raise
        tried.append(drawn)

    run = example
    if not fixed:
        known = _drawn.get(check.id, [])[:max_examples]
        if len(known) == max_examples and _all_pass(example, known):
            return None
        smallest, tried = None, []
        run = settings(
            max_examples=max_examples,
            derandomize=True,
            database=None,
            deadline=None,
            report_multiple_bugs=False,
            print_blob=False,
            verbosity=Verbosity.quiet,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
        )(given(**check.strategies)(example))
    try:
        run()
        if not fixed and len(tried) > len(_drawn.get(check.id, ())):
            _drawn[check.id] = tried
    except _Lost:
        if smallest is None:
            raise
    except _Enough:
        pass
    except (CheckFailed, StudentError) as error:
        return _Found(error, watched.last, 0)  # the smallest example, which Hypothesis has just run again
    except (Flaky, BaseExceptionGroup):
        if smallest is None:  # not the student's flakiness
            raise
    return smallest


_drawn: dict[str, list[dict[str, Any]]] = {}  # the examples of each check: derandomised, so the same for every solution


def _all_pass(example: Callable[..., None], cases: list[dict[str, Any]]) -> bool:
    """Try examples drawn before; drawing them costs more than running them."""
    try:
        for case in cases:
            example(**case)
    except (CheckFailed, StudentError):
        return False  # Hypothesis finds it again, and shrinks it
    return True


def _lost(check: Check, lost: SolutionLost, watched: Watched | None) -> Outcome:
    verdict = "not_run" if lost.reason in NOT_THE_CHECK else "fail"
    facts = {name: show(value) for name, value in lost.facts.items()}
    last = watched.last if watched else None
    facts["call"] = _code(last, short=True) if last else ""
    return Outcome(check.id, verdict, f"lost.{lost.reason}", facts, {"call": _code(last)} if last else {})


def _failed(check: Check, found: _Found) -> Outcome:
    error = found.error
    call = _code(found.last) if found.last else ""
    counterexample = {"call": call}
    if found.last:
        _, args, kwargs = found.last
        counterexample["input"] = ", ".join(_code_of_arguments(args, kwargs, short=True))
    facts = {"call": _code(found.last, short=True) if found.last else "", "function": check.function}
    if isinstance(error, StudentError):
        text = f"{error.type}: {error.message}".strip().removesuffix(":")
        facts["error"] = show(text, quoted=False)
        facts["line"] = "?" if error.line is None else str(error.line)
        counterexample["obtained"] = facts["error"]
        return Outcome(check.id, "fail", "any.raises", facts, counterexample)
    facts |= {name: show(value, quoted=False) for name, value in error.facts.items()}
    counterexample |= {name: facts[name] for name in ("expected", "obtained") if name in facts}
    return Outcome(check.id, "fail", error.message or check.id, facts, counterexample)


# -- blame -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Part:
    """How a helper that the student's function may call is replaced by a right one.

    Attributes
    ----------
    right : callable
        Takes the positional arguments and the keyword arguments of a call; returns the right result, or None where it
        has no opinion: then the student's own result stays.
    fills : bool
        The result is written into the first argument, which is returned: the functions whose name ends in `_`.
    adapt : callable, optional
        Takes the right result and the student's; returns the right one in the student's form.
    """

    right: Callable[[list[Any], dict[str, Any]], Any]
    fills: bool = False
    adapt: Callable[[Any, Any], Any] | None = None


Parts: TypeAlias = "Mapping[str, Part]"
ROUNDS = 24  # results change the arguments of later helpers, and an error hides them: they settle one by one


def judge(
    solution: Solution,
    name: str,
    verify: Callable[[Any], None],
    *args: Any,
    parts: Parts | None = None,
    **kwargs: Any,
) -> None:
    """Call a function and verify its result; if it fails, give it right helpers and verify again.

    Parameters
    ----------
    solution : Solution
    name : str
    verify : callable
        Takes the result; raises CheckFailed.
    parts : dict of Part
        The functions of the practice that this one is told to use.
    """
    try:
        verify(getattr(solution, name)(*args, **kwargs))
        return
    except (CheckFailed, StudentError) as error:
        first = error
    answer = with_right_parts(solution, name, parts or {}, *args, **kwargs)
    if answer is not None and answer.error is None:
        with suppress(CheckFailed, StudentError):
            verify(answer.value)
            return
    raise first


def judge_calls(
    solution: Solution,
    name: str,
    verify: Callable[[Transcript], None],
    *args: Any,
    watch: Iterable[str],
    parts: Parts | None = None,
    scripts: Mapping[str, Mapping[str, Any]] | None = None,
    **kwargs: Any,
) -> None:
    """Like `judge`, for functions that are judged by what they call; `verify` takes the transcript.

    Parameters
    ----------
    watch : names
        The doubles that record and let through, besides the parts: functions of the file, or "module:attribute".
    scripts : dict of doubles, optional
        What is tried first, because it is faster: results of a plain form, which the student's function may not take.
    """
    doubles = {target: {"through": True} for target in [*watch, *(parts or {})] if _exists(solution, target)}
    quick = {target: script for target, script in (scripts or {}).items() if _exists(solution, target)}
    first: CheckFailed | StudentError
    for attempt in ([{**doubles, **quick}] if quick else []) + [doubles]:
        try:
            transcript = solution.scripted(name, attempt, *args, **kwargs)
            _raise_error(transcript.answer)
            verify(transcript)
            return
        except StudentError as error:
            first = error
        except CheckFailed as error:
            first = error
            break
    again = _transcript_with_right_parts(solution, name, parts or {}, {**doubles, **quick}, args, kwargs)
    if again is not None and again.answer.error is None:
        with suppress(CheckFailed, StudentError):
            verify(again)
            return
    raise first


def _exists(solution: Solution, target: str) -> bool:
    return ":" in target or solution.has(target)


def _raise_error(answer: Answer) -> None:
    if answer.error is not None:
        raise StudentError(answer.error.type, answer.error.message, answer.error.line)


def with_right_parts(solution: Solution, name: str, parts: Parts, /, *args: Any, **kwargs: Any) -> Answer | None:
    """Call a function with right helpers, under the seed of the last call; None if it calls none of them."""
    doubles = {part: {"through": True} for part in parts if solution.has(part)}
    transcript = _transcript_with_right_parts(solution, name, parts, doubles, args, kwargs)
    return transcript.answer if transcript and transcript.calls else None


def _transcript_with_right_parts(
    solution: Solution,
    name: str,
    parts: Parts,
    watched: Mapping[str, Mapping[str, Any]],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
) -> Transcript | None:
    assert isinstance(solution, Watched)
    known = {part: way for part, way in parts.items() if solution.has(part)}
    if not known:
        return None
    doubles: dict[str, Mapping[str, Any]] = dict(watched)
    seen: list[Any] | None = None
    transcript: Transcript | None = None
    for _ in range(ROUNDS):
        with solution.same_seed():
            transcript = solution.scripted(name, doubles, *args, **kwargs)
        called = [(call.name, call.args, call.kwargs) for call in transcript.calls if call.name in known]
        asks_itself = any(part == name and _alike(given, args) for part, given, _ in called)
        if not called or (seen is not None and equal(called, seen)):
            if asks_itself:
                return None  # what it was asked, with right helpers too: nobody helps it out of that
            break
        seen = called
        for part, way in known.items():
            if part == name and asks_itself:
                continue  # until the others are right
            results = [_right_result(way, call) for call in transcript.calls if call.name == part]
            doubles[part] = {"sequence": results, "fills": way.fills} if results else {"through": True}
    return transcript


def _alike(first: Sequence[Any], second: Sequence[Any]) -> bool:
    """Tell whether arguments hold the same values, whatever holds them."""
    return len(first) == len(second) and all(
        _python(np.asarray(one, dtype=object).tolist()) == _python(np.asarray(other, dtype=object).tolist())
        for one, other in zip(first, second, strict=True)
    )


def _right_result(way: Part, call: RecordedCall) -> Any:
    right = None
    with suppress(Exception):  # arguments that make no sense have no right result
        right = way.right(call.args, call.kwargs)
        if right is not None and way.adapt is not None:
            right = way.adapt(right, call.result)
    return call.result if right is None else right


def equal(first: Any, second: Any) -> bool:
    """Tell whether two pieces of plain data are the same: types of containers, dtypes and NaN included."""
    if type(first) is not type(second):
        return False
    if isinstance(first, np.ndarray):
        if first.dtype != second.dtype or first.shape != second.shape:
            return False
        if first.dtype == object:
            return all(map(equal, first.ravel().tolist(), second.ravel().tolist()))
        return bool(np.array_equal(first, second, equal_nan=first.dtype.kind in "fc"))
    if isinstance(first, list | tuple):
        return len(first) == len(second) and all(map(equal, first, second))
    if isinstance(first, dict):
        return list(first) == list(second) and all(equal(first[key], second[key]) for key in first)
    return bool(first == second) or (first != first and second != second)


# -- showing -----------------------------------------------------------------------------------------------------------


def _code(last: tuple[str, Sequence[Any], Mapping[str, Any]], short: bool = False) -> str:
    name, args, kwargs = last
    return f"{name}({', '.join(_code_of_arguments(args, kwargs, short))})"


def _code_of_arguments(args: Sequence[Any], kwargs: Mapping[str, Any], short: bool) -> list[str]:
    texts = [_python(value, short) for value in args]
    return texts + [f"{name}={_python(value, short)}" for name, value in kwargs.items()]


def _python(value: Any, short: bool = False) -> str:
    """Write plain data as Python."""
    text = _python_in_full(value)
    if short and len(text) > LONGEST_TEXT and isinstance(value, np.ndarray):
        return f"<{'×'.join(map(str, value.shape))} {value.dtype}>"
    if short and isinstance(value, tuple | list) and len(text) > LONGEST_TEXT:
        inner = ", ".join(_python(item, short) for item in value[:8]) + (", …" if len(value) > 8 else "")
        return f"({inner})" if isinstance(value, tuple) else f"[{inner}]"
    limit = LONGEST_TEXT if short else LONGEST_CODE
    return text if len(text) <= limit else text[:limit] + "…"


def _python_in_full(value: Any) -> str:
    match value:
        case np.ndarray():
            return f"np.array({_python_in_full(value.tolist())}{_dtype(value)})"
        case float() if value != value:
            return "np.nan"
        case float() if abs(value) == float("inf"):
            return "np.inf" if value > 0 else "-np.inf"
        case list():
            return f"[{', '.join(map(_python_in_full, value))}]"
        case tuple():
            return f"({', '.join(map(_python_in_full, value))}{',' if len(value) == 1 else ''})"
        case dict():
            return f"{{{', '.join(f'{key!r}: {_python_in_full(item)}' for key, item in value.items())}}}"
        case Function(name="identity"):
            return "torch.nn.Identity()"
        case Function():
            return f"torch.{value.name}"
        case Handle() | Network():
            return "<ann>"
        case Opaque():
            return f"<{value.type}>"
        case Failure():
            return f"{value.type}: {value.message}"
    return repr(value)


def _dtype(value: np.ndarray[Any, Any]) -> str:
    if value.dtype == object:
        return ", dtype=object"
    if value.dtype.kind not in "biufU" or not value.size:
        return f", dtype={value.dtype.name!r}"
    return (
        ""
        if np.array(value.tolist()).dtype.kind == value.dtype.kind and value.dtype.itemsize == 8
        else ("" if value.dtype.kind in "bU" else f", dtype={value.dtype.name!r}")
    )


def show(value: Any, *, quoted: bool = True) -> str:
    """Write a value for a sentence: rounded, without `np.array(...)`, and not too long.

    Parameters
    ----------
    value : plain data
    quoted : bool
        Whether a text stands in quotes.
    """
    text = _shown(value, quoted)
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"


def _shown(value: Any, quoted: bool = True) -> str:
    match value:
        case str():
            return repr(value) if quoted else value
        case bool() | int() | None:
            return repr(value)
        case float() | np.floating():
            return f"{float(value):.6g}"
        case np.ndarray():
            return _shown(value.tolist())
        case np.generic():
            return _shown(value.item())
        case list():
            return f"[{', '.join(_first_of(value))}]"
        case tuple():
            return f"({', '.join(_first_of(value))}{',' if len(value) == 1 else ''})"
        case dict():
            return f"{{{', '.join(f'{key}: {_shown(item)}' for key, item in value.items())}}}"
    return _python_in_full(value)


def _first_of(values: Iterable[Any]) -> list[str]:
    return [_shown(value) for value in values]
