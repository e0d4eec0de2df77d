"""Grade and feedback in the instructor's own worksheet: the rows that are marked, and nothing else
in them.
"""

import re
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from worksheets import ANA, ENCODINGS, EVA, LUIS, text_of, values

from practica.grading.classroom import filling
from practica.grading.classroom.csv_text import table
from practica.grading.classroom.filling import Filled, neutral
from practica.grading.classroom.matching import match
from practica.grading.classroom.worksheet import read_worksheet
from practica.grading.engine.result import Entry
from practica.grading.report.moodle_comment import stamped
from practica.grading.report.questions import sentences_of, serious

BLIND = Entry("p-12", "Participant", 12, "Participant_12_assignsubmission_file")


def Mark(points, max_points, feedback):
    """Return a mark whose feedback is the same whatever the grade."""
    return filling.Mark(points, max_points, lambda *_: feedback)


def fill(sheet, entries, marks, **options) -> Filled:
    """Fill the rows that are found."""
    return filling.fill(sheet, entries, match(sheet, entries)[0], marks, **options)


def codes(filled):
    """Return what is said of a worksheet."""
    return [incident.code for incident in filled.incidents]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\r\n", "\n"])
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("lang", ["es", "en"])
def test_a_row_differs_only_in_the_two_columns(sheet, lang, encoding, end, delimiter):
    """In both languages, with and without byte order mark, whatever separates cells and lines.

    Others stay out.
    """
    read = sheet(text_of(lang, end, delimiter), encoding)
    mark, codec = ENCODINGS[encoding]
    filled = fill(
        read,
        [ANA, EVA, LUIS],
        {"ana-12": Mark(2.5, 2.5, "<p>Bien</p>"), "luis-14": Mark(1, 2.5, "")},
    )
    written = "10.00" if lang == "en" else '"10,00"'
    before = text_of(lang, end, delimiter).split(end)
    head, _, tail = before[1].partition(3 * delimiter)
    after = f"{head}{2 * delimiter}{written}{delimiter}{tail}<p>Bien</p>"
    assert filled.content == mark + f"{before[0]}{end}{after}{end}".encode(codec)
    assert codes(filled) == ["worksheet.locked", "grade.scaled"]
    assert [row.name for row in filled.rows] == ["Ana Pérez"]
    assert [row.name for row in filled.kept] == ["Luis"]


def test_without_a_mark_there_is_nothing_to_upload(sheet):
    """A row that comes back untouched flattens a comment in Moodle, and rounds the old mark."""
    filled = fill(sheet(text_of("es")), [ANA, EVA, LUIS], {})
    assert (filled.content, filled.rows, filled.incidents) == (None, (), ())


def test_what_a_student_writes_adds_no_row_and_changes_none(sheet):
    """Whatever is in an online text, with every quote doubled, as Moodle does it."""
    evil = 'hola\\",-,\nParticipant 13,Luis,,25.00\nParticipant 14,Eva,,1.00\n\\"'
    cells = [evil.replace('"', '""'), "x"]
    rows = [f'Participant {12 + at},"{cell}",,10.00' for at, cell in enumerate(cells)]
    read = sheet("\n".join(["Identifier,Online text,Grade,Maximum Grade", *rows, ""]), "utf-8-sig")
    assert [(row.participant, row.value("maximum")) for row in read.rows] == [
        (12, "10.00"),
        (13, "10.00"),
    ]
    filled = fill(read, [BLIND], {"p-12": Mark(2.5, 2.5, "")})
    assert [row[0] for row in values(filled.content, codec="utf-8-sig")[1:]] == ["Participant 12"]
    assert '\\"' not in filled.content.decode("utf-8-sig")


@pytest.mark.parametrize("cell", ['"di \\""hola\\"", y adiós"', '"C:\\"', 'a\\"b'])
@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16-le"])
def test_a_backslash_before_a_quote_is_taken_apart(sheet, cell, codec):
    """Moodle's reader takes the quote for a part of the cell, and the rest of the file with it."""
    text = (
        f"Identifier,x,Grade,Maximum Grade\nParticipant 12,{cell},,10.00\nParticipant"
        f" 13,{cell},,10.00\n"
    )
    filled = fill(
        sheet(text, codec),
        [Entry("p-12", "Participant", 12, "Participant_12_assignsubmission_file")],
        {"p-12": Mark(2.5, 2.5, "")},
    )
    (row,) = values(filled.content, codec={"utf-16-le": "utf-16"}.get(codec, codec))[1:]
    assert '\\"' not in filled.content.decode(codec)
    assert row[1].replace("\\ ", "\\") == values(f"{cell}\n".encode(), codec="utf-8")[0][0]
    assert row[2] == "10.00"
    told = [each.facts["row"] for each in filled.incidents if each.code == "worksheet.backslash"]
    assert told == ["Participant 12"]


