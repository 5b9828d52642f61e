"""What a stopping rule is, parameters that say where a list ends, and what it sees: the scores of lists."""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from typing import Any, ClassVar, TypeVar

import numpy as np

from truerank.data.arrays import Floats, Rows, offsets, spans
from truerank.data.run import Run
from truerank.io.writing import put
from truerank.measures.core.parameters import held, written

KIND, VERSION = "stopping rule", 1
"""What the file of a rule says of itself."""
PerList = TypeVar("PerList")


@dataclass(frozen=True, eq=False)
class ScoreLists:
    """Scores list by list, best first.

    A list can be cut where its scores change, never inside a group of equal ones: nothing tells the documents of such
    a group apart, so a cut through it would depend on the order of rows.

    >>> from truerank.io.load import as_run
    >>> lists = ScoreLists.of(as_run({"q1": {"a": 3.0, "b": 2.0, "c": 2.0}, "q2": {"d": 1.0}}))
    >>> [ends.tolist() for ends in lists.ends], lists.whole.tolist()
    ([[1, 3], [1]], [3, 1])
    """

    scores: tuple[Floats, ...]
    _made: dict[Hashable, list[Any]] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def of(cls, run: Run, topics: Rows | None = None) -> ScoreLists:
        """The lists of a run, or of some of its topics by their number; -1 is a topic it lacks, an empty list."""
        some = range(len(run.topics)) if topics is None else topics.tolist()
        bounds = run.offsets.tolist()
        empty = run.score[:0]
        return cls(tuple(run.score[bounds[t] : bounds[t + 1]] if t >= 0 else empty for t in some))

    def __len__(self) -> int:
        return len(self.scores)

    @cached_property
    def whole(self) -> Rows:
        return np.array([len(one) for one in self.scores], np.intp)

    @cached_property
    def ends(self) -> tuple[Rows, ...]:
        """The lengths at which each list can be cut, other than 0; the last is the whole list."""
        return tuple(np.flatnonzero(np.append(one[1:] != one[:-1], True))[: len(one)] + 1 for one in self.scores)

    def once(self, make: Callable[..., PerList], **how: Hashable) -> list[PerList]:
        """Something made of the scores of each list, which is kept: rules are fitted many times to the same lists."""
        what = (make, *how.items())
        if what not in self._made:
            # Scores of any size are scores; what they overflow to has no bound, and is read as such.
            with np.errstate(over="ignore", invalid="ignore"):
                self._made[what] = [make(one, **how) for one in self.scores]
        return self._made[what]


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

    def __post_init__(self) -> None:
        for each in fields(self):
            object.__setattr__(self, each.name, held(getattr(self, each.name)))

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
