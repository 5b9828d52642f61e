"""Real data beside the project, where it is there."""

from __future__ import annotations

from pathlib import Path

import pytest

DATA = Path(__file__).parents[3] / "shared" / "data"


def need(*parts: str) -> Path:
    """A file of the real data, or a skip that says what is missing."""
    path = DATA.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"real data {'/'.join(parts)} is not here")
    return path
