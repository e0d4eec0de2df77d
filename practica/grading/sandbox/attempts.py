"""What the output of a submission shows of its attempts to reach out of its folder, or to print
results of a grader.
"""

from __future__ import annotations

import re

from practica.grading.inside import wire
from practica.grading.inside.attempts import KINDS, LONGEST, REPORT

_FIELDS = {
    "kind": f"({'|'.join(KINDS)})",
    "line": r"(\d{1,9})",
    "what": f"([^\\0]{{0,{4 * LONGEST}}})",
}
_REPORT = re.compile(REPORT.replace("\0", r"\0").format(**_FIELDS).encode(), re.DOTALL)
_KEYS = (
    "passed|verdict|points|max_?points|max_?score|puntos|nota|calificaci[oó]n|grade|mark|aprobado"
)
_OF = r"\s*(?:/|de|of|out\ of|sobre)\s*"
# Verdicts in the forms in which graders and their tools write them: JSON, XML, TAP, pytest, frames,
# marks of marks.
_FORGED = re.compile(
    rf"""["'](?:{_KEYS})["']\s*:
    | ["'](?:score|tests|status|result)["']\s*:\s*(?:["'{{\[t]|\d+\b(?!\.)|2\.50?\b)
    | <test(?:suites?|case)\b | ^(?:not\ )?ok\ \d
    | ::\w+.{{0,40}}\bPASSED\b | \b\d+\ passed\ in\ [\d.]+
    | {re.escape(wire.MAGIC.decode())} | \b(?:passed|verdict|aprobado)\s*[:=]
    | \b(?:nota|calificaci[oó]n|grade)(?:\s+final)?\s*(?:[:=]\s*\d|\d[\d.,]*{_OF}\d)
    | \b(?!1[.,]0|0[.,]00)(\d[.,]\d\d){_OF}\1(?!\d)
    | \d[.,]\d\d?{_OF}\d[.,]\d\d?\s*(?:puntos|points)""".encode(),
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)


class Attempts:
    """The attempts of a submission, as its output shows them.

    `found` (dict of (str, int) by str): of each kind, what was tried first, and the line of the
    file; 0 if unknown.
    """

    def __init__(self) -> None:
        self.found: dict[str, tuple[str, int]] = {}
        self._tail = b""

    def hear(self, part: bytes) -> None:
        """Read a part of the output."""
        text = self._tail + part
        for kind, line, what in _REPORT.findall(text):
            self.found.setdefault(kind.decode(), (what.decode(errors="replace"), int(line)))
        printed = _REPORT.sub(b"\n", text)
        if "print" not in self.found and (forged := _FORGED.search(printed)):
            line = printed[printed.rfind(b"\n", 0, forged.start()) + 1 :].partition(b"\n")[0]
            self.found["print"] = line[:LONGEST].decode(errors="replace").strip(), 0
        self._tail = text[-4 * LONGEST :]
