"""The fixed examples of the checks, and the file in which they travel."""

import json
import subprocess
import sys
from pathlib import Path

import hypothesis
import pytest

from practica.grading.engine.fixed_examples import as_json, examples_file, fixed_examples
from practica.grading.engine.framework import load_checks

SCRIPT = Path(__file__).parents[3] / "scripts" / "draw_examples.py"
WITH_EXAMPLES = {id: check for id, check in load_checks().items() if check.strategies}
PUT_OFF = """
import sys
from practica.grading.engine.framework import load_checks
checks = load_checks()
assert "hypothesis" not in sys.modules
from practica.grading.engine.drawing import searching
for check in checks.values():
    if check.strategies:
        seen = []
        searching(check, lambda **drawn: seen.append(drawn), 2)()
        assert seen[0].keys() == check.strategies.keys()
        print(check.id)
"""

DRAWN_TWICE = """
import sys
from practica.grading.engine.framework import load_checks
from practica.grading.engine.drawing import searching
check, drawn = load_checks()["hold_out.three.random"], []
for _ in range(2):
    seen = []
    searching(check, lambda **example: seen.append(repr(example)), 40, 7)()
    drawn.append(seen)
    sys.path.insert(0, sys.argv[1])
    import numbers_of_somebody
assert len(drawn[0]) == 40 and drawn[0] == drawn[1], drawn
"""


def test_every_check_with_examples_has_them():
    """As many as it asks for, or all that its strategies can draw, each for all its parameters."""
    assert (
        json.loads(examples_file().read_text(encoding="utf-8"))["examples"].keys()
        == WITH_EXAMPLES.keys()
    )
    for id, check in WITH_EXAMPLES.items():
        cases = fixed_examples(id)
        assert 0 < len(cases) <= check.examples
        assert all(case.keys() == check.strategies.keys() for case in cases)


@pytest.mark.slow
def test_they_are_what_the_strategies_draw():
    """Another release of Hypothesis would draw others, which would be as good."""
    version = json.loads(examples_file().read_text(encoding="utf-8"))["hypothesis"]
    if version != hypothesis.__version__:
        pytest.skip(
            f"they were drawn with Hypothesis {version}, and this is {hypothesis.__version__}"
        )
    process = subprocess.run([sys.executable, SCRIPT, "--print"], capture_output=True, check=True)
    assert process.stdout.decode() == examples_file().read_text(encoding="utf-8")


@pytest.mark.slow
def test_hypothesis_is_imported_when_an_example_is_drawn():
    """The checks load without it.

    What they had written of strategies by then is made afterwards.
    """
    process = subprocess.run(
        [sys.executable, "-c", PUT_OFF], capture_output=True, text=True, check=True
    )
    assert sorted(process.stdout.split()) == sorted(WITH_EXAMPLES)


def test_what_a_seed_draws_does_not_depend_on_the_code_around_it(tmp_path):
    """Hypothesis would try the numbers that it finds there, and each worker would have examples of
    its own.
    """
    (tmp_path / "numbers_of_somebody.py").write_text(f"NUMBERS = {[*range(100, 500)]}\n")
    program = [sys.executable, "-c", DRAWN_TWICE, tmp_path]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_what_json_cannot_hold_is_refused():
    """It would come back as something else."""
    with pytest.raises(TypeError, match="is no plain data"):
        as_json([print])
