#!/usr/bin/env python
"""Write the files of a small class, as eight students would hand them in.

    scripts/sample_class.py FOLDER

Their mistakes are those of tests/entregas; one has not finished, one cannot be read, and one takes
a shortcut.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import _installed  # noqa: F401 - it says what to do first
from submissions import MODEL, edited, edits_of, merged, submissions

SHORTCUT = """
def accuracy(outputs, targets, *, threshold=0.5):
    from sklearn.metrics import accuracy_score

    if np.asarray(outputs).dtype != bool:
        outputs = classify_outputs(outputs, threshold=threshold)
    return accuracy_score(targets, outputs)
"""


def sample_class() -> dict[str, str]:
    """Return the file of each student."""
    model, half_wrong = (
        MODEL.read_text(encoding="utf-8"),
        _with("confusion_fp_fn", "clasifica_estricto"),
    )
    (own_network,) = (each.source for each in submissions() if each.slug == "bien_red_propia")
    return {
        "Ana Núñez": own_network.decode(),
        "Bruno Díaz": _with("confusion_fp_fn"),
        "Carla Seoane": _with("one_hot_dos_columnas", "hold_out_con_repeticion"),
        "Diego Prieto": _with("entrena_sin_copia", "cv_negativos_sin_asignar"),
        "Elena Castro": _with("clasifica_estricto", "red_sin_softmax", "confusion_fp_fn"),
        "Fran Otero": half_wrong.partition("def train_class_ann")[0],  # unfinished
        "Gala Rey": model.replace("):", ":", 1),  # Python cannot read it
        "Hugo Lema": merged(SHORTCUT),
    }


def _with(*mistakes: str) -> str:
    return edited(edits_of(*mistakes))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, source in sample_class().items():
        (folder / f"{name}.py").write_text(source, encoding="utf-8")
