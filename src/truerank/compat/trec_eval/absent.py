"""Topics that a run leaves out.

With -c, version 10 evaluates them with one document that nobody judged, and then puts back to zero what shows; what
has parameters in its name is forgotten there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from truerank.compat.trec_eval.arguments import Arguments
from truerank.compat.trec_eval.names import CalculationError, PrintedName
from truerank.compat.trec_eval.output import PrintedColumn, Printout, Texts
from truerank.data.arrays import Mask
from truerank.data.errors import InputError
from truerank.data.ids import Ids, text
from truerank.data.printing import shown
from truerank.data.run import Run, arrange


class NoTopicError(InputError):
    """Judgments and run have no topic in common; trec_eval exits 7 for it."""

    def __init__(self) -> None:
        super().__init__("judgments and run have no topic in common; check that both name topics alike")


def refuse_absent(topics: Sequence[bytes], absent: Sequence[bytes], asked: Arguments) -> None:
    """Refuse a run that leaves out a judged topic that is to be evaluated, unless it is to count as empty."""
    needed = [topic for topic in absent if asked.only in (None, text(topic))]
    if not needed or asked.complete:
        return
    if len(absent) == len(topics):
        raise CalculationError(NoTopicError().message)
    raise CalculationError(
        f"the run has no documents for topic {shown(needed[0])}; give -c to count such topics as empty"
    )


def with_what_is_left(values: Printout, absent: Mask, wanted: list[PrintedName], asked: Arguments) -> Printout:
    """The values of absent topics as empty lists have them, with what the one document leaves of them."""
    given = {name: parameter for name, _, parameter in wanted}
    retrieved = not asked.judged_only and asked.depth != 0

    def left(column: PrintedColumn | Texts) -> PrintedColumn | Texts:
        kind, named = column.family.name, column.name != column.family.name
        if isinstance(column, Texts):
            if not (kind == "relstring" and named and retrieved and given[column.name][0] >= 1):
                return column
            texts = zip(column.texts, absent.tolist(), strict=True)
            return replace(column, texts=tuple("'-'" if gone else text for text, gone in texts))
        rest = column.values
        if kind == "utility":
            _, b, _, d = given[column.name]
            rest = rest + (b - d) * retrieved if named else np.zeros(len(rest))
        elif kind == "rbp_resid":
            rest = np.full(len(rest), float(named and retrieved))
        elif retrieved and kind != "Rndcg":
            # With a document in the list there is no 0 / 0, but where relevant documents have no gain (Rndcg, -l0).
            rest = np.nan_to_num(rest)
        return replace(column, values=np.where(absent, rest, column.values))

    return replace(values, columns=tuple(map(left, values.columns))) if absent.any() else values


def with_one_document(run: Run, absent: Sequence[bytes]) -> Run:
    """The run with one document that is not judged for each topic that it leaves out."""
    if not absent:
        return run
    return arrange(
        run.name,
        [*run.topics, *absent],
        [*run.offsets.tolist(), *(len(run) + 1 + number for number in range(len(absent)))],
        Ids.pack([*run.docs.tolist(), *[b"ceci_nest_pas_un_docno"] * len(absent)]),
        [*run.score.tolist(), *[1.0] * len(absent)],
    )
