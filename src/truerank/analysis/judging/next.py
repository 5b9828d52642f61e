"""What to judge next: the documents whose judgments would narrow bounds most."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from truerank.analysis.judging.additive import is_additive, weights
from truerank.analysis.judging.hypothetical import Question, answered
from truerank.analysis.judging.scores import widths
from truerank.analysis.pairs import EQUAL
from truerank.analysis.reading import read
from truerank.analysis.views import Views, ending_of
from truerank.conventions.choices import Conventions
from truerank.conventions.ending import until_nil, without_nil
from truerank.conventions.reading import answers, listed
from truerank.conventions.ties import topics_of
from truerank.data.arrays import Floats, Rows, offsets
from truerank.data.block import Pool, pool_of
from truerank.data.errors import InputError
from truerank.data.ids import Ids, text
from truerank.data.judge import every_document, judge
from truerank.data.qrels import Qrels, collect
from truerank.io.runs import Named
from truerank.measures.core.base import Measure

DEPTH = 100
"""How deep unjudged documents are looked for, for a measure without a cutoff."""


@dataclass(frozen=True)
class Judgment:
    """A document to judge, and by how much that would narrow what is open in its topic, summed over the runs."""

    topic: str
    doc: str
    gain: float
    """The mean of what is gained if it is not relevant and if it is."""
    if_nonrelevant: float
    if_relevant: float
    """Of the grade that is worth most to the measure."""
    ranks: dict[str, int]
    """Where runs list it, the highest first; of tied ranks the first."""

    def as_dict(self) -> dict[str, Any]:
        """Everything by name."""
        ranks = " ".join(f"{run}:{rank}" for run, rank in self.ranks.items())
        names = ("topic", "doc", "gain", "if_nonrelevant", "if_relevant")
        return {**{name: getattr(self, name) for name in names}, "ranks": ranks}


class Candidates:
    """Unjudged documents that some run lists high enough, by topic of the judgments."""

    def __init__(self, measure: Measure, depth: int | None) -> None:
        if not measure.has_bounds:
            raise InputError(f"{measure} has no bounds to narrow; ask for a measure that has, such as RBP, first")
        if measure.needs_pool:
            raise InputError(f"{measure} depends on the pool, which a judgment changes; ask for another measure first")
        self.measure = measure
        self.depth = depth or measure.cutoff or DEPTH
        self._found: dict[int, set[bytes]] = {}

    def add(self, views: Views) -> None:
        """Look through a run."""
        every = every_document(views.judged, self.depth)
        unknown = every.judgment < 0
        if views.choice.negative == "unjudged":
            unknown |= every.grade < 0
        some = np.flatnonzero(unknown & (every.above < self.depth))
        for topic, doc in zip(
            topics_of(every)[some].tolist(), views.run.docs.take(every.row[some]).tolist(), strict=True
        ):
            self._found.setdefault(topic, set()).add(doc)

    def __len__(self) -> int:
        return sum(map(len, self._found.values()))

    def as_qrels(self, judgments: Qrels) -> tuple[Qrels, Rows]:
        """The documents as if judged, so that they can be looked up in runs, and the topic of each."""
        topics = sorted(self._found)
        docs = [sorted(self._found[topic]) for topic in topics]
        count = np.array(list(map(len, docs)), np.int64)
        names = [judgments.topics[topic] for topic in topics]
        packed = Ids.pack([doc for some in docs for doc in some])
        found = collect(names, offsets(count), packed, np.zeros(len(packed)))
        return found, np.repeat(np.array(topics, np.int64), count)


def judge_next(
    candidates: Candidates,
    judgments: Qrels,
    runs: Iterable[Named],
    choice: Conventions,
    count: int,
    progress: Callable[[str], object] | None = None,
) -> tuple[Judgment, ...]:
    """The documents whose judgments would narrow bounds most, best first."""
    if not len(candidates):
        return ()
    ends = ending_of(candidates.measure, choice) != "none" and choice.nil == "end"
    judgments = without_nil(judgments) if ends else judgments
    pool = pool_of(answers(judgments, choice), negative_judged=choice.negative == "judged")
    wanted, topic = candidates.as_qrels(judgments)
    gains = np.zeros((2, len(topic)))
    ranks: dict[str, Rows] = {}
    for each in runs:
        whole = each.read()
        # Where the end of a list is an answer, so is a NIL: what it cuts off is not asked for.
        run = until_nil(listed(whole, choice), choice.precision) if ends else whole
        views = Views(judgments, run, pool, choice, candidates.measure.cutoff or 0, whole=whole)
        found = judge(wanted, views.run, precision=choice.precision)
        ranks[each.name] = np.zeros(len(topic), np.int64)
        ranks[each.name][found.judgment] = found.above + 1
        asked = Question(topic[found.judgment], found.row, found.above, found.size)
        gains += _gains(views, pool, candidates.measure, topic, asked, found.judgment)
        if progress is not None:
            progress(each.name)
    gain = gains.mean(axis=0)
    best = np.argsort(-np.round(gain / EQUAL), kind="stable")[:count]
    docs = wanted.docs.take(best).tolist()
    return tuple(
        Judgment(
            topic=text(judgments.topics[int(topic[at])]),
            doc=text(doc),
            gain=float(gain[at]),
            if_nonrelevant=float(gains[0, at]),
            if_relevant=float(gains[1, at]),
            ranks=dict(sorted(((n, int(rank[at])) for n, rank in ranks.items() if rank[at]), key=lambda one: one[1])),
        )
        for at, doc in zip(best.tolist(), docs, strict=True)
        if gain[at] > EQUAL
    )


def _gains(views: Views, pool: Pool, measure: Measure, topic: Rows, asked: Question, candidate: Rows) -> Floats:
    """What each candidate would narrow the bounds of a run by: if it is not relevant, and if it is."""
    if is_additive(views, measure):
        gains = np.zeros((2, len(topic)))
        gains[:, candidate] = weights(views, measure, asked)
        return gains
    counts = np.zeros(len(views.judged.length), bool)
    counts[views.topics] = True
    before = np.zeros(len(counts))
    before[views.topics] = widths(read(views, measure), views)
    # A document that the run does not list may still change what is divided by.
    present = np.flatnonzero(np.bincount(topic, minlength=len(counts)) * counts)
    nowhere = np.full(len(present), -1)
    unlisted = Question(present, nowhere, nowhere, nowhere)
    kept = np.flatnonzero(counts[asked.topic])
    asked, candidate = asked.take(kept), candidate[kept]
    gains = np.zeros((2, len(topic)))
    for outcome, grade in enumerate((0.0, views.top_grade(measure))):
        otherwise = before.copy()
        otherwise[present] = _widths(views, pool, measure, unlisted, grade)
        gains[outcome] = (before - otherwise)[topic]
        gains[outcome, candidate] = before[asked.topic] - _widths(views, pool, measure, asked, grade)
    return gains


def _widths(views: Views, pool: Pool, measure: Measure, question: Question, grade: float) -> Floats:
    found = np.zeros(len(question))
    for part in question.parts(views.judged, measure.cutoff):
        judged = answered(views, pool, question.take(part), grade, measure.cutoff)
        found[part] = widths(read(judged, measure), judged)
    return found
