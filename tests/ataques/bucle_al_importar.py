"""Never ends to be imported."""

while True:
    pass
