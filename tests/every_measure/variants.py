"""The parameters that each measure is tried with."""

from __future__ import annotations

from typing import Any

FRACTIONAL = {1: 0.5, 2: 1.5}
TURNED = {1: 0.75, 2: 0.25, 3: 0.5}
"""A gain map that does not grow with the grade, and stays a probability."""

BINARY: list[dict[str, Any]] = [{}, {"rel": 2}, {"rel": 0.5}]
GRADED: list[dict[str, Any]] = [{}, {"rel": 2}, {"gains": FRACTIONAL}, {"gains": TURNED}, {"gains": {2: 0}}]
LINEAR: list[dict[str, Any]] = [*GRADED[:2], {"gains": TURNED}, {"max_rel": 4}, {"rel": 2, "max_rel": 2}]

VARIANTS: dict[str, list[dict[str, Any]]] = {
    "P": [*BINARY, {"relative": True}],
    "R": BINARY,
    "F": [*BINARY, {"beta": 2.0}, {"beta": 0.5, "rel": 2}, {"beta": 0}],
    "SetP": [*BINARY, {"relative": True}],
    "SetR": BINARY,
    "SetF": [*BINARY, {"beta": 3}],
    "SetAP": BINARY,
    "AP": [*BINARY, {"norm": "min"}, {"norm": "pool"}, {"norm": "min", "rel": 2}],
    "RR": BINARY,
    "Success": BINARY,
    "CG": GRADED,
    "DCG": [*GRADED, {"dcg": "exp-log2"}, {"dcg": "exp-log2", "gains": TURNED}],
    "nDCG": [*GRADED, {"dcg": "exp-log2"}, {"dcg": "exp-log2", "gains": TURNED}, {"max_rel": 4}],
    "RBP": [*LINEAR, {"p": 0.5}, {"p": 0.95, "rel": 1}, {"gains": {1: 3, 3: 0.5}}, {"p": 0}, {"p": 1}],
    "SDCG": [*LINEAR, {"gains": {1: 3, 3: 0.5}}],
    "INSQ": [*LINEAR, {"T": 2}, {"T": 0.3, "rel": 1}, {"gains": {1: 3, 3: 0.5}}],
    "INST": [*LINEAR, {"T": 2.5}, {"T": 0.5, "rel": 1}],
    "BPM": [*LINEAR, {"T": 2}, {"T": 0.5}],
    "NERR8": LINEAR,
    "NERR9": LINEAR,
    "NERR10": [*LINEAR, {"p": 0.5}, {"p": 0}, {"p": 1}],
    "NERR11": [*LINEAR, {"T": 2.5}],
    "Compat": [{}, {"p": 0.5}, {"p": 1}, {"normalise": False, "p": 0.8}, {"p": 0}],
    "ERR": [*LINEAR, {"gains": {1: 0.1, 2: 1.0}}],
    "Q": [*GRADED, {"beta": 0}, {"beta": 2.5}, {"norm": "min"}],
    "G": GRADED,
    "BinG": BINARY,
    "nDCGRel": GRADED,
    "RnDCG": GRADED,
    "Utility": [*BINARY, {"a": 3, "b": -0.5, "c": -1}, {"d": 0.25, "size": 50}],
    "Rprec": [*BINARY, {"mult": 0.5}, {"mult": 2.0}],
    "Bpref": [*BINARY, {"norm": "R"}],
    "infAP": BINARY,
    "IPrec": [{"recall": 0.1}, {"recall": 0}, {"recall": 0.5}, {"recall": 1.0}, {"recall": 0.5, "rel": 2}],
    "IPrecAvg": [*BINARY, {"points": 3}],
    "AUC": BINARY,
    "PrefLoss": [{}],
    "iRBU": [*LINEAR, {"p": 0.5}],
    "FlatU": [*LINEAR, {"e": 0.5}],
    "RBU": [*LINEAR, {"p": 0.98, "e": 0.3}],
    "DCGU": [*LINEAR, {"e": 0.5}, {"dcg": "exp-log2"}],
    "ERRU": [*LINEAR, {"e": 0.5}],
    "RBPU": [*LINEAR, {"p": 0.5, "e": 0.3}],
    "OIE": [{"size": 100}, {"size": 100, "beta": 1.2, "rel": 2}, {"normalise": True}, {"size": 64, "gains": TURNED}],
    "c": BINARY,
    "RRT": BINARY,
    "RBPT": [*LINEAR, {"p": 0.5}],
    "nDCGT": [*GRADED, {"dcg": "exp-log2"}],
    "APT": [*BINARY, {"norm": "min"}, {"norm": "pool"}],
    "ERRT": LINEAR,
    "Judged": [{}],
    "NumQ": [{}],
    "NumRet": [{}, {"rel": 1}, {"rel": 2}],
    "NumRel": BINARY,
    "NumNonrelRet": BINARY,
}
