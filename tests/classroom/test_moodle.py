"""The names that Moodle gives, read back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from practica.classroom.moodle import comparable, parse, slug

people = st.text(st.characters(blacklist_characters="_/\n\0", blacklist_categories=["Cs"]), min_size=1, max_size=30)
files = st.text(st.characters(blacklist_characters="/\n\0", blacklist_categories=["Cs"]), max_size=30)


@settings(derandomize=True, deadline=None)
@given(people, st.integers(1, 10**9), files, st.sampled_from(["file", "onlinetext"]))
def test_a_name_is_read_as_it_was_made(person, participant, file, plugin):
    """Whatever a student calls a file, its folder is the prefix that Moodle put, character by character."""
    flat = parse(f"{person}_{participant}_assignsubmission_{plugin}_{file}")
    assert (flat.person, flat.participant, flat.plugin, flat.file) == (person, participant, plugin, file)
    assert flat.folder == f"{person}_{participant}_assignsubmission_{plugin}_"
    assert parse(f"{person}_{participant}_assignsubmission_{plugin}").participant == participant


def test_a_file_cannot_pass_for_another_students():
    """The first number is Moodle's."""
    assert parse("Eva_14_assignsubmission_file_Ana_12_assignsubmission_file_x.py").participant == 14


@pytest.mark.parametrize("name", ["solucion.py", "Ana_12", "Ana_x_assignsubmission_file", "assignsubmission_file"])
def test_other_names_are_not_moodles(name):
    """They are folders and files like any."""
    assert parse(name) is None


@settings(derandomize=True, deadline=None)
@given(st.text(max_size=200))
def test_a_slug_is_a_name_for_a_file_on_any_system(name):
    """ASCII letters in lower case, digits and hyphens, and not long."""
    made = slug(name)
    assert set(made) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert len(made) <= 60
    assert not made.startswith("-")


@pytest.mark.parametrize(
    ("one", "other"),
    [("Núñez_Pérez, ANA", "nunez perez  ana"), ("O'Hara", "O’HARA"), ("Jose\N{COMBINING ACUTE ACCENT}", "José")],
)
def test_ways_of_writing_a_name_are_one(one, other):
    """Accents, case, signs and how letters are composed do not matter."""
    assert comparable(one) == comparable(other)
