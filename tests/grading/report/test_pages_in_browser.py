"""The pages in a real browser: read, clicked, printed, in the dark, on a phone, and without
scripts.
"""

import shutil
from dataclasses import replace
from pathlib import Path

import marked_class as some
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from practica.grading.report.messages import LANGUAGES
from practica.grading.report.pages import write_pages

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
STUDENT = "feedback/Ana Núñez.html"
PAGES = ("index.html", STUDENT, "feedback/parado.html")
SCHEMES = ("light", "dark")
BRIGHTNESS = """() => Object.fromEntries(["color", "backgroundColor"].map((name) => [
  name,
  getComputedStyle(document.body)[name].match(/\\d+/g).reduce((sum, part) => sum + Number(part), 0)
]))"""
IN_SIGHT = (
    "each => { const box = each.getBoundingClientRect(); return box.top >= 0 && box.top <"
    " innerHeight }"
)
HEIGHTS = "all => all.map(each => each.getBoundingClientRect().height)"

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(
        CHROMIUM is None,
        reason="there is no Chromium on this machine: scripts/setup-browser installs it",
    ),
]
every_page = pytest.mark.parametrize("path", PAGES)


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """Write the pages of a class, in a folder for each language."""
    folder = tmp_path_factory.mktemp("clase")
    flag = replace(some.rule("calls.suspicious", 7, name="os.system"), cost="flag")
    whole = some.result(
        [
            *(some.all_right("Zoe"), some.with_everything("Ana Núñez"), some.not_run("parado")),
            *(
                some.with_everything(some.HOSTILE),
                some.grader_error("Bea"),
                some.all_right("alumno 10"),
            ),
            some.submission(
                "alumno 9",
                [some.function("accuracy", rules=[flag]), some.function("hold_out", "missing")],
            ),
        ],
        similar=[("Zoe", "alumno 10", 0.9)],
    )
    for lang in LANGUAGES:
        write_pages(whole, folder / lang, lang, some.noted(whole, lang, some.HOSTILE))
    return folder


@pytest.fixture(scope="module")
def browser():
    """Start the browser once.

    Root may only do so without Chromium's own sandbox, which the pages do not need.
    """
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        yield browser
        browser.close()


class Visit:
    """A page that is open, and everything that it should not have done."""

    def __init__(self, browser: Browser, file: Path, **settings: object) -> None:
        self.context: BrowserContext = browser.new_context(**settings)
        self.page: Page = self.context.new_page()
        self.troubles: list[str] = []
        self.page.on(
            "console", lambda message: self.troubles.append(f"{message.type}: {message.text}")
        )
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on(
            "dialog", lambda dialog: (self.troubles.append(dialog.message), dialog.dismiss())
        )
        self.page.on("request", lambda request: self._requested(request.url))
        self.page.goto(file.as_uri())

    def _requested(self, url: str) -> None:
        if not url.startswith("file:"):
            self.troubles.append(url)


@pytest.fixture
def visit(browser, site):
    """Open pages; in the end none may have complained, asked for anything, or run what a student
    wrote.
    """
    visits = []

    def open_page(path: str, lang: str = "es", **settings: object) -> Page:
        visits.append(Visit(browser, site / lang / path, **settings))
        return visits[-1].page

    yield open_page
    for each in visits:
        assert each.troubles == []
        each.context.close()


def names(page: Page) -> list[str]:
    """List the submissions that can be seen, from above."""
    return page.locator("#table tbody tr:visible th").all_inner_texts()


