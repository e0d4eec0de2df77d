"""The work of `practica review`: a person answers the open questions about a class in the terminal,
one after the other.

Each decision is in `overrides.csv` before the next question. Marks change when a result is written
with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from rich.text import Text

from practica.console import as_typed, in_language, indented, plain_console
from practica.grading.classroom.manifest import Manifest
from practica.grading.classroom.outputs import result_in
from practica.grading.classroom.overrides import OVERRIDES, Reading, maxima_of, read_class, record
from practica.grading.engine.adjustments import FILE, SEEN
from practica.grading.engine.result import Decision, Entry, Result, SubmissionResult
from practica.grading.inside.loading import lines_of
from practica.grading.report.messages import as_points, say
from practica.grading.report.pages import page_paths
from practica.grading.report.questions import Exceptions, Question, is_answered
from practica.json_data import visible

AROUND = 3  # lines of the source, before and after the one that it is about
LATER, QUIT = "s", "q"


def review(folder: Path, lang: str = "es") -> int:
    """Ask a person in the terminal to decide each open question about the class in `folder`, record
    the decisions, and return how many questions are left.

    Raises `ValueError` if the folder has no result of a class, or its table of decisions cannot be
        used.
    """
    result = read_class(result_in(folder, lang), lang)
    if result.class_ is None:
        raise ValueError(say("review.no_result", {"folder": folder}, lang))
    asking = _Conversation(result, folder, lang)
    questions = Exceptions.of(result, lang).questions
    done = 0
    for number, question in enumerate(questions, start=1):
        if is_answered(question, asking.class_):  # by what was decided about another one
            done += 1
            continue
        asking.show(question, number, len(questions))
        answer = asking.answer(question)
        if answer == QUIT:
            break
        done += answer != LATER
    asking.end(done, len(questions))
    return len(questions) - done


class _Conversation:
    """The questions and answers of one review: shows a question of a result, and records the
    decision.
    """

    def __init__(self, result: Result, folder: Path, lang: str) -> None:
        assert result.class_ is not None
        self.result, self.folder, self.lang = result, folder, lang
        self.class_ = result.class_  # with each decision
        self.entries = {entry.id: entry for entry in result.class_.entries}
        self.submissions = {submission.id: submission for submission in result.submissions}
        self.pages = page_paths(self.submissions)
        self.again = False  # whether a file was chosen, which is not marked yet
        self.console = plain_console()

    def show(self, question: Question, number: int, count: int) -> None:
        """Print a question, with the lines of the source that it is about."""
        facts = {
            "number": number,
            "count": count,
            "kind": say(f"kind.{question.kind}", {}, self.lang),
        }
        submission = None
        if (entry := self.entries.get(question.entry or "")) is None:
            head = say("review.class_head", facts, self.lang)
        else:
            submission = self.submissions.get(entry.id)
            points = as_points(None if submission is None else submission.points)
            most = as_points(self.result.rubric.max_points)
            facts |= {"name": entry.label, "id": entry.id, "points": points, "most": most}
            head = say("review.head", facts, self.lang)
        self.console.print()
        self._print(visible(head, kept=""), style="bold")
        self.console.print(indented(question.sentence))
        for line in _around(submission, question.line):
            self._print(f"    {visible(line, kept='')}", style="dim")
        if submission is not None:
            page = self.folder / self.pages[submission.id]
            self._print(f"  {say('review.page', {'page': page}, self.lang)}")

    def answer(self, question: Question) -> str:
        """Read and record what a person decides until the question is answered; return `LATER`,
        `QUIT`, or "" for an answered question.
        """
        entry = self.entries.get(question.entry or "")
        how = say("review.class_how" if entry is None else "review.how", {}, self.lang)
        self._print(f"  {how}", style="dim")
        decided = False
        while True:
            try:
                choice = self._input("review.what")
                if choice in (LATER, QUIT):
                    return choice
                if choice and entry is None:
                    self._refuse(how)
                    continue
                if choice and entry is not None:
                    decided = self._decide(entry, choice) or decided
                    continue
                if question.kind == "manual":  # only points answer it
                    return "" if decided else LATER
                self._record(
                    entry,
                    f"{SEEN}{question.key}",
                    "",
                    "" if decided else self._input("review.seen_note"),
                )
            except (EOFError, KeyboardInterrupt):
                return QUIT
            return ""

    def _decide(self, entry: Entry, choice: str) -> bool:
        """Record what a person typed, points for a function or a file to mark; return whether it
        was accepted.
        """
        word, _, file = choice.partition(" ")
        if f"{word}:" == FILE and file:
            return self._choose(entry, file.strip())
        function, _, points = choice.rpartition(" ")
        if not function:
            self._refuse(say("review.form", {}, self.lang))
            return False
        return self._record(entry, function.strip(), points, None)

    def _choose(self, entry: Entry, file: str) -> bool:
        """Record the file that a person wants marked; return whether the student handed it in."""
        assert self.result.class_ is not None
        incidents = self.result.class_.incidents
        own = (incident.facts for incident in incidents if incident.entry == entry.id)
        known = ", ".join(str(facts["files"]) for facts in own if "files" in facts)
        if file not in [*known.split(", "), known]:
            self._refuse(say("review.no_file", {"file": file, "files": known}, self.lang))
            return False
        self.again = True
        return self._record(entry, f"{FILE}{file}", "", "")

    def _record(self, entry: Entry | None, function: str, points: str, note: str | None) -> bool:
        """Record a decision, and return whether it is valid; if not, print why.

        `note`: None to ask for one.
        """
        id = "" if entry is None else entry.id
        sha256 = "" if entry is None or function.startswith(FILE) else entry.sha256 or ""
        values = {"identifier": id, "function": function, "points": points, "sha256": sha256}
        if self._read(values) is None:
            return False
        values["note"] = self._input("review.note") if note is None else note
        if (decision := self._read(values)) is None:
            return False
        record(self.folder / OVERRIDES, decision)
        self.class_ = replace(self.class_, decisions=(*self.class_.decisions, decision))
        if decision.points is not None or decision.function.startswith(FILE):
            what = " ".join(
                filter(None, [decision.function, points, decision.note and f"({decision.note})"])
            )
            facts = {"file": OVERRIDES, "id": id, "what": what}
            self._print(f"  {visible(say('review.taken', facts, self.lang), kept='')}")
        return True

    def _read(self, values: dict[str, str]) -> Decision | None:
        """Return the decision in a line of the table; None, after a refusal, if it has none."""
        reading = Reading({values["identifier"]}, maxima_of(self.result), self.lang)
        reading.read(1, values)
        if reading.wrong:
            self._refuse(reading.wrong[0][1])
        return next(iter(reading.decisions.values()), None)

    def _refuse(self, reason: str) -> None:
        self._print(f"  {say('review.refused', {'reason': reason}, self.lang)}")

    def _print(self, text: str, style: str = "") -> None:
        self.console.print(Text(text, style=style), soft_wrap=True)

    def _input(self, id: str) -> str:
        return input(f"  {say(id, {}, self.lang)}: ").strip()

    def end(self, done: int, count: int) -> None:
        """Print how many questions are left, and the command that puts the decisions into the
        marks.
        """
        self.console.print()
        if not count:
            self.console.print(say("review.nothing", {}, self.lang))
            return
        self.console.print(say("review.left", {"done": done, "left": count - done}, self.lang))
        file, folder = (as_typed(self.folder / name) for name in (OVERRIDES, ""))
        known = Manifest(self.folder).commands
        if self.again and (again := known.get("grade")):
            command = in_language(f"practica grade{again} --out {folder} --resume", self.lang)
            self._print(say("review.again", {"command": command}, self.lang))
        command = in_language(f"practica report {folder}", self.lang)
        self._print(say("review.then", {"file": file, "command": command}, self.lang))


def _around(submission: SubmissionResult | None, line: int | None) -> Iterator[str]:
    """Yield the lines around `line` of the submission's source, with their numbers; none if either
    is unknown.
    """
    if submission is None or submission.source is None or line is None:
        return
    lines = lines_of(submission.source)
    for number in range(max(line - AROUND, 1), min(line + AROUND, len(lines)) + 1):
        mark = ">" if number == line else " "
        yield f"{mark} {number:4} {lines[number - 1]}"
