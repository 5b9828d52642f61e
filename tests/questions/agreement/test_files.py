from __future__ import annotations

import io

import pytest

from truerank.data.errors import InputError
from truerank.questions.agreement.files import read_ranking

SCORES = {"bm25": 0.25, "dense": 0.5}


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("bm25 0.25\ndense 0.5\n", None),
        ("bm25\t0.25\r\ndense\t0.5\r\n", None),
        ("\n\nbm25,0.25\n\ndense, 0.5", None),
        ("bm25;0.25\ndense;5e-1\n", None),
        ("run\tAP\nbm25\t0.25\ndense\t0.5\n", None),
        ("\ufeffrun\tAP\nbm25\t0.25\ndense\t0.5\n", "AP"),
        ("run\tP@10\tAP\nbm25\t1\t0.25\ndense\t1\t0.5\n", "AP"),
        ('run,"ERR(a, b)",AP\nbm25,,0.25\ndense,,0.5\n', "AP"),
        ("run AP tag\nbm25 0.25 x\ndense 0.5 y\n", "AP"),
        ("bm25 0.25\ndense 0.5\n", "AP"),
    ],
)
def test_an_item_and_its_score_a_line(text: str, column: str | None) -> None:
    assert read_ranking(io.StringIO(text, newline=""), column) == SCORES


@pytest.mark.parametrize("text", ["dense\nbm25\n7", "dense\r\n\r\n bm25 \r\n7\r\n"])
def test_an_item_a_line(text: str) -> None:
    assert read_ranking(io.StringIO(text, newline="")) == ["dense", "bm25", "7"]


def test_names_that_are_not_utf8_stay_what_they_are() -> None:
    assert read_ranking(io.BytesIO(b"caf\xe9 1\n")) == {"caf\udce9": 1.0}


def test_a_name_with_commas_and_a_score() -> None:
    assert read_ranking(io.StringIO("a,b 0.5\nc,d 0.25\n")) == {"a,b": 0.5, "c,d": 0.25}


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        ("", None, "<stream>: the file holds no lines"),
        ("run\tAP\tP@10\nbm25\t0.25\t1\n", None, "<stream>:1: there are several columns of scores"),
        ("run\tAP\nbm25\t0.25\n", "nDCG", "<stream>:1: there is no column 'nDCG'; choose one of 'AP'"),
        ("run\tAP\n", None, "<stream>:1: there is nothing below the header line"),
        ("bm25 0.25 7\ndense 0.5 8\n", None, "<stream>:1: 3 values in this line"),
        ("run\tAP\nbm25\t0.25\ndense\n", None, "<stream>:3: 1 value in this line"),
        ("run\tAP\nbm25\tnan\n", None, "<stream>:2: the score is 'nan'"),
        ("run\tAP\nbm25\t0.5\ndense\t\n", None, "<stream>:3: the score is ''"),
        ("bm25 0.25\ndense 1_0\n", None, "<stream>:2: the score is '1_0'"),
        ("bm25 first\ndense second\n", None, "<stream>:2: the score is 'second'"),
        ("bm25 0.25\n\nbm25 0.5\n", None, "<stream>:3: 'bm25' is listed twice (first on line 1)"),
        ("bm25\nbm25\n", None, "<stream>:2: 'bm25' is listed twice"),
        ('run,AP\n"bm25,0.5\n', None, "quotes do not match"),
    ],
)
def test_what_is_no_ranking_is_refused(text: str, column: str | None, said: str) -> None:
    with pytest.raises(InputError) as error:
        read_ranking(io.StringIO(text, newline=""), column)
    assert said in str(error.value)