@every_page
@pytest.mark.parametrize(("lang", "scheme"), [("es", "light"), ("en", "dark")])
def test_a_page_has_no_serious_accessibility_problem(visit, path, lang, scheme):
    """By the rules of axe-core, with everything unfolded."""
    page = visit(path, lang, color_scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
    found = Axe().run(page).response
    serious = [each for each in found["violations"] if each["impact"] in ("serious", "critical")]
    assert [(each["id"], each["nodes"][0]["html"]) for each in serious] == []
    assert {"color-contrast", "document-title", "landmark-one-main"} <= {
        each["id"] for each in found["passes"]
    }


def test_what_students_wrote_did_not_run(visit, site):
    """Nor did it become an element; the title is still a title."""
    for path in (
        "index.html",
        *(f"feedback/{file.name}" for file in (site / "es/feedback").iterdir()),
    ):
        page = visit(path)
        assert page.evaluate("typeof hacked") == "undefined"
        assert page.locator("img, iframe, object").count() == 0


@every_page
def test_a_phone_needs_no_sideways_scrolling(visit, path):
    """At 360 pixels, unfolded."""
    page = visit(path, viewport={"width": 360, "height": 700})
    page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@every_page
def test_light_and_dark_are_different(visit, path):
    """Ink and paper change places."""
    light, dark = (visit(path, color_scheme=scheme).evaluate(BRIGHTNESS) for scheme in SCHEMES)
    assert light["backgroundColor"] > 600 > light["color"]
    assert dark["color"] > 600 > dark["backgroundColor"]


@pytest.mark.parametrize("key", ["click", "Enter", " "])
def test_the_table_is_sorted_by_its_headings(visit, key):
    """With the mouse and with the keyboard, up and down.

    Numbers as numbers, and the mark that is missing below 0.
    """
    page = visit("index.html")
    use = (lambda button: button.click()) if key == "click" else (lambda button: button.press(key))
    name, points, right, _ = page.locator("#table thead button").all()
    use(name)
    assert [each for each in names(page) if each.startswith("alumno")] == ["alumno 9", "alumno 10"]
    assert page.locator("#table th[aria-sort]").all_inner_texts() == [name.inner_text()]
    use(points)
    column = [
        text.replace(",", ".")
        for text in page.locator("#table tbody td:nth-child(2)").all_inner_texts()
    ]
    assert column[0] == "–"
    assert column[1:] == sorted(column[1:], key=float)
    assert points.locator("..").get_attribute("aria-sort") == "ascending"
    use(points)
    assert page.locator("#table tbody td:nth-child(2)").all_inner_texts()[0] == "1,00"
    assert points.locator("..").get_attribute("aria-sort") == "descending"
    use(right)
    assert page.locator("#table th[aria-sort]").all_inner_texts() == [right.inner_text()]


def test_a_class_of_180_begins_with_what_needs_a_person_and_its_students(browser, tmp_path):
    """The first of them after some pages at most, and no word of a status is broken on a screen of
    1200.
    """
    flag = replace(
        some.rule("calls.suspicious", 7, name="multiprocessing.shared_memory.SharedMemory"),
        cost="flag",
    )
    made = [some.with_everything(f"Estudiante {at}", "x") for at in range(100)]
    made += [some.not_run(f"Parado {at}") for at in range(30)]
    made += [
        some.submission(f"Señalada {at}", [some.function("accuracy", rules=[flag])])
        for at in range(50)
    ]
    whole = some.result(made)
    write_pages(whole, tmp_path, "es", some.noted(whole, "es", *["Se llama de otro modo."] * 60))
    visit = Visit(browser, tmp_path / "index.html", viewport={"width": 1200, "height": 900})
    first = visit.page.locator("#table tbody tr").first.bounding_box()
    assert first["y"] < 1400
    assert visit.page.locator("#table tbody tr").count() == 180
    assert max(visit.page.locator("#table tbody tr").evaluate_all(HEIGHTS)) < 80
    assert visit.page.locator("body").evaluate("each => each.scrollWidth") <= 1200
    visit.context.close()


def test_the_table_is_filtered(visit):
    """By a text without accents, by status and by function, together.

    And it says how many are seen.
    """
    page = visit("index.html")
    search, status, lost = page.locator("#filters input, #filters select").all()
    everybody = names(page)
    search.fill("nunez")
    assert names(page) == ["Ana Núñez"]
    assert page.locator("#shown").inner_text() == "Se ven 1 de 7"
    search.fill("")
    status.select_option("not_run")
    assert names(page) == ["parado"]
    status.select_option("flagged")
    assert names(page) == ["alumno 9", "Bea", "parado", "Zoe"]
    status.select_option("")
    lost.select_option("hold_out")
    assert names(page) == [
        *(each for each in everybody if "script" in each),
        "alumno 9",
        "Ana Núñez",
        "parado",
    ]
    status.select_option("grader_error")
    assert names(page) == []
    assert page.locator("#shown").inner_text() == "Ninguna entrega cumple los filtros."


def test_a_name_leads_to_the_page_of_the_student(visit):
    """From the table."""
    page = visit("index.html")
    page.locator("#table").get_by_role("link", name="Ana Núñez").click()
    assert page.locator("h1").inner_text() == "Ana Núñez"


def test_a_rule_leads_to_its_line_and_back(visit):
    """The line is marked, in sight, and its note leads to the function."""
    page = visit(STUDENT)
    page.locator("#f-accuracy .rules a").click()
    line = page.locator("#L6")
    assert page.url.endswith("#L6")
    assert line.evaluate(IN_SIGHT)
    assert "accuracy_score(targets, outputs)" in line.inner_text()
    line.get_by_role("link", name="accuracy").click()
    assert page.url.endswith("#f-accuracy")


def test_the_first_step_leads_to_its_function(visit):
    """With the keyboard: the first link jumps over what is the same everywhere, the next one is the
    step.
    """
    page = visit(STUDENT)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/*#f-accuracy")  # the browser reports a jump a moment later
    assert page.url.endswith("#f-accuracy")


def test_a_line_is_copied(visit):
    """To the clipboard, or selected where a viewer keeps the clipboard to itself."""
    page = visit(STUDENT)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    button = page.locator(".copy button").first
    button.click()
    page.wait_for_function(
        "document.querySelector('.copy button').textContent === 'Copiado' || String(getSelection())"
    )
    copied = page.evaluate("String(getSelection()) || navigator.clipboard.readText()")
    assert copied == "classify_outputs(np.array([0.5]))"


def test_paper_has_everything_and_nothing_to_click(visit):
    """What is folded is printed, on white, also from a dark screen."""
    for path in (STUDENT, "index.html"):
        page = visit(path, color_scheme="dark")
        page.emulate_media(media="print")
        assert page.locator(".copy button:visible, form:visible").count() == 0
        assert page.locator("thead th:visible").all_inner_texts()[0] in ("Función", "Entrega")
        assert (
            page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        )
        heights = page.locator("details > :not(summary)").evaluate_all(HEIGHTS)
        assert heights
        assert all(height > 0 for height in heights)
    assert page.pdf().startswith(b"%PDF")


def test_without_scripts_everything_can_be_read(visit):
    """And nothing is offered that would not work."""
    page = visit("index.html", java_script_enabled=False)
    assert len(names(page)) == 7
    assert page.locator("button:visible, form:visible").count() == 0
    page = visit(STUDENT, java_script_enabled=False)
    assert page.locator("button").count() == 0
    assert page.get_by_text("[False]").first.is_visible()
    page.locator("summary").first.click()
    assert page.locator("details[open] .check").count() == 2


def test_a_viewer_that_allows_nothing_shows_the_page(browser, site, tmp_path):
    """As a learning platform does: in a frame where neither scripts nor forms may run."""
    (tmp_path / "viewer.html").write_text(
        f'<iframe sandbox src="{(site / "es" / STUDENT).as_uri()}"></iframe>'
    )
    visit = Visit(browser, tmp_path / "viewer.html")
    frame = visit.page.frame_locator("iframe")
    frame.locator("h1").wait_for()
    assert frame.locator("h1").inner_text() == "Ana Núñez"
    assert frame.locator("button").count() == 0
    assert frame.locator("body").evaluate("body => getComputedStyle(body).maxWidth") != "none"
    visit.context.close()
