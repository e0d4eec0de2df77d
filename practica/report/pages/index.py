"""The page of a class: what needs a person first, then the marks, the mistakes, what fails most, and everybody."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from practica.report.messages import principle
from practica.report.pages.html import number, render
from practica.report.pages.strip import HEIGHTS, strip
from practica.report.words import said

__all__ = ["index_page"]

BINS = 10
TOLD_FIRST = 10  # of what fails most


def index_page(
    result: Mapping[str, Any],
    lang: str = "es",
    exceptions: Sequence[str] = (),
    paths: Mapping[str, str] | None = None,
    names: Mapping[str, str] | None = None,
) -> str:
    """Return the page of a class.

    Parameters
    ----------
    result : dict
        A canonical result.
    lang : "es" or "en"
    exceptions : strs
        What the instructor has to know first, besides the submissions that could not be marked.
    paths : dict of str, optional
        Where the page of each submission is, relative to this one; without it there are no links.
    names : dict of str, optional
        Whose each submission is; its `id` where there is none.

    Returns
    -------
    html : str
        All of it: style, script and data.

    Raises
    ------
    ValueError
        For another language.
    """
    told = [said(submission, lang) for submission in result["submissions"]]
    submissions = [Listed.of(each, (paths or {}).get(each["id"])) for each in told]
    links = {listed.id: listed.link for listed in submissions}
    marks = [listed.points for listed in submissions if listed.points is not None]
    worst = _most_frequent(told, _failures)
    return render(
        "index",
        lang,
        head=result,
        submissions=submissions,
        links=links,
        names=names or {},
        exceptions=list(exceptions),
        stopped=_stopped(submissions),
        marks=marks,
        mean=statistics.fmean(marks) if marks else None,
        median=statistics.median(marks) if marks else None,
        full=sum(listed.points == listed.max_points for listed in submissions),
        bars=_bars(marks, result["rubric"]["max_points"], lang),
        mistakes=_most_frequent(told, _mistakes),
        worst=worst[:TOLD_FIRST],
        more_worst=worst[TOLD_FIRST:],
        ran=sum(listed.status != "not_run" for listed in submissions),
        functions=_by_function(told),
        verdicts=list(HEIGHTS),
        similar=(result["class"] or {}).get("similar", ()),
    )


@dataclass
class Listed:
    """A submission in the table."""

    id: str
    link: str | None
    status: str
    reason: str
    points: float | None
    max_points: float
    names: list[str]
    lost: list[str]  # functions without all their points
    strip: list[tuple[str, str]]

    @classmethod
    def of(cls, submission: Mapping[str, Any], path: str | None) -> Listed:
        """Make one of a submission and its sentences."""
        functions = submission["functions"]
        known = {key: submission[key] for key in ("id", "status", "reason", "points", "max_points")}
        return cls(
            **known,
            link=None if path is None else quote(path),
            names=[function["name"] for function in functions],
            lost=[function["name"] for function in functions if function["points"] != function["max_points"]],
            strip=strip(functions, alike=True),
        )

    @property
    def right(self) -> int:
        """How many functions have all their points."""
        return len(self.names) - len(self.lost)


@dataclass
class Failing:
    """A check or a rule that somebody does not pass, or a known mistake; who, and what they were told."""

    id: str
    function: str
    who: list[str] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)

    def sentence(self, lang: str) -> str:
        """Return what is true of all of them; of a rule it may be the whole sentence."""
        is_check = self.id.startswith(f"{self.function}.")
        whole = not is_check and len(set(self.sentences)) == 1
        return self.sentences[0] if whole else principle(self.id, lang) or self.sentences[0]


def _stopped(submissions: Sequence[Listed]) -> list[tuple[str, str, list[str]]]:
    """Return status, reason and names of what could not be marked: the grader's own errors first, a reason once."""
    who: dict[tuple[str, str], list[str]] = {}
    for listed in submissions:
        if listed.status != "graded":
            who.setdefault((listed.status, listed.reason), []).append(listed.id)
    return [(*key, who[key]) for key in sorted(who, key=lambda key: key[0] != "grader_error")]


def _by_function(submissions: Sequence[Mapping[str, Any]]) -> dict[str, Counter[str]]:
    """Return how often each function has each verdict."""
    counts: dict[str, Counter[str]] = {}
    for submission in submissions:
        for function in submission["functions"]:
            counts.setdefault(function["name"], Counter())[function["verdict"]] += 1
    return counts


def _most_frequent(
    submissions: Sequence[Mapping[str, Any]], wrong: Callable[[Mapping[str, Any]], Iterable[tuple[str, str, str]]]
) -> list[Failing]:
    """Return what is wrong, most people first; functions that nobody wrote are told elsewhere."""
    found: dict[tuple[str, str], Failing] = {}
    for submission in submissions:
        if submission["status"] == "not_run":
            continue
        for function, identifier, sentence in wrong(submission):
            failing = found.setdefault((function, identifier), Failing(identifier, function))
            failing.sentences.append(sentence)
            if submission["id"] not in failing.who:
                failing.who.append(submission["id"])
    return sorted(found.values(), key=lambda failing: -len(failing.who))


def _failures(submission: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    for function in submission["functions"]:
        if function["verdict"] == "missing":
            continue
        for each in function["rules"]:
            if each["severity"] == "broken":
                yield function["name"], each["id"], each["sentence"]
        for each in function["checks"]:
            if each["verdict"] == "fail":
                yield function["name"], each["id"], each["sentence"]


def _mistakes(submission: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    for function in submission["functions"]:
        for each in function["mistakes"]:
            yield function["name"], each["id"], each["sentence"]


@dataclass(frozen=True)
class Bar:
    """A bar of the histogram, in the units of the drawing."""

    begin: str
    end: str
    count: int
    x: float
    height: float


def _bars(marks: Sequence[float], most: float, lang: str) -> list[Bar]:
    counts = [0] * BINS
    for mark in marks:
        counts[min(int(mark / most * BINS + 1e-9), BINS - 1) if most else 0] += 1
    edges = [number(most * edge / BINS, lang) for edge in range(BINS + 1)]
    highest = max(counts) or 1
    return [
        Bar(
            edges[place],
            edges[place + 1],
            count,
            place * 60,
            round(150 * count / highest, 1),
        )
        for place, count in enumerate(counts)
    ]
