"""Whose row is whose: for certain, or nobody's."""

import random

import pytest
from budget import budget
from worksheets import ANA, LUIS, text_of

from practica.grading.classroom.matching import match
from practica.grading.classroom.moodle_names import cleaned, parse
from practica.grading.engine.result import Entry

SHEET = 'Identifier,"Full name","Email address",Grade\n'
TEAMS = "Identifier,Full name,Group,Grade,Last modified (submission)\n"
ROWS = "P 8,Eva Rey,Grupo B,,1 May\nP 12,Ana Pérez,Grupo A,,2 May\nP 13,Luis,Grupo A,,2 May\n"


def folder(name, number=None):
    """Return what is in a folder of Moodle's zip."""
    return Entry(f"{name}-{number}", name, number, folder=f"{name}_{number}_assignsubmission_file")


MATCHES = {
    "by identifier": (SHEET + "Participant 12,Ana Pérez,a@x.org,\n", [ANA], {"ana-12": [12]}, []),
    "blind": (
        "Identifier,Grade\nParticipant 12,\n",
        [folder("Participant", 12)],
        {"Participant-12": [12]},
        [],
    ),
    "blind in Spanish": (
        "Identificador,Calificación\nParticipante12,\n",
        [folder("Participante", 12)],
        {"Participante-12": [12]},
        [],
    ),
    "blind folder": (
        SHEET + "Participante12,Ana,,\n",
        [folder("Participante", 12)],
        {"Participante-12": [12]},
        [],
    ),
    "blind sheet": (
        "Identifier,Grade\nParticipant 12,\n",
        [folder("Ana", 12)],
        {},
        ["worksheet.unnamed"],
    ),
    "surname first": (SHEET + 'Participant 12,"Pérez, Ana",,\n', [ANA], {"ana-12": [12]}, []),
    "letters that Moodle leaves out": (
        SHEET + 'P 12,"José ""Pepe"" O\'Hara/Rey_Díaz",,\n',
        [folder("José Pepe OHaraRey Díaz", 12)],
        {"José Pepe OHaraRey Díaz-12": [12]},
        [],
    ),
    "letters that a spreadsheet lost": (
        SHEET + "P 12,?ukasz ?ó??,,\nP 13,???? ???????,,\n",
        [folder("Łukasz Żółć", 12), folder("Анна Иванова", 13)],
        {"Łukasz Żółć-12": [12], "Анна Иванова-13": [13]},
        [],
    ),
    "other letters than those lost": (
        SHEET + "P 12,?ukasz,,\n",
        [folder("Łukas", 12)],
        {},
        ["worksheet.other_name"],
    ),
    "another person": (SHEET + "Participant 12,Luis Rey,,\n", [ANA], {}, ["worksheet.other_name"]),
    "another person with the same particles": (
        SHEET + "P 12,Luis de la Fuente y Rey,,\n",
        [folder("Ana de la Peña y Rey", 12)],
        {},
        ["worksheet.other_name"],
    ),
    "another person in Cyrillic": (
        SHEET + "P 12,Анна,,\n",
        [folder("Иван", 12)],
        {},
        ["worksheet.other_name"],
    ),
    "another name in Thai": (
        SHEET + "P 12,สมชาย,,\n",
        [folder("สมหญิง", 12)],
        {},
        ["worksheet.other_name"],
    ),
    "not there": (SHEET + "Participant 120,Ana Pérez,,\n", [ANA], {}, ["worksheet.unknown"]),
    "twice in the sheet": (
        SHEET + "Participant 12,Ana,,\nParticipant 12,Ana,,\n",
        [ANA],
        {},
        ["worksheet.twice"],
    ),
    "twice in the class": (
        SHEET + "P 12,Ana,,\n",
        [folder("Ana", 12), Entry("x", "Ana", 12, folder="x")],
        {},
        [],
    ),
    "by name": (
        SHEET + "P 12,ANA  perez,,\n",
        [Entry("ana", "Ana Pérez")],
        {"ana": [12]},
        ["worksheet.by_name"],
    ),
    "by e-mail": (
        SHEET + "P 12,,A_b@x.org,\n",
        [Entry("a", "a b@x.org")],
        {"a": [12]},
        ["worksheet.by_email"],
    ),
    "somebody whose name is another's address": (
        SHEET + "P 1,b@x.org,a@x.org,\nP 2,Bea,b@x.org,\n",
        [Entry("b", "b@x.org")],
        {},
        ["worksheet.ambiguous"],
    ),
    "somebody whose name is the own address": (
        SHEET + "P 1,b@x.org,b@x.org,\n",
        [Entry("b", "b@x.org")],
        {"b": [1]},
        ["worksheet.by_email"],
    ),
    "two of a name": (
        SHEET + "P 1,Ana,,\nP 2,Ana,,\n",
        [Entry("ana", "Ana")],
        {},
        ["worksheet.ambiguous"],
    ),
    "no such name": (
        SHEET + "Participant 12,Eva,,\n",
        [Entry("ana", "Ana")],
        {},
        ["worksheet.nobody"],
    ),
    "two for a row": (
        SHEET + "Participant 12,Ana,,\n",
        [Entry("ana", "Ana"), Entry("ana-2", "ana")],
        {},
        ["worksheet.by_name", "worksheet.by_name", "worksheet.shared", "worksheet.shared"],
    ),
    "without identifiers": (
        "Full name,Grade\nAna Pérez,\n",
        [ANA],
        {"ana-12": [None]},
        ["worksheet.by_name"],
    ),
    "a team": (TEAMS + ROWS, [folder("Grupo A", 8)], {"Grupo A-8": [12, 13]}, []),
    "a team with the number of somebody else's": (
        TEAMS + ROWS,
        [folder("Grupo A", 8), folder("Grupo B", 12)],
        {"Grupo A-8": [12, 13], "Grupo B-12": [8]},
        [],
    ),
    "those in no group": (
        TEAMS + "P 8,Eva,Default group,,1 May\n",
        [folder("Default group")],
        {"Default group-None": [8]},
        [],
    ),
    "a team's copy for each member": (
        TEAMS + ROWS,
        [folder("Grupo A-Ana Pérez", 12), folder("Grupo A-Luis", 13)],
        {"Grupo A-Ana Pérez-12": [12], "Grupo A-Luis-13": [13]},
        [],
    ),
    "a team's copy of another number": (
        TEAMS + ROWS,
        [folder("Grupo A-Ana Pérez", 13)],
        {},
        ["worksheet.other_name"],
    ),
    "no such team": (TEAMS + ROWS, [folder("Grupo C", 9)], {}, ["worksheet.no_group"]),
    "no such team, but a number that fits": (
        TEAMS + ROWS,
        [folder("Grupo C", 8)],
        {},
        ["worksheet.other_name"],
    ),
    "a name of a team that Moodle cleans": (
        TEAMS + "P 1,Eva,Equipo_Ñandú: A/B,,1 May\n",
        [folder("Equipo Ñandú AB", 1)],
        {"Equipo Ñandú AB-1": [1]},
        [],
    ),
    "two teams that clean to one name": (
        TEAMS + "P 1,Eva,Equipo_A,,1 May\nP 2,Ana,Equipo A,,2 May\n",
        [folder("Equipo A", 7)],
        {},
        ["worksheet.groups_alike"],
    ),
    "two teams that differ in an accent": (
        TEAMS + "P 1,Eva,Equipo Á,,1 May\nP 2,Ana,Equipo A,,2 May\n",
        [folder("Equipo A", 7)],
        {"Equipo A-7": [2]},
        [],
    ),
    "an identifier in two teams": (
        TEAMS + "P 5,Ana,Grupo A,,1 May\nP 5,Ana,Grupo B,,1 May\nP 6,Luis,Grupo B,,1 May\n",
        [folder("Grupo A", 8), folder("Grupo B", 9)],
        {"Grupo B-9": [6]},
        ["worksheet.twice"],
    ),
    "two folders for a team": (
        TEAMS + ROWS,
        [folder("Grupo A", 7), folder("Grupo_A", 9)],
        {},
        ["worksheet.shared", "worksheet.shared"],
    ),
    "a team that has a student's name and number": (
        TEAMS + "P 8,Ana Pérez,Grupo A,,1 May\nP 9,Eva,Ana Pérez,,1 May\n",
        [folder("Ana Pérez", 8)],
        {"Ana Pérez-8": [9]},
        [],
    ),
    "a team that has the name of a member's copy": (
        TEAMS + "P 8,Ana,Grupo A,,1 May\nP 9,Eva,Grupo A-Ana,,1 May\n",
        [folder("Grupo A-Ana", 8)],
        {},
        ["worksheet.team_or_student"],
    ),
    "somebody of another team of that name": (
        TEAMS + "P 8,Ana,Grupo A,,1 May\nP 9,Eva,Grupo A,,-\n",
        [folder("Grupo A", 3)],
        {"Grupo A-3": [8]},
        ["worksheet.not_submitted"],
    ),
    "a worksheet that does not say who has handed in": (
        "Identifier,Full name,Group,Grade\nP 8,Ana,Grupo A,\n",
        [folder("Grupo A", 3)],
        {"Grupo A-3": [8]},
        ["worksheet.no_submitted"],
    ),
    "a student's name and number in an assignment of teams": (
        TEAMS + ROWS,
        [folder("Ana Pérez", 12)],
        {},
        ["worksheet.other_name"],
    ),
    "a group that a spreadsheet wrote like another one": (
        TEAMS + "P 1,Eva,429,,1 May\nP 2,Ana,429,,1 May\n",
        [folder("0429", 7), folder("429", 8)],
        {},
        ["worksheet.group_number", "worksheet.group_number"],
    ),
    "the same, of which one group is in another zip": (
        TEAMS + "P 1,Eva,429,,1 May\nP 2,Ana,429,,2 May\n",
        [folder("429", 8)],
        {},
        ["worksheet.group_number"],
    ),
    "a group that fits by the number alone": (
        TEAMS + "P 1,Eva,0429,,1 May\nP 2,Ana,1000,,2 May\n",
        [folder("429", 8), folder("1E3", 9)],
        {},
        ["worksheet.group_number", "worksheet.group_number"],
    ),
    "groups that differ in a zero": (
        TEAMS + "P 1,Eva,0429,,1 May\nP 2,Ana,429,,1 May\n",
        [folder("0429", 7), folder("429", 8)],
        {"0429-7": [1], "429-8": [2]},
        [],
    ),
    "an empty column of groups": (
        TEAMS + "P 12,Ana Pérez,,,1 May\n",
        [folder("Ana Pérez", 12)],
        {"Ana Pérez-12": [12]},
        [],
    ),
}


