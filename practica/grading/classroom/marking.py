"""The work of `practica grade`, from its arguments to its exit code: one file, or a class.

    collect the submissions -> mark those that the journal does not know -> write everything out of
    one result

Without a folder for the results the submissions are marked one after the other and printed in full.
With one they go to workers, and what they find is journaled as it comes.
"""

from __future__ import annotations

import contextlib
import logging
import math
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import TextIOWrapper
from pathlib import Path
from types import MappingProxyType

from joblib import cpu_count

from practica.console import as_typed, progress_bar
from practica.files import opened, private_folder
from practica.grading.classroom.class_summary import (
    Rate,
    print_exceptions,
    print_steps,
    print_summary,
)
from practica.grading.classroom.collect import Collection, Submitted, collect
from practica.grading.classroom.grader_limits import (
    MOST_MEMORY,
    MOST_SECONDS,
    TooMuchError,
    within,
)
from practica.grading.classroom.journal import Journal, Unfinished, key_of
from practica.grading.classroom.kit_copies import copies_of_kit
from practica.grading.classroom.marker import Marked, Marker, Task, closing_sandboxes, mark_here
from practica.grading.classroom.matching import absent_from, teams_of
from practica.grading.classroom.outputs import JOURNAL, LOG, Outputs, as_json
from practica.grading.classroom.overrides import OVERRIDES, chosen_files, read_decisions
from practica.grading.classroom.pick_file import few_of
from practica.grading.classroom.rubric_trial import print_forbidden, tried
from practica.grading.classroom.similarity import Similar, require_copydetect, similar_pairs
from practica.grading.classroom.workers import mark_all, workers_at
from practica.grading.classroom.worksheet import Worksheet
from practica.grading.engine.adjustments import TOTAL
from practica.grading.engine.current import name_of_chosen
from practica.grading.engine.framework import load_checks
from practica.grading.engine.grade import new_seed
from practica.grading.engine.result import (
    Decision,
    Incident,
    Reason,
    Result,
    SubmissionResult,
    canonical_result,
    exit_code,
    text_of,
)
from practica.grading.engine.rubric import Rubric, load_rubric
from practica.grading.engine.rules import MAX_BYTES
from practica.grading.engine.stored import read_submission
from practica.grading.report.logs import LogLines
from practica.grading.report.messages import say
from practica.grading.report.questions import Exceptions, sentences_of
from practica.grading.report.result_table import print_sandbox, print_submission
from practica.grading.report.words import said
from practica.grading.sandbox.box import SandboxError
from practica.grading.sandbox.cpu_accounting import pace
from practica.grading.sandbox.probe import LEVELS
from practica.notebook import with_cells

A_MINUTE = 60.0  # seconds between two lines about how far a run is
SECONDS = 7.9 / 178  # for a check, if a submission with all of them takes so long (bench_class)

_log = logging.getLogger(__name__)


class Interrupted(Exception):
    """The run was stopped: `by_hand`, with Ctrl-C, or by `fail_fast`.

    The message says what is safe and how to go on.
    """

    def __init__(self, sentence: str, *, by_hand: bool) -> None:
        super().__init__(sentence)
        self.by_hand = by_hand


@dataclass(frozen=True)
class Order:
    """The options of `practica grade`."""

    rubric: Path | None = None  # the official criteria without it
    folder: Path | None = None  # where the results go; it is created
    worksheet: Path | None = None  # Moodle's, to be filled; the copy goes to the folder
    lang: str = "es"  # "es" or "en": language of what is printed and written
    record: Path | None = None  # where the canonical result goes
    sandboxed: bool = True  # whether a machine without sandbox is refused
    workers: int | None = None  # how many submissions at the same time
    scheduler: str | None = None  # address of a Dask scheduler; its workers do the work
    resume: bool = False  # whether what the folder's journal knows is not done again
    # the seed of the secret examples, to repeat a run; by default that of the records which the
    # journal keeps, or a new one
    seed: int | None = None
    # whether the first submission that cannot be run or marked ends the run
    fail_fast: bool = False
    # what the students were given: submissions that resemble each other beyond it are reported
    template: bytes | None = None
    # whether students with a grade that Moodle keeps locked, or a person gave, get their page all
    # the same
    locked_pages: bool = False
    # whether marks and comments in the worksheet that a person gave are replaced
    overwrite_marks: bool = False


