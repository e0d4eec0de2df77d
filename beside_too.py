import math
x = math.sqrt(4)