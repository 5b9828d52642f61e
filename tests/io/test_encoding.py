"""Text in other encodings is refused by name, or made readable."""

from __future__ import annotations

import codecs

import numpy as np
import pytest

from truerank.data.errors import InputError
from truerank.io.encoding import oddities, readable, refuse_foreign
from truerank.io.source import Source

TEXT = "q1 0 d1 1\nq1 0 d2 0\n"


def source(data: bytes) -> Source:
    return Source("x", "x", np.frombuffer(data, dtype=np.uint8))


FOREIGN = {
    "utf-16": TEXT.encode("utf-16"),
    "little end first": codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"),
    "big end first": codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
    "little, no mark": TEXT.encode("utf-16-le"),
    "big, no mark": TEXT.encode("utf-16-be"),
    "carriage returns": TEXT.replace("\n", "\r").encode(),
    "both": TEXT.replace("\n", "\r").encode("utf-16"),
}


@pytest.mark.parametrize("data", FOREIGN.values(), ids=FOREIGN)
def test_what_is_refused_is_made_readable(data: bytes) -> None:
    with pytest.raises(InputError, match=r"the text is UTF-16|lines end in a carriage return alone"):
        refuse_foreign(source(data))
    text, was = readable(source(data).text)
    assert text.tobytes() == TEXT.encode()
    assert was in ("UTF-16", "carriage returns")
    refuse_foreign(source(text.tobytes()))


PLAIN = [
    TEXT.encode(),
    b"",
    b"q1 0 d1 1",
    TEXT.replace("\n", "\r\n").encode(),
    b"q\x00 0 d 1\n",
    b"\xff\xfe0 0 d 1 x\n",
]


@pytest.mark.parametrize("data", PLAIN)
def test_other_text_stays_as_it_is(data: bytes) -> None:
    refuse_foreign(source(data))
    text, was = readable(source(data).text)
    assert (text.tobytes(), was) == (data, "")


def test_oddities_are_counted_with_their_first_places() -> None:
    data = b"a\r\nb\xff\r\nc\0\0\nd\r\ne\r\n"
    found = oddities(source(data).text, 0, len(data))
    assert (found.carriage_returns.count, found.carriage_returns.first) == (4, (1, 5, 12))
    assert (found.nul.count, found.nul.first) == (2, (8,))
    assert (found.not_utf8.count, found.not_utf8.first) == (1, (3,))
