"""Models written as text: what they become, and how a slip is refused."""

import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import is_classifier, is_regressor

from practica.evaluation.specs import KINDS, OF_QUANTITIES, model_of


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("ann", "ANNClassifier()"),
        ("ann:16,8", "ANNClassifier(topology=[16, 8])"),
        ("ann:", "ANNClassifier(topology=[])"),
        ("ann:8,learningRate=0.1", "ANNClassifier(learningRate=0.1, topology=[8])"),
        ("ann:maxEpochs=7", "ANNClassifier(maxEpochs=7)"),
        (
            "ann:4,3,transferFunctions=relu",
            "ANNClassifier(topology=[4, 3], transferFunctions='relu')",
        ),
        ("knn:7", "KNeighborsClassifier(n_neighbors=7)"),
        (
            "knn:n_neighbors=7,weights=distance",
            "KNeighborsClassifier(n_neighbors=7, weights='distance')",
        ),
        ("svm:C=1.5,kernel=linear", "SVC(C=1.5, kernel='linear')"),
        (" svm: linear , C = 10 ", "SVC(C=10, kernel='linear')"),
        ("svm:rbf class_weight=balanced", "SVC(class_weight='balanced')"),
        ("tree:max_depth=4", "DecisionTreeClassifier(max_depth=4)"),
        ("tree:4", "DecisionTreeClassifier(max_depth=4)"),
        ("tree:none", "DecisionTreeClassifier()"),
        ("forest:10,bootstrap=false", "RandomForestClassifier(bootstrap=False, n_estimators=10)"),
        ("logistic:0.5", "LogisticRegression(C=0.5)"),
        ("bayes", "GaussianNB()"),
        ("majority", "DummyClassifier()"),
    ],
)
def test_a_text_becomes_a_model(text, written):
    """Its values are numbers, truth values, None, or words."""
    assert " ".join(repr(model_of(text)).split()) == written


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_a_model_by_its_name_alone(kind):
    """With the defaults of its library; those of quantities are regressors."""
    assert is_regressor(model_of(kind)) if kind in OF_QUANTITIES else is_classifier(model_of(kind))


def test_what_a_network_does_not_say_comes_from_the_command():
    """Its own values go first; other models are not concerned."""
    network = {"maxEpochs": 5, "validationRatio": 0.2}
    model = model_of("ann:4,maxEpochs=9", **network)
    assert (model.topology, model.maxEpochs, model.validationRatio) == ([4], 9, 0.2)
    assert model_of("knn:3", **network).get_params()["n_neighbors"] == 3


@given(sizes=st.lists(st.integers(1, 500), max_size=5))
def test_any_topology_can_be_written(sizes):
    """Sizes separated by commas; none for no hidden layer."""
    assert model_of("ann:" + ",".join(map(str, sizes))).topology == sizes


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("forrest", "model 'forrest': there is no 'forrest'; did you mean 'forest'?"),
        ("cubist", "model 'cubist': there is no 'cubist'; it must be one of ['ann', 'knn', "),
        ("", "model '': there is no ''"),
        ("tree:max_dept=4", "there is no parameter 'max_dept'; did you mean 'max_depth'?"),
        ("svm:C=1,C=2", "model 'svm:C=1,C=2': C is given twice"),
        ("svm:linear,kernel=rbf", "kernel is given twice"),
        ("svm:1,rbf", "'rbf' needs a name, as in NAME=VALUE; the parameters are C, kernel"),
        ("bayes:3", "3 needs a name, as in NAME=VALUE; the parameters are priors, var_smoothing"),
        ("ann:8,0", "0 is no layer size; write ann:16,8 for layers of 16 and 8 neurons"),
        ("ann:relu", "'relu' is no layer size"),
        ("ann:8,,3", "'' is no layer size"),
        (
            "tree:random_state=3",
            "random_state cannot be given; each execution has a seed of its own",
        ),
    ],
)
def test_a_slip_is_refused_with_the_likeliest_candidate(text, sentence):
    """The sentence names the model as it was written."""
    with pytest.raises(ValueError, match=re.escape(sentence)):
        model_of(text)


@pytest.mark.parametrize(
    ("written", "ending"),
    [
        (
            "import numpy as np\n_hidden = print\nLIMIT = 3\ndef boosting(): pass\n",
            "; its functions are 'boosting'",
        ),
        ("def foresst(): pass\n", "; did you mean 'foresst'?"),
        ("LIMIT = 3\n", "; it has no function at all"),
    ],
)
def test_a_model_that_a_module_lacks_is_refused_with_what_it_has(
    tmp_path, monkeypatch, written, ending
):
    """Functions that someone may have meant: no __name__, nothing private, no modules that it
    imports.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "models_of_mine", raising=False)
    (tmp_path / "models_of_mine.py").write_text(written)
    with pytest.raises(
        ValueError, match=re.escape(f"models_of_mine has no 'forest'{ending}") + "$"
    ):
        model_of("x=models_of_mine:forest")
