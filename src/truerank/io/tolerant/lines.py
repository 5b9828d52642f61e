"""Lines into columns whatever is wrong with them: a line that cannot be read is noted, and the others are read."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from truerank.data.arrays import Bytes, Floats, Ints, Keys, Rows
from truerank.data.ids import Ids
from truerank.data.words import hashed
from truerank.io.decimals import MARGIN, decimals
from truerank.io.fields import IS_NUMERIC, regular, tokens
from truerank.io.layout import Layout
from truerank.io.lines import NEWLINE
from truerank.io.segments import Segments
from truerank.io.tolerant.text import NOTHING_ODD, NOWHERE, SHOWN, Oddities, Spots, oddities
from truerank.io.topics import Topics

_RANK, _TAG = 3, 5
_PADDING = 9


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """What a chunk of a file holds. Places are byte offsets in the file."""

    segments: Segments
    start: Ints
    length: Ints
    key: Keys
    number: Floats
    """Scores or grades; NaN where they are not finite decimals."""
    rank: Floats | None
    """The rank column of a run; NaN where it is not a number."""
    malformed: dict[int, int]
    """Columns of each line that has too few, or too many to know which is which."""
    wide: Spots = NOWHERE
    """Lines of a run with more columns than it needs."""
    untagged: Spots = NOWHERE
    """Lines of a run that end with their score."""
    tags: dict[bytes, Spots] = field(default_factory=dict)
    oddities: Oddities = NOTHING_ODD


@dataclass(frozen=True, slots=True, eq=False)
class _Split:
    """Fields of the lines that have enough of them."""

    start: dict[int, Rows]
    end: dict[int, Rows]
    count: Rows | None = None
    """Columns of each of these lines; None where all have those of the layout."""
    malformed: dict[int, int] = field(default_factory=dict)


def read_part(text: Bytes, begin: int, end: int, layout: Layout, topics: Topics) -> Part:
    """Read text[begin:end], which is made of whole lines."""
    padded = np.zeros(MARGIN + end - begin + _PADDING, dtype=np.uint8)
    size = end - begin
    padded[MARGIN : MARGIN + size] = text[begin:end]
    if padded[MARGIN + size - 1] != NEWLINE:
        padded[MARGIN + size] = NEWLINE
        size += 1
    chunk = padded[MARGIN:]
    ranked = len(layout.columns) > _TAG
    split = _split(chunk[:size], layout, ranked)
    number = _numbers(padded, split, layout.number or 0)
    rank = _numbers(padded, split, _RANK) if ranked else None
    if rank is not None and split.count is not None:
        # Five columns are a run without tags if the last two are numbers, and otherwise lack something else.
        lacking = (split.count < len(layout.columns)) & np.isnan(number + rank)
        # More columns and a word for a rank are an id with a space in it, which the readers refuse.
        lacking |= (split.count > len(layout.columns)) & ~IS_NUMERIC[chunk[split.start[_RANK]]]
        if lacking.any():
            split = _without(split, np.flatnonzero(lacking))
            number, rank = number[~lacking], rank[~lacking]
    [column] = layout.ids
    start, length = split.start[column], split.end[column] - split.start[column]
    topic, topic_length = split.start[0], split.end[0] - split.start[0]
    name = hashed(chunk, topic, topic_length)
    head = np.flatnonzero(np.concatenate([np.ones(min(len(name), 1), bool), name[1:] != name[:-1]]))
    tagged = _tags(chunk, split, start + begin) if ranked else {}
    return Part(
        Segments(len(start), head, topics.number(Ids(chunk, topic[head], topic_length[head]))),
        (start + begin).astype(np.uint32 if text.size < 1 << 32 else np.int64),
        length.astype(np.uint16 if int(length.max(initial=0)) < 1 << 16 else np.int64),
        hashed(chunk, start, length),
        number,
        rank,
        {begin + place: count for place, count in split.malformed.items()},
        _wide(split, start + begin) if ranked else NOWHERE,
        tagged.pop(b"", NOWHERE),
        tagged,
        oddities(text, begin, end),
    )


def _split(chunk: Bytes, layout: Layout, ranked: bool) -> _Split:
    columns = len(layout.columns)
    wanted = (*layout.wanted, _RANK, _TAG) if ranked else layout.wanted
    plain = regular(chunk, columns, wanted)
    if plain is not None:
        return _Split(plain.start, plain.end)
    found = tokens(chunk)
    fits = (found.count >= columns - 1) if ranked else (found.count == columns)
    wrong = np.flatnonzero(~fits)
    malformed = dict(zip(found.start[found.first[wrong]].tolist(), found.count[wrong].tolist(), strict=True))
    first, count = found.first[fits], found.count[fits]
    start = {column: found.start[first + column] for column in wanted if column < columns - ranked}
    end = {column: found.end[first + column] for column in wanted if column < columns - ranked}
    if ranked:
        last = first + np.minimum(count - 1, _TAG)
        end[_TAG] = found.end[last]
        start[_TAG] = np.where(count > _TAG, found.start[last], end[_TAG])
    return _Split(start, end, count, malformed)


def _without(split: _Split, rows: Rows) -> _Split:
    """Take lines for malformed after all."""
    assert split.count is not None
    keep = np.ones(len(split.count), bool)
    keep[rows] = False
    more = dict(zip(split.start[0][rows].tolist(), split.count[rows].tolist(), strict=True))
    return _Split(
        {column: start[keep] for column, start in split.start.items()},
        {column: end[keep] for column, end in split.end.items()},
        split.count[keep],
        {**split.malformed, **more},
    )


def _numbers(padded: Bytes, split: _Split, column: int) -> Floats:
    value, bad = decimals(padded, split.start[column] + MARGIN, split.end[column] + MARGIN)
    value[bad] = np.nan
    return value


def _wide(split: _Split, place: Rows) -> Spots:
    if split.count is None:
        return NOWHERE
    wide = np.flatnonzero(split.count > _TAG + 1)
    return Spots(len(wide), tuple(place[wide[:SHOWN]].tolist()))


def _tags(chunk: Bytes, split: _Split, place: Rows) -> dict[bytes, Spots]:
    """The tags of a chunk; that of a line without one is empty."""
    start, length = split.start[_TAG], split.end[_TAG] - split.start[_TAG]
    key = hashed(chunk, start, length)
    if not len(key):
        return {}
    first, count = np.zeros(1, np.int64), np.array([len(key)])
    if (key != key[0]).any():
        _, first, count = np.unique(key, return_index=True, return_counts=True)
    names = Ids(chunk, start[first], length[first]).tolist()
    return {
        name: Spots(times, (offset,))
        for name, times, offset in zip(names, count.tolist(), place[first].tolist(), strict=True)
    }