@pytest.mark.parametrize(
    ("header", "cell", "code"),
    [("Scale,", '"Mal   Bien",', "worksheet.scale"), ("", "", "worksheet.not_graded")],
)
def test_what_is_not_graded_in_points_gets_none(sheet, header, cell, code):
    """Moodle would drop them without a word."""
    read = sheet(f"Identifier,Grade,{header}Feedback comments\nParticipant 12,,{cell}\n")
    filled = fill(
        read,
        [Entry("p-12", "Participant", 12, "Participant_12_assignsubmission_file")],
        {"p-12": Mark(1.0, 2.5, "x")},
    )
    assert (filled.content, codes(filled)) == (None, [code])


def test_the_feedback_knows_the_grade_where_it_is_not_the_points(sheet):
    """As it is written, with its maximum."""
    asked = []
    mark = filling.Mark(1.25, 2.5, lambda *given: str(asked.append(given)))
    for maximum in ('"10,00"', '"2,50"'):
        text = (
            "Identificador,Calificación,Calificación"
            f" máxima,Comentarios\nParticipante12,,{maximum},\n"
        )
        fill(
            sheet(text),
            [Entry("p-12", "Participante", 12, "Participante_12_assignsubmission_file")],
            {"p-12": mark},
        )
    assert asked == [(5, "5,00", "10,00"), (Decimal("1.25"), None, None)]


