"""What a reader of scores should know: absent topics, undefined values, ties that matter, unjudged documents."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import partial
from typing import Any, TypeVar
from weakref import ref

import numpy as np

from truerank.conventions.axes import Conventions
from truerank.data.arrays import Floats, Mask, Rows
from truerank.data.chances import Chances
from truerank.data.classes import dataclass
from truerank.data.draws import DRAWS
from truerank.data.ids import text
from truerank.data.judges import Judges
from truerank.data.notes import ONLY_RELEVANT, Code, Later, Note, read_notes
from truerank.data.parts import Part, part_field
from truerank.data.qrels import Qrels
from truerank.data.run import Noted
from truerank.measures.core.base import Measure
from truerank.track.empty_topics import DIGITS, EmptyTopics, Undefined, concerns, empty_notes, highest
from truerank.track.lens import Lens
from truerank.track.pools import JudgmentPools
from truerank.track.swapped import REMEDY, RunShape, run_shape, suspicion
from truerank.track.values import Values

P = TypeVar("P", bound=Part)
UNJUDGED = 0.1
"""Share of unjudged documents from which on it is worth a note."""
UNREAD = 16
"""Runs that wait for somebody to read what the order of their ties could do."""
SMALL = 10_000
"""Judged documents and judgments up to which a run waits: they take little memory, and working it out much of the time
of a call."""
ALONE = 3
"""Runs up to which each has a note of its own."""

MAY_BE = f"judgments and run may be swapped; {REMEDY}"

READ_JUDGMENTS = Code("TR101", "what was guessed or made up when the judgments were read", "{read}", sure=True)
READ_RUN = Code("TR102", "what was guessed or made up when a run was read", "{read}", sure=True)
MISSING = Code(
    "TR103",
    "judged topics that a run leaves out",
    sure=True,
    consequence=0.3,
    empty="{topics:topic} ({missing:names}) of {judged} missing: counted as empty lists",
    skip="{topics:topic} ({missing:names}) of {judged} missing: left out of the mean",
    most_empty="lists {lists:,} of {judged:judged topic}; the others count as empty lists",
    most_skip="lists {lists:,} of {judged:judged topic}; the others are left out",
)
IGNORED = Code("TR105", "topics of a run without judgments", "{topics:topic} without judgments: ignored", sure=True)
NOTHING_JUDGED = Code("TR106", "a run of which no document is judged", "no document is judged; check that ids match")
TIES = Code(
    "TR107",
    "scores that the order of ties can move by a printed digit",
    "the order of ties can move {measure} from {low:.4f} to {high:.4f}[ (and {others:other measure})]",
    runs="the order of ties can move a printed digit of {runs:run}; most in {run}: {measure} from {low:.4f} to "
    "{high:.4f}",
    brief="[ties move {runs} of {of:run}, most {run}: {measure} {low:.4f} to {high:.4f}]",
    command="truerank ties",
)
UNJUDGED_SHARE = Code(
    "TR108",
    "a large share of unjudged documents down to a cutoff",
    "{shares}",
    likelihood=0.5,
    consequence=0.3,
    command="truerank unjudged",
    together="up to {share:.0%} of the top {cutoff} documents are unjudged in {count} runs (most: {run:quoted})",
    worst="share",
    each={"shares": "{share:.0%} of the top {cutoff} documents are unjudged"},
)
SAMPLED = Code(
    "TR109",
    "scores that are means over a sample: of the orders of ties, or of random judgments",
    "{sampled}",
    judgments="{drawn}",
    each={
        "sampled": "{measure} sampled over orders of ties, standard error {std_error:.2g}",
        "drawn": "{measure} is the mean over {draws:,} draws of judgments, standard error {std_error:.2g}",
    },
)
UNBOUNDED = Code(
    "TR110",
    "measures without bounds, where bounds were asked for",
    "{measures:names}: unjudged documents give no bounds",
    ties="{measures:names}: unjudged documents give no bounds; unjudged=nonrelevant gives those over ties",
    sure=True,
)
JUDGED = Code(
    "TR114",
    "judges who did not judge the same pairs of topic and document",
    "{pairs:pair} judged, {common:,} of them by all judges: {by_judge}",
    each={"by_judge": "{judge} {pairs:,}"},
)
ASSUMED = Code("TR111", "what a measure takes for granted because it was not told", "{measure}: {assumes}", sure=True)
SWAPPED = Code(
    "TR119",
    "judgments and a run that may be swapped",
    values=f"there are more than {{most}} different grades, and the only scores are {{scores:names}}: {MAY_BE}",
    grades=f"each topic has {{relevant}} relevant documents, and the only scores are {{scores:names}}: {MAY_BE}",
    lists=f"each topic has {{relevant}} relevant documents, and the run lists {{listed:.3g}} per topic: {MAY_BE}",
)
ASKED = Code(
    "TR118",
    "which of the judged topics were asked for",
    "{topics:,} of {judged:judged topic}, as asked",
    unknown="{topics:,} of {judged:judged topic}, as asked; {absent:topic|topics} {unknown:names} {absent:is|are} not "
    "judged",
    sure=True,
)


@dataclass(frozen=True, eq=False, kw_only=True)
class Ends(Part):
    """The worst and best order of ties, topic by topic."""

    low: Floats = part_field(merge="per topic")
    high: Floats = part_field(merge="per topic")


class UnreadEnds(Mapping[str, Ends]):
    """By measure, the worst and best order of ties in a run, worked out when somebody reads them.

    Until then the judged documents of the run stay in memory. So that they are few whoever keeps answers, the last
    ``UNREAD`` runs wait at most; those before them are worked out, unless nobody has them any more. Where they are
    sent, they are worked out.
    """

    def __init__(self, lens: Lens, values: Mapping[str, Values]) -> None:
        self._of: tuple[Lens, Mapping[str, Values], Noted] | None = lens.lean(), values, lens.run.noted
        self._ends: dict[str, Ends] = {}
        _unread.append(ref(self))
        if len(_unread) > UNREAD and (before := _unread.popleft()()) is not None:
            before.read()

    def read(self) -> dict[str, Ends]:
        """What other orders of ties would give; the documents are let go."""
        # Another thread may read them at the same time, and finds the same.
        of = self._of
        if of is not None:
            self._ends = dict(_tie_ends(*of))
            self._of = None
        return self._ends

    def __getitem__(self, measure: str) -> Ends:
        return self.read()[measure]

    def __iter__(self) -> Iterator[str]:
        return iter(self.read())

    def __len__(self) -> int:
        return len(self.read())

    def __reduce__(self) -> tuple[type[dict[str, Ends]], tuple[dict[str, Ends]]]:
        return dict, (self.read(),)


_unread: deque[ref[UnreadEnds]] = deque()


@dataclass(frozen=True, eq=False, kw_only=True)
class RunPart(Part):
    """What is kept of a run: its values, and what is to be known of them; its topics are the judged ones it lists."""

    run: str
    values: dict[str, Values]
    """By measure; of the topics that count."""
    judged: int = part_field(merge="sum")
    """Documents of the run that are judged."""
    ignored: int = part_field(merge="sum")
    """Topics of the run without judgments."""
    unjudged: dict[int, Floats] = part_field(merge="per topic")
    """By cutoff, the share of unjudged documents in each list."""
    lists: Mask = part_field(merge="per topic")
    """Which of the topics count and have documents."""
    ties: Mapping[str, Ends]
    """By measure, what other orders of ties would give; of measures whose extremes are sorts."""
    shape: RunShape
    """What about it looks like judgments, if these look like a run."""
    notes: tuple[str, ...] = part_field(merge="union")
    """What was guessed or made up when the run was read."""
    others: dict[str, Values] = field(default_factory=dict)
    """By each judge at hand who does not count, the values of the first measure, where there are such judges."""


@dataclass(frozen=True, eq=False, kw_only=True)
class JudgesPart(Part):
    """What is kept of a run by each judge."""

    by_judge: dict[str, RunPart]


def listed_topics(lens: Lens) -> Rows:
    """The judged topics that a run lists, those of its part."""
    return np.flatnonzero(lens.judged.run_topic >= 0)


def observe(
    lens: Lens,
    values: Mapping[str, Values],
    *,
    ties: bool = True,
    later: bool = False,
    kind: Callable[..., P] = RunPart,  # type: ignore[assignment]
    **more: Any,
) -> P:
    """Look at a run and its values; ``ties`` also at what other orders of ties would give, ``later`` if it is small.

    ``kind`` is the part of a question that keeps ``more`` of a run.
    """
    listed = listed_topics(lens)
    counts = np.zeros(len(lens.judged.run_topic), np.bool_)
    counts[lens.topics] = True
    cutoffs = sorted({found.measure.cutoff for found in values.values() if found.measure.cutoff})
    return kind(
        topics=listed,
        run=lens.name,
        values=dict(values),
        judged=len(lens.judged.row),
        ignored=len(lens.run.topics) - len(listed) - _not_asked(lens),
        unjudged={k: 1.0 - judged_share(lens, k)[listed] for k in cutoffs},
        lists=(lens.joined(lens.conventions.ending).length[listed] > 0) & counts[listed],
        ties=_ends(lens, values, later=later) if ties and not lens.has_many_judgments else {},
        shape=run_shape(lens.run, lens.judgments, listed),
        notes=lens.run.notes,
        **more,
    )


def _not_asked(lens: Lens) -> int:
    """How many topics of a run are judged, and were not asked for."""
    rest = lens.judgments.rest
    return 0 if rest is None else len({*lens.run.topics} & {*rest.judgments.topics})


def _ends(lens: Lens, values: Mapping[str, Values], *, later: bool) -> Mapping[str, Ends]:
    if lens.conventions.tie_bounds:
        return {}
    if later and lens.tied and _may_wait(lens, values):
        return UnreadEnds(lens, values)
    return dict(_tie_ends(lens, values, lens.run.noted))


def _may_wait(lens: Lens, values: Mapping[str, Values]) -> bool:
    """Whether it is only a few judged documents that have to wait."""
    # Pieces of a run are put together at once, and are not to be in memory all at a time.
    if lens.has_some_topics or len(lens.judged.row) + len(lens.judgments.grades) > SMALL:
        return False
    judged_alone = all(found.measure.needs != "every document" for found in values.values())
    return judged_alone and not lens.conventions.unjudged_bounds


def _tie_ends(lens: Lens, values: Mapping[str, Values], noted: Noted) -> Iterable[tuple[str, Ends]]:
    for name, found in values.items():
        if not found.measure.sorts_ties:
            continue  # Its extremes have to be searched for, which a note is not worth.
        low = high = found.value
        if lens.tied:
            low, high = _kept_ends(lens, found, noted)
        yield name, Ends(topics=found.topics, low=low, high=high)


def _kept_ends(lens: Lens, found: Values, noted: Noted) -> tuple[Floats, Floats]:
    """The values of the worst and the best order of ties, which a run keeps for the next call."""
    # The pool is that of the judgments, unless a measure asks which runs made it, or what if it were another.
    kept = next((ends for pool, ends in noted if pool is lens.pool), None)
    if kept is None:
        kept = {}
        noted[:] = [(lens.pool, kept)]
    key = (found.measure, lens.conventions, found.topics.tobytes())
    if key not in kept:
        orders = [lens.estimate(found.measure, ties=order).value for order in ("worst", "best")]
        # A measure with an answer of its own to ties may lie outside both.
        low, high = (end.reduce([found.value, *orders]) for end in (np.fmin, np.fmax))
        kept[key] = low, high
    return kept[key]


def judged_share(lens: Lens, cutoff: int | None = None) -> Floats:
    """Share of judged documents among the first ``cutoff`` of each judged topic, or in whole lists; 0 in empty ones.

    Tied documents count by their chance to stand so high.
    """
    joined = lens.joined(lens.conventions.ending)
    topic = np.repeat(np.arange(len(joined.length)), np.diff(joined.offsets))
    depth = joined.length if cutoff is None else np.minimum(joined.length, cutoff)
    within = np.clip(depth[topic] - joined.above, 0, joined.size) / joined.size
    if not lens.conventions.negative_judged:
        within = np.where(joined.grade < 0, 0.0, within)
    count = np.bincount(topic, within, minlength=len(depth))
    share: Floats = np.divide(count, depth, out=np.zeros(len(depth)), where=depth > 0)
    return share


def notes(judgments: Qrels, choice: Conventions, parts: Sequence[RunPart]) -> tuple[Note, ...]:
    """One note for each thing worth knowing, however many runs it is true of."""
    return read_notes(unread_notes(judgments, choice, parts))


def unread_notes(judgments: Qrels, choice: Conventions, parts: Sequence[RunPart]) -> tuple[Note | Later, ...]:
    """The same, where what ties could do is left for later if nobody worked it out yet."""
    return (
        *_each(parts, lambda part: _swapped(judgments, part)),
        *_each(parts, lambda part: _missing(judgments, choice, part, most=True)),
        *_each(parts, _nothing_judged),
        *of_judgments(judgments),
        *_each(parts, lambda part: READ_RUN(read="; ".join(part.notes)) if part.notes else None),
        *_undefined(judgments, choice, parts),
        *_each(parts, lambda part: _missing(judgments, choice, part, most=False)),
        *_each(parts, _ignored),
        *_unread_ties(choice, parts),
        *_of_unjudged(judgments, parts),
        *_each(parts, lambda part: _sampled(judgments, choice, part)),
        *_measures(choice, [found.measure for found in parts[0].values.values()] if parts else []),
    )


def by_judges(judges: Judges) -> Iterable[Note]:
    """How far judges judged the same."""
    if judges.common.all():
        return
    each = {name: int(judged.sum()) for name, judged in zip(judges.names, judges.judged, strict=True)}
    yield JUDGED(
        pairs=len(judges.pairs),
        common=int(judges.common.sum()),
        judges=each,
        by_judge=[{"judge": name, "pairs": count} for name, count in each.items()],
    )


def of_judgments(judgments: Qrels) -> Iterator[Note]:
    """What there is to know about judgments: how they were read, and whether all of them were asked for."""
    yield from (READ_JUDGMENTS(read=one) for one in judgments.notes)
    if judgments.rest is not None:
        count, unknown = len(judgments.topics), judgments.rest.unknown
        every = count + len(judgments.rest.judgments.topics)
        yield ASKED("unknown" if unknown else "", topics=count, judged=every, unknown=unknown, absent=len(unknown))


def _swapped(judgments: Qrels, part: RunPart) -> Note | None:
    found = suspicion(judgments, part.shape)
    return None if found is None else SWAPPED(found.form, **found.facts).urgently()


def _missing(judgments: Qrels, choice: Conventions, part: RunPart, *, most: bool) -> Note | None:
    """What a run leaves out, if that is ``most`` of the topics; or, without it, if it is not."""
    absent = np.ones(len(judgments.topics), np.bool_)
    absent[part.topics] = False
    if not absent.any() or (2 * absent.sum() > len(absent)) != most:
        return None
    missing, every = np.flatnonzero(absent), len(judgments.topics)
    note = MISSING(
        f"most_{choice.missing}" if most else choice.missing,
        topics=len(missing),
        missing=[text(judgments.topics[topic]) for topic in missing],
        lists=every - len(missing),
        judged=every,
        counted=choice.missing,
    )
    return note.urgently() if most else note


def _ignored(part: RunPart) -> Note | None:
    return IGNORED(topics=part.ignored) if part.ignored else None


def _nothing_judged(part: RunPart) -> Note | None:
    return None if part.judged else NOTHING_JUDGED().urgently()


def _empty(judgments: Qrels, choice: Conventions, parts: Sequence[RunPart]) -> Iterator[EmptyTopics]:
    """Topics without relevant documents, with the measures that they are left out of, undefined for, or 0 by."""
    measures = {name: found.measure for name, found in (parts[0].values.items() if parts else ())}
    pools = JudgmentPools(judgments, (), ())
    for name, measure in measures.items():
        # Topics are skipped by all measures together; otherwise each has empty ones of its own.
        empty = ~pools.with_relevant(choice, [*measures.values()] if choice.skips_undefined else [measure])
        if not empty.any():
            continue
        values = [part.values[name] for part in parts]
        found = np.concatenate([one.value[empty[one.topics]] for one in values])
        undefined = bool(np.isnan(found).all()) and not choice.counts_undefined
        if (undefined and choice.skips_undefined) or (len(found) and (undefined or concerns(measure, choice))):
            ends = [highest(measure, empty[one.topics], one.lengths, choice) for one in values]
            yield EmptyTopics(measure, empty, max((end for end in ends if end is not None), default=None))


def _undefined(judgments: Qrels, choice: Conventions, parts: Sequence[RunPart]) -> Iterable[Note]:
    """Topics without relevant documents; then values that are undefined for other reasons.

    There is one sentence for all measures that lack the same in the same topics.
    """
    every = parts[0].values if parts else {}
    empty = [*_empty(judgments, choice, parts)]
    if empty:
        yield from empty_notes(empty, [*map(text, judgments.topics)], choice, measures=len(every))
    known = {name: np.zeros(len(judgments.topics), np.bool_) for name in every}
    known |= {str(one.measure): one.empty for one in empty}
    found: dict[tuple[tuple[int, ...], Undefined], dict[str, None]] = {}
    for part in parts:
        for name, one in part.values.items():
            absent = tuple(one.topics[one.undefined & ~known[name][one.topics]].tolist())
            if absent:
                found.setdefault((absent, Undefined.of(one.measure, choice)), {})[name] = None
    alike: dict[tuple[tuple[str, ...], Undefined], list[list[str]]] = {}
    for (absent, undefined), measures in found.items():
        names = [text(judgments.topics[topic]) for topic in absent]
        alike.setdefault((tuple(measures), undefined), []).append(names)
    for (measures_, undefined), different in alike.items():
        most = max(map(len, different))
        if len(different) > ALONE:
            # They are others for every run.
            least = min(map(len, different))
            yield undefined.note(measures_, different[0], most, len(judgments.topics), least=least)
            continue
        for topics in different:
            # Where a run has no value in any topic, leaving topics out helps nobody.
            of = len(judgments.topics) if most < len(judgments.topics) else len(topics)
            yield undefined.note(measures_, topics, len(topics), of)


def _unread_ties(choice: Conventions, parts: Sequence[RunPart]) -> Iterable[Note | Later]:
    make = partial(_ties, choice, [(part.run, part.values, part.ties) for part in parts])
    return (Later(make),) if any(isinstance(part.ties, UnreadEnds) for part in parts) else make()


def _ties(choice: Conventions, runs: Sequence[tuple[str, Mapping[str, Values], Mapping[str, Ends]]]) -> Iterator[Note]:
    moved = []
    for run, values, ties in runs:
        for name, ends in ties.items():
            if ends.low is ends.high:
                continue  # Nothing is tied.
            low, high = sorted(values[name].summary(choice, end) for end in (ends.low, ends.high))
            if f"{low:.{DIGITS}f}" != f"{high:.{DIGITS}f}":
                moved.append((high - low, run, name, low, high))
    if not moved:
        return
    _, run, measure, low, high = max(moved, key=lambda one: one[0])
    count = len({name for _, name, *_ in moved})
    facts = {"runs": count, "run": run, "measure": measure, "low": low, "high": high}
    value = next(values[measure].value for name, values, _ in runs if name == run)
    far = bool(high - low > np.nanstd(value) / np.sqrt(len(value)))
    weight = {"consequence": 0.3 if far else 0.1, "share": count / len(runs)}
    if len(runs) > 1:
        yield TIES("runs", **facts, of=len(runs)).weighed(**weight)
    else:
        yield TIES(**facts, of=None, others=len(moved) - 1 or None).weighed(**weight)


def _of_unjudged(judgments: Qrels, parts: Sequence[RunPart]) -> Iterable[Note]:
    """How much is not judged; of judgments that name relevant documents only, that this is not known."""
    shares = [*_each(parts, _unjudged)]
    return [ONLY_RELEVANT()] if shares and judgments.only_relevant else shares


def _unjudged(part: RunPart) -> Note | None:
    if not part.lists.any():
        return None
    means = {k: float(shares[part.lists].sum() / part.lists.sum()) for k, shares in part.unjudged.items()}
    large = {k: share for k, share in means.items() if share >= UNJUDGED}
    if not large:
        return None
    shares = [{"cutoff": k, "share": share} for k, share in large.items()]
    cutoff, share = max(large.items(), key=lambda one: one[1])
    return UNJUDGED_SHARE(shares=shares, cutoff=cutoff, share=share, **{f"top_{k}": one for k, one in large.items()})


def _sampled(judgments: Qrels, choice: Conventions, part: RunPart) -> Note | None:
    errors = {name: found.std_error for name, found in part.values.items() if found.error.any()}
    if not errors:
        return None
    if choice.averages_judgments and isinstance(judgments, Chances):
        drawn = [{"measure": name, "draws": DRAWS, "std_error": error} for name, error in errors.items()]
        return SAMPLED("judgments", drawn=drawn, **errors)
    return SAMPLED(sampled=[{"measure": name, "std_error": error} for name, error in errors.items()], **errors)


def _measures(choice: Conventions, measures: Sequence[Measure]) -> Iterable[Note]:
    unbounded = [str(measure) for measure in measures if choice.unjudged_bounds and not measure.has_bounds]
    if unbounded:
        yield UNBOUNDED("ties" if choice.tie_bounds else "", measures=unbounded)
    for measure in measures:
        if measure.assumes:
            yield ASSUMED(measure=str(measure), assumes=measure.assumes)


def _each(parts: Sequence[RunPart], say: Callable[[RunPart], Note | None]) -> Iterable[Note]:
    """What is true of some of the runs: of a single one without its name, of many the worst, if known."""
    true = [(part.run, note) for part in parts if (note := say(part))]
    if len(parts) == 1:
        yield from (note for _, note in true)
    elif len(true) > ALONE and (kind := true[0][1].kind) is not None and kind.together:
        found = kind.merged([note.about(run, run=run) for run, note in true])
        yield found.weighed(facts={**found.facts, "runs": len(true)})
    elif len(true) > ALONE:
        run, note = true[0]
        yield note.about(f"{len(true)} runs, such as {run}", run=run, runs=len(true))
    else:
        yield from (note.about(run, run=run) for run, note in true)
