"""The sentences of the statement as checks that run against any solution."""
