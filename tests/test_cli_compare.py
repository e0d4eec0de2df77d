"""`practica compare` as a user types it: folds that are kept, tables, files, and refusals that
teach.
"""

import json
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from lanes import one_in

from practica import evaluation
from practica.cli import main
from practica.evaluation import fingerprint, load_comparison, read_folds
from practica.evaluation.specs import KINDS
from practica.experiments import choices
from practica.reference.cross_validation import NORMALIZATIONS

QUICK = ["--folds", "3", "--executions", "2", "--epochs", "3", "--seed", "4"]
MODELS = ["--model", "ann:3", "--model", "knn:1", "--model", "majority"]


@pytest.fixture
def compare(tmp_path, monkeypatch):
    """Run the command in an empty folder with a table of 24 flowers of two kinds."""
    monkeypatch.chdir(tmp_path)
    rows = [
        f"{i % 7},{i * 0.1:.1f},{'red' if i % 3 else 'blue'},{'rose' if i % 2 else 'daisy'}"
        for i in range(24)
    ]
    (tmp_path / "flowers.csv").write_text("\n".join(["petals,height,colour,kind", *rows, ""]))

    def invoke(*arguments, data=("flowers.csv", "--target", "kind")):
        return CliRunner().invoke(main, ["compare", *data, *map(str, arguments)])

    return invoke


def without_times(output):
    """Leave out what may differ from run to run."""
    return [line for line in output.splitlines() if not line.startswith("Time: ")]


def test_the_tables_show_the_models_and_their_differences_from_the_best(compare):
    """After what was read, the folds and their hash; before what one has to know."""
    done = compare(*QUICK, *MODELS, "--rope", "0.05", "--save-folds", "folds.csv")
    assert done.exit_code == 0, done.output
    assert "flowers.csv: 24 patterns, 3 attributes, 2 classes" in done.stdout
    folds = read_folds("folds.csv")
    assert (
        f"3 folds in folds.csv, sha256 {fingerprint(folds)[:12]}…; 2 executions, seed 4"
        in done.stdout
    )
    of_models, of_differences = re.findall(r"(?<=─\n)(?:\S.*\n)+", done.stdout)
    assert {line.split()[0] for line in of_models.splitlines()} == {"ann:3", "knn:1", "majority"}
    means = [float(re.search(r"[01]\.\d+", line)[0]) for line in of_models.splitlines()]
    assert means == sorted(means, reverse=True)
    best = re.search(r"accuracy against the best, (\S+)", done.stdout)[1]
    assert {line.split()[0] for line in of_differences.splitlines()} == {
        "ann:3",
        "knn:1",
        "majority",
    } - {best}
    assert (
        "knn:1, majority: trained once per fold, since training again gives the same model."
        in done.stdout
    )
    assert "within ±0.05" in done.stdout
    assert "plain t p: assumes independent folds" in done.stdout
    assert (
        "Holm p: adjusted for all 3 pairs of models, since the best was chosen by these scores"
        in done.stdout
    )
    assert done.stderr == ""


def test_a_comparison_goes_on_from_its_record(compare):
    """What is there is not trained again, whichever seed was drawn."""
    options = ["--folds", "3", "--executions", "2", "--epochs", "3", "--json", "out.json"]
    assert compare(*options, "--model", "ann:3", "--model", "knn:1").exit_code == 0
    first = json.loads(Path("out.json").read_text())
    done = compare(
        *options, "--model", "bayes", "--model", "ann:3", "--model", "knn:1", "--model", "knn:3"
    )
    assert "Not trained again, from out.json: ann:3, knn:1" in done.stdout
    second = json.loads(Path("out.json").read_text())
    assert list(second["models"]) == ["bayes", "ann:3", "knn:1", "knn:3"]
    for name, model in first["models"].items():
        assert second["models"][name] == model  # its time too
    alone = compare(
        *options[:-1],
        "alone.json",
        "--seed",
        str(first["settings"]["random_state"]),
        "--model",
        "knn:3",
    )
    assert alone.exit_code == 0
    of_alone = json.loads(Path("alone.json").read_text())["models"]["knn:3"]["scores"]
    assert second["models"]["knn:3"]["scores"] == of_alone


OWN = """
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

def own():
    encoder = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
    return make_pipeline(encoder, GaussianNB())
"""


