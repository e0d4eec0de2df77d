import math
def f(): return math.sqrt(4)