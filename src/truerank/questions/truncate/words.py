"""What is said of best lengths, of the order of systems, and of what the paper reports on both."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from truerank.data.notes import Code, Note
from truerank.data.printing import percent
from truerank.questions.truncate.published import CUT, ONCE, STATEMENTS, Statement, published_tau
from truerank.report.digits import figures
from truerank.report.table import DIGITS

if TYPE_CHECKING:
    from truerank.questions.truncate.against import Against
    from truerank.questions.truncate.answer import Cuts

CUTTING = Code("TR441", "how many lists are best left empty or whole, and what cutting each at its best would do")
NO_LENGTH = Code("TR442", "a measure without a value in any list", "{measure} has no value in any list")
NO_CORRELATION = Code(
    "TR443",
    "lengths, or numbers of relevant documents, that are all the same",
    "{names}: lengths, or relevant documents, are all the same, so that there is no correlation",
)
SLOW = Code("TR444", "measures that score every length of a list on its own, which takes its time")
STATEMENT = Code("TR445", "what the paper says of best lengths, and what they are here")
UNREPORTED = Code("TR446", "measures that the paper reports nothing on", "the paper reports nothing on {names}")
LONE = Code("TR447", "a collection with one run", "{name} has one run, and an order needs two; tau is undefined")
NO_MEAN = Code("TR448", "a collection with undefined means", "{name} has runs without a mean; tau is undefined")
UNDEFINED = Code(
    "TR449",
    "how many taus are undefined",
    "{undefined} of {taus} taus are undefined, and left out of means and shares",
)
LEVEL = Code(
    "TR450",
    "taus without a p-value",
    "{level} of {taus} taus have no tau-b and no p-value, where all systems are level by a measure; "
    "they are left out of both",
)
SIGNIFICANT = Code("TR451", "how many taus are significant")
TAU_B = Code(
    "TR452",
    "how far tau-b is from tau-a",
    "tau-b, which corrects for ties, differs from tau-a by {gap:.2g} at most",
)
APART = Code(
    "TR453",
    "how far taus are from the paper's",
    "{cut}: {mean:.2f} from the paper's taus on average, {least:+.2f} to {most:+.2f}",
)
NO_TAU = Code(
    "TR454", "measures without a tau in the paper", "the paper has no tau of {names} with these measures of whole lists"
)
TOLERANCE = Code(
    "TR455",
    "lists whose best length the tolerance decides",
    "{measure}: in {lists} of {of:list} another length scores higher, by no more than the tolerance of {tolerance:g}; "
    "with --tolerance 0 the median best length is {exact:g}, not {median:g}",
)
LEVELS = {0.001: "87%", 0.01: "90%"}
"""Levels of significance that the paper counts at, and what it finds."""


def cutting(cuts: Cuts) -> Iterator[Note]:
    """What there is to know of each measure."""
    for measure in cuts.measures:
        yield _cutting(cuts, measure)
    yield from tolerated(cuts)
    flat = [measure for measure in cuts.measures if np.isnan(cuts.correlation(measure))]
    if flat:
        yield NO_CORRELATION(names=", ".join(flat))


def tolerated(cuts: Cuts) -> Iterator[Note]:
    """By which measures other lengths would be best without the tolerance."""
    for measure in cuts.measures:
        lengths, exact = cuts.lengths(measure), cuts.exact_lengths(measure)
        decided = int((lengths != exact).sum())
        if decided:
            yield TOLERANCE(
                measure=measure,
                lists=decided,
                of=len(lengths),
                tolerance=cuts.tolerance,
                median=float(np.median(lengths)),
                exact=float(np.median(exact)),
            )


def _cutting(cuts: Cuts, measure: str) -> Note:
    found = cuts.summary(measure)
    if not found.lists:
        return NO_LENGTH(measure=measure)
    runs = f", over {len(cuts)} runs," if len(cuts) > 1 else ""
    text = f"{measure}: the best length is 0 in {percent(found.silent)} of lists{_silence(cuts, measure)} "
    text += f"and the whole list in {percent(found.uncut)}; cutting each list at its best length would "
    if found.loss < 0.5 * 10**-DIGITS:
        text += f"leave the mean{runs} at {found.whole:.{DIGITS}f}"
    else:
        change = "raise" if found.best > found.whole else "lower"
        text += f"{change} the mean{runs} from {' to '.join(figures((found.whole, found.best)))}"
    return CUTTING(text, measure=measure, silent=found.silent, uncut=found.uncut, whole=found.whole, best=found.best)


def _silence(cuts: Cuts, measure: str) -> str:
    """Why silence is best, where it is for want of anything better or because nothing can be."""
    found = [*cuts.cuts(measure).values()]
    best, whole = (np.concatenate([getattr(cut, name)[cut.length == 0] for cut in found]) for name in ("best", "whole"))
    by = found[0].by
    if not len(best) or not by.higher_is_better:
        return ""
    if len(best) == len(cuts.lengths(measure)) and (best == by.at_zero).all() and by.at_zero == by.range[1]:
        return f" (an empty list scores {by.at_zero:g}, the most there is, by definition)"
    if not best.any() and not whole.any():
        return " (in all of them no length scores more than 0)"
    return ""


def slow(measures: Sequence[str], longest: int) -> Iterator[Note]:
    """What took its time."""
    if measures:
        are = "is no sum" if len(measures) == 1 else "are no sums"
        yield SLOW(
            f"{', '.join(measures)} {are} over ranks: each of up to {longest:,} lengths was scored on its own, which "
            "takes seconds a run",
            measures=[*measures],
            lengths=longest,
        )


def statements(collections: Sequence[Cuts]) -> Iterator[Note]:
    """What the paper says of best lengths, and what they are here: means over the collections, by measure."""
    known = collections[0].measures
    for one in STATEMENTS:
        here = {measure: share(collections, measure, one) for measure in one.measures if measure in known}
        if here:
            each = ", ".join(f"{measure} {percent(share)}" for measure, share in here.items())
            text = f"{one.what}: in the paper {one.paper}; here {_span(here.values())}"
            yield STATEMENT(
                f"{text} ({each})" if len(here) > 1 else text, statement=one.what, paper=one.paper, here=here
            )
    other = [measure for measure in known if measure not in (*CUT, *ONCE)]
    if other:
        yield UNREPORTED(names=", ".join(other))


def share(collections: Sequence[Cuts], measure: str, one: Statement) -> float:
    """The share of lists that a statement is about: the mean over collections."""
    return float(np.mean([_share(cuts, measure, one) for cuts in collections]))


def _share(cuts: Cuts, measure: str, one: Statement) -> float:
    lengths = cuts.lengths(measure)
    return float(np.mean((lengths >= one.low) & (lengths <= one.high))) if len(lengths) else float("nan")


def _span(shares: Collection[float]) -> str:
    low, high = percent(min(shares)), percent(max(shares))
    return low if low == high else f"{low.removesuffix('%')} to {high}"


def agreeing(found: Against) -> Iterator[Note]:
    """What makes a tau undefined, how many are significant, and how far they are from the paper's."""
    yield from _undefined(found)
    if all(one.p != one.p for one in found.taus):
        return
    for level, paper in LEVELS.items():
        text = f"{percent(found.significant(level))} of the taus are significant at {level:g}"
        text = f"{text} (in the paper {paper})" if found.published else text
        yield SIGNIFICANT(text, level=level, share=found.significant(level))
    yield TAU_B(gap=max((abs(one.tau - one.tau_b) for one in found.taus if one.tau_b == one.tau_b), default=0.0))
    if found.published:
        yield from _beside_the_paper(found)


