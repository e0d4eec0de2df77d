"""Many tables in one command: the same models on each, and the tests over all of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from practica.console import print_lines
from practica.evaluation import summary
from practica.evaluation.comparison import Comparison
from practica.evaluation.doubts import doubt_lines
from practica.evaluation.folds import repeated
from practica.evaluation.suite import suite_of
from practica.experiments.choices import FOLDS, Choices
from practica.experiments.experiment import (
    Run,
    planned,
    tables_shown,
)
from practica.experiments.methods import counted, methods_of
from practica.experiments.page import Contents, page_of_pictures
from practica.experiments.records import RecordFile, record_of
from practica.experiments.tables import Table, naming
from practica.files import opened


def show_suite(tables: Mapping[str, Table], choices: Choices) -> None:
    """Compare models on several tables, and show ranks, Friedman's test, and which models differ
    from the best.

    Each table has new folds, from the seed.
    """
    data = [Path(name) for name in tables]
    if len(tables) < 2:
        raise ValueError(
            "one table has no test over tables; give --data again, or the table without it"
        )
    kept = RecordFile(choices, data, several=True)
    folds = f"{choices.folds or FOLDS} folds{repeated(choices.repeats or 1)}"
    often = f"{choices.executions} executions, seed {kept.seed}"
    plan = f"{len(tables)} tables, {folds}, {often}"
    with (
        tables_shown(choices, data) as show_tables,
        opened(choices.html, data=data) as html,
        kept.opened(),
    ):
        print_lines(plan)
        runs: dict[str, Run] = {}
        for name, table in tables.items():
            with naming(name):
                runs[name] = planned(table, choices, kept, name)
        earlier = {name: run.earlier() for name, run in runs.items()}
        comparisons: dict[str, Comparison] = {}
        for name, run in runs.items():
            size = f"{len(run.table.targets)} patterns"
            columns = counted(len(run.table.attributes), "attribute")
            print_lines(f"{name}: {size}, {columns}", *run.reused(earlier[name]))
            with naming(name):
                comparisons[name], failure = run.compared(earlier[name])
                if failure is not None:
                    raise failure
        records = [
            record_of(comparisons[name], run.models, run.table) for name, run in runs.items()
        ]
        print_lines("")
        suites = {metric: suite_of(comparisons, metric) for metric in run.shown}
        grids: list[summary.Grid] = []
        noted: dict[str, list[str]] = {}
        for metric, suite in suites.items():
            grids += summary.suite_grids(suite, choices.reference)
            lines = [
                f"{name}: {line}"
                for name, each in comparisons.items()
                for line in [*summary.missing_lines(each, (metric,)), *doubt_lines(each, metric)]
            ]
            noted[metric] = [*summary.suite_notes(suite, choices.reference), *lines]
        notes = summary.joined_notes(noted)
        show_tables(comparisons, grids, notes)
        if html is not None:
            methods, shown = methods_of(*records), Contents(grids, notes)
            html.write(page_of_pictures(f"{len(tables)} tables", [plan], shown, methods=methods))
