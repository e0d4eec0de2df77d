"""One experiment: models trained on the same folds of a table, kept as a record, and then shown.

It is shown in one of two ways, `show_metrics` for `practica demo` and `practica cv`, and
`show_differences` for `practica compare`. What was trained is on the disk before anything is made
of it.

    show_... ──► split_of or folds_of    the fold of each pattern, and how it came about
             ──► Run.execute        opens all the files, so that none fails in the end
                   ├──► compared    trains: the user's own models get columns, the others numbers;
                   │                the record is written after each
                   ├──► folds are written; a failure, or Ctrl-C, is raised only now
                   └──► show, which differs between the two ways; then pictures and page
"""

from __future__ import annotations

import dataclasses
import functools
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import is_regressor
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from practica.console import interruptible, print_grid, print_lines, progress_bar
from practica.evaluation import summary
from practica.evaluation.classifier import ANNClassifier
from practica.evaluation.comparison import Comparison, Difference, compare, finite
from practica.evaluation.curves import Losses, learning_curves
from practica.evaluation.doubts import RULES, doubt_lines
from practica.evaluation.estimators import Estimator, is_deterministic, text_of
from practica.evaluation.folds import fingerprint, write_folds
from practica.evaluation.imputation import Imputation
from practica.evaluation.model_scores import cross_validate_executions
from practica.evaluation.scoring import ERRORS
from practica.evaluation.specs import KINDS, model_of, name_of, sources_of
from practica.evaluation.undefined import undefined_lines
from practica.experiments.choices import FOLDS, MODELS, Choices
from practica.experiments.comparison_plots import draw_panels
from practica.experiments.drawing import format_of, require_matplotlib
from practica.experiments.fold_assignment import folds_of, split_of, tested_folds
from practica.experiments.methods import counted, methods_of
from practica.experiments.page import Contents, page_of
from practica.experiments.records import Earlier, RecordFile, record_of, versions
from practica.experiments.tables import Table
from practica.files import opened, opened_bytes
from practica.reference.arguments import Integers, closest
from practica.reference.metrics import Metrics

OF_REGRESSORS = ("r2", "neg_root_mean_squared_error", "neg_mean_absolute_error", *ERRORS)


class PracticeTree(DecisionTreeClassifier):  # type: ignore[misc]
    """A decision tree as exercise 6 trains it.

    Its seed is always 1, so the same patterns always give the same tree.
    """

    def __init__(self, max_depth: int | None = None) -> None:
        super().__init__(max_depth=max_depth, random_state=1)


def show_metrics(table: Table, choices: Choices, *data: Path) -> None:
    """Cross-validate models of exercise 6, and show all seven metrics of each.

    The models are those of `MODELS`, or any that `practica compare` takes; `choices.metric` are
    scorers of scikit-learn beside the seven metrics. `data` are the files with the data, which no
    output replaces.
    """
    known = _models_of_exercise_6(choices)
    for text in choices.model:
        if text not in known:
            if text.isidentifier() and text not in KINDS:
                raise ValueError(f"there is no model {text!r}{closest(text, known)}")
            known[text] = name_of(text), model_of(text, **choices.network)
    named = {name_of(text): known[text] for text in choices.model}
    models = {name: model for name, (_, model) in named.items()}
    if regressors := [name for name, model in models.items() if is_regressor(model)]:
        raise ValueError(
            f"{regressors[0]} predicts numbers, and these metrics are of classes; use practica"
            " compare"
        )
    kept = RecordFile(choices, data)
    k = choices.folds or FOLDS
    indices, how = split_of(table, k, kept.seed, choices.repeats or 1)
    how_long = (
        f"{counted(choices.executions, 'network')} per fold,"
        f" {counted(choices.network['maxEpochs'], 'epoch')} at most"
    )

    def show(comparison: Comparison) -> Contents:
        grid = summary.metric_grid(comparison)
        notes = [
            *undefined_lines(comparison.results, comparison.metrics),
            *summary.missing_lines(comparison, comparison.metrics),
            *doubt_lines(comparison),
        ]
        print_grids(grid)
        print_lines(*notes, *[""] * bool(notes))
        return Contents([grid], notes)

    Run(
        table=table,
        models=models,
        folds=indices,
        choices=choices,
        record=kept,
        metrics=tuple(dict.fromkeys([*Metrics._fields, *choices.metric])),
        shown=("accuracy", "F1"),
        titles={name: title for name, (title, _) in named.items()},
    ).execute(f"{k} folds{how}, {how_long}, seed {kept.seed}", show)


