"""Solución."""
import copy
import numpy as np
import torch
from torch import nn
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.neighbors import KNeighborsClassifier

from functools import partial, reduce
from itertools import pairwise, repeat


def one_hot_encoding(feature, classes=None):
    feature = np.asarray(feature)
    match classes, feature.dtype.kind:
        case None, "b":
            return feature[:, np.newaxis].copy()
        case None, _:
            return one_hot_encoding(feature, list(dict.fromkeys(feature.tolist())))
    match list(classes):
        case [positive, _]:
            return np.array([x == positive for x in feature.tolist()], dtype=bool)[:, None]
        case several:
            return np.stack([np.array([x == c for x in feature.tolist()]) for c in several], axis=1)


def calculate_min_max_normalization_parameters(dataset):
    return tuple(f(dataset, axis=0)[None, :] for f in (np.min, np.max))


def calculate_zero_mean_normalization_parameters(dataset):
    m = np.einsum("ij->j", dataset) / len(dataset)
    d = dataset - m
    return m[None], np.sqrt(np.einsum("ij,ij->j", d, d) / (len(dataset) - 1))[None]


def _scale(dataset, shift, width):
    np.subtract(dataset, shift, out=dataset)
    np.divide(dataset, width, out=dataset, where=width != 0)
    dataset *= width != 0
    return dataset


def normalize_min_max_(dataset, normalizationParameters=None):
    lo, hi = normalizationParameters or calculate_min_max_normalization_parameters(dataset)
    return _scale(dataset, lo, hi - lo)


def normalize_min_max(dataset, normalizationParameters=None):
    return normalize_min_max_(dataset.astype(float), normalizationParameters)


def normalize_zero_mean_(dataset, normalizationParameters=None):
    return _scale(dataset, *(normalizationParameters or calculate_zero_mean_normalization_parameters(dataset)))


def normalize_zero_mean(dataset, normalizationParameters=None):
    return normalize_zero_mean_(dataset.astype(float), normalizationParameters)


def classify_outputs(outputs, *, threshold=0.5):
    match outputs.shape:
        case (_,) | (_, 1):
            return np.greater_equal(outputs, threshold)
        case (_, n):
            return np.equal(np.argmax(outputs, axis=1)[:, None], np.arange(n)[None, :])


def accuracy(outputs, targets, *, threshold=0.5):
    if outputs.dtype != np.bool_:
        return accuracy(classify_outputs(outputs, threshold=threshold), targets)
    return 1 - np.count_nonzero((outputs ^ targets).reshape(len(targets), -1).any(axis=1)) / len(targets)


class Layer(nn.Module):
    def __init__(self, n, m, f):
        super().__init__()
        self.linear, self.f = nn.Linear(n, m), f

    def forward(self, x):
        return self.f(self.linear(x))


def build_class_ann(numInputs, topology, numOutputs, *, transferFunctions=None):
    fs = [*(transferFunctions or repeat(torch.sigmoid, len(topology))), torch.sigmoid if numOutputs == 1 else partial(torch.softmax, dim=-1)]
    return nn.Sequential(*[Layer(n, m, f) for (n, m), f in zip(pairwise([numInputs, *topology, numOutputs]), fs)])


def hold_out(N, P, Ptest=None):
    p = np.random.permutation(N)
    if Ptest is None:
        return tuple(np.split(p, [N - round(P * N)]))
    ntest = round(Ptest * N)
    nval = round(P * N)
    return p[ntest + nval:], p[ntest:ntest + nval], p[:ntest]


def train_class_ann(topology, trainingDataset, *, validationDataset=None, testDataset=None, transferFunctions=None,
                    maxEpochs=1000, minLoss=0.0, learningRate=0.01, maxEpochsVal=20):
    def tensors(ds):
        if ds is None:
            return None
        x, y = (torch.as_tensor(np.array(v, dtype=np.float32)) for v in ds)
        return x, y.view(len(y), -1)

    tr, va, te = map(tensors, (trainingDataset, validationDataset, testDataset))
    ann = build_class_ann(tr[0].shape[1], topology, tr[1].shape[1], transferFunctions=transferFunctions)

    def loss(ds):
        x, y = ds
        p = ann(x)
        if y.shape[1] == 1:
            return nn.functional.binary_cross_entropy(p, y)
        return torch.einsum("nc,nc->n", y, -torch.log(p + 1e-7)).mean()

    history = [[], [], []]

    def note():
        with torch.inference_mode():
            [h.append(float(loss(ds))) for h, ds in zip(history, (tr, va, te)) if ds is not None]

    opt = torch.optim.Adam(ann.parameters(), learningRate)
    note()
    best, best_loss, waited, epoch = copy.deepcopy(ann), history[1][0] if va else None, 0, 0
    while epoch < maxEpochs and history[0][-1] > minLoss and (va is None or waited < maxEpochsVal):
        opt.zero_grad(set_to_none=True)
        loss(tr).backward()
        opt.step()
        note()
        epoch += 1
        if va and (last := history[1][-1]) < best_loss:
            best, best_loss, waited = copy.deepcopy(ann), last, 0
        else:
            waited += 1
    return best if va else ann, *map(np.array, history)


