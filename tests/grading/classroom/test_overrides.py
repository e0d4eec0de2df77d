"""The table of decisions: as a spreadsheet writes it, refused line by line, and never lost."""

import json
from dataclasses import replace

import marked_class as some
import pytest
from class_runs import in_process

from practica.grading.classroom.outputs import as_json
from practica.grading.classroom.overrides import OVERRIDES, read_class, read_decisions, record
from practica.grading.engine.result import Decision, Entry

IDS = ["ana-12", "luis-14"]
MAXIMA = {"accuracy": 0.2, "hold_out": 0.1, "total": 2.5}
HASH = "0123456789abcdef" * 4


def decisions(tmp_path, text, encoding="utf-8", lang="en"):
    """Read a table with some text."""
    (tmp_path / OVERRIDES).write_bytes(text.encode(encoding))
    return read_decisions(tmp_path / OVERRIDES, IDS, MAXIMA, lang)


def test_without_a_table_nothing_is_decided(tmp_path):
    """And an empty table decides nothing."""
    assert read_decisions(tmp_path / OVERRIDES, IDS, MAXIMA) is None
    assert decisions(tmp_path, "identifier,function,points,note\r\n") == ()


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (
            "identifier,function,points,note\nana-12,accuracy,0.10,Está bien\nluis-14,late,0,\n",
            "utf-8-sig",
        ),
        (
            (
                "identificador;función;puntos;nota\r\nana-12;accuracy;0,10;Está"
                " bien\r\n;;;\r\nluis-14;retraso;0;"
            ),
            "cp1252",
        ),
        (
            (
                "note\tid\tfunction\tpoints\tname\nEstá"
                " bien\tana-12\taccuracy\t.10\tAna\n\tluis-14\tlate\t0\tLuis"
            ),
            "utf-16",
        ),
    ],
    ids=["utf-8", "spreadsheet in Spanish", "tabs and other columns"],
)
def test_a_table_is_read_as_spreadsheets_write_it(tmp_path, text, encoding):
    """Separators, decimal commas, encodings, headers in Spanish, and columns that mean nothing
    here.
    """
    text = text.replace("\t.10", "\t0.10")
    assert decisions(tmp_path, text, encoding) == (
        Decision("ana-12", "accuracy", 0.1, "Está bien"),
        Decision("luis-14", "late", 0.0),
    )


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (
            "ana-13,accuracy,0.1,",
            "there is no submission ana-13 in this class; did you mean 'ana-12'?",
        ),
        ("ana-12,acuracy,0.1,", "acuracy is no function of the rubric; did you mean 'accuracy'?"),
        (
            "ana-12,accuracy,0.3,",
            "the points of accuracy are a number from 0 to 0.2, and not “0.3”.",
        ),
        ("ana-12,accuracy,,", "the points of accuracy are a number from 0 to 0.2, and not “”."),
        ("ana-12,accuracy,-1,", "the points of accuracy are a number from 0 to 0.2, and not “-1”."),
        ("ana-12,total,2.505,", "the points of total are a number from 0 to 2.5, and not “2.505”."),
        ("ana-12,total,1.005,", "1.005 has more than two decimals."),
        ("ana-12,extension,500,", "an extension is a number of days from 0 to 366, and not “500”."),
        (
            "ana-12,total,1,50,Oral,",
            "the line has 6 cells, and the first line has 5 headers: write points as 1.50",
        ),
        ("ana-12,total,1,50,", "the points are 1, and the note is only a number, 50: write 1.50"),
        (
            "ana-12,seen:flag:eval,1,",
            "a line about what was seen, or which file is marked, has no points, and here are 1.",
        ),
        (
            "ana-12,file:a.py,1,",
            "a line about what was seen, or which file is marked, has no points, and here are 1.",
        ),
        ("ana-12,,,", "a line without a function is a comment, with a note and without points."),
        (
            "ana-12,,1,Bien",
            "a line without a function is a comment, with a note and without points.",
        ),
        (",total,1,", "there is no submission"),
        ("ana-12,file:a.py,,,3f9a", "a chosen file has no hash: leave the column sha256 empty"),
        ("ana-12,total,1,,xyz", "xyz is not the beginning of a hash: leave the column empty"),
    ],
)
def test_a_line_that_cannot_be_meant_is_refused_with_its_number(tmp_path, line, reason):
    """And so are all others: one sentence each."""
    text = f"identifier,function,points,note,sha256\nluis-14,total,1,\n{line}\nluis-14,total,2,\n"
    with pytest.raises(ValueError, match="line 3") as refusal:
        decisions(tmp_path, text)
    first, second = str(refusal.value).splitlines()
    assert f"{tmp_path / OVERRIDES}, line 3: {reason}" in first
    assert second.endswith("line 4: total of luis-14 is decided in line 2 already.")


