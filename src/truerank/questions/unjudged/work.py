"""What is looked at in each run, and what is open of the order of systems."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.errors import InputError
from truerank.data.qrels import Preferences
from truerank.measures.core.base import Measure
from truerank.questions.unjudged.answer import RESTS, Judgment, OpenPair, OpenScore, Unjudged
from truerank.questions.unjudged.next import OpenDocuments, open_documents, rests_on_judgments
from truerank.statistics.level import above, level
from truerank.statistics.pairs import every_pair, is_open
from truerank.track.facts import RunPart, judged_share, observe
from truerank.track.lens import Lens
from truerank.track.parts import per_topic, united
from truerank.track.track import Track
from truerank.track.values import Values, values

FEW = 8
"""Topics of a run that are looked at for a note, which all of them would not be worth."""


@dataclass(frozen=True, eq=False, kw_only=True)
class UnjudgedPart(RunPart):
    """A run: how much of it is judged, and its scores without what is not."""

    judged_at: dict[int, Floats] = per_topic()
    """By cutoff, the share of judged documents in each list."""
    judged_share: Floats = per_topic()
    """The same of whole lists."""
    condensed: dict[str, Values]
    """By measure, the values of lists without unjudged documents."""
    resting: tuple[str, ...] = united()
    """Measures that divide by what the judgments hold now."""
    to_judge: OpenDocuments | None
    """Unjudged documents that are listed high enough, where they are asked for."""


def cutoffs(given: int | Iterable[int]) -> tuple[int, ...]:
    """Depths that judged documents are counted to, each once and in order."""
    found = sorted({given} if isinstance(given, int) else set(given))
    for k in found:
        if isinstance(k, bool) or not isinstance(k, int) or k < 1:
            raise InputError(f"a cutoff is a whole number from 1 on, not {k!r}")
    return tuple(found)


def refuse_preferences(track: Track) -> None:
    """Refuse judgments that leave nothing unjudged."""
    if isinstance(track.judgments, Preferences):
        raise InputError("preferences have no unjudged documents; give qrels (four columns: topic, -, document, grade)")


def look(lens: Lens, measures: Sequence[Measure], *, cutoffs: Sequence[int], deepest: int | None) -> UnjudgedPart:
    """What is kept of a run; ``deepest`` is how far documents to judge are looked for, if they are."""
    found = {str(measure): values(lens, measure) for measure in measures}
    part = observe(lens, found)
    return UnjudgedPart(
        **vars(part),
        judged_at={k: judged_share(lens, k)[part.topics] for k in cutoffs},
        judged_share=judged_share(lens)[part.topics],
        condensed={
            name: one.instead(lens.estimate(one.measure, unjudged="condensed").value) for name, one in found.items()
        },
        resting=tuple(
            str(measure) for measure in measures if measure.has_bounds and rests_on_judgments(lens, measure, most=FEW)
        ),
        to_judge=None if deepest is None else open_documents(lens, measures[0], deepest),
    )


def conclude(track: Track, parts: Sequence[UnjudgedPart], to_judge: tuple[Judgment, ...] | None) -> Unjudged:
    """What is open of the scores of all runs, and of their order."""
    by_measure = {measure: _standings(_scores(track, parts, measure), measure) for measure in track.measures}
    resting = [name for name in map(str, track.measures) if any(name in part.resting for part in parts)]
    rests = [RESTS(measures=resting).about(", ".join(resting))] if resting else []
    return Unjudged(
        conventions=track.conventions,
        wanted=track.measures,
        topics=track.topics,
        open_scores=tuple(row for rows in by_measure.values() for row in rows),
        pairs=tuple(pair for measure, rows in by_measure.items() for pair in _pairs(rows, measure)),
        to_judge=to_judge,
        notices=(*track.notes(parts), *rests),
    )


def _scores(track: Track, parts: Sequence[UnjudgedPart], measure: Measure) -> list[OpenScore]:
    """The scores of all runs by a measure, best first; undefined ones last."""
    rows = [_score(track, part, measure) for part in parts]
    merit = level([measure.sign * row.score for row in rows])
    return [rows[at] for at in np.argsort(-merit, kind="stable").tolist()]


def _score(track: Track, part: UnjudgedPart, measure: Measure) -> OpenScore:
    choice, found = track.conventions, part.values[str(measure)]
    low = high = None
    if measure.has_bounds:
        low, high = (found.summary(choice, end) for end in (found.low, found.high))
    return OpenScore(
        measure=str(measure),
        run=part.run,
        judged_at={k: _over_lists(part, shares) for k, shares in part.judged_at.items()},
        judged=_over_lists(part, part.judged_share),
        score=found.summary(choice),
        condensed=part.condensed[str(measure)].summary(choice),
        low=low,
        high=high,
        residual=None if low is None or high is None else high - low,
    )


def _over_lists(part: UnjudgedPart, shares: Floats) -> float:
    """The mean over lists with documents; NaN for a run without any."""
    return float(shares[part.lists].sum() / part.lists.sum()) if part.lists.any() else math.nan


@dataclass(frozen=True, eq=False)
class Merits:
    """Scores and bounds, the higher the better, of the runs that have them."""

    rows: Rows
    score: Floats
    low: Floats
    high: Floats

    @classmethod
    def of(cls, scores: Sequence[OpenScore], measure: Measure) -> Merits:
        """Those of some runs by a measure."""
        known = [at for at, row in enumerate(scores) if row.residual is not None and not math.isnan(row.residual)]
        score, low, high = (
            np.array([getattr(scores[at], end) for at in known], np.float64) for end in ("score", "low", "high")
        )
        if not measure.higher_is_better:
            score, low, high = -score, -high, -low
        return cls(np.array(known, np.int64), score, low, high)


def _standings(scores: Sequence[OpenScore], measure: Measure) -> list[OpenScore]:
    """The scores with the places of their runs, where these have bounds."""
    found = Merits.of(scores, measure)
    certain = above(found.low[None, :], found.high[:, None])
    possible = above(found.high[None, :], found.low[:, None])
    np.fill_diagonal(possible, False)
    merit = level(found.score)
    place = 1 + (merit[None, :] > merit[:, None]).sum(axis=1)
    both = (possible & possible.T).sum(axis=1)
    placed = list(scores)
    for one, at in enumerate(found.rows.tolist()):
        placed[at] = replace(
            scores[at],
            place=int(place[one]),
            highest=1 + int(certain[one].sum()),
            lowest=1 + int(possible[one].sum()),
            undecided=int(both[one]),
        )
    return placed


def _pairs(scores: Sequence[OpenScore], measure: Measure) -> list[OpenPair]:
    """All pairs of runs that have bounds by a measure; undecided ones first."""
    found = Merits.of(scores, measure)
    names = [scores[at].run for at in found.rows.tolist()]
    if len(names) < 2:
        return []
    one, other = every_pair(len(names))
    better, worse = np.where(found.score[one] >= found.score[other], (one, other), (other, one))
    ahead = found.high[worse] - found.low[better]
    undecided = is_open(found.low, found.high, one, other)
    order = np.lexsort((-ahead, ~undecided))
    return [
        OpenPair(
            measure=str(measure),
            better=names[a],
            worse=names[b],
            difference=float(found.score[a] - found.score[b]),
            ahead=float(ahead[pair]),
            decided=not undecided[pair],
        )
        for pair, a, b in zip(order.tolist(), better[order].tolist(), worse[order].tolist(), strict=True)
    ]
