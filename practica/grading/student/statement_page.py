"""A document of students as one page for browsers, with its drawings in it: nothing is loaded from
elsewhere.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from practica.grading.engine.rubric import load_rubric
from practica.grading.student.anchors import anchor

STYLE = Path(__file__).with_name("statement.css").read_text(encoding="utf-8")


def statement_page(text: str, drawing: Callable[[str], str], *, lang: str) -> str:
    """Turn the statement, or another document, into a page.

    `drawing`: the function that returns the HTML of an image, given the address of it in the text.
    Returned `page`: HTML. A heading has its anchor, and the name of a check is one too. A link to a
        document leads to the page of that document.
    """
    markdown = MarkdownIt("commonmark", {"html": False}, renderer_cls=_Renderer).enable("table")
    tokens = markdown.parse(re.sub(r"\]\((?!\w+:)([^)#]+)\.md(#[^)]*)?\)", r"](\1.html\2)", text))
    title = ""
    for position, token in enumerate(tokens):
        if token.type == "heading_open":
            heading = tokens[position + 1].content
            title = title or heading
            token.attrSet("id", anchor(heading))
    check = rf"(?:{'|'.join(load_rubric().rows)})\.[\w.]+"
    named = Counter(re.findall(rf"`({check})`", text))
    body = markdown.renderer.render(tokens, markdown.options, {"drawing": drawing, "named": named})
    return (
        f'<!doctype html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>\n{STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )


class _Renderer(RendererHTML):
    """A renderer of HTML in which wide elements scroll on their own, also by keyboard, and the
    names of checks are anchors.
    """

    def code_inline(
        self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
    ) -> str:
        content = html.escape(tokens[index].content)
        if content not in env["named"]:
            return f"<code>{content}</code>"
        env["named"][content] -= 1  # the last time is at its requirement
        place = "" if env["named"][content] else f' id="{content}"'
        return f'<code class="check"{place}>{content}</code>'

    def fence(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        return f'<pre tabindex="0"><code>{html.escape(tokens[index].content)}</code></pre>\n'

    def image(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        return str(env["drawing"](tokens[index].attrs["src"]))

    def table_open(
        self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
    ) -> str:
        return '<div class="wide" tabindex="0"><table>\n'

    def table_close(
        self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
    ) -> str:
        return "</table></div>\n"
