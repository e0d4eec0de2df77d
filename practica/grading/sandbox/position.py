"""Position of a call that ran out of time: the loop of the student's file in which it was.

Before a process is killed it writes the lines of its functions with `faulthandler`, which does not
wait for a computation in C. The student's code could write others: only a line number is read, and
it is only shown.
"""

from __future__ import annotations

import ast
import itertools
import re

from practica.grading.engine.source import LOOPS, body_of
from practica.grading.inside.loading import decode, lines_of


def position_of(written: bytes, source: bytes, path: str) -> dict[str, object]:
    r"""Return the facts of the sentence on where a process was when it ran out of time.

    `written`: the output of `faulthandler`; only the last position in it counts.
    `source`: the student's file.
    `path`: the name of the file in the output.
    Returned `facts`: `variant` "loop" and the `line` of the innermost `while` around a running
        function's line, or else of the innermost `for`; `variant` "line" and the line itself if
        there is no loop; empty if no line is known.

    >>> written = b'Current thread 0x1 (most recent call first):\n  File "a.py", line 3 in f\n'
    >>> position_of(written, b"def f():\n    while True:\n        pass\n", "a.py")
    {'variant': 'loop', 'line': 2}
    """
    text = decode(source)[0]
    last = written.decode("ascii", "replace").rpartition("(most recent call first):")[2]
    found = re.findall(
        rf'^  File "{re.escape(ascii(path)[1:-1])}", line (\d{{1,7}}) in ', last, re.MULTILINE
    )
    lines = [line for line in map(int, found) if 0 < line <= len(lines_of(text))]
    if not lines:
        return {}
    nodes = itertools.chain.from_iterable(map(ast.walk, body_of(text)))
    loops = [node for node in nodes if isinstance(node, LOOPS)]
    for kinds in ((ast.While,), (ast.For, ast.AsyncFor)):
        for line in lines:
            around = [
                loop.lineno for loop in loops if isinstance(loop, kinds) and _is_around(loop, line)
            ]
            if around:
                return {"variant": "loop", "line": max(around)}
    return {"variant": "line", "line": lines[0]}


def _is_around(loop: ast.While | ast.For | ast.AsyncFor, line: int) -> bool:
    return loop.lineno <= line <= (loop.end_lineno or loop.lineno)
