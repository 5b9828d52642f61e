"""What a check looks at: a file as it is written, the run made of it, and the judgments it is scored with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from truerank.analysis.evaluate import score
from truerank.analysis.lint.findings import Place
from truerank.analysis.lint.forms import JudgedForms, alike
from truerank.analysis.lint.order import Steps, steps
from truerank.analysis.scores import Score
from truerank.conventions.presets import conventions
from truerank.data.arrays import Rows
from truerank.data.judge import Judged, judge
from truerank.data.printing import shown
from truerank.data.qrels import Preferences, Qrels
from truerank.data.run import Run
from truerank.io.drafts import Draft
from truerank.io.encoding import SHOWN
from truerank.measures.grammar import parse

_LONGEST = 100


@dataclass(frozen=True, eq=False)
class Case:
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
        return alike(self.missing, self.extra)

    @property
    def strangers(self) -> bool:
        """Whether run and judgments have no topic in common."""
        return self.judgments is not None and len(self.extra) == len(self.run.topics)

    @cached_property
    def judged(self) -> Judged | None:
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

    def apart(self, one: Mapping[str, Any], other: Mapping[str, Any]) -> tuple[float, str]:
        """How far two ways to score lie apart, and the two scores in words, of the measure where they do so most.

        Without judgments that is 0 and no words.
        """
        found = [(name, self.score(name, **one), self.score(name, **other)) for name in self.measures]
        known = [(abs(a.mean - b.mean), f"{name} {a.mean:.4f} and {b.mean:.4f}") for name, a, b in found if a and b]
        return max(known, key=lambda item: item[0], default=(0.0, ""))

    def at(self, rows: Iterable[int] | Rows) -> tuple[Place, ...]:
        """The first of some rows."""
        some = [int(row) for row, _ in zip(rows, range(SHOWN), strict=False)]
        if self.draft.source is None or self.draft.made is not None:
            return tuple(self._said(row) for row in some)
        return self.lines(int(self.draft.docs.start[row]) for row in some)

    def lines(self, places: Iterable[int]) -> tuple[Place, ...]:
        """The lines with the first of some bytes of the file."""
        found = [self.draft.line(place) for place, _ in zip(places, range(SHOWN), strict=False)]
        return tuple(Place(line, _cut(text)) for line, text in found)

    def topics_at(self, topics: Iterable[int]) -> tuple[Place, ...]:
        """The first rows of some topics of the draft."""
        return self.at(self.draft.offsets[topic] for topic in topics)

    def topics_named(self, names: Iterable[bytes]) -> tuple[Place, ...]:
        """The first rows of some topics by name."""
        number = {name: place for place, name in enumerate(self.draft.topics)}
        return self.topics_at(number[name] for name in names if name in number)

    def rows_of_run(self, rows: Rows) -> tuple[Place, ...]:
        """The lines that rows of the run came from."""
        found = []
        for row in rows[:SHOWN].tolist():
            topic = self.draft.topics.index(self.run.topics[int(np.searchsorted(self.run.offsets, row, "right")) - 1])
            begin, end = self.draft.offsets[topic : topic + 2].tolist()
            same = begin + np.flatnonzero(self.draft.key[begin:end] == self.run.key[row])
            found += same[:1].tolist()
        return self.at(found)

    def _said(self, row: int) -> Place:
        topic = self.draft.topics[int(self.draft.topic_of(np.array([row]))[0])]
        return Place(None, f"{_cut(topic)} {_cut(self.draft.docs[row])} {self.draft.number[row]:g}")


def _cut(text: bytes) -> str:
    said = text.decode("utf-8", "replace").replace("\t", " ").replace("\0", "\\0")
    return said if len(said) <= _LONGEST else f"{said[: _LONGEST - 3]}..."


def some(names: Iterable[bytes]) -> str:
    """A few ids for a sentence.

    >>> some([b"q1", b"q2", b"q3", b"q4"])
    "'q1', 'q2', 'q3', ..."
    """
    listed = [shown(name) for name, _ in zip(names, range(SHOWN + 1), strict=False)]
    return ", ".join(listed[:SHOWN]) + ", ..." * (len(listed) > SHOWN)
