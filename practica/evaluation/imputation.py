"""Imputation of missing values: medians and most frequent categories, fitted on each training part,
with indicators.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.impute import SimpleImputer

from practica.reference.arguments import Array, Positions, brief
from practica.reference.cross_validation import normalizer
from practica.reference.encoding import one_hot_encoding

__all__ = ["Imputation"]


@dataclass(frozen=True)
class Imputation:
    """A normalization that fills missing values first, for `cross_validate_executions` and
    `compare`.

    A missing number becomes the median of its column and a missing category the most frequent one,
    both of the training part of a fold. Then categories are one-hot encoded. Each column that has
    holes gets another one, after all others, which is 1 where there was a hole. At last all columns
    are normalized.

    Parameters
    ----------
    categories : sequence of int
        How many categories each column has, coded from 0; 0 for a column of numbers.
    holes : sequence of int
        Positions of the columns that get an indicator: those with a hole in any pattern.
    normalization : {"minmax", "zeromean", None}

    Notes
    -----
    The columns are a float matrix, shape (N, columns), with NaN where a value is missing.
    scikit-learn's `SimpleImputer` fills them. A column without any value in the training part
    becomes 0.

    Examples
    --------
    >>> X = np.array([[1.0, 0], [np.nan, 1], [3.0, 1], [8.0, np.nan]])
    >>> Imputation([0, 3], [0, 1])(X, np.array([0, 1, 2]))
    array([[1., 1., 0., 0., 0., 0.],
           [2., 0., 1., 0., 1., 0.],
           [3., 0., 1., 0., 0., 0.],
           [8., 0., 1., 0., 0., 1.]])
    """

    categories: Sequence[int]
    holes: Sequence[int] = ()
    normalization: str | None = None

    def __call__(self, X: Array, training: Positions) -> Array:
        """Return all patterns, shape (N, L), prepared with what the training patterns say."""
        if X.shape[1] != len(self.categories):
            raise ValueError(
                f"X has {X.shape[1]} columns, and categories={brief(list(self.categories))} has"
                " one number for each"
            )
        filled = np.empty(X.shape)
        is_text = np.array(self.categories) > 0
        for chosen, strategy in ((~is_text, "median"), (is_text, "most_frequent")):
            if chosen.any():
                imputer = SimpleImputer(strategy=strategy, keep_empty_features=True).fit(
                    X[training][:, chosen]
                )
                filled[:, chosen] = imputer.transform(X[:, chosen])
        parts = [
            (
                one_hot_encoding(filled[:, place].astype(np.int64), range(number))
                if number
                else filled[:, [place]]
            )
            for place, number in enumerate(self.categories)
        ]
        matrix = np.hstack([*parts, np.isnan(X[:, list(self.holes)])]).astype(np.float64)
        normalize = normalizer(self.normalization)
        return matrix if normalize is None else normalize(matrix, training)
