"""A track: the one place that reads what callers give, and refuses what cannot work before it looks at a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from truerank.conventions.axes import Conventions, Given
from truerank.conventions.presets import AxisRules
from truerank.data.arrays import Rows
from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.data.notes import Note
from truerank.data.qrels import Preferences, Qrels
from truerank.data.rankings import TERMINAL
from truerank.io.load import as_qrels
from truerank.io.runs import Named, named_runs, one_by_one
from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse_all
from truerank.track.facts import RunPart, notes
from truerank.track.lens import Lens
from truerank.track.parts import merged
from truerank.track.pools import JudgmentPools

Progress = Callable[[str, int, int], object]
"""Called with what was done last, how much is done, and of how much."""
PIECES = 1
"""Into how many parts a run is cut, each looked at on its own."""
OPEN = AxisRules()
"""Any conventions."""


@dataclass(frozen=True, eq=False)
class Track:
    """Judgments, runs, measures and conventions that go together.

    >>> track = Track.of({"q1": {"a": 1}}, {"x": {"q1": ["b", "a"]}, "y": {"q1": ["a"]}}, "RR", {})
    >>> track.each(lambda lens, measures: (lens.name, lens.estimate(measures[0]).value.tolist()))
    [('x', [0.5]), ('y', [1.0])]
    """

    judgments: Qrels
    runs: tuple[Named, ...]
    measures: tuple[Measure, ...]
    conventions: Conventions
    kept: dict[int, Lens] = field(default_factory=dict, repr=False)
    """Runs that stay in memory, by number: those to be looked at again."""
    counting: Rows | None = None
    """Indexes in the judgments of the topics that count, where that is not left to the conventions."""

    @classmethod
    def of(
        cls,
        qrels: Any,
        runs: Any,
        measures: str | Measure | Iterable[str | Measure],
        given: Given,
        rules: AxisRules = OPEN,
    ) -> Track:
        """Take what callers give; whatever can be refused without reading a file is refused first."""
        conventions, wanted = rules.chosen(given), parse_all(measures)
        refuse_measures(wanted, conventions)
        named = named_runs(runs)
        judgments = as_qrels(qrels)
        refuse_judgments(judgments, wanted, conventions)
        return cls(judgments, tuple(named), wanted, conventions)

    @cached_property
    def topics(self) -> tuple[str, ...]:
        """The judged topics, in words."""
        return tuple(map(text, self.judgments.topics))

    @cached_property
    def pools(self) -> JudgmentPools:
        """What the judgments say of each topic, under any conventions."""
        return JudgmentPools(self.judgments, self.runs, self.measures)

    def only(self, topics: Rows) -> Track:
        """The same track, where no other topics count."""
        return replace(self, counting=topics, kept={place: lens.only(topics) for place, lens in self.kept.items()})

    def each(
        self,
        look: Callable[..., Any],
        *,
        whole: Callable[[Any], Any] | None = None,
        progress: Progress | None = None,
        keep: bool = False,
        **parameters: Any,
    ) -> list[Any]:
        """What ``look(lens, measures, **parameters)`` keeps of each run; ``keep`` has the runs stay in memory.

        What is kept of some topics of a run merges by topic (``parts``); ``whole`` makes it smaller once all are there.
        ``progress`` is called with the name of each run when it is done.
        """
        found = []
        for place, lens in enumerate(self.lenses()):
            part = merged([look(each, self.measures, **parameters) for each in self.pieces(lens)])
            found.append(part if whole is None else whole(part))
            if keep:
                self.kept[place] = lens
            if progress is not None:
                progress(self.runs[place].name, place + 1, len(self.runs))
        return found

    def pairs(
        self,
        look: Callable[..., Any],
        asked: Sequence[tuple[int, int]],
        *,
        progress: Progress | None = None,
        **parameters: Any,
    ) -> list[Any]:
        """What ``look(one, other, measures, **parameters)`` keeps of each pair of runs, given by their numbers."""
        found = []
        for place, (one, other) in enumerate(asked):
            if progress is not None:
                progress(f"{self.runs[one].name} and {self.runs[other].name}", place, len(asked))
            found.append(look(self.lens(one), self.lens(other), self.measures, **parameters))
        return found

    def lens(self, place: int) -> Lens:
        """One run by its number, which stays in memory from then on."""
        if place not in self.kept:
            self.kept[place] = self._through(self.runs[place].read())
        return self.kept[place]

    def lenses(self) -> Iterator[Lens]:
        """Each run joined with the judgments, one after the other; a small one is read while the last is looked at."""
        for _, run in one_by_one(self.runs):
            lens = self._through(run)
            refuse_run(lens)
            yield lens

    def pieces(self, lens: Lens, count: int | None = None) -> Iterator[Lens]:
        """A run in so many parts of its topics, by default ``PIECES``; what looks at each of them is merged by topic.

        Judged topics that the run leaves out are in a part of their own, which has no lists.
        """
        count = PIECES if count is None else count
        if count == 1:
            yield lens
            return
        run = lens.whole
        ends = np.linspace(0, len(run.topics), count + 1).astype(int).tolist()
        left = np.zeros(len(self.topics), np.bool_)
        left[slice(None) if self.counting is None else self.counting] = True
        for first, last in pairwise(ends):
            part = self._through(run.of_topics(first, last))
            there = left & (part.judged.run_topic >= 0)
            left &= ~there
            yield part.only(np.flatnonzero(there))
        if left.any() and not self.conventions.skips_missing:
            yield self._through(run.of_topics(0, 0)).only(np.flatnonzero(left))

    def _through(self, run: Any) -> Lens:
        lens = Lens(self.judgments, run, self.pools, self.conventions, deepest=deepest_of(self.measures))
        return lens if self.counting is None else lens.only(self.counting)

    def notes(self, parts: Sequence[RunPart], conventions: Conventions | None = None) -> tuple[Note, ...]:
        """What there is to know about the judgments and the runs that were looked at."""
        choice = conventions or self.conventions
        return (*notes(self.judgments, choice, parts), *self.pools.notes(choice))


def deepest_of(measures: Sequence[Measure]) -> int:
    """The largest cutoff of some measures, 0 without one."""
    return max((measure.cutoff for measure in measures if measure.cutoff is not None), default=0)


def refuse_measures(measures: Sequence[Measure], choice: Conventions) -> None:
    """Refuse measures that conventions leave without a meaning."""
    for measure in measures:
        # c@1 ends lists its own way, whatever is chosen.
        if choice.ends and measure.ending == "none" and not measure.takes_terminal:
            raise InputError(f"{measure} has no form with a terminal document; evaluate it with ending='none'")
        if not choice.nil_ends and TERMINAL[choice.ending_of(measure)]:
            raise InputError(
                f"{measure} with a terminal document takes the end of a list for an answer, and nil='answer' NIL; "
                "evaluate it with nil='end', or without a terminal document"
            )
    if choice.limit is not None and not any(TERMINAL[choice.ending_of(measure)] for measure in measures):
        raise InputError(
            f"limit={choice.limit} says which lists were ended by their systems, which counts with a terminal document "
            "only; choose ending='terminal', or leave limit out"
        )


def refuse_judgments(judgments: Qrels, measures: Sequence[Measure], choice: Conventions) -> None:
    """Refuse judgments that measures or conventions cannot be read with."""
    if not isinstance(judgments, Preferences):
        return
    for measure in measures:
        if measure.needs != "preferences":
            raise InputError(
                f"{measure} needs grades, and these judgments are preferences (three columns: topic, better, worse); "
                "use PrefLoss with them, or give qrels (four columns: topic, iteration, document, grade)"
            )
    if not choice.nil_ends:
        raise InputError("nil='answer' gives NIL a grade, and preferences have none; give qrels, or leave nil out")


def refuse_run(lens: Lens) -> None:
    """Refuse a run that has nothing to do with the judgments, or that leaves out a topic where that is refused."""
    absent = lens.judged.run_topic < 0
    if absent.all():
        # Its scores would be zeros that look like results.
        theirs, ours = text(lens.run.topics[0]), text(lens.judgments.topics[0])
        raise InputError(
            f"run {lens.name!r} and the judgments have no topic in common: one has topics such as {theirs!r}, the "
            f"other such as {ours!r}; check that both name topics alike"
        )
    if lens.conventions.refuses_missing and absent.any():
        topic = lens.judgments.topics[int(np.argmax(absent))].decode("utf-8", "replace")
        raise InputError(
            f"run {lens.name!r} has no documents for topic {topic}; "
            "choose missing='empty' to count it as an empty list, or 'skip' to leave it out"
        )
