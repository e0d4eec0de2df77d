"""One table in every format and packing that is read, with every contents: read alike, or refused
alike.

A `Table` has a header and rows of typed values. `CONTENTS` change it; `FORMATS` write it as
spreadsheets, Weka and pandas do. `python -m same.tables` prints which formats differ, by contents.
"""

from __future__ import annotations

import bz2
import csv
import dataclasses
import datetime
import gzip
import io
import lzma
import math
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq

from tests.tables import read_csv

TARGET = "clase"


@dataclasses.dataclass(frozen=True)
class Table:
    """What is written, and the options with which it is read."""

    header: Sequence[str]
    rows: Sequence[Sequence[Any]]
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def with_options(self, **options: Any) -> Table:
        """Return the same table, read with more options."""
        return dataclasses.replace(self, options={**self.options, **options})

    def with_column(self, name: str, values: Sequence[Any], place: int = 0) -> Table:
        """Return the table with one more column."""
        header = [*self.header[:place], name, *self.header[place:]]
        rows = [
            [*row[:place], value, *row[place:]]
            for row, value in zip(self.rows, values, strict=True)
        ]
        return dataclasses.replace(self, header=header, rows=rows)

    def with_cells(self, name: str, change: Callable[[int, Any], Any]) -> Table:
        """Return the table with changed values of a column, each from its row and value."""
        place = self.header.index(name)
        rows = [
            [*row[:place], change(number, row[place]), *row[place + 1 :]]
            for number, row in enumerate(self.rows)
        ]
        return dataclasses.replace(self, rows=rows)

    def columns(self) -> list[list[Any]]:
        """Return the values of each column."""
        return [list(column) for column in zip(*self.rows, strict=True)]


def plain(seed: int) -> Table:
    """Draw 30 trees of three kinds: a fraction, a whole number, a text and the class."""
    rng = np.random.default_rng(seed)
    rows = [
        [
            round(float(rng.normal(10 + 3 * (i % 3), 2)), 2),
            int(rng.integers(20, 90)),
            ["smooth", "rough, grey", "thin"][int(rng.integers(3))],
            ["oak", "elm", "ash"][i % 3],
        ]
        for i in range(30)
    ]
    return Table(["height", "age", "bark", TARGET], rows)


def every(step: int, value: Any) -> Callable[[int, Any], Any]:
    """Return a change that puts a value into one row of so many."""
    return lambda number, old: value if number % step == 1 else old


def numbered(table: Table, values: Callable[[int], Any], name: str = "more") -> Table:
    """Return the table with a first column of values by the number of the row; a second `more` has
    another name.
    """
    name += str(len(table.header)) * ("more" in table.header and name == "more")
    return table.with_column(name, [values(number) for number in range(len(table.rows))])


def with_accents(table: Table) -> Table:
    """Return the table with accents in names, texts and classes."""
    renamed = [name.replace("age", "años") for name in table.header]
    table = dataclasses.replace(table, header=renamed)
    table = table.with_cells(TARGET, lambda _, value: "álamo" if value == "ash" else value)
    return table.with_cells("bark", lambda _, value: "añil" if value == "thin" else value)


def tiny(_: int, value: Any) -> Any:
    """Return a number in another unit, with the same digits."""
    is_number = isinstance(value, float) and math.isfinite(value)
    return float(f"{value}e-9") if is_number else value


def without_header(table: Table) -> Table:
    """Return the table with columns that have numbers in place of names."""
    return table.with_options(header=False)


