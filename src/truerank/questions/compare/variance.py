"""Where the variance of scores comes from: systems, topics, runs of systems, and what is left."""

from __future__ import annotations

import numpy as np

from truerank.questions.compare.answer import MeasureComparison, VarianceRow
from truerank.statistics.anova import sources


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
