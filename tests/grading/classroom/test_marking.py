"""`practica grade` over a class, from its arguments to its exit code and its files."""

import contextlib
import csv
import html
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from class_runs import RUBRIC, in_process, journaled, nothing_left, small_class, wait_until, written
from lanes import one_in
from make_class import make_class
from marked_class import all_right, not_run, result

from practica.grading.classroom import marker, marking, outputs
from practica.grading.classroom.class_summary import print_exceptions, print_summary
from practica.grading.classroom.collect import Collection, Submitted
from practica.grading.classroom.marker import Marked, Marker, Task
from practica.grading.classroom.marking import _key, _one_by_one
from practica.grading.classroom.outputs import Outputs
from practica.grading.engine.framework import load_checks
from practica.grading.engine.result import Entry, Incident, RuleResult, SubmissionResult
from practica.grading.engine.rubric import load_rubric
from practica.grading.engine.stored import read_result
from practica.grading.report.questions import Exceptions
from practica.grading.sandbox.probe import probe

needs_sandbox = pytest.mark.skipif(
    probe().level == "none", reason=f"no sandbox works here: {probe().failures}"
)


@pytest.fixture(scope="module")
def made():
    """Yield a class of four, without pauses."""
    with small_class(4, 0) as made:
        yield made


@pytest.fixture(scope="module")
def mark(made):
    """Return a function that marks the class in this process."""
    return made.mark


@pytest.fixture(scope="module")
def marked(made):
    """Return where the class is marked, in one run, by processes of its own, which leave nothing
    else.
    """
    out = made.folder / "marked"
    code, said = made.run(out)
    assert code == 1, said
    assert nothing_left(made)
    return out


def marked_now(out: Path) -> list[str]:
    """Return who was marked by the last run, by its log."""
    last = (out / "registro.log").read_text().rpartition(" submissions, ")[2]
    return sorted(line.split()[3].rstrip(":") for line in last.splitlines()[1:])


def refused(code: int, said: str) -> str:
    """Return the one sentence of a refusal, which may follow how long the class would take."""
    assert code == 2, said
    assert "Traceback" not in said
    *before, sentence = said.strip().splitlines()
    assert not before or before[0].startswith("Usage:") or "a la vez" in before[0], said
    return sentence


