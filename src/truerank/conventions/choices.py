"""To be gone with the last question that is not in its room."""

from __future__ import annotations

from truerank.conventions.axes import AXES as TABLE
from truerank.conventions.axes import Apart, Conventions, Given

AXES = tuple(TABLE)
CHOICES: dict[str, tuple[str, ...]] = {axis.name: tuple(axis.values) for axis in TABLE.values() if axis.values}
__all__ = ["AXES", "CHOICES", "Apart", "Conventions", "Given"]
