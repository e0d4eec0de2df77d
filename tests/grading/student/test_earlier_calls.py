"""A function that keeps something between calls: it is said, and repeating the call says it too."""

import subprocess
import sys

import pytest
from click.testing import CliRunner

from practica.cli import main

SOURCES = {
    "veces": """
veces = []


def accuracy(outputs, targets, *, threshold=0.5):
    veces.append(len(targets))
    right = (outputs >= threshold if outputs.dtype != bool else outputs) == targets
    return float((right if right.ndim == 1 else right.all(axis=1)).mean()) / len(veces)
""",
    "accuracy.primera": """
def accuracy(outputs, targets, *, threshold=0.5):
    if not hasattr(accuracy, "primera"):
        right = (outputs >= threshold if outputs.dtype != bool else outputs) == targets
        accuracy.primera = float((right if right.ndim == 1 else right.all(axis=1)).mean())
    return accuracy.primera
""",
}


@pytest.mark.thorough
@pytest.mark.parametrize("kept", SOURCES)
@pytest.mark.parametrize(
    ("lang", "seen", "alone"),
    [
        ("es", "Lo que se ve: sola, en un programa nuevo,", "Sola, como aquí,"),
        ("en", "What can be seen: alone, in a new program,", "Alone, as here,"),
    ],
)
def test_what_a_file_keeps_between_calls_is_said(
    kept, lang, seen, alone, tmp_path, monkeypatch, own_cache
):
    """With its name; and the program that repeats the call does not just show a right result."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "solucion.py").write_text(f"import numpy as np\n{SOURCES[kept]}")
    done = CliRunner().invoke(main, ["check", "solucion.py", "accuracy", "--lang", lang])
    assert done.exit_code == 1
    output = " ".join(done.output.split())
    assert seen in output
    assert f"{kept}." in output
    example = "ejemplo.py" if lang == "es" else "example.py"
    done = subprocess.run(
        [sys.executable, example], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    said = " ".join(done.stdout.split())
    assert alone in said
    assert f"{kept}." in said
