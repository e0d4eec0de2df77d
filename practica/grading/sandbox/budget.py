"""Time that a file may use, over all its processes."""

from __future__ import annotations

from typing import Protocol

from practica.grading.sandbox.box import Limits
from practica.grading.sandbox.cpu_accounting import charged, own_wait

_LOOK = 0.5  # seconds between two looks at what is charged


class Used(Protocol):
    """An object that reports the processor time of a process."""

    def used(self) -> tuple[float, float]:
        """Return the seconds that the process has run, and those that it has waited for a
        processor.

        See `practica.grading.sandbox.cpu_accounting`.
        """


class Budget:
    """The seconds that one file has used, in all its processes, and those that it has left.

    `seconds`: used so far, those in which the grader answered its questions included.
    `again`: those that were used to load the file once more, because something else is forbidden:
        they do not count.
    `reloading`: whether it is being loaded once more.
    """

    def __init__(self, limits: Limits) -> None:
        self.seconds = self.again = 0.0
        self.reloading = False
        self._limits = limits
        # of the calls, by the wall clock, and when it was looked what that is worth
        self._wall = self._looked = 0.0
        self._ended = 0.0, 0.0  # what the processes before this one have used
        self._answering = 0.0
        self._begin = own_wait()

    @property
    def share(self) -> float:
        """The fraction of its total time that the file has used."""
        return (self.seconds - self.again) / self._limits.total_seconds

    def left(self) -> float:
        """Return the seconds that are left; while the file is loaded again, those of an import."""
        if self.reloading:
            return self._limits.import_seconds
        return (
            self._limits.total_seconds + min(self.again, self._limits.import_seconds) - self.seconds
        )

    def spend(self, wall: float, process: Used | None) -> None:
        """Add a call that took `wall` seconds.

        Now and then, replace the wall clock of all calls so far by what is charged for them, from
        the processor time of `process` and of those before it.
        """
        self._wall += wall
        self.seconds += wall
        if self._wall - self._looked > _LOOK:
            self._looked = self._wall
            ran, waited = self._used(process)
            of_file = charged(self._wall, ran, waited + own_wait() - self._begin)
            self.seconds = of_file + self._answering

    def answer(self, seconds: float) -> None:
        """Add the processor time in which the grader has answered a question of the file."""
        self._answering += seconds
        self.seconds += seconds

    def end(self, process: Used) -> None:
        """Add the seconds of a process that has ended to the total."""
        self._ended = self._used(process)

    def _used(self, process: Used | None) -> tuple[float, float]:
        ran, waited = (0.0, 0.0) if process is None else process.used()
        return self._ended[0] + ran, self._ended[1] + waited
