"""A collection that a paper is reproduced on: its questions are asked when they are needed, once each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import truerank as tr
from truerank.conventions.axes import Given
from truerank.io.runs import Named as Named
from truerank.io.shell import typed_qrels, typed_runs
from truerank.questions.reproduce.paper import Need, PaperFigure, counted

if TYPE_CHECKING:
    from truerank.report.plots.chart import Plot


@dataclass(eq=False, kw_only=True)
class PaperData:
    """Judgments and runs, and how they are read. Papers add what they ask, as cached properties."""

    name: str
    given_qrels: Any
    """As they were given: a path, perhaps."""
    qrels: Any
    runs: Sequence[Named]
    given: Given
    engine: Any = None
    progress: Callable[[str, int, int], object] | None = None

    def asked(self, *fixed: str) -> dict[str, Any]:
        """What a question is given beside data and measures: the conventions, but for those that it has ``fixed``."""
        kept = {axis: value for axis, value in self.given.items() if axis not in ("limit", *fixed)}
        return {"engine": self.engine, "progress": self.progress, **kept}

    @cached_property
    def typed(self) -> tuple[str, str]:
        """Judgments and runs as they are typed in a shell."""
        return typed_qrels(self.given_qrels), typed_runs(self.runs)

    @property
    def words(self) -> dict[str, str]:
        """What stands for the words of a command that name data."""
        return dict(zip(("QRELS", "RUN..."), self.typed, strict=True))

    @property
    def compared(self) -> Sequence[Named]:
        """The runs whose order is looked at."""
        return self.runs

    def figure(
        self, draw: Callable[[], Plot], said: str, names: Mapping[str, str] = MappingProxyType({})
    ) -> PaperFigure:
        """A figure of this collection, which its sentence names; ``names`` are what the paper calls measures."""
        return PaperFigure(draw, f"{self.name}: {said}", self.name, names)

    def several(self) -> None:
        """Refuse what is about the order of runs where there is one."""
        if len(self.runs) < 2:
            raise tr.InputError("needs two runs or more")


ENOUGH = 10
"""Systems whose order can be compared: with 10 there are 45 pairs, and one that changes moves tau by less than 0.05."""


def systems(least: int = ENOUGH) -> Need:
    """A collection with that many systems.

    >>> systems(2)(PaperData(name="a", given_qrels={}, qrels={}, runs=[], given={}))
    '0 runs, and the order of 2 or more is needed'
    """

    def lacks(one: PaperData) -> str:
        there = len(one.compared)
        return "" if there >= least else f"{counted(there, 'run')}, and the order of {least} or more is needed"

    return lacks
