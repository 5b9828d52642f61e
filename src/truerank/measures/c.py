"""c@1."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.measures.p import P


@dataclass(frozen=True, kw_only=True, repr=False)
class C(P):
    """c@1: the share of topics answered correctly, where silence earns the accuracy of the answered topics.

    A list that begins with a document named NIL is silence, as an empty one is.

    >>> C().aggregate(np.array([1.0, 0.0, 1.0, 0.0]), np.array([5, 5, 5, 0]))
    0.625
    """

    cutoff: int | None = 1

    name = "c"
    formula = "n_ac/n + (n_ac/n) (n_u/n): n_ac topics with a correct answer at rank 1, n_u without an answer"
    citation = "Peñas & Rodrigo 2011"
    takes_terminal = False
    ending = "silence"
    at_zero = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.cutoff != 1:
            raise InputError("c is defined at rank 1 only; write c@1")

    def aggregate(self, values: Floats, lengths: Rows) -> float:
        """Accuracy, with the unanswered topics credited by it."""
        if not len(values):
            return float("nan")
        answered = float(np.where(lengths > 0, values, 0.0).sum()) / len(values)
        return answered + answered * float((lengths == 0).sum()) / len(values)
