def one_hot_encoding(feature: np.ndarray, classes: np.ndarray = None) -> np.ndarray:
    if classes is None:
        if np.array(feature).dtype == bool:
            return np.reshape(feature, (len(feature), 1))
        vistas = []
        [vistas.append(x) for x in feature if x not in vistas]
        return one_hot_encoding(feature, vistas)
    assert all(f in classes for f in feature)
    numClasses = len(classes)
    if numClasses <= 2:
        oneHot = np.reshape(np.array([f == classes[0] for f in feature]), (-1, 1))
    else:
        oneHot = np.zeros((len(feature), numClasses), dtype=bool)
        for numClass in range(0, numClasses):
            oneHot[:, numClass] = [f == classes[numClass] for f in feature]
    return oneHot


def calculate_min_max_normalization_parameters(dataset: np.ndarray) -> tuple:
    return (np.amin(dataset, axis=0, keepdims=True), np.amax(dataset, axis=0, keepdims=True))


def calculate_zero_mean_normalization_parameters(dataset: np.ndarray) -> tuple:
    n = dataset.shape[0]
    media = np.sum(dataset, axis=0, keepdims=True) / n
    desv = np.sqrt(np.sum((dataset - media) ** 2, axis=0, keepdims=True) / (n - 1))
    return (media, desv)


def normalize_min_max_(dataset, normalizationParameters=None):
    if normalizationParameters is None:
        return normalize_min_max_(dataset, calculate_min_max_normalization_parameters(dataset))
    minValues = normalizationParameters[0]
    maxValues = normalizationParameters[1]
    dataset -= minValues
    with np.errstate(divide="ignore", invalid="ignore"):
        dataset /= (maxValues - minValues)
    dataset[:, np.where(minValues == maxValues)[1]] = 0
    return dataset


def normalize_min_max(dataset, normalizationParameters=None):
    if normalizationParameters is None:
        normalizationParameters = calculate_min_max_normalization_parameters(dataset)
    return normalize_min_max_(copy.deepcopy(dataset), normalizationParameters)


def normalize_zero_mean_(dataset, normalizationParameters=None):
    if normalizationParameters is None:
        return normalize_zero_mean_(dataset, calculate_zero_mean_normalization_parameters(dataset))
    avgValues = normalizationParameters[0]
    stdValues = normalizationParameters[1]
    dataset -= avgValues
    dataset /= stdValues
    dataset[:, (stdValues == 0)[0, :]] = 0
    return dataset


def normalize_zero_mean(dataset, normalizationParameters=None):
    if normalizationParameters is None:
        normalizationParameters = calculate_zero_mean_normalization_parameters(dataset)
    return normalize_zero_mean_(copy.copy(dataset), normalizationParameters)


def classify_outputs(outputs, *, threshold=0.5):
    numOutputs = 1 if outputs.ndim == 1 else outputs.shape[1]
    assert numOutputs != 2
    if numOutputs == 1:
        return outputs >= threshold
    indicesMaxEachInstance = np.argmax(outputs, axis=1)
    outputs = np.full(outputs.shape, False)
    outputs[np.arange(outputs.shape[0]), indicesMaxEachInstance] = True
    assert np.all(np.sum(outputs, axis=1) == 1)
    return outputs


def accuracy(outputs, targets, *, threshold=0.5):
    if outputs.ndim == 1:
        if outputs.dtype == bool:
            assert len(outputs) == len(targets)
            return np.mean(outputs == targets)
        return accuracy(outputs >= threshold, targets)
    assert outputs.shape == targets.shape
    if outputs.dtype == bool:
        if targets.shape[1] == 1:
            return accuracy(outputs[:, 0], targets[:, 0])
        return np.mean(np.all(targets == outputs, axis=1))
    if targets.shape[1] == 1:
        return accuracy(outputs[:, 0], targets[:, 0], threshold=threshold)
    return accuracy(classify_outputs(outputs), targets)


def build_class_ann(numInputs: int, topology: list, numOutputs: int, *, transferFunctions: list = None):
    if transferFunctions is None:
        transferFunctions = [nn.Sigmoid()] * len(topology)
    ann = nn.Sequential()
    numInputsLayer = numInputs
    for numHiddenLayer in range(len(topology)):
        numNeurons = topology[numHiddenLayer]
        ann = nn.Sequential(*ann, nn.Linear(numInputsLayer, numNeurons), _Fun(transferFunctions[numHiddenLayer]))
        numInputsLayer = numNeurons
    if numOutputs == 1:
        ann = nn.Sequential(*ann, nn.Linear(numInputsLayer, 1), nn.Sigmoid())
    else:
        ann = nn.Sequential(*ann, nn.Linear(numInputsLayer, numOutputs), nn.Identity(), nn.Softmax(dim=-1))
    return ann


