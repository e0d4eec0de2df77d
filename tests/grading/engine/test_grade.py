"""What the outcomes of a row say together."""

import pytest

from practica.grading.engine.grade import Finding
from practica.grading.engine.runner import Outcome

RIGHT, HELPED = Outcome("a", "pass"), Outcome("b", "pass", helped=True)
WRONG, SILENT, BROKEN = Outcome("c", "fail"), Outcome("d", "not_run"), Outcome("e", "error", "e")


@pytest.mark.parametrize(
    ("outcomes", "passes", "lacks", "fails"),
    [
        ([RIGHT], True, False, False),
        ([RIGHT, HELPED], False, False, False),
        ([RIGHT, SILENT], False, True, False),
        ([RIGHT, WRONG], False, True, True),
        ([RIGHT, BROKEN], False, True, False),
    ],
)
def test_a_row_that_needs_help_neither_passes_nor_lacks_anything(outcomes, passes, lacks, fails):
    """Help proves the function right, and not what it returns in this file."""
    finding = Finding(tuple(outcomes))
    assert (finding.passes, finding.lacks, finding.fails) == (passes, lacks, fails)
    assert finding.errors == ["e: e"] * (BROKEN in outcomes)
