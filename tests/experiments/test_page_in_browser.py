"""The page of a comparison in a real browser: read, on a phone, in the dark, and printed."""

import shutil

import pytest
from axe_playwright_python.sync_playwright import Axe
from click.testing import CliRunner
from lanes import one_in
from playwright.sync_api import sync_playwright

from practica.cli import main

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
A4 = {"width": 680, "height": 1009}  # pixels within margins of 15 mm
BEYOND = """limit => [...document.querySelectorAll("main *")].filter(each =>
  each.getBoundingClientRect().right > limit + 1 && !each.closest(".wide")
).map(each => each.outerHTML.slice(0, 80))"""
MODELS = (
    "ann:4",
    "knn:5",
    "svm:C=1,kernel=rbf",
    "forest:n_estimators=5,max_depth=3,min_samples_leaf=2",
    "majority",
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        CHROMIUM is None,
        reason="there is no Chromium on this machine: scripts/setup-browser installs it",
    ),
]


@pytest.fixture(scope="module")
def address(tmp_path_factory) -> str:
    """Compare five models on breast cancer."""
    folder = tmp_path_factory.mktemp("page")
    files = ["--html", str(folder / "page.html"), "--save-folds", str(folder / "folds.csv")]
    models = [part for model in MODELS for part in ("--model", model)]
    quick = ["--folds", "3", "--executions", "2", "--epochs", "5", "--seed", "1"]
    done = CliRunner().invoke(main, ["compare", "breast_cancer", *models, *quick, *files])
    assert done.exit_code == 0, done.output
    return (folder / "page.html").as_uri()


@pytest.fixture
def opened(address):
    """Open the page with the settings of a browser; in the end it may not have complained."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        troubles = []

        def open_page(**settings):
            page = browser.new_context(**settings).new_page()
            page.on("console", lambda message: troubles.append(message.text))
            page.on(
                "request",
                lambda request: (
                    request.url.startswith(("file:", "data:")) or troubles.append(request.url)
                ),
            )
            page.goto(address)
            return page

        yield open_page
        browser.close()
    assert troubles == []


@pytest.mark.parametrize("scheme", one_in(2, ["light", "dark"]))
def test_the_page_has_no_serious_accessibility_problem(opened, scheme):
    """By the rules of axe-core: every picture has its text, and headings follow each other."""
    found = Axe().run(opened(color_scheme=scheme)).response
    assert [(each["id"], each["nodes"][0]["html"]) for each in found["violations"]] == []
    assert {"color-contrast", "image-alt", "definition-list", "heading-order"} <= {
        each["id"] for each in found["passes"]
    }


def test_every_picture_is_shown(opened):
    """None is empty or broken."""
    page = opened()
    sizes = page.evaluate(
        "[...document.images].map(each => each.naturalWidth * each.naturalHeight)"
    )
    assert len(sizes) == 1 + 1 + 2 + 2 + 5 + 1
    assert min(sizes) > 0


@pytest.mark.parametrize("width", one_in(3, [360, 768, 1200]))
def test_no_screen_needs_sideways_scrolling(opened, width):
    """From a phone to a desk."""
    page = opened(viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_on_a_phone_names_are_unbroken_and_letters_keep_their_size(opened):
    """At 390 pixels: tables and wide pictures scroll, names of models stand in one line, and texts
    have the width.
    """
    page = opened(viewport={"width": 390, "height": 844})
    lines = page.evaluate(
        "[...document.querySelectorAll('tbody th')].map(each => each.getBoundingClientRect().height"
        " / parseFloat(getComputedStyle(each).lineHeight))"
    )
    assert max(lines) < 2
    assert page.evaluate(
        "[...document.querySelectorAll('div.wide')].every(each => each.scrollWidth >"
        " each.clientWidth)"
    )
    assert "gradient" in page.evaluate(
        "getComputedStyle(document.querySelector('div.wide')).backgroundImage"
    )
    scales = page.evaluate(
        "[...document.images].map(each => each.getBoundingClientRect().width / each.naturalWidth)"
    )
    assert min(scales) > 0.85
    widths = page.evaluate(
        "[...document.querySelectorAll('.methods dd')].map(each => each.clientWidth)"
    )
    assert min(widths) > 290
    page.set_viewport_size({"width": 360, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_everything_fits_on_printed_paper(opened):
    """On A4, the matrices three in a row.

    The letters of the pictures keep 85 % of their size at least.
    """
    page = opened(viewport=A4)
    page.emulate_media(media="print")
    assert page.evaluate(BEYOND, A4["width"]) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= A4["width"]
    scales = page.evaluate(
        "[...document.images].map(each => each.getBoundingClientRect().width / each.naturalWidth)"
    )
    assert min(scales) > 0.85
    columns = page.evaluate(
        "[...document.querySelectorAll('.third')].map(each => each.getBoundingClientRect().left)"
    )
    assert len({round(left) for left in columns}) == 3