def grade(paths: Sequence[Path], order: Order) -> int:
    """Mark files, folders and Moodle's zips, and return the exit code.

    `paths`: see `practica.grading.classroom.collect.collect`.
    Returned `code`: 0 if every function of every submission passed, 1 if something did not or needs
        a person, 2 if the grader itself failed.
    Raises `ValueError` for a file that is not a rubric, a file that cannot be read or written, a
        folder for the results that is among the submissions, a class without submissions, or a
        machine without sandbox.
    Raises `Interrupted` after Ctrl-C, or with `fail_fast`.
    """
    rubric = load_rubric(order.rubric, checks=load_checks())
    print_forbidden(tried(rubric, order.rubric), order.lang)
    marker = Marker(rubric, order.sandboxed, new_seed() if order.seed is None else order.seed)
    read = [path for path in (*paths, order.worksheet, order.rubric) if path is not None]
    for path in filter(Path.is_dir, paths):
        if order.folder is not None and order.folder.resolve().is_relative_to(path.resolve()):
            raise ValueError(
                say("class.within", {"folder": order.folder, "path": path}, order.lang)
            )
    with contextlib.ExitStack() as stack:
        record = stack.enter_context(opened(order.record, data=read, private=True))
        collection, sources = _collected(
            paths, {} if order.folder is None else chosen_files(order.folder / OVERRIDES)
        )
        if not collection.entries:
            raise ValueError(" ".join(sentences_of(collection.incidents, order.lang)))
        tasks = [
            Task(entry.id, entry.source, sources[entry.id])
            for entry in collection.entries
            if entry.id in sources
        ]
        stack.enter_context(_refusals(order.lang))
        if order.folder is None:
            marked = _one_by_one(tasks, marker, collection, order.lang, kept=record is not None)
            result = _result(collection, sources, marked, marker)
            exceptions = Exceptions.of(result, order.lang, printed=True)
            with _even_unread(record is not None):
                print_exceptions(exceptions, order.lang)
                print_sandbox(result.sandbox, lang=order.lang)
        else:
            result, exceptions = _class(
                tasks, marker, order, collection, sources, _as_typed(paths, order)
            )
        if record is not None:
            record.writelines(as_json(result))
    return max(exit_code(result.submissions), int(bool(exceptions.questions)))


def _as_typed(paths: Sequence[Path], order: Order) -> str:
    """Return the arguments of `practica grade`, as typed, that repeat this run from any folder."""
    named = {
        "--rubric": order.rubric,
        "--worksheet": order.worksheet,
        "--assignment": name_of_chosen() or None,
    }
    options = [
        f"{option} {as_typed(_absolute(value))}"
        for option, value in named.items()
        if value is not None
    ]
    flags = {"--no-sandbox": not order.sandboxed, "--similarity": order.template is not None}
    flags |= {"--locked-pages": order.locked_pages, "--overwrite-marks": order.overwrite_marks}
    submissions = [as_typed(path.resolve()) for path in paths]
    return " ".join(
        ["", *submissions, *options, *(flag for flag, wanted in flags.items() if wanted)]
    )


def _absolute(value: Path | str) -> Path | str:
    return value.resolve() if isinstance(value, Path) else value


def _collected(
    paths: Sequence[Path], wanted: Mapping[str, str]
) -> tuple[Collection, dict[str, bytes]]:
    """Read the submissions of a class; return them, and by id the bytes of each file to grade.

    `wanted`: by the id of a submission, the file that a person chose from several.
    """
    with tempfile.TemporaryDirectory(prefix="practica-class-") as folder:
        collection = collect(paths, Path(folder), wanted=wanted)
        return collection, {
            entry.id: entry.file.read_bytes()
            for entry in collection.entries
            if entry.file is not None
        }


@contextlib.contextmanager
def _even_unread(kept: bool) -> Iterator[None]:
    """Go on when printing fails, if the results are `kept` in files as well: a pipe may be closed,
    or a disk full.
    """
    try:
        yield
    # with which rich answers where `head` has gone; from now on it discards its output
    except SystemExit:
        if not kept:
            raise
    except OSError as error:
        reason = f"what is printed cannot be written: {error.strerror or error}"
        if not kept:
            raise ValueError(reason) from error
        _log.error(reason)
        with contextlib.suppress(OSError), open(os.devnull, "w") as null:
            os.dup2(null.fileno(), sys.stdout.fileno())


