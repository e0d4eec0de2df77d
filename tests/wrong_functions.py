"""A tiny wrong function for each known mistake that no submission of tests/entregas has, as students write it."""

import numpy as np

WRONG = []  # of (id of the mistake, row of the rubric, function)


def wrong(identifier, *rows):
    """Add a function to the list, for one or more rows."""

    def add(function):
        WRONG.extend((identifier, row, function) for row in rows)
        return function

    return add


# --- one_hot_encoding -------------------------------------------------------------------------------------------------


def _classes(feature, classes):
    return list(dict.fromkeys(feature.tolist())) if classes is None else list(classes)


def _bools(feature, classes):
    return classes is None and feature.dtype == bool


@wrong("one_hot.codes", "one_hot_encoding")
def numbers_of_classes(feature, classes=None):
    if _bools(feature, classes):
        return feature.reshape(-1, 1)
    positions = {label: number for number, label in enumerate(_classes(feature, classes))}
    return np.array([positions[label] for label in feature.tolist()])


@wrong("one_hot.transposed", "one_hot_encoding")
def a_row_for_each_class(feature, classes=None):
    if _bools(feature, classes):
        return feature.reshape(1, -1)
    classes = _classes(feature, classes)
    rows = [[label == each for label in feature.tolist()] for each in (classes if len(classes) > 2 else classes[:1])]
    return np.array(rows)


@wrong("one_hot.first_missing", "one_hot_encoding")
def without_the_first_column(feature, classes=None):
    if _bools(feature, classes):
        return feature.reshape(-1, 1)
    return np.array([[label == each for each in _classes(feature, classes)[1:]] for label in feature.tolist()])


@wrong("one_hot.last_missing", "one_hot_encoding")
def without_the_last_column(feature, classes=None):
    if _bools(feature, classes):
        return feature.reshape(-1, 1)
    return np.array([[label == each for each in _classes(feature, classes)[:-1]] for label in feature.tolist()])


@wrong("any.prints", "one_hot_encoding")
def shown_and_not_returned(feature, classes=None):
    print(np.array([[label == each for each in _classes(feature, classes)] for label in feature.tolist()]))


@wrong("one_hot.as_text", "one_hot_encoding")
def all_labels_in_one_array(feature, classes=None):
    if _bools(feature, classes):
        return feature.reshape(-1, 1)
    classes = [str(each) for each in _classes(feature, classes)]
    columns = np.array([[str(label) == each for each in classes] for label in feature.tolist()])
    return columns if len(classes) > 2 else columns[:, :1]


# --- classify_outputs -------------------------------------------------------------------------------------------------


def _one_true(outputs, winners):
    result = np.zeros(outputs.shape, dtype=bool)
    result[np.arange(len(outputs)), winners] = True
    return result


def _is_one_column(outputs):
    return outputs.ndim == 1 or outputs.shape[1] == 1


@wrong("classify.reversed", "classify_outputs")
def smaller_ones_are_positive(outputs, *, threshold=0.5):
    return outputs < threshold if _is_one_column(outputs) else _one_true(outputs, outputs.argmax(axis=1))


@wrong("classify.rounded", "classify_outputs")
def rounded(outputs, *, threshold=0.5):
    return np.round(outputs) > 0 if _is_one_column(outputs) else _one_true(outputs, outputs.argmax(axis=1))


@wrong("classify.minimum", "classify_outputs")
def the_smallest_wins(outputs, *, threshold=0.5):
    return outputs >= threshold if _is_one_column(outputs) else _one_true(outputs, outputs.argmin(axis=1))


@wrong("classify.positions", "classify_outputs")
def positions_of_the_largest(outputs, *, threshold=0.5):
    return outputs >= threshold if _is_one_column(outputs) else np.argmax(outputs, axis=1)


@wrong("classify.flat_column", "classify_outputs")
def a_column_becomes_a_vector(outputs, *, threshold=0.5):
    if _is_one_column(outputs):
        return np.array([each >= threshold for each in outputs.flatten()])
    return _one_true(outputs, outputs.argmax(axis=1))


# --- the parameters ---------------------------------------------------------------------------------------------------

MIN_MAX, MEAN_STD = (f"calculate_{each}_normalization_parameters" for each in ("min_max", "zero_mean"))


@wrong("parameters.columns", MIN_MAX)
def minimums_in_a_column(dataset):
    return dataset.min(axis=0)[:, None], dataset.max(axis=0)[:, None]


@wrong("parameters.exchanged", MIN_MAX)
def maximums_first(dataset):
    return dataset.max(axis=0, keepdims=True), dataset.min(axis=0, keepdims=True)


@wrong("parameters.exchanged", MEAN_STD)
def deviations_first(dataset):
    return np.std(dataset, axis=0, ddof=1, keepdims=True), np.mean(dataset, axis=0, keepdims=True)


