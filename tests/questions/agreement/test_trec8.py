"""Rankings of the 129 systems of TREC-8: by all judgments, and by those of a pool of depth 10."""

from __future__ import annotations

import gzip
import re

import pytest
from tests.parity.shared import need

from truerank.questions.agreement.files import read_ranking
from truerank.questions.agreement.question import agreement


def test_the_tau_that_nist_computed() -> None:
    outputs = sorted(need("trec8", "trec_eval10").glob("*.gz"))
    official = {
        path.name.removesuffix(".gz"): float(found[1])
        for path in outputs
        if (found := re.search(r"^map\s+all\s+(\S+)$", gzip.decompress(path.read_bytes()).decode(), re.MULTILINE))
    }
    shallow = read_ranking(need("trec8", "depth10.map"))
    printed = re.search(r"is (0\.\d+)", need("trec8", "depth10.tau").read_text())
    assert printed is not None
    found = agreement(official, shallow)
    assert found.items == {"a": 129, "b": 129, "both": 129}
    assert found.tau_b == pytest.approx(float(printed[1]), abs=1e-14)
