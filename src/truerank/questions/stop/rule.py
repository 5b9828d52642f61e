"""What a stopping rule is: parameters that say where a list ends, going by its scores alone."""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass, field, fields
from typing import Any, ClassVar

import numpy as np

from truerank.data.arrays import Floats, Rows, offsets, spans
from truerank.data.run import Run
from truerank.io.writing import put
from truerank.measures.core.parameters import written
from truerank.questions.stop.lists import ScoreLists

KIND, VERSION = "stopping rule", 1
"""What the file of a rule says of itself."""


@dataclass(frozen=True, kw_only=True)
class Fit:
    """What a rule was fitted to, and how it did there."""

    measure: str
    run: str
    topics: int
    mean: float
    """Score of the lists that it cuts, on the topics it was fitted to: other topics will do worse."""
    whole: float
    """Score of the lists as they are."""
    oracle: float
    """Score of lists that are cut where they score best."""
    higher_is_better: bool | None = None
    """Whether high scores of the run were best; False where it was read with scores negated, None if not known."""


@dataclass(frozen=True, kw_only=True)
class Rule(ABC):
    """A stopping rule: frozen, compared by its parameters, and never cutting inside a group of equal scores.

    A list that a rule cannot read, such as one whose scores are all the same for a rule about their spread, stays as
    it is.
    """

    fitted: Fit | None = field(default=None, compare=False, repr=False)

    name: ClassVar[str]

    @classmethod
    @abstractmethod
    def fit(cls, lists: ScoreLists, values: Floats, topics: Rows) -> Rule:
        """The parameters with the highest mean over some topics, the shorter lists where several do as well.

        ``values`` has for each list what it is worth cut after 0, 1, ... documents. Only the rows of ``topics`` are
        looked at, in the lists as in the values.
        """

    @abstractmethod
    def cut(self, lists: ScoreLists) -> Rows:
        """How many documents of each list are kept."""

    @abstractmethod
    def said(self) -> str:
        """What it does, in words."""

    def lengths(self, run: Run) -> Rows:
        """How many documents of each topic of a run are kept."""
        return self.cut(ScoreLists.of(run))

    def apply(self, run: Run) -> Run:
        """The run with its lists cut; a topic that loses all its documents stays, with an empty list."""
        count = self.lengths(run)
        return run.take(spans(run.offsets[:-1], count), offsets(count))

    def parameters(self) -> dict[str, Any]:
        """The parameters by name."""
        return {one.name: getattr(self, one.name) for one in fields(self) if one.name != "fitted"}

    def plain_parameters(self) -> dict[str, Any]:
        """The parameters in the terms of JSON; numbers without bound are "inf" and "-inf"."""
        return {name: _plain(value) for name, value in self.parameters().items()}

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the terms of JSON."""
        known = {} if self.fitted is None else {"fitted": asdict(self.fitted)}
        inside = self.plain_parameters()
        return {"truerank": KIND, "version": VERSION, "rule": self.name, "parameters": inside, **known}

    def to_json(self) -> str:
        """The text of its file."""
        return json.dumps(self.to_dict(), indent=2, allow_nan=False) + "\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the rule to a file that ``load_rule`` reads; it appears when it is complete."""
        put(self.to_json().encode(), path)

    def __str__(self) -> str:
        inside = ",".join(f"{name}={written(value)}" for name, value in self.parameters().items())
        return f"{self.name}({inside})"


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if isinstance(value, float) and not np.isfinite(value):
        return str(value)
    return value
