"""Settings of Sphinx for `scripts/build_docs`: it reads the Markdown files where they lie."""

import json
from pathlib import Path
from typing import Any, cast

from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.environment.adapters.toctree import TocTree

import practica

# The name of each page in Spanish, and that of the same page in English, in the same folder.
IN_ENGLISH = {
    "portada": "index",
    "buscar": "search",
    "enunciado": "statement.en",
    "instalacion": "installation",
    "carpeta": "folder.en",
    "inicio": "quickstart.en",
    "nota": "mark",
    "guia": "guide.en",
    "criterios": "rubric.en",
    "comprobaciones": "checks.en",
    "respuestas": "answers.en",
    "otro-curso": "course.en",
    "changes.es": "changes.en",
}
IN_SPANISH = {english: spanish for spanish, english in IN_ENGLISH.items()}

EXCERPTS: dict[str, str] = {}  # the text of each page

# The words around a page in Spanish: those of the theme.
WORDS = {
    "Search": "Buscar",
    "Next": "Siguiente",
    "Previous": "Anterior",
    "Home": "Portada",
    "Index": "Índice de nombres",
    "On this page": "En esta página",
    "Back to top": "Volver arriba",
    "Skip to content": "Ir al contenido",
    "Made with": "Hecho con",
    '<a href="https://www.sphinx-doc.org/">Sphinx</a> and': (
        '<a href="https://www.sphinx-doc.org/">Sphinx</a> y'
    ),
    "Error": "No se puede buscar",
    "Please activate JavaScript to enable the search functionality.": (
        "La búsqueda necesita JavaScript."
    ),
    "Link to this heading": "Enlace a este apartado",
    "Contents": "Índice de la página",
    "Menu": "Páginas",
    "Expand": "Desplegar",
    "Light mode": "Colores claros",
    "Dark mode": "Colores oscuros",
    "Auto light/dark, in light mode": "Los colores del sistema, ahora claros",
    "Auto light/dark, in dark mode": "Los colores del sistema, ahora oscuros",
    "Toggle site navigation sidebar": "Mostrar u ocultar las páginas",
    "Toggle table of contents sidebar": "Mostrar u ocultar el índice de la página",
    "Toggle Light / Dark / Auto color theme": "Colores claros, oscuros o los del sistema",
}

project = "practica"
version = release = practica.__version__
html_title = f"practica {release}"
language = "en"
root_doc = "scripts/docs/index"
include_patterns = [
    "README.md",
    "CHANGELOG.md",
    "enunciado/**.md",
    "practica/**.md",
    "scripts/README.md",
    "scripts/docs/**.md",
]
exclude_patterns = [".*", "build", "dist", "tests"]
if not tags.has("tour"):  # type: ignore[name-defined]  # noqa: F821 - Sphinx gives it
    exclude_patterns.append("scripts/docs/tour.*")
    suppress_warnings = ["toc.excluded"]

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode", "numpydoc"]
myst_heading_anchors = 4  # the ids that GitHub gives to headings; the documents link to them
highlight_language = "text"
default_role = "py:obj"  # `name` in a docstring is a link where there is such a public name
smartquotes = False
autodoc_typehints = "none"  # the sections of numpydoc have the types
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}
numpydoc_show_class_members = False

html_theme = "furo"
templates_path = ["."]  # page.html
html_additional_pages = {"buscar": "search.html"}
html_static_path = ["site.css", "search.js"]
html_css_files = ["site.css"]
html_extra_path = ["index.html"]  # leads from the top of the folder to the first page
html_copy_source = False
html_show_copyright = False


def _is_left_out(
    app: Sphinx, what: str, name: str, member: object, skip: bool, options: object
) -> bool:
    """Return whether a member is scikit-learn's own or a field of a tuple, whose class documents
    it.
    """
    return skip or name.endswith("_request") or type(member).__name__ == "_tuplegetter"


def _language(page: str) -> str:
    """Return the language of a page, given its name or a link to it."""
    name = Path(page).name.removesuffix(".html")
    return "es" if name in IN_ENGLISH else "en"


