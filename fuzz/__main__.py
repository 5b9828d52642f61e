"""Look for inputs that are neither answered nor refused in a line: ``python -m fuzz --seconds 600``."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from pathlib import Path

from fuzz import corpus
from fuzz.judging import Limits
from fuzz.session import GROUPS, TARGETS, Finding, Plan, Report, replay, session

FINDINGS = Path(__file__).parent / "findings"


def main() -> int:
    """Run a session and say what came of it; the exit code is 1 if something was found."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, help="how long to go on; 60, where neither this nor --inputs is given")
    parser.add_argument("--inputs", type=int, help="how many inputs to try, instead of a time: the same ones each time")
    parser.add_argument("--seed", type=int, default=0, help="which inputs; 0")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes; as many as processors")
    parser.add_argument("--only", action="append", default=[], choices=[*TARGETS], help="a target; repeatable")
    parser.add_argument("--quick", action="store_true", help="leave out what takes long to start, and what grows")
    parser.add_argument(
        "--ignore", action="append", default=[], metavar="TEXT", help="findings to leave out; repeatable"
    )
    parser.add_argument("--cpu-seconds", type=float, default=Limits.seconds, help="time of one input; %(default)s")
    parser.add_argument("--megabytes", type=int, default=Limits.megabytes, help="memory of one input; %(default)s")
    parser.add_argument("--findings", type=Path, default=FINDINGS, help="folder for reproducers")
    parser.add_argument("--grow", action="store_true", help="keep inputs that show something new in the corpus")
    parser.add_argument("--replay", type=Path, nargs="+", help="try reproducers again, and nothing else")
    args = parser.parse_args()
    limits = Limits(args.cpu_seconds, args.megabytes)
    if args.replay:
        return _replayed(args.replay, limits)
    seconds = 60.0 if args.seconds is None and args.inputs is None else args.seconds
    plan = Plan(
        seed=args.seed,
        seconds=seconds,
        inputs=args.inputs,
        jobs=args.jobs,
        only=tuple(args.only),
        heavy=not args.quick,
        ignore=tuple(args.ignore),
        limits=limits,
    )
    for target in TARGETS.values():
        if why := target.missing():
            print(f"not tried: {target.name}: {why}")
    # Whoever ends it wants to know what came of it.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    began = time.monotonic()
    report = session(plan, lambda report: _so_far(report, time.monotonic() - began, args.findings))
    if args.grow:
        _grow(report)
    return _said(report, time.monotonic() - began, args.findings)


def _so_far(report: Report, seconds: float, folder: Path) -> None:
    _write(report, folder)
    print(f"{_counted(report, seconds)} so far", file=sys.stderr, flush=True)


def _said(report: Report, seconds: float, folder: Path) -> int:
    total = sum(report.tried.values())
    print(f"{'target':20}{'inputs':>12}{'share':>8}{'refused':>12}{'share':>8}")
    for group, targets in GROUPS.items():
        names = [target.name for target in targets if report.tried[target.name]]
        if names:
            print(_row(group, names, report, total))
        if len(names) > 1:
            for name in names:
                print(_row(f"  {name}", [name], report, total))
    print(_counted(report, seconds))
    for path, finding in _write(report, folder).items():
        print(f"finding: {finding.signature} ({finding.count} times): {path}")
    return 1 if report.findings else 0


def _row(what: str, names: list[str], report: Report, total: int) -> str:
    tried, refused = (sum(counts[name] for name in names) for counts in (report.tried, report.refused))
    return f"{what:20}{tried:12,}{tried / total:8.1%}{refused:12,}{refused / tried:8.1%}"


def _counted(report: Report, seconds: float) -> str:
    tried = sum(report.tried.values())
    return f"{tried:,} inputs tried in {seconds:.0f} seconds, {len(report.findings)} findings"


def _write(report: Report, folder: Path) -> dict[Path, Finding]:
    """Write reproducers."""
    found = {folder / each.file: each for each in sorted(report.findings.values(), key=lambda each: each.signature)}
    for path, finding in found.items():
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(finding.to_json(), encoding="utf-8")
    return found


def _grow(report: Report) -> None:
    kept = corpus.load()
    for target, found in report.kept.items():
        for shows, case in sorted(found.items()):
            if corpus.wanted(kept, shows, case):
                kept[target][shows] = case
    corpus.save(kept, report.kept)


def _replayed(paths: list[Path], limits: Limits) -> int:
    outcomes = replay(paths, limits)
    for path, outcome in outcomes:
        print(f"{path}: {outcome.kind}: {outcome.signature}\n{outcome.detail}".rstrip())
    return 1 if any(outcome.kind == "finding" for _, outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
