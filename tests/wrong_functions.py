"""A tiny wrong function for each known mistake that no submission of tests/entregas has, as students write it."""
# ruff: noqa: NPY002 - the statement asks for the global generator

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


@wrong("one_hot.order", "one_hot_encoding")
def from_the_last_class_to_the_first(feature, classes=None):
    if _bools(feature, classes):
        return feature.reshape(-1, 1)
    classes = _classes(feature, classes)
    columns = np.array([[label == each for each in classes] for label in feature.tolist()])
    return columns[:, ::-1] if len(classes) > 2 else columns[:, :1]


@wrong("one_hot.positive", "one_hot_encoding")
def the_first_label_is_positive(feature, classes=None):
    if _bools(feature, classes):
        return feature.reshape(-1, 1)
    classes = _classes(feature, classes)
    if len(classes) == 2:
        return np.array([[label == feature.tolist()[0]] for label in feature.tolist()])
    columns = np.array([[label == each for each in classes] for label in feature.tolist()])
    return columns if len(classes) > 2 else columns[:, :1]


# --- classify_outputs -------------------------------------------------------------------------------------------------


def _one_true(outputs, winners):
    result = np.zeros(outputs.shape, dtype=bool)
    result[np.arange(len(outputs)), winners] = True
    return result


def _is_one_column(outputs):
    return outputs.ndim == 1 or outputs.shape[1] == 1


@wrong("classify.two_columns", "classify_outputs")
def a_column_for_each_class(outputs, *, threshold=0.5):
    if outputs.ndim == 1:
        return outputs >= threshold
    if outputs.shape[1] == 1:
        return np.column_stack([outputs >= threshold, outputs < threshold])
    return np.eye(outputs.shape[1], dtype=bool)[outputs.argmax(axis=1)]


@wrong("classify.whole_columns", "classify_outputs")
def winners_of_all_rows(outputs, *, threshold=0.5):
    if outputs.ndim == 1 or outputs.shape[1] == 1:
        return outputs >= threshold
    said = np.zeros_like(outputs, dtype=bool)
    said[:, outputs.argmax(axis=1)] = True
    return said


@wrong("classify.winner_by_threshold", "classify_outputs")
def sure_winners(outputs, *, threshold=0.5):
    if outputs.ndim == 1 or outputs.shape[1] == 1:
        return outputs >= threshold
    return np.eye(outputs.shape[1], dtype=bool)[outputs.argmax(axis=1)] & (outputs >= threshold)


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


@wrong("normalize.min_max", "normalize_zero_mean")
def the_range_for_the_deviation(dataset, normalizationParameters=None):
    low = dataset.min(axis=0, keepdims=True)
    return _scaled(dataset, *(normalizationParameters or (low, dataset.max(axis=0, keepdims=True) - low)))


@wrong("normalize.min_max", "normalize_zero_mean_")
def the_formula_of_the_other_one(dataset, normalizationParameters=None):
    low, high = _range(dataset, normalizationParameters)
    dataset[:] = _scaled(dataset, low, high - low)
    return dataset


@wrong("normalize.zero_mean", "normalize_min_max")
def the_deviation_for_the_range(dataset, normalizationParameters=None):
    return _scaled(dataset, *_spread(dataset, normalizationParameters))


@wrong("normalize.formula", "normalize_zero_mean")
def multiplied(dataset, normalizationParameters=None):
    means, deviations = _spread(dataset, normalizationParameters)
    return (dataset - means) * deviations


@wrong("normalize.epsilon", "normalize_min_max")
def with_a_small_amount(dataset, normalizationParameters=None):
    low, high = _range(dataset, normalizationParameters)
    return (dataset - low) / (high - low + 1e-8)


@wrong("normalize.constant_other", "normalize_min_max")
def in_the_middle(dataset, normalizationParameters=None):
    low, high = _range(dataset, normalizationParameters)
    return np.where(high == low, 0.5, _scaled(dataset, low, high - low))


