"""Results that come from a file, which anybody may have changed."""

import contextlib
import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from marked_class import all_right, grader_error, not_run, result, with_everything

from practica.classroom.outputs import Outputs
from practica.classroom.regrade import compare
from practica.grading.stored import read_result

WHOLE = result([all_right("ana"), with_everything("brais"), not_run("carla"), grader_error("dani")])
GONE = object()
OTHERS = [GONE, None, "x", "", -1, 10**30, 0.5, [], {}, [[]], {"variant": "x"}, True, float("nan"), "../x", "\ud800"]


def places(node, place=()):
    """List the places of everything in a result."""
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return [*([place] if place else []), *(each for key, child in children for each in places(child, (*place, key)))]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"no", "is no result of practica grade: Expecting value"),
        (b"\xff", "is no result of practica grade"),
        (b"[]", "it has no submissions"),
        (b'{"submissions": 7}', "it has no submissions"),
        (b'{"submissions": [], "schema": 1}', "has schema 1; this version reads 2: mark the submissions again"),
        (b'{"submissions": [], "schema": 2}', "data must contain"),
        (json.dumps(result([{}])).encode(), r"submissions\[0\] must contain"),
        *(
            (json.dumps(result([all_right(name)])).encode(), "an id is not fit for a file's name|a lone surrogate")
            for name in ("../ana", "..", "", "a\0", "a\ud800", "a\n", "a" * 300)
        ),
        (json.dumps(result([all_right("ana")] * 2)).encode(), "or there twice"),
    ],
)
def test_what_is_no_result_is_refused_with_a_sentence(tmp_path, content, sentence):
    """It names the file."""
    file = tmp_path / "old.json"
    file.write_bytes(content)
    with pytest.raises(ValueError, match=sentence) as refusal:
        read_result(file)
    assert str(file) in str(refusal.value)


@pytest.mark.slow
@settings(max_examples=150, deadline=None, derandomize=True)
@given(place=st.sampled_from(places(WHOLE)), other=st.sampled_from(OTHERS))
def test_a_result_that_somebody_changed_is_refused_or_told(tmp_path_factory, place, other):
    """Never a traceback, whatever is at any place."""
    folder = tmp_path_factory.mktemp("changed")
    changed = copy.deepcopy(WHOLE)
    *way, last = place
    node = changed
    for key in way:
        node = node[key]
    if other is GONE:
        del node[last]
    else:
        node[last] = other
    file = folder / "results.json"
    file.write_text(json.dumps(changed), encoding="utf-8")
    with contextlib.suppress(ValueError):
        read = read_result(file)
        Outputs(folder / "out", "es", None).write(read)
        compare(WHOLE, read, "es")