def show_differences(table: Table, choices: Choices, *data: Path) -> None:
    """Compare models on the same folds, and show what their spread consists of and which
    differences are real.

    Each of the metrics has its own tables. `data` are the files with the data, which no output
    replaces.
    """
    kept = RecordFile(choices, data)
    run = planned(table, choices, kept)
    file = choices.folds_file or choices.save_folds
    where = f" in {file}, sha256 {fingerprint(run.folds)[:12]}…; " if file else ", "
    count = tested_folds(run.folds, run.table)
    with tables_shown(choices, data) as show_tables:

        def show(comparison: Comparison) -> Contents:
            grids: list[summary.Grid] = []
            noted: dict[str, list[str]] = {}
            differences: dict[str, tuple[list[Difference], float]] = {}
            for name in run.shown:
                rope = summary.region_of(comparison, name, choices.rope, choices.reference)
                tested: dict[str, Any] = {"region": rope, "reference": choices.reference}
                grids += summary.grids(comparison, name, **tested)
                noted[name] = summary.notes(comparison, name, **tested)
                differences[name] = comparison.differences(name, **tested), rope
            others = [name for name in run.metrics if name not in run.shown]
            notes = [*summary.joined_notes(noted), *summary.missing_lines(comparison, others)]
            show_tables({table.name: comparison}, grids, notes)
            times = [f"{name} {time:.1f} s" for name, time in comparison.seconds.items()]
            print_lines(f"Time: {', '.join(times)}")
            return Contents(grids, notes, differences)

        executions = f"{choices.executions} executions, seed {kept.seed}"
        run.execute(f"{count} folds{run.how}{where}{executions}", show)


def planned(table: Table, choices: Choices, record: RecordFile, place: str = "") -> Run:
    """Return the run of `practica compare` on a table; nothing is trained yet.

    Without `choices.metric`, only the first usual metric is shown. `place` is the name of the table
    if there are several.
    """
    models: dict[str, Estimator] = {}
    for text in choices.model:
        if name_of(text) in models:
            raise ValueError(f"model {name_of(text)!r} is given twice")
        models[name_of(text)] = model_of(text, **choices.network)
    reference = choices.reference
    if reference is not None and reference not in models:
        raise ValueError(
            f"--reference {reference}: there is no such model{closest(reference, models)}"
        )
    table = table_for(models, table)
    usual = OF_REGRESSORS if table.is_quantity else Metrics._fields
    shown = tuple(dict.fromkeys(choices.metric)) or usual[:1]
    folds, how, is_new = folds_of(table, choices, record.seed)
    return Run(
        table=table,
        models=models,
        folds=folds,
        how=how,
        is_new=is_new,
        choices=choices,
        record=record,
        metrics=tuple(dict.fromkeys([*usual, *shown])),
        shown=shown,
        place=place,
    )


def _losses(run: Run, comparison: Comparison) -> dict[str, list[Losses]]:
    """Return, by model, the losses of the first network of each fold; models other than networks
    have none.
    """
    data = run.table.inputs, run.table.targets, comparison.folds, run.prepared, run.record.seed
    return {
        run.titles.get(name, name): interruptible(functools.partial(learning_curves, model, *data))
        for name, model in run.models.items()
        if type(model) is ANNClassifier and name not in run.own
    }


