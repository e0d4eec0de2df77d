#!/usr/bin/env python
"""Change the model answer in one place at a time, grade each mutant, and print the share that the
checks notice.

    scripts/mutants.py                         all mutants
    scripts/mutants.py --function hold_out     those of one function
    scripts/mutants.py --sample 5              every fifth
    scripts/mutants.py --survivors             and the changes that no check noticed

A mutant is killed when a check fails, cannot run, or a rule of the source breaks: in the function
that was changed or in one that uses it. Mutants that mean the same as the original, if only by the
statement's own freedom, are listed in EQUIVALENT with the reason, and counted apart.
"""

import argparse
import ast
import copy
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import _installed  # noqa: F401 - it says what to do first

from practica.grading.engine.framework import load_checks
from practica.grading.engine.rubric import load_rubric
from practica.grading.engine.rules import inspect_source
from practica.grading.engine.runner import run_check
from practica.grading.engine.signatures import signature_rules
from practica.grading.sandbox.box import Limits
from practica.grading.sandbox.client import ProcessSolution
from practica.grading.sandbox.probe import Sandbox

MODEL = Path(__file__).parent.parent / "enunciado" / "profesorado" / "solucion.py"
LIMITS = Limits(call_seconds=5.0, total_seconds=60.0)

ARRAYS = "the statement passes arrays; a list need not be taken"
OVERWRITTEN = "every such element is written afterwards"
EITHER = "the statement lets either of two classes be the positive one of a single column"
NEGATIVE = "numpy takes every negative size for what is left"
INTEGERS = "the statement normalizes real numbers"
DEVIATION = "the statement names columns with deviation 0, and a later line finds them"
WEIGHTS = "the initial weights are free"
SYMMETRIC = "the order does not matter"
ROUNDING = "sizes may differ by one"
LOGARITHM = "the statement does not require a guard for the logarithm of 0"
PATIENCE = "epoch 0 may compete or not, and training may stop an epoch later"
ROTATED = "the folds are only numbered in another way"
FREE = "the statement does not require it"

# Mutants that no check can or should notice: (function, line, mutated line): why. "pass" is a
# deleted statement.
EQUIVALENT = {
    ("one_hot_encoding", "feature = np.asarray(feature)", "pass"): ARRAYS,
    ("classify_outputs", "outputs = np.asarray(outputs)", "pass"): ARRAYS,
    ("accuracy", "outputs, targets = (np.asarray(outputs), np.asarray(targets))", "pass"): ARRAYS,
    (
        "confusion_matrix",
        "outputs, targets = (np.asarray(outputs), np.asarray(targets))",
        "pass",
    ): ARRAYS,
    (
        "build_class_ann",
        "",
        "nn.Softmax()",
    ): "of two dimensions torch takes the second one, and says so",
    (
        "train_class_ann",
        "mejor, mejorLoss = (copy.deepcopy(ann), validationLosses[0])",
        "pass",
    ): PATIENCE,
    ("train_class_ann", "", "ciclosSinMejorar <= maxEpochsVal"): PATIENCE,
    ("crossvalidation", "", "ceil(N * k)"): "only the first N are taken",
    (
        "ann_cross_validation",
        "",
        "if validationRatio >= 0:",
    ): "a hold-out of nothing is no validation set",
    ("_crear_modelo", "raise ValueError(f'Modelo desconocido: {tipo}')", "pass"): FREE,
    ("_capa", "nn.init.xavier_uniform_(capa.weight)", "pass"): WEIGHTS,
    ("_capa", "nn.init.zeros_(capa.bias)", "pass"): WEIGHTS,
    ("one_hot_encoding", "", "np.ones((len(feature), len(classes)), dtype=bool)"): OVERWRITTEN,
    ("one_hot_encoding", "", "np.asarray(feature == classes[0])"): "a comparison is of bools",
    ("one_hot_encoding", "", "reshape(-2, 1)"): NEGATIVE,
    ("one_hot_encoding", "", "feature != classes[0]"): EITHER,
    ("one_hot_encoding", "", "feature == classes[1]"): EITHER,
    ("_tensores", "", "reshape(len(salidas), -2)"): NEGATIVE,
    ("_tensores", "", "np.size(dataset[1])"): "the outputs are absent when the inputs are",
    ("normalize_min_max_", "", "np.where(rango == 0, 2, rango)"): OVERWRITTEN,
    ("normalize_min_max_", "", "np.where(rango == 0, 0, rango)"): OVERWRITTEN,
    ("normalize_min_max_", "", "np.where(rango == 1, 1, rango)"): OVERWRITTEN,
    ("normalize_zero_mean_", "", "np.where(constantes, 2, desviaciones)"): OVERWRITTEN,
    ("normalize_zero_mean_", "", "np.where(constantes, 0, desviaciones)"): OVERWRITTEN,
    (
        "normalize_zero_mean_",
        "constantes = dataset.min(axis=0) == dataset.max(axis=0)",
        "pass",
    ): DEVIATION,
    ("normalize_zero_mean_", "", "constantes = dataset.min() == dataset.max(axis=0)"): DEVIATION,
    ("normalize_zero_mean_", "", "constantes = dataset.min(axis=0) == dataset.max()"): DEVIATION,
    ("normalize_min_max", "", "np.array(dataset)"): INTEGERS,
    ("normalize_zero_mean", "", "np.array(dataset)"): INTEGERS,
    ("hold_out", "", "int(N * (1 - P))"): ROUNDING,
    ("hold_out", "", "min(P * N / len(resto), 1.0)"): SYMMETRIC,
    ("_loss", "", "torch.log(p - epsilon)"): LOGARITHM,
    ("_loss", "", "torch.log(1 - p - epsilon)"): LOGARITHM,
    ("confusion_matrix", "", "accuracy(targets, outputs)"): SYMMETRIC,
    ("confusion_matrix", "", "np.ones((numClases, 5))"): OVERWRITTEN,
    ("crossvalidation", "", "np.ones(len(targets), dtype=int)"): OVERWRITTEN,
    ("ann_cross_validation", "", "np.ones((numFolds, 7))"): OVERWRITTEN,
    ("ann_cross_validation", "", "np.ones((numExecutions, 7))"): OVERWRITTEN,
    ("ann_cross_validation", "", "porFold[fold - 2]"): ROTATED,
    ("model_cross_validation", "", "np.ones((numFolds, 7))"): OVERWRITTEN,
    ("model_cross_validation", "", "porFold[fold - 2]"): ROTATED,
}
NOT_GRADED = {"fijar_semillas"}  # nothing that is graded uses it

