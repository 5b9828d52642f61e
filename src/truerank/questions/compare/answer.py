"""The answer: systems with their means, every pair that was asked about, and gates."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Annotated, Any

from truerank.data.errors import InputError
from truerank.data.given_ids import ByTopic
from truerank.data.notes import Note
from truerank.data.printing import counted
from truerank.questions.common_topics import CommonPair, MissingTopics
from truerank.report.answer import PLOT, Answer, File, MeasureAnswer, Sheet
from truerank.report.digits import ranks
from truerank.report.rows import ColumnarRows, Row, column, derived
from truerank.report.signature import Option, Theme, adjustable
from truerank.report.table import Table

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.data.arrays import Array, Floats, Mask, Rows
    from truerank.measures.core.base import Measure
    from truerank.questions.compare.gates import Gate
    from truerank.questions.compare.likely import ChangesLater
    from truerank.questions.compare.outcomes import Gains
    from truerank.questions.compare.plan import CompareSettings
    from truerank.questions.compare.sampling import Sample
    from truerank.questions.compare.work import AtLevel
    from truerank.questions.diff.question import TopicDifference, TopicDifferences
    from truerank.report.plots.chart import Plot
    from truerank.report.signature import Adjustments
    from truerank.statistics.corrections import Corrected
    from truerank.statistics.effects import Effects
    from truerank.statistics.intervals import Intervals
    from truerank.statistics.paired import PValues
    from truerank.track.groups import TopicGroups


class AcrossSystem(Row):
    """A system over collections; those that a collection lacks have no mean, and are not compared."""

    measure: str = column("the measure")
    run: str = column("the run, or the system of several; of all collections those of one name")
    means: dict[str, float] = column(
        "its mean over the topics of {}; empty where that does not have it", spread="mean@{}", head="{}"
    )
    mean: float | None = column("the mean over collections, each of which counts the same", best="measure")
    low: float | None = column("where its interval begins, by a bootstrap of topics within collections", minor=2)
    high: float | None = column("where it ends", minor=2)
    rank: int | None = column("its rank by that mean among the systems that all collections have")
    rank_low: int | None = column(
        "the best rank that it can have, for all systems at once, by a bootstrap of topics within collections"
    )
    rank_high: int | None = column("the worst rank that it can have")
    collections: int = column("collections that have it", minor=3)

    @derived(head="possible ranks")
    def possible_ranks(self) -> str | None:
        """The ranks that it can have, by all that is shown of pairs."""
        return None if self.rank_low is None or self.rank_high is None else ranks((self.rank_low, self.rank_high))

    brief = ("measure", "rank", "run", "means", "mean", "low", "high", "possible_ranks", "collections")


class AcrossPair(Row):
    """Two systems over collections; verdict and differences are of ``run``, against what it is compared with."""

    measure: str = column("the measure")
    run: str = column("the run that the verdict is of")
    compared_with: str = column("the run that it is compared with")
    verdict: str = column('"better" or "worse" where that is so for all pairs at once, or "not significant"')
    differences: dict[str, float] = column("the difference of means in {}", spread="difference@{}", head="{}", minor=1)
    difference: float = column("the mean of the run minus that of the other, over collections", form="signed")
    low: float = column("where its interval begins, by a bootstrap of topics within collections, of this pair alone")
    high: float = column("where it ends")
    p: float = column("p by the same bootstrap, of this pair alone", form="p")
    p_corrected: float = column(
        "p for all pairs of the measure at once: the probability that any pair is so far apart if none differed",
        form="p",
    )
    p_strata: float = column(
        "p of the randomisation test over strata, of this pair alone: signs turned topic by topic", form="p", minor=2
    )
    p_mixed: float = column(
        "p for the difference being the same in all collections, by Cochran's Q; undefined where one does not vary",
        form="p",
        minor=1,
    )
    better_in: int = column("collections in which the run has the better mean", minor=3)
    worse_in: int = column("collections in which it has the worse one", minor=3)


class GroupMean(Row):
    """The mean of a system over the topics of a group."""

    measure: str = column("the measure")
    group: str = column("the group; all of them in the order of topics")
    num_topics: int = column("topics of the group")
    run: str = column("the run, or the system of several")
    mean: float = column("its mean over these topics", best="measure")
    low: float = column("where the confidence interval by Student's t begins; undefined from one topic")
    high: float = column("where it ends")


class GroupPair(Row):
    """Two systems on the topics of a group."""

    measure: str = column("the measure")
    group: str = column("the group")
    num_topics: int = column("topics of the group")
    run: str = column("the run that differences are of")
    compared_with: str = column("the run that it is compared with")
    difference: float = column("the mean of the run minus that of the other, over these topics")
    low: float = column(
        "where the interval by Student's t of this pair and group alone begins; undefined from one topic"
    )
    high: float = column("where it ends")
    wins: int = column("topics of the group on which the run is better")
    ties: int = column("topics on which neither is")
    losses: int = column("topics on which it is worse")
    p: float = column("p of the test, of this pair and group alone")
    p_corrected: float = column("p by Holm over all pairs and groups of the measure")
    verdict: str = column('"better" or "worse" if that is significant after correction, "not significant", "the same"')

    brief = ("measure", "group", "num_topics", "run", "compared_with", "difference", "low", "high", "verdict")


class VarianceRow(Row):
    """A source of variance of scores: systems, topics, and what is left."""

    measure: str = column("the measure")
    source: str = column('"systems", "topics" (or "groups"), "runs" of systems, or "error": what is left over')
    squares: float = column("sum of squares")
    freedom: int = column("degrees of freedom")
    mean_square: float = column("sum of squares over degrees of freedom")
    f: float | None = column("mean square over the mean square of the error; none for the error itself")
    p: float | None = column("probability of such an F or a higher one if there were no such differences")
    variance: float = column("variance component: what the source adds to the variance of a score, at least 0")
    share: float = column("that as a share of the sum over sources")


BETTER, WORSE, OPEN, SAME = "better", "worse", "not significant", "the same"
"""What a comparison can say of the second of two systems; of one that has the same scores, that it is the same."""
FAMILIES = ("measure", "all")
"""What p is corrected for: the pairs of each measure, or those of all measures that are asked for."""
RANKS = ("each", "all")
"""Which runs possible ranks hold for at once: each alone, by its own comparisons, or all by all pairs."""
FEW = 12
"""Systems up to which each is shown against the best one; more have their possible ranks."""
PAIRS, TOPICS = 50, 10
"""Pairs of a measure, and topics of a pair, that a person reads."""
PASSED, FAILED, UNDECIDED = "PASSED", "FAILED", "UNDECIDED"
"""How a gate comes out."""
NOT_PASSED = 1
"""Exit code where a gate is not passed, be it failed or undecided."""

Top = Annotated[int | None, Option("List N runs, pairs, or topics of each pair.", metavar="N", least=1)]


class SystemMean(Row):
    """The mean of a system over topics, with confidence intervals by Student's t and by the bootstrap."""

    measure: str = column("the measure")
    run: str = column("the run")
    mean: float = column("its mean over topics", over="mean")
    std_error: float = column("standard error of the mean; undefined from one topic")
    low: float = column("where the confidence interval by Student's t begins")
    high: float = column("where it ends")
    resampled: Callable[[], tuple[float, float]] = field(compare=False, repr=False)
    """The interval by the bootstrap, which takes long over many topics: it is found when it is asked for."""

    @derived(for_people=False, kept=True)
    def bootstrap_low(self) -> float:
        """Where the interval by the bootstrap begins."""
        return self.resampled()[0]

    @derived(for_people=False, kept=True)
    def bootstrap_high(self) -> float:
        """Where it ends."""
        return self.resampled()[1]

    rank: int = column("its rank by the mean, 1 for the best; equal means have the better one")
    rank_low: int | None = column(
        "the best rank that it can have by the pairs that are decided, see possible_ranks of measures; none where "
        "verdicts do not hold at once"
    )
    rank_high: int | None = column("the worst rank that it can have")
    better_than: tuple[str, ...] = column("the systems that it is significantly better than")
    compared_with: str | None = column(
        "the run that it is compared with: the baseline, the first of two runs, or the best of up to twelve; none for "
        "that run itself, and for more runs",
        default=None,
    )
    difference: float | None = column("its mean minus the mean of that run", default=None)
    difference_low: float | None = column("where the confidence interval of the difference begins", default=None)
    difference_high: float | None = column("where it ends", default=None)
    p_corrected: float | None = column("p of that difference, corrected as among pairs", default=None)
    wins: int | None = column("topics on which it is better than that run", default=None)
    losses: int | None = column("topics on which it is worse", default=None)
    verdict: str | None = column(
        'what it is compared with that run: "better", "worse", "not significant" or "the same"', default=None
    )

    @derived(for_people=False)
    def could_be_best(self) -> bool | None:
        """Whether its possible ranks include 1; none where there are none."""
        return None if self.rank_low is None else self.rank_low == 1

    topics: dict[str, float] = column("the score of each topic", nested=True)