@pytest.mark.parametrize(("text", "entries", "rows", "said"), MATCHES.values(), ids=MATCHES.keys())
def test_a_row_is_found_for_certain_or_not_at_all(sheet, text, entries, rows, said):
    """And where there is a doubt, it says so."""
    owners, incidents = match(sheet(text), entries)
    assert {name: [row.participant for row in found] for name, found in owners.items()} == rows
    assert [each.code for each in incidents if each.code != "worksheet.no_submission"] == said


def test_rows_without_a_submission_are_told(sheet):
    """Not those whose submission there is, however it went.

    With the number, because two may have one name.
    """
    _, incidents = match(sheet(text_of("es")), [ANA, LUIS])
    told = [each.facts["row"] for each in incidents if each.code == "worksheet.no_submission"]
    assert told == ["Núñez Ó, Eva (13)"]


def test_a_member_whose_number_is_a_teams_is_told_without_a_submission(sheet):
    """The team of that number is not hers."""
    _, incidents = match(sheet(TEAMS + ROWS), [folder("Grupo A", 8)])
    assert [each.facts.get("row") for each in incidents] == ["Eva Rey (8)"]


PEOPLE = [
    "Ana Pérez",
    "Eva de la Ó",
    "Luis",
    "Анна Иванова",
    "Grupo 1",
    "Ana",
    "Łukasz Żółć",
    "Grupo 2-Ana",
]
GROUPS = [
    "Grupo 1",
    "Grupo_1",
    "Grupo 2",
    "Ana Pérez",
    "Luis",
    "Los de Pérez",
    "Ana",
    "Grupo 2-Ana",
    "Default group",
]


