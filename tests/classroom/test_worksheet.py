"""The instructor's own worksheet: grade and feedback filled, and every other byte as it was."""

import codecs
import csv
import io
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from practica.classroom.cells import table
from practica.classroom.collect import Entry
from practica.classroom.worksheet import Mark, fill, neutral, read_worksheet

HEADERS = {
    "es": (
        'Identificador,"Nombre completo","Dirección de correo",Estado,Grupo,Calificación,"Calificación máxima",'
        '"La calificación puede ser cambiada","Última modificación (entrega)","Última modificación (calificación)",'
        '"Comentarios de retroalimentación"'
    ),
    "en": (
        'Identifier,"Full name","Email address",Status,Group,Grade,"Maximum Grade","Grade can be changed",'
        '"Last modified (submission)","Last modified (grade)","Feedback comments"'
    ),
}
ROWS = {
    "es": (
        'Participante12,"Ana Pérez",ana@example.org,"Enviado para calificar",,,"10,00",Sí,"viernes, 20 nov.",-,',
        'Participante13,"Núñez Ó, Eva",eva@example.org,"Sin entrega",G1,"3,50","10,00",Sí,-,-,"Dijo ""no""\nayer"',
        'Participante14,Luis,luis@example.org,Enviado,,,"10,00",No,-,-,',
    ),
    "en": (
        'Participant 12,"Ana Pérez",ana@example.org,"Submitted for grading",,,10.00,Yes,"Friday, 20 November",-,',
        'Participant 13,"Núñez Ó, Eva",eva@example.org,"No submission",G1,3.50,10.00,Yes,-,-,"Said ""no""\nyesterday"',
        "Participant 14,Luis,luis@example.org,Submitted,,,10.00,No,-,-,",
    ),
}  # fmt: skip
ENCODINGS = {
    "utf-8": (b"", "utf-8"),
    "utf-8-sig": (codecs.BOM_UTF8, "utf-8"),
    "utf-16-le": (codecs.BOM_UTF16_LE, "utf-16-le"),
    "utf-16-be": (codecs.BOM_UTF16_BE, "utf-16-be"),
    "cp1252": (b"", "cp1252"),
}
ANA = Entry("ana-12", "Ana Pérez", 12)
EVA = Entry("eva-13", "Eva Núñez Ó", 13)
LUIS = Entry("luis-14", "Luis", 14)


@pytest.fixture
def sheet(tmp_path):
    """Return a function that reads a worksheet of this text."""

    def of(text, encoding="utf-8-sig"):
        mark, codec = ENCODINGS[encoding]
        (tmp_path / "notas.csv").write_bytes(mark + text.encode(codec))
        return read_worksheet(tmp_path / "notas.csv")

    return of


def text_of(lang, end="\r\n", delimiter=","):
    """Return a whole worksheet; with another separator, by its first letters alone."""
    text = end.join([HEADERS[lang], *ROWS[lang]]) + end
    if delimiter != ",":
        rows = list(csv.reader(io.StringIO(text, newline="")))
        out = io.StringIO(newline="")
        csv.writer(out, delimiter=delimiter, lineterminator=end).writerows(rows)
        text = out.getvalue()
    return text


def codes(filled):
    """Return what is said of a worksheet."""
    return [incident.code for incident in filled.incidents]


def values(content: bytes, delimiter=",", codec="utf-8-sig"):
    """Return a worksheet as csv reads it."""
    return list(csv.reader(io.StringIO(content.decode(codec), newline=""), delimiter=delimiter))


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\r\n", "\n"])
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("lang", ["es", "en"])
def test_a_worksheet_differs_only_in_the_two_columns(sheet, lang, encoding, end, delimiter):
    """In both languages, with and without byte order mark, whatever separates its cells and lines."""
    text = text_of(lang, end, delimiter)
    read = sheet(text, encoding)
    mark, codec = ENCODINGS[encoding]
    original = mark + text.encode(codec)
    assert (read.language, read.delimiter, read.encoding) == (lang, delimiter, codec)
    assert fill(read, [ANA, EVA, LUIS], {}).content == original
    filled = fill(read, [ANA, EVA, LUIS], {"ana-12": Mark(2.5, 2.5, "<p>Bien</p>"), "luis-14": Mark(1, 2.5, "")})
    written = "10.00" if lang == "en" else '"10,00"'
    before = text.split(end)
    head, _, tail = before[1].partition(3 * delimiter)
    after = f"{head}{2 * delimiter}{written}{delimiter}{tail}<p>Bien</p>"
    assert filled.content == mark + end.join([before[0], after, *before[2:]]).encode(codec)
    assert codes(filled) == ["worksheet.locked", "grade.scaled"]


