"""The folder in which a student works: the template under its final name, the statement, the notebook, a page to begin.

The files are those of `enunciado/` in the source tree; a wheel has a copy of them in `material/`.
"""

from __future__ import annotations

import os
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from practica.report.messages import say

__all__ = ["FILES", "make_folder", "material"]

FILES = {  # where it comes from: how it is called there
    "carpeta.md": "README.md",
    "plantilla.py": "solucion.py",
    "enunciado.md": "enunciado.md",
    "statement.en.md": "statement.en.md",
    "cuaderno.ipynb": "cuaderno.ipynb",
}


def material() -> Traversable:
    """Return the folder with the files that students get."""
    packaged = resources.files("practica.student") / "material"
    return packaged if packaged.is_dir() else Path(__file__).parents[2] / "enunciado"


def make_folder(folder: Path, *, lang: str = "es") -> list[Path]:
    """Create a student's folder and return its files; what exists is left as it is.

    Parameters
    ----------
    folder : path
        It may exist if it is empty.
    lang : "es" or "en"
        Language of what is refused.

    Returns
    -------
    files : list of paths

    Raises
    ------
    ValueError
        If the folder has something in it, or cannot be made.
    """
    try:
        os.makedirs(folder, exist_ok=True)
        if inside := sorted(path.name for path in folder.iterdir()):
            raise ValueError(say("new.not_empty", {"folder": folder, "name": inside[0]}, lang))
        made = []
        for source, name in FILES.items():
            with open(folder / name, "xb") as file:
                file.write((material() / source).read_bytes())
            made.append(folder / name)
    except FileExistsError as error:
        raise ValueError(say("new.exists", {"path": error.filename}, lang)) from error
    except OSError as error:
        raise ValueError(say("new.failed", {"folder": folder, "reason": error.strerror or error}, lang)) from error
    return made
