"""The name of a function of the assignment, given to something else below its definition.

Each statement is run, so that Python says what the name stands for afterwards.
"""

import types

import pytest
from graded import rubric_for
from moodle_files import notebook

from practica.grading.engine.grade import grade_submission
from practica.grading.engine.rubric import load_rubric
from practica.grading.engine.rules import inspect_source
from practica.grading.engine.solution import LocalSolution
from practica.grading.report.words import flags_of, said
from practica.notebook import convert

RUBRIC = load_rubric()
DEFINITION = "def accuracy(outputs, targets, *, threshold=0.5):\n    return 1.0\n"
AGAIN = [
    "accuracy = accuracy(1, 2)",
    "accuracy, rest = accuracy(1, 2), 3",
    "first, (*accuracy, last) = 1, (2, 3, 4)",
    "accuracy: float = 1.0",
    "rest = accuracy = 1",
    "for accuracy in [0.5]:\n    pass",
    "for i, accuracy in enumerate([0.5]):\n    print(accuracy)",
    "while (accuracy := 0):\n    pass",
    "[accuracy := i for i in range(3)]",
    "with open(__file__) as accuracy:\n    pass",
    "try:\n    1 / 0\nexcept ZeroDivisionError as accuracy:\n    pass",
    "try:\n    accuracy = 1\nfinally:\n    pass",
    "if DEFINITION:\n    accuracy = 1",
    "match [0.5, 1]:\n    case [accuracy, _]:\n        pass",
    "match {'a': 1}:\n    case {'b': 1, **accuracy} | {**accuracy}:\n        pass",
    "match [1, 2]:\n    case [_, *accuracy]:\n        pass",
    "import math as accuracy",
    "from statistics import mean as accuracy",
    "class accuracy:\n    pass",
    "del accuracy",
    "def report():\n    global accuracy\n    accuracy = 0.5\nreport()",
    "accuracy = [accuracy(1, 2)]\naccuracy = accuracy[0]",
]
HARMLESS = [
    "accuracies = [accuracy(1, 2)]",
    "print([accuracy for accuracy in range(3)])",
    "accuracy = lambda outputs, targets, *, threshold=0.5: 1.0",
    "def better(outputs, targets, *, threshold=0.5):\n    return 1.0\naccuracy = better",
    "def keep(function):\n    return function\naccuracy = keep(accuracy)",
    "accuracy = 1\ndef accuracy(outputs, targets, *, threshold=0.5):\n    return 1.0",
    "def report(accuracy):\n    accuracy = 2 * accuracy",
    "def report():\n    global accuracy\n    accuracy = 0.5",
    "class Report:\n    accuracy = 0.5",
    "accuracy: float",
    "accuracy.calls = 0",
    "if __name__ == '__main__':\n    accuracy = accuracy(1, 2)",
    "print(lambda accuracy: accuracy)",
    "table = {'accuracy': accuracy(1, 2)}",
]


def run(code):
    """Run a file, and return its names."""
    names = {"__name__": "entrega", "__file__": __file__, "DEFINITION": DEFINITION}
    exec(code, names)
    return names


def is_own(names):
    """Return whether `accuracy` is a function of the file."""
    value = names.get("accuracy")
    return isinstance(value, types.FunctionType) and value.__globals__ is names


@pytest.mark.parametrize("statement", [*AGAIN, *HARMLESS])
def test_a_file_says_which_line_takes_the_name_of_a_function(statement):
    """Where Python keeps the function, nothing is said."""
    code = f"{DEFINITION}{statement}\n"
    rules = inspect_source(code.encode(), RUBRIC).functions["accuracy"].rules
    told = [rule.line for rule in rules if rule.id == "source.rebound"]
    assert bool(told) != is_own(run(code))
    assert all("accuracy" in code.splitlines()[line - 1] for line in told)


@pytest.mark.parametrize("statement", [*AGAIN, *HARMLESS])
def test_in_a_notebook_the_definition_counts(statement):
    """The experiments below it call their results as they like."""
    user = "def confusion_matrix(outputs, targets): return accuracy(outputs, targets)"
    made = convert(notebook(DEFINITION, user, statement), RUBRIC.functions)
    names = run(made.source.decode())
    assert is_own(names)
    assert names["confusion_matrix"](1, 2) == 1.0


def test_what_definitions_need_of_such_a_statement_is_kept():
    """A result with two names, of which a function reads the other one."""
    using = "def hold_out(N, P): return LIMIT, mean"
    cells = DEFINITION, "accuracy, LIMIT = 0.5, 3", "from statistics import mean, mode", using
    names = run(convert(notebook(*cells), RUBRIC.functions).source.decode())
    assert names["hold_out"](1, 2)[0] == 3


@pytest.mark.parametrize(
    ("statement", "verdict"),
    [("accuracy = accuracy(0, 1)", "rule"), ("class accuracy:\n    pass", "fail")],
)
def test_a_person_and_the_student_read_of_the_line(statement, verdict):
    """And of nothing that is missing, nor of a header."""
    code = f"{DEFINITION}{statement}\n"
    rubric = rubric_for({"accuracy"})
    marked = grade_submission(
        code.encode(),
        LocalSolution(run(code)),
        rubric,
        identifier="ana",
        file="ana.py",
        only=["accuracy"],
    )
    (flag,) = flags_of(marked, "en")
    assert (flag.name, flag.line) == ("source.rebound", 3)
    (function,) = said(marked, "en").functions
    assert (function.verdict, function.points) == (verdict, 0.0)
    assert [rule.id for rule in function.rules] == ["source.rebound"]
    assert all(check.message != "any.missing" for check in function.checks)
