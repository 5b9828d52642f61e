"""What is worth saying about numbers: a stable code, the facts, and a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from truerank.data.printing import enumerated, sentence, shortened


class Note(str):
    """A sentence that knows its code and the facts that it tells; wherever text is wanted, it is its text."""

    __slots__ = ("brief", "code", "command", "consequence", "facts", "kind", "likelihood", "share", "sure", "urgent")

    code: str
    facts: Mapping[str, Any]
    brief: str
    """The same in a line of a screen, where the sentence is longer; "" where there is no such."""
    urgent: bool
    """Whether it comes before all others: the numbers are likely not what the reader takes them for."""
    sure: bool
    """Whether it is a fact about what was scored, not about what might be; such a note is always shown."""
    likelihood: float
    """How likely it happens; 1 for a fact."""
    consequence: float
    """What it changes if it does: 1 reverses a verdict, 0.7 makes it significant or not, 0.5 gives another leader, 0.3
    moves a score by more than a standard error, 0.1 moves a printed digit; 0 for what the verdict says already."""
    share: float
    """Share of the rows shown that it concerns."""
    command: str
    """The command or option that says more; "" if none does."""
    kind: Code | None
    """What it is a note of; None for a text alone."""

    def __new__(
        cls,
        text: str,
        code: str = "",
        facts: Mapping[str, Any] | None = None,
        brief: str = "",
        urgent: bool = False,
        sure: bool = False,
        likelihood: float = 1.0,
        consequence: float = 0.1,
        share: float = 1.0,
        command: str = "",
        kind: Code | None = None,
    ) -> Note:
        """Say something, with names of any length cut short; without a code it is about what was read."""
        note = super().__new__(cls, shortened(text, None))
        note.code, note.facts, note.brief, note.urgent = code, dict(facts or {}), shortened(brief, None), urgent
        note.sure, note.likelihood, note.consequence, note.share = sure, likelihood, consequence, share
        note.command, note.kind = command, kind
        return note

    def __getnewargs__(self) -> tuple[Any, ...]:
        return str(self), *(getattr(self, name) for name in _PARTS)

    def weighed(self, text: str | None = None, /, **parts: Any) -> Note:
        """The same note with other parts: another likelihood, say, or another text.

        >>> note = Note("ties move 1 run").weighed(likelihood=0.5, command="truerank ties")
        >>> note, note.likelihood, note.command, note.weight
        ('ties move 1 run', 0.5, 'truerank ties', 0.05)
        """
        own = {name: getattr(self, name) for name in _PARTS}
        return Note(str(self) if text is None else text, **{**own, **parts})

    def in_brief(self, line: str) -> Note:
        """The same, with what a screen has of it."""
        return self.weighed(brief=line)

    def urgently(self) -> Note:
        """The same, before all others."""
        return self.weighed(urgent=True, sure=True, likelihood=1.0, consequence=1.0, share=1.0)

    @property
    def weight(self) -> float:
        """What it is worth to a reader: its likelihood times its consequence times its share."""
        return self.likelihood * self.consequence * self.share

    @property
    def line(self) -> str:
        """The note in a line below a table, with the command that says more."""
        said = self.brief or str(self)
        return f"{said}  [{self.command}]" if self.command else said

    def as_worth(self) -> dict[str, Any]:
        """The note in the terms of JSON, where it is worth knowing."""
        return {
            "text": self.brief or str(self),
            "likelihood": self.likelihood,
            "consequence": self.consequence,
            "sure": self.sure,
            "command": self.command or None,
        }

    def as_dict(self) -> dict[str, Any]:
        """The note in the terms of JSON."""
        return {"code": self.code, "facts": dict(self.facts), "text": str(self)}

    def about(self, what: str, **facts: Any) -> Note:
        """The same, said of something: a run, a collection.

        >>> Code("TR101", "what was guessed", "scores made up from {ranks:rank}")(ranks=3).about("bm25")
        'bm25: scores made up from 3 ranks'
        """
        brief = self.brief and f"{what}: {self.brief}"
        return self.weighed(f"{what}: {self}", facts={**self.facts, **facts}, brief=brief)


_PARTS = ("code", "facts", "brief", "urgent", "sure", "likelihood", "consequence", "share", "command", "kind")
"""What a note has beside its text, in the order of the arguments."""
LINES = 3
"""Notes that stand below a table."""
LEAST = 0.05
"""Weight from which on a note that is not sure is among them."""


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


def ranked(notes: Iterable[Note]) -> list[Note]:
    """Notes by what they are worth: facts about what was scored first, then by weight; otherwise as they come.

    >>> likely, digit = Note("likely", likelihood=0.5, consequence=0.7), Note("a digit moves")
    >>> ranked([digit, likely, Note("a topic is missing", sure=True)])
    ['a topic is missing', 'likely', 'a digit moves']
    """
    return sorted(notes, key=lambda note: (not note.sure, -note.weight))


def merged(notes: Iterable[Note]) -> list[Note]:
    """Notes that say the same about several runs in one, and those of a kind that has a sentence for several.

    >>> code = Code("TR102", "what was guessed", "no scores")
    >>> merged([code().about(run, run=run) for run in ("a", "b")])
    ['a and b: no scores']
    >>> code = Code("TR108", "unjudged", "{share:%} unjudged", together="up to {share:%} unjudged (most: {run:quoted})",
    ...     worst="share")
    >>> merged([code(share=share).about(run, run=run) for run, share in (("a", 0.25), ("b", 0.5))])
    ['up to 50% unjudged (most: "b")']
    """
    kinds: dict[tuple[object, ...], list[Note]] = {}
    for at, note in enumerate(notes):
        about = f"{note.facts.get('run')}: "
        rest = note.removeprefix(about)
        if note.kind is not None and note.kind.together and not note.urgent:
            apart = (note.facts.get(name) for name in note.kind.apart)
            key: tuple[object, ...] = (note.kind.code, note.weight > 0, *apart)
        else:
            key = (note.code, rest) if rest != note else ("", at)
        kinds.setdefault(key, []).append(note)
    return [_as_several(some) for some in kinds.values()]


def _as_several(notes: Sequence[Note]) -> Note:
    """Notes of a kind in one."""
    first = notes[0]
    if len(notes) == 1:
        return first
    if first.kind is not None and first.kind.together:
        return first.kind.merged(notes)
    rest = first.removeprefix(f"{first.facts['run']}: ")
    return first.weighed(f"{enumerated([each.facts['run'] for each in notes], 3)}: {rest}")


def worth_knowing(notes: Iterable[Note]) -> tuple[list[Note], int]:
    """The notes that stand below a table, and how many others there are.

    What is sure is never left out: where it is more than there are lines, notes of a kind are put into one line, and
    the last line has the rest.

    >>> sure = [Note(f"{name} misses a topic", "TR103", sure=True) for name in "abcd"]
    >>> worth_knowing([*sure, Note("ties move a score"), Note("rare", likelihood=0.01)])
    (['a misses a topic; b misses a topic; c misses a topic; d misses a topic', 'ties move a score'], 1)
    """
    every = ranked(merged(notes))
    sure, others = [note for note in every if note.sure], [note for note in every if not note.sure]
    if len(sure) > LINES:
        kinds: dict[str, list[Note]] = {}
        for note in sure:
            kinds.setdefault(note.code or str(note), []).append(note)
        sure = [_as_one(some) for some in kinds.values()]
        if len(sure) > LINES:
            sure = [*sure[: LINES - 1], _as_one(sure[LINES - 1 :])]
    # What weighs nothing is in the verdict already.
    others = [note for note in others if note.weight > 0]
    likely = [note for note in others if note.weight >= LEAST - 1e-12][: LINES - len(sure)]
    return [*sure, *likely], len(others) - len(likely)


def _as_one(notes: Sequence[Note]) -> Note:
    """Several notes in a line."""
    first, *more = notes
    if not more:
        return first
    said = [(note.brief or str(note)) for note in notes]
    # Sentences end in a full stop; clauses are put together.
    sentences = all(one.endswith(".") for one in said)
    text = " ".join(said) if sentences else "; ".join(one.removesuffix(".") for one in said)
    command = first.command if {note.command for note in notes} == {first.command} else ""
    return first.weighed(text, brief="", command=command)


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
    ``sure``, ``likelihood``, ``consequence`` and ``command`` are those of its notes, unless these are weighed again.
    ``together`` is the sentence of several such notes: it has the facts of the ``worst`` one, which is the largest by
    the fact of that name, how many there are (``count``) and, by the sentence of an item, ``each`` of them. Notes that
    differ in a fact that sets them ``apart`` are not put together.

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
        self,
        code: str,
        about: str,
        sentence: str = "",
        *,
        each: Mapping[str, str] | None = None,
        sure: bool = False,
        likelihood: float = 1.0,
        consequence: float = 0.1,
        command: str = "",
        together: str = "",
        worst: str = "",
        apart: Sequence[str] = (),
        **forms: str,
    ) -> None:
        self.code, self.about, self.sentence, self.forms, self.each = code, about, sentence, forms, dict(each or {})
        self.sure, self.likelihood, self.consequence, self.command = sure, likelihood, consequence, command
        self.together, self.worst, self.apart = together, worst, tuple(apart)

    def __call__(self, form: str = "", /, **facts: Any) -> Note:
        """Say it in one of its forms."""
        told = self._told(facts)
        text = sentence(self.forms[form] if form else self.sentence, **told)
        brief = sentence(self.forms["brief"], **told) if "brief" in self.forms else ""
        return Note(
            text,
            self.code,
            facts,
            brief,
            sure=self.sure,
            likelihood=self.likelihood,
            consequence=self.consequence,
            command=self.command,
            kind=self,
        )

    def merged(self, notes: Sequence[Note]) -> Note:
        """Several notes of this kind in one, which names the worst."""
        worst = max(notes, key=lambda note: note.facts[self.worst])
        facts: dict[str, Any] = {**worst.facts, "count": len(notes), "each": [note.facts for note in notes]}
        share = min(1.0, sum(note.share for note in notes))
        return worst.weighed(sentence(self.together, **self._told(facts)), brief="", share=share)

    def _told(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        """Facts as a sentence has them: items of a list one by one."""
        return {
            name: fact
            if name not in self.each or fact is None
            else "; ".join(sentence(self.each[name], **item) for item in fact)
            for name, fact in facts.items()
        }


ONLY_RELEVANT = Code(
    "TR120",
    "judgments without a grade 0, where the share of unjudged documents says nothing",
    "only relevant documents are judged (no grade 0): all others count as not relevant",
    consequence=0.0,
)
"""It stands in the line about the method, where scores are shown."""