@pytest.mark.slow
@needs_sandbox
class TestOnlyWhatIsMissing:
    """What the journal knows is not marked again, and nothing else is taken from it."""

    def test_a_run_that_ended_and_is_resumed_marks_nobody(self, mark, marked):
        """And writes the same bytes."""
        before = written(marked)
        assert mark(marked, "--resume")[0] == 1
        assert marked_now(marked) == []
        assert written(marked) == before

    def test_only_the_submission_that_changed_is_marked_again(self, made, mark, marked):
        """All the files are written anew."""
        source = made.submissions / "Ana 2_2_assignsubmission_file" / "solucion.py"
        original = source.read_bytes()
        before = written(marked)
        source.write_bytes(original.replace(b">= threshold", b"> threshold"))
        assert mark(marked, "--resume")[0] == 1
        assert marked_now(marked) == ["ana-2-2"]
        assert written(marked) != before
        source.write_bytes(original)
        assert mark(marked, "--resume")[0] == 1
        assert written(marked) == before

    @pytest.mark.thorough
    def test_another_rubric_marks_everybody_again(self, made, mark, marked):
        """Its hash is in the keys."""
        before = written(marked)
        made.rubric.write_text(RUBRIC.replace("points = 1", "points = 2", 1))
        assert mark(marked, "--resume")[0] == 1
        assert len(marked_now(marked)) == 4
        made.rubric.write_text(RUBRIC)
        assert mark(marked)[0] == 1
        assert written(marked) == before

    @pytest.mark.thorough
    def test_a_run_keeps_the_seed_of_what_it_resumes(self, made, mark, monkeypatch):
        """A new one is drawn for each class that begins; the same seed gives the same bytes."""
        monkeypatch.setattr(made, "seed", None)
        out, other = made.folder / "drawn", made.folder / "other"
        mark(out)
        seed = json.loads((out / "results.json").read_text())["seed"]
        before = written(out)
        mark(out, "--resume")
        assert (marked_now(out), written(out)) == ([], before)
        mark(other)
        assert json.loads((other / "results.json").read_text())["seed"] != seed
        mark(other, "--resume", "--seed", str(seed))
        assert len(marked_now(other)) == 4
        assert (other / "results.json").read_bytes() == before["results.json"]

    def test_a_row_at_which_the_grader_failed_is_marked_with_its_next_seed(
        self, made, tmp_path, monkeypatch
    ):
        """However often it is resumed: the others keep theirs, and what is written says which seed
        it was.
        """
        right = marker.grade_submission

        def fails(*args, seed, **kwargs):
            if seed < made.seed + 2:
                raise IndexError("a draw")
            return right(*args, seed=seed, **kwargs)

        monkeypatch.setattr(marker, "grade_submission", fails)
        (tmp_path / "ana.py").write_text(
            "def classify_outputs(outputs, *, threshold=0.5): return outputs >= threshold"
        )
        grade = [
            "grade",
            tmp_path / "ana.py",
            "--rubric",
            made.rubric,
            "--seed",
            made.seed,
            "--out",
            tmp_path / "out",
        ]
        for code, count in (2, 0), (2, 0), (1, 1), (1, 1):
            assert in_process(*grade, "--resume")[0] == code
            result = json.loads((tmp_path / "out" / "results.json").read_text())
            told = [
                each["facts"]["seed"]
                for each in result["class"]["incidents"]
                if each["code"] == "submission.next_seed"
            ]
            assert told == [made.seed + 2] * count

    @pytest.mark.parametrize(
        "change",
        [{"version": "0.1.0+0123456789ab"}, {"sandboxed": False}, {"seed": 5}],
        ids=lambda each: next(iter(each)),
    )
    def test_another_version_or_sandbox_is_another_key(self, change):
        """So is another name of the file, which the result shows."""
        marker, task = Marker(load_rubric()), Task("ana", "solucion.py", b"")
        assert _key(task, replace(marker, **change)) != _key(task, marker)
        assert _key(replace(task, file="otra.py"), marker) != _key(task, marker)


@pytest.mark.slow
@needs_sandbox
class TestWhatCannotBeTold:
    """It costs nobody else anything."""

    def test_a_result_that_no_file_can_tell_is_an_exception(self, marked, made, tmp_path):
        """In one submission; the others are told as before."""
        result = read_result(marked / "results.json")
        odd = replace(result.submissions[1], points="0.5")
        exceptions = Outputs(tmp_path / "out", "es", made.worksheet).write(
            replace(result, submissions=(result.submissions[0], odd, *result.submissions[2:]))
        )
        assert any(str(each).startswith("Ana 1 (1)") for each in exceptions.questions)
        before, after = written(marked), written(tmp_path / "out")
        assert after.keys() == before.keys() - {"diario.jsonl"}
        for number in (0, 2, 3):
            page = f"feedback/ana-{number}-{number}.html"
            assert after[page] == before[page]
        assert after["grades.csv"].count(b"graded") == before["grades.csv"].count(b"graded") - 1
        statuses = [
            each.status for each in read_result(tmp_path / "out" / "results.json").submissions
        ]
        assert statuses == ["graded", "grader_error", "graded", "not_run"]

    def test_what_was_marked_is_told_again_as_soon_as_it_can_be(
        self, made, marked, tmp_path, monkeypatch
    ):
        """A total stands meanwhile, and taking it back leaves the bytes of the first run."""
        out = tmp_path / "out"
        shutil.copytree(marked, out)
        (out / "overrides.csv").write_text("identifier,function,points,note\nana-1-1,total,0.50,\n")
        writes = outputs.write_pages

        def breaks(result, *others):
            if any(each.functions and each.id == "ana-1-1" for each in result.submissions):
                raise RuntimeError("odd")
            return writes(result, *others)

        with monkeypatch.context() as broken:
            broken.setattr(outputs, "write_pages", breaks)
            assert in_process("report", out)[0] == 0
        submission = read_result(out / "results.json").submissions[1]
        assert (submission.status, submission.points) == ("grader_error", 0.5)
        assert "ha fallado" not in (out / "feedback/ana-1-1.html").read_text()
        (out / "overrides.csv").unlink()
        assert in_process("report", out)[0] == 0
        assert written(out) == written(marked)

    def test_a_record_that_is_none_is_marked_again(self, mark, marked, tmp_path):
        """Nested too deeply, of another form, or somebody else's."""
        shutil.copytree(marked, tmp_path / "out")
        *lines, end = (tmp_path / "out" / "diario.jsonl").read_text().splitlines()
        keys = [json.loads(line)["key"] for line in lines[2:]]
        odd = json.loads(lines[3])["record"]
        odd[0]["functions"][0]["rules"] = [{"id": "calls.forbidden"}]
        wrong = [
            "[" * 100_000 + "]" * 100_000,
            json.dumps(odd),
            '[{"id": "ana-9-9", "status": "graded", "points": 1.0}, null]',
            "7",
        ]
        lines[2:] = [
            f'{{"key": "{key}", "record": {record}}}'
            for key, record in zip(keys, wrong, strict=True)
        ]
        (tmp_path / "out" / "diario.jsonl").write_text("\n".join([*lines, end, ""]))
        assert mark(tmp_path / "out", "--resume")[0] == 1
        assert len(marked_now(tmp_path / "out")) == 4
        assert written(tmp_path / "out") == written(marked)


