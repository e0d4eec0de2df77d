#!/usr/bin/env python
"""Print every figure of the documents that teach evaluation beside the recomputed one.

Fail if one differs.

    .venv/bin/python scripts/seed_figures.py                           seconds
    .venv/bin/python scripts/seed_figures.py --house-prices FILE.csv   and those of document 003;
    minutes

The documents are named by number: 000 performance measures with Gaussian classifiers, 001 slides on
evaluation, 002 slides on measures of classifiers, 003 an article on validation. The data of the
last one cannot be shipped; FILE is the article's `House_Price_Regression.csv`.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import _installed  # noqa: F401 - it says what to do first
import numpy as np
import pandas as pd
from scipy import special, stats
from scipy.spatial import distance
from sklearn import metrics
from sklearn import model_selection as selection
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.utils import resample

from practica import evaluation

Splits: TypeAlias = "Iterable[tuple[Any, Any]]"

# a double printed in full is compared to this many digits: its last bits are the order of a sum
SIGNIFICANT = 12


@dataclass(frozen=True)
class Figure:
    """Numbers that a document prints, and the function that computes them again."""

    document: str
    item: str
    printed: str
    compute: Callable[[], Any]
    fault: str = ""  # why the printed number is wrong and is not to be reproduced
    # of what the order of equally near neighbours can give
    limits: Callable[[], tuple[float, float]] | None = None

    def recomputed(self) -> str:
        """Return the recomputed numbers with as many decimals as the printed ones."""
        texts = self.printed.split()
        numbers = np.ravel(self.compute()).tolist()
        return " ".join(
            f"{number:.{decimals(text)}f}" for number, text in zip(numbers, texts, strict=True)
        )

    def verdict(self, recomputed: str) -> str:
        """Return "equal", "DIFFERS", that ties make the difference, or the fault of the printed
        number.
        """
        if self.fault:
            return self.fault
        pairs = zip(self.printed.split(), recomputed.split(), strict=True)
        if all(same_digits(*pair) for pair in pairs):
            return "equal"
        if self.limits is not None:
            low, high = self.limits()
            if low < high and low <= float(self.printed) <= high:
                return f"equal but for ties between neighbours: {low:.6g} to {high:.6g}"
        return "DIFFERS"


def decimals(text: str) -> int:
    """Count the digits after the point."""
    return len(text.partition(".")[2])


def same_digits(printed: str, recomputed: str) -> bool:
    """Return whether two numbers agree in all the digits printed, up to the twelfth."""
    if sum(character.isdigit() for character in printed.lstrip("-0.")) <= SIGNIFICANT:
        return printed == recomputed
    return math.isclose(float(printed), float(recomputed), rel_tol=10.0**-SIGNIFICANT)


# --- 000: a Gaussian classifier on breast cancer, a linear regression on diabetes -----------------


class GaussianClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Bayes' rule with a normal density of each class, of full covariance or, naively, with its
    diagonal alone.

    The covariance of the breast cancer data is singular to working precision. What lies outside the
    space of a class has density 0 there, and the document's figures rest on it;
    `QuadraticDiscriminantAnalysis` refuses such data.
    """

    def __init__(self, naive: bool = False) -> None:
        self.naive = naive

    def fit(self, X: Any, y: Any) -> GaussianClassifier:
        """Estimate the mean, the covariance and the frequency of each class."""
        self.classes_ = np.unique(y)
        self.densities_ = [self._density(X[y == label]) for label in self.classes_]
        self.log_priors_ = np.log([np.mean(y == label) for label in self.classes_])
        return self

    def _density(self, X: Any) -> Any:
        covariance = np.diag(X.var(axis=0, ddof=1)) if self.naive else np.cov(X, rowvar=False)
        return stats.multivariate_normal(X.mean(axis=0), covariance, allow_singular=True)

    def predict_proba(self, X: Any) -> Any:
        """Return the probability of each class."""
        return special.softmax(self._log_joint(X), axis=1)

    def predict(self, X: Any) -> Any:
        """Return the most probable class."""
        return self.classes_[self._log_joint(X).argmax(axis=1)]

    def _log_joint(self, X: Any) -> Any:
        return (
            np.column_stack([density.logpdf(X) for density in self.densities_]) + self.log_priors_
        )


