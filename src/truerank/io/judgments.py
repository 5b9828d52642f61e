"""Judgments from columns: documents with grades, or preferences.

Which of two documents is better is said by the better one, by a sign, or by -1, 0 and 1.
"""

from __future__ import annotations

import string
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from truerank.data.arrays import Floats, Keys, Mask, Rows, distinct, offsets
from truerank.data.errors import InputError
from truerank.data.ids import Ids
from truerank.data.preferences import higher, prefer
from truerank.data.printing import shown
from truerank.data.qrels import Preferences, Qrels, collect
from truerank.io.columns import Columns

SIGNS = {b">": 1, b"<": -1, b"=": 0, b"==": 0, b"~": 0}
_EQUAL = (b"tie", b"tied", b"equal", b"same", b"both", b"neither", b"draw")
WORDS: dict[bytes, int] = {**SIGNS, **dict.fromkeys(_EQUAL, 0)}
"""1 where the first document is better, -1 where the second is, 0 where they are equally good."""
_UNKNOWN = 9
_MANY = 64
"""Different values from which on they are documents."""
_BAD = (-2.0, 2.0)
NUMBERED = (
    "read -1 as: the first document is better, and 1 as: the second is (Carterette, Bennett and Chapelle 2008); "
    "if they are the other way round, write > and <"
)
REMEDY = "give the better document, or tie, or one of > < =, or -1 (the first is better), 0, 1"
_MARKS = frozenset(string.punctuation.encode())


def qrels_from(columns: Columns) -> Qrels:
    """Make judgments of documents with a grade each; those that are only listed are relevant."""
    grade = np.ones(len(columns.ids[0])) if columns.holds == "nothing" else columns.number
    qrels = collect(
        columns.topics,
        columns.bounds,
        columns.ids[0],
        grade,
        segment=columns.segment,
        origin=columns.origin,
        subtopics=columns.subtopics,
    )
    return replace(qrels, notes=(*columns.notes, *qrels.notes)) if columns.notes else qrels


def preferences_from(columns: Columns) -> Preferences:
    """Make preferences of pairs of documents: the better one first, or with the relation of the two behind them."""
    first, second, *relation = columns.ids
    outcome = None
    said: tuple[str, ...] = ()
    if relation:
        outcome, said = outcomes(first, second, relation[0], columns.error)
    found = prefer(
        columns.topics, columns.bounds, first, second, outcome, segment=columns.segment, origin=columns.origin
    )
    return replace(found, notes=(*columns.notes, *said))


def preferences_from_groups(columns: Columns) -> Preferences:
    """Make preferences of documents that groups of people gave grades, as trec_eval has them.

    The one with the higher grade is better, of two that a subgroup judged. What two subgroups say are two judgments,
    and nothing is inferred from either.
    """
    docs, group, subgroup = columns.ids
    segment = columns.segment if columns.bounds is None else np.repeat(columns.segment, np.diff(columns.bounds))
    said = zip(segment.tolist(), group.tolist(), subgroup.tolist(), strict=True)
    number: dict[tuple[int, bytes, bytes], int] = {}
    part = np.fromiter((number.setdefault(one, len(number)) for one in said), np.intp, len(docs))
    order = np.argsort(part, kind="stable")
    pairs, _ = higher(offsets(np.bincount(part, minlength=len(number))), columns.number[order])
    better, worse = order[pairs[:, 0]], order[pairs[:, 1]]
    return prefer(
        columns.topics, None, docs.take(better), docs.take(worse), segment=segment[better], origin=columns.origin
    )


def is_sign(value: Any) -> bool:
    """Whether a value is a sign that stands between two documents, which none is called.

    >>> is_sign("<"), is_sign("d1"), is_sign(1), is_sign({})
    (True, False, False, False)
    """
    said = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value
    return isinstance(said, bytes) and said in SIGNS


