def _crear_modelo(tipo, h):
    if tipo == "SVC":
        opciones = {
            "linear": ["C"],
            "rbf": ["C", "gamma"],
            "sigmoid": ["C", "gamma", "coef0"],
            "poly": ["C", "degree", "gamma", "coef0"],
        }[h["kernel"]]
        return SVC(kernel=h["kernel"], **{opcion: h[opcion] for opcion in opciones})
    if tipo == "DecisionTreeClassifier":
        return DecisionTreeClassifier(max_depth=h["max_depth"], random_state=1)
    if tipo == "KNeighborsClassifier":
        return KNeighborsClassifier(n_neighbors=min(5, h["n_neighbors"]))
    raise ValueError(f"Modelo desconocido: {tipo}")
