"""The agreement of two rankings, laid out."""

from __future__ import annotations

from truerank.analysis.agreement.between import CORRELATIONS, Agreement
from truerank.report.table import Bounded, Cell, Column, Table

_MEANING = {
    "kendall_a": "Kendall's tau-a, a tied pair counts as 0",
    "kendall_b": "Kendall's tau-b, corrected for ties",
    "tau_ap": "AP correlation with {reference} as reference, mean over orders of ties",
    "tau_ap_b": "AP correlation without a reference, corrected for ties",
    "spearman": "Spearman's rho, mid-ranks for ties",
    "rbo.w": "rank-biased overlap, tied items share the first rank",
    "rbo.a": "rank-biased overlap, mean over orders of ties",
    "rbo.b": "rank-biased overlap, corrected for ties",
}


def agreement_table(found: Agreement) -> Table:
    """A row a coefficient; overlap with the bounds that unlisted items leave open."""
    overlaps = {"rbo.w": found.rbo.w, "rbo.a": found.rbo.a, "rbo.b": found.rbo.b}
    cells: dict[str, Cell] = {name: getattr(found, name) for name in CORRELATIONS}
    cells |= {name: Bounded(one.ext, one.low, one.high) for name, one in overlaps.items()}
    counts = found.items
    return Table(
        columns=(Column("coefficient"), Column("value", number=True), Column("meaning")),
        rows=tuple((name, cell, _MEANING[name].format(reference=found.reference)) for name, cell in cells.items()),
        caption=f"{counts['a']} items in a, {counts['b']} in b, {counts['both']} in both; p {found.p:g}",
        notes=found.notices,
        document=found.to_dict,
    )
