"""The pages as text: nothing of a student's acts, every link leads somewhere, and what matters
comes first.
"""

import base64
import hashlib
import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import marked_class as some
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from moodle_files import result, submission

from practica.grading.engine.grade import grade_submission
from practica.grading.engine.result import (
    Class,
    Diagnosis,
    Entry,
    Incident,
    Mistake,
    canonical_result,
    text_of,
)
from practica.grading.engine.rubric import load_rubric
from practica.grading.engine.source import parse
from practica.grading.inside.loading import decode, lines_of
from practica.grading.report.messages import LANGUAGES, catalogue, principle, say
from practica.grading.report.pages import feedback_page, index_page, page_paths, write_pages
from practica.grading.sandbox.client import ProcessSolution
from practica.json_data import visible

TAGS = {
    *(
        "html",
        "head",
        "meta",
        "title",
        "style",
        "script",
        "body",
        "header",
        "main",
        "footer",
        "section",
        "article",
    ),
    *(
        "h1",
        "h2",
        "h3",
        "p",
        "a",
        "strong",
        "span",
        "small",
        "ol",
        "ul",
        "li",
        "dl",
        "div",
        "dt",
        "dd",
        "code",
        "wbr",
    ),
    *(
        "table",
        "thead",
        "tbody",
        "tfoot",
        "tr",
        "th",
        "td",
        "details",
        "summary",
        "form",
        "label",
        "input",
        "select",
    ),
    *("option", "svg", "path", "g", "rect", "text"),
}
NO_END = {"meta", "wbr", "input"}
PIECES = [
    *(
        "<script>hacked()</script>",
        "</script>",
        "</style>",
        "<img src=x onerror=hacked()>",
        "'\"><b>",
        "<!--",
        "]]>",
    ),
    *(
        "{{ 7 * 7 }}",
        "{% raw %}",
        "&lt;",
        "\u202e",
        "\x00",
        "\x1b[31m",
        "\ud800",
        "\u200b",
        "línea 3",
        "accuracy(",
    ),
    *("javascript:hacked()", "línea 99999999999", "\r\n", "\t", "ñ", "(línea 1, 2)"),
]
ANYTHING = st.lists(st.sampled_from(PIECES) | st.text(max_size=9), max_size=6).map("".join)