class OtherReading(Row):
    """A pair under another convention for something that the data leave open."""

    convention: str = column('which choice: "ties", "unjudged" or "depth"')
    favours: str = column("the system that everything open favours; for a depth, the measure at that depth")
    difference: float = column("the difference of means under that convention")
    p: float = column("corrected, with all other pairs as they are")
    verdict: str = column("what the second system is under that convention")
    settles: bool = column("whether the verdict is the same; of a depth, also if the differences do not differ")
    exact: bool = column(
        "whether the data allow exactly this; otherwise it is a bound, which unjudged documents need not reach, and "
        "which other orders of ties may exceed",
        default=True,
    )
    mixed: bool = column(
        "whether some topics favour one system and some the other, so that differences vary more; the system that is "
        "behind is named then",
        default=False,
    )
    p_change: float | None = column(
        "of a depth, p for the difference being the same there, corrected; none for other conventions", default=None
    )


class PairRow(Row):
    """Two systems; verdict and differences are of ``run``, against what it is compared with."""

    measure: str = column("the measure")
    run: str = column("the run that the verdict is of")
    compared_with: str = column("the run that it is compared with")
    verdict: str = column('"better" or "worse" if that is significant, "not significant", or "the same" on every topic')
    difference: float = column("the mean of the run minus that of the other")
    low: float = column("where the confidence interval of the difference begins; undefined from one topic")
    high: float = column("where it ends")
    wins: int = column("topics on which the run is better")
    ties: int = column("topics on which neither is")
    losses: int = column("topics on which it is worse")
    p: float = column("p of the test, of this pair alone")
    p_corrected: float = column("p corrected for all pairs of the measure")
    d_z: float = column("Cohen's d_z: the difference in standard deviations of differences; undefined if none vary")
    g_z: float = column("Hedges' correction of it")
    d_av: float = column("the difference in standard deviations of scores")
    superiority: float = column("share of topics on which the run is better, where equal ones count half")
    detectable: float = column(
        "the true difference that a t-test detects with 80% power on these topics, at the level that the correction "
        "leaves to the first of all pairs; infinite if no two scores can be so far apart"
    )
    needed_topics: float = column("topics on which it would detect the observed difference; infinite if that is 0")
    needed_topics_low: float = column("topics for the far end of its interval by t: the fewest that may be needed")
    needed_topics_high: float = column("topics for the near end: the most that may be needed; infinite if 0 is inside")
    guarded_low: float | None = column(
        "where the interval begins that margins are compared with: that of the difference, with unseen topics allowed "
        "for; none without a margin, undefined from too few topics"
    )
    guarded_high: float | None = column("where it ends")
    equivalent: bool | None = column("whether it lies within the margin on both sides")
    no_worse: bool | None = column("whether it leaves no room for a loss of the margin")
    significant: bool = column("whether the systems differ by the test, after correction")
    against_mean: bool = column("whether the test finds the run with the lower mean to be the better one")
    settled: bool | None = column(
        "whether the verdict is robust: the same under every other convention that was tried; none if none was tried"
    )
    depends_on: tuple[str, ...] = column("what the verdict depends on: ties, unjudged or depth")
    tie_share: float | None = column(
        "share of random orders of ties with the same verdict; none if no order is known to change it"
    )
    checks: tuple[OtherReading, ...] | None = column(
        "the pair under other conventions; none if none was tried", nested=True
    )

    @property
    def a(self) -> str:
        """The run that it is compared with."""
        return self.compared_with

    @property
    def b(self) -> str:
        """The run that the verdict is of."""
        return self.run

    def turned(self) -> PairRow:
        """The same pair, with the verdict and the differences of the other run."""
        return replace(
            self,
            run=self.compared_with,
            compared_with=self.run,
            verdict={BETTER: WORSE, WORSE: BETTER}.get(self.verdict, self.verdict),
            difference=-self.difference,
            low=-self.high,
            high=-self.low,
            guarded_low=None if self.guarded_high is None else -self.guarded_high,
            guarded_high=None if self.guarded_low is None else -self.guarded_low,
            no_worse=None,
            wins=self.losses,
            losses=self.wins,
            d_z=-self.d_z,
            g_z=-self.g_z,
            d_av=-self.d_av,
            superiority=1.0 - self.superiority,
        )

    @property
    def open(self) -> tuple[OtherReading, ...]:
        """The other readings that change the verdict."""
        return tuple(check for check in self.checks or () if not check.settles)


