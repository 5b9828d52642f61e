"""The catalogue, looked at once."""

from __future__ import annotations

import pytest

from truerank.questions.properties.answer import Verdicts
from truerank.questions.properties.question import properties


@pytest.fixture(scope="session")
def catalogue() -> Verdicts:
    """What measures declare about themselves, for every one of them."""
    return properties(property=["Boundedness", "Convergence"])
