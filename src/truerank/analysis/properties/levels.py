"""Whether a measure tells levels of relevance apart."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np

from truerank.analysis.properties.blocks import blocks
from truerank.analysis.properties.cases import drawn
from truerank.analysis.properties.scales import AS_THEY_ARE, BINARY, OnScale
from truerank.analysis.properties.scoring import score
from truerank.statistics.pairs import EQUAL

_LONGEST = 3


def discerned(scale: OnScale) -> OnScale:
    """The scale with two levels only, where a measure without a scale of its own scores the third as the second.

    Otherwise a measure that asks for no more than whether documents are relevant would seem to lack Priority.
    """
    if scale.name != AS_THEY_ARE:
        return scale
    layout = blocks(
        [
            drawn(grades, missing, top=2)
            for length in range(1, _LONGEST + 1)
            for grades in product((0, 1, 2), repeat=length)
            for missing in ((), (2,))
        ]
    )
    merged = replace(scale, grades={**scale.grades, 2: (0.0, 1.0, 1.0)})
    if not np.allclose(score(layout, scale), score(layout, merged), rtol=EQUAL, atol=0.0, equal_nan=True):
        return scale
    return OnScale(BINARY, {1: scale.measure[1]}, {1: scale.grades[1]})
