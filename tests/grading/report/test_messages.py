"""The sentences: the same ids and places in both languages, and one for everything that can be
said.
"""

import ast
import re
from pathlib import Path

import pytest

import practica.grading.engine.loops
import practica.grading.engine.rules
import practica.grading.engine.signatures
from practica.grading.engine.framework import load_checks
from practica.grading.engine.result import (
    CheckResult,
    Diagnosis,
    FunctionResult,
    Mistake,
    SubmissionResult,
)
from practica.grading.engine.rubric import RULES
from practica.grading.engine.stops import STOPPED
from practica.grading.inside.doors import DOORS
from practica.grading.report import messages
from practica.grading.report.messages import (
    CASE,
    LANGUAGES,
    MessageError,
    catalogue,
    places,
    say,
    tables,
)
from practica.grading.report.words import likely, said


def test_both_languages_tell_the_same_sentences_apart_from_their_case():
    """What is before the mark is true of everybody, so that it names no call.

    A sentence has one mark or none.
    """
    marked = [
        {id for id, sentence in catalogue(lang).items() if CASE in sentence} for lang in LANGUAGES
    ]
    assert marked[0] == marked[1]
    for lang in LANGUAGES:
        for identifier, sentence in catalogue(lang).items():
            assert sentence.count(CASE) <= 1
            is_check = identifier in load_checks()
            assert not (is_check and "{call}" in sentence.partition(CASE)[0]), identifier
            assert CASE not in say(identifier, dict.fromkeys(places(sentence), "x"), lang)


def test_an_id_has_one_text_or_a_sentence_in_each_language(tmp_path, monkeypatch):
    """The ids of a table may be grouped in tables of their own; a language that is missing is
    reported with its file and id, and so is an id in two files.
    """
    monkeypatch.setattr(messages, "OWN", tmp_path)
    file = tmp_path / "pets.toml"
    file.write_text('[all]\n"a.b" = "x"\ncat = { es = "gato", en = "cat" }\n[all.c]\nd = "y"\n')
    spanish, english = (tables("pets", lang)["all"] for lang in LANGUAGES)
    assert spanish == {"a.b": "x", "cat": "gato", "c.d": "y"}
    assert english == {**spanish, "cat": "cat"}
    (tmp_path / "half.toml").write_text('[all]\n"dog.name".en = "dog"\n')
    assert tables("half", "en") == {"all": {"dog.name": "dog"}}
    with pytest.raises(MessageError, match=r"half\.toml: 'dog\.name' has no sentence in 'es'"):
        tables("half", "es")
    (tmp_path / "again.toml").write_text('[other]\ncat = "cat"\n')
    with pytest.raises(MessageError, match=r"cat is in two places of the sentences: pets\.toml"):
        catalogue.__wrapped__("en")


def test_both_languages_say_the_same_things():
    """The ids, and the places of each sentence."""
    spanish, english = (
        {identifier: places(sentence) for identifier, sentence in catalogue(lang).items()}
        for lang in LANGUAGES
    )
    assert spanish == english


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_rule_has_its_sentence(lang):
    """And every sentence about a rule has its rule."""
    families = {rule.partition(".")[0] for rule in RULES}
    said = {".".join(identifier.split(".")[:2]) for identifier in catalogue(lang)}
    assert {identifier for identifier in said if identifier.split(".")[0] in families} == set(RULES)


def test_the_variants_that_the_rules_use_are_those_that_have_sentences():
    """`variant` is chosen in the code, and the sentence for it in the catalogue."""
    modules = [getattr(practica.grading.engine, name) for name in ("rules", "loops", "signatures")]
    tree = ast.parse(
        "\n".join(Path(module.__file__).read_text(encoding="utf-8") for module in modules)
    )
    used = {
        value.value
        for node in ast.walk(tree)
        for key, value in (
            zip(node.keys, node.values, strict=True)
            if isinstance(node, ast.Dict)
            else [(node.targets[0].slice, node.value)]
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript)
            else []
        )
        if isinstance(key, ast.Constant)
        and key.value == "variant"
        and isinstance(value, ast.Constant)
    }
    families = {rule.partition(".")[0] for rule in RULES}
    said = {
        identifier.split(".")[2]
        for identifier in catalogue()
        if identifier.count(".") == 2 and identifier.split(".")[0] in families
    }
    used |= {"nested", "closest", "guarded", *STOPPED, "read", "network", "answer", *DOORS}
    used.add("fails")  # chosen where the verdict is known
    assert used == said