def _in_spanish(text: str) -> str:
    """Return a text of the theme in Spanish, with the blanks around it."""
    words = text.strip()
    return text.replace(words, WORDS.get(words, words))


def _labels_in_spanish(html: str) -> str:
    """Put into Spanish the labels that the theme and Sphinx write in English only."""
    for english, spanish in WORDS.items():
        for label in ('aria-label="{}"', 'title="{}"', "<title>{}</title>"):
            html = html.replace(label.format(english), label.format(spanish))
    return html


def _first_page(language: str) -> str:
    """Return the first page in a language."""
    return root_doc if language == "en" else str(Path(root_doc).with_name(IN_SPANISH["index"]))


def _sidebar(app: Sphinx, pagename: str) -> str:
    """List the pages that have the language of this one."""
    builder = cast(StandaloneHTMLBuilder, app.builder)
    parts = []
    for tree in app.env.master_doctree.findall(addnodes.toctree):
        if {_language(page) for page in tree["includefiles"]} == {_language(pagename)}:
            resolved = TocTree(app.env).resolve(
                pagename, builder, tree, titles_only=True, includehidden=True
            )
            parts.append(builder.render_partial(resolved)["fragment"])
    return "".join(parts)


def _other_language(app: Sphinx, pagename: str, context: dict[str, Any]) -> str:
    """Link to the same page in the other language, or to the first page where there is none."""
    page = Path(pagename)
    if _language(pagename) == "es":
        names, language, shown = IN_ENGLISH, "en", "English"
    else:
        names, language, shown = IN_SPANISH, "es", "Español"
    other = str(page.with_name(names.get(page.name, page.name)))
    if other == pagename or other not in {*app.env.all_docs, "buscar", "search"}:
        other = _first_page(language)
    link = context["pathto"](other)
    anchor = f'<a class="reference" hreflang="{language}" lang="{language}" href="{link}">'
    return f'<ul><li class="toctree-l1">{anchor}{shown}</a></li></ul>'


def _speak_spanish(context: dict[str, Any]) -> None:
    """Give a page Spanish labels, and the first page and the search in Spanish."""
    pathto = context["pathto"]
    own = {root_doc: _first_page("es"), "search": IN_SPANISH["search"]}

    def path_in_spanish(page: str, *options: Any) -> str:
        return pathto(own.get(page, page), *options)

    context["language"] = "es"
    context["pathto"] = path_in_spanish
    context["_"] = context["gettext"] = _in_spanish
    context["in_language"] = _labels_in_spanish


def _finish(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Give each page its language, and let the keyboard scroll what is wide."""
    context["in_language"] = str
    around = _other_language(app, pagename, context) + _sidebar(app, pagename)
    context["toctree"] = lambda **options: around
    for way in ("next", "prev"):
        if context.get(way) and _language(context[way]["link"]) != _language(pagename):
            context[way] = None
    if template == "search.html":
        app.add_js_file("search.js")
        app.add_js_file("pages.js")
    elif "body" in context:
        EXCERPTS[pagename] = f'<div role="main">{context["body"]}</div>'
    if _language(pagename) == "es":
        _speak_spanish(context)
    for wide in ("<pre", '<div class="table-wrapper'):
        tag = wide.partition(" ")[0]
        focusable = wide.replace(tag, f'{tag} tabindex="0"')
        context["body"] = context.get("body", "").replace(wide, focusable)


def _write_pages(app: Sphinx, exception: Exception | None) -> None:
    """Write what the search makes its excerpts of, where a page is opened from the disk."""
    text = f"const PAGES = {json.dumps(EXCERPTS)};\n"
    (Path(app.outdir) / "_static/pages.js").write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Document what is the package's own; finish each page, before the theme does."""
    app.connect("autodoc-skip-member", _is_left_out)
    app.connect("html-page-context", _finish, priority=400)
    app.connect("build-finished", _write_pages)
