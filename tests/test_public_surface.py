"""The functions of the statement: names, parameters and defaults, and documentation that is
complete and runs.
"""

import doctest
import importlib
import inspect
import pkgutil
import re

import pytest

import practica
from practica import evaluation

STATEMENT = {
    "one_hot_encoding": lambda feature, classes=None: ...,
    "calculate_min_max_normalization_parameters": lambda dataset: ...,
    "calculate_zero_mean_normalization_parameters": lambda dataset: ...,
    "normalize_min_max_": lambda dataset, normalizationParameters=None: ...,
    "normalize_min_max": lambda dataset, normalizationParameters=None: ...,
    "normalize_zero_mean_": lambda dataset, normalizationParameters=None: ...,
    "normalize_zero_mean": lambda dataset, normalizationParameters=None: ...,
    "classify_outputs": lambda outputs, *, threshold=0.5: ...,
    "accuracy": lambda outputs, targets, *, threshold=0.5: ...,
    "build_class_ann": lambda numInputs, topology, numOutputs, *, transferFunctions=None: ...,
    "hold_out": lambda N, P, Ptest=None: ...,
    "train_class_ann": lambda topology, trainingDataset, *, validationDataset=None,
    testDataset=None, transferFunctions=None, maxEpochs=1000, minLoss=0.0, learningRate=0.01,
    maxEpochsVal=20: ...,
    "confusion_matrix": lambda outputs, targets, *, threshold=0.5, weighted=True: ...,
    "print_confusion_matrix": lambda outputs, targets, *, threshold=0.5, weighted=True: ...,
    "crossvalidation": lambda N_or_targets, /, k: ...,
    "ann_cross_validation": lambda topology, inputs, targets, crossValidationIndices, *,
    numExecutions=50, transferFunctions=None, maxEpochs=1000, minLoss=0.0, learningRate=0.01,
    validationRatio=0, maxEpochsVal=20: ...,
    "model_cross_validation": lambda modelType, modelHyperparameters, inputs, targets,
    crossValidationIndices: ...,
}  # fmt: skip

EXTRAS = {
    "random_state",
    "normalization",
    "progress",
    "n_jobs",
    "device",
}  # what the statement has not: by keyword

MODULES = [
    name
    for _, name, _ in pkgutil.walk_packages(practica.__path__, "practica.")
    # whose checks are another assignment's
    if not name.endswith(".__main__") and ".edition_" not in name
]

FUNCTIONS = pytest.mark.parametrize("name", STATEMENT)


def parameters(function) -> list[tuple]:
    """List (name, kind, default) of each parameter."""
    return [(p.name, p.kind, p.default) for p in inspect.signature(function).parameters.values()]


def sections(docstring: str) -> list[str]:
    """List the underlined titles of a docstring."""
    return re.findall(r"^(\w+)\n-{3,}$", inspect.cleandoc(docstring), flags=re.MULTILINE)


@FUNCTIONS
def test_a_function_has_the_parameters_of_the_statement(name):
    """Names, kinds, order and defaults are the statement's.

    Anything more is optional and keyword-only.
    """
    own = [p for p in parameters(getattr(practica, name)) if p[0] not in EXTRAS]
    more = [p for p in parameters(getattr(practica, name)) if p[0] in EXTRAS]
    assert own == parameters(STATEMENT[name])
    assert all(
        kind is inspect.Parameter.KEYWORD_ONLY and default is not inspect.Parameter.empty
        for _, kind, default in more
    )


@FUNCTIONS
def test_a_function_is_documented(name):
    """What it takes, returns and refuses, where it comes from, and an example."""
    function = getattr(practica, name)
    assert {"Parameters", "Returns", "Raises", "References", "Examples"} <= set(
        sections(function.__doc__)
    )
    for parameter in inspect.signature(function).parameters:
        assert re.search(
            rf"^\s*(\w+, )*{parameter}(, \w+)*( :|$)", function.__doc__, flags=re.MULTILINE
        ), parameter


def test_everything_in_all_can_be_imported():
    """`practica.__all__` holds the functions of the statement, and nothing that is not there."""
    assert set(STATEMENT) <= set(practica.__all__)
    assert set(practica.__all__) <= set(dir(practica))
    assert all(callable(getattr(practica, name)) for name in practica.__all__)


@pytest.mark.parametrize("name", practica.__all__)
def test_a_public_name_is_public_where_it_is_defined(name):
    """The table of contents offers no module's private parts."""
    home = importlib.import_module(getattr(practica, name).__module__)
    assert name in home.__all__
    assert getattr(home, name) is getattr(practica, name)


@pytest.mark.parametrize("package", [practica, evaluation], ids=lambda package: package.__name__)
def test_editors_that_read_stubs_offer_every_public_name(package):
    """Jedi shows what a stub imports only if it says `name as name`."""
    jedi = pytest.importorskip("jedi", reason="comes with ipykernel, of the extra practica[test]")
    names = {name.name for name in jedi.Script(f"from {package.__name__} import ").complete()}
    assert set(package.__all__) <= names


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_of_a_module_run(module):
    """Each example in a docstring prints what it says."""
    failed, _ = doctest.testmod(importlib.import_module(module))
    assert failed == 0
