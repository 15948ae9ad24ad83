"""Texts in: deals in many formats, solutions that programs print, and design files of games.

A new format is a module in `formats`, whose `__init__` says how to add one. Nothing here searches.
"""
