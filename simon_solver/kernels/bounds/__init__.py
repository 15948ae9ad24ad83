"""Lower bounds on moves: those of a win (waiting, hitting), those of removing runs (removal)."""
