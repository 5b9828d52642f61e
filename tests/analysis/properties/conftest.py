"""The paper's table, looked at once."""

from __future__ import annotations

import pytest

from truerank.analysis.properties.check import properties
from truerank.analysis.properties.results import Verdicts


@pytest.fixture(scope="session")
def published() -> Verdicts:
    return properties(published=True)


@pytest.fixture(scope="session")
def catalogue() -> Verdicts:
    """What measures declare about themselves, for every one of them."""
    return properties(property=["Boundedness", "Convergence"])
