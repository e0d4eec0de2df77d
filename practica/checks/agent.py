"""What runs beside the student's code, and the plain data in which it talks.

The same `Agent` serves three doors: in the sandbox's child process, on the student's own machine, and on the reference
in the project's tests. Only *plain data* passes through it, in both directions: None, bool, int, float, complex, str,
numeric, bool, text and object arrays, lists, tuples and dicts with text keys, and the small marks of this module:

    Handle(number)      an object that stays where it is: a trained network, a function
    Opaque(name)        an object of which only the name of its type is told
    Function(name)      argument only: becomes a torch function there, for `transferFunctions`
    Network(W, b, act)  argument only: becomes a torch network there, for doubles of `train_class_ann`

numpy's scalars arrive as Python's, torch's tensors and pandas' columns as arrays, named tuples as tuples, ranges and
the like as lists; `Answer.kind` and `Answer.kinds` tell what they were. Arguments are copied before a call and results
after it, so that nobody shares memory with the student's code.

Nothing here can be trusted by whoever marks: it runs in the student's process. It is careful with hostile objects
(exact types, no comparison, no `repr`) only to give honest students better answers.

Choices where the plan leaves them open. Each call is seeded: `random`, numpy, torch if it is loaded, and the generators
that the file keeps in its global variables. A double is a dict with *one* of

    "returns": value            the same value in every call
    "sequence": [value, ...]    one value for each call; the last one repeats
    "raises": text              RuntimeError(text)
    "through": True             the real function is called (the default); with "copies": True what it returns is
                                recorded as a copy, which stays as it was then

and always records; what a function that was let through calls itself is not recorded. Its key is a name of the
student's file, or "module:attribute" ("sklearn.svm:SVC.fit") for a function or method elsewhere; the record of a method
tells its object's class and, for an estimator, its parameters.
"""

from __future__ import annotations
import __future__

import array
import ast
import codecs
import collections
import contextlib
import copy
import functools
import importlib
import inspect
import io
import linecache
import math
import random
import re
import sys
import threading
import time
import types
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from practica.checks.observer import Audit, Observer

__all__ = [
    "FUNCTIONS",
    "Agent",
    "Answer",
    "Failure",
    "Function",
    "Handle",
    "Network",
    "Opaque",
    "RecordedCall",
    "Step",
    "Transcript",
    "decode",
    "lines_of",
    "load_source",
    "steps_of",
    "to_plain",
]

MAX_DEPTH = 24  # of lists within lists
MAX_NODES = 10_000  # values in one answer, the elements of numeric arrays not counted
MAX_BYTES = 4 << 20  # of one answer
MAX_TEXT = 1 << 20  # characters of one text
CHARACTER = 64  # bytes that one of a text counts for: texts take so much longer to be read than numbers
ROW = 8  # bytes that the elements of a matrix count for at least, and rows of no elements
MAX_MESSAGE = 2_000  # characters of an error's message
MAX_PRINTED = 10_000  # characters kept of what one call prints
MAX_WARNINGS = 20
MAX_STEPS = 500  # of a file that is run step by step
QUICK = 0.2  # seconds after which no further one of several calls is begun

FUNCTIONS = ("sigmoid", "tanh", "relu", "identity", "softplus", "sin", "square")

_UNWATCHED = contextlib.nullcontext()
_DRAW_NOTHING = {types.FunctionType, types.ModuleType, types.BuiltinFunctionType, type, str, int, float, list, dict}

# As they are before the student's file is imported:
_seed_random, _seed_numpy, _now = random.seed, np.random.seed, time.monotonic


@dataclass(frozen=True, slots=True)
class Handle:
    """An object that stays in the student's process; `number` names it there."""

    number: int


@dataclass(frozen=True, slots=True)
class Opaque:
    """An object that is not plain data; only the name of its type is known."""

    type: str


