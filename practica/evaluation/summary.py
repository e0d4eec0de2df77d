"""A comparison as tables: for the terminal, a spreadsheet, a page or a paper."""

from __future__ import annotations

import csv
import dataclasses
import io
import math
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

from practica.evaluation.comparison import Comparison, place_of
from practica.evaluation.doubts import below_the_rule, doubt_lines
from practica.evaluation.folds import repeated
from practica.evaluation.scoring import has_unit
from practica.evaluation.suite import Suite
from practica.evaluation.undefined import undefined_lines, undefined_models, unpredicted_lines
from practica.reference.arguments import some_of

__all__ = [
    "Grid",
    "advice_of",
    "as_csv",
    "as_latex",
    "as_markdown",
    "difference_grid",
    "grids",
    "joined_notes",
    "latex_of",
    "markdown_of",
    "metric_grid",
    "missing_lines",
    "model_grid",
    "notes",
    "region_of",
    "suite_grids",
    "suite_notes",
]

_LISTED = 20  # models in a list
_SHARE = 0.1  # fraction of the practice's std: executions that move the mean by less are enough

SPREAD = (
    "std: of the means of the folds, as in the practice; σ folds, σ exec.: how much the scores vary"
    " between folds and between the executions of a fold; MC error: how much the mean varies with"
    " the seeds of the executions."
)
TESTED = (
    "p: corrected resampled t-test on the means of the folds, which have overlapping training sets,"
    " each for itself; Holm p: adjusted for {adjusted}; worse, equal, better: probabilities, equal"
    " being within ±{region}, not adjusted for the number of models."
)
AGAINST_ONE = "all the models, each tested against {reference}, which was named"
ALL_PAIRS = (
    "all {pairs} pairs of models, since the best was chosen by these scores; --reference MODEL,"
    " named beforehand, tests fewer"
)
PLAIN = (
    "plain t p: assumes independent folds; with ten of them it finds differences that do not exist"
    " more than twice as often as it states. Use it only to compare with published tables."
)
PLAIN_OF_REPEATED = (
    "plain t p: assumes independent folds, and finds more differences that do not exist with each"
    " repetition. Use it only to compare with published tables."
)

OF_METRICS = (
    "Several metrics: no p is adjusted for their number. Name the one that decides before you see"
    " the scores."
)
FORWARD = (
    "Folds in time: each was tested with models of the folds before it, so the training sets grow"
    " and overlap. The correction uses their mean size; p and the probabilities are approximate,"
    " and the std includes the drift."
)
GROUPED = (
    "Folds of whole groups: the scores measure how well a new group is predicted. The folds differ"
    " in size and in their classes, although the tests assume that they do not; with few groups, p"
    " rests on few independent cases."
)


REPEATED = (
    "Repeated folds: mean and std are those of all {n} values, and the tests take all of them."
    " Repetitions add no patterns: the figures depend less on how the folds were drawn, and the"
    " corrected test takes the mean to be as sure as that of one cross-validation of {k} folds. In"
    " a simulation of ten repetitions at .05, it found a difference between equally good models in"
    " 4 % of the cases, and the plain one in 66 %."
)


@dataclasses.dataclass(frozen=True)
class Grid:
    """A table of strings, and its title; the first column is aligned left, the others right."""

    title: str
    header: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


def metric_grid(comparison: Comparison) -> Grid:
    """Return a table of mean ± the practice's std, with a row for each metric and a column for each
    model; the last row is the time.

    A star is beside a value that holds a 0/0 counted as 1. The title says so if the folds are
    repeated.
    """
    results = comparison.results

    starred = {metric: undefined_models(results, metric) for metric in comparison.metrics}
    star = _stars(any(starred.values()))
    rows = []
    for metric, names in starred.items():
        pairs = {name: result.mean_and_std(metric) for name, result in results.items()}
        rows.append(
            (
                metric,
                *(_pair(mean, std, 3) + star[name in names] for name, (mean, std) in pairs.items()),
            )
        )
    times = [f"{comparison.seconds[name]:.2f} s" for name in results]
    repeats, k = comparison.repetitions, comparison.folds.k
    title = (
        f"{k} folds repeated {repeats} times; mean and std of {repeats * k} values"
        if repeats > 1
        else ""
    )
    return Grid(title, ("mean ± std", *results), [*rows, ("time", *times)])


