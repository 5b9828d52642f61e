"""The measures: a file each, or one for a family, and one explicit table."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from truerank.measures.catalogue import Entry


class _Measures(ModuleType):
    """``truerank.measures`` is this package, and users call it for the catalogue: ``truerank.measures()``."""

    def __call__(self) -> tuple[Entry, ...]:
        from truerank.measures.catalogue import measures

        return measures()


# Importing any measure binds the package to the name ``truerank.measures``, over any function of that name; so the
# package itself has to answer the call.
sys.modules[__name__].__class__ = _Measures
