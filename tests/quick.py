"""What ``make check`` tries of many cases; ``make test`` tries all of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def first(count: int, cases: Iterable[Any]) -> list[Any]:
    """Cases for ``parametrize``, all but the first so many of them thorough."""
    found = [case if isinstance(case, tuple) else (case,) for case in cases]
    return [
        pytest.param(*case, marks=[] if place < count else pytest.mark.thorough) for place, case in enumerate(found)
    ]