@pytest.mark.parametrize("line", ["luis-14,total,1,50,Oral", "luis-14,total,1,50,"])
@pytest.mark.parametrize("header", ["", ","], ids=["no more headers", "a header without a name"])
def test_a_cell_without_a_header_is_refused(tmp_path, line, header):
    """A line of separators alone, as a spreadsheet adds, is none."""
    text = f"identifier,function,points,note{header}\n,,,,,,\n{line}{header}\n"
    with pytest.raises(ValueError, match=r"line 3: the line has"):
        decisions(tmp_path, text)


def test_the_maximum_of_each_row_can_be_given(tmp_path):
    """Written with two decimals, whatever the binary fraction is; a hundredth more is refused."""
    for cents in range(1, 251):
        most, text = cents / 100, "identifier,function,points,note\nana-12,accuracy,{:.2f},\n"
        path = tmp_path / OVERRIDES
        path.write_text(text.format(most))
        assert read_decisions(path, IDS, {"accuracy": most, "total": 2.5})[0].points == most
        path.write_text(text.format((cents + 1) / 100))
        with pytest.raises(ValueError, match="accuracy"):
            read_decisions(path, IDS, {"accuracy": most, "total": 2.5})


def test_a_table_without_its_columns_is_refused(tmp_path):
    """With what is there."""
    with pytest.raises(
        ValueError, match="no column points, note: it is identifier,function; it should be"
    ):
        decisions(tmp_path, "identifier,function\nana-12,accuracy\n")


def test_a_decision_is_added_to_the_table_as_it_is(tmp_path):
    """Another one about the same gives way.

    Separator, decimal mark, encoding and other columns stay.
    """
    path = tmp_path / OVERRIDES
    path.write_bytes(
        "identificador;nombre;función;puntos;nota\r\nana-12;Ana;accuracy;0,10;sí\r\n".encode(
            "cp1252"
        )
    )
    record(path, Decision("luis-14", "total", 1.5, "oral", HASH))
    record(path, Decision("luis-14", "total", 1.25, "oral; bien", HASH))
    assert path.read_bytes().decode("cp1252").splitlines() == [
        "identificador;nombre;función;puntos;nota;sha256",
        "ana-12;Ana;accuracy;0,10;sí",
        f'luis-14;;total;1,25;"oral; bien";{HASH}',
    ]
    assert len(read_decisions(path, IDS, MAXIMA)) == 2
    record(
        path, Decision("luis-14", "late", 0.0, "日本")
    )  # the encoding does not have these letters
    assert read_decisions(path, IDS, MAXIMA)[-1].note == "日本"


@pytest.fixture
def graded(tmp_path):
    """Write the result of a class of three, one of them without a file, and return its path."""
    made = some.result([some.all_right("ana"), some.with_everything("brais", "x")])
    entries = (*made.class_.entries, Entry("eva", "Eva"))
    made = replace(made, class_=replace(made.class_, entries=entries))
    folder = tmp_path / "notas"
    folder.mkdir()
    (folder / "results.json").write_text("".join(as_json(made)), encoding="utf-8")
    return folder / "results.json"


def decide(path, *lines):
    """Write the table beside a result."""
    path.with_name(OVERRIDES).write_text(
        "\n".join(["identifier,function,points,note,sha256", *lines, ""])
    )


def points(path):
    """Return the points of each submission."""
    return {each.id: each.points for each in read_class(path).submissions}


def test_decisions_change_marks_and_the_mark_of_the_grader_comes_back(graded):
    """A function, a total over it, and the mark of a student without a file."""
    before = read_class(graded)
    decide(
        graded,
        "brais,accuracy,0.20,",
        "ana,accuracy,0.1,",
        "ana,total,0.7,Oral",
        "eva,total,0.5,On paper",
    )
    assert points(graded) == {"ana": 0.7, "brais": 0.2, "eva": 0.5}
    code, said = in_process("report", graded, "--out", graded.parent, "--lang", "en")
    assert code == 0, said
    made = json.loads(graded.read_text())
    assert [each["points"] for each in made["submissions"]] == [0.7, 0.2, 0.5]
    assert [each.get("marked") for each in made["submissions"]] == [1.0, 0.0, None]
    page = (graded.parent / "feedback/ana.html").read_text()
    assert "accuracy: 0.10 points instead of 0.25, by decision of the instructor" in page
    assert "The mark is 0.70 instead of 0.85, by decision of the instructor: Oral" in page
    assert "On paper" in (graded.parent / "feedback/eva.html").read_text()
    told = (graded.parent / "exceptions.txt").read_text().partition("Good to know")[2]
    assert (
        "ana: the decision in overrides.csv gives 0.1 points for accuracy, and the grader 0.25."
        in told
    )
    decide(graded)
    assert read_class(graded) == before