def test_models_that_are_not_named_stay_in_the_record(compare, monkeypatch):
    """Also the user's own among others; with --overwrite, one whose source has changed is trained
    again, and other settings replace all.
    """
    monkeypatch.syspath_prepend(".")
    Path("mine.py").write_text(OWN)
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    options = [*QUICK, "--json", "out.json"]

    def record(*models):
        done = compare(*options, *(f"--model={model}" for model in models))
        assert done.exit_code == 0, done.output
        again = re.search("Not trained again, from out.json: (.*)", done.stdout)
        return json.loads(Path("out.json").read_text()), again and again[1]

    first, _ = record("knn:1", "own=mine:own")
    second, again = record("bayes")
    assert again is None
    assert second["models"] == {"bayes": second["models"]["bayes"], **first["models"]}
    assert second["settings"] | {"rule": 0} == first["settings"] | {"rule": 0}
    # which knows no normalization; the record still has that of the others
    third, again = record("own=mine:own")
    assert again == "own"
    assert (third["models"], third["settings"]) == (second["models"], second["settings"])
    assert record("knn:1", "bayes", "own=mine:own")[1] == "knn:1, bayes, own"
    Path("mine.py").write_text(f"{OWN}# another\n")
    refused = compare(*options, "--model", "own=mine:own")
    assert "another experiment (own: source " in refused.stderr
    options += ["--overwrite"]
    fourth, again = record("knn:1", "own=mine:own")
    assert again == "knn:1"
    assert fourth["models"]["own"]["source"] != first["models"]["own"]["source"]
    assert list(fourth["models"]) == ["knn:1", "own", "bayes"]
    assert list(load_comparison("out.json").results) == list(fourth["models"])
    options += ["--normalize", "none"]
    assert list(record("tree")[0]["models"]) == ["tree"]


@pytest.mark.thorough
def test_a_page_needs_no_second_training(compare):
    """Once its pictures are in the record, which keeps its other models.

    A regressor needs nothing more.
    """
    pytest.importorskip("matplotlib")
    options = [*QUICK, "--json", "out.json"]
    assert compare(*options, "--model", "knn:1", "--model", "bayes").exit_code == 0
    models = ["--model", "bayes", "--model", "ann:3"]
    assert "Not trained again" not in compare(*options, *models, "--html", "out.html").stdout
    assert list(load_comparison("out.json").results) == ["bayes", "ann:3", "knn:1"]

    def page():  # matplotlib's names within pictures are new each time
        return re.sub('base64,[^"]*', "", Path("out.html").read_text(encoding="utf-8"))

    first, record = page(), Path("out.json").read_text(encoding="utf-8")
    done = compare(*options, *models, "--html", "out.html")
    assert "Not trained again, from out.json: bayes, ann:3" in done.stdout
    assert Path("out.json").read_text(encoding="utf-8") == record
    assert page() == first
    data, options = ("flowers.csv", "--target", "height"), [*QUICK, "--json", "mean.json"]
    assert compare(*options, "--model", "mean", data=data).exit_code == 0
    done = compare(*options, "--model", "mean", "--html", "out.html", data=data)
    assert done.exit_code == 0, done.output
    assert "Not trained again, from mean.json: mean" in done.stdout


def test_a_reference_that_is_named_needs_fewer_tests(compare):
    """The title and the line below say so.

    One that is no model is refused before anything is trained.
    """
    done = compare(*QUICK, *MODELS, "--reference", "majority")
    assert "accuracy against majority" in done.stdout
    assert (
        "Holm p: adjusted for all the models, each tested against majority, which was named"
        in done.stdout
    )
    assert (
        "probabilities, equal being within ±0.01, not adjusted for the number of models"
        in done.stdout
    )
    refused = compare(*QUICK, *MODELS, "--reference", "majorty")
    assert "--reference majorty: there is no such model; did you mean 'majority'?" in refused.stderr


