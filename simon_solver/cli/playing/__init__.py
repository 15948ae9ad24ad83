"""The dialogue of ``play``, and the files that its games are saved in."""
