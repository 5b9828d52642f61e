"""Measures of a reader who goes down a list, over their value for the best ranking there is."""

from __future__ import annotations

from truerank.data.classes import dataclass
from truerank.measures.core.ideal import OverIdeal
from truerank.measures.err import ERR
from truerank.measures.irbu import IRBU
from truerank.measures.rbp import RBP

PAPER = "Amigó, Mizzaro & Spina 2022"


@dataclass(frozen=True, kw_only=True, repr=False)
class NERR(OverIdeal, ERR):
    """ERR over the ERR of the best ranking of the judged documents, both to the same depth.

    >>> NERR(max_rel=1).of([0, 1, 1]), NERR(max_rel=1).of([1, 1, 0])
    (0.5333333333333333, 1.0)
    """

    name = "nERR"
    formula = "ERR@k / ideal ERR@k"
    citation = f"{ERR.citation}; {PAPER}"
    takes_terminal = False


@dataclass(frozen=True, kw_only=True, repr=False)
class NRBP(OverIdeal, RBP):
    """RBP over the RBP of the best ranking of the judged documents, both to the same depth.

    >>> round(NRBP(p=0.5).of([0, 1, 1]), 4), NRBP(p=0.5).of([1, 1, 0])
    (0.5, 1.0)
    """

    name = "nRBP"
    formula = "RBP@k / ideal RBP@k"
    citation = f"{RBP.citation}; {PAPER}"
    takes_terminal = False


@dataclass(frozen=True, kw_only=True, repr=False)
class NIRBU(OverIdeal, IRBU):
    """iRBU over the iRBU of the best ranking of the judged documents, both to the same depth.

    >>> round(NIRBU(p=0.5, max_rel=1).of([0, 1, 1]), 4), NIRBU(p=0.5, max_rel=1).of([1, 1, 0])
    (0.5, 1.0)
    """

    name = "niRBU"
    formula = "iRBU@k / ideal iRBU@k"
    citation = f"{IRBU.citation}; {PAPER}"
    takes_terminal = False
