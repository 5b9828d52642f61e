"""What is looked at in each run, and how samples of negatives order runs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from truerank.data.arrays import Floats, Rows, stretches
from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.data.parts import Part, per_topic
from truerank.data.parts import added as summed
from truerank.measures.core.base import Measure
from truerank.questions.negatives.answer import SampledNegatives, SampledOrder, SampledScore
from truerank.questions.negatives.sampled import Case, SampledWorth, among, worth
from truerank.questions.nil.work import places
from truerank.statistics.correlations import kendall_b
from truerank.statistics.level import level
from truerank.statistics.pairs import every_pair
from truerank.track.facts import RunPart, observe
from truerank.track.lens import Lens
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
    unlisted: int = summed()
    """Relevant documents that are not listed."""
    small: int = summed()
    """Lists with fewer negatives than the sample has."""

    @property
    def is_cut(self) -> bool:
        """Whether its lists do not have all documents that a sample is drawn from."""
        return self.unlisted + self.small > 0


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
    each = [*dict.fromkeys(cases)]
    number = {case: at for at, case in enumerate(each)}
    of = np.array([number[case] for case in cases], np.intp)
    worths = {}
    for measure in measures:
        known = [worth(case, measure, how.negatives, how.variance, how.prior) for case in each]
        found = np.array(known, np.float64).reshape(len(known), len(SampledWorth._fields))[of]
        count = np.bincount(place, minlength=len(lens.topics)).astype(np.float64)
        sums = np.array([np.bincount(place, column, len(lens.topics)) for column in found.T]).T
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = sums.reshape(len(lens.topics), len(SampledWorth._fields)) / count[:, None]
            # Variances of a mean: those of its terms over the square of their number.
            for name in ("sampled_variance", "corrected_variance"):
                mean[:, SampledWorth._fields.index(name)] /= count
        worths[str(measure)] = WorthPart(topics=lens.topics, worth=mean)
    return observe(
        lens,
        {},
        ties=False,
        kind=NegativesPart,
        worths=worths,
        relevant=len(cases),
        unlisted=sum(not case.hit for case in cases),
        small=small,
    )


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
        unlisted = None if how.corpus is None else how.corpus - relevant - listed
        if unlisted is not None and unlisted < 0:
            raise InputError(
                f"topic {text(judged.qrels.topics[index])} of {lens.name} has {listed + relevant:,} documents and "
                f"corpus is {how.corpus:,}; give the number of all documents"
            )
        small += listed + (unlisted or 0) < how.negatives
        for one in range(len(rows)):
            better, level_ = int((above < above[one]).sum()), int((above == above[one]).sum())
            cases.append(Case(listed, int(above[one]) - better, int(size[one]) - level_, unlisted, hit=True))
        cases += [Case(listed, listed, 0, unlisted, hit=False)] * (relevant - len(rows))
        place += [number] * relevant
    return cases, np.array(place, np.intp), small


def conclude(track: Track, parts: Sequence[NegativesPart], how: Sampling) -> SampledNegatives:
    """What sampling does to the scores of all runs, and to their order."""
    scores: list[SampledScore] = []
    orders: list[SampledOrder] = []
    for measure in track.measures:
        rows = [_score(part, measure, how) for part in parts]
        merits = [
            level(measure.sign * np.array([getattr(row, name) for row in rows], np.float64))
            for name in ("full", "sampled", "corrected")
        ]
        ranked = [
            replace(row, full_rank=full, sampled_rank=sampled, corrected_rank=mended)
            for row, full, sampled, mended in zip(rows, *map(places, merits), strict=True)
        ]
        scores += sorted(ranked, key=lambda row: row.full_rank or len(ranked) + 1)
        orders.append(_order(measure, *merits))
    return SampledNegatives(
        conventions=replace(track.conventions, no_relevant="skip"),
        wanted=track.measures,
        topics=track.topics,
        negatives=how.negatives,
        corpus=how.corpus,
        scores=tuple(scores),
        orders=tuple(orders),
        relevant=max((part.relevant for part in parts), default=0),
        unlisted=sum(part.unlisted for part in parts),
        small=sum(part.small for part in parts),
        notices=track.notes(parts),
    )


def _score(part: NegativesPart, measure: Measure, how: Sampling) -> SampledScore:
    columns = [column[~np.isnan(column)] for column in part.worths[str(measure)].worth.T]
    # Summed as ``evaluate`` sums values of topics, to the bit.
    mean = SampledWorth(*(float(column.sum() / len(column)) if len(column) else math.nan for column in columns))
    count = len(columns[SampledWorth._fields.index("sampled")])
    # What a sample is drawn from is not known if lists are cut: whole ones would have the relevant documents, too.
    known = how.corpus is not None or not part.is_cut
    ends = (mean.low, mean.high) if part.unlisted or not known else (None, None)
    return SampledScore(
        measure=str(measure),
        run=part.run,
        full=mean.full,
        sampled=mean.sampled if known else None,
        sampled_low=ends[0],
        sampled_high=ends[1],
        sampled_sd=math.sqrt(mean.sampled_variance / max(count, 1)) if known else None,
        corrected=mean.corrected if known else None,
        corrected_sd=math.sqrt(mean.corrected_variance / max(count, 1)) if known else None,
        full_rank=None,
        sampled_rank=None,
        corrected_rank=None,
    )


def _order(measure: Measure, full: Floats, sampled: Floats, mended: Floats) -> SampledOrder:
    known = ~np.isnan(full) & ~np.isnan(sampled)
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
