"""How likely a verdict is to change if the unjudged documents that the runs list were judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from truerank.conventions.axes import Conventions
from truerank.data.arrays import Array, Floats
from truerank.data.notes import Code, Note
from truerank.data.parallel import blocks
from truerank.data.qrels import Preferences
from truerank.questions.compare.answer import (
    BETTER,
    FEW,
    OPEN,
    SAME,
    WORSE,
    Comparison,
    MeasureComparison,
    VerdictChange,
)
from truerank.questions.compare.plan import ComparePlan
from truerank.questions.compare.settled import Pair, rounded
from truerank.questions.unjudged.outlook import WorldsPart, scores_in_worlds
from truerank.questions.unjudged.relevance import SEED, relevance
from truerank.questions.unjudged.worlds import WorldScores
from truerank.statistics.corrections import CORRECTIONS
from truerank.statistics.level import EQUAL
from truerank.statistics.paired import apart, least_by_signs
from truerank.statistics.student import of_differences
from truerank.track.track import Track
from truerank.track.values import settled

DRAWS = 200
"""Worlds that are drawn: enough for classes of chances."""
TESTS = ("student", "wilcoxon", "sign")
"""Tests that are done again in each world; others take too long, or draw at random by themselves."""
MANY = 1000
"""Topics up to which worlds are drawn."""
ROOM = 1 << 19
"""Numbers that are worked on at once."""
LEAST = 0.05
"""Chances below this are not told."""
_CLASSES = ((0.2, "chance 5 to 20%"), (0.5, "chance 20 to 50%"), (0.8, "more likely than not"), (2.0, "likely"))

LIKELY = Code(
    "TR310",
    "how likely a verdict changes if unjudged documents were judged",
    'If the unjudged documents that these runs list were judged, this could become "{then}" ({likelihood})',
    measures='{measure}: if the unjudged documents that these runs list were judged, "{run}" against '
    '"{compared_with}" could become "{then}" ({likelihood})[; {others:other verdict} {others:has|have} a chance of 5% '
    "or more]",
    consequence=0.7,
    command="truerank unjudged",
)


class ChangesLater:
    """Changes that are found when somebody reads them; the runs are let go then."""

    def __init__(self, make: Callable[[], tuple[VerdictChange, ...]]) -> None:
        self._make: Callable[[], tuple[VerdictChange, ...]] | None = make
        self._found: tuple[VerdictChange, ...] = ()

    def read(self) -> tuple[VerdictChange, ...]:
        """The changes."""
        if (make := self._make) is not None:
            self._found = make()
            self._make = None
        return self._found

    def __reduce__(self) -> tuple[Any, ...]:
        return known_changes, (self.read(),)


def known_changes(found: tuple[VerdictChange, ...]) -> ChangesLater:
    """Changes that are known already."""
    return ChangesLater(lambda: found)


def applies(track: Track, plan: ComparePlan) -> bool:
    """Whether verdicts of pairs are shown, and worlds can be drawn."""
    choice = track.conventions
    return (
        len(plan.names) <= FEW
        and plan.systems is None
        and plan.settings.test in TESTS
        and len(track.topics) <= MANY
        and not choice.condenses
        and not choice.averages_judgments
        and not isinstance(track.judgments, Preferences)
    )


def verdict_changes(
    track: Track, plan: ComparePlan, comparisons: Sequence[MeasureComparison]
) -> tuple[VerdictChange, ...]:
    """Each verdict tested again in worlds where all documents that the runs list are judged.

    The same test, the same correction and the same family as what is shown. Nothing where the model has too few judged
    documents of either kind, as with judgments that name relevant documents only.
    """
    some = [found for found in comparisons if found.asked and found.by.core.is_sum and not found.by.needs_pool]
    if not some or track.judgments.only_relevant or (model := relevance(track)) is None:
        return ()
    parts = scores_in_worlds(track, [found.by for found in some], model.worlds(DRAWS, SEED), None)
    tested = {
        found.measure: _tested(found, _scores(found, parts, track.conventions)) if found in some else _as_now(found)
        for found in comparisons
    }
    words = {found.measure: _words(found, tested) for found in some}
    return tuple(
        row
        for found in some
        for pair, now, every in zip(found.asked, found.verdicts, words[found.measure].T.tolist(), strict=True)
        if (row := _change(found, pair, now, Counter(every))) is not None
    )


def _scores(found: MeasureComparison, parts: Sequence[WorldsPart], choice: Conventions) -> Floats:
    """Worlds x systems x topics that are compared."""
    drawn = np.stack([_values(part.by_measure[found.measure], found, choice) for part in parts])
    # One system after the other in each world, since numpy's sums depend on it.
    drawn = np.ascontiguousarray(np.moveaxis(drawn, -1, 0))
    return np.where(np.isnan(drawn) | (np.abs(drawn - found.values) <= EQUAL), found.values, drawn)


def _values(part: WorldScores, found: MeasureComparison, choice: Conventions) -> Floats:
    """Topics that are compared x worlds; a topic without a value in a world keeps the one it has."""
    value = settled(part.value, part.measure, choice)
    place = {topic: at for at, topic in enumerate(part.topics.tolist())}
    rows: Floats = np.full((len(found.index), value.shape[1]), np.nan)
    for at, topic in enumerate(found.index.tolist()):
        if topic in place:
            rows[at] = value[place[topic]]
    return rows


@dataclass(frozen=True, eq=False)
class WorldTests:
    """The pairs that a measure compares, tested in each world: worlds x pairs, before correction."""

    p: Floats
    way: Floats
    """Which run is ahead, by what the test looks at: 1 for the second, -1 for the first."""


def _tested(found: MeasureComparison, scores: Floats) -> WorldTests:
    """Each pair tested in each world."""
    settings, sample = found.settings, found.sample
    first, second = (list(each) for each in zip(*found.asked, strict=True))
    means = scores.mean(axis=-1)
    way = np.sign(rounded(means[:, second] - means[:, first]))
    if settings.test != "student" or sample.drawn < 2:
        every = [settings.tested(sample.unit(world), baseline=found.baseline, **settings.drawing()) for world in scores]
        p = np.stack([found.of_pairs(one.p) for one in every])
        if every[0].direction is not None:
            way = np.stack([found.of_pairs(one.direction) for one in every if one.direction is not None])
        return WorldTests(p, way)
    units = scores if sample.clusters is None else np.stack([sample.unit(world) for world in scores])
    p = np.empty(way.shape)
    for part in blocks(len(found.asked), max(1, ROOM // units[:, 0].size)):
        difference = apart(units[:, second[part]], units[:, first[part]]).reshape(-1, units.shape[-1])
        few = least_by_signs((difference != 0).sum(axis=-1, dtype=np.float64), settings.alpha)
        p[:, part] = np.maximum(of_differences(difference), few).reshape(len(p), -1)
    return WorldTests(p, way)


def _as_now(found: MeasureComparison) -> WorldTests:
    """The tests of a measure that worlds say nothing about: its p is the same in all of them."""
    p = np.tile(found.of_pairs(found.tested.p), (DRAWS, 1))
    return WorldTests(p, np.tile(np.sign(found.of_pairs(found.ways)), (DRAWS, 1)))


def _words(found: MeasureComparison, tested: Mapping[str, WorldTests]) -> Array:
    """The verdict on each pair in each world, worlds x pairs; other measures of the family are those of the world."""
    own = tested[found.measure]
    beside = [one.p for name, one in tested.items() if name != found.measure] if found.beside else []
    correct = CORRECTIONS[found.settings.correction]
    p = np.stack([correct(np.concatenate(each))[: own.p.shape[1]] for each in zip(own.p, *beside, strict=True)])
    ahead = np.where(p < found.settings.alpha, found.sign * own.way, 0.0)
    return np.array([OPEN, BETTER, WORSE])[ahead.astype(np.intp)]


def _change(found: MeasureComparison, pair: Pair, now: str, count: Counter[str]) -> VerdictChange | None:
    kept = OPEN if now == SAME else now
    other = Counter({word: times for word, times in count.items() if word != kept})
    a, b = pair
    [(then, _)] = other.most_common(1) or [(kept, 0)]
    chance = sum(other.values()) / DRAWS
    return VerdictChange(
        measure=found.measure,
        run=found.runs[b],
        compared_with=found.runs[a],
        verdict=now,
        then=then if chance else None,
        chance=chance,
        likelihood="under 5%" if chance < LEAST else likelihood(chance).removeprefix("chance "),
    )


def likelihood(chance: float) -> str:
    """The class of a chance, in words; chances are no better known than that.

    >>> [likelihood(chance) for chance in (0.1, 0.2, 0.5, 0.9)]
    ['chance 5 to 20%', 'chance 20 to 50%', 'more likely than not', 'likely']
    """
    return next(word for most, word in _CLASSES if chance < most)


def _middle(chance: float) -> float:
    """The middle of the class of a chance, which is what it is ranked by."""
    edges = [LEAST, *(min(most, 1.0) for most, _ in _CLASSES)]
    return next((low + high) / 2 for low, high in pairwise(edges) if chance < high or high >= 1.0)


def notes(answer: Comparison) -> Iterator[Note]:
    """Of each measure the verdict that is most likely to change, among those that are shown."""
    for each in answer.values():
        rows = [row for row in answer.every_change if row.measure == each.measure and row.chance >= LEAST]
        if len(answer) == 1 and not answer.baselines:
            leader = each.runs[each.order[0]]
            rows = [row for row in rows if leader in (row.run, row.compared_with)]
        if not rows:
            continue
        first = max(rows, key=lambda row: row.chance)
        one = len(answer) == 1 and len(each.asked) == 1
        yield LIKELY(
            "" if one else "measures",
            measure=each.measure,
            run=first.run,
            compared_with=first.compared_with,
            then=first.then,
            likelihood=likelihood(first.chance),
            others=len(rows) - 1 or None,
        ).weighed(likelihood=_middle(first.chance))
