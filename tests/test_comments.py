"""The layout of comments and docstrings: bars on one line, no lone word, no ragged paragraph."""

import ast
import io
import itertools
import re
import textwrap
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILES = [
    path for folder in ("practica", "scripts", "tests") for path in (ROOT / folder).rglob("*.py")
]
WIDTH = 100
RAGGED = 20  # columns that a line of prose leaves empty although the next word fits


def comments(text: str) -> Iterator[list[tuple[int, str]]]:
    """Yield the blocks of lines that are comments and nothing else, with their numbers."""
    own = [
        (token.start[0], token.line.rstrip())
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT and not token.line[: token.start[1]].strip()
    ]
    for _, block in itertools.groupby(enumerate(own), lambda pair: pair[1][0] - pair[0]):
        yield [line for _, line in block]


def docstrings(text: str) -> Iterator[list[tuple[int, str]]]:
    """Yield the lines of each docstring, with their numbers."""
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        if isinstance(node, documented) and ast.get_docstring(node):
            first, last = node.body[0].lineno, node.body[0].end_lineno or 0
            yield list(enumerate(lines[first - 1 : last], first))


def broken_bars(block: list[tuple[int, str]]) -> list[int]:
    """Return the lines that are dashes alone, or a title without them up to the edge."""
    return [
        number
        for number, line in block
        if re.match(r" *# -{2,}( |$)", line)
        and not (re.match(r" *# --- \w.* -+$", line) and len(line) == WIDTH)
    ]


def lone_words(block: list[tuple[int, str]]) -> list[int]:
    """Return the last line of a paragraph of comments that is only a word of the line before it."""
    found = []
    for (_, before), (number, line), (_, after) in zip(
        block, block[1:], [*block[2:], (0, "#")], strict=False
    ):
        is_last = after.strip() == "#"
        if is_last and re.fullmatch(r" *# \S+", line) and len(before) >= 0.7 * WIDTH:
            found.append(number)
    return found


def ragged(block: list[tuple[int, str]]) -> list[int]:
    """Return the lines of prose that end early, between a full line and one that goes on."""
    found = []
    for (_, before), (number, line), (_, after) in zip(block, block[1:], block[2:], strict=False):
        margins = {re.match(r"[ #]*", each)[0] for each in (before, line, after)}
        goes_on = re.match(r"[ #]*[a-z]+:? ", after) and re.search(r"\w [\w,]+$", line)
        is_full = len(before) + 1 + len(line.split()[0]) > WIDTH if line.split() else False
        is_table = "  " in line.strip()
        if len(margins) == 1 and goes_on and is_full and not is_table:
            word = after.removeprefix(margins.pop()).split()[0]
            if len(line) + 1 + len(word) + RAGGED <= WIDTH:
                found.append(number)
    return found


def test_comments_and_docstrings_are_laid_out():
    """The lines of the files that are not."""
    found = []
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        blocks = list(comments(text))
        lines = [*map(broken_bars, blocks), *map(lone_words, blocks)]
        lines += map(ragged, [*blocks, *docstrings(text)])
        numbers = sorted(itertools.chain.from_iterable(lines))
        found += [f"{path.relative_to(ROOT)}:{number}" for number in numbers]
    assert found == []


def test_what_a_reflow_leaves_behind_is_noticed():
    """A bar on two lines, a word alone, a line that ends early, in a comment and in a docstring."""
    words = "The words of a sentence that is long enough to reach the edge of a line in this house,"
    text = textwrap.dedent(f'''\
        # -- a bar
        # ------------------------
        x = 1

        # {words} for some
        # time

        def f():
            """Do it.

            {words} for some
            time and then it
            goes on, with more words.
            """
    ''')
    assert [broken_bars(block) for block in comments(text)] == [[1, 2], []]
    assert [lone_words(block) for block in comments(text)] == [[], [6]]
    assert [ragged(block) for block in docstrings(text)] == [[12]]
