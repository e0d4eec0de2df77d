"""Each answer has the form that its method promises, or the process is lost as malformed."""

import numpy as np
import pytest

from practica.grading.inside.plain_data import Answer, Failure, Opaque
from practica.grading.sandbox.answers import fits

SEEN = {"raised": False, "entries": 2, "steps": [[1, 2, 3]]}
RIGHT = {
    "load": [[1, True], [4, False]],
    "advance": ["accuracy"],
    "renew": [],
    "predict": np.zeros(2),
    "describe": {"layers": []},
    "observe": SEEN,
    "refused": [["sorted", 3], ["sorted", None]],
    "signature": [["outputs", "POSITIONAL_OR_KEYWORD", False, None]],
    "call": Opaque("object"),
}
WRONG = [
    *(("load", value) for value in (None, [1], [[True, True]], [[1, 1]], [[-1, True]])),
    *(("load", value) for value in ([[1 << 53, True]], [[1.0, True]], [[1, True, 1]])),
    *(("advance", value) for value in ("accuracy", [b"accuracy"], [None])),
    *(("predict", value) for value in ([0.0], Opaque("object"))),
    *((method, np.zeros((2, 2))) for method in ("load", "advance", "describe", "observe")),
    ("describe", []),
    *(("observe", value) for value in (None, {}, {**SEEN, "raised": 0}, {**SEEN, "entries": -1})),
    *(("observe", {**SEEN, "steps": steps}) for steps in (None, [[1, 2]], [[1, 2, 3]] * 20_001)),
    *(("refused", value) for value in ([["sorted"]], [[3, 3]], [["sorted", 3.0]])),
    ("signature", [["outputs", "KEYWORD", 0, None]]),
]


@pytest.mark.parametrize("method", RIGHT)
def test_an_answer_of_the_form_is_taken_and_so_is_a_failure(method):
    """A failure needs no value."""
    assert fits(method, Answer(value=RIGHT[method]))
    assert fits(method, Answer(error=Failure("ValueError", "no", 1)))
    assert not fits(method, RIGHT[method])


@pytest.mark.parametrize(("method", "value"), WRONG)
def test_an_answer_of_another_form_is_refused(method, value):
    """Also numbers that count nothing, and a list that is too long."""
    assert not fits(method, Answer(value=value))
