"""What the rules say of a source that runs in this process, as the grader asks them."""

import textwrap

from practica.checks.loading import load_source
from practica.checks.solution import LocalSolution
from practica.grading.observation import observed_rules
from practica.grading.rubric import load_rubric
from practica.grading.rules import inspect_source
from practica.grading.signatures import signature_rules

RUBRIC = load_rubric()


def judged(source, row, solution=None):
    """List the rules for the function of a row: its header, its text, and what running it shows."""
    source = textwrap.dedent(source).encode()
    report = inspect_source(source, RUBRIC)
    function, row = report.functions[row], RUBRIC.rows[row]
    if not function.found:
        return list(function.rules)
    solution = solution or LocalSolution(load_source(source, "entrega.py"))
    seen = observed_rules(row, RUBRIC, report, solution)
    return [*signature_rules(row, function.line, solution), *function.rules, *seen]


def broken(source, row):
    """List the ids of the rules that a function breaks, but for what only goes to a person."""
    costs = RUBRIC.rows[row]
    return [rule.id for rule in judged(source, row) if rule.severity == "broken" and costs.cost_of(rule.id) != "flag"]
