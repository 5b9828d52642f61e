"""Boards worked out: runs under several ways of scoring by one measure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any, TypeVar, overload

import numpy as np

from truerank.boards.rows import BoardOrder, BoardPair, BoardRun
from truerank.data.arrays import Floats, Mask, Rows
from truerank.data.classes import dataclass
from truerank.measures.core.base import Measure
from truerank.statistics.corrections import corrected
from truerank.statistics.level import level
from truerank.statistics.orders import agreement, ranks
from truerank.statistics.pairs import every_pair
from truerank.statistics.student import student

R = TypeVar("R", bound=BoardRun)


@dataclass(frozen=True, eq=False)
class Boards:
    """The runs by one measure, under each way of scoring."""

    measure: Measure
    runs: Sequence[str]
    means: Mapping[str, Floats]
    """By variant, one mean per run, in the measure's own sign."""
    reference: str
    scores: Mapping[str, Floats] | None = None
    """By variant, runs x common topics; without them nothing is tested."""
    alpha: float = 0.05
    """Significant is a corrected p below."""

    @cached_property
    def signed(self) -> dict[str, Floats]:
        """Means to order runs by, the higher the better; those that differ by rounding alone are equal."""
        return {name: level(self.measure.sign * means) for name, means in self.means.items()}

    @property
    def is_tested(self) -> bool:
        """Whether pairs can be tested: by means over two topics or more."""
        if self.scores is None or not self.measure.averages or len(self.runs) < 2:
            return False
        return bool(next(iter(self.scores.values())).shape[1] > 1)

    @cached_property
    def p(self) -> dict[str, Floats]:
        """By variant, p of each pair (runs x runs) over the common topics, corrected by Holm; {} without a test."""
        if self.scores is None or not self.is_tested:
            return {}
        return {name: corrected(student(scores)).p for name, scores in self.scores.items()}

    @overload
    def board(self) -> Iterator[BoardRun]: ...
    @overload
    def board(self, kind: type[R], **columns: Sequence[Any]) -> Iterator[R]: ...
    def board(self, kind: type[BoardRun] = BoardRun, **columns: Sequence[Any]) -> Iterator[BoardRun]:
        """Scores and ranks, the best by the reference first.

        Rows of another ``kind`` have more columns, each given as a value per run in the order of ``runs``.
        """
        by_variant = {name: ranks(signed) for name, signed in self.signed.items()}
        best_first = np.argsort(-np.nan_to_num(self.signed[self.reference], nan=-np.inf), kind="stable")
        for at in best_first.tolist():
            own = {name: each[at] for name, each in by_variant.items()}
            known = [rank for rank in own.values() if rank is not None]
            yield kind(
                measure=str(self.measure),
                run=self.runs[at],
                scores={name: float(means[at]) for name, means in self.means.items()},
                ranks=own,
                differences={
                    name: float(means[at] - self.means[self.reference][at])
                    for name, means in self.means.items()
                    if name != self.reference
                },
                best_rank=min(known, default=None),
                worst_rank=max(known, default=None),
                **{name: values[at] for name, values in columns.items()},
            )

    def orders(self, *, every_two: bool = False) -> Iterator[BoardOrder]:
        """How far each variant agrees with the reference, or every two with each other."""
        others = [name for name in self.means if name != self.reference]
        couples = [*combinations(self.means, 2)] if every_two else [(self.reference, other) for other in others]
        one, other = every_pair(len(self.runs))
        for first, second in couples:
            signs, their_signs = (self._signs(name, one, other) for name in (first, second))
            sure, theirs = (self._significant(name, one, other) for name in (first, second))
            counts = (sure, sure & ~theirs, theirs & ~sure, sure & theirs & (signs * their_signs < 0))
            significant, lost, gained, contradicted = (int(some.sum()) if self.p else None for some in counts)
            yield BoardOrder(
                measure=str(self.measure),
                variant=first,
                other=second,
                **agreement(self.signed[first], self.signed[second])._asdict(),
                significant=significant,
                lost=lost,
                gained=gained,
                contradicted=contradicted,
            )

    def dependent(self) -> Iterator[BoardPair]:
        """Pairs of runs whose order, or its significance, is not the same under all variants."""
        one, other = every_pair(len(self.runs))
        names = [*self.means]
        signs = np.array([self._signs(name, one, other) for name in names])
        sure = np.array([self._significant(name, one, other) for name in names])
        changes = np.any(signs > 0, axis=0) & np.any(signs < 0, axis=0)
        both = np.any((signs > 0) & sure, axis=0) & np.any((signs < 0) & sure, axis=0)
        hinges = np.any(sure, axis=0) & ~np.all(sure, axis=0)
        last = len(self.runs) + 1
        rank = np.array([last if each is None else each for each in ranks(self.signed[self.reference])])
        kept = np.flatnonzero(changes | hinges)
        order = np.lexsort(
            (np.maximum(rank[one], rank[other])[kept], np.minimum(rank[one], rank[other])[kept], ~changes[kept])
        )
        for at in kept[order].tolist():
            a, b = (one[at], other[at]) if signs[names.index(self.reference), at] >= 0 else (other[at], one[at])
            yield BoardPair(
                measure=str(self.measure),
                run=self.runs[a],
                compared_with=self.runs[b],
                differences={name: float(means[a] - means[b]) for name, means in self.means.items()},
                p={name: float(p[a, b]) for name, p in self.p.items()},
                depends="contradicted" if both[at] else "order" if changes[at] else "significance",
            )

    def _signs(self, variant: str, one: Rows, other: Rows) -> Rows:
        """1 if the first of each pair has the better mean, -1 if the second has, 0 if neither."""
        apart = self.signed[variant][one] - self.signed[variant][other]
        return np.sign(np.nan_to_num(apart)).astype(np.intp)

    def _significant(self, variant: str, one: Rows, other: Rows) -> Mask:
        if not self.p:
            return np.zeros(len(one), np.bool_)
        significant: Mask = self.p[variant][one, other] < self.alpha
        return significant
