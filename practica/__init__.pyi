__version__: str

from .reference.encoding import classify_outputs, one_hot_encoding
from .reference.normalization import (
    calculate_min_max_normalization_parameters,
    calculate_zero_mean_normalization_parameters,
    normalize_min_max,
    normalize_min_max_,
    normalize_zero_mean,
    normalize_zero_mean_,
)
from .reference.partition import crossvalidation, hold_out
from .reference.network import build_class_ann
from .reference.training import TrainedANN, train_class_ann
from .reference.metrics import ConfusionMatrix, accuracy, confusion_matrix, print_confusion_matrix
from .reference.cross_validation import CrossValidation, MeanStd, ann_cross_validation, model_cross_validation
from .experiments.plots import plot_confusion_matrix, plot_learning_curves, plot_metric
from .evaluation.classifier import ANNClassifier

__all__ = [
    "ANNClassifier",
    "ConfusionMatrix",
    "CrossValidation",
    "MeanStd",
    "TrainedANN",
    "accuracy",
    "ann_cross_validation",
    "build_class_ann",
    "calculate_min_max_normalization_parameters",
    "calculate_zero_mean_normalization_parameters",
    "classify_outputs",
    "confusion_matrix",
    "crossvalidation",
    "hold_out",
    "model_cross_validation",
    "normalize_min_max",
    "normalize_min_max_",
    "normalize_zero_mean",
    "normalize_zero_mean_",
    "one_hot_encoding",
    "plot_confusion_matrix",
    "plot_learning_curves",
    "plot_metric",
    "print_confusion_matrix",
    "train_class_ann",
]
