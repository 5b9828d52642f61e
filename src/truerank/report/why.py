"""The explanation of a number, laid out."""

from __future__ import annotations

from truerank.analysis.why import Explanation, Why
from truerank.report.table import Cell, Column, Table

SHOWN = 6
"""How many explanations a person reads."""


def why_table(why: Why) -> Table:
    """A row an explanation, or a near miss where there is none."""
    columns = (
        Column("value", number=True),
        Column("fits"),
        Column("measure"),
        Column("because"),
        Column("tools"),
        Column("options"),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            one.value,
            "yes" if why.found else "no",
            str(one.measure),
            "; ".join(one.changes),
            ", ".join(one.tools),
            one.options,
        )
        for one in why.explanations or why.nearest
    ]
    return Table(columns, tuple(rows), notes=why.notices, document=why.to_dict)


def in_words(why: Why) -> str:
    """What a person is told."""
    reference, number = why.reference, why.reported.text
    percent = " (read as a percentage)" if why.reported.percent else ""
    by = f"under the conventions of {why.tool}" if why.tool else "here"
    lines = [f"{reference.measure} is {_number(why, reference.value)} {by}; reported is {number}{percent}.", ""]
    if why.found and not why.explanations[0].changes:
        lines += [f"They agree: {number} is what there is {by}."]
    elif why.found:
        lines += [f"{number} comes out if"]
        lines += [line for one in why.explanations[:SHOWN] for line in _explained(why, one)]
        more = len(why.explanations) - SHOWN
        lines += [f"  ... or for {more} more reasons (--format json lists them)"] * (more > 0)
    else:
        lines += ["Nothing that was tried gives this number. Nearest come"]
        lines += [line for one in why.nearest for line in _explained(why, one)]
        if why.ties is not None:
            low, high = (_number(why, end) for end in why.ties)
            lines += ["", f"Orders of tied documents give anything from {low} to {high}, so it may be one of those."]
        lines += ["", "Check that run, judgments and topics are the ones that the number is about."]
    if why.by_chance:
        lines += ["", f"{number} has few digits, which different conventions may share by chance."]
    lines += ["", *(f"note: {notice}" for notice in why.notices)] if why.notices else []
    return "\n".join(lines)


def _explained(why: Why, one: Explanation) -> list[str]:
    tools = f" (as in {', '.join(one.tools)})" if one.tools else ""
    because = ", and ".join(one.changes) or "nothing is changed"
    return [f"  - {because}{tools}: {_number(why, one.value)}", f"    truerank evaluate QRELS RUN {one.options}"]


def _number(why: Why, value: float) -> str:
    digits = max(4, why.reported.decimals + 1)
    return f"{value:.{min(digits, 15)}f}"
