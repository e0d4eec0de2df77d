"""The agent, which runs beside the student's code and answers requests about it in plain data.

The same `Agent` runs in three places: in the sandbox's child process, on the student's own machine,
and on the reference in the project's tests. Arguments are copied before a call and results after
it, so that no caller shares memory with the student's code.

The grader can trust nothing here: it runs in the student's process.

Each call is seeded: `random`, numpy, torch if it is loaded, and the generators that the file keeps
in its global variables. A double is a dict with *one* of

    "returns": value            the same value in every call
    "sequence": [value, ...]    one value for each call; the last one repeats
    "raises": text              RuntimeError(text)
    "through": True             the real function is called (the default)

and always records; with "copies": True what is returned is recorded as a copy, which stays as it
was then. With "tame": seed, a network that comes from a function that was let through gets small
weights, which the seed determines. What such a function calls itself is not recorded. With "asks":
True the double first asks whoever scripted the call for the right value, and does as above where
there is none; unless that is said too, it is not recorded. With "like": options, what is not the
real function's own answer has the form of its answer to the call with these options. The key of a
double is a name of the student's file, or "module:attribute" ("sklearn.svm:SVC.fit") for a function
or method elsewhere; the record of a method has its object's class and, for an estimator, its
parameters.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import importlib
import inspect
import io
import sys
import threading
import time
import types
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from practica.grading.inside import frames
from practica.grading.inside.forms import in_form
from practica.grading.inside.kept import Kept
from practica.grading.inside.lines import Lines
from practica.grading.inside.networks import (
    copied,
    facts_of,
    outputs_of,
    tame,
    torch_function,
    torch_network,
)
from practica.grading.inside.plain_data import (
    Answer,
    Array,
    Failure,
    Function,
    Handle,
    Network,
    Opaque,
    RecordedCall,
    Transcript,
    as_array,
    failure_of,
    has_call,
    kinds_of,
    name_of_type,
    to_plain,
)
from practica.grading.inside.redirection import redirected
from practica.grading.inside.seeding import last_seed, seed_all

MAX_PRINTED = 10_000  # characters kept of what one call prints
QUICK = 0.2  # seconds after which no further one of several calls is begun

_UNWATCHED = contextlib.nullcontext()

# As they are before the student's file is imported:
_now, _id = time.monotonic, id
_signature_of, _catch_warnings, _ignore_warnings = (
    inspect.signature,
    warnings.catch_warnings,
    warnings.simplefilter,
)
_printed_by = io.StringIO.getvalue


class Agent:
    """Call the functions of a namespace on plain data.

    `namespace`: where the student's functions are; doubles are put there too.
    `path`: the student's file, to find the line of an error; by default the namespace's `__file__`.
    `first_handle`: the number of the first Handle, so that those of two processes differ.
    `line`: where another process is asked for right values: takes the number of a scripted call,
        and the call of a double.
    """

    # Nothing can be put before a method in an object without variables of its own.
    __slots__ = (
        "_first",
        "_inside",
        "_kept",
        "_line",
        "_names",
        "_objects",
        "_path",
        "_positions",
        "_recording",
        "_seeds",
    )

    def __init__(
        self,
        namespace: types.ModuleType | dict[str, Any],
        path: str | None = None,
        first_handle: int = 0,
        line: Callable[[Any, RecordedCall], Any] | None = None,
    ) -> None:
        self._first, self._line = first_handle, line
        self._names: dict[str, Any] = namespace if isinstance(namespace, dict) else vars(namespace)
        self._path = path if path is not None else self._names.get("__file__")
        self._kept: Kept | None = None  # once a function is called
        self._objects: list[Any] = []
        self._seeds: list[int] = []  # with which lazy weights of each of them are drawn
        self._positions: dict[int, int] = {}  # where an object stands in that list, by its identity
        self._inside = _Inside()
        self._recording = threading.Lock()

    def names(self) -> list[str]:
        """List the names that can be called, in the order of the file.

        Those with two underscores in front are not.
        """
        return [
            name
            for name, value in list(self._names.items())
            if type(name) is str and name[:2] != "__" and has_call(value)
        ]

    def call(
        self,
        name: str,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        *,
        seed: int,
        want_args: bool = False,
        exact: bool = False,
    ) -> Answer:
        """Call a function of the namespace.

        `seed`: the seed of every global generator; equal seeds repeat the call.
        `want_args`: whether the answer brings the arguments as the call left them.
        `exact`: see `practica.grading.inside.plain_data.to_plain`.
        """
        self._remember()
        return self._run(lambda: self._names[name], args, kwargs, seed, want_args, exact=exact)

    def several(
        self, requests: Sequence[tuple[str, Sequence[Any], Mapping[str, Any]]]
    ) -> list[Answer | Transcript]:
        """Answer requests in turn; begin no more once `QUICK` seconds have passed.

        `requests` (list of (method, args, kwargs)): the methods are those of the agent.
        Returned `answers`: those to the first requests, at least one.
        """
        answers: list[Answer | Transcript] = []
        begin = _now()
        for method, args, kwargs in requests:
            if answers and _now() - begin > QUICK:
                break
            answers.append(ANSWERING[method](self, *args, **kwargs))
        return answers

    def predict(self, handle: Handle, inputs: Array) -> Answer:
        """Run a network, without gradient, on float32 inputs (N, L).

        The value is an array (N, outputs).
        """
        network, seed = self._object(handle), self._seeds[handle.number - self._first]

        def predicted() -> Any:
            outputs = as_array(outputs_of(network, np.asarray(inputs)))
            return outputs.reshape(-1, 1) if outputs.shape == (len(inputs),) else outputs

        return self._run(lambda: predicted, (), {}, seed, False)

    def describe(
        self, handle: Handle, inputs: Array, shaken: bool = False, alone: bool = False
    ) -> Answer:
        """Return the facts of a torch network, which are the same regardless of what it is made of.

        `inputs` (array, shape (N, L)): the patterns of the probe.
        `shaken`: whether the facts are those of the network with other parameters; then it gets its
            own back.
        `alone`: whether each pattern goes alone through the network where the steps are recorded,
            instead of half of them together.
        Returned `answer`: its value is a dict: "module" (whether it is a torch module; the rest
            only then), "class", "single" (whether it takes a float32 tensor), "values" of the
            parameters, "outputs" of the probe, and "steps", the arrays that were computed on the
            way, the outputs last, each with a row for each pattern.
        """
        network, seed = self._object(handle), self._seeds[handle.number - self._first]
        return self._run(
            lambda: lambda: facts_of(network, inputs, shaken, alone), (), {}, seed, False
        )

    def scripted(
        self,
        name: str,
        doubles: Mapping[str, Mapping[str, Any]],
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        *,
        seed: int,
        asked: Any = None,
        exact: bool = False,
    ) -> Transcript:
        """Call a function while doubles replace others; return its answer, and the recorded calls
        of the doubles.

        `doubles`: for each name what its double does: see the notes of this module.
        `args`, `kwargs`, `seed`, `exact`: as in `call`.
        `asked`: takes a call of a double that asks, and returns the right value in each form that
            is legal, or nothing if there is none; the number of this call, where the agent has a
            line.
        """
        self._remember()
        calls: list[RecordedCall] = []
        real: dict[str, Any] = {}
        undo: list[Callable[[], None]] = []
        # No manager of contexts: it keeps what it was made with where others can see it.
        try:
            for target in doubles:
                script = {**doubles[target], "asked": asked}
                real[target], restore = self._double(target, script, calls)
                undo.append(restore)
            # A double of the same name stands only for the calls inside it.
            answer = self._run(
                lambda: real[name] if name in real else self._names[name],
                args,
                kwargs,
                seed,
                True,
                exact=exact,
            )
        finally:
            for restore in reversed(undo):
                restore()
        return Transcript(answer, calls)

    def signature(self, name: str) -> Answer:
        """Return the parameters of a function, as `inspect.signature` sees them.

        The value is a list of [name, kind, whether it has a default, the default], in order.
        """

        def parameters() -> list[Any]:
            found = []
            for parameter in _signature_of(self._names[name]).parameters.values():
                given = parameter.default is not parameter.empty
                default = to_plain(parameter.default) if given else None
                found.append([parameter.name, parameter.kind.name, given, default])
            return found

        return self._run(lambda: parameters, (), {}, 0, False)

    def renew(self) -> Answer:
        """Give the file's variables the values that they had before the first call.

        The value is a list of the names of those that had others.
        """
        return Answer(value=[] if self._kept is None else self._kept.restore(), kind="list")

    def observe(
        self,
        name: str,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        *,
        seed: int,
        apart: Sequence[str],
    ) -> Answer:
        """Call a function as a new process would, and return which lines of the student's file run.

        `apart`: the functions whose lines do not count.

        The value is a dict, also when the function raises: "raised" (whether it did), "steps" (a
        list of [line, next line, times]) and "entries"; see `practica.grading.inside.lines.Lines`.
        """
        self._remember()
        self.renew()
        lines = Lines(name, self._names, self._path, apart)
        answer = self._run(lambda: self._names[name], args, kwargs, seed, False, lines)
        seen = {
            "raised": answer.error is not None,
            "steps": [[before, line, times] for (before, line), times in lines.steps.items()],
            "entries": lines.entries,
        }
        return Answer(value=seen, kind="dict")

    def _remember(self) -> None:
        """Record the file's variables before the first call, unless reading them fails."""
        if self._kept is not None:
            return
        try:
            self._kept = Kept(self._names)
        except KeyboardInterrupt:
            raise
        except BaseException:
            self._kept = Kept({})

    # --- one call ---------------------------------------------------------------------------------

    def _run(
        self,
        find: Callable[[], Any],
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        seed: int,
        want_args: bool,
        watch: contextlib.AbstractContextManager[None] = _UNWATCHED,
        *,
        exact: bool = False,
    ) -> Answer:
        printed = _Capped(MAX_PRINTED)
        values: list[Any] = []
        options: dict[str, Any] = {}
        result: Any = None
        told: Any = None
        error: Failure | None = None
        before = sys.stdout, sys.stderr
        sys.stdout = sys.stderr = printed
        try:
            with _catch_warnings():
                _ignore_warnings("ignore")
                try:
                    values = [self._materialise(value) for value in args]
                    options = {key: self._materialise(value) for key, value in kwargs.items()}
                    seed_all(seed, self._names.values())
                    function = find()
                    with watch:
                        result = function(*values, **options)
                        told = self.plain(result, exact=exact)  # this may run code of the file
                except KeyboardInterrupt:
                    raise
                except BaseException as exception:
                    error = failure_of(exception, self._path)
        finally:
            sys.stdout, sys.stderr = before
        left = (*values, *options.values()) if want_args else ()
        after = [self.plain(value, exact=exact) for value in left] if want_args else None
        if error is not None:
            return Answer(error=error, args=after, printed=_text_of(printed))
        same = next(
            (
                position
                for position, value in enumerate(values)
                if value is result and not _is_atom(value)
            ),
            None,
        )
        return Answer(
            value=told,
            args=after,
            same_object=same,
            kind=name_of_type(result),
            kinds=kinds_of(result),
            printed=_text_of(printed),
        )

    # --- plain data in and out --------------------------------------------------------------------

    def plain(self, value: Any, *, exact: bool = False) -> Any:
        """Turn any object into plain data.

        What can be called, or has parameters, becomes a Handle.
        """
        return to_plain(value, self._keep, exact=exact)

    def _keep(self, value: Any) -> Handle:
        position = self._positions.setdefault(_id(value), len(self._objects))
        if position == len(self._objects):
            self._objects.append(value)
            self._seeds.append(last_seed())
        return Handle(self._first + position)

    def _object(self, handle: Handle) -> Any:
        position = handle.number - self._first
        if not 0 <= position < len(self._objects):
            raise LookupError(f"there is no object {handle.number}: {len(self._objects)} are kept")
        return self._objects[position]

    def _materialise(self, value: Any) -> Any:
        """Return a copy of plain data, with the objects that `Handle`, `Function` and `Network` in
        it stand for.
        """
        kind = type(value)
        if kind in (list, tuple, set, frozenset):
            return kind(self._materialise(item) for item in value)
        if kind is dict:
            pairs = value.items()
            return {self._materialise(key): self._materialise(item) for key, item in pairs}
        if kind is np.ndarray:
            return copy.deepcopy(value) if value.dtype == object else value.copy()
        if frames.kind_of(value):
            return value.copy(deep=True)
        if kind is Handle:
            return self._object(value)
        if kind is Function:
            return torch_function(value.name)
        if kind is Network:
            return torch_network(value, [self._materialise(each) for each in value.functions])
        return value

    # --- networks ---------------------------------------------------------------------------------

    # --- doubles ----------------------------------------------------------------------------------

    def _double(
        self, target: str, script: Mapping[str, Any], calls: list[RecordedCall]
    ) -> tuple[Any, Callable[[], None]]:
        """Put a double in place of the function `target`, which records its calls and answers by a
        `script`; return that function, and what restores it.

        `calls`: the list to which the double adds its calls.
        """
        module, _, attribute = target.rpartition(":")
        *owners, last = attribute.split(".")
        owner = (
            functools.reduce(getattr, owners, importlib.import_module(module)) if module else None
        )
        missing = object()
        real = getattr(owner, last) if module else self._names.get(target, missing)
        kind = owner if isinstance(owner, type) else None
        ours = module or getattr(real, "__module__", None) == self._names.get("__name__", missing)
        if ours and type(real) is types.FunctionType:
            return redirected(
                real, lambda original: self._recorder(target, script, original, calls, kind)
            )

        def put(value: Any) -> None:
            if module:
                setattr(owner, last, value)
            elif value is missing:
                self._names.pop(target, None)
            else:
                self._names[target] = value

        on = [True]  # a file may keep a double beyond its call: then it is the real function again
        own = _undefined(target) if real is missing else real
        put(self._recorder(target, script, own, calls, kind, on))

        def restore() -> None:
            on.clear()
            put(real)

        return real, restore

    def _recorder(
        self,
        name: str,
        script: Mapping[str, Any],
        real: Any,
        calls: list[RecordedCall],
        kind: type | None,
        on: Sequence[bool] = (True,),
    ) -> Callable[..., Any]:
        results: list[Any] = []  # the values of the sequence that were returned so far
        signature: inspect.Signature | None = None
        with contextlib.suppress(TypeError, ValueError):
            signature = _signature_of(real)
        asks = "asks" in script

        def double(*args: Any, **kwargs: Any) -> Any:
            inside = self._inside.now
            # of another class, which inherits the same method
            strange = kind is not None and not isinstance(args[0] if args else None, kind)
            if strange or not on or (inside and not asks) or self._inside.seen == name:
                # or after its time, or called by a function that a double let through, or by itself
                # where it shows its form
                return real(*args, **kwargs)
            record = self._record_of(name, signature, kind is not None, args, kwargs)
            recorded = not inside and (not asks or "through" in script)
            if recorded:
                with self._recording:
                    position = len(calls)
                    calls.append(RecordedCall(**{"result": None, **record}))
            self._inside.now = inside or recorded
            try:
                result = self._result(script, record, results, real, args, kwargs)
            finally:
                self._inside.now = inside
            if script.get("copies"):
                with contextlib.suppress(Exception):  # not all that is legal can be copied
                    record["result"] = self.plain(copied(result))
            if recorded:
                calls[position] = RecordedCall(**{"result": self._outcome(result), **record})
            return result

        if callable(real):
            functools.update_wrapper(double, real)
            del double.__wrapped__  # type: ignore[attr-defined]
        return double

    def _record_of(
        self,
        name: str,
        signature: inspect.Signature | None,
        is_method: bool,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
    ) -> dict[str, Any]:
        """Return the fields of a `RecordedCall` for a call of a double, all but the result.

        `signature`: that of the function that it replaces; None if unknown.
        `is_method`: whether the first argument is the object of a method.
        """
        given = args[1:] if is_method else args
        bound: dict[str, Any] = {}
        if signature is not None:
            with contextlib.suppress(TypeError):
                arguments = signature.bind(*args, **kwargs)
                arguments.apply_defaults()
                bound = dict(list(_by_name(arguments).items())[is_method:])
        once = {id(value): value for value in (*given, *kwargs.values(), *bound.values())}
        seen = {key: self.plain(value) for key, value in once.items()}
        return {
            "name": name,
            "args": [seen[id(value)] for value in given],
            "kwargs": {str(key): seen[id(value)] for key, value in kwargs.items()},
            "bound": {key: seen[id(value)] for key, value in bound.items()},
            "owner": self._owner(args[0]) if is_method and args else {},
        }

    def _result(
        self,
        script: Mapping[str, Any],
        record: Mapping[str, Any],
        results: list[Any],
        real: Any,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
    ) -> Any:
        """Return what a double returns in one call: the right result from the grader ("asks"), a
        value of its `script` ("sequence", "returns"), or the result of the function that it
        replaces. Raise RuntimeError if the script says "raises".

        `record`: the fields of the call's `RecordedCall`.
        `results`: the values of "sequence" that were returned so far.
        `real`, `args`, `kwargs`: the function that it replaces, and the arguments.
        """
        if "asks" in script and (rights := self._ask(script["asked"], record)):
            return self._formed(record["name"], rights, script, real, args, kwargs)
        if "raises" in script:
            raise RuntimeError(str(script["raises"]))
        if sequence := script.get("sequence"):
            if len(results) < len(sequence):
                results.append(self._materialise(sequence[len(results)]))
            return self._formed(record["name"], results[-1:], script, real, args, kwargs)
        if "returns" in script:
            return self._formed(record["name"], [script["returns"]], script, real, args, kwargs)
        result = real(*args, **kwargs)
        if "tame" in script:
            tame(result, script["tame"])
        return result

    def _formed(
        self,
        name: str,
        rights: Sequence[Any],
        script: Mapping[str, Any],
        real: Any,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
    ) -> Any:
        """Return one of several right results of a call of `name`. With "like" in the script, it
        has the form that the function `real` returns, if that function returns.
        """
        values = [self._materialise(each) for each in rights]
        if "like" not in script or self._inside.seen:
            return values[0]
        self._inside.seen = name
        try:
            with contextlib.suppress(Exception, SystemExit):  # it may be wrong, and do anything
                return in_form(values, _briefly(real, args, kwargs, script["like"]))
        finally:
            self._inside.seen = ""
        return values[0]

    def _ask(self, asked: Any, record: Mapping[str, Any]) -> Any:
        """Return the right results of a recorded call, which the trusted side computes: one for
        each form that is right, none if it knows none.
        """
        call = RecordedCall(**{"result": None, **record})
        with self._recording:  # one question after the other
            return asked(call) if self._line is None else self._line(asked, call)

    def _outcome(self, value: Any) -> Any:
        """Turn a result into plain data; an object of the file becomes a dict of its attributes."""
        told = self.plain(value)
        return self.plain(vars(value)) if type(told) is Opaque and _has_dict(value) else told

    def _owner(self, value: Any) -> dict[str, Any]:
        facts: dict[str, Any] = {"class": name_of_type(value), "object": self._keep(value)}
        if hasattr(type(value), "get_params"):
            facts["params"] = self.plain(value.get_params(deep=False))
        return facts


