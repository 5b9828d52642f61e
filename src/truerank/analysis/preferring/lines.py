"""Preferences as lines of a file."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from truerank.analysis.pooling.lines import refuse_blank
from truerank.analysis.views import text
from truerank.data.qrels import Preferences

_BLOCK = 1 << 16


def preference_lines(preferences: Preferences) -> Iterator[str]:
    """Preferences as text, some lines at a time: topic, better and worse document, or with a sign if there are ties.

    >>> from truerank.io.load import as_preferences
    >>> print("".join(preference_lines(as_preferences([("q", "b", "a")]))), end="")
    q b a
    >>> print("".join(preference_lines(as_preferences([("q", "b", ">", "a"), ("q", "a", "=", "c")]))), end="")
    q b > a
    q a = c
    """
    docs, topics = [*map(text, preferences.docs.tolist())], [*map(text, preferences.topics)]
    for one in (*topics, *docs):
        refuse_blank(one)
    between = " > " if len(preferences.ties) else " "
    for rows, bounds, sign in (
        (preferences.pairs, preferences.pair_offsets, between),
        (preferences.ties, preferences.tie_offsets, " = "),
    ):
        topic = np.repeat(np.arange(len(topics)), np.diff(bounds))
        for begin in range(0, len(rows), _BLOCK):
            some = zip(topic[begin : begin + _BLOCK].tolist(), rows[begin : begin + _BLOCK].tolist(), strict=True)
            yield "".join([f"{topics[place]} {docs[one]}{sign}{docs[other]}\n" for place, (one, other) in some])
