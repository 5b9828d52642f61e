"""The catalogue, looked at once."""

from __future__ import annotations

import pytest

from truerank.questions.properties.question import Verdicts, properties


@pytest.fixture(scope="session")
def catalogue() -> Verdicts:
    """What measures declare about themselves, for every one of them."""
    return properties(property=["Boundedness", "Convergence"])