def _stars(any_: bool) -> tuple[str, str]:
    """Return the suffix of a value without 0/0 and that of a value with it, both equally wide:
    empty if there is no 0/0 at all.
    """
    return ("  ", " *") if any_ else ("", "")


def model_grid(comparison: Comparison, metric: str = "accuracy") -> Grid:
    """Return a table with a row for each model: mean ± the practice's std, and the parts of its
    spread.
    """
    header = ("model", "mean ± std", "σ folds", "σ exec.", "MC error", "exec.")
    starred = undefined_models(comparison.results, metric)
    star = _stars(bool(starred))
    variances = sorted(
        comparison.variances(metric).items(), key=lambda pair: place_of(pair[1].mean, metric)
    )
    rows = [
        (
            name,
            _pair(variance.mean, variance.std, 4) + star[name in starred],
            _number(variance.sigma_folds),
            _number(variance.sigma_executions),
            _number(variance.monte_carlo_error, 5),
            str(variance.executions),
        )
        for name, variance in variances
    ]
    times, k = comparison.repetitions, len(comparison.folds.tested)
    values = f"; mean and std of {times * k} values" if times > 1 else ""
    return Grid(
        f"{metric}, the same {k} folds{repeated(times)} for all models{values}", header, rows
    )


def difference_grid(
    comparison: Comparison,
    metric: str = "accuracy",
    *,
    region: float = 0.01,
    reference: str | None = None,
) -> Grid:
    """Return a table with a row for each model but the reference: the mean difference of a metric,
    its tests, and the probabilities that the model is worse, equivalent or better.

    `region`: models that differ by less are equivalent.
    """
    header = ("model", "difference", "p", "Holm p", "worse", "equal", "better", "plain t p")
    rows = [
        (
            difference.model,
            _number(difference.corrected.mean, signed="+"),
            _p_value(difference.corrected.p_value),
            _p_value(difference.holm),
            *(_number(probability, 3) for probability in difference.probabilities),
            _p_value(difference.plain.p_value),
        )
        for difference in sorted(
            comparison.differences(metric, region=region, reference=reference),
            key=lambda row: place_of(row.corrected.mean, metric),
        )
    ]
    title = f"{metric} against {reference or f'the best, {comparison.best(metric)}'}"
    return Grid(title, header, rows)


def notes(
    comparison: Comparison,
    metric: str = "accuracy",
    *,
    region: float = 0.01,
    reference: str | None = None,
) -> list[str]:
    """Return the notes that explain the tables of models and of differences: on the executions of
    each model, and on the tests.
    """
    advised: dict[str, list[str]] = {}
    for name in comparison.results:
        advised.setdefault(advice_of(comparison, name, metric), []).append(name)
    lines = [f"{some_of(names, _LISTED)}: {advice}." for advice, names in advised.items()]
    lines += doubt_lines(comparison, metric)
    lines += missing_lines(comparison, (metric,))
    differences = comparison.differences(metric, region=region, reference=reference)
    lines += [
        f"{row.model}: no test; {row.corrected.reason}."
        for row in differences
        if row.corrected.reason
    ]
    if undefined := undefined_lines(comparison.results, (metric,)):
        decided = [row.model for row in differences if not row.corrected.reason]
        warned = (
            f"The tests of {metric} use values that include a 0/0; they do not show which model is"
            " better."
        )
        lines += [*undefined, *([warned] if decided else [])]
    else:  # a model that never looks at the attributes is there to be beaten
        models = {
            n: r
            for n, r in comparison.results.items()
            if comparison.descriptions.get(n) != "DummyClassifier()"
        }
        lines += unpredicted_lines(models, metric)
    split = [FORWARD] * bool(comparison.settings.get("forward")) + [GROUPED] * (
        "groups" in comparison.settings
    )
    times, k = comparison.repetitions, comparison.folds.k
    split += [REPEATED.format(n=times * k, k=k)] * (times > 1)
    plain = PLAIN if times == 1 else PLAIN_OF_REPEATED
    adjusted = _adjusted_for(comparison.results, reference)
    within = f"{region:.4g} in the unit of {metric}" if has_unit(metric) else f"{region:g}"
    tested = TESTED.format(adjusted=adjusted, region=within)
    return [*lines, SPREAD, *([tested, plain] if differences else []), *split]