class VerdictChange(Row):
    """How likely a verdict changes if the unjudged documents that the runs list were judged."""

    measure: str = column("the measure")
    run: str = column("the run that the verdict is of")
    compared_with: str = column("the run that it is compared with")
    verdict: str = column("what it is now")
    then: str | None = column("what it most often becomes where it changes; none where it never does")
    chance: float = column("share of drawn worlds in which the verdict is another one, by the same test and correction")
    likelihood: str = column(
        '"under 5%", "5 to 20%", "20 to 50%", "more likely than not" (50 to 80%) or "likely": no chance is known better'
    )


class TopicLoss(Row):
    """A topic that got worse."""

    measure: str = column("the measure")
    run: str = column("the run that is worse")
    compared_with: str = column("the run that it is compared with")
    topic: str = column("the topic")
    score: float = column("the score of the run")
    compared_score: float = column("the score of the other")
    difference: float = column("the first score minus the second")


class GateOutcome(Row):
    """How a gate comes out for a system."""

    gate: str = column("the gate, as it was given")
    measure: str = column("the measure")
    baseline: str = column("the run that was there before")
    run: str = column("the run that is to pass")
    outcome: str = column(
        '"PASSED" if the interval shows what the gate asks for, "FAILED" if it shows the opposite, otherwise '
        '"UNDECIDED"; of "not significantly worse", "PASSED" unless a loss is shown'
    )
    passed: bool = column("whether it is passed")
    difference: float = column("its mean minus that of the baseline")
    low: float = column(
        "where the interval that decides begins: that of the difference as among pairs, at the level of the gate, with "
        "unseen topics allowed for unless it shows something; undefined from too few topics"
    )
    high: float = column("where it ends")
    margin: float = column(
        "the difference of the gate in units of the measure: of a share, that of the baseline's mean"
    )
    guarded: bool = column("whether the end of the interval that decides allows for topics not seen")
    test: str = column("the test")
    topics: int = column("topics compared on")
    num_groups: int | None = column("groups of these that the test goes by; none where it goes by topics")
    num_changed: int = column("topics that differ")
    needed_topics: int | None = column(
        "topics on which an equally good system would pass 80% of the time; none where that does not apply"
    )
    would_pass: tuple[str, ...] = column("of a gate that is not passed, others that are, with the least margin")
    missed: float | None = column(
        'of "not significantly worse", the true loss that is missed 20% of the time; smaller ones are more often'
    )
    safe_loss: float | None = column(
        'of a gate that is passed: its claim holds if no unseen topic loses (or, of "equivalent", changes by) more; '
        "none where no claim with a margin is made, or a topic that was seen loses more"
    )
    alpha: float = column("the level of the gate; of several looks, that of this one")
    looks: int = column("how many such gates there will be, as the gate says")
    num_worse: int = column("topics that got worse")
    worse: tuple[TopicLoss, ...] = column("the topics that got worse, the most changed first", nested=True)

    asked: Gate
    width: float
    """From the lowest to the highest score there is: no topic can lose more."""
    sign: float
    """1 where high values are good, -1 where low ones are."""
    shown: float
    """What the test shows: 1 for better, -1 for worse, 0 for neither."""
    interval: str
    """How the interval was found, where that is not by t for this pair alone."""

    @property
    def digits(self) -> int:
        """Decimals that leave both ends of the interval on their side of the margin, and of 0."""
        from truerank.questions.compare.words import end_digits

        return end_digits(self.low, self.high, (-self.margin, self.margin, 0.0))

    @property
    def ends(self) -> tuple[str, str]:
        """Both ends of the interval in words; one that shows something may be 0, and 0 is outside then."""
        from truerank.report.digits import rounded

        low, high = (rounded(end, self.digits, sign=True) for end in (self.low, self.high))
        way = self.sign * self.shown
        return ("above 0" if way > 0 and self.low == 0 else low, "below 0" if way < 0 and self.high == 0 else high)

    @derived(for_people=False, json_only=True)
    def sentence(self) -> str:
        """How the gate came out, by which difference, and what that rests on."""
        from truerank.questions.compare.words import gate_sentence

        return gate_sentence(self)


