"""What preferences come to, in words."""

from __future__ import annotations

import math
from collections.abc import Iterator

from truerank.data.notes import Code, Note
from truerank.questions.preferences.answer import Ordering, PreferenceSurvey, share

COMPARED = Code(
    "TR521",
    "how many preferences there are, and how many pairs were compared",
    "{preferences:preference}[ and {ties:tie}] between {documents:document} of {topics:topic}[; {compared:%} of all "
    "pairs were compared]",
)
JUDGED_AGAIN = Code(
    "TR522",
    "pairs that were judged more than once",
    "{pairs:pair} judged more than once, {contradictory:,} of them both ways",
    consistent="{pairs:pair} judged more than once, none of them both ways",
)
TRIPLES = Code(
    "TR523",
    "intransitive triples of documents",
    "{cyclic:intransitive triple} in {topics:topic}, {share:%} of {triples:triple} with all pairs compared",
    none="no intransitive triple of {triples:triple} with all pairs compared",
    uncompared="no three documents were all compared with one another, so that no triple can be intransitive",
)
CYCLES = Code(
    "TR525",
    "topics with cycles of preferences",
    "{topics:topic} with cycles, the largest of {documents:document} (topic {topic}); "
    "their documents are graded by wins and losses",
)
LEAST = Code(
    "TR526",
    "how many preferences every ranking must violate",
    "no ranking can satisfy more than {satisfied:%} of the preferences: {least:judgment} must be violated",
    bounds="no ranking can satisfy more than {satisfied:%} of the preferences: at least {least:judgment} must be "
    "violated; the best ranking found violates {least_found:,} and satisfies {satisfied_found:%}",
    all="rankings can satisfy all preferences",
    nothing="there are no preferences, so that no ranking violates any",
)
RUN = Code(
    "TR527",
    "what a run does with the preferences",
    "{run} violates {violated_share:%} of the preferences[, ties {tied_share:%}][, retrieves neither document of "
    "{neither_share:%}]; loss {loss:.4f}",
    none="{run} violates none of the preferences[, ties {tied_share:%}][, retrieves neither document of "
    "{neither_share:%}]; loss {loss:.4f}",
)
MORE = Code("TR528", "runs that are not spoken of one by one", "{runs:more run} with higher loss")
ORDERS = Code(
    "TR529",
    "topics whose preferences an order satisfies, and what stands against others",
    "an order satisfies all preferences in {kept:,} of {topics:topic}",
    nothing="there are no preferences that an order could satisfy",
    contradictory="in {topics:topic} pairs were judged both ways, which no order satisfies",
    ties="in {topics:topic} ties contradict preferences, and do not count for the levels",
)
AGREEMENT = Code(
    "TR530",
    "how far grades agree with preferences",
    "grades agree with {agree_share:%} of the preferences, contradict {contradict_share:%}, and tie {finer_share:%}; "
    "Somers' d {somers_d:.3f}[; {unjudged:preference} with a document that has no grade]",
    nothing="no preference is between two documents with grades[; {unjudged:preference} with a document that has no "
    "grade]",
)
ORDERING = Code(
    "TR531",
    "how far a measure of grades orders runs as preference loss does",
    "{measure} and preference loss order runs with tau-b {tau_b:.3f}: {reversed} of {ordered_pairs:pair} of runs in "
    "opposite orders",
    few="{measure}: too few runs that differ to compare orderings",
)
BETWEEN = Code(
    "TR535",
    "how far two judges agree on pairs",
    "both judges compared {pairs:pair} and prefer the same document in {share:%}[ ({low:%} to {high:%})]",
)
FIRST = Code(
    "TR536",
    "a judge that prefers what is named first, or second",
    "{judge}: the document that is named first is preferred in {share:%} of the judgments ({low:%} to {high:%}), more "
    "than by chance",
    second="{judge}: the document that is named second is preferred in {share:%} of the judgments ({low:%} to "
    "{high:%}), more than by chance",
)
SPOKEN_OF = 10
"""Runs that are spoken of one by one."""


def notes_of(survey: PreferenceSurvey, show: str) -> Iterator[Note]:
    """What there is to know of what is shown."""
    about_judgments = show in ("topics", "triples", "cycles", "runs")
    if about_judgments:
        yield from _judgments(survey)
        yield from _contradictions(survey)
    if about_judgments or show == "lists":
        yield _least(survey)
    if show in ("runs", "lists"):
        yield from _runs(survey)
    if show == "grades":
        yield from _orders(survey)
    if show in ("agreement", "topics", "runs"):
        yield from _agreement(survey)
    if show in ("orderings", "runs"):
        yield from map(_ordering, survey.orderings)
    if show in ("judges", "topics"):
        yield from _between(survey)
    if show in ("shown", "judges", "topics"):
        yield from _shown(survey)


