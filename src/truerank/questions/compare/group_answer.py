"""Systems in each group of topics, and what varies: rows of the answer."""

from __future__ import annotations

from truerank.report.rows import Row, column


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
    difference: float = column("the mean of the run less that of the other, over these topics")
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
    f: float | None = column("mean square over that which it would have by chance; none for what is left over")
    p: float | None = column("chance of such an F or a higher one, were there no such differences")
    variance: float = column("variance component: what the source adds to the variance of a score, at least 0")
    share: float = column("that as a share of the sum over sources")
