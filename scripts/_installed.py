"""Import this before any package: it ends a script that runs without the environment that
`scripts/setup` makes, or without a package that `scripts/setup dev` adds.
"""

import importlib.util
import sys
from pathlib import Path
from types import TracebackType


def name_missing(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Say how to install a package that is missing; print the traceback of any other error."""
    if isinstance(error, ModuleNotFoundError):
        print(f"{error.name} is not installed: scripts/setup dev installs it", file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)


sys.excepthook = name_missing

if importlib.util.find_spec("practica") is None:
    here = Path(sys.argv[0])
    sys.exit(
        f"{here.name} needs the environment of scripts/setup: run that first, then .venv/bin/python"
        f" {here}"
    )
