"""The table of measures: one line each."""

from __future__ import annotations

from truerank.measures.ap import AP
from truerank.measures.auc import AUC
from truerank.measures.base import Measure
from truerank.measures.bin_g import BinG
from truerank.measures.bpref import Bpref
from truerank.measures.c import C
from truerank.measures.cg import CG
from truerank.measures.dcg import DCG
from truerank.measures.dcgu import DCGU
from truerank.measures.err import ERR
from truerank.measures.erru import ERRU
from truerank.measures.f import F
from truerank.measures.flat_u import FlatU
from truerank.measures.g import G
from truerank.measures.gm import GM
from truerank.measures.inf_ap import InfAP
from truerank.measures.iprec import IPrec
from truerank.measures.iprec_avg import IPrecAvg
from truerank.measures.irbu import IRBU
from truerank.measures.judged import Judged
from truerank.measures.ndcg import NDCG
from truerank.measures.ndcg_rel import NDCGRel
from truerank.measures.num_nonrel import NumNonrelRet
from truerank.measures.num_q import NumQ
from truerank.measures.num_rel import NumRel
from truerank.measures.num_ret import NumRet
from truerank.measures.oie import OIE
from truerank.measures.p import P
from truerank.measures.pref_loss import PrefLoss
from truerank.measures.q import Q
from truerank.measures.r import R
from truerank.measures.rbp import RBP
from truerank.measures.rbpu import RBPU
from truerank.measures.rbu import RBU
from truerank.measures.rndcg import RNDCG
from truerank.measures.rprec import Rprec
from truerank.measures.rr import RR
from truerank.measures.set_ap import SetAP
from truerank.measures.set_f import SetF
from truerank.measures.set_p import SetP
from truerank.measures.set_r import SetR
from truerank.measures.success import Success
from truerank.measures.terminal import Terminal
from truerank.measures.utility import Utility

TABLE: dict[str, Measure] = {
    measure.name: measure
    for measure in (
        P(),
        R(),
        F(),
        SetP(),
        SetR(),
        SetF(),
        SetAP(),
        AP(),
        GM(),
        RR(),
        Success(),
        CG(),
        DCG(),
        NDCG(),
        RBP(),
        ERR(),
        Q(),
        G(),
        BinG(),
        NDCGRel(),
        RNDCG(),
        Utility(),
        Rprec(),
        Bpref(),
        InfAP(),
        IPrec(),
        IPrecAvg(),
        AUC(),
        PrefLoss(),
        IRBU(),
        FlatU(),
        RBU(),
        DCGU(),
        ERRU(),
        RBPU(),
        OIE(),
        C(),
        Terminal(measure=RR()),
        Terminal(measure=RBP()),
        Terminal(measure=NDCG()),
        Terminal(measure=AP()),
        Terminal(measure=ERR()),
        Judged(),
        NumQ(),
        NumRet(),
        NumRel(),
        NumNonrelRet(),
    )
}

ALIASES: dict[str, Measure] = {
    "MAP": AP(),
    "MRR": RR(),
    "Recall": R(),
    "Precision": P(),
    "NDCG": NDCG(),
    "BPref": Bpref(),
    "RPrec": Rprec(),
    "BEP": Rprec(),
    "GMAP": GM(),
    "SetRelP": SetP(relative=True),
    "NumRelRet": NumRet(rel=1),
}
