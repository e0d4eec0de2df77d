"""`cv` and `compare` take the same data and the same models, and what has one name has one
figure.
"""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from lanes import one_in

from practica.cli import main

QUICK = ["--folds", "3", "--executions", "1", "--epochs", "2", "--seed", "1"]
MINE = (
    "from sklearn.neighbors import KNeighborsClassifier\ndef own():\n    return"
    " KNeighborsClassifier(3)\n"
)


@pytest.mark.parametrize(
    "models",
    [
        ["--model", "knn:3", "--model", "svm:C=2,kernel=rbf"],
        ["--models", "knn,forest"],
        ["--model", "ann:3", "--model", "own=vocabulary:own", "--models", "majority,knn"],
    ],
)
@pytest.mark.parametrize("data", one_in(2, ["file", "iris"]))
def test_both_commands_take_the_same_data_and_models(tmp_path, monkeypatch, data, models):
    """A data set or a file, each model for itself or names in a list: the scores are the same."""
    monkeypatch.chdir(tmp_path)
    Path("vocabulary.py").write_text(MINE)
    rows = [f"{i * i % 17},{i % 5},{'rose' if i % 3 else 'daisy'}" for i in range(36)]
    Path("t.csv").write_text("\n".join(["a,b,kind", *rows, ""]))
    given = ["iris"] if data == "iris" else ["t.csv", "--target", "kind"]
    scores = []
    for command in ("cv", "compare"):
        done = CliRunner().invoke(
            main, [command, *given, *models, *QUICK, "--json", f"{command}.json"]
        )
        assert done.exit_code == 0, done.output
        found = json.loads(Path(f"{command}.json").read_text())["models"]
        scores.append({name: model["mean"]["accuracy"] for name, model in found.items()})
    assert scores[0] == scores[1]
