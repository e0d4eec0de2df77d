"""Signs of every function: what it forgets to return, and what it changes."""

from __future__ import annotations

from practica.engine.known_mistakes import Seen, sign
from practica.engine.rendering import equal


@sign("any.prints")
def prints_its_result(seen: Seen) -> bool | None:
    """Return whether it returns None and prints something; if it ever returns a value, that is not what it prints."""
    if seen.answer.error is not None:
        return None
    return seen.answer.value is None and (bool(seen.answer.printed) or None)


@sign("any.no_return", unless=["any.prints"])
def returns_nothing(seen: Seen) -> bool | None:
    """Return whether it returns None; on another way through it there may be a result."""
    return (seen.answer.error is None and seen.answer.value is None) or None


@sign("any.modifies")
def right_but_for_what_it_changes(seen: Seen) -> dict[str, int] | bool | None:
    """Return whether the result is right, and an argument has changed that is not to be the result."""
    if seen.right is None or seen.answer.args is None or not equal(seen.right.args, _given(seen)):
        return None
    if not seen.agrees:
        return False
    in_place = seen.answer.same_object if seen.answer.same_object == seen.right.same_object else None
    pairs = enumerate(zip(_given(seen), seen.answer.args, strict=False))
    changed = (position for position, pair in pairs if position != in_place and not equal(*pair))
    return next(({"position": position + 1} for position in changed), None)


def _given(seen: Seen) -> list[object]:
    return [*seen.args, *seen.kwargs.values()]