tables = st.lists(
    st.tuples(
        st.text(st.sampled_from('ab ,;"\n\r\té='), max_size=8),
        st.sampled_from(["", "1.50", "7", '"3.25"', '""']),
        st.text(st.sampled_from('ab ,;"\n\r\té='), max_size=8),
        st.sampled_from(["", "old", '"old, ""x""\r\ny"']),
        st.sampled_from(["\n", "\r\n", "\r", "\n\n", "\r\n\r\n"]),
    ),
    max_size=5,
)


@settings(derandomize=True, deadline=None, max_examples=200)
@given(
    tables,
    st.sampled_from(",;\t"),
    st.sampled_from(sorted(ENCODINGS)),
    st.text(st.characters(blacklist_categories=["Cs"]), max_size=30),
    st.integers(0, 250),
)
def test_whatever_is_in_a_worksheet_stays(tmp_path_factory, rows, delimiter, encoding, feedback, cents):
    """Cut at the cells that change, the file is the same before and after, byte by byte; and those hold the mark."""
    mark, codec = ENCODINGS[encoding]
    lines = [delimiter.join(["Identifier", "x", "Grade", "Full name", "Maximum Grade", "Feedback comments"]) + "\n"]
    for number, (before, grade, after, old, end) in enumerate(rows):
        cells = [f"Participant {number}", _quoted(before), grade, _quoted(after), "2.50", old]
        lines.append(delimiter.join(cells) + end)
    text = "".join(lines)
    path = tmp_path_factory.mktemp("sheet") / "notas.csv"
    path.write_bytes(mark + text.encode(codec))
    entries = [Entry(f"e{number}", "", number) for number in range(len(rows))]
    marks = {entry.id: Mark(cents / 100, 2.5, feedback) for entry in entries}
    content = fill(read_worksheet(path), entries, marks).content
    codec = read_worksheet(path).encoding  # one without letters outside ASCII is UTF-8 for all we know
    new = content.removeprefix(mark).decode(codec)
    assert content == mark + new.encode(codec)
    old_rows, new_rows = table(text, delimiter), table(new, delimiter)
    assert _around(text, old_rows) == _around(new, new_rows)
    for row in [row for row in new_rows[1:] if row]:
        assert Decimal(row[2].value) == Decimal(cents) / 100
        assert row[5].value == neutral(feedback).encode(codec, "xmlcharrefreplace").decode(codec)


def _quoted(text):
    return '"' + text.replace('"', '""') + '"'


def _around(text, rows):
    """Return what is between the cells of grade and feedback."""
    changing = [cell for row in rows[1:] if row for cell in (row[2], row[5])]
    places = [0, *(edge for cell in changing for edge in (cell.begin, cell.end)), len(text)]
    return [text[begin:end] for begin, end in zip(places[::2], places[1::2], strict=True)]


