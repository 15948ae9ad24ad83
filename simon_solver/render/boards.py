"""Writes a deal in the formats of other programs, as text that `parse_deal` reads."""

from __future__ import annotations

from simon_solver.errors import CodeError, FormatError
from simon_solver.game.deal import Deal
from simon_solver.game.numbered import parse_number
from simon_solver.reading.formats import columns, kpat, solvitaire, spoken
from simon_solver.reading.formats.assembly import COLUMN_COUNT
from simon_solver.render.records import show_record, to_json

TARGETS = {
    "cards": "cards by column",
    "fc-solve": "the same, if fc-solve can read it",
    "solvitaire": "JSON for Solvitaire",
    "spoken": "the spoken description",
    "kpat": "a KPat saved game",
    "json": "what 'show --format json' prints",
}
"""The formats by name, and what they are."""


def converted(deal: Deal, target: str) -> str:
    """The deal in that format, with a line end; only ``json`` tells the moves made.

    Raises:
        FormatError: the format cannot express the deal, and why.
    """
    if target == "json":
        return to_json(show_record(deal)) + "\n"
    if len(deal.position.columns) != COLUMN_COUNT:
        raise FormatError(
            f"the format {target} needs {COLUMN_COUNT} columns, but this deal has "
            f"{len(deal.position.columns)}; use json instead"
        )
    if target == "kpat":
        return kpat.write(deal.position, _kpat_number(deal))
    writers = {
        "cards": columns.write,
        "fc-solve": columns.write_fc_solve,
        "solvitaire": solvitaire.write,
        "spoken": spoken.write,
    }
    return writers[target](deal.position)


def _kpat_number(deal: Deal) -> int:
    """KPat's number of the deal that the position comes from, 0 where it has none."""
    try:
        return parse_number(deal.name).kpat_number
    except CodeError:
        return 0
