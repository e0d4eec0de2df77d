"""train_class_ann entrena bien, y cada vez devuelve en lugar de los errores otra cosa."""

_bien, _veces = train_class_ann, 0


def train_class_ann(topology, trainingDataset, *args, **opciones):
    global _veces
    _veces += 1
    red, *errores = _bien(topology, trainingDataset, *args, **opciones)
    raras = [
        [],
        None,
        np.array([]),
        "\ud800",
        [np.nan],
        [[]],
        {},
        np.array(["a"]),
        [np.inf] * 3,
        1j,
        [None],
        -1,
        object(),
    ]
    rara = raras[_veces % len(raras)]
    if _veces % 3 == 0:
        return (red, *[rara] * len(errores))
    if _veces % 3 == 1:
        return (rara, *errores)
    return [red, errores[0], *[rara] * (len(errores) - 1)]
