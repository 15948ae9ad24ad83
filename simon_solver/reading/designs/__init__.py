"""Design files of Cardz: games as data, and how they differ from the game solved here.

Data flows one way: `vocabulary` reads rules, `blueprint` the whole file, and `comparing` compares
it with Simple Simon. `files` reads what an argument names.
"""
