import statistics


def ann_cross_validation(topology, inputs, targets, crossValidationIndices, *, numExecutions=50, transferFunctions=None,
                         maxEpochs=1000, minLoss=0.0, learningRate=0.01, validationRatio=0, maxEpochsVal=20):
    numFolds = max(crossValidationIndices)
    accs, errs, recs, esps, vpps, vpns, f1s = [], [], [], [], [], [], []
    targets = one_hot_encoding(targets)
    for fold in range(1, numFolds + 1):
        trainInputs = inputs[crossValidationIndices != fold, :]
        testInputs = inputs[crossValidationIndices == fold, :]
        trainTargets = targets[crossValidationIndices != fold, :]
        testTargets = targets[crossValidationIndices == fold, :]
        acc, err, rec, esp, vpp, vpn, f1 = [], [], [], [], [], [], []
        for _ in range(numExecutions):
            if validationRatio > 0:
                k = numFolds
                idxTrain, idxVal = hold_out(trainInputs.shape[0], validationRatio * k / (k - 1))
                red, _, _, _ = train_class_ann(
                    topology, (trainInputs[idxTrain], trainTargets[idxTrain]),
                    validationDataset=(trainInputs[idxVal], trainTargets[idxVal]),
                    testDataset=(testInputs, testTargets), transferFunctions=transferFunctions, maxEpochs=maxEpochs,
                    minLoss=minLoss, learningRate=learningRate, maxEpochsVal=maxEpochsVal)
            else:
                red, _, _, _ = train_class_ann(
                    topology, (trainInputs, trainTargets), testDataset=(testInputs, testTargets),
                    transferFunctions=transferFunctions, maxEpochs=maxEpochs, minLoss=minLoss, learningRate=learningRate)
            salidas = red(torch.from_numpy(testInputs.astype(np.float32))).detach().numpy()
            m = confusion_matrix(salidas, testTargets, weighted=False)
            acc.append(m[0])
            err.append(m[1])
            rec.append(m[2])
            esp.append(m[3])
            vpp.append(m[4])
            vpn.append(m[5])
            f1.append(m[6])
        accs.append(statistics.mean(acc))
        errs.append(statistics.mean(err))
        recs.append(statistics.mean(rec))
        esps.append(statistics.mean(esp))
        vpps.append(statistics.mean(vpp))
        vpns.append(statistics.mean(vpn))
        f1s.append(statistics.mean(f1))
        print(f"Fold {fold}/{numFolds}: {accs[-1]:.3f}")
    return tuple((statistics.mean(x), statistics.stdev(x)) for x in (accs, errs, recs, esps, vpps, vpns, f1s))