def missing_lines(comparison: Comparison, metrics: Iterable[str]) -> list[str]:
    """Return a line for each metric that is not a number in some folds, with these folds and the
    models.
    """
    models: dict[tuple[str, tuple[int, ...]], list[str]] = {}
    for metric in metrics:
        for name, folds in comparison.missing(metric).items():
            models.setdefault((metric, tuple(folds)), []).append(name)
    lines = []
    for (metric, places), names in models.items():
        numbers = ", ".join(_as_told(fold, comparison) for fold in places)
        those = f"fold{'s' * (len(places) > 1)} {numbers}; the figures are those of the others"
        if len(places) == len(comparison.of(metric)[names[0]]):
            those = "any fold"
        lines.append(f"{', '.join(names)}: {metric} is not a number in {those}.")
    return lines


def region_of(
    comparison: Comparison, metric: str, region: float | None, reference: str | None = None
) -> float:
    """Return the half-width of the region of practical equivalence: the given one, or 0.01 or, if
    the metric has a unit, 1 % of the reference's mean.
    """
    if region is not None or not has_unit(metric):
        return 0.01 if region is None else region
    mean = comparison.results[reference or comparison.best(metric)].mean_and_std(metric).mean
    return abs(mean) / 100 if math.isfinite(mean) else 0.01


def _as_told(fold: int, comparison: Comparison) -> str:
    """Return the number of a fold, with that of its repetition if there are several."""
    if comparison.repetitions == 1:
        return str(fold)
    repetition, number = divmod(fold - 1, comparison.folds.k)
    return f"{number + 1} (repetition {repetition + 1})"


def advice_of(comparison: Comparison, model: str, metric: str = "accuracy") -> str:
    """Return what the Monte-Carlo error of a model's mean implies for the number of its executions.

    >>> from practica.evaluation import compare
    >>> comparison = compare(
    ...     ["knn:1"], [[0.0], [0.1], [1.0], [1.1]], ["a", "a", "b", "b"], [1, 2, 1, 2]
    ... )
    >>> advice_of(comparison, "knn:1")
    'trained once per fold, since training again gives the same model'
    """
    variance = comparison.results[model].variance(metric)
    if comparison.results[model].deterministic:
        return "trained once per fold, since training again gives the same model"
    if math.isnan(variance.monte_carlo_error):
        return "one execution does not show what depends on the seed; use more"
    if variance.sigma_executions == 0:
        return f"all {variance.executions} executions of a fold have the same value: one is enough"
    share = "and the std is 0"
    if variance.std > 0:
        part = variance.monte_carlo_error / variance.std
        share = f"{f'{part:.0%}' if part >= 0.005 else 'less than 1%'} of the std"
    error = f"other seeds move the mean by some ±{variance.monte_carlo_error:.2g}, {share}"
    needed = variance.executions_needed(_SHARE)
    if model in below_the_rule(comparison, metric)[0]:
        return error
    if needed <= variance.executions:
        return f"{variance.executions} executions are enough to average the seeds out; {error}"
    if math.isinf(needed):
        return (
            f"{error}; the folds differ no more than the executions do, so that more of them shrink"
            " both alike"
        )
    return f"{error}; {needed:.0f} executions would bring it to {_SHARE:.0%}"


