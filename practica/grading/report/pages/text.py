"""The templates of the result's pages, and what others wrote as HTML that shows it and does nothing
else.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from pathlib import Path

from jinja2 import Environment
from markupsafe import Markup, escape

from practica.grading.report.messages import LANGUAGES, Sentence, as_points, say
from practica.grading.report.words import LINES, LONGEST_CALL
from practica.html import render as filled
from practica.html import templates
from practica.json_data import visible

FOLDER = Path(__file__).with_name("templates")
_LINE = re.compile("[0-9]{1,7}")


def marked_code(line: str) -> Markup:
    r"""Return a line of code as HTML, with each invisible character written out and marked.

    >>> marked_code("a < b\0")
    Markup('a &lt; b<span class="unseen">\\x00</span>')
    """
    pieces: list[Markup] = []
    for character_is_seen, piece in _runs(line):
        shown = escape(visible(piece))
        pieces.append(
            shown if character_is_seen else Markup('<span class="unseen">{}</span>').format(shown)
        )
    return Markup("").join(pieces)


def marked_sentence(
    sentence: Sentence, function: str = "", last_line: int = 0, *, brief: object = False
) -> Markup:
    """Return a sentence with its call as code, and the lines that it names as links.

    `function`: the one that is called.
    `last_line`: the last line of the source that is shown: only what is there can be linked.
    `brief`: whether the arguments of a long call are left out, because they can be read beside it.

    >>> from practica.grading.report.messages import say
    >>> sentence = say("any.raises", {"call": "f(x)", "error": "OSError", "line": 7}, "en")
    >>> marked_sentence(sentence, "f", 9)[:68]
    Markup('<code>f(x)</code> ends with an error, OSError (line <a href="#L7">7<')
    """
    pieces: list[Markup] = []
    for place, text in sentence.parts:
        if place == "call":
            shown = f"{function}(…)" if brief and len(text) > LONGEST_CALL else text
            pieces.append(Markup("<code>{}</code>").format(visible(shown)))
        elif (line := _line(place, text)) is not None and line <= last_line:
            pieces.append(Markup('<a href="#L{0}">{0}</a>').format(line))
        else:
            pieces.append(escape(visible(text)))
    return Markup("").join(pieces)


def lines_named(sentence: Sentence) -> list[int]:
    """Return the numbers of the lines that a sentence names.

    >>> from practica.grading.report.messages import say
    >>> lines_named(say("loops.comprehension", {"lines": [13, 14]}))
    [13, 14]
    """
    return [line for place, text in sentence.parts if (line := _line(place, text)) is not None]


def _line(place: str, text: str) -> int | None:
    return int(text) if place in LINES and _LINE.fullmatch(text) and int(text) else None


def _runs(line: str) -> Iterator[tuple[bool, str]]:
    """Yield the stretches of a line, each with whether its characters are visible."""
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


def render(page: str, lang: str, **values: object) -> str:
    """Fill the template of a page, "feedback" or "index".

    Raises `ValueError` for a language without sentences.
    """
    return filled(_environment(lang), page, **values)


def number(value: float | None, lang: str) -> str:
    """Return points with two decimals and the decimal mark of a language, or a dash if there are
    none.

    >>> number(2.5, "es"), number(2.5, "en"), number(None, "es")
    ('2,50', '2.50', '–')
    """
    text = as_points(value)
    return text.replace(".", ",") if lang == "es" else text


@functools.cache
def _environment(lang: str) -> Environment:
    if lang not in LANGUAGES:
        raise ValueError(f"lang={lang!r}: there are pages in {', '.join(LANGUAGES)}")
    environment = templates(lang, say("page.skip", {}, lang), FOLDER)
    environment.globals.update(title_of=lambda rubric: rubric.titles.get(lang, rubric.name))
    environment.globals.update(say=lambda id, /, **facts: say(id, facts, lang))
    environment.filters.update(
        points=lambda value: number(value, lang),
        code=marked_code,
        sentence=marked_sentence,
        lines=lines_named,
    )
    return environment
