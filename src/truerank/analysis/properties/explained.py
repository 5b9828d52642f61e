"""Why claims of the paper's table do not survive, or depend on how a property is read: what the witnesses show."""

from __future__ import annotations

_WHOLE = (
    "it compares orders of the whole collection, where a list of one document ties all others for the last place; with "
    "two lists of one length the claim is confirmed"
)
_LAST = (
    "where every relevant document is retrieved and the one added is the last of the collection, the order of the "
    "collection stays as it was"
)
_SILENT = (
    "without a hit the terminal document has no gain, unless there is nothing to find, so that a longer list costs "
    "nothing"
)
_TERMINAL_RECALL = "the terminal document has the share of relevant documents that were found, which falls as R grows"
_READS_R = (
    "it counts down to R: with R = n the n documents without relevance take up everything, with R = 50 and fewer of "
    "them the relevant ones still count"
)
_PATIENCE = "with p = 0.8 the reader is not patient enough; "

WHY: dict[tuple[str, str], str] = {
    **{(row, "Deepness threshold"): _WHOLE for row in ("Spearman", "Kendall", "AUC-ROC")},
    **{(row, "Shallowness threshold"): _WHOLE for row in ("Spearman", "Kendall", "AUC-ROC")},
    **{(row, "Confidence"): _LAST for row in ("Spearman", "Kendall", "AUC-ROC")},
    ("AUC-ROC", "Recall"): "a relevant document that is not retrieved shares the last place, below all that are",
    ("R@N", "Recall"): "a relevant document past the cutoff is not counted, so that the score is 0 whatever R is",
    **{(row, "Deepness threshold"): _READS_R for row in ("R-p", "BPref")},
    **{(row, "Shallowness threshold"): _READS_R for row in ("R-p", "BPref")},
    ("R-p", "Recall"): "R is also how deep it reads: one relevant document more can bring a hit into view",
    ("F-measure", "Shallowness threshold"): (
        "order plays no part, but the number of hits does: m hits among 2m documents are better than one alone from "
        "m = 3 on"
    ),
    ("F-measure", "Confidence"): "without a hit it is 0, however long the list",
    ("F-measure", "Redundancy"): "with length and R given it is proportional to the hits: each adds the same",
    ("AP", "Top-weightedness"): (
        "moving the c-th hit up from rank i + 1 to i adds c / (i (i + 1)): far down, a later hit, with more hits above "
        "it, gains more than an earlier one"
    ),
    ("Q-measure", "Priority"): (
        "with grades, the document moved up counted together with a better one above it, and now counts alone; with "
        "two levels, Q(rel=1), it is strict"
    ),
    ("Q-measure", "Top-weightedness"): "as with AP, a later hit counts with more gain above it",
    ("iRBU", "Shallowness threshold"): _PATIENCE + "from p = 0.84 on m = 2 will do, with Rel' = 1/2",
    ("RBU", "Shallowness threshold"): _PATIENCE + "with p = 0.98 m = 2 will do, with Rel' = 1/2",
    **{(row, "Confidence"): _SILENT for row in ("NDCGT", "ERRT", "RBPT")},
    **{(row, "Recall"): _TERMINAL_RECALL for row in ("ERRT", "RBPT")},
    ("OIE", "Priority"): (
        "with grades, what counts is how many documents at least as good stand above: the one moved up passed a better "
        "one; with two levels, OIE(rel=1), it is strict"
    ),
    ("OIE", "Deepness threshold"): (
        "n has to be a good part of the collection, all of it relevant, and the list of a single document not padded"
    ),
    ("OIE", "Redundancy"): "the second hit adds beta ln 2 more than the first, whatever n and R are",
}
"""By the measure's name in the paper and the property's."""