@functools.cache
def cancer() -> Any:
    """Return X for training and test, and y for both."""
    return selection.train_test_split(
        *load_breast_cancer(return_X_y=True), random_state=0, test_size=0.2
    )


@functools.cache
def cancer_model() -> GaussianClassifier:
    """Train the Gaussian classifier once for all its figures."""
    X, _, y, _ = cancer()
    return GaussianClassifier().fit(X, y)


def of_cancer(score: Callable[..., Any], **options: Any) -> Any:
    """Score its predictions of the test set."""
    _, X, _, y = cancer()
    return score(y, cancer_model().predict(X), **options)


def cancer_probabilities() -> tuple[Any, Any]:
    """Return the targets of the test set and the probabilities of its classes."""
    _, X, _, y = cancer()
    return y, cancer_model().predict_proba(X)


def area_under_curve() -> float:
    """Integrate the ROC curve of the second class."""
    y, probabilities = cancer_probabilities()
    false_positives, true_positives, _ = metrics.roc_curve(y, probabilities[:, 1])
    return float(metrics.auc(false_positives, true_positives))


def validation_recall(naive: bool) -> Any:
    """Return the recall of both classes on a validation set of 30 % of the training set."""
    X, _, y, _ = cancer()
    X, X_validation, y, y_validation = selection.train_test_split(
        X, y, random_state=0, test_size=0.3
    )
    model = GaussianClassifier(naive).fit(X, y)
    return metrics.recall_score(y_validation, model.predict(X_validation), average=None)


def refitted_recall() -> Any:
    """Return the recall on the test set after training with training and validation set
    together.
    """
    X, X_test, y, y_test = cancer()
    parts = selection.train_test_split(X, y, random_state=0, test_size=0.3)
    model = GaussianClassifier().fit(np.concatenate(parts[:2]), np.concatenate(parts[2:]))
    return metrics.recall_score(y_test, model.predict(X_test), average=None)


def folds_recall(naive: bool) -> Any:
    """Return the mean over five folds of the recall of both classes."""
    X, _, y, _ = cancer()

    def recall(training: Any, test: Any) -> Any:
        model = GaussianClassifier(naive).fit(X[training], y[training])
        return metrics.recall_score(y[test], model.predict(X[test]), average=None)

    return np.mean(
        [recall(*split) for split in selection.KFold(shuffle=True, random_state=0).split(X)], axis=0
    )


@functools.cache
def diabetes() -> tuple[Any, Any]:
    """Return the targets of a test set and the outputs of a linear regression."""
    X, X_test, y, y_test = selection.train_test_split(
        *load_diabetes(return_X_y=True), random_state=0, test_size=0.2
    )
    return y_test, LinearRegression().fit(X, y).predict(X_test)


# --- 001 and 002: a table of three classes, and what a memory learns of flipped coins -------------

TABLE = np.array([[88, 10, 2], [14, 40, 6], [18, 10, 12]])  # rows are real


def of_table(score: Callable[..., Any], **options: Any) -> Any:
    """Score targets and outputs with that confusion matrix."""
    real, predicted = np.indices(TABLE.shape).reshape(2, -1).repeat(TABLE.ravel(), axis=1)
    return score(real, predicted, **options)


