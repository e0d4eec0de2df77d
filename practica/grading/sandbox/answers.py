"""Forms of the answers that a process may give to each request."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

import msgspec
import numpy as np

from practica.grading.inside.plain_data import Answer, RecordedCall, Transcript

Count = Annotated[int, msgspec.Meta(ge=0, lt=1 << 53)]  # a line, a number of calls, ...


class Observed(TypedDict):
    """The record of a watched call: whether it raised, and which lines ran."""

    raised: bool
    entries: Count
    # from one line of the file to another
    steps: Annotated[list[tuple[Count, Count, Count]], msgspec.Meta(max_length=20_000)]


FORMS: dict[str, Any] = {
    "load": list[tuple[Count, bool]],
    "advance": list[str],
    "renew": list[str],
    "predict": np.ndarray,
    "describe": dict,
    "observe": Observed,
    "refused": list[tuple[str, int | None]],
    "opened": list[tuple[str, int | None]],
    "signature": list[tuple[str, str, bool, Any]],
}


def fits(method: str, answer: object) -> bool:
    """Return whether the answer to a request has the type that the request's `method` promises, and
    whether its value has too, unless it is an error.

    "question" stands for what a stand-in for a helper asks before the answer to a "scripted" call:
    the number of the stand-in, and the recorded call.
    """
    if method == "scripted":
        return type(answer) is Transcript
    if method == "question":
        return type(answer) is tuple and [*map(type, answer)] == [int, RecordedCall]
    if type(answer) is not Answer or answer.error is not None:
        return type(answer) is Answer
    try:
        msgspec.convert(answer.value, FORMS.get(method, Any))
    except (msgspec.ValidationError, AttributeError, UnicodeError):  # an array has no keys
        return False
    return True
