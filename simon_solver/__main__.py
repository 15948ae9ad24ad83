"""``python -m simon_solver`` is the same as ``simon-solver``."""

from simon_solver.cli.launch import main

if __name__ == "__main__":
    main()
