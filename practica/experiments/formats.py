"""What a file is by its first bytes: text, compressed text, or a table in another format, which
becomes text.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from practica.reference.arguments import closest

# a CSV, and whether it was written here: in UTF-8, with commas and decimal points
Text = tuple[bytes, bool]

_COMPRESSED: dict[bytes, Callable[[bytes], bytes]] = {
    b"\x1f\x8b": gzip.decompress,
    b"BZh": bz2.decompress,
    b"\xfd7zXZ\x00": lzma.decompress,
}
_READERS = "pip install 'practica[files]'"
_OTHERS = {  # beginnings of formats that are not read
    b"\xd0\xcf\x11\xe0": "an old Excel file (.xls)",
    b"$FL2": "an SPSS file",
    b"$FL3": "an SPSS file",
    b"<stata_dta>": "a Stata file",
    b"SQLite format 3": "an SQLite database",
    b"\x89HDF": "an HDF5 or MATLAB file",
    b"MATLAB 5.0": "a MATLAB file",
    b"ARROW1": "an Arrow (Feather) file",
    b"RDX": "an R file",
    b"\x93NUMPY": "a numpy array",
    b"\x80\x04": "a pickle of Python",
    b"\x80\x05": "a pickle of Python",
    b"%PDF": "a PDF",
}


def as_text(name: str, data: bytes, sheet: str | None = None) -> Text:
    """Return the contents of a file as the bytes of a CSV.

    Compressed text is unpacked; Parquet, Excel's .xlsx and Weka's .arff are read by pandas or
    scipy. Other formats are refused by their name. `sheet` names one of a workbook.
    """
    try:
        for beginning, unpack in _COMPRESSED.items():
            if data.startswith(beginning):
                data = unpack(data)
        if data.startswith(b"PK\x03\x04"):
            return _of_zip(name, data, sheet)
    except (
        OSError,
        EOFError,
        RuntimeError,
        zlib.error,
        lzma.LZMAError,
        zipfile.BadZipFile,
    ) as error:
        raise ValueError(f"{name} cannot be unpacked: {error}") from None
    if sheet is not None:
        raise ValueError(f"{name} is no Excel file: leave --sheet out")
    if data.startswith(b"PAR1"):
        frame = _read(name, "a Parquet file", pd.read_parquet, data)
        named = [level for level in frame.index.names if level is not None]
        return _written(frame.reset_index() if named else frame)
    for beginning, what in _OTHERS.items():
        if data.startswith(beginning):
            raise ValueError(f"{name} is {what}, which is not read; save the table as CSV")
    if re.match(rb"(?i)(\s|%[^\n]*\n)*@relation\b", data):
        return _written(_of_arff(name, data))
    if re.match(rb"\s*([{]\s*\"|\[\s*[{\[])", data):
        raise ValueError(
            f"{name} is JSON, which is not read; save the table as CSV, as pandas' to_csv does"
        )
    return data, False


def in_utf8(data: bytes) -> bytes:
    """Return text in UTF-16, with a byte order mark or beginning in ASCII, as UTF-8; other data as
    they are.
    """
    encoding = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}.get(data[:2])
    if encoding is None and data[:2].count(0) == 1:
        encoding = "utf-16-le" if data[0] else "utf-16-be"
    if encoding is None:
        return data
    return data.decode(encoding, "replace").encode()


def _of_zip(name: str, data: bytes, sheet: str | None) -> Text:
    """Return the file in a zip as a CSV: a workbook, or the only file that macOS has not added."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = archive.namelist()
        if "xl/workbook.xml" in names:
            return _written(_of_excel(name, data, sheet))
        if "content.xml" in names:
            raise ValueError(
                f"{name} is an OpenDocument file, which is not read; save the sheet as CSV"
            )
        files = [each for each in names if not re.search(r"^__MACOSX/|(^|/)\.[^/]*$|/$", each)]
        if len(files) != 1:
            raise ValueError(
                f"{name} is a zip of {len(files)} files; unpack it and give one of them"
            )
        return as_text(name, archive.read(files[0]), sheet)


def _of_excel(name: str, data: bytes, sheet: str | None) -> Any:
    """Return a sheet of a workbook as a CSV: the one that `sheet` names, or the only one."""
    book = _read(name, "an Excel file", pd.ExcelFile, data)
    sheets = book.sheet_names
    if sheet is None and len(sheets) > 1:
        raise ValueError(
            f"{name} has {len(sheets)} sheets, {', '.join(map(repr, sheets))}; choose one, such as"
            f" --sheet '{sheets[0]}'"
        )
    if sheet not in (None, *sheets):
        raise ValueError(f"{name} has no sheet {sheet!r}{closest(sheet, sheets, 'its sheets')}")
    return pd.read_excel(book, sheet or sheets[0], keep_default_na=False, na_values=[""])


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


def _of_arff(name: str, data: bytes) -> Any:
    from scipy.io import arff

    try:
        values, _ = arff.loadarff(io.StringIO(data.decode("utf-8", "replace")))
    except (ValueError, NotImplementedError, StopIteration, arff.ArffError) as error:
        raise ValueError(
            f"{name} is an ARFF file that scipy cannot read: {error}; save the table as CSV"
        ) from None
    frame = pd.DataFrame({column: values[column] for column in values.dtype.names})
    texts = [column for column in frame if frame[column].dtype == object]
    return frame.assign(
        **{column: frame[column].map(lambda value: value.decode("utf-8")) for column in texts}
    )


def _written(frame: Any) -> Text:
    """Return a table as the text of a CSV: whole numbers without a decimal mark."""
    columns = {}
    for place, (_, column) in enumerate(frame.items()):
        if pd.api.types.is_float_dtype(column):
            known = column.dropna().to_numpy(np.float64)
            if np.isfinite(known).all() and not (known % 1).any() and max(abs(known)) < 2**53:
                column = column.astype("Int64")
        columns[place] = column
    text = pd.DataFrame(columns).to_csv(index=False, header=[str(name) for name in frame.columns])
    return text.encode(), True