@pytest.mark.parametrize(
    ("maximum", "points", "max_points", "grade"),
    [
        ("2.50", 2.5, 2.5, "2.50"),
        ("2.5", 1.27, 2.5, "1.27"),
        ("10.00", 2.5, 2.5, "10.00"),
        ("10", 0.02, 2.5, "0.08"),
        ("100.00", 1.0, 3.0, "33.33"),
        ("1", 0.0, 2.5, "0.00"),
        ("3", 0.025, 15.0, "0.01"),
        ("0.333", 2.5, 2.5, "0.33"),
        ("0.335", 2.5, 2.5, "0.33"),
    ],
)
def test_a_mark_is_out_of_the_maximum_of_its_row(sheet, maximum, points, max_points, grade):
    """As it is where that is the rubric's, in proportion where not; halves go up, never above the maximum."""
    read = sheet(f"Identifier,Grade,Maximum Grade\nParticipant 12,,{maximum}\n")
    filled = fill(read, [ANA], {"ana-12": Mark(points, max_points, "")})
    written = values(filled.content)[1][1]
    assert written == grade
    assert Decimal(written) <= Decimal(maximum)
    scaled = Decimal(maximum) != Decimal(repr(max_points))
    assert ("grade.scaled" in codes(filled)) == scaled


@pytest.mark.parametrize("points", [-0.01, 2.51, float("nan"), float("inf"), 1e300])
def test_a_mark_out_of_range_is_never_written(sheet, points):
    """Moodle would skip it without a word."""
    text = "Identifier,Grade,Maximum Grade,Feedback comments\nParticipant 12,,2.50,\n"
    filled = fill(sheet(text), [ANA], {"ana-12": Mark(points, 2.5, "x")})
    assert filled.content == codecs.BOM_UTF8 + text.encode()
    assert codes(filled) == ["grade.out_of_range"]
    assert filled.filled == 0


@pytest.mark.parametrize("maximum", ["", "-", "Escala", "0", "-5", "NaN", "Infinity"])
def test_a_scale_is_no_maximum(sheet, maximum):
    """Assignments can be marked with words; no number is right there."""
    text = f"Identifier,Grade,Maximum Grade\nParticipant 12,,{maximum}\n"
    filled = fill(sheet(text), [ANA], {"ana-12": Mark(1.0, 2.5, "x")})
    assert filled.content == codecs.BOM_UTF8 + text.encode()
    assert codes(filled) == ["worksheet.no_maximum", "worksheet.no_feedback"]


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
    filled = fill(sheet(text), [ANA], {"ana-12": Mark(2.25, 2.5, "")})
    read = sheet(text)
    assert read.decimal == decimal
    row = next(row for row in values(filled.content, read.delimiter)[1:] if "Ana Pérez" in row)
    assert decimal in row[0]
    assert Decimal(row[0].replace(",", ".")) in (Decimal("2.25"), Decimal("9.00"))


@pytest.mark.parametrize("begin", ["=", "+", "-", "@", "\t", "\r", "\n"])
def test_feedback_is_no_formula(sheet, begin):
    """A spreadsheet would run it."""
    text = "Identifier,Grade,Feedback comments\nParticipant 12,,\n"
    filled = fill(sheet(text), [ANA], {"ana-12": Mark(1.0, 2.5, f"{begin}cmd|' /C calc'!A0")})
    assert values(filled.content)[1][2] == f"'{begin}cmd|' /C calc'!A0"


def test_what_the_encoding_lacks_is_written_as_html_does(sheet):
    """Moodle shows the letter."""
    text = "Identificador,Calificación,Comentarios de retroalimentación\nParticipante12,,\n"
    filled = fill(sheet(text, "cp1252"), [ANA], {"ana-12": Mark(1.0, 2.5, "2 → 3, 小, ñ")})
    assert values(filled.content, codec="cp1252")[1][2] == "2 &#8594; 3, &#23567;, ñ"


def test_without_a_mark_only_feedback_is_written(sheet):
    """The grader failed: that is no 0."""
    filled = fill(sheet(text_of("en")), [ANA], {"ana-12": Mark(None, 2.5, "Sorry.")})
    assert [row[5] for row in values(filled.content)[1:]] == ["", "3.50", ""]
    assert values(filled.content)[1][10] == "Sorry."


