"""The search in compiled form: free functions over numpy arrays, compiled by numba on first use.

Nothing here knows the rest of the package: cards come in as plain numbers, answers leave as status
codes and arrays. `solver.py` is the one module that speaks to both sides.

    compiled   the `jit` decorator and the compile cache
    fields     the bit fields of a column as one integer
    game       the constant tables of one starting position
    words      columns: taking and putting runs, hashes
    lifts      the lift relaxation L0: may say "lost", never "won"
    classes    the class search L1: may say "lost" more often, never "won"
    hitting    hitting sets of conflicts, which the waiting bound counts
    waiting    the waiting bound: a lower bound on the moves of a win
    removal    a lower bound on the moves to remove some runs
    pool       nodes, transposition table and bucket queue in growing arrays
    successors the moves of a position and what each leads to
    search     A*: the shortest win, or the fewest moves to remove some runs
    complete   the complete search: whether there is a win at all
    loose      the same for decks without copies, many positions in one node
    laying     the moves of a win that the loose search has found
    macro      the macro search: may say "won", never "lost"
    path       from a goal node back to moves
    dealing    deals by the number of their code
    replaying  wins played once more on plain cards

All of it works on signed 64-bit integers: mixing them with unsigned ones changes types silently in
numba, so no value here uses the sign bit except the position keys, where it does not matter.
"""