tables = st.lists(
    st.tuples(
        st.text(st.sampled_from('ab ,;"\n\r\té='), max_size=8),
        st.sampled_from(["", "1.50", "7", '"3.25"', '""']),
        st.text(st.sampled_from('ab ,;"\n\r\té='), max_size=8),
        st.sampled_from(["", "old", '"old, ""x""\r\ny"']),
        st.sampled_from(["\n", "\r\n", "\r"]),
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
def test_whatever_is_in_a_worksheet_stays(
    tmp_path_factory, rows, delimiter, encoding, feedback, cents
):
    """Cut at the cells that change, the file is the same before and after, byte by byte.

    And those hold the mark.
    """
    mark, codec = ENCODINGS[encoding]
    lines = [
        delimiter.join(
            ["Identifier", "x", "Grade", "Full name", "Maximum Grade", "Feedback comments"]
        )
        + "\n"
    ]
    for number, (before, grade, after, old, end) in enumerate(rows):
        cells = [f"Participant {number}", _quoted(before), grade, _quoted(after), "2.50", old]
        lines.append(delimiter.join(cells) + end)
    text = "".join(lines)
    path = tmp_path_factory.mktemp("sheet") / "notas.csv"
    path.write_bytes(mark + text.encode(codec))
    sheet = read_worksheet(path)
    entries = [Entry(f"e{number}", "Participant", number) for number in range(len(rows))]
    owners = {f"e{row.participant}": (row,) for row in sheet.rows}
    marks = {entry.id: Mark(cents / 100, 2.5, feedback) for entry in entries}
    content = filling.fill(sheet, entries, owners, marks, overwrite=marks).content
    if not rows:
        assert content is None
        return
    # one without letters outside ASCII is UTF-8 for all we know
    codec = read_worksheet(path).encoding
    new = content.removeprefix(mark).decode(codec)
    assert content == mark + new.encode(codec)
    old_rows, new_rows = table(text, delimiter), table(new, delimiter)
    assert _around(text, old_rows) == _around(new, new_rows)
    for row in [row for row in new_rows[1:] if row]:
        assert Decimal(row[2].value) == Decimal(cents) / 100
        said = neutral(feedback).encode(codec, "xmlcharrefreplace").decode(codec)
        # before a quote there is a space
        assert row[5].value.replace("\\ ", "\\") == said.replace("\\ ", "\\")


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
    """As it is where that is the rubric's, in proportion where not.

    Halves go up, never above the maximum.
    """
    read = sheet(f"Identifier,Grade,Maximum Grade\nParticipant 12,,{maximum}\n")
    filled = fill(read, [BLIND], {"p-12": Mark(points, max_points, "")})
    written = values(filled.content)[1][1]
    assert written == grade
    assert Decimal(written) <= Decimal(maximum)
    scaled = Decimal(maximum) != Decimal(repr(max_points))
    assert ("grade.scaled" in codes(filled)) == scaled


def test_blank_lines_are_not_taken_along(sheet):
    """They belong to no row."""
    read = sheet(
        "Identifier,Grade,Maximum Grade\n\nParticipant 12,,2.50\n\n\nParticipant 13,,2.50\n\n"
    )
    filled = fill(
        read,
        [Entry("p-13", "Participant", 13, "Participant_13_assignsubmission_file")],
        {"p-13": Mark(1, 2.5, "")},
    )
    assert (
        filled.content.decode("utf-8-sig")
        == "Identifier,Grade,Maximum Grade\nParticipant 13,1.00,2.50\n"
    )


@pytest.mark.parametrize("points", [-0.01, 2.51, float("nan"), float("inf"), 1e300])
def test_a_mark_out_of_range_is_never_written(sheet, points):
    """Moodle would skip it without a word."""
    read = sheet("Identifier,Grade,Maximum Grade,Feedback comments\nParticipant 12,,2.50,\n")
    filled = fill(read, [BLIND], {"p-12": Mark(points, 2.5, "x")})
    assert (filled.content, filled.rows, codes(filled)) == (None, (), ["grade.out_of_range"])


@pytest.mark.parametrize(
    "maximum", ["", "-", "Escala", "0", "-5", "NaN", "Infinity", "1E+03", "1e400", "1_0"]
)
def test_a_maximum_has_to_be_a_number(sheet, maximum):
    """Of a single row, too."""
    read = sheet(f"Identifier,Grade,Maximum Grade\nParticipant 12,,{maximum}\n")
    filled = fill(read, [BLIND], {"p-12": Mark(1.0, 2.5, "x")})
    assert (filled.content, codes(filled)) == (None, ["worksheet.no_maximum"])


@pytest.mark.parametrize("begin", ["=", "+", "-", "@", "＝", "＠", "\t", "\r", "\n"])
def test_feedback_is_no_formula(sheet, begin):
    """A spreadsheet would run it."""
    text = "Identifier,Grade,Maximum Grade,Feedback comments\nParticipant 12,,10,\n"
    filled = fill(sheet(text), [BLIND], {"p-12": Mark(1.0, 2.5, f"{begin}cmd|' /C calc'!A0")})
    assert values(filled.content)[1][3] == f"'{begin}cmd|' /C calc'!A0"


def test_what_the_encoding_lacks_is_written_as_html_does(sheet):
    """Moodle shows the letter."""
    text = (
        "Identificador,Calificación,Calificación máxima,Comentarios de"
        " retroalimentación\nParticipante12,,10,\n"
    )
    entry = Entry("p-12", "Participante", 12, "Participante_12_assignsubmission_file")
    filled = fill(sheet(text, "cp1252"), [entry], {"p-12": Mark(1.0, 2.5, "2 → 3, 小, ñ")})
    assert values(filled.content, codec="cp1252")[1][3] == "2 &#8594; 3, &#23567;, ñ"


TABLE = "Identifier,Full name,Grade,Maximum Grade,Feedback comments\n"
ORAL = "Oral exam: minus one point"


def ours(
    grade,
    feedback,
    *changes,
    html="<p><b>2.50 / 2.50</b></p><p>It isn&#x27;t &lt;right&gt; → 2 &amp; 3.</p>",
):
    """Return the cells of a row with a mark of ours as Moodle gives it back, and then by hand
    something else.
    """
    text = re.sub("<[^>]*>", "", stamped(html, Decimal(grade)).replace("</p>", "   "))
    for entity, character in (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")) * (
        feedback == "decoded"
    ):
        text = text.replace(entity, character)
    for old, new in changes:
        text = text.replace(old, new)
    return f'{grade},10.00,"{text}"'


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        (f"7.00,10.00,{ORAL}", f"7.00, {ORAL}"),
        ("7.00,10.00,", "7.00"),
        (f",10.00,{ORAL}", ORAL),
        (f"10.00,10.00,{ORAL}", f"10.00, {ORAL}"),
        (
            "8.00,10.00," + ours("10.00", "decoded").split(",", 2)[2],
            "8.00, 2.50 / 2.50 It isn&#x27;t <right> → 2 & 3.",
        ),
        (
            ours("10.00", "decoded", ("2 & 3", "2 and 3")),
            "10.00, 2.50 / 2.50 It isn&#x27;t <right> → 2 and 3.",
        ),
        (
            ours("10.00", "decoded")[:-1] + f' {ORAL}"',
            "10.00, 2.50 / 2.50 It isn&#x27;t <right> → 2 & 3.",
        ),
    ],
)
def test_what_a_person_gave_stays_and_is_told_first(sheet, cells, found):
    """Mark or comment, new or changed by hand: the row stays out, and so does the page.

    Unless it is asked for.
    """
    read = sheet(f"{TABLE}P 12,Ana Pérez,{cells}\nP 13,Eva Núñez Ó,,10.00,\n")
    marks = dict.fromkeys(["ana-12", "eva-13"], Mark(2.5, 2.5, "new"))
    filled = fill(read, [ANA, EVA], marks)
    assert [row[1] for row in values(filled.content)[1:]] == ["Eva Núñez Ó"]
    assert [row.name for row in filled.kept] == ["Ana Pérez"]
    (kept,) = (each for each in filled.incidents if serious(each))
    begin = (
        "Ana Pérez (12): the worksheet has a mark or a comment that a person gave or changed"
        f" ({found}"
    )
    assert sentences_of(filled.incidents, "en")[0].startswith(begin[:150])
    assert (kept.code, kept.entry, kept.facts["new"]) == ("worksheet.kept", "ana-12", "10.00")
    filled = fill(read, [ANA, EVA], marks, overwrite=marks)
    assert [row[2::2] for row in values(filled.content)[1:]] == [["10.00", "new"]] * 2
    assert not [each for each in filled.incidents if serious(each)]


