"""Settings of Sphinx for `scripts/build_docs`: it reads the Markdown files where they lie."""

from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

import practica

SPANISH = {
    "enunciado",
    "instalacion",
    "carpeta",
    "inicio",
    "nota",
    "guia",
    "criterios",
    "comprobaciones",
    "respuestas",
    "otro-curso",
    "changes.es",
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
html_static_path = ["site.css"]
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


def _finish(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Give each page its language, and let the keyboard scroll what is wide."""
    if Path(pagename).name in SPANISH:
        context["language"] = "es"
    for wide in ("<pre", '<div class="table-wrapper'):
        tag = wide.partition(" ")[0]
        focusable = wide.replace(tag, f'{tag} tabindex="0"')
        context["body"] = context.get("body", "").replace(wide, focusable)


def setup(app: Sphinx) -> None:
    """Document what is the package's own; finish each page."""
    app.connect("autodoc-skip-member", _is_left_out)
    app.connect("html-page-context", _finish)
