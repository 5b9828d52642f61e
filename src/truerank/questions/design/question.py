"""The question: how many topics does it take to find a difference that matters?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from truerank.conventions.presets import AxisRules, one_number
from truerank.questions.design.answer import Design
from truerank.questions.signature import Engines, Groups, Measures, question
from truerank.report.signature import Argument, Option

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.track.track import Progress

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
    """Tell how many topics it takes to find a difference that matters.

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
    from truerank.questions.design.work import DesignAim, conclude, given_deviation, look
    from truerank.track.groups import given_groups
    from truerank.track.track import Track

    aim = DesignAim.of(difference, systems=systems, power=power, alpha=alpha, width=width)
    if deviation is not None or qrels is None or not runs:
        return given_deviation(aim, deviation, RULES.chosen(given), pilot=qrels is not None, group=group is not None)
    groups = given_groups(group)
    track = Track.of(qrels, runs, measures, given, RULES, engine=engine)
    return conclude(track, track.each(look, progress=progress), aim, groups)
