"""A lecture on the evaluation of document rankings: by what is known of relevance, with worked examples."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from itertools import pairwise

import truerank as tr
from truerank.questions.reproduce.data import PaperData
from truerank.questions.reproduce.paper import (
    Cell,
    Check,
    Column,
    Made,
    Paper,
    PaperFigure,
    Table,
    by_hand,
    checked,
    counted,
    defined,
    exhibit,
    numbered,
    of_each,
    percent,
    texts,
    untold,
)

FIVE = "01010"
"""Five documents, two of them relevant: a list for the slide's picture."""
TWENTY = "10110100100000100000"
"""The list of the precision-recall slide: relevant at ranks 1, 3, 4, 6, 9 and 15 of 20."""
MODELS = {"untrained": (2, 2, 2, 2, 2, 100), "model A": (1, 1, 1, 1, 1, 100), "model B": (2, 2, 2, 2, 2, 50)}
"""Ranks of the one relevant document of six queries."""
CYCLE = (("d3", "d2"), ("d2", "d1"), ("d1", "d3"))
"""Preferences that go round in a circle."""
MEASURES = ("AUC", "RR", "AP", "Rprec", "P@10", "R@100", "nDCG@10")


class SlidesData(PaperData):
    """A collection by the measures of the lecture."""

    @cached_property
    def scores(self) -> tr.Scores:
        """Runs by each measure."""
        return tr.evaluate(self.qrels, self.runs, MEASURES, **self.asked())

    @cached_property
    def curves(self) -> tr.PrecisionRecall:
        """Interpolated precision at recall levels, the mean over topics."""
        return tr.precision_recall(self.qrels, self.runs, **self.asked("ending"))


def of_ones(ranking: str) -> list[float]:
    """The grades of a list of ones and zeros."""
    return [float(grade) for grade in ranking]


def files(ranking: str) -> tuple[dict[str, dict[str, int]], dict[str, list[str]]]:
    """A list of ones and zeros as judgments and a run."""
    names = [f"d{rank:02}" for rank in range(1, len(ranking) + 1)]
    return {"q": dict(zip(names, map(int, ranking), strict=True))}, {"q": names}


@cache
def twenty() -> tr.PrecisionRecall:
    """The list of the slide, depth by depth."""
    qrels, run = files(TWENTY)
    return tr.precision_recall(qrels, {"list": run}, topic="q")


@cache
def area() -> tr.Roc:
    """The list of five."""
    qrels, run = files(FIVE)
    return tr.roc(qrels, {"list": run}, topic="q")


@cache
def models() -> tr.Scores:
    """The three models of the slide on reciprocal rank."""
    qrels = {f"q{query}": {"x": 1} for query in range(6)}
    runs = {
        name: {f"q{query}": [*(f"y{n}" for n in range(rank - 1)), "x"] for query, rank in enumerate(ranks)}
        for name, ranks in MODELS.items()
    }
    return tr.evaluate(qrels, runs, "RR RR@10")


@cache
def circle() -> tr.PreferenceSurvey:
    """Preferences in a circle, and a run that keeps two of them."""
    return tr.preferences([("q", *pair) for pair in CYCLE], {"run": {"q": ["d3", "d2", "d1"]}})


# Exhibits.


@exhibit(
    "Slide: area under the curve",
    command='truerank reproduce slides --exhibit "Slide: area under the curve"',
    prints="a picture of the ideal and the system's curve; no numbers",
    needs_runs=False,
)
def slide_auc(_: Sequence[SlidesData]) -> Made:
    """Five documents, two of them relevant: discordant pairs, and the area that they take away."""
    auc, loss = (tr.parse(measure).of(of_ones(FIVE)) for measure in ("AUC", "PrefLoss"))
    pairs = [(i, j) for i, one in enumerate(FIVE) for j, other in enumerate(FIVE) if one == "1" and other == "0"]
    wrong = sum(i > j for i, j in pairs)
    columns = (
        *texts("list"),
        Column("pairs", number=True, meaning="of a relevant document and another"),
        *numbered("discordant", "share", "AUC", "preference loss"),
    )
    rows = ((f"“{FIVE}”", len(pairs), wrong, f"{wrong / len(pairs):.4f}", f"{auc:.4f}", f"{loss:.4f}"),)
    table = Table(columns, rows, caption="Five documents, two of them relevant")
    said = "Hits against false alarms of the list of five: the area under the line is AUC."
    return Made(tables=(table,), figures=(PaperFigure(area().plot, said),))


