"""Positions to play to their end in tests of `play`."""

from __future__ import annotations

LATE = """\
KS 6D 9D JC 5S 4S 3S 2S AS
5H TS 9S 8S 7S
6S
QS JS TC
KC 5D 4D 3D 2D AD
7H
KH QH JH TH 9H 8H 7C 6C 5C 4C 3C 2C AC
8C QC JD TD 9C 8D 7D
6H 4H 3H 2H AH
KD QD
"""
"""A board of KPat's deal 20 that can be won in 20 moves, and not in fewer."""

LATE_WIN = (
    "3>2:1 8>3:2 8>4:1 8>10:2 1>2:5 4>1:2 2>4:10 9>2:4 9>6:1 2>6:5 1>8:3 3>1:2 1>10:3 5>1:5 8>5:4 "
    "8>5:1 7>5:7 6>7:7 1>10:6 4>1:12"
).split()
LATE_LOSS = "5>3:5"
"""A move after which it can no longer be won."""

LAST = """\
Foundations: H-K D-K C-K
KS QS JS TS 9S 8S 7S 6S 5S
4S 3S
2S AS
"""
"""Two moves from the win."""
