"""Signs of mistakes that any function can have: a forgotten return, a changed argument, an error
with a known message.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial

from practica.grading.engine.known_mistakes import Seen, sign
from practica.grading.engine.rendering import equal


@sign("any.prints")
def prints(seen: Seen) -> bool | None:
    """Return whether a call returns None, wrongly, and prints something; None if the call cannot
    tell.
    """
    if seen.answer.error is not None:
        return None
    if seen.answer.value is not None:
        return False
    return (seen.none_is_wrong and bool(seen.answer.printed)) or None


@sign("any.no_return", unless=["any.prints"])
def returns_nothing(seen: Seen) -> bool | None:
    """Return True if a call returns None where another result is right, else None."""
    return seen.none_is_wrong or None


@sign("any.modifies")
def modifies(seen: Seen) -> dict[str, int] | bool | None:
    """Return, as facts, the position of an argument that the function has changed although right
    code does not. Return False if the result is wrong, and None if no such change is known.
    """
    if seen.right is None or seen.answer.args is None or not equal(seen.right.args, seen.given):
        return None
    if not seen.agrees:
        return False
    in_place = (
        seen.answer.same_object if seen.answer.same_object == seen.right.same_object else None
    )
    pairs = enumerate(zip(seen.given, seen.answer.args, strict=False))
    changed = (position for position, pair in pairs if position != in_place and not equal(*pair))
    return next(({"position": position + 1} for position in changed), None)


# of each mistake the type of the error, and what its message says
ERRORS: Mapping[str, tuple[str, str]] = {
    "any.recursion": ("RecursionError", ""),
    "any.unassigned": ("UnboundLocalError", r"variable '(?P<name>\w+)'"),
    "any.undefined": ("NameError", r"name '(?P<name>\w+)' is not defined"),
    "any.truth_of_array": (
        "ValueError|RuntimeError",
        "truth value of an? .* ambiguous|Boolean value of Tensor with more",
    ),
    "any.arguments": (
        "TypeError",
        r"(?P<name>\w+)\(\) (takes \d|takes from|got an unexpected|got multiple|missing \d)",
    ),
    "any.not_callable": ("TypeError", r"'(?P<type>[\w.]+)' object is not callable"),
    "any.none": ("TypeError|AttributeError", "NoneType"),
    "any.attribute": (
        "AttributeError",
        r"'?(?P<type>[\w.]+)'? object has no attribute '(?P<name>\w+)'",
    ),
    "any.float": (
        "TypeError|IndexError",
        (
            "integers or slices, not float|used as indices must be of integer|slice indices must"
            " be integers|float(64)?' object cannot be interpreted as an integer|valid indices"
        ),
    ),
    "any.list_for_array": (
        "TypeError",
        "(list|tuple) indices must be integers or slices, not|only integer scalar arrays",
    ),
    "any.beyond_the_end": ("IndexError", "out of (range|bounds)"),
    "any.dimensions": ("IndexError", "too many indices"),
    "any.tuple": ("TypeError", "(unsupported operand|not supported between) .*'tuple'"),
    "any.input": ("EOFError|OSError", "reading (a line|from stdin)"),
    "any.mask": ("IndexError", r"boolean index did not match .*(axis|dimension) (?P<axis>\d)"),
    "any.shapes": (
        "ValueError|IndexError|RuntimeError",
        (
            "could not be broadcast|cannot broadcast|shape mismatch|shapes .* not aligned|mismatch"
            " in its core dimension|shapes cannot be multiplied|size of tensor|input size|must"
            " match|cannot reshape|inhomogeneous shape|input array dimensions"
        ),
    ),
    "any.division": ("ZeroDivisionError", ""),
    "any.double": ("RuntimeError", "Double.*Float|Float.*Double"),
    "any.gradient": ("RuntimeError", "requires grad"),
    "any.no_module": ("TypeError", r"(?P<type>[\w.]+) is not a Module subclass"),
}


def _ends_in(type: str, words: str, seen: Seen) -> dict[str, str] | None:
    """Return the error of a call, with the names in its message, if its type and its message match
    these patterns and right code has no error there; else None.
    """
    error = seen.answer.error
    is_undue = seen.undue or (seen.right is not None and seen.right.error is None)
    # what it gets may be the cause, unless it has the form of the file's own answers
    in_place = any(
        double != {"through": True} and "like" not in double for double in seen.doubles.values()
    )
    if error is None or in_place or not is_undue or not re.fullmatch(type, error.type):
        return None
    found = re.search(words, error.message)
    return None if found is None else {"error": error.type, **found.groupdict()}


def _register(id: str, of: Callable[[Seen], dict[str, str] | None]) -> None:
    sign(id, enough=1, last=True)(of)


for _id, _error in ERRORS.items():
    _register(_id, partial(_ends_in, *_error))