@wrong("parameters.range", "calculate_min_max_normalization_parameters")
def minimum_and_range(dataset):
    return dataset.min(axis=0, keepdims=True), np.ptp(dataset, axis=0, keepdims=True)


@wrong("parameters.deviation", "calculate_zero_mean_normalization_parameters")
def the_mean_distance(dataset):
    means = dataset.mean(axis=0, keepdims=True)
    return means, abs(dataset - means).mean(axis=0, keepdims=True)


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


@wrong("network.sizes_do_not_fit", "build_class_ann")
def always_as_many_inputs(numInputs, topology, numOutputs, *, transferFunctions=None):
    layers = []
    for neurons, function in zip(topology, transferFunctions or [torch.sigmoid] * len(topology), strict=True):
        layers += [nn.Linear(numInputs, neurons), _Of(function)]
    return nn.Sequential(*layers, nn.Linear(numInputs, numOutputs), _last(numOutputs))


@wrong("network.dropout", "build_class_ann")
def some_left_out(numInputs, topology, numOutputs, *, transferFunctions=None):
    layers, width = _layers(numInputs, topology, transferFunctions)
    return nn.Sequential(*layers, nn.Dropout(0.3), nn.Linear(width, numOutputs), _last(numOutputs))


@wrong("network.extra_layer", "build_class_ann")
def one_layer_more(numInputs, topology, numOutputs, *, transferFunctions=None):
    layers, width = _layers(numInputs, topology, transferFunctions)
    more = [nn.Linear(width, width), nn.Sigmoid()]
    return nn.Sequential(*layers, *more, nn.Linear(width, numOutputs), _last(numOutputs))


@wrong("network.extra_parameters", "build_class_ann")
def normalised_inside(numInputs, topology, numOutputs, *, transferFunctions=None):
    layers, width = _layers(numInputs, topology, transferFunctions)
    more = [nn.BatchNorm1d(width)] if topology else []
    return nn.Sequential(*layers, *more, nn.Linear(width, numOutputs), _last(numOutputs))


@wrong("network.constant_weights", "build_class_ann")
def all_zero(numInputs, topology, numOutputs, *, transferFunctions=None):
    ann = _network(numInputs, topology, numOutputs, transferFunctions=transferFunctions)
    for parameter in ann.parameters():
        nn.init.zeros_(parameter)
    return ann


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
    best_by=1,
    watched=1,
    patience=lambda patience: patience,
    from_the_start=False,
    tests_with=2,
    validates_with=1,
    sign=1,
    kept_later=None,
    networks=1,
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
                        other = {1: validates_with, 2: tests_with}.get(number, 0)
                        from_set = dataset if sets[other] is None else sets[other]
                        losses[number].append(loss(ann(from_set[0]), from_set[1]).item())

        note()
        best, since = ann, 0
        lowest = watched_lowest = float("inf")
        if sets[1] is not None:
            best, lowest, watched_lowest = kept(ann), losses[best_by][0], losses[watched][0]
        for epoch in range(maxEpochs):
            if losses[0][-1] <= minLoss:
                break
            optimizer.zero_grad()
            for _ in range(networks - 1):
                ann = _network(x.shape[1], topology, y.shape[1], transferFunctions=transferFunctions)
                optimizer = torch.optim.Adam(ann.parameters(), lr=learningRate)
            (sign * loss(ann(x), y)).backward()
            optimizer.step()
            note()
            if sets[1] is not None:
                if losses[best_by][-1] < lowest:
                    best, lowest = (kept_later or (lambda ann, _: kept(ann)))(ann, best), losses[best_by][-1]
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


@wrong("training.double_precision", "train_class_ann")
def numbers_as_numpy_has_them(topology, trainingDataset, **options):
    x, y = trainingDataset
    ann = _network(x.shape[1], topology, y.shape[1] if y.ndim == 2 else 1)
    return ann, [_cross_entropy(ann(torch.from_numpy(x)), torch.from_numpy(y).double()).item()], [], []


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
_wrongly("training.best_of_training", best_by=0)
_wrongly("training.stops_by_training", watched=0)
_wrongly("training.stops_too_soon", patience=lambda patience: patience - 1)
_wrongly("training.fixed_patience", patience=lambda patience: 5)
_wrongly("training.epochs_from_the_start", from_the_start=True)
_wrongly("training.test_losses_of_validation", tests_with=1)


