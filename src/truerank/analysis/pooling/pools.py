"""The pool that judgments were made of: its runs, its depth, and how sure that is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from truerank.analysis.keyed import ByRun
from truerank.analysis.pooling.survey import Seen, Survey, graded, survey
from truerank.analysis.tabular import Tabular
from truerank.io.runs import named_runs
from truerank.questions.pool.depths import ENDLESS

if TYPE_CHECKING:
    from truerank.report.table import Table

NEARLY = 0.95
"""Share of the judgments that a pool has to hold to be the likely one."""


@dataclass(frozen=True)
class Contribution:
    """What a run has to do with the pool."""

    run: str
    contributes: bool
    judged_to: int
    """The deepest rank down to which its documents are judged in every topic."""
    to_end: bool
    """Whether that is the end of all its lists."""
    judged_pool: float
    """Share of judged documents down to the depth of the pool; NaN where that is unknown."""
    judged_10: float
    judged_100: float
    unique: int
    """Documents that it alone contributed."""
    unique_relevant: int


@dataclass(frozen=True, eq=False)
class Pools(Tabular, ByRun[Contribution]):
    """The pool that judgments were made of, as far as runs tell, and each run's part in it."""

    kinds = ("runs",)

    runs: dict[str, Contribution]
    depth: int | None
    """How deep the pool is; None where the runs do not tell."""
    judgments: int
    explained: int
    """Judged documents that stand within that depth in a contributing run."""
    relevant: int
    explained_relevant: int
    topics: int
    ties: str
    """The order in which tied documents were pooled."""
    notes: tuple[str, ...] = ()

    @property
    def contributors(self) -> tuple[str, ...]:
        """The runs that the pool was made of."""
        return tuple(name for name, run in self.runs.items() if run.contributes)

    @property
    def certainty(self) -> str:
        """How sure the pool is: "certain", "likely" or "unclear", by the share of the judgments that it holds."""
        if self.depth is None or not self.contributors:
            return "unclear"
        if self.explained == self.judgments:
            return "certain"
        return "likely" if self.explained >= NEARLY * self.judgments else "unclear"

    @property
    def sentences(self) -> tuple[str, ...]:
        """What was found, and how sure it is."""
        if self.depth is None or not self.contributors:
            at = 1 if self.depth is None else self.depth
            return (
                f"No run is judged down to rank {at} in every topic: the judgments are no pool of these runs, "
                "or their ties were in another order.",
            )
        return tuple(filter(None, (self._depth(), self._share(), self._through_others())))

    def _depth(self) -> str:
        some, depth = [self.runs[name] for name in self.contributors], self.depth or 0
        those = f"{len(some)} of {len(self.runs)} runs"
        if any(run.judged_to < depth and not run.to_end for run in some):
            return f"The pool is taken to be {depth} deep, of {those}; not all of these are judged so deep."
        stop = sum(run.judged_to == depth and not run.to_end for run in some)
        exact = f", {stop} of them no deeper" if stop else ", and deeper"
        return f"{those} are judged down to rank {depth} in every topic{exact}: the pool is {depth} deep."

    def _share(self) -> str:
        if self.certainty == "certain":
            return f"It holds all {self.judgments:,} judged documents, so that nothing else was judged."
        held = f"It holds {self.explained:,} of {self.judgments:,} judged documents"
        if self.certainty == "likely":
            return f"{held}; the other {self.judgments - self.explained:,} were found in other ways."
        return f"{held}: the others were found in other ways, or by other runs, so that its depth is a guess."

    def _through_others(self) -> str:
        names = [name for name in self.contributors if not self.runs[name].unique]
        if not names or len(self.contributors) < 2:
            return ""
        named = f"{', '.join(names[:3])}{', ...' if len(names) > 3 else ''}"
        return f"{len(names)} of them may be judged through others alone, having no document of their own: {named}."

    def to_records(self, show: str | None = None) -> list[dict[str, Any]]:
        """One record a run."""
        return [asdict(run) for run in self.runs.values()]

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the terms of JSON."""
        return {
            "depth": self.depth,
            "ties": self.ties,
            "certainty": self.certainty,
            "contributors": list(self.contributors),
            "judgments": self.judgments,
            "explained": self.explained,
            "relevant": self.relevant,
            "explained_relevant": self.explained_relevant,
            "runs": self.to_records(),
            "notices": [*self.sentences, *self.notes],
        }

    def _table(self, show: str | None) -> Table:
        # Reports are made of results, so this module knows of them only when asked for one.
        from truerank.report.pools import pools_table

        return pools_table(self)

    def __repr__(self) -> str:
        return f"Pools(depth {self.depth}, {len(self.contributors)} of {len(self.runs)} runs contribute)"


def pools(
    qrels: Any,
    runs: Any,
    *,
    depth: int | None = None,
    contributors: str | Iterable[str] | None = None,
    ties: str | None = None,
    precision: str = "float64",
    progress: Callable[[str], object] | None = None,
) -> Pools:
    """Find out which runs the judgments were pooled from, and how deep.

    A run contributed if its documents are judged down to the depth of the pool in every topic; the depth is the one
    that most documents of such runs speak for. ``depth`` and ``contributors`` (names, or "all") are what is known
    already, and so is ``ties``, the order in which tied documents were pooled: "docid" (as trec_eval), "docid-asc",
    "input" or "rank"; it is otherwise the order whose pool holds most of the judgments. A document with a negative
    grade was in the pool, and counts as judged.

    >>> qrels = {"q1": {"a": 1, "b": 0, "c": 1}}
    >>> runs = {"one": {"q1": ["a", "b", "x"]}, "two": {"q1": ["c", "a", "y"]}, "new": {"q1": ["z", "a"]}}
    >>> found = pools(qrels, runs)
    >>> found.depth, found.contributors, found.certainty, found["two"].unique_relevant
    (2, ('one', 'two'), 'certain', 1)
    """
    found = survey(
        graded(qrels),
        named_runs(runs),
        depth=depth,
        contributors=contributors,
        ties=ties,
        precision=precision,
        progress=progress,
    )
    return pools_of(found)


def pools_of(found: Survey) -> Pools:
    """What a survey says of the pool."""
    relevant, held = found.qrels.grade > 0, found.holders > 0
    return Pools(
        runs={name: _contribution(found, one) for name, one in found.seen.items()},
        depth=found.depth,
        judgments=len(found.qrels),
        explained=int(held.sum()),
        relevant=int(relevant.sum()),
        explained_relevant=int((held & relevant).sum()),
        topics=len(found.qrels.topics),
        ties=found.ties,
        notes=found.qrels.notes,
    )


def _contribution(found: Survey, one: Seen) -> Contribution:
    contributes = one.name in found.contributors
    own = one.within(found.depth or 0) if contributes else np.zeros(0, np.int64)
    alone = own[found.holders[own] == 1]
    return Contribution(
        run=one.name,
        contributes=contributes,
        judged_to=one.depth,
        to_end=one.judged_to == ENDLESS,
        judged_pool=np.nan if found.depth is None else one.share(found.depth),
        judged_10=one.share(10),
        judged_100=one.share(100),
        unique=len(alone),
        unique_relevant=int((found.qrels.grade[alone] > 0).sum()),
    )