class Page(HTMLParser):
    """A page taken apart: its elements, its ids, its links, and the text that can be read."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open, self.elements, self.ids, self.links, self.texts = [], [], [], [], []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attributes):
        """Open an element."""
        attributes = dict(attributes)
        self.elements.append((tag, attributes))
        self.ids += [attributes["id"]] if "id" in attributes else []
        self.links += [attributes["href"]] if "href" in attributes else []
        if tag not in NO_END:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        """Note an element without content."""
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        """Close the element that is open."""
        assert self.open.pop() == tag

    def handle_data(self, data):
        """Note a text."""
        self.texts.append((self.open[-1] if self.open else "", data))

    def inside(self, *tags: str) -> list[str]:
        """List the texts directly inside some elements."""
        return [data for tag, data in self.texts if tag in tags]

    @property
    def text(self) -> str:
        """What can be read of it."""
        return "".join(data for tag, data in self.texts if tag not in ("style", "script"))


def pages_of(said: str, lang: str = "es") -> list[str]:
    """Return all pages of a class in which students say something, wherever they can."""
    bad, stopped = some.with_everything(said, said), some.not_run(f"{said}2", said)
    whole = some.result(
        [bad, stopped, some.grader_error("c"), some.all_right("d")], similar=[(said, "d", 0.5)]
    )
    paths = page_paths(each.id for each in whole.submissions)
    index = index_page(whole, lang, some.noted(whole, lang, f"Aviso: {said}"), paths)
    return [
        index,
        *(feedback_page(replace(each, source=said), whole, lang) for each in whole.submissions),
    ]


def harmless(html: str) -> None:
    """Assert that a page does what ours do and nothing else."""
    page = Page(html)
    assert page.open == []
    assert {tag for tag, _ in page.elements} <= TAGS
    assert [tag for tag, _ in page.elements].count("script") == 1
    for tag, attributes in page.elements:
        assert not any(
            name.startswith("on") or name in ("style", "src", "action") for name in attributes
        ), tag
    assert all(link.startswith(("#", "feedback/")) for link in page.links)
    assert all(character.isprintable() or character in "\n\t" for character in html)


@pytest.mark.slow
@given(ANYTHING)
@example("".join(PIECES))
@settings(max_examples=40)
def test_what_students_write_is_shown_and_does_nothing(said):
    """Names, files, reasons, messages, counterexamples and exceptions: as text, whatever they
    are.
    """
    index, feedback, *others = pages_of(said)
    for html in (index, feedback, *others):
        harmless(html)
    assert f"Aviso: {visible(said)}" in Page(index).inside("li")
    assert f"ValueError: {visible(said)}" in Page(feedback).inside("code")
    assert f"i = 0\n{visible(said)}" in Page(feedback).inside("code")


@given(st.binary(max_size=300) | ANYTHING.map(lambda text: text.encode(errors="replace")))
@example(b"\xef\xbb\xbfa = 1\r\nb = 2\rc = 3\n")
@example("# -*- coding: latin-1 -*-\n# año".encode("latin-1"))
@example("año".encode("utf-16"))
@example(b"# coding: no-such\n\x00")
def test_the_source_is_shown_line_by_line(source):
    """In the encoding that Python reads it in; what cannot be seen is written out."""
    html = feedback_page(replace(some.all_right("a"), source=text_of(source)), some.result([]))
    harmless(html)
    shown = re.findall(r'<li id="L(\d+)"><code>(.*?)</code>', html, flags=re.DOTALL)
    assert [int(number) for number, _ in shown] == list(range(1, len(shown) + 1))
    assert [Page(code).text for _, code in shown] == [
        visible(line) for line in lines_of(text_of(source))
    ]


def test_a_long_line_and_a_long_file_are_cut():
    """And the page says so."""
    source = "x = '" + "a" * 6_000 + "'\n" + "pass\n" * 5_100
    html = feedback_page(replace(some.all_right("a"), source=source), some.result([]))
    text = Page(html).text
    assert "… y 1006 caracteres más" in text
    assert "Siguen 101 líneas que no se muestran." in text
    assert 'id="L5000"' in html
    assert 'id="L5001"' not in html


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_link_leads_somewhere(lang, tmp_path):
    """Inside a page to one id, and from the page of the class to the files beside it."""
    ids = ["Ana Núñez", "a/b", "..", "?", some.HOSTILE]
    whole = some.result(
        [
            *(some.with_everything(each) for each in ids),
            some.not_run("parado"),
            some.grader_error("e"),
        ]
    )
    write_pages(whole, tmp_path / "notas", lang)
    files = sorted(tmp_path.rglob("*.html"))
    assert len(files) == len(whole.submissions) + 1
    for file in files:
        page = Page(file.read_text(encoding="utf-8"))
        assert len(page.ids) == len(set(page.ids))
        for link in page.links:
            assert (
                link[1:] in page.ids
                if link.startswith("#")
                else (file.parent / unquote(link)).is_file()
            )
    index = Page((tmp_path / "notas" / "index.html").read_text(encoding="utf-8"))
    names = {file.relative_to(tmp_path / "notas").as_posix() for file in files}
    assert names - {"index.html"} <= {unquote(link) for link in index.links}


@given(
    st.lists(
        ANYTHING | st.sampled_from(["", ".", "con", "NUL.py", "A", "a", "a-2", "ñ" * 200]),
        unique=True,
    )
)
def test_every_submission_has_a_file_of_its_own_inside_the_folder(identifiers):
    """Whatever they are called, and on systems that do not tell capital letters apart."""
    paths = page_paths(identifiers)
    assert list(paths) == identifiers
    assert len({path.casefold() for path in paths.values()}) == len(identifiers)
    for path in paths.values():
        folder, name = path.split("/")
        assert folder == "feedback"
        assert name.isprintable()
        assert not set(name) & set('<>:"\\|?*')
        assert not name.startswith((".", " "))
        assert len(name.encode()) < 200
        assert not re.fullmatch(r"(con|nul)(\..*)?\.html", name, re.IGNORECASE)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_only_the_own_style_and_script_are_allowed(lang):
    """The policy has their hashes, and a page asks for nothing from elsewhere."""
    for html in pages_of("x", lang):
        page = Page(html)
        policies = [
            each["content"]
            for _, each in page.elements
            if each.get("http-equiv") == "Content-Security-Policy"
        ]
        assert len(policies) == 1
        for tag in ("style", "script"):
            digest = base64.b64encode(
                hashlib.sha256("".join(page.inside(tag)).encode()).digest()
            ).decode()
            assert f"{tag}-src 'sha256-{digest}'" in policies[0]
        assert "default-src 'none'" in policies[0]
        assert not re.search(r"https?:|url\(|@import", html)


@pytest.mark.parametrize(
    ("lang", "mark", "heading"),
    [("es", "0,25", "Qué hacer ahora"), ("en", "0.25", "What to do next")],
)
def test_a_page_is_in_its_language(lang, mark, heading):
    """Its words, its numbers, and what it tells a screen reader."""
    one = some.submission("a", [some.function("accuracy"), some.function("hold_out", "missing")])
    page = Page(feedback_page(one, some.result([]), lang))
    assert ("html", {"lang": lang}) in page.elements
    assert page.inside("strong") == [mark]
    assert heading in page.inside("h2")


@pytest.mark.parametrize("page", ["feedback", "index"])
def test_another_language_is_refused(page):
    """With those that there are."""
    whole = some.result([some.all_right("a")])
    with pytest.raises(ValueError, match="lang='gl': there are pages in es, en"):
        (
            index_page(whole, "gl")
            if page == "index"
            else feedback_page(whole.submissions[0], whole, "gl")
        )


def steps_of(submission) -> list[str]:
    """Return the sentences of what to do next."""
    html = feedback_page(submission, some.result([]))
    (section,) = re.findall(r'<section class="next".*?</section>', html, flags=re.DOTALL)
    return [
        " ".join(Page(item).text.split())
        for item in re.findall(r"<li>(.*?)</li>", section, flags=re.DOTALL)
    ]


def test_what_is_nearest_to_its_points_comes_first():
    """Written functions by the points at stake and the checks that pass.

    Then what to write, even if much is wrong.
    """
    right, wrong = some.check("x"), some.check("y", "fail", "Falla.")
    functions = [
        some.function("far", "fail", most=0.3, checks=[right, wrong, wrong, wrong]),
        some.function("near", "fail", most=0.3, checks=[right, right, right, wrong]),
        some.function("cheap", "fail", most=0.01, checks=[right, right, right, wrong]),
        some.function(
            "ready",
            "rule",
            most=0.3,
            checks=[right],
            rules=[some.rule("calls.forbidden", name="x")],
        ),
        some.function("absent", "missing"),
        some.function("done"),
    ]
    steps = steps_of(some.submission("a", functions))
    assert [re.search(r"(ready|near|absent|far|cheap|done)", step)[0] for step in steps] == [
        "ready",
        "near",
        "absent",
    ]
    assert steps[0] == "Quita de ready lo que no se permite: lo demás ya pasa. " + say(
        "calls.forbidden", {"name": "x"}
    )
    assert "pasa 3 de sus 4 pruebas" in steps[1]


@pytest.mark.parametrize(
    ("submission", "step"),
    [
        (some.all_right("a"), say("page.next.nothing")),
        (some.not_run("a"), say("page.next.run")),
        (some.grader_error("a"), say("page.next.wait")),
    ],
    ids=["all right", "not run", "grader error"],
)
def test_where_there_is_one_thing_to_do_it_is_the_only_one(submission, step):
    """Nothing, make the file run, or wait."""
    (only,) = steps_of(submission)
    assert only.startswith(step)


def test_the_lines_that_are_talked_about_are_marked():
    """Those of rules, of errors, of advice for the whole file, and the heads of functions that
    fail.
    """
    html = feedback_page(some.with_everything("a", "x"), some.result([]))
    marked = dict(re.findall(r'<li id="L(\d+)" class="marked">(.*?)</li>', html, flags=re.DOTALL))
    assert set(marked) == {"1", "6", "9", "10", "13"}
    assert "accuracy: Necesita sklearn" in Page(marked["6"]).text
    assert "hold_out: aquí se produce el error" in Page(marked["10"]).text
    assert "classify_outputs: pasa 1 de 2 pruebas." in Page(marked["13"]).text


def test_what_several_checks_say_is_told_once():
    """With the ids of the others; all of them count."""
    facts = {"call": "accuracy(x)", "obtained": "None"}
    same = [
        some.check(f"accuracy.{topic}", "fail", "form.nothing", facts)
        for topic in ("one", "two", "three")
    ]
    other = some.check(
        "accuracy.bool.vector", "fail", "accuracy.bool.vector", {**facts, "expected": "1"}
    )
    html = feedback_page(
        some.submission("a", [some.function("accuracy", "fail", checks=[*same, other])]),
        some.result([]),
    )
    assert html.count('<section class="check fail">') == 2
    assert say("others.again", {"ids": ["accuracy.two", "accuracy.three"]}) in html
    assert "pasa 0 de sus 4 pruebas" in html


def test_a_rule_of_the_whole_file_is_told_once_and_what_it_costs_stays_with_the_function():
    """An advice for every function, and one that breaks it."""
    advice = some.rule("imports.practica", 1, "advice", name="practica")
    functions = [
        some.function("accuracy", "rule", rules=[replace(advice, severity="broken")]),
        *(some.function(name, rules=[advice]) for name in ("hold_out", "crossvalidation")),
    ]
    html = feedback_page(some.submission("a", functions), some.result([]))
    everywhere, articles = html.index('id="everywhere"'), html.index('id="articles"')
    assert html.count('<li class="advice">') == html.count('<li class="broken">') == 1
    assert (
        everywhere
        < html.index('<li class="advice">')
        < articles
        < html.index('<li class="broken">')
    )


def test_an_advice_for_a_right_function_is_not_among_what_is_wrong():
    """It has a place of its own; a right function without advice needs none."""
    advice = some.rule("loops.hidden", 2, "advice", names="map", lines=[2])
    functions = [
        some.function("accuracy", rules=[advice]),
        some.function("hold_out"),
        some.function(
            "crossvalidation", "fail", checks=[some.check("crossvalidation.x", "fail", "Falla.")]
        ),
    ]
    html = feedback_page(some.submission("a", functions), some.result([]))
    places = [html.index(f'<{tag} id="{id}"') for tag, id in [("h2", "articles"), ("h2", "better")]]
    wrong, right = (
        html.index('<article id="f-crossvalidation"'),
        html.index('<article id="f-accuracy"'),
    )
    assert places[0] < wrong < places[1] < right
    assert html.count("<article") == 2


@pytest.mark.parametrize(("sandbox", "warns"), [("full", False), ("reduced", True), ("none", True)])
def test_the_page_of_the_class_says_how_the_code_ran(sandbox, warns):
    """And shows it as a warning where it was not quite isolated; to students it is nothing."""
    whole = some.result([some.all_right("a")], sandbox)
    html, student = index_page(whole), feedback_page(whole.submissions[0], whole)
    assert say(f"sandbox.{sandbox}") in html
    assert ('class="warning"' in html) == warns
    assert say(f"sandbox.{sandbox}") not in student
    assert 'class="warning"' not in student


def test_what_needs_a_person_comes_first_kind_by_kind():
    """The grader's own errors, then what could not be run, then what it is good to know.

    Before any mark.
    """
    whole = some.result(
        [
            some.all_right("a"),
            *map(some.not_run, "bc"),
            some.grader_error("d"),
            some.grader_error("e"),
        ]
    )
    html = index_page(
        whole, "es", some.noted(whole, "es", "El fichero de Ana se llama ana.py.")
    ).partition('id="marks"')[0]
    kinds = [
        Page(each).text
        for each in re.findall(r'<details class="kind[^>]*><summary>(.*?)</summary>', html)
    ]
    assert kinds == [
        "Sin nota, porque ha fallado el corrector (2)",
        "No se pueden ejecutar (2)",
        "Conviene saberlo (1)",
    ]
    items = re.findall(r"<li[^>]*>(.*?)</li>", html, flags=re.DOTALL)
    told = [" ".join(Page(item).text.split()) for item in items]
    assert told[0].startswith("d El corrector ha fallado")
    assert (
        told[2]
        == "b No se ha podido ejecutar: línea 2: Python no puede leer el fichero: invalid syntax."
        " def f(:"
    )
    assert told[4] == "El fichero de Ana se llama ana.py."
    assert len(told) == 5


def test_a_student_is_greeted_by_name():
    """And is called so on the page of the class, which lists everybody who handed in."""
    whole = some.result([some.all_right("ana-12"), some.all_right("luis")])
    entries = (Entry("ana-12", "Ana Núñez", 12, sha256="0123456789abcdef" * 4), Entry("eva", "Eva"))
    whole = replace(
        whole, class_=replace(whole.class_, entries=(*entries, *whole.class_.entries[1:]))
    )
    assert "<h1>Ana Núñez</h1>" in feedback_page(whole.submissions[0], whole)
    table = index_page(whole).partition('id="students"')[2]
    assert [
        Page(each).text.split()[:2] for each in re.findall(r'<th scope="row">(.*?)</th>', table)[:3]
    ] == [
        ["Ana", "Núñez"],
        ["Eva", "eva"],
        ["luis"],
    ]
    assert "3 entregas: 2 con nota, 1 sin nota" in index_page(whole)


def test_a_class_without_trouble_says_so():
    """It has no exceptions, and nothing fails."""
    text = Page(index_page(some.result([some.all_right("a")]))).text
    assert say("page.class.no_exceptions") in text
    assert say("page.class.no_worst") in text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_empty_class_has_a_page(lang):
    """Without figures of nothing."""
    html = index_page(some.result([]), lang)
    harmless(html)
    assert 'class="histogram"' not in html


def test_what_fails_most_is_counted_by_people():
    """Each once for a check or rule.

    What nobody wrote does not fail, and in a file that did not run nothing does.
    """
    whole = some.result(
        [some.with_everything("a", ""), some.with_everything("b", "y"), some.not_run("c")]
    )
    table = index_page(whole).partition('id="worst"')[2].partition("</section>")[0]
    rows = re.findall(
        r'<td class="number count">(\d+)</td>.*?<p class="id">(.*?)</p>(.*?)</tr>', table, re.DOTALL
    )
    assert {identifier: int(count) for count, identifier, _ in rows} == {
        **dict.fromkeys(["classify_outputs.vector", "accuracy · calls.forbidden"], 2),
        **{f"hold_out.{topic}": 2 for topic in ("two", "three", "random", "sizes", "long")},
    }
    assert all(re.findall(r"<li>(.)</li>", who) == ["a", "b"] for _, _, who in rows)
    assert "Las salidas mayores o iguales que el umbral, 0.5 por defecto, son True<" in table
    assert (
        "Necesita sklearn.metrics.accuracy_score, que ya es lo que se pide programar y no funciona"
        " donde se corrige.<" in table
    )


def diagnosed(identifier, how, *mistakes):
    """Make a submission whose only function fails, with a diagnosis."""
    failing = some.function(
        "classify_outputs", "fail", checks=[some.check("classify_outputs.vector", "fail")]
    )
    told = tuple(Mistake(each, {"function": "classify_outputs"}) for each in mistakes)
    return some.submission(identifier, [replace(failing, diagnosis=Diagnosis(how, told))])


def test_known_mistakes_are_counted_by_people():
    """Those that are sure: of one of two nobody knows."""
    whole = some.result(
        [
            diagnosed("a", "one", "classify.strict"),
            diagnosed("b", "both", "classify.ties", "classify.strict"),
            diagnosed("c", "either", "classify.ties", "classify.rounded"),
        ]
    )
    table = index_page(whole).partition('id="mistakes"')[2].partition("</section>")[0]
    rows = re.findall(
        r'<td class="number count">(\d+)</td>.*?<p class="id">(.*?)</p>(.*?)</tr>', table, re.DOTALL
    )
    assert [
        (int(count), identifier, re.findall(r"<li>(.)</li>", who))
        for count, identifier, who in rows
    ] == [
        (2, "classify_outputs · classify.strict", ["a", "b"]),
        (1, "classify_outputs · classify.ties", ["b"]),
    ]


@given(st.lists(st.integers(0, 100), min_size=1, max_size=30))
@settings(max_examples=20)
def test_the_histogram_counts_every_mark_once(marks):
    """The bars add up to the marks, and the best one is in the last bar."""
    submissions = [
        some.submission(str(who), [some.function("f", points=mark / 100, most=1.0)])
        for who, mark in enumerate(marks)
    ]
    html = index_page(some.result(submissions))
    bars = [int(count) for count in re.findall(r"<title>de [\d,]+ a [\d,]+: (\d+)</title>", html)]
    assert bars == [sum(min(mark // 10, 9) == place for mark in marks) for place in range(10)]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_check_has_a_principle(lang):
    """The part of its sentence that is true of everybody says something, and has no place to
    fill.
    """
    checks = [
        identifier
        for identifier in catalogue(lang)
        if identifier.startswith(("accuracy.", "hold_out.", "ann_"))
    ]
    assert len(checks) > 20
    for identifier in checks:
        assert not set(principle(identifier, lang)) & set("{}")
        assert len(principle(identifier, lang)) > 15, identifier


def test_a_page_that_cannot_be_written_is_one_sentence(tmp_path):
    """And the pages before it stay whole."""
    (tmp_path / "index.html").mkdir()
    with pytest.raises(ValueError, match=r"index\.html cannot be written"):
        write_pages(some.result([some.all_right("a")]), tmp_path)
    assert [path.name for path in (tmp_path / "feedback").iterdir()] == ["a.html"]


@pytest.mark.slow
def test_a_hostile_file_becomes_a_page(sandbox, tmp_path):
    """From the sandbox to the page: what its functions say when they fail is text."""
    with ProcessSolution(some.SOURCE, sandbox) as solution:
        one = grade_submission(
            some.SOURCE, solution, load_rubric(), identifier="<b>", file="<b>.py"
        )
    whole = canonical_result([replace(one, source=some.TEXT)], load_rubric(), sandbox.level)
    write_pages(whole, tmp_path, "en")
    feedback, index = (tmp_path / name for name in ("feedback/_b_.html", "index.html"))
    for file in (feedback, index):
        harmless(file.read_text(encoding="utf-8"))
    text = Page(feedback.read_text(encoding="utf-8")).text
    assert "ValueError: </pre><script>hacked = true</script>" in text
    assert "sklearn.metrics.accuracy_score" in text.partition("Your code")[0]


def test_the_sample_class_has_what_a_demonstration_needs(tmp_path):
    """Eight different files, of which one cannot be read."""
    script = Path(__file__).parents[3] / "scripts" / "sample_class.py"
    subprocess.run([sys.executable, script, tmp_path], check=True)
    files = {file.stem: file.read_bytes() for file in tmp_path.iterdir()}
    assert len(set(files.values())) == 8
    assert [
        name for name, source in files.items() if isinstance(parse(decode(source)[0]), SyntaxError)
    ] == ["Gala Rey"]


@pytest.mark.thorough
def test_a_source_that_is_dear_to_show_is_cut():
    """Each character that cannot be seen is written out; the rest of the lines is counted."""
    page = feedback_page(
        replace(some.all_right("a"), source=("a\x01" * 480 + "\n") * 5000), some.result([])
    )
    assert page.count('<li id="L') == 520
    assert str(5000 - 520) in page


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("code", ["file.several", "file.template", "file.empty"])
def test_a_student_reads_first_which_file_was_marked(code, lang):
    """Where there were several, or nothing is written in it.

    What concerns another student is not there.
    """
    facts = {"name": "Ana", "file": "uno.py", "others": "dos.py", "files": "dos.py, uno.py"}
    own = Incident(code, facts, "ana-12")
    other = Incident(code, {**facts, "file": "tres.py"}, "bea-13")
    page = feedback_page(submission(), replace(result(), class_=Class((), (own, other))), lang)
    said = say(f"page.{code}", facts, lang)
    assert page.index(said) < page.index('id="next"')
    assert "tres.py" not in page
