"""Worksheets as Moodle and spreadsheets write them, for the tests of those who read and fill
them.
"""

import codecs
import csv
import io

from practica.grading.engine.result import Entry

HEADERS = {
    "es": (
        'Identificador,"Nombre completo","Dirección de'
        ' correo",Estado,Grupo,Calificación,"Calificación máxima","La calificación puede ser'
        ' cambiada","Última modificación (entrega)","Última modificación'
        ' (calificación)","Comentarios de retroalimentación"'
    ),
    "en": (
        'Identifier,"Full name","Email address",Status,Group,Grade,"Maximum Grade","Grade can be'
        ' changed","Last modified (submission)","Last modified (grade)","Feedback comments"'
    ),
}
ROWS = {
    "es": (
        'Participante12,"Ana Pérez",ana@example.org,"Enviado para calificar",,,"10,00"'
        ',Sí,"viernes, 20 nov.",-,',
        'Participante13,"Núñez Ó, Eva",eva@example.org,"Sin entrega",,"3,50","10,00",Sí,-,-'
        ',"Dijo ""no""\nayer"',
        'Participante14,Luis,luis@example.org,Enviado,,,"10,00",No,-,-,',
    ),
    "en": (
        'Participant 12,"Ana Pérez",ana@example.org,"Submitted for grading",,,10.00,Yes'
        ',"Friday, 20 November",-,',
        'Participant 13,"Núñez Ó, Eva",eva@example.org,"No submission",,3.50,10.00,Yes,-,-'
        ',"Said ""no""\nyesterday"',
        "Participant 14,Luis,luis@example.org,Submitted,,,10.00,No,-,-,",
    ),
}
ENCODINGS = {
    "utf-8": (b"", "utf-8"),
    "utf-8-sig": (codecs.BOM_UTF8, "utf-8"),
    "utf-16-le": (codecs.BOM_UTF16_LE, "utf-16-le"),
    "utf-16-be": (codecs.BOM_UTF16_BE, "utf-16-be"),
    "cp1252": (b"", "cp1252"),
}
ANA = Entry("ana-12", "Ana Pérez", 12, "Ana Pérez_12_assignsubmission_file")
EVA = Entry("eva-13", "Eva Núñez Ó", 13, "Eva Núñez Ó_13_assignsubmission_file")
LUIS = Entry("luis-14", "Luis", 14, "Luis_14_assignsubmission_file")


def text_of(lang, end="\r\n", delimiter=","):
    """Return a whole worksheet; with another separator, by its first letters alone."""
    text = end.join([HEADERS[lang], *ROWS[lang]]) + end
    if delimiter != ",":
        rows = list(csv.reader(io.StringIO(text, newline="")))
        out = io.StringIO(newline="")
        csv.writer(out, delimiter=delimiter, lineterminator=end).writerows(rows)
        text = out.getvalue()
    return text


def values(content: bytes, delimiter=",", codec="utf-8-sig"):
    """Return a worksheet as csv reads it."""
    return list(csv.reader(io.StringIO(content.decode(codec), newline=""), delimiter=delimiter))
