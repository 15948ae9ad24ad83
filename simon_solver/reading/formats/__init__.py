"""Boards as text, one module per format; the format is recognised from the content.

A format is a module with `NAME`, `recognises` and `read`; one that records the moves made also
has `read_game`. To add one, write the module and add it to `known.FORMATS`, the more specific ones
first: the first that recognises a text reads it. The writer of a format is in the same module
(that of our own JSON is `render.records`).
"""
