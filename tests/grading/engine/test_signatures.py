"""The headers of functions: those that work as the statement says, and those that do not."""

import textwrap

import pytest
from judged import broken, judged

from practica.grading.report.messages import say

IMPORTS = """
import functools
import numpy as np
import torch
"""


@pytest.mark.parametrize(
    ("row", "source"),
    [
        ("accuracy", "def accuracy(outputs, targets, *, threshold=0.5): ..."),
        ("accuracy", "def accuracy(outputs, targets, threshold=0.5): ..."),
        (
            "accuracy",
            (
                "def accuracy(outputs: np.ndarray, targets: 'np.ndarray', *, threshold: float = .5)"
                " -> float: ..."
            ),
        ),
        ("accuracy", "def accuracy(outputs, targets, /, *, threshold=1/2, verbose=False): ..."),
        ("accuracy", "UMBRAL = 0.5\ndef accuracy(outputs, targets, *, threshold=UMBRAL): ..."),
        (
            "accuracy",
            "accuracy = lambda outputs, targets, threshold=0.5: (outputs == targets).mean()",
        ),
        (
            "accuracy",
            (
                "accuracy: object = lambda outputs, targets, *, threshold=0.5: (outputs =="
                " targets).mean()"
            ),
        ),
        (
            "accuracy",
            "async def f(): ...\nif True:\n    def accuracy(outputs, targets, threshold=0.5): ...",
        ),
        ("accuracy", "def accuracy(o): ...\ndef accuracy(outputs, targets, *, threshold=0.5): ..."),
        ("accuracy", "def _acc(outputs, targets, *, threshold=0.5): ...\naccuracy = _acc"),
        (
            "accuracy",
            (
                "class P:\n    @staticmethod\n    def acc(outputs, targets, *, threshold=0.5):"
                " ...\naccuracy = P.acc"
            ),
        ),
        (
            "accuracy",
            (
                "class P:\n    @classmethod\n    def acc(cls, outputs, targets, *, threshold=0.5):"
                " ...\naccuracy = P.acc"
            ),
        ),
        (
            "accuracy",
            (
                "class P:\n    def acc(self, outputs, targets, *, threshold=0.5): ...\np ="
                " P()\naccuracy = p.acc"
            ),
        ),
        (
            "accuracy",
            (
                "class P:\n    def __call__(self, outputs, targets, *, threshold=0.5):"
                " ...\naccuracy = P()"
            ),
        ),
        (
            "accuracy",
            (
                "def make():\n    def inner(outputs, targets, *, threshold=0.5): ...\n    return"
                " inner\naccuracy = make()"
            ),
        ),
        (
            "accuracy",
            (
                "def acc(kind, outputs, targets, threshold=0.5): ...\naccuracy ="
                " functools.partial(acc, 'mean')"
            ),
        ),
        (
            "accuracy",
            """
            def timed(function):
                @functools.wraps(function)
                def wrapper(*args, **kwargs):
                    return function(*args, **kwargs)
                return wrapper
            @timed
            def accuracy(outputs, targets, *, threshold=0.5): ...
            """,
        ),
        (
            "accuracy",
            """
            def timed(function):
                def wrapper(*args, **kwargs):
                    return function(*args, **kwargs)
                return wrapper
            def _accuracy(outputs, targets, *, threshold=0.5): ...
            accuracy = timed(_accuracy)
            """,
        ),
        ("accuracy", "def accuracy(*args, **kwargs): ..."),
        ("accuracy", "def accuracy(outputs, targets, **opciones): ..."),
        ("hold_out", "def hold_out(N, P, Ptest=None): ..."),
        ("hold_out", "def hold_out(N, Pval, Ptest=0.0, *, rng=None): ..."),
        ("hold_out", "def hold_out(N, *fractions): ..."),
        ("one_hot_encoding", "def one_hot_encoding(feature, classes=()): ..."),
        ("crossvalidation", "def crossvalidation(N_or_targets, k): ..."),
        ("crossvalidation", "def crossvalidation(targets, /, k, *, random_state=None): ..."),
        (
            "normalize_min_max_",
            "def normalize_min_max_(dataset, normalizationParameters=None): ...",
        ),
        (
            "build_class_ann",
            "def build_class_ann(numInputs, topology, numOutputs, *, transferFunctions=[]): ...",
        ),
        (
            "confusion_matrix_binary",
            "def confusion_matrix(outputs, targets, *, threshold=0.5): ...",
        ),
        (
            "confusion_matrix_multiclass",
            "def confusion_matrix(outputs, targets, *, weighted=True): ...",
        ),
        (
            "train_class_ann",
            """
            EMPTY = (np.empty((0, 0)), np.empty((0, 0), dtype=bool))
            def train_class_ann(topology, trainingDataset, validationDataset=EMPTY,
                                testDataset=EMPTY, transferFunctions=None, maxEpochs=1_000,
                                minLoss=0, learningRate=1e-2, maxEpochsVal=20,
                                *, device="cpu", verbose: bool = False): ...
            """,
        ),
        (
            "train_class_ann",
            (
                "def train_class_ann(topology, trainingDataset, *, maxEpochsVal=20,"
                " learningRate=0.01, minLoss=0.0, maxEpochs=1000, transferFunctions=None,"
                " testDataset=None, validationDataset=None): ..."
            ),
        ),
        (
            "ann_cross_validation",
            (
                "def ann_cross_validation(topology, inputs, targets, crossValidationIndices, *,"
                " numExecutions=50, transferFunctions=None, maxEpochs=1000, minLoss=0.0,"
                " learningRate=0.01, validationRatio=0.0, maxEpochsVal=20): ..."
            ),
        ),
    ],
)
def test_a_signature_that_is_called_as_the_statement_says_is_right(row, source):
    """Keyword-only or not, more optional parameters, another way to define it: it works the
    same.
    """
    assert broken(IMPORTS + textwrap.dedent(source), row) == []


