"""How a file is written is told by its first lines."""

from __future__ import annotations

import numpy as np
import pytest

from truerank.io.forms import form_of, looks_like
from truerank.io.headers import Declared
from truerank.io.source import Source


def source(data: bytes) -> Source:
    return Source("x.run", "x", np.frombuffer(data, dtype=np.uint8))


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"q 0 d 1\n", "qrels"),
        (b"q Q0 d 1 2 t\n", "run"),
        (b"q Q0 d 1 2\n", "run"),
        (b"oops\nq 0 d 1\nq 0 e 1\n", "qrels"),
        (b"# a b c\n\nq Q0 d 1 2 t\n", "run"),
        (b"\xef\xbb\xbfq 0 d 1\r\n", "qrels"),
        ("q 0 d 1\n".encode("utf-16"), "qrels"),
        (b"q d1 d2\n", ""),
        (b'{"a": 1, "b": 2, "c": 3}\n', ""),
        (b"PAR1 a b c\n", ""),
        (b"", ""),
    ],
)
def test_kinds_are_recognised_by_their_columns(data: bytes, kind: str) -> None:
    assert looks_like(source(data)) == kind


@pytest.mark.parametrize(
    ("data", "kind", "form"),
    [
        (b"q Q0 d 1 2 t\n", "run", "trec"),
        (b"q d 1\n", "run", "list"),
        (b"q d\n", "run", "list"),
        (b"q d e\n", "qrels", "trec"),
        (b"# note\n\nqid docno score\n", "run", "csv"),
        (b"\xef\xbb\xbfqid;docno;score\n", "run", "csv"),
        (b"a,b,c\n", "run", "csv"),
        (b'{"q": {"d": 1}}', "run", "json"),
        (b'[["q", "d", 1]]', "qrels", "json"),
        (b"{q Q0 d 1 2 t\n", "run", "trec"),
        (b"PAR1", "run", "parquet"),
    ],
)
def test_forms_are_told_by_the_first_lines(data: bytes, kind: str, form: str) -> None:
    assert form_of(source(data), Declared(kind)) == form