def test_the_record_repeats_the_tests(compare):
    """Every score, the folds, the settings and what was compared."""
    files = ["--json", "out.json", "--save-folds", "folds.csv"]
    assert compare(*QUICK, *MODELS, *files).exit_code == 0
    comparison = load_comparison("out.json")
    assert list(comparison.results) == ["ann:3", "knn:1", "majority"]
    assert comparison.settings == {
        "n_executions": 2,
        "normalization": "zeromean",
        "random_state": 4,
    }
    assert comparison.results["ann:3"].scores.shape == (3, 2, 7)
    assert "maxEpochs=3" in comparison.descriptions["ann:3"]
    np.testing.assert_array_equal(comparison.crossValidationIndices, read_folds("folds.csv"))
    record = json.loads(Path("out.json").read_text(encoding="utf-8"))
    assert record["data"]["attributes"] == ["petals", "height", "colour=blue"]
    assert record["sha256"] == fingerprint(comparison.crossValidationIndices)
    assert set(record["versions"]) == {"practica", "python", "numpy", "torch", "scikit-learn"}


def test_the_same_seed_prints_and_writes_the_same(compare):
    """Also the tables in files; another seed draws other folds."""
    files = ["--markdown", "out.md", "--latex", "out.tex", "--csv", "out.csv"]
    first = compare(*QUICK, *MODELS, *files, "--save-folds", "folds.csv")
    texts = [Path(path).read_text(encoding="utf-8") for path in files[1::2]]
    again = compare(*QUICK, *MODELS, *files, "--save-folds", "folds.csv")
    assert without_times(first.stdout) == without_times(again.stdout)
    assert [Path(path).read_text(encoding="utf-8") for path in files[1::2]] == texts
    other = compare(*QUICK, *MODELS, "--seed", "5", "--save-folds", "other.csv")
    assert fingerprint(read_folds("other.csv")) != fingerprint(read_folds("folds.csv"))
    assert without_times(other.stdout) != without_times(first.stdout)


def test_the_model_of_next_week_is_tested_on_the_folds_of_this_one(compare):
    """It has the scores that it would have had, and the two records can be put together."""
    compare(*QUICK, *MODELS, "--json", "first.json", "--save-folds", "folds.csv")
    done = compare("--executions", 2, "--epochs", 3, "--seed", 4, "--folds-file", "folds.csv",
                   "--model", "ann:3", "--model", "bayes", "--json", "second.json")  # fmt: skip
    assert done.exit_code == 0, done.output
    first, second = load_comparison("first.json"), load_comparison("second.json")
    np.testing.assert_array_equal(second.results["ann:3"].scores, first.results["ann:3"].scores)
    together = type(first)({**first.results, **second.results})
    assert len(together.differences()) == 3


def test_a_network_has_the_scores_of_cv_whose_record_can_be_tested_too(compare):
    """The same seed, the same folds, the same networks."""
    done = CliRunner().invoke(
        main,
        ["cv", "flowers.csv", "--target", "kind", *QUICK, "--topology", "3", "--json", "cv.json"],
    )
    assert done.exit_code == 0, done.output
    compare(*QUICK, *MODELS, "--json", "out.json")
    of_cv, of_compare = load_comparison("cv.json"), load_comparison("out.json")
    np.testing.assert_array_equal(of_cv.results["ann"].scores, of_compare.results["ann:3"].scores)
    assert not of_cv.results["ann"].deterministic
    assert of_cv.results["knn"].deterministic
    assert len(of_cv.differences("F1")) == 4


def test_other_folds_are_never_overwritten(compare):
    """The comparison of last week hangs on them."""
    kept_in = ["--save-folds", "folds.csv"]
    compare(*QUICK, *MODELS, *kept_in)
    kept = Path("folds.csv").read_text(encoding="utf-8")
    done = compare(*QUICK, *MODELS, "--seed", "5", *kept_in)
    assert done.exit_code == 2
    assert (
        "folds.csv keeps other folds; compare on those with --folds-file folds.csv" in done.stderr
    )
    assert Path("folds.csv").read_text(encoding="utf-8") == kept


def test_a_comparison_that_fails_keeps_no_folds(compare, tmp_path):
    """The next one can draw its own."""
    assert compare(*QUICK, "--model", "knn:99", "--save-folds", "folds.csv").exit_code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["flowers.csv"]


def test_a_second_table_in_one_folder_is_compared_as_the_first(compare, tmp_path):
    """Folds are written only where the user says so: the seed repeats them."""
    Path("other.csv").write_text("x,c\n" + "".join(f"{i},{'ab'[i % 2]}\n" for i in range(20)))
    for data in (["flowers.csv", "--target", "kind"], ["other.csv", "--target", "c"]):
        done = compare(*QUICK, "--model", "majority", data=data)
        assert done.exit_code == 0, done.output
        assert "3 folds, 2 executions, seed 4" in done.stdout
    assert {path.name for path in tmp_path.iterdir()} == {"flowers.csv", "other.csv"}


