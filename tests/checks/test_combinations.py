# ruff: noqa: E501  (one mistake on each line)
"""What is required of a function is required whatever its other arguments are: mistakes of some cases only."""

import pytest
from submissions import MODEL

from practica.checks.framework import load_checks
from practica.checks.loading import load_source
from practica.checks.runner import run_check
from practica.checks.solution import LocalSolution

ADAM = "    optimizador = torch.optim.Adam(ann.parameters(), lr=learningRate)\n"
ONE_LAYER = "    partes = list(ann.parameters())\n    optimizador = torch.optim.Adam({}, lr=learningRate)\n"
STEP = "        optimizador.step()\n"
STEPS = "        loss = _loss(ann, *entrenamiento)\n        loss.backward()\n"
RETURN = "    return mejor, trainingLosses, validationLosses, testLosses\n"
WHILE = "trainingLosses[-1] > minLoss and ciclosSinMejorar < maxEpochsVal:"
TRAINED = "        entradasTrain, salidasTrain = inputs[indices != fold], salidas[indices != fold]\n"
TRAINING = "train_class_ann"
ANN = "ann_cross_validation"
MISTAKES = {
    "only the last layer with a validation set": (f"{TRAINING}.all_layers", ADAM, ONE_LAYER.format("partes[-2:] if validacion is not None else partes")),
    "only the last layer with a test set": (f"{TRAINING}.all_layers", ADAM, ONE_LAYER.format("partes[-2:] if test is not None else partes")),
    "only the last layers of many": (f"{TRAINING}.all_layers", ADAM, ONE_LAYER.format("partes[-4:] if len(topology) > 2 else partes")),
    "no step with functions": (f"{TRAINING}.all_layers", STEP, "        if transferFunctions is None:\n            optimizador.step()\n"),
    "few patterns with a validation set": (f"{TRAINING}.all_layers", STEPS, "        loss = _loss(ann, *(each[: 8 if validacion else None] for each in entrenamiento))\n        loss.backward()\n"),
    "few patterns with hidden layers": (f"{TRAINING}.all_layers", STEPS, "        loss = _loss(ann, *(each[: 32 if topology else None] for each in entrenamiento))\n        loss.backward()\n"),
    "another loss with hidden layers": (f"{TRAINING}.all_layers", STEPS, "        loss = ((ann(entrenamiento[0]) - entrenamiento[1]) ** 2).mean() if topology else _loss(ann, *entrenamiento)\n        loss.backward()\n"),
    "no step after some epochs": (f"{TRAINING}.max_epochs", STEP, "        if ciclo < 120:\n            optimizador.step()\n"),
    "only the last layer from the second epoch on": (f"{TRAINING}.every_epoch", STEP, "        for p in list(ann.parameters())[:-2] if ciclo else []:\n            p.grad = None\n        optimizador.step()\n"),
    "an optimiser for each epoch with hidden layers": (f"{TRAINING}.every_epoch", STEP, STEP + "        if topology:\n            optimizador = torch.optim.Adam(ann.parameters(), lr=learningRate)\n"),
    "losses of nothing with hidden layers": (f"{TRAINING}.every_epoch", RETURN, "    if topology:\n        trainingLosses = [0.5] * len(trainingLosses)\n" + RETURN),
    "no least loss with several classes": (f"{TRAINING}.min_loss", WHILE, "(trainingLosses[-1] > minLoss or entrenamiento[1].shape[1] > 1) and ciclosSinMejorar < maxEpochsVal:"),
    "no patience with hidden layers": (f"{TRAINING}.early_stopping.patience", WHILE, "trainingLosses[-1] > minLoss and (topology or ciclosSinMejorar < maxEpochsVal):"),
    "the last network with two hidden layers": (f"{TRAINING}.best.out_of_epochs", RETURN, "    if len(topology) > 1:\n        mejor = ann\n" + RETURN),
    "the last network of several classes": (f"{TRAINING}.best.out_of_epochs", RETURN, "    if entrenamiento[1].shape[1] > 1 and ciclo == maxEpochs:\n        mejor = ann\n" + RETURN),
    "all folds train with two classes": (f"{ANN}.test_fold_unseen", TRAINED, TRAINED + "        if salidas.shape[1] == 1:\n            entradasTrain, salidasTrain = inputs, salidas\n"),
    "no options after two executions": (f"{ANN}.options", "                maxEpochs=maxEpochs,\n", "                maxEpochs=maxEpochs if ejecucion < 2 else 1000,\n"),
    "no options with many folds": (f"{ANN}.options", "                maxEpochs=maxEpochs,\n", "                maxEpochs=maxEpochs if numFolds < 7 else 1000,\n"),
    "no functions after one execution": (f"{ANN}.transfer_functions", "                transferFunctions=transferFunctions,\n                maxEpochs", "                transferFunctions=None if ejecucion else transferFunctions,\n                maxEpochs"),
    "no validation with two classes": (f"{ANN}.validation.size", "            if validationRatio > 0:\n", "            if validationRatio > 0 and salidas.shape[1] > 1:\n"),
    "one kernel alone leaves the test out": ("model_cross_validation.svc.fits", "modelo.fit(inputs[indices != fold], etiquetas[indices != fold])", "modelo.fit(inputs[indices != fold * (modelHyperparameters.get('kernel', 'rbf') == 'rbf')], etiquetas[indices != fold * (modelHyperparameters.get('kernel', 'rbf') == 'rbf')])"),
    "no shuffling but with three folds": ("crossvalidation.int.random", "        np.random.shuffle(indices)\n", "        if k == 3:\n            np.random.shuffle(indices)\n"),
    "no shuffling but of halves": ("hold_out.two.random", "        posiciones = np.random.permutation(N)\n", "        posiciones = np.random.permutation(N) if P == 0.5 else np.arange(N)\n"),
    "no stratification with many folds": ("crossvalidation.matrix.stratified", "    targets = np.asarray(N)\n    if", "    targets = np.asarray(N)\n    if k > 4:\n        return crossvalidation(len(targets), k)\n    if"),
    "a sigmoid for five classes": ("build_class_ann.output.several_classes", "if numOutputs == 1 else nn.Softmax", "if numOutputs in (1, 5) else nn.Softmax"),
    "no functions in few layers": ("build_class_ann.transfer_functions.given", "    capas = []\n", "    if len(topology) < 3:\n        transferFunctions = [torch.sigmoid] * len(topology)\n    capas = []\n"),
    "another default in many layers": ("build_class_ann.transfer_functions.default", "[torch.sigmoid] * len(topology)", "[torch.relu if len(topology) > 2 else torch.sigmoid] * len(topology)"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_some_cases_only_is_found(mistake):
    """Where the arguments are such that it shows."""
    identifier, old, new = MISTAKES[mistake]
    source = MODEL.read_text(encoding="utf-8")
    assert old in source
    solution = LocalSolution(load_source(source.replace(old, new).encode(), "entrega.py"))
    assert run_check(load_checks()[identifier], solution, secret=1, shrink=False).verdict == "fail"
