"""How late a submission is: what Moodle says of it, and what it costs."""

from dataclasses import replace
from pathlib import Path

import marked_class as some
import pytest

from practica.grading.classroom.late_status import late_by, seconds_late
from practica.grading.classroom.worksheet import read_worksheet
from practica.grading.engine.adjustments import settled
from practica.grading.engine.lateness import LateRule
from practica.grading.engine.result import Decision, Entry, Lateness
from practica.grading.engine.rubric import RubricError, load_rubric
from practica.grading.report.moodle_comment import comment

MOODLE = Path(__file__).resolve().parents[2] / "moodle"
HOUR, DAY = 3600, 86_400


@pytest.mark.parametrize(
    ("status", "seconds"),
    [
        ("Submitted for grading - 3 days late", 3 * DAY),
        ("Submitted for grading - 1 hour late -  - ", HOUR),
        ("Submitted for grading - 1 day 4 hours late - Graded - resubmitted -  - ", DAY + 4 * HOUR),
        ("Submitted for grading - 1 hour late - Submission changes not allowed", HOUR),
        ("Submitted for grading - 5 mins 3 secs late", 303),
        ("Enviado para calificar - 1 hora después", HOUR),
        ("Enviado para calificar - 2 días 1 hora después - Calificado", 2 * DAY + HOUR),
        ("Entregado para cualificacións - 20 minutos tarde", 1200),
        ("Submitted for grading - 1 year 2 days late", 367 * DAY),
        ("Submitted for grading -  - ", 0),
        ("Enviado para calificar", 0),
        ("Submitted for grading - Extension granted until: Thursday, 3 December 2026, 10:00 AM", 0),
        ("Sen entrega - A tarefa está atrasada por: 1 hora", 0),
        ("Submitted for grading - 2 days early", 0),
        ("", 0),
    ],
)
def test_lateness_is_read_from_the_status(status, seconds):
    """In each language, with what stands before and after it."""
    assert seconds_late(status) == seconds


def test_a_team_of_a_real_worksheet_is_late_together():
    """The worksheet of a Moodle says one hour of each member."""
    sheet = read_worksheet(MOODLE / "english_teams/calificaciones.csv")
    group = next(row.group for row in sheet.rows if "late" in row.value("status"))
    entry = Entry("team", group, 1, f"{group}_1_assignsubmission_file")
    assert late_by(sheet, [entry]) == {"team": HOUR}
    assert late_by(replace(sheet, columns=sheet.columns - {"status"}), [entry]) is None


@pytest.mark.parametrize(
    ("statuses", "seconds"),
    [
        (["3 days late", "1 hour late", "2 days late"], HOUR),
        (["3 days late", "", "2 days late"], None),
        (["1 hour late", "3 days late"], HOUR),
    ],
)
def test_a_team_is_as_late_as_its_least_late_member(sheet, statuses, seconds):
    """One with more time has it for all."""
    rows = [
        f"Participant {number},Ana {number},Submitted for grading - {status},Red,,10.00"
        for number, status in enumerate(statuses, 12)
    ]
    head = "Identifier,Full name,Status,Group,Grade,Maximum Grade"
    team = Entry("red-3", "Red", 3, "Red_3_assignsubmission_file")
    found = late_by(sheet("\r\n".join([head, *rows, ""])), [team])
    assert found == ({} if seconds is None else {"red-3": seconds})


RULE = LateRule(0.25, 0.6, grace_minutes=15)


@pytest.mark.parametrize(
    ("seconds", "decided", "days", "points"),
    [
        (10 * 60, [], 0, 1.0),
        (HOUR, [], 1, 0.75),
        (DAY + 1, [], 2, 0.5),
        (9 * DAY, [], 9, 0.4),
        (2 * DAY, [Decision("ana", "extension", 1.0)], 1, 0.75),
        (2 * DAY, [Decision("ana", "extension", 2.0)], 0, 1.0),
        (2 * DAY, [Decision("ana", "late", 0.0, "Ill")], 2, 1.0),
        (2 * DAY, [Decision("ana", "late", 0.1)], 2, 0.9),
        (0, [Decision("ana", "late", 0.25)], None, 0.75),  # only a person knows of it
        (2 * DAY, [Decision("ana", "accuracy", 0.0)], 2, 0.25),
        (2 * DAY, [Decision("ana", "total", 0.9)], 2, 0.9),
        (0, [], None, 1.0),
    ],
)
def test_lateness_costs_what_the_rubric_and_the_instructor_say(seconds, decided, days, points):
    """Days begun, up to a limit, after the grace and the extension; a total is the last word."""
    made = some.result([some.all_right("ana")])
    made = replace(
        made,
        rubric=replace(made.rubric, late=RULE),
        class_=replace(made.class_, decisions=tuple(decided)),
    )
    (ana,) = settled(made, {"ana": seconds}).submissions
    assert ana.points == points
    assert ana.late == (Lateness(seconds, days) if seconds else None)
    again = settled(settled(made, {"ana": seconds}))  # without the worksheet
    assert again.submissions == (ana,)


def test_lateness_without_a_price_is_only_a_fact():
    """No mark changes.

    Moodle may have penalties of its own, and the comment leaves room for them.
    """
    made = some.result([some.all_right("ana")])
    (ana,) = settled(made, {"ana": HOUR}).submissions
    assert (ana.points, ana.late, ana.adjustments) == (1.0, Lateness(HOUR, None), ())
    assert "Handed in 1 h late: Moodle may take off points for it." in comment(
        ana, "en", "10.00", "10.00"
    )
    decided = (Decision("ana", "total", 0.5),)
    made = replace(made, class_=replace(made.class_, decisions=decided))
    assert "Moodle may take off" in comment(settled(made, {"ana": HOUR}).submissions[0], "en")


def test_a_mark_of_nothing_loses_nothing():
    """And nobody reads that its lateness was excused."""
    made = some.result([some.submission("ana", [some.function("accuracy", "missing")])])
    (ana,) = settled(
        replace(made, rubric=replace(made.rubric, late=RULE)), {"ana": HOUR}
    ).submissions
    assert (ana.points, ana.adjustments) == (0.0, ())
    assert "Handed in 1 h late." in comment(ana, "en")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("most = 1", "per_day is missing in late"),
        ("per_day = -1", "per_day = -1 must be a number of points"),
        ("per_day = 1\ngrace = 1", "there is no setting 'grace'"),
    ],
)
def test_a_price_that_cannot_be_meant_is_refused(tmp_path, text, reason):
    """With the line."""
    (tmp_path / "rubric.toml").write_text(f"schema = 1\n[late]\n{text}\n")
    with pytest.raises(RubricError, match=reason):
        load_rubric(tmp_path / "rubric.toml")
