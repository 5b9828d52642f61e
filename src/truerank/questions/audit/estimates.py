"""What a sample of human judgments says by one measure: of the scores of runs, and of their differences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from truerank.data.arrays import Floats, Mask, Rows
from truerank.measures.core.base import Measure
from truerank.questions.audit.question import AuditedPair, AuditedScore, AuditGate, AuditPlan, GradeMeaning
from truerank.questions.audit.sample import HumanJudgments
from truerank.statistics.corrections import holm
from truerank.statistics.pairs import every_pair
from truerank.statistics.sampled import GroupMeans, Totals, chances, of_units, totals, with_floor
from truerank.statistics.special import normal_quantile

_STEPS = (50, 100, 200, 300, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000, 7_500, 10_000)
_BLOCK = 256
"""Pairs of runs that are weighed at a time."""


class Estimates:
    """Estimates under human judgments by one measure."""

    measure: Measure
    asked: HumanJudgments
    names: list[str]
    machine: Floats

    def totals(self, *, alone: bool = False) -> Totals:
        """The scores of all runs; by people ``alone``, or with the machine."""
        raise NotImplementedError

    def apart(self, one: Rows, other: Rows) -> Totals:
        """The differences of pairs of runs."""
        raise NotImplementedError

    @cached_property
    def order(self) -> list[int]:
        """The runs, the best first; those that nothing is known of last."""
        merit = self.measure.sign * self.totals().estimate
        found: list[int] = np.argsort(-np.nan_to_num(merit, nan=-np.inf), kind="stable").tolist()
        return found

    def passes(self) -> Iterator[AuditGate]:
        """How each run does at the gate."""
        aim = self.asked.aim
        base = self.names.index(aim.gate or "")
        others = np.array([at for at in range(len(self.names)) if at != base], np.intp)
        found = self.apart(others, np.full(len(others), base))
        low, high = found.ends(aim.confidence)
        for at, run in enumerate(others.tolist()):
            ends = sorted((self.measure.sign * low[at], self.measure.sign * high[at]))
            # Nothing known is no proof that a run is no worse, nor that it is.
            passed = ends[0] > -aim.margin if aim.margin is not None else not ends[1] < 0
            yield AuditGate(
                measure=str(self.measure),
                run=self.names[run],
                baseline=self.names[base],
                difference=_known(self.measure.sign * found.estimate[at]),
                low=_known(ends[0]),
                high=_known(ends[1]),
                passed=bool(passed),
            )

    def scores(self) -> list[AuditedScore]:
        """A row for each run, the best first."""
        both, alone = self.totals(), self.totals(alone=True)
        # No score is outside the range of its measure.
        (score, low, high), (score_alone, low_alone, high_alone) = (
            np.clip((each.estimate, *each.ends(self.asked.aim.confidence)), *self.measure.range)
            for each in (both, alone)
        )
        return [
            AuditedScore(
                measure=str(self.measure),
                run=self.names[at],
                score=float(score[at]),
                low=_known(low[at]),
                high=_known(high[at]),
                machine=float(self.machine[at]),
                alone=_known(score_alone[at]),
                alone_low=_known(low_alone[at]),
                alone_high=_known(high_alone[at]),
                judged=int(both.known[at]),
            )
            for at in self.order
        ]

    def differences(self) -> list[AuditedPair]:
        """A row for each pair of runs, those of the best first."""
        one, other = every_pair(len(self.names))
        if not len(one):
            return []
        found = self.apart(one, other)
        low, high = found.ends(self.asked.aim.confidence)
        p = found.p()
        tested = np.flatnonzero(~np.isnan(p))
        corrected = np.full(len(p), np.nan)
        corrected[tested] = holm(p[tested]) if len(tested) else []
        rows = []
        merit = self.measure.sign * found.estimate
        place = np.empty(len(self.names), np.intp)
        place[self.order] = np.arange(len(place))
        # Pairs of the best run first.
        order = np.lexsort((np.maximum(place[one], place[other]), np.minimum(place[one], place[other])))
        for at in order.tolist():
            ahead = bool(merit[at] >= 0) or np.isnan(merit[at])
            a, b = (one[at], other[at]) if ahead else (other[at], one[at])
            # By how much the first is better, whichever end of the measure is the good one.
            turn = self.measure.sign * (1.0 if ahead else -1.0)
            ends = sorted((turn * low[at], turn * high[at]))
            sure = bool(corrected[at] < 1 - self.asked.aim.confidence)
            rows.append(
                AuditedPair(
                    measure=str(self.measure),
                    run=self.names[a],
                    compared_with=self.names[b],
                    difference=float(turn * found.estimate[at]),
                    low=_known(ends[0]),
                    high=_known(ends[1]),
                    machine=float(self.measure.sign * (self.machine[a] - self.machine[b])),
                    p=_known(p[at]),
                    p_corrected=_known(corrected[at]),
                    verdict="better" if sure else "open",
                )
            )
        return rows


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


@dataclass(frozen=True, eq=False)
class DocumentEstimates(Estimates):
    """People judged a sample of documents."""

    measure: Measure
    asked: HumanJudgments
    names: list[str]
    machine: Floats
    weight: Floats
    """Runs x documents."""
    gain: Floats
    """What people's grades are worth."""
    by: GroupMeans
    alone: GroupMeans

    def totals(self, *, alone: bool = False) -> Totals:
        """Sums over documents."""
        return totals(self.weight, self.gain, self.alone if alone else self.by, self.asked.sample)

    def apart(self, one: Rows, other: Rows) -> Totals:
        """The same of differences of weights: documents that count alike in both runs tell nothing."""
        found = []
        for start in range(0, len(one), _BLOCK):
            few = slice(start, start + _BLOCK)
            weight = self.weight[one[few]] - self.weight[other[few]]
            found.append(totals(weight, self.gain, self.by, self.asked.sample))
        return Totals.joined(found)

    def meanings(self) -> Iterator[GradeMeaning]:
        """What each grade of the machine means."""
        size = np.bincount(self.by.group, minlength=len(self.by.mean))
        for at, (least, most) in enumerate(self.by.ends.tolist()):
            yield GradeMeaning(
                measure=str(self.measure),
                least=least,
                most=most,
                documents=int(size[at]),
                judged=int(self.by.known[at]),
                gain=float(self.by.mean[at]),
                deviation=float(np.sqrt(self.by.spread[at])),
            )

    @property
    def worth(self) -> Floats:
        """What a judgment of each document would tell of all runs: the root of the squares of what it leaves open."""
        found: Floats = self.unjudged * np.sqrt((self.weight**2).sum(axis=0) * self.by.variance)
        return found

    @cached_property
    def unjudged(self) -> Mask:
        """The documents that people have not judged."""
        return self.asked.sample.others(self.weight.shape[1])

    def width(self, count: int, *, random: bool = False) -> float:
        """The widest interval of a score to be expected, were so many more documents judged."""
        open_ = self.unjudged
        if random:
            chance = np.where(open_, min(1.0, count / max(int(open_.sum()), 1)), 1.0)
        else:
            chance = np.where(open_, chances(with_floor(self.worth, open_), count), 1.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            left = np.where(open_ & (chance < 1), (1.0 - chance) / chance, 0.0)
            spread = np.where(self.weight != 0, self.weight**2 * self.by.variance * left, 0.0).sum(axis=1)
        widest = float(np.sqrt(spread.max(initial=0.0)))
        quantile = -float(normal_quantile(0.5 - self.asked.aim.confidence / 2))
        # However sure one wants to be of what is certain.
        return 2 * quantile * widest if widest else 0.0

    def takes(self, width: float, *, random: bool = False) -> int | None:
        """How many more judgments intervals so wide take."""
        now = self.totals().ends(self.asked.aim.confidence)
        if not np.isnan(now[0]).any() and float((now[1] - now[0]).max(initial=0.0)) <= width:
            return 0
        low, high = 0, int(self.weight.shape[1]) - len(self.asked.sample.unit)
        if self.width(high, random=random) > width:
            return None
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.width(middle, random=random) <= width else (middle, high)
        return high

    def plan(self) -> Iterator[AuditPlan]:
        """Widths with more judgments."""
        rest = self.weight.shape[1] - len(self.asked.sample.unit)
        for count in (*(step for step in _STEPS if step < rest), rest):
            if count:
                yield AuditPlan(
                    measure=str(self.measure),
                    judgments=count,
                    width=self.width(count),
                    random=self.width(count, random=True),
                )


@dataclass(frozen=True, eq=False)
class TopicEstimates(Estimates):
    """People judged a sample of topics."""

    measure: Measure
    asked: HumanJudgments
    names: list[str]
    machine: Floats
    people: Floats
    """Runs x topics that people judged."""
    predicted: Floats
    """Runs x all topics."""
    unit: Rows

    def totals(self, *, alone: bool = False) -> Totals:
        """Means over topics."""
        return of_units(self.people, self.predicted * (0.0 if alone else 1.0), self.unit)

    def apart(self, one: Rows, other: Rows) -> Totals:
        """The same of differences."""
        return of_units(self.people[one] - self.people[other], self.predicted[one] - self.predicted[other], self.unit)