@pytest.mark.slow
@needs_sandbox
class TestWrittenAnew:
    """`practica report` makes of results.json all that `practica grade` made of the submissions."""

    def report(self, made, result: Path, out: Path, *options: str) -> dict[str, bytes]:
        """Run it, and return what it wrote."""
        assert (
            in_process("report", result, "--out", out, "--worksheet", made.worksheet, *options)[0]
            == 0
        )
        return written(out)

    def test_in_the_language_of_the_run_it_is_the_same(self, made, marked, tmp_path):
        """Byte for byte; the journal stays where it was."""
        before = written(marked)
        del before["diario.jsonl"]
        assert self.report(made, marked / "results.json", tmp_path) == before

    def test_in_another_language_it_is_what_a_run_in_it_writes(self, made, mark, marked, tmp_path):
        """That run finds everything in the journal of the Spanish one, and marks nobody again."""
        shutil.copytree(marked, tmp_path / "run")
        assert mark(tmp_path / "run", "--resume", "--lang", "en")[0] == 1
        assert marked_now(tmp_path / "run") == []
        expected = written(tmp_path / "run")
        del expected["diario.jsonl"]
        after = self.report(made, marked / "results.json", tmp_path / "report", "--lang", "en")
        assert after == expected
        page = after["feedback/ana-0-0.html"].decode()
        assert "Outputs greater than or equal to the threshold, 0.5 by default, are True" in page
        assert after["results.json"] == (marked / "results.json").read_bytes()

    def test_a_result_that_nobody_collected_is_refused(self, marked, tmp_path):
        """It names no students."""
        content = json.loads((marked / "results.json").read_text())
        (tmp_path / "results.json").write_text(json.dumps({**content, "class": None}))
        done = in_process("report", tmp_path / "results.json", "--out", tmp_path / "out")
        assert "the result is of no class" in refused(*done)
        assert not (tmp_path / "out").exists()


