"""The question: which measures are sure of what they find, how alike are they, and what do they cover?"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Annotated, Any

from truerank.conventions.presets import AxisRules, one_number
from truerank.questions.meta.answer import Meta, MetaSettings
from truerank.questions.signature import Also, ByGroup, Engines, Judgments, Measures, Runs, question
from truerank.report.signature import Option

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.track.track import Progress

MEASURES = " ".join(
    (
        *("OIE(size=20000)", "nDCG", "DCG", "RBP(p=0.98)", "AP", "F", "R@100", "FlatU"),
        *("RBP(p=0.9)", "P@10", "RBP", "iRBU(p=0.98)", "iRBU(p=0.9)", "iRBU", "ERR", "RR"),
    )
)
REFERENCE = "P@10 R@100 RR"
RULES = AxisRules(
    # A list that is cut was ended by its cut, however many documents there could have been.
    fixed={"limit": None, "relevant": "judgments"},
    refused=one_number("systems are ordered by one"),
)


@question(RULES)
def meta(
    qrels: Judgments,
    runs: Runs,
    measures: Measures = MEASURES,
    *,
    reference: Annotated[
        Any, Option("The measures whose unanimous improvements are to be covered.", metavar="MEASURES")
    ] = REFERENCE,
    depth: Annotated[int | None, Option("Cut lists here first.", metavar="N", least=1)] = None,
    test: Annotated[str, Option("The test of each pair of runs.")] = "student",
    alpha: Annotated[float, Option("Its level.", least=0, most=1)] = 0.05,
    permutations: Annotated[int, Option("Draws of a test that draws.", metavar="N", least=1)] = 10_000,
    splits: Annotated[
        int, Option("Splits of the topics in halves, and sets of topics drawn anew.", metavar="N", least=1, most=10**6)
    ] = 1000,
    fuzziness: Annotated[float, Option("Share of a score up to which a difference is a tie.", least=0, most=1)] = 0.05,
    pairs: Annotated[
        int, Option("Pairs of topics drawn for the sampled coverage.", metavar="N", least=1, most=10**7)
    ] = 1000,
    seed: Annotated[int, Option("Of everything drawn.", least=0, most=inf)] = 0,
    group: ByGroup = None,
    also: Also = (),
    name: str = "",
    engine: Engines = None,
    progress: Progress | None = None,
    **given: Unpack[Given],
) -> Meta:
    """Compare measures by what they say of the same runs.

    How alike they order runs, how many pairs of runs they tell apart, how sure that is with other topics, and whether
    their improvements are improvements by all of some reference measures. Those that are taken without -m are the
    measures of Amigó, Mizzaro & Spina (2022), table 3.

    Example:
      truerank meta qrels.txt *.run -m "AP nDCG@10 P@10 RR"
      truerank meta qrels.txt *.run --show tau --plot tau.svg
      truerank meta trec8.qrels trec8/*.run --also med.qrels "med/*.run" --show coverage

    In Python, it takes what ``evaluate`` takes, and several runs. With ``depth``, lists are cut there first. Measures
    are compared on the topics for which every run has a value by every measure. They are ranked by

    - discrimination: the share of pairs of runs that differ by ``test`` at ``alpha``; a test that draws at random does
      so ``permutations`` times
    - sensitivity: the share of differences seen on half of the topics that are large enough to be relied on: from there
      on at most one in twenty has the opposite sign on the other half; the topics are split ``splits`` times
    - tau_halves: Kendall's tau between the orders of runs by both halves
    - minority: how often two runs stand in the order that they have less often, over ``splits`` sets of topics drawn
      with replacement, ties left out; also with differences up to ``fuzziness``, a share of the score, taken for ties
    - coverage: Spearman's rho of differences with the Unanimous Improvement Ratio by the measures of ``reference``;
      also estimated from ``pairs`` of topics

    >>> qrels = {"q1": {"a": 1, "b": 1}, "q2": {"c": 1}, "q3": {"d": 1, "e": 1}, "q4": {"f": 1}}
    >>> good = {"q1": ["a", "b"], "q2": ["c"], "q3": ["d", "x"], "q4": ["x", "f"]}
    >>> fair = {"q1": ["a", "x"], "q2": ["x", "c"], "q3": ["x", "y"], "q4": ["x", "y", "f"]}
    >>> poor = {"q1": ["x", "a"], "q2": ["x", "y"], "q3": ["y", "x"], "q4": ["x", "y"]}
    >>> found = meta(qrels, {"good": good, "fair": fair, "poor": poor}, "AP RR", reference="P@2 RR")
    >>> found["AP"].coverage, found.tau_a("AP", "RR"), found.uir("good", "poor")
    (1.0, 1.0, 0.9375)
    """
    from truerank.measures.grammar import parse_all
    from truerank.questions.meta.work import conclude, look, refuse, refuse_few
    from truerank.track.track import Track

    settings = MetaSettings(
        depth=depth,
        test=test,
        alpha=alpha,
        permutations=permutations,
        splits=splits,
        fuzziness=fuzziness,
        pairs=pairs,
        seed=seed,
    )
    wanted, covered = parse_all(measures), parse_all(reference)
    every = parse_all([*wanted, *covered])
    refuse(settings, every)
    track = Track.of(qrels, runs, every, given, RULES, engine=engine)
    refuse_few(track)
    parts = track.each(look, progress=progress, depth=settings.depth)
    return conclude(track, parts, wanted, covered, settings)
