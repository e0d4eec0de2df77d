"""Plain data: what becomes of the objects that a function may return."""

import collections
import decimal
import enum
import fractions

import numpy as np
import pandas as pd
import pytest
import torch

from practica.grading.inside import wire
from practica.grading.inside.plain_data import Answer, Opaque, failure_of, to_plain

Point = collections.namedtuple("Point", "x y")
Colour = enum.IntEnum("Colour", "RED BLUE")


class Text(str):
    """A text that lies."""

    __slots__ = ()

    def __str__(self):
        return "lie"

    def __eq__(self, other):
        return True

    __hash__ = str.__hash__


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.float32(0.5), 0.5),
        (np.int64(3), 3),
        (np.bool_(True), True),
        (fractions.Fraction(3, 4), 0.75),
        (decimal.Decimal("0.75"), 0.75),
        (decimal.Decimal("sNaN"), Opaque("Decimal")),
        (fractions.Fraction(10**400), Opaque("Fraction")),
        (np.str_("a"), "a"),
        (Colour.BLUE, 2),
        (Point(1, np.int8(2)), (1, 2)),
        (range(3), [0, 1, 2]),
        (Text("truth"), "truth"),
        (collections.OrderedDict(a=[np.uint8(1)]), {"a": [1]}),
        ({np.int64(1): {2}, Point(1, 2): 0}, {1: {2}, (1, 2): 0}),
        ({np.str_("a"), frozenset({Colour.RED})}, {"a", frozenset({1})}),
        ({"a": 1}.keys(), {"a"}),
        ({"a": 1}.items(), {("a", 1)}),
        ({range(3)}, Opaque("set")),
        ({object(), object()}, Opaque("set")),
        (b"bytes", Opaque("bytes")),
        (object(), Opaque("object")),
        (np.datetime64("2020-01-01"), Opaque("datetime64")),
    ],
)
def test_objects_become_plain_data_of_exact_types(value, expected):
    """Subclasses lose what they override, and the rest is opaque."""
    plain = to_plain(value)
    assert type(plain) is type(expected)
    assert plain == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.arange(3, dtype=">i4"), np.arange(3, dtype="i4")),
        (np.ma.array([[1, 2]]), np.array([[1, 2]])),
        (np.arange(6).reshape(2, 3).T, np.array([[0, 3], [1, 4], [2, 5]])),
        (torch.ones(2, 1, requires_grad=True), np.ones((2, 1), dtype=np.float32)),
        (torch.ones(2, dtype=torch.bfloat16), np.ones(2, dtype=np.float32)),
        (pd.Series([True, False]), np.array([True, False])),
        (np.longdouble([1, 2]), np.array([1.0, 2.0])),
        (np.array(["a", "bc"]), np.array(["a", "bc"])),
    ],
)
def test_all_kinds_of_arrays_become_numpys_own(value, expected):
    """In the machine's byte order, never a view of the student's memory."""
    plain = to_plain(value)
    assert type(plain) is np.ndarray
    assert plain.dtype == expected.dtype
    np.testing.assert_array_equal(plain, expected)
    assert plain.base is None


def test_object_arrays_keep_their_elements():
    """Each element becomes plain for itself."""
    plain = to_plain(np.array([np.int64(1), "a", None, object()], dtype=object))
    assert plain.tolist() == [1, "a", None, Opaque("object")]
    assert type(plain[0]) is int


def test_an_error_has_the_names_of_all_its_classes():
    """A class of one's own that derives from ValueError is one."""

    class Bad(ValueError):
        pass

    failure = failure_of(Bad("x"), None)
    assert failure.type == "Bad"
    assert Answer(error=failure).raised[:3] == ["Bad", "ValueError", "Exception"]
    assert Answer().raised == []
    assert wire.decode(wire.encode(Answer(error=failure))).raised == Answer(error=failure).raised
