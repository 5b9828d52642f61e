from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truerank.data.ids import Ids

identifiers = st.lists(st.binary(max_size=40) | st.sampled_from([b"", b"a", b"a\0", b"12345678", b"123456789"]))


@given(identifiers)
def test_pack_and_unpack(ids: list[bytes]) -> None:
    packed = Ids.pack(ids)
    assert packed.tolist() == ids
    assert [packed[row] for row in range(len(packed))] == ids


@given(st.lists(st.text(max_size=9)))
def test_text_is_utf8(ids: list[str]) -> None:
    valid = [one for one in ids if not any("\ud800" <= letter <= "\udfff" for letter in one)]
    assert Ids.pack(valid).tolist() == [one.encode() for one in valid]


def test_undecodable_bytes_survive_as_surrogates() -> None:
    assert Ids.pack([b"\xff".decode("utf-8", "surrogateescape"), "a"]).tolist() == [b"\xff", b"a"]


def test_text_and_bytes_may_be_mixed() -> None:
    assert Ids.pack(["é", b"\xff", "a"]).tolist() == ["é".encode(), b"\xff", b"a"]


@given(identifiers, st.integers(0, 9))
def test_keys_depend_on_the_bytes_alone(ids: list[bytes], shift: int) -> None:
    elsewhere = Ids.pack([b"x" * shift, *ids])
    assert Ids.pack(ids).keys().tolist() == elsewhere.keys()[1:].tolist()


def test_keys_of_different_ids_differ() -> None:
    ids = [f"{prefix}{number}" for prefix in ("", "d", "clueweb09-en0000-") for number in range(30_000)]
    assert len(set(Ids.pack(ids).keys().tolist())) == len(ids)


@given(identifiers, st.data())
def test_same_is_equality_of_bytes(ids: list[bytes], data: st.DataObject) -> None:
    other = data.draw(st.permutations(ids)) if ids else []
    other = [one[:-1] + b"x" if index % 3 == 0 and one else one for index, one in enumerate(other)]
    rows = np.arange(len(ids))
    assert Ids.pack(ids).same(rows, Ids.pack(other), rows).tolist() == [a == b for a, b in zip(ids, other, strict=True)]


def test_take_shares_the_buffer() -> None:
    ids = Ids.pack(["a", "b", "c"])
    taken = ids.take(np.array([2, 2, 0]))
    assert taken.tolist() == [b"c", b"c", b"a"]
    assert taken.buffer is ids.buffer


@pytest.mark.parametrize(("longest", "itemsize"), [(10, 2), (65_535, 2), (65_536, 8)])
def test_lengths_are_compact_where_they_fit(longest: int, itemsize: int) -> None:
    ids = Ids.pack(["a", "b" * longest])
    assert ids.length.itemsize == itemsize
    assert ids[1] == b"b" * longest
