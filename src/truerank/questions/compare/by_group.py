"""Systems in each group of topics."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from truerank.data.arrays import Mask
from truerank.data.notes import Code, Note
from truerank.questions.compare.answer import (
    BETTER,
    OPEN,
    SAME,
    WORSE,
    GroupMean,
    GroupPair,
    MeasureComparison,
    VarianceRow,
)
from truerank.questions.compare.sampling import Sample
from truerank.statistics.anova import sources
from truerank.statistics.clusters import intraclass
from truerank.statistics.corrections import holm


def variance_rows(comparison: MeasureComparison) -> list[VarianceRow]:
    """A row a source of variance, of systems compared on what was drawn."""
    sample = comparison.sample
    blocks = "topics" if sample.clusters is None else "groups"
    lines = sources(sample.unit(sample.by_run), sample.system)
    total = sum(max(line.variance, 0.0) for line in lines) or np.nan
    return [
        VarianceRow(
            measure=comparison.measure,
            source=blocks if line.name == "topics" else line.name.replace("topics", blocks),
            squares=line.source.squares,
            freedom=line.source.freedom,
            mean_square=line.source.mean_square,
            f=None if line.chance else line.source.f,
            p=None if line.chance else line.source.p,
            variance=max(line.variance, 0.0),
            share=max(line.variance, 0.0) / total,
        )
        for line in lines
    ]


ALIKE = Code(
    "TR331",
    "how alike topics of a group are, and how many topics drawn on their own they are worth",
    "{measure}: differences of topics of a group have an intraclass correlation of {intraclass:.2f} ([median over "
    "{pairs:pair}, ]0 were they not alike): {topics:topic} in {groups:group} are worth about {worth:.0f} drawn on "
    "their own",
)
TURNED = Code(
    "TR332",
    "pairs of runs whose order is another one in some groups, by more than chance",
    "{measure}: in {groups:group} another run is better than over all topics, by more than chance: {run} is {verdict} "
    "than {compared_with} in {group}",
)


def group_means(comparison: MeasureComparison) -> list[GroupMean]:
    """A row a group and system, the best of all topics first."""
    rows = []
    for name, inside in _groups(comparison):
        means = _sample(comparison, inside).means("t", comparison.settings.confidence, {})
        rows += [
            GroupMean(
                measure=comparison.measure,
                group=name,
                num_topics=int(inside.sum()),
                run=comparison.runs[at],
                mean=means.estimate[at].item(),
                low=means.low[at].item(),
                high=means.high[at].item(),
            )
            for at in comparison.order
        ]
    return rows


def group_pairs(comparison: MeasureComparison) -> list[GroupPair]:
    """A row a group and pair that was asked about; topics of the group were drawn, and the group was not."""
    groups = list(_groups(comparison))
    settings, samples = comparison.settings, [_sample(comparison, inside) for _, inside in groups]
    tested = [sample.tested(settings, baseline=comparison.baseline, **settings.drawing()) for sample in samples]
    corrected = holm(np.array([comparison.of_pairs(one.p) for one in tested]))
    rows = []
    for (name, inside), sample, test, adjusted in zip(groups, samples, tested, corrected, strict=True):
        ends, sizes = sample.differences("t", settings.confidence, {}), sample.effects
        won, lost = (sizes.wins, sizes.losses) if comparison.sign > 0 else (sizes.losses, sizes.wins)
        ways, topics = test.way(sizes.difference), int(inside.sum())
        rows += [
            GroupPair(
                measure=comparison.measure,
                group=name,
                num_topics=topics,
                run=comparison.runs[b],
                compared_with=comparison.runs[a],
                difference=sizes.difference[b, a].item(),
                low=ends.low[b, a].item(),
                high=ends.high[b, a].item(),
                wins=won[b, a].item(),
                ties=sizes.ties[b, a].item(),
                losses=lost[b, a].item(),
                p=test.p[b, a].item(),
                p_corrected=float(p),
                verdict=comparison.verdict(ways[b, a].item(), float(p), same=sizes.ties[b, a] == topics),
            )
            for (a, b), p in zip(comparison.asked, adjusted.tolist(), strict=True)
        ]
    return rows


def said_of_groups(comparison: MeasureComparison) -> Iterator[Note]:
    """How alike topics of a group are, and in which groups another run is the better one."""
    if comparison.groups is None:
        return
    if comparison.sample.clusters is not None and comparison.asked:
        a, b = np.array(comparison.asked).T
        alike = intraclass(comparison.values[b] - comparison.values[a], comparison.groups.number)
        alike = alike[np.isfinite(alike)]
        if len(alike):
            yield _worth(comparison, float(np.median(alike)))
        return
    turned = [row for row in group_pairs(comparison) if row.verdict in (BETTER, WORSE)]
    whole = {
        (comparison.runs[b], comparison.runs[a]): verdict
        for (a, b), verdict in zip(comparison.asked, comparison.verdicts, strict=True)
    }
    other = [row for row in turned if whole[row.run, row.compared_with] not in (row.verdict, OPEN, SAME)]
    if other:
        first = other[0]
        yield TURNED(
            measure=comparison.measure,
            groups=len({row.group for row in other}),
            pairs=len(other),
            run=first.run,
            verdict=first.verdict,
            compared_with=first.compared_with,
            group=first.group,
        )


def _worth(comparison: MeasureComparison, alike: float) -> Note:
    sizes = np.bincount(comparison.groups.number) if comparison.groups is not None else np.zeros(1)
    size = float((sizes**2).sum() / sizes.sum())
    return ALIKE(
        measure=comparison.measure,
        intraclass=alike,
        worth=len(comparison.topics) / max(1.0 + (size - 1.0) * max(alike, 0.0), 1.0),
        topics=len(comparison.topics),
        groups=comparison.num_groups,
        pairs=len(comparison.asked) if len(comparison.asked) > 1 else None,
    )


def _groups(comparison: MeasureComparison) -> Iterator[tuple[str, Mask]]:
    if comparison.groups is None:
        return
    for at, name in enumerate(comparison.groups.names):
        yield name, np.asarray(comparison.groups.number == at)


def _sample(comparison: MeasureComparison, inside: Mask) -> Sample:
    """The topics of a group as they were drawn."""
    return Sample(comparison.sample.by_run[:, inside], comparison.sample.system, span=comparison.sample.span)
