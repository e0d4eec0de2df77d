"""Users of boxes: what a sandbox kills at its end is never somebody else's."""

import pwd

import pytest
from hypothesis import given
from hypothesis import strategies as st

from practica.grading.sandbox.uids import SETTING, users_of_boxes


def chosen(setting):
    """Return the users that a setting of the environment gives."""
    users_of_boxes.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(SETTING, setting)
        try:
            return users_of_boxes()
        finally:
            users_of_boxes.cache_clear()


TAKEN = [range(1000), range(61184, 65520), *(range(a.pw_uid, a.pw_uid + 1) for a in pwd.getpwall())]


@given(st.integers(0, 70_000), st.integers(0, 5_000))
def test_a_range_that_others_have_is_refused(first, more):
    """A range is taken as it was given, or refused by name: it never holds a number of the system
    or of a service.
    """
    setting = f"{first}-{first + more}"
    users = range(first, first + more + 1)
    if any(
        range(max(users[0], others[0]), min(users[-1], others[-1]) + 1)
        for others in [*TAKEN, range(65534, 65536)]
    ):
        with pytest.raises(
            OSError, match=rf"^the users {first} to {first + more} are not free .*, {SETTING}="
        ):
            chosen(setting)
    else:
        assert chosen(setting) == users


@pytest.mark.parametrize(
    "setting", ["", "61000", "61100-61000", "a-b", "60706-61183,70000", "-5-7"]
)
def test_what_is_no_range_is_refused_with_an_example(setting):
    """The sentence names the variable, its value and a range."""
    with pytest.raises(
        OSError, match=rf"^{SETTING}='.*' is not a range of user numbers such as 60706-61183$"
    ):
        chosen(setting)


def test_services_of_systemd_are_not_among_the_users_of_boxes():
    """Without a setting the range is one that systemd leaves unused."""
    users_of_boxes.cache_clear()
    assert not set(users_of_boxes()) & set(range(61184, 65520))