def table_for(models: Mapping[str, Estimator], table: Table) -> Table:
    """Return the table with the targets that these models predict: quantities for regressors,
    classes for the others.

    Raises `ValueError` if there are models of both kinds, or the table has no such targets.
    """
    regressors = [name for name, model in models.items() if is_regressor(model)]
    others = [name for name in models if name not in regressors]
    if regressors and others:
        raise ValueError(
            f"{regressors[0]!r} predicts numbers and {others[0]!r} classes; they cannot be compared"
        )
    if not regressors:
        if table.no_classes:
            raise ValueError(table.no_classes)
        return table
    if table.quantities is None:
        raise ValueError(
            f"{table.name}: the target is text, and {regressors[0]!r} predicts numbers"
        )
    return dataclasses.replace(table, targets=table.quantities)


def _models_of_exercise_6(choices: Choices) -> dict[str, tuple[str, Estimator]]:
    """Return the titles and the models of exercise 6 by name."""
    layers = "-".join(map(str, choices.topology))
    models = [
        (
            f"network {layers}" if layers else "linear network",
            ANNClassifier(list(choices.topology), **choices.network),
        ),
        ("kNN, k=5", KNeighborsClassifier(n_neighbors=5)),
        ("SVM, rbf", SVC(kernel="rbf", C=1.0, gamma="scale")),
        ("tree, depth 5", PracticeTree(max_depth=5)),
        ("majority", DummyClassifier()),  # what any model has to beat
    ]
    return dict(zip(MODELS, models, strict=True))


