"""What the data at hand say about a choice, and where they contradict the answers that led to it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from truerank.conventions.axes import Conventions
from truerank.data.arrays import Floats, Keys, Rows, distinct
from truerank.data.judge import every_document
from truerank.data.notes import Note
from truerank.data.parts import part_field
from truerank.data.printing import counted, named, shown
from truerank.data.qrels import Preferences, Qrels
from truerank.measures.core.base import Measure
from truerank.questions.choose.guide import Reply
from truerank.questions.choose.question import Contradiction
from truerank.questions.evaluate.question import evaluate
from truerank.track.empty_topics import DIGITS, Undefined
from truerank.track.facts import UNJUDGED, RunPart, judged_share, listed_topics, notes, observe
from truerank.track.lens import Lens
from truerank.track.track import Progress, Track
from truerank.track.values import values

TOP = 10
"""Documents that are looked at where no depth was answered and ranks have weights."""
USUAL = Conventions()
TIED = 0.5
"""Share of documents from which on many are tied."""
MOST = 0.5
"""Share of pairs of runs from which on topics are few."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ChoosePart(RunPart):
    """A run: how long its lists are, what is in them, and how much of it is tied or unjudged."""

    lengths: Rows = part_field(merge="per topic")
    """Documents of each list."""
    sets: Keys = part_field(merge="per topic")
    """A number for the set of documents of each list, whatever their order."""
    shares: Floats = part_field(merge="per topic")
    """Share of judged documents in each list, down to the depth that counts."""
    documents: int = part_field(merge="sum")
    tied: int = part_field(merge="sum")

    @property
    def varies(self) -> bool:
        return len(distinct(self.lengths)) > 1

    @property
    def tied_share(self) -> float:
        return self.tied / max(self.documents, 1)

    @property
    def unjudged_share(self) -> float:
        """Share of unjudged documents down to the depth that counts."""
        return float(1.0 - self.shares[self.lists].sum() / self.lists.sum()) if self.lists.any() else 0.0

    @property
    def scores(self) -> Floats:
        [found] = self.values.values()
        return found.settled(USUAL)

    @property
    def ties_matter(self) -> bool:
        """Whether the order of ties can move a printed digit of the score."""
        [found] = self.values.values()
        ends = [found.summary(USUAL, end) for one in self.ties.values() for end in (one.low, one.high)]
        return len({f"{end:.{DIGITS}f}" for end in ends}) > 1