@pytest.mark.slow
@needs_sandbox
def test_names_messages_and_sources_that_no_file_can_hold_do_not_end_the_writing(
    tmp_path, monkeypatch
):
    """Half a character and control characters in each of them, once in a run and once in a report
    of it.
    """
    raises = (
        "def classify_outputs(outputs, *, threshold=0.5):\n    raise"
        " ValueError('\\ud800\\x00\\x1b[2J\\u202e\\u200b')\n"
    )
    escaped = "# coding: unicode_escape\n# \\ud800\\x00\n"  # the text of the file has them
    for number, source in enumerate([raises, escaped], 7):
        person = tmp_path / "class" / os.fsdecode(b"Ana \xff\x1b_%d_assignsubmission_file" % number)
        person.mkdir(parents=True)
        (person / ("sol\u202e.py" if number == 8 else os.fsdecode(b"sol\xff.py"))).write_text(
            source
        )
    (tmp_path / "rubric.toml").write_text(RUBRIC)
    monkeypatch.chdir(tmp_path)
    in_process("grade", "class", "--rubric", "rubric.toml", "--out", "run", "--workers", "1")
    words = [sys.executable, "-m", "practica", "report", "run/results.json", "--out", "report"]
    assert (
        "Traceback" not in subprocess.run(words, capture_output=True, text=True, check=False).stderr
    )
    for out in ("run", "report"):
        files = written(tmp_path / out)
        names = {
            "index.html",
            "exceptions.txt",
            "grades.csv",
            "feedback.zip",
            "results.json",
        }
        assert names <= files.keys()
        first, second = json.loads(files["results.json"])["submissions"]
        assert (
            first["functions"][0]["checks"][0]["facts"]["error"]
            == "ValueError: \\ud800\\x00\\x1b[2J\\u202e\\u200b"
        )
        assert first["file"] == "sol\xff.py"
        assert second["source"] == "# coding: unicode_escape\n# \\ud800\0\n"
        # of a name nothing is kept that nobody sees
        assert ",Ana \xff," in files["grades.csv"].decode("utf-8-sig")
        assert not [
            name
            for name, content in files.items()
            if "\u202e".encode() in content or "\u202e" in name
        ]


@pytest.mark.parametrize(
    "name", ["registro.log", "results.json", "index.html", "manifest.json", "feedback"]
)
@pytest.mark.parametrize(
    "make",
    [os.mkfifo, lambda path: path.write_text("mine"), lambda path: path.symlink_to("elsewhere")],
)
def test_what_a_person_has_in_the_place_of_an_output_is_refused_by_name(tmp_path, name, make):
    """A pipe, which would wait for a reader, a file, or a link."""
    make(tmp_path / name)
    with pytest.raises(ValueError, match=f" {name}"):
        Outputs(tmp_path, "es").begin([Entry("ana", "Ana", sha256="")])


@pytest.mark.slow
@needs_sandbox
class TestRefusals:
    """One sentence, code 2, and no file half-written."""

    @pytest.mark.thorough
    def test_two_runs_do_not_write_to_one_folder(self):
        """The second one says so, and the first one ends well."""
        with small_class(4, 1.0) as made:
            out = made.folder / "out"
            with made.start(out) as first:
                wait_until(lambda: journaled(out) >= 1)
                sentence = refused(*made.mark(out, "--resume", "--lang", "en"))
                assert (
                    sentence
                    == f"Error: Another process is marking in {out}; wait until it ends, or choose"
                    " another folder."
                )
                assert first.wait() == 1

    def test_a_run_that_did_not_end_is_resumed_or_the_user_says_that_it_is_not(
        self, mark, marked, tmp_path
    ):
        """Its results may have taken hours."""
        out = tmp_path / "cut"
        shutil.copytree(marked, out)
        journal = out / "diario.jsonl"
        journal.write_bytes(journal.read_bytes().rpartition(b'{"finished"')[0])
        before = written(out)
        assert (
            "hay una corrección sin terminar, con 4 entregas hechas. --resume la continúa"
            in refused(*mark(out))
        )
        assert written(out) == before

    def test_a_journal_of_somebody_else_is_left_alone(self, mark, tmp_path):
        """Whatever has its name."""
        (tmp_path / "diario.jsonl").write_text("Querido diario:\n")
        assert "is not a journal of this version" in refused(*mark(tmp_path))
        assert written(tmp_path) == {"diario.jsonl": b"Querido diario:\n"}

    def test_the_worksheet_is_not_in_the_folder_of_the_results(self, made, mark):
        """Its copy would take its place."""
        before = written(made.folder)
        assert "the copy would take its place" in refused(*mark(made.folder))
        assert written(made.folder) == before

    def test_a_worksheet_that_is_none_is_told_before_anything_is_marked(self, made, mark, tmp_path):
        """Nothing is written."""
        assert str(made.rubric) in refused(*mark(tmp_path / "out", "--worksheet", str(made.rubric)))
        assert not (tmp_path / "out").exists()

    @pytest.mark.parametrize("below", ["", "results"])
    def test_a_file_is_no_folder_for_results(self, mark, tmp_path, below):
        """Nor is a folder below a file."""
        file = tmp_path / "file"
        file.write_text("mine")
        sentence = refused(*mark(file / below))
        assert "is a file" in sentence or "Not a directory" in sentence
        assert file.read_text() == "mine"

    def test_a_folder_that_cannot_be_written(self, mark, tmp_path):
        """Root can write everywhere but where nothing can be written."""
        with contextlib.ExitStack() as stack:
            if os.geteuid() == 0:
                stack.enter_context(mounted(tmp_path, "size=64k,ro"))
            else:
                tmp_path.chmod(0o555)
            refused(*mark(tmp_path))
            refused(*mark(tmp_path / "below"))
            assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize("kilobytes", one_in(4, [0, 8, 32, 128]))
    def test_a_full_disk(self, made, mark, marked, tmp_path, kilobytes):
        """While results come, or while the files are made of them: with room they are all there
        after --resume.
        """
        with mounted(tmp_path, "size=1m"):
            (tmp_path / "ballast").write_bytes(bytes((1024 - 4 - kilobytes) * 1024))
            sentence = refused(*mark(tmp_path))
            assert "No space left on device" in sentence or "the disk is full" in sentence
            assert not list(tmp_path.rglob("*.partial"))
            kept = sum(
                b'"record"' in line
                for line in (tmp_path / "diario.jsonl").read_bytes().splitlines()
            )
            assert f"con {kept} de 4 entregas" in sentence or kept == 4
            for name, content in written(tmp_path).items():
                if name not in ("ballast", "diario.jsonl"):
                    assert content == written(marked)[name]
            (tmp_path / "ballast").unlink()
            assert mark(tmp_path, "--resume")[0] == 1
            assert written(tmp_path) == written(marked)