def _one_by_one(
    tasks: Sequence[Task], marker: Marker, collection: Collection, lang: str, *, kept: bool = False
) -> dict[str, Marked]:
    """Mark the tasks in turn, print each result, and return the results by id.

    A single task is marked in this process. `kept`: whether the results go to a file, so that
    marking goes on if printing fails.
    """
    marked = {}
    entries = {entry.id: entry for entry in collection.entries}
    with contextlib.ExitStack() as stack:
        if len(tasks) > 1:
            marking = mark_all(tasks, marker, stack.enter_context(workers_at(None, 1)))
            results: Iterator[tuple[Task, Marked]] = stack.enter_context(
                contextlib.closing(marking)
            )
        else:
            stack.enter_context(closing_sandboxes())
            results = ((task, mark_here(marker, task)) for task in tasks)
        for task, found in results:
            found = replace(found, submission=_read(entries[task.id], found.submission))
            try:
                with _even_unread(kept):
                    print_submission(found.submission, lang=lang, whose=len(tasks) > 1)
            except Exception as error:  # whatever it is, the others are printed
                _log.exception("%s cannot be printed", task.id)
                found = replace(found, submission=marker.without_mark(task, Reason.of_error(error)))
                print_submission(found.submission, lang=lang, whose=len(tasks) > 1)
            marked[task.id] = found
    return marked


def _class(
    tasks: Sequence[Task],
    marker: Marker,
    order: Order,
    collection: Collection,
    sources: Mapping[str, bytes],
    command: str,
) -> tuple[Result, Exceptions]:
    """Mark the tasks on workers, journal each result, and write the outputs of the class.

    `sources`: by id, the bytes of each file.
    `command`: the arguments that repeat the run, see `_as_typed`.
    """
    assert order.folder is not None
    in_moodle = {"locked_pages": order.locked_pages, "overwrite_marks": order.overwrite_marks}
    outputs = Outputs(order.folder, order.lang, order.worksheet, **in_moodle)
    if outputs.sheet is not None:
        collection = _with_absent(collection, outputs.sheet)
    decisions = _decisions(order.folder, collection, marker, order.lang)
    if order.template is not None:
        require_copydetect()
    outputs.begin(collection.entries)
    outputs.manifest.commands["grade"] = command
    with _journal(order) as journal:
        outputs.refuse_another(collection.entries, [*_ids(journal.records.values())])
        if order.seed is None and journal.seed is not None:
            marker = replace(marker, seed=journal.seed)
        assert marker.seed is not None
        journal.begin(marker.seed)
        keys = {task.id: _key(task, marker) for task in tasks}
        kept = {task.id: _kept(task, journal.records.get(keys[task.id])) for task in tasks}
        known = {name: marked for name, marked in kept.items() if marked is not None}
        tasks = [replace(task, tries=_tries(journal.records.get(keys[task.id]))) for task in tasks]
        done = dict(known)
        with _resumable(order, done, len(tasks)), _logged(order.folder / LOG):
            _log.info(
                "%d submissions, %d of them known, practica %s",
                len(tasks),
                len(known),
                marker.version,
            )
            outputs.manifest.remove_unfinished()
            _mark(
                tasks, marker, order, done, lambda task, record: journal.add(keys[task.id], record)
            )
            teams = teams_of(outputs.sheet, collection.entries)
            result = _result(collection, sources, done, marker, order.template, decisions, teams)
            exceptions = outputs.write(result)
            result = outputs.written or result
            journal.finish([key for key in keys.values() if key in journal.records])
    with _even_unread(True):
        print_exceptions(exceptions, order.lang, outputs.exceptions)
        print_summary(result, order.folder, order.lang, len(exceptions.questions))
        print_steps(outputs.steps)
    return result, exceptions


def _with_absent(collection: Collection, sheet: Worksheet) -> Collection:
    """Add an entry for each student of the worksheet who handed in nothing."""
    absent = [Submitted(**vars(each)) for each in absent_from(sheet, collection.entries)]
    entries = sorted([*collection.entries, *absent], key=lambda entry: entry.id)
    return replace(collection, entries=tuple(entries))


