"""How far apart two runs can be: the range of a difference over all that is varied, the same in every question."""

from __future__ import annotations

from truerank.report.rows import Row, column


class DifferenceRange(Row):
    """Two runs, the range of the difference of their scores, and whether their order can reverse."""

    measure: str = column("the measure")
    run: str = column("the run with the better score; of equal ones the first")
    compared_with: str = column("the other run", head="with")
    difference: float = column("score of the run minus that of the other", form="signed")
    low: float = column("the lowest that the difference can be", form="signed")
    high: float = column("the highest that it can be", form="signed")
    can_reverse: bool = column("whether each of both runs can be the better one", head="can reverse")