def test_a_sentence_is_filled_with_its_facts():
    """A fact that is in braces itself stays as it is, and one too many does no harm."""
    assert (
        say("calls.forbidden", {"name": "{x}", "line": 3})
        == "Necesita {x}, que ya es lo que se pide programar y no funciona donde se corrige."
    )
    facts = {"function": "accuracy", "closest": "acuracy", "variant": "closest"}
    assert say("signature.missing", facts, "en").startswith(
        "There is no function accuracy; is it acuracy?"
    )


def test_a_sentence_ends_in_one_full_stop():
    """An error whose text has its own is not followed by another."""
    facts = {"call": "f()", "obtained": "[1, 2]", "error": "ValueError: Use a.any() or a.all()."}
    assert say("any.unusable", facts, "en").endswith(
        "asked for: ValueError: Use a.any() or a.all()."
    )


def test_a_place_with_a_format_shows_its_fact(monkeypatch):
    """Only words that agree with a number have another meaning."""
    monkeypatch.setattr(messages, "catalogue", lambda lang: {"a": "{obtained:.2f} of {count:a/b}"})
    assert say("a", {"obtained": "0.3333", "count": 1}) == "0.3333 of a"


def test_advice_on_loops_holds_for_a_function_of_any_values():
    """A course may mark one of texts, which have no operations of arrays."""
    for id in ("loops.hidden", "loops.comprehension", "loops.recursion"):
        assert catalogue("en")[id].endswith(
            "often a single operation on the whole array, text or table does the same."
        )


def test_what_precedes_a_number_in_spanish_also_suits_one():
    """No "unos 1 minuto"."""
    plural = re.compile(r"\b(unos|unas|los|las) \{(\w+)\} \{\2:")
    assert [each for each in catalogue("es").values() if plural.search(each)] == []


def test_a_missing_sentence_or_fact_is_our_error():
    """It is raised in the tests; to a student a sentence with a hole is shown."""
    with pytest.raises(MessageError, match=r"no sentence 'nothing\.at\.all' in 'es'"):
        say("nothing.at.all")
    with pytest.raises(MessageError, match=r"'calls\.forbidden': no fact for name"):
        say("calls.forbidden", {})
    with pytest.raises(MessageError, match="no sentences in 'gl'"):
        say("calls.forbidden", {"name": "x"}, "gl")
    assert say("nothing.at.all", {"a": 1}, strict=False) == "nothing.at.all (a: 1)"
    assert (
        say("calls.forbidden", {}, strict=False)
        == "Necesita …, que ya es lo que se pide programar y no funciona donde se corrige."
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_known_cause_leaves_no_room_for_a_guess(lang):
    """Two causes cannot both be true: weights that are wrong, and FP in place of FN."""
    facts = {"metric": "recall", "call": "confusion_matrix(…)", "expected": 0.5, "obtained": 0.6}
    check = CheckResult(
        "confusion_matrix_multiclass.bool.weighted", "fail", "form.exchanged", facts
    )
    known = Diagnosis("one", (Mistake("confusion.predicted_weights", {}),))
    sentences = []
    for diagnosis in None, known:
        function = FunctionResult("c", "c", 1, 0.0, 0.3, "fail", (), (check,), diagnosis=diagnosis)
        submission = SubmissionResult(
            "a", "a.py", "", "graded", None, 0.0, 0.3, functions=(function,)
        )
        sentences.append(said(submission, lang).functions[0].checks[0].sentence)
    assert "FP" in sentences[0]
    assert "FP" not in sentences[1]
    assert "0.6" in sentences[1]
    assert "¦" not in "".join(sentences)


def test_the_last_item_of_a_list_in_an_observation_comes_after_an_and():
    """Two parts of a result, not a comma between them."""
    seen = Mistake("observation.above", {"part": ["first", "second"]})
    sentences = [likely(Diagnosis("seen", (seen,)), lang) for lang in ("en", "es")]
    assert "the first value and the second value" in sentences[0]
    assert "el primer valor y el segundo valor" in sentences[1]