class Memory(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Predicts the label that it was given for a pattern, and a constant for any other pattern."""

    def fit(self, X: Any, y: Any) -> Memory:
        """Remember every pattern."""
        self.classes_ = np.array([0, 1])
        self.answers_ = dict(zip(map(bytes, X), y.tolist(), strict=True))
        return self

    def predict(self, X: Any) -> Any:
        """Recall, or say 0."""
        return np.array([self.answers_.get(bytes(row), 0) for row in X])


def coins(N: int = 100) -> tuple[Any, Any]:
    """Return N patterns, each unlike the others, and as many heads as tails."""
    return np.arange(N)[:, np.newaxis], np.arange(N) % 2


@functools.cache
def memory_errors() -> Any:
    """Estimate the error of a memory on coins."""
    return evaluation.bootstrap_errors(Memory(), *coins(), random_state=1)


def leave_one_out_error() -> float:
    """Return the error that leaving one out finds in the rule of the majority."""
    X, y = coins()
    folds = selection.PredefinedSplit(evaluation.leave_one_out(len(y)) - 1)
    return float(
        metrics.zero_one_loss(
            y,
            selection.cross_val_predict(DummyClassifier(strategy="most_frequent"), X, y, cv=folds),
        )
    )


FIGURES = (
    Figure("000", "accuracy", "0.8947", lambda: of_cancer(metrics.accuracy_score)),
    Figure("000", "confusion matrix", "39 8 4 63", lambda: of_cancer(metrics.confusion_matrix)),
    Figure("000", "recall", "0.8298 0.9403", lambda: of_cancer(metrics.recall_score, average=None)),
    Figure(
        "000",
        "precision",
        "0.9070 0.8873",
        lambda: of_cancer(metrics.precision_score, average=None),
    ),
    Figure(
        "000", "F1", "0.8667 0.9130", lambda: of_cancer(metrics.fbeta_score, beta=1, average=None)
    ),
    Figure(
        "000", "macro-recall", "0.8850", lambda: of_cancer(metrics.recall_score, average="macro")
    ),
    Figure(
        "000",
        "macro-precision",
        "0.8972",
        lambda: of_cancer(metrics.precision_score, average="macro"),
    ),
    Figure(
        "000",
        "macro-F1, the mean of the F1s",
        "0.8899",
        lambda: of_cancer(evaluation.macro_f1_mean_of_f1s),
    ),
    Figure("000", "cross-entropy", "2.1071", lambda: metrics.log_loss(*cancer_probabilities())),
    Figure("000", "area under the ROC curve", "0.9540", area_under_curve),
    Figure(
        "000", "mean squared error", "3424.2593", lambda: metrics.mean_squared_error(*diabetes())
    ),
    Figure(
        "000", "mean absolute error", "46.1736", lambda: metrics.mean_absolute_error(*diabetes())
    ),
    Figure(
        "000",
        "mean percentage error",
        "0.3805",
        lambda: metrics.mean_absolute_percentage_error(*diabetes()),
    ),
    Figure("000", "R²", "0.3322", lambda: metrics.r2_score(*diabetes())),
    Figure("000", "validation, recall", "0.9615 0.8824", lambda: validation_recall(naive=False)),
    Figure(
        "000", "validation, recall, naive", "0.8654 0.9765", lambda: validation_recall(naive=True)
    ),
    Figure("000", "recall after refitting", "0.8298 0.9403", refitted_recall),
    Figure("000", "5 folds, recall", "0.8903 0.9174", lambda: folds_recall(naive=False)),
    Figure("000", "5 folds, recall, naive", "0.8260 0.9785", lambda: folds_recall(naive=True)),
    Figure(
        "001",
        "interval of 75 % of 1000",
        "0.732 0.767",
        lambda: evaluation.wilson_interval(0.75, 1000, z=1.28),
    ),
    Figure(
        "001",
        "interval of 75 % of 100",
        "0.691 0.801",
        lambda: evaluation.wilson_interval(0.75, 100, z=1.28),
    ),
    Figure(
        "001",
        "interval of 75 % of 10",
        "0.549 0.881",
        lambda: evaluation.wilson_interval(0.75, 10, z=1.28),
    ),
    Figure("001", "error of a majority, leaving one out", "1.00", leave_one_out_error),
    Figure("001", "error of a memory, .632", "0.316", lambda: memory_errors().error_632),
    Figure("001", "its true error, .632+", "0.500", lambda: memory_errors().error_632_plus),
    Figure("001", "t exceeded by .5 %, 9 degrees", "3.25", lambda: stats.t.isf(0.005, 9)),
    Figure("001", "Cohen's kappa, 58/118", "0.4915", lambda: of_table(metrics.cohen_kappa_score)),
    Figure(
        "001",
        "mean cost, 0 and 1",
        "0.30",
        lambda: of_table(evaluation.mean_cost, costs=1 - np.eye(3)),
    ),
    Figure("002", "average accuracy", "0.800", lambda: of_table(evaluation.average_accuracy_score)),
    Figure("002", "accuracy", "0.700", lambda: of_table(metrics.accuracy_score)),
    Figure(
        "002",
        "micro-precision",
        "0.700",
        lambda: of_table(metrics.precision_score, average="micro"),
    ),
    Figure("002", "micro-recall", "0.700", lambda: of_table(metrics.recall_score, average="micro")),
    Figure("002", "micro-F1", "0.700", lambda: of_table(metrics.f1_score, average="micro")),
    Figure(
        "002",
        "macro-F1, of the macro means",
        "0.6401",
        lambda: of_table(evaluation.macro_f1_of_macro_means),
    ),
    Figure(
        "002",
        "macro-F1, the mean of the F1s",
        "0.6222",
        lambda: of_table(evaluation.macro_f1_mean_of_f1s),
    ),
    Figure(
        "003", "kappa, uniform chance", "0.550", lambda: of_table(evaluation.uniform_kappa_score)
    ),
)


# --- 003: nearest neighbours on house prices ------------------------------------------------------

HOUSE_COLUMNS = [
    "no_of_bedrooms",
    "no_of_bathrooms",
    "latitude",
    "longitude",
    "price",
    "size_in_m_2",
    "balcony_recode",
    "private_garden_recode",
    "quality_recode",
]
NOT_TESTED = "printed by code that never tests one row"
BROADCAST = "printed by code that compares a vector with a column"


def house_prices(path: Path) -> pd.DataFrame:
    """Read the columns that the article uses."""
    table = pd.read_csv(path)
    missing = [name for name in HOUSE_COLUMNS if name not in table]
    if missing:
        raise SystemExit(
            f"{path} has no column {missing[0]}; it must have {', '.join(HOUSE_COLUMNS)}"
        )
    return table[HOUSE_COLUMNS]


NEIGHBOURS = 10


def squared_error(houses: pd.DataFrame, splits: Splits) -> float:
    """Return the mean over the splits of the mean squared error of the price."""
    X, y = houses.drop(columns="price"), houses["price"]
    scores = selection.cross_val_score(
        KNeighborsRegressor(NEIGHBOURS), X, y, cv=splits, scoring="neg_mean_squared_error"
    )
    return float(-scores.mean())


def hit_rate(houses: pd.DataFrame, splits: Splits) -> float:
    """Return the mean over the splits of the accuracy of the quality."""
    X, y = houses.drop(columns="quality_recode"), houses["quality_recode"]
    return float(
        selection.cross_val_score(
            KNeighborsClassifier(NEIGHBOURS), X, y, cv=splits, scoring="accuracy"
        ).mean()
    )


def limits(
    houses: pd.DataFrame, column: str, splits: Splits, of_row: Callable[..., Any]
) -> tuple[float, float]:
    """Return the lowest and the highest score there can be, whichever of equally near neighbours
    are taken.
    """
    X, y = houses.drop(columns=column).to_numpy(float), houses[column].to_numpy()
    scores = []
    for training, test in selection.check_cv(splits).split(X):
        rows = []
        for distances, target in zip(distance.cdist(X[test], X[training]), y[test], strict=True):
            last = np.partition(distances, NEIGHBOURS - 1)[NEIGHBOURS - 1]
            tied = np.isclose(distances, last, rtol=1e-9)
            sure = ~tied & (distances < last)
            rows.append(
                of_row(
                    y[training][sure],
                    y[training][tied],
                    NEIGHBOURS - np.count_nonzero(sure),
                    target,
                )
            )
        scores.append(np.mean(rows, axis=0))
    low, high = np.mean(scores, axis=0)
    return float(low), float(high)


def limits_of_error(sure: Any, tied: Any, missing: int, price: float) -> tuple[float, float]:
    """Return the limits of the squared error of one price if some of its tied neighbours are
    missing.
    """
    ordered = np.sort(tied)
    low, high = (
        (sure.sum() + some.sum()) / NEIGHBOURS
        for some in (ordered[:missing], ordered[len(ordered) - missing :])
    )
    return (np.clip(price, low, high) - price) ** 2, max((low - price) ** 2, (high - price) ** 2)


def limits_of_hit(sure: Any, tied: Any, missing: int, quality: Any) -> tuple[bool, bool]:
    """Return whether a quality is surely right, and whether it may be.

    Equal votes may go either way.
    """
    labels = {*sure.tolist(), *tied.tolist(), quality}
    fewest: dict[Any, int] = {}
    most: dict[Any, int] = {}
    for label in labels:
        votes, own = int((sure == label).sum()), int((tied == label).sum())
        fewest[label] = votes + max(0, missing - (len(tied) - own))
        most[label] = votes + min(missing, own)
    others = [label for label in labels if label != quality]
    return (
        fewest[quality] > max((most[label] for label in others), default=0),
        most[quality] >= max((fewest[label] for label in others), default=0),
    )


def first_rows(N: int) -> Splits:
    """Train with the first ones as the article's code does, which is one row more than its text
    says.
    """
    positions = np.arange(N)
    size = math.floor(0.75 * N) + 1
    return [(positions[:size], positions[size:])]


def random_rows(N: int, seeds: Iterable[int]) -> Splits:
    """Draw three quarters of the rows for each seed."""
    rows = pd.Series(np.arange(N))
    training = [rows.sample(frac=0.75, random_state=seed) for seed in seeds]
    return [(drawn.to_numpy(), rows.drop(drawn.index).to_numpy()) for drawn in training]


def quantile_rows(N: int, times: int) -> Splits:
    """Divide shuffled rows between quantiles, so that every one is tested once."""
    generator = np.random.RandomState(123)
    limits = np.arange(11) * N // 10
    positions = np.arange(N)
    shuffles = (resample(positions, replace=False, random_state=generator) for _ in range(times))
    tests = (
        shuffled[low:high] for shuffled in shuffles for low, high in itertools.pairwise(limits)
    )
    return [(np.setdiff1d(positions, test), test) for test in tests]


def house_figures(houses: pd.DataFrame) -> Iterator[Figure]:
    """List the article's figures."""
    N = len(houses)
    seeds = np.random.RandomState(123).randint(9999999, size=1000)
    ten = selection.KFold(10, shuffle=True, random_state=123)
    hundred_times_ten = selection.RepeatedKFold(n_repeats=100, n_splits=10, random_state=123)
    rows: Sequence[tuple[str, Any, str, str]] = [
        ("first rows", first_rows(N), "2176125958588.6355", "0.5609243697478992"),
        ("random rows", random_rows(N, [123]), "2464363295205.937", "0.5777310924369747"),
        (
            "random rows, 1000 times",
            random_rows(N, seeds),
            "2297076499859.55",
            "0.5516638655462184",
        ),
        ("leave one out", selection.LeaveOneOut(), "2268581861335.2305", "0.5511811023622047"),
        ("quantile folds", quantile_rows(N, 1), "2220503635404.005", "0.5363984159477089"),
        (
            "quantile folds, 100 times",
            quantile_rows(N, 100),
            "2268486279605.6816",
            "0.5371267212075105",
        ),
        ("10 folds", ten, "2220103512647.2095", "0.5606558280518048"),
        ("10 folds, 100 times", hundred_times_ten, "2269036673148.278", "0.554644943510609"),
    ]
    for name, splits, error, hits in rows:
        for item, printed, compute, fault, column, of_row in (
            ("ECM", error, squared_error, NOT_TESTED, "price", limits_of_error),
            ("TAC", hits, hit_rate, BROADCAST, "quality_recode", limits_of_hit),
        ):
            score = functools.partial(compute, houses, splits)
            bounds = functools.partial(limits, houses, column, splits, of_row)
            yield Figure(
                "003",
                f"{name}, {item}",
                printed,
                score,
                fault if "quantile" in name else "",
                bounds,
            )


def report(figures: Iterable[Figure]) -> int:
    """Print each figure as soon as it is computed; return how many differ."""
    print(f"{'':4}{'item':<38}{'printed':<22}{'recomputed':<22}")
    differ = 0
    for figure in figures:
        recomputed = figure.recomputed()
        verdict = figure.verdict(recomputed)
        differ += verdict == "DIFFERS"
        print(
            f"{figure.document:4}{figure.item:<38}{figure.printed:<22}{recomputed:<22}{verdict}",
            flush=True,
        )
    return differ


def main() -> None:
    """Compare them all."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--house-prices", type=Path, metavar="FILE", help="the article's House_Price_Regression.csv"
    )
    options = parser.parse_args()
    differ = report(FIGURES)
    if options.house_prices is None:
        print(
            "\nNot computed: the 16 figures of house prices in 003. They need --house-prices FILE."
        )
    else:
        print()
        differ += report(house_figures(house_prices(options.house_prices)))
    if differ:
        sys.exit(f"\n{differ} figures differ")
    print("\nEvery figure computed is the printed one, or says why not.")


if __name__ == "__main__":
    main()
