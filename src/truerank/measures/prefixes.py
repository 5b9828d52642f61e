"""A measure for every truncation of a list."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.data.rankings import Rankings
from truerank.expectation.kept import kept, with_gain
from truerank.expectation.opaque import Opaque
from truerank.measures.base import Binary, Measure
from truerank.measures.curves import running_terms, values
from truerank.measures.summands import summands
from truerank.measures.wrapped import core


def prefixes(measure: Measure, r: Rankings, longest: int | None = None) -> Floats:
    """Values of a measure for lists cut after their first 0, 1, ..., ``longest`` documents, one row a topic.

    Each is what the measure says of a run that had listed these documents only; a terminal document moves up with the
    end of the list. Where the cut goes through a tie group it is the mean over all orders. Past the end of a list, and
    where the measure is undefined, it is NaN.

    >>> from truerank.measures.f import F
    >>> prefixes(F(), Rankings.single([1, 0, 1], pool=[1, 1])).round(4).tolist()
    [[0.0, 0.6667, 0.5, 0.8]]
    """
    measure = core(measure)
    refuse(measure, r)
    longest = int(r.length.max(initial=0)) if longest is None else longest
    lengths = np.arange(longest + 1)[None, :]
    terms = running_terms(measure, r)
    found = values(measure, terms, r, lengths, measure.depth(r)) if terms else _one_by_one(measure, r, longest)
    return np.where(lengths <= r.length[:, None], found, np.nan)


def in_one_pass(measure: Measure, r: Rankings) -> bool:
    """Whether a measure is a sum over ranks, so that running sums give all lengths; others are scored at each.

    >>> from truerank.measures.ap import AP
    >>> from truerank.measures.auc import AUC
    >>> in_one_pass(AP(), Rankings.single([1, 0])), in_one_pass(AUC(), Rankings.single([1, 0]))
    (True, False)
    """
    return bool(running_terms(core(measure), r))


def refuse(measure: Measure, r: Rankings) -> None:
    """Refuse what a cut has no meaning for."""
    if not measure.reads_list:
        raise InputError(f"{measure} is the same for every list, however long it is; choose another measure")
    if r.terminal and not measure.takes_terminal:
        raise InputError(f"{measure} has no form with a terminal document; choose ending='none'")
    if not np.isnan(r.beyond):
        raise InputError("a list that is cut goes on with nothing; choose unjudged='nonrelevant' or 'condensed'")


def _one_by_one(measure: Measure, r: Rankings, longest: int) -> Floats:
    """Measures that are not sums over ranks: each length on its own."""
    if whole := summands(measure, r, Opaque):
        cuts: Floats = whole[0].cuts(r, measure.depth(r), longest)
        return cuts
    if r.tied and r.ties != "expected":
        raise InputError(f"{measure} has no {r.ties} order of ties for every length; choose ties='expected'")
    if isinstance(measure, Binary) and not measure.skips_unjudged and not r.terminal:
        r = with_gain(r, measure.gain(r))
    found = np.full((len(r.length), longest + 1), np.nan)
    for length in range(longest + 1):
        cut = kept(r, length)
        if len(cut.row):
            found[:, length] = cut.mean(measure.estimate(cut.rankings).value, len(r.length))
    return found
