"""One sandbox for all the tests of a level: it is what must survive them."""

import pytest

from practica.grader.sandbox import Sandbox, probe_level


def open_sandbox(level):
    """Yield a sandbox of a level, or skip with what is missing."""
    found = probe_level(level)
    if not found.works:
        pytest.skip("; ".join(found.failures))
    with Sandbox(level) as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def sandbox():
    """Yield the best sandbox of this machine."""
    level = next((level for level in ("full", "reduced") if probe_level(level).works), None)
    yield from open_sandbox(level or "full")


@pytest.fixture(scope="session")
def full_sandbox():
    """Yield a sandbox of level full."""
    yield from open_sandbox("full")


@pytest.fixture(scope="session")
def reduced_sandbox():
    """Yield a sandbox of level reduced."""
    yield from open_sandbox("reduced")
