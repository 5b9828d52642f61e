"""What preferences come to, in words."""

from __future__ import annotations

import math
from collections.abc import Iterator

from truerank.data.notes import Code, Note
from truerank.data.printing import counted, percent
from truerank.questions.preferences.answer import Ordering, PreferenceSurvey, share

COMPARED = Code("TR521", "how many preferences there are, and how many pairs were compared")
REPEATED = Code("TR522", "pairs that were judged more than once")
TRIPLES = Code("TR523", "intransitive triples of documents")
UNEVEN = Code(
    "TR524",
    "triples that are intransitive only through ties",
    "{triples:other triple} intransitive only through ties, or pairs judged both ways alike",
)
CYCLES = Code(
    "TR525",
    "topics with cycles of preferences",
    "{topics:topic} with cycles, the largest of {documents:document} (topic {topic}); "
    "their documents are graded by wins and losses",
)
LEAST = Code("TR526", "how many preferences every ranking must violate")
RUN = Code("TR527", "what a run does with the preferences")
MORE = Code("TR528", "runs that are not spoken of one by one", "{runs:more run} with higher loss")
ORDERS = Code("TR529", "topics whose preferences an order satisfies, and what stands against others")
AGREEMENT = Code("TR530", "how far grades agree with preferences")
ORDERING = Code("TR531", "how far a measure of grades orders runs as preference loss does")
SHOWN = 10
"""Runs that are spoken of one by one."""


BETWEEN = Code(
    "TR535",
    "how far two judges agree on pairs",
    "both judges compared {pairs:pair} and prefer the same document in {share}{interval}",
)
FIRST = Code(
    "TR536",
    "a judge that prefers what is named first, or second",
    "{judge}: the document that is named {place} is preferred in {share} of the judgments{interval}, more than by "
    "chance",
)


def said(found: PreferenceSurvey, show: str) -> Iterator[Note]:
    """What there is to know of what is shown."""
    about_judgments = show in ("topics", "triples", "cycles", "runs")
    if about_judgments:
        yield from _judgments(found)
        yield from _contradictions(found)
    if about_judgments or show == "lists":
        yield _least(found)
    if show in ("runs", "lists"):
        yield from _runs(found)
    if show == "grades":
        yield from _grades(found)
    if show in ("agreement", "topics", "runs"):
        yield from _agreement(found)
    if show in ("orderings", "runs"):
        yield from map(_ordering, found.orderings)
    if show in ("judges", "topics"):
        yield from _between(found)
    if show in ("shown", "judges", "topics"):
        yield from _shown(found)


def _between(found: PreferenceSurvey) -> Iterator[Note]:
    for row in found.between[:1]:
        if row.share is not None:
            yield BETWEEN(
                pairs=row.same + row.opposite, share=percent(row.share), interval=_interval(row.low, row.high)
            )


def _shown(found: PreferenceSurvey) -> Iterator[Note]:
    for row in found.shown:
        if row.low is not None and row.high is not None and not row.low <= 0.5 <= row.high:
            first = row.share > 0.5
            ends = (row.low, row.high) if first else (1 - row.high, 1 - row.low)
            share = percent(row.share if first else 1 - row.share)
            place = "first" if first else "second"
            yield FIRST(judge=row.judge, place=place, share=share, interval=_interval(*ends))