CONTENTS: dict[str, Callable[[Table], Table]] = {
    "plain": lambda table: table,
    "tiny": lambda table: table.with_cells("height", tiny),
    "to the last bit": lambda table: table.with_cells("height", every(9, 1 / 3)),
    "no header": without_header,
    "missing, imputed": lambda table: (
        table.with_cells("height", every(7, None))
        .with_cells("age", every(9, None))
        .with_cells("bark", every(5, None))
        .with_options(impute=True)
    ),
    "NA, imputed": lambda table: table.with_cells("bark", every(5, "NA")).with_options(impute=True),
    "words that are categories": lambda table: numbered(
        table, lambda i: ("None", "NA", "n/a", "NULL", "nan", "-nan", "low")[i % 7]
    ).with_options(missing=[""]),
    "words for missing": lambda table: table.with_cells("height", every(5, "n/d")).with_options(
        missing=["n/d"], impute=True
    ),
    "decimal comma": lambda table: table.with_options(decimal=","),
    "commas in texts": lambda table: numbered(table, lambda i: f"{i * i % 17},{i}").with_options(
        decimal=","
    ),
    "thousands": lambda table: numbered(
        table, lambda i: f"{1 + i},{i * i % 900 + 100}.5"
    ).with_options(thousands=","),
    "units": lambda table: numbered(table, lambda i: f"{i * i % 17 + 0.5} km"),
    "empty column": lambda table: table.with_column(
        "empty", [None] * len(table.rows), 1
    ).with_options(impute=True),
    "nothing in a last column": lambda table: table.with_column(
        "", [None] * len(table.rows), len(table.header)
    ),
    "true or false": lambda table: numbered(table, lambda i: i * i % 7 > 3),
    "classes in numbers": lambda table: table.with_cells(TARGET, lambda i, _: i % 3),
    "dates": lambda table: numbered(table, lambda i: datetime.date(2024, 1 + i % 3, 1 + i % 9)),
    "large whole numbers": lambda table: numbered(table, lambda i: 10**15 + i * i % 7),
    "codes": lambda table: numbered(table, lambda i: f"0{i % 3}{i % 7}"),
    "codes with E": lambda table: numbered(table, lambda i: ("1E8", "2F3", "3A1")[i % 3]),
    "constant": lambda table: numbered(table, lambda _: "España"),
    "name of a category": lambda table: numbered(table, lambda i: i * i % 7 / 4, "bark=thin"),
    "left out": lambda table: numbered(table, lambda i: f"p{i}").with_options(ignore=["more"]),
    "accents": with_accents,  # last of all: they rename columns
}
REFUSED: dict[str, Callable[[Table], Table]] = {
    "missing": lambda table: table.with_cells("height", every(7, None)),
    "missing class": lambda table: table.with_cells(TARGET, every(7, None)),
    "equal names": lambda table: numbered(table, lambda i: i % 4, TARGET),
    "no name": lambda table: numbered(table, lambda i: i % 4, ""),
    "millions": lambda table: numbered(table, lambda i: f"{1 + i}.{i * i % 900 + 100}.000"),
    "commas": lambda table: numbered(table, lambda i: f"{i * i % 17},{i}"),
    "numbers and text": lambda table: table.with_cells("height", every(5, "-")),
    "an error of a formula": lambda table: table.with_cells("age", every(5, "#DIV/0!")),
    "infinite": lambda table: table.with_cells("height", every(40, math.inf)),
    "identifier": lambda table: numbered(table, lambda i: f"p{i}"),
    "header again": lambda table: dataclasses.replace(
        table, rows=[*table.rows[:9], table.header, *table.rows[9:]]
    ),
    "no such target": lambda table: dataclasses.replace(
        table, header=[name.upper() for name in table.header]
    ),
}


def as_text(value: Any, decimal: str = ".") -> str:
    """Return a value as a CSV has it."""
    if isinstance(value, float):
        return str(value).replace(".", decimal)
    return "" if value is None else str(value)


def as_csv(table: Table, *, separator: str = ",", quoting: int = csv.QUOTE_MINIMAL) -> str:
    """Return the text of a CSV, without a header if the table is read so."""
    decimal = table.options.get("decimal", ".")
    file = io.StringIO()
    writer = csv.writer(file, delimiter=separator, quoting=quoting, lineterminator="\n")
    header = [] if table.options.get("header") is False else [table.header]
    for row in (*header, *table.rows):
        writer.writerow(
            value
            if quoting == csv.QUOTE_NONNUMERIC and type(value) in (int, float) and decimal == "."
            else as_text(value, decimal)
            for value in row
        )
    return file.getvalue()


def as_workbook(table: Table, *, texts: bool = False, corner: tuple[int, int] = (1, 1)) -> bytes:
    """Return a workbook with typed cells, or texts, from a corner on."""
    book = openpyxl.Workbook()
    header = [] if table.options.get("header") is False else [table.header]
    decimal = table.options.get("decimal", ".")
    for row_number, row in enumerate((*header, *table.rows), start=corner[0]):
        for column_number, value in enumerate(row, start=corner[1]):
            infinite = isinstance(value, float) and math.isinf(value)
            written = as_text(value, decimal) if texts or infinite else value
            book.active.cell(row_number, column_number, written if written != "" else None)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def as_parquet(table: Table, *, categories: bool = False) -> bytes:
    """Return a Parquet file; a column of several types is one of texts, as pandas would need it."""
    arrays = []
    for column in table.columns():
        try:
            array = pa.array(column)
        except (pa.ArrowInvalid, pa.ArrowTypeError):
            decimal = table.options.get("decimal", ".")
            array = pa.array(
                [None if value is None else as_text(value, decimal) for value in column]
            )
        is_text = pa.types.is_string(array.type)
        arrays.append(array.dictionary_encode() if categories and is_text else array)
    file = io.BytesIO()
    pq.write_table(pa.table(arrays, names=list(table.header)), file)
    return file.getvalue()


