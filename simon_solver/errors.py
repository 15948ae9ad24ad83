"""What can go wrong with input, one class per cause; the message is one line for a person."""


class SimonError(ValueError):
    """Base of every error that a caller can cause. Lower case, no full stop, names the place."""


class CardError(SimonError):
    """A text that should be a card is none."""


class DeckError(SimonError):
    """Parameters of the rules (ranks, copies, column sizes) that describe no game."""


class PositionError(SimonError):
    """Cards that do not add up to the deck, or columns that do not fit the layout."""


class CodeError(SimonError):
    """A game code or a deal number that names no deal."""


class InputError(SimonError):
    """An argument or a file from which no text can be had."""


class FormatError(SimonError):
    """A board, description or move list that cannot be read; says line and column."""


class MoveError(SimonError):
    """A move that breaks a rule of the game; says which."""


class LimitError(SimonError):
    """A limit (seconds, MiB, states) that makes no sense."""


class StoreError(SimonError):
    """A file that is no store of results that this version can use, or one that is in use."""
