"""The dialogue of ``play``: reads actions, carries them out, and says what has changed."""

from __future__ import annotations

import errno
import io
import re
import sys
from collections.abc import Callable
from typing import Any, BinaryIO

from simon_solver.answers.results import SolveResult
from simon_solver.cli.playing.keeping import Keeper
from simon_solver.cli.shared.exit_codes import EXIT_INTERRUPTED, EXIT_OK
from simon_solver.cli.shared.leaving import leaving_at_once
from simon_solver.cli.shared.loading import load_search
from simon_solver.cli.shared.output import put
from simon_solver.cli.shared.progress import SearchProgress
from simon_solver.errors import FormatError, MoveError
from simon_solver.game.moves import format_moves, parse_moves
from simon_solver.game.played import PlayedGame, moves_from, tap
from simon_solver.game.position import Position
from simon_solver.game.rules import legal_moves, play
from simon_solver.render.play import HELP, RULE, Voice
from simon_solver.render.scenes import step_words
from simon_solver.render.style import escaped
from simon_solver.search.interrupts import noted_interrupt
from simon_solver.search.progress import ProgressCallback

_PROMPT = "> "
# Bytes with the line end; a terminal cuts longer lines off to just this length, without a word.
_LONGEST_LINE = 4096
_SHOWN = 40  # characters of what is not understood
_COMMAND = re.compile(r"([a-z]+|\?)\s*(0|[1-9]\d{0,2})?", re.IGNORECASE | re.ASCII)
_ONE_MOVE = re.compile(r"\d{1,3}([ \t]+\d{1,3}){1,2}|\d{1,3}>\d{1,3}(:\d{1,3})?")
_SIGN = re.compile(r"\s*([>:])\s*")
_SHORT = {
    "tap": "t", "moves": "m", "undo": "u", "redo": "r", "hint": "h", "solve": "s", "board": "b",
    "list": "l", "help": "?", "quit": "q", "exit": "q",
}  # fmt: skip
_WITH_COLUMN = set("tmb")
_WITH_NUMBER = _WITH_COLUMN | set("ur")


