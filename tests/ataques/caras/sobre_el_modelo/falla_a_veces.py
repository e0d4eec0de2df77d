"""Falla una de cada dos veces, sin orden: buscar el ejemplo más pequeño no termina nunca."""

import functools
import zlib


def a_veces(funcion):
    @functools.wraps(funcion)
    def falla(*args, **kwargs):
        resultado = funcion(*args, **kwargs)
        texto = repr((args, sorted(kwargs)))
        return None if len(texto) > 150 and zlib.crc32(texto.encode()) % 2 else resultado

    return falla


one_hot_encoding = a_veces(one_hot_encoding)  # noqa: F821
calculate_min_max_normalization_parameters = a_veces(calculate_min_max_normalization_parameters)  # noqa: F821
calculate_zero_mean_normalization_parameters = a_veces(calculate_zero_mean_normalization_parameters)  # noqa: F821
normalize_min_max_ = a_veces(normalize_min_max_)  # noqa: F821
normalize_min_max = a_veces(normalize_min_max)  # noqa: F821
normalize_zero_mean_ = a_veces(normalize_zero_mean_)  # noqa: F821
normalize_zero_mean = a_veces(normalize_zero_mean)  # noqa: F821
classify_outputs = a_veces(classify_outputs)  # noqa: F821
accuracy = a_veces(accuracy)  # noqa: F821
confusion_matrix = a_veces(confusion_matrix)  # noqa: F821
crossvalidation = a_veces(crossvalidation)  # noqa: F821
