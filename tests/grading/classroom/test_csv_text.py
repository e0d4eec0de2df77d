"""A table read as the csv module reads it, and written where it changes alone."""

import csv
import io

from hypothesis import given, settings
from hypothesis import strategies as st

from practica.grading.classroom.csv_text import rewritten, table

texts = st.text(st.sampled_from('ab1 ,;\t"\\\r\né'), max_size=60)
delimiters = st.sampled_from(",;\t")


@settings(derandomize=True, deadline=None, max_examples=1000)
@given(texts, delimiters)
def test_a_table_is_what_csv_reads(text, delimiter):
    """With quotes in odd places, backslashes before them, rows that are blank, and line ends of any
    system.
    """
    expected = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    assert [[cell.value for cell in row] for row in table(text, delimiter)] == expected


@settings(derandomize=True, deadline=None)
@given(texts, delimiters)
def test_without_changes_the_text_is_the_same(text, delimiter):
    """And every cell knows its own place in it."""
    assert rewritten(text, delimiter, {}) == text
    for row in table(text, delimiter):
        for cell in row:
            raw = text[cell.begin : cell.end]
            assert cell.quoted == raw.startswith('"')
            assert cell.quoted or raw == cell.value


@settings(derandomize=True, deadline=None)
@given(texts, delimiters, st.lists(texts, min_size=1), st.data())
def test_a_new_value_is_read_back_and_its_neighbours_stay(text, delimiter, values, data):
    """Whatever is in it; and what is between the cells that change is the same text."""
    rows = table(text, delimiter)
    cells = [cell for row in rows for cell in row if cell.end < len(text) or not cell.quoted]
    if not cells:
        return
    chosen = data.draw(st.lists(st.sampled_from(cells), unique=True, max_size=len(values)))
    changes = dict(zip(chosen, values, strict=False))
    written = table(rewritten(text, delimiter, changes), delimiter)
    expected = [[changes.get(cell, cell.value) for cell in row] for row in rows]
    assert _filled([[cell.value for cell in row] for row in written]) == _filled(expected)


def _filled(rows):
    """Return the rows with something in them: a row of one empty cell is a blank line."""
    return [row for row in rows if row not in ([], [""])]
