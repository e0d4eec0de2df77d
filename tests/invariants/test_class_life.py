"""A class's life: whatever is done to it and in which order, no decision, mark or foreign file is
lost.

A cheap marker stands for the sandbox: it reads from the words of a file what it earns. Everything
else is what ships. A run that is killed is a process of its own, which ends between two files.
"""

import contextlib
import csv
import html
import io
import os
import re
import shutil
import stat
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from unittest.mock import patch

import pytest
from budget import WHOLE, budget
from cheap_marker import cheaply
from class_runs import written
from click.testing import CliRunner
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from practica.cli import main

ROWS = ("accuracy", "hold_out")
RUBRIC = """
schema = 1
name = "R"
only = [{}"accuracy", "hold_out"]
[functions]
accuracy.points = {}
hold_out.points = 1
"""
HEAD = (
    "Identificador,Nombre completo,Estado,Calificación,Calificación máxima,Comentarios de"
    " retroalimentación"
)
MANUAL = "report = { manual = true, points = 1 }\n"
WORDS = (
    "accuracy",
    "hold_out",
    "os_system",
    "unreadable",
    "same_long_code_for_all = [1, 2, 3]; print(sum(same_long_code_for_all))",
)
STUDENTS = range(4)
NOTES = ("", "Oral", "=1+1; «ñ»", 'a, "b"')


class Items(HTMLParser):
    """The texts of the items of the lists of a page, those of `exceptions` and no other."""

    def __init__(self, page):
        super().__init__()
        self.items, self._inside, self._short = [], False, False
        self.feed(
            page.partition('id="exceptions"')[2]
            .partition("</section>")[0]
            .partition('class="kind notes"')[0]
        )

    def handle_starttag(self, tag, attributes):
        """Begin an item; the beginning of a long one is shown twice."""
        if tag == "li":
            self.items.append("")
        self._inside = ((tag == "li" or self._inside) and tag != "p") or (
            "class",
            "sentence",
        ) in attributes
        self._short = tag == "summary"

    def handle_endtag(self, tag):
        """End an item."""
        self._inside = self._inside and tag != "ul"

    def handle_data(self, data):
        """Take what is shown of it."""
        if self._inside and self.items and not self._short:
            self.items[-1] += data


def in_one_line(text):
    """Return a text without its layout."""
    return " ".join(text.split())


