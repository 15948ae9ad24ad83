"""What ``play`` says: the board drawn or in words, moves, hints, and how the game ended."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from textwrap import wrap
from typing import TYPE_CHECKING

from simon_solver.answers.results import SolveResult
from simon_solver.game.cards import SUIT_NAMES, parse_card, spoken_card
from simon_solver.game.moves import Move
from simon_solver.game.played import PlayedGame
from simon_solver.game.position import Position
from simon_solver.game.rules import Step, play
from simon_solver.reading.formats import spoken
from simon_solver.render.moves import MOVE_HEADING, move_cells, move_lines
from simon_solver.render.notation import Notation, Speech
from simon_solver.render.scenes import step_words
from simon_solver.render.solved import solve_facts
from simon_solver.render.style import BOLD, GREEN, RED, YELLOW, Style
from simon_solver.render.text import REASONS, board_lines, counted
from simon_solver.search.verdict import Verdict

if TYPE_CHECKING:
    from simon_solver.answers.advice import Advice  # it loads the kernels

WIDTH = 80
RULE = (
    "The rule: cards at the end of a column that are of one suit and go down by one rank each "
    "move together, onto a card one rank higher of any suit, or into an empty column."
)
HELP = """\
4 7       move cards from column 4 to column 7; 4 7 2 or 4>7:2 says how many
4>7 7>3   make several moves, one after the other
t 4       tap: move the run of column 4 onto its suit, else to an empty column
m 4       list where the cards of column 4 can go; m alone lists all moves
u, r      undo, redo (up to 100 actions); u 3 undoes three
restart   go back to the start; this can be undone
h         hint: can the game still be won, and which move is best
s         solve from here: the best moves and their score
b         show the board, as an empty line does; b 4 is column 4 in words
l         list the moves made so far, as verify and --after take them
?         show this list
q         quit; the game is saved after each action
Ctrl-C stops a hint or a search; otherwise it quits, as Ctrl-D does."""

_CARD = re.compile(r"\b[A2-9TJQK][SHDC]\b")
_NO_BREAK = "\N{NO-BREAK SPACE}"
_MOST_CHANGES = 2  # columns whose ends are told; of more, all columns are


@dataclass(frozen=True)
class Voice:
    """How a game is told: drawn in a style, or in words for a screen reader if `spoken`.

    All methods give lines without their ends; those of sentences fit `WIDTH` characters.
    """

    style: Style
    spoken: bool = False

    def say(self, text: str, *codes: str) -> list[str]:
        """Sentences, painted if there is colour."""
        whole = text.replace("column ", f"column{_NO_BREAK}")  # a number alone says nothing
        lines = wrap(whole, WIDTH - 1, break_long_words=False, break_on_hyphens=False)
        lines = [line.replace(_NO_BREAK, " ") for line in lines]
        return [self.style.paint(line, *codes) if codes else line for line in lines]

    def refuse(self, reason: str) -> list[str]:
        """What stands against a move, cards named as the game is told."""
        plain = replace(self.style, colour=False)

        def name(match: re.Match[str]) -> str:
            card = parse_card(match[0])
            return f"the {spoken_card(card)}" if self.spoken else plain.card(card)

        return self.say(f"Not possible: {_CARD.sub(name, reason)}.")

    def board(self, position: Position) -> list[str]:
        """All cards."""
        if self.spoken:
            told = spoken.write(position).rstrip("\n").replace("; ", ";\n").split("\n")
            return [line for part in told for line in self.say(part)]
        return ["", *board_lines(position, self.style), ""]

    def column(self, position: Position, index: int) -> list[str]:
        """The cards of a column (0-based) in words, the base first."""
        cards = ", ".join(map(spoken_card, position.columns[index])) or "empty"
        return self.say(f"Column {index + 1}: {cards}.")

    def action(self, before: Position, game: PlayedGame, told: Sequence[str]) -> list[str]:
        """What was done and what has changed, the board if it is drawn, and the score."""
        changed = [
            f"Column {number} {f'ends in the {spoken_card(now[-1])}' if now else 'is empty'}."
            for number, (was, now) in enumerate(
                zip(before.columns, game.position.columns, strict=True), 1
            )
            if was != now
        ]
        done = [line for sentence in told for line in self.say(sentence)]
        if not self.spoken:
            return [*self.board(game.position), *done, *self.score(game)]
        few = len(changed) <= _MOST_CHANGES
        now = self.say(" ".join(changed)) if few else self.board(game.position)
        return [*done, *now, *self.score(game)]

    def score(self, game: PlayedGame) -> list[str]:
        """The counts, and how the game stands if it is at an end."""
        removed = ", ".join(SUIT_NAMES[suit] for suit in game.position.removed)
        runs = f"runs removed: {removed}" if removed else "no runs removed"
        lines = self.say(f"Score {game.score}, {counted(game.moves, 'move')}, {runs}.")
        if game.is_stuck:
            way_out = ": undo some (u), or restart" if game.undoable else ""
            lines += self.say(f"No moves are left{way_out}.", YELLOW)
        return lines

    def move(self, before: Position, step: Step) -> str:
        """A move in the notation and in words."""
        return f"{step.move}, {step_words(before, step)}"

    def destinations(self, position: Position, moves: Sequence[Move]) -> list[str]:
        """Where cards may go to, of the moves given; empty columns are as good as each other."""
        lines = [] if self.spoken or not moves else [MOVE_HEADING.rstrip()]
        for _, listed in groupby(moves, lambda move: move.source):
            group = list(listed)
            to_empty = [move for move in group if not position.columns[move.target]]
            for move in group:
                if move not in to_empty:
                    lines += self._destination(position, move)
            if to_empty:
                move = max(to_empty, key=lambda move: (move.count, -move.target))
                fewer = "" if move.count == 1 else " (or fewer cards)"
                lines += self._destination(position, move, fewer)
        return lines

    def _destination(self, position: Position, move: Move, remark: str = "") -> list[str]:
        step, _ = play(position, move)
        if self.spoken:
            return self.say(self.move(position, step) + remark)
        return [move_cells(position, move, step.cards, self.style).rstrip() + remark]

    def solution(self, game: PlayedGame, result: SolveResult) -> list[str]:
        """The best line from here on, with its verdict and totals."""
        deal, plain = game.deal, replace(self.style, colour=False)
        facts = solve_facts(deal, result, plain)
        told = f"From here: {facts['verdict']}, score {facts['score']}, {facts['line']}."
        speech = Speech(Notation.SPOKEN if self.spoken else Notation.SIMON)
        lines = self.say(told, BOLD)
        if result.solution:
            moves = move_lines(deal.position, result.solution, game.moves, self.style, speech)
            lines += [
                part for line in moves for part in (self.say(line) if self.spoken else [line])
            ]
        return lines

    def advice(self, game: PlayedGame, advice: Advice) -> list[str]:
        """The verdict, what can be done about it, and the best move."""
        if advice.verdict is Verdict.WINNABLE:
            lines = self.say(f"It can still be won{_keeping(advice)}.", GREEN)
        elif advice.verdict is Verdict.UNDETERMINED:
            unknown = f"It is not known whether this can still be won{_why(advice)}."
            lines = self.say(unknown, YELLOW)
        elif advice.lost_from_the_start:
            lines = self.say("This deal cannot be won at all (proven).", RED)
        else:
            lines = self.say("It can no longer be won (proven).", RED)
            lines += self.say(_way_back(game, advice))
        if advice.best is not None:
            best = "Best" if advice.score is not None else "For example"
            lines += self.say(f"{best}: {self.move(game.position, advice.best)}.")
        if advice.score is not None:
            lines += self.say(_outlook(advice))
        return lines

    def won(self, game: PlayedGame, best: SolveResult | None) -> list[str]:
        """The final score, beside what is known of the best possible one."""
        told = f"You won with {game.score} points in {counted(game.moves, 'move')}"
        if best is None:
            return self.say(f"{told}.", GREEN)
        most, bound = max(best.score, game.score), best.score_bound
        if most == bound == game.score:
            return self.say(f"{told}; that is the best possible score (proven).", GREEN)
        if most == bound:
            return self.say(f"{told}; the best possible is {most} (proven).", GREEN)
        known = f"the best known is {most}" if most > game.score else "no better line is known"
        return self.say(f"{told}; {known}, and no line scores more than {bound}.", GREEN)


def _keeping(advice: Advice) -> str:
    """How many of the legal moves keep the win, as far as that is known."""
    if advice.keeping is None or advice.choices == 1:
        return ""
    if advice.keeping == advice.choices:
        return f", whichever of the {advice.choices} legal moves comes next"
    return f", but only after {advice.keeping} of the {advice.choices} legal moves"


def _way_back(game: PlayedGame, advice: Advice) -> str:
    """Where a lost game can be won again."""
    back = advice.back
    if back is not None:
        moves = counted(back, "move")
        if back <= game.moves_undoable:
            return f"Undo {moves} (u {back}) and it can be won."
        return f"It could still be won {moves} ago, further back than undo goes: type restart."
    return f"It is not known whether it could be won earlier{_why(advice)}."


def _outlook(advice: Advice) -> str:
    """What the best line comes to."""
    if advice.score == advice.score_bound:
        if advice.best is None:
            return f"No move gains points; {advice.score} is the best score (proven)."
        return f"It leads to {advice.score} points (proven best)."
    told = f"It leads to {advice.score} points"
    if advice.best is None:
        told = f"No known move leads to more than {advice.score} points"
    return f"{told}; no line scores more than {advice.score_bound}{_why(advice)}."


def _why(advice: Advice) -> str:
    """The limit that left something open."""
    return "" if advice.stopped_by is None else f" ({REASONS[advice.stopped_by]})"
