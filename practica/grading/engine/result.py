"""Canonical result of a class: values with types, and the JSON that holds them.

Every other output is made of it. It holds facts and no sentence: a message is an id, and `facts`
fills the places of its sentence, which `practica.grading.report` says in a language. The types here
are the form of the JSON too: `practica.grading.engine.stored` refuses a file of another form, and
`msgspec.json.schema(Result)` is its JSON Schema. The names are those of the fields, and `class` for
`class_`.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Annotated, Self, TypeAlias

from msgspec import Meta

import practica
from practica.grading.engine.current import name_of_chosen
from practica.grading.engine.lateness import LateRule
from practica.grading.engine.rubric import Rubric
from practica.grading.engine.settings import MOST_POINTS
from practica.grading.inside.loading import decode
from practica.json_data import Facts, plain

SCHEMA = 2
# of a submission: in the JSON only where they are known
OPTIONAL = "memory", "source", "cells", "late", "marked", "kept"


def _one_of(*words: str) -> Meta:
    return Meta(pattern=f"^({'|'.join(words)})$")


Points: TypeAlias = Annotated[float, Meta(ge=0, le=MOST_POINTS)]
Share: TypeAlias = Annotated[float, Meta(ge=0, le=1)]
Line: TypeAlias = Annotated[int, Meta(ge=0)]


@dataclass(frozen=True)
class Reason:
    """Why a submission was not graded: the id of a sentence, its facts, and a line of the file."""

    message: str
    facts: Facts
    line: Line | None = None

    @classmethod
    def of(cls, message: str, facts: Facts, line: int | None = None) -> Self:
        """Make a reason whose facts are converted to data that JSON can hold."""
        return cls(message, plain(facts), line)

    @classmethod
    def of_error(cls, error: BaseException) -> Self:
        """Make the reason of a submission at which the grader itself failed with an error."""
        return cls.of("grader.error", {"error": f"{type(error).__name__}: {error}"[:500]})


@dataclass(frozen=True)
class RuleResult:
    """A rule that a function breaks, or advice, in the canonical result."""

    id: str  # the sentence is this, or `id.variant` if the facts have a variant
    severity: Annotated[str, _one_of("broken", "advice")]
    cost: Annotated[str, _one_of("zero", "cap", "flag")] | None  # None for advice
    line: Line | None
    facts: Facts


@dataclass(frozen=True)
class CheckResult:
    """The outcome of a check in the canonical result."""

    id: str
    verdict: Annotated[str, _one_of("pass", "fail", "not_run")]
    message: str = ""  # the id of the sentence; empty if there is nothing to say
    facts: Facts = field(default_factory=dict)
    # what `practica.grading.engine.runner.Outcome` has, as far as it is known
    counterexample: dict[str, str] | None = None


@dataclass(frozen=True)
class Mistake:
    """A known mistake, as `practica.grading.engine.diagnosis` names it."""

    id: str
    facts: Facts


@dataclass(frozen=True)
class Diagnosis:
    """The known mistakes that explain a function that failed, or what is seen in its answers.

    They cost and give nothing. An observation after one mistake says in which calls it is made.
    """

    how: Annotated[str, _one_of("one", "either", "both", "seen")]
    mistakes: tuple[Mistake, ...]
    explains: tuple[str, ...] = ()  # the checks of which these mistakes explain every answer
    leads: str = ""  # the failed check whose example shows it, and is to be printed; empty for any


@dataclass(frozen=True)
class FunctionResult:
    """The mark of one row of the rubric."""

    name: str  # name, function: of the row, and of what it marks in the file
    function: str
    line: Line | None  # where that gets its meaning
    # None where the grader's own error leaves them open, or a person has not given them yet
    points: Points | None
    max_points: Points
    # see `practica.grading.engine.grade`; "manual" of a row that a person marks
    verdict: Annotated[str, _one_of("missing", "rule", "fail", "not_run", "pass", "manual")]
    rules: tuple[RuleResult, ...] = ()
    checks: tuple[CheckResult, ...] = ()
    diagnosis: Diagnosis | None = None


@dataclass(frozen=True)
class Lateness:
    """How late a submission is."""

    seconds: Annotated[int, Meta(ge=1, le=10**10)]  # what Moodle's worksheet says
    # those that cost points: begun, after the period of grace and the student's extension. None
    # where the rubric has no price for them
    days: Annotated[int, Meta(ge=0, le=10**6)] | None = None


@dataclass(frozen=True)
class Adjustment:
    """A change of the points of a submission after marking, by a person or for lateness."""

    function: str  # a row of the rubric, "late" for the lateness, "total", or empty for a comment
    # before, after: its points as marked, and now; of the lateness and a comment, the total before
    # and after
    before: Points | None
    after: Points | None
    note: str = ""  # by the person who decided; empty where only a rule of the rubric did


@dataclass(frozen=True)
class SubmissionResult:
    """The mark of one submission."""

    id: str  # id, file: the owner, and the name of the file
    file: str
    sha256: str  # the file's bytes
    # "not_run": the file cannot be read or imported
    status: Annotated[str, _one_of("graded", "not_run", "grader_error")]
    reason: Reason | None  # why it was not graded
    points: Points | None  # None where the grader failed, or a person has to give a part of them
    max_points: Points
    # None in the result of a class, so that what is written twice is the same
    seconds: float | None = None
    functions: tuple[FunctionResult, ...] = ()
    # what limited its memory; None where no box was wanted
    memory: Annotated[str, _one_of("cgroup", "counted")] | None = None
    source: str | None = None  # in a class: the text that was marked
    # of a class: the place of each line of a notebook
    cells: tuple[tuple[int, int], ...] | None = None
    late: Lateness | None = None  # None if it was in time, or nothing says whether it was
    # the points that the grader gave; known where there are adjustments
    marked: Points | None = None
    # what changed the points since, in its order: functions, lateness, total
    adjustments: tuple[Adjustment, ...] = ()
    # as it was marked, where something of it could not be written and this one takes its place
    kept: SubmissionResult | None = None

    def as_json(self) -> dict[str, object]:
        """Return the data of this submission that the JSON file holds."""
        known = asdict(self)
        if not self.adjustments:
            del known["adjustments"]
        return {
            name: value
            for name, value in known.items()
            if value is not None or name not in OPTIONAL
        }


@dataclass(frozen=True)
class Incident:
    """Something that a person should know about a class."""

    code: str  # its sentence: "submission.none"
    facts: Facts = field(default_factory=dict)  # what fills the places of the sentence
    entry: str | None = None  # the id of the submission that it is about; None for the whole class


@dataclass(frozen=True)
class Entry:
    """What one student or team of a class handed in."""

    # made of Moodle's name, or of the file's; unique in the class, the same in every run, and fit
    # for a file's name. Outside Moodle it depends on the other entries, so that only the name
    # identifies a person in another class
    id: str
    name: str  # the student's or the team's
    # Moodle's: of the participant in this assignment, or of the team's group. The name does not
    # show which. Of the student in Canvas, where `folder` is None
    number: int | None = None
    # what Moodle called the folder, or put before the file's name, exactly; None outside Moodle
    folder: str | None = None
    source: str = ""  # the name of the file to grade in the submission; empty without one
    sha256: str | None = None  # that file's bytes
    # what Canvas put before the file's name, with the numbers of the student and of the attachment;
    # empty elsewhere
    canvas: str = ""
    absent: bool = False  # whether only the worksheet has the student, who handed in nothing

    @property
    def label(self) -> str:
        """The name, with the system's number of the student if there is one."""
        return self.name if self.number is None else f"{self.name} ({self.number})"


