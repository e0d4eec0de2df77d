"""The lists of checks for instructors are those of the code."""

import pytest
from draw_checks import PAGES, page


@pytest.mark.parametrize("lang", PAGES)
def test_the_list_of_checks_is_up_to_date(lang):
    """`scripts/draw_checks.py` writes it."""
    assert PAGES[lang].read_text(encoding="utf-8") == page(lang)
