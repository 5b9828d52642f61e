"""trec_eval's measures in the order it prints them, and which of ours each of them is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from truerank.compat.trec_eval import prefs
from truerank.compat.trec_eval.quirks import gains, interpolated, rbp, sums
from truerank.compat.trec_eval.settings import CalculationError, Make, Setting
from truerank.data.errors import InputError
from truerank.measures.core.base import Measure
from truerank.measures.table import TABLE

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
TENTHS = tuple(tenth / 10 for tenth in range(11))
FIFTHS = tuple(fifth / 5 for fifth in range(1, 11))


@dataclass(frozen=True)
class Family:
    """A name of trec_eval, and the measures that it stands for."""

    name: str
    make: Make | None = None
    """Our measure, given the options and one parameter; None for what is no measure of judgments with grades."""
    kind: str = "plain"
    """How its parameters are read: "plain" takes none, "cutoffs" and "levels" make a measure each, "weights" and
    "pairs" make one measure of all."""
    default: tuple[Any, ...] = ()
    since: int = 9
    """The version of trec_eval that has it first."""
    count: bool = False
    """Whether it is printed as a whole number."""
    shown: str = "both"
    """Where it is printed: "both", only in the "summary", or only by "topic"."""
    form: str = "qrels"
    """The form of judgments that it takes: "qrels", "prefs" (also "qrels_prefs"), "qrels_jg", or "any"."""

    @property
    def geometric(self) -> bool:
        """Whether topics are summed up by their geometric mean."""
        return self.name.startswith("gm_")


def _binary(name: str, **fixed: Any) -> Make:
    return lambda s, _: TABLE[name](rel=s.rel, **fixed)


def _at(name: str, **fixed: Any) -> Make:
    return lambda s, cutoff: TABLE[name](rel=s.rel, **fixed) @ cutoff


def _utility(s: Setting, worth: tuple[float, ...]) -> Measure:
    if len(worth) != 4:
        raise CalculationError(f"utility takes four weights, not {len(worth)}; write utility.1,-1,0,0")
    a, b, c, d = worth
    if d and s.size < 1:
        raise InputError("the fourth weight of utility is for documents that were not retrieved; give -N, how many")
    return TABLE["Utility"](rel=s.rel, a=a, b=b, c=c, d=d, size=s.size or None)


def _rprec(s: Setting, mult: float) -> Measure:
    # Of no document there is no precision, which counts as 0.
    return TABLE["Rprec"](rel=s.rel, mult=max(mult, 1e-9))


FAMILIES: tuple[Family, ...] = (
    Family("runid", shown="summary", form="any"),
    Family("num_q", lambda s, _: TABLE["NumQ"], count=True, shown="summary", form="any"),
    Family("num_ret", lambda s, _: TABLE["NumRet"], count=True),
    Family("num_rel", _binary("NumRel"), count=True),
    Family("num_rel_ret", _binary("NumRet"), count=True),
    Family("map", _binary("AP")),
    Family("gm_map", lambda s, _: TABLE["GM"](measure=TABLE["AP"](rel=s.rel)), shown="summary"),
    Family("Rprec", _binary("Rprec")),
    Family("bpref", _binary("Bpref")),
    Family("recip_rank", _binary("RR")),
    Family("iprec_at_recall", interpolated.at_recall, "levels", TENTHS),
    Family("P", _at("P"), "cutoffs", CUTOFFS),
    Family("relstring", None, "weights", (10.0,), shown="topic"),
    Family("recall", _at("R"), "cutoffs", CUTOFFS),
    Family("infAP", _binary("infAP")),
    Family("gm_bpref", lambda s, _: TABLE["GM"](measure=TABLE["Bpref"](rel=s.rel)), shown="summary"),
    Family("Rprec_mult", _rprec, "levels", FIFTHS),
    Family("utility", _utility, "weights", (1.0, -1.0, 0.0, 0.0)),
    Family("11pt_avg", interpolated.averaged, "weights", TENTHS),
    Family("binG", _binary("BinG")),
    Family("G", gains.of("G"), "pairs"),
    Family("dcg", gains.of("DCG"), "pairs", since=10),
    Family("ideal_dcg", gains.ideal, "pairs", since=10),
    Family("ndcg", gains.of("nDCG"), "pairs"),
    Family("ndcg_rel", gains.of("nDCGRel"), "pairs"),
    Family("Rndcg", gains.at_levels, "pairs"),
    Family("ndcg_cut", lambda s, cutoff: TABLE["nDCG"] @ cutoff, "cutoffs", CUTOFFS),
    Family("map_cut", _at("AP"), "cutoffs", CUTOFFS),
    Family("relative_P", _at("P", relative=True), "cutoffs", CUTOFFS),
    Family("success", _at("Success"), "cutoffs", (1, 5, 10)),
    Family("set_P", _binary("SetP")),
    Family("set_relative_P", _binary("SetP", relative=True)),
    Family("set_recall", _binary("SetR")),
    Family("set_map", _binary("SetAP")),
    Family("set_F", sums.set_f, "weights", (1.0,)),
    Family("num_nonrel_judged_ret", _binary("NumNonrelRet"), count=True),
    *(Family(name, count="_num_" in name, form="prefs") for name in prefs.MEASURES),
    Family("map_avgjg", form="qrels_jg"),
    Family("P_avgjg", None, "cutoffs", CUTOFFS, form="qrels_jg"),
    Family("Rprec_mult_avgjg", None, "levels", FIFTHS, form="qrels_jg"),
    Family("yaap", sums.yaap),
    Family("rbp", rbp.rbp, "pairs", since=10),
    Family("rbp_resid", rbp.residual, "pairs", since=10),
    Family("unj", sums.unjudged, "cutoffs", (5, 10, 20), since=10),
)
"""Every measure, in the order of the output."""

_HEAD = ("runid", "num_q", "num_ret", "num_rel", "num_rel_ret")
_SETS = ("utility", "set_P", "set_recall", "set_relative_P", "set_map", "set_F")
_ALL = tuple(family.name for family in FAMILIES)
_PREFS = tuple(name for name in _ALL if name.startswith("prefs_"))

NICKNAMES: dict[str, tuple[str, ...]] = {
    "official": (*_HEAD, "map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P"),
    "set": (*_HEAD, *_SETS),
    "all_trec": tuple(
        name
        for name in _ALL
        if not name.startswith("prefs_") and not name.endswith("avgjg") and name not in ("yaap", "dcg", "ideal_dcg")
    ),
    "all_prefs": ("runid", "num_q", *_PREFS),
    "prefs": ("runid", "num_q", *_PREFS[: _PREFS.index("prefs_avgjg") + 1]),
    "qrels_jg": ("runid", "num_q", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg"),
}
"""Names for several measures at once."""
