"""Who judged, as a part of a page: a sentence for the verdict, and a leaderboard by judge."""

from __future__ import annotations

from truerank.questions.judges.question import JudgesCompared
from truerank.report.digits import decimals
from truerank.report.pages.section import Listing, PageCell, Section, Words
from truerank.report.table import Column


def verdict(found: JudgesCompared, measure: str) -> tuple[str, ...]:
    """Whether another judge would put another run at the top, and how many pairs depend on the judge."""
    tops = found.leaders.get(measure, {})
    runs = [*dict.fromkeys(tops.values())]
    if not runs:
        return ()
    turned = [row for row in found.dependent if row.measure == measure and row.depends != "significance"]
    pairs = next((row.pairs for row in found.orders if row.measure == measure), 0)
    among = f"; {len(turned)} of {pairs} pairs have another order by another judge" if pairs else ""
    if len(runs) == 1:
        return (f"{runs[0]} leads by every one of {len(found.variants)} judges{among}.",)
    by = "; ".join(f"{run} by {', '.join(judge for judge, top in tops.items() if top == run)}" for run in runs)
    return (f"The run at the top depends on who judged: {by}{among}.",)


def section(found: JudgesCompared, command: str) -> Section:
    """How far judges agree, and a leaderboard by each of them."""
    listings = [_board(found, measure, place) for place, measure in enumerate(found.measures)]
    words = Words(lines=tuple(map(str, found.own_notes("agreement"))))
    return Section(name="judges", title="Who judged", blocks=(words, _agreement(found), *listings), commands=(command,))


def _board(found: JudgesCompared, measure: str, place: int) -> Listing:
    rows = [row for row in found.board if row.measure == measure]
    spread = max((max(row.scores.values()) - min(row.scores.values()) for row in rows), default=0.0)
    digits = decimals(spread / 10)
    cells: list[tuple[PageCell, ...]] = [
        (row.run, *(f"{row.scores[name]:.{digits}f}" for name in found.variants), row.range) for row in rows
    ]
    columns = (
        Column("run", meaning="the run"),
        *(Column(name, number=True, meaning=f"the score by {name}") for name in found.variants),
        Column("ranks", number=True, meaning="the ranks that judges give it"),
    )
    return Listing(
        name=f"judges-{place}",
        caption=f"Runs by {measure}, by who judged; the best by {found.reference} first",
        columns=columns,
        rows=cells,
        measure=measure,
        of="run",
    )


def _agreement(found: JudgesCompared) -> Listing:
    columns = (
        Column("judge", meaning="a judge"),
        Column("and", meaning="another one"),
        Column("documents", number=True, meaning="documents that both judged"),
        Column("same", number=True, meaning="share of the same grades"),
        Column("kappa", number=True, meaning="Cohen's kappa on what is relevant"),
        Column("interval", head="95% interval", number=True, meaning="of kappa, over topics"),
    )
    rows: list[tuple[PageCell, ...]] = [
        (
            row.judge,
            row.other,
            f"{row.documents:,}",
            f"{row.same:.0%}",
            "" if row.kappa is None else f"{row.kappa:.2f}",
            "" if row.low is None or row.high is None else f"{row.low:.2f} to {row.high:.2f}",
        )
        for row in found.agreement
    ]
    return Listing(name="agreement", caption="How far judges agree", columns=columns, rows=rows)
