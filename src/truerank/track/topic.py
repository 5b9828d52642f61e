"""Which topic is meant."""

from __future__ import annotations

from difflib import get_close_matches

from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.data.qrels import Qrels


def index_of(judgments: Qrels, topic: str | None) -> int:
    """Place of a topic in the judgments; None is the only one."""
    places = {text(name): place for place, name in enumerate(judgments.topics)}
    if topic is None:
        if len(places) == 1:
            return 0
        raise InputError(f"{len(places)} topics are judged; say which is meant, such as topic={next(iter(places))!r}")
    if str(topic) not in places:
        near = get_close_matches(str(topic), places, n=1) or [next(iter(places))]
        raise InputError(f"there is no judged topic {str(topic)!r:.80}; topics are such as {near[0]!r}")
    return places[str(topic)]
