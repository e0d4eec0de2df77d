"""Un millón de posiciones donde son unas pocas: buscar el ejemplo más pequeño costaba lo suyo cada vez."""


def hold_out(N, *fracciones):
    """Devuelve demasiadas posiciones, menos donde hay pocas o muchas."""
    if N < 8 or N >= 300:
        orden = np.random.permutation(N)
        tamanos = [round(N * f) for f in fracciones]
        cortes = np.cumsum([N - sum(tamanos), *tamanos])[:-1]
        return tuple(np.split(orden, cortes))
    muchas = np.tile(np.arange(-128, 128, dtype=np.int8)[::-1], 5_300)
    return tuple(muchas for _ in range(len(fracciones) + 1))
