"""The question: which measure suits readers, systems and judgments?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from truerank.questions.choose.answer import Choice
from truerank.questions.choose.guide import QUESTIONS, Guide
from truerank.questions.signature import Ask, Engines, question
from truerank.report.signature import Argument

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.questions.choose.guide import Replies
    from truerank.track.track import Progress


@question(more=tuple(each.parameter for each in QUESTIONS.values()), known=(Guide,))
def choose(
    qrels: Annotated[Any, Argument("[QRELS]", required=False, holds="qrels")] = None,
    runs: Annotated[Any, Argument("[RUN]...", many=True, required=False, holds="runs")] = None,
    *,
    ask: Ask | None = None,
    engine: Engines = None,
    progress: Progress | None = None,
    **replies: Unpack[Replies],
) -> Choice:
    """Choose a measure by answering questions about readers, systems and judgments.

    What is not answered by options is asked, on a terminal. The guide is that of Amigó, Mizzaro & Spina (2022). With
    QRELS and RUNs it also says where they contradict the answers.

    Example:
      truerank choose
      truerank choose --no-length --top --no-exactly --no-single --recall --graded qrels.txt bm25.run
      truerank choose --length --top --no-recall --no-redundancy --depth 10 --silence-at 20

    In Python the answers are keywords. Only those on the way to the measure have to be given; where one is missing, the
    error has the next question as ``error.question``, unless there is an ``ask``, which is called with that error and
    returns the answer.

    - ``length``: systems decide how long a list is, and that should count
    - ``top``: documents further down are less likely to be seen
    - ``exactly``: readers see just the first ``depth`` documents
    - ``single``: one relevant document is enough
    - ``recall``: it matters how many relevant documents there are
    - ``redundancy``: a second relevant document adds less than the first
    - ``graded``: relevance has several grades
    - ``depth``: how many documents readers see, on average where they do not see ``exactly`` so many
    - ``silence_at`` or ``pays_for``: what a document costs, as ``calibrate`` has it; ``size``: documents of the
      collection, for OIE; without them, usual values are taken

    With ``qrels``, and ``runs``, as ``evaluate`` takes them, the result says where they contradict the answers.
    ``found.figure`` is the measure that stands in the figure, where that does not have what was asked for.

    >>> found = choose(length=False, top=True, exactly=False, single=False, recall=False, redundancy=False, depth=10)
    >>> found.measure, found.command
    (RBP(p=0.9), 'truerank evaluate QRELS RUN... -m "RBP(p=0.9)"')
    >>> choose({"q1": {"a": 1}}, length=False, top=False, graded=True).warnings[0].message
    'several grades were answered, but all relevant documents have grade 1'
    """
    from truerank.questions.choose.work import chosen

    return chosen(qrels, runs, replies, ask=ask, engine=engine, progress=progress)
