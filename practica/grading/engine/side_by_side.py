"""Examples that run side by side: the requests of all of them go to the process in one exchange.

An exchange with a process costs as much as most of the computations in it. A check is straight-line
code, and stays so: it runs until a request has no answer, and again from its beginning, with the
answers so far, once there is one more.

The only conclusion here is that examples pass. One that does not pass runs again by itself, in its
turn, so that a file that keeps something between two calls is judged as if each ran alone.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from practica.grading.engine.solution import Request, Solution

# of one body, which begins anew with each answer: one that asks more often runs by itself
MOST_RUNS = 8

# takes a solution, and returns whether it passes
Body = TypeVar("Body", bound="Callable[[Solution], bool]")


class _Asked(BaseException):
    """Ends a body at requests that have no answer yet.

    It is not an `Exception`, because a check would take that for the student's.
    """

    def __init__(self, requests: Sequence[Request]) -> None:
        super().__init__()
        self.requests = requests


class _Answered(Solution, Generic[Body]):
    """A solution that replays the answers known so far to the requests of a body, and ends the body
    at the first request without one.

    `body`: the example of a check, as a function of a solution. It runs from its beginning each
        time, but reads each answer only once.
    """

    def __init__(self, names: list[str], body: Body) -> None:
        super().__init__()
        self._known = names
        self.body = body
        self.answers: list[tuple[Request, Any]] = []
        self.runs = self._turn = self._read = 0
        self._readings: dict[int, Any] = {}

    def names(self) -> list[str]:
        return self._known

    def ask(self, method: str, *args: Any, **kwargs: Any) -> Any:
        if self._turn == len(self.answers):
            raise _Asked([(method, args, kwargs)])
        (_, _, sent), answer = self.answers[self._turn]
        self._turn += 1
        # `RightResults` of helpers were asked while the request was answered, not now
        if "asked" in kwargs:
            kwargs["asked"].used = sent["asked"].used
        return answer

    def quick_answers(self, requests: Sequence[Request]) -> list[Any]:
        known = self.answers[self._turn :][: len(requests)]
        if not known:
            raise _Asked(requests)
        self._turn += len(known)
        return [answer for _, answer in known]

    def once(self, read: Callable[..., Any], *args: Any) -> Any:
        self._read += 1
        if self._read not in self._readings:
            self._readings[self._read] = read(*args)
        return self._readings[self._read]

    def asks(self) -> Sequence[Request]:
        """Run the body with the answers so far, and return its next requests; none if it ends."""
        self._turn = self._read = 0
        self.runs += 1
        try:
            self.passes = self.body(self)
        except _Asked as asked:
            return asked.requests
        except Exception:
            self.passes = False
        return []


def not_passing(bodies: Sequence[Body], solution: Solution, until: float = math.inf) -> list[Body]:
    """Run bodies side by side, and return those that did not pass or have to run by themselves.

    `bodies`: examples of checks, each a function of a solution that returns whether it passes.
    `until`: once a body has not passed, no more requests are made if the solution has used this
        share of its time.
    """
    names = solution.names()
    found: list[Body] = []
    running = [_Answered(names, body) for body in bodies]
    asking: list[tuple[_Answered[Body], Sequence[Request]]] = []
    while True:
        for answered in running:
            requests = answered.asks()
            if requests and answered.runs < MOST_RUNS:
                asking.append((answered, requests))
            elif requests or not answered.passes:
                found.append(answered.body)
        waiting = [request for _, requests in asking for request in requests]
        is_slow = bool(found) and solution.time_used > until
        answers = solution.quick_answers(waiting) if waiting and not is_slow else []
        if not answers:
            return [*found, *(answered.body for answered, _ in asking)]
        coming, unanswered = iter(zip(waiting, answers, strict=False)), []
        running = []
        for answered, requests in asking:
            if got := list(itertools.islice(coming, len(requests))):
                answered.answers += got
                running.append(answered)
            else:
                unanswered.append((answered, requests))
        asking = unanswered
