"""A measure of one list: how its score comes about, and what would change it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from functools import cached_property
from typing import Any

from truerank.analysis.explaining.absent import Missing, in_best_order, missing
from truerank.analysis.explaining.exchange import Swap, best_neighbours, best_swap
from truerank.analysis.explaining.judged import IfJudged, if_judged
from truerank.analysis.explaining.lists import List
from truerank.analysis.explaining.orders import TieGroup, tie_groups
from truerank.analysis.explaining.steps import Step
from truerank.data.block import Pool
from truerank.measures.core.base import Measure
from truerank.measures.core.parts import Divisor


@dataclass(frozen=True, eq=False, kw_only=True)
class Explained:
    """A measure of one list: the worked table, and what would change the score, which is worked out when asked for."""

    measure: Measure
    score: float
    """As ``evaluate`` has it; NaN where undefined and not counted."""
    undefined: str
    """Why the measure has no value here; empty where it has one."""
    std_error: float
    """Where orders of ties had to be sampled; 0 where the score is exact."""
    how: str
    """What steps are: terms of a "sum", "information" added to silence, what the score gains as judgments are
    "revealed"; or nothing, for a measure that does not look at the list: "listless"."""
    named: str
    """What the factor of a step is called."""
    divisor: Divisor | None
    terms: tuple[tuple[str, float, float], ...]
    """Name, coefficient and value of what the formula adds up, where that is not a sum over documents on paper."""
    steps: tuple[Step, ...]
    length: int
    """Documents in the list."""
    depth: int
    """How deep the measure looks."""
    relevant: int
    """Documents that are worth something to the measure, in the list or not."""
    max_grade: float
    one: List
    pool: Pool

    @cached_property
    def ties(self) -> tuple[TieGroup, ...]:
        """Tie groups that could move the score."""
        return tie_groups(self.one)

    @cached_property
    def unjudged(self) -> tuple[IfJudged, ...]:
        """Unjudged documents that the measure looks at."""
        return if_judged(self.one, self.measure, self.pool)

    @cached_property
    def swap(self) -> Swap | None:
        """The best exchange of two documents; None if none improves the score."""
        return best_swap(self.one)

    @cached_property
    def neighbours(self) -> Swap | None:
        """The best exchange of two neighbours; None if none improves the score."""
        return best_neighbours(self.one)

    @cached_property
    def missing(self) -> tuple[Missing, ...]:
        """Relevant documents that the list does not have, by grade."""
        return missing(self.one)

    @property
    def reordered(self) -> float | None:
        """The score if the list were in the best order; None where that is not known."""
        return None if self._best is None else self._best[0]

    @property
    def complete(self) -> float | None:
        """The score if nothing were missing either; None where that is not known."""
        return None if self._best is None else self._best[1]

    @cached_property
    def _best(self) -> tuple[float, float] | None:
        return in_best_order(self.one)

    @property
    def found(self) -> tuple[Step, ...]:
        """The relevant documents of the list."""
        return tuple(step for step in self.steps if step.relevant)

    @property
    def formula(self) -> str:
        """The measure's formula; of a measure made of another one, of both."""
        own, other = self.measure, self.measure.core
        return own.formula_in_use() if own is other else f"{other.formula_in_use()}; {own.formula}"

    @property
    def parameters(self) -> dict[str, Any]:
        """What the formula's letters stand for."""
        measure = self.measure.core
        given = {field.name: getattr(measure, field.name) for field in fields(measure)}
        known = {name: value for name, value in given.items() if value is not None and not callable(value)}
        known.pop("label", None)
        if "cutoff" in known:
            known = {"k": known.pop("cutoff"), **known}
        if "max_rel" in measure.formula:
            known.setdefault("max_rel", self.max_grade)
        if measure.collection is not None:
            known.setdefault("size", measure.collection)
        return known

    def as_dict(self) -> dict[str, Any]:
        """Everything by name."""
        plain = ("score", "undefined", "std_error", "how", "named", "terms", "length", "depth", "relevant", "reordered")
        return {
            "formula": self.formula,
            "parameters": self.parameters,
            **{name: getattr(self, name) for name in plain},
            "complete": self.complete,
            "divisor": None if self.divisor is None else self.divisor.as_dict(),
            "steps": [step.as_dict() for step in self.steps],
            **{name: [asdict(one) for one in getattr(self, name)] for name in ("ties", "unjudged", "missing")},
            **{name: None if (one := getattr(self, name)) is None else asdict(one) for name in ("swap", "neighbours")},
        }

    def changes(self) -> list[dict[str, Any]]:
        """What would change the score, as records: where the score could be, from ``low`` to ``high``."""
        names = ("change", "doc", "other", "first", "last", "low", "high")
        rows: list[tuple[Any, ...]] = []
        rows += [("ties", None, None, one.first, one.last, one.low, one.high) for one in self.ties]
        for one in self.unjudged:
            known = [value for value in (one.least, one.top, one.nonrelevant) if value == value]
            ends = (min(known), max(known)) if known else (None, None)
            rows.append(("unjudged", one.doc, None, *one.ranks, *ends))
        for name in ("swap", "neighbours"):
            if (swap := getattr(self, name)) is not None:
                rows.append((name, swap.lower, swap.upper, *swap.upper_ranks, swap.score, swap.score))
        for absent in self.missing:
            low, high = sorted((absent.at_first, absent.appended))
            rows += [("missing", doc, None, None, None, low, high) for doc in absent.docs]
        return [dict(zip(names, row, strict=True)) for row in rows]
