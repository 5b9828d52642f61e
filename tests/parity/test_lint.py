"""What is found in real tracks is there, and little else is."""

from __future__ import annotations

from collections import Counter

import pytest

from truerank.questions.lint.question import lint_files

from .shared import need


def test_trec8() -> None:
    """Known of these runs: eight number documents otherwise than they score them, uwmt8a0 needs 64 bits."""
    runs = sorted(need("trec8", "runs").glob("*.gz"))
    found = lint_files([str(need("trec8", "qrels.gz")), *map(str, runs)])
    assert found.ok
    warned = {(f.check, f.file.split("/")[-1].removesuffix(".gz")) for f in found.at_least("warning")}
    assert Counter(check for check, _ in warned).keys() == {
        "ties",
        "ranks",
        "constant-scores",
        "float32",
        "judged-share",
    }
    assert {run for check, run in warned if check == "float32"} == {"uwmt8a0"}
    assert {run for check, run in warned if check == "judged-share"} == {"surffal2"}
    assert {run for check, run in warned if check == "constant-scores"} == {"cirtrc82"}
    assert len({run for _, run in warned}) < 20


@pytest.mark.parametrize("name", ["cranfield", "med", "cisi"])
def test_classic_collections(name: str) -> None:
    runs = sorted(need("classic", name, "runs").glob("*.gz"))
    found = lint_files([str(need("classic", name, "qrels.txt")), *map(str, runs)])
    assert found.ok
    made_to_tie = {"coord_match", "raw_tf", "bm25_int", "bm25_round1", "boolean_and"}
    for finding in found.at_least("warning"):
        assert finding.check in {"ties", "constant-scores", "missing-topics"}
        if finding.check == "constant-scores":
            assert any(run in finding.file for run in made_to_tie)
