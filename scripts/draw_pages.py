#!/usr/bin/env python
"""Draw the picture of README.md: the page of a student of the sample class, as Chromium shows it.

    scripts/draw_pages.py

It marks one submission, and needs the sandbox and the browser of `scripts/setup-sandbox` and `scripts/setup-browser`.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import _installed  # noqa: F401 - it says what to do first
from playwright.sync_api import ViewportSize, sync_playwright
from sample_class import sample_class

PICTURE = Path(__file__).resolve().parent / "pictures" / "student.png"
STUDENT = "Carla Seoane"
SIZE: ViewportSize = {"width": 900, "height": 640}


def main() -> None:
    """Mark the file of a student, and photograph the page."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder, f"{STUDENT}.py")
        file.write_text(sample_class()[STUDENT], encoding="utf-8")
        command = [sys.executable, "-m", "practica", "grade", str(file), "--out", folder, "--seed", "1", "--lang", "en"]
        subprocess.run(command, check=False, stdout=subprocess.DEVNULL)  # it ends with 1: a function is not right
        (written,) = Path(folder, "feedback").glob("*.html")
        window = playwright.chromium.launch(executable_path=browser).new_page(viewport=SIZE)
        window.goto(written.as_uri())
        window.screenshot(path=PICTURE)


if __name__ == "__main__":
    main()
