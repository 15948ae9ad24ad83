"""Shows win rates as text, JSON and CSV. Field names are a contract, as in `records`."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from simon_solver.batch.summary import BestScores, Spread, Summary, spread_of_counts
from simon_solver.game.layout import DECKS
from simon_solver.game.rules import score
from simon_solver.render.records import Record, layout_record
from simon_solver.render.text import counted, layout_note

_DIGITS = 6
_UNKNOWN = "-"


def rates_record(summary: Summary) -> Record:
    """The statistics of a suit count; what is unknown or was not asked for is None."""
    counts, interval = summary.counts, summary.win_rate_interval
    low, high = (None, None) if interval is None else interval
    best = summary.best
    moves = None if best is None else spread_of_counts(best.moves)
    scores = None if best is None else spread_of_counts(best.scores)
    return {
        "suits": summary.suits,
        **layout_record(summary.column_sizes),
        "start": summary.start,
        "deals": counts.deals,
        "winnable": counts.winnable,
        "unwinnable": counts.unwinnable,
        "undetermined": counts.undetermined,
        "win_rate": _rounded(summary.win_rate),
        "win_rate_low": _rounded(low),
        "win_rate_high": _rounded(high),
        "stopped_by_states": counts.stopped_by_states,
        "stopped_by_memory": counts.stopped_by_memory,
        **_effort_fields("cpu_seconds", summary.cpu_seconds),
        **_effort_fields("states", summary.states),
        "best_proven": None if best is None else best.proven,
        "best_unproven": None if best is None else best.unproven,
        **_range_fields("moves", moves),
        **_range_fields("score", scores),
        "best_moves": None if best is None else _named(best.moves),
        "best_scores": None if best is None else _named(best.scores),
        "solver_versions": list(summary.versions),
    }


def rates_csv(summaries: Iterable[Summary]) -> str:
    """The records as CSV under their names; lists are separated by blanks, and so are counts.

    The last line has no end.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    records = [rates_record(summary) for summary in summaries]
    writer.writerow(records[0])
    writer.writerows(map(csv_cell, record.values()) for record in records)
    return out.getvalue().removesuffix("\n")


def rates_text(summaries: Sequence[Summary]) -> str:
    """Tables for people, a line a suit count; no line end after the last."""
    parts = [
        _table(
            "suits from deals winnable unwinnable undetermined win_rate 95_%_interval",
            [_verdict_cells(summary) for summary in summaries],
        ),
        _table(
            "suits CPU_ms:_median mean 99_% most states:_median mean 99_% most",
            [
                [
                    str(summary.suits),
                    *_spread_cells(summary.cpu_seconds, 1000, 2),
                    *_spread_cells(summary.states, 1, 0),
                ]
                for summary in summaries
            ],
        ),
    ]
    best = [(summary.suits, summary.best) for summary in summaries if summary.best is not None]
    if best:
        parts += [_best_table(best), _moves_table(best)]
    parts += _remarks(summaries)
    return "\n\n".join(parts)


def _verdict_cells(summary: Summary) -> list[str]:
    counts, interval = summary.counts, summary.win_rate_interval
    return [
        str(summary.suits),
        summary.start,
        *(f"{n:,}" for n in counts[:4]),
        _UNKNOWN if summary.win_rate is None else f"{100 * summary.win_rate:.2f} %",
        _UNKNOWN if interval is None else f"{100 * interval[0]:.2f} to {100 * interval[1]:.2f} %",
    ]


def _best_table(best: Sequence[tuple[int, BestScores]]) -> str:
    """How the proven best scores are spread, and the fewest moves of deals that can be won."""
    return _table(
        "suits proven unproven moves:_least median mean most score:_least median mean most",
        [
            [
                str(suits),
                f"{scores.proven:,}",
                f"{scores.unproven:,}",
                *_range_cells(spread_of_counts(scores.moves)),
                *_range_cells(spread_of_counts(scores.scores)),
            ]
            for suits, scores in best
        ],
    )


def _moves_table(best: Sequence[tuple[int, BestScores]]) -> str:
    """Winnable deals by their fewest moves, a line for each number of moves."""
    numbers = sorted({moves for _, scores in best for moves in scores.moves})
    runs = DECKS[best[0][0]].runs
    heads = [f"{suits}_suit{'s' * (suits > 1)}" for suits, _ in best]
    return _table(
        " ".join(["best_moves", "score", *heads]),
        [
            [
                str(moves),
                str(score(moves, runs)),
                *(f"{scores.moves.get(moves, 0):,}" for _, scores in best),
            ]
            for moves in numbers
        ],
    )


def _remarks(summaries: Sequence[Summary]) -> Iterator[str]:
    """What a limit left open, and which versions of the solver have answered."""
    lines = list(filter(None, {layout_note(summary.column_sizes) for summary in summaries}))
    for reason, name in (("state", "stopped_by_states"), ("memory", "stopped_by_memory")):
        stopped = sum(getattr(summary.counts, name) for summary in summaries)
        if stopped:
            lines.append(f"{counted(stopped, 'deal')} undetermined: {reason} limit reached")
    versions = dict.fromkeys(version for summary in summaries for version in summary.versions)
    if versions:
        lines.append(f"solver version {', '.join(versions)}")
    if lines:
        yield "\n".join(lines)


def _table(heads: str, rows: Sequence[Sequence[str]]) -> str:
    """Columns under their heads, which are separated by blanks and have _ for a blank."""
    names = [head.replace("_", " ") for head in heads.split()]
    widths = [max(map(len, column)) for column in zip(names, *rows, strict=True)]
    return "\n".join(
        "  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True))
        for row in (names, *rows)
    )


def _spread_cells(spread: Spread | None, factor: int, digits: int) -> list[str]:
    if spread is None:
        return [_UNKNOWN] * 4
    values = (spread.median, spread.mean, spread.p99, spread.most)
    return [f"{factor * value:,.{digits}f}" for value in values]


def _range_cells(spread: Spread | None) -> list[str]:
    if spread is None:
        return [_UNKNOWN] * 4
    return [f"{spread.least:g}", f"{spread.median:g}", f"{spread.mean:.1f}", f"{spread.most:g}"]


def _effort_fields(name: str, spread: Spread | None) -> Record:
    return {
        f"{name}_median": None if spread is None else _rounded(spread.median),
        f"{name}_mean": None if spread is None else _rounded(spread.mean),
        f"{name}_p99": None if spread is None else _rounded(spread.p99),
        f"{name}_max": None if spread is None else _rounded(spread.most),
    }


def _range_fields(name: str, spread: Spread | None) -> Record:
    return {
        f"{name}_min": None if spread is None else spread.least,
        f"{name}_median": None if spread is None else spread.median,
        f"{name}_mean": None if spread is None else _rounded(spread.mean),
        f"{name}_max": None if spread is None else spread.most,
    }


def _rounded(value: float | None) -> float | None:
    return round(value, _DIGITS) if isinstance(value, float) else value


def _named(counts: dict[int, int]) -> dict[str, int]:
    """The same with the names that JSON can have."""
    return {str(value): count for value, count in counts.items()}


def csv_cell(value: object) -> object:
    """A value of a record as CSV has it: lists, and counts by name, separated by blanks.

    What is true or false is written as in JSON.
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return " ".join(f"{name}:{count}" for name, count in value.items())
    return " ".join(map(str, value)) if isinstance(value, list) else value
