"""The table of measures: one line each, with the file it lives in, which is read when it is first asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module

from truerank.measures.core.base import Measure


class MeasureTable(Mapping[str, Measure]):
    """Measures with their default parameters, by name.

    >>> TABLE["RBP"](p=0.5)
    RBP(p=0.5)
    """

    def __init__(self, homes: dict[str, str]) -> None:
        self._homes = homes

    def __getitem__(self, name: str) -> Measure:
        return _load(self._homes[name])

    def __contains__(self, name: object) -> bool:
        return name in self._homes

    def __iter__(self) -> Iterator[str]:
        return iter(self._homes)

    def __len__(self) -> int:
        return len(self._homes)


@cache
def _load(home: str) -> Measure:
    module, _, name = home.partition(".")
    found: type[Measure] | Measure = getattr(import_module(f"truerank.measures.{module}"), name)
    return found if isinstance(found, Measure) else found()


TABLE = MeasureTable(
    {
        "P": "p.P",
        "R": "r.R",
        "F": "f.F",
        "SetP": "sets.SetP",
        "SetR": "sets.SetR",
        "SetF": "sets.SetF",
        "SetAP": "sets.SetAP",
        "AP": "ap.AP",
        "gAP": "graded_ap.GradedAP",
        "GM": "gm.GM",
        "RR": "rr.RR",
        "Success": "success.Success",
        "ESL": "esl.ESL",
        "CG": "cg.CG",
        "DCG": "dcg.DCG",
        "nDCG": "ndcg.NDCG",
        "SDCG": "sdcg.SDCG",
        "RBP": "rbp.RBP",
        "INSQ": "insq.INSQ",
        "INST": "inst.INST",
        "BPM": "bpm.BPM",
        "ERR": "err.ERR",
        "nERR": "over_ideal.NERR",
        "nRBP": "over_ideal.NRBP",
        "NERR8": "nerr.NERR8",
        "NERR9": "nerr.NERR9",
        "NERR10": "nerr.NERR10",
        "NERR11": "nerr.NERR11",
        "Compat": "compat.Compat",
        "Q": "q.Q",
        "Rprec": "rprec.Rprec",
        "Bpref": "bpref.Bpref",
        "infAP": "inf_ap.InfAP",
        "IPrec": "iprec.IPrec",
        "IPrecAvg": "iprec.IPrecAvg",
        "AUC": "auc.AUC",
        "Kendall": "correlation.Kendall",
        "Spearman": "correlation.Spearman",
        "PrefLoss": "pref_loss.PrefLoss",
        "WPrefLoss": "wpref_loss.WPrefLoss",
        "iRBU": "irbu.IRBU",
        "niRBU": "over_ideal.NIRBU",
        "FlatU": "effort.FlatU",
        "RBU": "effort.RBU",
        "DCGU": "effort.DCGU",
        "ERRU": "effort.ERRU",
        "RBPU": "effort.RBPU",
        "DiscountU": "effort.DiscountU",
        "OIE": "oie.OIE",
        "c": "c.C",
        "RRT": "terminal.RRT",
        "RBPT": "terminal.RBPT",
        "nDCGT": "terminal.NDCGT",
        "APT": "terminal.APT",
        "gAPT": "terminal.GAPT",
        "ERRT": "terminal.ERRT",
        "G": "g.G",
        "BinG": "bin_g.BinG",
        "nDCGRel": "ndcg_rel.NDCGRel",
        "RnDCG": "rndcg.RNDCG",
        "Utility": "utility.Utility",
        "Judged": "judged.Judged",
        "NumQ": "counts.NumQ",
        "NumRet": "counts.NumRet",
        "NumRel": "counts.NumRel",
        "NumNonrelRet": "counts.NumNonrelRet",
    }
)

ALIASES: dict[str, str] = {
    "MAP": "AP",
    "MRR": "RR",
    "Recall": "R",
    "Precision": "P",
    "NDCG": "nDCG",
    "BPref": "Bpref",
    "RPrec": "Rprec",
    "BEP": "Rprec",
    "GMAP": "GM",
    "Hit": "Success",
    "Hits": "Success",
    "HitRate": "Success",
    "HR": "Success",
    "HitRatio": "Success",
    "acc": "Success",
    "SetRelP": "SetP(relative=True)",
    "NumRelRet": "NumRet(rel=1)",
}
"""Other names, and what they stand for."""

PUBLISHED: dict[str, str] = {
    "GAP": "graded average precision (Robertson, Kanoulas & Yilmaz 2010), not offered here",
    "NRBP": "novelty- and rank-biased precision (Clarke, Kolla & Vechtomova 2009), not offered here",
    "sDCG": "session DCG (Järvelin, Price, Delcambre & Nielsen 2008), not offered here",
    "hits": "the number of relevant documents retrieved (ranx), here CG(rel=1)",
}
"""Names of other measures, which differ from names above by case only. A measure that is offered needs no line here:
names of two measures are told apart by their case anyway."""

TREC_EVAL: dict[str, str] = {
    "map": "AP",
    "gm_map": "GM",
    "recip_rank": "RR",
    "ndcg": "nDCG",
    "recall": "R",
    "success": "Success",
    "bpref": "Bpref",
    "iprec_at_recall": "IPrec",
    "set_recall": "SetR",
    "set_map": "SetAP",
    "set_F": "SetF",
    "set_P": "SetP",
    "num_ret": "NumRet",
    "num_rel": "NumRel",
    "num_rel_ret": "NumRet(rel=1)",
    "P": "P",
    "rbp": "RBP",
}
"""trec_eval's names, which are read as ours; with a depth, too, as ``P_10`` and ``ndcg_cut_10``."""

BEYOND_ACCURACY = ("novelty", "diversity", "coverage", "catalog_coverage", "serendipity", "ild", "gini", "exposure")
"""What is asked of recommenders and not offered: it is no mean of scores of lists against judgments."""
