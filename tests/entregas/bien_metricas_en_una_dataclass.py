from dataclasses import dataclass


@dataclass
class Metricas:
    accuracy: float
    error: float
    recall: float
    specificity: float
    ppv: float
    npv: float
    f1: float

    def __iter__(self):
        return iter((self.accuracy, self.error, self.recall, self.specificity, self.ppv, self.npv, self.f1))

    def __getitem__(self, i):
        return tuple(self)[i]

    def __len__(self):
        return 7


def confusion_matrix(outputs, targets, *, threshold=0.5, weighted=True):
    outputs, targets = np.asarray(outputs), np.asarray(targets)
    if targets.dtype != bool:
        clases = list(dict.fromkeys([*targets.tolist(), *outputs.tolist()]))
        return confusion_matrix(one_hot_encoding(outputs, clases), one_hot_encoding(targets, clases), weighted=weighted)
    if outputs.dtype != bool:
        return confusion_matrix(classify_outputs(outputs, threshold=threshold), targets, weighted=weighted)
    if outputs.ndim == 2 and outputs.shape[1] == 1:
        return confusion_matrix(outputs[:, 0], targets[:, 0])
    if outputs.ndim == 1:
        VP, VN = int(np.sum(outputs & targets)), int(np.sum(~outputs & ~targets))
        FP, FN = int(np.sum(outputs & ~targets)), int(np.sum(~outputs & targets))
        a = accuracy(outputs, targets)
        s, e = _cociente(VP, VP + FN), _cociente(VN, VN + FP)
        p, n = _cociente(VP, VP + FP), _cociente(VN, VN + FN)
        return Metricas(a, 1 - a, s, e, p, n, 2 * s * p / (s + p) if s + p != 0 else 0.0)
    porClase = np.array([tuple(confusion_matrix(outputs[:, c], targets[:, c])) for c in range(targets.shape[1])])
    pesos = targets.mean(axis=0) if weighted else np.full(targets.shape[1], 1 / targets.shape[1])
    a = accuracy(outputs, targets)
    return Metricas(a, 1 - a, *(pesos @ porClase[:, 2:]))
