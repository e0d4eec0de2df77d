"""Known mistakes of the normalization parameters, and of the functions that normalize: wrong ways of their oracles."""

from __future__ import annotations

from functools import partial

from practica.assignment.normalization import MEAN_STD, MIN_MAX, NORMALIZERS, normalized, parameters
from practica.engine.known_mistakes import imitates

OF_BOTH = "whole whole:number rows rows:vector rows:row vectors columns exchanged sorts"
imitates(MIN_MAX, "parameters", f"{OF_BOTH} whole:mean whole:deviation")(partial(parameters, False))
imitates(MEAN_STD, "parameters", f"population variance {OF_BOTH} whole:mean whole:deviation median")(
    partial(parameters, True)
)

EITHER_WAY = """
    ignores_given exchanged changes_given changes_given:minimum changes_given:added whole rows no_shift precedence
    constant_divides_by_0 constant_shifted constant_kept constant_one constant_of_data
    almost_constant
"""
SCALES = {
    False: "by_maximum by_minimum clipped from_minus_one zero_mean",
    True: "population variance min_max min_max:range min_max:formula",
}  # of zero mean or not
PLACES = {False: "modifies modifies:and_copies", True: "not_in_place returns_copy"}  # of those in place or not
for _row, (_zero_mean, _in_place) in NORMALIZERS.items():
    _mistakes = f"{EITHER_WAY} {SCALES[_zero_mean]} {PLACES[_in_place]}"
    imitates(_row, "normalize", _mistakes)(partial(normalized, _zero_mean, _in_place))
