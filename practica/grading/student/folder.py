"""The folder in which a student works: the template under its final name, the statement, the
notebook, a page to begin.

The files of the practice are those of `enunciado/` in the source tree; a wheel has a copy of them
in `material/`. Another assignment has its template and its statement in its own folder.
"""

from __future__ import annotations

import ast
import base64
import functools
import html
import os
import re
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from practica.grading.engine.current import AssignmentError, assignment, chosen
from practica.grading.report.messages import say
from practica.grading.student.anchors import section_of
from practica.grading.student.language import SOLUTION, STATEMENTS

FILES = {  # by language, where it comes from: how it is called there
    "es": {
        "carpeta.md": "README.md",
        "plantilla.py": "solucion.py",
        "enunciado.md": "enunciado.md",
        "instalacion.md": "instalacion.md",
        "dibujos/fuga.svg": "dibujos/fuga.svg",
        "dibujos/matriz.svg": "dibujos/matriz.svg",
        "dibujos/parada.svg": "dibujos/parada.svg",
        "dibujos/vueltas.svg": "dibujos/vueltas.svg",
        "cuaderno.ipynb": "cuaderno.ipynb",
        "tasks.json": ".vscode/tasks.json",
    },
    "en": {
        "folder.en.md": "README.md",
        "template.py": "solucion.py",
        "statement.en.md": "statement.md",
        "installation.md": "installation.md",
        "drawings/leak.svg": "drawings/leak.svg",
        "drawings/matrix.svg": "drawings/matrix.svg",
        "drawings/rounds.svg": "drawings/rounds.svg",
        "drawings/stopping.svg": "drawings/stopping.svg",
        "notebook.ipynb": "notebook.ipynb",
        "tasks.json": ".vscode/tasks.json",
    },
}
TASKS = "tasks.json"  # for VS Code: the checks as tasks, whose problems stand at their lines
DRAWING = re.compile(r"!\[[^\]]*\]\(([^)\s]+)")  # a picture in Markdown
CHANGES = {"es": "cambios.md", "en": "changes.md"}  # pages of an edition of the practice
PAGES = {  # written from the files of those names, where they are there
    "es": (STATEMENTS["es"], "instalacion.html"),
    "en": (STATEMENTS["en"], "installation.html"),
}


def material() -> Traversable:
    """Return the folder with the files that students get."""
    packaged = resources.files("practica.grading.student") / "material"
    return packaged if packaged.is_dir() else Path(__file__).parents[3] / "enunciado"


def template_of(lang: str = "es") -> bytes:
    """Return the contents of the template, the file that students fill in."""
    own = chosen()
    if own is not None and not assignment().extends_practice:
        return _own(own, "template", lang, ".py").read_bytes()
    (source,) = (source for source, name in FILES[lang].items() if name == SOLUTION)
    content = (material() / source).read_bytes()
    return (
        content
        if own is None
        else _with_functions(content.decode(), _own(own, "functions", lang, ".txt")).encode()
    )


def _with_functions(text: str, changed: Path) -> str:
    """Return the text of a file with the functions that the file `changed` defines in place of its
    own.
    """
    own = changed.read_text(encoding="utf-8")
    there = {node.name: node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}
    lines = text.splitlines()
    for node in reversed(ast.parse(own).body):
        assert isinstance(node, ast.FunctionDef), changed
        old = there[node.name]
        lines[old.lineno - 1 : old.end_lineno] = own.splitlines()[node.lineno - 1 : node.end_lineno]
    return "\n".join([*lines, ""])


def _contents(lang: str) -> dict[str, bytes]:
    """Return, by name, the contents of the files that a student's folder gets, without the HTML
    pages that are made from some of them.
    """
    own, practice = chosen(), FILES[lang].items()
    if own is None:
        return {name: (material() / source).read_bytes() for source, name in practice}
    # its statement, and a page with the changes; the notebook has the old calls
    if assignment().extends_practice:
        kept = {
            name: material() / source
            for source, name in practice
            if not name.endswith((".ipynb", "README.md"))
        }
        return {
            **{name: source.read_bytes() for name, source in kept.items()},
            SOLUTION: template_of(lang),
            CHANGES[lang]: _own(own, "changes", lang, ".md").read_bytes(),
        }
    statement = _own(own, "statement", lang, ".md").read_bytes()
    return {
        SOLUTION: template_of(lang),
        f".vscode/{TASKS}": (material() / TASKS).read_bytes(),
        str(Path(STATEMENTS[lang]).with_suffix(".md")): statement,
        **{name: (own / name).read_bytes() for name in drawings_in(statement.decode())},
    }


def drawings_in(statement: str) -> list[str]:
    """Return the pictures that lie beside a statement.

    >>> drawings_in("![a](pictures/a.svg) ![b](https://example.org/b.png)")
    ['pictures/a.svg']
    """
    return sorted(
        {name for name in DRAWING.findall(statement) if not re.match(r"\w+:|/|\.\.", name)}
    )


def section_page(function: str, lang: str = "es") -> str:
    """Return the page, and the anchor in it, of the section that explains a function; empty if no
    section does.
    """
    page = STATEMENTS[lang]
    try:
        statement = _contents(lang)[str(Path(page).with_suffix(".md"))]
    except AssignmentError:  # a course can be checked without its statement
        return ""
    section = section_of(function, statement.decode())
    return f"{page}#{section}" if section else ""


def _own(folder: Path, name: str, lang: str, ending: str) -> Path:
    """Return the path of a file of an assignment: the one in a language if there is one, or else
    the one for all languages.
    """
    files = [folder / f"{name}.{lang}{ending}", folder / f"{name}{ending}"]
    for file in files:
        if file.is_file():
            return file
    raise AssignmentError(f"{folder} has neither {files[0].name} nor {files[1].name}")


def _drawn(name: str, contents: dict[str, bytes]) -> str:
    """Return a picture as HTML, an SVG unchanged and any other as the data of an `<img>`;
    `contents` are the files by name.
    """
    if name.lower().endswith(".svg") and name in contents:
        return contents[name].decode()
    kind = "jpeg" if name.lower().endswith((".jpg", ".jpeg")) else name.rpartition(".")[2].lower()
    data = (
        f"data:image/{kind};base64,{base64.b64encode(contents[name]).decode()}"
        if name in contents
        else name
    )
    return f'<img src="{html.escape(data)}" alt="">'


def make_folder(folder: Path, *, lang: str = "es") -> list[Path]:
    """Create a student's folder and return its files; what exists is left as it is.

    `folder`: it may exist if it is empty.
    `lang`: the language of the files, and of what is refused.
    Returned `files`: without the drawings, which are for the statement.
    Raises `ValueError` if the folder has something in it, or cannot be made.
    """
    from practica.grading.student.statement_page import statement_page

    try:
        os.makedirs(folder, exist_ok=True)
        if inside := sorted(path.name for path in folder.iterdir()):
            raise ValueError(say("new.not_empty", {"folder": folder, "name": inside[0]}, lang))
        contents = _contents(lang)
        for page in PAGES[lang]:
            if text := contents.get(str(Path(page).with_suffix(".md"))):
                drawing = functools.partial(_drawn, contents=contents)
                contents[page] = statement_page(text.decode(), drawing, lang=lang).encode()
        for name, content in contents.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            with open(folder / name, "xb") as file:
                file.write(content)
    except FileExistsError as error:
        raise ValueError(say("new.exists", {"path": error.filename}, lang)) from error
    except OSError as error:
        raise ValueError(
            say("new.failed", {"folder": folder, "reason": error.strerror or error}, lang)
        ) from error
    return [folder / name for name in contents if "/" not in name]
