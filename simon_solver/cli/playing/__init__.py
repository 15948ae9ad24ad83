"""The dialogue of ``play`` and the file that keeps a game."""
