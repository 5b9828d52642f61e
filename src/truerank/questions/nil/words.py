"""Notes about topics without an answer, and about lists that end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from truerank.data.notes import Code, Note
from truerank.report.table import DIGITS

if TYPE_CHECKING:
    from truerank.measures.core.base import Measure
    from truerank.questions.nil.answer import NilAnswer

SHOWN = 10
"""Runs that have a note of their own."""

NIL_TOPICS = Code(
    "TR421",
    "how many topics have no answer",
    "{nil} of {topics:topic} {nil:has|have} no answer: an empty list is correct there",
    every="every topic has an answer, so that an empty list is never correct",
)
UNANSWERED = Code(
    "TR423",
    "how many topics a run leaves unanswered, and how many of them correctly",
    "{run} leaves {topics:topic} unanswered, {correctly} of them correctly",
    all="{run} leaves {topics:topic} unanswered, all of them correctly",
    none="{run} leaves {topics:topic} unanswered, none of them correctly",
    one="{run} leaves {topics:topic} unanswered, correctly",
    wrong="{run} leaves {topics:topic} unanswered, wrongly",
    others="{runs:other run} {runs:leaves|leave} some topics unanswered",
    never="{runs:run} {runs:answers|answer} every topic",
    no_run="no run leaves a topic unanswered",
)
LONGER = Code(
    "TR427",
    "lists with more documents than a list could have",
    "{lists:list} {lists:has|have} more documents than the limit of {limit:,}, which cuts no list; if lists could be "
    "longer, give a higher limit",
)
LISTED = Code(
    "TR428",
    "how many lists have a NIL",
    "{runs:run} {runs:lists|list} NIL, in {nil} of {lists} lists",
    none="no run lists a NIL, so that lists end where they do",
)
ENDED = Code(
    "TR433",
    "how many lists were ended by their systems",
    "{ended} of {lists} lists ({share:%}) were ended by their systems, before {limit:document}",
    nil="{ended} of {lists} lists ({share:%}) were ended by their systems, by a NIL, or before {limit:document}",
    none="no list is shorter than {limit:,}, so that none has a terminal document",
)
NO_LIMIT = Code(
    "TR430",
    "no limit was given, so that every list counts as ended by its system",
    "without a limit every list counts as ended by its system; the longest has {longest:,}: if no list could have "
    "more, give that as the limit",
)
FAR_LIMIT = Code(
    "TR431",
    "no list is as long as the limit",
    "no list reaches the limit of {limit:,}; the longest has {longest:,}",
)
NO_CUTOFF = Code(
    "TR435",
    "a measure without a cutoff, with a limit",
    "{measure} has no cutoff: its ideal list goes on past the limit of {limit:,}, where no list can follow; Liu et al. "
    "take {instead}",
)
GAINS = Code(
    "TR436",
    "what each kind of ending adds to scores, over all runs",
    "{measure}: {kinds}",
    mean="{measure}, mean over runs: {kinds}",
    none="{measure}: no kind of ending changes the score",
    none_mean="{measure}, mean over runs: no kind of ending changes the score",
    no_mean="{measure} is no mean over topics, so that topics do not add up to it",
    each={"kinds": "{kind} {adds:+.4f} ({lists:list})"},
)
HEDGED = Code(
    "TR437",
    "runs that have a NIL beside documents in all their lists, whatever the topic",
    "{run} hedges: NIL beside documents at rank {first} of every list ({lists:,})",
    ranks="{run} hedges: NIL beside documents at ranks {first} to {last} of every list ({lists:,})",
    others="{count:other run} {count:hedges|hedge}",
)


def topics(answer: NilAnswer) -> Note:
    """How many topics have no answer."""
    nil, every = len(answer.nil_topics), len(answer.topics)
    return NIL_TOPICS("" if nil else "every", nil=nil, topics=every)


def unanswered(answer: NilAnswer) -> Iterator[Note]:
    """Which runs leave topics unanswered, those with most first, and how many of these correctly."""
    some = sorted((row for row in answer.by_case if row.unanswered), key=lambda row: -row.unanswered)
    for row in some[:SHOWN]:
        correctly, every = row.correctly_unanswered, row.unanswered
        if every == 1:
            form = "one" if correctly else "wrong"
        else:
            form = "none" if not correctly else "all" if correctly == every else ""
        yield UNANSWERED(form, run=row.run, topics=every, correctly=correctly)
    if len(some) > SHOWN:
        yield UNANSWERED("others", runs=len(some) - SHOWN)
    if len(some) < len(answer):
        yield UNANSWERED("never" if some else "no_run", runs=len(answer) - len(some))


def longer(answer: NilAnswer) -> Iterator[Note]:
    """Lists with more documents than a list could have."""
    limit = answer.modified.limit
    lists = 0 if limit is None else sum(int((row.before - row.has_nil > limit).sum()) for row in answer.by_case)
    if lists:
        yield LONGER(lists=lists, limit=limit)


def lists(answer: NilAnswer) -> Iterator[Note]:
    """Which lists have a NIL, and which were ended by their systems."""
    every = sum(len(row.before) for row in answer.by_case)
    nil = sum(row.nil for row in answer.by_case)
    yield LISTED("" if nil else "none", runs=sum(row.nil > 0 for row in answer.by_case), nil=nil, lists=every)
    limit, longest = answer.modified.limit, answer.longest
    if limit is None:
        yield NO_LIMIT(longest=longest)
        return
    if limit > longest:
        yield FAR_LIMIT(limit=limit, longest=longest)
    ended = sum(int(row.was_ended.sum()) for row in answer.by_case)
    form = "none" if not ended else "nil" if nil else ""
    yield ENDED(form, ended=ended, lists=every, limit=limit, share=ended / every if every else 0.0)


def hedged(answer: NilAnswer) -> Iterator[Note]:
    """Which runs hedge."""
    for one in answer.hedgers[:SHOWN]:
        form = "" if one.first == one.last else "ranks"
        yield HEDGED(form, run=one.run, lists=one.lists, first=one.first, last=one.last)
    if more := answer.hedgers[SHOWN:]:
        yield HEDGED("others", runs=[one.run for one in more], count=len(more))


def gains(answer: NilAnswer, measure: Measure) -> Note:
    """What each kind of ending adds on average over runs, what moves scores most first."""
    name, runs = str(measure), len(answer)
    if not measure.averages:
        return GAINS("no_mean", measure=name)
    total: dict[str, tuple[float, int]] = {}
    for row in answer.endings:
        if row.measure == name:
            adds, lists = total.get(row.kind, (0.0, 0))
            total[row.kind] = (adds + row.adds, lists + row.lists)
    largest_first = sorted(total, key=lambda kind: (-abs(total[kind][0]), kind))
    kinds = [
        {"kind": kind, "adds": total[kind][0] / runs, "lists": total[kind][1]}
        for kind in largest_first
        if abs(total[kind][0] / runs) >= 0.5 * 10**-DIGITS
    ]
    form = {(True, True): "mean", (True, False): "", (False, True): "none_mean", (False, False): "none"}
    return GAINS(
        form[bool(kinds), runs > 1], measure=name, kinds=kinds, adds={k: v[0] / runs for k, v in total.items()}
    )
