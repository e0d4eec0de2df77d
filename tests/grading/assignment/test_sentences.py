"""Which sentence a mistake gets: a cause is only told where the check saw it, and no fact is
invented.
"""

import ast
import contextlib
import re

import pytest
from submissions import MODEL, merged, submissions

from practica.grading.engine.framework import CheckFailed, load_checks
from practica.grading.engine.runner import run_check
from practica.grading.engine.solution import LocalSolution
from practica.grading.inside.loading import load_source
from practica.grading.report.messages import LANGUAGES, say

pytestmark = pytest.mark.usefixtures("one_thread")

CHECKS = load_checks()
SUBMISSIONS = {submission.slug: submission.source for submission in submissions()}
SPLIT = "posTrain, posVal = hold_out(len(entradasTrain), ratio)"


def changed(function: str, old: str, new: str) -> bytes:
    """Return the model answer with a function of which something is replaced."""
    source = MODEL.read_text(encoding="utf-8")
    node = next(node for node in ast.parse(source).body if getattr(node, "name", None) == function)
    text = ast.get_source_segment(source, node)
    assert old in text
    return merged(text.replace(old, new)).encode()


def told(source: bytes, check: str):
    """Return what a check finds in a source; its sentence has no hole in any language."""
    outcome = run_check(
        CHECKS[check], LocalSolution(load_source(source, "solucion.py")), helpers=()
    )
    assert outcome.verdict == "fail"
    assert all(say(outcome.message, outcome.message_facts, lang) for lang in LANGUAGES)
    return outcome


TRAIN, ANN = "train_class_ann", "ann_cross_validation"
ONE_LOSS = changed(TRAIN, "return mejor, trainingLosses, ", "return mejor, trainingLosses[-1:], ")
LOGITS_TWICE = changed(
    "_loss", "    epsilon", "    p = torch.sigmoid(p) if p.shape[1] == 1 else p\n    epsilon"
)
NO_OUTPUT = changed("build_class_ann", "    capas.append(_capa(entradas, numOutputs))\n", "")
NO_MODULE = changed("build_class_ann", "Activacion(funcion)", "funcion")
NO_FORWARD = changed(
    "build_class_ann",
    "return nn.Sequential(*capas)",
    "red = nn.Sequential(*capas)\n    red.forward = print\n    return red",
)
NO_FIRST = changed(
    "_capa",
    "capa = nn.Linear(entradas, salidas)",
    "capa = nn.Conv1d(entradas, salidas, 1)\n    w, b = capa.weight, capa.bias\n"
    "    capa.forward = lambda x: x * torch.arange(entradas).sign() @ w[:, :, 0].T + b",
)
NO_BIAS = changed(
    "_capa",
    "capa = nn.Linear(entradas, salidas)",
    "capa = nn.Linear(entradas, salidas)\n    capa.forward = lambda x: x @ capa.weight.T",
)
NO_RETURN = changed(
    "hold_out", "return resto[entrenamiento]", "print(resto)\n    1, resto[entrenamiento]"
)
HALF_SHUFFLED = changed(
    "crossvalidation",
    "np.random.shuffle(indices)",
    "mueve = np.flatnonzero(np.random.random(N) < 0.5)\n        indices[mueve] ="
    " np.random.permutation(indices[mueve])",
)
NO_TEST = changed("hold_out", "resto[validacion], test", "resto[validacion], test[:0]")
NO_NETWORK = changed(
    TRAIN, "return mejor, ", "train_class_ann.red = mejor\n    return None, "
).replace(
    b"ann(torch.tensor(entradasTest", b"(ann or train_class_ann.red)(torch.tensor(entradasTest"
)
RELU = "transferFunctions=[lambda x: torch.relu(x)]"
ONE_FUNCTION = changed(ANN, "transferFunctions=transferFunctions", RELU)
OTHER_FUNCTIONS = changed(ANN, "transferFunctions=transferFunctions", f"{RELU} * len(topology)")
NO_VALIDATION = changed(ANN, "if validationRatio > 0:", "if False:")
REPEATED = changed(ANN, SPLIT, f"{SPLIT}; posTrain = np.append(posTrain, posTrain[0])")
FEWER_FOLDS = changed(ANN, "range(1, numFolds + 1)", "range(1, numFolds)")
NORMALIZED = changed(
    ANN, "    salidas = one", "    inputs = normalize_zero_mean(inputs)\n    salidas = one"
)
ENDS_EARLY = changed(TRAIN, "ciclo < maxEpochs and", "ciclo < min(maxEpochs, 2) and")
IN_STEPS = merged(  # no position is favoured
    "def hold_out(N, P, Q=0):\n"
    "    p = (np.random.randint(N) + np.arange(N) * next(s for s in (7, 11, 13) if N % s)) % N\n"
    "    a, b = N - int(N * (P + Q)), int(N * Q)\n"
    "    return (p[:a], p[N - b:], p[a:N - b]) if Q else (p[:a], p[a:])\n"
).encode()
LAST_IS_TESTED = changed(
    "hold_out", "np.random.permutation(N)", "np.append(np.random.permutation(N - 1), N - 1)"
)
TWO_COLUMNS_TRUE = changed(ANN, "salidas = one_hot", "salidas = True | one_hot")
LINEAR = SUBMISSIONS["modelo_linear_svc"]
SIGMOID_BEFORE_SOFTMAX = changed(
    "build_class_ann", "nn.Softmax(dim=1)", "nn.Sequential(nn.Sigmoid(), nn.Softmax(dim=1))"
)
LARGER_SIGMOID = changed(
    "build_class_ann", "nn.Sigmoid()", "Activacion(lambda x: 1.5 * torch.sigmoid(x))"
)
REST_VALIDATES = merged(
    "def hold_out(N, P, Q=0):\n    p, a, b = np.random.permutation(N), int(N * (1 - P - Q)), int(N"
    " * Q)\n    return (p[:a], p[a + b:], p[a:a + b]) if Q else (p[:a], p[a:])\n"
).encode()


