"""Features scored as rankings, in both directions, and tested against one of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from truerank.conventions.axes import AXES, Conventions
from truerank.data.arrays import Floats, stretches
from truerank.data.block import Pool
from truerank.data.errors import InputError
from truerank.data.extras import needed
from truerank.data.notes import Note
from truerank.io.features import FeatureTable, chosen_features, read_features
from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse_all
from truerank.questions.evaluate.score_arrays import RULES, ArrayScorer
from truerank.questions.features.answer import DIRECTIONS, UNKNOWN, FeatureRow, Features
from truerank.statistics.corrections import CORRECTIONS
from truerank.statistics.level import level
from truerank.statistics.randomization import Drawing
from truerank.statistics.tests import Procedure, procedure
from truerank.track.empty_topics import EmptyTopics, Undefined, concerns, empty_notes, highest
from truerank.track.pools import has_gain
from truerank.track.values import summaries

_WITHOUT_SCIPY = ("sign", "randomization", "bootstrap-shift", "bootstrap-percentile")


@dataclass(frozen=True)
class FeatureTest:
    """How features are tested against one of them."""

    test: str
    correction: str
    alpha: float
    permutations: int
    seed: int

    def __post_init__(self) -> None:
        if self.correction not in CORRECTIONS:
            raise InputError(f"correction={self.correction!r} is not known; take one of {', '.join(CORRECTIONS)}")
        if not 0 < self.alpha < 1:
            raise InputError(f"alpha is {self.alpha:g}; give a number between 0 and 1")
        if self.procedure.simultaneous and not self.procedure.against_one:
            raise InputError(f"test={self.test!r} is of all pairs, and here all are against one; take dunnett")
        if self.test not in _WITHOUT_SCIPY:
            needed("scipy.special", f"a comparison by {self.procedure.title}")

    @property
    def procedure(self) -> Procedure:
        """The test."""
        return procedure(self.test, baseline=True)

    @property
    def how(self) -> str:
        """How p is corrected."""
        return "none" if self.procedure.simultaneous else self.correction

    def p(self, values: Floats, one: int) -> Floats:
        """Corrected p of each feature against one; NaN for itself. ``values`` has a row a feature."""
        drawing: Drawing = {"permutations": self.permutations, "seed": self.seed}
        found = np.full(len(values), np.nan)
        others = np.flatnonzero(np.arange(len(values)) != one)
        if self.procedure.against_one:
            p = self.procedure(values, baseline=one, **drawing).p[one, others]
        else:
            # Pairs with one feature alone, not all of them.
            p = np.array([self.procedure(values[[one, other]], **drawing).p[0, 1] for other in others.tolist()])
        found[others] = CORRECTIONS[self.how](p) if len(p) else p
        return found


def scored(
    data: Any,
    measures: Any,
    direction: str,
    only: Sequence[str],
    baseline: str | None,
    how: FeatureTest,
    choice: Conventions,
) -> Features:
    """Read features, score them and test them; what can be refused is refused before a file is read."""
    wanted = parse_all(measures)
    if direction not in DIRECTIONS:
        raise InputError(f"direction={direction!r} is not one of {', '.join(DIRECTIONS)}")
    for measure in wanted:
        if not measure.averages:
            raise InputError(
                f"{measure} is no mean over topics, which features could be tested by; take another measure"
            )
    _scorer([0.0], [0, 1], wanted, choice, "expected")
    table = chosen_features(read_features(data), only)
    if baseline is not None and baseline not in table.names:
        raise InputError(f"there is no feature {baseline!r}; there are {', '.join(table.names[:20])}")
    values = _values(table, wanted, direction, choice)
    rows = {measure: _rows(table, measure, values[measure], baseline, how, choice) for measure in wanted}
    return Features(
        conventions=choice,
        wanted=wanted,
        topics=table.topics,
        scored=tuple(row for some in rows.values() for row in some),
        documents=len(table.grades),
        against={
            str(measure): next((row.feature for row in some if row.verdict == "against"), "")
            for measure, some in rows.items()
        },
        test=how.procedure.title,
        correction=how.how,
        alpha=how.alpha,
        constant=tuple(name for name, same in zip(table.names, _tied(table)[1], strict=True) if same),
        notices=tuple(_notices(table, wanted, choice)),
    )


@dataclass(frozen=True, eq=False)
class _Scores:
    """Values of features by a measure, a row a feature and a column a topic."""

    lower: list[bool]
    """Whether low values come first."""
    expected: Floats
    worst: Floats
    best: Floats
    other: Floats | None
    """In the other direction."""


def _scorer(grades: Any, offsets: Any, wanted: tuple[Measure, ...], choice: Conventions, ties: str) -> ArrayScorer:
    given = {axis: getattr(choice, axis) for axis in AXES if axis not in (*RULES.fixed, "ties")}
    return ArrayScorer(grades, offsets, [*wanted], ties=ties, **given)


def _values(
    table: FeatureTable, wanted: tuple[Measure, ...], direction: str, choice: Conventions
) -> dict[Measure, _Scores]:
    """Scores of all features, by measure; ties in extreme orders are looked at in the direction taken only."""
    expected, worst, best = (
        _scorer(table.grades, table.offsets, wanted, choice, ties) for ties in ("expected", "worst", "best")
    )
    high = expected(table.values) if direction != "low" else {}
    low = expected(-table.values) if direction != "high" else {}
    found = {}
    ends: dict[bytes, tuple[Any, Any]] = {}
    lengths = np.diff(table.offsets)
    for measure in wanted:
        name = str(measure)
        if direction == "both":
            up, down = (summaries(each[name].T, measure, choice, lengths) for each in (high, low))
            lower = level(measure.sign * np.nan_to_num(down)) > level(measure.sign * np.nan_to_num(up))
        else:
            lower = np.full(len(table.names), direction == "low")
        key = lower.tobytes()
        if key not in ends:
            taken = np.where(lower[:, None], -table.values, table.values)
            ends[key] = worst(taken), best(taken)
        one, other = (low[name], high[name]) if direction == "low" else (high[name], low.get(name))
        mean = one if other is None or direction == "low" else np.where(lower[:, None], other, one)
        beside = None if direction != "both" else np.where(lower[:, None], high[name], low[name])
        found[measure] = _Scores(lower.tolist(), mean, ends[key][0][name], ends[key][1][name], beside)
    return found


def _rows(
    table: FeatureTable,
    measure: Measure,
    scores: _Scores,
    baseline: str | None,
    how: FeatureTest,
    choice: Conventions,
) -> list[FeatureRow]:
    """The rows of a measure, the best first."""
    lengths = np.diff(table.offsets)

    def means(values: Floats) -> Floats:
        return summaries(values.T, measure, choice, lengths)

    mean = means(scores.expected)
    merit = level(measure.sign * np.where(np.isnan(mean), -np.inf * measure.sign, mean))
    order = np.argsort(-merit, kind="stable").tolist()
    one = order[0] if baseline is None else table.names.index(baseline)
    known = ~np.isnan(scores.expected).any(axis=0)
    p = how.p(scores.expected[:, known], one) if known.sum() > 1 else np.full(len(mean), np.nan)
    worst, best = means(scores.worst), means(scores.best)
    other = None if scores.other is None else means(scores.other)
    tied, _ = _tied(table)
    return [
        FeatureRow(
            measure=str(measure),
            feature=table.names[at],
            direction="low" if scores.lower[at] else "high",
            score=float(mean[at]),
            worst=float(worst[at]),
            best=float(best[at]),
            other=None if other is None else float(other[at]),
            tied=float(tied[at]),
            difference=float(mean[at] - mean[one]),
            p=None if np.isnan(p[at]) else float(p[at]),
            verdict=_verdict(at, one, float(p[at]), measure.sign * float(mean[at] - mean[one]), how.alpha),
        )
        for at in order
    ]


def _verdict(at: int, one: int, p: float, ahead: float, alpha: float) -> str:
    if at == one:
        return "against"
    if not p < alpha:
        return ""
    return "better" if ahead > 0 else "worse"


def _tied(table: FeatureTable) -> tuple[Floats, Floats]:
    """Share of documents that share their value with another one of their topic, and whether all do in every topic."""
    topic = stretches(table.offsets)
    shares, same = np.zeros(len(table.names)), np.zeros(len(table.names), np.bool_)
    for at, values in enumerate(table.values):
        order = np.lexsort((values, topic))
        alike = (np.diff(values[order]) == 0) & (np.diff(topic[order]) == 0)
        tied = np.append(alike, False) | np.append(False, alike)
        shares[at] = tied.sum() / max(len(tied), 1)
        same[at] = bool(alike.sum() == len(topic) - len(np.unique(topic)))
    return shares, same.astype(np.float64)


def _notices(table: FeatureTable, wanted: tuple[Measure, ...], choice: Conventions) -> Iterator[Note]:
    unknown = int(np.isnan(table.values).any(axis=1).sum())
    if unknown:
        yield UNKNOWN(features=unknown)
    empty = [*_empty(table, wanted, choice)]
    yield from empty_notes(empty, table.topics, choice, measures=len(wanted))
    known = {one.measure: one.empty for one in empty}
    plain = _scorer(table.grades, table.offsets, wanted, replace(choice, no_relevant="nan"), "expected")
    values = plain(np.zeros(len(table.grades)))
    lacking = {
        measure: tuple(np.flatnonzero(np.isnan(values[str(measure)]) & ~known.get(measure, False)).tolist())
        for measure in wanted
    }
    alike: dict[tuple[tuple[int, ...], Undefined], list[str]] = {}
    for measure in sorted((one for one in wanted if lacking[one]), key=lambda one: len(lacking[one])):
        alike.setdefault((lacking[measure], Undefined.of(measure, choice)), []).append(str(measure))
    for (places, undefined), measures in alike.items():
        yield undefined.note(measures, [table.topics[place] for place in places], len(places), len(places))


def _empty(table: FeatureTable, wanted: tuple[Measure, ...], choice: Conventions) -> Iterator[EmptyTopics]:
    """Topics without relevant documents, for the measures that they matter to."""
    topic, lengths = stretches(table.offsets), np.diff(table.offsets)
    none = np.zeros(0, np.intp)
    scale = Pool(np.zeros((0, 0)), None, none, none, float(table.grades.max(initial=0.0)))
    for measure in wanted:
        some = has_gain(table.grades[:, None], wanted if choice.skips_undefined else [measure], scale)
        empty = np.bincount(topic[some], minlength=len(lengths)) == 0
        if not choice.counts_undefined or concerns(measure, choice):
            yield EmptyTopics(measure, empty, highest(measure, empty, lengths, choice))