@contextlib.contextmanager
def mounted(folder: Path, options: str):
    """Mount a small file system, which only root can."""
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    if (
        os.geteuid() != 0
        or subprocess.run(command, capture_output=True, check=False).returncode != 0
    ):
        pytest.skip("only root, and not in every container, can mount a small file system")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.slow
@needs_sandbox
def test_fail_fast_stops_at_the_first_that_cannot_be_run_and_resumes(made, mark, marked):
    """The one that cannot be read; without it the class is marked to its end."""
    out = made.folder / "fast"
    code, said = mark(out, "--fail-fast", "--workers", "1")
    assert code == 2
    assert "ana-3-3 no se ha podido corregir: línea" in said
    assert ".. " not in said
    assert not (out / "results.json").exists()
    assert mark(out, "--resume")[0] == 1
    assert written(out) == written(marked)


@pytest.mark.slow
@needs_sandbox
def test_what_a_killed_run_left_half_written_is_removed(mark, marked):
    """And nothing that is called otherwise."""
    before = written(marked)
    with subprocess.Popen(["true"]) as gone:
        gone.wait()
    for name in (f".results.json.{gone.pid}.partial", f"feedback/.ana-1-1.html.{gone.pid}.partial"):
        (marked / name).write_text("half")
    kept = [marked / ".mine.partial", marked / f".another-run.json.{os.getppid()}.partial"]
    for path in kept:
        path.write_text("mine")
    mark(marked, "--resume")
    after = written(marked)
    for path in kept:
        path.unlink()
    assert after == {**before, **{path.name: b"mine" for path in kept}}


@pytest.mark.slow
@needs_sandbox
def test_the_record_may_go_to_the_folder_of_the_results(mark, marked, tmp_path):
    """Where it is written when all is done."""
    shutil.copytree(marked, tmp_path / "out")
    assert (
        mark(tmp_path / "out", "--resume", "--json", str(tmp_path / "out" / "record.json"))[0] == 1
    )
    assert (tmp_path / "out" / "record.json").read_bytes() == (marked / "results.json").read_bytes()


