"""Gates: what a system must be shown to be, as it is written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from truerank.data.errors import InputError
from truerank.measures.core.base import Measure
from truerank.measures.core.parameters import LARGEST
from truerank.measures.grammar import parse

NO_WORSE, BETTER, EQUIVALENT, NOT_SIGNIFICANTLY_WORSE = (
    "no worse than",
    "better",
    "equivalent within",
    "not significantly worse",
)
FORMS = (
    "no worse than 0.005 at 0.05",
    "better by 1% at 0.05",
    "equivalent within 0.01 at 0.05",
    "not significantly worse at 0.05",
)
"""One of each kind."""
USUAL = NOT_SIGNIFICANTLY_WORSE
"""The rule that "no worse" is short for: one that a run which is as good passes on thirty topics, too."""
LONGEST = 500
"""Characters of a gate: room for a measure with many parameters."""
_NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?"
_GATE = re.compile(
    rf"(?:(?P<measure>\S.*?)\s*:\s*)?"
    rf"(?:(?P<form>{NO_WORSE}|{EQUIVALENT})\s+(?P<margin>{_NUMBER})\s*(?P<percent>%?)"
    rf"|(?P<better>{BETTER})(?:\s+by\s+(?P<by>{_NUMBER})\s*(?P<by_percent>%?))?"
    rf"|(?P<not>{NOT_SIGNIFICANTLY_WORSE}|no worse|not worse))"
    rf"(?:\s+against\s+(?P<against>\S.*?))?"
    rf"(?:\s+with\s+losses\s+up\s+to\s+(?P<losses>{_NUMBER}))?"
    rf"(?:\s+at\s+(?P<alpha>{_NUMBER})\s*(?P<alpha_percent>%?))?"
    rf"(?:\s+over\s+(?P<looks>\d+)\s+looks?)?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Gate:
    """What every system must be, compared with the baseline."""

    text: str
    form: str
    difference: float
    """In units of the measure, or a share of what the baseline scores; 0 where none was given."""
    relative: bool
    """Whether it is a share."""
    alpha: float
    measure: Measure | None
    """The one it is about; None for all that are compared."""
    references: tuple[str, ...] = ()
    """The runs that others are held against; none where these are the baselines of the comparison."""
    losses: float | None = None
    """How much a topic that was not seen may lose; None for as much as the worst of those seen."""
    looks: int = 1
    """How many such gates there will be, of which none may go wrong: each has its part of alpha."""

    @property
    def level(self) -> float:
        """What p has to be below, at this look."""
        return self.alpha / self.looks


def gate(text: str, alpha: float = 0.05) -> Gate:
    """Read a gate; ``alpha`` is its level where it names none.

    >>> found = gate("no worse than 1% at 0.01")
    >>> found.form, found.difference, found.relative, found.alpha
    ('no worse than', 0.01, True, 0.01)
    >>> str(gate("P@10: better").measure)
    'P@10'
    >>> gate("no worse").form
    'not significantly worse'
    """
    if len(text) > LONGEST:
        raise InputError(f"a gate of {len(text):,} characters is none; write one like {FORMS[0]!r}")
    found = _GATE.fullmatch(" ".join(str(text).split()))
    if found is None:
        forms = ", ".join(repr(form) for form in FORMS)
        raise InputError(
            f"gate {text!r} is not understood; write one like {forms}, after 'nDCG@10:' if it is about that only"
        )
    form = USUAL if found["not"] else (found["form"] or found["better"]).lower()
    margin, percent = (found["by"], found["by_percent"]) if form == BETTER else (found["margin"], found["percent"])
    level = alpha if found["alpha"] is None else float(found["alpha"]) / (100 if found["alpha_percent"] else 1)
    if not 0 < level < 0.5:
        raise InputError(f"gate {text!r} has the level {level:g}; give one between 0 and 0.5, such as 0.05")
    size = float(margin or 0.0) / (100 if percent else 1)
    if form in (NO_WORSE, EQUIVALENT) and not size:
        raise InputError(
            f"gate {text!r} allows for no difference, which no number of topics can show; name one that does not "
            f"matter, or write {BETTER!r} or {NOT_SIGNIFICANTLY_WORSE!r}"
        )
    if size > LARGEST:
        raise InputError(f"gate {text!r} names a difference past all scores; name one such as 0.005")
    looks = int(found["looks"] or 1)
    if not looks:
        raise InputError(f"gate {text!r} is over 0 looks; give how many such gates there will be")
    if found["losses"] is not None and not (form in (NO_WORSE, EQUIVALENT) or size):
        raise InputError(f"gate {text!r} names no difference that losses could add up to; leave them out, or name one")
    return Gate(
        " ".join(str(text).split()),
        form,
        size,
        bool(percent),
        level,
        None if found["measure"] is None else parse(found["measure"]),
        () if found["against"] is None else (found["against"],),
        None if found["losses"] is None else float(found["losses"]),
        looks,
    )


def gates(given: str | Iterable[str] | None, alpha: float, wanted: Iterable[Measure]) -> tuple[Gate, ...]:
    """Read gates, and refuse one about a measure that is not compared, or a share of what has no zero to start from."""
    texts = [] if given is None else [given] if isinstance(given, str) else list(given)
    found = tuple(gate(text, alpha) for text in texts)
    every = list(wanted)
    for one in found:
        if one.measure is not None and one.measure not in every:
            names = ", ".join(map(str, every))
            raise InputError(f"gate {one.text!r} is about {one.measure}, and compared are {names}; add the measure")
        below = [each for each in every if one.measure in (None, each) and each.range[0] < 0]
        if one.relative and below:
            raise InputError(
                f"gate {one.text!r} is a share of a mean, and {below[0]} may be below 0, where a share says nothing; "
                "name a difference in units of the measure, as in 0.005"
            )
    return found
