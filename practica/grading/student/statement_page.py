"""A document of students as one page for browsers, with its drawings in it: nothing is loaded from
elsewhere.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from practica.grading.engine.rubric import load_rubric
from practica.grading.student.anchors import anchor

STYLE = Path(__file__).with_name("statement.css").read_text(encoding="utf-8")


def statement_page(text: str, drawing: Callable[[str], str], *, lang: str) -> str:
    """Turn the statement, or another document, into a page.

    `drawing`: the function that returns the HTML of an image, given the address of it in the text.
    Returned `page`: HTML. A heading has its anchor, and the name of a check is one too. A link to a
        document leads to the page of that document. Wide elements scroll on their own, also by
        keyboard.
    """
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(re.sub(r"\]\((?!\w+:)([^)#]+)\.md(#[^)]*)?\)", r"](\1.html\2)", text))
    check = rf"(?:{'|'.join(load_rubric().rows)})\.[\w.]+"
    named = Counter(re.findall(rf"`({check})`", text))
    title = ""
    for position, token in enumerate(tokens):
        if token.type == "heading_open":
            heading = tokens[position + 1].content
            title = title or heading
            token.attrSet("id", anchor(heading))
        for each in (token, *(token.children or ())):
            if (own := _own_html(each, drawing, named)) is not None:
                each.type, each.content = "html_inline", own
    body = markdown.renderer.render(tokens, markdown.options, {})
    return (
        f'<!doctype html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>\n{STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )


def _own_html(token: Token, drawing: Callable[[str], str], named: Counter[str]) -> str | None:
    """Return the HTML of an element that is written here and not by the library; None of others.

    `named` counts the names of checks that are still to come: the last time a name is at its
    requirement.
    """
    content = html.escape(token.content)
    match token.type:
        case "table_open":
            return '<div class="wide" tabindex="0"><table>\n'
        case "table_close":
            return "</table></div>\n"
        case "fence":
            return f'<pre tabindex="0"><code>{content}</code></pre>\n'
        case "image":
            return drawing(str(token.attrs["src"]))
        case "code_inline" if content in named:
            named[content] -= 1
            place = "" if named[content] else f' id="{content}"'
            return f'<code class="check"{place}>{content}</code>'
    return None