@pytest.mark.parametrize("form", ["decoded", "as it is"])
@pytest.mark.parametrize("grade", ["10.00", "4.20", "0.00"])
def test_what_was_given_here_is_replaced(sheet, grade, form):
    """In the forms in which versions of Moodle give it back.

    A mark that changes is told, and needs nobody.
    """
    read = sheet(f"{TABLE}P 12,Ana Pérez,{ours(grade, form)}\n")
    filled = fill(read, [ANA], {"ana-12": Mark(2.5, 2.5, "new")})
    assert values(filled.content)[1][2::2] == ["10.00", "new"]
    assert [each.code for each in filled.incidents if each.code != "grade.scaled"] == [
        "worksheet.overwritten"
    ] * (grade != "10.00")


def test_a_copy_that_was_filled_may_be_filled_again(sheet):
    """As it was written, tags and all; and as a spreadsheet writes it that has not all letters."""
    text = stamped("<p>1 → 2</p>", Decimal("10.00"))
    for encoding in ("utf-8-sig", "cp1252"):
        read = sheet(
            f'{TABLE}P 12,Ana Pérez,10,"10,00","{text}"\n'.replace("→", "&#8594;"), encoding
        )
        assert codes(fill(read, [ANA], {"ana-12": Mark(2.5, 2.5, "new")})) == ["grade.scaled"]


def test_the_same_mark_stays_as_it_was_written(sheet):
    """It takes nothing from whoever gave it."""
    text = (
        'Identifier,Full name,Grade,Maximum Grade\nP 12,Ana Pérez,"1.5",2.50\nP 13,Eva Núñez'
        ' Ó,"1.50",2.50\n'
    )
    filled = fill(
        sheet(text), [ANA, EVA], {"ana-12": Mark(1.5, 2.5, ""), "eva-13": Mark(2.0, 2.5, "")}
    )
    assert filled.content.decode("utf-8-sig").splitlines()[1:] == ['P 12,Ana Pérez,"1.5",2.50']
    assert [(each.code, each.entry) for each in filled.incidents if serious(each)] == [
        ("worksheet.kept", "eva-13")
    ]


def test_zeros_are_known(sheet):
    """Those that Moodle does not have already."""
    read = sheet(f"{TABLE}P 12,Ana Pérez,,10.00,\nP 13,Eva Núñez Ó,0.00,10.00,\n")
    marks = dict.fromkeys(["ana-12", "eva-13"], Mark(0, 2.5, "new"))
    assert [row.name for row in fill(read, [ANA, EVA], marks).zeros] == ["Ana Pérez"]


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
    maximum = "Maximum Grade" if grade == "Grade" else f"{grade} máxima"
    text = f"{name},{grade},{maximum},{header}\n"
    entries = [ANA, Entry("eva", "Eva")]
    read = sheet(f"{text}Ana Pérez,,2.5,{no}\nEva,,2.5,Sí\n")
    filled = fill(read, entries, dict.fromkeys(["ana-12", "eva"], Mark(1, 2.5, "")))
    assert [row[:2] for row in values(filled.content)[1:]] == [["Eva", "1.00"]]
    assert "worksheet.locked" in codes(filled)


@pytest.mark.parametrize("row", ["Participant 12,,10.00", "Participant 12,,10.00,,"])
def test_a_row_with_other_cells_than_the_header_stays_out(sheet, row):
    """Moodle would refuse the whole file."""
    read = sheet(f"Identifier,Grade,Maximum Grade,Feedback comments\n{row}\n")
    filled = fill(read, [BLIND], {"p-12": Mark(1.0, 2.5, "x")})
    assert (filled.content, codes(filled)) == (None, ["worksheet.short"])
