"""What a formula says of depth."""

from __future__ import annotations

import re

_BOUND = "depths k"
"""Where a formula goes through all k itself."""


def has_depth(formula: str) -> bool:
    """Whether a formula has a k that stands for the depth.

    >>> has_depth("hits@k / R"), has_depth("max P@k over depths k"), has_depth("hits / R")
    (True, False, False)
    """
    return _BOUND not in formula and re.search(r"\bk\b", formula) is not None