def test_a_grade_that_was_there_is_told(sheet):
    """An instructor may have given it by hand; the same one stays as it was written."""
    read = sheet('Identifier,Grade,Maximum Grade\nParticipant 12,"1.5",2.50\nParticipant 13,"1.50",2.50\n')
    filled = fill(read, [ANA, EVA], {"ana-12": Mark(1.5, 2.5, ""), "eva-13": Mark(2.0, 2.5, "")})
    assert filled.content.decode("utf-8-sig").splitlines()[1:] == [
        'Participant 12,"1.5",2.50',
        'Participant 13,"2.00",2.50',
    ]
    told = [incident for incident in filled.incidents if incident.code == "worksheet.overwritten"]
    assert [(each.entry, each.facts["old"], each.facts["new"]) for each in told] == [("eva-13", "1.50", "2.00")]


def test_a_comment_that_was_there_is_told(sheet):
    """Unless it is the same one."""
    read = sheet("Identifier,Grade,Feedback comments\nParticipant 12,,Hola\nParticipant 13,,Hola\n")
    filled = fill(read, [ANA, EVA], {"ana-12": Mark(1.5, 2.5, "Hola"), "eva-13": Mark(2.0, 2.5, "Adiós")})
    assert [(each.code, each.entry) for each in filled.incidents] == [("worksheet.replaced", "eva-13")]


SHEET = 'Identifier,"Full name","Email address",Grade\n'
MATCHES = {
    "by identifier": (SHEET + "Participant 12,Ana Pérez,a@x.org,\n", [ANA], {"ana-12": 1}, []),
    "Spanish identifier": ("Identificador,Calificación\nParticipante12,\n", [ANA], {"ana-12": 1}, []),
    "blind": (SHEET + "Participant 12,,,\n", [ANA], {"ana-12": 1}, []),
    "blind folder": (SHEET + "Participant 12,Ana,,\n", [Entry("p-12", "Participante", 12)], {"p-12": 1}, []),
    "a team's folder": (SHEET + "Participant 12,Ana P.,,\n", [Entry("g-12", "Grupo 3-Ana P.", 12)], {"g-12": 1}, []),
    "surname first": (SHEET + 'Participant 12,"Pérez, Ana",,\n', [ANA], {"ana-12": 1}, []),
    "another person": (SHEET + "Participant 12,Luis Rey,,\n", [ANA], {}, ["worksheet.other_name"]),
    "not there": (SHEET + "Participant 120,Ana Pérez,,\n", [ANA], {}, ["worksheet.unknown"]),
    "twice in the sheet": (SHEET + "Participant 12,Ana,,\nParticipant 12,Ana,,\n", [ANA], {}, ["worksheet.twice"]),
    "twice in the class": (SHEET + "Participant 12,,,\n", [ANA, Entry("x", "Ana", 12)], {}, []),
    "by name": (
        SHEET + "Participant 12,ANA  perez,,\n",
        [Entry("ana", "Ana Pérez")],
        {"ana": 1},
        ["worksheet.by_name"],
    ),
    "by e-mail": (SHEET + "Participant 12,,A_b@x.org,\n", [Entry("a", "a b@x.org")], {"a": 1}, ["worksheet.by_email"]),
    "two of a name": (SHEET + "P 1,Ana,,\nP 2,Ana,,\n", [Entry("ana", "Ana")], {}, ["worksheet.ambiguous"]),
    "no such name": (SHEET + "Participant 12,Eva,,\n", [Entry("ana", "Ana")], {}, ["worksheet.nobody"]),
    "two for a row": (
        SHEET + "Participant 12,Ana,,\n",
        [Entry("ana", "Ana"), Entry("ana-2", "ana")],
        {},
        ["worksheet.by_name", "worksheet.by_name", "worksheet.shared", "worksheet.shared"],
    ),
    "without identifiers": ("Full name,Grade\nAna Pérez,\n", [ANA], {"ana-12": 1}, ["worksheet.by_name"]),
}


