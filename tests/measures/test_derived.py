"""What follows from the terms of a measure, for the whole catalogue."""

from __future__ import annotations

import pytest

from truerank.measures.grammar import parse
from truerank.measures.table import TABLE

DERIVED: dict[str, dict[object, str]] = {
    "reader_stops": {True: "RR Success ERR nERR iRBU niRBU RBU ERRU"},
    "ends_by": {
        "effort": "FlatU RBU DCGU ERRU RBPU DiscountU",
        "information": "OIE",
        "terminal": "RRT RBPT nDCGT APT gAPT ERRT",
    },
    "shares_last_rank": {True: "OIE"},
    "deepens": {True: "Rprec"},
    "averages": {False: "GM c NumQ NumRet NumRel NumNonrelRet"},
    "takes_gains": {
        True: "gAP CG DCG nDCG SDCG RBP INSQ INST BPM ERR nERR nRBP NERR8 NERR9 NERR10 NERR11 Q Kendall Spearman iRBU "
        "niRBU FlatU RBU DCGU ERRU RBPU DiscountU OIE G nDCGRel RnDCG"
    },
}
"""By fact, the measures of which it is other than of most."""
USUAL = {"reader_stops": False, "ends_by": "", "shares_last_rank": False, "deepens": False, "averages": True}


@pytest.mark.parametrize("fact", DERIVED)
def test_facts_follow_from_the_measure(fact: str) -> None:
    expected = {name: value for value, names in DERIVED[fact].items() for name in names.split()}
    found = {each.name: getattr(each, fact) for each in TABLE.values()}
    assert found == {name: expected.get(name, USUAL.get(fact, False)) for name in found}


def test_facts_follow_from_parameters() -> None:
    assert not parse("DiscountU").reader_stops
    assert parse("DiscountU(stops=True)").reader_stops
    assert parse("RBPU(e=0)").ends_by == "effort"
    assert parse("NumRet").ends_by == ""  # It counts what others charge for.
    assert parse("GM(measure=RR)").core.reader_stops