@pytest.mark.parametrize(
    ("row", "source", "rule"),
    [
        ("accuracy", "def accuracy(outputs, targets): ...", "signature.keyword"),
        ("accuracy", "def accuracy(outputs, targets, umbral=0.5): ...", "signature.keyword"),
        ("accuracy", "def accuracy(outputs, targets, Threshold=0.5): ...", "signature.keyword"),
        ("accuracy", "def accuracy(outputs, targets, threshold=0.5, /): ...", "signature.keyword"),
        ("accuracy", "def accuracy(outputs, targets, threshold): ...", "signature.default"),
        ("accuracy", "def accuracy(outputs, targets, *, threshold=0.6): ...", "signature.default"),
        ("accuracy", "def accuracy(outputs, targets, *, threshold=None): ...", "signature.default"),
        (
            "accuracy",
            "def accuracy(outputs, *, targets, threshold=0.5): ...",
            "signature.parameters",
        ),
        (
            "accuracy",
            "def accuracy(self, outputs, targets, threshold=0.5): ...",
            "signature.parameters",
        ),
        (
            "accuracy",
            "def accuracy(outputs, targets, *, classes, threshold=0.5): ...",
            "signature.parameters",
        ),
        ("accuracy", "accuracy = lambda outputs, *, threshold=0.5: 0.5", "signature.parameters"),
        ("one_hot_encoding", "def one_hot_encoding(feature): ...", "signature.parameters"),
        ("one_hot_encoding", "def one_hot_encoding(feature, classes): ...", "signature.parameters"),
        ("hold_out", "def hold_out(N, P): ...", "signature.parameters"),
        ("hold_out", "def hold_out(N, Pval, Ptest): ...", "signature.parameters"),
        (
            "normalize_min_max",
            "def normalize_min_max(dataset, *, normalizationParameters=None): ...",
            "signature.parameters",
        ),
        (
            "confusion_matrix_multiclass",
            "def confusion_matrix(outputs, targets, threshold=0.5): ...",
            "signature.keyword",
        ),
        (
            "confusion_matrix_multiclass",
            "def confusion_matrix(outputs, targets, threshold=0.5, weighted=False): ...",
            "signature.default",
        ),
        (
            "ann_cross_validation",
            (
                "def ann_cross_validation(topology, inputs, targets, crossValidationIndices, *,"
                " numExecutions=50, transferFunctions=None, maxEpochs=1000, minLoss=0.0,"
                " learningRate=0.01, validationRatio=False, maxEpochsVal=20): ..."
            ),
            "signature.default",
        ),
        (
            "train_class_ann",
            (
                "def train_class_ann(topology, trainingDataset, *, validationDataset=None,"
                " testDataset=None, transferFunctions=None, maxEpochs=100, minLoss=0.0,"
                " learningRate=0.01, maxEpochsVal=20): ..."
            ),
            "signature.default",
        ),
        (
            "accuracy",
            "class A:\n    def accuracy(self, outputs, targets, threshold=0.5): ...",
            "signature.missing",
        ),
        (
            "accuracy",
            "def main():\n    def accuracy(outputs, targets, threshold=0.5): ...",
            "signature.missing",
        ),
        ("accuracy", "# def accuracy(outputs, targets): ...", "signature.missing"),
        (
            "accuracy",
            "if __name__ == '__main__':\n    def accuracy(outputs, targets): ...",
            "signature.missing",
        ),
    ],
)
def test_a_signature_that_is_not_the_one_asked_for_breaks_a_rule(row, source, rule):
    """A call of the statement's would fail, or mean something else."""
    assert broken(IMPORTS + source, row) == [rule]


