"""Easier games that may say "unwinnable": the lift relaxation L0 and the class search L1."""
