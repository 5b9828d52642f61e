"""A measure of a run topic by topic: values, bounds, and what topics without a value count as."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from truerank.conventions.axes import Conventions
from truerank.data.arrays import Floats, Mask, Rows
from truerank.data.classes import dataclass
from truerank.data.parts import Part, part_field
from truerank.measures.core.base import Measure
from truerank.track.lens import Lens


@dataclass(frozen=True, eq=False, kw_only=True)
class Values(Part):
    """Values of a measure, one a topic that counts, before topics without a value are settled."""

    measure: Measure
    value: Floats = part_field(merge="per topic")
    """NaN where undefined."""
    error: Floats = part_field(merge="per topic")
    """Standard error, where orders of ties were sampled; 0 elsewhere."""
    lengths: Rows = part_field(merge="per topic")
    """Documents in each list."""
    low: Floats | None = part_field(merge="per topic", default=None)
    """The least that it may be, where bounds were asked for."""
    high: Floats | None = part_field(merge="per topic", default=None)
    searched: Mask | None = part_field(merge="per topic", default=None)
    """Topics whose bounds are those of a sample of the orders of ties; None where that is not known."""

    @property
    def undefined(self) -> Mask:
        """Topics where the measure has no value."""
        return np.isnan(self.value)

    @property
    def std_error(self) -> float:
        """Standard error of the mean, where orders of ties were sampled; 0 where it is exact."""
        return float(np.sqrt((self.error**2).sum()) / max(len(self.error), 1))

    def kept(self, choice: Conventions) -> Rows:
        """Places of the topics that are in the mean."""
        return np.flatnonzero(~self.undefined) if choice.skips_undefined else np.arange(len(self.value))

    def settled(self, choice: Conventions, values: Floats | None = None) -> Floats:
        """Values of the topics that are in the mean; by default those of the measure itself."""
        known = self.value if values is None else values
        return settled(known[self.kept(choice)] if choice.skips_undefined else known, self.measure, choice)

    def summary(self, choice: Conventions, values: Floats | None = None) -> float:
        """One number for all topics, in the measure's own way; by default for the values of the measure itself."""
        return self.measure.aggregate(self.settled(choice, values), self.lengths[self.kept(choice)])

    def bounds(self, choice: Conventions) -> tuple[float, float] | None:
        """The least and the most that the number for all topics may be, where bounds were asked for."""
        if self.low is None or self.high is None:
            return None
        if not (choice.frees_relevant and choice.skips_undefined):
            return self.summary(choice, self.low), self.summary(choice, self.high)
        # A topic that has no value yet comes into the mean with its first relevant document.
        may, now = np.flatnonzero(self.undefined & ~np.isnan(self.low)), np.flatnonzero(~self.undefined)
        if not self.measure.averages:
            return self._with_some_of(now, may)
        low, high = (
            _with_some(sign * end[now], np.sort(sign * end[may])) for sign, end in ((1.0, self.low), (-1.0, self.high))
        )
        return low, -high

    def _with_some_of(self, now: Rows, may: Rows) -> tuple[float, float]:
        """The least and the most that sums up some topics and any number of others, the most extreme ones first."""
        assert self.low is not None
        assert self.high is not None
        ends = []
        for sign, end in ((1.0, self.low), (-1.0, self.high)):
            more = may[np.argsort(sign * end[may], kind="stable")]
            some = (np.concatenate([now, more[:count]]) for count in range(len(more) + 1))
            ends.append([self.measure.aggregate(end[topics], self.lengths[topics]) for topics in some])
        return float(np.fmin.reduce(ends[0])), float(np.fmax.reduce(ends[1]))

    def instead(self, value: Floats) -> Values:
        """The same measure of the same lists, where they have other values."""
        return replace(self, value=value, error=np.zeros(len(value)), low=None, high=None)

    def full(self, choice: Conventions, topics: int, values: Floats | None = None) -> Floats:
        """A settled value for each of so many judged topics, by default the measure's; NaN for one in no mean."""
        found = np.full(topics, np.nan)
        found[self.topics[self.kept(choice)]] = self.settled(choice, values)
        return found


