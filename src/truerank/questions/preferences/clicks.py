"""Clicks as preferences, after Joachims, Granka, Pan, Hembrooke & Gay 2005: which documents a click speaks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from truerank.data.errors import InputError
from truerank.data.ids import Ids
from truerank.data.notes import Code, Note
from truerank.data.preferences import prefer
from truerank.data.qrels import Preferences
from truerank.io.clicks import Impression
from truerank.questions.preferences.question import CLICKS

Places = Iterator[tuple[int, int]]
_MADE = (
    "{rankings:ranking} with {clicks:click} {rankings:makes|make} {preferences:preference} by {rules:names}, {share:%} "
    "of them against the order shown; assumed {assumed}"
)
CLICKED = Code(
    "TR534",
    "what clicks were taken for, and what that assumes",
    _MADE,
    violated=_MADE
    + "; position bias: the ranking that was shown violates every one of them, so do not score it by these",
    kept=_MADE + "; position bias: the ranking that was shown keeps every one of them, so do not score it by these",
    each={"assumed": "{assumption}"},
)


def _skip_above(docs: int, clicked: Sequence[int]) -> Places:
    """A clicked document is better than all above it that were not clicked."""
    seen = {*clicked}
    return ((place, above) for place in clicked for above in range(place) if above not in seen)


def _last_click(docs: int, clicked: Sequence[int]) -> Places:
    """The same for the last click alone."""
    seen = {*clicked}
    return ((place, above) for place in clicked[-1:] for above in range(place) if above not in seen)


def _earlier_click(docs: int, clicked: Sequence[int]) -> Places:
    """A document is better than those clicked before it."""
    return ((later, earlier) for number, later in enumerate(clicked) for earlier in clicked[:number])


def _skip_previous(docs: int, clicked: Sequence[int]) -> Places:
    """A clicked document is better than the one just above it, if that was not clicked."""
    seen = {*clicked}
    return ((place, place - 1) for place in clicked if place and place - 1 not in seen)


def _skip_next(docs: int, clicked: Sequence[int]) -> Places:
    """A clicked document is better than the one just below it, if that was not clicked."""
    seen = {*clicked}
    return ((place, place + 1) for place in clicked if place + 1 < docs and place + 1 not in seen)


_RULES: dict[str, Callable[[int, Sequence[int]], Places]] = dict(
    zip(CLICKS, (_skip_above, _last_click, _earlier_click, _skip_previous, _skip_next), strict=True)
)
_ASSUMES = {
    "skip-above": "that all above a click was looked at",
    "last-click": "that all above the last click was looked at",
    "earlier-click": "that clicks are listed in the order they were made, and a later one means more",
    "skip-previous": "that what stands just above a click was looked at",
    "skip-next": "that what stands just below a click was looked at",
}


def clicked_pairs(log: Sequence[Impression], rules: Sequence[str]) -> tuple[Preferences, Note]:
    """The preferences that clicks stand for, each rule by itself, and what is to be known of them.

    >>> found, _ = clicked_pairs([Impression("q", ("a", "b", "c"), (2,))], ["skip-above"])
    >>> found.docs.tolist(), found.pairs.tolist()
    ([b'c', b'a', b'b'], [[0, 1], [0, 2]])
    """
    for rule in rules:
        if rule not in _RULES:
            raise InputError(f"clicks={rule!r} is not a choice; take some of {', '.join(CLICKS)}")
    names: dict[str, int] = {}
    topic: list[int] = []
    better: list[str] = []
    worse: list[str] = []
    against = 0
    for one in log:
        number = names.setdefault(one.topic, len(names))
        for rule in rules:
            for up, down in _RULES[rule](len(one.docs), one.clicked):
                topic.append(number)
                better.append(one.docs[up])
                worse.append(one.docs[down])
                against += up > down
    if not topic:
        raise InputError(f"no click of the log is a preference by {' or '.join(rules)}; take another rule")
    order = np.argsort(topic, kind="stable")
    bounds = np.searchsorted(np.array(topic)[order], np.arange(len(names) + 1))
    first, second = (Ids.pack([each[place] for place in order.tolist()]) for each in (better, worse))
    found = prefer([*map(_encoded, names)], bounds, first, second)
    return found, _note(log, rules, len(topic), against)


def _encoded(topic: str) -> bytes:
    return topic.encode("utf-8", "surrogateescape")


def _note(log: Sequence[Impression], rules: Sequence[str], preferences: int, against: int) -> Note:
    """Position bias by its name: rules that compare upwards can only speak against the ranking that was shown."""
    return CLICKED(
        "violated" if against == preferences else "" if against else "kept",
        rules=[*rules],
        rankings=len(log),
        clicks=sum(len(one.clicked) for one in log),
        preferences=preferences,
        against=against,
        share=against / preferences,
        assumed=[{"rule": rule, "assumption": _ASSUMES[rule]} for rule in rules],
    )
