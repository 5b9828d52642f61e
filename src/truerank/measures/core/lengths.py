"""A measure at every depth, and for every truncation of a list: in one pass where it is a sum over ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.data.rankings import Rankings
from truerank.expectation.kept import kept, with_gain
from truerank.expectation.ranks import picked
from truerank.expectation.term import Term
from truerank.measures.core.base import Binary, Measure, ratio


def curve(measure: Measure, r: Rankings, deepest: int) -> Floats:
    """Values of a measure at the depths 1 to ``deepest``, one row a topic; NaN where undefined.

    >>> from truerank.measures.ap import AP
    >>> curve(AP(), Rankings.single([1, 0, 1], pool=[1, 1]), 4).round(4).tolist()
    [[0.5, 0.5, 0.8333, 0.8333]]
    """
    if not measure.takes_cutoff:
        raise InputError(f"{measure} looks at the whole list and has no value at a depth; choose another measure")
    endless = replace(measure, cutoff=None)
    terms = _running_terms(endless, r)
    if not terms:
        every = [replace(measure, cutoff=depth).score(r) for depth in range(1, deepest + 1)]
        return np.stack(every, axis=-1) if every else np.empty((len(r.length), 0))
    depths = np.broadcast_to(np.arange(1, deepest + 1), (len(r.length), deepest))
    return _values(endless, terms, r, r.length[:, None], depths)


def prefixes(measure: Measure, r: Rankings, longest: int | None = None) -> Floats:
    """Values of a measure for lists cut after their first 0, 1, ..., ``longest`` documents, one row a topic.

    Each is what the measure says of a run that had listed these documents only; a terminal document moves up with the
    end of the list. Where the cut goes through a tie group it is the mean over all orders. Past the end of a list, and
    where the measure is undefined, it is NaN.

    >>> from truerank.measures.f import F
    >>> prefixes(F(), Rankings.single([1, 0, 1], pool=[1, 1])).round(4).tolist()
    [[0.0, 0.6667, 0.5, 0.8]]
    """
    measure = measure.core
    _refuse(measure, r)
    longest = int(r.length.max(initial=0)) if longest is None else longest
    lengths = np.arange(longest + 1)[None, :]
    terms = _running_terms(measure, r)
    found = _values(measure, terms, r, lengths, measure.depth(r)) if terms else _one_by_one(measure, r, longest)
    return np.where(lengths <= r.length[:, None], found, np.nan)


@dataclass(frozen=True, eq=False)
class PrefixSteps:
    """By how much the value of lists changes with each of their documents, and how much of that may be rounding.

    Values themselves have the rounding of their largest part: what a document far down adds may be lost in it.
    """

    change: Floats
    """Rows x documents; 0 past the end of a list."""
    rounding: Floats


def steps(measure: Measure, r: Rankings) -> PrefixSteps | None:
    """The steps between ``prefixes``; None where they are not known more exactly than these.

    >>> from truerank.measures.rbp import RBP
    >>> steps(RBP(p=0.5), Rankings.single([1, 0, 1])).change.tolist()
    [[0.5, 0.0, 0.125]]
    """
    measure = measure.core
    terms = _running_terms(measure, r)
    if not terms or not all(term.has_steps for term in terms):
        return None
    longest = int(r.length.max(initial=0))
    lengths, depth = np.arange(longest + 1)[None, :], measure.depth(r)
    below = measure.normaliser(replace(r, cuts=lengths), depth)
    divisor = np.ones((1, 1)) if below is None else np.asarray(below, np.float64)
    if not (divisor == divisor[:, :1]).all() or not (divisor > 0).all():
        return None
    change, size = np.zeros((2, len(r.length), longest))
    for term in terms:
        parts = [np.where(lengths[:, 1:] <= depth, term.steps(r, longest), 0.0)]
        if r.terminal:
            ends = np.where(lengths < depth, term.terminal(r, lengths, depth), 0.0)
            parts += [ends[:, 1:], -ends[:, :-1]]
        change += sum(parts)
        size += sum(map(np.abs, parts))
    listed = lengths[:, 1:] <= r.length[:, None]
    change, size = (np.where(listed, some, 0.0) / divisor[:, :1] for some in (change, size))
    return PrefixSteps(change, np.finfo(np.float64).eps * size)


def in_one_pass(measure: Measure, r: Rankings) -> bool:
    """Whether a measure is a sum over ranks, so that running sums give all lengths; others are scored at each.

    >>> from truerank.measures.ap import AP
    >>> from truerank.measures.auc import AUC
    >>> in_one_pass(AP(), Rankings.single([1, 0])), in_one_pass(AUC(), Rankings.single([1, 0]))
    (True, False)
    """
    return bool(_running_terms(measure.core, r))


def _running_terms(measure: Measure, r: Rankings) -> Sequence[Term]:
    """The terms of a measure, if running sums of them give it at every depth; otherwise none."""
    # A terminal document has no more than all there is, though more be found where unjudged ones are relevant.
    assumed = bool(r.terminal) and bool((r.grade[r.judgment < 0] > 0).any())
    if not np.isnan(r.beyond) or assumed:
        return ()
    terms = measure.summands(r)
    return terms if not r.terminal or all(term.takes_terminal for term in terms) else ()


def _values(measure: Measure, terms: Sequence[Term], r: Rankings, length: Rows, depth: Rows) -> Floats:
    """Values of a measure for lists cut at ``length`` and read down to ``depth``, whose columns are one or as many."""
    read = np.minimum(length, depth)
    deepest = int(read.max(initial=0))
    total = np.zeros((len(r.length), deepest + 1))
    for term in terms:
        total += term.curve(r, deepest)
    total = picked(total, read)
    if r.terminal:
        for term in terms:
            total += np.where(length < depth, term.terminal(r, length, depth), 0.0)
    below = measure.normaliser(replace(r, cuts=length), depth)
    if below is None:
        return total
    return ratio(total, np.broadcast_to(np.asarray(below, np.float64), total.shape), measure.at_zero)


def _refuse(measure: Measure, r: Rankings) -> None:
    """Refuse what a cut has no meaning for."""
    if not measure.reads_list:
        raise InputError(f"{measure} is the same for every list, however long it is; choose another measure")
    if r.terminal and not measure.takes_terminal:
        raise InputError(f"{measure} has no form with a terminal document; choose ending='none'")
    if not np.isnan(r.beyond):
        raise InputError("a list that is cut goes on with nothing; choose unjudged='nonrelevant' or 'condensed'")


def _one_by_one(measure: Measure, r: Rankings, longest: int) -> Floats:
    """Measures that are not sums over ranks: each length on its own."""
    own = measure.cuts(r, longest)
    if own is not None:
        return own
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