@dataclass(frozen=True, eq=False, kw_only=True)
class JudgedValues(Values):
    """Means over judges, one a topic, with the lowest and highest value by any of them.

    A judge judges all topics: so the bounds of the mean over topics are the lowest and highest mean by a judge, and not
    the mean of what different judges give to different topics.
    """

    judges: dict[str, Values]
    """The values by each judge, of the topics that count there."""

    def summary(self, choice: Conventions, values: Floats | None = None) -> float:
        """The mean over judges of what each has for all topics."""
        if values is not None:
            return super().summary(choice, values)
        found = np.array([one.summary(choice) for one in self.judges.values()])
        return float(found.sum() / len(found))

    def bounds(self, choice: Conventions) -> tuple[float, float] | None:
        """The lowest and the highest that a judge has for all topics."""
        ends = [one.bounds(choice) or (one.summary(choice),) * 2 for one in self.judges.values()]
        return float(np.fmin.reduce([low for low, _ in ends])), float(np.fmax.reduce([high for _, high in ends]))


def by_judges(lens: Lens, measure: Measure) -> JudgedValues:
    """Evaluate a measure by every judge, and see how far they are apart."""
    choice = lens.conventions
    place = {topic: at for at, topic in enumerate(lens.names)}
    found = {name: values(one, measure) for name, one in lens.by_judge.items()}
    shape = len(found), len(lens.topics)
    value, low, high = np.full(shape, np.nan), np.full(shape, np.nan), np.full(shape, np.nan)
    lengths = lens.lengths(choice.ending_of(measure))
    for row, (name, one) in enumerate(found.items()):
        # The topics of a judge by their places among all that count.
        at = np.array([place[topic] for topic in lens.by_judge[name].names], int)
        value[row, at] = settled(one.value, measure, choice)
        low[row, at] = value[row, at] if one.low is None else settled(one.low, measure, choice)
        high[row, at] = value[row, at] if one.high is None else settled(one.high, measure, choice)
    known = (~np.isnan(value)).sum(axis=0)
    total = np.where(np.isnan(value), 0.0, value).sum(axis=0)
    mean: Floats = np.divide(total, known, out=np.full(len(total), np.nan), where=known > 0)
    return JudgedValues(
        topics=lens.topics,
        measure=measure,
        value=mean,
        error=np.zeros(len(mean)),
        lengths=lengths,
        low=np.fmin.reduce(low),
        high=np.fmax.reduce(high),
        judges=found,
    )


def values(lens: Lens, measure: Measure) -> Values:
    """Evaluate a measure on a run under its conventions.

    >>> from truerank.io.load import as_qrels, as_run
    >>> from truerank.measures.rr import RR
    >>> from truerank.track.pools import JudgmentPools
    >>> qrels, run = as_qrels({"q1": {"a": 1}}), as_run({"q1": {"b": 2.0, "a": 2.0}})
    >>> found = values(Lens(qrels, run, JudgmentPools(qrels, [], []), Conventions(ties="bounds")), RR())
    >>> found.value.tolist(), found.low.tolist(), found.high.tolist()
    ([0.75], [0.5], [1.0])
    """
    choice = lens.conventions
    if choice.judge_bounds and lens.by_judge:
        return by_judges(lens, measure)
    if not (choice.unjudged_bounds and choice.frees_relevant and measure.has_bounds):
        return residual(lens, measure)
    from truerank.track.outcomes import divides, rests_on_judgments

    if not rests_on_judgments(lens, measure):
        return residual(lens, measure)
    if divides(lens, measure) or lens.ended.all():
        return _free(lens, measure)
    # It is the terminal document that knows how much there is to find, and it ends only some of the lists.
    some, others = _free(lens, measure), residual(lens, measure)
    if some.low is None or some.high is None or others.low is None or others.high is None:
        return some
    low, high = np.where(lens.ended, some.low, others.low), np.where(lens.ended, some.high, others.high)
    return replace(some, low=low, high=high)