@pytest.mark.slow
@needs_sandbox
def test_a_worksheet_of_an_earlier_run_is_told(made, marked, tmp_path):
    """Its marks may be others: nobody should upload it."""
    out = tmp_path / "out"
    shutil.copytree(marked, out)
    assert (out / made.worksheet.name).exists()
    assert in_process("report", marked / "results.json", "--out", out)[0] == 0
    assert f"  {made.worksheet.name}, en la carpeta" in (out / "exceptions.txt").read_text()
    assert (
        in_process("report", marked / "results.json", "--out", out, "--worksheet", made.worksheet)[
            0
        ]
        == 0
    )
    assert "en la carpeta" not in (out / "exceptions.txt").read_text()


@needs_sandbox
def test_a_mark_of_a_person_is_not_overwritten(made, marked, tmp_path):
    """Uploaded, one mark lowered in an oral exam and one remark added, downloaded, and marked
    again.
    """
    with (marked / made.worksheet.name).open(encoding="utf-8-sig", newline="") as file:
        header, *rows = csv.reader(file)
    for row in rows:
        # as Moodle gives it back
        row[5] = html.unescape(re.sub("<[^>]*>", "", row[5].replace("</p>", "   ")))
    before = {row[1]: row[3] for row in rows}
    rows[0][3], rows[0][5] = "7.00", "Oral exam: minus one point"
    rows[1][5] += "And well explained."
    worksheet = tmp_path / "notas.csv"
    with worksheet.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    options = ["--worksheet", worksheet, "--lang", "en"]
    run = [
        "grade",
        made.submissions,
        "--rubric",
        made.rubric,
        "--out",
        tmp_path / "a",
        "--workers",
        "1",
    ]
    code, said = in_process(*run, *options)
    assert code == 1
    told = (tmp_path / "a" / "exceptions.txt").read_text(encoding="utf-8").splitlines()
    for line, row, found in (
        (1, rows[0], "(7.00, Oral exam: minus one point)"),
        (2, rows[1], f"({rows[1][3]}, "),
    ):
        assert (
            told[line]
            .strip()
            .startswith(
                f"{row[1]} ({row[0][-1]}): the worksheet has a mark or a comment that a person"
            )
        )
        assert f"{found}" in told[line]
        assert f"the mark of this run, {before[row[1]]}, nor the page" in told[line]
    assert " ".join(told[1].split()) in " ".join(said.split())
    with (tmp_path / "a" / "notas.csv").open(encoding="utf-8", newline="") as file:
        assert [row[1] for row in csv.reader(file)][1:] == [row[1] for row in rows[2:]]
    options = [*options, "--overwrite-marks"]
    assert (
        in_process("report", tmp_path / "a" / "results.json", "--out", tmp_path / "b", *options)[0]
        == 0
    )
    with (tmp_path / "b" / "notas.csv").open(encoding="utf-8", newline="") as file:
        assert {row[1]: row[3] for row in csv.reader(file)} == {header[1]: header[3], **before}
    told = (tmp_path / "b" / "exceptions.txt").read_text(encoding="utf-8")
    assert (
        f"{rows[0][1]} (0): the worksheet had the grade 7.00, and now has {before[rows[0][1]]}."
        in told
    )


@pytest.mark.thorough
@needs_sandbox
def test_a_worksheet_with_the_name_of_another_output_keeps_its_own(made, mark, marked, tmp_path):
    """Moodle's in English is often called grades.csv; and no output gives way to it."""
    shutil.copytree(marked, tmp_path / "out")
    (tmp_path / "out" / made.worksheet.name).unlink()
    before = written(tmp_path / "out")
    del before["moodle.txt"]  # it names the copy
    for name in ("Grades.csv", *(path.name for path in (tmp_path / "out").iterdir())):
        sheet = tmp_path / "sheets" / name
        sheet.parent.mkdir(exist_ok=True)
        sheet.write_bytes(made.worksheet.read_bytes())
        code, said = mark(tmp_path / "out", "--resume", "--worksheet", str(sheet))
        assert code == 1, said
        after = written(tmp_path / "out")
        assert f"worksheet-{name}" in after.pop("moodle.txt").decode()
        assert "Identificador" in after.pop(f"worksheet-{name}").decode()
        (tmp_path / "out" / f"worksheet-{name}").unlink()
        assert after == before


