"""What a file is by its first bytes: a CSV, or a table in another format, which becomes one.

Every format becomes the text of a CSV here, and `tables` reads that.
"""

from __future__ import annotations

import bz2
import codecs
import csv
import datetime
import gzip
import io
import lzma
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from practica.experiments.arff import arff_cells
from practica.experiments.choices import EXCEL, PARQUET
from practica.reference.arguments import closest


class Text(NamedTuple):
    """A table as the text of a CSV in UTF-8."""

    data: bytes
    is_written_here: bool = False  # with commas between cells, whatever the user's separator is
    names: bytes = b""  # the line of a header, if the format itself has names of columns


_COMPRESSED: dict[bytes, Callable[[bytes], bytes]] = {
    b"\x1f\x8b": gzip.decompress,
    b"BZh": bz2.decompress,
    b"\xfd7zXZ\x00": lzma.decompress,
}
_ZIP = b"PK\x03\x04"
_READERS = "pip install 'practica[files]'"
_OTHERS = {  # beginnings of formats that are not read
    b"\xd0\xcf\x11\xe0": "an old Excel file (.xls)",
    b"$FL": "an SPSS file",
    b"<stata_dta>": "a Stata file",
    b"SQLite format 3": "an SQLite database",
    b"\x89HDF": "an HDF5 or MATLAB file",
    b"MATLAB 5.0": "a MATLAB file",
    b"ARROW1": "an Arrow (Feather) file",
    b"RDX": "an R file",
    b"\x93NUMPY": "a numpy array",
    b"\x80": "a pickle of Python",
    b"%PDF": "a PDF",
    b"\x28\xb5\x2f\xfd": "a Zstandard archive (.zst)",
    b"7z\xbc\xaf": "a 7-Zip archive",
    b"Rar!": "a RAR archive",
}
_MARKED_UP = {  # beginnings of texts that are not read, as regular expressions
    rb"\s*([{]\s*\"|\[\s*[{\[])": "JSON",
    rb"(?i)\s*<(!doctype|html|head|body|table|meta)\b": "a web page (HTML)",
    rb"\s*<\?xml\b": "XML",
}
_OF_SYSTEMS = re.compile(r"^__MACOSX/|(^|/)\.[^/]*$|/$")  # what archives hold besides files


def as_text(
    name: str, data: bytes, sheet: str | None = None, encoding: str = "utf-8", decimal: str = "."
) -> Text:
    """Return the contents of a file as the text of a CSV.

    Compressed files and archives of one file are unpacked. The cells of Parquet, Excel's .xlsx and
    Weka's .arff are written as they are, and numbers with the mark `decimal`. Other formats are
    refused by their name. `name` is the file's, for errors; `sheet` is the one to read of a
    workbook.
    """
    data = _unpacked(name, data)
    if data.startswith(_ZIP):
        return Text(_written(_excel_cells(name, data, sheet), decimal), is_written_here=True)
    if sheet is not None:
        raise ValueError(f"{name} is no Excel file: leave --sheet out")
    if data.startswith(b"PAR1"):
        names, cells = _read(name, PARQUET, _parquet_cells, data)
        return Text(_written(cells, decimal), is_written_here=True, names=_written([names]))
    for beginning, what in _OTHERS.items():
        if data.startswith(beginning):
            raise ValueError(f"{name} is {what}, which is not read; save the table as CSV")
    data = _in_utf8(name, data, encoding)
    for beginning, what in _MARKED_UP.items():
        if re.match(beginning, data):
            raise ValueError(
                f"{name} is {what}, which is not read; save the table as CSV, as pandas' to_csv"
                " does"
            )
    if re.match(rb"(?i)(\s|%[^\n]*\n)*@relation\b", data):
        names, *rows = arff_cells(name, data.decode(), decimal)
        return Text(_written(rows, decimal), is_written_here=True, names=_written([names]))
    return Text(data)


def _unpacked(name: str, data: bytes) -> bytes:
    """Return the only file in compressed data or an archive, however often it is packed."""
    try:
        for beginning, unpack in _COMPRESSED.items():
            if data.startswith(beginning):
                return _unpacked(name, unpack(data))
        if data.startswith(_ZIP):
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                names = archive.namelist()
                if "xl/workbook.xml" in names:
                    return data
                if "content.xml" in names:
                    raise ValueError(
                        f"{name} is an OpenDocument file, which is not read; save the sheet as CSV"
                    )
                return _unpacked(name, archive.read(_only_file(name, "zip", names)))
        if data[257:262] == b"ustar":
            with tarfile.open(fileobj=io.BytesIO(data)) as archive_of_tar:
                files = {each.name: each for each in archive_of_tar if each.isfile()}
                reader = archive_of_tar.extractfile(files[_only_file(name, "tar", files)])
                return _unpacked(name, reader.read() if reader else b"")
    except (
        OSError,
        EOFError,
        RuntimeError,
        zlib.error,
        lzma.LZMAError,
        zipfile.BadZipFile,
        tarfile.TarError,
    ) as error:
        raise ValueError(f"{name} cannot be unpacked: {error}") from None
    return data


