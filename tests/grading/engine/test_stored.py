"""Results that come from a file, which anybody may have changed."""

import contextlib
import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from marked_class import all_right, grader_error, not_run, result, with_everything

from practica.grading.classroom.outputs import Outputs
from practica.grading.classroom.regrade import compare
from practica.grading.engine.stored import ids_in, read_result


def as_json(made):
    """Return a result as the file has it."""
    return json.loads(json.dumps(made.as_json()))


WHOLE = as_json(
    result(
        [all_right("ana"), with_everything("brais"), not_run("carla"), grader_error("dani")],
        similar=[("ana", "brais", 0.9)],
    )
)
WHOLE["class"]["incidents"].append(
    {"code": "file.renamed", "facts": {"name": "ana", "file": "a.py"}, "entry": "ana"}
)
GONE = object()
OTHERS = [
    GONE,
    None,
    "x",
    "",
    -1,
    10**30,
    1e308,
    0.5,
    [],
    {},
    [[]],
    {"variant": "x"},
    True,
    float("nan"),
    "../x",
    "\ud800",
]


def places(node, place=()):
    """List the places of everything in a result."""
    children = (
        node.items()
        if isinstance(node, dict)
        else enumerate(node)
        if isinstance(node, list)
        else ()
    )
    return [
        *([place] if place else []),
        *(each for key, child in children for each in places(child, (*place, key))),
    ]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"no", "is no result of practica grade: Expecting value"),
        (b"\xff", "is no result of practica grade"),
        (b"[]", "it has no submissions"),
        (b'{"submissions": 7}', "it has no submissions"),
        (
            b'{"submissions": [], "schema": 1}',
            "has schema 1; this version reads 2: mark the submissions again",
        ),
        (b'{"submissions": [], "schema": 2}', "missing required field `practica`"),
        (
            json.dumps({**as_json(result([])), "submissions": [{}]}).encode(),
            r"missing required field `id` - at `\$.submissions\[0\]`",
        ),
        *(
            (
                json.dumps(result([all_right(name)]).as_json()).encode(),
                "an id is not fit for a file's name|a lone surrogate",
            )
            for name in ("../ana", "..", "", "a\0", "a\ud800", "a\n", "a" * 300)
        ),
        (json.dumps(result([all_right("ana")] * 2).as_json()).encode(), "or there twice"),
    ],
)
def test_what_is_no_result_is_refused_with_a_sentence(tmp_path, content, sentence):
    """It names the file."""
    file = tmp_path / "old.json"
    file.write_bytes(content)
    with pytest.raises(ValueError, match=sentence) as refusal:
        read_result(file)
    assert str(file) in str(refusal.value)


def with_entries(change):
    """Return a result of three, whose class somebody has changed."""
    entries = copy.deepcopy(WHOLE["class"]["entries"])
    change(entries)
    return {**WHOLE, "class": {**WHOLE["class"], "entries": entries}}


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        (with_entries(lambda entries: entries.pop(0)), "differ in ana$"),
        (
            with_entries(lambda entries: entries.append({**entries[0], "number": 3})),
            "differ in ana$",
        ),
        (with_entries(lambda entries: entries[0].update(sha256="0" * 64)), "differ in ana$"),
        ({**WHOLE, "submissions": WHOLE["submissions"][1:]}, "differ in ana$"),
        (
            {
                **WHOLE,
                "submissions": [
                    {**WHOLE["submissions"][0], "points": None},
                    *WHOLE["submissions"][1:],
                ],
            },
            "the None points of ana are not the sum",
        ),
        (
            as_json(result([all_right("ana")], similar=[("ana", "ana", 1e308)])),
            r"Expected `float` <= 1.0 - at `\$.class.similar\[0\]\[2\]`",
        ),
    ],
    ids=["nobody's", "twice", "another's", "lost", "no points", "share"],
)
def test_a_result_of_which_nobody_knows_whose_a_mark_is_is_refused(tmp_path, changed, sentence):
    """Who is in the class has the file that was marked under the same id."""
    (tmp_path / "r.json").write_text(json.dumps(WHOLE))
    assert as_json(read_result(tmp_path / "r.json")) == WHOLE
    (tmp_path / "r.json").write_text(json.dumps(changed))
    with pytest.raises(ValueError, match=sentence):
        read_result(tmp_path / "r.json")


@pytest.mark.parametrize(
    "content",
    ["no", "7", "[]", "{}", '{"submissions": [7]}', '{"submissions": [{"id": "../ana"}]}'],
)
def test_what_is_no_result_has_no_ids(tmp_path, content):
    """Not even one whose file would be another's."""
    (tmp_path / "r.json").write_text(json.dumps(WHOLE))
    assert ids_in(tmp_path / "r.json") == ["ana", "brais", "carla", "dani"]
    (tmp_path / "r.json").write_text(content)
    assert ids_in(tmp_path / "r.json") == ids_in(tmp_path / "none.json") == []


@pytest.mark.thorough
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
    file, whole = folder / "results.json", folder / "whole.json"
    whole.write_text(json.dumps(WHOLE), encoding="utf-8")
    file.write_text(json.dumps(changed), encoding="utf-8")
    with contextlib.suppress(ValueError):
        read = read_result(file)
        Outputs(folder / "out", "es", None).write(read)
        compare(read_result(whole), read, "es")