@pytest.mark.slow
@needs_sandbox
def test_what_an_earlier_run_wrote_of_others_is_removed(made, marked, tmp_path):
    """A page would tell of a mark that counts no more; what else lies there is somebody's."""
    out = tmp_path / "out"
    shutil.copytree(marked, out)
    own = [out / "feedback" / "ana-0-0 (mine).html", out / "mine" / "mine.txt"]
    for path in own:
        path.parent.mkdir(exist_ok=True)
        path.write_text("mine")
    rest = tmp_path / "entregas"
    for number in (1, 2):
        name = f"Ana {number}_{number}_assignsubmission_file"
        shutil.copytree(made.submissions / name, rest / name)
    run = [
        "grade",
        rest,
        "--out",
        out,
        "--rubric",
        made.rubric,
        "--seed",
        "1",
        "--workers",
        "1",
    ]
    code, said = in_process(*run)
    assert (code, "notas.csv" in said) == (1, True)  # a worksheet of before is for a person to see
    pages = ["ana-0-0 (mine).html", "ana-1-1.html", "ana-2-2.html"]
    assert sorted(path.name for path in (out / "feedback").iterdir()) == pages
    assert [path.name for path in (out / "mine").iterdir()] == ["mine.txt"]


@pytest.mark.slow
@needs_sandbox
def test_a_class_from_moodle_ends_in_marks_and_exceptions(tmp_path):
    """With a small rubric: who is graded, who is not, and that a person hears of each of the
    others.
    """
    students = make_class(tmp_path / "class", students=20)
    (tmp_path / "rubric.toml").write_text(RUBRIC)
    out = tmp_path / "out"
    files = {
        "--rubric": tmp_path / "rubric.toml",
        "--worksheet": tmp_path / "class" / "calificaciones.csv",
    }
    options = [each for option in files.items() for each in option]
    code, said = in_process(
        "grade", tmp_path / "class" / "entregas.zip", "--out", out, "--workers", "1", *options
    )
    assert code == 1, said
    points = {
        each["id"]: each["points"]
        for each in json.loads((out / "results.json").read_text())["submissions"]
    }
    serious = (out / "exceptions.txt").read_text().partition("\n\n")[0]
    for student in students:
        found = [mark for name, mark in points.items() if name.endswith(f"-{student.participant}")]
        if student.what in ("empty", "objetos_mentirosos"):
            assert found == [0.0]
        elif student.kind in ("submission", "flagged"):
            assert len(found) == 1
        else:
            assert found == []
        if (
            student.kind == "broken"
            or student.what in ("bomb", "traversal")
            or not student.in_sheet
        ):
            assert f"({student.participant})" in serious
        about = [line for line in serious.splitlines() if f"({student.participant})" in line]
        # whoever reads that file alone, or the terminal alone, knows what and where
        if student.kind == "flagged":
            (told,) = [line for line in about if student.what in line]
            assert re.search(r": línea \d+: ", told)
            assert " ".join(told.split()) in " ".join(said.split())
            assert found == [2.0]
        else:
            assert not [line for line in about if "la práctica no necesita" in line]
    assert re.search(
        r"Lo que te necesita: \d+\. Para recorrerlo uno por uno: practica review ", said
    )
    with (out / "calificaciones.csv").open(encoding="utf-8-sig", newline="") as file:
        copied = [
            int(row["Identificador"].removeprefix("Participante")) for row in csv.DictReader(file)
        ]
    there = {student.participant for student in students if student.in_sheet}
    marked = {number for number in there if any(name.endswith(f"-{number}") for name in points)}
    assert set(copied) <= marked
    assert len(copied) >= len(marked) - 1  # one of all is locked


def exceptions_of(incidents, submissions, lang):
    """Return what there is to say of a class."""
    made = result(submissions)
    return Exceptions.of(
        replace(made, class_=replace(made.class_, incidents=tuple(incidents))), lang
    )


