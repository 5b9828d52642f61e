"""What the data at hand say about a choice: facts of the judgments, and of each run."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from truerank.conventions.axes import Conventions
from truerank.data.arrays import Floats, Keys, Rows, distinct
from truerank.data.judge import every_document
from truerank.data.notes import Note
from truerank.data.qrels import Preferences, Qrels
from truerank.measures.core.base import Measure
from truerank.questions.choose.questions import Reply
from truerank.questions.evaluate.question import evaluate
from truerank.track.facts import DIGITS, RunPart, judged_share, notes, observe
from truerank.track.lens import Lens
from truerank.track.parts import added, per_topic
from truerank.track.track import Progress, Track
from truerank.track.values import values

TOP = 10
"""Documents that are looked at where no depth was answered and ranks have weights."""
USUAL = Conventions()


@dataclass(frozen=True, eq=False, kw_only=True)
class ChoosePart(RunPart):
    """A run: how long its lists are, what is in them, and how much of it is tied or unjudged."""

    lengths: Rows = per_topic()
    """Documents of each list."""
    sets: Keys = per_topic()
    """A number for the set of documents of each list, whatever their order."""
    shares: Floats = per_topic()
    """Share of judged documents in each list, down to the depth that counts."""
    documents: int = added()
    tied: int = added()


def look(lens: Lens, measures: Sequence[Measure], *, depth: int | None) -> ChoosePart:
    """What is kept of a run; ``depth`` is how far lists are looked at, None for all of each."""
    every, judged = every_document(lens.judged), lens.judged
    part = observe(lens, {str(measure): values(lens, measure) for measure in measures})
    run, listed = judged.run, judged.run_topic[part.topics]
    # Sums of the keys of documents do not depend on their order.
    before: Keys = np.concatenate([np.zeros(1, np.uint64), np.cumsum(run.key, dtype=np.uint64)])
    return ChoosePart(
        **vars(part),
        lengths=judged.length[part.topics],
        sets=np.diff(before[run.offsets])[listed],
        shares=judged_share(lens, depth)[part.topics],
        documents=len(every.row),
        tied=int((every.size > 1).sum()),
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class ListedRun:
    """What was seen of one run."""

    name: str
    lengths: Rows
    """Documents of each list, over judged topics that the run has."""
    sets: Keys
    """A number for the set of documents of each judged topic, whatever their order."""
    tied: float
    """Share of documents that are tied."""
    unjudged: float
    """Share of unjudged documents down to the depth that counts."""
    values: Floats
    """Scores by the measure, one a topic."""
    ties_matter: bool
    """Whether the order of ties can move a printed digit of the score."""

    @property
    def varies(self) -> bool:
        """Whether lists differ in length."""
        return len(distinct(self.lengths)) > 1


@dataclass(frozen=True, eq=False, kw_only=True)
class Evidence:
    """A measure, the answers that led to it, and data that may contradict them."""

    replies: Mapping[str, Reply]
    """The answers that decided."""
    measure: Measure
    qrels: Qrels
    parts: tuple[ChoosePart, ...] = ()

    @property
    def depth(self) -> int | None:
        """How far lists are looked at; None for all of each."""
        if "depth" in self.replies:
            return math.ceil(self.replies["depth"])
        return TOP if self.replies["top"] else None

    @cached_property
    def runs(self) -> tuple[ListedRun, ...]:
        """What was seen of each run."""
        return tuple(map(self._listed, self.parts))

    def _listed(self, part: ChoosePart) -> ListedRun:
        [found] = part.values.values()
        sets = np.zeros(len(self.qrels.topics), np.uint64)
        sets[part.topics] = part.sets
        ends = [found.summary(USUAL, end) for one in part.ties.values() for end in (one.low, one.high)]
        lists = part.lists
        return ListedRun(
            name=part.run,
            lengths=part.lengths,
            sets=sets,
            tied=part.tied / max(part.documents, 1),
            unjudged=float(1.0 - part.shares[lists].sum() / lists.sum()) if lists.any() else 0.0,
            values=found.settled(USUAL),
            ties_matter=len({f"{end:.{DIGITS}f}" for end in ends}) > 1,
        )

    @cached_property
    def relevant(self) -> Rows:
        """Relevant documents of each topic."""
        before = np.concatenate([[0], np.cumsum(self.qrels.grade > 0)])
        return np.diff(before[self.qrels.offsets])

    @cached_property
    def grades(self) -> Floats:
        """The grades above 0 that occur."""
        return distinct(self.qrels.grade[self.qrels.grade > 0])

    @property
    def ignores_grades(self) -> bool:
        """Whether the measure asks only whether a document is relevant."""
        return self.measure.core.level is not None

    @cached_property
    def needs_relevant(self) -> bool:
        """Whether the measure has no value where no document is relevant."""
        scores = evaluate({"q": {"d": 0}}, {"q": ["d"]}, self.measure, no_relevant="nan")
        return math.isnan(scores["run"][self.measure].mean)

    @property
    def readable(self) -> bool:
        """Whether the measure can be computed from these judgments."""
        return self.measure.needs == "preferences" or not isinstance(self.qrels, Preferences)

    def notes(self) -> tuple[Note, ...]:
        """What ``evaluate`` would say of the measure; what contradictions say is not said again."""
        return notes(self.qrels, USUAL, [self._untold(part) for part in self.parts])

    def _untold(self, part: ChoosePart) -> ChoosePart:
        [(name, found)] = part.values.items()
        empty = (self.relevant == 0)[found.topics] & found.undefined
        settled = replace(found, value=np.where(empty, found.measure.undefined_counts_as, found.value))
        return replace(part, unjudged={}, values={name: settled})


def gathered(
    replies: Mapping[str, Reply], measure: Measure, qrels: Qrels, runs: Any, progress: Progress | None
) -> Evidence:
    """Look at judgments and at runs, one at a time."""
    evidence = Evidence(replies=replies, measure=measure, qrels=qrels)
    if runs is None or not evidence.readable:
        return evidence
    track = Track.of(qrels, runs, measure, {})
    return replace(evidence, parts=tuple(track.each(look, progress=progress, depth=evidence.depth)))
