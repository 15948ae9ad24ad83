"""Kernels as machine code: made once by numba, kept in a file, and loaded without numba.

    places    where files are, whichever fit
    kept      the files that fit this machine, and what is in them
    blocks    how Python passes arrays to machine code
    twins     kernels as functions of numba
    building  kernels to machine code, in a process of its own
    loading   a kept file to callables

Nothing here knows which kernels there are: it works on the entries that `kernels.compiled` lists.
Machine code is called as a C function, so all it needs from Python are the addresses of arrays.
"""
