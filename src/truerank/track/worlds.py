"""Scores of a run in worlds: as it would be judged, topic by topic, if everything were."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from truerank.conventions.axes import Conventions
from truerank.data.arrays import Floats, Keys, Rows, distinct, offsets, spans
from truerank.data.block import Pool
from truerank.data.judge import JudgedRun, every_document
from truerank.data.rankings import Rankings
from truerank.measures.core.base import Measure
from truerank.track.lens import Lens
from truerank.track.parts import Part, per_topic
from truerank.track.pools import OnePool
from truerank.track.relevance import TopicWorlds, Worlds
from truerank.track.values import Values

ROOM = 1 << 20
"""Documents of lists in worlds that are held at a time."""


@dataclass(frozen=True, eq=False, kw_only=True)
class WorldScores(Part):
    """What a measure gives a run in each world."""

    measure: Measure
    value: Floats = per_topic()
    """Topics x worlds."""
    lengths: Rows = per_topic()
    """Documents in each list."""

    def summaries(self, choice: Conventions) -> Floats:
        """The number for all topics in each world."""
        plain = Values(
            topics=self.topics,
            measure=self.measure,
            value=self.value[:, 0],
            error=np.zeros(len(self.value)),
            lengths=self.lengths,
        )
        return np.array([plain.instead(column).summary(choice) for column in self.value.T])


def scores(lens: Lens, measure: Measure, worlds: Worlds) -> Floats:
    """The number for all topics that a measure gives the run in each world.

    >>> from truerank.track.track import Track
    >>> track = Track.of({"q": {"a": 1}}, {"x": {"q": ["u", "a"]}}, "RR", {"unjudged": "bounds"})
    >>> [lens] = track.lenses()
    >>> u = lens.run.key[:1]
    >>> drawn = TopicWorlds(0, u, np.array([0]), np.array([1]), np.array([1.0]))
    >>> scores(lens, track.measures[0], Worlds(2, {0: drawn})).tolist()  # u is relevant in the second
    [0.5, 1.0]
    """
    return world_scores(lens, measure, worlds).summaries(lens.conventions)


def world_scores(lens: Lens, measure: Measure, worlds: Worlds) -> WorldScores:
    """The same topic by topic."""
    if lens.conventions.ends_for(measure):
        lens = lens.until_nil()
    every = every_document(lens.judged, measure.cutoff)
    found = np.zeros((len(lens.topics), worlds.count))
    size = np.diff(every.offsets)[lens.topics] * worlds.count
    for part in distinct(np.cumsum(size) // ROOM):
        some = np.flatnonzero(np.cumsum(size) // ROOM == part)
        supposed = _supposing(lens, measure, every, lens.topics[some], worlds)
        found[some] = supposed.estimate(measure).value.reshape(len(some), worlds.count)
    lengths = lens.lengths(lens.conventions.ending_of(measure))
    return WorldScores(topics=lens.topics, measure=measure, value=found, lengths=lengths)


def _supposing(lens: Lens, measure: Measure, every: JudgedRun, topics: Rows, worlds: Worlds) -> Lens:
    """The run with a topic for each of some topics in each world."""
    judged, count = lens.judged, worlds.count
    whole = measure.skips_unjudged or _tells_zero(measure, lens.pool.max_grade)
    columns = [_entries(judged, every, int(topic), worlds, whole) for topic in topics.tolist()]
    where, row, grade, above, size = (np.concatenate(each) for each in zip(*columns, strict=True))
    where = where + np.repeat(np.arange(len(topics)) * count, [len(each[0]) for each in columns])
    order = np.lexsort((row, where))
    where, grade = where[order], grade[order]
    twice = np.repeat(topics, count)
    qrels = replace(judged.qrels, topics=tuple(judged.qrels.topics[t] for t in twice.tolist()))
    return Lens(
        qrels,
        lens.run,
        OnePool(_pool(lens.pool, topics, worlds), measures=lens.measures),
        lens.conventions,
        deepest=measure.cutoff or 0,
        judged=replace(
            judged,
            qrels=qrels,
            length=judged.length[twice],
            run_topic=judged.run_topic[twice],
            offsets=offsets(np.bincount(where, minlength=len(twice))),
            row=row[order],
            # Which judgment it is does not matter, only that there is one.
            judgment=np.zeros(len(order), np.intp),
            grade=grade,
            above=above[order],
            size=size[order],
        ),
        whole=lens.whole,
        topics=np.arange(len(twice)),
    )


def _entries(
    judged: JudgedRun, every: JudgedRun, topic: int, worlds: Worlds, whole: bool
) -> tuple[Rows, Rows, Floats, Rows, Rows]:
    """World, row, grade and place of the documents of a topic that count in each world."""
    here = slice(int(every.offsets[topic]), int(every.offsets[topic + 1]))
    row, above, size, now = every.row[here], every.above[here], every.size[here], every.grade[here]
    keep = np.flatnonzero(np.isfinite(now) if whole else now > 0)
    world, entry = np.repeat(np.arange(worlds.count), len(keep)), np.tile(keep, worlds.count)
    grade = now[entry]
    if (drawn := worlds.topics.get(topic)) is not None:
        at = _places(drawn, judged.run.key[row])
        listed = at[drawn.document] >= 0
        found, place = drawn.world[listed], at[drawn.document[listed]]
        if whole:
            # A document that is judged without relevance is another thing to the measure than one that is not.
            mine = np.flatnonzero(np.isnan(now) & np.isin(judged.run.key[row].astype(np.uint64), drawn.key))
            both = np.zeros((worlds.count, len(row)))
            both[found, place] = drawn.grade[listed]
            found, place = np.repeat(np.arange(worlds.count), len(mine)), np.tile(mine, worlds.count)
            more = both[found, place]
        else:
            more = drawn.grade[listed]
        world, entry, grade = (
            np.concatenate([one, other]) for one, other in ((world, found), (entry, place), (grade, more))
        )
    return world, row[entry], grade, above[entry], size[entry]


def _places(drawn: TopicWorlds, key: Keys) -> Rows:
    """Where a list has each of the documents that nobody judged; -1 where it has not."""
    at = np.full(len(drawn.key) + 1, -1, np.intp)
    place = np.minimum(np.searchsorted(drawn.key, key.astype(np.uint64)), len(drawn.key) - 1)
    same = drawn.key[place] == key.astype(np.uint64)
    at[place[same]] = np.flatnonzero(same)
    return at


def _pool(pool: Pool, topics: Rows, worlds: Worlds) -> Pool:
    """What the judgments say of each topic in each world."""
    found = [_found(pool, int(topic), worlds) for topic in topics.tolist()]
    width = max((one.shape[1] for one in found), default=0)
    grades = np.zeros((len(topics) * worlds.count, width))
    for place, one in enumerate(found):
        grades[place * worlds.count : (place + 1) * worlds.count, : one.shape[1]] = one
    unjudged = np.array([len(worlds.topics[t].key) if t in worlds.topics else 0 for t in topics.tolist()], np.intp)
    judged = np.repeat(pool.judged[topics] + unjudged, worlds.count)
    return Pool(grades, None, (grades > 0).sum(axis=-1), judged, pool.max_grade)


def _found(pool: Pool, topic: int, worlds: Worlds) -> Floats:
    """The grades of relevant documents of a topic, highest first, a row a world."""
    before = pool.grades[topic, : pool.count[topic]]
    if (drawn := worlds.topics.get(topic)) is None:
        return np.tile(before, (worlds.count, 1))
    count = np.bincount(drawn.world, minlength=worlds.count)
    more = np.zeros((worlds.count, int(count.max(initial=0))))
    order = np.argsort(drawn.world, kind="stable")
    more[drawn.world[order], spans(np.zeros_like(count), count)] = drawn.grade[order]
    return -np.sort(-np.column_stack([np.tile(before, (worlds.count, 1)), more]), axis=-1)


@lru_cache(maxsize=64)
def _tells_zero(measure: Measure, max_grade: float) -> bool:
    """Whether a document that is judged without relevance is another thing than one that nobody judged."""
    if not measure.core.is_sum:
        return True
    grade = max(max_grade, 1.0)
    both = [Rankings.single([none, grade, none, none, grade, none], pool=[grade] * 3) for none in (0.0, np.nan)]
    one, other = (measure.core.estimate(each).value for each in both)
    return bool(np.nan_to_num(one)[0] != np.nan_to_num(other)[0])