def test_a_line_without_a_function_is_a_comment(graded):
    """The student reads it beside a mark that stays.

    A total that is the grader's is not "instead of" it.
    """
    decide(graded, "ana,,,Well explained.", "brais,total,0,", "eva,accuracy,0.1,On paper")
    assert points(graded) == {"ana": 1.0, "brais": 0.0}
    assert in_process("report", graded, "--out", graded.parent, "--lang", "en")[0] == 0
    assert (
        "From the instructor: Well explained." in (graded.parent / "feedback/ana.html").read_text()
    )
    assert "Well explained." in (graded.parent / "grades.csv").read_text(encoding="utf-8-sig")
    assert (
        "The mark is 0.00, by decision of the instructor"
        in (graded.parent / "feedback/brais.html").read_text()
    )
    told = (graded.parent / "exceptions.txt").read_text().partition("Good to know")[0]
    assert (
        "Eva: the decision about accuracy in overrides.csv changes nothing, because there is no"
        " mark" in told
    )


def test_a_result_takes_its_decisions_along(graded):
    """To another folder, where its own table is read from then on.

    Other decisions there are not overwritten.
    """
    decide(graded, "ana,total,0.7,Oral")
    other = graded.parent.with_name("notes")
    assert in_process("report", graded, "--out", other)[0] == 0
    assert points(other / "results.json") == {"ana": 0.7, "brais": 0.0}
    graded.with_name(OVERRIDES).unlink()  # what the result knows is enough
    assert in_process("report", other / "results.json", "--out", graded.parent)[0] == 0
    assert points(graded)["ana"] == 0.7
    assert "Oral" in graded.with_name(OVERRIDES).read_text()
    decide(other / "results.json", "ana,total,0.1,")
    code, said = in_process("report", graded, "--out", other, "--lang", "en")
    assert code == 2
    assert "that the result does not have: 1. Copy them" in " ".join(said.split())


@pytest.mark.parametrize(("note", "shown"), [("Oral", "nothing (Oral)."), ("", "nothing.")])
def test_a_decision_that_changes_nothing_shows_its_note_if_it_has_one(graded, note, shown):
    """Without a note there are no empty brackets."""
    decide(graded, f"ana,total,0.7,{note},ffff")
    in_process("report", graded, "--out", graded.parent, "--lang", "en")
    told = " ".join((graded.parent / "exceptions.txt").read_text().split())
    assert f"and changes {shown}" in told


def test_a_decision_about_another_file_changes_nothing_and_comes_up_again(graded):
    """It stays in the table."""
    decide(graded, "ana,total,0.7,Oral,ffff", f"brais,total,0.7,,{HASH[:6]}")
    assert points(graded) == {"ana": 1.0, "brais": 0.7}
    in_process("report", graded, "--out", graded.parent, "--lang", "en")
    told = (graded.parent / "exceptions.txt").read_text()
    assert (
        "ana: the decision about total in overrides.csv is about another file than the one"
        " marked now" in told
    )
    assert "brais" not in told.partition("Good to know")[0].replace("brais: It", "")


@pytest.mark.parametrize(
    "change",
    [
        lambda each: each.update(points=0.9),
        lambda each: each["functions"][0].update(points=0.1),
        lambda each: each["adjustments"][-1].update(after=0.8),
        lambda each: each["adjustments"][0].update(after=0.2),
    ],
    ids=["total", "function", "decided total", "decided function"],
)
def test_a_result_that_was_edited_by_hand_is_refused(graded, change):
    """Unless it adds up."""
    decide(graded, "ana,accuracy,0.1,", "ana,total,0.7,Oral")
    in_process("report", graded, "--out", graded.parent)
    made = json.loads(graded.read_text())
    change(made["submissions"][0])
    graded.write_text(json.dumps(made))
    code, said = in_process("regrade", graded, graded, "--lang", "en")
    assert code == 2
    assert "points of ana are not the sum of its functions and adjustments" in " ".join(
        said.split()
    )