@pytest.mark.parametrize(("metric", "labels"), [("roc_auc", "aa"), ("roc_auc_ovr", "ab")])
def test_a_score_that_is_no_number_is_named_and_has_no_test(compare, metric, labels):
    """The fold lacks a class.

    The rest of the tables comes, and every other score is in its file.
    """
    rows = [f"{i},{'rare' if i in (3, 8) else labels[i % 2]}\n" for i in range(20)]
    Path("few.csv").write_text("x,c\n" + "".join(rows))
    done = compare(*QUICK, "--model", "bayes", "--model", "knn:1", "--metric", metric,
                   "--json", "out.json", "--csv", "out.csv", "--plot", "out.svg",
                   "--save-folds", "folds.csv", data=["few.csv", "--target", "c"])  # fmt: skip
    assert done.exit_code == 0, done.output
    assert (
        f"bayes, knn:1: {metric} is not a number in fold 3; the figures are those of the others."
        in done.stdout
    )
    assert (
        "no test; a score of it, or of the model it is compared with, is not a number."
        in done.stdout
    )
    kept = load_comparison("out.json")
    np.testing.assert_array_equal(kept.crossValidationIndices, read_folds("folds.csv"))
    assert kept.missing(metric) == {"bayes": [3], "knn:1": [3]}
    assert f"few.csv,bayes,3,1,{metric},\n" in Path("out.csv").read_text(encoding="utf-8")


def test_a_model_that_fails_loses_none_of_those_before_it(compare, tmp_path):
    """Their scores and the folds are kept, and the sentence says so."""
    models = ["--model", "bayes", "--model", "knn:99", "--model", "ann:3"]
    done = compare(*QUICK, *models, "--json", "out.json", "--save-folds", "folds.csv")
    assert done.exit_code == 2
    assert "KNeighborsClassifier(n_neighbors=99) cannot predict" in done.stderr
    assert "out.json has what was done before: bayes" in done.stderr
    kept = load_comparison("out.json")
    assert list(kept.results) == ["bayes"]
    np.testing.assert_array_equal(kept.crossValidationIndices, read_folds("folds.csv"))


def test_a_data_set_that_is_shipped_needs_no_file(compare):
    """As in the demo."""
    done = compare(*QUICK, "--model", "bayes", "--metric", "F1", data=["iris"])
    assert done.exit_code == 0, done.output
    assert "Iris: 150 patterns" in done.stdout
    assert "F1, the same 3 folds for all models" in done.stdout
    assert "against the best" not in done.stdout


def test_a_scorer_of_scikit_learn_can_be_the_metric(compare):
    """The record has it beside the practice's seven."""
    done = compare(
        *QUICK, "--model", "knn:3", "--model", "bayes", "--metric", "roc_auc", "--json", "out.json"
    )
    assert done.exit_code == 0, done.output
    assert load_comparison("out.json").metrics[-1] == "roc_auc"


def test_each_of_several_metrics_has_the_tables_that_it_has_alone(compare):
    """They come from the same trainings.

    Notes on one of them have its name, and those on all come once.
    """
    several = compare(*QUICK, *MODELS, "--metric", "roc_auc", "--metric", "errorRate",
                      "--metric", "roc_auc", "--json", "out.json", "--csv", "out.csv",
                      "--markdown", "out.md", "--latex", "out.tex")  # fmt: skip
    assert several.exit_code == 0, several.output
    kept, rows = load_comparison("out.json"), Path("out.csv").read_text().splitlines()
    written = [
        several.stdout,
        *(Path(f"out.{form}").read_text(encoding="utf-8") for form in ("md", "tex")),
    ]
    places = []
    for metric in ("roc_auc", "errorRate"):
        alone = compare(*QUICK, *MODELS, "--metric", metric, "--json", "one.json", "--overwrite",
                        "--csv", "one.csv", "--markdown", "one.md",
                        "--latex", "one.tex")  # fmt: skip
        of_one = [
            alone.stdout,
            *(Path(f"one.{form}").read_text(encoding="utf-8") for form in ("md", "tex")),
        ]
        tables = re.findall(rf"(?m)^{metric}.*\n(?:.+\n)+", of_one[0])
        assert len(tables) == 2
        assert all(table in several.stdout for table in tables)
        places.append(several.stdout.index(tables[0]))
        figures = [
            re.findall(rf"(?m)^(?:\*\*|% ){metric}.*\n(?:\n?[|\\\w].*\n)+", text)
            for text in of_one[1:]
        ]
        assert all(len(tables) == 2 and all(table in text for table in tables)
                   for tables, text in zip(figures, written[1:], strict=True))  # fmt: skip
        of_metric, alone_too = (
            [line for line in lines if f",{metric}," in line]
            for lines in (rows, Path("one.csv").read_text().splitlines())
        )
        assert of_metric == alone_too != []
        for name, scores in load_comparison("one.json").of(metric).items():
            np.testing.assert_array_equal(kept.of(metric)[name], scores)
        assert all(f"{metric}: {name}: " in several.stdout for name in ("ann:3",))
    assert places == sorted(places)
    for text in written:
        assert text.count("plain t p: assumes independent folds") == 1
        assert text.count("no p is adjusted for their number") == 1


