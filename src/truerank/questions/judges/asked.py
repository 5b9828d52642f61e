"""What is asked of judges."""

from __future__ import annotations

from dataclasses import dataclass

from truerank.data.errors import InputError
from truerank.data.judges import Judges
from truerank.statistics.jackknife import refuse_confidence


@dataclass(frozen=True, eq=False)
class JudgesAsked:
    """Judges, the one that others are held against, and how sure one wants to be."""

    judges: Judges
    reference: str
    alpha: float
    confidence: float

    @classmethod
    def of(cls, judges: Judges, reference: str | None, *, alpha: float, confidence: float) -> JudgesAsked:
        """Refuse what cannot be asked."""
        if len(judges) < 2:
            raise InputError(f"there is one judge, {judges.names[0]!r}, and nobody to compare with; give two or more")
        if reference is not None and reference not in judges.names:
            raise InputError(f"reference={reference!r} is no judge; there are {', '.join(judges.names)}")
        if not 0 < alpha < 1:
            raise InputError(f"alpha={alpha!r}; give a number between 0 and 1, such as 0.05")
        refuse_confidence(confidence)
        return cls(judges, reference or judges.names[0], alpha, confidence)

    @property
    def reference_row(self) -> int:
        return self.judges.names.index(self.reference)

    @property
    def others(self) -> tuple[str, ...]:
        return tuple(name for name in self.judges.names if name != self.reference)
