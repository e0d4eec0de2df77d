"""Examples side by side: what all of them ask is asked in one exchange.

An exchange with a process costs as much as most of the computations in it. A check is a straight
line, and stays one: it runs until it asks something, and once more from its beginning, with the
answers so far, when there is one more.

Nothing is concluded here but that examples pass. What does not pass runs again by itself, in its
turn, so that a file that keeps something between two calls is judged as if there were no company.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from practica.grading.engine.solution import Request, Solution

# of one body, which runs again from its beginning for each: one that asks more runs by itself
MOST_REQUESTS = 4

# takes a solution, and returns whether it passes
Body = TypeVar("Body", bound=Callable[[Solution], bool])


class _Asked(BaseException):
    """Ends a body at a request that has no answer yet.

    It is no `Exception`, which a check would take for the student's.
    """

    def __init__(self, request: Request) -> None:
        super().__init__()
        self.request = request


class _Answered(Solution):
    """A solution that has answered some requests: in the order in which they are made."""

    def __init__(self, names: list[str]) -> None:
        super().__init__()
        self._known = names
        self.answers: list[tuple[Request, Any]] = []
        self.turn = 0

    def names(self) -> list[str]:
        return self._known

    def ask(self, method: str, *args: Any, **kwargs: Any) -> Any:
        if self.turn == len(self.answers):
            raise _Asked((method, args, kwargs))
        (_, _, sent), answer = self.answers[self.turn]
        self.turn += 1
        # `RightResults` of helpers were asked while the request was answered, not now
        if "asked" in kwargs:
            kwargs["asked"].used = sent["asked"].used
        return answer


def not_passing(bodies: Sequence[Body], solution: Solution) -> list[Body]:
    """Return the bodies that are not known to pass."""
    names = solution.names()
    found: list[Body] = []
    running = [(body, _Answered(names)) for body in bodies]
    while running:
        asking: list[tuple[Body, _Answered, Request]] = []
        for body, answered in running:
            answered.turn = 0
            try:
                if not body(answered):
                    found.append(body)
            except _Asked as asked:
                if len(answered.answers) < MOST_REQUESTS:
                    asking.append((body, answered, asked.request))
                else:
                    found.append(body)
            except Exception:
                found.append(body)
        running = [(body, answered) for body, answered, _ in asking]
        requests = [request for _, _, request in asking]
        answers = solution.quick_answers(requests) if requests else []
        if not answers:
            break
        for (_, answered, request), answer in zip(asking, answers, strict=False):
            answered.answers.append((request, answer))
    return [*found, *(body for body, _ in running)]
