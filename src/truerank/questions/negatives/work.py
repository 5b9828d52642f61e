"""What is looked at in each run, and how samples of negatives order runs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from truerank.boards.work import Boards
from truerank.data.arrays import Floats, Rows, stretches
from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.data.parts import Part, part_field
from truerank.measures.core.base import Measure
from truerank.questions.negatives.question import ESTIMATES, SampledNegatives, SampledRun
from truerank.questions.negatives.sampled import Case, SampledWorth, among, worth
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

    worth: Floats = part_field(merge="per topic")
    """A row a topic, the fields of ``SampledWorth``; NaN without relevant documents."""


@dataclass(frozen=True, eq=False, kw_only=True)
class NegativesPart(RunPart):
    """A run."""

    worths: dict[str, WorthPart]
    relevant: int = part_field(merge="sum")
    unlisted: int = part_field(merge="sum")
    """Relevant documents that are not listed."""
    small: int = part_field(merge="sum")
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


def score_run(lens: Lens, measures: Sequence[Measure], *, how: Sampling) -> NegativesPart:
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


def summarise(track: Track, parts: Sequence[NegativesPart], how: Sampling) -> SampledNegatives:
    """What sampling does to the scores of all runs, and to their order."""
    # What a sample is drawn from is not known if lists are cut: whole ones would have the relevant documents, too.
    is_known = [how.corpus is not None or not part.is_cut for part in parts]
    variants = ESTIMATES if any(is_known) else ESTIMATES[:1]
    boards: list[Boards] = []
    board: list[SampledRun] = []
    for measure in track.measures:
        scores = [_mean(part, measure) for part in parts]
        means = {
            name: np.array([getattr(score, name) for score in scores])
            if name == "full"
            else np.array(
                [getattr(score, name) if known else math.nan for score, known in zip(scores, is_known, strict=True)]
            )
            for name in variants
        }
        one = Boards(measure, [part.run for part in parts], means, "full")
        boards.append(one)
        has_bounds = [bool(part.unlisted) or not known for part, known in zip(parts, is_known, strict=True)]
        counts = [_topics(part, measure) for part in parts]
        board += one.board(
            SampledRun,
            sampled_low=[score.low if some else None for score, some in zip(scores, has_bounds, strict=True)],
            sampled_high=[score.high if some else None for score, some in zip(scores, has_bounds, strict=True)],
            sampled_sd=_deviations([score.sampled_variance for score in scores], counts, is_known),
            corrected_sd=_deviations([score.corrected_variance for score in scores], counts, is_known),
        )
    return SampledNegatives(
        conventions=replace(track.conventions, no_relevant="skip"),
        wanted=track.measures,
        topics=track.topics,
        variants=variants,
        negatives=how.negatives,
        corpus=how.corpus,
        board=tuple(board),
        orders=tuple(row for one in boards for row in one.orders()),
        dependent=tuple(row for one in boards for row in one.dependent()),
        relevant=max((part.relevant for part in parts), default=0),
        unlisted=sum(part.unlisted for part in parts),
        small=sum(part.small for part in parts),
        notices=track.notes(parts),
    )


def _mean(part: NegativesPart, measure: Measure) -> SampledWorth:
    """Means over topics that have a value, summed as ``evaluate`` sums them, to the bit."""
    columns = [column[~np.isnan(column)] for column in part.worths[str(measure)].worth.T]
    return SampledWorth(*(float(column.sum() / len(column)) if len(column) else math.nan for column in columns))


def _topics(part: NegativesPart, measure: Measure) -> int:
    """How many topics have a score among a sample."""
    sampled = part.worths[str(measure)].worth[:, SampledWorth._fields.index("sampled")]
    return int((~np.isnan(sampled)).sum())


def _deviations(variances: list[float], topics: list[int], is_known: list[bool]) -> list[float | None]:
    """Standard deviations of means, from the mean variance of their terms."""
    return [
        math.sqrt(variance / max(count, 1)) if known else None
        for variance, count, known in zip(variances, topics, is_known, strict=True)
    ]
