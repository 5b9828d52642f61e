"""How likely unjudged documents are to be relevant: a model of the judged ones, by rank, system and topic.

What is known of a document is where the runs list it. Three things tell of its relevance: how many runs list it, how
near to the top those do that find relevant documents elsewhere, and which runs they are. Topics differ in how much is
relevant in them, and in how fast that falls with the rank. The model is a logistic regression on these, in which
topics and runs have effects of their own, fitted to the documents that are judged.

Judged documents were selected: a document that these runs list low is judged because some other run listed it high. An
unjudged document at the same rank is less likely to be relevant, by how much cannot be learnt from the judgments that
are there. So the log-odds of unjudged documents are shifted by an amount that is drawn anew in each world.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from truerank.conventions.ties import topics_of
from truerank.data.arrays import ODD, Floats, Keys, Mask, Rows, begins, offsets, spans, stretches
from truerank.data.judge import every_document
from truerank.data.parts import Part, part_field
from truerank.data.qrels import Qrels
from truerank.measures.core.base import Measure
from truerank.statistics.mixed import Covariates, MixedLogit, mixed_logit
from truerank.track.lens import Lens
from truerank.track.pools import unknown
from truerank.track.track import Progress, Track

DEPTH = 100
"""How deep documents are looked at; what no run lists above is taken not to be relevant."""
NEAR = 60.0
"""The rank at which a document counts half as much as at the top."""
FEWEST = 10
"""Judged documents of either kind below which nothing is said."""
FITTED = 5000
"""Judged documents that the model is fitted to, at most: of more, a sample."""
WIDENED = 1.5
"""By how much coefficients are taken to be less certain than the model has them: runs and topics differ in more ways
than it knows of. With judgments hidden (``benchmarks/unjudged.py``), chances are too near to 0 and 1 without."""
SHIFT, SHIFT_SPREAD = -1.0, 0.8
"""Mean and standard deviation of the shift of the log-odds of all unjudged documents in a world: what was needed on
TREC-8 and TREC-COVID (docs/how-to/unjudged.md)."""
RUN_SPREAD = 0.5
"""Standard deviation of the shift of one run in a world, which its documents have by its share of them."""
HELD = 1 << 23
"""Grades of all topics in all worlds up to which they are kept, as if each topic had as many as this one."""
SEED = 0
ENDS = (0.05, 0.95)
"""The share of worlds below either end of a range."""
_SELDOM, _NEVER = 1e-3, 1e-4
"""Chances below which the uncertainty of the model is left out, and below which a document is never relevant."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RunRanks(Part):
    """The documents that a run lists."""

    at: Rows = part_field(merge="concat")
    """The topic of each."""
    key: Keys = part_field(merge="concat")
    rank: Floats = part_field(merge="concat")
    """Of tied ranks the middle."""
    grade: Floats = part_field(merge="concat")
    """NaN where nobody judged it."""


def ranks_in(lens: Lens, measures: Sequence[Measure]) -> RunRanks:
    """What the model knows of a run."""
    every = every_document(lens.judged, DEPTH)
    some = every.above < DEPTH
    grade = np.where(unknown(every, lens.conventions), np.nan, np.maximum(every.grade, 0.0))
    return RunRanks(
        topics=lens.topics,
        at=topics_of(every)[some],
        key=lens.run.key[every.row[some]].astype(np.uint64),
        rank=(every.above + (every.size + 1) / 2)[some],
        grade=grade[some],
    )


