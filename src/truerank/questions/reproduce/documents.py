"""Every definition, table, figure, experiment and stated next step of the five documents, and the command that has it.

In commands QRELS and RUN... are one's own judgments and runs; other capitals are files of the kind that the command is
about.
"""

from __future__ import annotations

from typing import NamedTuple

WORKS, REFUTED, NOT_HERE = "works", "refuted", "not here"
STATES = {
    WORKS: "the command does it",
    REFUTED: "the command has the witness that the document is wrong",
    NOT_HERE: "it is not possible here, and the last column says why",
}


class Item(NamedTuple):
    """Something that a document has."""

    what: str
    where: str
    command: str
    state: str = WORKS
    note: str = ""


_SIX = "P@10 R@10 F@10 AP@10 RR@10 nDCG(dcg='exp-log2')@10"
LIU = (
    Item("DCG and NDCG at a depth", "1", 'truerank evaluate QRELS RUN... -m "DCG nDCG@10"'),
    Item("RBP, and its residual p^d", "1", "truerank evaluate QRELS RUN... -m RBP --unjudged residual"),
    Item("c@1", "1", "truerank evaluate QRELS RUN... -m c@1"),
    Item("NIL as an answer of a list (TREC 2001; Sakai's Q)", "1", "truerank evaluate QRELS RUN... -m Q --nil answer"),
    Item("questions with and without an answer, as a classification", "1", "truerank nil QRELS RUN... --show cases"),
    Item("“101” is at least “10100”; “” is better than “0”", "2", 'truerank reproduce liu --exhibit "Table 1"'),
    Item(
        "the terminal document and its gain r_t", "2, eq. 1", "truerank evaluate QRELS RUN... -m RBP --ending terminal"
    ),
    Item("RR'", "2", "truerank evaluate QRELS RUN... -m RRT"),
    Item("RBP'", "2, eq. 2", 'truerank evaluate QRELS RUN... -m "RBPT(p=0.5)"'),
    Item("NDCG', and the example of .698", "2, eq. 3", "truerank evaluate QRELS RUN... -m nDCGT"),
    Item("AP'", "2, eq. 4", 'truerank evaluate QRELS RUN... -m "APT gAPT"'),
    Item(
        "other measures of weighted precision with a terminal document",
        "2",
        "truerank evaluate QRELS RUN... -m P@5 --ending terminal",
    ),
    Item(
        "Table 1: ten lists by four measures",
        "2",
        'truerank reproduce liu --exhibit "Table 1"',
        WORKS,
        "all 40 numbers are the paper's",
    ),
    Item(
        "one list alone, in Python",
        "2",
        'truerank reproduce liu --exhibit "Table 1"',
        WORKS,
        "`tr.RBPT(p=0.5).of([1, 0, 1], pool=[1, 1, 1])`",
    ),
    Item("hedging: NIL before every list", "1", "truerank nil QRELS RUN... --show endings"),
    Item("“110” is worse than “11” by all four measures", "4", "truerank reproduce liu", REFUTED, "RR' is 1 for both"),
    Item("Table 2: how a run is transformed", "3", 'truerank reproduce liu QRELS RUN... --exhibit "Table 2"'),
    Item("Figure 1: lengths before and after", "3", "truerank nil QRELS RUN... --limit 5 --show lengths --plot FIGURE"),
    Item("Table 3: Kendall's tau of both orders", "3", "truerank nil QRELS RUN... --limit 5 --show agreement"),
    Item(
        "Figure 2: RR' against RR, pairs that are inverted",
        "3",
        "truerank nil QRELS RUN... --limit 5 -m RR --plot FIGURE",
    ),
    Item(
        "Figure 3: the 20 best systems, by the share of lists that they end",
        "3",
        "truerank nil QRELS RUN... --limit 5 --top 20 --plot FIGURE",
    ),
    Item(
        "why systems gain or lose: premature NIL, giving up, NIL in every list",
        "3",
        "truerank nil QRELS RUN... --show topics",
    ),
    Item(
        "the runs of TREC 2001",
        "3",
        "truerank nil QRELS RUN... --limit 5",
        NOT_HERE,
        "they are for participants to hand out; any runs with NIL do",
    ),
    Item(
        "next: where to end a list, by the distribution of its scores",
        "4",
        "truerank stop compare QRELS RUN... -m F --folds 2",
    ),
    Item(
        "next: R predicted from the query",
        "4",
        "truerank unjudged QRELS RUN... -m AP",
        NOT_HERE,
        "runs and judgments have no queries",
    ),
)
MCSHERRY = (
    Item("precision with ties", "2.1", "truerank evaluate QRELS RUN... -m P@10"),
    Item("recall with ties", "2.2", "truerank evaluate QRELS RUN... -m R@10"),
    Item("F1 with ties", "2.3", "truerank evaluate QRELS RUN... -m F@10"),
    Item("average precision with ties", "2.4", "truerank evaluate QRELS RUN... -m AP@10"),
    Item("reciprocal rank with ties", "2.5", "truerank evaluate QRELS RUN... -m RR@10"),
    Item("NDCG with ties", "2.6", "truerank evaluate QRELS RUN... -m \"nDCG(dcg='exp-log2')@10\""),
    Item(
        "the formula of reciprocal rank as printed",
        "2.5",
        "truerank reproduce mcsherry",
        REFUTED,
        "a relevant document tied with another: .5, and the mean of both orders is .75",
    ),
    Item("R counted in the result vector", "2.2", "truerank evaluate QRELS RUN... -m R@10 --relevant run"),
    Item("gains of 2^l - 1, and any other", "2.6", 'truerank evaluate QRELS RUN... -m "nDCG(gains={1:1,2:3})"'),
    Item("a cutoff in the middle of a tie", "2.1", f'truerank ties QRELS RUN... -m "{_SIX}"'),
    Item("the mean over all orders, by going through them", "1", 'truerank reproduce mcsherry --exhibit "Section 2"'),
    Item("one arbitrary order, as TREC takes", "1", "truerank evaluate QRELS RUN... -m AP --ties docid"),
    Item("orders of ties that change which system is better", "1", "truerank ties QRELS RUN... --show pairs"),
    Item("how many results are tied", "1", "truerank ties QRELS RUN... --show runs"),
    Item("how likely orders of ties are, as a figure", "1", "truerank ties QRELS RUN... --plot FIGURE"),
    Item(
        "what the mean costs by each measure, runs in memory",
        "3",
        f'truerank ties QRELS RUN... -m "{_SIX}" --repeat 1 --show cost',
    ),
    Item("features as scoring functions, and their selection", "1", "truerank features LETOR"),
    Item(
        "the cost function of an optimiser",
        "1",
        "truerank features LETOR",
        WORKS,
        '`tr.score_arrays(scores, grades, offsets, "nDCG@10")`',
    ),
    Item("Cooper's expected search length", "1", "truerank evaluate QRELS RUN... -m ESL"),
    Item("precision at recall levels with ties (Raghavan & Jung)", "1", "truerank curves QRELS RUN..."),
    Item(
        "28,043 queries and the in-degree of pages",
        "3",
        f'truerank ties QRELS RUN... -m "{_SIX}" --repeat 1 --show cost',
        NOT_HERE,
        "the data were never given out; one's own runs do",
    ),
)
LU = (
    Item(
        "AP_k, divided by the lesser of k and R", "3, eq. 1", "truerank evaluate QRELS RUN... -m \"AP(norm='min')@10\""
    ),
    Item("AP'_k, divided by R", "3, eq. 2", "truerank evaluate QRELS RUN... -m AP@10"),
    Item(
        "AP''_k, divided by what a pool of depth k has",
        "3, eq. 3",
        "truerank depth QRELS RUN... --contributors -m \"AP(norm='pool')\"",
    ),
    Item("NDCG, QM, RBP and ERR at a depth", "2", 'truerank evaluate QRELS RUN... -m "nDCG@10 Q@10 RBP@10 ERR@10"'),
    Item("reciprocal rank as an example of low volatility", "1", "truerank depth QRELS RUN... -m RR"),
    Item("condensed runs", "2", "truerank depth QRELS RUN... --condensed"),
    Item("evaluation past the depth of the pool", "2", "truerank depth QRELS RUN... --max-depth 200"),
    Item("Table 1: contributing runs and the depth of the pool", "3", "truerank pool QRELS RUN..."),
    Item("a depth of the pool for each topic (“12+”)", "3", "truerank pool QRELS RUN... --show topics"),
    Item("only contributing runs", "3", "truerank depth QRELS RUN... --contributors"),
    Item(
        "Figures 1 to 4: five measures by depth, plain and condensed",
        "3",
        "truerank depth QRELS RUN... --contributors --condensed --plot FIGURE",
    ),
    Item("five systems picked out by their place at the last depth", "3", "truerank depth QRELS RUN... --show curves"),
    Item(
        "Figure 5: AP' and AP'' side by side",
        "3",
        "truerank depth QRELS RUN... --contributors -m \"AP AP(norm='pool')\" --plot FIGURE",
    ),
    Item("four collections, of news and of the web", "3", "truerank depth QRELS RUN... --also OTHER_QRELS OTHER_RUNS"),
    Item("the same collection pooled less deep", "2", "truerank pool QRELS RUN... --depth 5 --restrict FILE"),
    Item("crossings of lines", "3", "truerank depth QRELS RUN... --show stability"),
    Item(
        "utility-based scores only rise; AP' does not fall; AP'' is AP' from d on",
        "3",
        "truerank reproduce lu QRELS RUN...",
    ),
    Item("a formal definition of volatility", "1", "truerank depth QRELS RUN... --plot-stability FIGURE"),
    Item("next: Kendall's tau and other correlations over depths", "4", "truerank depth QRELS RUN... --show stability"),
    Item(
        "next: discrimination for combinations of d and k",
        "4",
        "truerank depth QRELS RUN... -m AP --grid --plot-grid FIGURE",
    ),
    Item("next: findings overturned as more is judged", "4", "truerank rejudged OLD_QRELS QRELS RUN..."),
)
AMIGO = (
    Item("the lists A, B and C", "1", 'truerank reproduce amigo --exhibit "Section 1, example"'),
    Item("Priority", "2.2", "truerank properties AP --property priority --longest 4"),
    Item("Top-weightedness", "2.2", "truerank properties AP --property top --longest 4"),
    Item("Deepness threshold", "2.2", "truerank properties RBP --property deepness --longest 4"),
    Item("Shallowness threshold", "2.2", "truerank properties RBP --property shallowness --longest 4"),
    Item("Confidence", "2.3", "truerank properties RBPU --property confidence --longest 4"),
    Item("Recall", "2.3", "truerank properties AP --property recall --longest 4"),
    Item("Redundancy", "2.3", "truerank properties ERR --property redundancy --longest 4"),
    Item(
        "Table 1: 24 measures by seven properties",
        "3",
        "truerank properties --published",
        REFUTED,
        "138 of 163 claims are confirmed, 21 refuted with a witness each, and 4 depend on the reading",
    ),
    Item(
        "OIE has all seven",
        "3.4",
        'truerank properties "OIE(size=20000)" --longest 4',
        REFUTED,
        "Redundancy fails, and Priority with grades",
    ),
    Item(
        "Confidence of Spearman and Kendall",
        "3.1",
        'truerank properties "Kendall Spearman" --property confidence',
        REFUTED,
        "it is reversed where several documents are not retrieved",
    ),
    Item("Spearman and Kendall as measures of a run", "3.1", 'truerank evaluate QRELS RUN... -m "Kendall Spearman"'),
    Item("AUC-ROC", "3.1", "truerank evaluate QRELS RUN... -m AUC"),
    Item("P@N, R@N, R-precision, RR, F and AP", "3.1", 'truerank evaluate QRELS RUN... -m "P@10 R@10 Rprec RR F AP"'),
    Item("NDCG, Q-measure and BPref", "3.1", 'truerank evaluate QRELS RUN... -m "nDCG Q Bpref"'),
    Item("ERR, RBP and iRBU", "3.1", 'truerank evaluate QRELS RUN... -m "ERR RBP iRBU"'),
    Item("the same divided by their ideal", "3.1", 'truerank evaluate QRELS RUN... -m "nERR nRBP niRBU"'),
    Item("NDCGT, ERRT, RBPT and RRT", "3.2", 'truerank evaluate QRELS RUN... -m "nDCGT ERRT RBPT RRT"'),
    Item("Flat Utility", "3.3", "truerank evaluate QRELS RUN... -m FlatU"),
    Item("RBU", "3.3", "truerank evaluate QRELS RUN... -m RBU"),
    Item("DCGU", "3.3", "truerank evaluate QRELS RUN... -m DCGU"),
    Item("ERRU", "3.3", "truerank evaluate QRELS RUN... -m ERRU"),
    Item("RBPU", "3.3", "truerank evaluate QRELS RUN... -m RBPU"),
    Item("the general scheme: gain less effort, discounted", "3.3", "truerank evaluate QRELS RUN... -m DiscountU"),
    Item("gains of (2^g - 1) / 2^max", "4.1", "truerank evaluate QRELS RUN... -m ERR"),
    Item(
        "e = 1/20 means 20 documents",
        "3.3",
        'truerank calibrate -m "FlatU RBPU DCGU RBU ERRU"',
        REFUTED,
        "by FlatU only; by DCGU it is 93, and by RBPU any number",
    ),
    Item(
        "Figure 1: a list at every length",
        "3.3",
        'truerank calibrate -m "RBU(p=0.98) RBPU DCGU" --ranking "0^10 1^90" --plot FIGURE',
    ),
    Item("OIQ, and the entropies H(S), H(G) and H(S, G)", "3.4", 'truerank evaluate QRELS RUN... -m "OIE(size=20000)"'),
    Item("OIE", "3.4", 'truerank evaluate QRELS RUN... -m "OIE(size=20000)"'),
    Item(
        "beta = 1.05 makes rank 20 equal nothing",
        "3.4",
        "truerank calibrate -m OIE --silence-at 20 --size 20000",
        REFUTED,
        "it takes 1.0464; with 1.05 it is rank 18",
    ),
    Item(
        "beta between 1 and (2m - 1) / m; the size of the collection",
        "3.4",
        "truerank calibrate -m OIE --silence-at 20 --size 1000 --size 1000000",
    ),
    Item("the best length of each list", "4.2", 'truerank truncate QRELS RUN... -m "OIE(size=20000) F"'),
    Item(
        "Figure 2: best lengths in bins",
        "4.2",
        "truerank truncate QRELS RUN... --tolerance 0 --show bins --plot FIGURE",
    ),
    Item("shares of lists that the text gives", "4.2", "truerank truncate QRELS RUN... --published"),
    Item(
        "Table 2: systems by cut and by whole lists",
        "4.3",
        "truerank truncate QRELS RUN... --against published --published",
    ),
    Item("Figure 3: four scatter plots", "4.3", "truerank truncate QRELS RUN... --against published --scatter FIGURE"),
    Item("Unanimous Improvement Ratio", "4.4", "truerank meta QRELS RUN... --splits 2 --show uir"),
    Item("Table 3: coverage", "4.4", "truerank meta QRELS RUN... --published --splits 2"),
    Item(
        "the same as a mean over collections",
        "4.4",
        "truerank meta QRELS RUN... --published --splits 2 --also OTHER_QRELS OTHER_RUNS",
    ),
    Item("Figure 4: the guide", "5", "truerank choose --show guide"),
    Item(
        "the guide ends in what was asked for",
        "5",
        "truerank reproduce amigo",
        REFUTED,
        "DCGU stands for recall without redundancy, and lacks Recall",
    ),
    Item("the guide as a picture", "5", 'truerank reproduce amigo --exhibit "Figure 4" --plot FIGURE'),
    Item(
        "nine TREC collections",
        "4.1",
        "truerank reproduce amigo QRELS RUN...",
        NOT_HERE,
        "their runs are for participants to hand out; `--also` takes as many collections as there are",
    ),
    Item("next: beta for other scenarios", "3.4", "truerank calibrate -m OIE --pays-for 10 --size 20000"),
    Item("next: e from what people do", "6", "truerank fit QRELS RUN... -m RBPU --preferences SIDE_BY_SIDE"),
    Item("next: truncation without an oracle", "6", "truerank stop compare QRELS RUN... -m F --folds 2 --against AP"),
    Item(
        "for which p, e and beta a measure has a property",
        "2",
        "truerank properties RBPU --property confidence --regions",
    ),
    Item(
        "next: people's preferences between lists", "6", "truerank fit QRELS RUN... -m RBPU --preferences SIDE_BY_SIDE"
    ),
    Item("next: properties of scale", "2.3", "truerank properties AP --property interval --longest 4"),
    Item(
        "next: dynamic search",
        "6",
        "truerank compare QRELS RUN... -m AP --group GROUPS",
        NOT_HERE,
        "runs have no rounds; topics of a session can be compared as a group",
    ),
    Item("other correlations between measures", "4.3", "truerank meta QRELS RUN... --splits 2 --show tau"),
)
SLIDES = (
    Item(
        "area under the curve; discordant pairs",
        "Area under the curve",
        'truerank reproduce slides --exhibit "Slide: area under the curve"',
    ),
    Item("hits against false alarms", "Area under the curve", "truerank curves QRELS RUN... --kind roc --plot FIGURE"),
    Item("MRR, and three models", "MRR", 'truerank reproduce slides --exhibit "Slide: mean reciprocal rank"'),
    Item("MRR cut at K", "MRR", "truerank evaluate QRELS RUN... -m RR@10"),
    Item("MAP", "MAP", "truerank evaluate QRELS RUN... -m AP"),
    Item("recall, precision and F1 of sets", "Set-wise losses", 'truerank evaluate QRELS RUN... -m "SetR SetP SetF"'),
    Item(
        "recall and precision at K; precision 1 at 0",
        "Sets via rank-and-cutoff",
        'truerank evaluate QRELS RUN... -m "P@0 R@0 P@10 R@10"',
    ),
    Item(
        "the table of twenty ranks and its curve",
        "Precision-recall trade-off",
        'truerank reproduce slides --exhibit "Slide: precision-recall trade-off" --plot FIGURE',
    ),
    Item(
        "interpolated precision, averaged over queries",
        "Sets via rank-and-cutoff",
        "truerank curves QRELS RUN... --plot FIGURE",
    ),
    Item("break-even point", "Precision-recall trade-off", "truerank evaluate QRELS RUN... -m Rprec"),
    Item("pooling, and what is not judged", "Incomplete relevant set", "truerank unjudged QRELS RUN..."),
    Item("NDCG, the ideal from the pool", "Incomplete relevant set", "truerank evaluate QRELS RUN... -m nDCG@10"),
    Item(
        "preferences between pairs, incomplete and contradictory",
        "Pairwise preferences",
        "truerank preferences PREFERENCES",
    ),
    Item("circles of preferences", "Pairwise preferences", "truerank preferences PREFERENCES --show cycles"),
    Item("loss by preferences", "Pairwise preferences", "truerank preferences PREFERENCES RUN..."),
    Item("the loss is 1 - AUC", "Pairwise preferences", 'truerank evaluate QRELS RUN... -m "PrefLoss AUC"'),
    Item(
        "flips at the top cost as much as below",
        "Pairwise preferences",
        "truerank evaluate QRELS RUN... -m WPrefLoss",
        WORKS,
        "a loss weighted to the top",
    ),
    Item("preferences from clicks", "Pairwise preferences", "truerank preferences CLICKS --clicks skip-above"),
    Item("a total order of documents", "How good is a retrieval system?", "truerank order ORDER RUN..."),
    Item(
        "drawing irrelevant documents, as learners do",
        "Complete relevant set",
        "truerank negatives QRELS RUN...",
        WORKS,
        "what a sample of them does to scores",
    ),
    Item("square error and ordinal error", "Eval recap", "truerank order QRELS RUN... --grades"),
    Item(
        "smooth surrogates for training",
        "Eval recap",
        "truerank evaluate QRELS RUN... -m nDCG@10",
        NOT_HERE,
        "evaluation only; the mean over orders of ties is exact and not smooth",
    ),
)
DOCUMENTS: dict[str, tuple[Item, ...]] = {"liu": LIU, "mcsherry": MCSHERRY, "lu": LU, "amigo": AMIGO, "slides": SLIDES}
"""By the short name of the document."""
