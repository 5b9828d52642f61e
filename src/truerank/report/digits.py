"""How many digits a number is worth, and differences, ranks and numbers of tables as they are written."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from truerank.data.printing import p_value

USUAL, MOST = 4, 8
"""Decimals where nothing is known of the error, and at most."""
APART = 15
"""Decimals at most where numbers are to be told apart."""
LARGE = 1e6
"""Numbers from which on decimals are of no use."""


def decimals(errors: float | Iterable[float]) -> int:
    """Decimals down to a tenth of the standard error, of several the smallest; 4 where there is none.

    >>> decimals(0.032), decimals(0.0089), decimals(12.0), decimals([0.3, 0.032]), decimals(float("nan"))
    (3, 4, 0, 3, 4)
    """
    every = [errors] if isinstance(errors, (int, float)) else list(errors)
    known = [error for error in every if math.isfinite(error) and error > 0]
    if not known:
        return USUAL
    return min(max(0, 1 - math.floor(math.log10(min(known)))), MOST)


def rounded(value: float, digits: int, *, sign: bool = False) -> str:
    """A number with so many decimals; one that is no 0 but would look like it has one digit.

    >>> rounded(0.04213, 3, sign=True), rounded(0.0, 3, sign=True), rounded(-0.00004, 3, sign=True)
    ('+0.042', '0.000', '-0.00004')
    """
    if math.isnan(value):
        return "undefined"
    text = f"{value:+.{digits}f}" if sign and value else f"{value:.{digits}f}"
    if value and not text.strip("+-0."):
        return f"{value:{'+' * sign}.{max(digits, -math.floor(math.log10(abs(value))))}f}"
    return text


def figures(values: Sequence[float]) -> list[str]:
    """Numbers with four decimals, or as many more as it takes to tell apart those that differ.

    >>> figures((0.5, 0.25)), figures((0.50001, 0.50002)), figures((0.5, 0.5)), figures((1 / 3, math.nan))
    (['0.5000', '0.2500'], ['0.50001', '0.50002'], ['0.5000', '0.5000'], ['0.3333', 'undefined'])
    """
    numbers = {float(f"{value:.12g}") for value in values if math.isfinite(value)}
    if any(abs(value) >= LARGE for value in numbers):
        return [_special(value) or f"{value:g}" for value in values]
    digits = next(
        (digits for digits in range(USUAL, APART) if len({f"{v:.{digits}f}" for v in numbers}) == len(numbers)), APART
    )
    # Adding 0 takes the sign off a zero.
    return [_special(value) or f"{value + 0.0:.{digits}f}" for value in values]


def _special(value: float) -> str:
    return "undefined" if math.isnan(value) else f"{value:g}inity" if math.isinf(value) else ""


def signed(value: float) -> str:
    """A difference in the usual number of decimals; a small one in powers of ten.

    >>> signed(0.25), signed(-0.00001), signed(0.0)
    ('+0.2500', '-1e-05', '0.0000')
    """
    from truerank.statistics.level import EQUAL

    if math.isnan(value):
        return "undefined"
    if abs(value) <= EQUAL:
        return f"{0:.{USUAL}f}"
    return f"{value:+.{USUAL}f}" if abs(value) >= 0.5 * 10**-USUAL else f"{value:+.0e}"


def ranks(ends: tuple[int, int] | None) -> str:
    """Ranks that a document, or a system, can have; None where it is not listed.

    >>> ranks((3, 5)), ranks((3, 3)), ranks(None)
    ('3-5', '3', '-')
    """
    if ends is None:
        return "-"
    return str(ends[0]) if ends[0] == ends[1] else f"{ends[0]}-{ends[1]}"


def p_number(p: float, level: float = 0.0) -> str:
    """A p-value below a head that says p.

    >>> p_number(0.0342), p_number(0.00001)
    ('.034', '< .0001')
    """
    return p_value(p, level).removeprefix("p ").removeprefix("= ")


def probability(p: float) -> str:
    """A level as it is written, without the 0 before the point.

    >>> probability(0.05), probability(0.5), probability(0.025)
    ('.05', '.5', '.025')
    """
    return f"{p:.6g}".lstrip("0")


class WrittenNumber(float):
    """A number that a sentence has as it is written here; for programs it is the number.

    >>> p = WrittenNumber(0.0342, p_value(0.0342))
    >>> f"{p}", p < 0.05
    ('p = .034', True)
    """

    __slots__ = ("text",)
    text: str

    def __new__(cls, value: float, text: str) -> WrittenNumber:
        number = super().__new__(cls, value)
        number.text = text
        return number

    def __getnewargs__(self) -> tuple[float, str]:  # type: ignore[override]
        return float(self), self.text

    def __format__(self, spec: str) -> str:
        return self.text
