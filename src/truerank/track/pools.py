"""What the judgments alone say of each topic, under any conventions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from truerank.conventions.axes import Conventions
from truerank.conventions.ending import without_nil
from truerank.conventions.plan import answers, ended_at_nil
from truerank.conventions.ties import topics_of
from truerank.data.arrays import Floats, Keys, Mask, Rows, begins, stretches
from truerank.data.block import Pool, pool_of
from truerank.data.chances import Chances
from truerank.data.classes import dataclass
from truerank.data.judge import JudgedRun, every_document
from truerank.data.notes import Code, Note
from truerank.data.parts import Part, part_field
from truerank.data.qrels import Preferences, Qrels
from truerank.data.rankings import gain_of
from truerank.io.runs import Named, is_distributed, one_by_one
from truerank.measures.core.base import Measure, Scaled

if TYPE_CHECKING:
    from truerank.pooling.survey import Survey
    from truerank.track.lens import Lens

_Alike = tuple[bool, bool, bool, bool, str]
POOLED = Code(
    "TR112",
    "which runs are taken for those that made the pool, where a measure asks for it",
    "{measures:names}: the pool is taken to be {depth} deep, of {contributors:,} of {runs:run}",
    deeper="{measures:names}: the pool is taken to be {depth}+ deep, of {contributors:,} of {runs:run}",
    all="{measures:names}: the judgments do not show which runs made the pool; all {runs:,} that are evaluated "
    "together are taken",
    only="{measures:names}: the judgments do not show which runs made the pool; the one given is taken",
)


class JudgmentPools:
    """The pool of each topic by conventions, made when first asked for, and kept.

    Where a measure asks how deep a document stood in the runs that were pooled, it holds the best rank of each document
    in those of ``runs`` that the judgments show to have made the pool; in all of them, where they do not show it.
    """

    def __init__(
        self,
        judgments: Qrels,
        runs: Sequence[Named],
        measures: Sequence[Measure],
        score_run: Callable[..., Sequence[Any]] | None = None,
    ) -> None:
        """``look`` is what has all runs looked at under some conventions, by default one after the other."""
        self._judgments = judgments
        self._runs = runs
        self.measures = tuple(measures)
        self._measures = [measure for measure in measures if measure.needs_pool]
        self._look = score_run
        self._made: dict[_Alike, Pool] = {}
        self._surveys: dict[_Alike, Survey] = {}
        self._seen: dict[_Alike, Rows] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Where it is sent to, there is nobody else to look; and what cannot be sent cannot be looked at."""
        runs = tuple(Named(run.name, None) if is_distributed(run.data) else run.from_anywhere() for run in self._runs)
        return {**vars(self), "_look": None, "_runs": runs}

    def under(self, choice: Conventions) -> Pool:
        """The pool under some conventions."""
        alike = _alike(choice)
        if alike not in self._made:
            judgments = answers(self._judgments, choice)
            best = None
            if self._measures:
                found = self._surveys[alike] = self._survey(judgments, choice)
                best = found.best_rank(found.members)
            self._made[alike] = pool_of(judgments, negative_judged=choice.negative_judged, best_rank=best)
        return self._made[alike]

    def with_relevant(self, choice: Conventions, measures: Sequence[Measure] | None = None) -> Mask:
        """Which topics have a document that is, or may be, relevant to one of some measures; by default of its own.

        Measures of preferences ask for no relevant documents: if there are no others, every topic is one of these.
        """
        judgments, pool = self._judgments, self.under(choice)
        asking = asking_for_relevance(self.measures if measures is None else measures)
        if isinstance(judgments, Preferences) or asking is None:
            return np.ones(len(judgments.topics), np.bool_)
        if pool.least_top > 0 and any((one.core.level or 0.0) <= pool.least_top for one in asking if _is_plain(one)):
            return np.ones(len(judgments.topics), np.bool_)
        found, plain = np.zeros(len(judgments.topics), np.bool_), answers(judgments, choice)
        for ends in (False, True):
            some = [measure for measure in asking if choice.ends_for(measure) == ends]
            if not some and (ends or asking):
                continue
            qrels = without_nil(plain) if ends and choice.nil_ends else plain
            if isinstance(qrels, Chances):
                may = has_gain(np.where(qrels.chance > 0, qrels.options, 0.0), some, pool)
                found |= np.bincount(stretches(qrels.offsets)[may], minlength=len(found)) > 0
            else:
                its = pool if qrels is plain else pool_of(qrels, negative_judged=choice.negative_judged)
                found |= has_gain(its.grades, some, pool)
        return found

    def counting(self, choice: Conventions) -> Mask:
        """Which topics count, whatever a run lists: with ``no_relevant="skip"`` those with relevant documents."""
        if not choice.skips_no_relevant:
            return np.ones(len(self._judgments.topics), np.bool_)
        return self.with_relevant(choice)

    def _survey(self, judgments: Qrels, choice: Conventions) -> Survey:
        """The pool that the runs tell of; of all of them, with ties in trec_eval's order, where they do not tell."""
        from truerank.pooling.survey import look_at_pool, orders, reach, survey

        near = reach(len(self._runs), len(judgments.topics))
        parts = self._each(look_at_pool, choice, orders=orders(None), reach=near)
        found = survey(judgments, parts)
        return found if found.shows else survey(judgments, [one.only("docid") for one in parts], contributors="all")

    def _each(self, score_run: Callable[..., Any], choice: Conventions, **parameters: Any) -> Sequence[Any]:
        """What there is to know of all runs, and of all topics whether they count or not."""
        choice = replace(choice, missing="empty", no_relevant="zero", unjudged="nonrelevant", ties="expected", unseen=0)
        if self._look is not None:
            return self._look(score_run, choice, **parameters)
        from truerank.track.lens import Lens

        plain = JudgmentPools(self._judgments, (), ())
        lenses = (Lens(self._judgments, run, plain, choice) for _, run in one_by_one(self._runs))
        return [score_run(lens, (), **parameters) for lens in lenses]

    def notes(self, choice: Conventions) -> Iterator[Note]:
        """Which runs were taken for those that made the pool."""
        found = self._surveys.get(_alike(choice))
        if found is None:
            return
        measures, runs = [*map(str, self._measures)], len(found.runs)
        if found.given:
            yield POOLED("only" if runs == 1 else "all", measures=measures, contributors=runs, runs=runs, depth=None)
            return
        least, most = found.depths
        form = "" if least == most else "deeper"
        yield POOLED(form, measures=measures, contributors=len(found.members), runs=runs, depth=found.depth)

    def unjudged(self, choice: Conventions) -> Rows:
        """How many documents of each topic are listed by one of the runs, and not judged."""
        alike = _alike(choice)
        if alike not in self._seen:
            parts = self._each(look_at_unjudged, choice, alone=len(self._runs) == 1)
            self._seen[alike] = _together(parts, len(self._judgments.topics))
        return self._seen[alike]

    def negative(self) -> Rows:
        """How many judgments of each topic have a grade below 0."""
        qrels = self._judgments
        return np.bincount(stretches(qrels.offsets)[qrels.grade < 0], minlength=len(qrels.topics))


