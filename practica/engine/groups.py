"""The groups of rows that one process can mark: in each of them the functions raise that its rows forbid.

Rows share a process as long as none may use what another one forbids. The official criteria have two groups: the
student's own work, where everything raises that would do it, and the cross-validations, which train models.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from practica.engine.rubric import Row


def forbidden_together(rows: Iterable[Row]) -> Mapping[str, tuple[str, ...]]:
    """Return the patterns of names that are forbidden in the process of each row.

    Returned `forbidden`: patterns of full names, by the name of the row; the same for the rows of one group.

    >>> from practica.engine.rubric import load_rubric
    >>> forbidden = forbidden_together(load_rubric().rows.values())
    >>> len(set(forbidden.values())), "sklearn.svm.*" in forbidden["accuracy"]
    (2, True)
    >>> "sklearn.svm.*" in forbidden["model_cross_validation"]
    False
    """
    groups: list[tuple[dict[str, None], set[str], list[str]]] = []  # what is forbidden, what may be used, the rows
    for row in rows:
        usable = {*row.needs, *row.flagged}
        for forbidden, all_usable, names in groups:
            if usable.isdisjoint(forbidden) and all_usable.isdisjoint(row.forbidden):
                forbidden.update(dict.fromkeys(row.forbidden))
                all_usable |= usable
                names.append(row.name)
                break
        else:
            groups.append((dict.fromkeys(row.forbidden), usable, [row.name]))
    return {name: tuple(forbidden) for forbidden, _, names in groups for name in names}
