"""Two runs side by side, in words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from truerank.data.notes import Code, Note
from truerank.data.printing import counted, named
from truerank.questions.diff.answer import Diff, DiffDocument, Difference
from truerank.questions.diff.documents import TopDocuments
from truerank.report.digits import figures, ranks, signed

FRAGILE = 10
"""A difference that rests on one topic in so many, or fewer, is worth a word."""

WINS = Code("TR341", "on how many topics each run is better, and the difference of means")
ALIKE = Code("TR342", "runs that a measure cannot tell apart")
TOPIC = Code("TR343", "the one topic that was compared, and the documents that made the difference")
GAIN = Code("TR344", "the topic with the largest gain, and the documents that made it")
LOSS = Code("TR345", "the topic with the largest loss, and the documents that made it")
RESTS = Code("TR346", "how much of a difference rests on few topics")
TIES = Code("TR347", "topics where the order of ties can put the other run ahead")
UNJUDGED = Code("TR348", "unjudged documents that entered, and topics where they can put the other run ahead")
REVERSAL = Code(
    "TR350", "how likely the other run is to be ahead if all documents that the two runs list were judged, by a model"
)
STRADDLING = Code(
    "TR349",
    "topics where more documents could be in the first ranks than there are ranks",
    "documents are tied across rank {depth} in {topics:topic}: those count as in the top {depth} that could be there, "
    "up to {most:,} (topic {topic})",
)


def said(found: Diff) -> Iterator[Note]:
    """What there is to know, measure by measure."""
    for name, each in found.items():
        yield from (note.about(name) for note in _said(found, each))


def _said(found: Diff, each: Difference) -> Iterator[Note]:
    if not each.wins and not each.losses:
        yield ALIKE(_alike(found, each), measure=each.measure, topics=len(each.topics))
        return
    if len(each.topics) == 1:
        topic = each.topics[0]
        said = f"topic {topic}, {_means(each)}: {_reason(found, each, 0)}"
        yield TOPIC(said, measure=each.measure, topic=topic, difference=each.difference)
        yield from _open(each)
        return
    yield _verdict(found, each)
    for code, what, changed in ((GAIN, "gain", each.better(1)), (LOSS, "loss", each.worse(1))):
        for one in changed:
            why = _reason(found, each, each.topics.index(one.topic))
            text = f"the largest {what} is topic {one.topic} ({signed(one.difference)}): {why}"
            yield code(text, measure=each.measure, topic=one.topic, difference=one.difference)
    yield from _concentrated(found, each)
    yield from _open(each)
    yield from _reversal(found, each)


def _reversal(found: Diff, each: Difference) -> Iterator[Note]:
    """How likely the other run is to be ahead once what the two list is judged, if that was asked for."""
    if each.chance is None or each.reversal is None:
        return
    better, worse = (found.b, found.a) if (each.difference > 0) == each.by.higher_is_better else (found.a, found.b)
    if each.reversal == "never":
        said = f'no judgments of documents that the two runs list put "{worse}" ahead of "{better}"'
    else:
        said = f'"{worse}" would be ahead of "{better}" with a chance of {each.reversal}'
        said = f"if all documents that the two runs list were judged, {said}, by a model of relevance"
    yield REVERSAL(said, measure=each.measure, chance=each.chance, reversal=each.reversal)


def _verdict(found: Diff, each: Difference) -> Note:
    text = f"{found.b} beats {found.a} on {each.wins} of {_topics(len(each.topics))}, loses on {each.losses}"
    if each.level:
        text += f", and is level on {each.level}"
    if each.undefined:
        text += f"; {_topics(each.undefined)} undefined"
    counts = {"wins": each.wins, "losses": each.losses, "level": each.level, "undefined": each.undefined}
    return WINS(f"{text}: {_means(each)}", measure=each.measure, **counts, difference=each.difference)


def _means(each: Difference) -> str:
    if math.isnan(each.difference):
        return "the means are undefined"
    # A difference that is rounding is none.
    means = (each.mean_a, each.mean_b if each.difference else each.mean_a)
    return f"{' to '.join(figures(means))} ({signed(each.difference)})"


def _alike(found: Diff, each: Difference) -> str:
    if each.undefined == len(each.topics):
        return f"undefined on all topics, so that {found.a} and {found.b} cannot be compared"
    if not math.isnan(each.difference) and each.difference:
        # Not every measure is a mean over topics: c@1 asks how many were answered.
        return f"no topic differs, but the means do: {_means(each)}"
    topics = _topics(len(each.topics))
    every = topics if len(each.topics) == 1 else f"all {topics}"
    same = f"{found.a} and {found.b} are the same for this measure on {every}"
    documents = each.top(each.by_impact)
    changed = {*documents.topic[documents.entered | documents.left | documents.moved].tolist()}
    if not changed:
        return f"{same}, and so is {first(each.depth)} of their lists"
    return f"{same}, although documents moved in {_topics(len(changed))}"


def _concentrated(found: Diff, each: Difference) -> Iterator[Note]:
    rests = each.concentration
    if rests is None:
        return
    b_leads = (each.difference > 0) == each.by.higher_is_better
    ahead, gains = (found.b, each.wins) if b_leads else (found.a, each.losses)
    if gains == 1:
        text = f"{ahead} gains on topic {rests.topic} only"
    else:
        text = f"half of what {ahead} gains comes from {_topics(rests.half)}"
    text += f"; without topic {rests.topic} the difference is {signed(rests.without)}"
    if rests.turning == 1:
        text += ", so that it rests on this topic"
    elif rests.turning * FRAGILE <= len(each.topics):
        text += f"; without the {rests.turning} topics of its largest gains it is not ahead"
    facts = {"half": rests.half, "topic": rests.topic, "without": rests.without, "turning": rests.turning}
    yield RESTS(text, measure=each.measure, **facts)


def _open(each: Difference) -> Iterator[Note]:
    if open_ := _depending(each, "ties"):
        least = "" if each.by_ties.exact else "at least "
        text = f"who is ahead depends on the order of ties in {least}{_named(open_)}"
        yield TIES(text, measure=each.measure, topics=len(open_))
    documents = each.top(each.by_impact)
    yield from _straddling(each, documents)
    which = documents.entered & documents.unjudged
    # Of a single topic it has been said.
    entered = int(which.sum()) if len(each.topics) > 1 else 0
    tied = bool((documents.b.above + documents.b.size)[which].max(initial=0) > each.depth)
    clauses = [_came(entered, each.depth, tied=tied)] if entered else []
    open_ = _depending(each, "unjudged")
    if open_ and each.by_unjudged is not None:
        exact = each.by_unjudged.exact
        depends = "depends on unjudged documents in" if exact else "may depend on unjudged documents in at most"
        clauses.append(f"who is ahead {depends} {_named(open_)}")
    elif entered and each.by_unjudged is not None:
        clauses.append("whatever they are, no topic turns from one run to the other")
    if clauses:
        yield UNJUDGED("; ".join(clauses), measure=each.measure, entered=entered, topics=len(open_))


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


def _reason(found: Diff, each: Difference, place: int) -> str:
    [documents] = each.by_topic(each.by_impact[each.by_impact == place], unjudged=False).values()
    last = [one.last_rank_b for one in documents if one.status == "entered" and not one.judged and one.last_rank_b]
    more = [_came(len(last), each.depth, tied=max(last) > each.depth)] if last else []
    return ", and ".join([reason(found, each, place, documents, most=2), *more])


def _came(entered: int, depth: int, *, tied: bool) -> str:
    """How many unjudged documents entered; of documents tied across the last rank only some can."""
    how = "entered, or with ties could have entered," if tied else "entered"
    return f"{counted(entered, 'unjudged document')} {how} {first(depth)}"


def reason(found: Diff, each: Difference, place: int, documents: Sequence[DiffDocument], *, most: int) -> str:
    """The documents with the largest impact of those that pull the way the topic went."""
    names = {"a": found.a, "b": found.b}
    if empty := each.listless(place):
        return f"{names[empty[0]]} has no documents for it" if len(empty) == 1 else "neither run has documents for it"
    way = float(each.differences[place])
    pulling = [one for one in documents if one.impact * way > 0]
    if not way or math.isnan(way):
        return ""
    if not pulling:
        return f"no document of {first(each.depth)} accounts for it"
    return ", ".join(f"{one.doc} ({_graded(one)}) {went(one)}" for one in pulling[:most])


def went(one: DiffDocument) -> str:
    """Where a document went, as the predicate of a sentence: "fell from rank 2 to 14"."""
    if one.ranks_a is None:
        return f"entered at rank {ranks(one.ranks_b)}"
    if one.ranks_b is None:
        return f"fell from rank {ranks(one.ranks_a)} out of the list"
    if one.ranks_a == one.ranks_b:
        how = "" if not one.impact else f", but adds {'more' if one.impact > 0 else 'less'}"
        return f"stays at rank {ranks(one.ranks_a)}{how}"
    steps = [after - before for before, after in zip(one.ranks_a, one.ranks_b, strict=True)]
    # Among tied documents one may come to stand higher or lower than it did.
    way = "rose" if max(steps) <= 0 else "fell" if min(steps) >= 0 else "went"
    return f"{way} from rank {ranks(one.ranks_a)} to {ranks(one.ranks_b)}"


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


def _graded(one: DiffDocument) -> str:
    return grade(one) if one.grade is None else f"grade {grade(one)}"


def _named(topics: Sequence[str]) -> str:
    return f"{_topics(len(topics))} ({named(topics)})"


def _topics(count: int) -> str:
    return counted(count, "topic")
