"""A number as somebody reported it: what it can be before it was rounded."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from truerank.data.errors import InputError


@dataclass(frozen=True)
class Reported:
    """A number with the digits it was given with.

    >>> number = Reported.of("0.4123")
    >>> number.fits(0.41234), number.fits(0.41236)
    (True, False)
    >>> Reported.of("41.23").scaled(0.0, 1.0).fits(0.41234)
    True
    """

    text: str
    value: Decimal
    decimals: int
    percent: bool = False

    @classmethod
    def of(cls, given: str | float) -> Reported:
        """Read a number; text keeps its trailing zeros."""
        text = (given if isinstance(given, str) else repr(float(given))).strip()
        plain = text.removesuffix("%").strip()
        try:
            value = Decimal(plain)
        except InvalidOperation:
            raise InputError(f"{given!r} is not a number; give the value as it was reported, such as 0.4123") from None
        exponent = value.as_tuple().exponent
        if not isinstance(exponent, int):
            raise InputError(f"{given!r} is not a finite number; give the value as it was reported, such as 0.4123")
        number = cls(text, value, max(0, -exponent))
        return number._hundredth() if plain != text else number

    def scaled(self, least: float, most: float) -> Reported:
        """The number itself, or a hundredth of it where only that can be a value of the measure."""
        if self.percent or least <= float(self.value) <= most or float(self.value) > 100 * most:
            return self
        return self._hundredth()

    def _hundredth(self) -> Reported:
        return Reported(self.text, self.value / 100, self.decimals + 2, percent=True)

    def distance(self, value: float) -> float:
        """How far a value is from the number."""
        return abs(value - float(self.value))

    def fits(self, value: float) -> bool:
        """Whether a value may have been rounded to the number."""
        half = 0.5 * 10.0**-self.decimals
        return self.distance(value) <= max(half * (1 + 1e-9), 1e-12 * max(1.0, abs(value)))