# the methods of an agent, as they are now
ANSWERING: Mapping[str, Callable[..., Any]] = types.MappingProxyType(
    {name: method for name, method in vars(Agent).items() if isinstance(method, types.FunctionType)}
)


def _briefly(
    real: Any, args: Sequence[Any], kwargs: Mapping[str, Any], options: Mapping[str, Any]
) -> Any:
    """Call a function on copies of arguments, with some options in place of those that were
    given.
    """
    given = _signature_of(real).bind(*copied(args), **copied(kwargs))
    by_name = options.keys() & given.signature.parameters
    given.arguments.update({name: options[name] for name in by_name})
    others = {name: options[name] for name in options.keys() - by_name}
    return real(*given.args, **{**given.kwargs, **others})


def _by_name(given: inspect.BoundArguments) -> dict[str, Any]:
    """Return arguments by the names of their parameters, those of a `**kwargs` by their own; an
    empty dict if a `*args` takes some, since these have no names.
    """
    named = dict(given.arguments)
    for name, parameter in given.signature.parameters.items():
        if parameter.kind is parameter.VAR_KEYWORD:
            named |= named.pop(name)
        elif parameter.kind is parameter.VAR_POSITIONAL and named.pop(name):
            return {}
    return named


def _has_dict(value: Any) -> bool:
    return type(getattr(value, "__dict__", None)) is dict


def _undefined(name: str) -> Callable[..., Any]:
    """Return a function that raises what Python raises for a name without a value."""

    def undefined(*_: Any, **__: Any) -> Any:
        raise NameError(f"name {name!r} is not defined")

    return undefined


class _Inside(threading.local):
    """For each thread: whether a double is running the function that it replaces, and the name of
    the function that runs to show the form of its results.
    """

    now = False
    seen = ""


class _Capped(io.StringIO):
    """A text stream that keeps only the beginning of what is written to it."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._left = limit

    def write(self, text: str) -> int:
        if self._left > 0:
            self._left -= super().write(text[: self._left])
        return len(text)


def _text_of(printed: _Capped) -> str:
    """Return the captured output, without calling methods that the file could have replaced."""
    try:
        return _printed_by(printed)[:MAX_PRINTED]
    except ValueError:  # the student closed it
        return ""


def _is_atom(value: Any) -> bool:
    return value is None or type(value) in (bool, int, float, complex, str)
