"""Two runs topic by topic, in a sentence."""

from __future__ import annotations

import math

from truerank.data.notes import Note
from truerank.data.printing import counted
from truerank.questions.common_topics import CommonPair
from truerank.questions.diff.question import Diff, Difference
from truerank.questions.diff.words import ALIKE, FRAGILE, TOPIC, said_of
from truerank.report.digits import decimals, rounded
from truerank.report.verdicts import per_measure


def verdict(answer: Diff) -> str:
    """On how many topics the second run wins, by how much, whether that is significant, and on what it rests."""
    found = per_measure({each.measure: _verdict(answer, each) for each in answer.differences})
    if answer.lacking is None:
        return found
    again = per_measure({one.measure: _again(one, answer.differences) for one in answer.on_common})
    return f"{answer.lacking.sentence}, which count as empty lists. {found} {answer.lacking.where}, {again}"


def _verdict(answer: Diff, each: Difference) -> str:
    if (not each.wins and not each.losses) or len(each.topics) == 1:
        [first, *_] = (note for note in said_of(answer, each) if note.code in (ALIKE.code, TOPIC.code))
        if first.code == TOPIC.code and math.isfinite(each.difference):
            return _one_topic(answer, each, first)
        return f"{str(first)[:1].upper()}{str(first)[1:]}."
    undefined = f"; {counted(each.undefined, 'topic')} undefined" if each.undefined else ""
    ties = f"loses {each.losses} and ties {each.level}" if each.level else f"and loses {each.losses}"
    counts = f'"{answer.b}" wins {counted(each.wins, "topic")}{"," if each.level else ""} {ties}{undefined}'
    if math.isnan(each.difference):
        return f"{counts}. The means are undefined."
    return f"{counts}: {_size(each)}{_rests(answer, each)}"


def _one_topic(answer: Diff, each: Difference, note: Note) -> str:
    """The scores of both runs on the only topic, and the documents that made the difference."""
    facts = note.facts
    way = "rises" if each.difference > 0 else "falls"
    because = str(note).partition(f"({facts['difference']})")[2].removeprefix(": ")
    scores = f'from {facts["mean_a"]} ("{answer.a}") to {facts["mean_b"]} ("{answer.b}")'
    said = f"On topic {facts['topic']}, {each.measure} {way} {scores}"
    return f"{said}: {because}." if because else f"{said}."


def digits_of(each: Difference) -> int:
    """Decimals of a difference of means, from its interval."""
    return decimals((each.high - each.low) / 4)


def _size(each: Difference) -> str:
    digits = digits_of(each)
    found = f"{rounded(each.difference, digits, sign=True)} {each.measure}"
    if math.isnan(each.low):
        return f"{found}."
    ends = " to ".join(rounded(end, digits, sign=True) for end in (each.low, each.high))
    word = each.verdict if each.verdict == "not significant" else f"significantly {each.verdict}"
    return f"{found} (95% CI {ends}), {word}."


def _rests(answer: Diff, each: Difference) -> str:
    """Whether the difference rests on few topics."""
    rests = each.concentration
    if rests is None:
        return ""
    b_leads = (each.difference > 0) == each.by.higher_is_better
    if rests.turning * FRAGILE > len(each.topics) and rests.turning > 1:
        return " No single topic decides it."
    which = f"topic {rests.topic}" if rests.turning == 1 else f"its {rests.turning} largest {_ways(b_leads)}"
    return f" Without {which} it would not be {'ahead' if b_leads else 'behind'}."


def _ways(b_leads: bool) -> str:
    return "gains" if b_leads else "losses"


def _again(one: CommonPair, differences: tuple[Difference, ...]) -> str:
    """What comes out on the topics that both runs have results for."""
    if one.verdict == "the same":
        return "their scores are identical."
    each = next(each for each in differences if each.measure == one.measure)
    digits = digits_of(each)
    size = f"{rounded(one.difference, digits, sign=True)} {one.measure}"
    if one.verdict is None or one.low is None or one.high is None:
        return f"the difference is {size}."
    ends = " to ".join(rounded(end, digits, sign=True) for end in (one.low, one.high))
    word = one.verdict if one.verdict == "not significant" else f"significantly {one.verdict}"
    return f"the difference is {size} (95% CI {ends}), {word}."
