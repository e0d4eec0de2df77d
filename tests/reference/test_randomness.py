"""The one convention for chance."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import SEEDS, global_seed

from practica.reference.randomness import SeedTree, as_generator


def draws(generator: np.random.Generator) -> list[int]:
    """Draw a few large numbers."""
    return generator.integers(0, 2**62, size=4).tolist()


@given(seed=SEEDS)
def test_an_integer_always_gives_the_same_numbers(seed):
    """Python's and numpy's integers alike; another integer gives others."""
    assert draws(as_generator(seed)) == draws(as_generator(np.uint32(seed)))
    assert draws(as_generator(seed)) != draws(as_generator(seed + 1))


def test_a_generator_continues_where_it_was():
    """It is used, not copied."""
    generator = np.random.default_rng(1)
    assert as_generator(generator) is generator


@given(seed=SEEDS)
def test_none_follows_the_global_generator(seed):
    """Seeded once, all that follows is repeated, and what follows is never the same twice."""
    with global_seed(seed):
        first, second = draws(as_generator(None)), draws(as_generator(None))
    with global_seed(seed):
        assert [draws(as_generator(None)), draws(as_generator(None))] == [first, second]
    assert first != second


def test_a_legacy_generator_is_accepted():
    """What older programs hold: it moves on with each use."""
    old, same = np.random.RandomState(1), np.random.RandomState(1)
    first, second = draws(as_generator(old)), draws(as_generator(old))
    assert [draws(as_generator(same)), draws(as_generator(same))] == [first, second]
    assert first != second


@pytest.mark.parametrize("value", [True, 1.0, "1", [1]])
def test_other_things_are_no_random_state(value):
    """The sentence says what is."""
    with pytest.raises(
        TypeError,
        match=r"random_state=.* is a \w+; it must be None, an integer or a numpy generator",
    ):
        as_generator(value)


def test_a_negative_seed_is_refused():
    """With its value."""
    with pytest.raises(ValueError, match="random_state=-1"):
        as_generator(-1)


@given(
    seed=SEEDS,
    positions=st.lists(st.tuples(st.integers(1, 99), st.integers(0, 99)), min_size=2, unique=True),
)
def test_each_network_has_a_seed_of_its_own(seed, positions):
    """It depends on fold and execution only: not on the order of asking, nor on who else asks."""
    tree = SeedTree(seed)
    drawn = {position: draws(tree.generator(*position)) for position in positions}
    assert len(set(map(tuple, drawn.values()))) == len(positions)
    again = SeedTree(seed)
    for position in reversed(positions):
        assert draws(again.generator(*position)) == drawn[position]


def test_two_trees_of_one_generator_differ():
    """Two cross-validations in a row do not train the same networks."""
    generator = np.random.default_rng(1)
    first, second = SeedTree(generator), SeedTree(generator)
    assert draws(first.generator(1, 0)) != draws(second.generator(1, 0))
