"""Which runs a pool was made of, told by the documents that only one of them could have brought into it.

A document that another contributing run has as well says nothing of a run: it is judged in any case. What speaks for a
run, or against it, are those of its first documents that no other contributing run has: they are judged if it
contributed (but for judgments that were lost or never made), and otherwise no oftener than documents outside the pool.
So the weight of a document is a ratio of two rates, both of which are found in the data; that a pool is sampled, that
some of its judgments are lost or that only relevant documents are listed changes the rates, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

import numpy as np

from truerank.data.arrays import Floats, Mask, Rows, offsets, spans
from truerank.data.classes import dataclass

TOLD = float(np.log(20))
"""How much more likely one answer has to be, as a logarithm, to be given: 20 times."""
EDGE = 16.0
"""How much more likely judgments have to be with an edge at a rank than without, as a logarithm, to see one."""
TOPIC = 10.0
"""The same, for a topic whose pool ends at a rank of its own: there are many topics, and many ranks."""
EDGES = 4
"""Depths that runs of one pool may have had, at most."""
ROUNDS = 6
"""How often rates and runs are found anew from each other."""
HALF = 0.5
"""What is added to counts, half a document, so that no rate is 0 or 1."""
FEW = 10
"""Documents past the pool that a run needs to be listed otherwise there than all runs together."""


@dataclass(frozen=True, eq=False)
class Listings:
    """The first documents of all runs: an entry a run and document."""

    runs: int
    topics: Rows
    """The topic of each document; documents that the judgments list come first."""
    listed: int
    """How many those are."""
    num_topics: int
    relevant_only: bool
    """Whether the judgments list nothing else."""
    run: Rows
    """Ascending."""
    document: Rows
    rank: Rows

    @cached_property
    def begin(self) -> Rows:
        """The entries of run r are begin[r] to begin[r + 1] - 1."""
        return offsets(np.bincount(self.run, minlength=self.runs))

    @cached_property
    def by_document(self) -> Rows:
        """The entries, those of a document together."""
        return np.argsort(self.document, kind="stable")

    @cached_property
    def kind(self) -> Rows:
        """The octave of each entry's rank, and whether the judgments list its document."""
        kinds: Rows = 2 * _octave(self.rank) + (self.document < self.listed)
        return kinds

    @cached_property
    def best(self) -> Rows:
        """The best rank of each document in any run; beyond all ranks where no run has it."""
        return self.best_in(np.ones(len(self.run), np.bool_))

    @cached_property
    def deepest(self) -> int:
        """The last rank that a run has."""
        return int(self.rank.max(initial=0))

    def best_in(self, entries: Mask) -> Rows:
        """The best rank of each document among some entries."""
        best = np.full(len(self.topics), self.deepest + 1)
        np.minimum.at(best, self.document[entries], self.rank[entries])
        return best

    def rates(self, best: Rows) -> tuple[Rows, Rows]:
        """By best rank (from 0 on, which none has), how many documents there are, and how many of them are listed."""
        some = best <= self.deepest
        size = self.deepest + 1
        return (
            np.bincount(best[some], minlength=size),
            np.bincount(best[: self.listed][some[: self.listed]], minlength=size),
        )

    def by_topic(self, best: Rows, depth: int) -> tuple[Rows, Rows]:
        """By topic and best rank down to a depth, how many documents there are, and how many of them are listed."""
        inside = best <= depth
        size = self.num_topics * (depth + 1)
        place = self.topics * (depth + 1) + best
        listed = place[: self.listed][inside[: self.listed]]
        counts = (np.bincount(some, minlength=size).reshape(-1, depth + 1) for some in (place[inside], listed))
        return next(counts), next(counts)

    def likelihood(self, pool: Mask) -> float:
        """How likely the judgments are, as a logarithm, with a rate for each octave inside of a pool and outside."""
        seen = np.flatnonzero(self.best <= self.deepest)
        place = 2 * _octave(self.best[seen]) + pool[seen]
        size = int(place.max(initial=0)) + 1
        count, hits = np.bincount(place, minlength=size), np.bincount(place[seen < self.listed], minlength=size)
        return float(_log_likelihood(hits, count, (hits + HALF) / (count + 1)).sum())

    def down_to(self, depth: int) -> Listings:
        """The entries down to a depth; documents stay."""
        kept = self.rank <= depth
        return replace(self, run=self.run[kept], document=self.document[kept], rank=self.rank[kept])


