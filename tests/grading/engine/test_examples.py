"""What is drawn for the examples of a check."""

import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

from practica.grading.engine.examples import (
    _drawn,
    example_at,
    known_examples,
    secret_examples,
)
from practica.grading.engine.framework import Check, load_checks

DRAWN = {id: check for id, check in load_checks().items() if check.drawn}
ALL_DRAWN = """
import sys
from practica.grading.engine.examples import known_examples, secret_examples
from practica.grading.engine.framework import load_checks
from practica.grading.engine.rendering import code_of_arguments
for check in load_checks().values():
    for each in [*known_examples(check), *secret_examples(check, 7)]:
        print(check.id, each.seed, code_of_arguments([], each.values, short=False))
assert "hypothesis" not in sys.modules
"""


def a_check(count, **drawn):
    """Make a check without registering it."""
    return Check("a.b", "a", "a", print, drawn, count)


def written(examples):
    """Return the values of examples, each as bytes."""
    return [pickle.dumps(each.values) for each in examples]


@pytest.mark.parametrize("id", DRAWN)
def test_every_check_has_as_many_examples_as_it_asks_for(id):
    """All different, each for all its parameters; secret ones are others for another secret, where
    not everybody knows all that are possible.
    """
    check = DRAWN[id]
    examples = known_examples(check)
    assert len({*written(examples)}) == len(examples) == check.examples
    assert all(each.values.keys() == check.drawn.keys() for each in examples)
    secrets = [written(secret_examples(check, secret)) for secret in range(9)]
    assert all({*each}.isdisjoint(written(examples)) for each in secrets)
    if len(secrets[1]) == check.secrets:
        assert len({*map(tuple, secrets)}) > 1
    else:
        again = [_drawn(check, number, secret) for number in range(20) for secret in range(20)]
        assert {*written(again)} == {*written(examples), *secrets[1]}


@pytest.mark.parametrize("id", DRAWN)
def test_an_example_is_drawn_again_by_its_number(id):
    """The program that repeats it knows no more."""
    for each in known_examples(DRAWN[id]):
        again = example_at(DRAWN[id], each.number)
        assert written([again]) == written([each])
        assert again.seed == each.seed


def test_no_process_draws_other_examples():
    """Whatever the seed of its hashes is; Hypothesis is for tests."""
    outputs = set()
    for seed in "12":
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", ALL_DRAWN]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        outputs.add(done.stdout)
    assert len(outputs) == 1
    assert outputs != {""}


def test_the_first_examples_are_small_and_no_two_are_equal():
    """Where there are fewer than a check asks for, it has all of them."""
    check = a_check(20, numbers=lambda draw: np.array(draw.some(range(100), 0, 50)))
    sizes = [each.values["numbers"].size for each in known_examples(check)]
    assert max(sizes[:4]) <= 10
    assert max(sizes[-4:]) > 20
    few = a_check(20, value=lambda draw: draw.choice("abc"))
    assert sorted(each.values["value"] for each in known_examples(few)) == ["a", "b", "c"]
    assert [each.values for each in known_examples(a_check(20))] == [{}]
    assert secret_examples(a_check(20), 1) == []
