"""A collection that a paper is reproduced on: its questions are asked when they are needed, once each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from truerank.conventions.axes import Given
from truerank.conventions.presets import AxisRules
from truerank.data.errors import InputError
from truerank.data.printing import counted
from truerank.io.runs import Named
from truerank.io.shell import typed_qrels, typed_runs
from truerank.questions.reproduce.paper import Need, PaperFigure
from truerank.track.track import Progress

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
    progress: Progress | None = None

    def asked(self, rules: AxisRules) -> dict[str, Any]:
        """What a question with such rules is given beside data and measures."""
        kept = {axis: value for axis, value in self.given.items() if axis not in rules.fixed and axis != "limit"}
        return {"engine": self.engine, "progress": self.progress, **kept}

    def conventions(self, rules: AxisRules) -> Given:
        """The conventions that a question with such rules leaves open."""
        return cast(Given, {axis: value for axis, value in self.given.items() if axis not in rules.fixed})

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
            raise InputError("needs two runs or more")


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
