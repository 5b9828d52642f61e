"""Letters that stand for systems, and above their scores."""

from __future__ import annotations

from collections.abc import Iterable

RAISED = dict(zip("abcdefghijklmnopqrstuvwxyz-", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖ𐞥ʳˢᵗᵘᵛʷˣʸᶻ⁻", strict=True))
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


def listed(places: Iterable[int], systems: int) -> str:
    """The letters of some of so many systems; three or more that follow one another as a range.

    Letters stand next to each other while each is a single one.

    >>> listed([0, 2], 5), listed([1, 2, 3, 5], 9), listed([1, 26, 27, 28], 30)
    ('ac', 'b-df', 'b,aa-ac')
    """
    runs: list[list[int]] = []
    for place in sorted(places):
        if runs and place == runs[-1][-1] + 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    parts = []
    for run in runs:
        parts += [f"{letters(run[0])}-{letters(run[-1])}"] if len(run) > 2 else [letters(place) for place in run]
    return ("" if systems <= 26 else ",").join(parts)
