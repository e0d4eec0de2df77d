#!/usr/bin/env python
"""Draw the picture of README.md, or the four of the tour.

    scripts/draw_pages.py            the page of a student of the sample class, for README
    scripts/draw_pages.py FOLDER     the pictures of the tour, for `scripts/build_docs`

It marks submissions, and needs the sandbox and the browser of `scripts/setup-sandbox` and
`scripts/setup-browser`.
"""

import argparse
import io
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

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "scripts/pictures/student.png"
STUDENT = "Carla Seoane"
SIZE: ViewportSize = {"width": 900, "height": 640}
MODELS = ["ann:16,8", "svm:C=1,kernel=rbf", "knn:5"]


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
    """Draw one picture, or those of the tour."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "folder", nargs="?", type=Path, metavar="FOLDER", help="where the pictures of the tour go"
    )
    folder = parser.parse_args().folder
    if folder:
        draw_pictures(folder)
    else:
        with tempfile.TemporaryDirectory() as name:
            draw_pictures(Path(name))
            shutil.copyfile(Path(name) / "student.png", PICTURE)


if __name__ == "__main__":
    main()
