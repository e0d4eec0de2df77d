"""Each option that a refusal or a note names helps: doing what it says ends with a result."""

import itertools
import re
import runpy
import shlex
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner
from lanes import one_in

from practica.cli import main

SCRIPTS = Path(__file__).parents[2] / "scripts"
QUICK = {"--executions": "1", "--epochs": "2", "--seed": "1", "--folds": "3"}
OPTIONS = {
    name: each for each in main.commands["cv"].params for name in each.opts + each.secondary_opts
}
N = 36
X = [round(0.37 * i % 5, 2) for i in range(N)]
KINDS = ["up", "down", "up", "up", "down"] * N
DAYS = [f"2024-{1 + i // 28:02}-{1 + i % 28:02}" for i in range(N)]


def table(columns, separator=",", header=True):
    """Return a table of text with a class, and a number that says nothing."""
    columns = {"x": X, **columns, "kind": KINDS[:N]}
    rows = [[*columns]] * header + [*zip(*columns.values(), strict=True)]

    def written(cell):
        return f'"{cell}"' if separator in str(cell) else str(cell)

    return "\n".join([*(separator.join(map(written, row)) for row in rows), ""])


CASES = {  # the content of a file, and more options
    "semicolons": (table({"a": X}, ";"), {}),
    "semicolons and commas": (table({"a": [f"{n:.2f}".replace(".", ",") for n in X]}, ";"), {}),
    "tabs": (table({"a": X}, "\t"), {}),
    "thousands": (table({"a": [f"{1000 + 1000 * n:,.0f}" for n in X], "x": range(N)}), {}),
    "thousands and decimals": (table({"a": [f"{1000 + 1000 * n:,.2f}" for n in X]}), {}),
    "thousands in India": (table({"a": [f"{i:02},{i:02},000" for i in range(10, 46)]}), {}),
    "thousands of Europe": (table({"a": [f"1.{i}0.000,5" for i in range(10, 46)]}, ";"), {}),
    "apostrophes": (table({"a": [f"{i}'000'000" for i in range(10, 46)]}), {}),
    "numbers in a list": (table({"a": ["1,2,3", "4,5"] * 18}), {}),
    "no header": (table({"a": X}, header=False), {}),
    "numbers as names": (table({"a": X}).replace("a,x,kind", "3.1,1.5,kind"), {"--target": "kind"}),
    "holes in numbers": (table({"a": ["NA", *X[1:]]}), {}),
    "holes in texts": (table({"a": ["NA", "low", "high"] * 12}), {}),
    "a column without a name": (table({"a": X, "": ["p", "q"] * 18}), {}),
    "dates": (table({"day": DAYS}), {}),
    "dates of another order": (table({"day": [f"{d[8:]}/{d[5:7]}/{d[:4]}" for d in DAYS]}), {}),
    "some dates": (table({"day": DAYS[:18] * 2}), {}),
    "some dates of another order": (table({"day": ["31/12/2024", "01/02/2023"] * 18}), {}),
    "texts of one row each": (table({"name": [f"Ana {i}" for i in range(N)]}), {}),
    "two units": (table({"a": [f"{n} {('km', 'm')[n > 2]}" for n in X]}), {}),
    "a unit in some rows": (table({"a": [f"{n}{' km' * (n > 2)}" for n in X]}), {}),
    "Latin-1": (table({"a": ["año", "día"] * 18}).encode("latin-1"), {}),
    "few groups": (table({"owner": [f"p{i % 2}" for i in range(N)]}), {"--groups": "owner"}),
    "few times": (table({"day": [i % 3 for i in range(N)]}), {"--time": "day"}),
    "times of many rows": (table({"day": [max(0, i - 30) for i in range(N)]}), {"--time": "day"}),
    "a quantity": (table({"a": KINDS[:N]}), {"--target": "x", "--folds": "5"}),
    "a missing value as a number": (table({"a": [-999, -999, -999, *X[3:]]}), {}),
    "a large positive class": (table({"a": X, "y": ["up"] * 32 + ["down"] * 4}), {"--target": "y"}),
    "an identifier": (table({"a": [3 * i + 7 for i in range(N)]}), {}),
    "subjects": (table({"patient": [f"p{i // 3}" for i in range(N)]}), {}),
}


def outcome(command, file, options):
    """Run a command; return the sentence that refuses it, or None, and the notes."""
    done = CliRunner().invoke(main, [command, str(file), *itertools.chain(*options)])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    if done.exit_code:
        return done.stderr.partition("A model of yours")[0].replace("\n", " "), []
    return None, re.findall("^Note: .*", done.stdout, flags=re.MULTILINE)


def ways_out(said, command, options):
    """Return the command with the options of each way out that a sentence names."""
    ways = []
    for clause in re.split(r"; |\. |: |, else | or (?=--|use |leave )", said):
        way = []
        for name, value in re.findall(r"(?<!\()(--[a-z-]+)(?: ('[^']*'|\"[^\"]*\"|\S+))?", clause):
            if clause.startswith(name) and any(name == each for each, *_ in options):
                continue  # it is what is wrong
            quoted = value if value[:1] in ("'", '"') else value.rstrip(",.)")
            way.append((name,) if OPTIONS[name].is_flag else (name, *shlex.split(quoted)))
        new = {name for name, *_ in way if not OPTIONS[name].multiple}
        others = [each for each in options if each[0] not in new]
        if way:
            ways.append(("compare" if "compare" in clause else command, [*others, *way]))
    return ways


def require_a_result(command, file, options, before=()):
    """Follow each way out of a refusal to its end, and each of a note."""
    sentence, notes = outcome(command, file, options)
    assert sentence not in before
    ways = ways_out(sentence or "", command, options)
    assert ways or not (before and sentence) or "remove the rows" in sentence, sentence
    for way in ways:
        require_a_result(way[0], file, way[1], [*before, sentence])
    for note in notes:
        for way in ways_out(note, command, options):
            refused, left = outcome(way[0], file, way[1])
            assert (refused, note in left) == (None, False), note


@pytest.mark.parametrize(("content", "more"), one_in(3, CASES.values()), ids=CASES)
def test_a_way_out_leads_out(tmp_path, content, more):
    """Of a table, in `cv` and `compare`."""
    (tmp_path / "t.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    options = {"--target": "kind", "--models": "ann:2,majority", **QUICK, **more}
    for command in ("cv", "compare"):
        require_a_result(command, tmp_path / "t.csv", [*options.items()])


@pytest.mark.thorough
def test_a_way_out_leads_out_of_real_tables(tmp_path):
    """Those of `scripts/try_tables.py`."""
    script = runpy.run_path(str(SCRIPTS / "try_tables.py"))
    for _, frame in [*script["awkward"](), *script["tables"]()]:
        frame = frame.head(200)
        frame.to_csv(tmp_path / "t.csv", index=False)
        target = frame.iloc[:, -1]
        is_class = not pd.api.types.is_numeric_dtype(target) or target.nunique() <= 10
        models = "ann:2,majority" if is_class else "annr:2,mean"
        options = {"--target": str(frame.columns[-1]), "--models": models, **QUICK}
        require_a_result("compare", tmp_path / "t.csv", [*options.items()])
