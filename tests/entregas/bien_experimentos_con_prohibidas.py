import numpy as np
from sklearn.datasets import load_iris
from sklearn.metrics import accuracy_score
from sklearn.metrics import confusion_matrix as matriz_de_sklearn
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import OneHotEncoder, StandardScaler

datos = load_iris()
X = StandardScaler().fit_transform(datos.data)
X_train, X_test, y_train, y_test = train_test_split(X, datos.target, test_size=0.3, random_state=0)
NUM_ENTRADAS, CLASES = X_train.shape[1], np.unique(y_train)
red = MLPClassifier(max_iter=5, random_state=0).fit(X_train, y_train)
print("precisión:", accuracy_score(y_test, red.predict(X_test)))
print(matriz_de_sklearn(y_test, red.predict(X_test)))
for train, test in StratifiedKFold(3).split(X, datos.target):
    print(len(train), len(test))
try:
    codificador = OneHotEncoder().fit(datos.target.reshape(-1, 1))
    HAY_SKLEARN = True
except ImportError:
    HAY_SKLEARN = False


def muestra_clases():
    return codificador.categories_ if HAY_SKLEARN else CLASES