@pytest.mark.parametrize(
    ("header", "begin"),
    [
        ("N, P, seed, size", "hold_out has to work without seed, size."),
        ("N, P, Ptest", "hold_out has to work without Ptest."),
        ("N", "hold_out has to take 2 arguments by position."),
    ],
)
def test_where_two_headers_are_allowed_both_are_named(header, begin):
    """What one of them lacks, the statement may have in the other."""
    rule = next(each for each in judged(f"def hold_out({header}): ...", "hold_out") if each.line)
    assert say(rule.id, rule.message_facts, "en") == (
        f"{begin} Required header: hold_out(N, P) / hold_out(N, Pval, Ptest)."
    )


def test_another_name_for_a_positional_parameter_is_advice():
    """Julia's positional parameters cannot be passed by name."""
    rules = judged("def accuracy(salidas, deseadas, *, threshold=0.5): ...", "accuracy")
    assert [(rule.id, rule.severity, rule.message_facts["name"]) for rule in rules] == [
        ("signature.name", "advice", "salidas"),
        ("signature.name", "advice", "deseadas"),
    ]


@pytest.mark.parametrize(
    ("header", "obtained"),
    [
        ("threshold=2 / 3", "0.6666666666666666"),
        ("threshold=np.zeros(2)", "np.array([0.0, 0.0])"),
        ("threshold=object()", "object"),
        ("threshold=99 * 'x'", "'" + 59 * "x"),
    ],
)
def test_a_wrong_default_is_told_by_its_value(header, obtained):
    """However it is written; what is no plain value, by its type, and nothing at length."""
    (rule,) = judged(
        f"import numpy as np\ndef accuracy(outputs, targets, *, {header}): ...", "accuracy"
    )
    assert (rule.id, rule.line) == ("signature.default", 2)
    assert (rule.message_facts["default"], rule.message_facts["obtained"]) == ("0.5", obtained)


@pytest.mark.parametrize("source", ["accuracy = max", "class C:\n    __call__ = 3\naccuracy = C()"])
def test_a_header_that_nobody_can_read_is_advice(source):
    """Its checks tell whether it works."""
    assert [(rule.id, rule.severity) for rule in judged(source, "accuracy")] == [
        ("signature.unreadable", "advice")
    ]