@dataclasses.dataclass(frozen=True, kw_only=True)
class Run:
    """The trainings of an experiment, and the files that they fill."""

    table: Table
    models: Mapping[str, Estimator]  # by name
    folds: Integers
    choices: Choices
    record: RecordFile
    metrics: Sequence[str]
    # of names, if they are shown in another way
    titles: Mapping[str, str] = dataclasses.field(default_factory=dict)
    shown: Sequence[str]  # metrics in tables and pictures
    place: str = ""  # this table's name, if the record has several
    how: str = ""  # how the folds were assigned, for the terminal
    is_new: bool = False  # whether the folds are to be saved

    @functools.cached_property
    def own(self) -> dict[str, str]:
        """The SHA-256 of the source of each of the user's own models, by name."""
        return sources_of(self.choices.model)

    @property
    def prepared(self) -> str | Imputation | None:
        """The preparation of the attributes, computed from the training part of each fold; None for
        none.
        """
        holes, normalization = self.table.holes, self.choices.normalize
        return normalization if holes is None else Imputation(*holes, normalization)

    def execute(self, plan: str, show: Callable[[Comparison], Contents]) -> None:
        """Print the plan, train, write every score and the folds, show them, and draw."""
        described = [*_described(self.table), plan]
        choices, data = self.choices, self.record.data
        format = None if choices.plot is None else format_of(choices.plot)
        if choices.html is not None:
            require_matplotlib()
        drawing = nullcontext() if choices.plot is None else opened_bytes(choices.plot, data=data)
        new = choices.save_folds if self.is_new else None
        with drawing as image, opened(choices.html, data=data) as html:
            with self.record.opened(), opened(new, data=data) as folds:
                earlier = self.earlier()
                print_lines(*described, *self.reused(earlier), "")
                comparison, failure = self.compared(earlier)
                if folds is not None:
                    write_folds(self.folds, folds, self.table.targets)
            if failure is not None:
                raise failure
            titled = comparison.renamed(self.titles)
            shown = show(titled)
            if image is not None and format is not None:
                draw_panels({metric: titled.of(metric) for metric in self.shown}, image, format)
            if html is not None:
                models = {self.titles.get(name, name): self.models[name] for name in self.models}
                methods = methods_of(record_of(titled, models, self.table))
                losses = _losses(self, comparison)
                html.write(page_of(titled, self.shown, described, shown, methods, losses))

    def earlier(self) -> Earlier:
        """Return the part of an earlier record that this experiment can reuse.

        Raises `ValueError` if it is of another experiment.
        """
        pictured = self.choices.html is not None and not self.table.is_quantity
        return self.record.earlier(
            self.place, self.models, self.own, self._facts, pictured=pictured
        )

    @property
    def _facts(self) -> dict[str, object]:
        """Return the facts that identify this experiment, by the words that an error calls them."""
        table = self.table
        return {
            "table": table.sha256[:12],
            "folds": fingerprint(self.folds)[:12],
            "positive class": table.positive,
            "seed": self.record.seed,
            "executions": self.choices.executions,
            "normalization": self.choices.normalize,
            "--time": table.times is not None or None,
            "--groups": table.groups is not None or None,
            **{f"metric {name}": True for name in self.metrics},
            **versions(),
        }

    def reused(self, earlier: Earlier) -> list[str]:
        """Return the line that names the models which are not trained again, or no line."""
        if earlier.same is None:
            return []
        return [f"Not trained again, from {self.record.path}: {', '.join(earlier.same.results)}"]

    def compared(self, earlier: Earlier) -> tuple[Comparison, BaseException | None]:
        """Return the comparison of all trained models, and the error of one that failed, or None.

        If all failed, the error is raised. The models of an `earlier` record are not trained again.
        The record is kept after each model.
        """
        table = self.table
        done: dict[bool | None, Comparison] = {}
        if earlier.same is not None:
            done[None] = earlier.same
        there = {name for part in done.values() for name in part.results}
        failure: BaseException | None = None

        def keep(is_own: bool, comparison: Comparison) -> None:
            done[is_own] = comparison
            record = record_of(self._joined(done), self.models, table, self.own)
            self.record.keep(earlier.kept_in(record), self.place, self._facts)

        def work() -> None:
            for is_own, X, normalization in (
                (True, table.columns, None),
                (False, table.inputs, self.prepared),
            ):
                some = {
                    name: model
                    for name, model in self.models.items()
                    if (name in self.own) == is_own and name not in there
                }
                if some:
                    compare(
                        some,
                        X,
                        table.targets,
                        self.folds,
                        self.choices.executions,
                        metrics=self.metrics,
                        positive=table.positive,
                        normalization=normalization,
                        forward=table.times is not None,
                        keep_curves=self.choices.html is not None,
                        random_state=self.record.seed,
                        progress=progress,
                        checkpoint=functools.partial(keep, is_own),
                        device=self.choices.device,
                    )

        with progress_bar() as bar:
            progress = _of_all(bar, self._trainings(there), self.titles)
            try:
                interruptible(work)
            except (Exception, KeyboardInterrupt) as error:
                if not done:
                    raise
                failure = error
                if self.record.path is not None:
                    names = [name for part in done.values() for name in part.results]
                    warnings.warn(
                        f"{self.record.path} has what was done before: {', '.join(names)}",
                        stacklevel=1,
                    )
        return self._joined(done), failure

    def _joined(self, done: Mapping[bool | None, Comparison]) -> Comparison:
        """Return one comparison of all models. Their results are in `done`: those of practica's
        models (False), of the user's own (True), and of an earlier record (None).
        """
        found = {
            name: part for name in self.models for part in done.values() if name in part.results
        }
        first = next(done[each] for each in (False, None, True) if each in done)
        file, has_rule = self.choices.folds_file, {*map(text_of, self.models.values())} & {*RULES}
        more = {
            "groups": self.table.groups is not None,
            "folds_file": file and file.name,
            "own_models": sorted(self.own),
            "rule": None if has_rule else self._rule,
        }
        settings = {**first.settings, **{name: value for name, value in more.items() if value}}
        return Comparison(
            {name: part.results[name] for name, part in found.items()},
            {name: part.descriptions[name] for name, part in found.items()},
            {name: part.seconds[name] for name, part in found.items()},
            settings,
        )

    def _trainings(self, there: Collection[str]) -> int:
        """Return the number of all trainings, without those of the models that are already
        `there`.
        """
        repetitions = np.atleast_2d(self.folds)
        tested = len(repetitions) * tested_folds(repetitions, self.table)
        new = [model for name, model in self.models.items() if name not in there]
        return sum(
            tested * (1 if is_deterministic(model) else self.choices.executions) for model in new
        )

    @functools.cached_property
    def _rule(self) -> dict[str, float | None]:
        """Return, by metric, the mean score of a rule that looks at no attribute, which any model
        has to beat; empty if a scorer cannot be applied to it.
        """
        table = self.table
        try:
            scores = cross_validate_executions(
                DummyRegressor() if table.is_quantity else DummyClassifier(),
                np.zeros((len(table.targets), 1)),
                table.targets,
                self.folds,
                metrics=self.metrics,
                positive=table.positive,
                forward=table.times is not None,
                n_jobs=1,
            )
        except ValueError:  # a scorer that does not know what to make of it
            return {}
        return {metric: finite(scores.mean_and_std(metric).mean) for metric in scores.metrics}