@dataclass(frozen=True, slots=True)
class Function:
    """A transfer function by name, one of `FUNCTIONS`; it becomes a torch function where the student's code runs."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """A network of one layer, `activation(inputs @ weight.T + bias)`; it becomes a `torch.nn.Sequential`."""

    weight: NDArray[Any]
    bias: NDArray[Any]
    activation: str = "identity"


@dataclass(frozen=True, slots=True)
class Failure:
    """An exception of the student's code: its type, message, and the line of the student's file it came through."""

    type: str
    message: str
    line: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """What came of a call.

    Attributes
    ----------
    value : plain data
        The result; None after an error.
    error : Failure, optional
        The exception that ended the call.
    args : list of plain data, optional
        The arguments after the call, the keyword ones last, where the caller wants them.
    same_object : int, optional
        The position of the argument that *is* the returned object, if one is.
    kind, kinds : str, list of str
        The type's name of the result as the student returned it and, for tuples and lists of at most 32, of its
        elements ("ndarray", "Tensor", "int64"...).
    printed : str
        The beginning of what the call printed.
    warnings : list of str
        "Category: message" of the first warnings.
    """

    value: Any = None
    error: Failure | None = None
    args: list[Any] | None = None
    same_object: int | None = None
    kind: str = "NoneType"
    kinds: list[str] = field(default_factory=list)
    printed: str = ""
    warnings: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, eq=False)
class RecordedCall:
    """One call of a double.

    Attributes
    ----------
    name : str
        The double's name.
    args, kwargs : list, dict
        The arguments as they were given; what may be left out, by its name.
    bound : dict
        The same arguments by the parameter names of the real function, defaults included; empty where they do not fit.
    result : plain data
        What the double returned.
    owner : dict
        For a method: "class" and, for an estimator, "params"; otherwise empty.
    """

    name: str
    args: list[Any]
    kwargs: dict[str, Any]
    bound: dict[str, Any]
    result: Any
    owner: dict[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Transcript:
    """A call with doubles: its answer, and the calls of the doubles in the order in which they began."""

    answer: Answer
    calls: list[RecordedCall]


class _TooLargeError(Exception):
    pass


@dataclass(frozen=True, slots=True)
class Step:
    """Statements of a file that run together: functions that follow one another, or a single statement.

    Attributes
    ----------
    line : int
        The first one.
    loose : bool
        Whether it is neither import nor definition nor constant.
    code : code object
    """

    line: int
    loose: bool
    code: types.CodeType


def load_source(source: bytes, path: str, name: str = "entrega") -> types.ModuleType:
    """Run a student's file and return its module.

    Parameters
    ----------
    source : bytes
        The file as it is, in the encoding that `decode` finds.
    path : str
        What tracebacks and `__file__` say.
    name : str
        The module's `__name__`, never "__main__".

    Raises
    ------
    BaseException
        Whatever the file raises; a SyntaxError or ValueError if Python cannot read it.
    """
    module, steps = steps_of(source, path, name)
    for step in steps:
        exec(step.code, module.__dict__)
    return module


def steps_of(source: bytes, path: str, name: str = "entrega") -> tuple[types.ModuleType, list[Step]]:
    """Return the module of a student's file, of which nothing has run, and what is to be run in it, in turn.

    Parameters and errors are those of `load_source`. Run one after the other, the steps do what the file does; whoever
    asks for each of them knows on which line the file has come to its end.
    """
    module = types.ModuleType(name)
    module.__file__ = path
    text, wrong = decode(source)
    if wrong is not None:  # Python says what it thinks of it, unless what it cannot read are comments
        compile(source, path, "exec", dont_inherit=True)
    lines = lines_of(text)
    linecache.cache[path] = (len(source), None, lines, path)  # inspect.getsource works without the file
    compile(text, path, "exec", dont_inherit=True)  # or the parts of a wrong file would run until the wrong one
    starts: list[tuple[int, bool]] = []
    flags = end = 0
    follows = False  # a statement that can be in one step with the next
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they were given above
        for node in ast.parse(text).body:
            line = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
            quiet, loose = _says_nothing(node), not isinstance(node, ast.Import | ast.ImportFrom)
            loose &= not quiet
            if line <= end:
                starts[-1] = starts[-1][0], starts[-1][1] or loose
            elif not (quiet and follows):
                starts.append((line, loose))
            follows, end = quiet and (line > end or follows), node.end_lineno or line
            if isinstance(node, ast.ImportFrom) and node.module == "__future__":
                flags |= sum(getattr(__future__, alias.name).compiler_flag for alias in node.names)
        starts = starts[:: 1 + len(starts) // MAX_STEPS]
        steps = []
        for number, (line, loose) in enumerate(starts, start=1):
            last = starts[number][0] - 1 if number < len(starts) else len(lines)
            part = "\n" * (line - 1) + "".join(lines[line - 1 : last])
            steps.append(Step(line, loose, compile(part, path, "exec", flags, dont_inherit=True)))
    sys.modules[name] = module
    return module, steps


def lines_of(text: str) -> list[str]:
    r"""Return the lines of a file as Python counts them, each with its end as ``\n``."""
    return io.StringIO(text, newline=None).readlines()


def _says_nothing(node: ast.stmt) -> bool:
    """Tell whether a statement can neither fail nor take time."""
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Assign(value=ast.Constant(), targets=[ast.Name()]):
            return True
        case ast.FunctionDef(decorator_list=[], returns=None, args=given):
            defaults = [*given.defaults, *given.kw_defaults]
            parameters = [each for each in ast.walk(given) if isinstance(each, ast.arg)]
            return all(each is None or isinstance(each, ast.Constant) for each in defaults) and not any(
                each.annotation for each in parameters
            )
    return False


def decode(source: bytes) -> tuple[str, int | None]:
    """Decode a file as Python does, by its byte order mark or its declared encoding.

    Whoever reads a file and whoever runs it take the same text from here, so that nobody reads another program.

    Returns
    -------
    text : str
        If it is not in its encoding, UTF-8 with the other bytes as Latin-1.
    line : int or None
        The line that is not in the file's encoding; None when the file is well encoded.
    """
    marked = source.startswith(codecs.BOM_UTF8)
    encoding = "utf-8-sig" if marked else "utf-8"
    wrong = None
    for line in re.split(rb"\r\n?|\n", source.removeprefix(codecs.BOM_UTF8), maxsplit=2)[:2]:
        if found := re.match(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", line):
            declared = found[1].decode("ascii").lower().replace("_", "-")
            if marked:
                wrong = None if re.fullmatch(r"utf-8(-.*)?", declared) else 1
            else:
                encoding = declared
            break
        if re.match(rb"[ \t\f]*(#|$)", line) is None:  # after a statement it is a comment like any other
            break
    try:
        if b"coding".decode(encoding) != "coding":
            raise LookupError  # the declaration cannot be read in what it declares
        return source.decode(encoding), wrong
    except (UnicodeError, LookupError, ValueError) as error:
        before = source[: error.start] if isinstance(error, UnicodeDecodeError) else b""
        return source.decode("utf-8-sig", "latin-1"), len(re.findall(rb"\r\n?|\n", before)) + 1


def _as_latin_1(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error("latin-1", _as_latin_1)


class Agent:
    """Call the functions of a namespace on plain data.

    Parameters
    ----------
    namespace : module or dict
        Where the student's functions are; doubles are put there too.
    path : str, optional
        The student's file, to find the line of an error; by default the namespace's `__file__`.
    first_handle : int
        The number of the first Handle, so that those of two processes differ.
    audit : Audit, optional
        What the file has done since it began.
    """

    def __init__(
        self,
        namespace: types.ModuleType | dict[str, Any],
        path: str | None = None,
        first_handle: int = 0,
        audit: Audit | None = None,
    ) -> None:
        self._first, self._audit = first_handle, audit
        self._names: dict[str, Any] = namespace if isinstance(namespace, dict) else vars(namespace)
        self._path = path if path is not None else self._names.get("__file__")
        self._objects: list[Any] = []
        self._inside = threading.local()  # of a function that a double let through
        self._recording = threading.Lock()

    def names(self) -> list[str]:
        """List the names that can be called, in the order of the file; those with two underscores in front are not."""
        return [
            name
            for name, value in list(self._names.items())
            if type(name) is str and name[:2] != "__" and _has_call(value)
        ]

    def call(
        self, name: str, args: Sequence[Any], kwargs: Mapping[str, Any], *, seed: int, want_args: bool = False
    ) -> Answer:
        """Call a function of the namespace.

        Parameters
        ----------
        name : str
        args, kwargs : sequence and mapping of plain data
        seed : int
            Of every global generator; equal seeds repeat the call.
        want_args : bool
            Whether the answer brings the arguments as the call left them.
        """
        return self._run(lambda: self._names[name], args, kwargs, seed, want_args)

    def several(self, requests: Sequence[tuple[str, Sequence[Any], Mapping[str, Any]]]) -> list[Answer | Transcript]:
        """Answer the first of several requests, as many as are quick.

        Parameters
        ----------
        requests : list of (method, args, kwargs)
            The methods are those of the agent.

        Returns
        -------
        answers : list of Answer and Transcript
            At least one; what begins is finished.
        """
        answers: list[Answer | Transcript] = []
        begin = _now()
        for method, args, kwargs in requests:
            if answers and _now() - begin > QUICK:
                break
            answers.append(getattr(self, method)(*args, **kwargs))
        return answers

    def predict(self, handle: Handle, inputs: NDArray[Any]) -> Answer:
        """Run a network, without gradient, on float32 inputs (N, L); the value is an array (N, outputs)."""
        network = self._object(handle)

        def forward() -> Any:
            outputs = _as_array(self._forward(network, np.asarray(inputs)))
            return outputs.reshape(-1, 1) if outputs.shape == (len(inputs),) else outputs

        return self._run(lambda: forward, (), {}, 0, False)

    def describe(self, handle: Handle, inputs: NDArray[Any] | None = None) -> Answer:
        """Tell the facts of a torch network.

        Parameters
        ----------
        handle : Handle
        inputs : array, shape (N, L), optional
            The patterns of the probe; by default 16 fixed ones.

        Returns
        -------
        answer : Answer
            Its value is a dict: "module" (whether it is a torch module; the rest only then), "class", "parameters"
            (how many), "trainable", "dtype", "shapes" and "values" of the parameters, "inputs" and "outputs" of the
            probe, and "layers", a dict for each linear layer in the order in which the probe went through them: "in",
            "out", "weight", "bias" (or None), "before" (its outputs) and "after" (what the next linear layer, or the
            network's caller, gets).

        Notes
        -----
        Activations are recognised by what they do, from one to the other, not by their class, so that modules,
        functions and lambdas are the same to a check.
        """
        network = self._object(handle)
        return self._run(lambda: lambda: self._facts(network, inputs), (), {}, 0, False)

    def perturb(self, handle: Handle, scale: float) -> Answer:
        """Add `scale` to every parameter of a network, in place; the value is how many tensors that were."""
        network = self._object(handle)

        def change() -> int:
            torch = sys.modules["torch"]
            parameters = list(network.parameters())
            with torch.no_grad():
                for parameter in parameters:
                    parameter.add_(scale)
            return len(parameters)

        return self._run(lambda: change, (), {}, 0, False)

    def scripted(
        self,
        name: str,
        doubles: Mapping[str, Mapping[str, Any]],
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        *,
        seed: int,
    ) -> Transcript:
        """Call a function while doubles stand for others, and tell what these were called with.

        Parameters
        ----------
        name : str
        doubles : dict
            For each name what its double does: see the notes of this module.
        args, kwargs, seed
            As in `call`.
        """
        calls: list[RecordedCall] = []
        with contextlib.ExitStack() as stack:
            real = {target: stack.enter_context(self._double(target, doubles[target], calls)) for target in doubles}
            # A double of the same name stands only for the calls inside it.
            answer = self._run(lambda: real[name] if name in real else self._names[name], args, kwargs, seed, True)
        return Transcript(answer, calls)

    def signature(self, name: str) -> Answer:
        """Tell the parameters of a function, as `inspect.signature` sees them.

        The value is a list of [name, kind, whether it has a default, the default], in order; a default that is no
        number, text, bool or None is Opaque.
        """

        def parameters() -> list[Any]:
            found = []
            for parameter in inspect.signature(self._names[name]).parameters.values():
                given = parameter.default is not parameter.empty
                default = to_plain(parameter.default) if given else None
                told = default if _is_atom(default) else Opaque(_name_of_type(parameter.default))
                found.append([parameter.name, parameter.kind.name, given, told])
            return found

        return self._run(lambda: parameters, (), {}, 0, False)

    def observe(
        self,
        name: str,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        *,
        seed: int,
        apart: Sequence[str],
        forbidden: Sequence[str],
        mentioned: Sequence[Sequence[Any]],
        within: bool,
    ) -> Answer:
        """Call a function, and tell what of the student's file runs and which forbidden objects are used.

        The value is a dict, also when the function raises: "raised" (whether it did), "value" (what it returned),
        "steps" (a list of [line, next line, times] for the lines of one function after the other; 0 comes before its
        first one), "within" (the same of what is judged apart, if asked for, with its function in front), "entries"
        (how often the function was entered) and "uses" (a list of [name, line, whether directly, function]). See
        `practica.checks.observer.Observer` for the parameters and for what is told apart.
        """
        if self._audit is not None:
            self._audit.look_at_threads()
        observer = Observer(name, self._names, self._path, apart, forbidden, within)
        answer = self._run(lambda: self._names[name], args, kwargs, seed, False, observer)
        seen = {
            "raised": answer.error is not None,
            "value": answer.value,
            "steps": [[before, line, times] for (before, line), times in observer.steps.items()],
            "within": [[*step, times] for step, times in observer.within.items()],
            "entries": observer.entries,
            "uses": observer.uses(mentioned) + (self._audit.uses(name, apart) if self._audit else []),
        }
        return Answer(value=seen, kind="dict")

    # -- one call ------------------------------------------------------------------------------------------------------

    def _run(
        self,
        find: Callable[[], Any],
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        seed: int,
        want_args: bool,
        watch: contextlib.AbstractContextManager[None] = _UNWATCHED,
    ) -> Answer:
        printed = _Capped(MAX_PRINTED)
        values: list[Any] = []
        options: dict[str, Any] = {}
        result: Any = None
        told: Any = None
        error: Failure | None = None
        with (
            contextlib.redirect_stdout(printed),
            contextlib.redirect_stderr(printed),
            warnings.catch_warnings(record=True) as caught,
        ):
            warnings.simplefilter("always")
            try:
                values = [self._materialise(value) for value in args]
                options = {key: self._materialise(value) for key, value in kwargs.items()}
                self._seed(seed)
                function = find()
                with watch:
                    result = function(*values, **options)
                    told = self.plain(result)  # which may run code of the file
            except KeyboardInterrupt:
                raise
            except BaseException as exception:
                error = failure_of(exception, self._path)
        texts = [f"{warning.category.__name__}: {_text_of(warning.message)}" for warning in caught[:MAX_WARNINGS]]
        after = [self.plain(value) for value in (*values, *options.values())] if want_args else None
        if error is not None:
            return Answer(error=error, args=after, printed=printed.text(), warnings=texts)
        same = next(
            (position for position, value in enumerate(values) if value is result and not _is_atom(value)), None
        )
        return Answer(
            value=told,
            args=after,
            same_object=same,
            kind=_name_of_type(result),
            kinds=_kinds(result),
            printed=printed.text(),
            warnings=texts,
        )

    def _seed(self, seed: int) -> None:
        seed %= 1 << 32
        _seed_random(seed)
        _seed_numpy(seed)
        torch = sys.modules.get("torch")
        if hasattr(torch, "manual_seed"):
            _seed_torch(torch, seed)
        for value in list(self._names.values()):
            kind = type(value)
            if kind in _DRAW_NOTHING:
                continue
            if kind is np.random.Generator:
                value.bit_generator.state = type(value.bit_generator)(seed).state
            elif kind is np.random.RandomState or kind is random.Random:
                value.seed(seed)
            elif kind.__name__ == "Generator" and kind.__module__ in ("torch", "torch._C"):
                value.manual_seed(seed)

    # -- plain data in and out -----------------------------------------------------------------------------------------

    def plain(self, value: Any) -> Any:
        """Turn any object into plain data; what can be called, or has parameters, becomes a Handle."""
        return to_plain(value, self._keep)

    def _keep(self, value: Any) -> Handle:
        for number, known in enumerate(self._objects):
            if known is value:
                return Handle(self._first + number)
        self._objects.append(value)
        return Handle(self._first + len(self._objects) - 1)

    def _object(self, handle: Handle) -> Any:
        position = handle.number - self._first
        if not 0 <= position < len(self._objects):
            raise LookupError(f"there is no object {handle.number}: {len(self._objects)} are kept")
        return self._objects[position]

    def _materialise(self, value: Any) -> Any:
        """Copy plain data, with the objects that its marks stand for."""
        kind = type(value)
        if kind is list or kind is tuple:
            return kind(self._materialise(item) for item in value)
        if kind is dict:
            return {key: self._materialise(item) for key, item in value.items()}
        if kind is np.ndarray:
            return copy.deepcopy(value) if value.dtype == object else value.copy()
        if kind is Handle:
            return self._object(value)
        if kind is Function:
            return _torch_function(value.name)
        if kind is Network:
            return _torch_network(value)
        return value

    # -- networks ------------------------------------------------------------------------------------------------------

    def _forward(self, network: Any, inputs: NDArray[Any]) -> Any:
        torch = sys.modules.get("torch")
        if torch is None:
            return network(inputs.astype(np.float32))
        kind = torch.float32
        if hasattr(network, "parameters"):
            kind = next((parameter.dtype for parameter in network.parameters()), kind)
        with torch.no_grad():
            return network(torch.tensor(inputs, dtype=kind))

    def _facts(self, network: Any, inputs: NDArray[Any] | None) -> dict[str, Any]:
        torch = sys.modules.get("torch")
        if torch is None or not issubclass(type(network), torch.nn.Module):
            return {"module": False, "class": _name_of_type(network)}
        parameters = list(network.parameters())
        facts = {
            "module": True,
            "class": _name_of_type(network),
            "parameters": sum(parameter.numel() for parameter in parameters),
            "trainable": sum(parameter.numel() for parameter in parameters if parameter.requires_grad),
            "dtype": str(parameters[0].dtype).removeprefix("torch.") if parameters else None,
            "shapes": [tuple(int(size) for size in parameter.shape) for parameter in parameters],
            "values": [_as_array(parameter) for parameter in parameters],
        }
        if inputs is None:
            linear = next((layer for layer in network.modules() if issubclass(type(layer), torch.nn.Linear)), None)
            width = linear.in_features if linear else next((p.shape[-1] for p in parameters if p.ndim == 2), 1)
            inputs = np.random.default_rng(0).normal(size=(16, width)).astype(np.float32)
        seen: list[tuple[Any, Any, Any]] = []
        hooks = [
            layer.register_forward_hook(lambda layer, given, out: seen.append((layer, given[0], out)))
            for layer in network.modules()
            if issubclass(type(layer), torch.nn.Linear)
        ]
        try:
            outputs = self._forward(network, np.asarray(inputs))
        finally:
            for hook in hooks:
                hook.remove()
        after = [given for _, given, _ in seen[1:]] + [outputs] * bool(seen)
        facts["inputs"], facts["outputs"] = np.asarray(inputs), _as_array(outputs)
        facts["layers"] = [
            {
                "in": int(layer.in_features),
                "out": int(layer.out_features),
                "weight": _as_array(layer.weight),
                "bias": None if layer.bias is None else _as_array(layer.bias),
                "before": _as_array(before),
                "after": _as_array(reached),
            }
            for (layer, _, before), reached in zip(seen, after, strict=True)
        ]
        return facts

    # -- doubles -------------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _double(self, target: str, script: Mapping[str, Any], calls: list[RecordedCall]) -> Iterator[Any]:
        """Put a double in place of a function, which is given, for the time being."""
        module, _, attribute = target.rpartition(":")
        *owners, last = attribute.split(".")
        owner = functools.reduce(getattr, owners, importlib.import_module(module)) if module else None
        missing = object()
        real = getattr(owner, last) if module else self._names.get(target, missing)
        kind = owner if isinstance(owner, type) else None
        ours = module or getattr(real, "__module__", None) == self._names.get("__name__", missing)
        if ours and type(real) is types.FunctionType:
            with _redirected(real, lambda original: self._recorder(target, script, original, calls, kind)) as original:
                yield original
            return

        def put(value: Any) -> None:
            if module:
                setattr(owner, last, value)
            elif value is missing:
                self._names.pop(target, None)
            else:
                self._names[target] = value

        on = [True]  # a file may keep a double beyond its call: then it is the real function again
        put(self._recorder(target, script, None if real is missing else real, calls, kind, on))
        try:
            yield real
        finally:
            on.clear()
            put(real)

    def _recorder(
        self,
        name: str,
        script: Mapping[str, Any],
        real: Any,
        calls: list[RecordedCall],
        kind: type | None,
        on: Sequence[bool] = (True,),
    ) -> Callable[..., Any]:
        sequence = script.get("sequence", ())
        results: list[Any] = []  # of the sequence, as far as it was asked for
        signature: inspect.Signature | None = None
        with contextlib.suppress(TypeError, ValueError):
            signature = inspect.signature(real)

        method = kind is not None

        def double(*args: Any, **kwargs: Any) -> Any:
            if kind is not None and not isinstance(args[0] if args else None, kind):
                return real(*args, **kwargs)  # of another class, which inherits the same method
            if getattr(self._inside, "now", False) or not on:
                return real(*args, **kwargs)  # called by a function that a double let through, or after its time
            given = args[1:] if method else args
            bound: dict[str, Any] = {}
            if signature is not None:
                with contextlib.suppress(TypeError):
                    arguments = signature.bind(*args, **kwargs)
                    arguments.apply_defaults()
                    bound = dict(list(arguments.arguments.items())[method:])
            once = {id(value): value for value in (*given, *kwargs.values(), *bound.values())}
            seen = {key: self.plain(value) for key, value in once.items()}
            record: dict[str, Any] = {
                "name": name,
                "args": [seen[id(value)] for value in given],
                "kwargs": {str(key): seen[id(value)] for key, value in kwargs.items()},
                "bound": {key: seen[id(value)] for key, value in bound.items()},
                "owner": self._owner(args[0]) if method and args else {},
            }
            with self._recording:
                position = len(calls)
                calls.append(RecordedCall(**{"result": None, **record}))
            if "raises" in script:
                raise RuntimeError(str(script["raises"]))
            if sequence:
                if len(results) < len(sequence):
                    results.append(self._materialise(sequence[len(results)]))
                result = copy.copy(results[-1])
            elif "returns" in script:
                result = self._materialise(script["returns"])
            else:
                self._inside.now = True
                try:
                    result = real(*args, **kwargs)
                finally:
                    self._inside.now = False
                if script.get("copies"):
                    record["result"] = self.plain(copy.deepcopy(result))
            calls[position] = RecordedCall(**{"result": self.plain(result), **record})
            return result

        if callable(real):
            functools.update_wrapper(double, real)
            del double.__wrapped__  # type: ignore[attr-defined]
        return double

    def _owner(self, value: Any) -> dict[str, Any]:
        facts: dict[str, Any] = {"class": _name_of_type(value), "object": self._keep(value)}
        if hasattr(type(value), "get_params"):
            facts["params"] = self.plain(value.get_params(deep=False))
        return facts


def _seed_torch(torch: Any, seed: int) -> None:
    """Seed the generators of torch.

    `torch.manual_seed` also queues the seed, with the stack of the call, for each kind of device that it knows; where
    none is there that takes a hundred times as long as seeding, and the queues are never emptied.
    """
    if torch.accelerator.is_available():
        torch.manual_seed(seed)
    else:
        torch.default_generator.manual_seed(seed)


@contextlib.contextmanager
def _redirected(
    function: types.FunctionType, make: Callable[[types.FunctionType], Callable[..., Any]]
) -> Iterator[types.FunctionType]:
    """Let calls of a function go to what `make` makes of the original, a function that does what it did.

    The function stays the same object, with its name, defaults and place, whatever name or table it is called through:
    only its code is another one for the time being, which takes the same arguments.
    """
    code = function.__code__
    original = types.FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    original.__kwdefaults__, original.__qualname__ = function.__kwdefaults__, function.__qualname__
    vars(original).update(vars(function))
    function.__code__ = _calling(make(original), original)
    try:
        yield original
    finally:
        function.__code__ = code


def _calling(target: Callable[..., Any], function: types.FunctionType) -> types.CodeType:
    """Return code for a function that calls another one with what it gets, by name if it is no default."""
    code, defaults = function.__code__, function.__defaults__ or ()
    count, only = code.co_argcount, code.co_posonlyargcount
    names = [f"given{number}" for number in range(count + code.co_kwonlyargcount)]
    rest = "rest" if code.co_flags & inspect.CO_VARARGS else ""
    others = "others" if code.co_flags & inspect.CO_VARKEYWORDS else ""
    optional = dict(zip(code.co_varnames[count - len(defaults) : count], defaults, strict=True))
    optional |= function.__kwdefaults__ or {}

    def call(values: Sequence[Any], more: Sequence[Any], named: Mapping[str, Any]) -> Any:
        first = count if more else max(only, count - len(defaults))
        by_name = list(zip(code.co_varnames, values, strict=False))[first:]
        given = {name: value for name, value in by_name if name not in optional or value is not optional[name]}
        return target(*values[:first], *more, **given, **named)

    stars = [f"*{rest}"] if rest else ["*"] * (code.co_kwonlyargcount > 0)
    parameters = [*names[:only], *["/"] * (only > 0), *names[only:count], *stars, *names[count:]]
    cells = ", ".join(f"cell{number}" for number in range(len(code.co_freevars)))
    text = _CALLING.format(
        cells=cells,
        mention=cells or "None",
        parameters=", ".join([*parameters, *[f"**{others}"] * bool(others)]),
        call=f"[{', '.join(names)}], {rest or '()'}, {others or '{}'}",
    )
    namespace: dict[str, Any] = {}
    exec(text, namespace)
    found: types.CodeType = namespace["make"](*code.co_freevars).__code__
    own = len(names) + bool(rest) + bool(others)
    return found.replace(
        co_consts=tuple(call if constant == "target" else constant for constant in found.co_consts),
        co_varnames=(*code.co_varnames[:own], *found.co_varnames[own:]),
        co_name=code.co_name,
        co_qualname=code.co_qualname,
    )


_CALLING = """
def make({cells}):
    def calling({parameters}):
        if 0:
            {mention}
        target = "target"
        return target({call})
    return calling
"""


def failure_of(exception: BaseException, path: str | None) -> Failure:
    """Reduce an exception to its type's name, message, and last line inside the student's file."""
    line: int | None = None
    if isinstance(exception, SyntaxError) and exception.filename == path and type(exception.lineno) is int:
        line = exception.lineno
    step = exception.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == path:
            line = step.tb_lineno
        step = step.tb_next
    return Failure(_name_of_type(exception), _text_of(exception), line)


def to_plain(value: Any, keep: Callable[[Any], Handle] | None = None) -> Any:
    """Turn any object into plain data.

    Parameters
    ----------
    value : object
    keep : callable, optional
        Given an object that can be called or has parameters, stores it and returns its Handle; without it such an
        object becomes Opaque.

    Returns
    -------
    plain data
        Opaque for everything that is not plain, is too deep or too large, or fails while it is looked at.
    """
    try:
        return _Plain(keep).convert(value, 0)
    except KeyboardInterrupt:
        raise
    except _TooLargeError:
        return Opaque(f"{_name_of_type(value)} (too large)")
    except BaseException:
        return Opaque(_name_of_type(value))


class _Plain:
    def __init__(self, keep: Callable[[Any], Handle] | None) -> None:
        self.keep = keep
        self.nodes = self.bytes = 0

    def spend(self, size: int) -> None:
        self.nodes += 1
        self.bytes += size
        if self.nodes > MAX_NODES or self.bytes > MAX_BYTES:
            raise _TooLargeError

    def convert(self, value: Any, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise _TooLargeError
        self.spend(8)
        kind = type(value)
        if value is None or kind is bool or kind is float or kind is complex:
            return value
        if kind is int or (issubclass(kind, int) and kind is not bool):
            self.spend(int.bit_length(value) // 8)
            return int.__index__(value)
        if issubclass(kind, str):
            text = str.__str__(value) if kind is not str else value
            if len(text) > MAX_TEXT:
                raise _TooLargeError
            self.spend(CHARACTER * len(text))
            return text if type(text) is str else "".join(str.__iter__(text))
        if issubclass(kind, np.generic):
            return self.scalar(value, depth)
        if issubclass(kind, float):
            return float.__float__(value)
        if issubclass(kind, np.ndarray):
            return self.array(np.ndarray.view(value, np.ndarray), depth)
        if issubclass(kind, list):
            return [self.convert(item, depth + 1) for item in list.__iter__(value)]
        if issubclass(kind, tuple):
            return tuple(self.convert(item, depth + 1) for item in tuple.__iter__(value))
        if issubclass(kind, dict):
            if any(type(key) is not str for key in dict.keys(value)):
                return Opaque(_name_of_type(value))
            self.spend(CHARACTER * sum(map(len, dict.keys(value))))
            return {key: self.convert(item, depth + 1) for key, item in dict.items(value)}
        if kind is range or kind is collections.deque or kind is array.array:
            return [self.convert(item, depth + 1) for item in value]
        if kind is Handle or kind is Opaque:
            return value
        return self.other(value, kind, depth)

    def scalar(self, value: Any, depth: int) -> Any:
        if value.dtype.kind in "biufcU":
            plain = value.item()
            return float(plain) if isinstance(plain, np.floating) else plain  # longdouble stays numpy's own
        return Opaque(_name_of_type(value))

    def array(self, value: NDArray[Any], depth: int) -> Any:
        if value.ndim > 1:  # whoever reads it may take it for a list of rows, and those can be many without any bytes
            self.spend(ROW * math.prod(side or 1 for side in value.shape))
        if value.dtype.kind == "O":
            flat = [self.convert(item, depth + 1) for item in value.ravel().tolist()]
            result = np.empty(len(flat), dtype=object)
            for position, item in enumerate(flat):
                result[position] = item
            return result.reshape(value.shape)
        if value.dtype.kind not in "biufcU":
            return Opaque(f"ndarray of {value.dtype.kind}")
        self.spend(value.nbytes if value.dtype.kind != "U" else CHARACTER * value.nbytes // 4)
        dtype = value.dtype.newbyteorder("=")
        if dtype.kind in "fc" and dtype.itemsize not in (2, 4, 8, 16 if dtype.kind == "c" else 8):
            dtype = np.dtype(float if dtype.kind == "f" else complex)
        return np.array(value, dtype=dtype, order="C", copy=True)

    def other(self, value: Any, kind: type, depth: int) -> Any:
        torch = sys.modules.get("torch")
        if torch is not None and issubclass(kind, torch.Tensor):
            return self.array(_as_array(value), depth)
        if kind.__module__.partition(".")[0] == "pandas" and hasattr(kind, "to_numpy"):
            return self.array(np.asarray(value.to_numpy()), depth)
        if is_dataclass(kind) and hasattr(kind, "__iter__"):
            return tuple(self.convert(item, depth + 1) for item in value)
        if self.keep is not None and (_has_call(value) or hasattr(kind, "forward") or hasattr(kind, "parameters")):
            return self.keep(value)
        return Opaque(_name_of_type(value))


class _Capped(io.StringIO):
    """Keeps the beginning of what is written to it."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._left = limit

    def write(self, text: str) -> int:
        if self._left > 0:
            self._left -= super().write(text[: self._left])
        return len(text)

    def text(self) -> str:
        try:
            return self.getvalue()[:MAX_PRINTED]
        except ValueError:  # the student closed it
            return ""


def _is_atom(value: Any) -> bool:
    return value is None or type(value) in (bool, int, float, complex, str)


def _has_call(value: Any) -> bool:
    return any("__call__" in vars(base) for base in type.__dict__["__mro__"].__get__(type(value)))


def _name_of_type(value: Any) -> str:
    name = type.__dict__["__name__"].__get__(type(value))
    return name[:100] if type(name) is str else "object"


def _kinds(value: Any) -> list[str]:
    if issubclass(type(value), tuple) and tuple.__len__(value) <= 32:
        return [_name_of_type(item) for item in tuple.__iter__(value)]
    if issubclass(type(value), list) and list.__len__(value) <= 32:
        return [_name_of_type(item) for item in list.__iter__(value)]
    return []


def _text_of(value: Any) -> str:
    try:
        text = str(value)
        return text[:MAX_MESSAGE] if type(text) is str else ""
    except KeyboardInterrupt:
        raise
    except BaseException:
        return ""


def _as_array(value: Any) -> NDArray[Any]:
    torch = sys.modules.get("torch")
    if torch is not None and issubclass(type(value), torch.Tensor):
        value = value.detach().cpu()
        if value.dtype == torch.bfloat16:
            value = value.float()
        return np.array(value.numpy())
    return np.array(value)


def _torch_function(name: str) -> Any:
    import torch

    table: dict[str, Any] = {
        "sigmoid": torch.sigmoid,
        "tanh": torch.tanh,
        "relu": torch.relu,
        "identity": _identity,
        "softplus": torch.nn.functional.softplus,
        "sin": torch.sin,
        "square": torch.square,
    }
    return table[name]


def _identity(x: Any) -> Any:
    return x


def _torch_network(network: Network) -> Any:
    import torch

    weight = torch.tensor(np.asarray(network.weight), dtype=torch.float32)
    layer = torch.nn.Linear(weight.shape[1], weight.shape[0])
    with torch.no_grad():
        layer.weight.copy_(weight)
        layer.bias.copy_(torch.tensor(np.asarray(network.bias), dtype=torch.float32))
    last = {
        "sigmoid": torch.nn.Sigmoid(),
        "softmax": torch.nn.Softmax(dim=1),
        "identity": torch.nn.Identity(),
    }[network.activation]
    return torch.nn.Sequential(layer, last)