class PaperLine(Row):
    """Something that a paper should report."""

    item: str = column("what it is")
    text: str = column("what is to be said of it")


class MeasureComparison(Row, eq=False):
    """Systems by one measure: their means, every pair that was asked about, and what is to be said of them.

    Pairs are (a, b) of numbers of systems: b is compared with a.
    """

    measure: str = column("the measure")
    num_topics: int = column("topics compared on, the same for all systems")
    num_groups: int | None = column(
        "groups of these topics that tests and intervals go by; none where they go by topics"
    )
    family: str = column("what p-values are corrected for")
    how: str = column("how p was found, where there is more than one way")

    by: Measure
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    index: Rows
    """Index of each topic in the judgments."""
    values: Floats
    """Systems x topics."""
    sample: Sample
    """The same as it was drawn: by groups of topics, or with several runs of a system."""
    groups: TopicGroups | None
    """The group of each topic, where groups are given."""
    settings: CompareSettings
    asked: tuple[tuple[int, int], ...]
    means: Intervals
    resampled: Callable[[], Intervals]
    usual: AtLevel
    """p and intervals at the level of verdicts."""
    find: Callable[[float], AtLevel]
    """The same at another level."""
    std_errors: Floats
    """Of the means; NaN from one topic."""
    order: tuple[int, ...]
    """Numbers of the systems, the best mean first; equal ones as they were given."""
    effects: Effects
    differences: Intervals
    tested: PValues
    corrected: Corrected
    beside: tuple[PValues, ...]
    """The same by other measures, where all measures are one family."""
    ways: Floats
    """Sign of what the test looks at, of the first minus the second (systems x systems); it may not be the mean's."""
    better: Mask
    """Whether the first is significantly better than the second (systems x systems)."""
    notes: tuple[Note, ...]
    checks: Mapping[tuple[int, int], tuple[OtherReading, ...]] | None = None
    tie_shares: Mapping[tuple[int, int], float] = field(default_factory=dict)
    """Of pairs whose verdict hinges on the order of ties, the share of random orders in which it is the same."""

    @property
    def counted(self) -> str:
        """How many topics there are, and in how many groups, where tests go by those."""
        topics = counted(len(self.topics), "topic")
        return topics if self.num_groups is None else f"{topics} in {counted(self.num_groups, 'group')}"

    @property
    def sign(self) -> float:
        """1 where high values are good, -1 where low ones are."""
        return self.by.sign

    @cached_property
    def systems(self) -> dict[str, SystemMean]:
        """The systems, the best first."""
        return {self.runs[at]: self._system(at) for at in self.order}

    @cached_property
    def bootstrap(self) -> Intervals:
        """Intervals of the means by the bootstrap."""
        return self.resampled()

    def _ends(self, at: int) -> tuple[float, float]:
        return self.bootstrap.low[at].item(), self.bootstrap.high[at].item()

    def _system(self, at: int) -> SystemMean:
        return SystemMean(
            measure=self.measure,
            run=self.runs[at],
            mean=self.means.estimate[at].item(),
            std_error=self.std_errors[at].item(),
            low=self.means.low[at].item(),
            high=self.means.high[at].item(),
            resampled=partial(self._ends, at),
            rank=1 + int((self.levels > self.levels[at]).sum()),
            rank_low=None if self.ranks is None else int(self.ranks[0][at]),
            rank_high=None if self.ranks is None else int(self.ranks[1][at]),
            better_than=tuple(self.runs[other] for other in self.order if self.better[at, other]),
            topics=ByTopic(zip(self.topics, self.values[at].tolist(), strict=True)),
        )

    @cached_property
    def levels(self) -> Floats:
        """Means to order systems by, the higher the better; those that differ by rounding only are the same."""
        from truerank.statistics.level import level

        return level(self.sign * self.means.estimate)

    @property
    def ranked_by_own(self) -> bool:
        """Whether possible ranks hold for each system alone, by its own comparisons with all others.

        Otherwise they hold for all at once: where the table has p of all pairs, ranks follow from these.
        """
        systems = len(self.runs)
        if self.settings.procedure.simultaneous or len(self.asked) < systems * (systems - 1) // 2:
            return False
        return self.settings.ranks == "each" or (not self.settings.ranks and systems > FEW)

    @cached_property
    def decided(self) -> Mask:
        """Whether the first is better than the second, for ranks (systems x systems)."""
        from truerank.statistics.possible_ranks import by_own_comparisons

        better = self.better
        if self.ranked_by_own:
            beside = [other.p for other in self.beside]
            p = by_own_comparisons(self.tested.p, self.settings.correction, beside)
            better = (p < self.settings.alpha) & (self.sign * self.ways > 0)
        # A test that is of no mean may find the run with the lower one to be better, which says nothing of ranks.
        found: Mask = better & (self.levels[:, None] > self.levels)
        return found

    @cached_property
    def ranks(self) -> tuple[Rows, Rows] | None:
        """The best and the worst rank of each system; None where verdicts do not hold at once."""
        from truerank.statistics.possible_ranks import rank_intervals

        return rank_intervals(self.decided) if self.settings.at_once else None

    @derived(for_people=False)
    def possible_ranks(self) -> str | None:
        """What possible ranks hold for: "each run", by its own comparisons, or "all runs at once"; none without any."""
        if not self.settings.at_once:
            return None
        return "each run" if self.ranked_by_own else "all runs at once"

    def at_level(self, level: float) -> AtLevel:
        """p and intervals of all pairs at a level, which agree with each other."""
        return self.usual if level == self.settings.alpha else self.find(level)

    @cached_property
    def gains(self) -> Gains | None:
        """The intervals that margins are compared with, of the pairs asked about; None without a margin."""
        from truerank.questions.compare.outcomes import gains

        return None if self.settings.margin is None else gains(self, self.asked, self.settings.alpha)

    @cached_property
    def pairs(self) -> ColumnarRows[PairRow]:
        """The pairs asked about, in the order of the systems given."""
        from truerank.questions.compare.work import pair_rows

        return pair_rows(self)

    def pair(self, a: str, b: str) -> PairRow:
        """What was found of b compared with a."""
        named = [(self.runs[first], self.runs[second]) for first, second in self.asked]
        if (a, b) not in named:
            raise InputError(f"{b!r} was not compared with {a!r}; there are runs {', '.join(self.runs)}")
        return self.pairs[named.index((a, b))]

    def of(self, run: int, against: int) -> PairRow:
        """What was found of a system compared with another, whichever of them was asked about first."""
        if (against, run) in self.asked:
            return self.pairs[self.asked.index((against, run))]
        return self.pairs[self.asked.index((run, against))].turned()

    @cached_property
    def verdicts(self) -> tuple[str, ...]:
        """What b is, of each pair asked about: "better", "worse", "not significant" or "the same"."""
        columns = (self.ways, self.corrected.p, self.effects.ties)
        rows = zip(*(self.of_pairs(matrix).tolist() for matrix in columns), strict=True)
        return tuple(self.verdict(way, p, same=level == len(self.topics)) for way, p, level in rows)

    @cached_property
    def detectable(self) -> Floats:
        """The difference that a t-test detects on the available topics, for each pair asked about."""
        from truerank.questions.compare.work import detectable_differences

        return detectable_differences(self)

    @cached_property
    def needed_topics(self) -> tuple[Floats, Floats, Floats]:
        """Topics on which it would find the difference observed, and the fewest and most by its interval."""
        from truerank.questions.compare.work import topics_needed

        return topics_needed(self)

    @property
    def strict(self) -> float:
        """The level at which the first of all pairs is found: alpha, or its part where verdicts are corrected."""
        corrects = self.settings.correction != "none" or self.settings.procedure.simultaneous
        return self.settings.alpha / max(self.corrected.size, 1) if corrects else self.settings.alpha

    def topic_differences(self, a: str, b: str) -> TopicDifferences:
        """Both systems topic by topic."""
        from truerank.questions.diff.work import topic_differences

        first, second = self.runs.index(a), self.runs.index(b)
        return topic_differences(self.by, self.topics, self.values[first], self.values[second])

    def worse(self, a: str, b: str, limit: int | None = None) -> list[TopicDifference]:
        """The topics that got worse from a to b, the most changed first."""
        return self.topic_differences(a, b).worse(limit)

    def losses(self, a: str, b: str, limit: int | None = None) -> list[TopicLoss]:
        """The same as rows."""
        return [
            TopicLoss(
                measure=self.measure,
                run=b,
                compared_with=a,
                topic=one.topic,
                score=one.b,
                compared_score=one.a,
                difference=one.difference,
            )
            for one in self.worse(a, b, limit)
        ]

    def verdict(self, way: float, p: float, *, same: bool = False) -> str:
        """What a system is that the test finds to differ that way, with such a corrected p."""
        if same:
            return SAME
        if not way or not p < self.settings.alpha:
            return OPEN
        return BETTER if self.sign * way > 0 else WORSE

    def of_pairs(self, matrix: Array) -> Array:
        """Values of the pairs asked about: of b against a."""
        first, second = zip(*self.asked, strict=True) if self.asked else ((), ())
        picked: Array = matrix[list(second), list(first)]
        return picked

    @property
    def baseline(self) -> int:
        """Number of the system that others are compared with; of several, the first."""
        return self.asked[0][0] if self.asked else 0


