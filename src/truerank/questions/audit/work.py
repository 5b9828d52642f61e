"""What is looked at in each run, and what people's sample says of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from truerank.data.arrays import Floats, Rows, stretches
from truerank.data.block import pool_of
from truerank.data.errors import InputError
from truerank.data.notes import Note
from truerank.data.parts import Part, part_field
from truerank.data.qrels import Qrels
from truerank.data.rankings import Rankings, gain_of
from truerank.expectation.term import Term
from truerank.io.load import as_run
from truerank.measures.core.base import Measure, ratio
from truerank.questions.audit.estimates import DocumentEstimates, Estimates, TopicEstimates
from truerank.questions.audit.question import THIN, Audit
from truerank.questions.audit.sample import HumanJudgments, draw
from truerank.statistics.sampled import calibrate, effective_units, expanded
from truerank.track.facts import RunPart, observe
from truerank.track.lens import Lens
from truerank.track.outcomes import rests_on_judgments
from truerank.track.track import Track
from truerank.track.values import Values, values


@dataclass(frozen=True, eq=False, kw_only=True)
class DocumentWeights(Part):
    """What documents count in the score of a run, each by its gain; a topic for each of them."""

    document: Rows = part_field(merge="per topic")
    """Which judgment of the machine is of it."""
    weight: Floats = part_field(merge="per topic")


@dataclass(frozen=True, eq=False, kw_only=True)
class AuditPart(RunPart):
    """A run by the machine, and what single documents count in it."""

    weights: dict[str, DocumentWeights]
    """By measure that is a sum over documents."""


A = TypeVar("A", bound=AuditPart)


def refuse_measures(track: Track, asked: HumanJudgments) -> None:
    """Refuse measures that a sample of documents does not tell of."""
    if asked.by_topics:
        for measure in track.measures:
            if not measure.averages:
                raise InputError(f"{measure} is no mean over topics, which a sample of topics tells of; leave it out")
        return
    # What a measure is made of shows with any run, before one is read.
    some = Lens(track.judgments, as_run({"": [""]}), track.pools, track.conventions)
    for measure in track.measures:
        if not is_sum(some, measure):
            raise InputError(
                f"{measure} is no sum over documents with a fixed divisor, which a sample of documents tells of; give "
                "people's judgments of whole topics, or a measure such as P@10, DCG@10 or RBP"
            )


def is_sum(lens: Lens, measure: Measure) -> bool:
    """Whether a score is a sum over documents of gain by weight, whatever else is relevant."""
    core = measure.core
    if not core.is_sum or core.deepens or core.skips_unjudged or not measure.averages:
        return False
    terms = tuple(core.terms(Rankings.single([1.0])))
    return all(term.weighs_gains for term in terms) and not rests_on_judgments(lens, measure)


def score_run(lens: Lens, measures: Sequence[Measure], *, kind: Callable[..., A] = AuditPart, **more: Any) -> A:  # type: ignore[assignment]
    """What is kept of a run; ``kind`` is the part of a question that keeps ``more``."""
    found = {str(measure): values(lens, measure) for measure in measures}
    weights = {str(measure): _weights(lens, measure) for measure in measures if is_sum(lens, measure)}
    return observe(lens, found, kind=kind, weights=weights, **more)


def _weights(lens: Lens, measure: Measure) -> DocumentWeights:
    choice = lens.conventions
    topic: list[Rows] = []
    document: list[Rows] = []
    weight: list[Floats] = []
    for r in lens.rankings(measure, ties=choice.order, unjudged=choice.assumed):
        depth = measure.depth(r)
        each = sum((_weight(term, r, depth) for term in measure.core.terms(r)), np.zeros(r.start.shape))
        below = measure.core.normaliser(r, depth)
        if below is not None:
            each = ratio(each, np.broadcast_to(below, each.shape).astype(np.float64), 0.0)
        row, slot = np.nonzero((r.judgment >= 0) & (each != 0))
        topic.append(r.topic[row])
        document.append(r.judgment[row, slot])
        weight.append(each[row, slot])
    at, which = np.concatenate(topic), np.concatenate(document)
    order = np.lexsort((which, at))
    return DocumentWeights(topics=at[order], document=which[order], weight=np.concatenate(weight)[order])


def _weight(term: Term, r: Rankings, depth: Rows) -> Floats:
    weight = term.factors(r, depth).weight
    if weight is None:
        raise AssertionError("a sum of gains has weights")
    return weight


def summarise(track: Track, parts: Sequence[AuditPart], asked: HumanJudgments) -> Audit:
    """What people would say of each run, and of pairs of them."""
    aim = asked.aim
    if aim.next and asked.by_topics:
        raise InputError("people judged whole topics; next= draws documents, and is for a sample of them")
    if aim.gate and aim.gate not in {part.run for part in parts}:
        there = ", ".join(part.run for part in parts)
        raise InputError(f"gate={aim.gate!r} is no run; there are {there}")
    estimates: list[Estimates] = [_estimates(track, parts, asked, measure) for measure in track.measures]
    by_documents = [one for one in estimates if isinstance(one, DocumentEstimates)]
    known, planned = (estimates, by_documents) if asked.is_judged else ([], [])
    takes, takes_random = (
        {} if aim.width is None else {str(one.measure): one.takes(aim.width, random=random) for one in planned}
        for random in (False, True)
    )
    return Audit(
        conventions=track.conventions,
        wanted=track.measures,
        topics=track.topics,
        scores=tuple(row for one in known for row in one.scores()),
        pairs=tuple(row for one in known for row in one.differences()),
        gates=tuple(row for one in known for row in one.passes()) if aim.gate else (),
        grades=tuple(row for one in planned for row in one.meanings()),
        plan=tuple(row for one in planned for row in one.plan()),
        to_judge=draw(track.judgments, _worth(by_documents), asked) if aim.next else None,
        confidence=aim.confidence,
        unit="" if not asked.is_judged else "topics" if asked.by_topics else "documents",
        judged=len(asked.topics) if asked.by_topics else len(asked.grade),
        population=len(track.topics) if asked.by_topics else len(track.judgments),
        width=aim.width,
        needed=takes,
        needed_random=takes_random,
        notices=(*asked.notes, *track.notes(parts)),
    )


def _worth(estimates: Sequence[DocumentEstimates]) -> Floats:
    """What the judgment of each document tells of the measures, all taken alike."""
    squares = [one.worth**2 for one in estimates]
    total: Floats = np.sqrt(sum((each / max(float(each.sum()), 1e-300) for each in squares), np.zeros(len(squares[0]))))
    return total


def _estimates(track: Track, parts: Sequence[AuditPart], asked: HumanJudgments, measure: Measure) -> Estimates:
    machine = np.array([part.values[str(measure)].summary(track.conventions) for part in parts])
    names = [part.run for part in parts]
    if asked.by_topics and asked.aim.people is not None:
        return _by_topics(track, parts, asked, asked.aim.people, measure, machine)
    weight = _weights_of_runs(track, parts, measure)
    gain = _gain(track, asked, measure)
    by, alone = (
        calibrate(grade, gain, asked.sample, weight)
        for grade in (track.judgments.grade, np.zeros(len(track.judgments)))
    )
    kept = np.array([len(part.values[str(measure)].kept(track.conventions)) for part in parts])
    return DocumentEstimates(measure, asked, names, machine, weight / np.maximum(kept, 1)[:, None], gain, by, alone)


def _weights_of_runs(track: Track, parts: Sequence[AuditPart], measure: Measure) -> Floats:
    """What each document that the machine judged counts in its topic, one row per run."""
    weight = np.zeros((len(parts), len(track.judgments)))
    for row, part in zip(weight, parts, strict=True):
        found = part.weights[str(measure)]
        row[found.document] = found.weight
    return weight


def _gain(track: Track, asked: HumanJudgments, measure: Measure) -> Floats:
    """What people's grades are worth."""
    return gain_of(asked.grade, measure.gain(pool_of(asked.aim.people or track.judgments)))


