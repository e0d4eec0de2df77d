"""More known mistakes, each as an edit of the model answer: a piece of it, and what a student has in its place."""

MIN_MAX, MEAN_STD = (f"calculate_{each}_normalization_parameters" for each in ("min_max", "zero_mean"))
BINARY, MANY = "confusion_matrix_binary", "confusion_matrix_multiclass"
ANN, TRAIN, BUILD = "ann_cross_validation", "train_class_ann", "build_class_ann"

SCALED = "    dataset -= minimos\n    dataset /= np.where(rango == 0, 1, rango)\n"
COPIES = "    return normalize_min_max_(np.array(dataset, dtype=float), normalizationParameters)"
WINNERS = "    clasificadas[np.arange(len(outputs)), ganadoras] = True\n    return clasificadas"
ALL_ROWS = "return float(np.mean(np.all(outputs == targets, axis=1)))"
HIDDEN = "        capas += [_capa(entradas, neuronas), Activacion(funcion)]\n        entradas = neuronas\n"
LAYERS = "for neuronas, funcion in zip(topology, transferFunctions):"
LAST = "capas.append(nn.Sigmoid() if numOutputs == 1 else nn.Softmax(dim=1))"
THREE_SETS = """    resto, test = hold_out(N, Ptest)
    if len(resto) == 0:
        return resto, resto, test
    entrenamiento, validacion = hold_out(len(resto), min(1.0, P * N / len(resto)))
    return resto[entrenamiento], resto[validacion], test"""
LOSS = "    return -(salidas * torch.log(p + epsilon)).sum(dim=1).mean()"
BINARY_LOSS = "        return -(salidas * torch.log(p + epsilon) + (1 - salidas) * torch.log(1 - p + epsilon)).mean()"
NOTES = "        _anotar(trainingLosses, ann, entrenamiento)\n        _anotar(validationLosses"
RETURNED = "    return mejor, trainingLosses, validationLosses, testLosses"
WATCHED = "            if validationLosses[-1] < mejorLoss:"
KEEPS = "mejor, mejorLoss, ciclosSinMejorar = copy.deepcopy(ann), validationLosses[-1], 0"
SEVEN = "return precision, 1 - precision, sensibilidad, especificidad, VPP, VPN, F1, matriz"
AVERAGE = "    medias = pesos @ porClase\n"
IN_TURN = "np.tile(np.arange(1, k + 1), ceil(N / k))[:N]"
PAIRS = (
    "    return tuple((float(np.mean(valores)), float(np.std(valores, ddof=1))) for valores in np.transpose(porFold))"
)


def _pairs(mean, deviation="np.std(valores, ddof=1)"):
    return PAIRS, f"    return tuple(({mean}, {deviation}) for valores in np.transpose(porFold))"