def _only_file(name: str, kind: str, names: Iterable[str]) -> str:
    """Return the name of the only file in an archive, apart from those that systems add."""
    files = [each for each in names if not _OF_SYSTEMS.search(each)]
    if len(files) != 1:
        raise ValueError(
            f"{name} is a {kind} of {len(files)} files; unpack it and give one of them"
        )
    return files[0]


def _in_utf8(name: str, data: bytes, encoding: str) -> bytes:
    r"""Return text in UTF-8, without its byte order mark and with \n or \r\n at the end of lines;
    refuse what is not text, with the first place that is not in its encoding.

    UTF-16 is known by its mark, or by its beginning in ASCII.
    """
    if data.startswith(codecs.BOM_UTF8):
        data, encoding = data.removeprefix(codecs.BOM_UTF8), "utf-8"
    elif data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        encoding = "utf-16"
    elif data[:2].count(0) == 1:
        encoding = "utf-16-le" if data[0] else "utf-16-be"
    try:
        text = data.decode(encoding)
    except LookupError:
        raise ValueError(
            f"encoding={encoding!r} is unknown; examples are utf-8, latin-1 and cp1252"
        ) from None
    except UnicodeError as error:
        raise _not_decoded(name, data, encoding, error) from None
    if "\0" in text:
        raise ValueError(f"{name} is not a text file; a spreadsheet must be saved as CSV first")
    if re.fullmatch(r"\ufeff*\s*", text):
        raise ValueError(f"{name} is empty")
    if codecs.lookup(encoding).name != "utf-8":
        data = text.removeprefix("\ufeff").encode()
    return data if b"\n" in data else data.replace(b"\r", b"\n")


def _not_decoded(name: str, data: bytes, encoding: str, error: UnicodeError) -> ValueError:
    if b"\0" in data:
        hint = "it does not look like text: a spreadsheet must be saved as CSV first"
    else:
        hint = "an older program may have written it with --encoding latin-1"
    where = ""
    if isinstance(error, UnicodeDecodeError):
        where = f" at line {1 + data[: error.start].count(10)}"
    return ValueError(f"{name} is not {encoding}{where}; {hint}")


def _excel_cells(name: str, data: bytes, sheet: str | None) -> list[list[object]]:
    """Return the cells of the sheet of a workbook that `sheet` names, or of its only sheet. Each of
    several merged cells has their value.
    """
    book = _read(name, EXCEL, _workbook, data)
    sheets = [page.title for page in book.worksheets]
    if sheet is None and len(sheets) > 1:
        raise ValueError(
            f"{name} has {len(sheets)} sheets, {', '.join(map(repr, sheets))}; choose one, such as"
            f" --sheet '{sheets[0]}'"
        )
    if sheet not in (None, *sheets):
        raise ValueError(f"{name} has no sheet {sheet!r}{closest(sheet, sheets, 'its sheets')}")
    page = book[sheet or sheets[0]]
    cells = [list(row) for row in page.iter_rows(values_only=True)]
    for area in page.merged_cells.ranges:
        value = cells[area.min_row - 1][area.min_col - 1]
        for row in cells[area.min_row - 1 : area.max_row]:
            row[area.min_col - 1 : area.max_col] = [value] * area.size["columns"]
    places = [n for row in cells for n, value in enumerate(row) if value is not None]
    if not places:
        raise ValueError(f"{name} is empty")
    return [row[min(places) :] for row in cells]


def _workbook(file: io.BytesIO) -> Any:
    from openpyxl import load_workbook

    return load_workbook(file, data_only=True)


def _parquet_cells(file: io.BytesIO) -> tuple[list[str], Iterator[Sequence[object]]]:
    """Return the names of the columns of a Parquet file, and its rows."""
    from pyarrow.parquet import ParquetFile

    source = ParquetFile(file)
    names = source.schema_arrow.names
    kept = [n for n, name in enumerate(names) if not name.startswith("__index_level_")]
    columns = ([batch[n].to_pylist() for n in kept] for batch in source.iter_batches())
    return [names[n] for n in kept], (row for batch in columns for row in zip(*batch, strict=True))


def _read(name: str, what: str, read: Callable[[io.BytesIO], Any], data: bytes) -> Any:
    try:
        return read(io.BytesIO(data))
    except ImportError as error:
        raise ValueError(
            f"{name} is {what}: to read it, {_READERS}; or save the table as CSV"
        ) from error
    except Exception as error:
        raise ValueError(
            f"{name} is {what} that cannot be read: {str(error).partition(chr(10))[0]}"
        ) from error


def _written(rows: Iterable[Sequence[object]], decimal: str = ".") -> bytes:
    """Return rows of cells as the text of a CSV."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerows([_as_cell(value, decimal) for value in row] for row in rows)
    return file.getvalue().encode()


def _as_cell(value: object, decimal: str) -> str:
    """Return a value as a CSV has it: a whole number without a decimal mark, a date without a time
    at midnight.
    """
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        value = value.date()
    if value is None or value != value:
        return ""
    if isinstance(value, float):
        is_whole = value.is_integer() and abs(value) < 2**53
        return str(int(value)) if is_whole else repr(value).replace(".", decimal)
    return str(value)