def _base_ten(p, y):
    return _binary(p, y) if y.shape[1] == 1 else -(y * torch.log10(p + 1e-7)).sum(dim=1).mean()


_wrongly("training.another_logarithm", loss=_base_ten)
_wrongly("training.upwards", sign=-1)
_wrongly("training.validation_losses_of_test", validates_with=2)
_wrongly("training.never_kept", kept_later=lambda ann, best: best)
_wrongly("training.last_network", kept_later=lambda ann, best: ann)
_wrongly("training.vectors_raise", shaped=lambda y: y)

# --- hold_out ---------------------------------------------------------------------------------------------------------


def _split(N, P):
    order = np.random.permutation(N)
    cut = N - round(N * P)
    return order[:cut], order[cut:]


@wrong("hold_out.order", "hold_out")
def the_test_first(N, P, Ptest=None):
    if Ptest is None:
        return _split(N, P)
    order, n_test, n_val = np.random.permutation(N), round(N * Ptest), round(N * P)
    return order[:n_test], order[n_test : n_test + n_val], order[n_test + n_val :]


@wrong("hold_out.rest", "hold_out")
def first_the_test_and_then_the_same(N, P, Ptest=None):
    if Ptest is None:
        return _split(N, P)
    order = np.random.permutation(N)
    n_test = int(N * Ptest)
    n_val = int((N - n_test) * P)
    return order[n_test + n_val :], order[n_test : n_test + n_val], order[:n_test]


@wrong("hold_out.test_of_rest", "hold_out")
def first_the_validation_and_then_the_same(N, P, Ptest=None):
    if Ptest is None:
        return _split(N, P)
    rest, validation = _split(N, P)
    training, test = _split(len(rest), Ptest)
    return rest[training], validation, rest[test]


@wrong("hold_out.scaled_down", "hold_out")
def ratio_times_what_is_left(N, P, Ptest=None):
    if Ptest is None:
        return _split(N, P)
    rest, test = _split(N, Ptest)
    training, validation = _split(len(rest), P * len(rest) / N)
    return rest[training], rest[validation], test


@wrong("hold_out.ignores_Ptest", "hold_out")
def two_sets_and_no_more(N, P, Ptest=None):
    order = np.random.permutation(N)
    n_test = round(N * P)
    return order[n_test:], order[:n_test]


@wrong("hold_out.masks", "hold_out")
def masks(N, P, Ptest=None):
    draws = np.random.permutation(N) / N
    if Ptest is None:
        return draws >= P, draws < P
    return draws >= P + Ptest, draws < P, (draws >= P) & (draws < P + Ptest)


@wrong("hold_out.overlap", "hold_out")
def each_set_by_itself(N, P, Ptest=None):
    test = np.random.choice(N, round(N * (P if Ptest is None else Ptest)), replace=False)
    if Ptest is None:
        return np.random.choice(N, N - len(test), replace=False), test
    validation = np.random.choice(N, round(N * P), replace=False)
    return np.random.choice(N, N - len(test) - len(validation), replace=False), validation, test


@wrong("hold_out.loses", "hold_out")
def one_lost_at_the_border(N, P, Ptest=None):
    order = list(range(N))
    np.random.shuffle(order)
    n_test = round(N * P)
    if Ptest is None:
        return order[: N - n_test - 1], order[N - n_test :]
    n_val, n_test = n_test, round(N * Ptest)
    return order[: N - n_val - n_test - 1], order[N - n_val - n_test : N - n_test], order[N - n_test :]


# --- crossvalidation --------------------------------------------------------------------------------------------------


def _columns(targets):
    classes = dict.fromkeys(targets.tolist())
    return np.array([[label == each for each in classes] for label in targets.tolist()])


