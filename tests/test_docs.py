"""The documents and the API reference that `scripts/build_docs` makes."""

import re
import subprocess
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest

import practica
from practica import evaluation

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build them, without the pictures of the tour."""
    folder = tmp_path_factory.mktemp("docs")
    command = [ROOT / "scripts/build_docs", folder, "--no-pictures"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stderr == ""
    return folder


@pytest.mark.slow
def test_every_public_name_has_its_place_in_the_reference(built):
    """Those that are imported when they are first used, too."""
    for package, page in ((practica, "practica.html"), (evaluation, "practica/evaluation.html")):
        text = (built / "api" / page).read_text(encoding="utf-8")
        assert [name for name in package.__all__ if f'id="{name}"' not in text] == []


@pytest.mark.slow
def test_every_link_of_the_documents_leads_somewhere(built):
    """To a file, and to a heading of it; the pictures of the tour are drawn for a release."""
    pages = [page for page in built.rglob("*.html") if "api" not in page.relative_to(built).parts]
    texts = {page.resolve(): page.read_text(encoding="utf-8") for page in pages}
    lost, tried = [], 0
    for page, text in texts.items():
        for link in re.findall(r'(?:href|src)="(?!\w+:|tour/)([^"]*)"', text):
            path, _, place = unquote(unescape(link)).partition("#")
            target = (page.parent / path).resolve() if path else page
            tried += 1
            if not target.is_file() or (
                place and target in texts and f'id="{place}"' not in texts[target]
            ):
                lost.append((page.name, link))
    assert lost == []
    assert tried > 100


def test_readme_cites_the_version_and_the_day_of_the_changelog():
    """A release has one of each."""
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    version, date = re.search(r"^## ([\d.]+) \((\S+)\)$", changes, flags=re.MULTILINE).groups()
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert version == practica.__version__
    assert f"version: {version}\ndate-released: {date}\n" in readme
