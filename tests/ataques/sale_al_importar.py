"""Ends the process while it is imported, with the exit code of success."""

import os

os._exit(0)
