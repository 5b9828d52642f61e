"""What is looked at in each run, and how samples of negatives order runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from truerank.data.arrays import Floats, Rows, stretches
from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.measures.core.base import Measure
from truerank.questions.negatives.answer import SampledNegatives, SampledOrder, SampledScore
from truerank.questions.negatives.sampled import Case, SampledWorth, among, worth
from truerank.questions.nil.work import places
from truerank.statistics.correlations import kendall_b
from truerank.statistics.level import level
from truerank.statistics.pairs import every_pair
from truerank.track.facts import RunPart, observe
from truerank.track.lens import Lens
from truerank.track.parts import Part, per_topic
from truerank.track.parts import added as summed
from truerank.track.track import Track


class Sampling(NamedTuple):
    """How negatives are sampled."""

    negatives: int
    corpus: int | None
    rel: float
    variance: float
    prior: str


@dataclass(frozen=True, eq=False, kw_only=True)
class WorthPart(Part):
    """What each list is worth by one measure."""

    worth: Floats = per_topic()
    """A row a topic, the fields of ``SampledWorth``; NaN without relevant documents."""


@dataclass(frozen=True, eq=False, kw_only=True)
class NegativesPart(RunPart):
    """A run."""

    worths: dict[str, WorthPart]
    relevant: int = summed()
    small: int = summed()


def refuse(measures: Sequence[Measure]) -> None:
    """Refuse measures that are no function of the rank of one relevant document."""
    for one in measures:
        core = among(one, 1).core
        if core.needs != "grades" or core.skips_unjudged or core.counts or core.needs_pool or not one.averages:
            raise InputError(
                f"{one} is more than the rank of one relevant document; take RR, Success@10, nDCG@10 or AP"
            )


def look(lens: Lens, measures: Sequence[Measure], *, how: Sampling) -> NegativesPart:
    """What is kept of a run."""
    cases, place, small = _cases(lens, how)
    each, of = np.unique(np.array(cases, np.int64).reshape(len(cases), 3), axis=0, return_inverse=True)
    worths = {}
    for measure in measures:
        known = [worth(Case(*row), measure, how.negatives, how.variance, how.prior) for row in each.tolist()]
        found = np.array(known, np.float64).reshape(len(known), len(SampledWorth._fields))[of.ravel()]
        count = np.bincount(place, minlength=len(lens.topics)).astype(np.float64)
        sums = np.array([np.bincount(place, column, len(lens.topics)) for column in found.T]).T
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = sums.reshape(len(lens.topics), len(SampledWorth._fields)) / count[:, None]
            # Variances of a mean: those of its terms over the square of their number.
            for name in ("sampled_variance", "corrected_variance"):
                mean[:, SampledWorth._fields.index(name)] /= count
        worths[str(measure)] = WorthPart(topics=lens.topics, worth=mean)
    return NegativesPart(**vars(observe(lens, {}, ties=False)), worths=worths, relevant=len(cases), small=small)


def _cases(lens: Lens, how: Sampling) -> tuple[list[Case], Rows, int]:
    """Every relevant document among the negatives of its topic, the place of its topic, and how many are short."""
    judged = lens.judged
    every = np.bincount(stretches(judged.qrels.offsets)[judged.qrels.grade >= how.rel], minlength=len(judged.length))
    cases: list[Case] = []
    place: list[int] = []
    small = 0
    for number, index in enumerate(lens.topics.tolist()):
        begin, end = judged.offsets[index : index + 2].tolist()
        rows = begin + np.flatnonzero(judged.grade[begin:end] >= how.rel)
        above, size = judged.above[rows], judged.size[rows]
        relevant = int(every[index])
        if not relevant:
            continue
        listed = int(judged.length[index]) - len(rows)
        total = listed if how.corpus is None else how.corpus - relevant
        if total < listed:
            raise InputError(
                f"topic {text(judged.qrels.topics[index])} of {lens.name} has {listed + relevant:,} documents and "
                f"corpus is {how.corpus:,}; give the number of all documents"
            )
        small += total <= how.negatives
        for one in range(len(rows)):
            better, level_ = int((above < above[one]).sum()), int((above == above[one]).sum())
            cases.append(Case(total, int(above[one]) - better, int(size[one]) - level_))
        cases += [Case(total, listed, total - listed)] * (relevant - len(rows))
        place += [number] * relevant
    return cases, np.array(place, np.int64), small


def conclude(track: Track, parts: Sequence[NegativesPart], how: Sampling) -> SampledNegatives:
    """What sampling does to the scores of all runs, and to their order."""
    scores: list[SampledScore] = []
    orders: list[SampledOrder] = []
    for measure in track.measures:
        rows = [_score(part, measure) for part in parts]
        merits = [
            level(measure.sign * np.array([getattr(row, name) for row in rows]))
            for name in ("full", "sampled", "corrected")
        ]
        ranked = [
            replace(row, full_rank=full, sampled_rank=sampled, corrected_rank=mended)
            for row, full, sampled, mended in zip(rows, *map(places, merits), strict=True)
        ]
        scores += sorted(ranked, key=lambda row: row.full_rank or len(ranked) + 1)
        orders.append(_order(measure, *merits))
    return SampledNegatives(
        conventions=track.conventions,
        wanted=track.measures,
        topics=track.topics,
        negatives=how.negatives,
        corpus=how.corpus,
        scores=tuple(scores),
        orders=tuple(orders),
        relevant=max((part.relevant for part in parts), default=0),
        small=sum(part.small for part in parts),
        notices=track.notes(parts),
    )


def _score(part: NegativesPart, measure: Measure) -> SampledScore:
    found = part.worths[str(measure)].worth
    found = found[~np.isnan(found[:, 0])]
    count = len(found)
    mean = SampledWorth(*(found.sum(axis=0) / count if count else np.full(found.shape[1], np.nan)).tolist())
    return SampledScore(
        measure=str(measure),
        run=part.run,
        full=mean.full,
        sampled=mean.sampled,
        sampled_sd=float(np.sqrt(mean.sampled_variance / max(count, 1))),
        corrected=mean.corrected,
        corrected_sd=float(np.sqrt(mean.corrected_variance / max(count, 1))),
        full_rank=None,
        sampled_rank=None,
        corrected_rank=None,
    )


def _order(measure: Measure, full: Floats, sampled: Floats, mended: Floats) -> SampledOrder:
    known = ~np.isnan(full)
    full, sampled, mended = full[known], sampled[known], mended[known]
    one, other = every_pair(len(full))
    apart = full[one] - full[other]
    inverted = [int((apart * (each[one] - each[other]) < 0).sum()) for each in (sampled, mended)]
    return SampledOrder(
        measure=str(measure),
        runs=len(full),
        kendall=kendall_b(full, sampled),
        corrected=kendall_b(full, mended),
        pairs=int((apart != 0).sum()),
        inverted=inverted[0],
        inverted_corrected=inverted[1],
    )
