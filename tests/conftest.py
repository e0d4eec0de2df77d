"""What every test shares: Hypothesis tries the same examples on every run, and no test measures time."""

from hypothesis import settings

settings.register_profile("practica", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("practica")
