"""trec_eval's measures of preferences: how many of them a ranking fulfils.

A preference of a over b is fulfilled where a was retrieved and stands above b, or b was not retrieved. Each measure
is a share of fulfilled preferences in one of three scopes:

- all of them: where neither document was retrieved, the preference is not fulfilled;
- ``_ret``: those between two retrieved documents;
- ``_imp``: those with at least one of the two retrieved.

With F_g and M_g the fulfilled preferences of group g and all that it has in the scope, over G groups:

- ``prefs_num_prefs_poss``, ``prefs_num_prefs_ful``: sum M_g, sum F_g;
- ``prefs_simp``: sum F_g / sum M_g, every preference alike;
- ``prefs_avgjg``: (1/G) sum F_g / M_g, every group alike;
- ``prefs_pair``: every pair of documents alike, the mean of c(a, b) / (c(a, b) + c(b, a)), where c counts the groups
  that prefer one to the other and a stands above b;
- ``prefs_avgjg_Rnonrel``: like ``prefs_avgjg``, as if a group with R relevant documents had judged R non-relevant ones.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from truerank.compat.trec_eval.prefs_counts import SCOPES, Count, balanced, of_group, of_pairs
from truerank.compat.trec_eval.prefs_groups import Group, group_of
from truerank.compat.trec_eval.prefs_lines import PREFS, QRELS, Lines, read_lines
from truerank.conventions.ties import broken_by_order
from truerank.data.judge import judge
from truerank.data.run import Run
from truerank.io.source import Readable

MEASURES = (
    "prefs_num_prefs_poss",
    "prefs_num_prefs_ful",
    "prefs_num_prefs_ful_ret",
    "prefs_simp",
    "prefs_pair",
    "prefs_avgjg",
    "prefs_avgjg_Rnonrel",
    "prefs_simp_ret",
    "prefs_pair_ret",
    "prefs_avgjg_ret",
    "prefs_avgjg_Rnonrel_ret",
    "prefs_simp_imp",
    "prefs_pair_imp",
    "prefs_avgjg_imp",
)
"""In the order in which trec_eval prints them; those with ``num`` in their names are counts, added up over topics."""

_FORMS = {"prefs": PREFS, "qrels_prefs": QRELS}


def evaluate(
    source: Readable | Lines,
    run: Run,
    form: Literal["prefs", "qrels_prefs"],
    *,
    level: float,
    precision: str = "float64",
    depth: int | None = None,
) -> dict[str, dict[str, float]]:
    """Evaluate the topics that both the judgments and the run have: values by topic and measure.

    ``form`` is that of the judgments: lines of topic, group, subgroup, document and grade ("prefs"), or qrels, whose
    second column is the group ("qrels_prefs"). ``level`` changes nothing, as in trec_eval: relevant is what has a
    grade above 0. Scores are compared in ``precision``; equal ones stand in ascending order of documents, which is not
    trec_eval's order elsewhere. ``depth`` cuts lists.

    >>> import io
    >>> from truerank.io.load import as_run
    >>> judgments = io.StringIO("q 0 a 2\\nq 0 b 1\\nq 0 c 0")
    >>> evaluate(judgments, as_run({"q": ["b", "a"]}), "qrels_prefs", level=1)["q"]["prefs_simp"]  # not a > b
    0.6666666666666666
    """
    lines = read_lines(source, _FORMS[form])
    judged = broken_by_order(judge(lines.documents(), run, precision=precision), "docid-asc")
    place = np.empty(len(lines.docs), dtype=np.int64)
    values = {}
    for topic in np.flatnonzero(judged.run_topic >= 0).tolist():
        listed = slice(int(judged.offsets[topic]), int(judged.offsets[topic + 1]))
        row = judged.row[listed]
        retrieved = run.docs.take(row if depth is None else row[judged.above[listed] < depth]).tolist()
        said = np.arange(lines.offsets[topic], lines.offsets[topic + 1])
        docs = lines.docs.take(said).tolist()
        order = [*retrieved, *sorted(set(docs).difference(retrieved))]
        known = {doc: number for number, doc in enumerate(order)}
        place[said] = [known[doc] for doc in docs]
        groups = [group_of(lines, parts, place) for parts in lines.groups(topic).values()]
        values[lines.topics[topic].decode("utf-8", "surrogateescape")] = _measured(groups, len(order), len(retrieved))
    return values


def _measured(groups: list[Group], documents: int, retrieved: int) -> dict[str, float]:
    """Values of one topic, of which so many judged documents were retrieved."""
    each = [of_group(group, retrieved) for group in groups]
    # Where one group judged every document once, there is one opinion about a pair.
    single = len(groups) == 1 and len(groups[0].place) == documents
    pairs = each[0] if single else of_pairs(groups, documents, retrieved)
    values = {}
    for scope in SCOPES:
        fulfilled, possible = (sum(part) for part in zip(*(tally[scope] for tally in each), strict=True))
        values["prefs_num_prefs_poss" + scope] = possible
        values["prefs_num_prefs_ful" + scope] = fulfilled
        values["prefs_simp" + scope] = _share(fulfilled, possible)
        values["prefs_pair" + scope] = _share(*pairs[scope])
        values["prefs_avgjg" + scope] = sum(_share(*tally[scope]) for tally in each) / len(groups)
    values["prefs_avgjg_Rnonrel"] = _mean([balanced(group, group, retrieved) for group in groups])
    heads = [group.first(int((group.place < retrieved).sum())) for group in groups]
    values["prefs_avgjg_Rnonrel_ret"] = _mean(
        [balanced(head, group, retrieved) for head, group in zip(heads, groups, strict=True)]
    )
    return {name: float(values[name]) for name in MEASURES}


def _share(fulfilled: float, possible: float) -> float:
    return fulfilled / possible if possible else 0.0


def _mean(counts: list[Count]) -> float:
    """The mean share; one group without preferences makes it 0, since for trec_eval 0 / 0 is no number."""
    if not all(possible for _, possible in counts):
        return 0.0
    return sum(fulfilled / possible for fulfilled, possible in counts) / len(counts)
