"""Design files of Cardz: games as data, and how they differ from the one solved here.

Data flow one way: `vocabulary` reads rules, `blueprint` the whole file, and `comparing` sets it
beside Simple Simon.
"""
