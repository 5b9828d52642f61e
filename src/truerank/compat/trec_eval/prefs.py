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

from collections.abc import Mapping
from typing import Literal, TypeAlias

import numpy as np

from truerank.compat.trec_eval.files import GROUPED_QRELS, GroupLines, read_lines
from truerank.conventions.ties import broken_by_order
from truerank.data.arrays import Array, Floats, Mask, Rows
from truerank.data.classes import dataclass
from truerank.data.ids import text
from truerank.data.judge import judge
from truerank.data.printing import shown
from truerank.data.run import Run
from truerank.io.source import Readable
from truerank.io.trec import GROUPED

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

SCOPES = ("", "_ret", "_imp")
"""All preferences, those between two retrieved documents, those with at least one retrieved document."""

Count: TypeAlias = tuple[float, float]
"""Fulfilled and possible preferences."""
_FORMS = {"prefs": GROUPED, "qrels_prefs": GROUPED_QRELS}


def evaluate(
    source: Readable | GroupLines,
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
    place = np.empty(len(lines.docs), dtype=np.intp)
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
        values[text(lines.topics[topic])] = _measured(groups, len(order), len(retrieved))
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


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Judgments of one group, those of documents that the run puts first coming first.

    A place counts judged documents: 0 is the first one retrieved, and those that were not retrieved come last.
    """

    place: Rows
    """Place of each judgment's document, never decreasing."""
    grade: Floats
    prefers: Mask
    """prefers[a, b]: a is preferred to b."""
    partial: bool
    """Whether the preferences come from several subgroups, so that two different grades need not be a preference."""

    def first(self, count: int) -> Group:
        """The group as if it had judged no other documents than its first ones."""
        return Group(self.place[:count], self.grade[:count], self.prefers[:count, :count], self.partial)

    def opinions(self) -> tuple[Rows, Array]:
        """The places, each once, and how often the document at one is preferred to that at another.

        A line that stands twice in a file is two opinions.
        """
        first = np.flatnonzero(np.diff(self.place, prepend=-1))
        if len(first) == len(self.place):
            return self.place, self.prefers
        times = np.add.reduceat(self.prefers, first, axis=0, dtype=np.int32)
        return self.place[first], np.add.reduceat(times, first, axis=1)


def group_of(lines: GroupLines, subgroups: Mapping[bytes, Rows], place: Rows) -> Group:
    """The group that judged the lines of some subgroups; ``place`` has the place of every line's document."""
    rows = np.concatenate(list(subgroups.values()))
    rows = rows[np.argsort(place[rows], kind="stable")]
    return _partial(lines, subgroups, rows, place) if len(subgroups) > 1 else _complete(lines, rows, place)


def _complete(lines: GroupLines, rows: Rows, place: Rows) -> Group:
    """One subgroup: a is preferred to b if its grade is higher."""
    at, grade = place[rows], lines.grade[rows]
    twice = np.flatnonzero((at[1:] == at[:-1]) & (grade[1:] != grade[:-1]))
    if len(twice):
        row = int(rows[twice[0] + 1])
        raise lines.error(row, f"document {shown(lines.docs[row])} has two different grades; keep one of the two")
    return Group(at, grade, grade[:, None] > grade, partial=False)


def _partial(lines: GroupLines, subgroups: Mapping[bytes, Rows], rows: Rows, place: Rows) -> Group:
    """Several subgroups: preferences of any of them, and what follows from a > b and b > c."""
    new = np.diff(place[rows], prepend=-1) > 0
    own, document = lines.grade[rows], np.cumsum(new) - 1
    zero = np.zeros(len(rows), dtype=np.bool_)
    zero[document[own == 0]] = True
    unsure = zero[document] & (own > 0)
    if unsure.any():
        row = int(rows[unsure][0])
        problem = f"document {shown(lines.docs[row])} has a grade of 0 and a higher one"
        raise lines.error(row, f"{problem}; 0 means not relevant: give it in all subgroups or in none")
    rows = rows[new]
    prefers = np.zeros((len(rows), len(rows)), dtype=np.bool_)
    for part in subgroups.values():
        at = np.searchsorted(place[rows], place[part])
        better, worse = np.nonzero(lines.grade[part][:, None] > lines.grade[part])
        prefers[at[better], at[worse]] = True
    prefers = closure(prefers)
    np.fill_diagonal(prefers, False)
    clash = np.argwhere(prefers & prefers.T)
    if len(clash):
        one, other = (int(rows[index]) for index in clash[0])
        both = f"documents {shown(lines.docs[one])} and {shown(lines.docs[other])}"
        raise lines.error(one, f"{both} are each preferred to the other; put opinions that differ in different groups")
    return Group(place[rows], own[new], prefers, partial=True)


def closure(relation: Mask) -> Mask:
    """The transitive closure of a relation (Warshall 1962).

    >>> closure(np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]], bool)).astype(int).tolist()
    [[0, 1, 1], [0, 0, 1], [0, 0, 0]]
    """
    reached: Mask = relation.copy()
    for middle in range(len(reached)):
        reached[reached[:, middle]] |= reached[middle]
    return reached


def of_group(group: Group, retrieved: int) -> dict[str, Count]:
    """Count the preferences of a group; the first so many places are those of retrieved documents.

    >>> place, grade = np.arange(3), np.array([1.0, 2.0, 0.0])  # the last one was not retrieved
    >>> of_group(Group(place, grade, grade[:, None] > grade, partial=False), 2)["_ret"]
    (0, 1)
    """
    found = int((group.place < retrieved).sum())
    return _by_scope(group.prefers & _agreed(group, retrieved), group.prefers, found)


def of_pairs(groups: list[Group], documents: int, retrieved: int) -> dict[str, Count]:
    """Count pairs of documents in place of preferences; each is fulfilled by the share of opinions that agree."""
    count = np.zeros((documents, documents), dtype=np.int32)
    for group in groups:
        place, times = group.opinions()
        count[np.ix_(place, place)] += times
    opinions = np.triu(count + count.T)
    credit = np.divide(count, opinions, out=np.zeros(count.shape), where=opinions > 0)
    credit[retrieved:] = 0.0
    return _by_scope(credit, opinions > 0, retrieved)


def balanced(group: Group, whole: Group, retrieved: int) -> Count:
    """Count preferences as if there were as many non-relevant documents as relevant ones.

    Non-relevant documents that lack are taken to be missed by the run. Where there are too many, the first ones stay.
    ``group`` is ``whole`` or what of it was retrieved. trec_eval has three peculiarities, which are kept:

    - with one subgroup, all documents are preferred to a non-relevant one that stays, the non-relevant ones too, and
      even itself;
    - with several subgroups, as many stay as the whole group has relevant ones;
    - the relevant documents that those which lack are compared with are those retrieved, out of the whole group's.
    """
    relevant, everywhere = group.grade > 0, int((whole.grade > 0).sum())
    nonrelevant = group.grade == 0 if group.partial else ~relevant
    lacking = int(relevant.sum()) - int(nonrelevant.sum())
    prefers, agreed = group.prefers, _agreed(group, retrieved)
    if lacking >= 0:
        found = int((relevant & (group.place < retrieved)).sum())
        return int((prefers & agreed).sum()) + found * lacking, int(prefers.sum()) + everywhere * lacking
    if group.partial:
        stays = ~nonrelevant | (np.cumsum(nonrelevant) <= everywhere)
        prefers = prefers & stays & stays[:, None]
    else:
        lowest = group.grade == group.grade.min()
        prefers = (prefers | lowest) & (~lowest | (np.cumsum(lowest) <= relevant.sum()))
    return int((prefers & agreed).sum()), int(prefers.sum())


def _agreed(group: Group, retrieved: int) -> Mask:
    """Whether the run prefers a to b: it has a, and b further down or not at all."""
    place = group.place
    agreed: Mask = (place[:, None] < place) & (place < retrieved)[:, None]
    return agreed


def _by_scope(credit: Array, possible: Array, retrieved: int) -> dict[str, Count]:
    """Add up matrices whose first rows and columns are those of retrieved documents."""
    every = possible.sum().item()
    fulfilled, neither = credit.sum().item(), possible[retrieved:, retrieved:].sum().item()
    both = slice(retrieved), slice(retrieved)
    return {
        "": (fulfilled, every),
        "_ret": (credit[both].sum().item(), possible[both].sum().item()),
        "_imp": (fulfilled, every - neither),
    }
