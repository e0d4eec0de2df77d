"""Right values in the form of what the student's own function returns.

A form is a container, a type of numbers, or the class of an object or a network. Sizes and kinds
of values (bool, whole or real) are those of the right values: of a wrong function, they may be the
mistake.
"""

from __future__ import annotations

import contextlib
import copy
import numbers
import sys
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from practica.grading.inside.networks import dressed, filled
from practica.grading.inside.plain_data import as_array


class _Misfit(Exception):
    """Values do not fit into a form."""


def in_form(rights: Sequence[Any], own: Any) -> Any:
    """Return the first of several right values that fits into the form of `own`, in that form: its
    container, type of numbers, or class. Return the first value as it is if none fits.
    """
    for right in rights:
        with contextlib.suppress(Exception):  # what is the student's may do anything
            return dressed(right, own) if _is_module(right) else _put(right, own)
    return rights[0]


def _put(right: Any, own: Any) -> Any:
    """Return values in the form of `own`; raise `_Misfit` or another error if they do not fit."""
    if _is_module(right) and _is_module(own):
        return filled(own, right)
    if _is_tensor(own):
        return _tensor(right, own)
    if isinstance(own, np.ndarray):
        return _array(right, own).view(type(own))
    if isinstance(right, np.ndarray) and isinstance(own, list | tuple):
        return type(own)(right.tolist())
    if isinstance(right, list | tuple) and isinstance(own, list | tuple | dict):
        return _container(right, own)
    if isinstance(right, float) and isinstance(own, numbers.Real):
        return right if isinstance(own, numbers.Integral) else type(own)(right)  # type: ignore[call-arg]
    if hasattr(own, "__dict__") or is_dataclass(own):
        return _object(right, own)
    raise _Misfit


def _part(right: Any, own: Any) -> Any:
    """Return a part of the values in the form of a part of `own`; as it is if it does not fit."""
    with contextlib.suppress(Exception):
        return _put(right, own)
    return right


def _container(right: Sequence[Any], own: Any) -> Any:
    values = [*own.values()] if isinstance(own, dict) else [*own]
    parts = [_part(*pair) for pair in zip(right, values, strict=True)]
    if isinstance(own, tuple):
        return tuple.__new__(type(own), parts)  # a named tuple's own takes them one by one
    result: Any = copy.copy(own)
    for key, part in zip(own if isinstance(own, dict) else range(len(own)), parts, strict=True):
        result[key] = part
    return result


def _object(right: Any, own: Any) -> Any:
    """Return a copy of the object `own` with the values in its attributes: one each, or all in one;
    raise `_Misfit` if they do not fit.
    """
    names = [each.name for each in fields(own)] if is_dataclass(own) else [*vars(own)]
    result = copy.copy(own)
    if isinstance(right, list | tuple) and len(names) == len(right):
        for name, part in zip(names, right, strict=True):
            object.__setattr__(result, name, _part(part, getattr(own, name)))
        return result
    for name in names:
        with contextlib.suppress(Exception):
            object.__setattr__(result, name, _put(right, getattr(own, name)))
            return result
    raise _Misfit


def _array(right: Any, own: Any) -> Any:
    """Return values as an array, with the dtype of `own` if both are of one kind; raise `_Misfit`
    if the shapes differ.
    """
    array = np.asarray(right)
    if not isinstance(right, np.ndarray):
        if array.size == own.size == 1:
            array = array.reshape(own.shape)
        if array.shape != own.shape:
            raise _Misfit
    return array.astype(own.dtype) if array.dtype.kind == own.dtype.kind else array


def _tensor(right: Any, own: Any) -> Any:
    import torch

    return torch.as_tensor(_array(right, as_array(own)))


def _is_module(value: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and issubclass(type(value), torch.nn.Module)


def _is_tensor(value: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and issubclass(type(value), torch.Tensor)