def as_arff(table: Table, *, sparse: bool = False) -> str:
    """Return what Weka writes: values with quotes, dense or sparse."""
    decimal = table.options.get("decimal", ".")

    def quoted(value: Any, *, of_texts: bool = False) -> str:
        if value is None:
            return "?"
        if type(value) in (int, float) and not of_texts:
            return str(value)
        return "'" + as_text(value, decimal).replace("\\", "\\\\").replace("'", "\\'") + "'"

    lines, columns = ["% trees", "@relation trees", ""], []
    defaults: list[str] = []
    for name, column in zip(table.header, table.columns(), strict=True):
        known = [value for value in column if value is not None]
        is_number = all(type(value) in (int, float) for value in known)
        columns.append([quoted(value, of_texts=not is_number) for value in column])
        words = [cell for cell in dict.fromkeys(columns[-1]) if cell != "?"]
        is_date = known and all(isinstance(value, datetime.date) for value in known)
        kind = "date 'yyyy-MM-dd'" if is_date else "{" + ",".join(words) + "}"
        lines.append(f"@attribute {quoted(name)} {'numeric' if is_number else kind}")
        defaults.append("0" if is_number else "" if is_date else words[0])
    lines.append("@data")
    for cells in zip(*columns, strict=True):
        pairs = [f"{n} {cell}" for n, cell in enumerate(cells) if cell != defaults[n]]
        lines.append("{" + ",".join(pairs) + "}" if sparse else ",".join(cells))
    return "\n".join([*lines, ""])


def in_zip(data: bytes, name: str = "trees.csv") -> bytes:
    """Return a zip of one file, a folder, and what macOS adds."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for other in ("__MACOSX/._trees.csv", ".DS_Store", "folder/"):
            archive.writestr(other, b"\0\5\26\7")
        archive.writestr(name, data)
    return file.getvalue()


def in_tar(data: bytes, mode: str) -> bytes:
    """Return a tar of one file in a folder."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode=mode) as archive:
        about = tarfile.TarInfo("trees/trees.csv")
        about.size = len(data)
        archive.addfile(about, io.BytesIO(data))
    return file.getvalue()


def utf8(table: Table, **options: Any) -> bytes:
    """Return a CSV in UTF-8."""
    return as_csv(table, **options).encode()


def with_end(table: Table, end: str) -> bytes:
    """Return a CSV with other ends of lines."""
    return as_csv(table).replace("\n", end).encode()


def with_last_separators(table: Table, count: int, *, in_header: bool = True) -> bytes:
    """Return a CSV with separators at the end of each line, or of all but a header."""
    header, *rows = as_csv(table).splitlines(keepends=True)
    end = "," * count + "\n"
    rows = [row.replace("\n", end) for row in rows]
    if in_header or table.options.get("header") is False:
        header = header.replace("\n", end)
    return "".join([header, *rows]).encode()


def with_blanks(table: Table) -> bytes:
    """Return a CSV with a blank before each quotation mark."""
    return as_csv(table, quoting=csv.QUOTE_ALL).replace(',"', ', "').encode()


def among_sheets(table: Table) -> bytes:
    """Return a workbook in which the table is the second of three sheets."""
    book = openpyxl.load_workbook(io.BytesIO(as_workbook(table)))
    book.active.title = "trees"
    book.create_sheet("notes", 0)["A1"] = "none"
    book.create_sheet("empty")
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