@dataclass(frozen=True, eq=False)
class ListedDocuments:
    """Each document that some run lists, by topic and key, and the entries of it in runs."""

    offsets: Rows
    """The documents of topic t are offsets[t] to offsets[t + 1] - 1."""
    key: Keys
    grade: Floats
    entry: Rows
    """The document of each entry, ascending."""
    run: Rows
    near: Floats
    """How near to the top it stands there, from 0 to 1."""
    runs: int

    @classmethod
    def of(cls, ranks: Sequence[RunRanks], topics: int) -> ListedDocuments:
        """All documents of some runs."""
        run = np.repeat(np.arange(len(ranks)), [len(one.at) for one in ranks])
        at, key, rank, grade = (
            np.concatenate([getattr(one, name) for one in ranks]) for name in ("at", "key", "rank", "grade")
        )
        order = np.lexsort((run, key, at))
        at, key = at[order], key[order]
        new = begins(at, key)
        first = np.flatnonzero(new)
        return cls(
            offsets=offsets(np.bincount(at[first], minlength=topics)),
            key=key[first],
            grade=grade[order][first],
            entry=np.cumsum(new) - 1,
            run=run[order],
            near=NEAR / (NEAR + rank[order] - 1.0),
            runs=len(ranks),
        )

    @cached_property
    def topic(self) -> Rows:
        """The topic of each document."""
        return stretches(self.offsets)

    @cached_property
    def _entries(self) -> Rows:
        """Where the entries of each document begin."""
        return offsets(np.bincount(self.entry, minlength=len(self.key)))

    @property
    def judged(self) -> Mask:
        """Whether somebody judged it."""
        return ~np.isnan(self.grade)

    @cached_property
    def quality(self) -> Floats:
        """The share of relevant documents in each run, documents near the top counting most.

        Unjudged documents count as not relevant: otherwise a run with few judged documents would look good.
        """
        relevant = np.bincount(self.run, self.near * (self.grade[self.entry] > 0), self.runs)
        every = np.bincount(self.run, self.near, self.runs)
        mean = relevant.sum() / max(every.sum(), 1e-9)
        # A run with few documents is taken to be like the others.
        share: Floats = (relevant + FEWEST * mean) / (every + FEWEST)
        return share

    def cases(self, some: Rows, centre: Floats, scale: Floats) -> Covariates:
        """What the model sees of some documents."""
        found = (self.features[some] - centre) / scale
        one = np.ones((len(some), 1))
        return Covariates(
            np.column_stack([one, found]),
            self.shares(some),
            np.column_stack([one, found[:, 1]]),
            self.topic[some],
        )

    @cached_property
    def features(self) -> Floats:
        """Of each document, the share of runs that list it, and how near to the top the good ones do; both as logs."""
        count = np.bincount(self.entry, minlength=len(self.key))
        near = np.bincount(self.entry, self.near * self.quality[self.run] ** 2, len(self.key))
        found: Floats = np.log(np.column_stack([count / self.runs, near / (self.quality**2).sum()]))
        return found

    def shares(self, some: Rows) -> Floats:
        """To how much of that nearness each run adds, shape (documents, runs)."""
        count = np.diff(self._entries)[some]
        here = spans(self._entries[some], count)
        found = np.zeros((len(some), self.runs))
        weight = self.near[here] * self.quality[self.run[here]] ** 2
        found[np.repeat(np.arange(len(some)), count), self.run[here]] = weight
        share: Floats = found / np.maximum(found.sum(axis=-1, keepdims=True), 1e-300)
        return share


@dataclass(frozen=True, eq=False)
class Relevance:
    """The model, fitted to the judged documents of some runs.

    >>> docs, grades = [f"d{n}" for n in range(60)], [1, 1, 0, 1, 0, 0, 1, 0, 0, 0] * 3
    >>> qrels = {str(t): dict(zip(docs, grades)) for t in range(4)}
    >>> track = Track.of(qrels, {"x": {str(t): docs for t in range(4)}}, "AP", {})
    >>> model = relevance(track)
    >>> float(model.chance.sum().round(1))  # of 120 documents that are not judged
    8.8
    """

    listed: ListedDocuments
    centre: Floats
    scale: Floats
    fitted: MixedLogit
    grades: Floats
    """The grades of relevant documents, each as often as it was given."""

    @classmethod
    def of(cls, listed: ListedDocuments) -> Relevance | None:
        """The model of what is judged; None where that is too little."""
        judged, relevant = listed.judged, listed.grade > 0
        if min(relevant.sum(), (judged & ~relevant).sum()) < FEWEST:
            return None
        features = listed.features[judged]
        centre, scale = features.mean(axis=0), features.std(axis=0)
        scale = np.where(scale > 1e-9, scale, 1.0)
        some = _sample(listed, np.flatnonzero(judged))
        cases = listed.cases(some, centre, scale)
        fitted = mixed_logit(cases, relevant[some].astype(np.float64), len(listed.offsets) - 1)
        return cls(listed, centre, scale, fitted, np.sort(listed.grade[relevant]))

    def chances(self, some: Rows) -> Floats:
        """The chance that each of some unjudged documents is relevant, at the mean of what worlds are shifted by."""
        return _chance(self.fitted.odds(self._cases(some)) + SHIFT)

    def _cases(self, some: Rows) -> Covariates:
        return self.listed.cases(some, self.centre, self.scale)

    @cached_property
    def unjudged(self) -> Rows:
        """The documents that nobody judged."""
        return np.flatnonzero(~self.listed.judged)

    @cached_property
    def chance(self) -> Floats:
        """The chance that each of them is relevant."""
        # Documents by topic, for shares of runs have a column each.
        return np.concatenate([self.chances(part) for part in self._by_topic()] or [np.zeros(0)])

    def _by_topic(self) -> list[Rows]:
        topic = self.listed.topic[self.unjudged]
        return np.split(self.unjudged, np.flatnonzero(np.diff(topic)) + 1) if len(topic) else []

    def chance_of(self, topic: int, key: Keys) -> Floats:
        """The chance of unjudged documents of a topic, by their keys; 0 for those that no run lists."""
        here = self.listed.topic[self.unjudged] == topic
        known, chance = self.listed.key[self.unjudged[here]], self.chance[here]
        place = np.minimum(np.searchsorted(known, key), max(len(known) - 1, 0))
        if not len(known):
            return np.zeros(len(key))
        return np.where(known[place] == key, chance[place], 0.0)

    def worlds(self, count: int, seed: int) -> Worlds:
        """Judgments of all unjudged documents as they may turn out, ``count`` times.

        What the documents of a world have in common is drawn once: coefficients, the shift of all documents, and the
        shift of each run.
        """
        common, own = self.fitted.draw(count, seed, WIDENED)
        # None of the generators that topics have below is this one, nor that of the coefficients.
        rng = np.random.default_rng([seed, 0, 1])
        shift = rng.normal(SHIFT, SHIFT_SPREAD, count)
        common[:, 0] += shift
        common[:, -self.listed.runs :] += rng.normal(0.0, RUN_SPREAD, (count, self.listed.runs))
        found = []
        for part in self._by_topic():
            topic = int(self.listed.topic[part[0]])
            chance = self.chances(part)
            rng = np.random.default_rng([seed, 1 + topic])
            ever, often = chance >= _NEVER, chance >= _SELDOM
            drawn = np.zeros((count, len(part)), bool)
            seldom = ever & ~often
            # So small a chance grows with the odds.
            factor = np.exp(shift - SHIFT)[:, None]
            drawn[:, seldom] = rng.random((count, int(seldom.sum()))) < chance[seldom] * factor
            cases = self._cases(part[often])
            odds = np.einsum("nc,dc->nd", common, cases.common) + np.einsum("nc,dc->nd", own[:, topic], cases.own)
            drawn[:, often] = rng.random(odds.shape) < _chance(odds)
            document, world = np.nonzero(drawn.T)
            grade = self.grades[rng.integers(0, len(self.grades), len(document))]
            found.append(TopicWorlds(topic, self.listed.key[part], document, world, grade))
        return Worlds(count, {one.topic: one for one in found})


