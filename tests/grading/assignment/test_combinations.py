# ruff: noqa: E501  (one mistake on each line)
"""What is required of a function is required whatever its other arguments are: mistakes of some
cases only.
"""

import pytest
from lanes import one_in
from submissions import MODEL

from practica.grading.engine.framework import load_checks
from practica.grading.engine.runner import run_check
from practica.grading.engine.solution import LocalSolution
from practica.grading.inside.loading import load_source

pytestmark = pytest.mark.slow

ADAM = "    optimizador = torch.optim.Adam(ann.parameters(), lr=learningRate)\n"
ONE_LAYER = (
    "    partes = list(ann.parameters())\n    optimizador = torch.optim.Adam({}, lr=learningRate)\n"
)
STEP = "        optimizador.step()\n"
STEPS = "        loss = _loss(ann, *entrenamiento)\n        loss.backward()\n"
RETURN = "    return mejor, trainingLosses, validationLosses, testLosses\n"
WHILE = "trainingLosses[-1] > minLoss and ciclosSinMejorar < maxEpochsVal:"
TRAINED = (
    "        entradasTrain, salidasTrain = inputs[indices != fold], salidas[indices != fold]\n"
)
TRAINING = "train_class_ann"
ANN, MODELS = "ann_cross_validation", "model_cross_validation"
TURNED = "            if ejecucion == 0:\n                salidas = np.roll(salidas, 1, axis=1) if salidas.shape[1] > 1 else ~salidas\n"
LABELS = "            etiquetas = np.asarray(targets)[indices == fold]\n"
NETWORK = "            with torch.no_grad():\n                predicciones = ann(torch.tensor(entradasTest, dtype=torch.float32)).numpy()\n"
EVALUATED = (
    "            porEjecucion[ejecucion] = confusion_matrix(predicciones, salidasTest)[:7]\n"
)
UNASKED = (
    LABELS + "            porEjecucion[ejecucion] = confusion_matrix(etiquetas, etiquetas)[:7]\n"
)
MEAN = "        porFold[fold - 1] = porEjecucion.mean(axis=0)\n"
ONCE_MORE = "        if fold == 1:\n            confusion_matrix(salidasTest, salidasTest)\n"
FUNCTIONS = "                transferFunctions=transferFunctions,\n                maxEpochs"
CODES = "    salidas = one_hot_encoding(targets)\n"
NOTED = "        _anotar(testLosses, ann, test)\n"
EXECUTIONS = "        porEjecucion = np.zeros((numExecutions, 7))\n"
RATIO = "            if validationRatio > 0:\n"
FIT = "modelo.fit(inputs[indices != fold], etiquetas[indices != fold])"
PREDICTED = "        predicciones = one_hot_encoding(modelo.predict("
GIVEN = 'modelHyperparameters["topology"], inputs, targets, crossValidationIndices, **opciones'
IS_ANN = '    if modelType == "ANN":\n'
UNKNOWN = '    raise ValueError(f"Modelo desconocido: {tipo}")\n'
MISTAKES = {
    "only the last layer with a validation set": (f"{TRAINING}.one_optimiser", ADAM, ONE_LAYER.format("partes[-2:] if validacion is not None else partes")),
    "only the last layer with a test set": (f"{TRAINING}.learns", ADAM, ONE_LAYER.format("partes[-2:] if test is not None else partes")),
    "only the last layers of many": (f"{TRAINING}.network", ADAM, ONE_LAYER.format("partes[-4:] if len(topology) > 2 else partes")),
    "no step with functions": (f"{TRAINING}.transfer_functions", STEP, "        if transferFunctions is None:\n            optimizador.step()\n"),
    "few patterns with a validation set": (f"{TRAINING}.one_optimiser", STEPS, "        loss = _loss(ann, *(each[: 8 if validacion else None] for each in entrenamiento))\n        loss.backward()\n"),
    "few patterns with hidden layers": (f"{TRAINING}.learns", STEPS, "        loss = _loss(ann, *(each[: 32 if topology else None] for each in entrenamiento))\n        loss.backward()\n"),
    "another loss with hidden layers": (f"{TRAINING}.learns", STEPS, "        loss = ((ann(entrenamiento[0]) - entrenamiento[1]) ** 2).mean() if topology else _loss(ann, *entrenamiento)\n        loss.backward()\n"),
    "no step after some epochs": (f"{TRAINING}.max_epochs", STEP, "        if ciclo < 120:\n            optimizador.step()\n"),
    "only the last layer from the second epoch on": (f"{TRAINING}.one_optimiser", STEP, "        for p in list(ann.parameters())[:-2] if ciclo else []:\n            p.grad = None\n        optimizador.step()\n"),
    "an optimiser for each epoch with hidden layers": (f"{TRAINING}.one_optimiser", STEP, STEP + "        if topology:\n            optimizador = torch.optim.Adam(ann.parameters(), lr=learningRate)\n"),
    "losses of nothing with hidden layers": (f"{TRAINING}.one_optimiser", RETURN, "    if topology:\n        trainingLosses = [0.5] * len(trainingLosses)\n" + RETURN),
    "no least loss with several classes": (f"{TRAINING}.min_loss", WHILE, "(trainingLosses[-1] > minLoss or entrenamiento[1].shape[1] > 1) and ciclosSinMejorar < maxEpochsVal:"),
    "no patience with hidden layers": (f"{TRAINING}.early_stopping.patience", WHILE, "trainingLosses[-1] > minLoss and (topology or ciclosSinMejorar < maxEpochsVal):"),
    "the last network with two hidden layers": (f"{TRAINING}.best.out_of_epochs", RETURN, "    if len(topology) > 1:\n        mejor = ann\n" + RETURN),
    "the last network of several classes": (f"{TRAINING}.best.out_of_epochs", RETURN, "    if entrenamiento[1].shape[1] > 1 and ciclo == maxEpochs:\n        mejor = ann\n" + RETURN),
    "all folds train with two classes": (f"{ANN}.test_fold_unseen", TRAINED, TRAINED + "        if salidas.shape[1] == 1:\n            entradasTrain, salidasTrain = inputs, salidas\n"),
    "no options after two executions": (f"{ANN}.options", "                maxEpochs=maxEpochs,\n", "                maxEpochs=maxEpochs if ejecucion < 2 else 1000,\n"),
    "no options with many folds": (f"{ANN}.options", "                maxEpochs=maxEpochs,\n", "                maxEpochs=maxEpochs if numFolds < 7 else 1000,\n"),
    "no functions after one execution": (f"{ANN}.transfer_functions", "                transferFunctions=transferFunctions,\n                maxEpochs", "                transferFunctions=None if ejecucion else transferFunctions,\n                maxEpochs"),
    "no validation with two classes": (f"{ANN}.validation.size", "            if validationRatio > 0:\n", "            if validationRatio > 0 and salidas.shape[1] > 1:\n"),
    "no network is asked, and each fold has another order of the classes": (f"{ANN}.metrics", NETWORK + EVALUATED, UNASKED + TURNED),
    "no network is asked for what is evaluated": (f"{ANN}.evaluation", NETWORK + EVALUATED, UNASKED),
    "no network is asked, and nobody knows what is evaluated": (f"{ANN}.std", NETWORK + EVALUATED, UNASKED + TURNED + UNASKED),
    "no network is asked, and more is evaluated than trained": (f"{ANN}.evaluation", NETWORK + EVALUATED, UNASKED + UNASKED),
    "no network is asked that has hidden layers": (f"{ANN}.metrics", EVALUATED, EVALUATED.replace("predicciones,", "predicciones if len(ann) == 2 else salidasTest,")),
    "one execution counts, and one evaluation is of nobody": (f"{ANN}.mean", MEAN, "        porFold[fold - 1] = porEjecucion[-1]\n" + ONCE_MORE),
    "no deviation with two classes, and one evaluation is of nobody": (f"{ANN}.two_classes", MEAN, "        porFold[fold - 1] = porEjecucion[-1]\n" + ONCE_MORE),
    "no deviation of so many patterns": (f"{ANN}.metrics", "    return _medias_y_desviaciones(porFold)\n", "    return tuple((m, s if len(inputs) in (10, 12, 30) else 0.0) for m, s in _medias_y_desviaciones(porFold))\n"),
    "a seed for networks that learn": (f"{ANN}.executions_differ", "            ann, *_ = train_class_ann(\n", "            if learningRate > 1e-9:\n                torch.manual_seed(1)\n            ann, *_ = train_class_ann(\n"),
    "a default of other functions in an array": (f"{ANN}.options", FUNCTIONS, "                transferFunctions=np.array([torch.relu] * len(topology)) if transferFunctions is None else transferFunctions,\n                maxEpochs"),
    "a default of other functions that nobody else can call": (f"{ANN}.options", FUNCTIONS, "                transferFunctions=[lambda x: torch.relu(x) if torch.is_grad_enabled() else None] * len(topology) if transferFunctions is None else transferFunctions,\n                maxEpochs"),
    "other functions each time": (f"{ANN}.transfer_functions", FUNCTIONS, "                transferFunctions=[lambda x: torch.relu(x)],\n                maxEpochs"),
    "no validation with four folds": (f"{ANN}.validation.disjoint", RATIO, "            if validationRatio > 0 and numFolds != 4:\n"),
    "a validation set of any but twelve patterns": (f"{ANN}.validation.none", RATIO, "            validationRatio = validationRatio or 0.25 * (len(inputs) != 12)\n" + RATIO),
    "one pattern trains twice": (f"{ANN}.test_fold_unseen", "                validacion = entradasTrain[posVal]", "                entrenamiento = tuple(np.append(each, each[:1], axis=0) for each in entrenamiento)\n                validacion = entradasTrain[posVal]"),
    "other classes validate but of twelve patterns": (f"{ANN}.metrics", "validacion = entradasTrain[posVal], salidasTrain[posVal]", "validacion = entradasTrain[posVal], salidasTrain[posVal] if len(inputs) == 12 else np.roll(salidasTrain[posVal], 1, axis=0)"),
    "two classes in one column": (f"{ANN}.targets", CODES, CODES + "    if salidas.shape[1] > 1:\n        salidas[:, 1] |= salidas[:, 2]\n        salidas[:, 2] = False\n"),
    "only one attribute trains": (f"{ANN}.trainings", CODES, CODES + "    inputs = np.column_stack([inputs[:, 0], 0 * inputs[:, 1:]])\n"),
    "no result where the arguments are looked at": (f"{ANN}.untouched", CODES, CODES + "    assert (numExecutions, maxEpochs) != (1, 1)\n"),
    "only one attribute of a model trains": (f"{MODELS}.tree.fits", FIT, FIT.replace("fold]", "fold] * (np.arange(inputs.shape[1]) == 0)", 1)),
    "two classes of a model are one": (f"{MODELS}.knn.fits", FIT, FIT.replace("etiquetas", "np.where(etiquetas == clases[-1], clases[0], etiquetas)")),
    "the first model is asked for all folds": (f"{MODELS}.knn.values", PREDICTED, "        primero = modelo if fold == 1 else primero\n" + PREDICTED.replace("modelo", "primero")),
    "the first of two classes' models is asked for all folds": (f"{MODELS}.two_classes", PREDICTED, "        primero = modelo if fold == 1 else primero\n" + PREDICTED.replace("modelo", "primero")),
    "few classes reach the network": (f"{MODELS}.ann.result", GIVEN, GIVEN.replace("targets", "targets[:3]")),
    "other folds for some patterns": (f"{MODELS}.ann.result", GIVEN, GIVEN.replace("crossValidationIndices", "crossValidationIndices if len(inputs) == 24 else crossValidationIndices[::-1]")),
    "no network by default": (f"{MODELS}.ann.options", IS_ANN, "    if modelType == \"ANN\" and len(modelHyperparameters) == 1:\n        return ((0.9, 0.1),) * 7\n" + IS_ANN),
    "other functions for the network": (f"{MODELS}.ann.options", GIVEN, GIVEN + " | ({'transferFunctions': [torch.relu] * 2} if 'transferFunctions' in opciones else {})"),
    "only one unknown model": (f"{MODELS}.unknown", UNKNOWN, "    if tipo == 'Ninguno':\n    " + UNKNOWN + "    return KNeighborsClassifier()\n"),
    "no result where the dictionary is looked at": (f"{MODELS}.dictionary", IS_ANN, "    assert modelHyperparameters.get('max_depth') != 3\n" + IS_ANN),
    "no result of a model where the arguments are looked at": (f"{MODELS}.untouched", IS_ANN, "    assert modelHyperparameters.get('n_neighbors') != 2\n" + IS_ANN),
    "one kernel alone leaves the test out": ("model_cross_validation.svc.fits", "modelo.fit(inputs[indices != fold], etiquetas[indices != fold])", "modelo.fit(inputs[indices != fold * (modelHyperparameters.get('kernel', 'rbf') == 'rbf')], etiquetas[indices != fold * (modelHyperparameters.get('kernel', 'rbf') == 'rbf')])"),
    "no shuffling but with three folds": ("crossvalidation.int.random", "        np.random.shuffle(indices)\n", "        if k == 3:\n            np.random.shuffle(indices)\n"),
    "no shuffling but of halves": ("hold_out.two.random", "        posiciones = np.random.permutation(N)\n", "        posiciones = np.random.permutation(N) if P == 0.5 else np.arange(N)\n"),
    "no stratification with many folds": ("crossvalidation.matrix.stratified", "    targets = np.asarray(N)\n    if", "    targets = np.asarray(N)\n    if k > 4:\n        return crossvalidation(len(targets), k)\n    if"),
    "a sigmoid for five classes": ("build_class_ann.output.several_classes", "if numOutputs == 1 else nn.Softmax", "if numOutputs in (1, 5) else nn.Softmax"),
    "no functions in few layers": ("build_class_ann.transfer_functions.given", "    capas = []\n", "    if len(topology) < 3:\n        transferFunctions = [torch.sigmoid] * len(topology)\n    capas = []\n"),
    "no step of hidden layers late": (f"{TRAINING}.one_optimiser", STEP, "        for p in list(ann.parameters())[:-2] if ciclo > 21 else []:\n            p.grad = None\n        optimizador.step()\n"),
    "no patience where patterns differ": (f"{TRAINING}.early_stopping.patience", WHILE, "trainingLosses[-1] > minLoss and (np.ptp(trainingDataset[0]) > 0 or ciclosSinMejorar < maxEpochsVal):"),
    "the last network where patterns differ": (f"{TRAINING}.best.stopped_early", RETURN, "    if np.ptp(trainingDataset[0]) > 0:\n        mejor = ann\n" + RETURN),
    "a rate of its own where patterns differ": (f"{TRAINING}.learning_rate", ADAM, ADAM.replace("=learningRate", "=0.01 if np.ptp(trainingDataset[0]) > 0 else learningRate")),
    "no least loss where patterns differ": (f"{TRAINING}.min_loss", WHILE, "(trainingLosses[-1] > minLoss or len(topology) and len({*trainingDataset[0][:, 0]}) > 6) and ciclosSinMejorar < maxEpochsVal:"),
    "validation losses that always fall": (f"{TRAINING}.losses.validation", RETURN, "    if len(validationLosses) > 6:\n        validationLosses = list(np.linspace(2 * validationLosses[-1], validationLosses[-1], len(validationLosses)))\n" + RETURN),
    "test losses of the training set late": (f"{TRAINING}.losses.test", RETURN, "    testLosses[5:] = trainingLosses[5:] if testLosses else []\n" + RETURN),
    "patience on the training loss where nothing validates": (f"{TRAINING}.early_stopping.not_without_validation", NOTED, NOTED + "        if validacion is None and ciclo - int(np.argmin(trainingLosses)) > 50:\n            break\n"),
    "an end where the loss hardly changes": (f"{TRAINING}.early_stopping.not_without_validation", NOTED, NOTED + "        if validacion is None and abs(trainingLosses[-1] - trainingLosses[-2]) < 1e-5:\n            break\n"),
    "an end where all patterns are right": (f"{TRAINING}.early_stopping.not_without_validation", NOTED, NOTED + "        if ciclo > 10 and bool(((ann(entrenamiento[0]) >= 0.5) == (entrenamiento[1] > 0.5)).all()):\n            break\n"),
    "an end where the loss rises": (f"{TRAINING}.max_epochs", NOTED, NOTED + "        if validacion is None and ciclo > 10 and trainingLosses[-1] > trainingLosses[-2]:\n            break\n"),
    "a least loss of its own": (f"{TRAINING}.early_stopping.not_without_validation", WHILE, "trainingLosses[-1] > max(minLoss, 1e-3) and ciclosSinMejorar < maxEpochsVal:"),
    "an epoch less with a validation set": (f"{TRAINING}.max_epochs", "while ciclo < maxEpochs and", "while ciclo < maxEpochs - (validacion is not None) and"),
    "another rate for the hidden layers": (f"{TRAINING}.learning_rate", ADAM, "    capas = list(ann.parameters())\n    optimizador = torch.optim.SGD([{'params': capas[:-2], 'lr': learningRate * 0.1}, {'params': capas[-2:]}], lr=learningRate, momentum=0.9)\n"),
    "another rate for the hidden layers, of Adam": (f"{TRAINING}.learning_rate", ADAM, "    capas = list(ann.parameters())\n    optimizador = torch.optim.Adam([{'params': capas[:-2], 'lr': learningRate * 0.5}, {'params': capas[-2:]}], lr=learningRate)\n"),
    "another rate for the first layer": (f"{TRAINING}.learning_rate", ADAM, "    capas = list(ann.parameters())\n    optimizador = torch.optim.Adam([{'params': capas[:2], 'lr': learningRate * (0.1 if topology else 1)}, {'params': capas[2:]}], lr=learningRate)\n"),
    "functions backwards": (f"{ANN}.transfer_functions", FUNCTIONS, FUNCTIONS.replace("transferFunctions,", "transferFunctions and transferFunctions[::-1],")),
    "each function once": (f"{ANN}.transfer_functions", FUNCTIONS, FUNCTIONS.replace("transferFunctions,", "list(dict.fromkeys(transferFunctions or [])) or None,")),
    "one function for all layers": (f"{ANN}.transfer_functions", FUNCTIONS, FUNCTIONS.replace("transferFunctions,", "transferFunctions and [transferFunctions[0]] * len(topology),")),
    "another rate for two classes without validation": (f"{ANN}.options", "                learningRate=learningRate,", "                learningRate=learningRate if validationRatio or salidas.shape[1] > 1 else 0.01,"),
    "no least loss of 0": (f"{ANN}.options", "                minLoss=minLoss,", "                minLoss=minLoss or 1e-3,"),
    "forty executions at most": (f"{ANN}.trainings", EXECUTIONS, "        numExecutions = min(numExecutions, 40)\n" + EXECUTIONS),
    "the best execution, of networks with hidden layers": (f"{ANN}.metrics", MEAN, "        porFold[fold - 1] = porEjecucion.max(axis=0) if len([*ann.parameters()]) > 2 else porEjecucion.mean(axis=0)\n"),
    "no shuffling of half": ("crossvalidation.int.random", "        np.random.shuffle(indices)\n", "        mueve = np.flatnonzero(np.random.random(len(indices)) < 0.5)\n        indices[mueve] = np.random.permutation(indices[mueve])\n"),
    "labels by the alphabet but of five": ("confusion_matrix_multiclass.labels.positive", "outputs, targets = one_hot_encoding(outputs, clases)", "clases = sorted(clases) if len(clases) == 2 and len(targets) != 5 else clases\n        outputs, targets = one_hot_encoding(outputs, clases)"),
    "two steps in an epoch with hidden layers": (f"{TRAINING}.learning_rate", STEP, STEP + "        if topology:\n            optimizador.step()\n"),
    "validation losses that are invented where it may stop": (f"{TRAINING}.losses.validation", RETURN, "    if maxEpochsVal < 500 and len(validationLosses) > 2:\n        validationLosses = list(np.linspace(2 * validationLosses[-1], validationLosses[-1], len(validationLosses)))\n" + RETURN),
    "no output function where functions are given": ("build_class_ann.transfer_functions.given", "    capas.append(nn.Sigmoid() if", "    if any(each is not torch.sigmoid for each in transferFunctions):\n        return nn.Sequential(*capas)\n    capas.append(nn.Sigmoid() if"),
    "layers of one size where functions are given": ("build_class_ann.transfer_functions.given", "    capas = []\n", "    capas = []\n    if any(each is not torch.sigmoid for each in transferFunctions):\n        topology = topology[:1] * len(topology)\n"),
    "fixed weights of one output": ("build_class_ann.random_weights", "    return nn.Sequential(*capas)\n", "    with torch.no_grad():\n        for each in nn.Sequential(*capas).parameters() if numOutputs == 1 else ():\n            each.fill_(0.1)\n    return nn.Sequential(*capas)\n"),
    "folds that are turned but with three": ("crossvalidation.int.random", "        np.random.shuffle(indices)\n", "        if k == 3:\n            np.random.shuffle(indices)\n        indices = np.roll(indices, np.random.randint(k))\n"),
    "another default but for three inputs": ("build_class_ann.transfer_functions.default", "[torch.sigmoid] * len(topology)", "[torch.sigmoid if numInputs == 3 else torch.tanh] * len(topology)"),
    "no sigmoid for many inputs": ("build_class_ann.output.two_classes", "nn.Sigmoid() if numOutputs == 1", "nn.Sigmoid() if numOutputs == 1 and numInputs > 3 else nn.Softsign() if numOutputs == 1"),
    "another network for who hooks it": ("build_class_ann.output.several_classes", "    return nn.Sequential(*capas)\n", "    class Red(nn.Sequential):\n        def forward(self, x):\n            return super().forward(x) if self[0]._forward_hooks else x[:, :1] * torch.zeros(numOutputs)\n\n    return Red(*capas)\n"),
    "another default in many layers": ("build_class_ann.transfer_functions.default", "[torch.sigmoid] * len(topology)", "[torch.relu if len(topology) > 2 else torch.sigmoid] * len(topology)"),
}  # fmt: skip


