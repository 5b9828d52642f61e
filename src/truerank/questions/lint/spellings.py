"""Ids that differ in their spelling only: in case, quotes, leading zeros or invisible characters."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from truerank.data.ids import Ids
from truerank.data.printing import shown
from truerank.data.qrels import Qrels
from truerank.io.encoding import BOM

QUOTES = (b'"', b"'")
UNSEEN = (b" ", b"\t", b"\r", b"\n", b"\v", b"\f", b"\0", "\u00a0".encode(), "\u200b".encode(), BOM)
"""Bytes around an id that nobody sees: blanks, NUL, the no-break and the zero-width space, the byte order mark."""
_PADDED = re.compile(rb"^([^0-9.]*)0+(?=[0-9]+$)")


def trimmed(identifier: bytes) -> bytes:
    """An id without quotes around it, and without what cannot be seen.

    >>> trimmed(b'"d1"'), trimmed("d1\u00a0 ".encode()), trimmed(b"rock'n'")
    (b'd1', b'd1', b"rock'n'")
    """
    if identifier[:1].isalnum() and identifier[-1:].isalnum():
        return identifier
    bare = identifier
    for sign in UNSEEN:
        bare = bare.removeprefix(sign).removesuffix(sign)
    if len(bare) > 2 and bare[:1] == bare[-1:] and bare[:1] in QUOTES:
        bare = bare[1:-1]
    if not bare:
        return identifier
    return bare if bare == identifier else trimmed(bare)


def plain_form(identifier: bytes) -> bytes:
    """An id without what is often added or changed on its way through other tools.

    >>> [plain_form(one) for one in (b"D012", b'"d12"', b"12.0", b"0012", b"FT911-03")]
    [b'd12', b'd12', b'12', b'12', b'ft911-03']
    """
    bare = trimmed(identifier).lower().removesuffix(b".0")
    return _PADDED.sub(rb"\1", bare)


def difference(one: bytes, other: bytes) -> str:
    """In what two ids with the same plain form differ.

    >>> difference(b"D1", b"d1"), difference(b"7", b"7.0"), difference(b"07", b"7")
    ('in case', 'by a .0, as of floats', 'in leading zeros')
    """
    if trimmed(one) == trimmed(other):
        return "in quotes or invisible characters"
    if one.lower() == other.lower():
        return "in case"
    if one.removesuffix(b".0") == other.removesuffix(b".0"):
        return "by a .0, as of floats"
    if _PADDED.sub(rb"\1", one) == _PADDED.sub(rb"\1", other):
        return "in leading zeros"
    return "in more than one way"


def same_in_plain_form(some: Iterable[bytes], others: Iterable[bytes]) -> dict[bytes, bytes]:
    """Ids with the same plain form, of those in one list and in the other."""
    known = {plain_form(other): other for other in others}
    return {one: known[form] for one in some if (form := plain_form(one)) in known}


@dataclass(frozen=True, eq=False)
class JudgedForms:
    """The plain forms of judgments, made when the first run needs them and kept for the next ones."""

    qrels: Qrels

    @cached_property
    def by_topic(self) -> list[dict[bytes, bytes]]:
        """Judged documents by plain form, for each topic."""
        docs = self.qrels.docs
        return [
            {plain_form(doc): doc for doc in Ids(docs.buffer, docs.start[a:b], docs.length[a:b]).tolist()}
            for a, b in pairwise(self.qrels.offsets.tolist())
        ]


def pair_text(one: bytes, other: bytes) -> str:
    """Two ids, and in what they differ."""
    return f"{shown(one)} and {shown(other)} differ {difference(one, other)}"