@wrong("parameters.variance", MEAN_STD)
def variances(dataset):
    return np.mean(dataset, axis=0, keepdims=True), np.var(dataset, axis=0, ddof=1, keepdims=True)


@wrong("parameters.median", MEAN_STD)
def medians(dataset):
    return np.median(dataset, axis=0, keepdims=True), np.std(dataset, axis=0, ddof=1, keepdims=True)


# --- the normalizations -----------------------------------------------------------------------------------------------


def _range(dataset, given):
    return (dataset.min(axis=0, keepdims=True), dataset.max(axis=0, keepdims=True)) if given is None else given


def _spread(dataset, given):
    own = np.mean(dataset, axis=0, keepdims=True), np.std(dataset, axis=0, ddof=1, keepdims=True)
    return own if given is None else given


def _scaled(dataset, shift, scale):
    return np.where(scale == 0, 0, (dataset - shift) / np.where(scale == 0, 1, scale))


@wrong("normalize.exchanged", "normalize_min_max")
def maximum_and_minimum(dataset, normalizationParameters=None):
    if normalizationParameters is None:
        low, high = _range(dataset, None)
    else:
        high, low = normalizationParameters
    return _scaled(dataset, low, high - low)


@wrong("normalize.whole", "normalize_min_max")
def one_range_for_all(dataset, normalizationParameters=None):
    low, high = normalizationParameters or (dataset.min(), dataset.max())
    return _scaled(dataset, low, np.asarray(high - low))


@wrong("normalize.rows", "normalize_zero_mean")
def each_pattern_by_itself(dataset, normalizationParameters=None):
    own = dataset.mean(axis=1, keepdims=True), dataset.std(axis=1, ddof=1, keepdims=True)
    return _scaled(dataset, *(normalizationParameters or own))


@wrong("normalize.precedence", "normalize_min_max")
def forgotten_parentheses(dataset, normalizationParameters=None):
    low, high = _range(dataset, normalizationParameters)
    width = np.where(high == low, 1, high - low)
    result = dataset - low / width
    result[:, (high == low).ravel()] = 0
    return result


@wrong("normalize.constant_shifted", "normalize_zero_mean")
def divided_by_one(dataset, normalizationParameters=None):
    means, deviations = _spread(dataset, normalizationParameters)
    return (dataset - means) / np.where(deviations == 0, 1, deviations)


@wrong("normalize.constant_kept", "normalize_min_max")
def constant_columns_left_out(dataset, normalizationParameters=None):
    low, high = _range(dataset, normalizationParameters)
    result, varied = dataset.copy(), (low != high).ravel()
    result[:, varied] = (dataset[:, varied] - low[:, varied]) / (high - low)[:, varied]
    return result


@wrong("normalize.constant_one", "normalize_zero_mean")
def constant_columns_at_one(dataset, normalizationParameters=None):
    means, deviations = _spread(dataset, normalizationParameters)
    result = (dataset - means) / np.where(deviations == 0, 1, deviations)
    result[:, (deviations == 0).ravel()] = 1
    return result


@wrong("normalize.constant_of_data", "normalize_min_max")
def constant_columns_of_the_data(dataset, normalizationParameters=None):
    low, high = _range(dataset, normalizationParameters)
    constant = dataset.min(axis=0) == dataset.max(axis=0)
    width = np.where(constant, 1, high - low)
    return np.where(constant, 0, (dataset - low) / width)


@wrong("normalize.by_maximum", "normalize_min_max")
def divided_by_the_maximum(dataset, normalizationParameters=None):
    low, high = _range(dataset, normalizationParameters)
    result = (dataset - low) / high
    result[:, (low == high).ravel()] = 0
    return result


@wrong("normalize.by_minimum", "normalize_min_max")
def divided_by_the_minimum(dataset, normalizationParameters=None):
    low, high = _range(dataset, normalizationParameters)
    result = (dataset - low) / low
    result[:, (low == high).ravel()] = 0
    return result


@wrong("normalize.from_minus_one", "normalize_min_max")
def from_minus_one_to_one(dataset, normalizationParameters=None):
    low, high = _range(dataset, normalizationParameters)
    return 2 * _scaled(dataset, low, high - low) - 1


@wrong("normalize.returns_copy", "normalize_min_max_")
def changed_and_copied(dataset, normalizationParameters=None):
    low, high = _range(dataset, normalizationParameters)
    dataset[:] = _scaled(dataset, low, high - low)
    return np.array(dataset)


@wrong("normalize.population", "normalize_zero_mean")
def deviation_by_n(dataset, normalizationParameters=None):
    own = dataset.mean(axis=0, keepdims=True), dataset.std(axis=0, keepdims=True)
    return _scaled(dataset, *(normalizationParameters or own))


@wrong("normalize.variance", "normalize_zero_mean")
def divided_by_the_variance(dataset, normalizationParameters=None):
    means, deviations = _spread(dataset, normalizationParameters)
    return _scaled(dataset, means, deviations**2)
