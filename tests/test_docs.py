"""The API reference that `scripts/build_docs` makes of the docstrings."""

import subprocess
from pathlib import Path

import pytest

import practica
from practica import evaluation

ROOT = Path(__file__).parent.parent


@pytest.mark.slow
def test_every_public_name_has_its_place_in_the_reference(tmp_path):
    """Those that are imported when they are first used, too."""
    done = subprocess.run([ROOT / "scripts" / "build_docs", tmp_path], check=True, capture_output=True, text=True)
    assert done.stderr == ""
    for package, page in ((practica, "practica.html"), (evaluation, "practica/evaluation.html")):
        text = (tmp_path / page).read_text(encoding="utf-8")
        assert [name for name in package.__all__ if f'id="{name}"' not in text] == []
