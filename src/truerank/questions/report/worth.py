"""What is worth knowing about the verdict by a measure, the most important first."""

from __future__ import annotations

from collections.abc import Iterator

from truerank.boards.rows import ORDER as BY_JUDGE
from truerank.data.notes import Note, merged
from truerank.questions.compare.answer import BETTER, OPEN, WORSE
from truerank.questions.compare.section import FEW
from truerank.questions.compare.words import EXAGGERATED, POWER, further
from truerank.questions.report.parts import ReportParts
from truerank.questions.ties.question import REVERSALS
from truerank.report.pages.section import WorthKnowing
from truerank.track.facts import TIES, UNJUDGED_SHARE

LINES = 3
"""Notes that are shown; the others are counted."""
LEAST = 0.05
"""How much a note weighs that is shown."""
_OPEN = {TIES.code: 0.1, REVERSALS.code: 0.45, POWER.code: 0.35, EXAGGERATED.code: 0.15}
"""What might be otherwise, with how likely that is times how much it would change; other notes are facts."""


def worth_knowing(parts: ReportParts, measure: str, baseline: str = "") -> WorthKnowing:
    """The notes on a measure: facts about what was scored first, then what might be otherwise."""
    ranked = sorted(merged(_notes(parts, measure, baseline)), key=lambda note: -_weight(note))
    shown = [note for note in ranked if _weight(note) >= LEAST][:LINES]
    return WorthKnowing(
        lines=tuple(_line(note, measure) for note in shown),
        more=tuple(_line(note, measure) for note in ranked if note not in shown),
        measure=measure,
    )


def _notes(parts: ReportParts, measure: str, baseline: str) -> Iterator[Note]:
    for note in parts.scores.notices:
        about = note.facts.get("measures") or note.facts.get("measure") or measure
        if not note.urgent and (measure == about or measure in about):
            yield note
    if parts.judges is not None:
        of_judges = parts.judges.own_notes("runs")
        yield from (note for note in of_judges if note.code == BY_JUDGE.code and note.facts["measure"] == measure)
    yield from of_tests(parts, measure, baseline)
    if parts.ties is not None:
        of_ties = parts.ties.own_notes("runs")
        yield from (note for note in of_ties if note.code == REVERSALS.code and note.facts["measure"] == measure)


def of_tests(parts: ReportParts, measure: str, baseline: str = "") -> Iterator[Note]:
    """What the topics can show, as far as it is about the pairs of the table: those with the baseline, or the best."""
    each = parts.compared(measure)
    if parts.comparison is None or each is None:
        return
    top = each.runs.index(baseline) if baseline else each.order[0]
    pairs = [each.of(other, top) for other in range(len(each.runs)) if other != top]
    weak = any(pair.verdict in (BETTER, WORSE) and abs(pair.difference) < pair.detectable for pair in pairs)
    wanted = {POWER.code} if any(pair.verdict == OPEN for pair in pairs) else set()
    if weak and len(each.runs) <= FEW:
        wanted.add(EXAGGERATED.code)
    for note in further(parts.comparison):
        if note.code in wanted and note.facts.get("measure") == measure:
            yield note


def _weight(note: Note) -> float:
    """From 0 to 1 for what might be otherwise; more for what is certain."""
    weight, facts = _OPEN.get(note.code, 2.0), note.facts
    if note.code == UNJUDGED_SHARE.code:
        return 0.5 * max((float(one["share"]) for one in facts.get("shares", ())), default=1.0)
    if note.code == TIES.code and facts.get("of"):
        return weight * float(facts["runs"]) / float(facts["of"])
    if note.code == REVERSALS.code:
        return weight if facts["likely"] else 0.0
    return weight


def _line(note: Note, measure: str) -> str:
    """What a page says of it: in brief if there is a shorter sentence."""
    line = (note.brief or str(note)).removeprefix(f"{measure}: ")
    # Names of runs and measures stay as they are.
    is_name = line.startswith(f"{note.facts.get('run')}:") or not line.split(" ")[0].islower()
    return f"{line if is_name else line[:1].upper() + line[1:]}."
