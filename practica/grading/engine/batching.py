"""Examples side by side: what all of them wait for is requested in one exchange.

An exchange with a process costs as much as most of the computations in it. A check is a straight
line, and stays one: each example runs in a coroutine of its own until it makes a request, and goes
on with the answer.

Nothing is concluded here but that examples pass. What does not pass runs again by itself, in its
turn, so that a file that keeps something between two calls is judged as if there were no company.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from greenlet import getcurrent, greenlet

from practica.grading.engine.solution import Request, Solution

Body: TypeAlias = "Callable[[Solution], object]"


def failing(
    groups: Sequence[Sequence[Body]], solution: Solution, until: float = math.inf
) -> list[int | None]:
    """Run bodies side by side, as far as the answers of a solution are quick.

    `groups`: each body calls the solution that it is given, and fails by any exception. Then the
        rest of its group does not count.
    `until`: once a body has failed, a solution that has used this much of its time gets no more
        requests.
    Returned `positions`: of a body of each group that is not known to pass; None where all of them
        do.
    """
    names = solution.names()
    found: list[int | None] = [None] * len(groups)
    runs = [
        _Routine(body, names, group, position)
        for group, bodies in enumerate(groups)
        for position, body in enumerate(bodies)
    ]
    waiting = runs
    try:
        while waiting:
            for run in waiting:
                if found[run.group] is None and not run.asked and not run.goes_on():
                    found[run.group] = run.position
            waiting = [run for run in waiting if run.asked and found[run.group] is None]
            requests = [request for run in waiting for request in run.asked]
            answers = iter(solution.quick_answers(requests) if requests else [])
            if not sum(run.takes(answers) for run in waiting):
                break
            if solution.time_used > until and found != [None] * len(groups):
                break
    finally:
        for run in runs:
            run.end()
    for run in waiting:
        found[run.group] = run.position
    return found


class _Routine:
    """One body, in a coroutine."""

    def __init__(self, body: Body, names: list[str], group: int, position: int) -> None:
        self.group, self.position = group, position
        self.asked: list[Request] = []  # and not answered yet
        self._answers: list[Any] = []
        self._body, self._asking = body, _Asking(names)
        self._coroutine = greenlet(self._passes)

    def goes_on(self) -> bool:
        """Run until the next questions, or to the end; False if it fails."""
        answers, self._answers = self._answers, []
        reached = self._coroutine.switch(answers)
        if not self._coroutine.dead:
            self.asked = reached
        return bool(reached)

    def takes(self, answers: Iterator[Any]) -> int:
        """Hand the next answers to the body, and return how many it took."""
        taken = [answer for _, answer in zip(self.asked, answers, strict=False)]
        self._answers += taken
        del self.asked[: len(taken)]
        return len(taken)

    def end(self) -> None:
        """End a body that still waits: its coroutine would not be collected as garbage."""
        if self._coroutine:
            self._coroutine.throw()

    def _passes(self, _: Any) -> bool:
        try:
            self._body(self._asking)
        except Exception:
            return False
        return True


class _Asking(Solution):
    """The solution as one of many bodies sees it: the runner of all makes its requests."""

    def __init__(self, names: list[str]) -> None:
        super().__init__()
        self._known = names

    def names(self) -> list[str]:
        """List the names of the file that can be called."""
        return self._known

    def ask(self, method: str, *args: Any, **kwargs: Any) -> Any:
        """Wait for the answer to one request."""
        return self.quick_answers([(method, args, kwargs)])[0]

    def quick_answers(self, requests: Sequence[Request]) -> list[Any]:
        """Wait for the answers to all of the requests."""
        return getcurrent().parent.switch(list(requests)) if requests else []