class OnePool(JudgmentPools):
    """A pool that is known, whatever the conventions."""

    def __init__(
        self,
        pool: Pool,
        unjudged: Rows | None = None,
        negative: Rows | None = None,
        measures: Sequence[Measure] = (),
    ) -> None:
        self._pool = pool
        self.measures = tuple(measures)
        none = np.zeros(len(pool.count), np.intp)
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

    def with_relevant(self, choice: Conventions, measures: Sequence[Measure] | None = None) -> Mask:
        """Which topics have a document that is relevant to one of some measures; by default of its own."""
        return has_gain(self._pool.grades, self.measures if measures is None else measures, self._pool)

    def counting(self, choice: Conventions) -> Mask:
        """All topics: which count was settled before."""
        return np.ones(len(self._pool.count), np.bool_)

    def notes(self, choice: Conventions) -> Iterator[Note]:
        """Nothing: where it is from was said before."""
        return iter(())


def has_gain(grades: Floats, measures: Sequence[Measure], scale: Scaled) -> Mask:
    """Which rows of grades have one that is relevant to one of some measures; without measures, one above 0.

    >>> from truerank.data.rankings import Rankings
    >>> from truerank.measures.grammar import parse_all
    >>> grades, scale = np.array([[2.0, 1.0], [1.0, 0.0], [0.0, 0.0]]), Rankings.single([2.0])
    >>> [has_gain(grades, parse_all(measures), scale).tolist() for measures in ("AP(rel=2)", "AP(rel=2) nDCG")]
    [[True, False, False], [True, True, False]]
    """
    asking = asking_for_relevance(measures)
    if asking is None:
        return np.ones(len(grades), np.bool_)
    found: Mask = np.asarray((grades > 0).any(axis=1))
    if not asking or not found.any():
        return found
    found = np.zeros(len(grades), np.bool_)
    for gain in {measure.core.gain(scale) for measure in asking}:
        found |= (gain_of(grades, gain) > 0).any(axis=1)
    return found