def test_the_positive_class_can_be_named(compare):
    """The heading says so, and f1 of scikit-learn is the practice's."""
    options = ["--model", "knn:3", "--metric", "f1", "--json", "out.json"]
    first = compare(*QUICK, *options, "--positive", "rose")
    assert "Classes: daisy 12, rose 12 (positive)" in first.stdout
    kept = load_comparison("out.json")
    assert kept.results["knn:3"].classes.tolist() == ["rose", "daisy"]
    np.testing.assert_allclose(kept.results["knn:3"].of("f1"), kept.results["knn:3"].of("F1"))
    assert "daisy 12 (positive), rose 12" in compare(*QUICK, *options[:-2]).stdout
    assert (
        "'kind' has no class 'ros'; did you mean 'rose'?"
        in compare(*QUICK, *options, "--positive", "ros").stderr
    )


def test_a_seed_is_drawn_and_shown_where_none_is_given(compare):
    """With it the same tables can be had again."""
    options = ["--folds", 3, "--executions", 2, "--epochs", 3, *MODELS]
    first = compare(*options).stdout
    seed = re.search(r"seed (\d+)", first)[1]
    assert without_times(compare(*options, "--seed", seed).stdout) == without_times(first)


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_the_plot_is_a_picture(compare, ending, tmp_path):
    """Of the metric that was asked for."""
    pytest.importorskip("matplotlib")
    done = compare(*QUICK, *MODELS, "--plot", f"out.{ending}", "--metric", "recall")
    assert done.exit_code == 0, done.output
    begins = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[ending]
    assert (tmp_path / f"out.{ending}").read_bytes().startswith(begins)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--model", "tre"], "model 'tre': there is no 'tre'; did you mean 'tree'?"),
        (
            ["--model", "tree:max_dept=3"],
            "there is no parameter 'max_dept'; did you mean 'max_depth'?",
        ),
        (["--model", "knn:3", "--model", "knn:3"], "model 'knn:3' is given twice"),
        (
            ["--model", "knn:3", "--metric", "acuracy"],
            "metric 'acuracy' is unknown; did you mean 'accuracy'?",
        ),
        (
            ["--model", "svm:C=-1"],
            "SVC(C=-1) cannot be trained: The 'C' parameter of SVC must be a float",
        ),
        (
            ["--model", "knn:99"],
            "KNeighborsClassifier(n_neighbors=99) cannot predict: Expected n_neighbors",
        ),
        (["--model", "ann:8,learningRate=0"], "learningRate=0 is out of range"),
        (
            ["--model", "bayes", "--folds-file", "short.csv"],
            "of 2 patterns, and here are 24: of other data",
        ),
        (
            ["--model", "bayes", "--folds-file", "changed.csv"],
            "changed.csv: its folds have the sha256",
        ),
        (["--model", "bayes", "--csv", "flowers.csv"], "flowers.csv is the file with the data"),
        (["--model", "bayes", "--save-folds", "flowers.csv"], "flowers.csv has no column 'fold'"),
        (
            ["--model", "bayes", "--plot", "out.gif"],
            "out.gif does not end in the name of a picture's format",
        ),
        ([], "give models: --model ann:8 --model knn:5"),
    ],
)
def test_what_cannot_be_compared_is_refused_with_a_sentence(compare, arguments, sentence, tmp_path):
    """The exit code is 2, there is no traceback, and the data stay as they are."""
    (tmp_path / "short.csv").write_text("fold\n1\n2\n")
    (tmp_path / "changed.csv").write_text(f"# sha256 {'0' * 64}\nfold\n1\n2\n")
    before = (tmp_path / "flowers.csv").read_text()
    done = compare("--folds", "3", "--seed", "1", *arguments)
    assert done.exit_code == 2, done.output
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert (tmp_path / "flowers.csv").read_text() == before


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (["iriss"], "there is no file 'iriss'; did you mean 'iris'?"),
        (
            ["other.csv"],
            (
                "there is no file 'other.csv'; the data sets that need no file are 'iris',"
                " 'breast_cancer'"
            ),
        ),
        (["flowers.csv"], "flowers.csv needs --target: the column with the class of each pattern"),
        (
            ["iris", "--target", "kind"],
            "iris is a data set with classes of its own: it takes no --target",
        ),
        (
            ["flowers.csv", "--target", "kin"],
            "flowers.csv has no column 'kin'; did you mean 'kind'?",
        ),
    ],
)
def test_data_that_cannot_be_read_are_refused_with_a_sentence(compare, data, sentence):
    """Before anything is drawn or kept."""
    done = compare("--model", "bayes", data=data)
    assert done.exit_code == 2
    assert sentence in done.stderr


