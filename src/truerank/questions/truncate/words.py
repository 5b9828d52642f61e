"""What is said of best lengths, and of the order of systems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from truerank.data.notes import Code, Note
from truerank.data.printing import percent
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
TOLERANCE = Code(
    "TR455",
    "lists whose best length the tolerance decides",
    "{measure}: in {lists} of {of:list} another length scores higher, by no more than the tolerance of {tolerance:g}; "
    "with --tolerance 0 the median best length is {exact:g}, not {median:g}",
)
LEVELS = (0.001, 0.01)
"""Levels of significance at which taus are counted."""


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


def agreeing(found: Against) -> Iterator[Note]:
    """What makes a tau undefined, and how many are significant."""
    yield from _undefined(found)
    if all(one.p != one.p for one in found.taus):
        return
    for level in LEVELS:
        text = f"{percent(found.significant(level))} of the taus are significant at {level:g}"
        yield SIGNIFICANT(text, level=level, share=found.significant(level))
    yield TAU_B(gap=max((abs(one.tau - one.tau_b) for one in found.taus if one.tau_b == one.tau_b), default=0.0))


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