@dataclass(frozen=True)
class Decision:
    """A person's decision about a submission."""

    identifier: str  # the entry's
    # what it is about: a row of the rubric, "total", "late" (what the lateness costs), "extension"
    # (days more), nothing for a comment, or "seen:KEY" for something that was looked at,
    # see `practica.grading.report.questions`
    function: str
    points: Points | None  # None for a comment, and what was only looked at
    note: str = ""
    # with what the hash of the file begins that it is about; empty if it holds for any
    sha256: str = ""


@dataclass(frozen=True)
class Class:
    """The submissions collected from a class, and the decisions about them."""

    entries: tuple[Entry, ...]
    incidents: tuple[Incident, ...] = ()
    similar: tuple[tuple[str, str, Share], ...] = ()  # submissions that resemble each other
    decisions: tuple[Decision, ...] = ()
    # by how many seconds submissions are late, by their ids; None if no worksheet has said it
    late: Mapping[str, Annotated[int, Meta(ge=1, le=10**10)]] | None = None

    @property
    def labels(self) -> dict[str, str]:
        """The label of each entry, by its id."""
        return {entry.id: entry.label for entry in self.entries}


@dataclass(frozen=True)
class UsedRubric:
    """The facts about a rubric that its results keep."""

    name: str
    sha256: str  # its file's bytes
    max_points: Points
    late: LateRule | None = None  # what lateness costs, if it does
    # how it is called in a language, where that is not its name
    titles: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    """The canonical result: all submissions that were marked together, and with what they were
    marked.
    """

    schema: int
    practica: str  # the version that marked
    rubric: UsedRubric
    # the worst in which a submission ran
    sandbox: Annotated[str, _one_of("full", "reduced", "none")]
    class_: Class | None  # None for files that do not come from a class
    submissions: tuple[SubmissionResult, ...]
    # the secret examples can be drawn again with it; None where there were none
    seed: int | None = None
    # the folder of another course, or the name of an edition; empty for the practice of
    # this project
    assignment: str = ""

    @property
    def students(self) -> list[Entry]:
        """The entries of those who handed in something, or have a mark all the same."""
        marked = {submission.id for submission in self.submissions}
        entries = () if self.class_ is None else self.class_.entries
        return [entry for entry in entries if not entry.absent or entry.id in marked]

    @property
    def marks(self) -> list[float]:
        """The points of the submissions that have a mark."""
        return [
            submission.points for submission in self.submissions if submission.points is not None
        ]

    @property
    def verdicts(self) -> dict[str, Counter[str]]:
        """How often each function has each verdict."""
        counts: dict[str, Counter[str]] = {}
        for submission in self.submissions:
            for function in submission.functions:
                counts.setdefault(function.name, Counter())[function.verdict] += 1
        return counts

    @property
    def has_manual(self) -> bool:
        """Whether there are rows that a person marks."""
        return any(
            function.verdict == "manual"
            for submission in self.submissions
            for function in submission.functions
        )

    def as_json(self) -> dict[str, object]:
        """Return the data that the JSON file holds."""
        return {
            **self.head_as_json(),
            "submissions": [submission.as_json() for submission in self.submissions],
        }

    def head_as_json(self) -> dict[str, object]:
        """Return the data that the JSON file holds, without the submissions."""
        return {
            "schema": self.schema,
            "practica": self.practica,
            "rubric": asdict(self.rubric),
            "sandbox": self.sandbox,
            "seed": self.seed,
            **({"assignment": self.assignment} if self.assignment else {}),
            "class": None if self.class_ is None else asdict(self.class_),
        }


