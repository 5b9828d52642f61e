"""What preferences say by topic, what runs do with them, and how far grades agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from truerank.conventions.axes import Conventions
from truerank.data.arrays import Mask, Rows
from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.data.notes import Code, Note
from truerank.data.parts import Part, part_field
from truerank.data.preferences import grades_of
from truerank.data.qrels import Preferences
from truerank.io.load import as_preferences, as_qrels
from truerank.io.runs import named_runs
from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse_all
from truerank.measures.pref_loss import ABSENT, PreferenceRanks, PrefLoss
from truerank.measures.wpref_loss import WPrefLoss
from truerank.questions.evaluate.question import Score
from truerank.questions.evaluate.work import scored
from truerank.questions.preferences.between import between, shown
from truerank.questions.preferences.cycles import Least, components, least, shortest_cycle
from truerank.questions.preferences.grades import (
    Grades,
    against,
    as_judged,
    refuse_method,
    total_agreement,
)
from truerank.questions.preferences.graph import Graph
from truerank.questions.preferences.question import (
    OUTCOMES,
    REPEATED,
    Cycle,
    ListPreferences,
    Ordering,
    PreferenceSurvey,
    RunPreferences,
    TopicPreferences,
    Triple,
    share,
)
from truerank.questions.preferences.triples import Triples, triples
from truerank.statistics.orders import agreement
from truerank.track.engine import Engine
from truerank.track.facts import RunPart, observe
from truerank.track.lens import Lens
from truerank.track.track import Track, deepest_of, refuse_judgments, refuse_measures
from truerank.track.values import Values, values

LISTED = 1000
"""Intransitive triples that are listed, all topics together."""


@dataclass(frozen=True, eq=False)
class PreferenceTopics:
    """Preferences by topic, with what makes them contradict one another."""

    topics: tuple[TopicPreferences, ...]
    total: TopicPreferences
    triples: tuple[Triple, ...]
    """The first intransitive triples, by topic and documents."""
    cycles: tuple[Cycle, ...]


def judgments(graph: Graph, grades: Grades) -> PreferenceTopics:
    """Look at the preferences of each topic.

    >>> from truerank.io.load import as_preferences
    >>> from truerank.questions.preferences.grades import graded
    >>> graph = Graph.of(as_preferences([("q", a, b) for a, b in ("ab", "bc", "ca", "ad", "da", "ad")]))
    >>> found = judgments(graph, graded(graph))
    >>> found.total.cyclic, found.total.contradictory, found.total.least, found.triples[0].c
    (1, 1, 2, 'c')
    """
    parts = components(graph)
    lowest = least(graph, parts)
    closed = triples(graph, LISTED)
    columns = {name: column.tolist() for name, column in _columns(graph, closed, parts, lowest).items()}
    by_topic = [
        _topic_preferences(
            text(topic),
            {name: column[place] for name, column in columns.items()},
            how if columns["documents"][place] else None,
        )
        for place, (topic, how) in enumerate(zip(graph.topics, grades.methods, strict=True))
    ]
    return PreferenceTopics(
        tuple(by_topic),
        _topic_preferences("all", {name: sum(column) for name, column in columns.items()}, None),
        tuple(
            Triple(topic=_topic(graph, row[0]), **dict(zip("abc", (_doc(graph, doc) for doc in row), strict=True)))
            for row in closed.first.tolist()
        ),
        tuple(_cycle(graph, docs, one) for docs, one in zip(parts, lowest, strict=True)),
    )


def _topic_preferences(topic: str, counts: dict[str, int], graded_by: str | None) -> TopicPreferences:
    return TopicPreferences(
        topic=topic,
        **counts,
        least_loss=share(counts["least"], counts["preferences"]),
        least_loss_found=share(counts["least_found"], counts["preferences"]),
        graded_by=graded_by,
    )


def _cycle(graph: Graph, docs: Rows, one: Least) -> Cycle:
    return Cycle(
        topic=_topic(graph, int(docs[0])),
        size=len(docs),
        documents=tuple(_doc(graph, doc) for doc in docs.tolist()),
        cycle=tuple(_doc(graph, doc) for doc in shortest_cycle(graph, docs)),
        least=one.low,
        least_found=one.high,
        order=tuple(_doc(graph, doc) for doc in one.order),
    )


def _columns(graph: Graph, closed: Triples, parts: list[Rows], lowest: list[Least]) -> dict[str, Rows]:
    pairs, size = graph.compared, np.diff(graph.offsets)
    first = np.array([docs[0] for docs in parts], np.intp)
    inevitable = graph.by_topic(pairs.first, np.minimum(pairs.better, pairs.worse))
    return {
        "documents": size,
        "preferences": graph.by_topic(pairs.first, pairs.better + pairs.worse),
        "ties": graph.by_topic(pairs.first, pairs.equal),
        "document_pairs": np.diff(pairs.offsets),
        "possible": size * (size - 1) // 2,
        "repeated": graph.by_topic(pairs.first, pairs.times > 1),
        "contradictory": graph.by_topic(pairs.first, (pairs.better > 0) & (pairs.worse > 0)),
        "triples": closed.closed,
        "cyclic": closed.cyclic,
        "in_cycles": graph.by_topic(first, np.array([len(docs) for docs in parts], np.intp)),
        "least": inevitable + graph.by_topic(first, np.array([one.low for one in lowest], np.intp)),
        "least_found": inevitable + graph.by_topic(first, np.array([one.high for one in lowest], np.intp)),
    }


def _topic(graph: Graph, doc: int) -> str:
    return text(graph.topics[graph.topic[doc]])


def _doc(graph: Graph, doc: int) -> str:
    return text(graph.docs[doc])


NOT_GRADED = Code(
    "TR532",
    "topics that only the preferences have",
    "{topics:topic} of the preferences without grades: not compared",
)
NOT_PREFERRED = Code(
    "TR533", "topics that only the qrels have", "{topics:topic} of the qrels without preferences: not compared"
)


@dataclass(frozen=True, eq=False, kw_only=True)
class Outcomes(Part):
    """How many preferences of each topic a run deals with in which way; see ``ListPreferences``."""

    kept: Rows = part_field(merge="per topic")
    violated: Rows = part_field(merge="per topic")
    tied: Rows = part_field(merge="per topic")
    neither: Rows = part_field(merge="per topic")

    @classmethod
    def of(cls, lens: Lens) -> Outcomes:
        """Look at every preference of the topics that count."""
        names = [each.name for each in fields(cls) if each.name != "topics"]
        counts = np.zeros((len(names), len(lens.judged.length)), np.intp)
        # How good or bad an order of ties is does not matter here, where ties are told apart.
        for block in lens.rankings(PrefLoss(), ties=lens.conventions.untied_order, unjudged="nonrelevant"):
            if block.pairs is not None:
                row, better, worse = PreferenceRanks.of(block, block.pairs)
                for place, mask in enumerate(_told(better, worse)):
                    counts[place, block.topic] = np.bincount(row[mask], minlength=len(block.topic))
        return cls(topics=lens.topics, **dict(zip(names, counts[:, lens.topics], strict=True)))

    def at(self, place: int) -> dict[str, int]:
        found = {each.name: int(getattr(self, each.name)[place]) for each in fields(self) if each.name != "topics"}
        return {"preferences": sum(found[name] for name in OUTCOMES), **found}


def _told(better: Rows, worse: Rows) -> list[Mask]:
    neither = (better == ABSENT) & (worse == ABSENT)
    return [better < worse, worse < better, (better == worse) & ~neither, neither]


@dataclass(frozen=True, eq=False, kw_only=True)
class PreferencePart(RunPart):
    """A run against preferences, and against the grades that they stand for."""

    outcomes: Outcomes
    weighted: Values
    """Preference loss weighted to the top."""
    induced: Values
    """The share of pairs in the wrong order, of those with different induced grades."""
    graded: RunPart | None
    """The run by the grades of other judgments."""


def refuse(repeated: str, grades: str | None, measures: Any, *, ordered: bool) -> None:
    """Refuse what has no meaning; ``ordered`` is whether there are grades and runs to be ordered by them."""
    if repeated not in REPEATED:
        raise InputError(f"repeated={repeated!r} is not a choice; take one of {', '.join(REPEATED)}")
    refuse_method(grades)
    if measures is not None and not ordered:
        raise InputError("measures= orders runs by grades; give qrels and runs, or leave it out")


def refuse_clicks(*, induced: bool, columns: Mapping[str, str] | None) -> None:
    """Refuse to take a click log for qrels, or for a table of preferences."""
    if induced:
        raise InputError("clicks= takes a click log and induced= takes qrels; choose one")
    if columns is not None:
        raise InputError("columns of a click log go by their names (topic, doc, rank, clicked); leave the others out")


def preference_track(preferences: Any, runs: Any, conventions: Conventions, *, repeated: str, engine: Any) -> Track:
    """Preferences and runs, to be looked at by preference loss."""
    measures = (PrefLoss(),)
    refuse_measures(measures, conventions)
    used, named = Engine.of(engine), [] if runs is None else named_runs(runs)
    judgments = as_preferences(preferences, repeated=repeated)
    return Track(judgments, tuple(named), measures, conventions, engine=used.beside(named))


def preferences_of(track: Track) -> Preferences:
    """The preferences of a track that was made of them."""
    assert isinstance(track.judgments, Preferences)
    return track.judgments


def graded_track(qrels: Any, measures: Any, track: Track) -> tuple[Track, list[Note]]:
    """The same runs with graded judgments of the same topics, and what only one kind of judgments has."""
    wanted = parse_all(measures) if track.runs else ()
    refuse_measures(wanted, track.conventions)
    given = grades_of(as_qrels(qrels), "qrels= are preferences too")
    ours = {*track.judgments.topics}
    common = given.of_topics(np.flatnonzero([topic in ours for topic in given.topics]))
    if not len(common.topics):
        raise InputError("the preferences and the qrels have no topic in common; check that both name topics alike")
    refuse_judgments(common, wanted, track.conventions)
    without, more = (len(judged.topics) - len(common.topics) for judged in (track.judgments, given))
    said = [NOT_GRADED(topics=without)] if without else []
    said += [NOT_PREFERRED(topics=more)] if more else []
    return Track(common, track.runs, wanted, track.conventions), said


def induced_track(graph: Graph, grades: Grades, track: Track) -> Track:
    """The same documents with the grades that their preferences stand for."""
    return Track(as_judged(graph, grades, track.judgments), (), track.measures, track.conventions)


def score_run(lens: Lens, measures: Sequence[Measure], *, induced: Track, graded: Track | None) -> PreferencePart:
    """What is kept of a run."""
    loss = PrefLoss()
    return observe(
        lens,
        {str(loss): values(lens, loss)},
        kind=PreferencePart,
        outcomes=Outcomes.of(lens),
        weighted=values(lens, WPrefLoss()),
        induced=values(_induced(lens, induced), loss),
        graded=None if graded is None else _graded(lens, graded),
    )


def _induced(lens: Lens, induced: Track) -> Lens:
    qrels = induced.judgments
    judged = replace(lens.judged, qrels=qrels, grade=qrels.grade[lens.judged.judgment])
    return Lens(qrels, lens.whole, induced.pools, lens.conventions, judged=judged, topics=lens.topics)


def _graded(lens: Lens, graded: Track) -> RunPart:
    """The run by measures of grades, over those of their topics that count."""
    place = {topic: number for number, topic in enumerate(lens.judgments.topics)}
    counted = {*lens.topics.tolist()}
    topics = [number for number, topic in enumerate(graded.judgments.topics) if place[topic] in counted]
    deepest = deepest_of(graded.measures)
    whole = Lens(graded.judgments, lens.whole, graded.pools, graded.conventions, deepest=deepest)
    other = whole.only(np.array(topics, np.intp))
    return observe(other, {str(measure): values(other, measure) for measure in graded.measures}, ties=False)


def summarise(
    track: Track,
    parts: Sequence[PreferencePart],
    graph: Graph,
    grades: Grades,
    *,
    graded: Track | None,
    apart: Sequence[Note],
    more: Sequence[Note],
) -> PreferenceSurvey:
    """What preferences say, what runs do with them, and how far grades agree."""
    judged = judgments(graph, grades)
    runs = [_run(track, part, judged) for part in parts]
    notes = [*more, *track.notes(parts)]
    orderings: tuple[Ordering, ...] = ()
    if graded is not None:
        by_grades = [part.graded for part in parts if part.graded is not None]
        # What is true of both kinds of judgments is said once.
        notes += [note if note in notes else note.about("with grades") for note in graded.notes(by_grades)]
        notes += apart
        if len(runs) > 1:
            orderings = tuple(_ordering(measure, runs, graded, by_grades) for measure in graded.measures)
    agreements = () if graded is None else against(graph, graded.judgments)
    return PreferenceSurvey(
        by_topic=judged.topics,
        total=judged.total,
        triples=judged.triples,
        cycles=judged.cycles,
        by_run=tuple(runs),
        agreement=agreements,
        agreement_total=None if graded is None else total_agreement(agreements),
        orderings=orderings,
        judged=preferences_of(track),
        graph=graph,
        graded=grades,
        conventions=track.conventions,
        notices=tuple(dict.fromkeys(notes)),
    )


def with_judges(survey: PreferenceSurvey, other: Preferences | None) -> PreferenceSurvey:
    """The same with what is to be known of judges: how far another one agrees, and who prefers what is named first."""
    judges = {"preferences": survey.judged} | ({} if other is None else {"other": other})
    rows = (shown(name, judge) for name, judge in judges.items())
    return replace(
        survey,
        between=() if other is None else between(survey.judged, other),
        shown=tuple(row for row in rows if row is not None),
    )


def _run(track: Track, part: PreferencePart, judged: PreferenceTopics) -> RunPreferences:
    score = scored(part.run, part.values[str(PrefLoss())], track.conventions, track.topics)
    weighted = scored(part.run, part.weighted, track.conventions, track.topics)
    by_topic = {one.topic: one for one in judged.topics}
    known = [by_topic[topic] for topic in score.names if by_topic[topic].preferences]
    least, least_found = (
        sum(getattr(one, end) for one in known) / len(known) if known else float("nan")
        for end in ("least_loss", "least_loss_found")
    )
    lists = tuple(
        ListPreferences(
            run=part.run,
            topic=(topic := track.topics[number]),
            loss=score.per_topic.get(topic),
            top_loss=weighted.per_topic.get(topic),
            least=by_topic[topic].least_loss,
            least_found=by_topic[topic].least_loss_found,
            **part.outcomes.at(place),
        )
        for place, number in enumerate(part.outcomes.topics.tolist())
    )
    return RunPreferences(
        run=part.run,
        **{name: sum(getattr(one, name) for one in lists) for name in ("preferences", *OUTCOMES)},
        loss=score.mean,
        loss_low=score.low,
        loss_high=score.high,
        top_loss=weighted.mean,
        least=least,
        least_found=least_found,
        auc=1.0 - part.induced.summary(track.conventions),
        score=score,
        lists=lists,
    )


def _ordering(measure: Measure, runs: Sequence[RunPreferences], graded: Track, parts: Sequence[RunPart]) -> Ordering:
    """How a measure of grades orders runs, beside their preference loss over the same topics."""
    own = [scored(part.run, part.values[str(measure)], graded.conventions, graded.topics) for part in parts]
    # Means over other topics would be other orderings for that reason alone.
    losses = {run.run: _over(run.score, score.names) for run, score in zip(runs, own, strict=True)}
    return ordering(measure, losses, {score.run: score.mean for score in own})


def _over(loss: Score, topics: Sequence[str]) -> float:
    known = [loss.per_topic[topic] for topic in topics if topic in loss.per_topic]
    return sum(known) / len(known) if known else float("nan")


def ordering(measure: Measure, losses: Mapping[str, float], scores: Mapping[str, float]) -> Ordering:
    """Compare the order of runs by preference loss, the reference, with that by a measure.

    >>> from truerank.measures.grammar import parse
    >>> row = ordering(parse("AP"), {"a": 0.1, "b": 0.2, "c": 0.4}, {"a": 0.5, "b": 0.3, "c": 0.4})
    >>> row.reversed, round(row.tau_a, 4)
    (1, 0.3333)
    """
    both = agreement([-losses[run] for run in losses], [measure.sign * scores[run] for run in losses])
    return Ordering(measure=str(measure), **both._asdict())
