"""Templates to pages: everything is escaped, and nothing but the page's own style and script is allowed to act."""

from __future__ import annotations

import base64
import functools
import hashlib
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from practica.report.messages import LANGUAGES, as_points, say
from practica.report.pages.text import breakable, lines_named, marked_code, marked_sentence
from practica.report.words import visible

FOLDER = Path(__file__).with_name("templates")
WITH_SCRIPT = ("feedback", "index")


def render(page: str, lang: str, **values: object) -> str:
    """Fill the template of a page, with its style and its script inside.

    `page`: "feedback", "index" or "comparison".
    `**values`: the places of the template; `pictures` are data that the page has in itself.
    Raises `ValueError` for a language without sentences.
    """
    style = _asset("style.css") + _asset(f"{page}.css")
    script = _asset(f"{page}.js") if page in WITH_SCRIPT else ""
    policy = (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; "
        f"{'img-src data:; ' if 'pictures' in values else ''}base-uri 'none'; form-action 'none'"
    )
    template = _environment(lang).get_template(f"{page}.html")
    return template.render(style=Markup(style), script=Markup(script), policy=policy, **values)


def number(value: float | None, lang: str) -> str:
    """Write points with two decimals, as they are written in a language; a dash where there are none.

    >>> number(2.5, "es"), number(2.5, "en"), number(None, "es")
    ('2,50', '2.50', '–')
    """
    text = as_points(value)
    return text.replace(".", ",") if lang == "es" else text


@functools.cache
def _environment(lang: str) -> Environment:
    if lang not in LANGUAGES:
        raise ValueError(f"lang={lang!r}: there are pages in {', '.join(LANGUAGES)}")
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(title_of=lambda rubric: rubric.titles.get(lang, rubric.name))
    environment.globals.update(lang=lang, say=lambda id, /, **facts: say(id, facts, lang))
    environment.filters.update(
        points=lambda value: number(value, lang),
        code=marked_code,
        sentence=marked_sentence,
        lines=lines_named,
        name=breakable,
    )
    return environment


def _shown(value: object) -> object:
    """Make everything that a template prints visible; markup is ours and stays."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@functools.cache
def _asset(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
