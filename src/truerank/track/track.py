"""A track: the one place that reads what callers give, and refuses what cannot work before it looks at a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Any

import numpy as np

from truerank.conventions.axes import Conventions, Given
from truerank.conventions.judges import chosen, each, others
from truerank.conventions.presets import AxisRules
from truerank.data.arrays import Mask, Rows
from truerank.data.chances import Chances
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.data.judges import Judges
from truerank.data.notes import Later, Note, read_notes
from truerank.data.printing import named
from truerank.data.qrels import Preferences, Qrels
from truerank.data.rankings import TERMINAL
from truerank.io.judges import as_judgments, asked_topics
from truerank.io.runs import Named, named_runs
from truerank.io.topic_selection import select_topics
from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse_all
from truerank.track.engine import Engine
from truerank.track.engines.executor import Here
from truerank.track.facts import RunPart, by_judges, unread_notes
from truerank.track.lens import Lens
from truerank.track.loop import PairTask, PairWork, RunPieces, RunWork, each_run
from truerank.track.pools import JudgmentPools

Progress = Callable[[str, int, int], object]
"""Called with what was done last, how much is done, and of how much."""
OPEN = AxisRules()
"""Any conventions."""
DEFAULT = Engine()
NOWHERE = RunPieces((), DEFAULT)


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
    engine: Engine = DEFAULT
    """What runs are looked at with."""
    pieces: RunPieces = field(default=NOWHERE, repr=False)
    """The runs as the engine looks at them."""
    judges: Judges | None = None
    """All judges at hand, whoever of them counts; None where the judgments are by one who has no name."""
    asked: Any = None
    """The topics that were asked for, as they were; None for all."""

    def __post_init__(self) -> None:
        if self.pieces.runs is not self.runs or self.pieces.engine is not self.engine:
            object.__setattr__(self, "pieces", RunPieces(self.runs, self.engine))

    @classmethod
    def of(
        cls,
        qrels: Any,
        runs: Any,
        measures: str | Measure | Iterable[str | Measure],
        given: Given,
        rules: AxisRules = OPEN,
        *,
        engine: Any = None,
    ) -> Track:
        """Take what callers give; whatever can be refused without reading a file is refused first."""
        conventions, wanted = rules.chosen(given), parse_all(measures)
        refuse_measures(wanted, conventions)
        used = Engine.of(engine)
        named = named_runs(runs)
        given_judgments = as_judgments(qrels, several=conventions.judges_matter)
        topics = asked_topics(qrels)
        judgments = _of_topics(chosen(given_judgments, conventions), topics)
        refuse_judgments(judgments, wanted, conventions)
        at_hand = given_judgments if isinstance(given_judgments, Judges) else None
        engine = used.beside(named)
        return cls(judgments, tuple(named), wanted, conventions, engine=engine, judges=at_hand, asked=topics)

    def __getstate__(self) -> dict[str, Any]:
        """What another process needs to look at runs, which it is given one by one."""
        known = dict(vars(self))
        if self.runs:
            # Pools are made of all runs, and so before any is looked at.
            self.pools.under(self.conventions)
            if self.conventions.frees_relevant:
                self.pools.unjudged(self.conventions)
            known["pools"] = self.pools
            known["panel"] = self.panel
        names = tuple(Named(run.name, None) for run in self.runs)
        return known | {"runs": names, "kept": {}, "engine": DEFAULT, "pieces": NOWHERE}

    @cached_property
    def topics(self) -> tuple[str, ...]:
        """The judged topics, in words."""
        return tuple(map(text, self.judgments.topics))

    @cached_property
    def pools(self) -> JudgmentPools:
        """What the judgments say of each topic, under any conventions."""
        # Pools that know the track that has them would keep its runs in memory until garbage is looked for.
        alike = replace(self, measures=(), kept={}, counting=None)
        return JudgmentPools(self.judgments, self.runs, self.measures, alike._each_under)

    def _each_under(self, score_run: Callable[..., Any], conventions: Conventions, **parameters: Any) -> list[Any]:
        """What is to be known of all runs before one is looked at; whatever they are, none is refused."""
        track = replace(self, conventions=conventions, kept={})
        return each_run(RunWork(track, score_run, parameters, refuses=False), track.pieces)

    def only(self, topics: Rows) -> Track:
        """The same track, where no other topics count."""
        return replace(self, counting=topics, kept={place: lens.only(topics) for place, lens in self.kept.items()})

    def each(
        self,
        score_run: Callable[..., Any],
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
        # Where runs are not to be here as a whole, those that are needed again are read again.
        keep = keep and self.engine.executor.shares_memory and not self.pieces.are_cut
        work = RunWork(self, score_run, parameters, whole, keep)
        return each_run(work, self.pieces, progress, executor=Here() if keep else None)

    def pairs(
        self,
        score_run: Callable[..., Any],
        asked: Sequence[tuple[int, int]],
        *,
        progress: Progress | None = None,
        **parameters: Any,
    ) -> list[Any]:
        """What ``look(one, other, measures, **parameters)`` keeps of each pair of runs, given by their numbers."""
        if not self.engine.executor.shares_memory:
            # What all runs list is found once, and not by each who looks at two of them.
            self.pools.unjudged(self.conventions)
        tasks = [PairTask(one, other, (self.pieces.whole(one), self.pieces.whole(other))) for one, other in asked]
        found: dict[int, Any] = {}
        for place, part in self.engine.executor.run(PairWork(self, score_run, parameters), tasks):
            found[place] = part
            if progress is not None:
                one, other = asked[place]
                progress(f"{self.runs[one].name} and {self.runs[other].name}", len(found), len(asked))
        return [found[place] for place in range(len(asked))]

    def lens(self, place: int) -> Lens:
        """One run by its number, which stays in memory from then on."""
        if place not in self.kept:
            self.kept[place] = self.through(self.pieces.whole(place).read())
        return self.kept[place]

    def lenses(self) -> Iterator[Lens]:
        """Each run as a whole; all stay in memory."""
        yield from map(self.lens, range(len(self.runs)))

    @cached_property
    def counts(self) -> Mask:
        """Which judged topics may count."""
        found = np.zeros(len(self.judgments.topics), np.bool_)
        found[slice(None) if self.counting is None else self.counting] = True
        return found & self.pools.counting(self.conventions)

    def common(self, counting: Iterable[Rows]) -> Mask:
        """Which topics count in all runs, given those that count in each; refused if there are none."""
        found = self.counts
        if not found.any():
            raise InputError(
                "no topic has a relevant document, so that there is nothing to compare; choose no_relevant='zero'"
            )
        for topics in counting:
            found = found & np.isin(np.arange(len(found)), topics)
        if not found.any():
            raise InputError("the runs have no judged topic in common; choose missing='empty' to compare them anyway")
        return found

    @cached_property
    def panel(self) -> dict[str, Track]:
        """The same track by each judge, where each has a result; where one of several counts, by each of the others."""
        if self.judges is None:
            return {}
        alone = replace(self, judges=None, kept={}, counting=None)
        found = {**each(self.judges, self.conventions), **others(self.judges, self.conventions)}
        if self.asked is not None:
            # Who judged none of the topics that were asked for has no say.
            here = {*self.judgments.topics}
            found = {name: select_topics(one, self.asked) for name, one in found.items() if here & {*one.topics}}
        return {name: replace(alone, judgments=one) for name, one in found.items()}

    def through(self, run: Any) -> Lens:
        """A run joined with the judgments."""
        lens = Lens(self.judgments, run, self.pools, self.conventions, deepest=deepest_of(self.measures))
        if self.panel:
            lens.panel = self._by_judge
        return lens if self.counting is None else lens.only(self.counting)

    def _by_judge(self, lens: Lens) -> dict[str, Lens]:
        """The run of a lens by each judge, with the topics that count there."""
        found = {name: track.through(lens.whole) for name, track in self.panel.items()}
        if not lens.has_some_topics:
            return found
        wanted = {self.judgments.topics[topic] for topic in lens.topics.tolist()}
        return {
            name: one.only(
                np.array([place for place, topic in enumerate(one.judgments.topics) if topic in wanted], int)
            )
            for name, one in found.items()
        }

    def refuse(self, name: str, topics: Sequence[bytes], absent: Mask) -> None:
        """Refuse a run that has nothing to do with the judgments, or that leaves out a topic where that is refused."""
        rest = self.judgments.rest
        if absent.all() and rest is not None and not {*rest.judgments.topics}.isdisjoint(topics):
            if self.conventions.skips_missing:
                asked = named([text(topic) for topic in self.judgments.topics])
                raise InputError(f"run {name!r} has no documents for {asked}; ask for other topics, or leave it out")
        elif absent.all():
            # Its scores would be zeros that look like results.
            theirs, ours = text(topics[0]), text(self.judgments.topics[0])
            raise InputError(
                f"run {name!r} and the judgments have no topic in common: one has topics such as {theirs!r}, the "
                f"other such as {ours!r}; check that both name topics alike"
            )
        if self.conventions.refuses_missing and absent.any():
            topic = self.judgments.topics[int(np.argmax(absent))].decode("utf-8", "replace")
            raise InputError(
                f"run {name!r} has no documents for topic {topic}; "
                "choose missing='empty' to count it as an empty list, or 'skip' to leave it out"
            )

    def notes(self, parts: Sequence[RunPart], conventions: Conventions | None = None) -> tuple[Note, ...]:
        """What there is to know about the judgments and the runs that were looked at."""
        return read_notes(self.unread_notes(parts, conventions))

    def unread_notes(
        self, parts: Sequence[RunPart], conventions: Conventions | None = None
    ) -> tuple[Note | Later, ...]:
        """The same, some of them left for later."""
        choice = conventions or self.conventions
        return (
            *unread_notes(self.judgments, choice, parts),
            *self.pools.notes(choice),
            *self.pieces.notes(),
            *(() if self.judges is None else by_judges(self.judges)),
        )


def _of_topics(judgments: Qrels, asked: Any) -> Qrels:
    return judgments if asked is None else select_topics(judgments, asked)


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


def _refuse_random(measures: Sequence[Measure], choice: Conventions) -> None:
    """Refuse what a mean over random judgments cannot be taken with."""
    said = "and judges='expected' takes the mean over random judgments"
    if choice.relevant_in_run:
        raise InputError(f"relevant='run' counts what a run has by one judgment, {said}; leave one of them out")
    if choice.frees_relevant:
        raise InputError(f"unjudged='bounds' goes through judgments too, {said}; choose unjudged='residual'")
    if not choice.nil_ends:
        raise InputError(f"nil='answer' depends on whether anything is relevant, {said}; leave nil out")
    for measure in measures:
        if measure.needs_pool:
            raise InputError(f"{measure} asks which runs made the pool, {said}; take another measure")


def refuse_judgments(judgments: Qrels, measures: Sequence[Measure], choice: Conventions) -> None:
    """Refuse judgments that measures or conventions cannot be read with."""
    if isinstance(judgments, Chances) and choice.averages_judgments:
        _refuse_random(measures, choice)
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
