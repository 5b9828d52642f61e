"""What the judgments alone say of each topic, under any conventions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from truerank.conventions.axes import Conventions
from truerank.conventions.plan import answers, ended_at_nil, listed
from truerank.conventions.ties import topics_of
from truerank.data.arrays import Keys, Mask, Rows, stretches
from truerank.data.block import Pool, pool_of
from truerank.data.judge import JudgedRun, every_document, judge
from truerank.data.notes import Code, Note
from truerank.data.printing import counted
from truerank.data.qrels import Qrels
from truerank.io.runs import Named, one_by_one
from truerank.measures.core.base import Measure
from truerank.track.certainty import deep
from truerank.track.survey import PoolPart, Survey, orders, reach, sights, survey

_Alike = tuple[bool, bool, bool, bool, str]
POOLED = Code("TR112", "which runs are taken for those that made the pool, where a measure asks for it")


class JudgmentPools:
    """The pool of each topic by conventions, made when first asked for, and kept.

    Where a measure asks how deep a document stood in the runs that were pooled, it holds the best rank of each document
    in those of ``runs`` that the judgments show to have made the pool; in all of them, where they do not show it.
    """

    def __init__(self, judgments: Qrels, runs: Sequence[Named], measures: Sequence[Measure]) -> None:
        self._judgments = judgments
        self._runs = runs
        self._measures = [measure for measure in measures if measure.needs_pool]
        self._made: dict[_Alike, Pool] = {}
        self._surveys: dict[_Alike, Survey] = {}
        self._seen: dict[_Alike, Rows] = {}

    def under(self, choice: Conventions) -> Pool:
        """The pool under some conventions."""
        alike = _alike(choice)
        if alike not in self._made:
            judgments = answers(self._judgments, choice)
            best = None
            if self._measures:
                found = self._surveys[alike] = _survey(judgments, self._runs, choice)
                best = found.best_rank(found.members)
            self._made[alike] = pool_of(judgments, negative_judged=choice.negative_judged, best_rank=best)
        return self._made[alike]

    def notes(self, choice: Conventions) -> Iterator[Note]:
        """Which runs were taken for those that made the pool."""
        found = self._surveys.get(_alike(choice))
        if found is None:
            return
        named, runs = ", ".join(map(str, self._measures)), len(found.runs)
        if found.given:
            who = "the one given is" if runs == 1 else f"all {runs:,} that are evaluated together are"
            yield POOLED(
                f"{named}: the judgments do not show which runs made the pool; {who} taken",
                contributors=runs,
                runs=runs,
                depth=None,
            )
        else:
            count = len(found.members)
            yield POOLED(
                f"{named}: the pool is taken to be {deep(found.depths)} deep, of {count:,} of {counted(runs, 'run')}",
                contributors=count,
                runs=runs,
                depth=found.depth,
            )

    def unjudged(self, choice: Conventions) -> Rows:
        """How many documents of each topic are listed by one of the runs, and not judged."""
        alike = _alike(choice)
        if alike not in self._seen:
            self._seen[alike] = _unjudged(answers(self._judgments, choice), self._runs, choice)
        return self._seen[alike]

    def negative(self) -> Rows:
        """How many judgments of each topic have a grade below 0."""
        qrels = self._judgments
        return np.bincount(stretches(qrels.offsets)[qrels.grade < 0], minlength=len(qrels.topics))


class OnePool(JudgmentPools):
    """A pool that is known, whatever the conventions."""

    def __init__(self, pool: Pool, unjudged: Rows | None = None, negative: Rows | None = None) -> None:
        self._pool = pool
        none = np.zeros(len(pool.count), np.int64)
        self._unjudged = none if unjudged is None else unjudged
        self._negative = none if negative is None else negative

    def negative(self) -> Rows:
        """How many judgments of each topic have a grade below 0."""
        return self._negative

    def unjudged(self, choice: Conventions) -> Rows:
        """How many documents of each topic are listed, and not judged."""
        return self._unjudged

    def under(self, choice: Conventions) -> Pool:
        """The pool."""
        return self._pool

    def notes(self, choice: Conventions) -> Iterator[Note]:
        """Nothing: where it is from was said before."""
        return iter(())


def _alike(choice: Conventions) -> _Alike:
    """What conventions share that share a pool: it depends neither on unjudged documents nor on how ties are read."""
    return choice.nil_ends, choice.ends, choice.negative_judged, choice.drops_identical, choice.precision


def _survey(judgments: Qrels, runs: Sequence[Named], choice: Conventions) -> Survey:
    """The pool that the runs tell of; of all of them, with ties in trec_eval's order, where they do not tell."""
    parts, topics = [], np.arange(len(judgments.topics))
    near = reach(len(runs), len(topics))
    for _, run in one_by_one(runs):
        judged = judge(judgments, listed(run, choice), precision=choice.precision)
        parts.append(PoolPart(topics=topics, sights=sights(judged, topics, orders(None), near)))
    found = survey(judgments, parts)
    return found if found.shows else survey(judgments, [one.only("docid") for one in parts], contributors="all")


def _unjudged(judgments: Qrels, runs: Sequence[Named], choice: Conventions) -> Rows:
    """Documents of each topic that are not judged, each once, however many runs list it."""
    keys: list[list[Keys]] = [[] for _ in judgments.topics]
    for _, run in one_by_one(runs):
        judged = judge(judgments, listed(run, choice), precision=choice.precision)
        # What stands below a NIL that ends its list is not read, and so not asked for.
        every = every_document(ended_at_nil(judged, choice) if choice.ends and choice.nil_ends else judged)
        for topic, rows in enumerate(np.split(every.row[unknown(every, choice)], _ends(every, choice))):
            keys[topic].append(every.run.key[rows])
        keys = [[np.unique(np.concatenate(some))] if some else [] for some in keys]
    return np.array([sum(map(len, some)) for some in keys], np.int64)


def _ends(every: JudgedRun, choice: Conventions) -> Rows:
    return np.cumsum(np.bincount(topics_of(every)[unknown(every, choice)], minlength=len(every.length)))[:-1]


def unknown(every: JudgedRun, choice: Conventions) -> Mask:
    """Which of the documents of a run nobody judged."""
    found: Mask = every.judgment < 0
    return found if choice.negative_judged else found | (every.grade < 0)
