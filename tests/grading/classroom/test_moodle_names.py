"""The names that Moodle gives, read back."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from practica.grading.classroom.moodle_names import cleaned, comparable, folder_for, parse, slug

people = st.text(
    st.characters(blacklist_characters="_/\n\0", blacklist_categories=["Cs"]),
    min_size=1,
    max_size=30,
)
files = st.text(
    st.characters(blacklist_characters="/\n\0", blacklist_categories=["Cs"]), max_size=30
)


@settings(derandomize=True, deadline=None)
@given(people, st.integers(1, 10**9), files, st.sampled_from(["file", "onlinetext"]))
def test_a_name_is_read_as_it_was_made(person, participant, file, plugin):
    """Whatever a student calls a file, its folder is the prefix that Moodle put, character by
    character.
    """
    flat = parse(f"{person}_{participant}_assignsubmission_{plugin}_{file}")
    assert (flat.owner, flat.number, flat.plugin, flat.file) == (person, participant, plugin, file)
    assert flat.folder == f"{person}_{participant}_assignsubmission_{plugin}_"
    assert parse(f"{person}_{participant}_assignsubmission_{plugin}").number == participant


def test_those_who_are_in_no_group_have_no_number():
    """Since Moodle 4.1, whatever the group is called in its language."""
    read = parse("Grupo predeterminado_assignsubmission_file_solucion.py")
    assert (read.owner, read.number, read.file) == ("Grupo predeterminado", None, "solucion.py")


@given(people.filter(cleaned), st.integers(1, 10**9))
def test_what_goes_back_is_found_by_its_number(name, participant):
    """By the rule of Moodle's importer: the number is the second of the parts that underscores
    make.
    """
    owner, number, subtype, plugin, rest = folder_for(name, participant).split("_", 4)
    assert (number, subtype, plugin, rest) == (str(participant), "assignsubmission", "file", "")
    assert owner == "".join(letter for letter in cleaned(name) if letter.isprintable())


def test_a_long_name_leaves_room_in_a_path_of_moodles():
    """A group's may have 254 characters, and a path in Moodle 255.

    What nobody sees is not in it.
    """
    assert folder_for("Luis\u202eoiL", 5) == "LuisoiL_5_assignsubmission_file_"
    assert len(folder_for("ñ" * 254, 10**18)) + len("/practica-nnn.html") < 255


def test_a_file_cannot_pass_for_another_students():
    """The first number is Moodle's, and those who are in no group have none."""
    assert parse("Eva_14_assignsubmission_file_Ana_12_assignsubmission_file_x.py").number == 14
    assert (
        parse("Default group_assignsubmission_file_Ana_12_assignsubmission_file_x.py").number
        is None
    )


@pytest.mark.parametrize(
    "name", ["solucion.py", "Ana_12", "Ana_x_assignsubmission_file", "assignsubmission_file"]
)
def test_other_names_are_not_moodles(name):
    """They are folders and files like any."""
    assert parse(name) is None


@given(st.text(max_size=200))
def test_a_slug_is_a_name_for_a_file_on_any_system(name):
    """Letters, digits and hyphens, in lower case, and not long."""
    made = slug(name)
    assert all(unicodedata.category(letter)[0] in "LNM" or letter == "-" for letter in made)
    assert made == made.lower() == unicodedata.normalize("NFC", made)
    assert len(made.encode()) <= 120
    assert not made.startswith("-")


@pytest.mark.parametrize("name", ["Łukasz", "Анна", "Øystein", "小龍", "Þór", "ßa"])
def test_a_slug_drops_no_first_letter(name):
    """Whatever the alphabet; a letter with an accent loses the accent."""
    assert len(slug(name)) >= len(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Núñez_Pérez, ANA", "nunez perez  ana"),
        ("O'Hara", "O’HARA"),
        ("Jose\N{COMBINING ACUTE ACCENT}", "José"),
        ("𝔄ná", "ana"),
    ],
)
def test_ways_of_writing_a_name_are_one(one, other):
    """Accents, case, signs and how letters are composed do not matter."""
    assert comparable(one) == comparable(other)
