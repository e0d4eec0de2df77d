"""A process in which somebody else's code runs, and plain data to and from it."""
