"""Scores of a run in worlds: as it would be judged, topic by topic, if everything were."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from truerank.conventions.axes import Conventions
from truerank.data.arrays import ODD, Floats, Keys, Rows, distinct, offsets
from truerank.data.block import Pool
from truerank.data.judge import JudgedRun, every_document
from truerank.data.parts import Part, part_field
from truerank.data.rankings import Rankings
from truerank.measures.core.base import Measure
from truerank.questions.unjudged.relevance import TopicWorlds, Worlds
from truerank.track.lens import Lens
from truerank.track.outcomes import rests_on_judgments
from truerank.track.pools import OnePool
from truerank.track.values import settled, summaries

ROOM = 1 << 20
"""Documents of lists in worlds that are held at a time."""


@dataclass(frozen=True, eq=False, kw_only=True)
class WorldScores(Part):
    """What a measure gives a run in each world."""

    measure: Measure
    value: Floats = part_field(merge="per topic")
    """Topics x worlds."""
    lengths: Rows = part_field(merge="per topic")
    """Documents in each list."""

    def summaries(self, choice: Conventions) -> Floats:
        """The number for all topics in each world."""
        return summaries(settled(self.value, self.measure, choice), self.measure, choice, self.lengths)


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
    rests = rests_on_judgments(lens, measure)
    cases = [_cases(lens.judged, every, topic, worlds, rests) for topic in lens.topics.tolist()]
    found = np.zeros((len(lens.topics), worlds.count))
    size = np.cumsum(np.diff(every.offsets)[lens.topics] * [one.count for one in cases])
    for part in distinct(size // ROOM):
        some = np.flatnonzero(size // ROOM == part).tolist()
        here = [cases[at] for at in some]
        value = _supposing(lens, measure, every, here, worlds).estimate(measure).value
        for at, each in zip(some, np.split(value, np.cumsum([one.count for one in here])[:-1]), strict=True):
            found[at] = each[cases[at].of_world]
    lengths = lens.lengths(lens.conventions.ending_of(measure))
    return WorldScores(topics=lens.topics, measure=measure, value=found, lengths=lengths)


@dataclass(frozen=True, eq=False)
class _Cases:
    """The worlds of a topic that are not the same to a run, each once."""

    topic: int
    count: int
    drawn: TopicWorlds | None
    """With the numbers of these cases in place of worlds; None where nothing is drawn."""
    of_world: Rows
    """The case of each world."""
    first: Rows
    """The first world of each case."""
    at: Rows
    """Where the list has each document that is drawn; -1 where it has not."""


def _cases(judged: JudgedRun, every: JudgedRun, topic: int, worlds: Worlds, rests: bool) -> _Cases:
    """Worlds are the same if the run lists the same relevant documents; and if it ``rests`` on how many there are, also
    if as many were found of each grade."""
    if (drawn := worlds.topics.get(topic)) is None:
        none = np.zeros(0, np.intp)
        return _Cases(topic, 1, None, np.zeros(worlds.count, np.intp), none, none)
    here = slice(int(every.offsets[topic]), int(every.offsets[topic + 1]))
    at = _places(drawn, judged.run.key[every.row[here]])
    listed = at[drawn.document] >= 0
    grade = _mixed(drawn.grade.view(np.uint64))
    mark = np.where(listed, _mixed(grade + drawn.document.astype(np.uint64)), grade if rests else np.uint64(0))
    sums = np.zeros(worlds.count, np.uint64)
    np.add.at(sums, drawn.world, mark)
    _, first, of_world = np.unique(sums, return_index=True, return_inverse=True)
    number = np.full(worlds.count, -1, np.intp)
    number[first] = np.arange(len(first))
    kept = number[drawn.world] >= 0
    alone = replace(drawn, document=drawn.document[kept], world=number[drawn.world[kept]], grade=drawn.grade[kept])
    return _Cases(topic, len(first), alone, of_world, first, at)


def _mixed(numbers: Keys) -> Keys:
    """Numbers that differ where these do, with every bit changed, so that sums of them differ too."""
    for bits in (29, 32):
        numbers = (numbers ^ (numbers >> np.uint64(bits))) * ODD
    return numbers


def _supposing(lens: Lens, measure: Measure, every: JudgedRun, cases: Sequence[_Cases], worlds: Worlds) -> Lens:
    """The run with a topic for each case of some topics."""
    judged = lens.judged
    whole = measure.skips_unjudged or _tells_zero(measure, lens.pool.max_grade)
    columns = [_entries(judged, every, one, whole) for one in cases]
    where, row, grade, above, size = (np.concatenate(each) for each in zip(*columns, strict=True))
    count = np.array([one.count for one in cases], np.intp)
    where = where + np.repeat(offsets(count)[:-1], [len(each[0]) for each in columns])
    # In order of the list, case by case: one key, since most stand in order already.
    order = np.argsort(where * (len(lens.run.key) + 1) + row, kind="stable")
    where, grade = where[order], grade[order]
    twice = np.repeat(np.array([one.topic for one in cases], np.intp), count)
    qrels = replace(judged.qrels, topics=tuple(judged.qrels.topics[t] for t in twice.tolist()))
    return Lens(
        qrels,
        lens.run,
        OnePool(_pool(lens.pool, cases, worlds), measures=lens.measures),
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


def _entries(judged: JudgedRun, every: JudgedRun, of: _Cases, whole: bool) -> tuple[Rows, Rows, Floats, Rows, Rows]:
    """Case, row, grade and place of the documents of a topic that count in each case."""
    here = slice(int(every.offsets[of.topic]), int(every.offsets[of.topic + 1]))
    row, above, size, now = every.row[here], every.above[here], every.size[here], every.grade[here]
    keep = np.flatnonzero(np.isfinite(now) if whole else now > 0)
    case, entry = np.repeat(np.arange(of.count), len(keep)), np.tile(keep, of.count)
    grade = now[entry]
    if (drawn := of.drawn) is not None:
        place = of.at[drawn.document]
        listed = place >= 0
        found, place = drawn.world[listed], place[listed]
        if whole:
            # A document that is judged without relevance is another thing to the measure than one that is not.
            mine = np.flatnonzero(np.isnan(now) & np.isin(judged.run.key[row].astype(np.uint64), drawn.key))
            both = np.zeros((of.count, len(row)))
            both[found, place] = drawn.grade[listed]
            found, place = np.repeat(np.arange(of.count), len(mine)), np.tile(mine, of.count)
            more = both[found, place]
        else:
            more = drawn.grade[listed]
        case, entry, grade = (
            np.concatenate([one, other]) for one, other in ((case, found), (entry, place), (grade, more))
        )
    return case, row[entry], grade, above[entry], size[entry]


def _places(drawn: TopicWorlds, key: Keys) -> Rows:
    """Where a list has each of the documents that nobody judged; -1 where it has not."""
    at = np.full(len(drawn.key) + 1, -1, np.intp)
    place = np.minimum(np.searchsorted(drawn.key, key.astype(np.uint64)), len(drawn.key) - 1)
    same = drawn.key[place] == key.astype(np.uint64)
    at[place[same]] = np.flatnonzero(same)
    return at


def _pool(pool: Pool, cases: Sequence[_Cases], worlds: Worlds) -> Pool:
    """What the judgments say of each topic in each case."""
    found = [_found(pool, one, worlds) for one in cases]
    grades = np.zeros((sum(map(len, found)), max((one.shape[1] for one in found), default=0)))
    begin = 0
    for one in found:
        grades[begin : begin + len(one), : one.shape[1]] = one
        begin += len(one)
    judged = [int(pool.judged[one.topic]) + (0 if one.drawn is None else len(one.drawn.key)) for one in cases]
    every = np.repeat(np.array(judged, np.intp), [one.count for one in cases])
    return Pool(grades, None, (grades > 0).sum(axis=-1), every, pool.max_grade)


def _found(pool: Pool, of: _Cases, worlds: Worlds) -> Floats:
    """The grades of relevant documents of a topic, highest first, a row a case."""
    known = pool.grades[of.topic, : pool.count[of.topic]]
    return known[None] if of.drawn is None else worlds.grades(of.topic, known)[of.first]


@lru_cache(maxsize=64)
def _tells_zero(measure: Measure, max_grade: float) -> bool:
    """Whether a document that is judged without relevance is another thing than one that nobody judged."""
    if not measure.core.is_sum:
        return True
    grade = max(max_grade, 1.0)
    both = [Rankings.single([none, grade, none, none, grade, none], pool=[grade] * 3) for none in (0.0, np.nan)]
    one, other = (measure.core.estimate(each).value for each in both)
    return bool(np.nan_to_num(one)[0] != np.nan_to_num(other)[0])
