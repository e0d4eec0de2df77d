def _crear_modelo(tipo, h):
    if tipo == "SVC":
        opciones = {
            "linear": ["C"],
            "rbf": ["C", "gamma"],
            "sigmoid": ["C", "gamma", "coef0"],
            "poly": ["C", "degree", "gamma", "coef0"],
        }[h["kernel"]]
        return SVC(kernel=h["kernel"])
    if tipo == "DecisionTreeClassifier":
        return DecisionTreeClassifier(random_state=1)
    if tipo == "KNeighborsClassifier":
        return KNeighborsClassifier()
    raise ValueError(f"Modelo desconocido: {tipo}")
