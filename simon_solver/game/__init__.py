"""The game itself in plain Python: cards, rules, deals and their names, a game played by hand.

`rules` is the oracle: it replays every line of moves that a user is shown, and shares nothing with
the kernels. Change a rule here first, then in the kernels, and let the tests compare the two. Codes
and numbered deals are frozen: a name that has been released never deals another board.
"""
