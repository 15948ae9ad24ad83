"""Errors in what a caller passes in, one class per cause; each message is one line to read."""


class SimonError(ValueError):
    """Base of every error a caller can cause. Messages are lower case and name the place."""


class CardError(SimonError):
    """A text that should be a card but is not."""


class DeckError(SimonError):
    """Parameters of the rules (ranks, copies, column sizes) that make no game."""


class PositionError(SimonError):
    """Cards that do not add up to the deck, or columns that do not fit the layout."""


class CodeError(SimonError):
    """A game code or a deal number that names no deal."""


class InputError(SimonError):
    """An argument or a file that cannot be used: missing, unreadable, or out of range."""


class FormatError(SimonError):
    """A board, description or move list that cannot be parsed; gives line and column."""


class MoveError(SimonError):
    """A move that breaks a rule of the game; says which rule."""


class LimitError(SimonError):
    """A limit (seconds, MiB, states) that is out of range."""


class StoreError(SimonError):
    """A file that is not a store of results, or a store that this run cannot use."""


def reason_of(error: Exception) -> str:
    """Why the operating system refused, without the file's name, which the caller shows itself."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