def confusion_matrix(outputs, targets, *, threshold=0.5, weighted=True):
    outputs, targets = np.asarray(outputs), np.asarray(targets)
    if targets.dtype != bool:
        classes = list(dict.fromkeys([*targets.tolist(), *outputs.tolist()]))
        return confusion_matrix(one_hot_encoding(outputs, classes), one_hot_encoding(targets, classes), weighted=weighted)
    if outputs.dtype != bool:
        return confusion_matrix(classify_outputs(outputs, threshold=threshold), targets, weighted=weighted)
    if targets.ndim == 1:
        outputs, targets = outputs[:, None], targets[:, None]
    binary = targets.shape[1] == 1
    o, t = (np.hstack([~v, v]).astype(float) if binary else v.astype(float) for v in (outputs, targets))
    matrix = np.einsum("ni,nj->ij", t, o)
    TP, real, said, N = np.diag(matrix), matrix.sum(1), matrix.sum(0), matrix.sum()
    FN, FP = real - TP, said - TP
    TN = N - TP - FN - FP
    div = lambda a, b, z=1.0: np.divide(a, b, out=np.full_like(a, z), where=b != 0)
    recall, spec, ppv, npv = div(TP, TP + FN), div(TN, TN + FP), div(TP, TP + FP), div(TN, TN + FN)
    f1 = div(2 * recall * ppv, recall + ppv, 0.0)
    w = np.array([0.0, 1.0]) if binary else real / N if weighted else np.full(len(TP), 1 / len(TP))
    acc = TP.sum() / N
    return (acc, 1 - acc, *(np.stack([recall, spec, ppv, npv, f1]) @ w), matrix)


def crossvalidation(N_or_targets, /, k):
    t = np.asarray(N_or_targets)
    match t.ndim, t.dtype.kind:
        case 0, _:
            return np.random.permutation(np.arange(int(t)) % k + 1)
        case 1, "b":
            return crossvalidation(np.stack([t, ~t], axis=1), k)
        case 2, _ if t.shape[1] == 1:
            return crossvalidation(t[:, 0], k)
        case 2, _:
            out = np.zeros(len(t), dtype=int)
            for c in range(t.shape[1]):
                np.place(out, t[:, c], crossvalidation(int(t[:, c].sum()), k) if t[:, c].any() else [0])
            return out
    return crossvalidation(one_hot_encoding(t), k)


def _folds(indices):
    return ((np.flatnonzero(indices != f), np.flatnonzero(indices == f)) for f in range(1, max(indices) + 1))


def _summary(rows):
    rows = np.array(rows)
    return tuple(zip(rows.mean(0).tolist(), rows.std(0, ddof=1).tolist()))


def ann_cross_validation(topology, inputs, targets, crossValidationIndices, *, numExecutions=50, transferFunctions=None,
                         maxEpochs=1000, minLoss=0.0, learningRate=0.01, validationRatio=0, maxEpochsVal=20):
    y = one_hot_encoding(targets)
    take = lambda idx: (inputs[idx], y[idx])
    train = partial(train_class_ann, topology, transferFunctions=transferFunctions, maxEpochs=maxEpochs, minLoss=minLoss,
                    learningRate=learningRate, maxEpochsVal=maxEpochsVal)

    def run(tr, te):
        va = None
        if validationRatio > 0:
            a, b = hold_out(len(tr), validationRatio * len(y) / len(tr))
            tr, va = tr[a], take(tr[b])
        ann = train(take(tr), validationDataset=va)[0]
        with torch.no_grad():
            return confusion_matrix(ann(torch.tensor(inputs[te], dtype=torch.float32)).numpy(), y[te])[:7]

    return _summary([np.mean([run(tr, te) for _ in range(numExecutions)], axis=0) for tr, te in _folds(crossValidationIndices)])


def model_cross_validation(modelType, modelHyperparameters, inputs, targets, crossValidationIndices):
    match modelType, modelHyperparameters:
        case "ANN", {"topology": topology, **rest}:
            return ann_cross_validation(topology, inputs, targets, crossValidationIndices, **rest)
        case "SVC", {"kernel": kernel, "C": C, **rest}:
            used = {"linear": (), "rbf": ("gamma",), "sigmoid": ("gamma", "coef0"), "poly": ("gamma", "coef0", "degree")}[kernel]
            make = lambda: SVC(C=C, kernel=kernel, **{n: rest[n] for n in used if n in rest})
        case "DecisionTreeClassifier", {"max_depth": depth}:
            make = lambda: DecisionTreeClassifier(max_depth=depth, random_state=1)
        case "KNeighborsClassifier", {"n_neighbors": n}:
            make = lambda: KNeighborsClassifier(n)
        case _:
            raise ValueError(f"unknown model {modelType!r}")
    labels = np.array([str(t) for t in targets])
    classes = np.unique(labels)
    enc = partial(one_hot_encoding, classes=classes)
    return _summary([confusion_matrix(enc(make().fit(inputs[tr], labels[tr]).predict(inputs[te])), enc(labels[te]))[:7]
                     for tr, te in _folds(crossValidationIndices)])
