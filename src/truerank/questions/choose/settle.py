"""From a leaf and numbers to a measure with its parameters, and what these mean."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from truerank.data.errors import InputError
from truerank.measures.core.base import Measure
from truerank.measures.core.parameters import number
from truerank.measures.grammar import parse
from truerank.questions.calibrate.answer import Calibration
from truerank.questions.calibrate.question import calibrate
from truerank.questions.choose.answer import SettledParameter
from truerank.questions.choose.leaves import Leaf
from truerank.questions.choose.questions import Reply

DEEPEST = 1_000_000
"""Documents that no reader sees."""


@dataclass(frozen=True)
class SettledMeasure:
    """A measure with its parameters."""

    measure: Measure
    parameters: tuple[SettledParameter, ...] = ()
    calibration: Calibration | None = None
    """What e or beta means, where there is one."""

    @property
    def label(self) -> str:
        """The measure as people read it, with few digits."""
        if self.calibration is None:
            return str(self.measure)
        return next(iter(self.calibration.values())).label

    def __str__(self) -> str:
        return str(self.measure)


def settle(leaf: Leaf, replies: Mapping[str, Reply | None], max_grade: float) -> SettledMeasure:
    """The measure of a leaf, with parameters from the answers; costs are such for a hit of the highest grade."""
    measure = parse(filled(leaf.measure, replies))
    found = [*_read_to(leaf, replies)]
    if measure.collection is not None:
        size = replies.get("size")
        if size is not None:
            measure = measure(size=_whole("size", size))
            found.append(SettledParameter(name="size", value=int(size), because="documents of the collection"))
    if "silence_at" not in leaf.numbers:
        return SettledMeasure(measure, tuple(found))
    aims = {name: replies.get(name) for name in ("pays_for", "silence_at")}
    wanted = {name: None if aim is None else _whole(name, aim) for name, aim in aims.items()}
    calibration = calibrate(
        measure,
        pays_for=wanted["pays_for"],
        silence_at=wanted["silence_at"],
        grade=max_grade,
        max_grade=max_grade,
    )
    [one] = calibration.values()
    assert one.parameter is not None
    assert one.value is not None
    how = [f"{name} = {aim:,}" for name, aim in wanted.items() if aim is not None]
    because = f"so that {how[0]}" if how else "the usual value; silence_at or pays_for finds another"
    found.append(SettledParameter(name=one.parameter, value=one.value, because=because))
    return SettledMeasure(one.by, tuple(found), calibration)


def filled(text: str, replies: Mapping[str, Reply | None]) -> str:
    """A leaf's text with the numbers of the answers.

    >>> filled("RBP(p={p})", {"depth": 10.0}), filled("P@{N}", {"depth": 10.0}), filled("RR", {})
    ('RBP(p=0.9)', 'P@10', 'RR')
    """
    depth = replies.get("depth")
    if depth is None:
        return text
    cutoff = _whole("depth", depth) if "{N}" in text else 0
    return text.format(N=cutoff, p=f"{patience(depth):.15g}")


def patience(depth: float) -> float:
    """The probability to go on with which so many documents are seen on average, 1 / (1 - p) of them.

    >>> patience(10), patience(7), patience(1), patience(123456)
    (0.9, 0.8571, 0.0, 0.9999919)
    """
    number("depth", depth, least=1, most=DEEPEST)
    return round(1 - 1 / depth, max(4, math.ceil(math.log10(depth)) + 1))


def _read_to(leaf: Leaf, replies: Mapping[str, Reply | None]) -> list[SettledParameter]:
    depth = replies.get("depth")
    if depth is None:
        return []
    if "{N}" in leaf.measure:
        because = "the documents that all readers see"
        return [SettledParameter(name="cutoff", value=_whole("depth", depth), because=because)]
    if "{p}" not in leaf.measure:
        return []
    p = patience(depth)
    rank = math.floor(depth)
    past = f"{p**rank:.0%} of the weight lies past rank {rank:,}"
    because = f"1 - 1/{depth:g}, with which readers see {depth:g} documents on average; {past}"
    return [SettledParameter(name="p", value=p, because=because)]


def _whole(name: str, value: Reply) -> int:
    if not float(value).is_integer():
        raise InputError(f"{name} is a whole number here, not {value!r}")
    return int(value)
