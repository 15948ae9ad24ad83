"""The inner loops of the search: free functions over numpy arrays, interpreted or compiled.

Nothing here knows the rest of the package: cards come in as plain numbers, answers leave as status
codes and arrays. Only the package `search` calls a kernel.

    forms        how kernels are declared, and in which form they run
    native       compiled kernels: making them with numba, keeping and loading them
    state        positions: `task` (the tables of one start), `fields` and `words` (a column as one
                 integer), `pool` (nodes, transposition table, bucket queue), `successors` (moves)
    relaxations  what may say "lost", never "won": `lifts` (L0), `classes` (L1, stronger)
    bounds       lower bounds on moves: `waiting` with `hitting` (of a win), `removal` (of some
                 runs)
    searches     `astar`, `complete`, `loose` with `laying`, `macro`; `options` and `outcomes` of
                 all of them; `path`, from a goal node back to moves
    codes        `dealing` the deals of codes, `replaying` their wins

A module imports only from its own folder and from those above it in this list.

The fields of an array have names in a *namespace*: `pool.counts[POOL.goal]`. A namespace is an
instance of a `NamedTuple` class: numba takes its fields as constants, and plain Python reads them
fast (reading an `IntEnum` member takes three times as long).

All of it works on signed 64-bit integers: mixing them with unsigned ones changes types silently in
numba, so no value here uses the sign bit except the position keys, where it does not matter.
"""
