"""No public function, in one thread or in four, changes what belongs to its caller."""

import os
import random
import signal
import threading
import warnings

import numpy as np
import pytest
import threadpoolctl
import torch
from sklearn.neighbors import KNeighborsClassifier

from practica import (
    ANNClassifier,
    ANNRegressor,
    accuracy,
    ann_cross_validation,
    build_class_ann,
    calculate_min_max_normalization_parameters,
    calculate_zero_mean_normalization_parameters,
    classify_outputs,
    confusion_matrix,
    crossvalidation,
    hold_out,
    model_cross_validation,
    normalize_min_max,
    normalize_min_max_,
    normalize_zero_mean,
    normalize_zero_mean_,
    one_hot_encoding,
    print_confusion_matrix,
    train_class_ann,
)
from practica.evaluation import compare, cross_validate_executions

INPUTS = np.random.default_rng(1).normal(size=(30, 3))
LABELS = np.repeat(["a", "b", "c"], 10)
FOLDS = np.arange(30) % 3 + 1
QUICK = {"numExecutions": 4, "maxEpochs": 5, "random_state": 1}

CALLS = {
    "one_hot_encoding": lambda: one_hot_encoding(LABELS),
    "classify_outputs": lambda: classify_outputs(INPUTS),
    "parameters": lambda: (
        calculate_min_max_normalization_parameters(INPUTS),
        calculate_zero_mean_normalization_parameters(INPUTS),
    ),
    "normalize": lambda: (normalize_min_max(INPUTS), normalize_zero_mean(INPUTS)),
    "normalize_": lambda: (normalize_min_max_(INPUTS.copy()), normalize_zero_mean_(INPUTS.copy())),
    "hold_out": lambda: hold_out(30, 0.2, 0.2, random_state=1),
    "crossvalidation": lambda: crossvalidation(LABELS, 3, random_state=1),
    "build_class_ann": lambda: build_class_ann(3, [2], 3, random_state=1),
    "train_class_ann": lambda: train_class_ann(
        [2], (INPUTS, LABELS == "a"), maxEpochs=3, random_state=1
    ),
    "accuracy": lambda: accuracy(INPUTS, one_hot_encoding(LABELS)),
    "confusion_matrix": lambda: confusion_matrix(LABELS[::-1], LABELS),
    "print_confusion_matrix": lambda: print_confusion_matrix(LABELS[::-1], LABELS),
    "kernel": lambda: ann_cross_validation([2], INPUTS, LABELS, FOLDS, **QUICK, n_jobs=2),
    "kernel, one job": lambda: ann_cross_validation([2], INPUTS, LABELS, FOLDS, **QUICK, n_jobs=1),
    "stack": lambda: ann_cross_validation(
        [2], INPUTS, LABELS, FOLDS, **QUICK, transferFunctions=[torch.nn.ELU()]
    ),
    "loop": lambda: ann_cross_validation(
        [2], INPUTS, LABELS, FOLDS, **QUICK, transferFunctions=[torch.nn.PReLU()]
    ),
    "knn": lambda: model_cross_validation(
        "KNeighborsClassifier", {"n_neighbors": 1}, INPUTS, LABELS, FOLDS
    ),
    "ann": lambda: model_cross_validation(
        "ANN", {"topology": [2], "maxEpochs": 1}, INPUTS, LABELS, FOLDS, random_state=1, n_jobs=2
    ),
    "classifier": lambda: (
        ANNClassifier([2], maxEpochs=3, random_state=1).fit(INPUTS, LABELS).predict(INPUTS)
    ),
    "regressor": lambda: (
        ANNRegressor([2], maxEpochs=3, random_state=1).fit(INPUTS, INPUTS[:, 0]).predict(INPUTS)
    ),
    "executions": lambda: cross_validate_executions(
        ANNClassifier([2], maxEpochs=3), INPUTS, LABELS, FOLDS, 2, random_state=1, n_jobs=2
    ),
    "estimators": lambda: cross_validate_executions(
        KNeighborsClassifier(1), INPUTS, LABELS, FOLDS, 1, random_state=1, n_jobs=2
    ),
    "compare": lambda: compare(
        ["knn:1", "svm", "ann:2,maxEpochs=2"], INPUTS, LABELS, FOLDS, 1, random_state=1
    ),
}


def in_a_new_thread(call):
    """Return what a function returns in a thread that begins with the settings of the process."""
    result = []
    thread = threading.Thread(target=lambda: result.append(call()))
    thread.start()
    thread.join()
    return result[0]


def own_threads():
    """Return how many threads libraries would use for work of this thread."""
    libraries = threadpoolctl.threadpool_info()
    return torch.get_num_threads(), sorted(
        (each["filepath"], each["num_threads"]) for each in libraries
    )


