"""Results as text: one neutral table, one renderer a format."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Report(ModuleType):
    """``truerank.report`` is this package, and users call it for a report: ``truerank.report(qrels, runs)``."""

    def __call__(self, *given: Any, **named: Any) -> Any:
        import truerank

        # The function is at home among the questions, which this package knows nothing of.
        return truerank.at_home("report")(*given, **named)


# Importing anything of the package binds it to the name ``truerank.report``, over the function of that name; so the
# package itself has to answer the call.
sys.modules[__name__].__class__ = _Report
