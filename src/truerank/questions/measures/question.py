"""The question: what is there to measure?"""

from __future__ import annotations

from typing import Annotated, Any

from truerank.questions.measures.answer import Catalogue, MeasureRow
from truerank.questions.signature import question
from truerank.report.signature import Argument


@question()
def catalogue(measures: Annotated[Any, Argument("[MEASURE]...", many=True, required=False)] = ()) -> Catalogue:
    """List the measures, or show some in full.

    Example:
      truerank measures AP nDCG

    >>> [(row.written, row.defaults) for row in catalogue(["MAP", "RBP(p=0.5)"]).measures]
    [('AP[@k]', "rel=1, norm='R'"), ('RBP[@k]', 'rel, gains, max_rel, p=0.8')]
    """
    from truerank.measures.catalogue import entry
    from truerank.measures.catalogue import measures as every
    from truerank.measures.grammar import parse_all

    entries = tuple(map(entry, parse_all(measures))) if measures else every()
    return Catalogue(measures=tuple(MeasureRow(**vars(one)) for one in entries), in_full=bool(measures))


COMMAND = catalogue
