"""Lists without scores: lines of topic, document and rank, or of topic and document, best first."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from truerank.data.errors import Origin
from truerank.data.run import Run
from truerank.io.columns import read_columns
from truerank.io.direction import listed, refuse_listed
from truerank.io.forms import head_of
from truerank.io.from_columns import run_from_columns
from truerank.io.layout import LISTED, RANKED
from truerank.io.source import Source

_SAID = "{} columns are taken for {}: scores are made of {}"


def read_list(source: Source, name: str | None, higher_is_better: bool | None = None) -> Run:
    """Read a run that has ranks instead of scores, as that of MS MARCO has, or neither.

    >>> import io
    >>> from truerank.io.source import open_source
    >>> run = read_list(open_source(io.StringIO("q1 d7 1\\nq1 d3 2")), "mine")
    >>> run.ranking("q1"), run.notes
    ([('d7', -1.0), ('d3', -2.0)], ('3 columns are taken for topic, document and rank: scores are made of ranks',))
    """
    refuse_listed(higher_is_better)
    layout = LISTED if head_of(source).count < len(RANKED.columns) else RANKED
    columns = read_columns(source, layout)
    ranked = layout is RANKED
    run = run_from_columns(columns, name or source.stem or "run", is_rank=ranked)
    if ranked:
        _refuse_scores(run, columns.origin)
        return replace(run, notes=(_SAID.format(3, "topic, document and rank", "ranks"),))
    return replace(listed(run), notes=(_SAID.format(2, "topic and document, best first", "places"),))


def _refuse_scores(run: Run, origin: Origin) -> None:
    """Refuse numbers that are no ranks: within a topic these are different whole numbers, the first of them 1."""
    filled = run.offsets[:-1][np.diff(run.offsets) > 0]
    wrong = run.score != np.rint(run.score)
    wrong[1:] |= run.score[1:] == run.score[:-1]
    # A topic's first row has none above it to be equal to.
    wrong[filled] = run.score[filled] != -1
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise origin.error(
            f"the third column holds {-run.score[row]:g}, which makes no ranks (1, 2, 3, ... in each topic); if it is "
            "a score, begin the file with a header line: query_id doc_id score",
            int(run.docs.start[row]),
        )
