"""The folds of whole groups, with every version of scikit-learn."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from practica.evaluation import fingerprint
from practica.experiments import tables
from practica.experiments.choices import Reading
from practica.experiments.fold_assignment import split_of


@pytest.fixture
def grouped(tmp_path):
    """Twelve groups of class a and eight of class b, three patterns each, mixed."""
    rows = [f"{row},g{row % 20},{'ba'[row % 5 < 3]}" for row in range(60)]
    Path(tmp_path / "grouped.csv").write_text("\n".join(["x,group,kind", *rows, ""]))
    return tables.load(str(tmp_path / "grouped.csv"), "kind", Reading(groups="group"))


@pytest.mark.parametrize("seed", range(5))
def test_folds_of_whole_groups_are_stratified(grouped, seed):
    """Each of four folds gets three groups of a and two of b."""
    folds, how = split_of(grouped, 4, seed)
    assert how == " of whole groups"
    counts = pd.crosstab(grouped.targets, folds)
    np.testing.assert_array_equal(counts, [[9] * 4, [6] * 4])


def test_a_seed_gives_the_same_folds_of_groups_with_every_version(grouped):
    """The hash is that of scikit-learn 1.6 to 1.9."""
    folds, _ = split_of(grouped, 4, 1, repeats=2)
    assert fingerprint(folds)[:16] == "35a5675268d240f5"
