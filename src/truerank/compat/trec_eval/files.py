"""The files that trec_eval reads, and what each version of it makes of them."""

from __future__ import annotations

import numpy as np

from truerank.compat.trec_eval.parameters import decimal
from truerank.data.arrays import Bytes
from truerank.data.errors import InputError, RepeatedError
from truerank.data.qrels import Qrels, collect
from truerank.data.run import Run
from truerank.io.columns import read_columns
from truerank.io.lines import NEWLINE, line_number, text_lines, words
from truerank.io.source import open_source
from truerank.io.trec import QRELS, read_run

ZScores = dict[tuple[str, str], tuple[float, float]]
"""Mean and standard deviation by topic and measure."""

_STEP = 1 << 24


def run_of(path: str, version: int) -> Run:
    """The run; version 9 knows neither standard input nor comments."""
    _refuse_stream(path, version)
    run = read_run(path)
    _refuse_comments(run.docs.buffer, path, version)
    return run


def qrels_of(path: str, version: int) -> Qrels:
    """The judgments; a document that is judged twice is refused, also where both judgments agree."""
    _refuse_stream(path, version)
    source = open_source(path)
    _refuse_comments(source.text, path, version)
    rows = read_columns(source, QRELS)
    qrels = collect(rows.topics, rows.bounds, rows.ids[0], rows.number, segment=rows.segment, origin=rows.origin)
    if len(qrels) < len(rows.number):
        raise RepeatedError(f"{len(rows.number) - len(qrels)} judgments stand there twice; keep one of each", path)
    return qrels


def tag_of(run: Run) -> str:
    """The tag of the last line, which is the run's id."""
    text = run.docs.buffer
    size = 1 << 12
    while True:
        # The first line of a part may be half a line.
        lines = [line.split() for line in text[-size:].tobytes().split(b"\n")][size < len(text) :]
        tags = [line[5] for line in lines if len(line) > 5 and not line[0].startswith(b"#")]
        if tags or size >= len(text):
            return tags[-1].decode("utf-8", "surrogateescape")
        size *= 16


def zscores_of(path: str) -> ZScores:
    """Means and standard deviations: lines of topic, measure, mean and deviation."""
    found: ZScores = {}
    text = open_source(path).text.tobytes().decode("utf-8", "surrogateescape")
    for number, line in enumerate(text_lines(text), 1):
        fields = words(line)
        if len(fields) != 4:
            raise InputError(f"{len(fields)} columns where there are 4: topic, measure, mean, deviation", path, number)
        found[fields[0], fields[1]] = decimal(fields[2]), decimal(fields[3])
    return found


def _refuse_stream(path: str, version: int) -> None:
    if version < 10 and path == "-":
        raise InputError("trec_eval 9 does not read standard input; name a file, or leave out --version 9")


def _refuse_comments(text: Bytes, path: str, version: int) -> None:
    """Refuse lines that begin with #, in version 9."""
    if version >= 10:
        return
    for begin in range(0, len(text), _STEP):
        marks = np.flatnonzero(text[begin : begin + _STEP] == ord("#")) + begin
        first = marks[(marks == 0) | (text[np.maximum(marks, 1) - 1] == NEWLINE)]
        if len(first):
            line = line_number(text, int(first[0]))
            raise InputError("trec_eval 9 takes no comments; remove the line, or leave out --version 9", path, line)
