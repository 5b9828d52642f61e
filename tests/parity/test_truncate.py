"""Best cuts on real data: what Amigó, Mizzaro & Spina (2022) find there."""

from __future__ import annotations

import pytest

from truerank import Against, against, truncate
from truerank.questions.reproduce.amigo_printed import ONCE, TERMINAL

from .shared import need

FULL = "nDCG ERR RBP RBP(p=0.9) RBP(p=0.98)"


@pytest.fixture(scope="module")
def found() -> Against:
    qrels, runs = need("classic", "med", "qrels.txt"), need("classic", "med", "runs")
    cut = [*TERMINAL, *ONCE, "RBPU(p=0.98)", "RBU", "OIE(size=20000)"]
    return against(truncate(qrels, sorted(map(str, runs.iterdir())), cut, against=f"{FULL} AP"))


@pytest.mark.parametrize(("full", "liu", "once"), [*zip(FULL.split(), TERMINAL, ONCE, strict=True)])
def test_a_terminal_document_of_one_rank_leaves_the_order_of_systems(
    found: Against, full: str, liu: str, once: str
) -> None:
    """The paper's tau of 1.00 with the measure itself is that of one terminal document, not of Liu's."""
    assert found.tau(full, once) > 0.97
    assert found.tau(full, liu) <= found.tau(full, once)


def test_nothing_to_find_is_best_left_unsaid(found: Against) -> None:
    [cuts] = found.collections.values()
    empty = {(record["run"], record["topic"]) for record in cuts.to_records("topics") if record["whole"] == 0}
    silent = {
        (record["run"], record["topic"])
        for record in cuts.to_records("topics")
        if record["length"] == 0 and record["measure"] in TERMINAL
    }
    assert silent <= empty


def test_the_order_by_cut_lists_is_near_that_of_average_precision(found: Against) -> None:
    assert found.tau("AP", "OIE(size=20000)") > 0.75
    assert found.tau("AP", "RBPU(p=0.98)") > 0.75
    assert found.tau("AP", "RBU") < 0.6, "a reader who stops at the first few documents"
