"""What judging more could change, in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from truerank.data.printing import percent, sentence
from truerank.report.digits import rounded
from truerank.report.verdicts import per_measure

if TYPE_CHECKING:
    from truerank.questions.unjudged.question import Unjudged

STEADY, OPEN = 0.05, 0.5
"""Chances from which on a pair is worth naming, and its order is open."""
CANNOT = (
    "Unjudged documents cannot change the order of these {runs} runs[: all documents in their top {cutoff} are judged]."
)
UNLIKELY = (
    "Unjudged documents are unlikely to change the order: {undecided:,} of {pairs:pair} could reverse, each with a "
    "chance below 5%."
)
COULD = (
    "Unjudged documents could change the order: {likely:,} of {pairs:pair} would reverse with a chance of 5% or more, "
    "at most {most:%}."
)
IS_OPEN = (
    "The order of {runs:quoted} is open: if the unjudged documents that these runs list were judged, {open:pair} would "
    "more likely reverse than not ({chances})."
)
WORST = (
    "In the worst case unjudged documents could reverse {undecided:,} of {pairs:pair}; how likely that is is not known."
)
ONE = (
    "If the unjudged documents of {run:quoted} were judged, its score of {score} could become {low} to {high}"
    "[; {range} is likely]."
)
ONE_STAYS = "Unjudged documents cannot change the score of {run:quoted}."
NO_BOUNDS = "What unjudged documents could change is not known by this measure."
ONLY_RELEVANT = (
    "Only relevant documents are judged (no grade 0), so all others count as not relevant and nothing is known about "
    "unjudged documents. Add what was judged not relevant with grade 0, or list what to judge with --next N."
)
NEXT = "Judge {doc:quoted} of topic {topic:quoted} next: it says most about {what}."
ALL_JUDGED = (
    "There is nothing to judge next by {measure}: all documents in the first {depth:rank} of the runs are judged. "
    "--depth N looks deeper."
)
NOTHING = (
    "There is nothing to judge next by {measure}: {candidates:document} in the first {depth:rank} of the runs "
    "{candidates:is|are} not judged, none of which would change a score. --depth N looks deeper."
)


def verdict(answer: Unjudged, show: str) -> str:
    """Whether judging more could change the order of runs; or what to judge next."""
    if show == "relevant":
        return ""
    if show == "next":
        if not answer.next:
            form = NOTHING if answer.candidates else ALL_JUDGED
            facts = {"depth": answer.depth or 0, "candidates": answer.candidates}
            return sentence(form, measure=answer.measures[0], **facts)
        first = answer.next[0]
        what = "the pairs of runs that are undecided" if first.apart else "the scores"
        return sentence(NEXT, doc=first.doc, topic=first.topic, what=what)
    if answer.only_relevant:
        return ONLY_RELEVANT
    return per_measure({str(measure): _of(answer, str(measure), measure.cutoff) for measure in answer.wanted})


def _of(answer: Unjudged, measure: str, cutoff: int | None) -> str:
    rows = [row for row in answer.open_scores if row.measure == measure]
    if len(rows) == 1:
        [row] = rows
        if row.low is None or row.high is None:
            return NO_BOUNDS
        if row.low == row.high:
            return sentence(ONE_STAYS, run=row.run)
        likely_range = None
        if row.likely_low is not None and row.likely_high is not None:
            ends = [rounded(value, 3) for value in (row.likely_low, row.likely_high)]
            likely_range = ends[0] if ends[0] == ends[1] else " to ".join(ends)
        score, low, high = (rounded(value, 3) for value in (row.score, row.low, row.high))
        return sentence(ONE, run=row.run, score=score, low=low, high=high, range=likely_range)
    pairs = [pair for pair in answer.pairs if pair.measure == measure]
    undecided = [pair for pair in pairs if pair.can_reverse]
    if not pairs:
        return NO_BOUNDS
    if not undecided:
        judged = cutoff is not None and all(row.judged_at.get(cutoff, 0.0) == 1.0 for row in rows)
        return sentence(CANNOT, runs=len(rows), cutoff=cutoff if judged else None)
    facts = {"undecided": len(undecided), "pairs": len(pairs)}
    chances = [(pair.chance, pair) for pair in undecided if pair.chance is not None]
    if not chances:
        return sentence(WORST, **facts)
    open_ = [(chance, pair) for chance, pair in chances if chance >= OPEN]
    if open_:
        ranked = [row.run for row in rows]
        named = {name for _, pair in open_ for name in (pair.run, pair.compared_with)}
        ends = [percent(end(chance for chance, _ in open_)) for end in (min, max)]
        return sentence(
            IS_OPEN,
            runs=[run for run in ranked if run in named],
            open=len(open_),
            chances=ends[0] if ends[0] == ends[1] else " to ".join(ends),
        )
    likely = [chance for chance, _ in chances if chance >= STEADY]
    if not likely:
        return sentence(UNLIKELY, **facts)
    return sentence(COULD, likely=len(likely), most=max(likely), **facts)