def _between(survey: PreferenceSurvey) -> Iterator[Note]:
    for row in survey.between[:1]:
        if row.share is not None:
            yield BETWEEN(pairs=row.same + row.opposite, share=row.share, low=row.low, high=row.high)


def _shown(survey: PreferenceSurvey) -> Iterator[Note]:
    for row in survey.shown:
        if row.low is None or row.high is None or row.low <= 0.5 <= row.high:
            continue
        if row.share > 0.5:
            yield FIRST(judge=row.judge, place="first", share=row.share, low=row.low, high=row.high)
        else:
            ends = {"low": 1 - row.high, "high": 1 - row.low}
            yield FIRST("second", judge=row.judge, place="second", share=1 - row.share, **ends)


def _judgments(survey: PreferenceSurvey) -> Iterator[Note]:
    total = survey.total
    yield COMPARED(
        preferences=total.preferences,
        ties=total.ties or None,
        documents=total.documents,
        topics=len(survey.topics),
        compared=total.compared if total.possible else None,
    )
    if total.repeated:
        form = "" if total.contradictory else "consistent"
        yield JUDGED_AGAIN(form, pairs=total.repeated, contradictory=total.contradictory)


def _contradictions(survey: PreferenceSurvey) -> Iterator[Note]:
    total = survey.total
    yield TRIPLES(
        "" if total.cyclic else "none" if total.triples else "uncompared",
        cyclic=total.cyclic,
        triples=total.triples,
        topics=sum(topic.cyclic > 0 for topic in survey.by_topic),
        share=total.cyclic / total.triples if total.triples else None,
    )
    if survey.cycles:
        largest = max(survey.cycles, key=lambda cycle: cycle.size)
        topics = len({cycle.topic for cycle in survey.cycles})
        yield CYCLES(topics=topics, documents=largest.size, topic=largest.topic)


def _least(survey: PreferenceSurvey) -> Note:
    total = survey.total
    counts = {"least": total.least, "least_found": total.least_found, "preferences": total.preferences}
    if not total.preferences:
        return LEAST("nothing", **counts)
    if not total.least:
        return LEAST("all", **counts)
    return LEAST(
        "" if total.exact else "bounds",
        **counts,
        satisfied=1 - total.least_loss,
        satisfied_found=1 - total.least_loss_found,
    )


def _runs(survey: PreferenceSurvey) -> Iterator[Note]:
    if not survey.total.preferences:
        return
    for run in sorted(survey.by_run, key=lambda run: (run.loss, run.run))[:SPOKEN_OF]:
        yield RUN(
            "" if run.violated else "none",
            run=run.run,
            violated=run.violated,
            loss=run.loss,
            violated_share=run.violated_share,
            tied_share=run.tied_share if run.tied else None,
            neither_share=run.neither_share if run.neither else None,
        )
    if len(survey) > SPOKEN_OF:
        yield MORE(runs=len(survey) - SPOKEN_OF)


def _orders(survey: PreferenceSurvey) -> Iterator[Note]:
    topics = [one for one in survey.by_topic if one.preferences]
    if not topics:
        yield ORDERS("nothing", topics=0, kept=0)
        return
    yield ORDERS(topics=len(topics), kept=sum(not one.least_found for one in topics))
    contradictory = sum(one.contradictory > 0 for one in topics)
    if contradictory:
        yield ORDERS("contradictory", topics=contradictory)
    loose = [*survey.orders.values()].count("levels without ties")
    if loose:
        yield ORDERS("ties", topics=loose)


def _agreement(survey: PreferenceSurvey) -> Iterator[Note]:
    total = survey.agreement_total
    if total is None:
        return
    counts = {"agree": total.agree, "contradict": total.contradict, "finer": total.finer}
    every = sum(counts.values())
    yield AGREEMENT(
        "" if every else "nothing",
        **counts,
        **{f"{name}_share": share(count, every) for name, count in counts.items()},
        somers_d=total.somers_d,
        unjudged=total.unjudged or None,
    )


def _ordering(row: Ordering) -> Note:
    return ORDERING(
        "few" if row.runs < 2 or math.isnan(row.tau_b) else "",
        measure=row.measure,
        tau_b=row.tau_b,
        reversed=row.reversed,
        ordered_pairs=row.ordered_pairs,
    )
