"""Import this before any package: it ends a script that runs without the environment that
`scripts/setup` makes.
"""

import importlib.util
import sys
from pathlib import Path

if importlib.util.find_spec("practica") is None:
    here = Path(sys.argv[0])
    sys.exit(
        f"{here.name} needs the environment of scripts/setup: run that first, then .venv/bin/python"
        f" {here}"
    )
