"""Two runs side by side, in words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from truerank.data.notes import Code, Note
from truerank.data.printing import sentence
from truerank.questions.diff.documents import TopDocuments
from truerank.questions.diff.question import Diff, DiffDocument, Difference
from truerank.report.digits import WrittenNumber, figures, ranks, signed

TOPICS = 5
"""Topics that a person reads."""
FRAGILE = 10
"""A difference that rests on one topic in so many, or fewer, is worth a word."""
_MEANS = "{mean_a} to {mean_b} ({difference})"
_DOCUMENT = (
    "{doc} ({grade}) {went}[ at rank {rank}][, but adds {adds}][ from rank {before}][ to {after}]"
    "[ from rank {left} out of the list]"
)
"""A document, and where it went."""
_BECAUSE = (
    "[: {documents}][: {empty} has no documents for it][: neither run has documents for it, {neither}]"
    "[: no document of the top {unexplained} accounts for it]"
    "[, and {entered:unjudged document} entered the top {depth}]"
    "[, and {possible:unjudged document} entered, or with ties could have entered, the top {depth}]"
)
"""The documents with the largest impact of those that pull the way the topic went, or why there are none."""
_ENTERED = (
    "[{certain:unjudged document} entered the top {depth}]"
    "[{possible:unjudged document} entered, or with ties could have entered, the top {depth}]"
)

_WINS = "{b} beats {a} on {wins} of {topics:topic}"
WINS = Code(
    "TR341",
    "on how many topics each run is better, and the difference of means",
    f"{_WINS}, loses on {{losses}}, and is level on {{level}}: {_MEANS}",
    undefined=f"{_WINS}, loses on {{losses}}, and is level on {{level}}; {{undefined:topic}} undefined: {_MEANS}",
    undefined_means=f"{_WINS}, loses on {{losses}}, and is level on {{level}}; {{undefined:topic}} undefined: the "
    "means are undefined",
    never_level=f"{_WINS} and loses on {{losses}}: {_MEANS}",
    never_level_undefined=f"{_WINS} and loses on {{losses}}; {{undefined:topic}} undefined: {_MEANS}",
    never_level_undefined_means=f"{_WINS} and loses on {{losses}}; {{undefined:topic}} undefined: the means are "
    "undefined",
    consequence=0.0,
)
ALIKE = Code(
    "TR342",
    "runs that a measure cannot tell apart",
    "{a} and {b} are the same for this measure on {topics:|all }{topics:topic}, and so is the top {depth} of their "
    "lists",
    moved="{a} and {b} are the same for this measure on {topics:|all }{topics:topic}, although documents moved in "
    "{moved:topic}",
    undefined="undefined on all topics, so that {a} and {b} cannot be compared",
    # Not every measure is a mean over topics: c@1 asks how many were answered.
    means=f"no topic differs, but the means do: {_MEANS}",
    consequence=0.0,
)
TOPIC = Code(
    "TR343",
    "the one topic that was compared, and the documents that made the difference",
    f"topic {{topic}}, {_MEANS}{_BECAUSE}",
    each={"documents": _DOCUMENT},
    consequence=0.0,
)
GAIN = Code(
    "TR344",
    "the topic with the largest gain, and the documents that made it",
    f"the largest gain is topic {{topic}} ({{difference}}){_BECAUSE}",
    each={"documents": _DOCUMENT},
)
LOSS = Code(
    "TR345",
    "the topic with the largest loss, and the documents that made it",
    f"the largest loss is topic {{topic}} ({{difference}}){_BECAUSE}",
    each={"documents": _DOCUMENT},
)
RESTS = Code(
    "TR346",
    "how much of a difference rests on few topics",
    "half of what {ahead} gains comes from {half:topic}; without topic {topic} the difference is {without}"
    "[, so that it rests on topic {rests_on}][; without the {fragile} topics of its largest gains it is not ahead]",
    one="{ahead} gains on topic {topic} only; without topic {topic} the difference is {without}"
    "[, so that it rests on topic {rests_on}][; without the {fragile} topics of its largest gains it is not ahead]",
)
TIES = Code(
    "TR347",
    "topics where the order of ties can put the other run ahead",
    "who is ahead depends on the order of ties in {topics:topic} ({names:names})",
    inexact="who is ahead depends on the order of ties in at least {topics:topic} ({names:names})",
)
UNJUDGED = Code(
    "TR348",
    "unjudged documents that entered, and topics where they can put the other run ahead",
    _ENTERED,
    no_turn=f"{_ENTERED}; whatever they are, no topic turns from one run to the other",
    depends="who is ahead depends on unjudged documents in {topics:topic} ({names:names})",
    may_depend="who is ahead may depend on unjudged documents in at most {topics:topic} ({names:names})",
    entered_depends=f"{_ENTERED}; who is ahead depends on unjudged documents in {{topics:topic}} ({{names:names}})",
    entered_may_depend=f"{_ENTERED}; who is ahead may depend on unjudged documents in at most {{topics:topic}} "
    "({names:names})",
)
REVERSAL = Code(
    "TR350",
    "how likely the other run is to be ahead if all documents that the two runs list were judged, by a model",
    'if all documents that the two runs list were judged, "{worse}" would be ahead of "{better}" with a chance of '
    "{reversal}, by a model of relevance",
    never='no judgments of documents that the two runs list put "{worse}" ahead of "{better}"',
    no_model="no chance of a reversal: {why}",
)
STRADDLING = Code(
    "TR349",
    "topics where more documents could be in the first ranks than there are ranks",
    "documents are tied across rank {depth} in {topics:topic}: those count as in the top {depth} that could be there, "
    "up to {most:,} (topic {topic})",
)


def said(answer: Diff) -> Iterator[Note]:
    """What there is to know, measure by measure; by one measure, people need not read its name again."""
    for name, each in answer.items():
        for note in said_of(answer, each):
            yield note.about(name) if len(answer) > 1 else note.about(name).in_brief(f"{note[:1].upper()}{note[1:]}")


def said_of(answer: Diff, each: Difference) -> Iterator[Note]:
    """What there is to know by a measure; what the verdict or a row of the table says weighs nothing."""
    if not each.wins and not each.losses:
        yield _alike(answer, each)
        return
    if len(each.topics) == 1:
        yield TOPIC(measure=each.measure, topic=each.topics[0], **_means(each), **_because(answer, each, 0))
        yield from _open(each)
        return
    yield _verdict(answer, each)
    for code, changed in ((GAIN, each.better(1)), (LOSS, each.worse(1))):
        for one in changed:
            place = each.topics.index(one.topic)
            note = code(
                measure=each.measure,
                topic=one.topic,
                difference=WrittenNumber(one.difference, signed(one.difference)),
                **_because(answer, each, place),
            )
            yield note.weighed(consequence=0.0 if place in each.by_impact[:TOPICS] else 0.3)
    yield from _concentrated(answer, each)
    yield from _open(each)
    yield from _reversal(answer, each)


def _reversal(answer: Diff, each: Difference) -> Iterator[Note]:
    """How likely the other run is to be ahead once what the two list is judged, if that was asked for."""
    if each.chance is None or each.reversal is None:
        return
    b_leads = (each.difference > 0) == each.by.higher_is_better
    better, worse = (answer.b, answer.a) if b_leads else (answer.a, answer.b)
    yield REVERSAL(
        "never" if each.reversal == "never" else "",
        measure=each.measure,
        chance=each.chance,
        reversal=each.reversal,
        better=better,
        worse=worse,
    )


def _verdict(answer: Diff, each: Difference) -> Note:
    undefined = "undefined_means" if math.isnan(each.difference) else "undefined" if each.undefined else ""
    return WINS(
        "_".join(filter(None, ("" if each.level else "never_level", undefined))),
        measure=each.measure,
        a=answer.a,
        b=answer.b,
        topics=len(each.topics),
        wins=each.wins,
        losses=each.losses,
        level=each.level,
        undefined=each.undefined,
        **_means(each),
    )


def _means(each: Difference) -> dict[str, WrittenNumber]:
    # A difference that is rounding is none.
    means = (each.mean_a, each.mean_b if each.difference else each.mean_a)
    a, b = figures(means)
    return {
        "mean_a": WrittenNumber(each.mean_a, a),
        "mean_b": WrittenNumber(each.mean_b, b),
        "difference": WrittenNumber(each.difference, signed(each.difference)),
    }


def _alike(answer: Diff, each: Difference) -> Note:
    facts: dict[str, Any] = {"measure": each.measure, "a": answer.a, "b": answer.b, "topics": len(each.topics)}
    if each.undefined == len(each.topics):
        return ALIKE("undefined", **facts)
    if not math.isnan(each.difference) and each.difference:
        return ALIKE("means", **facts, **_means(each))
    documents = each.top(each.by_impact)
    moved = len({*documents.topic[documents.entered | documents.left | documents.moved].tolist()})
    return ALIKE("moved" if moved else "", **facts, depth=each.depth, moved=moved)


def _concentrated(answer: Diff, each: Difference) -> Iterator[Note]:
    rests = each.concentration
    if rests is None:
        return
    b_leads = (each.difference > 0) == each.by.higher_is_better
    ahead, gains = (answer.b, each.wins) if b_leads else (answer.a, each.losses)
    fragile = rests.turning > 1 and rests.turning * FRAGILE <= len(each.topics)
    yield RESTS(
        "one" if gains == 1 else "",
        measure=each.measure,
        ahead=ahead,
        half=rests.half,
        topic=rests.topic,
        without=WrittenNumber(rests.without, signed(rests.without)),
        turning=rests.turning,
        rests_on=rests.topic if rests.turning == 1 else None,
        fragile=rests.turning if fragile else None,
    )


def _open(each: Difference) -> Iterator[Note]:
    if names := _depending(each, "ties"):
        yield TIES("" if each.by_ties.exact else "inexact", measure=each.measure, topics=len(names), names=names)
    documents = each.top(each.by_impact)
    yield from _straddling(each, documents)
    if each.lists.a.judgments.only_relevant:
        return
    which = documents.entered & documents.unjudged
    # Of a single topic it has been said.
    entered = int(which.sum()) if len(each.topics) > 1 else 0
    tied = bool((documents.b.above + documents.b.size)[which].max(initial=0) > each.depth)
    names, bounds = _depending(each, "unjudged"), each.by_unjudged
    form = ""
    if names and bounds is not None:
        form = f"{'entered_' * bool(entered)}{'depends' if bounds.exact else 'may_depend'}"
    elif bounds is not None:
        form = "no_turn"
    if entered or names:
        yield UNJUDGED(
            form,
            measure=each.measure,
            entered=entered,
            topics=len(names),
            names=names,
            certain=None if tied else entered,
            possible=entered if tied else None,
            depth=each.depth,
        )


def _straddling(each: Difference, documents: TopDocuments) -> Iterator[Note]:
    """Where ties reach past the last rank that is looked at, so that more could be there than there is room for."""
    topics = each.index[each.by_impact]
    most = np.maximum(*(documents.count(side.within(documents.depth), topics) for side in documents.sides))
    if (many := int((most > each.depth).sum())) and math.isfinite(each.depth):
        top = int(np.argmax(most))
        name = each.topics[int(each.by_impact[top])]
        yield STRADDLING(measure=each.measure, depth=each.depth, topics=many, most=int(most[top]), topic=name)


def _depending(each: Difference, reason: str) -> list[str]:
    return [each.topics[at] for at in each.by_impact.tolist() if reason in each.depends_on(at)]


def _because(answer: Diff, each: Difference, place: int) -> dict[str, Any]:
    """The documents behind a topic's difference as facts, and the unjudged ones that entered."""
    [documents] = each.by_topic(each.by_impact[each.by_impact == place], unjudged=False).values()
    last = [one.last_rank_b for one in documents if one.status == "entered" and not one.judged and one.last_rank_b]
    tied = bool(last) and max(last) > each.depth
    empty = each.listless(place)
    pulling = _pulling(each, place, documents)[:2]
    return {
        "documents": [_moved(one) for one in pulling] if pulling and not empty else None,
        "empty": {"a": answer.a, "b": answer.b}[empty[0]] if len(empty) == 1 else None,
        "neither": f"{answer.a} and {answer.b}" if len(empty) == 2 else None,
        "unexplained": each.depth if not pulling and not empty else None,
        "entered": len(last) if last and not tied else None,
        "possible": len(last) if tied else None,
        "depth": each.depth,
    }