def _interval(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f" ({percent(low)} to {percent(high)})"


def _part(part: float, every: float) -> str:
    return percent(share(part, every)) if part else "none"


def _judgments(found: PreferenceSurvey) -> Iterator[Note]:
    total = found.total
    ties = f" and {counted(total.ties, 'tie')}" if total.ties else ""
    compared = f"; {_part(total.pairs, total.possible)} of all pairs were compared" if total.possible else ""
    yield COMPARED(
        f"{counted(total.preferences, 'preference')}{ties} between {counted(total.documents, 'document')} of "
        f"{counted(len(found.topics), 'topic')}{compared}",
        preferences=total.preferences,
        ties=total.ties,
        documents=total.documents,
        topics=len(found.topics),
    )
    if total.repeated:
        both = f"{total.contradictory:,} of them both ways" if total.contradictory else "none of them both ways"
        yield REPEATED(
            f"{counted(total.repeated, 'pair')} judged more than once, {both}",
            pairs=total.repeated,
            contradictory=total.contradictory,
        )


def _contradictions(found: PreferenceSurvey) -> Iterator[Note]:
    total = found.total
    whole = f"of {counted(total.triples, 'triple')} with all pairs compared"
    if not total.triples:
        text = "no three documents were all compared with one another, so that no triple can be intransitive"
    elif total.cyclic:
        where = sum(topic.cyclic > 0 for topic in found.by_topic)
        text = f"{counted(total.cyclic, 'intransitive triple')} in {counted(where, 'topic')}, "
        text += f"{_part(total.cyclic, total.triples)} {whole}"
    else:
        text = f"no intransitive triple {whole}"
    yield TRIPLES(text, cyclic=total.cyclic, triples=total.triples)
    if total.uneven:
        yield UNEVEN(triples=total.uneven)
    if found.cycles:
        largest = max(found.cycles, key=lambda cycle: cycle.size)
        topics = len({cycle.topic for cycle in found.cycles})
        yield CYCLES(topics=topics, documents=largest.size, topic=largest.topic)


def _least(found: PreferenceSurvey) -> Note:
    total = found.total
    if not total.preferences:
        text = "there are no preferences, so that no ranking violates any"
    elif not total.least:
        text = "rankings can satisfy all preferences"
    else:
        text = f"no ranking can satisfy more than {_part(total.preferences - total.least, total.preferences)} of the "
        least = "" if total.exact else "at least "
        text += f"preferences: {least}{counted(total.least, 'judgment')} must be violated"
    if total.least and not total.exact:
        best = _part(total.preferences - total.least_found, total.preferences)
        text += f"; the best ranking found violates {total.least_found:,} and satisfies {best}"
    return LEAST(text, least=total.least, least_found=total.least_found, preferences=total.preferences)


def _runs(found: PreferenceSurvey) -> Iterator[Note]:
    if not found.total.preferences:
        return
    for run in sorted(found.by_run, key=lambda run: (run.loss, run.run))[:SHOWN]:
        text = f"{run.run} violates {_part(run.violated, run.preferences)} of the preferences"
        undecided = [
            f"{what} {_part(count, run.preferences)}"
            for count, what in ((run.tied, "ties"), (run.neither, "retrieves neither document of"))
            if count
        ]
        if undecided:
            text += f", {' and '.join(undecided)}"
        yield RUN(f"{text}; loss {run.loss:.4f}", run=run.run, violated=run.violated, loss=run.loss)
    if len(found) > SHOWN:
        yield MORE(runs=len(found) - SHOWN)


def _grades(found: PreferenceSurvey) -> Iterator[Note]:
    loose = [*found.orders.values()].count("levels without ties")
    topics = [one for one in found.by_topic if one.preferences]
    if not topics:
        yield ORDERS("there are no preferences that an order could satisfy", topics=0, kept=0)
        return
    kept, both = sum(not one.least_found for one in topics), sum(one.contradictory > 0 for one in topics)
    have = "has" if 1 in (kept, len(topics)) else "have"
    text = f"{kept} of {counted(len(topics), 'topic')} {have} an order that satisfies all preferences"
    yield ORDERS(text, topics=len(topics), kept=kept)
    if both:
        text = f"in {counted(both, 'topic')} pairs were judged both ways, which no order satisfies"
        yield ORDERS(text, topics=both)
    if loose:
        text = f"in {counted(loose, 'topic')} ties contradict preferences, and do not count for the levels"
        yield ORDERS(text, topics=loose)


def _agreement(found: PreferenceSurvey) -> Iterator[Note]:
    total = found.agreement_total
    if total is None:
        return
    every = total.agree + total.contradict + total.finer
    unjudged = f"{counted(total.unjudged, 'preference')} with a document that has no grade"
    if not every:
        text = f"no preference is between two documents with grades; {unjudged}"
    else:
        text = f"grades agree with {_part(total.agree, every)} of the preferences, contradict "
        text += f"{_part(total.contradict, every)}, and tie {_part(total.finer, every)}; tau {total.tau:.3f}"
        text += f"; {unjudged}" if total.unjudged else ""
    yield AGREEMENT(text, agree=total.agree, contradict=total.contradict, finer=total.finer, tau=total.tau)


def _ordering(one: Ordering) -> Note:
    if one.runs < 2 or math.isnan(one.kendall_b):
        return ORDERING(f"{one.measure}: too few runs that differ to compare orderings", measure=one.measure)
    pairs = f"{one.swapped} of {counted(one.pairs, 'pair')} of runs in opposite orders"
    text = f"{one.measure} and preference loss order runs with tau {one.kendall_b:.3f}: {pairs}"
    return ORDERING(text, measure=one.measure, tau=one.kendall_b, swapped=one.swapped, pairs=one.pairs)