@exhibit(
    "Slide: mean reciprocal rank",
    command='truerank reproduce slides --exhibit "Slide: mean reciprocal rank"',
    prints="the ranks, and the question which model is better",
    needs_runs=False,
)
def slide_mrr(_: Sequence[SlidesData]) -> Made:
    """Three models by the rank of the one relevant document of six queries."""
    columns = (
        *texts("model", "ranks"),
        *numbered("sum of ranks", "MRR", "MRR, K = 10"),
    )
    rows = tuple(
        (name, " ".join(map(str, ranks)), sum(ranks), models()[name]["RR"].mean, models()[name]["RR@10"].mean)
        for name, ranks in MODELS.items()
    )
    return Made(tables=(Table(columns, rows, caption="Ranks of the one relevant document of six queries"),))


@exhibit(
    "Slide: precision-recall trade-off",
    command="truerank curves QRELS RUN... --plot curves.svg",
    prints="the list and its curve; no numbers",
    needs_runs=False,
)
def slide_trade_off(data: Sequence[SlidesData]) -> Made:
    """A list of twenty documents, depth by depth, its curve, and those of one's own runs."""
    columns = numbered("k", "relevant", "recall", "precision", "F1")
    rows = tuple(
        (point.depth, "1" if TWENTY[point.depth - 1] == "1" else "", point.recall, point.precision, point.f1)
        for point in twenty().depths
        if point.depth > 0
    )
    table = Table(columns, rows, caption="The list of the slide, depth by depth")
    said = "Precision against recall of the slide's list: at each depth, and interpolated."
    figures = [PaperFigure(twenty().plot, said)]
    for one in data:
        told = "interpolated precision at recall levels, the mean over topics, one line per run."
        figures.append(one.figure(one.curves.plot, told))
    return Made(tables=(table,), figures=tuple(figures))


@exhibit(
    "Slide: a single number",
    command=f'truerank evaluate QRELS RUN... -m "{" ".join(MEASURES)}"',
    prints="the names of the measures",
    needs_runs=False,
)
def slide_numbers(data: Sequence[SlidesData]) -> Made:
    """The ways to reduce a list to one number: of the slide's list, and of one's own runs."""
    single = ("SetR", "SetP", "SetF", "Rprec", "RR", "AUC", "AP", "nDCG")
    columns = (*texts("measure"), *numbered("value"))
    rows = tuple((measure, tr.parse(measure).of(of_ones(TWENTY))) for measure in single)
    tables = [Table(columns, rows, caption="The list of the slide by each of them")]
    for one in data:
        best = one.scores.ranked("AP")[:TOP]
        heads = (*texts("run"), *(Column(measure, number=True, best="high") for measure in MEASURES))
        cells: list[tuple[Cell, ...]] = [
            (run, *(one.scores[run][measure].mean for measure in MEASURES)) for run in best
        ]
        shown = f"the {len(best)} best of {counted(len(one.runs), 'run')} by AP"
        tables.append(Table(heads, tuple(cells), caption=f"{one.name}: {shown}, means over topics"))
    return Made(tables=tuple(tables))


TOP = 20


@exhibit(
    "Slide: pairwise preferences",
    command='truerank reproduce slides --exhibit "Slide: pairwise preferences"',
    prints="the circle; no numbers",
    needs_runs=False,
)
def slide_preferences(_: Sequence[SlidesData]) -> Made:
    """Three preferences in a circle, and the loss of a list that keeps two of them."""
    found = circle()
    columns = (
        *texts("preferences", "list"),
        *numbered("loss", "least possible"),
    )
    run = found["run"]
    said = ", ".join(f"{better} > {worse}" for better, worse in CYCLE)
    rows = ((said, "d3 d2 d1", run.loss, run.least),)
    return Made(tables=(Table(columns, rows, caption="Preferences in a circle: no list keeps them all"),))


# Claims.


@by_hand("Area under the curve")
def area_is_discordance() -> Check:
    """The area between the curves and the number of discordant pairs measure the same."""
    found = {}
    for one in (FIVE, TWENTY):
        useless, relevant = one.count("0"), one.count("1")
        discordant = round(tr.parse("PrefLoss").of(of_ones(one)) * useless * relevant)
        found[one] = (_between(one), discordant)
    said = ", ".join(f"{counted(len(one), 'document')}: {area} and {pairs}" for one, (area, pairs) in found.items())
    return checked(
        all(area == pairs for area, pairs in found.values()), f"area and discordant pairs of the lists of {said}"
    )


def _between(ranking: str) -> int:
    """The area between the ideal and the system's curve of relevant documents by rank.

    >>> _between("01")
    1
    """
    ideal = "".join(sorted(ranking, reverse=True))
    depths = range(1, len(ranking) + 1)
    return sum(ideal[:depth].count("1") - ranking[:depth].count("1") for depth in depths)


@by_hand("MRR")
def first_drop_is_worst() -> Check:
    """Dropping from rank 1 to 2 is as bad as from 2 out of sight."""
    first, second, gone = (tr.parse("RR").of(of_ones(one)) for one in ("1", "01", "0"))
    return defined(first - second == second - gone, f"RR {first:g}, {second:g} and {gone:g}")


