"""What `practica.evaluation` offers: everything can be imported, is public at home, and is
documented.
"""

import importlib
import inspect
import re
import subprocess
import sys

import pytest

from practica import evaluation

NAMES = pytest.mark.parametrize("name", evaluation.__all__)
METHODS = [
    name
    for module in ("scores", "intervals", "splits", "bootstrap", "significance", "variance")
    for name in importlib.import_module(f"practica.evaluation.{module}").__all__
    if inspect.isfunction(getattr(evaluation, name, None))
]


@NAMES
def test_a_public_name_is_public_where_it_is_defined(name):
    """The table of contents offers no module's private parts."""
    thing = getattr(evaluation, name)
    home = importlib.import_module(thing.__module__)
    assert home.__name__.startswith("practica.evaluation.")
    assert name in home.__all__
    assert getattr(home, name) is thing


@NAMES
def test_a_public_name_is_documented(name):
    """In a docstring of its own."""
    assert inspect.getdoc(getattr(evaluation, name))


@pytest.mark.parametrize("name", METHODS)
def test_a_method_says_what_it_takes_returns_and_refuses(name):
    """Every parameter is explained, and an example shows it."""
    function = getattr(evaluation, name)
    titles = re.findall(r"^(\w+)\n-{3,}$", inspect.getdoc(function), flags=re.MULTILINE)
    assert {"Parameters", "Returns", "Raises", "Examples"} <= set(titles)
    for parameter in inspect.signature(function).parameters:
        assert re.search(
            rf"^\s*(\w+, )*{parameter}(, \w+)*( :|$)", function.__doc__, flags=re.MULTILINE
        ), parameter


@pytest.mark.slow
@pytest.mark.parametrize(
    ("use", "heavy"),
    [("", set()), ("evaluation.holm", {"scipy"}), ("evaluation.leave_one_out", set())],
)
def test_a_name_loads_what_it_needs(use, heavy):
    """In a fresh interpreter, neither the package nor a name waits for a library that it does not
    use.
    """
    program = f"import sys; from practica import evaluation; {use}\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert {"torch", "sklearn", "scipy", "pandas"} & set(done.stdout.split()) == heavy
