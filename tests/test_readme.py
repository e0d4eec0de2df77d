"""What the README shows works as it is printed."""

import doctest
import os
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from practica.cli import main

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)
COMMANDS = [
    line.removeprefix("$ ")
    for language, block in BLOCKS
    if language == "console"
    for line in block.splitlines()
    if line.startswith("$ ")
]


def test_the_python_examples_print_what_the_readme_says():
    """All blocks are one session, in the order of the page."""
    examples = "\n".join(block for language, block in BLOCKS if language == "python")
    session = doctest.DocTestParser().get_doctest(examples, {}, "README.md", "README.md", 0)
    assert len(session.examples) > 20
    report: list[str] = []
    results = doctest.DocTestRunner().run(session, out=report.append)
    assert results.failed == 0, "".join(report)


@pytest.mark.parametrize("command", sorted({line for line in COMMANDS if line.startswith("practica ")}))
def test_the_commands_and_options_of_the_readme_exist(command):
    """As the help of the command line says."""
    name, *options = command.removeprefix("practica ").split()
    done = CliRunner().invoke(main, [name, "--help"])
    assert done.exit_code == 0
    for option in options:
        if option.startswith("--"):
            assert re.search(rf"{option}\b", done.output), option


@pytest.mark.parametrize("option", sorted(set(re.findall(r"`(--[a-z-]+)", README))))
def test_the_options_that_the_text_mentions_exist(option):
    """Of one of the commands."""
    helps = [CliRunner().invoke(main, [name, "--help"]).output for name in main.commands]
    assert any(re.search(rf"{option}\b", shown) for shown in helps)


@pytest.mark.parametrize("script", sorted(set(re.findall(r"scripts/[\w.]+\w", README))))
def test_the_scripts_of_the_readme_exist_and_can_be_run(script):
    """Those in the examples and those in the text."""
    assert os.access(ROOT / script, os.X_OK)


def test_every_command_of_the_examples_is_known():
    """So that none escapes the tests above."""
    known = re.compile(rf"(practica ({'|'.join(main.commands)}) ?.*|scripts/\w+|source \.venv/bin/activate)")
    assert [command for command in COMMANDS if not known.fullmatch(command)] == []


def test_the_table_of_contents_names_files_that_exist_and_forgets_no_module():
    """With two spaces for each folder a file lies in."""
    contents = next(block for language, block in BLOCKS if language == "" and block.startswith("practica/"))
    folders: list[str] = []
    listed = set()
    for line in contents.splitlines():
        indent, name = re.match(r"( *)(\S+)", line).groups()
        folders[len(indent) // 2 :] = [name]
        path = "".join(folders)
        assert (ROOT / path).exists(), path
        listed.add(path)
    files = [path for folder in ("practica", "practica/reference") for path in (ROOT / folder).glob("*.py")]
    modules = {path.relative_to(ROOT).as_posix() for path in files if not path.name.startswith("__")}
    assert modules - listed == set()


def test_the_links_inside_the_repository_lead_somewhere():
    """Those to files; the others need a network."""
    for target in re.findall(r"\]\(([^)]+)\)", README):
        assert target.startswith("https://") or (ROOT / target).exists(), target
