"""Inputs worth keeping: for each thing that was ever answered or refused, a small one that shows it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from fuzz.case import Case, case_of

FOLDER = Path(__file__).parent / "corpus"
LARGEST = 1500
"""Bytes of an input that is kept."""
MOST = 150
"""Inputs kept of a target."""

Kept = dict[str, dict[str, Case]]
"""Targets, and what their inputs show."""


def load() -> Kept:
    """What was kept, by target and by what it shows."""
    kept: Kept = defaultdict(dict)
    for path in sorted(FOLDER.glob("*.jsonl")):
        for line in path.read_text(encoding="ascii").splitlines():
            document = json.loads(line)
            kept[document["target"]][document["shows"]] = case_of(document)
    return kept


def wanted(kept: Kept, shows: str, case: Case) -> bool:
    """Whether an input shows something new, or the same with less."""
    known = kept[case.target]
    if case.size > LARGEST:
        return False
    if shows in known:
        return case.size < 0.5 * known[shows].size
    return len(known) < MOST


def save(kept: Kept, targets: Iterable[str]) -> None:
    """Write what was kept of these targets, a file each, in an order that does not depend on when it was found."""
    FOLDER.mkdir(exist_ok=True)
    for target in targets:
        lines = (json.dumps({"shows": shows, **case.to_dict()}) + "\n" for shows, case in sorted(kept[target].items()))
        (FOLDER / f"{target.replace(' ', '-').lower()}.jsonl").write_text("".join(lines), encoding="ascii")
