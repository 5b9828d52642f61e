"""The question: how much does the depth of evaluation matter?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from truerank.conventions.presets import AxisRules, one_number
from truerank.questions.depth.answer import Curves
from truerank.questions.signature import Also, ByGroup, Engines, Judgments, Measures, Runs, question
from truerank.report.signature import Option

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.track.track import Progress

RULES = AxisRules(
    fixed={"ending": "none", "limit": None, "relevant": "judgments"},
    refused=one_number("a curve has one at each depth"),
)


@question(RULES)
def depth(
    qrels: Judgments,
    runs: Runs,
    measures: Measures = "AP(norm='min') nDCG Q(norm='min') RBP ERR",
    *,
    max_depth: Annotated[int, Option("The last depth.", least=1, most=100_000)] = 1000,
    condensed: Annotated[bool, Option("Beside the lists as they are, also without unjudged documents.")] = False,
    within: Annotated[
        float, Option("How far tau may stay below 1 in the column tau_stable_from.", least=0, most=2)
    ] = 0.05,
    alpha: Annotated[float, Option("Significance level of the tests.", least=0, most=1)] = 0.05,
    contributors: Annotated[bool, Option("Only the runs that made the pool, as truerank pool finds them.")] = False,
    grid: Annotated[bool, Option("Pool depth by evaluation depth: shallower pools are made and evaluated.")] = False,
    group: ByGroup = None,
    also: Also = (),
    name: str = "",
    engine: Engines = None,
    progress: Progress | None = None,
    **given: Unpack[Given],
) -> Curves:
    """Score runs at every depth, and find the depth from which on conclusions hold.

    Stable from is the smallest depth from which on no difference that is significant at the last depth is reversed.
    A measure is given without its cutoff; depths end where the longest list does. The measures that are taken without
    -m are those of Lu, Moffat & Culpepper (2016). The figure has one line per run, plain and condensed side by side;
    with --show stability or grid it is about that.

    With --contributors, runs that made no part of the pool are left out, and AP(norm='pool') is about the pool of the
    others. With --grid, judgments are those of shallower and shallower pools: for each depth of a pool and each one of
    evaluation, how far the order of runs agrees with that by all judgments at the last depth (tau_a), how many pairs
    of runs differ by a t-test (discrimination), and how many of these differences all judgments reverse.

    Example:
      truerank depth qrels.txt *.run --condensed --plot depth.svg
      truerank depth qrels.txt *.run --contributors -m "AP AP(norm='pool')" --plot pool.svg
      truerank depth qrels.txt *.run -m AP --grid --plot grid.svg
      truerank depth trec8.qrels trec8/*.run --also med.qrels "med/*.run" --plot both.svg

    >>> qrels, run = {"q1": {"a": 1, "b": 0, "c": 1}}, {"q1": ["a", "b", "c"]}
    >>> depth(qrels, {"mine": run}, "AP P", max_depth=3)["mine"]["P"].round(2).tolist()
    [1.0, 0.5, 0.67]
    """
    from truerank.measures.grammar import parse_all
    from truerank.questions.depth.work import conclude, refuse, score_runs
    from truerank.track.track import Track

    wanted = parse_all(measures)
    refuse(wanted, max_depth, within=within, alpha=alpha)
    track = Track.of(qrels, runs, wanted, given, RULES, engine=engine)
    pools = None
    if contributors or grid:
        from truerank.questions.depth.grid import cells_of, contributing, survey_pool, with_pool

        pools = survey_pool(track, progress)
        track = contributing(track, pools) if contributors else track
    parts = score_runs(track, max_depth, condensed=condensed, progress=progress)
    curves = conclude(track, parts, within=within, alpha=alpha)
    if pools is None:
        return curves
    curves = with_pool(pools, curves, chosen=contributors)
    return cells_of(track, pools, curves, condensed=condensed, progress=progress) if grid else curves
