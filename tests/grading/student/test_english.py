"""Who asks for English gets no Spanish: not in the folder, and not in what is said of a file."""

import ast
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import practica
from practica.cli import main

# Words that are not English too. `solucion.py` keeps its name, and `practica` is the command's.
SPANISH = set(
    re.findall(
        r"\w+",
        """
        o ni de se al cada como con cual cuando cuanto debe del desde donde dos el ella ellos entre
        es esta estas este esto estos fila filas hace hay la las le los matriz mismo mismos muy nada
        ninguna ninguno nos otra otras otro otros para pero por porque pues que quien se según
        sino sobre solo su sus tambien tiene tienen toda todas todo todos un una uno unas unos ya
        cuaderno
        dibujo dibujos entradas enunciado fichero ficheros funciones ejemplo linea plantilla
        pregunta prueba puntos redes salidas veces vuelta vueltas ejercicio carpeta clases respuesta
        valores
        """,
    )
)
MISTAKES = '''"""Some of everything that can be told."""

import numpy as np
from sklearn.metrics import accuracy_score


def one_hot_encoding(feature, classes=None):
    return np.zeros((len(feature), 3))


def calculate_min_max_normalization_parameters(dataset):
    return min(dataset), undefined


def normalize_min_max(dataset, normalizationParameters):
    return dataset


def classify_outputs(outputs, *, threshold=0.5):
    for each in range(3):
        pass
    return outputs > threshold


def accuracy(outputs, targets, *, threshold=0.5):
    return accuracy_score(targets, outputs)


def hold_out(N, P, Ptest=None):
    return np.arange(N), np.arange(3)


def crossvalidation(N_or_targets, /, k):
    return [0] * 7
'''


PACKAGE = Path(practica.__file__).parent


def spanish(text: str) -> list[str]:
    """List what is Spanish in a text: words, and letters that only Spanish needs."""
    words = [word for word in re.findall(r"[^\W\d_]+", text) if word.lower() in SPANISH]
    return words + re.findall(r"\S*[áéíóúñ¿¡]\S*", text)


def invoke(*arguments: object) -> str:
    """Run a command in English and return what it says."""
    done = CliRunner().invoke(main, [*map(str, arguments), "--lang", "en"])
    assert done.exit_code in (0, 1), done.output
    return done.output


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    """Work in a folder whose name is not looked at."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path


def test_spanish_is_noticed():
    """By its words and by its letters."""
    assert spanish("the value of la función is 3") == ["la", "función"]
    assert spanish("practica check solucion.py") == []


@pytest.mark.parametrize(
    "file",
    [*PACKAGE.rglob("messages/*.toml"), *PACKAGE.rglob("messages.toml")],
    ids=lambda path: path.name,
)
def test_no_sentence_has_a_spanish_word(file):
    """The names of places are no words, nor are those of languages."""
    text = "\n".join(re.findall(r"(?<=\.en = ).*", file.read_text(encoding="utf-8")))
    assert text
    assert spanish(re.sub(r'\{[\w:]*|\\"es\\"', "", text)) == []


def test_what_joins_words_has_no_spanish_word():
    """The same code writes both languages."""
    joins = {
        node.func.value.value
        for file in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "join"
        and isinstance(node.func.value, ast.Constant)
        and isinstance(node.func.value.value, str)
    }
    assert ", " in joins
    assert [each for each in joins if spanish(each) or " y " in each] == []


def test_the_folder_is_in_english(here):
    """All of its files, their names, and what the command says; so is a refusal."""
    said = invoke("new", "p1")
    files = [path for path in Path("p1").rglob("*") if path.is_file()]
    assert len(files) == 12
    for text in (said, *map(str, files), *(path.read_text(encoding="utf-8") for path in files)):
        assert spanish(text) == []
    refused = CliRunner().invoke(main, ["new", "p1", "--lang", "en"])
    assert refused.exit_code == 2
    assert spanish(refused.output) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "content", [MISTAKES, "", "def accuracy(:\n", "import no_such_module\n", "raise SystemExit\n"]
)
def test_what_is_said_of_a_file_is_in_english(here, content):
    """Wrong answers, rules and advice, what is missing, and files that cannot be run."""
    Path("solucion.py").write_text(content, encoding="utf-8")
    said = invoke("check", "solucion.py")
    assert len(said) > 50
    assert spanish(said) == []


def said_of(arguments: str) -> str:
    """Run a command that says something before it does anything, and return it."""
    done = CliRunner().invoke(main, arguments.split())
    assert done.exit_code == (0 if "-h" in arguments else 2), done.output
    return done.output


MISUSES = ("check --wach", "new", "new a b", "check --watch=2", "check nothing.py")


@pytest.mark.parametrize("arguments", ["check -h", "new --help", *MISUSES])
def test_help_and_refusals_are_in_the_language_that_was_chosen(here, arguments):
    """Spanish if none was."""
    assert spanish(said_of(arguments))
    command, *rest = arguments.split()
    assert spanish(said_of(" ".join([command, "--lang en", *rest])).replace("[es|en]", "")) == []


def test_a_language_that_there_is_not_is_refused(here):
    """In Spanish, and with both that there are."""
    assert said_of("check --lang fr") == "Error: --lang es «es» o «en».\n"
