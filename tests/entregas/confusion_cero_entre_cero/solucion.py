def _cociente(numerador, denominador):
    return numerador / denominador if denominador != 0 else 0.0