def outcomes(
    first: Ids, second: Ids, said: Ids, error: Callable[[str, int], InputError]
) -> tuple[Rows, tuple[str, ...]]:
    """Tell which of two documents is better, by what was said; ``error`` is that about a row.

    >>> first, second = Ids.pack(["d1", "d3", "d5"]), Ids.pack(["d2", "d4", "d6"])
    >>> [outcomes(first, second, Ids.pack(said), InputError)[0].tolist() for said in (["d2", "d3", "tie"], "><=")]
    [[-1, 1, 0], [1, -1, 0]]
    """
    every = np.arange(len(said))
    winner = np.full(len(said), _UNKNOWN)
    winner[said.same(every, second, every)] = -1
    winner[said.same(every, first, every)] = 1
    word, number = _read(said, winner == _UNKNOWN)
    winner[(winner == _UNKNOWN) & (word == 0)] = 0
    sign = np.where(number == number, -np.nan_to_num(number), word)
    by_winner, by_sign = winner != _UNKNOWN, np.isin(sign, (-1, 0, 1))
    if by_winner.all():
        # A number may be a document, or say which one is better.
        doubtful = np.flatnonzero(by_sign & (number == number) & (sign != winner))
        if by_sign.all() and len(doubtful):
            message = f"{shown(said[int(doubtful[0])])} may be the better document, or say that the first or second is"
            raise error(f"{message}; name the columns better and worse, or write > and <", int(doubtful[0]))
        return winner, ()
    if by_sign.all():
        return sign.astype(np.intp), (NUMBERED,) if (number == number).any() else ()
    row = int(np.flatnonzero(~(by_sign if by_sign.sum() >= by_winner.sum() else by_winner))[0])
    if number[row] in _BAD:
        raise error(f"{number[row]:g} marks a bad document and compares none; leave such rows out", row)
    raise error(f"the relation of two documents is {shown(said[row])}; {REMEDY}", row)


def is_infix(between: Ids, error: Callable[[str, int], InputError]) -> bool:
    """Whether what stands in the middle are signs; refused where it is for some rows only, or another mark.

    >>> is_infix(Ids.pack("><"), InputError), is_infix(Ids.pack(["d1", "d2"]), InputError)
    (True, False)
    """
    short = np.flatnonzero(between.length <= 2)
    key = between.take(short).keys()
    signs: Mask = np.zeros(len(between), np.bool_)
    for place, text in zip(different := _different(key), _texts(between, short[different]), strict=True):
        if is_sign(text):
            signs[short[key == key[place]]] = True
        elif _MARKS.issuperset(text):
            raise error(f"{shown(text)} is no sign for the relation of two documents; {REMEDY}", int(short[place]))
    if signs.any() and not signs.all():
        row = int(np.flatnonzero(~signs)[0])
        raise error(f"{shown(between[row])} stands where other rows have a sign; give all the same form", row)
    return bool(signs.any())


def _read(said: Ids, doubtful: Mask) -> tuple[Rows, Floats]:
    """What rows say in a word, and as a number; of many different things, those that are not documents of the row."""
    key = said.keys()
    rows = np.arange(len(key))
    different = _different(key)
    if len(different) > _MANY:
        rows = np.flatnonzero(doubtful)
        different = _different(key[rows])[:_MANY]
    word, number = np.full(len(key), _UNKNOWN), np.full(len(key), np.nan)
    for row, text in zip(rows[different].tolist(), _texts(said, rows[different]), strict=True):
        alike: Mask = key == key[row]
        if text.lower() in WORDS:
            word[alike] = WORDS[text.lower()]
        else:
            number[alike] = _number(text)
    return word, number


def _different(key: Keys) -> Rows:
    """The first row of each value, in the order of rows."""
    order = np.argsort(key, kind="stable")
    return np.sort(order[np.searchsorted(key[order], distinct(key))])


def _texts(ids: Ids, rows: Rows) -> list[bytes]:
    return ids.take(rows).tolist()


def _number(text: bytes) -> float:
    try:
        return float(text)
    except ValueError:
        return np.nan
