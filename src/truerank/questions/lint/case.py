"""What a check looks at: a file as it is written, the run made of it, and the judgments it is scored with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np

from truerank.conventions.presets import conventions
from truerank.data.arrays import Floats, Mask, Rows
from truerank.data.judge import JudgedRun, judge
from truerank.data.printing import named, shown
from truerank.data.qrels import Preferences, Qrels
from truerank.data.run import Run
from truerank.io.drafts import Draft
from truerank.io.encoding import SHOWN
from truerank.measures.grammar import parse
from truerank.questions.evaluate.question import Score
from truerank.questions.evaluate.work import score
from truerank.questions.lint.question import Location
from truerank.questions.lint.spellings import JudgedForms, same_in_plain_form
from truerank.report.digits import figures

MOSTLY = 9
"""So many rises for each fall mean that small scores are good."""
FEWEST = {True: 5, False: 20}
"""Rises that it takes to say so: with ranks, and by the order of rows alone."""
DOUBTFUL = 2
"""More rises than so many for each fall, and it may be that ranks of a topic are right, and its scores distances."""
_LONGEST = 100


@dataclass(frozen=True, eq=False)
class Steps:
    """From each document to the next."""

    rises: Rows
    """Rows of the draft whose score is higher than that of the row ranked right above."""
    falls: Rows
    """Those whose score is lower."""
    by_rank: bool
    """Whether ranks say which row is above which, or the order in which they are written."""

    @property
    def reversed(self) -> bool:
        """Whether scores rise where they should fall, nearly everywhere."""
        return len(self.rises) >= max(FEWEST[self.by_rank], MOSTLY * len(self.falls))

    def in_doubt(self, draft: Draft) -> Rows:
        """Topics of which nobody but their maker knows whether ranks are wrong, or scores distances."""
        every = np.arange(len(draft.topics))
        if self.reversed or not self.by_rank:
            return every if self.reversed else every[:0]
        rises, falls = (np.bincount(draft.topic_of(rows), minlength=len(every)) for rows in (self.rises, self.falls))
        doubtful = rises > DOUBTFUL * falls
        if len(self.falls) >= MOSTLY * len(self.rises):
            # High scores are best nearly everywhere, so that it takes more than a misplaced document or two.
            doubtful &= rises >= FEWEST[self.by_rank]
        return np.flatnonzero(doubtful)


def steps(draft: Draft) -> Steps:
    """Look at neighbours in each topic, of the rows that can be scored."""
    rows = draft.kept
    topic = np.repeat(np.arange(len(draft.topics), dtype=np.int32), np.diff(draft.offsets))[rows]
    score, rank = draft.number[rows], None if draft.rank is None else draft.rank[rows]
    same = topic[1:] == topic[:-1]
    if rank is None or not (same & (rank[1:] != rank[:-1]) & ~np.isnan(rank[1:])).any():
        return _compared(rows, same, score, by_rank=False)
    if not ((rank[1:] > rank[:-1]) | ~same).all():
        known = np.flatnonzero(~np.isnan(rank))
        order = known[np.lexsort((rank[known], topic[known]))]
        rows, topic, score, rank = rows[order], topic[order], score[order], rank[order]
        same = topic[1:] == topic[:-1]
    return _compared(rows, same & (rank[1:] > rank[:-1]), score, by_rank=True)


def _compared(rows: Rows, comparable: Mask, score: Floats, *, by_rank: bool) -> Steps:
    below = rows[1:]
    return Steps(below[comparable & (score[1:] > score[:-1])], below[comparable & (score[1:] < score[:-1])], by_rank)


def contested(draft: Draft, topics: Rows) -> Rows:
    """Pairs of rows with one document and different scores, in topics of which nobody knows which score is better."""
    pairs = draft.pairs
    differ = draft.number[pairs[:, 0]] != draft.number[pairs[:, 1]]
    found: Rows = pairs[differ & np.isin(draft.topic_of(pairs[:, 1]), topics)]
    return found


@dataclass(frozen=True)
class Effect:
    """What something does to the score of the run, by the measure where it does most."""

    measure: str
    one: float
    other: float

    @property
    def size(self) -> float:
        """How far it can move the score."""
        return abs(self.one - self.other)

    def joined(self, between: str = "and") -> str:
        """The measure and both scores in words, with as many digits as tell them apart.

        >>> Effect("AP", 0.25, 0.5).joined("or")
        'AP 0.2500 or 0.5000'
        """
        return f"{self.measure} {f' {between} '.join(figures((self.one, self.other)))}"


def as_columns(effect: Effect | None) -> dict[str, Any]:
    """An effect as a finding has it."""
    if effect is None:
        return {}
    low, high = sorted((effect.one, effect.other))
    return {"measure": effect.measure, "low": low, "high": high}


@dataclass(frozen=True, eq=False)
class LintCase:
    """A run, with judgments or without, or judgments alone."""

    draft: Draft
    judgments: Qrels | None
    """Those to score a run with; of judgments, themselves."""
    cutoff: int
    forms: JudgedForms | None
    """The plain forms of the judgments, shared by all that is scored with them."""

    @cached_property
    def run(self) -> Run:
        """The rows that can be scored, best first; of a document listed twice, the better row."""
        run = self.draft.run()
        assert run is not None
        return run

    @cached_property
    def steps(self) -> Steps:
        """How scores go down the lists."""
        return steps(self.draft)

    @cached_property
    def in_doubt(self) -> Rows:
        """Topics of which nobody but their maker knows whether ranks are wrong, or scores distances."""
        return self.steps.in_doubt(self.draft)

    @cached_property
    def missing(self) -> tuple[bytes, ...]:
        """Judged topics that the run leaves out."""
        known = set(self.run.topics)
        return () if self.judgments is None else tuple(t for t in self.judgments.topics if t not in known)

    @cached_property
    def extra(self) -> tuple[bytes, ...]:
        """Topics of the run that have no judgments."""
        known = None if self.judgments is None else set(self.judgments.topics)
        return () if known is None else tuple(topic for topic in self.run.topics if topic not in known)

    @cached_property
    def renamed(self) -> dict[bytes, bytes]:
        """Topics that the run lacks, and those it has instead that differ in how they are written."""
        return same_in_plain_form(self.missing, self.extra)

    @property
    def strangers(self) -> bool:
        """Whether run and judgments have no topic in common."""
        return self.judgments is not None and len(self.extra) == len(self.run.topics)

    @cached_property
    def judged(self) -> JudgedRun | None:
        """The judged documents of the run; None without judgments or a topic in common."""
        return None if self.judgments is None or self.strangers else judge(self.judgments, self.run)

    @property
    def measures(self) -> tuple[str, str]:
        """What effects are told in."""
        return f"nDCG@{self.cutoff}", "AP"

    def score(self, measure: str, run: Run | None = None, like: str | None = None, **chosen: str) -> Score | None:
        """Score the run, or another one; None where there is nothing to score it with."""
        if self.judgments is None or isinstance(self.judgments, Preferences) or self.strangers:
            return None
        wanted = parse(measure)
        return score(self.judgments, run or self.run, (wanted,), conventions(like, **chosen))[str(wanted)]

    def apart(self, one: Mapping[str, Any], other: Mapping[str, Any]) -> Effect | None:
        """What it does to the score to take the other of two ways; None without judgments."""
        found = [(name, self.score(name, **one), self.score(name, **other)) for name in self.measures]
        known = [Effect(name, a.mean, b.mean) for name, a, b in found if a and b]
        return max(known, key=lambda effect: effect.size, default=None)

    def at(self, rows: Iterable[int] | Rows) -> tuple[Location, ...]:
        """The first of some rows."""
        some = [int(row) for row in islice(rows, SHOWN)]
        if self.draft.source is None or self.draft.made is not None:
            return tuple(self._said(row) for row in some)
        return self.lines(int(self.draft.docs.start[row]) for row in some)

    def lines(self, places: Iterable[int]) -> tuple[Location, ...]:
        """The lines with the first of some bytes of the file."""
        found = [self.draft.line(place) for place in islice(places, SHOWN)]
        return tuple(Location(line=line, text=_cut(text)) for line, text in found)

    def topics_at(self, topics: Iterable[int]) -> tuple[Location, ...]:
        """The first rows of some topics of the draft; of those without rows, their names."""
        bounds = self.draft.offsets
        return tuple(
            location
            for topic in islice(topics, SHOWN)
            for location in (
                self.at(bounds[topic : topic + 1])
                if bounds[topic] < bounds[topic + 1]
                else (Location(line=None, text=_cut(self.draft.topics[topic])),)
            )
        )

    def topics_named(self, names: Iterable[bytes]) -> tuple[Location, ...]:
        """The first rows of some topics by name."""
        number = {name: place for place, name in enumerate(self.draft.topics)}
        return self.topics_at(number[name] for name in names if name in number)

    def rows_of_run(self, rows: Rows) -> tuple[Location, ...]:
        """The lines that rows of the run came from."""
        found = []
        for row in rows[:SHOWN].tolist():
            topic = self.draft.topics.index(self.run.topics[int(np.searchsorted(self.run.offsets, row, "right")) - 1])
            begin, end = self.draft.offsets[topic : topic + 2].tolist()
            same = begin + np.flatnonzero(self.draft.key[begin:end] == self.run.key[row])
            found += same[:1].tolist()
        return self.at(found)

    def _said(self, row: int) -> Location:
        topic = self.draft.topics[int(self.draft.topic_of(np.array([row]))[0])]
        return Location(line=None, text=f"{_cut(topic)} {_cut(self.draft.docs[row])} {self.draft.number[row]:g}")


def _cut(text: bytes) -> str:
    said = text.decode("utf-8", "replace").replace("\t", " ").replace("\0", "\\0")
    return said if len(said) <= _LONGEST else f"{said[: _LONGEST - 3]}..."


def some(names: Iterable[bytes]) -> str:
    """A few ids for a sentence.

    >>> some([b"q1", b"q2", b"q3", b"q4"])
    "'q1', 'q2', 'q3', ..."
    """
    return named([shown(name) for name in islice(names, SHOWN + 1)], SHOWN)
