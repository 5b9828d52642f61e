"""The rank column of a run: text until it is asked for, and in the order of the rows whatever is done to them."""

from __future__ import annotations

import io
import pickle
from typing import Any

import numpy as np
import pytest

import truerank as tr
from truerank.data import stated_ranks as module
from truerank.data.errors import InputError
from truerank.data.ids import Ids
from truerank.data.run import Run, arrange
from truerank.data.stated_ranks import RankText, ranks_at
from truerank.io.direction import negated
from truerank.io.load import as_run

LINES = b"q2 Q0 a 7 1.0 t\nq1 Q0 b\t\t20  2.0 t\nq2  Q0 c \v -3 5 t\r\nq1 Q0 d 1.5 2.0 t\nq1 Q0 e 4 9 t"
RANK = {b"a": 7.0, b"b": 20.0, b"c": -3.0, b"d": 1.5, b"e": 4.0}


def table(rows: list[tuple[str, str, float, float]]) -> Any:
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame(rows, columns=["qid", "docno", "score", "rank"])


def from_lines() -> Run:
    return as_run(io.BytesIO(LINES))


def from_table() -> Run:
    fields = [line.split() for line in LINES.decode().split("\n")]
    return as_run(table([(topic, doc, float(score), float(rank)) for topic, _, doc, rank, score, _ in fields]))


def ranks(run: Run) -> dict[bytes, float]:
    assert run.rank is not None
    return dict(zip(run.docs.tolist(), ranks_at(run.rank, np.arange(len(run))).tolist(), strict=True))


@pytest.mark.parametrize("make", [from_lines, from_table])
def test_ranks_stay_with_their_documents(make: Any) -> None:
    run = make()
    assert ranks(run) == RANK
    assert ranks(negated(run)) == RANK
    some = run.take(np.array([0, 3]), np.array([0, 1, 2]))
    assert ranks(some) == {doc: RANK[doc] for doc in some.docs.tolist()}
    assert ranks(pickle.loads(pickle.dumps(run))) == RANK


def test_the_ranks_of_lines_are_text_and_those_of_a_table_numbers() -> None:
    assert isinstance(from_lines().rank, RankText)
    assert isinstance(from_table().rank, np.ndarray)


def test_a_run_without_ranks_has_none() -> None:
    assert as_run({"q": {"a": 1.0}}).rank is None
    assert arrange("x", [b"q"], [0, 1], Ids.pack("a"), [1.0]).rank is None


@pytest.mark.parametrize("size", [1, 2, 100])
def test_ranks_are_read_in_blocks(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BLOCK", size)
    assert ranks(from_lines()) == RANK


def test_the_first_rank_that_is_no_number_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    run = as_run(io.BytesIO(b"q Q0 a 1 5 t\nq Q0 b 2 4 t\nq Q0 c third 3 t\nq Q0 d fourth 2 t\n"))
    for size in (1, 3, 100):
        monkeypatch.setattr(module, "_BLOCK", size)
        with pytest.raises(InputError, match="the rank of document 'c' is 'third'; give a number"):
            ranks(run)
    assert ranks(run.take(np.array([0, 1]), np.array([0, 2]))) == {b"a": 1.0, b"b": 2.0}


def test_only_whitespace_of_ascii_ends_a_rank() -> None:
    with pytest.raises(InputError, match=r"the rank of document 'a' is '1\\x00'"):
        ranks(as_run(io.BytesIO(b"q Q0 a 1\x00 5 t\n")))


def test_a_rank_may_end_the_text() -> None:
    docs = Ids(np.frombuffer(b"d1 12", np.uint8), np.array([0]), np.array([2]))
    assert RankText(docs).read().tolist() == [12.0]


def test_ties_by_rank_are_the_same_from_lines_and_from_a_table() -> None:
    qrels = {"q1": {"b": 1}, "q2": {"a": 1}}
    runs = [run for make in (from_lines, from_table) for run in (make(), negated(make()))]
    values = [tr.evaluate(qrels, {"x": run}, "RR", ties="rank")["x"]["RR"].per_topic for run in runs]
    assert values[0] == values[2] == {"q1": 1 / 3, "q2": 0.5}
    assert values[1] == values[3] == {"q1": 0.5, "q2": 1.0}