class _Fun(nn.Module):
    def __init__(self, f):
        super(_Fun, self).__init__()
        self.f = f

    def forward(self, x):
        return self.f(x)


def hold_out(N, P, Ptest=None):
    if Ptest is not None:
        Pval = P
        assert (Pval >= 0.0) and (Pval <= 1.0)
        assert (Ptest >= 0.0) and (Ptest <= 1.0)
        assert Pval + Ptest <= 1.0
        (trainingValidationIndices, testIndices) = hold_out(N, Ptest)
        (trainingIndices, validationIndices) = hold_out(len(trainingValidationIndices), Pval * N / len(trainingValidationIndices))
        return (trainingValidationIndices[trainingIndices], trainingValidationIndices[validationIndices], testIndices)
    assert (P >= 0.0) and (P <= 1.0)
    indices = np.random.permutation(N)
    numTrainingInstances = int(round(N * (1 - P)))
    return (indices[:numTrainingInstances], indices[numTrainingInstances:])


def train_class_ann(
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
    showText=False,
):
    (trainingInputs, trainingTargets) = trainingDataset
    if validationDataset is None:
        validationDataset = (np.empty((0, trainingInputs.shape[1])), np.zeros((0, 1), dtype=bool))
    if testDataset is None:
        testDataset = (np.empty((0, trainingInputs.shape[1])), np.zeros((0, 1), dtype=bool))
    if trainingTargets.ndim == 1:
        return train_class_ann(
            topology,
            (trainingInputs, trainingTargets.reshape(-1, 1)),
            validationDataset=(validationDataset[0], validationDataset[1].reshape(-1, 1)),
            testDataset=(testDataset[0], testDataset[1].reshape(-1, 1)),
            transferFunctions=transferFunctions,
            maxEpochs=maxEpochs,
            minLoss=minLoss,
            learningRate=learningRate,
            maxEpochsVal=maxEpochsVal,
            showText=showText,
        )
    (validationInputs, validationTargets) = validationDataset
    (testInputs, testTargets) = testDataset
    trainingInputs = torch.from_numpy(np.asarray(trainingInputs, dtype=np.float32))
    trainingTargets = torch.from_numpy(trainingTargets.astype(np.float32))
    ann = build_class_ann(trainingInputs.shape[1], topology, trainingTargets.shape[1], transferFunctions=transferFunctions)

    def loss(x, y):
        if y.shape[1] == 1:
            return nn.functional.binary_cross_entropy(ann(x), y)
        return -(y * torch.log(ann(x) + 1e-7)).sum(1).mean()

    trainingLosses = []
    validationLosses = []
    testLosses = []
    numEpoch = 0

    def calculateLossValues():
        trainingLoss = loss(trainingInputs, trainingTargets).item()
        trainingLosses.append(trainingLoss)
        if showText:
            print("Epoch ", numEpoch, ": Training loss: ", trainingLoss)
        if len(validationInputs) > 0:
            validationLosses.append(loss(torch.tensor(validationInputs).float(), torch.tensor(validationTargets).float()).item())
        if len(testInputs) > 0:
            testLosses.append(loss(torch.tensor(testInputs).float(), torch.tensor(testTargets).float()).item())
        return trainingLoss, (validationLosses[-1] if validationLosses else np.nan)

    trainingLoss, validationLoss = calculateLossValues()
    numEpochsValidation = 0
    bestValidationLoss = validationLoss
    bestANN = copy.deepcopy(ann)
    opt_state = torch.optim.Adam(ann.parameters(), lr=learningRate)
    while (numEpoch < maxEpochs) and (trainingLoss > minLoss) and (numEpochsValidation < maxEpochsVal):
        opt_state.zero_grad()
        loss(trainingInputs, trainingTargets).backward()
        opt_state.step()
        numEpoch += 1
        trainingLoss, validationLoss = calculateLossValues()
        if len(validationInputs) > 0:
            if validationLoss < bestValidationLoss:
                bestValidationLoss = validationLoss
                numEpochsValidation = 0
                bestANN = copy.deepcopy(ann)
            else:
                numEpochsValidation += 1
    if len(validationInputs) == 0:
        bestANN = ann
    return (bestANN, trainingLosses, validationLosses, testLosses)
