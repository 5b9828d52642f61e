"""One run under any convention: each reading is made when first asked for, and kept."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from truerank.conventions.choices import Conventions
from truerank.conventions.ending import TERMINAL, stopped
from truerank.conventions.reading import answers, ended_at_nil, listed, reading
from truerank.conventions.ties import EXTREMES, broken_by_merit, tied_topics
from truerank.data.arrays import Floats, Mask, Rows, distinct
from truerank.data.block import Pool, blocks, pool_of, pool_of_run
from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.data.judge import Judged, judge
from truerank.data.qrels import Preferences, Qrels
from truerank.data.rankings import Rankings
from truerank.data.run import Run
from truerank.measures.core.base import Estimate, Measure


class Views:
    """A run judged once, and its rankings under the conventions that measures are to be read with."""

    def __init__(
        self,
        qrels: Qrels,
        run: Run,
        pool: Pool,
        choice: Conventions,
        deepest: int,
        judged: Judged | None = None,
        whole: Run | None = None,
        *,
        topics: Rows | None = None,
    ) -> None:
        """``judged`` is the run joined with the judgments, where that is known; ``whole`` the run before it was cut.

        ``topics`` are those that count, by default all that are judged and, where missing ones are skipped, listed.
        """
        self.run = listed(run, choice)
        self.whole = run if whole is None else whole
        self.choice = choice
        judged = judged or judge(answers(qrels, choice), self.run, precision=choice.precision)
        self.judged = judged
        self.topics = np.flatnonzero((judged.run_topic >= 0) | (choice.missing != "skip")) if topics is None else topics
        self.pool = pool
        self._deepest = deepest
        self._levels = np.append(distinct(qrels.grade[~np.isnan(qrels.grade)]), pool.max_grade)
        self._negative_judged = choice.negative == "judged"
        self._read: dict[tuple[object, ...], Judged] = {}
        self._estimates: dict[tuple[Measure, str, str], Estimate] = {}
        self._blocks: dict[tuple[object, ...], list[Rankings]] = {}

    def only(self, topics: Rows) -> Views:
        """The same run, where no other topics count."""
        qrels, deepest = self.judged.qrels, self._deepest
        return Views(qrels, self.run, self.pool, self.choice, deepest, self.judged, self.whole, topics=topics)

    @property
    def tied(self) -> bool:
        """Whether a judged document shares its score with another one."""
        return bool((self.judged.size > 1).any())

    @cached_property
    def _ended(self) -> Judged:
        """The run where the end of a list is an answer, and so is a NIL."""
        return self.judged if self.choice.nil == "answer" else ended_at_nil(self.judged, self.choice)

    @cached_property
    def _ended_pool(self) -> Pool:
        """What the judgments say of each topic, where NIL is no document."""
        qrels = self._ended.qrels
        if qrels is self.judged.qrels:
            return self.pool
        if self.pool.ranks is not None:
            raise InputError("NIL is judged relevant, which a pool of runs cannot be rid of; take it out of the qrels")
        return pool_of(qrels, negative_judged=self._negative_judged)

    @cached_property
    def ended(self) -> Mask:
        """Whether the system ended the list of each topic that counts; how it would end longer ones was not seen."""
        ended = np.append(stopped(self.whole, self.choice.limit), True)  # What a run leaves out is not a long list.
        found: Mask = ended[self.judged.run_topic[self.topics]]
        return found

    def lengths(self, ending: str) -> Rows:
        """How many documents the list of each topic that counts has: down to its NIL, with an ending."""
        length: Rows = (self.judged if ending == "none" else self._ended).length[self.topics]
        return length

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The topics that count, in words."""
        return tuple(text(self.judged.qrels.topics[topic]) for topic in self.topics)

    def estimate(self, measure: Measure, *, ties: str, unjudged: str) -> Estimate:
        """Values of a measure, one a topic, under an order of ties and a reading of unjudged documents.

        ``unjudged`` is "nonrelevant", "condensed", "low" or "high".
        """
        key = (measure, ties, unjudged)
        if key not in self._estimates:
            self._estimates[key] = self._estimate(measure, ties, unjudged)
        return self._estimates[key]

    def _estimate(self, measure: Measure, ties: str, unjudged: str) -> Estimate:
        value = np.full(len(self.judged.length), np.nan)
        error = np.zeros(len(self.judged.length))
        if ties in EXTREMES:
            # Where nothing is tied, all orders are one.
            plain = "expected" if self.choice.ties in ("bounds", *EXTREMES) else self.choice.ties
            value[self.topics], _ = self.estimate(measure, ties=plain, unjudged=unjudged)
        for block in self.rankings(measure, ties=ties, unjudged=unjudged):
            found = measure.estimate(block)
            value[block.topic] = measure.capped(block, found.value) if unjudged in ("low", "high") else found.value
            if found.error is not None:
                error[block.topic] = found.error
        return Estimate(value[self.topics], error[self.topics])

    def lists(self, measure: Measure) -> Iterator[Rankings]:
        """The rankings that a measure reads under the conventions; where a topic comes twice, the second counts."""
        # Extreme orders are rankings of topics with ties only; all orders of the others are one.
        for order in ("expected", self.choice.ties) if self.choice.ties in EXTREMES else (self.choice.ties,):
            yield from self.rankings(measure, ties=order, unjudged=self.choice.unjudged)

    def rankings(self, measure: Measure, *, ties: str, unjudged: str) -> list[Rankings]:
        """The rankings that a measure reads."""
        ending = ending_of(measure, self.choice)
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
        ends = ending != "none"
        # What a list may go on with was not seen, unless its end is an answer: documents down to the measure's cutoff
        # or, without one, as many as weights that have a sum reach.
        goes_on = unjudged == "high" and not ends
        depth = self._deepest if goes_on and measure.cutoff is not None else None
        grade = self.top_grade(measure) if unjudged == "high" else 0.0
        reading = (ties, unjudged, grade, depth, measure.needs == "every document", ends)
        sorts = ties in EXTREMES and measure.sorts_ties and not isinstance(self.judged.qrels, Preferences)
        key: tuple[object, ...] = (*reading, ending, len(topics), sorts and self._order(measure))
        if key not in self._blocks:
            read = self._reading(*reading)
            topics = tied_topics(read, topics) if ties in EXTREMES else topics
            if sorts:
                read = broken_by_merit(read, lambda grade: self._merit(measure, grade), best=ties == "best")
            self._blocks[key] = blocks(
                read,
                self._pool_of_run(ends) if self.choice.relevant == "run" else self._ended_pool if ends else self.pool,
                topics,
                terminal=TERMINAL[ending],
                beyond=grade if goes_on and depth is None else np.nan,
                negative_judged=self._negative_judged,
                ties=ties if ties in EXTREMES else "expected",
            )
        return self._blocks[key]

    def top_grade(self, measure: Measure) -> float:
        """The grade that high bounds take unjudged documents to have: the one worth most to a measure."""
        # Where nothing was found relevant, the least that relevant documents have.
        return measure.best_grade(self._levels, self.pool) or 1.0

    def _reading(self, ties: str, unjudged: str, grade: float, depth: int | None, every: bool, ends: bool) -> Judged:
        order = "expected" if ties in EXTREMES else ties
        key = (order, unjudged, grade, depth, every, ends)
        if key not in self._read:
            self._read[key] = reading(self._ended if ends else self.judged, self.choice, *key[:-1])
        return self._read[key]

    def _pool_of_run(self, ends: bool) -> Pool:
        # A pool is made of one ranking, so ties are in trec_eval's order.
        read = self._reading("docid", "nonrelevant", 0.0, None, False, ends)
        return pool_of_run(read, negative_judged=self._negative_judged)

    def _merit(self, measure: Measure, grade: Floats) -> Floats:
        known = grade if self._negative_judged else np.where(grade < 0, np.nan, grade)
        return measure.merit(known, self.pool)

    def _order(self, measure: Measure) -> tuple[int, ...]:
        """How a measure ranks grades: those that do so alike share the best and worst order of ties."""
        merit = self._merit(measure, np.append(self._levels, np.nan))
        return tuple(np.unique(merit, return_inverse=True)[1].tolist())


def ending_of(measure: Measure, choice: Conventions) -> str:
    """The ending that a measure is read with: its own, or the one chosen."""
    return measure.ending if measure.ending != "none" else choice.ending
