"""What is worth saying about numbers: a stable code, the facts, and a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from truerank.data.printing import sentence, shortened


class Note(str):
    """A sentence that knows its code and the facts that it tells; wherever text is wanted, it is its text."""

    __slots__ = ("brief", "code", "facts", "urgent")

    code: str
    facts: Mapping[str, Any]
    brief: str
    """The same in a line of a screen, where the sentence is longer; "" where there is no such."""
    urgent: bool
    """Whether it comes before all others: the numbers are likely not what the reader takes them for."""

    def __new__(
        cls, text: str, code: str = "", facts: Mapping[str, Any] | None = None, brief: str = "", urgent: bool = False
    ) -> Note:
        """Say something, with names of any length cut short; without a code it is about what was read."""
        note = super().__new__(cls, shortened(text, None))
        note.code, note.facts, note.brief, note.urgent = code, dict(facts or {}), shortened(brief, None), urgent
        return note

    def __getnewargs__(self) -> tuple[str, str, Mapping[str, Any], str, bool]:  # type: ignore[override]
        return str(self), self.code, self.facts, self.brief, self.urgent

    def in_brief(self, line: str) -> Note:
        """The same, with what a screen has of it."""
        return Note(str(self), self.code, self.facts, line, self.urgent)

    def urgently(self) -> Note:
        """The same, before all others."""
        return Note(str(self), self.code, self.facts, self.brief, urgent=True)

    def as_dict(self) -> dict[str, Any]:
        """The note in the terms of JSON."""
        return {"code": self.code, "facts": dict(self.facts), "text": str(self)}

    def about(self, what: str, **facts: Any) -> Note:
        """The same, said of something: a run, a collection.

        >>> Code("TR101", "what was guessed", "scores made up from {ranks:rank}")(ranks=3).about("bm25")
        'bm25: scores made up from 3 ranks'
        """
        brief = self.brief and f"{what}: {self.brief}"
        return Note(f"{what}: {self}", self.code, {**self.facts, **facts}, brief, self.urgent)


class Later:
    """Notes that are made when somebody reads them, because making them takes work; where they are sent, they are made.

    >>> later = Later(lambda: [Note("made")])
    >>> read_notes([Note("known"), later])
    ('known', 'made')
    """

    __slots__ = ("_made", "_make")

    def __init__(self, make: Callable[[], Iterable[Note]]) -> None:
        self._make: Callable[[], Iterable[Note]] | None = make
        self._made: tuple[Note, ...] = ()

    def read(self) -> tuple[Note, ...]:
        """The notes; what they were made of is let go."""
        make = self._make
        if make is not None:
            self._made = tuple(make())
            self._make = None
        return self._made

    def __reduce__(self) -> tuple[type[Later], tuple[Callable[[], Iterable[Note]]]]:
        return Later, (partial(tuple, self.read()),)


def read_notes(notes: Iterable[Note | Later]) -> tuple[Note, ...]:
    """The notes, with those that were left for later in their places."""
    return tuple(one for note in notes for one in (note.read() if isinstance(note, Later) else (note,)))


def urgent_first(notes: Iterable[Note]) -> list[Note]:
    """Notes in their order, those before all others first.

    >>> guess = Code("TR101", "what was guessed", "scores made up from ranks")
    >>> nothing = Code("TR106", "a run of which no document is judged", "no document is judged")
    >>> urgent_first([guess(), nothing().urgently()])
    ['no document is judged', 'scores made up from ranks']
    """
    return sorted(notes, key=lambda note: not note.urgent)


class CountNote(str):
    """A sentence that counts: of two parts of a whole, the sums are told.

    ``say`` is a function of a module, or a partial of one, so that another process knows it.

    >>> one, two = (CountNote("{documents} documents dropped".format, {"documents": count}) for count in (1, 2))
    >>> one.plus(two)
    '3 documents dropped'
    """

    __slots__ = ("counts", "say")

    say: Callable[..., str]
    counts: Mapping[str, int]

    def __new__(cls, say: Callable[..., str], counts: Mapping[str, int]) -> CountNote:
        """Say so of these counts."""
        note = super().__new__(cls, say(**counts))
        note.say, note.counts = say, dict(counts)
        return note

    def __reduce__(self) -> tuple[type[CountNote], tuple[Callable[..., str], Mapping[str, int]]]:
        return CountNote, (self.say, self.counts)

    def plus(self, other: CountNote) -> CountNote:
        """The same of both parts together."""
        return CountNote(self.say, {name: count + other.counts[name] for name, count in self.counts.items()})

    @property
    def subject(self) -> object:
        """What it is about: notes about the same add up."""
        partial = self.say
        return (
            getattr(partial, "func", partial),
            repr(getattr(partial, "args", ())),
            repr(getattr(partial, "keywords", {})),
        )


class Code:
    """A kind of note: its stable code, what it is about, and its sentence.

    ``forms`` are sentences for other cases, by name: for none, for no change. ``brief`` is the same in a line of a
    screen, and ``each`` the sentence of one item of a fact that is a list of facts; items are put together by "; ".

    >>> tied = Code("TR201", "how many runs have ties", "{tied} of {runs:run} {tied:has|have} ties", none="no ties")
    >>> note = tied(tied=1, runs=3)
    >>> note, note.code, note.facts
    ('1 of 3 runs has ties', 'TR201', {'tied': 1, 'runs': 3})
    >>> tied("none", tied=0)
    'no ties'
    >>> Code("TR294", "leaders", "first: {first}", each={"first": "{run} by {by:names}"})(
    ...     first=[{"run": "a", "by": ["x", "y"]}, {"run": "b", "by": ["z"]}])
    'first: a by x and y; b by z'
    """

    def __init__(
        self, code: str, about: str, sentence: str = "", *, each: Mapping[str, str] | None = None, **forms: str
    ) -> None:
        self.code, self.about, self.sentence, self.forms, self.each = code, about, sentence, forms, dict(each or {})

    def __call__(self, form: str = "", /, **facts: Any) -> Note:
        """Say it in one of its forms."""
        told = {
            name: fact
            if name not in self.each or fact is None
            else "; ".join(sentence(self.each[name], **item) for item in fact)
            for name, fact in facts.items()
        }
        text = sentence(self.forms[form] if form else self.sentence, **told)
        brief = sentence(self.forms["brief"], **told) if "brief" in self.forms else ""
        return Note(text, self.code, facts, brief)
