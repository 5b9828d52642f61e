"""The command on real tracks, where they are at hand."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import Any

import pytest

DATA = Path(os.environ.get("TRUERANK_DATA", Path(__file__).parents[3] / "shared" / "data"))
TREC8 = DATA / "trec8"
CRANFIELD = DATA / "classic" / "cranfield"


@pytest.mark.skipif(not TREC8.exists(), reason="TREC-8 is not at hand; set TRUERANK_DATA")
def test_trec8_as_trec_eval_10_scores_it(truerank: Any) -> None:
    runs = sorted((TREC8 / "runs").glob("*.gz"))[:5]
    done = truerank("evaluate", TREC8 / "qrels.gz", *runs, "-m", "AP", "--like", "trec_eval-10", "--missing", "skip")
    for line in done.stdout.splitlines()[1:]:
        name, mean = line.split("\t")
        expected = gzip.decompress((TREC8 / "trec_eval10" / f"{name}.gz").read_bytes()).decode()
        [theirs] = [row.split()[2] for row in expected.splitlines() if row.split()[:2] == ["map", "all"]]
        assert f"{float(mean):.4f}" == theirs


@pytest.mark.skipif(not CRANFIELD.exists(), reason="Cranfield is not at hand; set TRUERANK_DATA")
@pytest.mark.parametrize("options", [[], ["--unjudged", "bounds"], ["--ties", "bounds"], ["--ending", "terminal"]])
def test_cranfield_under_every_choice(truerank: Any, options: list[str]) -> None:
    runs = sorted((CRANFIELD / "runs").glob("*"))
    done = truerank("evaluate", CRANFIELD / "qrels.txt", *runs, *options, "-m", "nDCG@10 AP RBP")
    head, *rows = (line.split("\t") for line in done.stdout.splitlines())
    assert len(rows) == len(runs)
    for row in rows:
        values = dict(zip(head[1:], map(float, row[1:]), strict=True))
        assert all(0 <= value <= 1 for value in values.values())
        for low in (name for name in head if name.endswith(".low")):
            name = low.removesuffix(".low")
            assert values[low] <= values[name] + 1e-12
            assert values[name] <= values[f"{name}.high"] + 1e-12