@dataclass(frozen=True, eq=False)
class Contributors:
    """What the documents of runs tell of the pool."""

    depth: Rows
    """Down to which rank each run was pooled, or would have been; 0 where it was not."""
    topic_depth: Rows
    """Down to which rank each topic was pooled, where that is less."""
    weight: Floats
    """How much more likely the judgments are if the run contributed than if not, as a logarithm."""
    told: Rows
    """1 for runs that contributed, -1 for runs that did not, 0 where it cannot be told."""
    inside: float
    """Share of the pool's documents that the judgments list."""
    outside: float
    """Share of documents that the judgments list, just outside of the pool."""
    edges: dict[int, float]
    """The ranks at which it ends, and how much more likely the judgments are with an edge there, as a logarithm."""
    by_topic: bool
    """Whether topics may have depths of their own, rather than runs."""
    brought: Mask
    """Which documents it has."""
    fit: float
    """How likely the judgments are with this pool, as a logarithm, less what depths of its own cost."""


@dataclass(frozen=True, eq=False)
class Rates:
    """How often documents of each run are listed, in the pool and outside of it, by the octave of their ranks."""

    inside: Floats
    outside: Floats

    def weights(self, scale: float = 1.0) -> Floats:
        """What a document says for its run: by run and octave, for one that is not listed and for one that is."""
        inside = np.maximum(scale * self.inside, np.minimum(1.01 * self.outside, 0.9995))
        sides = np.log((1 - inside) / (1 - self.outside)), np.log(inside / self.outside)
        return np.stack(sides, axis=2).reshape(len(inside), -1)


