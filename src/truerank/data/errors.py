"""What a user sees when input is refused, and where the input came from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from truerank.data.classes import dataclass
from truerank.data.printing import shortened


class InputError(ValueError):
    """Input that cannot be evaluated: what is wrong, what to do, and where.

    >>> print(InputError("no score; add one", "bm25.run", 7))
    bm25.run:7: no score; add one
    >>> len(InputError(f"there is no run {'x' * 10**6!r}; name one").message)
    328
    """

    def __init__(self, message: str, file: str | None = None, line: int | None = None) -> None:
        message = shortened(message)
        super().__init__(message, file, line)
        self.message = message
        self.file = file
        self.line = line

    def __str__(self) -> str:
        place = [shortened(str(part)) for part in (self.file, self.line) if part is not None]
        return f"{':'.join(place)}: {self.message}" if place else self.message

    def about(self, file: str | None, line: int | None = None) -> InputError:
        """The same about a file, and a line of it, where it names no file itself."""
        if self.file is not None:
            return self
        return type(self)(self.message, file, self.line if line is None else line)


@contextmanager
def about(file: str | None, line: int | None = None) -> Iterator[None]:
    """What is refused in here is about a file, and a line of it, unless it names a file itself.

    >>> with about("bm25.run", 7):
    ...     raise InputError("no score; add one")
    Traceback (most recent call last):
    ...
    truerank.data.errors.InputError: bm25.run:7: no score; add one
    """
    try:
        yield
    except InputError as error:
        raise error.about(file, line) from None


class MissingLibraryError(InputError, ImportError):
    """A library that is needed for this and not installed."""


class RepeatedError(InputError):
    """A document that is listed, or judged, twice for one topic."""


class MissingValueError(InputError):
    """A row without a value in a column."""

    column: str

    @classmethod
    def at(cls, column: str, row: int) -> MissingValueError:
        """The error about a row, which others may number otherwise."""
        error = cls(f"column {column!r} has no value in row {row} (the first is 0); fill it or drop it")
        error.column = column
        return error

    def about(self, file: str | None, line: int | None = None) -> InputError:
        """The same about a file, which knows the column."""
        error = super().about(file, line)
        vars(error)["column"] = self.column
        return error


@dataclass(frozen=True, slots=True, eq=False)
class Origin:
    """Where rows came from, so that an error can name a file and a line.

    ``line`` maps the byte offset of an identifier to its line number; Python data has neither file nor lines.

    >>> print(Origin("bm25.run", lambda offset: 7).error("no score; add one", 120))
    bm25.run:7: no score; add one
    """

    file: str | None = None
    line: Callable[[int], int] | None = None

    def error(self, message: str, offset: int | None = None, *, kind: type[InputError] = InputError) -> InputError:
        """Return the error to raise about what stands at a byte offset of the input."""
        line = None if self.line is None or offset is None else self.line(offset)
        return kind(message, self.file, line)

    def also(self, offset: int) -> str:
        """Return a parenthesis that names a second line, or nothing where there are no lines."""
        return "" if self.line is None else f" (first on line {self.line(offset)})"
