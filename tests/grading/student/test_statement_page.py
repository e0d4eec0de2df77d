"""The statement as a page: whole, linked, with its drawings, and asking nothing of a network."""

import re
import shutil
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from practica.grading.student.folder import FILES, PAGES, STATEMENTS, make_folder

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
LANGUAGES = pytest.mark.parametrize("lang", STATEMENTS)


class Contents(HTMLParser):
    """What a page has: attributes by their names, elements, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.attributes: list[tuple[str, str]] = []
        self.tags: list[str] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        """Keep an element."""
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        """Keep a text."""
        self.text += data


@pytest.fixture(scope="module")
def folders(tmp_path_factory) -> dict[str, Path]:
    """Make a folder in each language."""
    made = {lang: tmp_path_factory.mktemp("practica") / lang for lang in STATEMENTS}
    for lang, folder in made.items():
        make_folder(folder, lang=lang)
    return made


@pytest.fixture
def page(folders, lang) -> Contents:
    """Read the page of a language."""
    return Contents((folders[lang] / STATEMENTS[lang]).read_text(encoding="utf-8"))


@LANGUAGES
def test_every_link_of_the_page_leads_somewhere(page, lang):
    """To a heading, once each, or to the page beside it; what is loaded is nothing."""
    targets = [value for name, value in page.attributes if name == "id"]
    links = [value for name, value in page.attributes if name == "href"]
    inside = {unquote(link.removeprefix("#")) for link in links if link.startswith("#")}
    assert len(inside) > 25
    assert inside <= set(targets)
    assert len(targets) == len(set(targets))
    assert {link for link in links if not link.startswith(("#", "https://"))} == {*PAGES[lang]} - {
        STATEMENTS[lang]
    }
    assert not {"script", "link", "img", "iframe"} & set(page.tags)
    assert "src" not in dict(page.attributes)


@LANGUAGES
def test_the_page_says_what_the_statement_says(page, folders, lang):
    """Every word and sign of its examples and tables; the drawings are in it."""
    text = (folders[lang] / STATEMENTS[lang]).with_suffix(".md").read_text(encoding="utf-8")
    for block in re.findall(r"^```\w*\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL):
        assert block in page.text
    written = re.sub(r"!\[.*?\]\(.*?\)|\]\(.*?\)|^```\w*$|^\d\. ", " ", text, flags=re.MULTILINE)
    assert (
        Counter(re.findall(r"\w+", written)) - Counter(re.findall(r"\w+", page.text)) == Counter()
    )
    assert (
        page.tags.count("svg")
        == sum(name.endswith(".svg") for name in FILES[lang])
        == text.count("![")
        == 4
    )


@pytest.mark.skipif(
    CHROMIUM is None,
    reason="there is no Chromium on this machine: scripts/setup-browser installs it",
)
@pytest.mark.thorough
@LANGUAGES
def test_the_page_can_be_read_in_a_browser(folders, lang):
    """In light and dark, on a phone, with the rules of axe-core, and without a request or a
    complaint.
    """
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        for scheme in ("light", "dark"):
            context = browser.new_context(
                color_scheme=scheme, viewport={"width": 360, "height": 700}
            )
            shown, troubles = context.new_page(), []
            shown.on("console", lambda message, to=troubles: to.append(message.text))
            shown.on(
                "request",
                lambda request, to=troubles: (
                    request.url.startswith("file:") or to.append(request.url)
                ),
            )
            shown.goto((folders[lang] / STATEMENTS[lang]).as_uri())
            assert shown.evaluate("document.documentElement.scrollWidth") <= 360
            # it takes its time with so many words
            if (lang, scheme) in (("es", "light"), ("en", "dark")):
                found = Axe().run(shown).response["violations"]
                serious = [each for each in found if each["impact"] in ("serious", "critical")]
                assert [(each["id"], each["nodes"][0]["html"]) for each in serious] == []
            paper = shown.locator("svg.drawing .paper").first.evaluate(
                "each => getComputedStyle(each).fill"
            )
            assert (paper == "rgb(255, 255, 255)") == (scheme == "light")
            assert troubles == []
        browser.close()