@by_hand("MRR", rule="the slide's models: A is better by MRR, B by the sum of ranks")
def a_is_better() -> Check:
    """A sum of ranks is dominated by outliers, and reciprocal ranks are not."""
    found = {name: models()[name]["RR"].mean for name in MODELS}
    said = ", ".join(f"{name} {score:.3f} (ranks add up to {sum(MODELS[name])})" for name, score in found.items())
    is_so = found["model A"] > found["model B"] and sum(MODELS["model A"]) > sum(MODELS["model B"])
    return checked(is_so, said)


@by_hand("Sets via rank-and-cutoff")
def silence_is_precise() -> Check:
    """At depth 0 precision is 1 by convention."""
    precision, recall = (tr.parse(measure).of(of_ones(TWENTY)) for measure in ("P@0", "R@0"))
    return defined(precision == 1 and recall == 0, f"P@0 {precision:g}, R@0 {recall:g}")


@by_hand("Sets via rank-and-cutoff")
def everything_is_recalled() -> Check:
    """At the end of the corpus recall is 1, and precision the share of relevant documents."""
    precision, recall = (tr.parse(f"{measure}@20").of(of_ones(TWENTY)) for measure in ("P", "R"))
    is_so = recall == 1 and abs(precision - 6 / 20) < 1e-12
    return defined(is_so, f"of the slide's list, P@20 {precision:g} and R@20 {recall:g}; 6 of 20 are relevant")


@by_hand("Precision-recall trade-off")
def precision_mostly_falls() -> Check:
    """As recall rises precision mostly falls, though not always."""
    points = [point for point in twenty().depths if point.depth > 0]
    hits = [point for point in points if TWENTY[point.depth - 1] == "1"]
    steps = [later.precision < earlier.precision for earlier, later in pairwise(hits)]
    said = f"from one relevant document of the slide's list to the next it falls {sum(steps)} of {len(steps)} times"
    return checked(0 < sum(steps) < len(steps) and sum(steps) > len(steps) / 2, said)


@of_each("Precision-recall trade-off")
def interpolated_never_rises(one: SlidesData) -> Check:
    """Interpolated precision never rises."""
    rises = sum(int((curve.precision[1:] > curve.precision[:-1] + 1e-12).sum()) for curve in one.curves.values())
    steps = sum(len(curve.precision) - 1 for curve in one.curves.values())
    return defined(rises == 0, f"{rises} of {steps:,} steps rise, over all runs")


@of_each("Incomplete relevant set", rule="among the first 100 documents of runs")
def pools_are_incomplete(one: SlidesData) -> Check:
    """Documents outside of the pool are not judged."""
    found = tr.pools(one.qrels, one.runs, engine=one.engine, progress=one.progress)
    judged = {part.run: part.judged_100 for part in found.parts}
    least, mean = min(judged.values()), sum(judged.values()) / len(judged)
    said = f"judged of the first 100 documents: {percent(mean)} on average, {percent(least)} of the run that has fewest"
    return checked(True, said) if mean < 1 else untold("every document among the first 100 is judged")


@by_hand("Pairwise preferences")
def no_list_keeps_a_circle() -> Check:
    """Preferences can go round in a circle."""
    run = circle()["run"]
    return checked(run.least > 0, f"three preferences in a circle: the least possible loss is {run.least:.3f}")


@by_hand("Pairwise preferences")
def depth_of_a_flip_does_not_count() -> Check:
    """Exchanging ranks 1 and 11 costs as much as 18 and 19."""
    names = [f"d{rank:02}" for rank in range(1, 21)]
    told = [("q", names[0], names[10]), ("q", names[17], names[18])]

    def flipped(one: int, other: int) -> dict[str, list[str]]:
        swapped = list(names)
        swapped[one], swapped[other] = swapped[other], swapped[one]
        return {"q": swapped}

    found = tr.preferences(told, {"1 and 11": flipped(0, 10), "18 and 19": flipped(17, 18)})
    losses = {name: found[name].loss for name in found}
    said = ", ".join(f"{name}: {loss:g}" for name, loss in losses.items())
    return defined(len({*losses.values()}) == 1, f"loss of two preferences, with ranks exchanged {said}")


PAPER = Paper(
    name="slides",
    authors="Lecture slides CS6101",
    title="Evaluation of document ranking",
    cited="A lecture on measures for sets, rankings, pools and preferences.",
    data=SlidesData,
    exhibits=(
        slide_auc,
        slide_mrr,
        slide_trade_off,
        slide_numbers,
        slide_preferences,
    ),
    claims=(
        area_is_discordance,
        first_drop_is_worst,
        a_is_better,
        silence_is_precise,
        everything_is_recalled,
        precision_mostly_falls,
        interpolated_never_rises,
        pools_are_incomplete,
        no_list_keeps_a_circle,
        depth_of_a_flip_does_not_count,
    ),
)