def as_csv(comparisons: Mapping[str, Comparison]) -> str:
    """Return every score as a long table: table, model, fold, execution, metric, score.

    `comparisons` are those of several tables, or a single one, by the name of the table. Folds and
    executions are counted from 1; fold k + 1 is the first one of the second repetition, and the
    first fold in time is not tested. A score that is not a number is left empty.
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(("table", "model", "fold", "execution", "metric", "score"))
    for table, comparison in comparisons.items():
        for model, result in comparison.results.items():
            for (fold, execution, metric), score in np.ndenumerate(result.scores):
                place = fold + 1 + result.forward, execution + 1, result.metrics[metric]
                written = float(score) if np.isfinite(score) else ""
                writer.writerow((table, model, *place, written))
    return file.getvalue()


def as_markdown(
    comparison: Comparison,
    metric: str = "accuracy",
    *,
    region: float = 0.01,
    reference: str | None = None,
) -> str:
    """Return the tables of models and of differences, and the notes, as Markdown."""
    tables = grids(comparison, metric, region=region, reference=reference)
    return markdown_of(tables, notes(comparison, metric, region=region, reference=reference))


def markdown_of(grids: Iterable[Grid], notes: Iterable[str]) -> str:
    """Return tables and notes as Markdown."""
    parts = []
    for grid in grids:
        lines = [grid.header, ("---", *("---:",) * (len(grid.header) - 1)), *grid.rows]
        cells = [
            "| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines
        ]
        parts.append("\n".join([f"**{grid.title}**", "", *cells]))
    parts.append("\n".join(f"- {note}" for note in notes))
    return "\n\n".join(parts) + "\n"


def as_latex(
    comparison: Comparison,
    metric: str = "accuracy",
    *,
    region: float = 0.01,
    reference: str | None = None,
) -> str:
    """Return the tables of models and of differences in LaTeX, each a `tabular` with the rules of
    booktabs, and the notes as comments.
    """
    tables = grids(comparison, metric, region=region, reference=reference)
    return latex_of(tables, notes(comparison, metric, region=region, reference=reference))


def latex_of(grids: Iterable[Grid], notes: Iterable[str]) -> str:
    r"""Return tables as `tabular`s with the rules of booktabs (`\usepackage{booktabs}`), and notes
    as comments.
    """
    lines = [r"% \usepackage{booktabs}"]
    for grid in grids:
        rows = [" & ".join(map(_in_latex, row)) + r" \\" for row in (grid.header, *grid.rows)]
        alignment = "l" + "r" * (len(grid.header) - 1)
        lines += [
            f"% {grid.title}",
            rf"\begin{{tabular}}{{{alignment}}}",
            r"\toprule",
            rows[0],
            r"\midrule",
        ]
        lines += [*rows[1:], r"\bottomrule", r"\end{tabular}", ""]
    lines += [f"% {note}" for note in notes]
    return "\n".join(lines) + "\n"


_LATEX = {
    "\\": r"\textbackslash{}",
    **{symbol: f"\\{symbol}" for symbol in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    "σ": r"$\sigma$",
    "χ": r"$\chi$",
    "²": r"$^2$",
    "<": "$<$",
    ">": "$>$",
    "−": "$-$",
}


def _in_latex(text: str) -> str:
    signed = text[:1] in "+-" and text[1:2].isdigit()
    return f"${text}$" if signed else "".join(_LATEX.get(symbol, symbol) for symbol in text)


def joined_notes(by_metric: Mapping[str, Sequence[str]]) -> list[str]:
    """Join the notes on several metrics: first those on a single metric, with its name, then the
    common ones.

    >>> joined_notes(
    ...     {"accuracy": ["1 is enough.", "p: a test."], "F1": ["9 are enough.", "p: a test."]}
    ... )[:3]
    ['accuracy: 1 is enough.', 'F1: 9 are enough.', 'p: a test.']
    >>> joined_notes({"F1": ["9 are enough."]})
    ['9 are enough.']
    """
    every = list(by_metric.values())
    of_all = [line for line in every[0] if all(line in lines for lines in every)]
    of_one = [
        f"{metric}: {line}"
        for metric, lines in by_metric.items()
        for line in lines
        if line not in of_all
    ]
    return [*of_one, *of_all, *([OF_METRICS] if len(every) > 1 else [])]


def grids(
    comparison: Comparison,
    metric: str = "accuracy",
    *,
    region: float = 0.01,
    reference: str | None = None,
) -> list[Grid]:
    """Return the tables of models and of differences; of a single model only the first."""
    against = difference_grid(comparison, metric, region=region, reference=reference)
    both = [model_grid(comparison, metric), against]
    return [grid for grid in both if grid.rows]


def suite_grids(suite: Suite, reference: str | None = None) -> list[Grid]:
    """Return the table of each model's means and ranks, and the table of its pairs with the
    reference.
    """
    rows = [
        (name, *(f"{value:.4f}" for value in row))
        for name, row in zip(suite.tables, suite.values, strict=True)
    ]
    ranks = ("mean rank", *(f"{rank:.2f}" for rank in suite.ranks.mean(axis=0)))
    pairs = [
        (
            pair.model,
            _number(pair.difference, signed="+"),
            _number(pair.ranks, 2, signed="+"),
            _p_value(pair.wilcoxon),
            _p_value(pair.holm),
        )
        for pair in suite.pairs(reference)
    ]
    header = ("model", "difference", "ranks", "Wilcoxon p", "Holm p")
    title = f"{suite.metric}, means over the folds of {len(suite.tables)} tables"
    against = f"{suite.metric} against {reference or f'the best mean rank, {suite.best}'}"
    return [Grid(title, ("table", *suite.models), [*rows, ranks]), Grid(against, header, pairs)]


def suite_notes(suite: Suite, reference: str | None = None) -> list[str]:
    """Return the note with Friedman's test, and those that explain the tables of a suite."""
    statistic, p_value = suite.friedman()
    lines = []
    if not math.isnan(statistic):
        verdict = (
            "some models differ" if p_value < 0.05 else "no difference between the models is found"
        )
        lines.append(
            f"Friedman: χ² = {statistic:.2f}, p = {p_value:.4g}, by permuting the ranks of each"
            f" table: {verdict}."
        )
    adjusted = _adjusted_for(suite.models, reference)
    lines.append(
        "Wilcoxon p: signed ranks of the differences on the tables, exact; Holm p: adjusted for"
        f" {adjusted}."
    )
    lines += [
        f"{pair.model}: no Wilcoxon p; it equals {pair.reference} on all tables."
        for pair in suite.pairs(reference)
        if math.isnan(pair.wilcoxon)
    ]
    smallest = 2.0 ** (1 - len(suite.tables))
    if smallest > 0.05:
        lines.append(
            f"{len(suite.tables)} tables are too few for a difference between two models: no"
            f" Wilcoxon p can be below {smallest:.4g}."
        )
    elif len(suite.tables) < 10:
        lines.append(
            f"{len(suite.tables)} tables are few: these tests find only large differences with"
            " fewer than ten."
        )
    return lines


def _adjusted_for(models: Collection[str], reference: str | None) -> str:
    """Return the words that say for how many tests the p-values are adjusted."""
    if len(models) == 2:
        return "the one test there is"
    if reference is not None:
        return AGAINST_ONE.format(reference=reference)
    return ALL_PAIRS.format(pairs=math.comb(len(models), 2))


def _number(value: float, digits: int = 4, signed: str = "") -> str:
    return "" if math.isnan(value) else f"{value:{signed}.{digits}f}"


def _pair(mean: float, std: float, digits: int) -> str:
    return "" if math.isnan(mean) else f"{mean:.{digits}f} ± {std:.{digits}f}"


def _p_value(value: float) -> str:
    return "" if math.isnan(value) else "<0.0001" if value < 0.0001 else f"{value:.4f}"