def random_class(chance):
    """Return a worksheet, the entries of its zip, and the participants to whom each belongs.

    Few numbers and few names, so that those of groups, of participants and of other assignments are
    often the same.
    """
    numbers = chance.sample(range(1, 9), k=5)
    people = {number: chance.choice(PEOPLE) for number in numbers}
    in_teams = chance.random() < 0.7
    names = chance.sample(GROUPS, k=3)
    ids = dict(zip(names, chance.sample(range(1, 9), k=3), strict=True))
    ids["Default group"] = None
    group_of = {number: chance.choice(names) if in_teams else "" for number in numbers}
    handed_in = {name for name in names if name in group_of.values() and chance.random() < 0.8}
    given = {
        number: group_of[number] in handed_in if in_teams else chance.random() < 0.8
        for number in numbers
    }
    entries, truth = [], {}
    if in_teams:
        for name in handed_in:
            number = ids[name]
            middle = "" if number is None else f"_{number}"
            read = parse(f"{cleaned(name)}{middle}_assignsubmission_file")
            entry = Entry(f"g{len(entries)}", read.owner, read.number, folder=read.folder)
            entries.append(entry)
            truth[entry.id] = {member for member in numbers if group_of[member] == name}
    else:
        for number in numbers:
            if given[number]:
                read = parse(f"{cleaned(people[number])}_{number}_assignsubmission_file")
                entry = Entry(f"p{number}", read.owner, read.number, folder=read.folder)
                entries.append(entry)
                truth[entry.id] = {number}
    lines = [
        "Participant"
        f" {number},{people[number]},{group_of[number]},,{'1 May' if given[number] else '-'}\n"
        for number in chance.sample(numbers, k=len(numbers))
        if chance.random() < 0.95  # a page that shows one group, a row that somebody deleted
    ]
    return "".join([TEAMS, *lines]), entries, truth


@pytest.mark.slow
def test_numbers_and_names_that_collide_mark_nobody_wrongly(sheet):
    """In a thousand classes, made to collide: every row that is found is right, and most are
    found.
    """
    chance = random.Random(11)
    found = in_all = 0
    for _ in range(budget(1_000)):
        text, entries, truth = random_class(chance)
        read = sheet(text)
        owners, _ = match(read, entries)
        for name, rows in owners.items():
            assert {row.participant for row in rows} <= truth[name], (text, entries)
        there = {row.participant for row in read.rows}
        found += sum(len(rows) for rows in owners.values())
        in_all += sum(len(right & there) for right in truth.values())
    assert found > 0.6 * in_all
