from collections import namedtuple

Metricas = namedtuple("Metricas", ["acc", "err", "rec", "esp", "vpp", "vpn", "f1"])


def confusion_matrix(outputs, targets, *, threshold=0.5, weighted=True):
    outputs, targets = np.asarray(outputs), np.asarray(targets)
    if targets.dtype != bool:
        clases = list(dict.fromkeys([*targets.tolist(), *outputs.tolist()]))
        return confusion_matrix(one_hot_encoding(outputs, clases), one_hot_encoding(targets, clases), weighted=weighted)
    if outputs.dtype != bool:
        return confusion_matrix(classify_outputs(outputs, threshold=threshold), targets, weighted=weighted)
    if outputs.ndim == 2 and outputs.shape[1] == 1:
        return confusion_matrix(outputs[:, 0], targets[:, 0])
    a = accuracy(outputs, targets)
    if outputs.ndim == 1:
        VP, VN = int(np.sum(outputs & targets)), int(np.sum(~outputs & ~targets))
        FP, FN = int(np.sum(outputs & ~targets)), int(np.sum(~outputs & targets))
        s, e = _cociente(VP, VP + FN), _cociente(VN, VN + FP)
        p, n = _cociente(VP, VP + FP), _cociente(VN, VN + FN)
        return Metricas(a, 1 - a, s, e, p, n, 2 * s * p / (s + p) if s + p != 0 else 0.0)
    porClase = [confusion_matrix(outputs[:, c], targets[:, c]) for c in range(targets.shape[1])]
    pesos = targets.mean(axis=0) if weighted else np.full(targets.shape[1], 1 / targets.shape[1])

    def media(campo):
        return sum(p * getattr(m, campo) for p, m in zip(pesos, porClase))

    return Metricas(a, 1 - a, media("rec"), media("esp"), media("vpp"), media("vpn"), media("f1"))


def ann_cross_validation(topology, inputs, targets, crossValidationIndices, *, numExecutions=50, transferFunctions=None,
                         maxEpochs=1000, minLoss=0.0, learningRate=0.01, validationRatio=0, maxEpochsVal=20):
    indices = np.asarray(crossValidationIndices)
    salidas = one_hot_encoding(targets)
    porFold = {campo: [] for campo in Metricas._fields}
    for fold in sorted(set(indices.tolist())):
        ejecuciones = {campo: [] for campo in Metricas._fields}
        for _ in range(numExecutions):
            train = np.flatnonzero(indices != fold)
            val = np.array([], dtype=int)
            if validationRatio > 0:
                a, b = hold_out(len(train), validationRatio * len(indices) / len(train))
                train, val = train[a], train[b]
            ann, *_ = train_class_ann(topology, (inputs[train], salidas[train]), validationDataset=(inputs[val], salidas[val]),
                                      transferFunctions=transferFunctions, maxEpochs=maxEpochs, minLoss=minLoss,
                                      learningRate=learningRate, maxEpochsVal=maxEpochsVal)
            with torch.no_grad():
                y = ann(torch.tensor(inputs[indices == fold], dtype=torch.float32)).numpy()
            m = confusion_matrix(y, salidas[indices == fold])
            for campo in Metricas._fields:
                ejecuciones[campo].append(getattr(m, campo))
        for campo in Metricas._fields:
            porFold[campo].append(np.mean(ejecuciones[campo]))
    return tuple((np.mean(v), np.std(v, ddof=1)) for v in porFold.values())


def model_cross_validation(modelType, modelHyperparameters, inputs, targets, crossValidationIndices):
    if modelType == "ANN":
        return ann_cross_validation(inputs=inputs, targets=targets, crossValidationIndices=crossValidationIndices,
                                    **modelHyperparameters)
    fabricas = {
        "SVC": lambda h: SVC(**h),
        "DecisionTreeClassifier": lambda h: DecisionTreeClassifier(max_depth=h["max_depth"], random_state=1),
        "KNeighborsClassifier": lambda h: KNeighborsClassifier(n_neighbors=h["n_neighbors"]),
    }
    y = np.array(targets).astype(str)
    clases = list(dict.fromkeys(y))
    porFold = []
    for fold in range(1, np.max(crossValidationIndices) + 1):
        test = np.array(crossValidationIndices) == fold
        modelo = fabricas[modelType](modelHyperparameters)
        modelo.fit(inputs[~test], y[~test])
        porFold.append(confusion_matrix(one_hot_encoding(modelo.predict(inputs[test]), clases), one_hot_encoding(y[test], clases)))
    return tuple((np.mean([getattr(m, c) for m in porFold]), np.std([getattr(m, c) for m in porFold], ddof=1))
                 for c in Metricas._fields)