class ClassLife(RuleBasedStateMachine):
    """An instructor, a class that goes on handing in, and a machine that may be switched off."""

    foreign = Bundle("foreign")

    def __init__(self):
        super().__init__()
        self.root = Path(tempfile.mkdtemp(prefix="life-"))
        self.out, self.submissions = self.root / "notas", self.root / "entregas"
        self.worksheet, self.rubric = self.root / "hoja.csv", self.root / "rubrica.toml"
        self.points = 1.0
        self.rows = {number: ["", ""] for number in STUDENTS}  # mark and comment that a person gave
        self.files: dict[Path, bytes] = {}  # other people's, in the folder of the results
        self.decisions: dict[tuple[str, str], tuple[str, str]] = {}
        self.unfinished = self.graded = False
        self.lang = "es"
        self.submissions.mkdir()
        self._worksheet()
        self.manual = ""

    def teardown(self):
        """End in what one fresh run with the final inputs gives."""
        try:
            if self.graded:
                self.resume()
                self.the_end_is_that_of_one_fresh_run()
        finally:
            shutil.rmtree(self.root)

    def run(self, *words, typed=""):
        """Run a command; return its exit code and what it says."""
        with cheaply():
            done = CliRunner().invoke(main, [*map(str, words)], input=typed)
        assert isinstance(done.exception, SystemExit | None), done.exception
        return done.exit_code, done.output

    def _rubric(self):
        listed = '"report", ' if self.manual else ""
        self.rubric.write_text(RUBRIC.format(listed, self.points) + self.manual)

    def _worksheet(self):
        text = io.StringIO()
        table = csv.writer(text, lineterminator="\r\n")
        table.writerow(HEAD.split(","))
        for number, (mark, comment) in self.rows.items():
            table.writerow(
                [f"Participante{number}", f"Ana {number}", "Enviado", mark, "10,00", comment]
            )
        self.worksheet.write_text(text.getvalue(), encoding="utf-8-sig", newline="")

    def _grade(self, out, *options):
        options = [
            "--rubric",
            self.rubric,
            "--worksheet",
            self.worksheet,
            "--lang",
            self.lang,
            "--seed",
            "1",
            *options,
        ]
        return ["grade", self.submissions, "--out", out, "--similarity", *options]

    @initialize(
        words=st.lists(st.sets(st.sampled_from(WORDS)), min_size=2, max_size=2),
        manual=st.booleans(),
    )
    def begins(self, words, manual):
        """Have two students who have handed in something, and perhaps a report that a person
        marks.
        """
        self.manual = MANUAL if manual else ""
        self._rubric()
        for number, each in enumerate(words):
            self.hands_in(number, each)

    @rule(number=st.sampled_from(STUDENTS), words=st.sets(st.sampled_from((*WORDS, "grader"))))
    def hands_in(self, number, words):
        """Hand in a file, late or again."""
        folder = self.submissions / f"Ana {number}_{number}_assignsubmission_file"
        folder.mkdir(exist_ok=True)
        (folder / "solucion.py").write_text("\n".join(["x = 1", *sorted(words)]))

    @rule(points=st.sampled_from(["0.5", "1", "2"]))
    def changes_the_rubric(self, points):
        """Give other points to a function, enough for every decision about it."""
        largest = max(
            [
                0.0,
                *(
                    float(given or 0)
                    for (_, function), (given, _) in self.decisions.items()
                    if function == "accuracy"
                ),
            ]
        )
        self.points = max(float(points), largest)
        self._rubric()

    @rule(lang=st.sampled_from(["es", "en"]))
    def changes_the_language(self, lang):
        """Go on in another language."""
        self.lang = lang

    @rule(
        number=st.sampled_from(STUDENTS),
        mark=st.sampled_from(["", "7,50"]),
        comment=st.sampled_from(["", "Oral"]),
    )
    def marks_in_moodle(self, number, mark, comment):
        """Give a mark by hand in Moodle, and download the worksheet again."""
        self.rows[number] = [mark, comment]
        self._worksheet()

    @rule()
    def grades(self):
        """Mark the class from the beginning, if no run was cut."""
        before = written(self.out)
        code, said = self.run(*self._grade(self.out))
        if self.unfinished:
            assert code == 2, said
            assert "--resume" in said
            assert written(self.out) == before
            return
        self.graded = True
        assert code in (0, 1, 2), said
        assert (self.out / "results.json").exists(), said
        self.the_four_lists_agree(said)

    @rule()
    def resume(self):
        """Go on with a run, or mark what is new."""
        _code, said = self.run(*self._grade(self.out, "--resume"))
        assert (self.out / "results.json").exists(), said
        self.graded, self.unfinished = True, False
        self.the_four_lists_agree(said)
        self.every_total_reaches_moodle()

    @rule(steps=st.integers(0, 12), resume=st.booleans())
    def is_killed(self, steps, resume):
        """Cut a run after some of its files, as a machine that is switched off does."""
        if self.unfinished and not resume:
            return
        if (process := os.fork()) == 0:
            left = [steps]
            replaces = os.replace

            def dies(*names):
                left[0] -= 1
                if left[0] < 0:
                    os._exit(9)
                replaces(*names)

            with contextlib.suppress(BaseException), patch.object(os, "replace", dies):
                self.run(*self._grade(self.out, *["--resume"] * resume))
            os._exit(0)
        _, status = os.waitpid(process, 0)
        journal = self.out / "diario.jsonl"
        lines = journal.read_text().splitlines() if journal.exists() else []
        self.unfinished = (
            any('"record"' in line for line in lines) and '"finished"' not in lines[-1]
        )
        self.graded = self.graded or status == 0

    @precondition(lambda self: self.graded)
    @rule(
        number=st.sampled_from(STUDENTS),
        function=st.sampled_from(["total", "accuracy", "late", "report", ""]),
        points=st.sampled_from(["0", "0.25", "0.5"]),
        note=st.sampled_from(NOTES),
    )
    def decides(self, number, function, points, note):
        """Write a line into the table, about a student of the class."""
        if not (self.submissions / f"Ana {number}_{number}_assignsubmission_file").exists():
            return
        if function == "report" and not self.manual:
            return
        if not function:
            points, note = "", note or "Bien"
        if not self.unfinished:
            self.resume()
        id = f"ana-{number}-{number}"
        self.decisions[id, function] = points, note
        self._write_decisions()

    def _write_decisions(self):
        table = self.out / "overrides.csv"
        rows = (
            list(csv.reader(io.StringIO(table.read_text(encoding="utf-8-sig"))))
            if table.exists()
            else []
        )
        rows = [row for row in rows if row and row[1].startswith("seen:")]
        own = [[id, function, *given, ""] for (id, function), given in self.decisions.items()]
        text = io.StringIO()
        head = ["identifier", "function", "points", "note", "sha256"]
        csv.writer(text, lineterminator="\n").writerows([head, *rows, *own])
        table.write_text(text.getvalue(), encoding="utf-8")

    @precondition(lambda self: self.graded and not self.unfinished)
    @rule(answers=st.lists(st.sampled_from(["", "s", "total 0.25"]), max_size=4))
    def reviews(self, answers):
        """Answer some of the questions: seen, later, or a total."""
        typed = "".join(
            {"": "\n\n", "s": "s\n", "total 0.25": "total 0.25\nOral\n\n"}[each] for each in answers
        )
        _, said = self.run("review", self.out, "--lang", self.lang, typed=f"{typed}q\n")
        for line in csv.DictReader(io.StringIO(self._table())):
            if line["function"] == "total":
                self.decisions[line["identifier"], "total"] = line["points"], line["note"]
        assert said

    @precondition(lambda self: self.graded and not self.unfinished)
    @rule(lang=st.sampled_from(["es", "en"]), sheet=st.booleans())
    def reports(self, lang, sheet):
        """Write everything anew, in a language, with the worksheet or without."""
        options = ["--worksheet", self.worksheet] * sheet
        if not sheet and (self.out / "hoja.csv").exists():
            (self.out / "hoja.csv").unlink()
        code, said = self.run(
            "report", self.out / "results.json", "--out", self.out, "--lang", lang, *options
        )
        assert code == 0, said
        self.lang = lang
        self.the_four_lists_agree(said)

    @rule(name=st.sampled_from(["apuntes.txt", "feedback/mia.html", "mias/mio.txt"]))
    def keeps_a_file_there(self, name):
        """Keep a file of one's own among the results."""
        path = self.out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("mine")
        self.files[path] = b"mine"

    @precondition(lambda self: self.graded and not self.unfinished)
    @rule(
        name=st.sampled_from(["grades.csv", "index.html", "feedback.zip", "results.json"]),
        command=st.booleans(),
    )
    def puts_a_file_in_the_place_of_an_output(self, name, command):
        """Save something under the name of an output: the next run stops with the name, and changes
        nothing.
        """
        path = self.out / name
        kept = path.read_bytes()
        path.write_bytes(b"mine")
        before = written(self.out)
        words = self._grade(self.out, "--resume")
        if command and name != "results.json":
            words = ["report", self.out / "results.json", "--out", self.out, "--lang", self.lang]
        code, said = self.run(*words)
        assert (code, name in said) == (2, True), said
        assert written(self.out) == before
        path.write_bytes(kept)

    @precondition(lambda self: self.graded and not self.unfinished)
    @rule(resume=st.booleans())
    def gives_the_folder_another_class(self, resume):
        """Mark another class into the same folder by mistake."""
        other = self.root / "otra" / "Eva 77_77_assignsubmission_file"
        other.mkdir(parents=True, exist_ok=True)
        (other / "solucion.py").write_text("accuracy")
        before = written(self.out)
        code, said = self.run(
            "grade",
            other.parent,
            "--out",
            self.out,
            "--rubric",
            self.rubric,
            *["--resume"] * resume,
        )
        assert (code, str(self.out) in said) == (2, True), said
        assert written(self.out) == before

    @invariant()
    def no_foreign_file_changes(self):
        """Keep what other people have there."""
        assert {path: path.read_bytes() for path in self.files} == self.files

    @invariant()
    def decisions_survive(self):
        """Keep every line of a person in the table."""
        there = {
            (row["identifier"], row["function"]): (row["points"], row["note"])
            for row in csv.DictReader(io.StringIO(self._table()))
        }
        assert self.decisions.items() <= there.items()

    @invariant()
    def the_files_are_private(self):
        """Let nobody else read what is made."""
        aside = [*self.out.glob(".practica.*")]
        assert [path for path in aside if stat.S_IMODE(path.stat().st_mode) != 0o700] == []
        others = {*self.files, self.out / "overrides.csv"}
        own = [
            path
            for path in self.out.rglob("*")
            if path.is_file() and not {path, *path.parents} & {*others, *aside}
        ]
        assert [path for path in own if stat.S_IMODE(path.stat().st_mode) != 0o600] == []

    def _table(self):
        table = self.out / "overrides.csv"
        return table.read_text(encoding="utf-8-sig") if table.exists() else ""

    def the_four_lists_agree(self, said):
        """Read the same questions in the file, on the page, in the terminal and in the review."""
        text = (self.out / "exceptions.txt").read_text(encoding="utf-8")
        heads = {"es": "Para mirar antes que nada", "en": "To be looked at first"}
        first = text.partition("\n\n")[0].splitlines()
        needed = (
            [line.strip() for line in first[1:]] if first and heads[self.lang] in first[0] else []
        )
        shown = in_one_line(said)
        page = [
            in_one_line(item)
            for item in Items((self.out / "index.html").read_text(encoding="utf-8")).items
        ]
        _, asked = self.run("review", self.out, "--lang", self.lang, typed="s\n" * len(needed))
        of = {"es": "de", "en": "of"}[self.lang]
        heads_asked = re.findall(rf"^(\d+) {of} (\d+) · ", asked, flags=re.MULTILINE)
        assert heads_asked == [(str(at), str(len(needed))) for at in range(1, len(needed) + 1)]
        assert len(page) == len(needed), (page, needed)
        for line, item in zip(needed, page, strict=True):
            sentence = in_one_line(line)
            assert sentence in shown
            assert sentence == item or sentence.partition(": ")[2] in item, (sentence, item)
            assert sentence in in_one_line(asked) or sentence.partition(": ")[2] in in_one_line(
                asked
            )

    def every_total_reaches_moodle(self):
        """Have the row of each student with a total in the copy, whatever a person gave there.

        And say the comment.
        """
        copy = self.out / "hoja.csv"
        rows = (
            [*csv.DictReader(io.StringIO(copy.read_text(encoding="utf-8-sig")))]
            if copy.exists()
            else []
        )
        filled = {row["Nombre completo"]: row for row in rows}
        standing = self._standing()
        totals = {id for id, function in standing if function == "total"}
        if self.manual:
            reports = {id for id, function in standing if function == "report"}
            assert {f"ana-{name[-1]}-{name[-1]}" for name in filled} <= totals | reports
        for (id, function), (_, note) in standing.items():
            name = f"Ana {id[-1]}"
            if function == "total":
                assert name in filled
                feedback = filled[name]["Comentarios de retroalimentación"]
                assert not re.search(r"(?<![\d,.])([\d,.]+) en vez de \1(?![,.]?\d)", feedback)
            if not function and name in filled:
                assert note in html.unescape(filled[name]["Comentarios de retroalimentación"])

    def _standing(self):
        """Return the decisions but those of a review about a file that was handed in again
        since.
        """
        marked = csv.DictReader(
            io.StringIO((self.out / "grades.csv").read_text(encoding="utf-8-sig"))
        )
        files = {row["id"]: row["sha256"] for row in marked}
        about = {
            (row["identifier"], row["function"]): row["sha256"]
            for row in csv.DictReader(io.StringIO(self._table()))
        }
        return {
            key: each for key, each in self.decisions.items() if about[key] in ("", files[key[0]])
        }

    def the_end_is_that_of_one_fresh_run(self):
        """Compare all files with those of a run that begins with the final inputs."""
        fresh = self.root / "fresh"
        fresh.mkdir()
        if (self.out / "overrides.csv").exists():
            shutil.copy(self.out / "overrides.csv", fresh)
        _, said = self.run(*self._grade(fresh))
        before = {
            name: content
            for name, content in written(self.out).items()
            if self.out / name not in self.files
        }
        after = written(fresh)
        assert before.keys() == after.keys(), said
        assert {name for name in after if before[name] != after[name]} == set()


PHASES = (Phase.explicit, Phase.reuse, Phase.generate)
ClassLife.TestCase.settings = settings(
    max_examples=budget(12) if WHOLE else 6, stateful_step_count=15, phases=PHASES
)
test_a_class_lives_whatever_is_done_to_it = pytest.mark.thorough(ClassLife.TestCase)
