"""The lens: one run under any convention; each way to read it is made when first asked for, and kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from truerank.conventions.axes import EXTREMES, Conventions
from truerank.conventions.ending import stopped
from truerank.conventions.plan import Plan, answers, ended_at_nil, listed
from truerank.conventions.ties import broken_by_merit, orders_of, tied_topics, topics_of
from truerank.data.arrays import Floats, Mask, Rows, distinct
from truerank.data.block import Pool, blocks, pool_of, pool_of_run
from truerank.data.chances import Chances
from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.data.judge import JudgedRun, judge
from truerank.data.qrels import Preferences, Qrels
from truerank.data.rankings import TERMINAL, Rankings, gain_of
from truerank.data.run import Run
from truerank.measures.core.base import Estimate, Measure
from truerank.track.pools import JudgmentPools, OnePool


class Lens:
    """A run joined with the judgments once, and its rankings in any way that a measure may read them.

    >>> from truerank.io.load import as_qrels, as_run
    >>> from truerank.measures.rr import RR
    >>> qrels, run = as_qrels({"q1": {"a": 1}}), as_run({"q1": {"b": 2.0, "a": 2.0}})
    >>> lens = Lens(qrels, run, JudgmentPools(qrels, [], []), Conventions())
    >>> [lens.estimate(RR(), ties=ties).value.tolist() for ties in ("expected", "worst", "docid-asc")]
    [[0.75], [0.5], [1.0]]
    """

    def __init__(
        self,
        judgments: Qrels,
        run: Run,
        pools: JudgmentPools,
        conventions: Conventions,
        *,
        deepest: int = 0,
        judged: JudgedRun | None = None,
        whole: Run | None = None,
        topics: Rows | None = None,
    ) -> None:
        """``deepest`` is the largest cutoff of the measures that are to come, 0 without one.

        ``judged`` is the run joined with the judgments, where that is known; ``whole`` the run before it was cut.
        ``topics`` are those that count. By default they are all judged topics, without missing ones and those without
        relevant documents if the conventions skip these.
        """
        self.judgments = judgments
        self.run = listed(run, conventions)
        self.whole = run if whole is None else whole
        self.conventions = conventions
        self.pool = pools.under(conventions)
        self.judged = judged or judge(answers(judgments, conventions), self.run, precision=conventions.precision)
        self._only = topics
        if topics is None:
            counts = (self.judged.run_topic >= 0) | (not conventions.skips_missing)
            if conventions.skips_no_relevant:
                counts &= pools.counting(conventions)
            topics = np.flatnonzero(counts)
        self.topics = topics
        self._pools = pools
        self._deepest = deepest
        self._lists: dict[tuple[Plan, bool], JudgedRun] = {}
        self._blocks: dict[tuple[object, ...], list[Rankings]] = {}
        self._estimates: dict[tuple[Measure, str, str], Estimate] = {}
        self.panel: Callable[[Lens], dict[str, Lens]] | None = None
        """What gives the same run by each judge, where that is asked for."""
        self.worked_out: dict[Measure, Any] = {}
        """What others found out about the run by a measure, kept with it."""

    @cached_property
    def _levels(self) -> Floats:
        """The grades that there are, ascending, and the highest once more."""
        grade = self.judgments.grades
        return np.append(distinct(grade[~np.isnan(grade)]), self.pool.max_grade)

    @property
    def name(self) -> str:
        """The name of the run."""
        return self.run.name

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The topics that count, in words."""
        return tuple(text(self.judged.qrels.topics[topic]) for topic in self.topics)

    @property
    def orders(self) -> tuple[str, ...]:
        """The orders that tools take for ties and that the run can be put in: by rank only with a rank column."""
        return orders_of(self.run)

    @property
    def tied(self) -> bool:
        """Whether a judged document shares its score with another one."""
        return bool((self.judged.size > 1).any())

    def only(self, topics: Rows) -> Lens:
        """The same run, where no other topics count."""
        found = Lens(
            self.judgments,
            self.run,
            self._pools,
            self.conventions,
            deepest=self._deepest,
            judged=self.judged,
            whole=self.whole,
            topics=topics,
        )
        found.panel = self.panel
        return found

    @property
    def has_some_topics(self) -> bool:
        """Whether it was said which topics count."""
        return self._only is not None

    @property
    def has_many_judgments(self) -> bool:
        """Whether a document has no single grade: by several judges, or by chance."""
        return isinstance(self.judgments, Chances)

    @cached_property
    def by_judge(self) -> dict[str, Lens]:
        """The same run by each judge, where that is asked for; none elsewhere."""
        return {} if self.panel is None else self.panel(self)

    def under(self, conventions: Conventions) -> Lens:
        """The same run under other conventions."""
        return Lens(self.judgments, self.whole, self._pools, conventions, deepest=self._deepest, topics=self._only)

    def lean(self) -> Lens:
        """The judged documents of the run as they were read, without the run, other runs and judges: little to keep.

        It has values under other orders of ties by measures that were evaluated, and that ask for judged documents.
        """
        found, empty = copy(self), self.run.empty()
        found.run = found.whole = empty
        found.judged = replace(self.judged, run=empty)
        found._lists = {way: replace(lists, run=empty) for way, lists in self._lists.items()}
        found._pools, found.panel = OnePool(self.pool, measures=self.measures), None
        if "_ended" in vars(self):
            vars(found)["_ended"] = replace(self._ended, run=empty)
        vars(found).pop("by_judge", None)
        return found

    def until_nil(self) -> Lens:
        """The same run with lists that end before their NIL, where that is an answer, and is no document."""
        ended = self._ended
        if ended is self.judged:
            return self
        unjudged = self.unjudged if self.conventions.frees_relevant else None
        return Lens(
            ended.qrels,
            ended.run,
            OnePool(self._ended_pool, unjudged, self.negative, self.measures),
            self.conventions,
            deepest=self._deepest,
            judged=ended,
            whole=self.whole,
            topics=self.topics,
        )

    def lengths(self, ending: str) -> Rows:
        """How many documents the list of each topic that counts has: down to its NIL, with an ending."""
        length: Rows = self.joined(ending).length[self.topics]
        return length

    def joined(self, ending: str) -> JudgedRun:
        """The run joined with the judgments; with an ending, its lists down to their NIL."""
        return self.judged if ending == "none" else self._ended

    @cached_property
    def ended(self) -> Mask:
        """Whether the system ended the list of each topic that counts; how it would end longer ones was not seen."""
        # What a run leaves out is not a long list.
        ended = np.append(stopped(self.whole, self.conventions.limit), True)
        found: Mask = ended[self.judged.run_topic[self.topics]]
        return found

    def top_grade(self, measure: Measure) -> float:
        """The grade that high bounds take unjudged documents to have: the one worth most to a measure."""
        # Where nothing was found relevant, the least that relevant documents have.
        return measure.best_grade(self._levels, self.pool) or 1.0

    def least_grade(self, measure: Measure) -> float:
        """The grade that is worth least to a measure, of those that are worth something."""
        grades = np.array(
            [*self._levels, *(grade for grade, _ in measure.core.own_gains), 1.0, self.top_grade(measure)]
        )
        gains = gain_of(grades, measure.gain(self.pool))
        some = np.flatnonzero((gains > 0) & (grades <= max(self.top_grade(measure), self.pool.max_grade)))
        return float(grades[some[np.argmin(gains[some])]]) if len(some) else self.top_grade(measure)

    def estimate(self, measure: Measure, *, ties: str | None = None, unjudged: str | None = None) -> Estimate:
        """Values of a measure, one a topic that counts; without ``ties`` or ``unjudged`` as the conventions say.

        ``ties`` is "expected", "best", "worst" or an order; ``unjudged`` "nonrelevant", "condensed", "low" or "high".
        A topic without relevant documents has no value if the conventions skip it.
        """
        found = self.estimate_all(measure, ties=ties, unjudged=unjudged)
        if not self.conventions.skips_undefined or self.has_relevant.all():
            return found
        error = None if found.error is None else np.where(self.has_relevant, found.error, 0.0)
        return Estimate(np.where(self.has_relevant, found.value, np.nan), error)

    def estimate_all(self, measure: Measure, *, ties: str | None = None, unjudged: str | None = None) -> Estimate:
        """The same, also for topics without relevant documents that the conventions skip."""
        ties = self.conventions.order if ties is None else ties
        unjudged = self.conventions.assumed if unjudged is None else unjudged
        key = (measure, ties, unjudged)
        found = self._estimates.get(key)
        if found is None:
            found = self._estimates[key] = self._estimate(measure, ties, unjudged)
        return found

    def _estimate(self, measure: Measure, ties: str, unjudged: str) -> Estimate:
        if self.conventions.averages_judgments and isinstance(self.judgments, Chances):
            # Few judgments are random, and others would wait for it.
            from truerank.track.expected import expected

            return expected(self, measure, ties=ties, unjudged=unjudged)
        rankings = self.rankings(measure, ties=ties, unjudged=unjudged)
        if len(rankings) == 1 and rankings[0].topic is self.topics:
            value, error = self.found(measure, rankings[0], unjudged)
            return Estimate(value.astype(np.float64), np.zeros(len(value)) if error is None else error)
        values, errors = np.full(len(self.judged.length), np.nan), np.zeros(len(self.judged.length))
        if ties in EXTREMES:
            # Where nothing is tied, all orders are one.
            plain = self.estimate_all(measure, ties=self.conventions.untied_order, unjudged=unjudged)
            values[self.topics] = plain.value
        for block in rankings:
            values[block.topic], error = self.found(measure, block, unjudged)
            if error is not None:
                errors[block.topic] = error
        return Estimate(values[self.topics], errors[self.topics])

    def drawn(self, judgments: Qrels, pools: JudgmentPools, conventions: Conventions) -> Lens:
        """The same run with other grades of the same pairs."""
        judgment = self.judged.judgment
        grade = np.where(judgment >= 0, judgments.grade[judgment], np.nan)
        judged = replace(self.judged, qrels=judgments, grade=grade)
        return Lens(
            judgments,
            self.run,
            pools,
            conventions,
            deepest=self._deepest,
            judged=judged,
            whole=self.whole,
            topics=self.topics,
        )

    def found(self, measure: Measure, block: Rankings, unjudged: str) -> Estimate:
        """Values of a measure in some rankings, kept within its range where unjudged documents have a grade."""
        found = measure.estimate(block)
        return Estimate(measure.capped(block, found.value), found.error) if unjudged in ("low", "high") else found

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures of the call, all of which leave out the same topics without relevant documents."""
        return self._pools.measures

    @cached_property
    def has_relevant(self) -> Mask:
        """Which of the topics that count have a document that is relevant to one of the measures of the call."""
        found: Mask = self._pools.with_relevant(self.conventions)[self.topics]
        return found

    @cached_property
    def unjudged(self) -> Rows:
        """How many documents of each topic of the judgments are not judged, of those that the runs list."""
        return self._pools.unjudged(self.conventions)

    @property
    def negative(self) -> Rows:
        """How many judgments of each topic have a grade below 0."""
        return self._pools.negative()

    def may_be_judged(self, measure: Measure) -> Rows:
        """How many documents of each topic of the judgments may still be judged relevant, listed by a run or unseen."""
        every, choice = self.joined(self.conventions.ending_of(measure)), self.conventions
        known = topics_of(every)[every.judgment >= 0 if choice.judges_negative(measure) else every.grade >= 0]
        mine: Rows = every.length - np.bincount(known, minlength=len(every.length))
        if choice.relevant_in_run:
            return mine
        listed_unjudged = self.unjudged
        if choice.negative_judged and not choice.judges_negative(measure):
            listed_unjudged = listed_unjudged + self.negative
        return np.maximum(listed_unjudged, mine) + choice.unseen

    def documents(self, measure: Measure) -> tuple[JudgedRun, list[Rankings]]:
        """Every document, and the rankings that a measure reads; those that nobody judged stand without relevance.

        Ties are open where an extreme order is asked for. The slots of a row are the documents of its topic.
        """
        order = "expected" if self.conventions.extreme else self.conventions.order
        found = self.rankings(measure, ties=order, unjudged="low")
        plan = self._plan(measure, "none", order, "low")
        return self._read(plan, ends=self.conventions.ends_for(measure)), found

    def lists(self, measure: Measure) -> Iterator[Rankings]:
        """The rankings that a measure reads under the conventions; where a topic comes twice, the second counts."""
        # Extreme orders are rankings of topics with ties only; all orders of the others are one.
        for order in dict.fromkeys((self.conventions.untied_order, self.conventions.order)):
            yield from self.rankings(measure, ties=order, unjudged=self.conventions.assumed)

    def rankings(self, measure: Measure, *, ties: str, unjudged: str) -> list[Rankings]:
        """The rankings that a measure reads in one way."""
        ending = self.conventions.ending_of(measure)
        if ending == "none" or self.ended.all():
            return self._rankings(measure, ending, self.topics, ties, unjudged)
        parts = {ending: self.topics[self.ended], "none": self.topics[~self.ended]}
        return [
            block
            for how, topics in parts.items()
            if len(topics)
            for block in self._rankings(measure, how, topics, ties, unjudged)
        ]

    def _rankings(self, measure: Measure, ending: str, topics: Rows, ties: str, unjudged: str) -> list[Rankings]:
        plan, ends = self._plan(measure, ending, ties, unjudged), ending != "none"
        sorts = plan.extreme and measure.sorts_ties and not isinstance(self.judged.qrels, Preferences)
        key = (plan, ending, len(topics), self._merit_order(measure) if sorts else None)
        found = self._blocks.get(key)
        if found is None:
            lists = self._read(plan, ends=ends)
            if plan.extreme:
                # Where all tied documents are alike, all orders are one, unless a tie itself is worth something.
                alike = sorts and not measure.core.shares_last_rank
                topics = tied_topics(lists, topics, (lambda grade: self._merit(measure, grade)) if alike else None)
            if sorts:
                lists = broken_by_merit(lists, lambda grade: self._merit(measure, grade), best=plan.ties == "best")
            found = self._blocks[key] = blocks(
                lists,
                self._pool(ends=ends),
                topics,
                terminal=TERMINAL[ending],
                beyond=plan.grade if plan.hopes and not ends and plan.depth is None else np.nan,
                negative_judged=plan.negative_judged,
                ties=plan.ties if plan.extreme else "expected",
            )
        return found

    def _plan(self, measure: Measure, ending: str, ties: str, unjudged: str) -> Plan:
        negative_judged = self.conventions.judges_negative(measure)
        plan = Plan(ties, unjudged, every=measure.needs == "every document", negative_judged=negative_judged)
        if not plan.hopes:
            if measure.cutoff is None or not plan.assumes:
                return plan
            return replace(plan, within=max(self._deepest, measure.cutoff))
        # What a list may go on with was not seen, unless its end is an answer: documents down to the measure's cutoff
        # or, without one, as many as weights that have a sum reach.
        goes_on = ending == "none" and measure.cutoff is not None
        return replace(plan, grade=self.top_grade(measure), depth=self._deepest if goes_on else None)

    def _read(self, plan: Plan, *, ends: bool) -> JudgedRun:
        # Extremes are those of one measure, and begin with lists whose ties are open.
        plan = replace(plan, ties="expected") if plan.extreme else plan
        if (plan, ends) not in self._lists:
            self._lists[plan, ends] = plan.lists(self._ended if ends else self.judged, self.conventions)
        return self._lists[plan, ends]

    def _pool(self, *, ends: bool) -> Pool:
        if not self.conventions.relevant_in_run:
            return self._ended_pool if ends else self.pool
        # A pool is made of one ranking, so ties are in trec_eval's order.
        read = self._read(Plan("docid", "nonrelevant"), ends=ends)
        return pool_of_run(read, negative_judged=self.conventions.negative_judged)

    @cached_property
    def _ended(self) -> JudgedRun:
        """The run where the end of a list is an answer, and so is a NIL."""
        return ended_at_nil(self.judged, self.conventions) if self.conventions.nil_ends else self.judged

    @cached_property
    def _ended_pool(self) -> Pool:
        """What the judgments say of each topic, where NIL is no document."""
        qrels = self._ended.qrels
        if qrels is self.judged.qrels:
            return self.pool
        if self.pool.ranks is not None:
            raise InputError("NIL is judged relevant, which a pool of runs cannot be rid of; take it out of the qrels")
        return pool_of(qrels, negative_judged=self.conventions.negative_judged)

    def _merit(self, measure: Measure, grade: Floats) -> Floats:
        known = grade if self.conventions.judges_negative(measure) else np.where(grade < 0, np.nan, grade)
        return measure.merit(known, self.pool)

    def _merit_order(self, measure: Measure) -> tuple[int, ...]:
        """How a measure ranks grades: those that do so alike share the best and worst order of ties."""
        merit = self._merit(measure, np.append(self._levels, np.nan))
        return tuple(np.unique(merit, return_inverse=True)[1].tolist())