class TestTerminal:
    """What is printed fits in the 80 columns that a terminal has."""

    @pytest.mark.parametrize("lang", ["es", "en"])
    def test_a_function_a_line_however_many_submissions(self, capsys, monkeypatch, lang):
        """With the longest name of the statement, and counts of a MOOC."""
        monkeypatch.setenv("COLUMNS", "80")
        each = all_right("ana")
        name = "calculate_zero_mean_normalization_parameters"
        each = replace(each, functions=(replace(each.functions[0], name=name), *each.functions[1:]))
        print_summary(result([each] * 2000), Path("out"), lang)
        shown = capsys.readouterr().out.splitlines()
        assert max(map(len, shown)) <= 80
        assert [line.split() for line in shown if line.startswith("calculate")] == [[name, "2000"]]

    def test_what_needs_a_person_comes_first_and_the_rest_is_short(self, capsys):
        """A submission that could not be run needs one; all is in the file."""
        incidents = [
            Incident("file.renamed", {"name": f"Ana {number}", "file": "x.py"})
            for number in range(9)
        ]
        incidents.append(Incident("submission.none", {"name": "Brais"}))
        exceptions = exceptions_of(incidents, [not_run("Carla")], "en")
        print_exceptions(exceptions, "en", Path("exceptions.txt"))
        shown = capsys.readouterr().out
        first, _, rest = shown.partition("\n\n")
        assert first.splitlines()[0] == "To be looked at first (2):"
        assert "Brais: there is no file to grade." in first
        assert "Carla: It could not be run:" in first
        assert rest.strip().splitlines()[0] == "Good to know (9):"
        assert "... and 4 more, in exceptions.txt" in rest
        text = exceptions.as_text("en")
        assert all(f"Ana {number}" in text for number in range(9))

    def test_a_submission_that_stops_half_way_is_for_a_person_to_see(self):
        """It has a mark, and the exceptions say where it stops."""
        each = all_right("Ana")
        facts = {"variant": "import_failed", "statement": "f()", "error": "NameError: f"}
        stop = RuleResult("source.stopped", "broken", "flag", 9, facts)
        each = replace(
            each, functions=(replace(each.functions[0], rules=(stop,)), *each.functions[1:])
        )
        exceptions = exceptions_of([], [each, all_right("Brais")], "en")
        (told,) = exceptions.questions
        assert str(told).startswith(
            "Ana: line 9: While the file is imported, 'f()' fails (NameError: f)"
        )

    def test_nothing_to_say_is_not_said(self, capsys):
        """Nor written."""
        exceptions = exceptions_of([], [], "es")
        print_exceptions(exceptions, "es")
        assert (capsys.readouterr().out, exceptions.as_text("es")) == ("", "")


def test_a_name_is_never_a_line_of_ours():
    """A file in a zip can have line ends in its name, and say what it likes of somebody else after
    them.
    """
    incident = Incident("file.empty", {"name": "Ana", "file": "a\nLuis (5): \rentregado.py"}, "ana")
    text = exceptions_of([incident], [], "es").as_text("es")
    assert [line for line in text.splitlines() if "Luis" in line] == [
        line for line in text.splitlines() if "Ana" in line
    ]


class Odd(Marker):
    """Marks submissions so that one of them cannot be told."""

    def __call__(self, task):
        """Return a submission in which something is missing."""
        return Marked(SubmissionResult(task.id, task.file, "", "graded", None, "x", 1.0), None)


def test_without_a_folder_too_what_cannot_be_told_is_an_exception(capsys):
    """It has no mark, and what comes after it is told."""
    collection = Collection((Submitted("a", "Ana"),), ())
    (marked,) = _one_by_one([Task("a", "a.py", b"")], Odd(load_rubric()), collection, "en").values()
    assert (marked.submission.status, marked.submission.points) == ("grader_error", None)
    assert "a.py  –" in capsys.readouterr().out


def test_what_a_class_takes_is_said_before_it_is_marked(monkeypatch):
    """By its files, its checks and the processors, on a machine as slow as this one."""
    monkeypatch.setattr(marking, "pace", lambda: 1.0)
    rubric = load_rubric(checks=load_checks())
    assert marking.expected_minutes(rubric, 30, 2) == 2
    assert marking.expected_minutes(rubric, 300, 2) == 20
    one = replace(rubric, rows={"accuracy": rubric.rows["accuracy"]})
    assert marking.expected_minutes(one, 30, 2) == 1
