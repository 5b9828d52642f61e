"""What to judge next: the documents whose judgments would tell most about open pairs of runs, or about scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from truerank.conventions.axes import Conventions
from truerank.conventions.ties import topics_of
from truerank.data.arrays import Array, Floats, Mask, Rows, distinct, offsets
from truerank.data.errors import InputError
from truerank.data.ids import Ids, text
from truerank.data.judge import every_document, judge
from truerank.data.parts import Part, part_field
from truerank.data.qrels import Qrels, collect
from truerank.data.rankings import Rankings
from truerank.measures.core.base import Measure
from truerank.questions.unjudged.hypothetical import Hypotheses, supposing
from truerank.questions.unjudged.question import Judgment
from truerank.questions.unjudged.relevance import Relevance
from truerank.statistics.level import EQUAL
from truerank.track.lens import Lens
from truerank.track.outcomes import rests_on_judgments
from truerank.track.track import Progress, Track
from truerank.track.values import Values, settled, values

DEPTH = 100
"""How deep unjudged documents are looked for, for a measure without a cutoff."""


@dataclass(frozen=True, eq=False, kw_only=True)
class OpenDocuments(Part):
    """Unjudged documents that a run lists high enough; a topic for each of them."""

    docs: Array = part_field(merge="per topic")
    """Their ids, in bytes."""

    def documents(self) -> Iterator[tuple[int, bytes]]:
        """Topic and id of each."""
        return zip(self.topics.tolist(), self.docs.tolist(), strict=True)


@dataclass(frozen=True, eq=False, kw_only=True)
class ListedGains(Part):
    """What judgments of documents that a run lists would gain; a topic for each of them."""

    candidate: Rows = part_field(merge="per topic")
    """Number of the document among all candidates."""
    rank: Rows = part_field(merge="per topic")
    """Where the run lists it; of tied ranks the first."""
    gains: Floats = part_field(merge="per topic")
    """By how much bounds are narrower if it is not relevant, and if it is."""
    moves: Floats = part_field(merge="per topic")
    """By how much the value of the topic is higher if it is relevant."""


@dataclass(frozen=True, eq=False, kw_only=True)
class GainsPart(Part):
    """What judgments would gain in a run."""

    run: str
    listed: ListedGains
    unlisted: Floats = part_field(merge="per topic")
    """The same of a document that the run does not list: it may still change what is divided by."""
    unlisted_moves: Floats = part_field(merge="per topic")


@dataclass(frozen=True, eq=False)
class Candidates:
    """Documents that might be judged next, as if they were, so that they can be looked up in runs."""

    qrels: Qrels
    topic: Rows
    """Index of the topic of each in the judgments."""

    @classmethod
    def of(cls, judgments: Qrels, found: Sequence[OpenDocuments]) -> Candidates:
        """Each document once that is open in some run."""
        by_topic: dict[int, set[bytes]] = {}
        for part in found:
            for topic, doc in part.documents():
                by_topic.setdefault(topic, set()).add(doc)
        topics = sorted(by_topic)
        docs = [sorted(by_topic[topic]) for topic in topics]
        count = np.array(list(map(len, docs)), np.intp)
        names = [judgments.topics[topic] for topic in topics]
        packed = Ids.pack([doc for some in docs for doc in some])
        qrels = collect(names, offsets(count), packed, np.zeros(len(packed)))
        return cls(qrels, np.repeat(np.array(topics, np.intp), count))


def search_depth(measure: Measure, count: int, depth: int | None) -> int | None:
    """How deep documents to judge are looked for; None where none are asked for. What cannot be asked is refused."""
    for name, asked, least in (("next", count, 0), ("depth", 1 if depth is None else depth, 1)):
        if asked < least:
            raise InputError(f"{name} is {asked}; give {least} or more")
    if not count:
        return None
    if not measure.has_bounds:
        raise InputError(f"{measure} has no bounds to narrow; ask for a measure that has, such as RBP, first")
    if measure.needs_pool:
        raise InputError(f"{measure} depends on the pool, which a judgment changes; ask for another measure first")
    return depth or measure.cutoff or DEPTH


def open_documents(lens: Lens, measure: Measure, depth: int) -> OpenDocuments:
    """The documents of a run down to a depth that nobody judged, as a measure reads grades."""
    every = every_document(lens.judged, depth)
    unknown = every.judgment < 0
    if not lens.conventions.judges_negative(measure):
        unknown |= every.grade < 0
    some = np.flatnonzero(unknown & (every.above < depth))
    docs = np.empty(len(some), object)
    docs[:] = lens.run.docs.take(every.row[some]).tolist()
    return OpenDocuments(topics=topics_of(every)[some], docs=docs)


@dataclass(frozen=True, eq=False)
class Target:
    """What judgments are to tell: which of two runs is better, or scores."""

    pairs: Floats | None
    """The chance that the order of each two runs is wrong, 0 where it is decided; None for scores."""
    model: Relevance | None
    """Of the chance that documents are relevant; None where it is taken to be even."""


def judge_next(
    track: Track, found: Sequence[OpenDocuments], count: int, aim: Target, progress: Progress | None
) -> tuple[Judgment, ...]:
    """Of the documents found in runs, those whose judgments would tell most by the first measure."""
    if not any(len(part.docs) for part in found):
        return ()
    candidates = Candidates.of(track.judgments, found)
    closer = replace(track, measures=track.measures[:1], kept={})
    return _best(track, candidates, closer.each(look_closer, progress=progress, candidates=candidates), count, aim)


def look_closer(lens: Lens, measures: Sequence[Measure], *, candidates: Candidates) -> GainsPart:
    """What each candidate would narrow the bounds of a run by."""
    [measure] = measures
    if lens.conventions.ends_for(measure):
        # Where the end of a list is an answer, so is a NIL: what it cuts off is not asked for.
        lens = lens.until_nil()
    found = judge(candidates.qrels, lens.run, precision=lens.conventions.precision)
    topic = candidates.topic[found.judgment]
    listed = Hypotheses(topic, found.row, found.above, found.size)
    gains, unlisted = _gains(lens, measure, listed, np.isin(lens.topics, candidates.topic))
    return GainsPart(
        topics=lens.topics,
        run=lens.name,
        listed=ListedGains(
            topics=topic, candidate=found.judgment, rank=found.above + 1, gains=gains[:, :2], moves=gains[:, 2]
        ),
        unlisted=unlisted[:, :2],
        unlisted_moves=unlisted[:, 2],
    )


def _gains(lens: Lens, measure: Measure, listed: Hypotheses, asked: Mask) -> tuple[Floats, Floats]:
    """What judgments of listed documents gain, and in topics where one is ``asked`` for that of one not listed.

    Columns are by how much bounds are narrower if it is not relevant, and if it is, and how the value differs.
    """
    gains, unlisted = np.zeros((len(listed), 3)), np.zeros((len(lens.topics), 3))
    if is_additive(lens, measure):
        gains[:] = _weights(lens, measure, listed)[:, None]
        return gains, unlisted
    before = widths(values(lens, measure), lens.conventions)
    elsewhere, place = Hypotheses.unlisted(lens.topics[asked]), np.searchsorted(lens.topics, listed.topic)
    for outcome, grade in enumerate((0.0, lens.top_grade(measure))):
        for rows, found, some, at in ((unlisted, elsewhere, asked, asked), (gains, listed, slice(None), place)):
            width, value = _supposed(lens, measure, found, grade)
            rows[some, outcome] = before[at] - width
            rows[some, 2] += value if outcome else -value
    return gains, unlisted


def _supposed(lens: Lens, measure: Measure, hypotheses: Hypotheses, grade: float) -> tuple[Floats, Floats]:
    """What is open in each topic of its own, and its value."""
    width, value = np.zeros((2, len(hypotheses)))
    for part in hypotheses.parts(lens.judged, measure.cutoff):
        found = values(supposing(lens, hypotheses.take(part), grade, measure.cutoff), measure)
        width[part] = widths(found, lens.conventions)
        value[part] = np.nan_to_num(settled(found.value, measure, lens.conventions))
    return width, value


def widths(values: Values, choice: Conventions) -> Floats:
    """What is open in each topic; nothing where it has no value and is left out of the mean."""
    if values.low is None or values.high is None:
        return np.zeros(len(values.value))
    low, high = (settled(end, values.measure, choice) for end in (values.low, values.high))
    if choice.skips_undefined:
        low, high = (np.where(values.undefined, 0.0, end) for end in (low, high))
    return np.nan_to_num(high - low)


def _best(
    track: Track, candidates: Candidates, parts: Sequence[GainsPart], count: int, aim: Target
) -> tuple[Judgment, ...]:
    gains, moves = np.zeros((2, len(candidates.topic))), np.zeros((len(candidates.topic), len(parts)))
    for place, part in enumerate(parts):
        nowhere = np.zeros((len(track.topics), 3))
        nowhere[part.topics, :2], nowhere[part.topics, 2] = part.unlisted, part.unlisted_moves
        in_run = nowhere[candidates.topic]
        in_run[part.listed.candidate, :2], in_run[part.listed.candidate, 2] = part.listed.gains, part.listed.moves
        gains += in_run.T[:2]
        moves[:, place] = in_run[:, 2]
    chance = _chances(candidates, aim.model)
    even = np.full(len(moves), 0.5) if chance is None else chance
    gain = (1.0 - even) * gains[0] + even * gains[1]
    apart = None if aim.pairs is None else _apart(moves, aim.pairs) * even
    worth = gain if apart is None or not (apart > EQUAL).any() else apart
    best = np.argsort(-np.round(worth / EQUAL), kind="stable")[:count]
    best = best[worth[best] > EQUAL]
    ranks = {part.run: _ranks(part.listed, len(gain))[best].tolist() for part in parts}
    return tuple(
        Judgment(
            topic=track.topics[int(candidates.topic[at])],
            doc=text(doc),
            gain=float(gain[at]),
            if_nonrelevant=float(gains[0, at]),
            if_relevant=float(gains[1, at]),
            chance=None if chance is None else float(chance[at]),
            apart=None if apart is None else float(apart[at]),
            ranks=_highest({run: each[place] for run, each in ranks.items()}),
        )
        for place, (at, doc) in enumerate(zip(best.tolist(), candidates.qrels.docs.take(best).tolist(), strict=True))
    )


def _chances(candidates: Candidates, model: Relevance | None) -> Floats | None:
    """The chance that each document is relevant."""
    if model is None:
        return None
    found, key = np.zeros(len(candidates.topic)), candidates.qrels.key.astype(np.uint64)
    for topic in distinct(candidates.topic).tolist():
        here = candidates.topic == topic
        found[here] = model.chance_of(topic, key[here])
    return found


def _apart(moves: Floats, pairs: Floats) -> Floats:
    """How far a relevant document moves runs apart: the root of the squares over pairs, each by its doubt."""
    both = (np.einsum("dr,rs->ds", moves, pairs) * moves).sum(axis=-1)
    squares: Floats = np.einsum("dr,r->d", moves**2, pairs.sum(axis=-1)) - both
    return np.sqrt(np.maximum(squares, 0.0))


def _ranks(listed: ListedGains, count: int) -> Rows:
    """The rank of each of so many candidates in a run; 0 where it is not listed."""
    found = np.zeros(count, np.intp)
    found[listed.candidate] = listed.rank
    return found


def _highest(ranks: dict[str, int]) -> dict[str, int]:
    return dict(sorted(((run, rank) for run, rank in ranks.items() if rank), key=lambda one: one[1]))


def is_additive(lens: Lens, measure: Measure) -> bool:
    """Whether each document adds to the score of a run whatever the others are, and the bounds are these sums."""
    choice = lens.conventions
    if choice.ends_for(measure) or not choice.averages_ties or measure.skips_unjudged:
        return False
    least, most = measure.range
    for r in lens.rankings(measure, ties="expected", unjudged="high"):
        if not measure.is_sum or not all(term.alone for term in measure.terms(r)):
            return False
        value = measure.score(r)
        # Bounds that are cut off at the range of the measure are no longer sums; NaN compares as past it.
        if not ((value >= least - EQUAL) & (value <= most + EQUAL)).all():
            return False
    return not rests_on_judgments(lens, measure)


def _weights(lens: Lens, measure: Measure, hypotheses: Hypotheses) -> Floats:
    """What each document adds if it has the grade that is worth most."""
    alone = [measure.score(_alone(lens, hypotheses, grade)) for grade in (lens.top_grade(measure), np.nan)]
    return alone[0] - alone[1]


def _alone(lens: Lens, hypotheses: Hypotheses, grade: float) -> Rankings:
    """Rankings in which one document is judged."""
    count = len(hypotheses)
    start = hypotheses.above[:, None] + 1
    return Rankings(
        topic=hypotheses.topic,
        start=start,
        stop=start + hypotheses.size[:, None] - 1,
        grade=np.full((count, 1), grade),
        judgment=np.zeros((count, 1), np.intp),
        length=lens.judged.length[hypotheses.topic],
        pool=np.zeros((count, 0)),
        judged=np.ones(count, np.intp),
        max_grade=lens.judged.qrels.max_grade,
    )