@pytest.mark.parametrize("command", ["cv", "compare"])
def test_the_help_names_each_format_packing_and_data_set(command):
    """From the tables that the commands read with, as the guide does."""
    shown = " ".join(CliRunner().invoke(main, [command, "--help"]).output.split())
    assert f"the name of a data set: {', '.join(choices.SHIPPED)}." in shown
    for name in (*choices.FILES, *choices.PACKED, *choices.MISSING):
        assert name in shown
    guide = Path(evaluation.__file__).with_name("README.md").read_text(encoding="utf-8")
    for name in (*choices.FILES, *choices.PACKED):
        assert re.search(rf"(?i)\b{name.split()[-2 if ' ' in name else 0]}\b", guide), name


@pytest.mark.parametrize("command", one_in(2, ["cv", "compare"]))
def test_the_page_has_tables_and_pictures_and_needs_nothing_beside_it(compare, command):
    """ROC, precision and recall, confusion matrices, and the losses of the network.

    Names are escaped.
    """
    pytest.importorskip("matplotlib")
    data = Path("flowers.csv").read_text().replace("rose", "<b>rose")
    Path("flowers.csv").write_text(data)
    if command == "cv":
        arguments = [
            "cv",
            "flowers.csv",
            "--target",
            "kind",
            *QUICK,
            "--models",
            "ann,tree",
            "--html",
            "out.html",
        ]
        done = CliRunner().invoke(main, arguments)
    else:
        done = compare(
            *QUICK,
            *MODELS,
            "--model",
            "svm",
            "--metric",
            "accuracy",
            "--metric",
            "recall",
            "--html",
            "out.html",
        )
    assert done.exit_code == 0, done.output
    page = Path("out.html").read_text(encoding="utf-8")
    titles = re.findall("<h[23]>(.*?)</h[23]>", page)
    network = "network 8" if command == "cv" else "ann:3"
    for title in ("accuracy", "ROC", "Precision and recall"):
        assert title in titles
    assert [title for title in titles if title.startswith("Differences in ")] == (
        [] if command == "cv" else ["Differences in accuracy", "Differences in recall"]
    )
    for group in ("Confusion matrices", "Learning curves"):
        assert network in titles[titles.index(group) :]
    assert "<b>rose" not in page
    assert "&lt;b&gt;rose" in page
    assert not re.search(r"(src|href)=.(?!data:image/svg|#main)", page)


def test_the_help_names_every_kind_of_model_and_every_normalization():
    """The commands import neither table: that would load numpy."""
    shown = CliRunner().invoke(main, ["compare", "--help"]).output
    assert {*KINDS} <= {*re.findall(r"\w+", shown.partition("--model MODEL")[2].partition("--")[0])}
    assert {*choices.NORMALIZED} == {*NORMALIZATIONS}
