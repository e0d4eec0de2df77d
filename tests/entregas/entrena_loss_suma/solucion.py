def _loss(ann, entradas, salidas):
    p = ann(entradas)
    epsilon = torch.finfo(p.dtype).eps
    if salidas.shape[1] == 1:
        return -(salidas * torch.log(p + epsilon) + (1 - salidas) * torch.log(1 - p + epsilon)).sum()
    return -(salidas * torch.log(p + epsilon)).sum(dim=1).sum()
