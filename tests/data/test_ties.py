from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truerank.data import ties
from truerank.data.errors import InputError
from truerank.data.ids import Ids
from truerank.data.run import Run, arrange
from truerank.data.ties import all_tie_groups, before, tie_groups
from truerank.io.trec import read_run

rankings = st.lists(st.lists(st.sampled_from([3.0, 2.0, 2.0 + 1e-9, 1.0, -5.0]), max_size=12), max_size=6)


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("dense", [0, 100])
@given(topics=rankings, step=st.integers(1, 5))
def test_groups_are_found_by_every_search(topics: list[list[float]], step: int, dense: int, precision: str) -> None:
    score = np.array([value for topic in topics for value in sorted(topic, reverse=True)], dtype=np.float64)
    bounds = np.cumsum([0, *map(len, topics)])
    topic = np.repeat(np.arange(len(topics)), np.diff(bounds))
    cast = score.astype(precision)
    expected = [
        (min(group), len(group))
        for row in range(len(score))
        if (group := [mate for mate in range(len(score)) if topic[mate] == topic[row] and cast[mate] == cast[row]])
    ]
    rows = np.arange(0, len(score), step)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ties, "_DENSE", dense)
        found = tie_groups(score, rows, bounds[topic[rows]], bounds[topic[rows] + 1], precision)
    assert [*zip(*(part.tolist() for part in found), strict=True)] == expected[::step]
    found = all_tie_groups(score, bounds, precision)
    assert [*zip(*(part.tolist() for part in found), strict=True)] == expected


ids = st.lists(
    st.integers(0, 99).map(lambda n: b"%d" % n)
    | st.integers(0, 99).map(lambda n: b"msmarco_passage_%d" % n)
    | st.sampled_from([b"msmarco_", b"msmarco_\0", b"a", b"a\0", b"a\0\0", b"\xff", b"b" * 16, b"b" * 17]),
    min_size=1,
    max_size=40,
    unique=True,
)


def tied(documents: list[bytes], scores: list[float] | None = None) -> tuple[Run, np.ndarray, np.ndarray]:
    run = arrange("run", [b"q"], [0, len(documents)], Ids.pack(documents), scores or [1.0] * len(documents))
    first = np.searchsorted(-run.score, -run.score, side="left")
    return run, first, np.searchsorted(-run.score, -run.score, side="right") - first


def counted(run: Run, first: np.ndarray, size: np.ndarray, comes_first: Callable[[int, int], bool]) -> list[int]:
    return [
        sum(comes_first(mate, row) for mate in range(begin, begin + count))
        for row, begin, count in zip(range(len(run)), first.tolist(), size.tolist(), strict=True)
    ]


@given(ids, st.integers(1, 4), st.booleans())
def test_docid_orders(documents: list[bytes], groups: int, few: bool) -> None:
    run, first, size = tied(documents, [float(-(place % groups)) for place in range(len(documents))])
    asked = np.arange(len(run))[:: 7 if few else 1]
    docs = run.docs.tolist()
    for order, comes_first in (
        ("docid", lambda mate, row: docs[mate] > docs[row]),
        ("docid-asc", lambda mate, row: docs[mate] < docs[row]),
    ):
        expected = np.array(counted(run, first, size, comes_first))
        assert before(run, asked, first[asked], size[asked], order).tolist() == expected[asked].tolist()


@given(ids, st.data())
def test_input_order(documents: list[bytes], data: st.DataObject) -> None:
    scores = data.draw(st.lists(st.sampled_from([1.0, 2.0]), min_size=len(documents), max_size=len(documents)))
    run, first, size = tied(documents, scores)
    place = [documents.index(doc) for doc in run.docs.tolist()]
    expected = counted(run, first, size, lambda mate, row: place[mate] < place[row])
    assert before(run, np.arange(len(run)), first, size, "input").tolist() == expected


def test_input_order_of_float32_groups_uses_arrival() -> None:
    run, _, _ = tied([b"a", b"b"], [1.0, 1.0 + 1e-12])
    assert run.docs.tolist() == [b"b", b"a"]
    group = np.zeros(2, dtype=np.intp), np.full(2, 2)
    assert before(run, np.arange(2), *group, "input").tolist() == [1, 0]