_FEW = 15.0
"""Documents of equal weight below which means of corrected scores are too skewed for intervals by Student's t."""


def thin(track: Track, parts: Sequence[AuditPart], asked: HumanJudgments) -> Iterator[Note]:
    """By measure, runs of which people judged few documents that count, and not all of them."""
    certain = asked.sample.unit[asked.sample.chance >= 1]
    for measure in track.measures:
        weight = _weights_of_runs(track, parts, measure)
        units = effective_units(weight, asked.sample)
        weight[:, certain] = 0.0
        few = units[weight.any(axis=1) & (units < _FEW)]
        if len(few):
            yield THIN(measure=str(measure), runs=len(few), least=float(few.min()))


def corrected(track: Track, parts: Sequence[AuditPart], asked: HumanJudgments) -> list[dict[str, Values]]:
    """By run and measure, scores of topics by the machine, corrected where people judged.

    Those of single topics may lie outside of the range of a measure. Their means, and how far these vary from topic to
    topic, are what people's judgments of everything would give on average: tests of means take them like any scores.
    """
    topic = stretches(track.judgments.offsets)
    found: list[dict[str, Values]] = [{} for _ in parts]
    for measure in track.measures:
        gain = _gain(track, asked, measure)
        weight = _weights_of_runs(track, parts, measure)
        by = calibrate(track.judgments.grade, gain, asked.sample, weight)
        for part, row, values_ in zip(parts, weight, found, strict=True):
            known = part.values[str(measure)]
            each = expanded(row, gain, by, asked.sample)
            total = np.bincount(topic, each, len(track.topics))[known.topics]
            values_[str(measure)] = known.instead(np.where(known.undefined, np.nan, total))
    return found


def _by_topics(
    track: Track, parts: Sequence[AuditPart], asked: HumanJudgments, people: Qrels, measure: Measure, machine: Floats
) -> TopicEstimates:
    """Runs scored by people, where they judged."""
    name = str(measure)
    theirs = replace(track, judgments=people, kept={}, counting=None)
    predicted = np.array([part.values[name].full(track.conventions, len(track.topics)) for part in parts])
    found = theirs.each(_valued)
    known = np.array([each[name].full(track.conventions, len(people.topics)) for each in found])
    # Topics that are in no mean by the machine are in none by people.
    kept = np.flatnonzero(~np.isnan(predicted).any(axis=0))
    chosen = np.intersect1d(asked.topics, kept)
    place = {topic: at for at, topic in enumerate(people.topics)}
    truth = known[:, [place[track.judgments.topics[topic]] for topic in chosen.tolist()]]
    if np.isnan(truth).any():
        raise InputError(f"{measure} has no value for topics that people judged; choose no_relevant='zero'")
    names = [part.run for part in parts]
    return TopicEstimates(measure, asked, names, machine, truth, predicted[:, kept], np.searchsorted(kept, chosen))


def _valued(lens: Lens, measures: Sequence[Measure]) -> dict[str, Values]:
    return {str(measure): values(lens, measure) for measure in measures}