def residual(lens: Lens, measure: Measure) -> Values:
    """The same, where bounds take what a score is divided by as the judgments have it now."""
    choice, plain = lens.conventions, _plain(lens, measure)
    # Ends over ties alone would promise too much where ends over unjudged documents were asked for.
    unknown = choice.unjudged_bounds and not measure.has_bounds
    if unknown or not (choice.tie_bounds or choice.unjudged_bounds):
        return plain
    ends, searched = [], np.zeros(len(plain.value), np.bool_)
    for order, assumption in (("worst", "low"), ("best", "high")):
        if assumption == "low" and not measure.skips_unjudged:
            assumption = "nonrelevant"
        end, error = lens.estimate_all(
            measure,
            ties=order if choice.tie_bounds else None,
            unjudged=assumption if choice.unjudged_bounds else None,
        )
        ends.append(end)
        searched |= np.isnan(error) if error is not None else False
    # A topic without a value may get one if unjudged documents are relevant: that raises its high end only.
    low = np.where(plain.undefined, ends[0], np.fmin.reduce([plain.value, *ends]))
    high = np.fmax.reduce([plain.value, *ends])
    if choice.skips_undefined and choice.frees_relevant:
        out = ~lens.has_relevant & (lens.may_be_judged(measure)[lens.topics] == 0)
        low, high = np.where(out, np.nan, low), np.where(out, np.nan, high)
    return replace(plain, low=low, high=high, searched=searched)


def _plain(lens: Lens, measure: Measure) -> Values:
    value, error = lens.estimate(measure)
    error = np.zeros(len(value)) if error is None else np.nan_to_num(error)
    lengths = lens.lengths(lens.conventions.ending_of(measure))
    return Values(topics=lens.topics, measure=measure, value=value, error=error, lengths=lengths)


def _free(lens: Lens, measure: Measure) -> Values:
    """With bounds over all judgments of the documents that may be judged, those that add to what is divided by too."""
    from truerank.track.outcomes import outcomes

    plain, found = _plain(lens, measure), outcomes(lens, measure)
    past = found.steps > found.total[:, None]
    if lens.conventions.skips_undefined and _finds_first(lens, measure):
        # Until a document is found relevant, the topic stays out.
        past |= ~lens.has_relevant[:, None] & (found.steps == 0)
    # Where nothing is relevant yet and a topic is undefined, it may stay so, and counts then as the conventions say.
    low, high = (np.where(past, np.nan, settled(end, measure, lens.conventions)) for end in (found.low, found.high))
    return replace(
        plain,
        low=np.fmin(np.fmin.reduce(low, axis=-1), plain.value),
        high=np.fmax(np.fmax.reduce(high, axis=-1), plain.value),
    )


def _finds_first(lens: Lens, measure: Measure) -> bool:
    """Whether no other measure of the call takes a document for relevant that is not relevant to this one."""
    others = (lens.least_grade(other) for other in lens.measures if other.asks_relevance)
    return lens.least_grade(measure) <= min(others, default=np.inf)


def _with_some(values: Floats, more: Floats) -> float:
    """The least mean of some values, and of as many of others, ascending, as make it less; NaN without any."""
    sums, count = values.sum() + np.append(0.0, np.cumsum(more)), len(values) + np.arange(len(more) + 1)
    return float((sums[count > 0] / count[count > 0]).min(initial=np.inf)) if count[-1] else float("nan")


def settled(values: Floats, measure: Measure, choice: Conventions) -> Floats:
    """Values of topics, where undefined ones count as the conventions say; NaN where they do not count.

    >>> from truerank.measures.ap import AP
    >>> settled(np.array([0.5, np.nan]), AP(), Conventions()).tolist()
    [0.5, 0.0]
    """
    return np.where(np.isnan(values), measure.counts_as, values) if choice.counts_undefined else values


def summaries(values: Floats, measure: Measure, choice: Conventions, lengths: Rows) -> Floats:
    """One number for all topics in each column of settled values (topics x columns), in the measure's own way.

    >>> from truerank.measures.ap import AP
    >>> values = np.array([[0.5, 0.25], [1.0, np.nan]])
    >>> for no_relevant in ("skip", "nan"):
    ...     summaries(values, AP(), Conventions(no_relevant=no_relevant), np.array([2, 2])).tolist()
    [0.75, 0.25]
    [0.75, nan]
    """
    kept = ~np.isnan(values) | (not choice.skips_undefined)
    if measure.averages:
        count = kept.sum(axis=0)
        total = np.where(kept, values, 0.0).sum(axis=0)
        mean: Floats = np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0)
        return mean
    columns = zip(values.T, kept.T, strict=True)
    return np.array([measure.aggregate(column[some], lengths[some]) for column, some in columns])
