"""Letters that stand for systems, and above their scores."""

from __future__ import annotations

RAISED = dict(zip("abcdefghijklmnopqrstuvwxyz-+", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖ𐞥ʳˢᵗᵘᵛʷˣʸᶻ⁻⁺", strict=True))
"""Signs that stand above the line, by the signs they stand for."""


def letters(place: int) -> str:
    """The letter of a system by its place; after z come aa, ab and so on.

    >>> letters(0), letters(25), letters(26), letters(701), letters(702)
    ('a', 'z', 'aa', 'zz', 'aaa')
    """
    before, last = divmod(place, 26)
    return (letters(before - 1) if before else "") + chr(ord("a") + last)


def raised(text: str) -> str:
    """Letters as superscripts; what has none, as a comma, stays.

    >>> raised("ac"), raised("a,d-z")
    ('ᵃᶜ', 'ᵃ,ᵈ⁻ᶻ')
    """
    return "".join(RAISED.get(sign, sign) for sign in text)
