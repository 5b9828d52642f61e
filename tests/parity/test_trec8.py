"""All 129 systems of TREC-8 against the output of trec_eval 10, to the printed digit."""

from __future__ import annotations

import gzip

import pytest

import truerank as tr

from .printed import agree, parse
from .shared import DATA, need

RUNS = sorted(path.name for path in (DATA / "trec8" / "runs").glob("*.gz"))


@pytest.fixture(scope="module")
def qrels() -> tr.Qrels:
    return tr.read_qrels(need("trec8", "qrels.gz"))


@pytest.mark.parametrize("part", range(8))
def test_every_printed_digit(qrels: tr.Qrels, part: int) -> None:
    for name in RUNS[part::8]:
        theirs = parse(gzip.decompress(need("trec8", "trec_eval10", name).read_bytes()).decode())
        assert agree(theirs, qrels, need("trec8", "runs", name), missing="empty") > 1000
