"""The large libraries, without what they import for others.

Importing scikit-learn imports pandas, which takes a third of the time, to have its name at hand;
`import_library` hides it for so long. Later imports of pandas get it.

Every optimiser of torch imports `torch._dynamo` when it is made, which takes as much processor as
importing torch does and much longer than all trainings of the checks: to say of some of its methods
that they are not to be compiled, and that its steps are where a compiled program would be cut. If
nothing is compiled, both say nothing. So `later` puts a module in its place that says nothing too,
and that becomes the real one as soon as anything else is requested of it: `torch.compile`, a file
that uses it by name, or torch itself.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import types
from collections.abc import Callable, Iterable
from typing import Any

# wherever a file is marked, beside Python's own
AVAILABLE = ("numpy", "torch", "sklearn", "scipy", "pandas", "joblib")
LIBRARIES = ("torch", "sklearn")  # that a file of the practice imports
LIBRARY_FOLDERS = tuple(os.path.join(path, "") for path in sys.path if os.path.isabs(path))
_HIDDEN = "pandas"
_NAME = "torch._dynamo"
_CALLER = "torch._compile"  # where torch itself says what is not to be compiled


def distribution(package: str) -> str:
    """Return the name with which pip installs a package of `AVAILABLE`."""
    return "scikit-learn" if package == "sklearn" else package


def is_librarys(file: str) -> bool:
    """Return whether code that says it is from this file is a library's, and not brought or made by
    a student's file.
    """
    return file.startswith((*LIBRARY_FOLDERS, "<frozen ", "<__array"))


def import_library(name: str) -> None:
    """Import a module, scikit-learn without pandas; raise whatever its import raises."""
    is_hidden = name.startswith("sklearn") and _HIDDEN not in sys.modules
    if is_hidden:
        sys.modules[_HIDDEN] = None  # type: ignore[assignment]  # its import fails for the time being
    try:
        importlib.import_module(name)
    finally:
        if is_hidden:
            del sys.modules[_HIDDEN]


def import_libraries(names: Iterable[str]) -> dict[str, str]:
    """Import modules, and return the error of each that cannot be imported."""
    failed = {}
    for name in names:
        try:
            import_library(name)
        except Exception as error:
            failed[name] = f"{type(error).__name__}: {error}"[:500]
    return failed


def later() -> None:
    """Replace torch's compiler by a stand-in until something needs it.

    Without torch, or with the compiler loaded already, nothing happens.
    """
    torch = sys.modules.get("torch")
    if torch is not None and _NAME not in sys.modules:
        sys.modules[_NAME] = torch._dynamo = _LaterModule(_NAME)  # type: ignore[attr-defined]


class _LaterModule(types.ModuleType):
    """A stand-in for torch's compiler, which becomes the real one unless only optimisers use it."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        spared = []

        def disable(function: Callable[..., object], *args: object, **kwargs: object) -> object:
            if sys._getframe(1).f_globals.get("__name__") != _CALLER:
                return self._real().disable(function, *args, **kwargs)
            spared.append(function)
            return function

        self.graph_break = lambda *_, **__: None
        self.disable, self._spared = disable, spared

    def __getattr__(self, name: str) -> object:
        # code that looks through all modules reads these
        if name.startswith("__") and name != "__path__":
            raise AttributeError(name)
        return getattr(self._real(), name)

    def _real(self) -> Any:
        """Import torch's compiler in place of the stand-in, repeat to it what torch had reported
        before, and return it.
        """
        if sys.modules.get(_NAME) is self:
            del sys.modules[_NAME]
            real = sys.modules["torch"]._dynamo = importlib.import_module(_NAME)  # type: ignore[attr-defined]
            for function in self._spared:
                with contextlib.suppress(AttributeError):
                    # where torch._compile keeps what it calls instead
                    delattr(function, "__dynamo_disable")
            del self.graph_break, self.disable  # code that has kept this one gets the real ones
            return real
        return sys.modules[_NAME]
