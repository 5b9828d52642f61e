"""Results in JSON: numbers unrounded, null for what is undefined."""

from __future__ import annotations

import json
import math
from typing import Any

from truerank.report.table import Bounded, Rounded, Table


def render(table: Table) -> str:
    """The document of results that have one of their own, or else the rows as records.

    >>> from truerank.report.table import Column
    >>> print(render(Table((Column("run"), Column("AP")), (("bm25", 0.25), ("none", float("nan"))))))
    {"rows": [{"run": "bm25", "AP": 0.25}, {"run": "none", "AP": null}], "notices": []}
    """
    return json.dumps(plain(_records(table) if table.document is None else table.document()), allow_nan=False)


def plain(value: Any) -> Any:
    """A value in the terms of JSON, which has neither NaN nor infinity."""
    if isinstance(value, Bounded):
        return plain(value._asdict())
    if isinstance(value, Rounded):
        return plain(value.value)
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _records(table: Table) -> dict[str, object]:
    names = [column.name for column in table.columns]
    return {"rows": [dict(zip(names, row, strict=True)) for row in table.rows], "notices": table.notes}
