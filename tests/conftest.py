"""What every test shares: Hypothesis tries the same examples on every run, and no test measures time."""

import os

# The networks of the tests are tiny: threads of torch that wait for each other would only stall a busy machine.
os.environ.setdefault("OMP_NUM_THREADS", "1")

from hypothesis import settings

settings.register_profile("practica", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("practica")
