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


def variance_rows(found: MeasureComparison) -> list[VarianceRow]:
    """A row a source of variance, of systems compared on what was drawn."""
    sample = found.sample
    blocks = "topics" if sample.clusters is None else "groups"
    lines = sources(sample.unit(sample.by_run), sample.system)
    total = sum(max(line.variance, 0.0) for line in lines) or np.nan
    return [
        VarianceRow(
            measure=found.measure,
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


def group_means(found: MeasureComparison) -> list[GroupMean]:
    """A row a group and system, the best of all topics first."""
    rows = []
    for name, inside in _groups(found):
        means = _sample(found, inside).means("t", found.settings.confidence, {})
        rows += [
            GroupMean(
                measure=found.measure,
                group=name,
                num_topics=int(inside.sum()),
                run=found.runs[at],
                mean=means.estimate[at].item(),
                low=means.low[at].item(),
                high=means.high[at].item(),
            )
            for at in found.order
        ]
    return rows


def group_pairs(found: MeasureComparison) -> list[GroupPair]:
    """A row a group and pair that was asked about; topics of the group were drawn, and the group was not."""
    groups = list(_groups(found))
    settings, samples = found.settings, [_sample(found, inside) for _, inside in groups]
    tested = [sample.tested(settings, baseline=found.baseline, **settings.drawing()) for sample in samples]
    corrected = holm(np.array([found.of_pairs(one.p) for one in tested]))
    rows = []
    for (name, inside), sample, test, adjusted in zip(groups, samples, tested, corrected, strict=True):
        ends, sizes = sample.differences("t", settings.confidence, {}), sample.effects
        won, lost = (sizes.wins, sizes.losses) if found.sign > 0 else (sizes.losses, sizes.wins)
        ways, topics = test.way(sizes.difference), int(inside.sum())
        rows += [
            GroupPair(
                measure=found.measure,
                group=name,
                num_topics=topics,
                run=found.runs[b],
                compared_with=found.runs[a],
                difference=sizes.difference[b, a].item(),
                low=ends.low[b, a].item(),
                high=ends.high[b, a].item(),
                wins=won[b, a].item(),
                ties=sizes.ties[b, a].item(),
                losses=lost[b, a].item(),
                p=test.p[b, a].item(),
                p_corrected=float(p),
                verdict=found.verdict(ways[b, a].item(), float(p), same=sizes.ties[b, a] == topics),
            )
            for (a, b), p in zip(found.asked, adjusted.tolist(), strict=True)
        ]
    return rows


def said_of_groups(found: MeasureComparison) -> Iterator[Note]:
    """How alike topics of a group are, and in which groups another run is the better one."""
    if found.groups is None:
        return
    if found.sample.clusters is not None and found.asked:
        a, b = np.array(found.asked).T
        alike = intraclass(found.values[b] - found.values[a], found.groups.number)
        alike = alike[np.isfinite(alike)]
        if len(alike):
            yield _worth(found, float(np.median(alike)))
        return
    turned = [row for row in group_pairs(found) if row.verdict in (BETTER, WORSE)]
    whole = {
        (found.runs[b], found.runs[a]): verdict for (a, b), verdict in zip(found.asked, found.verdicts, strict=True)
    }
    other = [row for row in turned if whole[row.run, row.compared_with] not in (row.verdict, OPEN, SAME)]
    if other:
        first = other[0]
        yield TURNED(
            measure=found.measure,
            groups=len({row.group for row in other}),
            pairs=len(other),
            run=first.run,
            verdict=first.verdict,
            compared_with=first.compared_with,
            group=first.group,
        )


def _worth(found: MeasureComparison, alike: float) -> Note:
    sizes = np.bincount(found.groups.number) if found.groups is not None else np.zeros(1)
    size = float((sizes**2).sum() / sizes.sum())
    return ALIKE(
        measure=found.measure,
        intraclass=alike,
        worth=len(found.topics) / max(1.0 + (size - 1.0) * max(alike, 0.0), 1.0),
        topics=len(found.topics),
        groups=found.num_groups,
        pairs=len(found.asked) if len(found.asked) > 1 else None,
    )


def _groups(found: MeasureComparison) -> Iterator[tuple[str, Mask]]:
    if found.groups is None:
        return
    for at, name in enumerate(found.groups.names):
        yield name, np.asarray(found.groups.number == at)


def _sample(found: MeasureComparison, inside: Mask) -> Sample:
    """The topics of a group as they were drawn."""
    return Sample(found.sample.by_run[:, inside], found.sample.system, span=found.sample.span)
