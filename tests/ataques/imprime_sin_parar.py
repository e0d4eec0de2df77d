"""Prints a great deal, through Python, and then answers wrongly."""


def accuracy(outputs, targets):
    """Print 50 MB."""
    for _ in range(500):
        print("la" * 50_000)
    return
