"""Courses of an author's own, as files, and the commands that mark with them."""

import os
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path


def write_files(contents: Mapping[str, str], folder: Path) -> None:
    """Write files, with the folders that they need."""
    for name, content in contents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")


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
