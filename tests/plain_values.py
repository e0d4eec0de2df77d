"""Plain data to draw: all that a check may send to a function or get from it."""

from functools import partial

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from practica.grading.inside import wire

ATOMS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-(1 << 300), 1 << 300),
    st.floats(),
    st.complex_numbers(),
    st.text(max_size=6),
)
NUMERIC = st.one_of(
    npst.boolean_dtypes(),
    npst.integer_dtypes(endianness="<"),
    npst.unsigned_integer_dtypes(endianness="<"),
    npst.floating_dtypes(endianness="<", sizes=(16, 32, 64)),
    npst.complex_number_dtypes(endianness="<", sizes=(64, 128)),
)
SHAPES = npst.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)
NUMERIC_ARRAYS = npst.arrays(NUMERIC, SHAPES)


@st.composite
def object_arrays(draw, items):
    """Draw an object array of plain data."""
    shape = draw(SHAPES)
    array = np.empty(shape, dtype=object)
    for index in np.ndindex(shape):
        array[index] = draw(items)
    return array


@st.composite
def text_arrays(draw, texts):
    """Draw an array of texts."""
    array = np.array(
        draw(st.lists(texts.filter(lambda text: not text.endswith("\0")), max_size=4)), str
    )
    return array.reshape(draw(st.sampled_from([(-1,), (array.size, 1), (1, array.size)])))


def plain_values(atoms=ATOMS, texts=None):
    """Draw plain data with these atoms in it."""
    keys = st.recursive(
        atoms,
        lambda keys: st.one_of(
            st.lists(keys, max_size=3).map(tuple), st.frozensets(keys, max_size=3)
        ),
        max_leaves=4,
    )
    texts = st.text(max_size=6) if texts is None else texts
    return st.recursive(
        st.one_of(keys, NUMERIC_ARRAYS, text_arrays(texts), st.sets(keys, max_size=4)),
        lambda items: st.one_of(
            st.lists(items, max_size=4),
            st.lists(items, max_size=4).map(tuple),
            st.dictionaries(texts, items, max_size=4),
            st.dictionaries(keys, items, max_size=4),
            object_arrays(items),
        ),
        max_leaves=12,
    )


def same(one, other):
    """Compare two pieces of plain data to the last bit: types, signs of zero, NaN."""
    if type(one) is not type(other):
        return False
    if type(one) is np.ndarray:
        if one.dtype.kind == "U":
            return (
                other.dtype.kind == "U"
                and one.shape == other.shape
                and one.tolist() == other.tolist()
            )
        if one.dtype != other.dtype or one.shape != other.shape:
            return False
        return same(one.ravel().tolist(), other.ravel().tolist())
    if type(one) in (list, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if type(one) is dict:
        return same([*one.items()], [*other.items()])
    if type(one) in (set, frozenset):
        return len(one) == len(other) and all(any(map(partial(same, each), other)) for each in one)
    if type(one) is float:
        return one.hex() == other.hex()
    if type(one) is complex:
        return same([one.real, one.imag], [other.real, other.imag])
    if type(one) in wire._FIELDS:
        return all(
            same(getattr(one, name), getattr(other, name)) for name in wire._FIELDS[type(one)]
        )
    return one == other
