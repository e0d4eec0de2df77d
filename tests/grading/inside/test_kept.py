"""What a file keeps between calls: it is named, and undone."""

import textwrap

import numpy as np
import pytest

from practica.grading.engine.solution import LocalSolution, RenewedSolution
from practica.grading.inside.loading import load_source

# of each way to keep something: what it is called, and a function whose first answer is 1
WAYS = {
    "a list": ("seen", "seen = []\ndef count():\n    seen.append(0)\n    return len(seen)"),
    "a list in a tuple": (
        "both",
        "both = [], []\ndef count():\n    both[1].append(0)\n    return len(both[1])",
    ),
    "the lists of a list, which others name": (
        "each, every",
        "each = []\nevery = [each]\ndef count():\n    every[0].append(0)\n    return len(each)",
    ),
    "a dict": ("seen", "seen = {}\ndef count():\n    seen[len(seen)] = 0\n    return len(seen)"),
    "a set": ("seen", "seen = set()\ndef count():\n    seen.add(len(seen))\n    return len(seen)"),
    "an array": (
        "seen",
        "seen = np.zeros(1)\ndef count():\n    seen[0] += 1\n    return float(seen[0])",
    ),
    "a number": ("n", "n = 0\ndef count():\n    global n\n    n += 1\n    return n"),
    "a new name": (
        "n",
        "def count():\n    global n\n    n = globals().get('n', 0) + 1\n    return n",
    ),
    "a default": ("seen=[]", "def count(seen=[]):\n    seen.append(0)\n    return len(seen)"),
    "a keyword's default": (
        "seen={}",
        "def count(*, seen={}):\n    seen[len(seen)] = 0\n    return len(seen)",
    ),
    "an attribute": (
        "count.n",
        "def count():\n    count.n = getattr(count, 'n', 0) + 1\n    return count.n",
    ),
    "the first result": (
        "n, first",
        """
        n = 0
        def one():
            global n
            n += 1
            return n
        import functools
        first = functools.cache(one)
        def count():
            return first() if n < 2 else n
        """,
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_a_call_keeps_is_named_and_undone(way):
    """So that the next call answers as the first one did, however often it is made."""
    names, source = WAYS[way]
    file = f"import numpy as np\n{textwrap.dedent(source)}\nconstant = [1, (2, {{'a': [3]}})]"
    solution = RenewedSolution(LocalSolution(load_source(file.encode(), "entrega.py")))
    assert [float(solution.count()) for _ in range(3)] == [1, 1, 1]
    assert ", ".join(solution.kept) == names
    assert solution.renew() == []


def test_a_file_that_keeps_nothing_has_nothing_to_undo():
    """Its constants, its functions and those of its doubles are what they were."""
    source = textwrap.dedent("""
        import functools
        halves = [1, 2]
        def wrap(function):
            @functools.wraps(function)
            def inner(*args):
                return function(*args)
            return inner
        @wrap
        def half(x):
            return x / halves[1]
        def both(x):
            return half(x), half(x)
    """).encode()
    names = load_source(source, "entrega.py")
    solution = LocalSolution(names)
    doubles = {"half": {"through": True}}
    assert len(solution.scripted("both", doubles, np.ones(2)).calls) == 2
    assert solution.renew() == []
    assert solution.both(4) == (2, 2)
