"""trec_eval's names for our measures."""

from __future__ import annotations

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)

NAMES: dict[str, str] = {
    "num_ret": "NumRet",
    "num_rel": "NumRel",
    "num_rel_ret": "NumRet(rel=1)",
    "num_nonrel_judged_ret": "NumNonrelRet",
    "map": "AP",
    "Rprec": "Rprec",
    "bpref": "Bpref",
    "recip_rank": "RR",
    "infAP": "infAP",
    "ndcg": "nDCG",
    "ndcg_rel": "nDCGRel",
    "Rndcg": "RnDCG",
    "G": "G",
    "binG": "BinG",
    "utility": "Utility",
    "11pt_avg": "IPrecAvg",
    "set_P": "SetP",
    "set_relative_P": "SetP(relative=True)",
    "set_recall": "SetR",
    "set_map": "SetAP",
    "set_F": "SetF",
    **{f"P_{k}": f"P@{k}" for k in CUTOFFS},
    **{f"relative_P_{k}": f"P(relative=True)@{k}" for k in CUTOFFS},
    **{f"recall_{k}": f"R@{k}" for k in CUTOFFS},
    **{f"map_cut_{k}": f"AP@{k}" for k in CUTOFFS},
    **{f"ndcg_cut_{k}": f"nDCG@{k}" for k in CUTOFFS},
    **{f"success_{k}": f"Success@{k}" for k in (1, 5, 10)},
    **{f"iprec_at_recall_{r / 10:.2f}": f"IPrec@{r / 10}" for r in range(11)},
    **{f"Rprec_mult_{r / 10:.2f}": f"Rprec(mult={r / 10})" for r in range(2, 21, 2) if r != 10},
    "Rprec_mult_1.00": "Rprec",
}
"""Measures of one topic, as trec_eval 9 and pytrec_eval print them."""

MEANS = {"gm_map": "GM", "gm_bpref": "GM(measure=Bpref)", "num_q": "NumQ"}
"""Measures that exist for all topics together only."""
