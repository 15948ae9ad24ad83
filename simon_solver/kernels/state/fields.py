"""The bit fields of a column as one integer.

A column is a part nobody has touched since the start, cut off at a *bad adjacency* (a card that is
not exactly one rank below the card it lies on), and above it a *tail* whose ranks fall by one from
card to card [S.2]. The untouched part is named by its content (see `task`); the tail needs its
highest rank, its length and its suits:

    bits  0-25  suits of the tail, two bits each, top card lowest
    bits 26-29  length of the tail, 0 in an empty column
    bits 30-33  rank of the tail's highest card
    bits 34-39  what lies below the tail: 0 for nothing, else the number of that content

Equal columns have equal words and only they do [S.4]; an empty column is 0. Removed runs are
counted in three bits a suit ("packed runs"). Numbers in brackets are statements of
`docs/algorithms/`.
"""

LENGTH_SHIFT = 26
RANK_SHIFT = 30
BELOW_SHIFT = 34
SHAPE_BITS = BELOW_SHIFT + 6 - LENGTH_SHIFT
SUITS_MASK = (1 << LENGTH_SHIFT) - 1
FIELD_MASK = 15
SAME_SUIT = 0x1555555
"""The suits field of thirteen cards of suit 1; times a suit, of thirteen cards of that suit."""
RUN_BITS = 3

MAX_COLUMNS = 16
MAX_RANKS = 13
MAX_COPIES = (1 << RUN_BITS) - 1
MAX_CARDS = 52
