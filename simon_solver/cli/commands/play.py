"""``play``: plays a game in the terminal, one line of input per action."""

from __future__ import annotations

from shlex import quote
from typing import Any, BinaryIO

import click

from simon_solver.cli.shared.exit_codes import EXIT_INTERNAL_ERROR, EXIT_UNDETERMINED
from simon_solver.cli.shared.loading import load_search
from simon_solver.cli.shared.options import (
    TEXT_OR_FILE,
    limit_options,
    stdin_bytes,
)
from simon_solver.cli.shared.output import put, style_of_output
from simon_solver.cli.shared.running import report
from simon_solver.cli.shared.starts import (
    Start,
    after_option,
    layout_option,
    moves_made_option,
    play_after,
)
from simon_solver.errors import InputError
from simon_solver.game.codes import CODE_COUNT, GameCode
from simon_solver.game.deal import Deal
from simon_solver.game.layout import COLUMN_SIZES, DECKS, ColumnSizes
from simon_solver.game.moves import MoveText
from simon_solver.game.played import PlayedGame
from simon_solver.reading.arguments import STANDARD_INPUT
from simon_solver.reading.deals import read_deal
from simon_solver.render.play import Voice
from simon_solver.render.style import Style
from simon_solver.render.text import CODE_NOTE, deal_title
from simon_solver.search.verdict import StoppedBy, Verdict

_MOST_DEALS = 1000
"""Drawn for one that can be won; so many fail only where the limits leave no room for a proof."""


@click.command("play")
@click.argument("deal", metavar="[DEAL]", required=False, type=TEXT_OR_FILE)
@click.option(
    "--suits",
    type=click.Choice([str(suits) for suits in DECKS]),
    help="Play a random winnable deal with this many suits instead of DEAL.",
)
@click.option("--resume", is_flag=True, help="Continue the saved game.")
@click.option(
    "--save",
    "save_file",
    metavar="FILE",
    type=TEXT_OR_FILE,
    help="Save the game in this .json file instead of the default one.",
)
@click.option("--spoken", is_flag=True, help="Describe everything in words, for a screen reader.")
@limit_options(memory_mib=2048, each=" for each hint or search", seconds=10.0)
@layout_option
@after_option(piped=False)
@moves_made_option
def play_command(
    deal: str | None,
    suits: str | None,
    resume: bool,
    save_file: str | None,
    spoken: bool,
    layout: ColumnSizes | None,
    after: str | None,
    moves_made: int,
    **limits: Any,
) -> int:
    """Play DEAL in the terminal, with undo, hints and the solver.

    Type an action and press Enter: 4 7 moves cards from column 4 to column 7, t 4 taps column 4,
    u undoes, h gives a hint; ? lists all actions. The game is saved after each action, and --resume
    continues it even if the program was killed. A file holds one game.

    DEAL is a game code, a numbered deal (kpat:N, ms:N, pysol:N) or a file (a board, a spoken
    description or a saved game). Moves given with --after can be undone.

    Exit code: 0 quit with q or at the end of the input, 2 bad input, 3 --suits found no winnable
    deal within the limits, 70 the game is not saved, 130 quit with Ctrl-C.

    \b
    Examples:
      simon-solver play SS1-S4-AAAAABD
      simon-solver play --suits 2
      simon-solver play kpat:72 --after '10>1 6>8:2' --spoken
      simon-solver play --resume
    """  # noqa: D301 - click's mark
    _check_choice(deal, suits, resume, after, moves_made, layout)
    if STANDARD_INPUT in (deal, after):
        raise InputError("expected a file, got -: play reads actions from standard input")
    stdin = stdin_bytes()
    if stdin is None:
        raise InputError("standard input is closed, but play reads actions from it")
    game = None
    if suits is not None:
        game = PlayedGame(_random_deal(int(suits), layout or COLUMN_SIZES, limits))
    elif deal is not None:
        game = _game_of(*Start(deal, after, moves_made, layout).before_moves())
    style = Style(symbols=False) if spoken else style_of_output()
    return _play(game, Voice(style, spoken), stdin, save_file, limits, noted=deal is not None)


def _play(
    game: PlayedGame | None,
    voice: Voice,
    stdin: BinaryIO,
    save_file: str | None,
    limits: dict[str, Any],
    *,
    noted: bool,
) -> int:
    """Play a new game, or the one that is kept; `noted` says where its code comes from."""
    from simon_solver.cli.playing.dialogue import Dialogue  # noqa: PLC0415
    from simon_solver.cli.playing.keeping import keeper  # noqa: PLC0415 - not every command needs it

    with keeper(save_file, resume=game is None) as kept:
        previous = "" if game is None else kept.begin(game)
        if game is None:
            game = kept.take_up()
        player = Dialogue(game, voice, stdin, kept, limits)
        player.say(f"{deal_title(game.start)}. Type a move such as 4 7, or ? for help.")
        if noted and game.start.code is not None:
            player.say(CODE_NOTE)
        if previous:
            player.say("Your unfinished game is now in another file; continue it with:")
            put(f"  simon-solver play --resume --save {quote(previous)}")
        code = player.run()
        if kept.failed:
            kept.keep(game)
        if kept.failed:
            report(f"the game is NOT saved: {kept.failed}")
            return EXIT_INTERNAL_ERROR
        if not game.position.is_won:
            named = "" if save_file is None else f" --save {quote(save_file)}"
            put(f"The game is saved; continue it with: simon-solver play --resume{named}")
    return code


def _check_choice(
    deal: str | None,
    suits: str | None,
    resume: bool,
    after: str | None,
    moves_made: int,
    layout: ColumnSizes | None,
) -> None:
    """Complain unless it is clear what to play."""
    if [deal is not None, suits is not None, resume].count(True) != 1:
        raise click.UsageError("expected one of DEAL, --suits and --resume")
    if deal is None and (after is not None or moves_made):
        raise click.UsageError("--after and --moves-made need DEAL")
    if resume and layout is not None:
        raise click.UsageError("--layout cannot be used with --resume")


def _random_deal(suits: int, sizes: ColumnSizes, limits: dict[str, Any]) -> Deal:
    """A deal that can be won, of a code drawn by chance; the command ends if none is found."""
    load_search()
    from secrets import randbelow  # noqa: PLC0415 - the deal is mostly named

    from simon_solver.answers.solver import check  # noqa: PLC0415 - it loads the kernels

    # What compiling takes counts for no limit.
    spent, seconds = 0.0, limits["time_limit"]
    for _ in range(_MOST_DEALS):
        if seconds and spent >= seconds:
            break
        deal = read_deal(str(GameCode(suits, randbelow(CODE_COUNT))), column_sizes=sizes)
        result = check(deal, catch_interrupt=True, **limits)
        if result.stopped_by is StoppedBy.INTERRUPT:
            raise KeyboardInterrupt
        if result.verdict is Verdict.WINNABLE:
            return deal
        spent += result.seconds
    report("found no winnable deal within the limits")
    raise click.exceptions.Exit(EXIT_UNDETERMINED)


def _game_of(deal: Deal, moves: list[MoveText]) -> PlayedGame:
    """The game after these moves, which can be undone."""
    play_after(deal, moves)  # complains of a wrong one
    game = PlayedGame(deal)
    for move in moves:
        game.play(move)
    return game
