#!/usr/bin/env python
"""Draw the picture of README.md, or the documents as pages for a browser, with a tour in pictures.

    scripts/draw_pages.py            the page of a student of the sample class, for README
    scripts/draw_pages.py FOLDER     every document, an index and the tour, for `scripts/build_docs`

It marks submissions, and needs the sandbox and the browser of `scripts/setup-sandbox` and
`scripts/setup-browser`.
"""

import argparse
import html
import io
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import _installed  # noqa: F401 - it says what to do first
from playwright.sync_api import ViewportSize, sync_playwright
from rich.console import Console
from rich.text import Text
from sample_class import sample_class

from practica.grading.student.page import statement_page

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "scripts/pictures/student.png"
STUDENT = "Carla Seoane"
SIZE: ViewportSize = {"width": 900, "height": 640}
MODELS = ["ann:16,8", "svm:C=1,kernel=rbf", "knn:5"]
TOUR = """# practica in four pictures

**A student checks a file.** One sentence, the smallest counterexample, and a line that repeats it.

![practica check](tour/check.png)

**The student's page**, which comes with the mark.

![the page of a student](tour/student.png)

**The class.** What needs the instructor is first; then come the marks, the students \
and the mistakes of all.

![the page of a class](tour/class.png)

**A comparison of models**, each with the same folds.

![the page of practica compare](tour/compare.png)
"""
INDEX = """# practica

Evaluate a neural network honestly, and mark those who learn to. [A tour in four pictures](tour.md);
[the repository's first page](README.md); [what changed](CHANGELOG.md).

| you are | begin with | later |
|---|---|---|
| a student | [el enunciado](enunciado/enunciado.md) | \
[the same in English](enunciado/statement.en.md) |
| an instructor | [el primer día](enunciado/profesorado/inicio.md) | \
[la guía](enunciado/profesorado/guia.md) |
| in English | [quick start](enunciado/profesorado/quickstart.en.md) | \
[guide](enunciado/profesorado/guide.en.md) |
| a researcher | [guide to evaluation](practica/evaluation/README.md) | \
[the API](api/practica.html) |
| a developer | [how the package is made](practica/README.md) | \
[scripts and figures](scripts/README.md) |
"""


def write_pages(folder: Path) -> None:
    """Write each document as a page, where it is in the repository, and copy the files that these
    link to.
    """
    written = subprocess.run(
        ["git", "ls-files", "*.md"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    ).stdout.split()
    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in written}
    for name, text in {**texts, "tour.md": TOUR, "index.md": INDEX}.items():
        page = folder / Path(name).with_suffix(".html")
        page.parent.mkdir(parents=True, exist_ok=True)
        for target in re.findall(r"\]\((?!\w+:)([^)#]+)[^)]*\)", text):
            if (ROOT / name).parent.joinpath(target).is_file() and not target.endswith(".md"):
                copy = page.parent / target
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile((ROOT / name).parent / target, copy)
        spanish = name.startswith("enunciado") and ".en" not in name
        page.write_text(
            statement_page(text, _image, lang="es" if spanish else "en"), encoding="utf-8"
        )


def _image(name: str) -> str:
    return (
        f'<img src="{html.escape(name)}" alt="{html.escape(Path(name).stem)}" style="max-width:'
        ' 100%">'
    )


def terminal(command: list[str], folder: Path) -> str:
    """Return what a command prints, in its colours, as a page."""
    done = subprocess.run(
        [sys.executable, "-m", "practica", *command],
        cwd=folder,
        env={
            "PATH": "/usr/bin:/bin",
            "HOME": str(folder),
            "FORCE_COLOR": "1",
            "TTY_INTERACTIVE": "0",
            "COLUMNS": "90",
        },
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )
    console = Console(record=True, file=io.StringIO(), width=90)
    console.print(Text.from_ansi(f"$ practica {' '.join(command)}\n{done.stdout}"))
    return console.export_html(inline_styles=True)


def draw_pictures(folder: Path) -> None:
    """Run what the tour shows, and photograph it."""
    browser = next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome")))
    )
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        work = Path(name)
        for student, source in sample_class().items():
            (work / f"{student}.py").write_text(source, encoding="utf-8")
        shutil.copyfile(work / f"{STUDENT}.py", work / "solucion.py")
        (work / "check.html").write_text(
            terminal(["check", "solucion.py", "--lang", "en"], work), encoding="utf-8"
        )
        practica = [sys.executable, "-m", "practica"]
        files = [str(work / f"{student}.py") for student in sample_class()]
        marked = [*practica, "grade", *files, "--out", name, "--seed", "1", "--lang", "en"]
        # it ends with 1: a function is not right
        subprocess.run(marked, check=False, stdout=subprocess.DEVNULL)
        options = [part for model in MODELS for part in ("--model", model)]
        compare = [*practica, "compare", "iris", *options, "--executions", "5", "--seed", "1"]
        subprocess.run(
            [*compare, "--html", str(work / "compare.html")], check=True, stdout=subprocess.DEVNULL
        )
        (student_page,) = (
            page
            for page in work.glob("feedback/*.html")
            if STUDENT in page.read_text(encoding="utf-8")
        )
        pages = {
            "check": work / "check.html",
            "student": student_page,
            "class": work / "index.html",
        }
        window = playwright.chromium.launch(executable_path=browser).new_page(viewport=SIZE)
        for title, page in {**pages, "compare": work / "compare.html"}.items():
            window.goto(page.as_uri())
            window.screenshot(path=folder / f"{title}.png")


def main() -> None:
    """Draw one picture, or write all pages."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "folder", nargs="?", type=Path, metavar="FOLDER", help="where the documents go"
    )
    parser.add_argument(
        "--no-pictures", action="store_true", help="leave the pictures of the tour out"
    )
    options = parser.parse_args()
    if options.folder:
        write_pages(options.folder)
    with tempfile.TemporaryDirectory() as name:
        folder = options.folder / "tour" if options.folder else Path(name)
        if not options.no_pictures:
            draw_pictures(folder)
        if not options.folder:
            shutil.copyfile(folder / "student.png", PICTURE)


if __name__ == "__main__":
    main()