def edges(some: Listings, apart: Mask | None = None) -> dict[int, float]:
    """Ranks at which the share of listed documents breaks off, the deepest last, and how clearly each does.

    A document counts by the best rank that it has in any run: past the depth of a pool it can be in no contributing run
    within that depth, and before it, it may be. Shares of relevant documents fall with the rank as well, but evenly: so
    an edge is a share that is lower than the one before it, and the one before that, let expect. Documents that are
    ``apart`` do not count.
    """
    documents, listed = some.rates(some.best if apart is None else np.where(apart, some.deepest + 1, some.best))
    found = np.zeros(some.deepest + 1)
    total, hits = np.cumsum(documents), np.cumsum(listed)
    depth = np.arange(1, some.deepest)
    if not len(depth):
        return {}
    window = np.maximum(1, depth // 8)
    past = np.minimum(depth + window, some.deepest)

    def within(first: Rows, last: Rows) -> tuple[Floats, Floats]:
        return (hits[last] - hits[first]).astype(np.float64), (total[last] - total[first]).astype(np.float64)

    hit, count = within(depth - window, depth)
    hit_after, count_after = within(depth, past)
    hit_before, count_before = within(np.maximum(depth - 2 * window, 0), np.maximum(depth - window, 0))
    rate = (hit + HALF) / (count + 1)
    before = np.where(count_before > 0, (hit_before + HALF) / (count_before + 1), np.minimum(2 * rate, 1.0))
    after = (hit_after + HALF) / (count_after + 1)
    expected = rate * np.minimum(1.0, rate / before)
    gain = _log_likelihood(hit_after, count_after, after) - _log_likelihood(hit_after, count_after, expected)
    found[depth] = np.where((after < expected) & (count_after > 0), gain, 0.0)
    kept: dict[int, float] = {}
    for place in np.argsort(-found, kind="stable")[: EDGES * 8].tolist():
        near = max(1, place // 4)
        if found[place] >= EDGE and all(abs(place - other) > near for other in kept) and len(kept) < EDGES:
            kept[place] = float(found[place])
    return {_sharpest(depth, total, hits): gain for depth, gain in sorted(kept.items())}


def _sharpest(near: int, total: Rows, hits: Rows) -> int:
    """The rank about an edge that parts the documents best: the edge was found with shares of several ranks."""
    wide = max(1, near // 8)
    first, last = max(0, near - 2 * wide), min(len(total) - 1, near + 2 * wide)
    depth = np.arange(max(1, near - wide), min(last, near + wide + 1))
    sides = [
        (hits[depth] - hits[first], total[depth] - total[first]),
        (hits[last] - hits[depth], total[last] - total[depth]),
    ]
    fit = sum(_log_likelihood(hit, count, (hit + HALF) / (count + 1)) for hit, count in sides)
    return int(depth[int(np.argmax(fit))]) if len(depth) else near


def _log_likelihood(hits: Floats | Rows, count: Floats | Rows, rate: Floats) -> Floats:
    return np.asarray(hits * np.log(rate) + (count - hits) * np.log1p(-rate), np.float64)


def contributors(some: Listings, known: int | None = None) -> Contributors | None:
    """Which runs contributed, and how deep; None where the documents show no edge, or no run that is listed down to it.

    The pool ends at the clearest edge; or at others as well, for some runs or some topics, where that explains the
    judgments better by more than so many depths are worth. ``known`` is the depth, where it need not be found.
    """
    if known is not None:
        return _best(some, [_Ends({known: np.nan})])
    found = edges(some)
    if not found:
        return None
    clearest = max(found, key=lambda depth: (found[depth], depth))
    best = _best(some, [_Ends({clearest: found[clearest]}), *_alternatives(found, clearest)])
    if best is None:
        return None
    # Runs that were pooled less deep than most are hidden among those that were not pooled at all, until the pool of
    # the others is taken away; and so are topics that were pooled deeper.
    first = _Ends(best.edges, by_topic=best.by_topic)
    hidden = {
        depth: gain
        for depth, gain in edges(some, best.brought).items()
        if all(abs(depth - other) > max(1, other // 4) for other in best.edges)
    }
    return _best(some, [first, *_alternatives({**best.edges, **hidden}, max(best.edges))]) if hidden else best


@dataclass(frozen=True)
class _Ends:
    """The ranks at which a pool may end, each for some runs; or for topics, at ranks of their own down to the last."""

    depths: dict[int, float]
    by_topic: bool = True


def _alternatives(found: dict[int, float], first: int) -> Iterator[_Ends]:
    if len(found) > 1:
        yield _Ends(found, by_topic=False)
    if max(found) > first:
        yield _Ends({max(found): found[max(found)]})


def _best(some: Listings, options: list[_Ends]) -> Contributors | None:
    """The first of some pools, or a later one that has more to say for it.

    That one explains the judgments clearly better, with the runs that contributed to the first.
    """
    within = some.down_to(min(some.deepest, 2 * max(max(ends.depths) for ends in options)))
    found = [one for one in (_pool(within, ends) for ends in options) if one is not None]
    if not found:
        return None
    better = [one for one in found[1:] if one.fit > found[0].fit + EDGE and (one.told[found[0].told > 0] >= 0).all()]
    return max(better, key=lambda one: one.fit, default=found[0])


def _pool(some: Listings, ends: _Ends) -> Contributors | None:
    """The runs and topics of a pool that ends at some ranks; rates and runs are found anew from each other."""
    steps = sorted(ends.depths)
    topic_depth = np.full(some.num_topics, steps[-1])
    rates = _first_rates(some, steps[-1])
    member, apart = np.zeros(some.runs, np.intp), np.zeros(some.runs, np.bool_)
    for rounds in range(ROUNDS):
        before = member, topic_depth
        pool = _Pool(some, steps, topic_depth, rates)
        member = pool.greedy(apart)
        # Before the depth of each topic is known, all runs seem to miss judgments.
        while rounds and (odd := pool.odd(member)).any():
            apart |= odd
            member = pool.greedy(apart)
        if not member.any():
            return None
        rates = pool.rates(member)
        if ends.by_topic:
            topic_depth = pool.topic_depths(member, rates)
        if rounds and (before[0] == member).all() and (before[1] == topic_depth).all():
            break
    return _Pool(some, steps, topic_depth, rates).told(member, apart, ends)


def _first_rates(some: Listings, depth: int) -> Rates:
    """Rates to begin with: of the run that is listed most, and of documents that no run has within the depth."""
    top = some.rank <= depth
    entries = np.bincount(some.run[top], minlength=some.runs)
    hits = np.bincount(some.run[top & (some.document < some.listed)], minlength=some.runs)
    long = (entries > 0) & (entries * 2 >= np.median(entries[entries > 0]))
    inside = float((hits[long] / entries[long]).max())
    past = (some.best > depth) & (some.best <= some.deepest)
    outside = (past[: some.listed].sum() + HALF) / (past.sum() + 1)
    octaves = int(_octave(np.array([some.deepest]))[0]) + 1
    return _apart(np.full(octaves, min(inside, 0.98)), np.full((some.runs, octaves), outside))


def _apart(inside: Floats, outside: Floats) -> Rates:
    """Rates where a document of the pool is listed more often than another."""
    outside = np.clip(outside, 1e-6, 0.999)
    return Rates(np.clip(inside, np.minimum(2 * outside, (1 + outside) / 2), 1 - 1e-6), outside)


def _octave(rank: Rows) -> Rows:
    """1, 2 to 3, 4 to 7 and so on."""
    return np.log2(rank).astype(np.intp)


class _Pool:
    """Runs that are put together to a pool, and what each adds to it."""

    def __init__(self, some: Listings, steps: list[int], topic_depth: Rows, rates: Rates) -> None:
        self.some, self.steps, self.topic_depth, self._rates = some, steps, topic_depth, rates
        self.open = some.rank <= np.minimum(topic_depth, max(steps))[some.topics[some.document]]
        self.octaves = rates.outside.shape[1]
        self.by_document = some.by_document[self.open[some.by_document]]
        self.begin = offsets(np.bincount(some.document[self.by_document], minlength=len(some.topics)))

    def counts(self, entries: Rows, step: int) -> Rows:
        """How many of some entries each run has down to a depth, by octave and whether they are listed."""
        some = entries[self.some.rank[entries] <= step]
        size = self.some.runs * 2 * self.octaves
        place = self.some.run[some] * 2 * self.octaves + self.some.kind[some]
        return np.bincount(place, minlength=size).reshape(self.some.runs, -1)

    def weigh(self, counts: Rows) -> Floats:
        """How much more likely it is that each run has such documents if it contributed than if not, as a logarithm.

        Runs differ in how many relevant documents they find: where no others are listed, a run may have brought a
        quarter as many as others, or a sixteenth. That its documents are not listed then says little.
        """
        scales = (1.0, 0.25, 0.0625) if self.some.relevant_only else (1.0,)
        gains = np.stack([(counts * self._rates.weights(scale)).sum(axis=1) for scale in scales])
        most = gains.max(axis=0)
        found: Floats = most + np.log(np.exp(gains - most).mean(axis=0))
        return found

    def brought(self, depth: Rows) -> Rows:
        """How many runs have each document within their depths."""
        inside = self.open & (self.some.rank <= depth[self.some.run])
        return np.bincount(self.some.document[inside], minlength=len(self.some.topics))

    def greedy(self, apart: Mask) -> Rows:
        """The depth of each run that belongs to the pool: one after the other, the one that explains most of the rest.

        A run that did not contribute has much in common with those that did: it is left with what it alone has once
        they are in. Runs that are ``apart`` do not belong to it.
        """
        some = self.some
        depth = np.zeros(some.runs, np.intp)
        everything = np.flatnonzero(self.open)
        left = [self.counts(everything, step) for step in self.steps]
        gain = np.stack([self.weigh(counts) for counts in left])
        held = np.zeros(len(some.topics), np.bool_)
        while True:
            gain[:, apart | (depth > 0)] = -np.inf
            best = gain.max(axis=0)
            run = int(best.argmax())
            if best[run] <= 0:
                return self._without_needless(depth)
            # The deepest of the depths that are about as good.
            step = max(place for place in range(len(self.steps)) if gain[place, run] >= best[run] - TOLD)
            depth[run] = self.steps[step]
            mine = slice(some.begin[run], some.begin[run + 1])
            new = some.document[mine][self.open[mine] & (some.rank[mine] <= depth[run])]
            new = new[~held[new]]
            held[new] = True
            gone = self.by_document[spans(self.begin[new], self.begin[new + 1] - self.begin[new])]
            for place, limit in enumerate(self.steps):
                left[place] -= self.counts(gone, limit)
                gain[place] = self.weigh(left[place])

    def odd(self, depth: Rows) -> Mask:
        """Runs of the pool that miss more judgments than the others lead to expect.

        Judgments are lost, or left out of a sample, from all runs alike. A run that is not judged as it should be,
        beside others that are, is judged through runs that are not here.
        """
        if self.some.relevant_only or not depth.any():
            return np.zeros(len(depth), np.bool_)
        sides = self.own(depth).reshape(len(depth), -1, 2).sum(axis=1).astype(np.float64)
        lost, own = sides[:, 0], sides.sum(axis=1)
        # The least that is lost of a run, with room for chance: three documents, and four standard deviations.
        most = np.where(own > 0, (lost + 3 + 4 * np.sqrt(lost)) / np.maximum(own, 1), 1.0)
        due = own * min(1.0, float(most[depth > 0].min()))
        excess = np.zeros(len(depth))
        some = (lost > due) & (due > 0) & (depth > 0)
        excess[some] = lost[some] * np.log(lost[some] / due[some]) - (lost[some] - due[some])
        odd: Mask = excess > max(TOPIC, float(excess.max()) / 2)
        return odd

    def _without_needless(self, depth: Rows) -> Rows:
        """The runs without those that the others, which came later, leave nothing for."""
        while depth.any():
            gain = np.where(depth > 0, self.weigh(self.own(depth)), np.inf)
            run = int(gain.argmin())
            if gain[run] >= 0:
                break
            depth[run] = 0
        return depth

    def own(self, depth: Rows) -> Rows:
        """What each run of the pool alone has of it, by octave and whether it is listed."""
        inside = self.open & (self.some.rank <= depth[self.some.run])
        holders = np.bincount(self.some.document[inside], minlength=len(self.some.topics))
        alone = np.flatnonzero(inside & (holders[self.some.document] == 1))
        return self.counts(alone, self.some.deepest)

    def rates(self, depth: Rows) -> Rates:
        """How often documents are listed that one run of the pool alone has, and those that none has.

        A run whose documents are listed often past the end of the pool, through runs that are not here, would be listed
        as often before it.
        """
        some = self.some
        own = self.own(depth).sum(axis=0).reshape(-1, 2)
        outside = self.brought(depth) == 0
        seen = outside & (some.best <= some.deepest)
        listed = np.arange(len(seen)) < some.listed
        beyond = np.bincount(2 * _octave(some.best[seen]) + listed[seen], minlength=2 * self.octaves).reshape(-1, 2)
        usual = _smoothed(beyond)
        last = np.where(depth > 0, depth, max(self.steps))[some.run]
        past = np.flatnonzero(
            (some.rank > last) & (some.rank <= last + np.maximum(1, last // 2)) & outside[some.document]
        )
        entries = np.bincount(some.run[past], minlength=some.runs)
        hits = np.bincount(some.run[past[listed[some.document[past]]]], minlength=some.runs)
        rate = beyond[:, 1].sum() / max(1, beyond.sum())
        its = (hits + FEW * rate) / (entries + FEW)
        return _apart(_smoothed(own), np.maximum(usual, its[:, None]))

    def topic_depths(self, depth: Rows, rates: Rates) -> Rows:
        """The depth of each topic, where it is clearly less than that of the others."""
        some, deepest = self.some, max(self.steps)
        if some.relevant_only:
            # A topic without relevant documents that deep is no other than one that was not judged that deep.
            return self.topic_depth
        count, hits = some.by_topic(some.best_in(some.rank <= depth[some.run]), deepest)
        # Past the end of every list there is no octave of its own, nor anything that it would count.
        octave = np.minimum(_octave(np.maximum(np.arange(deepest + 1), 1)), self.octaves - 1)
        inside, outside = rates.inside.min(axis=0)[octave], np.median(rates.outside, axis=0)[octave]
        if_outside = hits * np.log(outside / inside) + (count - hits) * np.log((1 - outside) / (1 - inside))
        # What is gained by an end above each rank: the ranks from there on are outside of the pool.
        gain = np.cumsum(if_outside[:, ::-1], axis=1)[:, ::-1][:, 1:]
        cut = gain.argmax(axis=1)
        return np.where(gain[np.arange(len(cut)), cut] >= TOPIC, cut, deepest)

    def told(self, member: Rows, apart: Mask, ends: _Ends) -> Contributors:
        """What can be told of each run, and what cannot."""
        some, runs = self.some, np.arange(self.some.runs)
        held = self.brought(member) > 0
        left = np.flatnonzero(self.open & ~held[some.document])
        options = np.stack([self.counts(left, step) for step in self.steps])
        gain = np.stack([self.weigh(counts) for counts in options])
        main = int(np.bincount(np.searchsorted(self.steps, member[member > 0])).argmax())
        at = np.where(gain.max(axis=0) - gain[main] > TOLD, gain.argmax(axis=0), main)
        maybe = ~apart & (member == 0) & (np.diff(some.begin) > 0) & (gain[at, runs] > -TOLD)
        depth = np.where(member > 0, member, np.where(maybe, np.array(self.steps)[at], 0))
        counts = np.where((member > 0)[:, None], self.own(depth), options[at, runs])
        weight = self.weigh(counts)
        brought = self.brought(depth) > 0
        top = max(self.steps)
        near = (some.best > top) & (some.best <= top + max(1, top // 8)) & ~brought
        cost = TOPIC * (self.topic_depth != top).sum() + TOLD * (member[member > 0] != self.steps[main]).sum()
        return Contributors(
            depth=depth,
            topic_depth=self.topic_depth,
            weight=weight,
            told=np.where(member > 0, np.where(weight >= TOLD, 1, 0), np.where(maybe, 0, -1)),
            brought=brought,
            inside=float(brought[: some.listed].sum() / max(1, brought.sum())),
            outside=float(near[: some.listed].sum() / near.sum()) if near.any() else np.nan,
            edges=ends.depths,
            by_topic=ends.by_topic,
            fit=some.likelihood(brought) - float(cost),
        )


def _smoothed(counts: Rows) -> Floats:
    """Rates by octave, of counts of what is not listed and what is, drawn towards the rate of all where few are."""
    total = counts.sum(axis=0)
    rate = (total[1] + HALF) / (total.sum() + 1)
    return np.asarray((counts[:, 1] + 2 * rate) / (counts.sum(axis=1) + 2))