def _undefined(found: Against) -> Iterator[Note]:
    """What makes a tau undefined."""
    lone = [name for name, cuts in found.collections.items() if len(cuts) < 2]
    lacking = dict.fromkeys(one.collection for one in found.taus if np.isnan(one.tau) and one.collection not in lone)
    yield from (LONE(name=name or "the collection") for name in lone)
    yield from (NO_MEAN(name=name or "the collection") for name in lacking)
    undefined = sum(np.isnan(one.tau) for one in found.taus)
    level = sum(np.isnan(one.p) for one in found.taus) - undefined
    if 0 < undefined < len(found.taus):
        yield UNDEFINED(undefined=undefined, taus=len(found.taus))
    if level:
        yield LEVEL(level=level, taus=len(found.taus))


def _beside_the_paper(found: Against) -> Iterator[Note]:
    apart = {cut: differences(found, cut) for cut in found.cut_measures}
    for cut, some in apart.items():
        if some:
            yield APART(cut=cut, mean=sum(map(abs, some)) / len(some), least=min(some), most=max(some))
    other = [cut for cut, some in apart.items() if not some]
    if other:
        yield NO_TAU(names=", ".join(other))


def differences(found: Against, cut: str) -> list[float]:
    """By how much each tau is above the paper's, where it has one."""
    pairs = [(found.tau(full, cut), published_tau(full, cut)) for full in found.whole_measures]
    return [here - there for here, there in pairs if there is not None and here == here]