@pytest.mark.parametrize(("text", "entries", "rows", "said"), MATCHES.values(), ids=MATCHES.keys())
def test_a_row_is_found_for_certain_or_not_at_all(sheet, text, entries, rows, said):
    """By the digits of the identifier, or by e-mail or name where only one row has it; and it says so."""
    read = sheet(text)
    marks = {entry.id: Mark(1.0, 2.5, "") for entry in entries}
    filled = fill(read, entries, marks)
    place = next(place for place, name in enumerate(values(filled.content)[0]) if name in ("Grade", "Calificación"))
    written = [number for number, row in enumerate(values(filled.content)) if row[place] == "1.00"]
    assert written == list(rows.values())
    left_out = ("worksheet.no_feedback", "worksheet.no_submission")
    assert [code for code in codes(filled) if code not in left_out] == said


def test_rows_without_a_submission_are_told(sheet):
    """Not those whose submission there is, however it went."""
    filled = fill(sheet(text_of("es")), [ANA, LUIS], {})
    told = [each.facts["row"] for each in filled.incidents if each.code == "worksheet.no_submission"]
    assert told == ["Núñez Ó, Eva"]


@pytest.mark.parametrize(
    ("header", "no"),
    [
        ("La calificación puede ser cambiada", "No"),
        ("Grade can be changed", "no"),
        ("A cualificación pode seren cambiada", "Non"),
    ],
)
def test_a_locked_grade_stays(sheet, header, no):
    """In every language; anything else than a no leaves it open."""
    grade = {"L": "Calificación", "G": "Grade", "A": "Cualificación"}[header[0]]
    name = {"L": "Nombre completo", "G": "Full name", "A": "Nome completo"}[header[0]]
    text = f"{name},{grade},{header}\nAna Pérez,,{no}\nEva,,Sí\n"
    entries = [ANA, Entry("eva", "Eva")]
    filled = fill(sheet(text), entries, dict.fromkeys(["ana-12", "eva"], Mark(1, 2.5, "")))
    assert [row[1] for row in values(filled.content)[1:]] == ["", "1.00"]
    assert "worksheet.locked" in codes(filled)


def test_a_row_that_ends_early_is_left(sheet):
    """There is no cell to write in."""
    text = "Identifier,Grade,Feedback comments\nParticipant 12,\n"
    filled = fill(sheet(text), [ANA], {"ana-12": Mark(1.0, 2.5, "x")})
    assert filled.content == codecs.BOM_UTF8 + text.encode()
    assert codes(filled) == ["worksheet.short"]


@pytest.mark.parametrize(
    "header",
    [
        "Grade,Identifier,Feedback comments",
        "Feedback comments;Maximum Grade;x;Grade;Identifier",
        "identificador\tCALIFICACION\tComentarios de retroalimentacion",
        "La calificación puede cambiarse,Nombre completo,Calificación,Identificador,Calificación máxima",
        "Identificador,Nome completo,Cualificación,Cualificación máxima,A cualificación pode seren cambiada",
    ],
)
def test_columns_may_be_in_any_order_and_some_missing(sheet, header):
    """They are found by name."""
    assert {"id", "grade"} <= sheet(f"{header}\n").columns


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "has not one column Calificación, or Grade"),
        ("a,b,c\n1,2,3\n", "has not one column Calificación, or Grade, but a,b,c"),
        ("Grade,Identifier,Grade\n", "has not one column Calificación, or Grade"),
        ("Grade,Status\n", "no column that tells whose a row is"),
    ],
)
def test_what_is_no_worksheet_is_refused(sheet, text, reason):
    """With what it has instead."""
    with pytest.raises(ValueError, match=reason):
        sheet(text)


def test_a_worksheet_that_is_not_what_its_mark_says_is_refused(tmp_path):
    """It would not come back as it was."""
    (tmp_path / "notas.csv").write_bytes(codecs.BOM_UTF8 + b"Calificaci\xf3n,Identificador\n")
    with pytest.raises(ValueError, match="not in the encoding of its byte order mark, utf-8"):
        read_worksheet(tmp_path / "notas.csv")
    with pytest.raises(ValueError, match=r"nowhere\.csv cannot be read: No such file"):
        read_worksheet(tmp_path / "nowhere.csv")