COMPARISONS = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Div,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
NAMES = {
    "min": "max",
    "max": "min",
    "argmax": "argmin",
    "mean": "sum",
    "sum": "mean",
    "any": "all",
    "all": "any",
    "round": "int",
    "ceil": "int",
    "ones": "zeros",
    "ones_like": "zeros_like",
    "zeros": "ones",
    "rows": "columns",
    "train": "eval",
    "eval": "train",
}


@dataclass(frozen=True)
class Mutant:
    """One change: where, of which kind, and the whole source with it."""

    function: str
    operator: str
    line: int
    before: str
    after: str
    source: bytes


def changes(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:  # long: a case for each kind of node
    """Yield what a node can become, with the name of the operator; `pass` deletes it."""
    match node:
        case ast.Compare(ops=[operator, *_]) if type(operator) in COMPARISONS:
            yield "comparison", _with(node, ops=[COMPARISONS[type(operator)](), *node.ops[1:]])
        case ast.Constant(value=bool()):
            yield "constant", ast.Constant(not node.value)
        case ast.Constant(value=int() | float() as number):
            yield "constant", ast.Constant(number + 1)
            if number == 1:
                yield "constant", ast.Constant(0)
        case ast.BinOp(op=operator) if type(operator) in ARITHMETIC:
            yield "arithmetic", _with(node, op=ARITHMETIC[type(operator)]())
        case ast.AugAssign(op=operator) if type(operator) in ARITHMETIC:
            yield "arithmetic", _with(node, op=ARITHMETIC[type(operator)]())
            yield "deleted statement", ast.Pass()
        case ast.BoolOp():
            yield "and/or", _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
        case ast.UnaryOp(op=ast.Not() | ast.Invert() | ast.USub()):
            yield "negation", node.operand
        case ast.Call():
            if len(node.args) >= 2 and not any(
                isinstance(each, ast.Starred) for each in node.args[:2]
            ):
                yield (
                    "argument swap",
                    _with(node, args=[node.args[1], node.args[0], *node.args[2:]]),
                )
            for keyword in node.keywords:
                if keyword.arg is not None:
                    rest = [other for other in node.keywords if other is not keyword]
                    yield f"{keyword.arg} dropped", _with(node, keywords=rest)
            match node.func:
                case ast.Attribute(attr=name) if name in NAMES:
                    yield "other function", _with(node, func=_with(node.func, attr=NAMES[name]))
                case ast.Name(id=name) if name in NAMES:
                    yield "other function", _with(node, func=ast.Name(NAMES[name], ast.Load()))
        case ast.If() | ast.IfExp():
            yield "condition", _with(node, test=ast.UnaryOp(ast.Not(), node.test))
        case ast.Return(value=ast.Tuple(elts=[first, second, *rest], ctx=context)):
            yield "order of results", ast.Return(ast.Tuple([second, first, *rest], context))
        case ast.Expr(value=ast.Constant(value=str())):
            return
        case ast.Assign() | ast.Expr() | ast.Raise():
            yield "deleted statement", ast.Pass()
        case ast.Break() | ast.Continue():
            yield "deleted statement", ast.Pass()


def _with(node: ast.AST, **fields: object) -> ast.AST:
    new = copy.copy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return new


class _Replace(ast.NodeTransformer):
    def __init__(self, target: ast.AST, new: ast.AST) -> None:
        self.target, self.new = target, new

    def visit(self, node: ast.AST) -> ast.AST:
        return (
            ast.copy_location(self.new, node)
            if node is self.target
            else self.generic_visit(copy.copy(node))
        )

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for field, value in ast.iter_fields(node):
            if isinstance(value, list):
                setattr(
                    node,
                    field,
                    [self.visit(each) if isinstance(each, ast.AST) else each for each in value],
                )
            elif isinstance(value, ast.AST):
                setattr(node, field, self.visit(value))
        return node


def replaced(tree: ast.AST, node: ast.AST, new: ast.AST) -> str:
    """Return the source of a tree in which a node has become another one.

    The tree stays as it is.
    """
    return ast.unparse(ast.fix_missing_locations(_Replace(node, new).visit(tree)))


def line_of(node: ast.AST) -> int:
    """Return the line where a node begins; 0 for a part of an expression that has none."""
    return getattr(node, "lineno", 0)


def mutants(source: bytes) -> Iterator[Mutant]:
    """Yield every mutant of a file's functions and classes, in the order of the file."""
    tree = ast.parse(source)
    original = ast.unparse(tree)
    seen = {original}
    for definition in tree.body:
        if (
            not isinstance(definition, ast.FunctionDef | ast.ClassDef)
            or definition.name in NOT_GRADED
        ):
            continue
        for node in ast.walk(definition):
            for operator, new in changes(node):
                text = replaced(tree, node, new)
                if text not in seen:
                    seen.add(text)
                    before, after = _changed_line(original, text)
                    yield Mutant(
                        definition.name, operator, line_of(node), before, after, text.encode()
                    )


def _changed_line(original: str, mutated: str) -> tuple[str, str]:
    """Return the first line that differs, as it was and as it is."""
    pairs = zip(original.splitlines(), mutated.splitlines(), strict=False)
    before, after = next((pair for pair in pairs if pair[0] != pair[1]), ("", ""))
    return before.strip(), after.strip()


def is_equivalent(mutant: Mutant) -> bool:
    """Return whether the list of equivalent mutants has this one."""
    return any(
        (
            mutant.function == function and (mutant.before, mutant.after) == (before, after)
            if after == "pass"
            else mutant.function == function
            and after in mutant.after
            and after not in mutant.before
        )
        for function, before, after in EQUIVALENT
    )


def functions_that_use(source: bytes, name: str) -> set[str]:
    """Return a definition's name and those of all that use it, directly or not."""
    names = {
        node.name: {leaf.id for leaf in ast.walk(node) if isinstance(leaf, ast.Name)}
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }
    found = {name}
    while more := {other for other, used in names.items() if used & found} - found:
        found |= more
    return found


def killer(mutant: Mutant, sandbox: Sandbox, functions: set[str]) -> str | None:
    """Return the first rule or check that notices a mutant."""
    rubric, checks = load_rubric(), load_checks()
    report = inspect_source(mutant.source, rubric)
    rows = sorted(
        (row for row in rubric.rows.values() if row.function in functions),
        key=lambda row: row.function != mutant.function,
    )
    for row in rows:
        if report.functions[row.name].broken:
            return report.functions[row.name].broken[0].id
    with ProcessSolution(mutant.source, sandbox, LIMITS) as solution:
        for row in rows:
            for rule in signature_rules(row, None, solution):
                if rule.severity == "broken":
                    return rule.id
            for identifier in row.checks_of(checks):
                if run_check(checks[identifier], solution).verdict != "pass":
                    return identifier
    return None


def main() -> int:
    """Print the share killed per function."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--function", help="only the mutants of this one")
    parser.add_argument("--sample", type=int, default=1, metavar="N", help="only every N-th mutant")
    parser.add_argument(
        "--survivors", action="store_true", help="show the mutants that no check noticed"
    )
    options = parser.parse_args()
    source = MODEL.read_bytes()
    chosen = [each for each in mutants(source) if options.function in (None, each.function)][
        :: options.sample
    ]
    total: Counter[str] = Counter()
    killed: Counter[str] = Counter()
    equivalent: Counter[str] = Counter()
    begin = time.monotonic()
    with Sandbox() as sandbox:
        sandbox.preload(source)
        for mutant in chosen:
            total[mutant.function] += 1
            if is_equivalent(mutant):
                equivalent[mutant.function] += 1
            elif killer(mutant, sandbox, functions_that_use(source, mutant.function)) is not None:
                killed[mutant.function] += 1
            elif options.survivors:
                print(
                    f"{mutant.function}:{mutant.line} {mutant.operator}: {mutant.before}  -> "
                    f" {mutant.after}",
                    flush=True,
                )
    print("| function | mutants | equivalent | killed | share |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name in [*total, "all"]:
        rows = list(total) if name == "all" else [name]
        made, same, found = (
            sum(counter[row] for row in rows) for counter in (total, equivalent, killed)
        )
        share = f"{100 * found / (made - same):.1f} %" if made > same else "–"
        print(f"| {name} | {made} | {same} | {found} | {share} |")
    print(f"{len(chosen)} mutants, {time.monotonic() - begin:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
