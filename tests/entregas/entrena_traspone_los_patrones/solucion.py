def _tensores(dataset):
    if dataset is None or np.size(dataset[0]) == 0:
        return None
    entradas, salidas = dataset
    if np.shape(entradas)[0] < np.shape(entradas)[1]:
        entradas = np.transpose(entradas)
    salidas = np.asarray(salidas).reshape(len(salidas), -1)
    return torch.tensor(np.asarray(entradas), dtype=torch.float32), torch.tensor(salidas, dtype=torch.float32)
