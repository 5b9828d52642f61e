"""Gain by a discount of one's choice, whose reader may stop where satisfied."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

import numpy as np

from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.data.rankings import Rankings
from truerank.expectation.cascade import Cascade
from truerank.expectation.gain_maps import Scale, linear, satisfaction
from truerank.expectation.term import Term
from truerank.expectation.weights import (
    Flat,
    Geometric,
    Harmonic,
    InverseSquare,
    Logarithmic,
    OwnWeight,
    Tabled,
    Weight,
    refuse_rising,
)
from truerank.measures.cg import CG
from truerank.measures.core.parameters import held, number, positive, whole

Discount = str | Callable[[int], float] | Mapping[int, float] | tuple[tuple[float, float], ...]
NAMED: dict[str, Callable[[float, float], Weight]] = {
    "flat": lambda p, T: Flat(),
    "log2": lambda p, T: Logarithmic(),
    "harmonic": lambda p, T: Harmonic(),
    "geometric": lambda p, T: Geometric(p),
    "inverse-square": lambda p, T: InverseSquare(T),
}
"""Discounts of the literature, given p and T."""
_USES = {"p": "geometric", "T": "inverse-square"}
_LOOKED_AT = 1000
"""Ranks at which a function is tried where it is given."""
_DEEPEST = 1_000_000
"""Ranks that weights may be given for one by one."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Discounted(CG):
    """Gain times a discount; with ``stops``, for a reader who goes on only as long as nothing satisfies, as in ERR."""

    discount: Discount = "log2"
    p: float = 0.8
    T: float = 1.0
    stops: bool = False

    scale: ClassVar[Scale] = staticmethod(linear)

    def __post_init__(self) -> None:
        super().__post_init__()
        number("p", self.p, least=0, below=1)
        positive("T", self.T)
        if not isinstance(self.stops, bool):
            raise InputError(f"stops is True or False, not {self.stops!r}")
        object.__setattr__(self, "discount", _checked(self.discount))
        for name, of in _USES.items():
            if getattr(self, name) != self.defaults()[name] and self.discount != of:
                raise InputError(f"{name} is a parameter of discount={of!r}; leave it out")
        if self.stops:
            for _, chance in self.own_gains:
                number("gains", chance, least=0, most=1)

    @property
    def label(self) -> str:
        """As it is written: p and T belong to one discount each."""
        return str(self)

    def _scale(self) -> Scale:
        return satisfaction if self.stops else super()._scale()

    def weight(self) -> Weight:
        if isinstance(self.discount, str):
            return NAMED[self.discount](self.p, self.T)
        return Tabled(self.discount) if isinstance(self.discount, tuple) else OwnWeight(self.discount)  # type: ignore[arg-type]

    def terms(self, r: Rankings) -> Iterable[Term]:
        """Gains by the discount, for all readers or for those who still read."""
        if not self.stops:
            yield from super().terms(r)
            return
        gain = self.gain(r)
        yield Cascade(self.weight(), gain, 1 - gain)


def _checked(discount: object) -> Discount:
    """A discount by its name, as ranks with weights, or a function."""
    if isinstance(discount, str) and discount in NAMED:
        return discount
    if isinstance(discount, (Mapping, tuple)):
        return _table(dict(discount))
    if callable(discount):
        name = str(getattr(discount, "__name__", ""))
        if not name.isidentifier():
            raise InputError("a discount of one's own needs a name, which scores are called by; write it with def")
        OwnWeight(discount).at(np.arange(1, _LOOKED_AT + 1))
        return discount
    names = ", ".join(map(repr, NAMED))
    raise InputError(f"discount is one of {names}, ranks with their weights as in {{1: 1, 2: 0.5}}, or a function")


def _table(weights: dict[Any, Any]) -> tuple[tuple[float, float], ...]:
    """Ranks with their weights, in order."""
    for rank, weight in weights.items():
        whole("a rank of discount", rank, least=1, most=_DEEPEST)
        number("a weight of discount", weight, least=0)
    pairs = tuple(sorted((int(rank), held(weight)) for rank, weight in weights.items()))
    ranks = np.arange(1, 1 + max((rank for rank, _ in pairs), default=0))
    refuse_rising("discount", ranks, Tabled(pairs).at(ranks))
    return pairs
