"""Rankings whose documents have grades by chance: what a term sees is what it expects of them."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Protocol

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.chances import Chances
from truerank.data.classes import dataclass
from truerank.data.rankings import GainOfGrade, Rankings, gain_of, row_sum


class Laid(Protocol):
    """What has a number in every slot of rankings."""

    def over(self, r: Rankings) -> Floats:
        """The number in every slot."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RandomRankings(Rankings):
    """A block whose slots have grades by chance, independent of one another.

    Gains are those that are expected. Sums and products over different documents are expected to be the sums and
    products of these; of a document with itself they are not, which ``product`` is for.
    """

    options: Floats
    """Grades of each slot, shape (rows, slots, options)."""
    chance: Floats
    """Their probabilities."""

    @classmethod
    def of(cls, r: Rankings, judged: Chances) -> RandomRankings:
        """A block with the grades that its documents may have; those that are not judged keep theirs.

        >>> from truerank.data.chances import chances
        >>> from truerank.data.ids import Ids
        >>> from truerank.data.qrels import collect
        >>> pairs = collect([b"q"], [0, 2], Ids.pack("ab"), [0, 0])
        >>> judged = chances(pairs, [[0, 1], [0, 1]], [[0.25, 0.75], [0.5, 0.5]])
        >>> RandomRankings.of(Rankings.single([1, 0]), judged).gains(lambda grade: grade).tolist()
        [[0.75, 0.5]]
        """
        known = (r.judgment >= 0)[:, :, None]
        options = np.where(known, judged.options[r.judgment], r.grade[:, :, None])
        sure = np.zeros(judged.options.shape[1])
        sure[0] = 1.0
        made = {each.name: getattr(r, each.name) for each in fields(r)}
        return cls(**{**made, "kept": {}}, options=options, chance=np.where(known, judged.chance[r.judgment], sure))

    def gains(self, gain: GainOfGrade) -> Floats:
        """Gain that every slot is expected to have."""
        return self.once(("expected", gain), lambda: self._mean(gain_of(self.options, gain)))

    def product(self, one: Laid, other: Laid) -> Floats:
        """What the product of two quantities of a document is expected to be."""
        total: Floats = np.zeros(self.start.shape)
        for place in range(self.options.shape[2]):
            # A column of options is a block whose grades are known.
            known = {each.name: getattr(self, each.name) for each in fields(Rankings)}
            plain = Rankings(**{**known, "kept": {}, "grade": self.options[:, :, place]})
            total = total + self.chance[:, :, place] * (one.over(plain) * other.over(plain))
        return total

    def repeated(self, times: int, chance: Floats) -> RandomRankings:
        """The block so many times over, one below the other, with other probabilities."""
        rows = np.tile(np.arange(len(self.length)), times)
        return replace(self.take(rows), options=self.options[rows], chance=chance)

    def take(self, rows: object) -> RandomRankings:
        """Some rows of the block; what goes with them is for the caller to take."""
        return super().take(rows)  # type: ignore[arg-type, return-value]

    def _mean(self, x: Floats) -> Floats:
        found = row_sum(self.chance * x)
        # Probabilities may add up to a last digit more than 1, and no mean is past all that it is one of.
        return np.clip(found, x.min(axis=-1), x.max(axis=-1))
