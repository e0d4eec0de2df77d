"""Moodle's own words in each language of its worksheets: a file of the folder `languages/` each.

To add a language, copy a file there under the code of the language, and write Moodle's words in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

FOLDER = Path(__file__).parent / "languages"


class Late(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a status says that a submission is late: "2 days late"."""

    words: tuple[str, ...]  # those after the time
    year: str  # year, week, ..., second: how the units begin
    week: str
    day: str
    hour: str
    minute: str
    second: str


class MoodleLanguage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What Moodle calls the columns of a worksheet, and its buttons, in one language."""

    decimal: str  # the mark that a spreadsheet writes beside semicolons
    no: tuple[str, ...]  # said of a grade that cannot be changed
    markers: tuple[str, ...]  # how the columns begin that belong to those who mark
    columns: Mapping[str, tuple[str, ...]]
    late: Late
    buttons: Mapping[str, str]
    buttons_since_4_5: Mapping[str, str]  # those that have another name there


LANGUAGES = {
    file.stem: msgspec.toml.decode(file.read_bytes(), type=MoodleLanguage)
    for file in sorted(FOLDER.glob("*.toml"))
}