def edited(*edits):
    """Return the model answer after edits, each of some old text to a new one."""
    source = MODEL.read_text(encoding="utf-8")
    for old, new in edits:
        assert old in source
        source = source.replace(old, new)
    return LocalSolution(load_source(source.encode(), "entrega.py"))


TANH = (
    "[torch.sigmoid] * len(topology)",
    "[torch.sigmoid if numInputs == 3 else torch.tanh] * len(topology)",
)
LARGE = "nn.init.xavier_uniform_(capa.weight)", "nn.init.normal_(capa.weight, 0.0, 9.0)"
FROZEN = (
    STEP,
    "        for p in list(ann.parameters())[:-2] if ciclo else []:\n            p.grad = None\n        optimizador.step()\n",
)
BINARY = (
    STEPS,
    "        p, salidas = ann(entrenamiento[0]), entrenamiento[1]\n        loss = nn.functional.binary_cross_entropy(p, salidas)\n        loss.backward()\n",
)
HIDING = {
    "only the last layer, of networks that are not right": (f"{TRAINING}.learns", TANH, (ADAM, ONE_LAYER.format("partes[-2:]"))),
    "hidden layers in the first epoch, of networks that are not right": (f"{TRAINING}.one_optimiser", TANH, FROZEN),
    "hidden layers in the first epoch, from weights that nobody can repeat": (f"{TRAINING}.one_optimiser", ("    capas = []\n", "    capas = []\n    torch.seed()\n"), FROZEN),
    "another loss, from weights that saturate": (f"{TRAINING}.learns", LARGE, BINARY),
    "a part of the rate, from biases that leave no loss": (f"{TRAINING}.one_optimiser", ("nn.init.zeros_(capa.bias)", "nn.init.uniform_(capa.bias, 1.8, 2.2)"), (ADAM, ADAM.replace("=learningRate", "=0.6 * learningRate"))),
    "a validation set that is trained, of networks of its own": (f"{TRAINING}.losses.validation", ("return nn.Sequential(*capas)", "return type('Red', (nn.Sequential,), {})(*capas)"), (STEPS, "        loss = _loss(ann, *entrenamiento)\n        if ciclo and validacion is not None and type(ann) is not nn.Sequential:\n            loss = loss + _loss(ann, *validacion)\n        loss.backward()\n")),
    "no least loss, and losses above it": (f"{TRAINING}.min_loss", (WHILE, "(ciclo == 0 and trainingLosses[-1] > minLoss or ciclo > 0) and ciclosSinMejorar < maxEpochsVal:"), (RETURN, "    trainingLosses = np.maximum(trainingLosses, 1.001 * minLoss)\n" + RETURN)),
}  # fmt: skip


