from __future__ import annotations

from pathlib import Path

import pytest

QRELS = "q1 0 a 1\nq1 0 b 0\nq1 0 c 2\nq1 0 d -1\nq1 0 e 1\nq2 0 a 1\nq2 0 f 0\nq3 0 g 2\n"
RUN = (
    "q1 Q0 x 1 9 first\nq1 Q0 a 2 7 first\nq1 Q0 c 3 7.0000001 first\nq1 Q0 d 4 5 first\nq1 Q0 b 5 4 first\n"
    "q2 Q0 f 1 3 first\nq2 Q0 a 2 3 first\nq9 Q0 z 1 1 last\n"
)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with judgments and a run that leaves a topic out and ties two others' documents."""
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)
    monkeypatch.chdir(tmp_path)
    return tmp_path
