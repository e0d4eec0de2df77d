"""What the README and the guides show works as it is printed."""

import ast
import doctest
import os
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import practica
from practica.cli import main

ROOT = Path(__file__).parent.parent
GUIDES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in (
        ROOT / "README.md",
        *sorted(ROOT.glob("practica/**/README.md")),
        ROOT / "scripts/README.md",
        ROOT / "scripts/docs/index.md",
        ROOT / "scripts/docs/mark.md",
        ROOT / "scripts/docs/nota.md",
        ROOT / "enunciado/profesorado/guia.md",
        ROOT / "enunciado/profesorado/guide.en.md",
        ROOT / "enunciado/profesorado/inicio.md",
        ROOT / "enunciado/profesorado/quickstart.en.md",
    )
}
TEXT = "\n".join(GUIDES.values())
HELPS = {name: CliRunner().invoke(main, [name, "--help"]).output for name in main.commands}


def blocks_of(page: str, language: str) -> list[str]:
    """List the blocks of code of a page that are in a language."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", GUIDES[page], flags=re.MULTILINE | re.DOTALL)
    return [block for own, block in found if own == language]


def commands_of(page: str) -> list[str]:
    """List what a page tells to type."""
    lines = "".join(blocks_of(page, "console")).splitlines()
    return [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]


COMMANDS = sorted({command for page in GUIDES for command in commands_of(page)})
WITH_EXAMPLES = {
    "README.md": 7,
    "practica/README.md": 5,
    "practica/evaluation/README.md": 30,
    "scripts/docs/mark.md": 5,
    "scripts/docs/nota.md": 5,
}


@pytest.mark.parametrize("page", [page for page in GUIDES if ">>> " in GUIDES[page]])
def test_the_python_examples_print_what_the_page_says(page):
    """All blocks of a page are one session, in their order."""
    examples = "\n".join(blocks_of(page, "python"))
    session = doctest.DocTestParser().get_doctest(examples, {}, page, page, 0)
    assert len(session.examples) >= WITH_EXAMPLES[page]
    report: list[str] = []
    results = doctest.DocTestRunner().run(session, out=report.append)
    assert results.failed == 0, "".join(report)


def test_the_python_that_needs_a_cluster_is_python():
    """It is not run: its address is made up."""
    programs = [
        block for page in GUIDES for block in blocks_of(page, "python") if ">>> " not in block
    ]
    assert programs
    for program in programs:
        compile(program, "example", "exec")


@pytest.mark.parametrize("command", [line for line in COMMANDS if line.startswith("practica ")])
def test_the_commands_and_options_of_the_examples_exist(command):
    """As the help of the command line says."""
    name, *options = command.removeprefix("practica ").split()
    for option in options:
        if option.startswith("--"):
            assert re.search(rf"{option}\b", HELPS[name]), option


@pytest.mark.parametrize("option", sorted(set(re.findall(r"`(--[a-z-]+)", TEXT))))
def test_the_options_that_the_text_mentions_exist(option):
    """Of one of the commands."""
    assert any(re.search(rf"{option}\b", shown) for shown in HELPS.values())


@pytest.mark.parametrize("script", sorted(set(re.findall(r"scripts/(?!README)[\w.-]+\w", TEXT))))
def test_the_scripts_of_the_pages_exist_and_can_be_run(script):
    """Those in the examples and those in the text."""
    assert os.access(ROOT / script, os.X_OK)


def test_the_options_of_scripts_exist():
    """Of those in Python, which say in their own source what they take.

    The others pass theirs on.
    """
    mentioned = re.findall(r"(scripts/\w+\.py) (--[a-z-]+)", TEXT)
    assert mentioned
    assert [
        each
        for each in mentioned
        if f'"{each[1]}"' not in (ROOT / each[0]).read_text(encoding="utf-8")
    ] == []


def test_every_command_of_the_examples_is_known():
    """So that none escapes the tests above."""
    known = re.compile(
        rf"(practica ({'|'.join(main.commands)}) ?.*|scripts/[\w.-]+.*|source \.venv/bin/activate"
        r"|cd [\w/]+)"
    )
    assert [command for command in COMMANDS if not known.fullmatch(command)] == []


def test_the_guide_of_the_package_names_every_package_and_no_other():
    """In the table; their modules stand in their docstrings."""
    table = GUIDES["practica/README.md"].partition("## The packages\n")[2].partition("\n## ")[0]
    here = Path(practica.__file__).parent
    packages = {
        ".".join(path.parent.relative_to(here).parts)
        for pattern in ("*/__init__.py", "grading/*/__init__.py")
        for path in here.glob(pattern)
    }
    named = set(re.findall(r"^\| `([\w.]+)` \|", table, flags=re.MULTILINE))
    assert named == packages - {"grading"}


def test_the_places_that_the_guide_of_the_package_names_exist():
    """Files and folders with a slash, seen from the package or from the wing that marks."""
    places = re.findall(r"`((?:\w+/)+(?:\w+\.\w+)?)`", GUIDES["practica/README.md"])
    assert len(places) > 5
    assert [
        place
        for place in places
        if not any(
            (root / place).exists() for root in (ROOT / "practica", ROOT / "practica/grading", ROOT)
        )
    ] == []


def test_a_word_of_the_glossary_is_one_class():
    """It stands where the glossary says, and no other class has its name."""
    words = re.findall(
        r"^\| [\w-]+ \| `(\w+)`, `([\w/.]+)` \| \w", GUIDES["practica/README.md"], re.M
    )
    assert len(words) == 10
    classes = [
        (node.name, path.relative_to(ROOT / "practica/grading").as_posix())
        for path in (ROOT / "practica/grading").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    ]
    names = {name for name, _ in words}
    assert sorted(each for each in classes if each[0] in names) == sorted(words)


def test_the_files_to_read_first_have_their_lines():
    """Each line of the seven defines the name that stands before it."""
    places = re.findall(
        r"\[`(\w+)`, `([\w/.]+):(\d+)`\]\(([\w/.]+)#L(\d+)\)", GUIDES["practica/README.md"]
    )
    assert len(places) == 7
    for name, path, number, *target in places:
        lines = (ROOT / "practica" / path).read_text(encoding="utf-8").splitlines()
        there = [
            str(place)
            for place, line in enumerate(lines, 1)
            if re.match(rf"\s*(def|class) {name}\b", line)
        ]
        assert ([number], [path, number]) == (there, target)


def test_the_guide_of_the_scripts_has_a_line_for_each():
    """And for no script that is gone."""
    listed = re.findall(r"^\| `([\w.-]+)` \|", GUIDES["scripts/README.md"], flags=re.MULTILINE)
    files = (
        path.name
        for path in (ROOT / "scripts").iterdir()
        if path.is_file() and path.suffix != ".md"
    )
    assert sorted(listed) == sorted(files)


@pytest.mark.parametrize(
    "both",
    [
        ("enunciado/profesorado/guia.md", "enunciado/profesorado/guide.en.md"),
        ("enunciado/profesorado/inicio.md", "enunciado/profesorado/quickstart.en.md"),
        ("scripts/docs/nota.md", "scripts/docs/mark.md"),
    ],
)
def test_the_guides_of_instructors_are_in_step(both):
    """The same chapters and the same commands, but for the language of the sentences."""
    spanish, english = (re.findall(r"^(#+) ", GUIDES[page], flags=re.MULTILINE) for page in both)
    assert spanish == english
    spanish, english = (
        [command.replace(" --lang en", "") for command in commands_of(page)] for page in both
    )
    assert spanish == english


def test_the_tests_that_the_guides_name_are_there():
    """The same in both languages."""
    pages = ("enunciado/profesorado/guia.md", "enunciado/profesorado/guide.en.md")
    spanish, english = ({*re.findall(r"`(test_\w+\.py)`", GUIDES[page])} for page in pages)
    assert spanish == english
    assert spanish <= {path.name for path in (ROOT / "tests").rglob("test_*.py")}
    assert len(spanish) >= 8


def anchors(text: str) -> set[str]:
    """List what GitHub makes of the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", GUIDES)
def test_the_links_inside_the_repository_lead_somewhere(page):
    """Those to files and to their headings; the others need a network."""
    for target in re.findall(r"\]\(([^)]+)\)", GUIDES[page]):
        if not target.startswith("https://"):
            path, _, anchor = target.partition("#")
            file = (ROOT / page).parent / path if path else ROOT / page
            assert file.exists(), target
            is_code = file.suffix == ".py"  # its lines have a test of their own
            assert not anchor or is_code or anchor in anchors(file.read_text(encoding="utf-8")), (
                target
            )
