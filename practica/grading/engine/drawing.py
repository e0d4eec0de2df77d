"""Examples drawn from the strategies of a check, through Hypothesis's interface for fuzzers.

Hypothesis's own generator also tries the constants of the modules around it. No two processes have
the same ones, and each would read the whole package for them. So the bytes from which it builds an
example come from here: the same ones for the same check and secret.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from practica.grading.engine.framework import Check
from practica.grading.engine.lazy_hypothesis import now
from practica.grading.engine.rendering import code_of_arguments

Example = dict[str, Any]
_BYTES = 8192  # for an example; the largest take some hundred
# for each example: some bytes give one that a strategy filters out, or one that was drawn before
_TRIES = 10


def draw(check: Check, count: int, secret: int | None = None) -> list[Example]:
    """Draw different examples of a check, or all that its strategies have.

    Without a secret, the simplest first.
    """
    drawn: dict[str, Example] = {}

    def kept(**example: Any) -> None:
        drawn.setdefault(", ".join(code_of_arguments([], example, short=False)), example)

    test = _prepared(check, kept)
    if secret is None:
        test()
    for buffer in _buffers(check, count, secret):
        if len(drawn) == count:
            break
        test.hypothesis.fuzz_one_input(buffer)
    return [*drawn.values()]


def searching(
    check: Check, body: Callable[..., None], count: int, secret: int | None = None
) -> Callable[[], None]:
    """Return a function that runs `body` on drawn examples of a check and shrinks the first that
    fails.
    """
    tried = 0

    def counted(**example: Any) -> None:
        nonlocal tried
        tried += 1
        body(**example)

    def run() -> None:
        search = _prepared(check, counted)
        for buffer in _buffers(check, count, secret):
            if tried == count:
                break
            try:
                search.hypothesis.fuzz_one_input(buffer)
            # in the database of the search, from which Hypothesis takes and shrinks it
            except Exception:
                search()
                raise

    return run


def _prepared(check: Check, body: Callable[..., None]) -> Any:
    from hypothesis import (
        HealthCheck,
        Phase,
        Verbosity,
        currently_in_test_context,
        given,
        seed,
        settings,
    )
    from hypothesis.database import InMemoryExampleDatabase

    prepared = settings(
        max_examples=1,  # the simplest, if there is nothing to take from the database
        database=InMemoryExampleDatabase(),
        derandomize=False,  # or there is no database
        deadline=None,
        report_multiple_bugs=False,
        print_blob=False,
        verbosity=Verbosity.quiet,
        phases=(Phase.reuse, Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    strategies = {name: now(strategy) for name, strategy in check.strategies.items()}
    # whose settings forbid another test within it; a thread is not within it
    if currently_in_test_context():
        with ThreadPoolExecutor(1) as thread:
            decorated = thread.submit(given, **strategies).result()
    else:
        decorated = given(**strategies)
    # `seed` takes a database away
    return prepared(seed(0)(decorated(lambda **drawn: body(**drawn))))


def _buffers(check: Check, count: int, secret: int | None) -> Iterator[bytes]:
    generator = np.random.default_rng(_seed_of(check.id, secret))
    for _ in range(count * _TRIES):
        yield generator.bytes(_BYTES)


def _seed_of(id: str, secret: int | None) -> int:
    if secret is None:
        return zlib.crc32(id.encode())
    return int.from_bytes(hashlib.sha256(f"{secret} {id}".encode()).digest())
