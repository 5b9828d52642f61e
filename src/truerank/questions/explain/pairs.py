"""Measures of pairs of documents: what each better document has to do with the pairs in the wrong order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from truerank.data.arrays import Rows, distinct
from truerank.data.block import taken
from truerank.data.rankings import Rankings
from truerank.expectation.pair import Pair
from truerank.measures.auc import AUC
from truerank.measures.pref_loss import PrefLoss
from truerank.measures.weights import Flat
from truerank.questions.explain.divisor import Divisor
from truerank.questions.explain.parts import Parts, per_slot


def below_relevant(measure: AUC, r: Rankings) -> Parts:
    """AUC is a mean over relevant documents: the share of the others in the list that stand below each."""
    x = r.gains(measure.gain(r))
    others = (x == 0).astype(np.float64)
    count, relevant = float(others.sum()), float(r.relevant(measure.gain(r))[0, 0])
    if not count or not relevant:
        return Parts(how="sum", contribution=np.zeros(x.shape[1]), gain=x[0], start=np.nan)
    above = per_slot(Pair(Flat(), x, others), r, measure.depth(r), x[0])
    share = np.where(x[0] > 0, 1.0 - above / count, np.nan)
    return Parts(
        how="sum",
        contribution=np.where(x[0] > 0, share, 0.0) / relevant,
        gain=x[0],
        factor=share,
        named="others below",
        divisor=Divisor("R", relevant),
    )


def violated(measure: PrefLoss, r: Rankings) -> Parts:
    """Preference loss is a sum over preferred documents: the pairs that each loses, over all pairs."""
    pairs = _every_pair(r) if r.pairs is None else r.pairs
    slots = r.start.shape[1]
    if not len(pairs):
        return Parts(how="sum", contribution=np.zeros(slots), gain=np.zeros(slots), start=np.nan)
    better = distinct(pairs[:, 1])
    row = np.searchsorted(better, pairs[:, 1])
    apart = replace(taken(r, np.zeros(len(better), np.int64)), pairs=np.column_stack([row, pairs[:, 1:]]))
    lost = measure.score(apart)
    count = np.bincount(row).astype(np.float64)
    gain, factor = np.zeros(slots + 1), np.full(slots + 1, np.nan)
    # A document that was not retrieved has the slot -1.
    gain[better], factor[better] = count, lost
    contribution = gain * np.nan_to_num(factor) / len(pairs)
    return Parts(
        how="sum",
        contribution=contribution[:-1],
        gain=gain[:-1],
        factor=factor[:-1],
        named="lost",
        rest=float(contribution[-1]),
        divisor=Divisor("pairs", float(len(pairs))),
    )


def _every_pair(r: Rankings) -> Rows:
    """The preferences that grades stand for: rows of 0, slot of the better, slot of the worse, -1 if not retrieved."""
    known = np.flatnonzero(r.is_judged[0])
    grade = r.grade[0, known].clip(min=0.0)
    levels = distinct(np.append(r.pool[0], 0.0))
    there = (r.pool[0][:, None] == levels).sum(axis=0)
    there[0] = r.judged[0] - (r.pool[0] > 0).sum()
    absent = np.repeat(levels, there - (grade[:, None] == levels).sum(axis=0))
    grade, slot = np.append(grade, absent), np.append(known, np.full(len(absent), -1))
    better, worse = np.nonzero(grade[:, None] > grade)
    return np.column_stack([np.zeros(len(better), np.int64), slot[better], slot[worse]])
