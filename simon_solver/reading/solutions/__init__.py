"""Solutions as text, in our forms and in those of other programs, and how they are replayed.

The form is recognised from the content. Reading looks at the text alone; `playing` then plays what
was read, expanding what other programs print as one move into the single moves it takes.
"""
