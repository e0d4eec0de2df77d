def _capa(entradas, salidas):
    capa = nn.Linear(entradas, salidas, bias=False)
    nn.init.xavier_uniform_(capa.weight)
    return capa
