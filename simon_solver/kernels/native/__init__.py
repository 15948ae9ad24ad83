"""Kernels as machine code: translated by numba, made for this machine, kept, and loaded.

    files        code in files that are whole and serve their purpose
    sources      a digest of what kernels are made of
    blocks       how Python passes arrays to machine code
    twins        kernels as functions of numba
    translating  kernels to LLVM's bitcode, which takes numba long
    shipped      bitcode that came with the package
    building     bitcode to machine code, which takes LLVM a second
    places       the cache folder and the names of files
    kept         the machine code that fits this machine
    loading      kept machine code to callables

Translating and building are done in processes of their own; what uses the code loads no numba.

Nothing here knows which kernels there are: it works on the entries that `kernels.forms` lists.
Machine code is called as a C function, so all it needs from Python are the addresses of arrays.
"""
