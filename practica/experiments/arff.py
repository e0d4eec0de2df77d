"""Weka's ARFF as cells: names in the first row, and values without their quotes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from practica.experiments.choices import ARFF

_KINDS_OF_NUMBERS = ("numeric", "real", "integer")
_KINDS_OF_TEXTS = ("string", "date")
_WORD = re.compile(
    r"'(?P<single>(?:[^'\\]|\\.)*)'|\"(?P<double>(?:[^\"\\]|\\.)*)\"|(?P<brace>[{}])"
    r"|(?P<plain>[^\s,{}'\"%]+)|%.*|[\s,]+|(?P<stray>.)"
)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}


class Word(NamedTuple):
    """A value, a name or a brace in a line."""

    text: str
    is_brace: bool = False


class Attribute(NamedTuple):
    """A column of the file.

    `default`: the value that a sparse row leaves out.
    `values`: all values that the column may have; None for any.
    """

    name: str
    default: str
    is_number: bool
    values: Sequence[str] | None = None


def arff_cells(name: str, text: str, decimal: str = ".") -> list[list[str]]:
    """Return the cells of an ARFF file, dense or sparse, with the names of the columns in the first
    row.

    `decimal`: the decimal mark with which numbers are written in the cells.
    Raises `ValueError` with the number of the first line that cannot be read.
    """
    attributes: list[Attribute] = []
    rows: list[list[str]] = []
    in_data = False
    for number, line in enumerate(re.split(r"\r?\n", text), start=1):
        try:
            words = _words(line)
            if not words:
                continue
            keyword = words[0].text.lower()
            if in_data:
                row = _cells(words, attributes)
                rows.append(
                    [
                        cell.replace(".", decimal) if each.is_number else cell
                        for cell, each in zip(row, attributes, strict=True)
                    ]
                )
            elif keyword == "@attribute":
                attributes.append(_attribute(words[1:]))
            elif keyword == "@data":
                in_data = True
            elif keyword != "@relation":
                raise ValueError(f"{words[0].text!r} is unknown")
        except ValueError as error:
            raise ValueError(
                f"{name} is {ARFF} whose line {number} cannot be read: {error}"
            ) from None
    if not in_data:
        raise ValueError(f"{name} is {ARFF} without @data")
    return [[attribute.name for attribute in attributes], *rows]


def _words(line: str) -> list[Word]:
    """Return the words of a line, without commas, comments and quotes."""
    words = []
    for found in _WORD.finditer(line):
        match found.lastgroup:
            case "single" | "double":
                words.append(Word(re.sub(r"\\(.)", _unescaped, found[found.lastgroup])))
            case "plain" | "brace":
                text = "" if found[0] == "?" else found[0]  # a missing value
                words.append(Word(text, found.lastgroup == "brace"))
            case "stray":
                raise ValueError(f"{found[0]} is opened and never closed")
    return words


def _unescaped(found: re.Match[str]) -> str:
    return _ESCAPED.get(found[1], found[1])


def _attribute(words: Sequence[Word]) -> Attribute:
    if len(words) < 2:
        raise ValueError("an attribute has a name and a type")
    name, kind = words[0].text, words[1].text.lower()
    if words[1].is_brace and words[-1].is_brace:
        values = [word.text for word in words[2:-1]]
        return Attribute(name, next(iter(values), ""), False, values)
    if kind in _KINDS_OF_NUMBERS:
        return Attribute(name, "0", True)
    if kind in _KINDS_OF_TEXTS:
        return Attribute(name, "", False)
    raise ValueError(f"attributes of type {kind!r} are not read")


def _cells(words: Sequence[Word], attributes: Sequence[Attribute]) -> list[str]:
    """Return the cells of a row, also of a sparse one: pairs of a place and a value in braces."""
    row = [word.text for word in words]
    if words[0].is_brace:
        pairs = row[1:-1]
        row = [attribute.default for attribute in attributes]
        for place, value in zip(pairs[::2], pairs[1::2], strict=True):
            if not place.isdecimal() or int(place) >= len(row):
                raise ValueError(f"{place!r} is no place of an attribute, 0 to {len(row) - 1}")
            row[int(place)] = value
    elif any(word.is_brace for word in words):
        raise ValueError("weights of rows are not read")
    if len(row) != len(attributes):
        raise ValueError(f"{len(attributes)} attributes need as many values; it has {len(row)}")
    for cell, each in zip(row, attributes, strict=True):
        if each.values is not None and cell not in (*each.values, ""):
            raise ValueError(f"{cell!r} is no value of {each.name!r}")
    return row
