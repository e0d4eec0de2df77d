__version__: str

from .reference.encoding import (
    classify_outputs as classify_outputs,
    one_hot_encoding as one_hot_encoding,
)
from .reference.normalization import (
    calculate_min_max_normalization_parameters as calculate_min_max_normalization_parameters,
    calculate_zero_mean_normalization_parameters as calculate_zero_mean_normalization_parameters,
    normalize_min_max as normalize_min_max,
    normalize_min_max_ as normalize_min_max_,
    normalize_zero_mean as normalize_zero_mean,
    normalize_zero_mean_ as normalize_zero_mean_,
)
from .reference.partition import crossvalidation as crossvalidation, hold_out as hold_out
from .reference.network import build_class_ann as build_class_ann
from .reference.training import TrainedANN as TrainedANN, train_class_ann as train_class_ann
from .reference.metrics import (
    ConfusionMatrix as ConfusionMatrix,
    accuracy as accuracy,
    confusion_matrix as confusion_matrix,
    print_confusion_matrix as print_confusion_matrix,
)
from .reference.cross_validation import (
    CrossValidation as CrossValidation,
    MeanStd as MeanStd,
    ann_cross_validation as ann_cross_validation,
    model_cross_validation as model_cross_validation,
)
from .experiments.plots import (
    plot_confusion_matrix as plot_confusion_matrix,
    plot_learning_curves as plot_learning_curves,
    plot_metric as plot_metric,
)
from .evaluation.classifier import ANNClassifier as ANNClassifier
from .evaluation.regressor import ANNRegressor as ANNRegressor
