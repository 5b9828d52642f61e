"""Answers that lead to each end of the guide."""

from __future__ import annotations

from typing import Any

NO = {"length": False}
ONWARD = {**NO, "top": True, "exactly": False, "single": False}
YES = {"length": True, "top": True}

LEAVES: list[tuple[dict[str, Any], str, str]] = [
    ({**NO, "top": False, "graded": False}, "AUC", "Spearman or Kendall"),
    ({**NO, "top": False, "graded": True}, "PrefLoss", "Spearman or Kendall"),
    ({**NO, "top": True, "exactly": True, "recall": False, "depth": 10}, "P@10", "P@N or R@N"),
    ({**NO, "top": True, "exactly": True, "recall": True, "depth": 20}, "R@20", "P@N or R@N"),
    ({**NO, "top": True, "exactly": False, "single": True}, "RR", "RR"),
    ({**ONWARD, "recall": True, "redundancy": False, "graded": False}, "AP", "AP or nDCG"),
    ({**ONWARD, "recall": True, "redundancy": False, "graded": True}, "nDCG", "AP or nDCG"),
    ({**ONWARD, "recall": False, "redundancy": True, "depth": 3}, "ERR", "ERR or iRBU"),
    ({**ONWARD, "recall": False, "redundancy": True, "depth": 10}, "iRBU(p=0.9)", "ERR or iRBU"),
    ({**ONWARD, "recall": False, "redundancy": False, "depth": 20}, "RBP(p=0.95)", "RBP"),
    ({"length": True, "top": False}, "F", "F-measure"),
    ({**YES, "recall": False, "redundancy": False, "depth": 10}, "RBPU(p=0.9)", "RBPU"),
    ({**YES, "recall": False, "redundancy": True, "depth": 3}, "ERRU", "ERRU or RBU"),
    ({**YES, "recall": False, "redundancy": True, "depth": 50}, "RBU(p=0.98)", "ERRU or RBU"),
    ({**YES, "recall": True, "redundancy": False}, "nDCGT", "DCGU"),
    ({**YES, "recall": True, "redundancy": True, "size": 20000}, "OIE(size=20000)", "OIE"),
    ({**ONWARD, "recall": True, "redundancy": True}, "nDCGRel", "AP or nDCG"),
]
FIGURE = {
    "Spearman or Kendall",
    "P@N or R@N",
    "RR",
    "AP or nDCG",
    "ERR or iRBU",
    "RBP",
    "F-measure",
    "RBPU",
    "ERRU or RBU",
    "DCGU",
    "OIE",
}