EDITS = [  # of (id of the mistake, row of the rubric, a piece of the model answer, what takes its place)
    # what the error says in which a function ends
    (
        "any.recursion",
        "crossvalidation",
        "return crossvalidation(one_hot_encoding(targets), k)",
        "return crossvalidation(targets, k)",
    ),
    (
        "any.unassigned",
        "accuracy",
        "        outputs = classify_outputs(outputs, threshold=threshold)\n    if",
        "        clasificadas = classify_outputs(outputs, threshold=threshold)\n    outputs = clasificadas\n    if",
    ),
    ("any.undefined", "accuracy", "float(np.mean(outputs == targets))", "float(mean(outputs == targets))"),
    (
        "any.truth_of_array",
        "one_hot_encoding",
        "    if classes is None:\n        if feature",
        "    if classes == None:\n        if feature",
    ),
    (
        "any.arguments",
        "accuracy",
        "outputs = classify_outputs(outputs, threshold=threshold)",
        "outputs = classify_outputs(outputs, threshold)",
    ),
    (
        "any.not_callable",
        "hold_out",
        "return posiciones[:numEntrenamiento], posiciones[numEntrenamiento:]",
        "return posiciones[:numEntrenamiento], posiciones(numEntrenamiento)",
    ),
    (
        "any.none",
        "normalize_min_max_",
        "normalizationParameters = calculate_min_max_normalization_parameters(dataset)\n    minimos",
        "parametros = calculate_min_max_normalization_parameters(dataset)\n    minimos",
    ),
    (
        "any.attribute",
        MIN_MAX,
        "return dataset.min(axis=0, keepdims=True), dataset.max(axis=0, keepdims=True)",
        "return dataset.minimum(axis=0, keepdims=True), dataset.maximum(axis=0, keepdims=True)",
    ),
    (
        "any.list_for_array",
        "hold_out",
        "posiciones = np.random.permutation(N)",
        "posiciones = list(np.random.permutation(N))",
    ),
    (
        "any.beyond_the_end",
        "accuracy",
        "if outputs.ndim == 1:\n        return float",
        "if outputs.shape[1] == 1:\n        return float",
    ),
    (
        "any.shapes",
        "normalize_min_max_",
        "minimos, maximos = normalizationParameters\n",
        "minimos, maximos = normalizationParameters\n    minimos, maximos = minimos.T, maximos.T\n",
    ),
    ("any.division", "hold_out", "numEntrenamiento = round(N * (1 - P))", "numEntrenamiento = N // (N * P // 1)"),
    # exercise 2
    (
        "one_hot.inverted",
        "one_hot_encoding",
        "codificado[:, columna] = feature == clase",
        "codificado[:, columna] = feature != clase",
    ),
    ("one_hot.empty_columns", "one_hot_encoding", "enumerate(classes):", "enumerate(classes[:-1]):"),
    ("one_hot.columns", "one_hot_encoding", "if len(classes) <= 2:", "if len(classes) <= 3:"),
    ("classify.whole_matrix", "classify_outputs", WINNERS, "    return outputs == outputs.max()"),
    ("classify.losers", "classify_outputs", WINNERS, "    return outputs != outputs.max(axis=1)[:, None]"),
    ("classify.by_column", "classify_outputs", "outputs.argmax(axis=1)", "outputs.argmax(axis=0)"),
    ("parameters.one_other", MIN_MAX, "dataset.max(axis=0, keepdims=True)", "abs(dataset).max(axis=0, keepdims=True)"),
    (
        "normalize.unchanged",
        "normalize_min_max",
        COPIES,
        "    otra = np.array(dataset)\n    normalize_min_max_(otra.copy(), normalizationParameters)\n    return otra",
    ),
    (
        "normalize.unchanged",
        "normalize_min_max",
        COPIES,
        "    copia = np.array(dataset)\n    normalize_min_max_(dataset, normalizationParameters)\n    return copia",
    ),
    (
        "normalize.constant_spreads",
        "normalize_min_max_",
        "dataset[:, constantes] = 0\n    return dataset\n\n\ndef normalize_min_max(",
        "if constantes.any():\n        dataset[:] = 0\n    return dataset\n\n\ndef normalize_min_max(",
    ),
    (
        "normalize.other_parameters",
        "normalize_min_max_",
        "normalizationParameters = calculate_min_max_normalization_parameters(dataset)",
        "normalizationParameters = np.zeros((1, dataset.shape[1])), dataset.max(axis=0, keepdims=True)",
    ),
    ("normalize.formula", "normalize_min_max_", SCALED, SCALED.replace("rango)\n", "np.sqrt(rango))\n")),
    (
        "normalize.epsilon",
        "normalize_min_max_",
        SCALED,
        SCALED.replace("np.where(rango == 0, 1, rango)", "(rango + 0.001)"),
    ),
    ("accuracy.all_or_nothing", "accuracy", ALL_ROWS, "return float(np.all(outputs == targets))"),
    (
        "accuracy.divides_by_elements",
        "accuracy",
        ALL_ROWS,
        "return float(np.sum(np.all(outputs == targets, axis=1)) / targets.size)",
    ),
    ("network.missing_layer", BUILD, LAYERS, LAYERS.replace("topology,", "topology[1:],")),
    (
        "network.sizes",
        BUILD,
        HIDDEN,
        HIDDEN.replace("neuronas)", "2 * neuronas)").replace("= neuronas", "= 2 * neuronas"),
    ),
    (
        "network.some_hidden_functions",
        BUILD,
        "    capas.append(_capa(entradas, numOutputs))",
        "    capas = capas[:-1]\n    capas.append(_capa(entradas, numOutputs))",
    ),
    ("network.functions_order", BUILD, LAYERS, LAYERS.replace("transferFunctions)", "transferFunctions[::-1])")),
    ("network.output_other", BUILD, LAST, LAST.replace("nn.Softmax(dim=1)", "nn.Tanh()")),
    (
        "normalize.constant_of_data",
        "normalize_min_max_",
        "constantes = (rango == 0).ravel()",
        "constantes = dataset.min(axis=0) == dataset.max(axis=0)",
    ),
    (
        "accuracy.column_by_maximum",
        "accuracy",
        "        outputs = classify_outputs(outputs, threshold=threshold)\n    if outputs.ndim == 1:\n",
        "        if outputs.ndim == 2:\n            return np.mean(outputs.argmax(axis=1) == targets.argmax(axis=1))\n"
        "        outputs = classify_outputs(outputs, threshold=threshold)\n    if outputs.ndim == 1:\n",
    ),
    # exercise 3
    (
        "hold_out.block",
        "hold_out",
        "posiciones = np.random.permutation(N)",
        "posiciones = np.roll(np.arange(N), np.random.randint(N))",
    ),
    (
        "hold_out.scaled_up",
        "hold_out",
        THREE_SETS,
        "    orden = np.random.permutation(N)\n"
        "    test, val = round(N * Ptest), round(N * P / (1 - Ptest))\n"
        "    return orden[test + val :], orden[test : test + val], orden[:test]",
    ),
    (
        "hold_out.of_both",
        "hold_out",
        THREE_SETS,
        "    train, resto = hold_out(N, P + Ptest)\n    val, test = hold_out(len(resto), Ptest)\n"
        "    return train, resto[val], resto[test]",
    ),
    (
        "hold_out.of_both",
        "hold_out",
        THREE_SETS,
        "    train, resto = hold_out(N, P + Ptest)\n    test, val = hold_out(len(resto), P)\n"
        "    return train, resto[val], resto[test]",
    ),
    (
        "hold_out.sizes",
        "hold_out",
        "numEntrenamiento = round(N * (1 - P))",
        "numEntrenamiento = round(N * (1 - P) / 2)",
    ),
    ("training.absolute_error", TRAIN, LOSS, "    return abs(p - salidas).mean()"),
    ("training.no_logarithm", TRAIN, LOSS, "    return nn.NLLLoss()(p, salidas.argmax(dim=1))"),
    (
        "training.losses_frozen",
        TRAIN,
        NOTES,
        NOTES.replace("_anotar(trainingLosses, ann, entrenamiento)", "trainingLosses.append(trainingLosses[0])"),
    ),
    (
        "training.no_last_epoch",
        TRAIN,
        RETURNED,
        RETURNED.replace("Losses", "Losses[:-1]"),
    ),
    (
        "training.losses_until_best",
        TRAIN,
        RETURNED,
        "    if validationLosses:\n        n = int(np.argmin(validationLosses)) + 1\n"
        "        return mejor, trainingLosses[:n], validationLosses[:n], testLosses[:n]\n" + RETURNED,
    ),
    ("training.lengths", TRAIN, RETURNED, RETURNED.replace("validationLosses", "validationLosses[1:]")),
    ("training.min_loss_reversed", TRAIN, "trainingLosses[-1] > minLoss", "trainingLosses[-1] < minLoss"),
    ("training.larger_improves", TRAIN, WATCHED, WATCHED.replace("<", ">")),
    ("training.stops_too_late", TRAIN, "ciclosSinMejorar < maxEpochsVal:", "ciclosSinMejorar <= maxEpochsVal + 1:"),
    (
        "training.learning_rate_ignored",
        TRAIN,
        "torch.optim.Adam(ann.parameters(), lr=learningRate)",
        "torch.optim.Adam(ann.parameters())",
    ),
    ("training.other_loss", TRAIN, LOSS, "    return -(salidas * torch.sqrt(p)).sum(dim=1).mean()"),
    (
        "training.other_step",
        TRAIN,
        "        loss.backward()\n",
        "        (loss + 0.1 * sum(p.abs().sum() for p in ann.parameters())).backward()\n",
    ),
    (
        "training.other_end",
        TRAIN,
        "ciclosSinMejorar < maxEpochsVal:",
        "ciclosSinMejorar < max(maxEpochsVal, 7) and len(trainingLosses) < 12:",
    ),
    (
        "training.other_sets",
        TRAIN,
        RETURNED,
        RETURNED.replace("validationLosses, testLosses", "[2 * x for x in validationLosses], testLosses"),
    ),
    (
        "training.other_network",
        TRAIN,
        KEEPS,
        KEEPS.replace("copy.deepcopy(ann)", "copy.deepcopy(ann) if ciclo % 2 else mejor"),
    ),
    # exercise 4
    (
        "confusion.fp_fn",
        MANY,
        "    outputs, targets = np.asarray(outputs), np.asarray(targets)\n\n    if targets",
        "    outputs, targets = np.asarray(outputs), np.asarray(targets)\n"
        "    if outputs.dtype == bool and outputs.ndim == 2:\n"
        "        outputs, targets = targets, outputs\n\n    if targets",
    ),
    ("confusion.one_metric", BINARY, SEVEN, SEVEN.replace("1 - precision", "(FP + FN) / len(targets) ** 2")),
    ("confusion.averages", MANY, AVERAGE, AVERAGE.replace("pesos @", "pesos**2 @")),
    ("confusion.matrix", BINARY, "matriz = np.array([[VN, FP], [FN, VP]])", "matriz = np.array([[VN, VP], [FN, FP]])"),
    (
        "confusion.F1_formula",
        BINARY,
        "F1 = 2 * sensibilidad * VPP / (sensibilidad + VPP) if sensibilidad + VPP != 0 else 0.0",
        "F1 = (sensibilidad * VPP) ** 0.5",
    ),
    ("confusion.F1_zero", BINARY, "if sensibilidad + VPP != 0 else 0.0", "if VP > 0 else 0.0"),
    (
        "confusion.no_hits",
        MANY,
        "numerador / denominador if denominador != 0",
        "numerador / denominador if numerador != 0",
    ),
    # exercises 5 and 6
    (
        "ann_cv.shrinks",
        ANN,
        "                entrenamiento = entradasTrain[posTrain], salidasTrain[posTrain]\n"
        "                validacion = entradasTrain[posVal], salidasTrain[posVal]\n",
        "                validacion = entradasTrain[posVal], salidasTrain[posVal]\n"
        "                entradasTrain, salidasTrain = entradasTrain[posTrain], salidasTrain[posTrain]\n"
        "                entrenamiento = entradasTrain, salidasTrain\n",
    ),
    ("model_cv.lost", "model_cross_validation", '"sigmoid": ["C", "gamma", "coef0"]', '"sigmoid": ["C", "gamma"]'),
    ("folds.out_of_range", "crossvalidation", IN_TURN, "np.tile(np.arange(1, k + 2), N)[:N]"),
    ("folds.uneven", "crossvalidation", IN_TURN, "np.minimum(np.arange(N) // 2 + 1, k)"),
    ("cv.standard_error", ANN, *_pairs("np.mean(valores)", "np.std(valores, ddof=1) / len(valores) ** 0.5")),
    ("cv.median", ANN, *_pairs("np.median(valores)")),
    ("cv.sum_of_folds", ANN, *_pairs("np.sum(valores)")),
    ("cv.best_fold", ANN, *_pairs("np.max(valores)")),
    ("cv.percent", ANN, *_pairs("100 * np.mean(valores)", "100 * np.std(valores, ddof=1)")),
    ("cv.rounded", ANN, *_pairs("round(np.mean(valores), 3)", "round(np.std(valores, ddof=1), 3)")),
    ("ann_cv.best_kept", ANN, "porEjecucion.mean(axis=0)", "porEjecucion.max(axis=0)"),
    (
        "ann_cv.std_of_executions",
        ANN,
        "        porFold[fold - 1] = porEjecucion.mean(axis=0)\n    return _medias_y_desviaciones(porFold)",
        "        porFold[fold - 1] = porEjecucion.mean(axis=0)\n"
        "        dentro = porEjecucion.std(axis=0) if fold == 1 else dentro + porEjecucion.std(axis=0)\n"
        "    return list(zip(porFold.mean(axis=0), dentro / numFolds))",
    ),
]
