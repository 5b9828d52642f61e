"""The question: how many topics does it take to find a difference that matters?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

from truerank.conventions.presets import AxisRules, one_number
from truerank.data.notes import Code, Note
from truerank.data.printing import counted
from truerank.questions.signature import Engines, Groups, Measures, question
from truerank.report.answer import MeasureAnswer, Sheet
from truerank.report.rows import Row, column
from truerank.report.signature import Argument, Option
from truerank.report.table import caption

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.track.track import Progress

NEEDED = Code(
    "TR333",
    "how many topics it takes to find a difference, and how well that is known",
    "{measure}: {topics:topic}[ in {groups:group}] find a true difference of {difference:g} in {power:%} of cases, "
    "by a paired t-test at {alpha:g}[; by how well the deviation is known, {topics_low:,} to {topics_high:,}]",
    consequence=0.0,
)
ROUGH = Code(
    "TR334",
    "what the answer takes for granted",
    "Future topics are taken to be like these, and systems to differ as much as these runs do. If you will compare two "
    "versions of one system, give runs of two versions.",
    likelihood=0.5,
    consequence=0.3,
)


class DesignRow(Row):
    """How many topics a measure takes."""

    measure: str = column('the measure; "given" where the deviation was')
    deviation: float = column(
        "standard deviation of the difference of two systems over topics, or groups; pooled over all pairs"
    )
    low: float | None = column(
        "where its 95% interval begins; none if it was given, or comes from fewer than five topics", default=None
    )
    high: float | None = column("where that ends", default=None)
    topics: int = column("topics on which a paired t-test of two systems finds the difference", best="low")
    topics_low: int | None = column("those by the low end of the deviation", default=None)
    topics_high: int | None = column("those by the high end", default=None)
    topics_pairs: int = column("topics that the first of all pairs of the systems takes after correction for all")
    topics_anova: int = column("topics on which an analysis of variance of the systems finds it between best and worst")
    topics_width: int = column("topics with which the interval of a difference is no wider than asked for")
    groups: int | None = column("groups that these topics of the t-test are in; none without groups", default=None)
    num_topics: int | None = column("topics at hand", default=None)
    detectable: float = column("the true difference that is found so on the topics at hand, or on those needed")

    brief = (
        "measure",
        "deviation",
        "topics",
        "topics_low",
        "topics_high",
        "topics_pairs",
        "topics_anova",
        "topics_width",
    )


class DesignPoint(Row):
    """What so many topics can show."""

    measure: str = column("the measure")
    topics: int = column("topics")
    power: float = column("chance that a paired t-test finds the difference")
    detectable: float = column("the true difference that it finds with the power asked for")
    width: float = column("how wide the interval of a difference is")
    power_pairs: float = column(
        "chance that it is found by the level that correction for all pairs leaves to the first"
    )
    power_anova: float = column("chance that an analysis of variance finds it between the best and the worst system")


class Design(MeasureAnswer[DesignRow]):
    """How many topics it takes, by measure: ``found["AP"].topics``."""

    question = "design"
    sheets = {
        "measures": Sheet(DesignRow, "topics that each measure takes (default)", of="found"),
        "curve": Sheet(DesignPoint, "what more topics would show", of="points"),
    }

    difference: float = column("the true difference that is to be found")
    systems: int = column("how many systems will be compared")
    power: float = column("the chance with which it is to be found")
    alpha: float = column("the level of tests")
    width: float = column("the widest that intervals may be")
    found: tuple[DesignRow, ...]
    points: tuple[DesignPoint, ...]

    def caption(self, show: str) -> str:
        """What is asked for."""
        parts = [
            f"a true difference of {self.difference:g} to be found with a chance of {self.power:g} at {self.alpha:g}",
            f"{self.systems} systems",
            f"intervals up to {self.width:g} wide",
        ]
        if self.topics:
            parts.append(f"from {counted(len(self.topics), 'topic')}")
        return caption(*parts, conventions=self.conventions.unusual())

    def verdict(self, show: str) -> str:
        """How many topics it takes, and whether there are as many."""
        from truerank.questions.design.words import verdict

        return verdict(self)

    def own_notes(self, show: str) -> Iterator[Note]:
        """How many topics, in a sentence a measure."""
        for row in self.found:
            yield NEEDED(
                measure=row.measure,
                topics=row.topics,
                groups=row.groups,
                difference=self.difference,
                power=self.power,
                alpha=self.alpha,
                topics_low=row.topics_low,
                topics_high=row.topics_high,
            )
        if self.topics:
            yield ROUGH()


RULES = AxisRules(refused=one_number("how far differences vary is a matter of single ones"))

Pilot = Annotated[Any, Argument("[QRELS]", required=False, holds="qrels")]
PilotRuns = Annotated[Any, Argument("[RUN...]", many=True, required=False, holds="runs")]


@question(RULES)
def design(
    qrels: Pilot = None,
    runs: PilotRuns = None,
    measures: Measures = "nDCG@10",
    *,
    difference: Annotated[
        float, Option("The true difference of means that is to be found.", metavar="D", required=True)
    ],
    deviation: Annotated[
        float | None,
        Option("Standard deviation of the difference of two systems over topics, in place of runs.", metavar="S"),
    ] = None,
    systems: Annotated[int, Option("How many systems will be compared.", metavar="N", least=2)] = 2,
    power: Annotated[float, Option("The chance with which it is to be found.")] = 0.8,
    alpha: Annotated[float, Option("Significant is a p below.")] = 0.05,
    width: Annotated[
        float | None, Option("The widest that an interval of a difference may be. Default: twice the difference.")
    ] = None,
    group: Groups = None,
    engine: Engines = None,
    progress: Progress | None = None,
    **given: Unpack[Given],
) -> Design:
    """Find how many topics you need.

    How far differences vary over topics comes from runs on topics that there are, or is given as --deviation. Answers
    are for the paired t-test of two systems; for all pairs of --systems, where verdicts are corrected; for an analysis
    of variance that is to find that the best and the worst of them differ so; and for intervals that are no wider than
    --width. With --group, groups of topics are drawn, and what it takes are groups of the same sizes.

    Example:
      truerank design qrels.txt *.run -m "nDCG@10 AP" --difference 0.03
      truerank design qrels.txt *.run -m AP --difference 0.05 --systems 10 --show curve
      truerank design --deviation 0.2 --difference 0.05 --systems 3 --power 0.9

    In Python, judgments and runs are given as to ``evaluate``, and may be left out where ``deviation`` is given.

    >>> found = design(deviation=0.2, difference=0.05)["given"]
    >>> found.topics, round(found.detectable, 3), found.topics_width
    (128, 0.05, 64)
    """
    from truerank.questions.design.work import DesignAim, given_deviation, score_run, summarise
    from truerank.track.groups import given_groups
    from truerank.track.track import Track

    aim = DesignAim.of(difference, systems=systems, power=power, alpha=alpha, width=width)
    if deviation is not None or qrels is None or not runs:
        return given_deviation(aim, deviation, RULES.chosen(given), pilot=qrels is not None, group=group is not None)
    groups = given_groups(group)
    track = Track.of(qrels, runs, measures, given, RULES, engine=engine)
    return summarise(track, track.each(score_run, progress=progress), aim, groups)