@pytest.mark.parametrize(
    ("source", "check", "message"),
    [
        (SUBMISSIONS["entrena_inicial_sin_validacion"], f"{TRAIN}.last", f"{TRAIN}.last"),
        (SUBMISSIONS["entrena_test_de_la_mejor"], f"{TRAIN}.losses.test", f"{TRAIN}.losses.test"),
        (LOGITS_TWICE, f"{TRAIN}.losses.two_classes", f"{TRAIN}.losses.two_classes"),
        (ONE_LOSS, f"{TRAIN}.learns", "form.training_start"),
        (
            SUBMISSIONS["entrena_doble_softmax"],
            f"{TRAIN}.losses.several_classes",
            f"{TRAIN}.losses.several_classes",
        ),
        (
            SUBMISSIONS["entrena_losses_redondeados"],
            f"{TRAIN}.losses.two_classes",
            f"{TRAIN}.losses.two_classes.rounded",
        ),
        (
            SUBMISSIONS["entrena_losses_desiguales"],
            f"{TRAIN}.min_loss.validation",
            "form.losses_length",
        ),
        (
            SUBMISSIONS["entrena_ausentes_a_cero"],
            f"{TRAIN}.losses.two_classes",
            f"{TRAIN}.absent_sets",
        ),
        (SUBMISSIONS["entrena_con_batchnorm"], f"{TRAIN}.learns", "form.weights"),
        (SUBMISSIONS["entrena_sin_que_se_vea"], f"{TRAIN}.learns", "form.unrepeatable"),
        (SUBMISSIONS["entrena_sin_paso"], f"{TRAIN}.losses.two_classes", "form.training_steps"),
        (SUBMISSIONS["entrena_sin_paso"], f"{TRAIN}.learns", f"{TRAIN}.learns"),
        (SUBMISSIONS["entrena_tasa_fija"], f"{TRAIN}.learning_rate", f"{TRAIN}.learning_rate"),
        (SUBMISSIONS["entrena_rmsprop"], f"{TRAIN}.one_optimiser", f"{TRAIN}.one_optimiser"),
        (SUBMISSIONS["entrena_min_loss_por_debajo"], f"{TRAIN}.min_loss", f"{TRAIN}.min_loss"),
        (SUBMISSIONS["entrena_sin_copia"], f"{TRAIN}.best.stopped_early", "form.last_network"),
        (
            SUBMISSIONS["entrena_mejor_solo_la_salida"],
            f"{TRAIN}.best.out_of_epochs",
            f"{TRAIN}.best.out_of_epochs",
        ),
        (ENDS_EARLY, f"{TRAIN}.early_stopping.patience", f"{TRAIN}.early_stopping.patience"),
        (ENDS_EARLY, f"{TRAIN}.best.stopped_early", "form.training_length"),
        (
            SUBMISSIONS["entrena_empate_mejora"],
            f"{TRAIN}.early_stopping.strict",
            f"{TRAIN}.early_stopping.strict",
        ),
        (
            SUBMISSIONS["ann_relu_por_defecto"],
            f"{ANN}.options",
            f"{ANN}.transfer_functions.default",
        ),
        (
            SUBMISSIONS["ann_tantos_folds_como_clases"],
            f"{ANN}.validation.size",
            f"{ANN}.trainings.parts",
        ),
        (
            SUBMISSIONS["modelo_ann_relu_por_defecto"],
            "model_cross_validation.ann.options",
            "model_cross_validation.ann.options.functions",
        ),
        (NO_OUTPUT, "build_class_ann.transfer_functions.default", "form.layers"),
        (NO_OUTPUT, "build_class_ann.output.two_classes", "form.outputs"),
        (NO_OUTPUT, "build_class_ann.transfer_functions.not_on_the_output", "form.outputs"),
        (NO_MODULE, "build_class_ann.transfer_functions.given", "any.raises.module"),
        (
            SUBMISSIONS["red_capa_repetida"],
            "build_class_ann.random_weights",
            "build_class_ann.random_weights.layers",
        ),
        (
            SUBMISSIONS["red_pesos_iguales"],
            "build_class_ann.random_weights",
            "build_class_ann.random_weights.equal",
        ),
        (SUBMISSIONS["red_un_patron"], "build_class_ann.output.several_classes", "form.outputs"),
        (
            SUBMISSIONS["red_softmax_sobre_patrones"],
            "build_class_ann.transfer_functions.not_on_the_output",
            "build_class_ann.output.several_classes.over_patterns",
        ),
        (
            SUBMISSIONS["red_sin_softmax"],
            "build_class_ann.output.several_classes",
            "build_class_ann.output.several_classes.sum",
        ),
        (
            SUBMISSIONS["red_softmax_con_una_salida"],
            "build_class_ann.transfer_functions.not_on_the_output",
            "build_class_ann.output.two_classes.ones",
        ),
        (
            SUBMISSIONS["red_ultima_funcion_a_la_salida"],
            "build_class_ann.transfer_functions.not_on_the_output",
            "build_class_ann.transfer_functions.not_on_the_output",
        ),
        (
            SUBMISSIONS["red_ultima_funcion_a_la_salida"],
            "build_class_ann.transfer_functions.given",
            "build_class_ann.output.several_classes",
        ),
        (LARGER_SIGMOID, "build_class_ann.output.two_classes", "form.output_function"),
        (NO_FORWARD, "build_class_ann.structure", "form.no_outputs"),
        (NO_FIRST, "build_class_ann.inputs", "build_class_ann.inputs.unused"),
        (NO_BIAS, "build_class_ann.biases", "build_class_ann.biases.unused"),
        (HALF_SHUFFLED, "crossvalidation.int.random", "random.returns"),
        (NO_RETURN, "hold_out.three.sizes", "form.nothing"),
        (IN_STEPS, "hold_out.two.random", "random.together"),
        (
            SUBMISSIONS["hold_out_rotacion_de_una_permutacion"],
            "hold_out.two.random",
            "random.couples",
        ),
        (LAST_IS_TESTED, "hold_out.two.random", "random.fixed"),
        (
            SUBMISSIONS["one_hot_positiva_la_primera"],
            "one_hot_encoding.classes.two",
            "one_hot_encoding.classes.two.same",
        ),
        (
            SUBMISSIONS["hold_out_pval_del_resto"],
            "hold_out.three.sizes",
            "hold_out.three.sizes.of_the_rest",
        ),
        (REST_VALIDATES, "hold_out.three.sizes", "hold_out.three.sizes.validation"),
        (NO_TEST, "hold_out.three.sizes", "hold_out.three.sizes.test"),
        (NO_NETWORK, f"{ANN}.executions_differ", "form.unseen_network"),
        (OTHER_FUNCTIONS, f"{ANN}.transfer_functions", f"{ANN}.transfer_functions.others"),
        (
            SUBMISSIONS["ann_funciones_olvidadas"],
            f"{ANN}.transfer_functions",
            f"{ANN}.transfer_functions",
        ),
        (ONE_FUNCTION, f"{ANN}.transfer_functions", "form.functions.count"),
        (SUBMISSIONS["ann_salidas_desalineadas"], f"{ANN}.targets", f"{ANN}.targets.classes"),
        (TWO_COLUMNS_TRUE, f"{ANN}.targets", f"{ANN}.targets.row"),
        (LINEAR, "model_cross_validation.svc.hyperparameters", "form.unseen"),
        (NO_VALIDATION, f"{ANN}.validation.size", "form.no_validation"),
        (NO_VALIDATION, f"{ANN}.validation.disjoint", "form.no_validation"),
        (NO_VALIDATION, f"{ANN}.validation.fresh", "form.no_validation"),
        (REPEATED, f"{ANN}.validation.disjoint", f"{ANN}.validation.disjoint.again"),
        (SUBMISSIONS["ann_solape"], f"{ANN}.validation.disjoint", f"{ANN}.validation.disjoint"),
        (
            SUBMISSIONS["ann_semilla_al_principio"],
            f"{ANN}.executions_differ",
            f"{ANN}.executions_differ.calls",
        ),
        (
            SUBMISSIONS["ann_semilla_por_fold"],
            f"{ANN}.validation.fresh",
            f"{ANN}.validation.fresh.calls",
        ),
        (SUBMISSIONS["ann_entrena_con_todo"], f"{ANN}.trainings", f"{ANN}.trainings.parts"),
        (SUBMISSIONS["ann_entrena_con_todo"], f"{ANN}.evaluation", f"{ANN}.evaluation.nobody"),
        (FEWER_FOLDS, f"{ANN}.test_fold_unseen", f"{ANN}.test_fold_unseen.folds"),
        (NORMALIZED, f"{ANN}.trainings", "form.patterns"),
        (SUBMISSIONS["confusion_fp_fn"], "confusion_matrix_binary.bool.values", "form.exchanged"),
        (SUBMISSIONS["confusion_fp_fn"], "confusion_matrix_binary.zero.recall", "form.exchanged"),
        (
            SUBMISSIONS["confusion_cero_entre_cero"],
            "confusion_matrix_binary.zero.recall",
            "confusion_matrix_binary.zero.recall",
        ),
        (
            SUBMISSIONS["confusion_macro_por_defecto"],
            "confusion_matrix_multiclass.zero.weighted",
            "confusion_matrix_multiclass.bool.weighted",
        ),
        (
            SUBMISSIONS["confusion_weighted_no_llega"],
            "confusion_matrix_multiclass.real.macro",
            "confusion_matrix_multiclass.bool.macro",
        ),
        (
            SUBMISSIONS["normaliza_sin_constantes"],
            "normalize_min_max.constant",
            "normalize_min_max.constant",
        ),
        (
            SUBMISSIONS["normaliza_ignora_parametros"],
            "normalize_zero_mean.constant",
            "form.constant",
        ),
        (
            SUBMISSIONS["modelo_desconocido_sin_error"],
            "model_cross_validation.unknown",
            "model_cross_validation.unknown.no_error",
        ),
        (
            SUBMISSIONS["modelo_desconocido_es_knn"],
            "model_cross_validation.unknown",
            "model_cross_validation.unknown",
        ),
    ],
)
def test_a_mistake_gets_its_sentence(source, check, message):
    """That of its cause where the check saw one, and of the check itself otherwise."""
    assert told(source, check).message == message


