"""Orders of the trusted side, which travel into the box as JSON."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class BoxPlan:
    """How `practica.grading.inside.launch` builds a box."""

    level: str  # "full", "reduced" or "none"
    user: int | None  # the user that the box becomes
    control: int  # the descriptor of the control line
    # stage, place: folders: where root shows what an unprivileged user cannot reach, and where the
    # submission may write
    stage: str
    place: str
    disk: int  # bytes in its /tmp
    bwrap: str  # the program
    nested: bool  # whether each submission has namespaces of its own
    system: list[str]  # what is shown where it is
    binds: list[tuple[str, str]]  # what is shown elsewhere
    hidden: list[tuple[str, bool]]  # what of it is not shown
    environment: dict[str, str]
    command: list[str]  # what runs in the box


@dataclass(frozen=True)
class ProcessPlan:
    """How `practica.grading.inside.child` makes the process of a submission."""

    nested: bool  # nested, landlock: whether it has namespaces of its own, and rights to files
    landlock: bool
    place: str | None  # where it may write, if that is not /tmp
    disk: int  # bytes in it
    # the system calls that it may make, as a program for the kernel in base 64; empty for all
    filter: str
    limits: dict[str, int]  # those that the kernel keeps, by their names
