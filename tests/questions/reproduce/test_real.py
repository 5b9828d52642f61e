"""Each paper on a small real collection, MED: what must hold holds, and what was found stays so."""

from __future__ import annotations

import pytest
from tests.parity.shared import need

import truerank as tr

HOLDS, DEFINED, FAILS, OPEN = "holds", "true by definition", "does not hold", "cannot be determined"
MARKS = {
    "liu": {
        "RR and RR' agree strongly.": OPEN,
        "Ending lists at their NIL leaves fewer of full length, and brings out those without a document.": OPEN,
        "Lists that end because no answer was found earn nothing by ending.": DEFINED,
    },
    "mcsherry": {
        "Different orders of ties can give appreciably different scores.": HOLDS,
        "That is enough to change which of two systems is better.": HOLDS,
    },
    "lu": {
        "Scores by the utility-based RBP and ERR can only rise with depth.": DEFINED,
        "Orders of systems are more stable by the utility-based measures than by the recall-based.": HOLDS,
        "By RBP and ERR, scores at depth 10 tell those at depths 100 and 1,000 better than by the recall-based.": HOLDS,
        "Taking unjudged documents out changes none of this.": OPEN,
        "Without unjudged documents, scores by recall-based measures become stable at depths in the hundreds.": OPEN,
        "AP'' is AP' from the depth of the pool on.": OPEN,
    },
    "amigo": {
        "By F, returning nothing is never best.": OPEN,
        "Cut by OIE, systems are in the order by RBP with p = .98.": OPEN,
        "OIE and NDCG cover the most aspects.": OPEN,
        "ERRT and NDCGT cut lists late, or not at all.": OPEN,
        "Which of the seven properties the measures have.": FAILS,
    },
    "slides": {
        "Interpolated precision never rises.": DEFINED,
        "Documents outside of the pool are not judged.": HOLDS,
    },
}


@pytest.mark.parametrize("paper", MARKS)
def test_claims_on_med(paper: str) -> None:
    found = tr.reproduce(paper, need("classic", "med", "qrels.txt"), sorted(need("classic", "med", "runs").iterdir()))
    assert all(one.made for one in found.exhibits)
    marks = {claim.claim: claim.mark for claim in found.claims}
    assert {claim: marks[claim] for claim in MARKS[paper]} == MARKS[paper]


def test_on_trec_8_ap_by_the_pool_is_ap_from_the_depth_of_the_pool_on() -> None:
    """A pool of some of the runs is made first, so that these are all there is to know of it."""
    names = ("CL99SD", "CL99XT", "Flab8as", "INQ603", "Sab8A1", "acsys8amn", "apl8c221")
    qrels, runs = need("trec8", "qrels.gz"), [need("trec8", "runs", f"{name}.gz") for name in names]
    pooled = tr.restrict(qrels, runs, 100, contributors="all")
    found = tr.reproduce("lu", pooled, runs)
    marks = {claim.claim: claim.mark for claim in found.claims}
    assert marks["AP'' is AP' from the depth of the pool on."] == DEFINED
    # What becomes stable late are scores, whatever becomes of orders.
    late = "Without unjudged documents, scores by recall-based measures become stable at depths in the hundreds."
    assert marks[late] == HOLDS
