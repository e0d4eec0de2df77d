"""Evaluate a neural network honestly: the practice in Python.

The table of contents stands beside this file, in `__init__.pyi`: every public name and the module
it lives in. A module is loaded when one of its names is first used, so that `import practica` costs
nothing and only what trains networks waits for torch.
"""

from typing import Any

import lazy_loader

__version__ = "0.3.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def load_ipython_extension(shell: Any) -> None:
    """Give a notebook `%%check`: what `%load_ext practica` calls."""
    from practica.grading.student.notebook_cells import CheckMagic

    shell.register_magics(CheckMagic)
