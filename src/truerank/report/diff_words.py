"""Two runs side by side, in words."""

from __future__ import annotations

import math

from truerank.analysis.differences.difference import Difference
from truerank.analysis.differences.moved import Moved
from truerank.analysis.differences.results import Diff
from truerank.data.printing import counted
from truerank.report.table import DIGITS

NAMED = 3
"""Topics that a sentence names."""
NOTHING = 1e-12
"""A difference that comes from rounding."""
FRAGILE = 10
"""A difference that rests on one topic in so many, or fewer, is worth a word."""


def signed(value: float) -> str:
    """A difference as people read it.

    >>> signed(0.25), signed(-0.00001), signed(0.0)
    ('+0.2500', '-1e-05', '0.0000')
    """
    if math.isnan(value):
        return "undefined"
    if abs(value) <= NOTHING:
        return f"{0:.{DIGITS}f}"
    return f"{value:+.{DIGITS}f}" if abs(value) >= 0.5 * 10**-DIGITS else f"{value:+.0e}"


def said(found: Diff) -> list[str]:
    """What there is to know, measure by measure."""
    return [f"{name}: {line}" for name, each in found.items() for line in _said(found, each)]


def _said(found: Diff, each: Difference) -> list[str]:
    if not each.wins and not each.losses:
        return [_alike(found, each)]
    if len(each.topics) == 1:
        return [f"topic {each.topics[0]}, {_means(each)}: {_reason(found, each, 0)}", *_open(each)]
    lines = [_verdict(found, each)]
    lines += [f"the largest gain is {_topic(found, each, each.better(1)[0].topic)}"] if each.wins else []
    lines += [f"the largest loss is {_topic(found, each, each.worse(1)[0].topic)}"] if each.losses else []
    return [*lines, *_concentrated(found, each), *_open(each)]


def _verdict(found: Diff, each: Difference) -> str:
    level = f", and is level on {each.level}" * bool(each.level)
    none = f"; {_topics(each.undefined)} undefined" * bool(each.undefined)
    won = f"{found.b} beats {found.a} on {each.wins} of {_topics(len(each.topics))}, loses on {each.losses}"
    return f"{won}{level}{none}: {_means(each)}"


def _means(each: Difference) -> str:
    if math.isnan(each.difference):
        return "the means are undefined"
    return f"{each.mean_a:.{DIGITS}f} to {each.mean_b:.{DIGITS}f} ({signed(each.difference)})"


def _alike(found: Diff, each: Difference) -> str:
    documents = each.top(each.by_impact)
    changed = documents.entered | documents.left | documents.moved
    topics = len({*documents.topic[changed].tolist()})
    if each.undefined == len(each.topics):
        return f"undefined on all topics, so that {found.a} and {found.b} cannot be compared"
    if not math.isnan(each.difference) and each.difference:
        # Not every measure is a mean over topics: c@1 asks how many were answered.
        return f"no topic differs, but the means do: {_means(each)}"
    every = "all " * (len(each.topics) > 1) + _topics(len(each.topics))
    same = f"{found.a} and {found.b} are the same for this measure on {every}"
    if not topics:
        return f"{same}, and so is {first(each.depth)} of their lists"
    return f"{same}, although documents moved in {_topics(topics)}"


def _concentrated(found: Diff, each: Difference) -> list[str]:
    rests = each.concentration
    if rests is None:
        return []
    b_leads = (each.difference > 0) == each.measure.higher_is_better
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
    return [text]


def _open(each: Difference) -> list[str]:
    lines = []
    if open_ := [each.topics[at] for at in each.by_impact.tolist() if "ties" in each.depends_on(at)]:
        least = "" if each.by_ties.exact else "at least "
        lines.append(f"who is ahead depends on the order of ties in {least}{_named(open_)}")
    # Of a single topic it has been said.
    documents = each.top(each.by_impact)
    which = documents.entered & documents.unjudged
    entered = int(which.sum()) if len(each.topics) > 1 else 0
    came = _came(
        entered, each.depth, tied=bool((documents.b.above + documents.b.size)[which].max(initial=0) > each.depth)
    )
    bounds = each.by_unjudged
    if bounds is None:
        return [*lines, *([came] if entered else [])]
    if open_ := [each.topics[at] for at in each.by_impact.tolist() if "unjudged" in each.depends_on(at)]:
        depends = "depends on unjudged documents in" if bounds.exact else "may depend on unjudged documents in at most"
        lines.append(f"{came}; " * bool(entered) + f"who is ahead {depends} {_named(open_)}")
    elif entered:
        lines.append(f"{came}; whatever they are, no topic turns from one run to the other")
    return lines


def _topic(found: Diff, each: Difference, topic: str) -> str:
    place = each.topics.index(topic)
    return f"topic {topic} ({signed(float(each.differences[place]))}): {_reason(found, each, place)}"


def _reason(found: Diff, each: Difference, place: int) -> str:
    [(_, documents)] = each.by_topic(each.by_impact[each.by_impact == place], unjudged=False)
    last = [one.ranks_b[1] for one in documents if one.status == "entered" and not one.judged and one.ranks_b]
    more = [_came(len(last), each.depth, tied=max(last) > each.depth)] if last else []
    return ", and ".join([reason(found, each, place, documents, most=2), *more])


def _came(entered: int, depth: int, *, tied: bool) -> str:
    """How many unjudged documents entered; of documents tied across the last rank only some can."""
    how = "entered, or with ties could have entered," if tied else "entered"
    return f"{counted(entered, 'unjudged document')} {how} {first(depth)}"


def reason(found: Diff, each: Difference, place: int, documents: list[Moved], *, most: int) -> str:
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
    return ", ".join(
        f"{one.doc} ({'grade ' * (one.grade is not None)}{grade(one)}) {went(one)}" for one in pulling[:most]
    )


def went(one: Moved) -> str:
    """Where a document went, as the predicate of a sentence.

    >>> went(Moved("q", "d", True, 1.0, "left", (2, 2), (14, 14), 9.0, 1.0, 0.5, 0.0, None))
    'fell from rank 2 to 14'
    """
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


def move(one: Moved) -> str:
    """Where a document went, in a word or two."""
    if one.status in ("entered", "left"):
        return one.status
    if one.ranks_a is None or one.ranks_b is None or one.ranks_a == one.ranks_b:
        return ""
    steps = (sum(one.ranks_a) - sum(one.ranks_b)) / 2
    if steps:
        return f"{'up' if steps > 0 else 'down'} {abs(steps):g}"
    return "tied" if one.ranks_b[0] < one.ranks_a[0] else "untied"


def ranks(ends: tuple[int, int] | None) -> str:
    """Ranks that a document can have.

    >>> ranks((3, 5)), ranks((3, 3)), ranks(None)
    ('3-5', '3', '-')
    """
    if ends is None:
        return "-"
    return str(ends[0]) if ends[0] == ends[1] else f"{ends[0]}-{ends[1]}"


def first(*depths: int) -> str:
    """The ranks that were looked at.

    >>> first(10), first(1)
    ('the top 10', 'the top 1')
    """
    return f"the top {' or '.join(map(str, sorted({*depths})))}"


def grade(one: Moved) -> str:
    """What is known of a document."""
    return "unjudged" if not one.judged else "judged" if one.grade is None else f"{one.grade:g}"


def _named(topics: list[str]) -> str:
    shown = ", ".join(topics[:NAMED]) + (", ..." if len(topics) > NAMED else "")
    return f"{_topics(len(topics))} ({shown})"


def _topics(count: int) -> str:
    return counted(count, "topic")
