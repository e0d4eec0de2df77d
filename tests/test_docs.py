"""The site that `scripts/build_docs` makes of the documents and the docstrings."""

import inspect
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest
from numpydoc.docscrape import NumpyDocString
from playwright.sync_api import sync_playwright

import practica
from practica import evaluation

ROOT = Path(__file__).parent.parent
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
STUCK = """[...document.querySelectorAll("pre, .table-wrapper")].some(
  (each) => each.scrollWidth > each.clientWidth && each.tabIndex < 0
)"""
LABELS = """() => {
  const around = document.body.cloneNode(true);
  const own = "article, script, style, .toc-tree, .sidebar-tree";
  around.querySelectorAll(own).forEach((each) => each.remove());
  const texts = document.createNodeIterator(around, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = texts.nextNode(); node; node = texts.nextNode()) found.push(node.data.trim());
  for (const name of ["title", "aria-label", "placeholder"])
    for (const each of document.querySelectorAll(`[${name}]`)) found.push(each.getAttribute(name));
  return found.filter((each) => each);
}"""
SIDEBAR = """[...document.querySelectorAll(".sidebar-tree a:not([hreflang])")].map(
  (each) => each.href
)"""
EXPLAINED = """[...document.querySelectorAll("#search-results li")].every(
  (each) => each.querySelector("span, p.context")?.innerText.trim()
)"""
PAGES = {practica: "scripts/docs/api.html", evaluation: "scripts/docs/evaluation.html"}
NAMES = [(package, name) for package in PAGES for name in package.__all__]


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build it, without the pictures of the tour; a warning would be an error."""
    folder = tmp_path_factory.mktemp("docs")
    command = [ROOT / "scripts/build_docs", folder, "--no-pictures"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return folder


@pytest.fixture(scope="module")
def texts(built):
    """Read its pages."""
    return {page: page.read_text(encoding="utf-8") for page in built.rglob("*.html")}


@pytest.mark.thorough
def test_every_public_name_has_its_place_in_the_reference(built, texts):
    """Those that are imported when they are first used, too."""
    assert [
        name
        for package, name in NAMES
        if f'id="{package.__name__}.{name}"' not in texts[built / PAGES[package]]
    ] == []


@pytest.mark.thorough
def test_every_link_leads_somewhere(texts):
    """To a file of the site, and to a place of it: those of the theme and of the index too."""
    lost, tried = [], 0
    for page, text in texts.items():
        for link in re.findall(r'(?:href|src)="(?!\w+:)([^"]*)"', text):
            path, _, place = unquote(unescape(link)).partition("#")
            target = (page.parent / path.partition("?")[0]).resolve() if path else page
            tried += 1
            if not target.is_file() or (
                place and target in texts and f'id="{place}"' not in texts[target]
            ):
                lost.append((page.name, link))
    assert lost == []
    assert tried > 1000


@pytest.mark.thorough
def test_every_heading_has_the_id_that_it_has_on_github(built, texts):
    """Links from elsewhere find it, with its accents."""
    page = texts[built / "enunciado/enunciado.html"]
    assert 'id="apéndice-cómo-se-corrige"' in page
    assert '<html class="no-js" lang="es"' in page


@pytest.fixture(scope="module")
def tab():
    """Open a page of a browser as wide as a phone."""
    if CHROMIUM is None:
        pytest.skip("there is no Chromium on this machine: scripts/setup-browser installs it")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        yield browser.new_page(viewport={"width": 390, "height": 844}, color_scheme="dark")


@pytest.mark.thorough
def test_a_phone_needs_no_sideways_scrolling_and_no_network(built, texts, tab):
    """At 390 pixels, from the disk.

    Every picture is seen, and the keyboard scrolls what is wide.
    """
    wide, blind, stuck, asked = [], [], [], set()
    tab.on("request", lambda request: asked.add(request.url.partition(":")[0]))
    for page in sorted(texts.keys() - {built / "index.html"}):  # this one leads to the first
        tab.goto(page.as_uri())
        if tab.evaluate("document.documentElement.scrollWidth") > 390:
            wide.append(page.name)
        if tab.evaluate("[...document.images].some((each) => !each.naturalWidth)"):
            blind.append(page.name)
        if tab.evaluate(STUCK):
            stuck.append(page.name)
    assert (wide, blind, stuck) == ([], [], [])
    assert asked <= {"file", "data"}


@pytest.mark.thorough
def test_what_surrounds_a_page_is_in_its_language(built, texts, tab):
    """A label on a page in Spanish stands on none in English, and the sidebar leads to no other."""
    said: dict[str, set[str]] = {"es": set(), "en": set()}
    strangers = []
    for page in sorted(texts.keys() - {built / "index.html"}):
        tab.goto(page.as_uri())
        language = tab.evaluate("document.documentElement.lang")
        said[language] |= set(tab.evaluate(LABELS))
        for link in tab.evaluate(SIDEBAR):
            target = texts[Path(unquote(link.removeprefix("file://").partition("#")[0]))]
            if f'lang="{language}"' not in target.partition("\n")[2].partition("\n")[0]:
                strangers.append((page.name, link))
    assert strangers == []
    assert said["es"] & said["en"] == {
        f"practica {practica.__version__}",
        "Sphinx",
        "Furo",
        "@pradyunsg",
        "'s",
    }


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("page", "finished"), [("search", "Search finished"), ("buscar", "La búsqueda ha encontrado")]
)
def test_one_search_finds_the_statement_the_guide_and_the_api(built, tab, page, finished):
    """In both languages, from the disk, each with what stands around the word."""
    tab.goto((built / f"{page}.html").as_uri() + "?q=crossvalidation")
    tab.wait_for_function(f"document.body.innerText.includes('{finished}')")
    found = tab.locator("#search-results li a").evaluate_all("all => all.map((each) => each.href)")
    pages = {re.split("[?#]", link.removeprefix(f"{built.as_uri()}/"))[0] for link in found}
    assert {
        "scripts/docs/api.html",
        "enunciado/enunciado.html",
        "enunciado/statement.en.html",
        "practica/evaluation/README.html",
    } <= pages
    tab.wait_for_function(EXPLAINED)
    tab.goto((built / f"{page}.html").as_uri() + "?q=accuracy")  # a word that is not its stem
    tab.wait_for_function(f"document.body.innerText.includes('{finished}')")
    tab.wait_for_function(EXPLAINED)
    pages_of_text = tab.locator("#search-results li.kind-text p.context").all_inner_texts()
    assert pages_of_text
    assert all("accuracy" in each.lower() for each in pages_of_text)


@pytest.mark.parametrize(
    ("package", "name"), NAMES, ids=lambda each: getattr(each, "__name__", each)
)
def test_a_docstring_documents_parameters_that_there_are(package, name):
    """As numpydoc reads it: a line that is broken in the wrong place would be another parameter."""
    thing = getattr(package, name)
    documented = [
        each.lstrip("*")
        for parameter in NumpyDocString(inspect.getdoc(thing))["Parameters"]
        for each in parameter.name.split(", ")
    ]
    assert set(documented) <= inspect.signature(thing).parameters.keys()


def test_readme_cites_the_version_and_the_day_of_the_changelog():
    """A release has one of each."""
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    version, date = re.search(r"^## ([\d.]+) \((\S+)\)$", changes, flags=re.MULTILINE).groups()
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert version == practica.__version__
    assert f"version: {version}\ndate-released: {date}\n" in readme
