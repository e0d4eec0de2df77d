"""`python -m practica`: the command line."""

import os
import sys

if not sys.flags.safe_path and sys.path[:1] == [os.getcwd()]:
    del sys.path[0]  # files of others may lie there, under the names of modules

from practica.cli import main

if __name__ == "__main__":
    main(prog_name="practica")