def _of_all(
    report: Callable[[str, int, int], object], trainings: int, titles: Mapping[str, str]
) -> Callable[[str, int, int], object]:
    """Return a function that moves one progress bar through the trainings of all models.

    `report`: moves the bar.
    `trainings`: how many there are in all.
    `titles`: by the name of a model, what the bar shows, if it is another name.
    """
    known: dict[str, int] = {}

    def progress(name: str, done: int, total: int) -> None:
        before = sum(of_model for other, of_model in known.items() if other != name)
        known[name] = total
        report(titles.get(name, name), before + done, trainings)

    return progress


def _described(table: Table) -> list[str]:
    """Return two lines about the data of a table, and the notes on its columns."""
    first = (
        f"{table.name}: {len(table.targets)} patterns,"
        f" {counted(len(table.attributes), 'attribute')}"
    )
    if table.holes is not None:
        first += f" ({counted(len(table.holes.places), 'column')} with holes that are filled)"
    if table.is_quantity:
        first, second = (
            f"{first}, a quantity",
            f"From {table.targets.min():g} to {table.targets.max():g}",
        )
    else:
        sizes = [
            f"{label} {size}{' (positive)' if label == table.positive else ''}"
            for label, size in table.class_sizes().items()
        ]
        first += f", {len(sizes)} classes"
        second = f"Classes: {', '.join(sizes[:10])}{', ...' if len(sizes) > 10 else ''}"
    return [first, second, *(f"Note: {note}" for note in table.notes)]


@contextmanager
def tables_shown(choices: Choices, data: Iterable[Path]) -> Iterator[Callable[..., None]]:
    """Open the files of a command; yield the function that prints tables and notes, and writes them
    into the files.

    Without a path there is no file. `data` are the files that hold the data.
    """
    with (
        opened(choices.csv, data=data) as scores,
        opened(choices.markdown, data=data) as readable,
        opened(choices.latex, data=data) as source,
    ):

        def show(
            comparisons: Mapping[str, Comparison],
            grids: Sequence[summary.Grid],
            notes: Sequence[str],
        ) -> None:
            print_grids(*grids)
            print_lines(*notes)
            for file, text in (
                (scores, summary.as_csv(comparisons)),
                (readable, summary.markdown_of(grids, notes)),
                (source, summary.latex_of(grids, notes)),
            ):
                if file is not None:
                    file.write(text)

        yield show


def print_grids(*grids: summary.Grid) -> None:
    """Print tables one after the other."""
    for grid in grids:
        print_grid(grid.title, grid.header, grid.rows)
