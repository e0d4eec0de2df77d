"""A tiny wrong function for each known mistake that no submission of tests/entregas has, as students write it."""

import copy

import numpy as np
import torch
from torch import nn

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


# --- build_class_ann --------------------------------------------------------------------------------------------------


class _Of(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.forward = function


def _layers(numInputs, topology, transferFunctions):
    layers, width = [], numInputs
    for neurons, function in zip(topology, transferFunctions or [torch.sigmoid] * len(topology), strict=False):
        layers += [nn.Linear(width, neurons), _Of(function)]
        width = neurons
    return layers, width


def _last(numOutputs):
    return nn.Sigmoid() if numOutputs == 1 else nn.Softmax(dim=1)


def _network(numInputs, topology, numOutputs, *, transferFunctions=None):
    layers, width = _layers(numInputs, topology, transferFunctions)
    return nn.Sequential(*layers, nn.Linear(width, numOutputs), _last(numOutputs))


@wrong("network.list_of_layers", "build_class_ann")
def a_list_for_sequential(numInputs, topology, numOutputs, *, transferFunctions=None):
    layers, width = _layers(numInputs, topology, transferFunctions)
    layers += [nn.Linear(width, numOutputs), _last(numOutputs)]
    return nn.Sequential(layers)


@wrong("network.function_as_module", "build_class_ann")
def functions_for_sequential(numInputs, topology, numOutputs, *, transferFunctions=None):
    layers, width = [], numInputs
    for number, neurons in enumerate(topology):
        layers.append(nn.Linear(width, neurons))
        layers.append(nn.Sigmoid() if transferFunctions is None else transferFunctions[number])
        width = neurons
    return nn.Sequential(*layers, nn.Linear(width, numOutputs), _last(numOutputs))


@wrong("network.returns_layers", "build_class_ann")
def layers_alone(numInputs, topology, numOutputs, *, transferFunctions=None):
    layers, width = _layers(numInputs, topology, transferFunctions)
    return [*layers, nn.Linear(width, numOutputs), _last(numOutputs)]


@wrong("network.no_functions", "build_class_ann")
def functions_that_must_be_given(numInputs, topology, numOutputs, *, transferFunctions=None):
    layers, width = [], numInputs
    for number in range(len(topology)):
        layers += [nn.Linear(width, topology[number]), _Of(transferFunctions[number])]
        width = topology[number]
    return nn.Sequential(*layers, nn.Linear(width, numOutputs), _last(numOutputs))


@wrong("network.two_outputs", "build_class_ann")
def two_outputs_and_a_softmax(numInputs, topology, numOutputs, *, transferFunctions=None):
    layers, width = _layers(numInputs, topology, transferFunctions)
    return nn.Sequential(*layers, nn.Linear(width, max(numOutputs, 2)), nn.Softmax(dim=1))


@wrong("network.no_output_layer", "build_class_ann")
def hidden_layers_alone(numInputs, topology, numOutputs, *, transferFunctions=None):
    layers, _ = _layers(numInputs, topology, transferFunctions)
    return nn.Sequential(*layers, _last(numOutputs))


@wrong("network.sigmoid_for_several", "build_class_ann")
def always_a_sigmoid(numInputs, topology, numOutputs, *, transferFunctions=None):
    layers, width = _layers(numInputs, topology, transferFunctions)
    return nn.Sequential(*layers, nn.Linear(width, numOutputs), nn.Sigmoid())


@wrong("network.no_sigmoid", "build_class_ann")
def logits_for_two_classes(numInputs, topology, numOutputs, *, transferFunctions=None):
    layers, width = _layers(numInputs, topology, transferFunctions)
    layers.append(nn.Linear(width, numOutputs))
    if numOutputs > 1:
        layers.append(nn.Softmax(dim=1))
    return nn.Sequential(*layers)


@wrong("network.log_softmax", "build_class_ann")
def logarithms(numInputs, topology, numOutputs, *, transferFunctions=None):
    layers, width = _layers(numInputs, topology, transferFunctions)
    last = nn.Sigmoid() if numOutputs == 1 else nn.LogSoftmax(dim=1)
    return nn.Sequential(*layers, nn.Linear(width, numOutputs), last)


# --- train_class_ann --------------------------------------------------------------------------------------------------


def _cross_entropy(p, y):
    if y.shape[1] == 1:
        return nn.BCELoss()(p, y)
    return -(y * torch.log(p + 1e-7)).sum(dim=1).mean()


def _column(y):
    return y.reshape(len(y), -1)


def _trains(
    loss=_cross_entropy,
    shaped=_column,
    kept=copy.deepcopy,
    best_at_first=True,
    best_by=1,
    watched=1,
    patience=lambda patience: patience,
    from_the_start=False,
    tests_with=2,
):
    """Return a train_class_ann, right but for what is said otherwise; sets are told by their numbers."""

    def train(
        topology,
        trainingDataset,
        *,
        validationDataset=None,
        testDataset=None,
        transferFunctions=None,
        maxEpochs=1000,
        minLoss=0.0,
        learningRate=0.01,
        maxEpochsVal=20,
    ):
        sets = []
        for dataset in (trainingDataset, validationDataset, testDataset):
            if dataset is not None:
                x, y = (torch.tensor(np.asarray(part), dtype=torch.float32) for part in dataset)
                dataset = x, shaped(y)
            sets.append(dataset)
        x, y = sets[0]
        ann = _network(x.shape[1], topology, y.shape[1], transferFunctions=transferFunctions)
        optimizer = torch.optim.Adam(ann.parameters(), lr=learningRate)
        losses = [], [], []

        def note():
            with torch.no_grad():
                for number, dataset in enumerate(sets):
                    if dataset is not None:
                        from_set = sets[tests_with] if number == 2 and sets[tests_with] is not None else dataset
                        losses[number].append(loss(ann(from_set[0]), from_set[1]).item())

        note()
        best, since = ann, 0
        lowest = watched_lowest = float("inf")
        if sets[1] is not None and best_at_first:
            best, lowest, watched_lowest = kept(ann), losses[best_by][0], losses[watched][0]
        for epoch in range(maxEpochs):
            if losses[0][-1] <= minLoss:
                break
            optimizer.zero_grad()
            loss(ann(x), y).backward()
            optimizer.step()
            note()
            if sets[1] is not None:
                if losses[best_by][-1] < lowest:
                    best, lowest = kept(ann), losses[best_by][-1]
                since += 1
                if losses[watched][-1] < watched_lowest:
                    watched_lowest, since = losses[watched][-1], 0
                if from_the_start:
                    since = epoch + 1
                if since >= patience(maxEpochsVal):
                    break
        return best, *losses

    return train


def _wrongly(identifier, **changes):
    train = _trains(**changes)
    train.__name__ = identifier.partition(".")[2]
    wrong(identifier, "train_class_ann")(train)


def _binary(p, y):
    return nn.functional.binary_cross_entropy(p, y)


def _logits_again(p, y):
    return nn.functional.binary_cross_entropy_with_logits(p, y) if y.shape[1] == 1 else _cross_entropy(p, y)


def _mean_of_all(p, y):
    return _binary(p, y) if y.shape[1] == 1 else -(y * torch.log(p + 1e-7)).mean()


def _softmax_of_one(p, y):
    return nn.CrossEntropyLoss()(p, y) if y.shape[1] == 1 else _cross_entropy(p, y)


_wrongly("training.binary_for_several", loss=_binary)
_wrongly("training.sigmoid_twice", loss=_logits_again)
_wrongly("training.mean_over_outputs", loss=_mean_of_all)
_wrongly("training.cross_entropy_of_one_output", loss=_softmax_of_one)
_wrongly("training.shallow_copy", kept=copy.copy)
_wrongly("training.epoch_0_not_best", best_at_first=False)
_wrongly("training.best_of_training", best_by=0)
_wrongly("training.stops_by_training", watched=0)
_wrongly("training.stops_too_soon", patience=lambda patience: patience - 1)
_wrongly("training.fixed_patience", patience=lambda patience: 5)
_wrongly("training.epochs_from_the_start", from_the_start=True)
_wrongly("training.test_losses_of_validation", tests_with=1)
_wrongly("training.vectors_raise", shaped=lambda y: y)