def _mark(
    tasks: Sequence[Task],
    marker: Marker,
    order: Order,
    done: dict[str, Marked],
    keep: Callable[[Task, object], None],
) -> None:
    """Mark the tasks that are not in `done`, and add the results to it.

    `keep`: writes a record of a task to the journal; it is called before the next result.
    Raises `Interrupted` with `fail_fast`, after the first submission that was not graded.
    """
    missing = [task for task in tasks if task.id not in done]
    if not missing:
        return
    with contextlib.ExitStack() as stack:
        report = stack.enter_context(progress_bar(Rate(order.lang), every=A_MINUTE))
        report("", len(done), len(tasks))
        if len(tasks) == 1 and order.scheduler is None:  # not worth a worker
            stack.enter_context(closing_sandboxes())
            results: Iterator[tuple[Task, Marked]] = (
                (task, mark_here(marker, task)) for task in missing
            )
        else:
            workers = stack.enter_context(workers_at(order.scheduler, order.workers, len(missing)))
            at_once = order.workers or (workers.count if order.scheduler else cpu_count())
            minutes = expected_minutes(marker.rubric, len(missing), min(at_once, len(missing)))
            facts = {"count": len(missing), "workers": min(at_once, len(missing))}
            expected = say("class.expected", {**facts, "minutes": minutes}, order.lang)
            with _even_unread(True):
                print(expected, file=sys.stderr, flush=True)
            results = stack.enter_context(contextlib.closing(mark_all(missing, marker, workers)))
        for task, found in results:
            submission = found.submission
            line = task.id, submission.status, submission.points, submission.seconds, found.worker
            _log.info("%s: %s, %s points, %.1f s on %s", *line)
            # The clock's reading goes to the log: what is written twice is the same twice.
            found = replace(found, submission=replace(submission, seconds=None), worker="")
            if submission.status != "grader_error":
                keep(task, [found.submission.as_json(), found.level, found.tries])
            elif submission.reason is None or submission.reason.message == "grader.error":
                keep(task, [{"id": task.id}, "tried", found.tries + 1])
            done[task.id] = found  # and not before: what is done is said to be safe
            report("", len(done), len(tasks))
            if order.fail_fast and submission.status != "graded":
                reason = said(submission, order.lang).why.rstrip(".")  # some are whole sentences
                facts = {"id": task.id, "reason": reason, "done": len(done)}
                raise Interrupted(say("class.fail_fast", facts, order.lang), by_hand=False)


def expected_minutes(rubric: Rubric, count: int, workers: int) -> int:
    """Estimate how many minutes `count` submissions take on this machine, if each takes as long as
    the model answer; at least one.
    """
    checks = load_checks()
    marked = sum(len(row.checks_of(checks)) for row in rubric.rows.values())
    return math.ceil(SECONDS * pace() * marked * count / workers / A_MINUTE)


def _result(
    collection: Collection,
    sources: Mapping[str, bytes],
    marked: Mapping[str, Marked],
    marker: Marker,
    template: bytes | None = None,
    decisions: tuple[Decision, ...] = (),
    teams: Mapping[str, str] = MappingProxyType({}),
) -> Result:
    """Put together the canonical result; its level is that of the worst sandbox that was used.

    `template`: if given, submissions are compared with each other and with the students' kit.
    `teams`: by id, the team that a submission belongs to.
    """
    done = [(entry, marked[entry.id]) for entry in collection.entries if entry.id in marked]
    levels = {LEVELS.index(each.level) for _, each in done if each.level is not None}
    submissions = [
        replace(_read(entry, each.submission), source=text_of(sources[entry.id]), cells=entry.cells)
        for entry, each in done
    ]
    labels = {entry.id: entry.label for entry in collection.entries}
    similar = Similar([], 0, [])
    incidents: list[Incident] = []
    if template is not None:
        similar = similar_pairs(sources, template, teams)
        incidents += _from_kit(sources, labels)
    incidents += [
        Incident("submission.not_compared", {"name": labels[name]}, name)
        for name in similar.left_out
    ]
    for entry, each in done:
        if each.tries and each.submission.status != "grader_error":
            facts = {"name": entry.label, "seed": marker.seed_of(each.tries)}
            incidents.append(Incident("submission.next_seed", facts, entry.id))
    if similar.found > len(similar.pairs):
        incidents.append(
            Incident("similar.more", {"count": similar.found, "most": len(similar.pairs)})
        )
    class_ = replace(collection.as_class(incidents, similar.pairs), decisions=decisions)
    return canonical_result(
        submissions, marker.rubric, LEVELS[max(levels, default=0)], class_, marker.seed
    )


def _from_kit(sources: Mapping[str, bytes], labels: Mapping[str, str]) -> Iterator[Incident]:
    """Yield an incident for each file with functions that have the shape of one of the students'
    kit.
    """
    for name, source in sources.items():
        try:
            with within(MOST_SECONDS, MOST_MEMORY):
                copies = copies_of_kit(source[:MAX_BYTES])
        except (Exception, TooMuchError):  # as in a comparison with the others
            _log.exception("%s could not be compared with the kit", name)
            continue
        if copies:
            shown = few_of(f"{each.function}: {each.original}" for each in copies)
            yield Incident("submission.from_kit", {"name": labels[name], "functions": shown}, name)


