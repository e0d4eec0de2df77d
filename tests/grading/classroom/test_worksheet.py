"""The instructor's own worksheet, read."""

import codecs
import re

import pytest
from worksheets import ENCODINGS, text_of

from practica.grading.classroom.moodle_language import LANGUAGES
from practica.grading.classroom.worksheet import read_worksheet


def names(column):
    """Return the names of a column as a refusal says them."""
    known = (f"{each.columns[column][0]} ({lang})" for lang, each in LANGUAGES.items())
    return re.escape(", ".join(known))


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("lang", ["es", "en"])
def test_a_worksheet_is_read_in_whatever_form_it_comes(sheet, lang, encoding, delimiter):
    """In both languages, with and without byte order mark, whatever separates its cells."""
    read = sheet(text_of(lang, delimiter=delimiter), encoding)
    assert (read.language, read.delimiter, read.encoding) == (
        lang,
        delimiter,
        ENCODINGS[encoding][1],
    )
    assert [(row.participant, row.name, row.group) for row in read.rows] == [
        (12, "Ana Pérez", ""),
        (13, "Núñez Ó, Eva", ""),
        (14, "Luis", ""),
    ]
    assert (
        read.text[: read.header_end] + "".join(read.text[row.begin : row.end] for row in read.rows)
        == read.text
    )


@pytest.mark.parametrize(
    "header",
    [
        "Grade,Identifier,Feedback comments",
        "Feedback comments;Maximum Grade;x;Grade;Identifier",
        "identificador\tCALIFICACION\tComentarios de retroalimentacion",
        (
            "La calificación puede cambiarse,Nombre"
            " completo,Calificación,Identificador,Calificación máxima"
        ),
        (
            "Identificador,Nome completo,Cualificación,Cualificación máxima,A cualificación pode"
            " seren cambiada"
        ),
    ],
)
def test_columns_may_be_in_any_order_and_some_missing(sheet, header):
    """They are found by name."""
    assert {"id", "grade"} <= sheet(f"{header}\n").columns


def test_the_group_is_found_in_whatever_language_it_is(sheet):
    """Those who changed the language of some headers."""
    assert sheet("Identificador,Calificación,Gruppe\nParticipante12,,A\n").rows[0].group == "A"


@pytest.mark.parametrize(
    ("text", "decimal"),
    [
        ("Calificación,Nombre completo,Calificación máxima\n,Ana Pérez,\"10,00\"\n", ","),
        ("Calificación,Nombre completo,Calificación máxima\n,Ana Pérez,10.00\n", "."),
        ("Calificación,Nombre completo,Calificación máxima\n,Ana Pérez,10\n", "."),
        ("Calificación;Nombre completo;Calificación máxima\n;Ana Pérez;10\n", ","),
        ("Calificación;Nombre completo;Calificación máxima\n;Ana Pérez;10.0\n", "."),
        ("Grade;Full name;Maximum Grade\n;Ana Pérez;10\n", "."),
        ('Grade,Full name\n"5,5",Eva\n,Ana Pérez\n', ","),
    ],
)  # fmt: skip
def test_the_decimal_mark_is_that_of_the_file(sheet, text, decimal):
    """Without numbers to see it in, the one that Moodle reads in every language."""
    assert sheet(text).decimal == decimal


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", f"columns {names('grade')}; it is: $"),
        ("a,b,c\n1,2,3\n", "Cualificación .*; it is: a,b,c"),
        ("Grade,Identifier,Grade\n", f"or more than one, of the columns {names('grade')}"),
        ("Grade,Status\n", f"columns {names('id')}"),
        (
            "Tunniste,Koko nimi,Arvosana\nParticipant12,Ana,\n",
            "in a language that is known .*Tunniste,Koko nimi",
        ),
    ],
)
def test_what_is_no_worksheet_is_refused(sheet, text, reason):
    """With what it has instead: another language's too."""
    with pytest.raises(ValueError, match=reason):
        sheet(text)


def test_a_column_that_no_language_has_is_an_error_of_the_program(sheet):
    """A cell that a worksheet lacks is empty, and a misspelled name is not a cell."""
    (row,) = sheet("Grade,Full name\n5,Eva\n").rows
    assert (row.value("grade"), row.value("feedback")) == ("5", "")
    with pytest.raises(KeyError, match="feedbak"):
        row.value("feedbak")


def test_a_worksheet_that_is_not_what_its_mark_says_is_refused(tmp_path):
    """It would not come back as it was."""
    (tmp_path / "notas.csv").write_bytes(codecs.BOM_UTF8 + b"Calificaci\xf3n,Identificador\n")
    with pytest.raises(
        ValueError, match=r"notas\.csv is no text in the encoding that it begins in, utf-8"
    ):
        read_worksheet(tmp_path / "notas.csv")
    with pytest.raises(ValueError, match=r"nowhere\.csv cannot be read: No such file"):
        read_worksheet(tmp_path / "nowhere.csv")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_a_worksheet_in_utf_16_is_known_without_its_mark(tmp_path, encoding):
    """Every other byte would be a character of no name."""
    (tmp_path / "notas.csv").write_bytes(text_of("en").encode(encoding))
    read = read_worksheet(tmp_path / "notas.csv")
    assert (read.encoding, read.mark, [row.participant for row in read.rows]) == (
        encoding,
        b"",
        [12, 13, 14],
    )
    (tmp_path / "notas.csv").write_bytes(text_of("en").encode(encoding)[:-1])
    with pytest.raises(ValueError, match=f"notas.csv is no text .*, {encoding}"):
        read_worksheet(tmp_path / "notas.csv")


def test_rows_of_empty_cells_are_nobodys(sheet):
    """A spreadsheet adds them below the last one."""
    read = sheet(text_of("es") + ",,,,,,,,,,\r\n" * 3)
    assert [row.participant for row in read.rows] == [12, 13, 14]
