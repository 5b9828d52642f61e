"""The name of a measure, which also knows how somebody typed it."""

from __future__ import annotations


class TypedName(str):
    """A measure's name in the catalogue; wherever people read it, it is what they typed.

    It is equal to the catalogue's name, which keys and programs have. Formatting it gives what was typed, so that every
    sentence, heading and cell that is formatted has it.

    >>> name = TypedName("RR@10", "mrr@10")
    >>> name == "RR@10", f"{name}", as_typed(name), as_typed("AP")
    (True, 'mrr@10', 'mrr@10', 'AP')
    """

    __slots__ = ("typed",)
    typed: str

    def __new__(cls, name: str, typed: str) -> TypedName:
        """The name of a measure that somebody typed so."""
        found = super().__new__(cls, name)
        found.typed = typed
        return found

    def __getnewargs__(self) -> tuple[str, str]:  # type: ignore[override]
        return str(self), self.typed

    def __format__(self, spec: str) -> str:
        return format(self.typed, spec)


def as_typed(name: str) -> str:
    """What people read in place of a name."""
    return f"{name}"
