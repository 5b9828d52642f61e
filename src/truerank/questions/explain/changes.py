"""What would change the score of one list: exchanges of documents, missing ones, judgments, orders of ties."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations, pairwise, permutations

import numpy as np

from truerank.data.arrays import Floats, Rows, distinct
from truerank.data.ids import text
from truerank.data.judge import every_document
from truerank.data.qrels import Preferences
from truerank.data.rankings import gain_of
from truerank.measures.core.base import Measure
from truerank.questions.explain.lists import UNCHANGED, TopicList, Variation, longer, scores
from truerank.questions.explain.question import Exchange, MissingDocuments, TieGroup, UnjudgedDocument
from truerank.questions.unjudged.hypothetical import Hypotheses, supposing
from truerank.statistics.level import EQUAL
from truerank.track.lens import Lens
from truerank.track.values import settled

TRIED = 50
"""Ranks in which all pairs are tried, where it is not known which are best."""
ALL_ORDERS = 6
"""Documents of a tie group up to which every order is tried, where the extremes are no sorts."""


def best_swap(one: TopicList) -> Exchange | None:
    """The exchange that improves the score most, of any two documents; None if none improves it."""
    merit = _kinds(one)
    if merit is None:
        return None
    if not _sorting_is_best(one):
        return _best(one, combinations(range(min(len(merit), _ranks_tried(one))), 2), merit)
    # More gain higher up is never worse. So of documents alike, the first is the one to take the place of, and the last
    # the one to bring up.
    levels = distinct(merit).tolist()
    pairs = [
        (int(np.flatnonzero(merit == low)[0]), int(np.flatnonzero(merit == high)[-1]))
        for low, high in combinations(levels, 2)
    ]
    return _best(one, pairs, merit)


def best_neighbours(one: TopicList) -> Exchange | None:
    """The exchange of two neighbours that improves the score most; None if none does."""
    kind = _kinds(one)
    if kind is None:
        return None
    edges = np.flatnonzero(np.diff(one.r.start[0, : one.listed])) + 1
    groups = np.split(np.arange(len(kind)), edges)
    # Documents of a tie group that are alike stand for each other.
    kinds = [[int(slots[kind[slots] == each][0]) for each in distinct(kind[slots])] for slots in groups]
    near = [(up, low) for above, below in pairwise(kinds) for up in above for low in below]
    if _sorting_is_best(one):
        return _best(one, [(up, low) for up, low in near if kind[low] > kind[up]][: one.max_variations], kind)
    return _best(one, [(up, low) for up, low in near if low < _ranks_tried(one)], kind)


def _sorting_is_best(one: TopicList) -> bool:
    """Whether more gain higher up is never worse; for preferences that holds among judged documents only."""
    return one.measure.sorts_ties and one.measure.needs != "preferences"


def _ranks_tried(one: TopicList) -> int:
    """How many of the first ranks have all their pairs tried."""
    return min(TRIED, one.max_variations)


def _kinds(one: TopicList) -> Floats | None:
    """What tells documents apart: their order by merit or, where that says nothing, their grades."""
    if one.r.pairs is not None or not one.listed:
        return None
    return one.measure.merit(one.grade, one.r) if _sorting_is_best(one) else _grades(one)


def _grades(one: TopicList) -> Floats:
    """Grades as they are written: one below 0 may be no judgment, and yet another thing than none at all."""
    return np.nan_to_num(one.r.grade[0, : one.listed], nan=-np.inf)


def _best(one: TopicList, pairs: Iterable[tuple[int, int]], kind: Floats) -> Exchange | None:
    r, measure = one.r, one.measure
    grade, start = r.grade[0], r.start[0]
    tried = [(up, low) for up, low in pairs if start[up] < start[low] and kind[up] != kind[low]]
    if not tried:
        return None
    variations = [Variation(np.array([up, low]), grade[[low, up]]) for up, low in tried]
    now, *values = scores(measure, r, [UNCHANGED, *variations]).tolist()
    change = (np.array(values) - now) * measure.sign
    best = int(np.argmax(np.nan_to_num(change, nan=-np.inf)))
    if not change[best] > EQUAL:
        return None
    docs = one.docs
    up, low = tried[best]
    ranks = [(int(start[at]), int(r.stop[0, at])) for at in (up, low)]
    exact = _sorting_is_best(one) or len(kind) <= _ranks_tried(one)
    return Exchange(
        upper=docs[up],
        upper_ranks=ranks[0],
        lower=docs[low],
        lower_ranks=ranks[1],
        score=values[best],
        difference=values[best] - now,
        exact=exact,
    )


def missing(one: TopicList) -> tuple[MissingDocuments, ...]:
    """Documents that were not retrieved by grade, the most valuable first."""
    by_grade: dict[float, list[str]] = {}
    for doc, grade in one.missing.items():
        by_grade.setdefault(grade, []).append(doc)
    above, below = longer(one.r, 1, above=True), longer(one.r, 1)
    found = []
    for grade, docs in by_grade.items():
        put = np.array([grade])
        [first] = scores(one.measure, above, [Variation(np.array([0]), put)]).tolist()
        [last] = scores(one.measure, below, [Variation(np.array([one.listed]), put)]).tolist()
        found.append(MissingDocuments(docs=tuple(docs), grade=grade, at_first=first, appended=last))
    return tuple(found)


def in_best_order(one: TopicList) -> tuple[float, float] | None:
    """The score of the list's documents in the best order, and with those that are missing too; None if not known."""
    if not one.measure.sorts_ties or one.r.pairs is not None:
        return None
    absent = np.array([*one.missing.values()], np.float64)
    return _score_in_best_order(one, np.zeros(0)), _score_in_best_order(one, absent)


