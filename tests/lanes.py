"""The lanes of `scripts/test`: cases of which some run always, and all of them with `--all`."""

import pytest


def one_in(share, cases):
    """Return the cases of a parameter; one in so many is slow, and the others are thorough."""
    return [
        pytest.param(case, marks=pytest.mark.thorough if number % share else pytest.mark.slow)
        for number, case in enumerate(cases)
    ]
