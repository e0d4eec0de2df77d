"""Right files that are slow meet no limit of time, on a machine that is three times slower than
its pace tells; what never ends does.

Each file is the model answer with some choices that cost time, alone and in pairs. A factor of 15
has five seeds of each.
"""

import ast
import itertools
from dataclasses import replace

import pytest
from budget import FACTOR
from submissions import MODEL

from practica.grading.engine.grade import grade_submission
from practica.grading.engine.rubric import load_rubric
from practica.grading.report.words import flags_of
from practica.grading.sandbox.box import Limits
from practica.grading.sandbox.budget import Budget
from practica.grading.sandbox.client import ProcessSolution

RUBRIC = load_rubric()
SLOWER = 3  # times that the machine is slower than marking measures
MULTIPLE = 10  # of what the model answer needs is what a call has at least

ADAM = """
class _Adam:
    def __init__(self, parametros, ritmo):
        self.parametros, self.ritmo, self.t = [*parametros], ritmo, 0
        self.m = [torch.zeros_like(p) for p in self.parametros]
        self.v = [torch.zeros_like(p) for p in self.parametros]

    def zero_grad(self):
        [setattr(p, "grad", None) for p in self.parametros]

    @torch.no_grad()
    def step(self):
        self.t += 1
        gradientes = [p.grad for p in self.parametros]
        self.m = [0.9 * m + 0.1 * g for m, g in zip(self.m, gradientes)]
        self.v = [0.999 * v + 0.001 * g * g for v, g in zip(self.v, gradientes)]
        raices = [(v / (1 - 0.999**self.t)).sqrt() + 1e-8 for v in self.v]
        pasos = [m / (1 - 0.9**self.t) / raiz for m, raiz in zip(self.m, raices)]
        [p.sub_(self.ritmo * paso) for p, paso in zip(self.parametros, pasos)]


"""
LAYER = """
class _Capa(nn.Module):
    def __init__(self, entradas, salidas):
        super().__init__()
        self.W = nn.Parameter(nn.init.xavier_uniform_(torch.empty(entradas, salidas)))
        self.b = nn.Parameter(torch.zeros(salidas))

    def forward(self, x):
        return (x.unsqueeze(2) * self.W).sum(dim=1) + self.b


def _capa(entradas, salidas):
    return _Capa(entradas, salidas)


def _capa_de_torch("""
CHOICES = {  # what each has in place of lines of the model answer
    "double precision": {
        "torch.tensor(np.asarray(entradas), dtype=torch.float32)": (
            "torch.tensor(np.asarray(entradas), dtype=torch.float64)"
        ),
        "torch.tensor(salidas, dtype=torch.float32)": "torch.tensor(salidas, dtype=torch.float64)",
        "    optimizador = ": "    ann.double()\n    optimizador = ",
        "return mejor, trainingLosses": "return mejor.float(), trainingLosses",
    },
    "sleeps in each epoch": {
        "import copy\n": "import copy\nimport time\n",
        "        ciclo += 1\n": "        ciclo += 1\n        time.sleep(0.001)\n",
    },
    "copies in each epoch": {
        "        ciclo += 1\n": "        ciclo += 1\n        anterior = copy.deepcopy(ann)\n"
    },
    "Adam of its own": {
        "\ndef train_class_ann(": f"{ADAM}def train_class_ann(",
        "torch.optim.Adam(ann.parameters(), lr=learningRate)": (
            "_Adam(ann.parameters(), learningRate)"
        ),
    },
    "layers of its own": {"\ndef _capa(": LAYER},
    "each epoch three times": {
        "        loss = _loss(ann, *entrenamiento)\n": (
            "        loss = sum(_loss(ann, *entrenamiento) for _ in range(3)) / 3\n"
        ),
    },
}
FILES = [chosen for count in (1, 2) for chosen in itertools.combinations(CHOICES, count)]


def file_of(chosen):
    """Return the model answer with some choices."""
    source = MODEL.read_text(encoding="utf-8")
    for old, new in itertools.chain(*(CHOICES[each].items() for each in chosen)):
        assert source.count(old) == 1, old
        source = source.replace(old, new)
    return source.encode()


def slower(limits):
    """Return the limits of a machine that is slower than it was when it was measured."""
    seconds = ("call_seconds", "import_seconds", "statement_seconds", "total_seconds")
    return replace(limits, **{name: getattr(limits, name) / SLOWER for name in seconds})


@pytest.mark.thorough
@pytest.mark.parametrize("chosen", FILES, ids=" and ".join)
def test_a_right_file_that_is_slow_keeps_its_points(chosen, sandbox):
    """With every seed."""
    source = file_of(chosen)
    for seed in range(max(1, FACTOR // 3)):
        with ProcessSolution(source, sandbox, slower(Limits.here())) as solution:
            marked = grade_submission(
                source, solution, RUBRIC, identifier="a", file="a.py", seed=seed
            )
        lost = {each.name: each.checks for each in marked.functions if each.verdict != "pass"}
        assert lost == {}, (seed, solution.budget.seconds)


@pytest.mark.thorough
def test_a_call_has_many_times_what_the_model_answer_needs(sandbox, monkeypatch):
    """Its dearest exchange, and all of them together, however busy the machine is."""
    source, spent = MODEL.read_bytes(), []
    spend = Budget.spend

    def noting(self, wall, process):
        spend(self, wall, process)
        spent.append(self.seconds)

    monkeypatch.setattr(Budget, "spend", noting)
    with ProcessSolution(source, sandbox, Limits.here()) as solution:
        grade_submission(source, solution, RUBRIC, identifier="a", file="a.py", seed=0)
    needed = max(after - before for before, after in itertools.pairwise([0.0, *spent]))
    assert MULTIPLE * needed < solution.limits.call_seconds
    assert MULTIPLE * solution.budget.seconds < solution.limits.total_seconds


@pytest.mark.slow
@pytest.mark.parametrize(
    "endless",
    [
        ["model_cross_validation"],
        pytest.param(sorted(RUBRIC.functions), marks=pytest.mark.thorough),
    ],
    ids=["one", "all"],
)
def test_a_file_that_never_ends_is_marked_and_flagged(endless, sandbox):
    """Each row that ends by time is for a person to look at, and the others are judged."""
    tree = ast.parse(MODEL.read_bytes())
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name in endless:
            node.body = ast.parse("time.sleep(10**6)").body
    source = b"import time\n" + ast.unparse(tree).encode()
    limits = replace(Limits.here(), call_seconds=1.0, total_seconds=20.0)
    with ProcessSolution(source, sandbox, limits) as solution:
        marked = grade_submission(source, solution, RUBRIC, identifier="a", file="a.py", seed=0)
    lost = {each.function for each in marked.functions if not each.points}
    assert lost == {*endless}
    flags = [flag.name for flag in flags_of(marked, "en")]
    assert flags == ["answers.out_of_time"]