def canonical_result(
    submissions: Iterable[SubmissionResult],
    rubric: Rubric,
    sandbox: str,
    class_: Class | None = None,
    seed: int | None = None,
) -> Result:
    """Return the canonical result of marked submissions.

    `sandbox`: the weakest one in which a submission ran: "full", "reduced" or "none".
    `class_`: the class that they come from, if any.
    `seed`: that of the secret examples; None if there were none.
    """
    used = UsedRubric(
        plain(rubric.name),
        rubric.sha256,
        float(rubric.max_points),
        rubric.late,
        dict(rubric.titles),
    )
    submissions, assignment = tuple(submissions), plain(name_of_chosen())
    return Result(
        SCHEMA, practica.__version__, used, sandbox, class_, submissions, seed, assignment
    )


def without_mark(
    source: bytes, rubric: Rubric, *, identifier: str, file: str, reason: Reason | None
) -> SubmissionResult:
    """Return the result of a submission that the grader could not mark, for some reason."""
    sha256, most = hashlib.sha256(source).hexdigest(), float(rubric.max_points)
    return SubmissionResult(
        plain(identifier), plain(file), sha256, "grader_error", reason, None, most, 0.0
    )


def with_manual(submission: SubmissionResult, rubric: Rubric) -> SubmissionResult:
    """Return a marked submission with the rows that a person marks; until then it has no mark."""
    if not rubric.manual or submission.status == "grader_error":
        return submission
    rows = (
        FunctionResult(name, name, None, None, float(most), "manual")
        for name, most in rubric.manual.items()
    )
    return replace(submission, points=None, functions=(*submission.functions, *rows))


def text_of(source: bytes) -> str:
    """Return the text of a file for the canonical result, with lone surrogates written out."""
    return decode(source)[0].encode("utf-8", "backslashreplace").decode()


def exit_code(submissions: Iterable[SubmissionResult]) -> int:
    """Return 0 if every function of every submission passed, 1 if something did not, 2 if the
    grader failed.
    """
    submissions = list(submissions)
    statuses = {submission.status for submission in submissions}
    if "grader_error" in statuses:
        return 2
    verdicts = {function.verdict for submission in submissions for function in submission.functions}
    return 0 if verdicts <= {"pass"} and statuses <= {"graded"} else 1