def _by_class(targets, k, of_number):
    if targets.dtype != bool:
        targets = _columns(targets)
    if targets.ndim == 1 or targets.shape[1] == 1:
        targets = np.column_stack([targets.ravel(), ~targets.ravel()])
    folds = np.zeros(len(targets), dtype=int)
    for column in targets.T:
        folds[column] = of_number(column.sum(), k)
    return folds


def _even(N, k):
    return np.random.permutation(np.resize(np.arange(1, k + 1), N))


@wrong("folds.negatives", "crossvalidation")
def only_the_columns_that_are_there(targets, k, /):
    if np.ndim(targets) == 0:
        return _even(targets, k)
    if targets.dtype != bool:
        targets = _columns(targets)
        targets = targets if targets.shape[1] > 2 else targets[:, :1]
    elif targets.ndim == 1:
        return _by_class(targets, k, _even)
    folds = -np.ones(targets.shape[0]).astype(int)
    for c in range(targets.shape[1]):
        folds[targets[:, c]] = _even(targets[:, c].sum(), k)
    return folds


@wrong("folds.negatives_of_vector", "crossvalidation")
def positives_only(targets, k, /):
    if np.ndim(targets) == 0:
        return _even(targets, k)
    if targets.dtype == bool and targets.ndim == 1:
        folds = np.ones(targets.shape, dtype=int)
        folds[np.where(targets)[0]] = _even(targets.sum(), k)
        return folds
    return _by_class(targets, k, _even)


def _without_the_last(N, k):
    numbers = list(range(1, k)) * N
    return np.random.permutation(numbers[:N])


@wrong("folds.last_missing", "crossvalidation")
def range_without_its_end(targets, k, /):
    return _without_the_last(targets, k) if np.ndim(targets) == 0 else _by_class(targets, k, _without_the_last)


