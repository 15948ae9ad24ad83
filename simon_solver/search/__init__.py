"""The searches: where Python meets the kernels, and the plain search that they are checked against.

Only this folder calls the kernels. It owns their arrays, the order of the engines, the limits and
the growth of memory. `reference` is the plain breadth-first search that the tests trust.
"""