def score_run(lens: Lens, measures: Sequence[Measure], *, depth: int | None) -> ChoosePart:
    """What is kept of a run; ``depth`` is how far lists are looked at, None for all of each."""
    every, judged = every_document(lens.judged), lens.judged
    topics = listed_topics(lens)
    run, listed = judged.run, judged.run_topic[topics]
    # Sums of the keys of documents do not depend on their order.
    before: Keys = np.concatenate([np.zeros(1, np.uint64), np.cumsum(run.key, dtype=np.uint64)])
    return observe(
        lens,
        {str(measure): values(lens, measure) for measure in measures},
        kind=ChoosePart,
        lengths=judged.length[topics],
        sets=np.diff(before[run.offsets])[listed],
        shares=judged_share(lens, depth)[topics],
        documents=len(every.row),
        tied=int((every.size > 1).sum()),
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class Evidence:
    """A measure, the answers that led to it, and data that may contradict them."""

    replies: Mapping[str, Reply]
    """The answers that decided."""
    measure: Measure
    qrels: Qrels
    runs: tuple[ChoosePart, ...] = ()

    @property
    def depth(self) -> int | None:
        """How far lists are looked at; None for all of each."""
        if "depth" in self.replies:
            return math.ceil(self.replies["depth"])
        return TOP if self.replies["top"] else None

    def sets(self, run: ChoosePart) -> Keys:
        """A number for the set of documents that a run has for each judged topic, whatever their order."""
        sets = np.zeros(len(self.qrels.topics), np.uint64)
        sets[run.topics] = run.sets
        return sets

    @cached_property
    def relevant(self) -> Rows:
        before = np.concatenate([[0], np.cumsum(self.qrels.grade > 0)])
        return np.diff(before[self.qrels.offsets])

    @cached_property
    def grades(self) -> Floats:
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
        found = notes(self.qrels, USUAL, [self._untold(part) for part in self.runs])
        return tuple(note for note in found if not (self.needs_relevant and "highest" in note.facts))

    def _untold(self, part: ChoosePart) -> ChoosePart:
        [(name, found)] = part.values.items()
        empty = (self.relevant == 0)[found.topics] & found.undefined
        settled = replace(found, value=np.where(empty, np.nan_to_num(found.measure.counts_as), found.value))
        return replace(part, unjudged={}, values={name: settled})


def gathered(
    replies: Mapping[str, Reply], measure: Measure, qrels: Qrels, runs: Any, engine: Any, progress: Progress | None
) -> Evidence:
    """Look at judgments and at runs, one at a time."""
    evidence = Evidence(replies=replies, measure=measure, qrels=qrels)
    if runs is None or not evidence.readable:
        return evidence
    track = Track.of(qrels, runs, measure, {}, engine=engine)
    return replace(evidence, runs=tuple(track.each(score_run, progress=progress, depth=evidence.depth)))


def contradictions(evidence: Evidence) -> tuple[Contradiction, ...]:
    """All that was found, what contradicts an answer first."""
    checks = OF_LISTS if isinstance(evidence.qrels, Preferences) else (*OF_GRADES, *OF_LISTS)
    found = [
        replace(each, check=check.__name__.replace("_", "-"))
        for check in (checks if evidence.readable else (unreadable,))
        for each in check(evidence)
    ]
    return tuple(sorted(found, key=lambda each: each.severity == "info"))


def unreadable(evidence: Evidence) -> Iterator[Contradiction]:
    """Preferences, where grades are needed."""
    yield Contradiction(
        severity="error",
        message="these judgments are preferences between documents",
        effect=f"{evidence.measure} needs grades and cannot be computed",
        remedy="take PrefLoss (no to length and top, yes to graded), or give judgments with grades",
    )


def several_grades(evidence: Evidence) -> Iterator[Contradiction]:
    """Grades that were said to be there and are not, or that a measure ignores."""
    grades, graded = evidence.grades, evidence.replies.get("graded")
    if graded and len(grades) < 2:
        which = f"all relevant documents have grade {grades[0]:g}" if len(grades) else "no document is relevant"
        yield Contradiction(
            severity="warning",
            message=f"several grades were answered, but {which}",
            effect=f"{evidence.measure} has nothing to tell apart among them",
            remedy="answer no to graded, or give the judgments that have grades",
        )
    elif evidence.ignores_grades and len(grades) > 1:
        remedy = f"say from which grade on a document counts, as in {evidence.measure(rel=_short(grades[1]))}"
        yield Contradiction(
            severity="info" if graded is None else "warning",
            message=f"relevant documents have {len(grades)} grades, from {grades[0]:g} to {grades[-1]:g}",
            count=len(grades),
            effect=f"{evidence.measure} takes all of them to be alike",
            remedy=f"{remedy}, or answer yes to graded" if graded is not None else remedy,
        )


def no_relevant(evidence: Evidence) -> Iterator[Contradiction]:
    """Topics without a relevant document, where the measure has no value."""
    empty = np.flatnonzero(evidence.relevant == 0)
    if not len(empty) or not evidence.needs_relevant:
        return
    names = named([shown(evidence.qrels.topics[topic]) for topic in empty])
    yield Contradiction(
        severity="warning",
        message=f"{counted(len(empty), 'topic')} of {len(evidence.relevant):,} without relevant documents: {names}",
        count=len(empty),
        effect=f"{evidence.measure} is undefined there: {Undefined.of(evidence.measure, USUAL).fate}",
        remedy="leave them out (no_relevant='skip'); or, if an empty list is the right answer there, answer yes to "
        "length",
    )


def one_relevant(evidence: Evidence) -> Iterator[Contradiction]:
    """Topics that all have one relevant document, where it was asked how several count."""
    asked = [name for name in ("recall", "redundancy") if evidence.replies.get(name)]
    if not asked or len(evidence.relevant) < 2 or evidence.relevant.max(initial=0) != 1:
        return
    yield Contradiction(
        severity="warning",
        message="no topic has more than one relevant document",
        effect=f"there is nothing for {' and '.join(asked)} to count; {evidence.measure} sees the rank of one document",
        remedy="answer yes to single, and no to length, which leads to RR",
    )


def small_size(evidence: Evidence) -> Iterator[Contradiction]:
    """More judged documents than the collection is said to have."""
    judged = len(distinct(evidence.qrels.key))
    size = evidence.measure.collection
    if size is not None and size < judged:
        yield Contradiction(
            severity="warning",
            message=f"{judged:,} documents are judged, more than the {size:,} of the collection",
            effect="OIE takes what was not retrieved for less than it is",
            remedy="give the number of documents that were searched as size",
        )


def _short(grade: float) -> float:
    return int(grade) if grade == int(grade) else float(grade)


def lengths(evidence: Evidence) -> Iterator[Contradiction]:
    """Lists of one length where systems were said to choose it, or of several where they were not."""
    runs, counts = evidence.runs, evidence.replies["length"]
    if counts:
        fixed = [run for run in runs if not run.varies and len(run.lengths) > 1]
        if fixed:
            yield Contradiction(
                severity="warning",
                message=f"{_runs_concerned(fixed, runs)}: all lists have the same length, {_named(fixed, _longest)}",
                count=len(fixed),
                effect="such a system did not choose where to stop, and cannot gain by it",
                remedy="answer no to length; or see where to stop with: truerank truncate",
            )
        return
    cutoff = evidence.measure.cutoff
    if cutoff is not None:
        short = [run for run in runs if run.lengths.min(initial=cutoff) < cutoff]
        if short:
            lists = sum(int((run.lengths < cutoff).sum()) for run in short)
            yield Contradiction(
                severity="warning",
                message=f"{_runs_concerned(short, runs)}: {counted(lists, 'list')} shorter than {cutoff}, "
                f"{_named(short, _shortest)}",
                count=lists,
                effect="the ranks that a list lacks count as not relevant",
                remedy="answer yes to length if systems chose to stop; otherwise give all runs longer lists",
            )
        return
    uneven = [run for run in runs if run.varies]
    if uneven:
        yield Contradiction(
            severity="warning",
            message=f"{_runs_concerned(uneven, runs)}: lists differ in length, {_named(uneven, _between)}",
            count=len(uneven),
            effect="what a list leaves out counts as not retrieved, and stopping early is never an advantage",
            remedy="answer yes to length if systems chose to stop",
        )


def other_documents(evidence: Evidence) -> Iterator[Contradiction]:
    """Runs that do not order the same documents, where only their order was to count."""
    runs = evidence.runs
    if evidence.replies["top"] or evidence.replies["length"] or len(runs) < 2:
        return
    unlike = [run for run in runs if (evidence.sets(run) != evidence.sets(runs[0])).any()]
    if unlike:
        yield Contradiction(
            severity="warning",
            message=f"{runs[0].run} and {unlike[0].run} do not list the same documents",
            count=len(unlike),
            effect="which documents were found counts as much as their order",
            remedy="rank the same documents with all systems, or answer yes to top",
        )


def many_ties(evidence: Evidence) -> Iterator[Contradiction]:
    """Runs that leave much of their order open, where that can move the score."""
    tied = [run for run in evidence.runs if run.tied_share >= TIED and run.ties_matter]
    if tied:
        effect = f"{evidence.measure} is of an order that the run does not have"
        if evidence.measure.shares_last_rank:
            effect += "; all tied documents take the last rank of theirs"
        yield Contradiction(
            severity="warning",
            message=f"{_runs_concerned(tied, evidence.runs)}: half of the documents or more are tied, "
            f"{_named(tied, _tied)}",
            count=len(tied),
            effect=effect,
            remedy="write scores with all their digits; see what ties do with: truerank ties",
        )


def many_unjudged(evidence: Evidence) -> Iterator[Contradiction]:
    """Documents that readers see and nobody judged."""
    if evidence.measure.needs == "preferences":
        return
    where = "listed" if evidence.depth is None else f"among the first {evidence.depth:,}"
    unjudged = [run for run in evidence.runs if run.unjudged_share >= UNJUDGED]
    if unjudged:
        yield Contradiction(
            severity="warning",
            message=f"{_runs_concerned(unjudged, evidence.runs)}: {UNJUDGED:.0%} or more of the documents {where} are "
            f"unjudged, {_named(unjudged, _unjudged)}",
            count=len(unjudged),
            effect="they count as not relevant, and as costs"
            if evidence.replies["length"]
            else "they count as not relevant",
            remedy="see what they could change with: truerank unjudged; or evaluate with --unjudged bounds",
        )


def few_topics(evidence: Evidence) -> Iterator[Contradiction]:
    """Differences between runs that are smaller than so many topics can show."""
    runs = evidence.runs
    if len(runs) < 2:
        return
    from truerank.statistics.power import plan

    values = np.array([run.scores for run in runs])
    if values.shape[1] < 2 or not np.isfinite(values).all():
        return
    pair = np.triu_indices(len(runs), 1)
    needed = plan(values).detectable[pair]
    mean = values.mean(axis=1)
    small = np.abs(mean[pair[0]] - mean[pair[1]]) < needed
    if small.mean() > MOST:
        yield Contradiction(
            severity="info",
            message=f"with {counted(values.shape[1], 'topic')}, {int(small.sum()):,} of {counted(len(needed), 'pair')} "
            "of runs differ by less than a t-test finds in four of five cases",
            count=int(small.sum()),
            effect=f"differences in {evidence.measure} below {np.median(needed):.4f} are hard to tell from chance",
            remedy="test them with: truerank compare; or judge more topics",
        )


def _runs_concerned(concerned: list[ChoosePart], runs: tuple[ChoosePart, ...]) -> str:
    return concerned[0].run if len(concerned) == 1 else f"{len(concerned)} of {counted(len(runs), 'run')}"


def _named(runs: list[ChoosePart], said: Callable[[ChoosePart], tuple[float, str]]) -> str:
    """What is said of the run where it is most."""
    worst = max(runs, key=lambda run: said(run)[0])
    return f"{said(worst)[1]} in {worst.run}" if len(runs) > 1 else said(worst)[1]


def _longest(run: ChoosePart) -> tuple[float, str]:
    return 0, f"{int(run.lengths[0]):,}"


def _shortest(run: ChoosePart) -> tuple[float, str]:
    return -float(run.lengths.min()), f"down to {int(run.lengths.min()):,}"


def _between(run: ChoosePart) -> tuple[float, str]:
    low, high = int(run.lengths.min()), int(run.lengths.max())
    return high - low, f"from {low:,} to {high:,}"


def _tied(run: ChoosePart) -> tuple[float, str]:
    return run.tied_share, f"{run.tied_share:.0%}"


def _unjudged(run: ChoosePart) -> tuple[float, str]:
    return run.unjudged_share, f"{run.unjudged_share:.0%}"


Check = Callable[[Evidence], Iterator[Contradiction]]
OF_GRADES: tuple[Check, ...] = (several_grades, no_relevant, one_relevant, small_size)
OF_LISTS: tuple[Check, ...] = (lengths, other_documents, many_ties, many_unjudged, few_topics)