def _whole(N, k):
    folds = np.repeat(np.arange(1, k + 1), N // k)
    np.random.shuffle(folds)
    return folds


@wrong("folds.too_short", "crossvalidation")
def repeated_whole_times(targets, k, /):
    return _whole(targets, k) if np.ndim(targets) == 0 else _by_class(targets, k, _whole)


def _more(N, k):
    return np.random.permutation(list(range(1, k + 1)) * int(np.ceil(N / k)))


@wrong("folds.too_long", "crossvalidation")
def all_repetitions(targets, k, /):
    return _more(targets, k) if np.ndim(targets) == 0 else _by_class(targets, k, _more)


@wrong("folds.concatenated", "crossvalidation")
def one_class_after_the_other(targets, k, /):
    if np.ndim(targets) == 0:
        return _even(targets, k)
    if targets.ndim == 2 and targets.shape[1] > 1:
        targets = targets.argmax(axis=1)
    sizes = [targets.ravel().tolist().count(label) for label in dict.fromkeys(targets.ravel().tolist())]
    return np.concatenate([_even(n, k) for n in sizes])


def _in_a_row(N, k):
    return np.random.permutation(np.repeat(np.arange(k) + 1, int(np.ceil(N / k)))[:N])


@wrong("folds.cut", "crossvalidation")
def cut_at_the_end(targets, k, /):
    return _in_a_row(targets, k) if np.ndim(targets) == 0 else _by_class(targets, k, _in_a_row)


# --- accuracy ---------------------------------------------------------------------------------------------------------


def _is_real(outputs):
    return outputs.dtype != bool


@wrong("accuracy.threshold_lost", "accuracy")
def threshold_for_vectors_only(outputs, targets, *, threshold=0.5):
    if outputs.ndim == 1:
        return np.mean((outputs if outputs.dtype == bool else outputs >= threshold) == targets)
    if _is_real(outputs):
        outputs = outputs >= 0.5 if _is_one_column(outputs) else _one_true(outputs, outputs.argmax(axis=1))
    return np.mean(np.all(outputs == targets, axis=1))


@wrong("accuracy.strict", "accuracy")
def larger_than_the_threshold(outputs, targets, *, threshold=0.5):
    if _is_real(outputs):
        outputs = outputs > threshold if _is_one_column(outputs) else _one_true(outputs, outputs.argmax(axis=1))
    return np.mean([np.array_equal(said, real) for said, real in zip(outputs, targets, strict=True)])


@wrong("accuracy.rows_by_threshold", "accuracy")
def everything_by_the_threshold(outputs, targets, *, threshold=0.5):
    outputs = outputs >= threshold if _is_real(outputs) else outputs
    return np.all((outputs == targets).reshape(len(targets), -1), axis=1).sum() / len(targets)


@wrong("accuracy.column_by_maximum", "accuracy")
def matrices_by_their_maximum(outputs, targets, *, threshold=0.5):
    if _is_real(outputs):
        outputs = outputs >= threshold if outputs.ndim == 1 else _one_true(outputs, outputs.argmax(axis=1))
    return 1 - np.mean((outputs != targets).reshape(len(targets), -1).any(axis=1))


@wrong("accuracy.float32", "accuracy")
def only_double_precision_is_real(outputs, targets, *, threshold=0.5):
    if outputs.dtype == float:
        outputs = outputs >= threshold if _is_one_column(outputs) else _one_true(outputs, outputs.argmax(axis=1))
    return float(np.mean((outputs == targets).reshape(len(targets), -1).all(axis=1)))


@wrong("accuracy.columns", "accuracy")
def columns_that_agree(outputs, targets, *, threshold=0.5):
    if _is_real(outputs):
        outputs = outputs >= threshold if _is_one_column(outputs) else _one_true(outputs, outputs.argmax(axis=1))
    if targets.ndim == 1 or targets.shape[1] == 1:
        return float(np.mean(outputs == targets))
    return float(np.mean(np.all(outputs == targets, axis=0)))


@wrong("accuracy.any", "accuracy")
def some_column_agrees(outputs, targets, *, threshold=0.5):
    if _is_real(outputs):
        outputs = outputs >= threshold if _is_one_column(outputs) else _one_true(outputs, outputs.argmax(axis=1))
    return np.mean(np.any((outputs == targets).reshape(len(targets), -1), axis=1))


@wrong("accuracy.positives", "accuracy")
def only_what_is_positive(outputs, targets, *, threshold=0.5):
    if _is_real(outputs):
        outputs = outputs >= threshold if _is_one_column(outputs) else _one_true(outputs, outputs.argmax(axis=1))
    return np.sum(outputs * targets) / targets.shape[0]


@wrong("accuracy.percent", "accuracy")
def per_cent(outputs, targets, *, threshold=0.5):
    if _is_real(outputs):
        outputs = outputs >= threshold if _is_one_column(outputs) else _one_true(outputs, outputs.argmax(axis=1))
    return 100 * sum(np.array_equal(said, real) for said, real in zip(outputs, targets, strict=True)) / len(targets)


@wrong("accuracy.count", "accuracy")
def how_many(outputs, targets, *, threshold=0.5):
    if _is_real(outputs):
        outputs = outputs >= threshold if _is_one_column(outputs) else _one_true(outputs, outputs.argmax(axis=1))
    return sum(np.array_equal(said, real) for said, real in zip(outputs, targets, strict=True))


# --- confusion_matrix -------------------------------------------------------------------------------------------------

BINARY, MANY = "confusion_matrix_binary", "confusion_matrix_multiclass"


def _over(part, whole):
    return part / whole if whole > 0 else 1


def _metrics(outputs, targets, over=_over):
    TP, FP = sum(outputs & targets), sum(outputs & ~targets)
    TN, FN = sum(~outputs & ~targets), sum(~outputs & targets)
    recall, PPV = over(TP, TP + FN), over(TP, TP + FP)
    F1 = 0 if recall + PPV == 0 else 2 * recall * PPV / (recall + PPV)
    right = (TP + TN) / (TP + TN + FP + FN)
    return [right, 1 - right, recall, over(TN, TN + FP), PPV, over(TN, TN + FN), F1, np.array([[TN, FP], [FN, TP]])]


def _as_bools(outputs, targets, threshold=0.5):
    """Return two vectors or two matrices of bools."""
    if targets.dtype != bool:
        classes = list(dict.fromkeys([*targets.tolist(), *outputs.tolist()]))
        outputs, targets = (np.array([[x == c for c in classes] for x in each.tolist()]) for each in (outputs, targets))
        outputs, targets = (each[:, 0] if len(classes) == 2 else each for each in (outputs, targets))
    elif outputs.dtype != bool:
        one = _is_one_column(outputs)
        outputs = outputs >= threshold if one else _one_true(outputs, outputs.argmax(axis=1))
    if targets.ndim == 2 and targets.shape[1] == 1:
        outputs, targets = outputs[:, 0], targets[:, 0]
    return outputs, targets


def _averages(outputs, targets, weights):
    of_classes = np.array([_metrics(said, real)[2:7] for said, real in zip(outputs.T, targets.T, strict=True)])
    right = np.mean(np.argmax(outputs, axis=1) == np.argmax(targets, axis=1))
    return [right, 1 - right, *np.sum(of_classes.T * weights, axis=1)]


def _weights(targets, weighted):
    return targets.sum(axis=0) / len(targets) if weighted else np.ones(targets.shape[1]) / targets.shape[1]


@wrong("confusion.zero_divides", BINARY)
def ints_over_ints(outputs, targets, *, threshold=0.5, weighted=True):
    outputs, targets = _as_bools(outputs, targets, threshold)
    return _metrics(outputs.tolist() == np.array(True), targets, lambda part, whole: int(part) / int(whole))


@wrong("confusion.zero_is_zero", BINARY)
def ones_only_if_all_are_right(outputs, targets, *, threshold=0.5, weighted=True):
    outputs, targets = _as_bools(outputs, targets, threshold)
    TN, TP = np.sum(~outputs & ~targets), np.sum(outputs & targets)
    if len(targets) in (TN, TP):
        return 1, 0, 1, 1, 1, 1, 1
    return _metrics(outputs, targets, lambda part, whole: 0 if whole == 0 else part / whole)


@wrong("confusion.zero_is_nan", BINARY)
def no_zero_is_looked_at(outputs, targets, *, threshold=0.5, weighted=True):
    outputs, targets = _as_bools(outputs, targets, threshold)
    VP, VN = np.sum(outputs & targets), np.sum(~outputs & ~targets)
    FP, FN = np.sum(outputs & ~targets), np.sum(~outputs & targets)
    sensitivity, PPV = VP / (VP + FN), VP / (VP + FP)
    F1 = 2 * sensitivity * PPV / (sensitivity + PPV)
    return (VP + VN) / len(targets), (FP + FN) / len(targets), sensitivity, VN / (VN + FP), PPV, VN / (VN + FN), F1


@wrong("confusion.reversed", BINARY)
def positive_is_false(outputs, targets, *, threshold=0.5, weighted=True):
    outputs, targets = _as_bools(outputs, targets, threshold)
    return _metrics(~outputs, ~targets)[:7]


@wrong("confusion.formula", BINARY)
def specificity_of_what_is_said(outputs, targets, *, threshold=0.5, weighted=True):
    values = _metrics(*_as_bools(outputs, targets, threshold))
    (TN, _), (FN, _) = values[7]
    values[3] = _over(TN, TN + FN)
    return values


@wrong("confusion.F1_formula", BINARY)
def mean_of_recall_and_precision(outputs, targets, *, threshold=0.5, weighted=True):
    values = _metrics(*_as_bools(outputs, targets, threshold))
    values[6] = np.mean([values[2], values[4]])
    return values


@wrong("confusion.positives_first", BINARY)
def true_positives_on_top(outputs, targets, *, threshold=0.5, weighted=True):
    *values, matrix = _metrics(*_as_bools(outputs, targets, threshold))
    (TN, FP), (FN, TP) = matrix
    return *values, np.array([[TP, FN], [FP, TN]])


@wrong("confusion.normalized", BINARY)
def a_matrix_of_fractions(outputs, targets, *, threshold=0.5, weighted=True):
    *values, matrix = _metrics(*_as_bools(outputs, targets, threshold))
    return *values, matrix / len(targets)


@wrong("confusion.rounded", BINARY)
def two_decimals(outputs, targets, *, threshold=0.5, weighted=True):
    return [round(float(value), 2) for value in _metrics(*_as_bools(outputs, targets, threshold))[:7]]


@wrong("confusion.weighted_reversed", MANY)
def weights_if_not_weighted(outputs, targets, *, threshold=0.5, weighted=True):
    outputs, targets = _as_bools(outputs, targets, threshold)
    return (
        _metrics(outputs, targets)
        if targets.ndim == 1
        else _averages(outputs, targets, _weights(targets, not weighted))
    )


@wrong("confusion.weights_sum", MANY)
def weights_that_are_counts(outputs, targets, *, threshold=0.5, weighted=True):
    outputs, targets = _as_bools(outputs, targets, threshold)
    if targets.ndim == 1:
        return _metrics(outputs, targets)
    return _averages(outputs, targets, targets.sum(axis=0) if weighted else _weights(targets, False))


@wrong("confusion.micro", MANY)
def all_classes_counted_together(outputs, targets, *, threshold=0.5, weighted=True):
    outputs, targets = _as_bools(outputs, targets, threshold)
    if targets.ndim == 1:
        return _metrics(outputs, targets)
    right = np.mean((outputs == targets).all(axis=1))
    return right, 1 - right, *_metrics(outputs.flatten(), targets.flatten())[2:7]


@wrong("confusion.two_labels_as_many", MANY)
def every_label_has_its_column(outputs, targets, *, threshold=0.5, weighted=True):
    if targets.dtype != bool:
        classes = sorted({*targets.tolist(), *outputs.tolist()}, key=str)
        outputs = np.array([[label == each for each in classes] for label in outputs.tolist()])
        targets = np.array([[label == each for each in classes] for label in targets.tolist()])
    outputs, targets = _as_bools(outputs, targets, threshold)
    return _metrics(outputs, targets) if targets.ndim == 1 else _averages(outputs, targets, _weights(targets, weighted))


@wrong("confusion.real_by_threshold", MANY)
def every_output_by_the_threshold(outputs, targets, *, threshold=0.5, weighted=True):
    if targets.dtype == bool and outputs.dtype != bool:
        outputs = outputs >= threshold
    outputs, targets = _as_bools(outputs, targets)
    if targets.ndim == 1:
        return _metrics(outputs, targets)
    _, _, *means = _averages(outputs, targets, _weights(targets, weighted))
    right = np.mean((outputs == targets).all(axis=1))
    return right, 1 - right, *means


# --- ann_cross_validation and model_cross_validation ------------------------------------------------------------------

ANN, MODEL = "ann_cross_validation", "model_cross_validation"
RETURN_OF_ANN = "porFold[fold - 1] = porEjecucion.mean(axis=0)\n    return _medias_y_desviaciones(porFold)"
ROUNDS = "porFold = np.zeros((numFolds, 7))\n    for fold in range(1, numFolds + 1):\n        "
ROUNDS_OF_ANN, ROUNDS_OF_MODEL = ROUNDS + "entradasTrain", ROUNDS + "modelo ="


def _returning(value):
    return RETURN_OF_ANN, RETURN_OF_ANN.replace("_medias_y_desviaciones(porFold)", value)


EDITS = [  # of (id of the mistake, row of the rubric, a piece of the model answer, what takes its place)
    ("cv.empty_round", ANN, ROUNDS_OF_ANN, ROUNDS_OF_ANN.replace("1, numFolds + 1", "numFolds")),
    ("cv.empty_round", MODEL, ROUNDS_OF_MODEL, ROUNDS_OF_MODEL.replace("numFolds", "10")),
    ("cv.exchanged", ANN, *_returning("[(desv, media) for media, desv in _medias_y_desviaciones(porFold)]")),
    ("cv.transposed", ANN, *_returning("tuple(porFold.mean(axis=0)), tuple(porFold.std(axis=0, ddof=1))")),
    ("cv.fold_values", ANN, *_returning("porFold.T.tolist()")),
    ("cv.accuracy_only", ANN, *_returning("_medias_y_desviaciones(porFold)[0]")),
    (
        "ann_cv.not_encoded",
        ANN,
        "entradasTrain, salidasTrain = inputs[indices != fold], salidas[indices != fold]",
        "entradasTrain, salidasTrain = inputs[indices != fold], targets[indices != fold]",
    ),
    (
        "ann_cv.requires_grad",
        ANN,
        "with torch.no_grad():\n                predicciones = ann(torch.tensor(entradasTest",
        "if True:\n                predicciones = ann(torch.tensor(entradasTest",
    ),
    (
        "ann_cv.ratio_upside_down",
        ANN,
        "validationRatio * len(inputs) / len(entradasTrain)",
        "validationRatio * len(entradasTrain) / len(inputs)",
    ),
    (
        "training.several_networks",
        "train_class_ann",
        "        optimizador.zero_grad()\n",
        "        ann = build_class_ann(entrenamiento[0].shape[1], topology, entrenamiento[1].shape[1])\n"
        "        optimizador = torch.optim.Adam(ann.parameters(), lr=learningRate)\n",
    ),
    ("cv.variance", ANN, *_returning("[(m, d**2) for m, d in _medias_y_desviaciones(porFold)]")),
    ("ann_cv.sum_of_executions", ANN, "porEjecucion.mean(axis=0)", "porEjecucion.sum(axis=0)"),
    ("ann_cv.ratio_ignored", ANN, "if validationRatio > 0:", "if validationRatio > 1:"),
    ("ann_cv.validation_not_passed", ANN, "                validationDataset=validacion,\n", ""),
    ("model_cv.wrong_key", MODEL, 'max_depth=h["max_depth"]', 'max_depth=h["maxDepth"]'),
    (
        "model_cv.needs_options",
        MODEL,
        'opciones = {clave: valor for clave, valor in modelHyperparameters.items() if clave != "topology"}',
        "opciones = {clave: modelHyperparameters[clave] for clave in ann_cross_validation.__kwdefaults__}",
    ),
    ("model_cv.not_reached", MODEL, 'if tipo == "KNeighborsClassifier":', 'if tipo == "kNN":'),
    (
        "model_cv.fit_encoded",
        MODEL,
        "modelo.fit(inputs[indices != fold], etiquetas[indices != fold])",
        "modelo.fit(inputs[indices != fold], salidas[indices != fold])",
    ),
    ("cv.one_round", ANN, RETURN_OF_ANN, RETURN_OF_ANN.replace("    return", "        return")),
    ("cv.one_round", MODEL, ROUNDS_OF_MODEL, ROUNDS_OF_MODEL.replace("numFolds + 1", "2")),
    (
        "cv.one_fold",
        ANN,
        "entradasTest, salidasTest = inputs[indices == fold], salidas[indices == fold]",
        "entradasTest, salidasTest = inputs[indices == 1], salidas[indices == 1]",
    ),
    ("cv.one_fold", MODEL, ROUNDS_OF_MODEL, ROUNDS_OF_MODEL.replace("modelo =", "fold = 1\n        modelo =")),
    (
        "cv.outputs_and_targets",
        ANN,
        "confusion_matrix(predicciones, salidasTest)",
        "confusion_matrix(salidasTest, predicciones)",
    ),
    (
        "cv.outputs_and_targets",
        MODEL,
        "confusion_matrix(predicciones, salidas[indices == fold])",
        "confusion_matrix(salidas[indices == fold], predicciones)",
    ),
    ("model_cv.ann_apart", MODEL, 'if modelType == "ANN":', 'if modelType == "ANN":\n        return ((0.5, 0.1),) * 7'),
]
