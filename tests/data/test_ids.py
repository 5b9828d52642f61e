from __future__ import annotations

import io
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truerank.data.errors import InputError
from truerank.data.ids import LONG, Ids
from truerank.data.judge import judge
from truerank.io.load import as_qrels
from truerank.io.topic_numbers import changes
from truerank.io.trec import read_run

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


@pytest.mark.parametrize(("longest", "itemsize"), [(10, 2), (65_535, 2), (65_536, np.intp().itemsize)])
def test_lengths_are_compact_where_they_fit(longest: int, itemsize: int) -> None:
    ids = Ids.pack(["a", "b" * longest])
    assert ids.length.itemsize == itemsize
    assert ids[1] == b"b" * longest


@pytest.mark.parametrize("length", [LONG - 1, LONG, LONG + 1, LONG + 8, LONG + 9, 3 * LONG])
def test_long_ids_are_told_apart_by_every_byte(length: int) -> None:
    plain = b"x" * length
    others = [plain[:place] + b"y" + plain[place + 1 :] for place in (0, 7, LONG - 2, length - 2, length - 1)]
    swapped = [plain[:-16] + b"abcdefgh12345678", plain[:-16] + b"12345678abcdefgh", plain + b"z", plain[:-1], b"d"]
    ids = Ids.pack([plain, *others, *swapped])
    elsewhere = Ids.pack([b"moved", *ids.tolist()])
    every = np.arange(len(ids))
    keys = ids.keys().tolist()
    assert len(set(keys)) == len(set(ids.tolist()))
    assert keys == elsewhere.keys()[1:].tolist()
    assert ids.same(every, elsewhere, every + 1).all()
    found = [[bool(ids.same(np.array([one]), ids, np.array([two]))[0]) for two in every] for one in every]
    assert found == [[ids[one] == ids[two] for two in every] for one in every]
    start, size = ids.start.astype(np.intp), ids.length.astype(np.int64)
    for rows in ([0, 0, 1, 1, 4, 5, 5, 0], [3, 3, 0, 6, 7, 7]):
        names = ids.take(np.array(rows)).tolist()
        expected = [True, *(one != two for one, two in itertools.pairwise(names))]
        assert changes(ids.buffer, start[rows], size[rows]).tolist() == expected


@pytest.mark.parametrize("column", range(3))
def test_reading_takes_time_in_proportion_to_ids(column: int) -> None:
    """An id of a million characters took 2 to 40 seconds."""
    fields = ["q1", "Q0", "d1"]
    fields[column] = "x" * 1_000_000
    run = read_run(io.StringIO(f"q0 Q0 d0 1 2 t\n{' '.join(fields)} 2 1.5 t\n"))
    qrels = as_qrels({fields[0]: {fields[2]: 1}})
    assert np.diff(judge(qrels, run).offsets).tolist() == [1]


def test_a_number_of_thousands_of_digits_is_no_id() -> None:
    with pytest.raises(InputError, match="topic is a number of thousands of digits; give the id as text"):
        as_qrels({10**5000: {"d": 1}})
    with pytest.raises(InputError, match="document is a number of thousands of digits; give the id as text"):
        as_qrels({"q": {10**5000: 1}})
    with pytest.raises(InputError, match="has the grade a whole number of about 5,000 digits; give a finite number"):
        as_qrels({"q": {"d": 10**5000}})
