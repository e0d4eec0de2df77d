"""Forms of the answers that a process may give to each request."""

from __future__ import annotations

import types

import numpy as np

from practica.grading.inside.plain_data import Answer, Transcript


def fits(method: str, answer: object) -> bool:
    """Return whether an answer, and its value unless there is an error, has the type that the
    method promises.
    """
    if method == "scripted":
        return type(answer) is Transcript
    if type(answer) is not Answer or answer.error is not None:
        return type(answer) is Answer
    value = answer.value
    match method:
        case "load":
            return _are(value, int, bool)
        case "advance" | "renew":
            return type(value) is list and all(type(name) is str for name in value)
        case "predict":
            return type(value) is np.ndarray
        case "describe":
            return type(value) is dict
        case "observe":
            if type(value) is not dict or type(value.get("raised")) is not bool:
                return False
            steps, entries = value.get("steps"), value.get("entries")
            return (
                _are([[entries]], int)
                and _are(steps, int, int, int)
                and len(value["steps"]) <= 20_000
            )
        case "refused":
            return type(value) is list and all(
                type(row) is list and list(map(type, row)) in ([str, int], [str, types.NoneType])
                for row in value
            )
        case "signature":
            return type(value) is list and all(
                type(row) is list and list(map(type, row[:3])) == [str, str, bool] and len(row) == 4
                for row in value
            )
    return True


def _are(value: object, *kinds: type) -> bool:
    """Return whether a value is a list of rows of these types, with numbers that count
    something.
    """
    return type(value) is list and all(
        type(row) is list
        and [*map(type, row)] == [*kinds]
        and all(0 <= item < 1 << 53 for item in row if type(item) is int)
        for row in value
    )
