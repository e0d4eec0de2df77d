"""What functions of the model answer give each other is among the inputs of their own checks."""

import inspect
import sys
import types

import numpy as np
import pytest
from submissions import MODEL

from practica.grading.engine.framework import load_checks
from practica.grading.engine.rubric import load_rubric
from practica.grading.engine.runner import run_check
from practica.grading.engine.solution import LocalSolution
from practica.grading.inside.loading import load_source

FUNCTIONS = {row.function for row in load_rubric().assigned}


def kind_of(value):
    """Return what a function may tell apart in an argument: types, and axes, but no values."""
    match value:
        case np.ndarray() if value.dtype == object:
            return "array", value.ndim, kinds_in(value.ravel().tolist())
        case np.ndarray():
            return "array", value.ndim, value.dtype.type
        case list() | tuple():
            return type(value).__name__, kinds_in(value)
    return type(value).__name__


def kinds_in(items):
    """Return the kind of the items of a container; "mixed" where they have several."""
    kinds = {kind_of(item) for item in items}
    return kinds.pop() if len(kinds) == 1 else "mixed" * bool(kinds)


class Recorder:
    """What each function got for its parameters: `own`, by a check, and `given`, by another one."""

    def __init__(self, names):
        self.own, self.given = set(), set()
        self._codes = {
            function.__code__: name
            for name in FUNCTIONS
            if isinstance(function := names.get(name), types.FunctionType)
        }

    def __call__(self, frame, event, _):
        """Record a call, as `sys.setprofile` reports it."""
        if event != "call" or frame.f_code not in self._codes:
            return
        name, caller = self._codes[frame.f_code], frame.f_back
        while caller is not None and caller.f_code not in self._codes:
            caller = caller.f_back
        parameters = inspect.getargvalues(frame)
        kinds = {(name, each, kind_of(parameters.locals[each])) for each in parameters.args}
        if caller is None:
            self.own |= kinds
        elif self._codes[caller.f_code] != name:
            self.given |= kinds


@pytest.mark.thorough
def test_helpers_are_checked_with_what_they_are_given():
    """Each kind of argument: its type, that of its items, its axes."""
    module = load_source(MODEL.read_bytes(), "modelo.py")
    recorder = Recorder(vars(module))
    solution = LocalSolution(module)
    for check in load_checks().values():
        sys.setprofile(recorder)
        try:
            assert run_check(check, solution).verdict == "pass"
        finally:
            sys.setprofile(None)
    assert recorder.given
    assert recorder.given - recorder.own == set()
