"""What others wrote, as HTML that shows it and does nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator

from markupsafe import Markup, escape

__all__ = ["breakable", "lines_named", "lines_of", "marked_code", "marked_sentence", "visible"]

LONGEST_CALL = 120  # characters inside a sentence that can do with fewer

_LINES = re.compile(r"\b(?:línea|line)(?:s|\(s\))? ([0-9]{1,7}(?:, [0-9]{1,7})*)")
_ENDS = re.compile("\r\n|\r|\n")
_NUMBER = re.compile("[0-9]+")


def visible(text: str) -> str:
    r"""Write what cannot be seen, or moves what can, as Python writes it: control and bidirectional characters, NUL.

    Examples
    --------
    >>> visible("año\u202e\0")
    'año\\u202e\\x00'
    """
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() or character in "\n\t" else ascii(character)[1:-1] for character in text
    )


def breakable(name: str) -> Markup:
    """Return a name that a narrow screen may break after an underscore.

    Examples
    --------
    >>> breakable("hold_out")
    Markup('hold_<wbr>out')
    """
    return Markup("<wbr>").join(escape(visible(part)) for part in re.split("(?<=_)(?=[^_])", name))


def marked_code(line: str) -> Markup:
    r"""Return a line of code; what `visible` has to write out is told apart from the same characters typed.

    Examples
    --------
    >>> marked_code("a < b\0")
    Markup('a &lt; b<span class="unseen">\\x00</span>')
    """
    pieces: list[Markup] = []
    for character_is_seen, piece in _runs(line):
        shown = escape(visible(piece))
        pieces.append(shown if character_is_seen else Markup('<span class="unseen">{}</span>').format(shown))
    return Markup("").join(pieces)


def marked_sentence(text: str, function: str = "", last_line: int = 0, *, brief: object = False) -> Markup:
    """Return a sentence with the calls of a function as code, and the lines that it names as links.

    Parameters
    ----------
    text : str
    function : str
        Nothing is code without it.
    last_line : int
        Of the source that is shown: only what is there can be linked.
    brief : bool
        Whether the arguments of a long call are left out, because they can be read beside it.

    Examples
    --------
    >>> marked_sentence("accuracy(x) da [2] (línea 7)", "accuracy", 9)
    Markup('<code>accuracy(x)</code> da [2] (línea <a href="#L7">7</a>)')
    """
    pieces: list[Markup] = []
    end = 0
    for begin, after in _calls(text, function):
        call = f"{function}(…)" if brief and after - begin > LONGEST_CALL else visible(text[begin:after])
        pieces += [_linked(text[end:begin], last_line), Markup("<code>{}</code>").format(call)]
        end = after
    return Markup("").join([*pieces, _linked(text[end:], last_line)])


def lines_of(text: str) -> list[str]:
    r"""Return the lines of a program, numbered as Python numbers them.

    Examples
    --------
    >>> lines_of("a\x0cb\r\nc\r\n")
    ['a\x0cb', 'c']
    """
    lines = _ENDS.split(text)
    return lines if lines[-1] else lines[:-1]


def lines_named(text: str) -> list[int]:
    """Return the numbers of the lines that a sentence names.

    Examples
    --------
    >>> lines_named("hay 2 bucles: línea(s) 13, 14")
    [13, 14]
    """
    return [int(number) for lines in _LINES.finditer(text) for number in _NUMBER.findall(lines[1])]


def _linked(text: str, last_line: int) -> Markup:
    def link(number: re.Match[str]) -> str:
        known = 1 <= int(number[0]) <= last_line
        return f'<a href="#L{int(number[0])}">{number[0]}</a>' if known else number[0]

    pieces: list[Markup] = []
    end = 0
    for lines in _LINES.finditer(text):
        pieces += [escape(visible(text[end : lines.start(1)])), Markup(_NUMBER.sub(link, lines[1]))]
        end = lines.end()
    return Markup("").join([*pieces, escape(visible(text[end:]))])


def _calls(text: str, function: str) -> Iterator[tuple[int, int]]:
    """Yield where the calls of a function begin and end; one whose brackets never close is none."""
    if not function:
        return
    end = 0
    for name in re.finditer(rf"\b{re.escape(function)}\(", text):
        if name.start() < end:
            continue
        depth = 0
        for position in range(name.end() - 1, len(text)):
            depth += (text[position] in "([") - (text[position] in ")]")
            if depth == 0:
                end = position + 1
                yield name.start(), end
                break


def _runs(line: str) -> Iterator[tuple[bool, str]]:
    """Yield the stretches of a line that are seen as they are, and those that are not."""
    if line.isprintable():
        yield True, line
        return
    begin, seen = 0, True
    for position, character in enumerate(line):
        if (character.isprintable() or character == "\t") != seen:
            if position > begin:
                yield seen, line[begin:position]
            begin, seen = position, not seen
    if begin < len(line):
        yield seen, line[begin:]
