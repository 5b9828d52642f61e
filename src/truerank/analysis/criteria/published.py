"""What Amigó, Mizzaro & Spina (2022) report of nine TREC collections, to stand beside one's own numbers."""

from __future__ import annotations

DEPTH = 100
"""Where they cut lists."""
REFERENCE = ("P@10", "R@100", "RR")
"""The measures whose unanimous improvements are to be covered."""
COVERAGE = {
    "OIE(size=20000)": 0.921,
    "nDCG": 0.918,
    "DCG": 0.911,
    "RBP(p=0.98)": 0.911,
    "AP": 0.901,
    "F": 0.896,
    "R@100": 0.891,
    "FlatU": 0.891,
    "RBP(p=0.9)": 0.890,
    "P@10": 0.867,
    "RBP": 0.846,
    "iRBU(p=0.98)": 0.832,
    "iRBU(p=0.9)": 0.810,
    "iRBU": 0.782,
    "ERR": 0.761,
    "RR": 0.249,
}
"""Table 3: quality aspect coverage, the mean over the collections; names without a p are those with p = 0.8."""
