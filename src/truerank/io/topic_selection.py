"""The topics that ``--topics`` or ``topics=`` selects, given as ids, text with commas between them, or a file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import Any

import numpy as np

from truerank.data.errors import InputError
from truerank.data.ids import one_id, text
from truerank.data.printing import brief
from truerank.data.qrels import Qrels
from truerank.data.reading import FILE
from truerank.io.encoding import BOM, readable
from truerank.io.source import open_source

_MARKS = str.maketrans("\t,;", "   ")


def select_topics(judgments: Qrels, topics: Any) -> Qrels:
    """The judgments of the topics that are asked for; some that are not judged are remembered, and none is refused.

    ``topics`` is one, several, "401,403", or "@FILE": the first word of each line of a file.

    >>> from truerank.io.load import as_qrels
    >>> qrels = as_qrels({401: ["a"], 402: ["b"], 403: ["c"]})
    >>> select_topics(qrels, [403, 401]).topics, select_topics(qrels, "402,999").topics
    ((b'401', b'403'), (b'402',))
    """
    place = {topic: at for at, topic in enumerate(judgments.topics)}
    asked = dict.fromkeys(_names(topics, place))
    if not asked:
        raise InputError("topics= names none; name those that count, or leave it out")
    known = np.array(sorted(place[topic] for topic in asked if topic in place), np.intp)
    unknown = tuple(text(topic) for topic in asked if topic not in place)
    if not len(known):
        ours = [text(topic) for topic in judgments.topics]
        near = get_close_matches(unknown[0], ours, n=1) or ours[:1]
        none = f"topic {brief(unknown[0])} is not" if len(unknown) == 1 else f"none of the {len(unknown):,} topics is"
        raise InputError(f"{none} judged; topics are such as {brief(near[0])}")
    return judgments.only(known, unknown)


def _names(given: Any, judged: dict[bytes, int]) -> Iterator[bytes]:
    several = isinstance(given, Iterable) and not isinstance(given, (str, bytes))
    for one in given if several else [given]:
        name = one_id(one, "topic")
        if name in judged or not isinstance(one, str):
            # A topic may have a comma in its id.
            yield name
        elif one.startswith(FILE):
            yield from _in_file(one.removeprefix(FILE))
        else:
            yield from (one_id(part.strip(), "topic") for part in one.split(",") if part.strip())


def _in_file(path: str) -> Iterator[bytes]:
    if not path:
        raise InputError("@ precedes the path of a file of topics, as in @topics.txt; name one")
    if os.path.isdir(path):
        raise InputError("this is a folder; name a file with a topic on each line", path)
    body = readable(open_source(path).text)[0].tobytes().removeprefix(BOM).decode("utf-8", "surrogateescape")
    words = [line.translate(_MARKS).split() for line in body.splitlines() if not line.lstrip().startswith("#")]
    found = [one_id(line[0], "topic") for line in words if line]
    if not found:
        raise InputError("the file names no topic; give one on each line", path)
    yield from found
