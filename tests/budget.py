"""How many examples a property tries: few in `scripts/test`, three times as many in `scripts/test
--all`.

`PRACTICA_BUDGET=100 scripts/test tests/invariants` tries a hundred times as many. From ten times as
many on it is a night, in which tests of combinations also take all of their cases.
"""

import os

FACTOR = int(os.environ.get("PRACTICA_BUDGET") or 1)
WHOLE = FACTOR > 1  # whether a test that takes some of its cases takes all of them
NIGHT = FACTOR >= 10


def budget(examples: int) -> int:
    """Return the number of examples for a property that tries `examples` of them in
    `scripts/test`.
    """
    return examples * FACTOR
