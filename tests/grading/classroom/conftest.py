"""A worksheet out of a text."""

import pytest
from worksheets import ENCODINGS

from practica.grading.classroom.worksheet import read_worksheet


@pytest.fixture
def sheet(tmp_path):
    """Return a function that reads a worksheet of this text."""

    def of(text, encoding="utf-8-sig"):
        mark, codec = ENCODINGS[encoding]
        (tmp_path / "notas.csv").write_bytes(mark + text.encode(codec))
        return read_worksheet(tmp_path / "notas.csv")

    return of
