"""The lanes of `scripts/test`: cases of which some run always, and all with `--all` or by night."""

import pytest
from budget import NIGHT


def one_in(share, cases):
    """Return the cases of a parameter, or of several in tuples.

    One in so many is slow, the others are thorough.
    """
    return [
        pytest.param(
            *(case if type(case) is tuple else [case]),
            marks=pytest.mark.thorough if number % share else pytest.mark.slow,
        )
        for number, case in enumerate(cases)
    ]


def by_night(share, cases):
    """Return one in so many cases; all of them by night."""
    return [*cases] if NIGHT else [*cases][::share]