def form(text: str) -> str:
    """Return what a shown value is: a number, a list or a word."""
    with contextlib.suppress(ValueError, SyntaxError):
        value = ast.literal_eval(text)
        return "list" if isinstance(value, list | tuple) else type(value).__name__
    return "list" if text[:1] == "[" else "word"


@pytest.mark.parametrize(
    ("source", "check"),
    [
        (SIGMOID_BEFORE_SOFTMAX, "build_class_ann.output.several_classes"),
        (
            SUBMISSIONS["red_ultima_funcion_a_la_salida"],
            "build_class_ann.transfer_functions.not_on_the_output",
        ),
        (SUBMISSIONS["red_consume_funciones"], "build_class_ann.untouched"),
        (SUBMISSIONS["hold_out_desde_uno"], "hold_out.two.partition"),
        (SUBMISSIONS["ann_evalua_con_entrenamiento"], f"{ANN}.evaluation"),
        (SUBMISSIONS["ann_una_ejecucion_con_validacion"], f"{ANN}.trainings"),
        (ONE_FUNCTION, f"{ANN}.transfer_functions"),
    ],
)
def test_what_is_obtained_has_the_form_of_what_is_expected(source, check):
    """A number stands above a number, and a list above a list."""
    shown = told(source, check).counterexample
    assert form(shown["obtained"]) == form(shown["expected"])


