"""Orders of the trusted side, which travel into the box as JSON."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["BoxPlan", "ProcessPlan"]


@dataclass(frozen=True)
class BoxPlan:
    """How `practica.inside.launch` builds a box.

    Attributes
    ----------
    level : "full", "reduced" or "none"
    user : int or None
        The user that the box becomes.
    control : int
        The descriptor of the control line.
    stage, place : str
        Folders: where root shows what an unprivileged user cannot reach, and where the submission may write.
    disk : int
        Bytes in its /tmp.
    bwrap : str
        The program.
    nested : bool
        Whether each submission has namespaces of its own.
    system : list of str
        What is shown where it is.
    binds : list of [source, target]
        What is shown elsewhere.
    hidden : list of [path, whether it is a folder]
        What of it is not shown.
    environment : dict of str
    command : list of str
        What runs in the box.
    """

    level: str
    user: int | None
    control: int
    stage: str
    place: str
    disk: int
    bwrap: str
    nested: bool
    system: list[str]
    binds: list[tuple[str, str]]
    hidden: list[tuple[str, bool]]
    environment: dict[str, str]
    command: list[str]


@dataclass(frozen=True)
class ProcessPlan:
    """How `practica.inside.child` makes the process of a submission.

    Attributes
    ----------
    nested, landlock : bool
        Whether it has namespaces of its own, and rights to files.
    place : str or None
        Where it may write, if that is not /tmp.
    disk : int
        Bytes in it.
    filter : str
        The system calls that it may make, as a program for the kernel in base 64; empty for all.
    limits : dict of int
        Those that the kernel keeps, by their names.
    """

    nested: bool
    landlock: bool
    place: str | None
    disk: int
    filter: str
    limits: dict[str, int]
