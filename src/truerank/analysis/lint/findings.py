"""What was found: findings, the copies written without them, and all of it as one result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, overload

from truerank.data.printing import counted

SEVERITIES = ("error", "warning", "info")
"""error: the file cannot be scored as it is; warning: its scores are likely to mislead; info: worth knowing."""


@dataclass(frozen=True)
class Place:
    """Where something was found."""

    line: int | None
    """Line of the file; None for Python data."""
    text: str


@dataclass(frozen=True, kw_only=True)
class Finding:
    """Something suspicious: what it is, where, what it does to scores, and what to do about it."""

    severity: str
    message: str
    count: int = 1
    places: tuple[Place, ...] = ()
    """The first few."""
    effect: str
    remedy: str
    fixable: bool = False
    """Whether a copy can be written without it."""
    check: str = ""
    file: str = ""

    @property
    def where(self) -> str:
        """The file, and the lines of the first places."""
        lines = [str(place.line) for place in self.places if place.line is not None]
        return f"{self.file}:{', '.join(dict.fromkeys(lines))}" if lines else self.file


@dataclass(frozen=True)
class Fixed:
    """A copy that was written beside a file, or why there is none."""

    file: str
    copy: str | None
    done: tuple[str, ...]
    """What was changed."""
    left: tuple[str, ...]
    """What was not, and why."""

    def __str__(self) -> str:
        made = f"{self.copy} written: {', '.join(self.done)}" if self.copy else "no copy written"
        return f"{self.file}: {'; '.join([made, *self.left])}"


@dataclass(frozen=True, repr=False)
class Lint(Sequence[Finding]):
    """All findings, file by file and the worst first.

    >>> lint = Lint((), ("bm25.run",))
    >>> lint.ok, lint
    (True, Lint(1 file: nothing found))
    """

    findings: tuple[Finding, ...]
    files: tuple[str, ...]
    """What was looked at."""
    fixed: tuple[Fixed, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether everything can be scored as it is: there may be warnings, but no error."""
        return not self.at_least("error")

    def at_least(self, severity: str) -> tuple[Finding, ...]:
        """The findings that are as severe as this, or more."""
        allowed = SEVERITIES[: SEVERITIES.index(severity) + 1]
        return tuple(finding for finding in self.findings if finding.severity in allowed)

    @property
    def summary(self) -> str:
        """How much was found."""
        counts = [(sum(f.severity == severity for f in self.findings), severity) for severity in SEVERITIES]
        found = ", ".join(
            counted(count, severity, "info" if severity == "info" else None) for count, severity in counts if count
        )
        files = len(self.files)
        return f"{counted(files, 'file')}: {found or 'nothing found'}"

    def __len__(self) -> int:
        return len(self.findings)

    @overload
    def __getitem__(self, index: int) -> Finding: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Finding, ...]: ...
    def __getitem__(self, index: int | slice) -> Finding | tuple[Finding, ...]:
        return self.findings[index]

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def to_dict(self) -> dict[str, Any]:
        """Files, findings and copies in the terms of JSON."""
        return {
            "ok": self.ok,
            "files": [*self.files],
            "findings": [asdict(finding) for finding in self.findings],
            "fixed": [asdict(fixed) for fixed in self.fixed],
        }

    def to_records(self) -> list[dict[str, Any]]:
        """One flat record a finding, with the first place only."""
        return [
            {
                "severity": finding.severity,
                "check": finding.check,
                "file": finding.file,
                "line": finding.places[0].line if finding.places else None,
                "count": finding.count,
                "message": finding.message,
                "effect": finding.effect,
                "remedy": finding.remedy,
                "fixable": finding.fixable,
                "text": finding.places[0].text if finding.places else None,
            }
            for finding in self.findings
        ]

    def _rendered(self, form: str) -> str:
        # Reports are made of results, so this module knows of them only when asked for one.
        from truerank.report.formats import render
        from truerank.report.lint import lint_table

        return render(lint_table(self), form)

    def _repr_html_(self) -> str:
        from truerank.report.html import fragment
        from truerank.report.lint import lint_table

        return fragment(lint_table(self))

    def __str__(self) -> str:
        return self._rendered("table")

    def __repr__(self) -> str:
        return f"Lint({self.summary})"