@pytest.mark.parametrize(
    ("slug", "patience"),
    [("entrena_sin_parada_temprana", "patience"), ("entrena_empate_mejora", "strict")],
)
def test_a_training_that_goes_on_is_told_where_it_should_end(slug, patience):
    """In losses, of which the first is that of the untrained network."""
    facts = told(SUBMISSIONS[slug], f"{TRAIN}.early_stopping.{patience}").message_facts
    assert int(facts["expected"]) < int(facts["obtained"])


def test_a_wrong_loss_is_told_with_its_epoch():
    """The first one of those that are wrong."""
    facts = told(SUBMISSIONS["entrena_test_de_la_mejor"], f"{TRAIN}.losses.test").message_facts
    assert (facts["set"], facts["epoch"]) == ("test", "1")


def test_the_sizes_that_are_accepted_are_whole():
    """And say of how many patterns they are a fraction."""
    outcome = told(SUBMISSIONS["hold_out_pval_del_resto"], "hold_out.three.sizes")
    facts = outcome.message_facts
    assert all(
        re.fullmatch("[0-9]+", facts[name]) for name in ("size", "least", "most", "left", "N")
    )
    assert (
        int(facts["size"])
        < int(facts["least"])
        <= int(facts["N"]) * float(facts["fraction"])
        <= int(facts["most"])
    )


@pytest.mark.parametrize(
    ("sizes", "right"), [([53, 43, 11], True), ([55, 42, 10], True), ([53, 44, 10], False)]
)
def test_what_is_left_trains(sizes, right):
    """Of 107 patterns 0.4 are 42.8 and 0.1 are 10.7, as the statement says."""
    solution = LocalSolution({"hold_out": lambda N, P, Q: [list(range(size)) for size in sizes]})
    with contextlib.nullcontext() if right else pytest.raises(CheckFailed):
        CHECKS["hold_out.three.sizes"].body(solution, case=(107, 0.4, 0.1))


def test_the_column_without_information_is_seen_in_the_example():
    """It is constant in the data, or in the parameters that are shown."""
    outcome = told(SUBMISSIONS["normaliza_sin_constantes"], "normalize_zero_mean_.constant")
    columns = re.search(r"np\.array\((.*)\)\)$", outcome.counterexample["call"])[1]
    assert any(len(set(column)) == 1 for column in zip(*ast.literal_eval(columns), strict=True))
