"""Stand-ins for modules that are not installed here, and that the student's functions may never
need.

`import seaborn as sns` at the top of a file is most often for its experiments. The import gives a
stand-in; while the file is imported, whatever is taken from it or called is a stand-in too:
`sns.set_theme()`, `drive.mount("/content")`. Once the file has been imported, a call of one raises
the ModuleNotFoundError that the import would have raised.
"""

from __future__ import annotations

import importlib.machinery
import sys
from collections.abc import Collection

_importing = [True]


class Absent:
    """A stand-in for a module that is not installed, or for a name that a file imports from it.

    `name`: the module's full name.
    """

    def __init__(self, name: str) -> None:
        self._absent = name
        self.__spec__ = importlib.machinery.ModuleSpec(name, None, is_package=True)
        self.__path__: list[str] = []  # or nothing below it would be looked for

    def __repr__(self) -> str:
        return f"<{self._absent}, which is not installed>"

    def __getattr__(self, name: str) -> object:
        if name == "__all__":  # `from seaborn import *`: what the file needs of it cannot be known
            raise self._error()
        if name.startswith("__") and name != "__version__":
            raise AttributeError(name)
        return Absent(self._absent)

    def _error(self) -> ModuleNotFoundError:
        return ModuleNotFoundError(f"No module named {self._absent!r}", name=self._absent)

    def _taken(self, *_: object, **__: object) -> object:
        if not _importing:
            raise self._error()
        return Absent(self._absent)

    def _made(self, *_: object, **__: object) -> None:
        self._taken()

    __call__ = __getitem__ = _taken

    def __setitem__(self, key: object, value: object) -> None:
        self._taken()

    def __instancecheck__(self, instance: object) -> bool:
        return False

    def __mro_entries__(self, bases: object) -> tuple[type, ...]:
        return (type("Absent", (), {"__init__": self._made}),)


def stand_in(error: ModuleNotFoundError, named: Collection[str]) -> str | None:
    """Put a stand-in in the place of the module that an import did not find.

    `named`: the modules that the file itself names there: a library that lacks another one is not
        helped.
    Returned `name`: the name under which it has to be taken out of `sys.modules` again, where
        libraries look for what is installed; None if there is no stand-in. This package is hidden
        where files are marked, and not absent.
    """
    name: object = error.name
    if (
        type(name) is not str
        or name not in named
        or name in sys.modules
        or name.partition(".")[0] == "practica"
    ):
        return None
    module = sys.modules[name] = Absent(name)  # type: ignore[assignment]
    parent, _, child = name.rpartition(".")
    if parent in sys.modules:
        setattr(sys.modules[parent], child, module)
    return name


def import_is_over() -> None:
    """Let stand-ins that are called raise the error of their import from now on."""
    _importing.clear()
