"""The English of docstrings, comments and messages: words that the style page replaces stay out.

`CLEAN` lists the packages that have been rewritten; it grows until it is the whole project. The catalogues, the
statement and the guides are checked wherever they are.
"""

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CLEAN = (
    *(
        "practica/__init__.py",
        "practica/console.py",
        "practica/files.py",
        "practica/json_data.py",
        "practica/notebook.py",
    ),
    *("practica/classroom", "practica/cli", "practica/engine", "practica/evaluation", "practica/experiments"),
    *("practica/inside", "practica/reference", "practica/report", "practica/sandbox", "practica/student"),
    *("practica/evaluation/README.md", "scripts", "scripts/README.md"),
)

# What each of them usually stands for is in the second column.
INSTEAD = {
    r"tell|tells|told|telling": "report, print, show, distinguish",
    r"ask|asks|asked|asking": "call, request, require",
    r"noted": "stored, recorded",
    r"nobody|somebody|anybody|whoever|whomever": "the actor, as a noun",
    r"whose": "its, of the, with",
    r"no one|some one": "the actor, as a noun",
    r"goes to a person|goes to nobody": "is flagged for review, is not flagged",
}
WORDS = re.compile(rf"\b(?:{'|'.join(INSTEAD)})\b", flags=re.IGNORECASE)
BEGINNINGS = re.compile(r"(?:Tell|Say|Whose|Whether|Why) ")  # of a function's docstring: an imperative is wanted
IDS = re.compile(r"[\w.:/\[\]{}-]+")  # a text of one piece is a name, a key or an id: no English

paths = [
    path for clean in CLEAN for path in ([ROOT / clean] if Path(clean).suffix else sorted((ROOT / clean).rglob("*.py")))
]
paths += [*sorted((ROOT / "practica").rglob("*.en.toml")), *sorted((ROOT / "enunciado").rglob("*.en.md"))]


def english_of(source: str) -> list[tuple[int, str]]:
    """Return comments, docstrings and other texts of a source with their lines; code in backticks is left out."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    found = [(token.start[0], token.string) for token in tokens if token.type == tokenize.COMMENT]
    texts = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
    found += [
        (node.lineno, node.value) for node in texts if isinstance(node.value, str) and not IDS.fullmatch(node.value)
    ]
    return [(line, re.sub(r"`[^`\n]*`", "", text)) for line, text in found]


def prose_of(page: str) -> list[tuple[int, str]]:
    """Return the lines of a page in Markdown outside of code."""
    fences = [line.startswith("```") for line in page.splitlines()]
    return [
        (line, re.sub(r"`[^`\n]*`", "", text))
        for line, text in enumerate(page.splitlines(), start=1)
        if sum(fences[:line]) % 2 == 0
    ]


def sentences_of(catalogue: str) -> list[tuple[int, str]]:
    """Return the lines of a catalogue of messages, without ids and without the places for facts."""
    return [
        (line, re.sub(r"\{[^}]*\}", "", text.partition(" = ")[2] or text))
        for line, text in enumerate(catalogue.splitlines(), start=1)
        if not text.startswith("[")
    ]


def replaced_in(texts: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the words of numbered texts that the style page replaces, with their lines."""
    return [(line, word[0]) for line, text in texts for word in WORDS.finditer(text)]


def faults_of(source: str) -> list[tuple[int, str]]:
    """Return the faults of a Python source, with their lines."""
    faults = replaced_in(english_of(source))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and not any(map(_is_property, node.decorator_list)):
            start = BEGINNINGS.match(ast.get_docstring(node) or "")
            faults += [(node.lineno, start[0])] if start else []
    return faults


def _is_property(decorator: ast.expr) -> bool:
    return ast.unparse(decorator).endswith("property")


@pytest.mark.parametrize("path", paths, ids=lambda path: str(path.relative_to(ROOT)))
def test_texts_have_none_of_the_replaced_words(path):
    """In a docstring, a comment, a message or a guide."""
    text = path.read_text(encoding="utf-8")
    match path.suffix:
        case ".py":
            faults = faults_of(text)
        case ".toml":
            faults = replaced_in(sentences_of(text))
        case _:
            faults = replaced_in(prose_of(text))
    assert not faults, f"{[f'{path.name}:{line}: {word}' for line, word in faults]}"


@pytest.mark.parametrize(
    "source",
    [
        "x = 1  # whoever reads this",
        'def f():\n    """Return what it was told."""',
        'raise ValueError(f"{n} rows, and nobody knows why")',
        'def f():\n    """Tell whether it is."""',
        'def f():\n    """Whether it is."""',
    ],
)
def test_a_planted_word_is_noticed(source):
    """Wherever it stands."""
    assert faults_of(source)


@pytest.mark.parametrize("source", ['KIND = "ask"', "asked = 1", 'def f():\n    """Call `tell` and stop."""'])
def test_names_are_no_english(source):
    """Ids, variables and code in backticks may be called so."""
    assert not faults_of(source)


@pytest.mark.parametrize(("line", "count"), [('"a.asked" = "from {asked} to 3"', 0), ('"a.few" = "no one asked"', 2)])
def test_a_sentence_of_a_catalogue_is_read_without_its_id_and_its_places(line, count):
    """These are names too."""
    assert len(replaced_in(sentences_of(line))) == count