def _read(entry: Submitted, submission: SubmissionResult) -> SubmissionResult:
    """Return the submission; a missing function breaks a rule if its cell of the notebook is no
    Python.
    """
    return replace(submission, functions=with_cells(submission.functions, entry.broken))


def _decisions(
    folder: Path, collection: Collection, marker: Marker, lang: str
) -> tuple[Decision, ...]:
    """Return the decisions in the table of a folder; none if there is no table."""
    maxima = {**marker.rubric.maxima, TOTAL: float(marker.rubric.max_points)}
    ids = [entry.id for entry in collection.entries]
    return read_decisions(folder / OVERRIDES, ids, maxima, lang) or ()


def _kept(task: Task, record: object) -> Marked | None:
    """Return the result of a task that its record in the journal holds; None if the record has no
    result, or that of another submission.
    """
    match record:
        case [submission, str() | None as level, int(tries)] if level is None or level in LEVELS:
            read = read_submission(submission)
            return Marked(read, level, tries) if read is not None and read.id == task.id else None
    return None


def _tries(record: object) -> int:
    """Return how often the grader itself has failed at a submission, according to its journal
    record.
    """
    match record:
        case [_, _, int(tries)]:
            return max(0, tries)
    return 0


def _ids(records: Iterable[object]) -> Iterator[str]:
    """Yield the id of the submission in each record of a journal."""
    for record in records:
        match record:
            case [{"id": str(name)}, *_]:
                yield name


def _key(task: Task, marker: Marker) -> str:
    facts = (
        task.id,
        task.file,
        marker.rubric.marking,
        marker.version,
        str(marker.sandboxed),
        str(marker.seed),
    )
    return key_of(task.source, *facts)


def _journal(order: Order) -> Journal:
    """Open the journal in the folder of the results.

    Raises `ValueError`, with a sentence for the instructor, if another process has it open, it is
        that of a run that did not end, or it cannot be written.
    """
    assert order.folder is not None
    path = order.folder / JOURNAL
    try:
        private_folder(order.folder)
        return Journal(path, resume=order.resume)
    except BlockingIOError:
        raise ValueError(say("class.locked", {"folder": order.folder}, order.lang)) from None
    except Unfinished as unfinished:
        facts = {"folder": order.folder, "count": unfinished.count, "journal": path}
        raise ValueError(say("class.unfinished", facts, order.lang)) from None
    except OSError as error:
        raise ValueError(
            f"{error.filename or path} cannot be written: {error.strerror or error}"
        ) from error


@contextlib.contextmanager
def _resumable(order: Order, done: Mapping[str, Marked], total: int) -> Iterator[None]:
    """Turn Ctrl-C into `Interrupted`, and a full disk into `ValueError`, with a sentence that says
    how many of the `total` submissions are `done` and how to go on.
    """
    facts = {"total": total, "folder": order.folder}
    try:
        yield
    except KeyboardInterrupt:
        sentence = say("class.interrupted", {**facts, "done": len(done)}, order.lang)
        raise Interrupted(sentence, by_hand=True) from None
    except OSError as error:
        reason = (
            f"{error.filename}: {error.strerror}"
            if error.filename
            else error.strerror or str(error)
        )
        raise ValueError(
            say("class.stopped", {**facts, "done": len(done), "reason": reason}, order.lang)
        ) from error


@contextlib.contextmanager
def _refusals(lang: str) -> Iterator[None]:
    try:
        yield
    except SandboxError as error:
        raise ValueError(say("sandbox.refused", {"reason": error}, lang)) from error


@contextlib.contextmanager
def _logged(path: Path) -> Iterator[None]:
    """Append each event of the run to a log file while the block runs."""
    handler = _LogFile(path, encoding="utf-8")
    handler.setFormatter(LogLines("%(asctime)s %(levelname)s %(message)s"))
    logger = logging.getLogger("practica")
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.setLevel(before)
        logger.removeHandler(handler)
        handler.close()


class _LogFile(logging.FileHandler):
    """A log file that only its owner can read; lines for which the disk has no room are dropped."""

    def _open(self) -> TextIOWrapper:
        os.close(os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT, 0o600))
        return super()._open()

    def handleError(self, record: logging.LogRecord) -> None:
        """Drop a line that cannot be written."""

    def close(self) -> None:
        """Drop the last lines if they cannot be written."""
        with contextlib.suppress(OSError):
            super().close()
