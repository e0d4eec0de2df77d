"""What the rules say of a source that runs in this process, as the grader asks them."""

import textwrap

from practica.grading.engine.loops import loop_rules
from practica.grading.engine.rubric import load_rubric
from practica.grading.engine.rules import inspect_source
from practica.grading.engine.signatures import signature_rules
from practica.grading.engine.solution import LocalSolution
from practica.grading.inside.loading import load_source

RUBRIC = load_rubric()
SEED = 0  # draws the numbers of patterns


def judged(source, row, solution=None, rubric=RUBRIC):
    """List the rules for the function of a row: its header, its text, and what running it shows."""
    source = textwrap.dedent(source).encode()
    report = inspect_source(source, rubric)
    function, row = report.functions[row], rubric.rows[row]
    if not function.found:
        return list(function.rules)
    solution = solution or LocalSolution(load_source(source, "entrega.py"))
    seen = loop_rules(row, rubric, report, solution, SEED)
    return [*signature_rules(row, function.line, solution), *function.rules, *seen]


def broken(source, row):
    """List the ids of the rules that a function breaks, without those that are only flagged."""
    costs = RUBRIC.rows[row]
    return [
        rule.id
        for rule in judged(source, row)
        if rule.severity == "broken" and costs.cost_of(rule.id) != "flag"
    ]
