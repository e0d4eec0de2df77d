from .classifier import ANNClassifier
from .significance import DifferenceTest, Probabilities, corrected_t_test, holm, paired_t_test
from .variance import VarianceComponents, variance_components

__all__ = [
    "ANNClassifier",
    "DifferenceTest",
    "Probabilities",
    "VarianceComponents",
    "corrected_t_test",
    "holm",
    "paired_t_test",
    "variance_components",
]
