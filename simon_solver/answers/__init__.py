"""Questions and answers: solve, check, hints, advice, difficulty, verification.

Every line of moves that leaves this folder has been replayed by `game.rules`.
"""