def asking_for_relevance(measures: Sequence[Measure]) -> list[Measure] | None:
    """The measures that ask which documents are relevant; None if all are about preferences."""
    graded = [measure for measure in measures if measure.needs != "preferences"]
    return None if measures and not graded else [measure for measure in graded if measure.asks_relevance]


def _is_plain(measure: Measure) -> bool:
    """Whether to a measure a document is relevant from some grade on, be it a NIL or not."""
    return not measure.core.own_gains and measure.ending == "none"


def _alike(choice: Conventions) -> _Alike:
    """What conventions share that share a pool: it depends neither on unjudged documents nor on how ties are read."""
    return choice.nil_ends, choice.ends, choice.negative_judged, choice.drops_identical, choice.precision


@dataclass(frozen=True, eq=False, kw_only=True)
class UnjudgedKeys(Part):
    """Documents of a run that are not judged."""

    count: Rows = part_field(merge="per topic")
    """How many there are in each topic."""
    key: Keys = part_field(merge="concat")
    """Which they are, where there are other runs that may list them."""
    key_topic: Rows = part_field(merge="concat")
    """The topic of each."""


def look_at_unjudged(lens: Lens, measures: Sequence[Measure], *, alone: bool) -> UnjudgedKeys:
    """What is kept of a run to count what is not judged; ``alone`` where there is no other run."""
    judged, choice = lens.judged, lens.conventions
    # What stands below a NIL that ends its list is not read, and so not asked for.
    every = every_document(ended_at_nil(judged, choice) if choice.ends and choice.nil_ends else judged)
    some = np.flatnonzero(unknown(every, choice))
    topic, key = _each_once(topics_of(every)[some], every.run.key[every.row[some]])
    count = np.bincount(topic, minlength=len(every.length))[lens.topics]
    kept = slice(0, 0) if alone else slice(None)
    return UnjudgedKeys(topics=lens.topics, count=count, key=key[kept], key_topic=topic[kept])


def _together(parts: Sequence[UnjudgedKeys], topics: int) -> Rows:
    """Documents of each topic that are not judged, each once, however many runs list it."""
    if len(parts) < 2:
        found = np.zeros(topics, np.intp)
        for part in parts:
            found[part.topics] = part.count
        return found
    topic, _ = _each_once(
        np.concatenate([part.key_topic for part in parts]), np.concatenate([part.key for part in parts])
    )
    return np.bincount(topic, minlength=topics)


def _each_once(topic: Rows, key: Keys) -> tuple[Rows, Keys]:
    """Documents by topic and key, without those that came before."""
    order = np.lexsort((key, topic))
    topic, key = topic[order], key[order]
    new = begins(topic, key)
    return topic[new], key[new]


def unknown(every: JudgedRun, choice: Conventions) -> Mask:
    """Which of the documents of a run nobody judged."""
    found: Mask = every.judgment < 0
    return found if choice.negative_judged else found | (every.grade < 0)
