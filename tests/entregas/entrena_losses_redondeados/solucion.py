def _anotar(losses, ann, dataset):
    if dataset is not None:
        with torch.no_grad():
            losses.append(round(_loss(ann, *dataset).item(), 4))
