"""Several judges of the same topics, by name: which pairs each judged, and what they say together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np

from truerank.data.arrays import Floats, Keys, Mask, Rows, begins, offsets, stretches
from truerank.data.chances import Chances, chances, likeliest, mean, median
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.data.ids import Ids, text
from truerank.data.printing import counted, named
from truerank.data.qrels import Preferences, Qrels

COMBINED = ("majority", "median", "mean")
"""Ways to make one grade of several: the most frequent (the lowest of several), the median, the mean."""


@dataclass(frozen=True, eq=False)
class Judges:
    """Judges by name, each with judgments of their own; the pairs of topic and document may differ.

    Build them with ``Judges.of`` or ``truerank.read_judges``, which establish what is promised here.

    >>> from truerank.data.qrels import collect
    >>> ann = collect([b"q1"], [0, 2], Ids.pack(["d1", "d2"]), [2, 0])
    >>> bot = collect([b"q1"], [0, 2], Ids.pack(["d3", "d1"]), [1, 1])
    >>> judges = Judges.of({"ann": ann, "bot": bot})
    >>> judges
    Judges(ann, bot: 1 topics, 3 pairs, 1 judged by all)
    >>> judges.pairs.docs.tolist(), judges.grades.tolist()
    ([b'd1', b'd2', b'd3'], [[2.0, 0.0, nan], [1.0, nan, 1.0]])
    >>> judges.combined("mean").grade.tolist()
    [1.5, 0.0, 1.0]
    """

    names: tuple[str, ...]
    """Distinct, in the order in which they were given."""
    each: tuple[Qrels, ...]
    """The judgments of each; ``Chances`` where they are not sure."""
    given: str | None = None
    """The judge that is meant where none is chosen; None where all are given alike."""

    @classmethod
    def of(cls, judges: Mapping[str, Qrels] | Iterable[tuple[str, Qrels]], *, given: str | None = None) -> Judges:
        """Take judges by name; refused are two of one name, preferences, and one that shares no pair with others."""
        listed = [*(judges.items() if isinstance(judges, Mapping) else judges)]
        names = tuple(name for name, _ in listed)
        if not names:
            raise InputError("there is no judge; give at least one, as in NAME=FILE")
        twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
        if twice is not None:
            raise InputError(f"the judge {twice!r} is given twice; give each judge a name of its own, as in NAME=FILE")
        for name, judged in listed:
            if isinstance(judged, Preferences):
                raise InputError(f"the judge {name!r} gives preferences, and judges are compared by grades; give qrels")
        found = cls(names, tuple(judged for _, judged in listed), given)
        found._refuse_strangers()
        return found

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __getitem__(self, name: str) -> Qrels:
        """The judgments of one judge."""
        if name not in self.names:
            raise InputError(f"there is no judge {name!r}; there {_are(self.names)}")
        return self.each[self.names.index(name)]

    def __repr__(self) -> str:
        return (
            f"Judges({', '.join(self.names)}: {len(self.pairs.topics)} topics, {len(self.pairs)} pairs, "
            f"{int(self.common.sum())} judged by all)"
        )

    @cached_property
    def pairs(self) -> Qrels:
        """All pairs that some judge judged, those of the first judge first; their grades are 0."""
        return self._aligned[0]

    @cached_property
    def place(self) -> Rows:
        """For each judge and pair, its row among the judgments of the judge; -1 where not judged."""
        return self._aligned[1]

    @cached_property
    def grades(self) -> Floats:
        """For each judge and pair the grade, NaN where not judged; of probabilities the label, or the likeliest."""
        found = np.full(self.place.shape, np.nan)
        for grade, place, judged in zip(found, self.place, self.each, strict=True):
            grade[place >= 0] = judged.grade[place[place >= 0]]
        return found

    @property
    def judged(self) -> Mask:
        """Which pairs each judge judged."""
        found: Mask = self.place >= 0
        return found

    @property
    def common(self) -> Mask:
        """Which pairs all of them judged."""
        found: Mask = np.logical_and.reduce(self.judged, axis=0)
        return found

    @property
    def topic(self) -> Rows:
        """Index of the topic of each pair."""
        return stretches(self.pairs.offsets)

    @cached_property
    def chances(self) -> Chances:
        """Every pair with the grades of those who judged it, each of them as likely.

        >>> from truerank.data.qrels import collect
        >>> said = {name: collect([b"q"], [0, 1], Ids.pack(["d"]), [grade]) for name, grade in zip("abc", (0, 2, 2))}
        >>> Judges.of(said).chances.chance.round(2).tolist()
        [[0.33, 0.67]]
        """
        count = self.judged.sum(axis=0)
        options, chance = [], []
        for place, judged in zip(self.place, self.each, strict=True):
            there = place >= 0
            one = judged.options if isinstance(judged, Chances) else judged.grade[:, None]
            its = judged.chance if isinstance(judged, Chances) else np.ones((len(judged), 1))
            grades, weight = np.zeros((len(place), one.shape[1])), np.zeros((len(place), one.shape[1]))
            grades[there], weight[there] = one[place[there]], its[place[there]]
            options.append(grades)
            chance.append(weight)
        # Counts of judges are added before they are divided, so that what all say is sure.
        found = chances(self.pairs, np.hstack(options), np.hstack(chance))
        return replace(found, chance=found.chance / count[:, None])

    def combined(self, how: str) -> Qrels:
        """One grade for each pair, of those who judged it: "majority", "median" or "mean".

        >>> from truerank.data.qrels import collect
        >>> said = zip("abcd", [collect([b"q"], [0, 1], Ids.pack(["d"]), [grade]) for grade in (0, 2, 2, 3)])
        >>> judges = Judges.of(said)
        >>> [judges.combined(how).grade.tolist() for how in COMBINED]
        [[2.0], [2.0], [1.75]]
        """
        return combined(self.chances, how)

    def only(self, rows: Rows | Mask) -> Judges:
        """The same judges of some of the pairs; a judge of none of them is left out.

        >>> from truerank.data.qrels import collect
        >>> said = collect([b"q"], [0, 2], Ids.pack(["d", "e"]), [1, 0])
        >>> Judges.of({"a": said, "b": said}).only(np.array([1])).pairs.docs.tolist()
        [b'e']
        """
        kept = np.zeros(len(self.pairs), np.bool_)
        kept[rows] = True
        found = []
        for name, place, judged in zip(self.names, self.place, self.each, strict=True):
            its = np.zeros(len(judged), np.bool_)
            its[place[kept & (place >= 0)]] = True
            if its.any():
                found.append((name, taken(judged, its)))
        names = tuple(name for name, _ in found)
        return Judges(names, tuple(one for _, one in found), self.given if self.given in names else None)

    @cached_property
    def _aligned(self) -> tuple[Qrels, Rows]:
        topics = sorted({topic for judged in self.each for topic in judged.topics})
        number = {topic: place for place, topic in enumerate(topics)}
        topic = np.concatenate(
            [
                np.array([number[one] for one in judged.topics], np.intp)[stretches(judged.offsets)]
                for judged in self.each
            ]
        )
        docs = Ids.joined([judged.docs for judged in self.each])
        key = np.concatenate([judged.key for judged in self.each])
        pair = _numbered(topic, key, docs)
        first = np.full(int(pair.max(initial=-1)) + 1, len(pair))
        np.minimum.at(first, pair, np.arange(len(pair)))
        # By topic, and inside it as they first come.
        order = np.lexsort((first, topic[first]))
        rank = np.empty(len(order), np.intp)
        rank[order] = np.arange(len(order))
        rows = first[order]
        union = Qrels(
            tuple(topics),
            offsets(np.bincount(topic[rows], minlength=len(topics))),
            np.zeros(len(rows)),
            docs.take(rows),
            key[rows],
            notes=tuple(dict.fromkeys(note for judged in self.each for note in judged.notes)),
        )
        place = np.full((len(self.each), len(rows)), -1)
        begin = 0
        for line, judged in zip(place, self.each, strict=True):
            line[rank[pair[begin : begin + len(judged)]]] = np.arange(len(judged))
            begin += len(judged)
        return union, place

    def _refuse_strangers(self) -> None:
        if len(self) < 2:
            return
        shared = self.judged.sum(axis=0) > 1
        for name, judged, mine in zip(self.names, self.each, self.judged, strict=True):
            if not (mine & shared).any():
                other = next(one for one in self.names if one != name)
                raise InputError(
                    f"the judge {name!r} has no pair of topic and document in common with {_others(self.names, name)}: "
                    f"one has {_example(judged)}, {other!r} has {_example(self[other])}; check that both name topics "
                    "and documents alike"
                )


def combined(judged: Chances, how: str) -> Qrels:
    """One grade for each pair: the most likely one ("majority"), the "median" or the "mean"."""
    grade = {"majority": likeliest, "median": median, "mean": mean}[how](judged)
    return Qrels(judged.topics, judged.offsets, grade, judged.docs, judged.key, notes=judged.notes)


def taken(judged: Qrels, rows: Mask) -> Qrels:
    """Some of the judgments, of the topics that have any."""
    topic = stretches(judged.offsets)[rows]
    count = np.bincount(topic, minlength=len(judged.topics))
    kept = np.flatnonzero(count)
    if isinstance(judged, Chances):
        judged = replace(judged, options=judged.options[rows], chance=judged.chance[rows])
    return replace(
        judged,
        topics=tuple(judged.topics[place] for place in kept.tolist()),
        offsets=offsets(count[kept]),
        grade=judged.grade[rows],
        docs=judged.docs.take(np.flatnonzero(rows)),
        key=judged.key[rows],
    )


def _numbered(topic: Rows, key: Keys, docs: Ids) -> Rows:
    """A number for each different pair of topic and document."""
    order = np.lexsort((key, topic))
    new = begins(topic[order], key[order])
    again = np.flatnonzero(~new)
    if not docs.same(order[again], docs, order[again - 1]).all():
        # Two documents that share a key are told apart by their bytes.
        known: dict[tuple[int, bytes], int] = {}
        pairs = zip(topic.tolist(), docs.tolist(), strict=True)
        return np.fromiter((known.setdefault(pair, len(known)) for pair in pairs), np.intp, len(topic))
    found = np.empty(len(order), np.intp)
    found[order] = new.cumsum() - 1
    return found


def _are(names: tuple[str, ...]) -> str:
    return f"{'is' if len(names) == 1 else 'are'} {named(names, most=12)}"


def _others(names: tuple[str, ...], name: str) -> str:
    others = [repr(one) for one in names if one != name]
    return others[0] if len(others) == 1 else f"any of the other {counted(len(others), 'judge')}"


def _example(judged: Qrels) -> str:
    if not len(judged):
        return "no judgments"
    topic = int(np.searchsorted(judged.offsets, 0, side="right")) - 1
    return f"document {text(judged.docs[0])!r} of topic {text(judged.topics[topic])!r}"
