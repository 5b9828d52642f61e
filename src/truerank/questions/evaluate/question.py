"""The question: how good are runs?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from truerank.conventions.presets import AxisRules
from truerank.questions.evaluate.answer import Scores
from truerank.questions.signature import Also, Engines, Groups, Judgments, Measures, Runs, question

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.track.track import Progress


RULES = AxisRules(takes=("each", "bounds", "expected"))


@question(RULES)
def evaluate(
    qrels: Judgments,
    runs: Runs,
    measures: Measures = "nDCG@10 AP P@10 R@100 RR RBP(p=0.8)",
    *,
    group: Groups = None,
    also: Also = (),
    name: str = "",
    engine: Engines = None,
    progress: Progress | None = None,
    **given: Unpack[Given],
) -> Scores:
    """Score runs against judgments.

    QRELS and RUN are files, compressed or not, or - for standard input: TREC files, CSV or TSV with a header line,
    JSON, JSON lines, parquet, responses of Elasticsearch, or the id of a data set of ir_datasets.

    Example:
      truerank evaluate qrels.txt bm25.run dense.run -m "nDCG@10 AP" --unjudged bounds
      truerank evaluate beir/test.tsv passages.jsonl --lower-is-better --chunks "#"
      truerank evaluate qrels.txt *.run --group topics.tsv:language
      truerank evaluate people.qrels *.run --judge gpt=gpt.jsonl --judges each
      truerank evaluate trec8.qrels trec8/*.run --also med=med/qrels.txt "med/*.run"
      truerank evaluate qrels.txt *.run --topics 401,403

    In Python, ``qrels`` and each run may also be an open file, a dict of dicts, a dict of lists, rows, a data frame, or
    what ``read_qrels`` and ``read_run`` return; ``runs`` is one run, a list of runs, or a dict from names to runs. The
    conventions are keywords, see ``truerank.Conventions``; those that are not given are those of ``like``, a tool, or
    else the usual ones. ``also`` are other collections, pairs of judgments and runs or such pairs by name, which stand
    beside the first in what is returned: ``found.collections["med"]``. ``progress`` is called with the name of each run
    when it is done, how many are, and how many there are.

    >>> qrels = {"q1": {"a": 1, "b": 0, "c": 2}}
    >>> scores = evaluate(qrels, {"mine": {"q1": {"a": 3.0, "b": 2.0, "c": 2.0}}}, "AP nDCG@2")
    >>> scores["mine"]["AP"].mean  # the mean of 1 and 5/6: b and c are tied
    0.9166666666666666
    """
    from truerank.questions.evaluate.work import conclude, look
    from truerank.track.groups import given_groups
    from truerank.track.track import Track

    groups = given_groups(group)
    track = Track.of(qrels, runs, measures, given, RULES, engine=engine)
    return conclude(track, track.each(look, progress=progress), groups)
