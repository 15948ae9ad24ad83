"""What each bound and pruning of the search for a shortest win gains.

    python -m benchmarks.bench_ablation --suits 1,2,4 --winnable 20

The same deals, those of the first winnable codes, are solved under each of `SETTINGS`. States and
CPU seconds are those of the proof alone, without the first win that comes before it. Those of a
setting are summed over the deals that both it and the first setting have proven, and the ratios are
to the first setting's sums over the same deals; so a setting that proves little looks better in
them than it is, as hard deals are left out. A setting that proves another number of moves than the
rest would be unsound: that is reported, with exit code 1.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from unittest.mock import patch

from tqdm import tqdm

from benchmarks.command_line import EXIT_INTERRUPTED, add_limits, new_parser, positive
from benchmarks.cpu_limit import cpu_limit
from benchmarks.deals import suits_name, warm_up, winnable_codes
from benchmarks.figures import percentile, table
from benchmarks.machine import machine_line
from simon_solver.game.position import Position
from simon_solver.kernels.searches.options import Options
from simon_solver.search import portfolio
from simon_solver.search.control import Control, Stopped
from simon_solver.search.finding import Finding
from simon_solver.search.limits import Limits
from simon_solver.search.portfolio import SHORTEST_WIN, Portfolio, task_of
from simon_solver.search.removal_bound import fewest_moves_to_remove
from simon_solver.search.verdict import StoppedBy

SETTINGS: tuple[tuple[str, Options], ...] = (
    ("all on", SHORTEST_WIN),
    ("without the lift relaxation", SHORTEST_WIN._replace(use_lifts=0)),
    ("without taken copies", SHORTEST_WIN._replace(taken=0)),
    ("without the parent's conflicts", SHORTEST_WIN._replace(parents=0)),
    ("without partial expansion", SHORTEST_WIN._replace(in_layers=0)),
    ("plain U", SHORTEST_WIN._replace(waiting=0)),
)
"""Names and options of the search for a shortest win. The first is what the others are compared
with; each of the others leaves something out that must not change the answer."""


@dataclass(frozen=True)
class Proof:
    """What a setting made of a deal."""

    moves: int | None
    """Moves of a shortest win, None where a limit came first."""
    states: int
    cpu_seconds: float


Proofs = Mapping[str, Sequence[Proof]]
"""By the name of the setting, in the order of the deals."""


def prove(position: Position, plan: Options, time_limit: float, memory_limit: int) -> Proof:
    """Search for a shortest win of a dealt position that can be won, within CPU seconds and MiB.

    Raises:
        KeyboardInterrupt: Ctrl-C ended the search.
    """
    control = Control(Limits(0, memory_limit), None)
    finding = Finding(fewest_moves_to_remove(position), 0, 0)
    searches = Portfolio(task_of(position), control)
    searches.decide(finding)
    before, proven = control.states, True
    with (
        patch.object(portfolio, "SHORTEST_WIN", plan),
        patch.object(portfolio, "SHORTER_WINS", ()),
        cpu_limit(time_limit) as limit,
        control.interruptible(),
    ):
        begun = time.process_time()
        try:
            searches.shorten(finding)
        except Stopped as stop:
            if stop.reason is StoppedBy.INTERRUPT and not limit.passed:
                raise KeyboardInterrupt from None
            proven = False
        seconds = time.process_time() - begun
    return Proof(len(finding.win) if proven else None, control.states - before, seconds)


def measure(
    suits: int, winnable: int, start: int, time_limit: float, memory_limit: int
) -> tuple[dict[str, list[Proof]], list[str]]:
    """All proofs of a suit count, and lines that name the deals on which settings disagree.

    Raises:
        KeyboardInterrupt: Ctrl-C ended a search.
    """
    proofs: dict[str, list[Proof]] = {name: [] for name, _ in SETTINGS}
    disagreements = []
    chosen = winnable_codes(suits, winnable, start)
    for code in tqdm(chosen, total=winnable, desc=suits_name(suits), disable=None, leave=False):
        position = code.deal()
        for name, plan in SETTINGS:
            proofs[name].append(prove(position, plan, time_limit, memory_limit))
        moves = {name: proofs[name][-1].moves for name in proofs}
        if len(set(moves.values()) - {None}) > 1:
            disagreements.append(f"{code}: settings disagree on the fewest moves: {moves}")
    return proofs, disagreements


def setting_rows(proofs: Proofs) -> list[list[object]]:
    """A row for each setting: all its deals first, then sums over those that the first proves."""
    rows: list[list[object]] = []
    first = next(iter(proofs.values()))
    for name, deals in proofs.items():
        pairs = [
            (proof, base)
            for proof, base in zip(deals, first, strict=True)
            if proof.moves is not None and base.moves is not None
        ]
        states, base_states = (sum(pair[n].states for pair in pairs) for n in (0, 1))
        seconds, base_seconds = (sum(pair[n].cpu_seconds for pair in pairs) for n in (0, 1))
        to_proof = [math.inf if proof.moves is None else proof.states for proof in deals]
        rows.append(
            [
                name,
                f"{sum(proof.moves is not None for proof in deals)}/{len(deals)}",
                percentile(to_proof, 50),
                len(pairs),
                float(states),
                ratio(states, base_states),
                float(seconds),
                ratio(seconds, base_seconds),
            ]
        )
    return rows


def ratio(value: float, base: float) -> str:
    """How many times the base it is."""
    return f"{value / base:.2f}" if base else "–"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run with the given arguments, or those of the process; returns the exit code."""
    parser = new_parser("benchmarks.bench_ablation", __doc__)
    parser.add_argument("--winnable", type=positive, default=20, help="deals of each suit count")
    add_limits(parser)
    options = parser.parse_args(arguments)
    limits = options.time_limit, options.memory_limit
    print(machine_line())
    print(f"limits: {limits[0]:g} CPU s and {limits[1]} MiB a proof")
    head = ["setting", "proven", "median states", "compared", "states", "ratio", "CPU s", "ratio"]
    sound = True
    try:
        warm_up(options.suits)
        for suits in options.suits:
            proofs, disagreements = measure(suits, options.winnable, options.start, *limits)
            print(f"\n{suits_name(suits)}\n")
            print(table(head, setting_rows(proofs)), flush=True)
            print("".join(f"{line}\n" for line in disagreements), end="")
            sound = sound and not disagreements
    except KeyboardInterrupt:
        print("\ninterrupted")
        return EXIT_INTERRUPTED
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
