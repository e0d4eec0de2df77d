"""Tables of pandas as plain data: the names of their columns, the index, and the columns as arrays.

pandas is imported where a table is, and nowhere else.
"""

from __future__ import annotations

import contextlib
import re
import sys
from typing import Any

import numpy as np

# types of columns that are made again from their names
DTYPES = re.compile(
    r"bool|object|str|string|category|boolean|u?int(8|16|32|64)|float(16|32|64)|complex(64|128)"
    r"|U?[Ii]nt(8|16|32|64)|Float(32|64)|(datetime|timedelta)64\[(s|ms|us|ns)\]"
)
KINDS = ("DataFrame", "Series", "Index")


def is_of_pandas(kind: type) -> bool:
    """Return whether a type is one of pandas."""
    return kind.__module__.partition(".")[0] == "pandas"


def kind_of(value: Any) -> str:
    """Return "DataFrame", "Series" or "Index" for a value of pandas of that kind; empty for any
    other.
    """
    pandas = sys.modules.get("pandas")
    if pandas is None or not is_of_pandas(type(value)):
        return ""
    return next((kind for kind in KINDS if isinstance(value, getattr(pandas, kind))), "")


def counts_rows(index: Any) -> bool:
    """Return whether an index is the one that a table has which is made without any."""
    return bool(index.equals(_usual("Index", [*range(len(index))])) and index.names == [None])


def has_usual_type(values: Any) -> bool:
    """Return whether pandas gives a column or an index its type if it is made of a list."""
    import pandas

    read = {"M": pandas.Timestamp("2026-01-02"), "m": pandas.Timedelta("1s")}  # in their own units
    date = read.get(values.dtype.kind)
    with contextlib.suppress(Exception):  # pandas raises of every kind
        made = _usual(kind_of(values), values.tolist() if date is None else [date])
        return bool(made.dtype == values.dtype)
    return False


def _usual(kind: str, items: list[Any]) -> Any:
    return getattr(sys.modules["pandas"], kind)(items)


def parts_of(value: Any) -> list[Any]:
    """Return a table as plain data, from which `table_of` makes it again: its kind, names, columns
    and index.

    Each column is the name of its type and an array; of a date, the array holds whole numbers.
    """
    kind = kind_of(value)
    if kind == "Index":
        levels = [value.get_level_values(place) for place in range(value.nlevels)]
        return [kind, list(value.names), [_column(each) for each in levels]]
    columns = [value] if kind == "Series" else [value.iloc[:, at] for at in range(value.shape[1])]
    names = [value.name] if kind == "Series" else parts_of(value.columns)
    return [kind, names, [_column(each) for each in columns], parts_of(value.index)]


def _column(column: Any) -> list[Any]:
    name = str(column.dtype)
    if not DTYPES.fullmatch(name):
        name = "object"
    if "64[" in name:
        return [name, column.to_numpy().astype("i8")]
    if name in ("category", "str", "string", "boolean") or name[0] in "UIF":
        column = column.astype(object).where(column.notna(), None)
    return [name, column.to_numpy(dtype=None if name[0] in "biufc" else object)]


def table_of(parts: Any) -> Any:
    """Return the table that `parts_of` turned into these parts.

    Raises `ValueError` or `TypeError` if they describe none.
    """
    import pandas

    kind, names, columns, *index = parts
    if kind not in KINDS:
        raise ValueError(f"{kind!r} is no table")
    made = [_series(name, array) for name, array in columns]
    if kind == "Index":
        if len(made) == 1:
            return pandas.Index(made[0], name=names[0])
        return pandas.MultiIndex.from_arrays(made, names=names)
    (below,) = index
    rows = table_of(below)
    for each in made:
        each.index = rows
    if kind == "Series":
        made[0].name = names[0]
        return made[0]
    table = pandas.DataFrame(dict(enumerate(made)), index=rows)
    table.columns = table_of(names)
    return table


def _series(name: str, array: Any) -> Any:
    import pandas

    if type(array) is not np.ndarray or array.ndim != 1 or not DTYPES.fullmatch(name):
        raise ValueError(f"no column of {name}")
    if "64[" in name:
        return pandas.Series(array.astype("i8").view(name))
    return pandas.Series(array, dtype=name)
