"""Templates to pages: everything is escaped, and nothing but the page's own style and script is
allowed to act.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import re
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from practica.json_data import visible

# of what all pages share, and of the page of a comparison
FOLDER = Path(__file__).with_name("templates")


@functools.cache
def templates(lang: str, skip: str, folder: Path = FOLDER) -> Environment:
    """Return the templates of a folder, which extend those here.

    `skip` is the text of the link to the content.
    """
    environment = Environment(
        loader=FileSystemLoader([folder, FOLDER]),
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(lang=lang, skip=skip)
    environment.filters.update(name=breakable)
    return environment


def render(environment: Environment, page: str, **values: object) -> str:
    """Fill the template `page.html`, with its style and its script, if it has one, inside.

    `**values`: the places of the template; `pictures` are data that the page has in itself.
    """
    style = _asset(environment, "style.css") + _asset(environment, f"{page}.css")
    script = (
        _asset(environment, f"{page}.js") if f"{page}.js" in environment.list_templates() else ""
    )
    policy = (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; "
        f"{'img-src data:; ' if 'pictures' in values else ''}base-uri 'none'; form-action 'none'"
    )
    template = environment.get_template(f"{page}.html")
    return template.render(style=Markup(style), script=Markup(script), policy=policy, **values)


def breakable(name: str) -> Markup:
    """Return a name that a narrow screen may break after an underscore.

    >>> breakable("hold_out")
    Markup('hold_<wbr>out')
    """
    return Markup("<wbr>").join(escape(visible(part)) for part in re.split("(?<=_)(?=[^_])", name))


def _shown(value: object) -> object:
    """Return a value of a template with invisible characters written out; markup of this package
    stays as it is.
    """
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _asset(environment: Environment, name: str) -> str:
    assert environment.loader is not None
    return environment.loader.get_source(environment, name)[0]


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
