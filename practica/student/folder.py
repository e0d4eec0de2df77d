"""The folder in which a student works: the template under its final name, the statement, the notebook, a page to begin.

The files are those of `enunciado/` in the source tree; a wheel has a copy of them in `material/`.
"""

from __future__ import annotations

import os
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from practica.report.messages import say

__all__ = ["FILES", "STATEMENTS", "make_folder", "material"]

FILES = {  # by language, where it comes from: how it is called there
    "es": {
        "carpeta.md": "README.md",
        "plantilla.py": "solucion.py",
        "enunciado.md": "enunciado.md",
        "dibujos/parada.svg": "dibujos/parada.svg",
        "dibujos/vueltas.svg": "dibujos/vueltas.svg",
        "cuaderno.ipynb": "cuaderno.ipynb",
    },
    "en": {
        "folder.en.md": "README.md",
        "template.py": "solucion.py",
        "statement.en.md": "statement.md",
        "drawings/rounds.svg": "drawings/rounds.svg",
        "drawings/stopping.svg": "drawings/stopping.svg",
        "notebook.ipynb": "notebook.ipynb",
    },
}
STATEMENTS = {"es": "enunciado.html", "en": "statement.html"}  # written as a page too, from the file of that name


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
        Language of the files, and of what is refused.

    Returns
    -------
    files : list of paths
        Without the drawings, which are for the statement.

    Raises
    ------
    ValueError
        If the folder has something in it, or cannot be made.
    """
    from practica.student.page import statement_page

    try:
        os.makedirs(folder, exist_ok=True)
        if inside := sorted(path.name for path in folder.iterdir()):
            raise ValueError(say("new.not_empty", {"folder": folder, "name": inside[0]}, lang))
        contents = {name: (material() / source).read_bytes() for source, name in FILES[lang].items()}
        page = Path(STATEMENTS[lang])
        text = contents[str(page.with_suffix(".md"))].decode()
        contents[str(page)] = statement_page(text, lambda name: contents[name].decode(), lang=lang).encode()
        for name, content in contents.items():
            (folder / name).parent.mkdir(exist_ok=True)
            with open(folder / name, "xb") as file:
                file.write(content)
    except FileExistsError as error:
        raise ValueError(say("new.exists", {"path": error.filename}, lang)) from error
    except OSError as error:
        raise ValueError(say("new.failed", {"folder": folder, "reason": error.strerror or error}, lang)) from error
    return [folder / name for name in contents if "/" not in name]