def _differing(system: SystemMean, pair: PairRow) -> SystemMean:
    """A system with how it differs from the one that it is compared with."""
    return replace(
        system,
        compared_with=pair.compared_with,
        difference=pair.difference,
        difference_low=pair.low,
        difference_high=pair.high,
        p_corrected=pair.p_corrected,
        wins=pair.wins,
        losses=pair.losses,
        verdict=pair.verdict,
    )


class Comparison(MeasureAnswer[MeasureComparison]):
    """Systems compared by measures: with each other, or with baselines."""

    question = "compare"
    by_collection = True
    sheets = {
        "systems": Sheet(SystemMean, "scores of runs, with verdicts (default)", of="every_system"),
        "pairs": Sheet(PairRow, "one row per pair", of="every_pair", top=PAIRS),
        "topics": Sheet(TopicLoss, "the topics that got worse", of="every_loss", top=TOPICS, json=False),
        "gates": Sheet(GateOutcome, "the gates (default with --gate)", needs="gate"),
        "changes": Sheet(
            VerdictChange,
            "how likely verdicts change if the unjudged documents that these runs list were judged",
            of="every_change",
        ),
        "common": Sheet(
            CommonPair,
            "two runs once more, on the topics that both have results for, if one of them lacks some",
            of="every_common",
        ),
        "measures": Sheet(MeasureComparison, "what each measure was compared on", of="comparisons"),
        "paper": Sheet(PaperLine, "what a paper should report, to paste as text, Markdown or LaTeX", json=False),
        "anova": Sheet(VarianceRow, "how much of the variance of scores runs and topics explain", of="every_source"),
        "groups": Sheet(GroupMean, "means in each group of topics", of="every_group", needs="group"),
        "grouped": Sheet(GroupPair, "pairs in each group", of="every_group_pair", needs="group"),
        "across": Sheet(
            AcrossSystem,
            "systems over all collections (default with --also)",
            of="every_across",
            needs="also",
            spans=True,
            top=PAIRS,
            meaning="a mean over the topics of each collection and over collections, with its interval and the ranks "
            "that differences leave open for all runs at once, by a bootstrap of topics within collections",
        ),
        "across_pairs": Sheet(
            AcrossPair,
            "pairs over all collections",
            of="every_across_pair",
            needs="also",
            spans=True,
            top=PAIRS,
            meaning="the difference in each collection and their mean, by a bootstrap of topics within collections; "
            "p_corrected is for all pairs at once, p_strata of the randomisation test over strata, p_mixed for the "
            "difference being the same everywhere",
        ),
    }
    files = {"plot": PLOT, "summary": File("Append a summary in Markdown to this file.", append=True)}

    runs: tuple[str, ...] = column("the runs")
    baselines: tuple[str, ...] = column("the runs that others are compared with; none where all pairs are compared")
    settings: CompareSettings = column("the test, the correction, the level, and what is drawn at random")
    comparisons: tuple[MeasureComparison, ...]
    gates: tuple[GateOutcome, ...]
    changes: ChangesLater | None = None
    """How likely verdicts change, which takes some time: it is found when it is asked for."""
    lacking: MissingTopics | None = None
    """Of two runs, the topics that they have no results for, if there are any."""
    on_common: tuple[MeasureComparison, ...] = ()
    """The same comparisons on the topics that both have results for, where a run lacks some."""

    @property
    def every_common(self) -> list[CommonPair]:
        """Two runs on the topics that both have results for, one row per measure."""
        if self.lacking is None:
            return []
        missing = self.lacking.missing
        return [
            CommonPair(
                measure=each.measure,
                run=pair.run,
                compared_with=pair.compared_with,
                missing_topics=missing[pair.run],
                compared_missing_topics=missing[pair.compared_with],
                num_topics=each.num_topics,
                mean=each.systems[pair.run].mean,
                compared_mean=each.systems[pair.compared_with].mean,
                difference=pair.difference,
                low=pair.low,
                high=pair.high,
                p_corrected=pair.p_corrected,
                verdict=pair.verdict,
            )
            for each in self.on_common
            for pair in each.pairs
        ]

    @property
    def every_change(self) -> tuple[VerdictChange, ...]:
        """One row per measure and pair; none for many runs, or where no model can be made of the judgments."""
        return () if self.changes is None else self.changes.read()

    @property
    def doubts(self) -> tuple[Note, ...]:
        """What may make all scores worthless, which is said before any verdict."""
        return tuple(note for note in self.notices if note.urgent)

    def _every_note(self, show: str, quiet: Collection[str]) -> list[Note]:
        """All but those that the verdict begins with."""
        return [note for note in super()._every_note(show, quiet) if note not in self.doubts]

    @derived(for_people=False)
    def passed(self) -> bool | None:
        """Whether every gate is passed; nothing without gates."""
        return all(outcome.passed for outcome in self.gates) if self.gates else None

    @derived(for_people=False)
    def outcome(self) -> str | None:
        """Of all gates together: "FAILED" if one is, otherwise "UNDECIDED" if one is; nothing without gates."""
        found = {one.outcome for one in self.gates}
        return next((result for result in (FAILED, UNDECIDED, PASSED) if result in found), None)

    @property
    def exit_code(self) -> int:
        """1 where a gate is not passed."""
        return NOT_PASSED if self.passed is False else 0

    def closing(self, block: str = "") -> Iterator[str]:
        """The outcome of each gate, unless the block has it."""
        yield from () if block == "gates" else (outcome.sentence for outcome in self.gates)

    def usual(self) -> str:
        """Gates, if there are some."""
        return "gates" if self.gates else "systems"

    @classmethod
    def of_several(cls, answers: Sequence[Comparison], apart: str) -> Answer:
        """Collections, which are compared over all of them, too."""
        from truerank.questions.compare.several import SeveralComparisons

        return SeveralComparisons(answers=tuple(answers), apart=apart)

    @property
    def every_system(self) -> list[SystemMean]:
        """One row per measure and system, the best first, with what tables say of it: how it differs from another."""
        from truerank.questions.compare.layout import reference

        found = []
        for each in self.comparisons:
            other = reference(self, each)
            for run, system in each.systems.items():
                at = each.runs.index(run)
                found.append(system if other in (None, at) else _differing(system, each.of(at, other or 0)))
        return found

    @cached_property
    def every_pair(self) -> Sequence[PairRow]:
        """One row per measure and pair."""
        return ColumnarRows.joined(PairRow, [each.pairs for each in self.comparisons])

    @property
    def every_loss(self) -> list[TopicLoss]:
        """One row per measure, pair and topic that got worse, the largest loss of each pair first."""
        return [
            loss for each in self.comparisons for a, b in each.asked for loss in each.losses(each.runs[a], each.runs[b])
        ]

    @cached_property
    def every_group(self) -> list[GroupMean]:
        """One row per measure, group and system; none without groups."""
        from truerank.questions.compare.by_group import group_means

        return [row for each in self.comparisons for row in group_means(each)]

    @cached_property
    def every_group_pair(self) -> list[GroupPair]:
        """One row per measure, group and pair; none without groups."""
        from truerank.questions.compare.by_group import group_pairs

        return [row for each in self.comparisons for row in group_pairs(each)]

    @cached_property
    def every_source(self) -> list[VarianceRow]:
        """One row per measure and source of variance."""
        from truerank.questions.compare.by_group import variance_rows

        return [row for each in self.comparisons for row in variance_rows(each)]

    @property
    def paper(self) -> list[PaperLine]:
        """What a paper should report: data, conventions, test, differences, power, what verdicts depend on, command."""
        from truerank.questions.compare.paper import lines

        return [*lines(self)]

    @property
    def verdicts(self) -> tuple[str, ...]:
        """What was found of each pair, a sentence each."""
        from truerank.questions.compare.words import verdict

        return tuple(str(verdict(each, pair)) for each in self.comparisons for pair in each.pairs)

    def verdict(self, show: str) -> str:
        """The sentence that answers: which run is better, or how the gates came out."""
        from truerank.questions.compare.verdicts import gate_verdict, verdict
        from truerank.track.facts import MISSING

        if show == "paper":
            return ""
        found = gate_verdict(self) if show == "gates" else verdict(self)
        # What runs lack is said in the verdict, with what comes out without it.
        doubts = [doubt for doubt in self.doubts if self.lacking is None or doubt.code != MISSING.code]
        return " ".join([*(f"{doubt}." for doubt in doubts), found])

    def own_notes(self, show: str) -> Iterator[Note]:
        """How many pairs of many differ, what verdicts depend on, and what the topics can show."""
        from truerank.questions.compare.words import POWER, further, lost_topics

        if show == "paper":
            return
        if show == "gates":
            yield from lost_topics(self.gates)
        yield from (note for note in self._said(show) if self._is_read(note))
        # The sentence of a gate says what it can miss.
        yield from (
            note.weighed(consequence=0.0) if show == "gates" and note.code == POWER.code else note
            for note in further(self)
        )

    def _said(self, show: str) -> Iterator[Note]:
        """The verdicts as notes: one per pair, or a few for all if there are many."""
        from truerank.questions.compare.words import UNSETTLED, said

        for note in said(self):
            # The sentences of gates have the rest.
            if show != "gates" or note.code == UNSETTLED.code or note.facts.get("settled") is False:
                yield note

    def _is_read(self, note: Note) -> bool:
        """Whether people read a note about verdicts: it says more than the sentence above the table."""
        from truerank.questions.compare.words import DIFFER, UNSETTLED

        many = note.code == DIFFER.code and len(self.runs) > FEW
        return many or note.code == UNSETTLED.code or note.facts.get("settled") is False

    def notes(self, show: str | None = None, quiet: Collection[str] = (), *, whole: bool = False) -> tuple[Note, ...]:
        """Everything there is to say; people also read how likely verdicts change, which programs have as a sheet."""
        from truerank.questions.compare.likely import notes

        if self.kind(show) == "paper" and not whole:
            # Its lines have them.
            return ()
        found = super().notes(show, quiet, whole=whole)
        if whole or self.kind(show) == "gates":
            return found
        likely = [note for note in notes(self) if note.code not in quiet]
        doubts = [note for note in found if note.urgent]
        return (*doubts, *likely, *found[len(doubts) :])

    def _around(self, show: str) -> Iterator[Note]:
        yield from super()._around(show)
        if show != "paper":
            yield from (note for note in self._said(show) if not self._is_read(note))

    def caption(self, show: str) -> Note:
        """How the numbers came about: topics, test, correction, level, intervals, conventions."""
        from truerank.questions.compare.words import how

        method, unjudged = how(self, show), self.of_unjudged
        return method.weighed(f"{method}; {unjudged}", brief=f"{method.brief}; {unjudged}") if unjudged else method

    def layout(self, show: str, *, top: Top = None) -> Table:
        """A leaderboard with letters, pairs with their intervals, topics that got worse, or gates."""
        from truerank.questions.compare.layout import LAYOUTS

        if show == "paper":
            from truerank.questions.compare.paper import in_words

            return in_words(super().layout(show))
        return LAYOUTS[show](self, top) if show in LAYOUTS else super().layout(show, top=top)

    def summary(self, top: Top = None) -> str:
        """Everything that a reader of a pull request wants to know, in Markdown."""
        from truerank.questions.compare.layout import summary

        return summary(self, top)

    def render(self, form: str, show: str | None = None, *, quiet: Collection[str] | None = (), **options: Any) -> str:
        """The text of a format; with gates, in Markdown the summary, unless a sheet is asked for.

        What a paper should report is no table as text, in Markdown and in LaTeX, but a list to paste.
        """
        if show == "paper":
            from truerank.questions.compare.paper import FORMS, block

            if form in FORMS:
                return block(self, form)
        if form == "markdown" and show is None and self.gates:
            return self.summary(top=options.get("top")).removesuffix("\n")
        return super().render(form, show, quiet=quiet, **options)

    @adjustable
    def plot(self, show: str | None = None, *, theme: Theme = "light", **look: Unpack[Adjustments]) -> Plot:
        """Draw one panel per measure with intervals: of "differences" from a single baseline, or of "systems"."""
        from truerank.questions.compare.figure import plot_comparison

        return plot_comparison(self, show, theme=theme)

    def __repr__(self) -> str:
        return f"Comparison({len(self.runs)} runs, {len(self.topics)} topics, {len(self.by_name)} measures)"