def settings_of_the_process():
    """Return what a program can set once for all that follows."""
    return {
        "threads": own_threads(),
        "threads of a new thread": in_a_new_thread(own_threads),
        "between operations": torch.get_num_interop_threads(),
        "random": random.getstate(),
        "np.random": repr(np.random.get_state()),  # noqa: NPY002
        "torch": torch.get_rng_state().tolist(),
        "default type": torch.get_default_dtype(),
        "gradients": torch.is_grad_enabled(),
        "deterministic": torch.are_deterministic_algorithms_enabled(),
        "errors of numpy": np.geterr(),
        "printing": np.get_printoptions(),
        "warnings": list(warnings.filters),
        "environment": dict(os.environ),
        "folder": os.getcwd(),
        "interrupt": signal.getsignal(signal.SIGINT),
    }


@pytest.fixture
def _several_threads():
    """Let torch and BLAS have three threads, so that one of them left at one is seen."""
    before = torch.get_num_threads()
    for call in CALLS.values():  # what is loaded on first use has settings of its own
        call()
    torch.set_num_threads(3)
    with threadpoolctl.threadpool_limits(3, user_api="blas"):
        yield
    torch.set_num_threads(before)


def assert_unchanged(before):
    """Compare the settings one by one."""
    for name, value in settings_of_the_process().items():
        assert value == before[name], name


@pytest.mark.usefixtures("_several_threads")
def test_no_function_changes_a_setting_of_its_caller():
    """One after the other, each with a random_state.

    Without one, numpy's generator gives a seed, as it says.
    """
    for call in CALLS.values():
        before = settings_of_the_process()
        call()
        assert_unchanged(before)


# kNN empties the filters for a moment within scikit-learn, and warns if another thread does so at
# the same time.
@pytest.mark.filterwarnings("ignore:`sklearn.utils.parallel.delayed`")
@pytest.mark.usefixtures("_several_threads")
def test_four_threads_of_the_caller_change_no_setting_and_no_result():
    """All at once, in another order in each."""
    before, failures = settings_of_the_process(), []
    expected = CALLS["kernel"]().scores, CALLS["stack"]().scores

    def work(number):
        try:
            own = own_threads()[0]
            names = [*CALLS]
            for name in names[5 * number :] + names[: 5 * number]:
                result = CALLS[name]()
                if name in ("kernel", "stack"):
                    np.testing.assert_array_equal(result.scores, expected[name == "stack"])
            assert own_threads()[0] == own
        except BaseException as error:  # the main thread reports it
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert_unchanged(before)


class MetOnce:
    """A function, or a matrix, that waits at its first use until both threads are there, or one has
    gone.
    """

    def __init__(self, both, left, leaves_last):
        self.both, self.left, self.leaves_last, self.has_met = both, left, leaves_last, False

    def _meet(self):
        if not self.has_met:
            self.has_met = True
            self.both.wait(60)
            if self.leaves_last:
                self.left.wait(60)

    def __call__(self, sums):
        """Compute sigmoids."""
        self._meet()
        return torch.sigmoid(sums)

    def __array__(self, dtype=None, copy=None):
        """Return the attributes.

        Scikit-learn reads them between two changes of the filters of warnings.
        """
        self._meet()
        return INPUTS


OVERLAPPING = {
    "one job": lambda met: ann_cross_validation(
        [2], INPUTS, LABELS, FOLDS, **QUICK, transferFunctions=[met], n_jobs=1
    ),
    "jobs": lambda met: ann_cross_validation(
        [2], INPUTS, LABELS, FOLDS, **QUICK, transferFunctions=[met], n_jobs=2
    ),
    "classifier": lambda met: ANNClassifier([2], maxEpochs=3, random_state=1).fit(met, LABELS),
    "regressor": lambda met: ANNRegressor([2], maxEpochs=3, random_state=1).fit(met, INPUTS[:, 0]),
    "prediction": lambda met: (
        ANNClassifier([2], maxEpochs=3, random_state=1).fit(INPUTS, LABELS).predict(met)
    ),
}


@pytest.mark.usefixtures("_several_threads")
@pytest.mark.parametrize("name", OVERLAPPING)
def test_whoever_ends_last_leaves_the_settings_as_the_first_one_found_them(name):
    """One begins, another begins, the first ends, and then the other."""
    before = settings_of_the_process()
    both, left = threading.Barrier(2), threading.Event()

    def work(leaves_last):
        OVERLAPPING[name](MetOnce(both, left, leaves_last))
        left.set()

    threads = [threading.Thread(target=work, args=(last,)) for last in (False, True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert_unchanged(before)
