"""Names of measures: those of other tools and of papers mean here what they mean there, or are refused."""

from __future__ import annotations

import pytest

import truerank as tr
from truerank.data.errors import InputError
from truerank.measures import grammar
from truerank.measures.grammar import UnknownMeasure, parse, parse_all
from truerank.measures.table import ALIASES, PUBLISHED, TABLE

SAME = {
    # ir_measures
    "AP": "AP", "BPM": "BPM", "BPref": "Bpref", "Bpref": "Bpref", "Compat": "Compat", "ERR": "ERR", "INSQ": "INSQ",
    "INST": "INST", "IPrec": "IPrec", "Judged": "Judged", "MAP": "AP", "MRR": "RR", "NDCG": "nDCG", "NERR8": "NERR8",
    "NERR9": "NERR9", "NERR10": "NERR10", "NERR11": "NERR11", "NumQ": "NumQ", "NumRel": "NumRel", "NumRet": "NumRet",
    "NumRelRet": "NumRet(rel=1)", "P": "P", "Precision": "P", "R": "R", "RBP": "RBP", "RPrec": "Rprec", "RR": "RR",
    "Recall": "R", "Rprec": "Rprec", "SDCG": "SDCG", "SetAP": "SetAP", "SetF": "SetF", "SetP": "SetP", "SetR": "SetR",
    "SetRelP": "SetP(relative=True)", "Success": "Success", "infAP": "infAP", "nDCG": "nDCG",
    # trec_eval
    "map": "AP", "bpref": "Bpref", "ndcg": "nDCG", "recall": "R", "success": "Success", "binG": "BinG", "G": "G",
    "Rndcg": "RnDCG", "utility": "Utility", "rbp": "RBP",
    # ranx, recommenders and graphs of knowledge
    "precision": "P", "mrr": "RR", "dcg": "DCG", "hit_rate": "Success", "Hits": "Success", "HitRate": "Success",
    "HR": "Success",
    "Hit": "Success", "auc": "AUC",
    # cwl_eval, NTCIREVAL and papers
    "nERR": "nERR", "nRBP": "nRBP", "Q": "Q", "iRBU": "iRBU", "RBU": "RBU", "CG": "CG", "GMAP": "GM", "ESL": "ESL",
    "gAP": "gAP", "OIE": "OIE",
}  # fmt: skip
"""Names with what they are here; None where there is no such name."""
OTHERS = (
    # ir_measures, ndeval, pyndeval
    *("NRBP", "nNRBP", "alpha_DCG", "alpha_nDCG", "ERR_IA", "nERR_IA", "AP_IA", "MAP_IA", "P_IA", "StRecall", "strec"),
    # trec_eval
    *("yaap", "relstring", "prefs_simp", "relative_P", "gm_bpref"),
    # ranx
    *("hits", "f1"),
    # sessions, grades, browsing, time, novelty
    *("sDCG", "nsDCG", "GAP", "EBU", "TBG", "NCU", "xinfAP", "infNDCG", "nCG", "GRR", "rpref", "wpref", "nuggets"),
)
"""Names of measures that are not offered."""


@pytest.mark.parametrize("name", SAME)
def test_names_of_others_mean_here_what_they_mean_there(name: str) -> None:
    if SAME[name] is None:
        with pytest.raises(UnknownMeasure):
            parse(name)
    else:
        assert parse(name) == parse(str(SAME[name]))


@pytest.mark.parametrize("name", OTHERS)
def test_names_of_measures_that_are_not_offered_are_no_other_measure(name: str) -> None:
    with pytest.raises(UnknownMeasure):
        parse(name)


def test_no_name_of_ir_measures_is_left_out() -> None:
    known = pytest.importorskip("ir_measures").measures.registry
    theirs = {name for name, one in known.items() if type(one).__module__.startswith("ir_measures")}
    assert {name for name in theirs if name.isascii()} - {"Accuracy"} <= {*SAME, *OTHERS}


@pytest.mark.parametrize(
    ("other", "ours", "unclear"), [("NRBP", "nRBP", "nrbp"), ("sDCG", "SDCG", "sdcg"), ("GAP", "gAP", "gap")]
)
def test_case_tells_published_measures_apart(other: str, ours: str, unclear: str) -> None:
    assert str(parse(ours)) == ours
    with pytest.raises(UnknownMeasure) as error:
        parse(f"{other}@10")
    assert str(error.value).startswith(f"{other} is ")
    assert f"{ours} is another measure" in str(error.value)
    with pytest.raises(UnknownMeasure, match=f"may be {ours} .* or {other}, .*; write {ours}"):
        parse(unclear)


def test_hits_are_a_number_to_some_and_a_share_to_others() -> None:
    assert parse("Hits@3") == parse("hit@3") == parse("HITRATE@3") == parse("Success@3")
    for text in ("hits@3", "HITS@3"):
        with pytest.raises(UnknownMeasure, match="here CG\\(rel=1\\)"):
            parse(text)


@pytest.mark.parametrize(
    ("typed", "ours"),
    [
        *(("HR@10", "Success@10"), ("hit_rate@10", "Success@10"), ("hit@10", "Success@10"), ("acc@1", "Success@1")),
        *(("ndcg_at_10", "nDCG@10"), ("mrr_at_10", "RR@10"), ("map_at_100", "AP@100"), ("recall_at_5", "R@5")),
        *(("precision_at_1", "P@1"), ("NDCG@10", "nDCG@10"), ("ndcg_cut_10", "nDCG@10"), ("recip_rank", "RR")),
        *(("P_10", "P@10"), ("recall_5", "R@5"), ("hit_rate_at_3", "Success@3"), ("gm_map", "GM")),
    ],
)
def test_names_that_people_type_are_read_and_kept(typed: str, ours: str) -> None:
    [found] = parse_all(typed)
    assert (str(found), f"{found}") == (ours, typed)


@pytest.mark.parametrize("text", ["ndcg_at_10@5", "P_10@5", "nDCG@10@5", "ndcg_at_x", "_at_5", "novel_at_5"])
def test_names_with_underscores_that_mean_nothing_are_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse(text)


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("novelty", "novelty is not offered"),
        ("Coverage@10", "Coverage is not offered"),
    ],
)
def test_what_is_not_offered_is_said(typed: str, answer: str) -> None:
    with pytest.raises(UnknownMeasure) as error:
        parse(typed)
    assert str(error.value).startswith(answer)


def test_every_published_name_is_told_from_one_of_ours() -> None:
    """A name that is not like one of ours needs no line, and one that is offered has none."""
    ours = {name.lower(): name for name in (*ALIASES, *TABLE)}
    for name in PUBLISHED:
        assert name.lower() in ours
        assert name not in TABLE
        assert name not in ALIASES


def test_two_measures_of_ours_may_differ_by_case_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a measure needs that is offered under its published name: nothing but its line in the table."""
    homes = {name: TABLE._homes[name] for name in TABLE} | {"NRBP": "err.ERR"}
    monkeypatch.setattr(grammar, "TABLE", type(TABLE)(homes))
    monkeypatch.setattr(grammar, "PUBLISHED", {})
    grammar._parsed.cache_clear()
    try:
        assert (str(parse("NRBP")), str(parse("nRBP"))) == ("ERR", "nRBP")
        with pytest.raises(UnknownMeasure, match="write nRBP or NRBP"):
            parse("nrbp")
        assert str(parse("ndcg")) == "nDCG"
    finally:
        grammar._parsed.cache_clear()


def test_names_that_are_no_measures_of_python_either() -> None:
    for name in PUBLISHED:
        assert not hasattr(tr, name)
