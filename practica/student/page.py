"""The statement as one page for browsers, with its drawings in it: nothing is loaded from elsewhere."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Callable, Sequence

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from practica.grading.rubric import load_rubric

__all__ = ["anchor", "statement_page"]

STYLE = """\
:root { color-scheme: light dark; --ink: #1f2328; --paper: #ffffff; --soft: #f3f5f7; --edge: #d1d9e0; --link: #0a58ad;
  --quiet: #59636e; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --paper: #0d1117; --soft: #1c232c; --edge: #3d444d; --link: #79b8ff; --quiet: #9aa4af; }
}
body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.6 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 1rem 1.2rem 5rem; overflow-wrap: break-word; }
h1, h2, h3 { line-height: 1.25; margin: 2.2em 0 .6em; }
h2 { padding-top: .8em; border-top: 1px solid var(--edge); }
a { color: var(--link); }
code, pre { font: .88em/1.45 ui-monospace, Consolas, monospace; background: var(--soft); border-radius: 4px; }
code { padding: .1em .3em; }
code.check { color: var(--quiet); background: none; padding: 0; font-size: .78em; }
h3 code { background: none; padding: 0; font-size: .95em; }
pre { padding: .8em 1em; overflow-x: auto; }
pre code { padding: 0; font-size: 1em; }
blockquote { margin: 1.2em 0; padding: .1em 1em; border-left: 4px solid var(--link); background: var(--soft); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .92em; }
th, td { padding: .35em .7em; border: 1px solid var(--edge); text-align: left; vertical-align: top; }
th { background: var(--soft); }
svg.drawing { display: block; max-width: 100%; height: auto; margin: 1.2em auto; }
@media print { body { font-size: 11pt; } pre { white-space: pre-wrap; } h2, h3 { break-after: avoid; } }
"""


def anchor(heading: str) -> str:
    """Return the name by which a heading is linked to, the one that GitHub gives it.

    Examples
    --------
    >>> anchor("`hold_out` · 0.10 points")
    'hold_out--010-points'
    """
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def statement_page(text: str, drawing: Callable[[str], str], *, lang: str) -> str:
    """Turn the statement into a page.

    Parameters
    ----------
    text : str
        Markdown.
    drawing : callable
        The SVG of an image, by the address that the text gives it.
    lang : "es" or "en"

    Returns
    -------
    page : str
        HTML. A heading has its anchor, and the name of a check is one too.
    """
    markdown = MarkdownIt("commonmark", {"html": False}, renderer_cls=_Renderer).enable("table")
    tokens = markdown.parse(text)
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
    """HTML in which what is wide scrolls on its own, also with the keyboard, and names of checks can be linked to."""

    def code_inline(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
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

    def table_open(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        return '<div class="wide" tabindex="0"><table>\n'

    def table_close(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        return "</table></div>\n"
