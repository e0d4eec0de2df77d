from .bootstrap import BootstrapErrors as BootstrapErrors, bootstrap_errors as bootstrap_errors
from .classifier import ANNClassifier as ANNClassifier
from .comparison import (
    Comparison as Comparison,
    Difference as Difference,
    compare as compare,
    load_comparison as load_comparison,
)
from .estimators import is_deterministic as is_deterministic
from .folds import (
    fingerprint as fingerprint,
    read_folds as read_folds,
    to_splitter as to_splitter,
    write_folds as write_folds,
)
from .imputation import Imputation as Imputation
from .intervals import Interval as Interval, wilson_interval as wilson_interval
from .model_scores import (
    ModelScores as ModelScores,
    cross_validate_executions as cross_validate_executions,
)
from .regressor import ANNRegressor as ANNRegressor
from .scores import (
    average_accuracy_score as average_accuracy_score,
    macro_f1_mean_of_f1s as macro_f1_mean_of_f1s,
    macro_f1_of_macro_means as macro_f1_of_macro_means,
    mean_cost as mean_cost,
    negative_predictive_value_score as negative_predictive_value_score,
    relative_absolute_error as relative_absolute_error,
    relative_squared_error as relative_squared_error,
    specificity_score as specificity_score,
    uniform_kappa_score as uniform_kappa_score,
)
from .significance import (
    DifferenceTest as DifferenceTest,
    Probabilities as Probabilities,
    corrected_t_test as corrected_t_test,
    holm as holm,
    paired_t_test as paired_t_test,
)
from .specs import model_of as model_of
from .splits import (
    first_fraction as first_fraction,
    leave_one_out as leave_one_out,
    quantile_folds as quantile_folds,
    random_fraction as random_fraction,
    balanced_folds as balanced_folds,
    repeated_folds as repeated_folds,
    repeated_random_fraction as repeated_random_fraction,
)
from .suite import PairOnTables as PairOnTables, Suite as Suite, suite_of as suite_of
from .summary import as_csv as as_csv, as_latex as as_latex, as_markdown as as_markdown
from .variance import (
    VarianceComponents as VarianceComponents,
    variance_components as variance_components,
)
