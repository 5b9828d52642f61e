"""What is looked at in each run, and what is open of the order of systems."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from truerank.data.arrays import Floats, Mask, Rows
from truerank.data.errors import InputError
from truerank.data.parts import part_field
from truerank.data.qrels import Preferences
from truerank.measures.core.base import Measure
from truerank.questions.unjudged.abundance import abundance
from truerank.questions.unjudged.next import OpenDocuments, open_documents
from truerank.questions.unjudged.outlook import Outlook
from truerank.questions.unjudged.question import (
    Judgment,
    OpenScore,
    TopicRelevant,
    Unjudged,
    UnjudgedPair,
)
from truerank.questions.unjudged.relevance import Relevance, RunRanks, Worlds, ranks_in
from truerank.statistics.level import EQUAL, level
from truerank.statistics.pairs import every_pair
from truerank.track.facts import RunPart, judged_share, listed_topics, observe
from truerank.track.lens import Lens
from truerank.track.outcomes import OutcomeRanges, differences, outcomes
from truerank.track.track import Track
from truerank.track.values import Values, residual, values


@dataclass(frozen=True, eq=False, kw_only=True)
class UnjudgedPart(RunPart):
    """A run: how much of it is judged, and its scores without what is not."""

    judged_at: dict[int, Floats] = part_field(merge="per topic")
    """By cutoff, the share of judged documents in each list."""
    judged_share: Floats = part_field(merge="per topic")
    """The same of whole lists."""
    condensed: dict[str, Values]
    """By measure, the values of lists without unjudged documents."""
    residual: dict[str, Values]
    """By measure, the values with all and none of the unjudged documents relevant, and all else as it is."""
    outcomes: dict[str, OutcomeRanges]
    """By measure, what values can come to."""
    to_judge: OpenDocuments | None
    """Unjudged documents that are listed high enough, where they are asked for."""
    ranks: RunRanks | None
    """What the model of relevance knows of the run, where it is asked."""


def cutoffs(given: int | Iterable[int]) -> tuple[int, ...]:
    """Depths that judged documents are counted to, each once and in order."""
    found = sorted({given} if isinstance(given, int) else set(given))
    for k in found:
        if isinstance(k, bool) or not isinstance(k, int) or k < 1:
            raise InputError(f"a cutoff is a whole number from 1 on, not {k!r}")
    return tuple(found)


def refuse_preferences(track: Track) -> None:
    """Refuse judgments that leave nothing unjudged."""
    if isinstance(track.judgments, Preferences):
        raise InputError("preferences have no unjudged documents; give qrels (four columns: topic, -, document, grade)")


def score_run(
    lens: Lens, measures: Sequence[Measure], *, cutoffs: Sequence[int], deepest: int | None, draws: int
) -> UnjudgedPart:
    """What is kept of a run; ``deepest`` is how far documents to judge are looked for, if they are."""
    found = {str(measure): values(lens, measure) for measure in measures}
    listed = listed_topics(lens)
    return observe(
        lens,
        found,
        kind=UnjudgedPart,
        judged_at={k: judged_share(lens, k)[listed] for k in cutoffs},
        judged_share=judged_share(lens)[listed],
        condensed={
            name: one.instead(lens.estimate(one.measure, unjudged="condensed").value) for name, one in found.items()
        },
        residual={name: residual(lens, one.measure) for name, one in found.items()},
        outcomes={name: outcomes(lens, one.measure) for name, one in found.items() if one.measure.has_bounds},
        # Where the end of a list is an answer, so is a NIL: neither it nor what it cuts off is asked for.
        to_judge=None
        if deepest is None
        else open_documents(lens.until_nil() if lens.conventions.ends_for(measures[0]) else lens, measures[0], deepest),
        ranks=ranks_in(lens, measures) if draws else None,
    )


def standings(track: Track, parts: Sequence[UnjudgedPart]) -> dict[Measure, Standing]:
    """By measure, the runs in their order, and what is open of it."""
    return {measure: Standing.of(track, parts, measure) for measure in track.measures}


def summarise(
    track: Track,
    parts: Sequence[UnjudgedPart],
    found: Mapping[Measure, Standing],
    outlook: Outlook | None,
    to_judge: tuple[Judgment, ...] | None,
    depth: int | None,
    no_model: str | None,
) -> Unjudged:
    """What is open of the scores of all runs, and of their order."""
    return Unjudged(
        conventions=track.conventions,
        wanted=track.measures,
        topics=track.topics,
        open_scores=tuple(row for one in found.values() for row in one.rows(outlook)),
        pairs=tuple(pair for one in found.values() for pair in one.pairs(outlook)),
        to_judge=to_judge,
        depth=depth,
        candidates=len({pair for part in parts if part.to_judge is not None for pair in part.to_judge.documents()}),
        draws=outlook.worlds.count if outlook is not None and outlook.scores else 0,
        no_model=no_model,
        only_relevant=track.judgments.only_relevant,
        relevant=() if outlook is None else estimates(track, outlook.model, outlook.worlds),
        notices=track.notes(parts),
    )


def _score(track: Track, part: UnjudgedPart, measure: Measure) -> OpenScore:
    choice, found = track.conventions, part.values[str(measure)]
    low = high = ends = None
    if measure.has_bounds:
        low, high = found.bounds(choice) or (None, None)
        ends = part.residual[str(measure)].bounds(choice)
    return OpenScore(
        measure=str(measure),
        run=part.run,
        judged_at={k: _over_lists(part, shares) for k, shares in part.judged_at.items()},
        judged=_over_lists(part, part.judged_share),
        score=found.summary(choice),
        condensed=part.condensed[str(measure)].summary(choice),
        low=low,
        high=high,
        residual=None if ends is None else ends[1] - ends[0],
    )


def _over_lists(part: UnjudgedPart, shares: Floats) -> float:
    """The mean over lists with documents; NaN for a run without any."""
    return float(shares[part.lists].sum() / part.lists.sum()) if part.lists.any() else math.nan


@dataclass(frozen=True, eq=False)
class Standing:
    """Runs by a measure, best first, and what differences of each pair of them can come to."""

    measure: Measure
    scores: list[OpenScore]
    """Undefined ones last."""
    order: list[int]
    """The number of each run in the track."""
    placed: Rows
    """Numbers of those that have bounds, and so places."""
    low: Floats
    """By how much, for each two of these, the one of the column is better than the one of the row at least."""

    @classmethod
    def of(cls, track: Track, parts: Sequence[UnjudgedPart], measure: Measure) -> Standing:
        """All runs by a measure."""
        rows = [_score(track, part, measure) for part in parts]
        order = np.argsort(-level([measure.sign * row.score for row in rows]), kind="stable").tolist()
        rows, parts = [rows[at] for at in order], [parts[at] for at in order]
        placed = np.array([at for at, row in enumerate(rows) if not _is_nan(row.low)], np.intp)
        low = np.zeros((len(placed), len(placed)))
        for one, other in zip(*every_pair(len(placed)), strict=True):
            ends = difference_of_means(track, parts[placed[one]], parts[placed[other]], measure)
            low[one, other], high = sorted(measure.sign * end for end in ends)
            low[other, one] = -high
        return cls(measure, rows, order, placed, low)

    @cached_property
    def score(self) -> Floats:
        """The scores of the runs that have places, the higher the better."""
        return np.array([self.measure.sign * self.scores[at].score for at in self.placed.tolist()], np.float64)

    def rows(self, outlook: Outlook | None) -> list[OpenScore]:
        """The scores with the places of their runs, where these have bounds, and what is likely of them."""
        certain, possible = self.low > EQUAL, -self.low.T > EQUAL
        merit = level(self.score)
        rank = 1 + (merit[None, :] > merit[:, None]).sum(axis=1)
        both = self.open.sum(axis=1)
        rows = list(self.scores)
        for one, at in enumerate(self.placed.tolist()):
            rows[at] = replace(
                rows[at],
                rank=int(rank[one]),
                best_rank=1 + int(certain[one].sum()),
                worst_rank=1 + int(possible[one].sum()),
                undecided=int(both[one]),
            )
        if outlook is None or self.measure not in outlook.scores:
            return rows
        return [_likely(row, outlook, self.measure, run) for row, run in zip(rows, self.order, strict=True)]

    @property
    def open(self) -> Mask:
        """For each two runs that have places, whether each may be above the other."""
        possible = -self.low.T > EQUAL
        found: Mask = possible & possible.T
        return found

    def doubt(self, outlook: Outlook | None) -> Floats:
        """For each two runs of the track the chance that their order is wrong now; of runs that are level, either."""
        number = [self.order[at] for at in self.placed.tolist()]
        merit = level(self.score)
        found = np.zeros((len(self.order), len(self.order)))
        for one, other in zip(*(each.tolist() for each in np.nonzero(self.open)), strict=True):
            if merit[one] >= merit[other]:
                chance = self._chance(outlook, one, other)
                found[number[one], number[other]] = 0.5 if chance is None else chance
        both: Floats = found + found.T
        return both

    def pairs(self, outlook: Outlook | None) -> list[UnjudgedPair]:
        """All pairs of runs that have bounds; undecided ones first."""
        if len(self.placed) < 2:
            return []
        names = [self.scores[at].run for at in self.placed.tolist()]
        one, other = every_pair(len(names))
        # Of equal runs, and where one has no score yet, the one that cannot fall behind comes first, if there is one.
        merit = level(self.score)
        swapped = np.where(
            (merit[one] == merit[other]) | np.isnan(merit[one] - merit[other]),
            (self.low[one, other] > -EQUAL) & (self.low[other, one] < -EQUAL),
            merit[one] < merit[other],
        )
        better, worse = np.where(swapped, (other, one), (one, other))
        ahead = -self.low[worse, better]
        undecided = (ahead > EQUAL) & (-self.low[better, worse] > EQUAL)
        order = np.lexsort((-ahead, ~undecided))
        found = zip(order.tolist(), better[order].tolist(), worse[order].tolist(), strict=True)
        return [self._pair(names, a, b, outlook, can_reverse=bool(undecided[pair])) for pair, a, b in found]

    def _pair(
        self, names: Sequence[str], better: int, worse: int, outlook: Outlook | None, *, can_reverse: bool
    ) -> UnjudgedPair:
        sign = self.measure.sign
        low, high = sorted((sign * self.low[worse, better], -sign * self.low[better, worse]))
        return UnjudgedPair(
            measure=str(self.measure),
            run=names[better],
            compared_with=names[worse],
            difference=float(sign * (self.score[better] - self.score[worse])),
            low=float(low),
            high=float(high),
            can_reverse=can_reverse,
            chance=self._chance(outlook, better, worse) if can_reverse else 0.0,
        )

    def _chance(self, outlook: Outlook | None, better: int, worse: int) -> float | None:
        """The chance that two runs that have places, the first of them the better, are reversed."""
        if outlook is None:
            return None
        one, other = (self.order[int(self.placed[at])] for at in (better, worse))
        return outlook.reversed(self.measure, one, other)


def _likely(row: OpenScore, outlook: Outlook, measure: Measure, run: int) -> OpenScore:
    """With what is likely of the score, within what is possible."""
    if (ends := outlook.interval(measure, run)) is None:
        return row
    low, high = ends
    if row.low is not None and row.high is not None:
        low, high = (min(max(end, row.low), row.high) for end in (low, high))
    return replace(row, likely_low=low, likely_high=high)


def estimates(track: Track, model: Relevance, worlds: Worlds) -> tuple[TopicRelevant, ...]:
    """How many relevant documents each topic has."""
    known = track.judgments.num_rel
    found = abundance(model.listed, worlds, known)
    return tuple(
        TopicRelevant(
            topic=topic,
            relevant=int(known[at]),
            estimate=float(found.estimate[at]),
            low=int(found.low[at]),
            high=int(found.high[at]),
            recaptured=float(known[at] + found.missed[at]),
        )
        for at, topic in enumerate(track.topics)
    )


def difference_of_means(track: Track, a: UnjudgedPart, b: UnjudgedPart, measure: Measure) -> tuple[float, float]:
    """The least and the most that the score of one run less that of another can come to."""
    choice, name = track.conventions, str(measure)
    one, other = a.values[name], b.values[name]
    same = np.array_equal(one.topics, other.topics) and np.array_equal(one.undefined, other.undefined)
    if not (measure.averages and same):
        (low, high), (least, most) = (found.bounds(choice) or (math.nan, math.nan) for found in (one, other))
        return least - high, most - low
    found = differences(a.outcomes[name], b.outcomes[name], measure.counts_as)
    ends = found.low, found.high
    if choice.skips_undefined:
        # A topic that has no value may have one later, or not.
        ends = (
            np.where(one.undefined, np.minimum(found.low, 0.0), found.low),
            np.where(one.undefined, np.maximum(found.high, 0.0), found.high),
        )
    count = max(len(one.kept(choice)), 1)
    return float(ends[0].sum()) / count, float(ends[1].sum()) / count


def _is_nan(value: float | None) -> bool:
    return value is None or math.isnan(value)