FORMATS: dict[str, tuple[Callable[[Table], bytes], dict[str, str]]] = {
    "csv": (utf8, {}),
    "semicolons": (lambda t: utf8(t, separator=";"), {"separator": ";"}),
    "tabs": (lambda t: utf8(t, separator="\t"), {"separator": "tab"}),
    "bars": (lambda t: utf8(t, separator="|"), {"separator": "|"}),
    "sep=;": (lambda t: b"sep=;\n" + utf8(t, separator=";"), {}),
    "mark of UTF-8": (lambda t: b"\xef\xbb\xbf" + utf8(t), {}),
    "UTF-16": (lambda t: as_csv(t).encode("utf-16"), {}),
    "UTF-16 without a mark": (lambda t: as_csv(t).encode("utf-16-be"), {}),
    "UTF-16 of Intel without a mark": (lambda t: as_csv(t).encode("utf-16-le"), {}),
    "UTF-16 by its name": (lambda t: as_csv(t).encode("utf-16"), {"encoding": "utf-16"}),
    "Latin-1": (lambda t: as_csv(t).encode("latin-1"), {"encoding": "latin-1"}),
    "ends of Windows": (lambda t: with_end(t, "\r\n"), {}),
    "ends of old Macs": (lambda t: with_end(t, "\r"), {}),
    "all in quotes": (lambda t: utf8(t, quoting=csv.QUOTE_ALL), {}),
    "texts in quotes": (lambda t: utf8(t, quoting=csv.QUOTE_NONNUMERIC), {}),
    "empty lines": (lambda t: b"\n\n" + utf8(t) + b"\n\n", {}),
    "empty rows": (lambda t: b",,,\n" + utf8(t) + b",,,\n,,,\n", {}),
    "last separators": (lambda t: with_last_separators(t, 1), {}),
    "separators after the rows": (lambda t: with_last_separators(t, 1, in_header=False), {}),
    "blanks before quotes": (with_blanks, {}),
    "two last separators": (lambda t: with_last_separators(t, 2), {}),
    "gz": (lambda t: gzip.compress(utf8(t)), {}),
    "bz2": (lambda t: bz2.compress(utf8(t)), {}),
    "xz": (lambda t: lzma.compress(utf8(t)), {}),
    "zip": (lambda t: in_zip(utf8(t)), {}),
    "zip of gz": (lambda t: in_zip(gzip.compress(utf8(t)), "trees.csv.gz"), {}),
    "tar": (lambda t: in_tar(utf8(t), "w"), {}),
    "tar.gz": (lambda t: in_tar(utf8(t), "w:gz"), {}),
    "standard input": (utf8, {"path": "-"}),
    "xlsx": (as_workbook, {}),
    "xlsx of texts": (lambda t: as_workbook(t, texts=True), {}),
    "xlsx from C4 on": (lambda t: as_workbook(t, corner=(4, 3)), {}),
    "a sheet of several": (among_sheets, {"sheet": "trees"}),
    "zip of xlsx": (lambda t: in_zip(as_workbook(t), "trees.xlsx"), {}),
    "parquet": (as_parquet, {}),
    "parquet of categories": (lambda t: as_parquet(t, categories=True), {}),
    "arff": (lambda t: as_arff(t).encode(), {}),
    "sparse arff": (lambda t: as_arff(t, sparse=True).encode(), {}),
    "arff in Latin-1": (lambda t: as_arff(t).encode("latin-1"), {"encoding": "latin-1"}),
    "zip of arff": (lambda t: in_zip(as_arff(t).encode()), {}),
    "gz of arff": (lambda t: gzip.compress(as_arff(t).encode()), {}),
}


def outcome(table: Table, form: str, folder: Path) -> object:
    """Return what is read of a table in one format: all that a command sees, or the refusal."""
    write, options = FORMATS[form]
    path = folder / "t"
    path.write_bytes(write(table))
    has_header = table.options.get("header") is not False
    place = [name.lower() for name in table.header].index(TARGET)
    target = TARGET if has_header else str(place + 1)
    given = {"path": path, **options, **table.options}
    before = sys.stdin
    try:
        with path.open(encoding="utf-8") as sys.stdin:
            read = read_csv(given.pop("path"), target, least=2, whole=True, **given)
    except ValueError as error:
        return str(error).replace("standard input", "t")
    finally:
        sys.stdin = before
    shown = read.attributes, read.targets.tolist(), read.notes, read.holes, read.sha256
    return *shown, read.inputs.tobytes(), read.columns.to_csv()


def groups(table: Table, forms: Sequence[str] = tuple(FORMATS)) -> dict[str, list[str]]:
    """Return the formats by what is read of a table in them."""
    found: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for form in forms:
            read = outcome(table, form, Path(folder))
            found.setdefault(read if isinstance(read, str) else repr(read), []).append(form)
    return found


if __name__ == "__main__":
    for kind, contents in (CONTENTS | REFUSED).items():
        found = groups(contents(plain(int(sys.argv[1]) if sys.argv[1:] else 1)))
        sizes = sorted(map(len, found.values()), reverse=True)
        print(f"{kind:25} {len(FORMATS)} formats, {len(sizes)} outcomes {sizes}")
        for read, forms in sorted(found.items(), key=lambda pair: -len(pair[1])):
            if len(found) > 1 or kind in REFUSED:
                print(f"    {', '.join(forms)}: {read[:300]}")