@given(ids, st.integers(0, 2**70), st.randoms(use_true_random=False))
def test_sampled_order_depends_on_ids_and_seed_alone(documents: list[bytes], seed: int, random: object) -> None:
    other = documents.copy()
    random.shuffle(other)  # type: ignore[attr-defined]
    places = []
    for listed in (documents, other):
        run, first, size = tied(listed)
        place = before(run, np.arange(len(run)), first, size, "sample", seed).tolist()
        assert sorted(place) == list(range(len(run)))
        places.append(dict(zip(run.docs.tolist(), place, strict=True)))
    assert places[0] == places[1]


def test_sampled_orders_differ_by_seed_and_are_fair() -> None:
    run, first, size = tied([b"%d" % number for number in range(20)])
    places = np.array([before(run, np.arange(20), first, size, "sample", seed) for seed in range(600)])
    assert abs(places.mean(axis=0) - 9.5).max() < 1.5


def test_rank_column() -> None:
    lines = "q Q0 a 3 1 t\nq Q0  b\t20 1 t\nq Q0 c 3 1 t\nq Q0 d 1 1 t\n"
    run = read_run(io.StringIO(lines))
    group = np.zeros(4, dtype=np.intp), np.full(4, 4)
    assert before(run, np.arange(4), *group, "rank").tolist() == [1, 3, 2, 0]


def test_rank_order_needs_ranks() -> None:
    run, first, size = tied([b"a", b"b"])
    with pytest.raises(InputError, match="no rank column"):
        before(run, np.arange(2), first, size, "rank")
    run = read_run(io.StringIO("q Q0 a x 1 t\nq Q0 b 2 1 t"))
    with pytest.raises(InputError, match="the rank of document 'a' is 'x'"):
        before(run, np.arange(2), first, size, "rank")


def test_unknown_order_is_refused() -> None:
    run, first, size = tied([b"a", b"b"])
    with pytest.raises(ValueError, match="order is 'random'; choose one of docid, docid-asc, input, rank, sample"):
        before(run, np.arange(2), first, size, "random")


def test_many_groups_of_many() -> None:
    rng = np.random.default_rng(3)
    documents = [b"%d" % number for number in rng.choice(10**7, 4000, replace=False)]
    scores = (np.arange(4000) // 100).astype(float)
    run, first, size = tied(documents, scores.tolist())
    docs = run.docs.tolist()
    expected = counted(run, first, size, lambda mate, row: docs[mate] > docs[row])
    for step in (1, 30):
        asked = np.arange(0, 4000, step)
        assert before(run, asked, first[asked], size[asked], "docid").tolist() == expected[::step]


@pytest.mark.parametrize("order", ["docid", "docid-asc"])
@pytest.mark.parametrize("sizes", [[40, 40, 40], [3, 90, 20]])
def test_groups_are_sorted_by_ids_however_much_they_share(order: str, sizes: list[int]) -> None:
    rng = np.random.default_rng(5)
    prefixes = ["", "AP8802", "clueweb12-0000wb-", "é", "x" * 1500]
    names = [
        [
            f"{prefixes[rng.integers(len(prefixes))]}{number:0{rng.integers(1, 30)}}"
            for number in rng.choice(999, size, False)
        ]
        for size in sizes
    ]
    topics = [b"q%d" % place for place in range(len(sizes))]
    run = arrange(
        "x", topics, np.cumsum([0, *sizes]), Ids.pack([doc for each in names for doc in each]), np.ones(sum(sizes))
    )
    first = np.repeat(run.offsets[:-1], sizes)
    found = before(run, np.arange(len(run)), first, np.repeat(sizes, sizes), order)
    for begin, each in zip(run.offsets, names, strict=False):
        ranked = sorted((doc.encode() for doc in each), reverse=order == "docid")
        assert found[begin : begin + len(each)].tolist() == [ranked.index(doc.encode()) for doc in each]