def _score_in_best_order(one: TopicList, absent: Floats) -> float:
    """The score of the list sorted by merit, with documents of the grades ``absent`` added."""
    r = replace(longer(one.r, len(absent)), ties="expected")
    grade = np.append(r.grade[0, : one.listed], absent)
    known = np.append(one.grade, absent)
    order = np.argsort(-one.measure.merit(known, r), kind="stable")
    slots = np.arange(len(grade))
    return float(scores(one.measure, r, [Variation(slots, grade[order], slots + 1)])[0])


def if_judged(one: TopicList, measure: Measure) -> tuple[UnjudgedDocument, ...]:
    """Unjudged documents that the measure looks at, from the top of the list down; of a very long list the first ones.

    There are none for a measure that depends on more than judgments and list.
    """
    lens, choice = one.lens, one.lens.conventions
    if measure.needs_pool or isinstance(one.qrels, Preferences):
        return ()
    every = every_document(lens.judged)
    at = np.arange(every.offsets[one.topic], every.offsets[one.topic + 1])
    unknown = np.isnan(every.grade[at]) | ((every.grade[at] < 0) & (not choice.judges_negative(measure)))
    # In a condensed list it is not where it stands that counts, but how many judged documents are above.
    at = at[unknown & (choice.condenses | (every.above[at] < one.depth))][: one.max_variations]
    above, size = every.above[at], every.size[at]
    hypotheses = Hypotheses(np.full(len(at), one.topic), every.row[at], above, size)
    least, top = (_supposed(lens, measure, hypotheses, grade).tolist() for grade in worth(lens, measure))
    nonrelevant = _supposed(lens, measure, hypotheses, 0.0).tolist()
    docs = map(text, lens.run.docs.take(every.row[at]).tolist())
    ranks = zip((above + 1).tolist(), (above + size).tolist(), strict=True)
    return tuple(
        UnjudgedDocument(doc=doc, ranks=ends, least=low, top=high, nonrelevant=none)
        for doc, ends, low, high, none in zip(docs, ranks, least, top, nonrelevant, strict=True)
    )


def worth(lens: Lens, measure: Measure) -> tuple[float, float]:
    """Of the grades that are worth something, that worth least and that worth most."""
    grades = lens.judged.qrels.grade
    levels = distinct(grades[grades > 0])
    gain = gain_of(levels, measure.gain(lens.judged.qrels))
    top = lens.top_grade(measure)
    return float(levels[gain > 0][np.argmin(gain[gain > 0])]) if (gain > 0).any() else top, top


def _supposed(lens: Lens, measure: Measure, hypotheses: Hypotheses, grade: float) -> Floats:
    """The score with each document judged to have a grade."""
    found = np.full(len(hypotheses), np.nan)
    for part in hypotheses.parts(lens.judged, measure.cutoff):
        found[part] = supposing(lens, hypotheses.take(part), grade, measure.cutoff).estimate(measure).value
    return settled(found, measure, lens.conventions)


def tie_groups(one: TopicList) -> tuple[TieGroup, ...]:
    """Tie groups whose order could move the score, from the top down; of a very long list the first ones."""
    r, measure = one.r, one.measure
    if not r.tied or r.ties != "expected" or r.pairs is not None:
        return ()
    sorts = measure.sorts_ties
    kind = measure.merit(one.grade, r) if sorts else _grades(one)
    parts = np.split(r.shared.flat, r.shared.first[1:])
    # Where all of a group are alike, order is nothing, but to a measure with an answer of its own to ties.
    own = measure.shares_last_rank
    least = 1 if own else 2
    groups = [slots for slots in parts if r.start[0, slots[0]] <= one.depth and len({*kind[slots].tolist()}) >= least]
    groups = groups[: one.max_variations // 2]
    tried = [[_placed(one, slots, order) for order in _orders(kind[slots], sorts)] for slots in groups]
    now, *every = scores(measure, r, [UNCHANGED, *(variation for some in tried for variation in some)]).tolist()
    values = iter(every)
    gain = r.gains(measure.gain(r))[0]
    found = []
    for slots, some in zip(groups, tried, strict=True):
        orders = [next(values) for _ in some]
        # The score is a mean over orders, and so one of its own ends where not all could be tried. A measure with an
        # answer of its own to ties may lie outside of all orders, and is then no end of theirs.
        ends = orders if own else [now, *orders]
        if max(now, *ends) - min(now, *ends) > EQUAL:
            first, relevant = int(r.start[0, slots[0]]), int((gain[slots] > 0).sum())
            exact = sorts or len(slots) <= ALL_ORDERS
            found.append(
                TieGroup(
                    first=first,
                    last=first + len(slots) - 1,
                    relevant=relevant,
                    low=min(ends),
                    high=max(ends),
                    exact=exact,
                )
            )
    return tuple(found)


def _placed(one: TopicList, slots: Rows, order: Rows) -> Variation:
    r = one.r
    return Variation(slots, r.grade[0, slots[order]], r.start[0, slots[0]] + np.arange(len(slots)))


def _orders(kind: Floats, sorts: bool) -> Iterator[Rows]:
    """The best and the worst order of documents or, where these are not known, all of a few."""
    if sorts or len(kind) > ALL_ORDERS:
        best = np.argsort(-kind, kind="stable")
        yield from (best, best[::-1])
        return
    tried = {tuple(kind[list(order)].tolist()): order for order in permutations(range(len(kind)))}
    yield from map(np.array, tried.values())
