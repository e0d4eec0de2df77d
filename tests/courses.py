"""Courses of an author's own, as files, and the commands that mark with them."""

import os
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path


def write_files(contents: Mapping[str, str], folder: Path) -> None:
    """Write files, with the folders that they need."""
    for name, content in contents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")


def course(
    signatures: Mapping[str, Sequence[str]], checks: str, sentences: Mapping[str, str]
) -> dict[str, str]:
    """Return the files of a course: two points for each function, and the signatures of its row by
    its header in the template.
    """
    rubric = 'name = "A course"\n'
    for header, allowed in signatures.items():
        overloads = ", ".join(f'{{ signature = "{each}" }}' for each in allowed)
        rubric += f"[functions.{header.partition('(')[0]}]\npoints = 2\noverloads = [{overloads}]\n"
    said = [f'"{id}" = "{sentence}"\n' for id, sentence in sentences.items()]
    return {
        "course/rubric.toml": rubric,
        "course/checks/course.py": checks,
        "course/messages.en.toml": "[checks]\n" + "".join(said),
        "course/template.py": "\n\n".join(f"def {header}: ...\n" for header in signatures),
        "course/statement.md": "# A course\n",
    }


def run(command: str, folder: Path) -> subprocess.CompletedProcess:
    """Run a command as a person does, with what it keeps in the folder."""
    kept = {name: str(folder / "kept" / name) for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME")}
    places = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        shlex.split(command),
        cwd=folder,
        env={**os.environ, **kept, "PATH": places, "COLUMNS": "160"},
        capture_output=True,
        text=True,
        check=False,
    )
