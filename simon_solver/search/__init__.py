"""The searches, as plain Python calls.

Only this folder calls the kernels. It owns their arrays, the order of the engines, the limits and
the growth of memory. `reference` is the plain breadth-first search that the tests trust.
"""