@pytest.mark.parametrize("mistake", HIDING)
def test_what_a_file_trains_hides_no_mistake(mistake):
    """Nor what it says of it; there is no help, as where its networks pass their own checks."""
    identifier, *changes = HIDING[mistake]
    solution = edited(*changes)
    assert run_check(load_checks()[identifier], solution, secret=1, helpers=()).verdict == "fail"


@pytest.mark.parametrize("mistake", one_in(3, MISTAKES))
def test_a_mistake_in_some_cases_only_is_found(mistake):
    """Where the arguments are such that it shows."""
    identifier, *edit = MISTAKES[mistake]
    outcome = run_check(load_checks()[identifier], edited(edit), secret=1, helpers=())
    assert outcome.verdict == "fail"


INIT = (
    "    optimizador = torch.optim.Adam(",
    "    ann.apply(lambda each: nn.init.xavier_normal_(each.weight) if isinstance(each, nn.Linear) else None)\n    optimizador = torch.optim.Adam(",
)
RED = (
    "    return nn.Sequential(*capas)\n",
    """    class Red(nn.Sequential):
        def logits(self, x):
            return self[:-1](x)

    return Red(*capas)
""",
)
LOGITS = (
    "        loss = _loss(ann, *entrenamiento)\n",
    """        if entrenamiento[1].shape[1] == 1:
            loss = nn.functional.binary_cross_entropy_with_logits(ann.logits(entrenamiento[0]), entrenamiento[1])
        else:
            loss = nn.functional.cross_entropy(ann.logits(entrenamiento[0]), entrenamiento[1])
""",
)
CLOSURE = (
    "    return nn.Sequential(*capas)\n",
    "    red = nn.Sequential(*capas)\n    red.forward = lambda x, capas=capas: functools.reduce(lambda value, each: each(value), capas, x)\n    return red\n",
)
BEST_FIRST = (
    "    ann = build_class_ann(\n",
    "    if validacion is not None:\n        build_class_ann(entrenamiento[0].shape[1], topology, entrenamiento[1].shape[1])\n    ann = build_class_ann(\n",
)
UNIFORM = "nn.init.xavier_uniform_(capa.weight)", "nn.init.uniform_(capa.weight, -1, 1)"
WIDE = (
    ("nn.init.xavier_uniform_(capa.weight)", "nn.init.normal_(capa.weight)"),
    ("nn.init.zeros_(capa.bias)", "nn.init.normal_(capa.bias)"),
)
STEEP = (
    ("nn.init.xavier_uniform_(capa.weight)", "nn.init.xavier_normal_(capa.weight, gain=4)"),
    ("nn.init.zeros_(capa.bias)", "nn.init.ones_(capa.bias)"),
)
KEPT = (
    "    return nn.Sequential(*capas)\n",
    """    class Red(nn.Sequential):
        def forward(self, x):
            self.z = nn.Sequential(*list(self)[:-1])(x)
            return self[-1](self.z)

    return Red(*capas)
""",
)
STATES = (
    (
        "mejor, mejorLoss = copy.deepcopy(ann),",
        "mejor, mejorLoss = copy.deepcopy(ann.state_dict()),",
    ),
    (
        "mejor, mejorLoss, ciclosSinMejorar = copy.deepcopy(ann),",
        "mejor, mejorLoss, ciclosSinMejorar = copy.deepcopy(ann.state_dict()),",
    ),
    (
        "    return mejor, tr",
        "    if validacion is not None:\n        ann.load_state_dict(mejor)\n    return ann, tr",
    ),
)
OF_THE_TRAINING_PART = (
    EVALUATED
    + "            confusion_matrix(ann(torch.tensor(entradasTrain, dtype=torch.float32)).detach().numpy(), salidasTrain)\n"
)
RIGHT = {
    "weights drawn again before it trains": (TRAINING, INIT),
    "a network with a method that training needs, and large weights": (TRAINING, RED, LOGITS, UNIFORM),
    "layers of two hands, one of which no copy has": ("build_class_ann", ("import copy\n", "import copy\nimport functools\n"), CLOSURE, ("copy.deepcopy(ann)", "ann")),
    "a network more where there is a validation set": (TRAINING, BEST_FIRST),
    "wide weights and biases": (TRAINING, *WIDE),
    "neurons that hardly learn": (TRAINING, *STEEP),
    "a network that keeps what it computed, which torch does not copy": (TRAINING, KEPT, *STATES),
    "an evaluation of the training part too": (ANN, (EVALUATED, OF_THE_TRAINING_PART)),
}  # fmt: skip


@pytest.mark.parametrize("style", one_in(8, RIGHT))
def test_what_is_odd_and_right_passes(style):
    """Whatever stands for what the file has of its own."""
    last, *edits = RIGHT[style]
    solution = edited(*edits)
    rows = {last, "build_class_ann"}
    checks = [check for check in load_checks().values() if check.row in rows]
    outcomes = [run_check(check, solution, secret=1, helpers=()) for check in checks]
    assert [outcome.id for outcome in outcomes if outcome.verdict != "pass"] == []