def _pulling(each: Difference, place: int, documents: Sequence[DiffDocument]) -> list[DiffDocument]:
    """The documents that pull the way the topic went."""
    way = float(each.differences[place])
    return [one for one in documents if one.impact * way > 0]


def reason(answer: Diff, each: Difference, place: int, documents: Sequence[DiffDocument]) -> str:
    """The document with the largest impact of those that pull the way the topic went."""
    names = {"a": answer.a, "b": answer.b}
    if empty := each.listless(place):
        return f"{names[empty[0]]} has no documents for it" if len(empty) == 1 else "neither run has documents for it"
    way = float(each.differences[place])
    if not way or math.isnan(way):
        return ""
    pulling = _pulling(each, place, documents)
    return described(pulling[0]) if pulling else f"no document of {first(each.depth)} accounts for it"


def described(one: DiffDocument) -> str:
    """A document and where it went: "d3 (grade 1) fell from rank 2 to 14"."""
    return sentence(_DOCUMENT, **_moved(one))


def _moved(one: DiffDocument) -> dict[str, Any]:
    """A document and where it went, as facts."""
    facts = dict.fromkeys(("rank", "adds", "before", "after", "left"))
    told = {"doc": one.doc, "grade": grade(one) if one.grade is None else f"grade {grade(one)}", **facts}
    if one.ranks_a is None:
        return told | {"went": "entered", "rank": ranks(one.ranks_b)}
    if one.ranks_b is None:
        return told | {"went": "fell", "left": ranks(one.ranks_a)}
    if one.ranks_a == one.ranks_b:
        adds = None if not one.impact else "more" if one.impact > 0 else "less"
        return told | {"went": "stays", "rank": ranks(one.ranks_a), "adds": adds}
    steps = [after - before for before, after in zip(one.ranks_a, one.ranks_b, strict=True)]
    # Among tied documents one may come to stand higher or lower than it did.
    went = "rose" if max(steps) <= 0 else "fell" if min(steps) >= 0 else "went"
    return told | {"went": went, "before": ranks(one.ranks_a), "after": ranks(one.ranks_b)}


def move(one: DiffDocument) -> str:
    """Where a document went, in a word or two."""
    if one.status in ("entered", "left"):
        return one.status
    if one.ranks_a is None or one.ranks_b is None or one.ranks_a == one.ranks_b:
        return ""
    steps = (sum(one.ranks_a) - sum(one.ranks_b)) / 2
    if steps:
        return f"{'up' if steps > 0 else 'down'} {abs(steps):g}"
    return "tied" if one.ranks_b[0] < one.ranks_a[0] else "untied"


def first(*depths: int) -> str:
    """The ranks that were looked at.

    >>> first(10), first(1)
    ('the top 10', 'the top 1')
    """
    return f"the top {' or '.join(map(str, sorted({*depths})))}"


def grade(one: DiffDocument) -> str:
    """What is known of a document."""
    return "unjudged" if not one.judged else "judged" if one.grade is None else f"{one.grade:g}"