class Dialogue:
    """Plays a game with whoever types the lines of `stdin`, and keeps it after each action."""

    def __init__(
        self, game: PlayedGame, voice: Voice, stdin: BinaryIO, kept: Keeper, limits: dict[str, Any]
    ) -> None:
        self._table = game
        self._voice = voice
        self._stdin = stdin
        self._kept = kept
        self._limits = limits
        # A terminal shows what is typed; other input is to be seen among the answers as well.
        self._echo = not stdin.isatty()
        self._best: SolveResult | None = None
        self._commands: dict[str, Callable[[int | None], None]] = {
            "t": self._tap,
            "m": self._moves,
            "u": self._undo,
            "r": self._redo,
            "restart": self._restart,
            "h": self._hint,
            "s": self._solve,
            "b": self._board,
            "l": self._list,
            "?": self._help,
        }

    def say(self, text: str) -> None:
        """Tell something in sentences."""
        self._put(self._voice.say(text))

    def run(self) -> int:
        """Play until the player leaves or the input ends; returns the exit code."""
        try:
            self._run()
        except KeyboardInterrupt:
            put("")
            return EXIT_INTERRUPTED
        except OSError as error:
            if self._echo or error.errno != errno.EIO:
                raise
            # The terminal has gone, and the program was told to stay: nobody sees what it says.
            sys.stdout = io.StringIO()
        return EXIT_OK

    def _run(self) -> None:
        self._board(None)
        if self._table.position.is_won:
            self._end()
        while (line := self._read()) is not None:
            match = _COMMAND.fullmatch(line)
            word = match[1].lower() if match else ""
            command = _SHORT.get(word, word)
            number = int(match[2]) if match and match[2] else None
            if command == "q" and number is None:
                return
            numbered = _WITH_NUMBER if number else _WITH_COLUMN
            known = command in self._commands and (number is None or command in numbered)
            if not line:
                self._board(None)
            elif known:
                self._commands[command](number)
            else:
                self._play(line)
        put("")

    def _read(self) -> str | None:
        """The next line that is typed and not too long; None at the end of the input."""
        while True:
            put(_PROMPT, end="")
            data = rest = self._stdin.readline(_LONGEST_LINE)
            while len(rest) == _LONGEST_LINE and not rest.endswith(b"\n"):
                rest = self._stdin.readline(_LONGEST_LINE)
            if not data:
                return None
            line = data.decode("utf-8", "replace").strip()
            whole = len(data) < _LONGEST_LINE
            if self._echo:
                put(escaped(line) if whole else _shortened(line))
            if whole:
                return line
            self.say(f"Too long: a line has at most {_LONGEST_LINE - 2} bytes. Line ignored.")

    def _put(self, lines: list[str]) -> None:
        if lines:
            put("\n".join(lines))

    def _play(self, line: str) -> None:
        """Make the moves on the line, up to the first that is none."""
        try:
            moves = parse_moves(_SIGN.sub(r"\1", line))
        except FormatError:
            if _ONE_MOVE.fullmatch(_SIGN.sub(r"\1", line)):  # so what is wrong can only be a 0
                self.say(self._no_column(0))
            else:
                known = "Type a move such as 4 7, or ? for help."
                self.say(f"Not understood: {_shortened(line)}. {known}")
            return
        if not moves:
            self.say("Comment ignored.")
        before, told, refused = self._table.position, [], ""
        for move in moves:
            was = self._table.position
            try:
                step = self._table.play(move)
            except MoveError as error:
                refused = str(error)
                if move.source < len(was.columns) and not was.columns[move.source]:
                    refused = f"column {move.source + 1} is empty"
                break
            told.append(f"{self._table.moves}. {step_words(was, step)}.")
        if told:
            self._acted(before, told)
        if refused:
            self._put(self._voice.refuse(refused) + self._voice.say(RULE))

    def _acted(self, before: Position, told: list[str]) -> None:
        """Keep what was done, then show it."""
        self._kept.keep(self._table)
        self._put(self._voice.action(before, self._table, told))
        if self._table.position.is_won:
            self._end()

    def _tap(self, number: int | None) -> None:
        if number is None:
            self.say("Say which column, such as t 4.")
            return
        try:
            move = tap(self._table.position, number - 1)
        except MoveError as error:
            self._put(self._voice.refuse(str(error)))
            if any(move.source == number - 1 for move in legal_moves(self._table.position)):
                self.say(f"Type m {number} to see where its cards can go.")
        else:
            self._play(str(move))

    def _moves(self, number: int | None) -> None:
        position = self._table.position
        try:
            moves = legal_moves(position) if number is None else moves_from(position, number - 1)
        except MoveError as error:
            self._put(self._voice.refuse(str(error)))
            return
        if not moves:
            self.say("There are no moves." if number is None else f"Column {number} has no moves.")
        self._put(self._voice.destinations(position, moves))

    def _undo(self, number: int | None) -> None:
        self._go(self._table.undo, "Undone", "undo", number)

    def _redo(self, number: int | None) -> None:
        self._go(self._table.redo, "Redone", "redo", number)

    def _go(self, step: Callable[[], bool], done: str, to_do: str, number: int | None) -> None:
        """Go through the history, as many actions as wanted or as there are."""
        before, first = self._table.position, self._table.undoable
        for _ in range(1 if number is None else number):
            if not step():
                break
        last = self._table.undoable
        if first == last:
            self.say(f"There is nothing to {to_do}.")
            return
        if abs(first - last) > 1:
            told = f"{done}: {abs(first - last)} actions."
        elif (move := self._table.actions[min(first, last)]) is None:
            told = f"{done}: the restart."
        else:
            start = self._table.position if last < first else before
            told = f"{done}: {step_words(start, play(start, move)[0])}."
        self._acted(before, [told])

    def _restart(self, _: int | None) -> None:
        before = self._table.position
        if self._table.restart():
            self._acted(before, ["Back at the start of the game; u undoes this."])
        else:
            self.say("You are at the start of the game.")

    def _board(self, number: int | None) -> None:
        position = self._table.position
        if number is None:
            self._put([*self._voice.board(position), *self._voice.score(self._table)])
        elif 1 <= number <= len(position.columns):
            self._put(self._voice.column(position, number - 1))
        else:
            self.say(self._no_column(number))

    def _no_column(self, number: int) -> str:
        count = len(self._table.position.columns)
        return f"There is no column {number}; the columns are 1 to {count}."

    def _list(self, _: int | None) -> None:
        moves = [step.move for step in self._table.steps]
        self.say(format_moves(moves) if moves else "No moves have been made.")

    def _help(self, _: int | None) -> None:
        put(HELP)

    def _hint(self, _: int | None) -> None:
        if self._table.position.is_won:
            self.say("The table is empty: you have won.")
            return

        def advice(progress: ProgressCallback | None) -> list[str]:
            from simon_solver.answers.advice import advise  # noqa: PLC0415 - it loads the kernels

            found = advise(self._table, on_progress=progress, **self._limits)
            return self._voice.advice(self._table, found)

        self._ask(advice)

    def _solve(self, _: int | None) -> None:
        def solution(progress: ProgressCallback | None) -> list[str]:
            from simon_solver.answers.solver import solve  # noqa: PLC0415 - it loads the kernels

            result = solve(
                self._table.deal, on_progress=progress, catch_interrupt=True, **self._limits
            )
            return self._voice.solution(self._table, result)

        self._ask(solution)

    def _end(self) -> None:
        """Tell the final score, beside the best possible one as far as that can be found out."""

        def final(progress: ProgressCallback | None) -> list[str]:
            from simon_solver.answers.solver import solve  # noqa: PLC0415 - it loads the kernels

            if self._best is None or not self._best.best_proven:
                self._best = solve(
                    self._table.start, on_progress=progress, catch_interrupt=True, **self._limits
                )
            return self._voice.won(self._table, self._best)

        self.say("The table is empty. Searching for the best possible score; Ctrl-C stops this.")
        if not self._ask(final, announced=True):
            self._put(self._voice.won(self._table, None))
        self.say("restart plays it again, u undoes the last move, q quits.")

    def _ask(
        self, answer: Callable[[ProgressCallback | None], list[str]], *, announced: bool = False
    ) -> bool:
        """Tell what the solver answers; False when Ctrl-C came before it was asked.

        Later, Ctrl-C ends the search, or nothing if the answer is there.
        """
        # A progress line is for the eye.
        if self._voice.spoken and not announced:
            self.say("Searching for an answer; Ctrl-C stops this.")
        # While the kernels are loaded no exception may come; a second Ctrl-C then leaves.
        with leaving_at_once(), noted_interrupt() as interrupt:
            load_search("hints")
            if interrupt.seen:
                self.say("Stopped.")
                return False
            if self._voice.spoken:
                self._put(answer(None))
                return True
            with SearchProgress() as progress:
                lines = answer(progress)
            self._put(lines)
        return True


def _shortened(line: str) -> str:
    """What was typed, fit to be shown among other words."""
    shown = escaped(line)
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}..."
