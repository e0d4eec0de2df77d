"""Evaluating models well: the methods around the practice, and comparison on the same folds.

What scikit-learn and scipy do already is called, not written again; the docstring of each module
says which function of theirs to use for what is not here. Each module imports only from those above
it, and from the reference:

    estimators           what is needed of an estimator, and whether it is deterministic
    scores               scores that scikit-learn lacks, in its convention (y_true, y_pred)
    intervals            Wilson's interval of a success rate
    splits               hold-out and folds, as positions or as the practice's index vector
    bootstrap            out-of-bag, .632 and .632+ estimates of any estimator
    significance         paired and corrected t-tests of two models, Holm's adjustment for many
    variance             how much of the spread of the scores is folds, and how much executions
    imputation           missing values filled from each training part, as a normalization
    ann_estimator        what ANNClassifier and ANNRegressor share
    classifier           ANNClassifier: the practice's network as a classifier of scikit-learn
    regressor            ANNRegressor: the same with a linear output and squared loss
    curves               ROC, precision-recall and learning curves that can be averaged
    folds                the index vector as a splitter of scikit-learn, and as a file with its hash
    scoring              scorers of the practice's metrics, scikit-learn's and the user's
    executions           trainings, one for each fold and execution
    model_scores         many executions of any estimator in each fold, every score kept
    undefined            where a metric was 0/0, which counts as 1, and because of which class
    specs                models written as text, such as `svm:C=1,kernel=rbf`
    comparison           several models on the same folds, and which differences are real
    suite                several models on many tables: ranks, Friedman, signed-rank tests
    doubts               models below a rule without attributes, and networks that never stopped
    summary              a comparison as tables: Markdown, LaTeX, and all scores as CSV

The public names and their modules stand in `__init__.pyi`; a module is loaded when one of its names
is first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
