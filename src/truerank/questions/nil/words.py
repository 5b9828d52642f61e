"""What there is to know about silence, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from truerank.data.notes import Code, Note
from truerank.data.printing import counted, percent
from truerank.report.digits import figures
from truerank.report.table import DIGITS
from truerank.statistics.level import EQUAL

if TYPE_CHECKING:
    from truerank.measures.core.base import Measure
    from truerank.questions.nil.answer import Orderings, Silence

SHOWN = 10
"""Silent runs that are spoken of one by one."""

NIL_TOPICS = Code(
    "TR421",
    "how many topics have no answer, so that silence is right",
    "{nil} of {topics:topic} {nil:has|have} no answer: there silence is right",
)
NO_NIL_TOPICS = Code("TR422", "every topic has an answer", "every topic has an answer, so that silence is never right")
SILENT = Code("TR423", "on how many topics a run is silent, and how often rightly")
OTHERS = Code("TR424", "how many other runs are silent", "{runs:other run} {runs:is|are} silent on some topics")
NEVER = Code("TR425", "how many runs are never silent", "{runs:run} {runs:is|are} never silent")
NONE_SILENT = Code("TR426", "no run is silent", "no run is silent on any topic")
LONGER = Code(
    "TR427",
    "lists with more documents than a list could have",
    "{lists:list} {lists:has|have} more documents than the limit of {limit:,}, which cuts no list; if lists could be "
    "longer, give a higher limit",
)
LISTED = Code("TR428", "how many lists have a NIL", "{runs:run} {runs:lists|list} NIL, in {nil} of {lists} lists")
UNLISTED = Code("TR429", "no list has a NIL", "no run lists a NIL, so that lists end where they do")
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
NONE_ENDED = Code(
    "TR432",
    "no list was ended by its system",
    "no list is shorter than {limit:,}, so that none has a terminal document",
)
ENDED = Code("TR433", "how many lists were ended by their systems")
MOVED = Code("TR434", "what taking truncation into account does to scores, and to the order of runs")

NO_CUTOFF = Code(
    "TR435",
    "a measure without a cutoff beside a limit",
    "{measure} has no cutoff: its ideal list goes on past the limit of {limit:,}, where no list can follow; Liu et al. "
    "take {instead}",
)
EARNED = Code("TR436", "what each kind of ending earned, over all runs")
HEDGED = Code("TR437", "runs that have a NIL beside documents in all their lists, whatever the topic")


def topics(found: Silence) -> Note:
    """How many topics have no answer."""
    none = len(found.nil_topics)
    return NIL_TOPICS(nil=none, topics=len(found.topics)) if none else NO_NIL_TOPICS(topics=len(found.topics))


def silences(found: Silence) -> Iterator[Note]:
    """Which runs are silent, those that are so most often first, and how often they are right."""
    silent = sorted((row for row in found.silences if row.silences), key=lambda row: -row.silences)
    if not silent:
        yield NONE_SILENT()
        return
    for row in silent[:SHOWN]:
        text = f"{row.run} is silent on {counted(row.silences, 'topic')}, {_how(row.right_silences, row.silences)}"
        yield SILENT(text, run=row.run, topics=row.silences, rightly=row.right_silences)
    if len(silent) > SHOWN:
        yield OTHERS(runs=len(silent) - SHOWN)
    if len(silent) < len(found):
        yield NEVER(runs=len(found) - len(silent))


def _how(right: int, every: int) -> str:
    if every == 1:
        return "rightly" if right else "wrongly"
    if right in (0, every):
        return "all of them rightly" if right else "none of them rightly"
    return f"{right} of them rightly"


def longer(found: Silence) -> Iterator[Note]:
    """Lists with more documents than a list could have."""
    limit = found.modified.limit
    if limit is None:
        return
    lists = sum(int((row.before - row.has_nil > limit).sum()) for row in found.silences)
    if lists:
        yield LONGER(lists=lists, limit=limit)


def lists(found: Silence) -> Iterator[Note]:
    """Which lists have a NIL, and which were ended by their systems."""
    every = sum(len(row.before) for row in found.silences)
    marked = sum(row.nil for row in found.silences)
    if marked:
        yield LISTED(runs=sum(row.nil > 0 for row in found.silences), nil=marked, lists=every)
    else:
        yield UNLISTED()
    limit, longest = found.modified.limit, found.longest
    if limit is None:
        yield NO_LIMIT(longest=longest)
        return
    if limit > longest:
        yield FAR_LIMIT(limit=limit, longest=longest)
    ended = sum(int(row.was_ended.sum()) for row in found.silences)
    if ended:
        how = "by a NIL, or " if marked else ""
        yield ENDED(
            f"{ended} of {every} lists ({percent(ended / every)}) were ended by their systems, {how}before "
            f"{counted(limit, 'document')}",
            ended=ended,
            lists=every,
            limit=limit,
        )
    else:
        yield NONE_ENDED(limit=limit)


def hedged(found: Silence) -> Iterator[Note]:
    """Which runs hedge."""
    for one in found.hedgers[:SHOWN]:
        where = f"rank {one.first}" if one.first == one.last else f"ranks {one.first} to {one.last}"
        text = f"{one.run} hedges: NIL beside documents at {where} of every list ({one.lists:,})"
        yield HEDGED(text, run=one.run, lists=one.lists, first=one.first, last=one.last)
    if more := found.hedgers[SHOWN:]:
        yield HEDGED(f"{counted(len(more), 'other run')} hedge", runs=[one.run for one in more])


def earned(found: Silence, measure: Measure) -> Note:
    """What each kind of ending earned on average over runs, what moved scores most first."""
    name = str(measure)
    if not measure.averages:
        return EARNED(f"{name} is no mean over topics, so that topics do not add up to it", measure=name)
    total: dict[str, tuple[float, int]] = {}
    for row in found.earned:
        if row.measure == name:
            adds, lists = total.get(row.kind, (0.0, 0))
            total[row.kind] = (adds + row.adds, lists + row.lists)
    runs, least = len(found), 0.5 * 10**-DIGITS
    kinds = sorted(total, key=lambda kind: (-abs(total[kind][0]), kind))
    said = [
        f"{kind} {total[kind][0] / runs:+.{DIGITS}f} ({counted(total[kind][1], 'list')})"
        for kind in kinds
        if abs(total[kind][0] / runs) >= least
    ]
    facts = {kind: adds / runs for kind, (adds, _) in total.items()}
    mean = ", mean over runs" if runs > 1 else ""
    text = ", ".join(said) or "no kind of ending changes the score"
    return EARNED(f"{name}{mean}: {text}", measure=name, adds=facts)


def order(found: Silence, measure: str) -> Note:
    """What taking truncation into account does to scores by a measure, and to the order of runs."""
    shifts = [run[measure] for run in found.values()]
    known = [shift for shift in shifts if shift.difference == shift.difference]
    if not known:
        return MOVED(f"{measure} has no value for any run", measure=measure)
    both, most = found.orderings[measure], max(known, key=lambda shift: abs(shift.difference))
    facts = {"measure": measure, "run": most.run, "original": most.original, "modified": most.modified}
    facts |= {"kendall_a": both.kendall_a, "inverted": both.inverted, "pairs": both.pairs}
    begin = f"{measure}: taking truncation into account"
    if abs(most.difference) < 0.5 * 10**-DIGITS:
        return MOVED(f"{begin} changes no score{_tied(both)}", **facts)
    begin += f" moves {most.run} from {' to '.join(figures((most.original, most.modified)))}"
    if len(known) == 1:
        return MOVED(begin, **facts)
    return MOVED(f"{begin}, the most of any run; tau {both.kendall_a:.3f}, {_inverted(both)}", **facts)


def _inverted(both: Orderings) -> str:
    if not both.inversions:
        return f"no pair of runs is inverted{_tied(both)}"
    top = both.inversions[0]
    how = "are inverted, most of all" if both.inverted > 1 else "is inverted:"
    return (
        f"{both.inverted} of {both.pairs} pairs of runs {how} {top.better} (ahead by {top.original:.{DIGITS}f}) and "
        f"{top.worse} (then ahead by {top.modified:.{DIGITS}f})"
    )


def _tied(both: Orderings) -> str:
    """Why correlations are below 1 although nothing is inverted."""
    if both.inversions or not min(both.kendall_a, both.tau_ap) < 1 - EQUAL:
        return ""
    corrected = f" (tau-b is {both.kendall_b:.3f})" if both.kendall_b == both.kendall_b else ""
    return f"; tau-a and tau-AP are below 1 because runs are tied{corrected}"