@dataclass(frozen=True, eq=False)
class TopicWorlds:
    """The documents of a topic that are found relevant, in each of some worlds."""

    topic: int
    key: Keys
    """Of all documents that nobody judged, ascending."""
    document: Rows
    """Place in ``key`` of each that is found relevant, ascending."""
    world: Rows
    grade: Floats


@dataclass(frozen=True, eq=False)
class Worlds:
    """What judging everything may bring, drawn so many times."""

    count: int
    topics: dict[int, TopicWorlds]
    _pools: dict[tuple[int, bytes], Floats] = field(default_factory=dict, init=False, repr=False)

    def grades(self, topic: int, known: Floats) -> Floats:
        """The grades of relevant documents of a topic in each world, highest first, beside those that are known.

        They are the same for all runs, and kept for the next where they are not too many.
        """
        key = (topic, known.tobytes())
        if (kept := self._pools.get(key)) is not None:
            return kept
        drawn = self.topics[topic]
        count = np.bincount(drawn.world, minlength=self.count)
        more = np.zeros((self.count, int(count.max(initial=0))))
        order = np.argsort(drawn.world, kind="stable")
        more[drawn.world[order], spans(np.zeros_like(count), count)] = drawn.grade[order]
        found: Floats = -np.sort(-np.column_stack([np.tile(known, (self.count, 1)), more]), axis=-1)
        if found.size * len(self.topics) <= HELD:
            self._pools[key] = found
        return found


def relevance(
    track: Track, progress: Progress | None = None, ranks: Sequence[RunRanks] | None = None
) -> Relevance | None:
    """The model of the documents that the runs of a track list; None where too few of them are judged.

    ``ranks`` are what is known of each run, where they have been looked at.
    """
    parts = looked_at(track, ranks_in, progress) if ranks is None else ranks
    # By name, so that nothing that is drawn depends on the order in which runs are given.
    order = sorted(range(len(parts)), key=lambda at: track.runs[at].name)
    return Relevance.of(ListedDocuments.of([parts[at] for at in order], len(track.topics)))


def looked_at(
    track: Track, look: Callable[..., Part], progress: Progress | None = None, **parameters: Any
) -> list[Any]:
    """What is kept of each run; runs that are still in memory are not read again."""
    if len(track.kept) < len(track.runs):
        return track.each(look, progress=progress, **parameters)
    return [look(track.kept[place], track.measures, **parameters) for place in range(len(track.runs))]


def lacking(judgments: Qrels) -> str:
    """Why there is no model of relevance, where there is none.

    >>> from truerank.io.load import as_qrels
    >>> lacking(as_qrels({"q": {"a": 1}}))
    'no document is judged not relevant (grade 0)'
    """
    if judgments.only_relevant:
        return "no document is judged not relevant (grade 0)"
    return f"the model needs {FEWEST} relevant and {FEWEST} non-relevant judged documents that these runs list"


def _sample(listed: ListedDocuments, some: Rows) -> Rows:
    """So many documents as the model is fitted to: those with the lowest keys, mixed so that no name is preferred."""
    if len(some) <= FITTED:
        return some
    mixed = (listed.key[some] ^ (listed.key[some] >> np.uint64(29))) * ODD
    return np.sort(some[np.lexsort((listed.topic[some], mixed))[:FITTED]])


def _chance(odds: Floats) -> Floats:
    # Rounded, so that the last bits make no difference to what is drawn.
    return np.round(1.0 / (1.0 + np.exp(-np.clip(odds, -30.0, 30.0))), 12)
