"""The searches, as plain Python calls.

Only this folder calls the kernels. It owns their arrays, the order of the engines, the limits and
the growth of memory, and it has them compiled: `preparing` says when, `jobs` and `compiling` do it,
for the `groups` and with the `samples` of those names. `reference` is the plain breadth-first
search that the tests trust.
"""
