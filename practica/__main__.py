"""`python -m practica`: the command line."""

from practica.cli import main

if __name__ == "__main__":
    main(prog_name="practica")
