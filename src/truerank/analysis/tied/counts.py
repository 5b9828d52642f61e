"""How much of a run is tied."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from truerank.analysis.views import Views
from truerank.conventions.ties import topics_of
from truerank.data.arrays import distinct
from truerank.data.judge import every_document


@dataclass(frozen=True)
class TieCounts:
    """Documents and topics of a run, and how many of them are tied."""

    documents: int
    """Documents listed for the judged topics."""
    tied_documents: int
    """Those that share their score with another one."""
    topics: int
    """Judged topics that the run has documents for."""
    tied_topics: int
    """Those with a tie."""
    judged: int
    """Judged documents listed."""
    tied_judged: int
    """Those in a tie; only they can move a score."""
    straddling: dict[int, int]
    """By cutoff, the topics with documents on both sides of it that share their score."""

    @property
    def share(self) -> float:
        """Share of documents that are tied; 0 where there are none."""
        return self.tied_documents / max(self.documents, 1)

    @property
    def topic_share(self) -> float:
        """Share of topics with a tie."""
        return self.tied_topics / max(self.topics, 1)

    @property
    def judged_share(self) -> float:
        """Share of judged documents that are in a tie."""
        return self.tied_judged / max(self.judged, 1)

    def as_dict(self) -> dict[str, Any]:
        """Counts by name; those at a cutoff have it in their name."""
        at = {f"straddling@{cutoff}": count for cutoff, count in self.straddling.items()}
        names = ("documents", "tied_documents", "topics", "tied_topics", "judged", "tied_judged")
        return {**{name: getattr(self, name) for name in names}, **at}


def count_ties(views: Views, cutoffs: Iterable[int]) -> TieCounts:
    """Count the ties of a run, over the topics that count."""
    judged = views.judged
    every = every_document(judged)
    topic, tied = topics_of(every), every.size > 1
    last = every.above + every.size
    return TieCounts(
        documents=len(every.row),
        tied_documents=int(tied.sum()),
        topics=int((judged.length > 0).sum()),
        tied_topics=len(distinct(topic[tied])),
        judged=len(judged.row),
        tied_judged=int((judged.size > 1).sum()),
        straddling={k: len(distinct(topic[np.flatnonzero((every.above < k) & (k < last))])) for k in cutoffs},
    )
