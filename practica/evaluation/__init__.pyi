from .bootstrap import BootstrapErrors, bootstrap_errors
from .classifier import ANNClassifier
from .comparison import Comparison, Difference, compare, load_comparison
from .folds import fingerprint, read_folds, to_splitter, write_folds
from .intervals import Interval, wilson_interval
from .model_scores import ModelScores, cross_validate_executions, is_deterministic
from .scores import (
    average_accuracy_score,
    macro_f1_mean_of_f1s,
    macro_f1_of_macro_means,
    mean_cost,
    negative_predictive_value_score,
    relative_absolute_error,
    relative_squared_error,
    specificity_score,
    uniform_kappa_score,
)
from .significance import DifferenceTest, Probabilities, corrected_t_test, holm, paired_t_test
from .specs import model_of
from .splits import (
    first_fraction,
    leave_one_out,
    quantile_folds,
    random_fraction,
    repeated_folds,
    repeated_random_fraction,
)
from .summary import as_csv, as_latex, as_markdown
from .variance import VarianceComponents, variance_components

__all__ = [
    "ANNClassifier",
    "BootstrapErrors",
    "Comparison",
    "Difference",
    "DifferenceTest",
    "Interval",
    "ModelScores",
    "Probabilities",
    "VarianceComponents",
    "as_csv",
    "as_latex",
    "as_markdown",
    "average_accuracy_score",
    "bootstrap_errors",
    "compare",
    "corrected_t_test",
    "cross_validate_executions",
    "fingerprint",
    "first_fraction",
    "holm",
    "is_deterministic",
    "leave_one_out",
    "load_comparison",
    "macro_f1_mean_of_f1s",
    "macro_f1_of_macro_means",
    "mean_cost",
    "model_of",
    "negative_predictive_value_score",
    "paired_t_test",
    "quantile_folds",
    "random_fraction",
    "read_folds",
    "relative_absolute_error",
    "relative_squared_error",
    "repeated_folds",
    "repeated_random_fraction",
    "specificity_score",
    "to_splitter",
    "uniform_kappa_score",
    "variance_components",
    "wilson_interval",
    "write_folds",
]
