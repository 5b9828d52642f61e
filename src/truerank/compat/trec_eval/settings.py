"""What the options say that measures depend on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from truerank.data.errors import InputError
from truerank.data.printing import shown
from truerank.measures.core.base import Measure


@dataclass(frozen=True, kw_only=True)
class Setting:
    """The version, and the options that measures depend on."""

    version: int = 10
    level: float = 1
    """Grade from which on a document is relevant (-l)."""
    size: int = 0
    """Documents in the collection (-N)."""

    @property
    def rel(self) -> float:
        """The level, for measures here: where grade 0 is relevant, they see grades that are one higher."""
        return self.level or 1


class CalculationError(InputError):
    """What trec_eval finds out only when it calculates, and exits 4 for."""


Make = Callable[[Setting, Any], Measure]
"""From the options and one parameter to a measure."""


class NoTopicError(InputError):
    """Judgments and run have no topic in common; trec_eval exits 7 for it."""

    def __init__(self) -> None:
        super().__init__("judgments and run have no topic in common; check that both name topics alike")


def refuse_absent(absent: Sequence[bytes], topics: int, complete: bool) -> None:
    """Refuse a run that leaves some of the judged topics out, unless they are to count as empty."""
    if not complete and len(absent) == topics:
        raise NoTopicError
    if not complete and absent:
        name = shown(absent[0])
        raise CalculationError(f"the run has no documents for topic {name}; give -c to count such topics as empty")
