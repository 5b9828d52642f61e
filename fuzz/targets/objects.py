"""Python data of every form, with values in it that do not belong there."""

from __future__ import annotations

import random
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import truerank as tr
from fuzz import material
from fuzz.case import Case
from fuzz.mutations import changed
from fuzz.targets.readers import GOOD_QRELS, GOOD_RUN
from fuzz.targets.target import Light

FORMS = ("dict", "rows", "tuples", "columns", "pandas", "polars", "arrow", "numpy")


class Objects(Light):
    """Runs and judgments as Python data."""

    name, share = "Python data", 100

    def make(self, rng: random.Random, corpus: Sequence[Case]) -> Case:
        """A collection in some form, with something in it changed."""
        kind, form = rng.choice(("run", "qrels")), rng.choice(FORMS)
        qrels = material.judgments(rng)
        value, data = ("score", material.lists(rng, qrels)) if kind == "run" else ("grade", qrels)
        shape: Any = data
        if form in ("rows", "numpy"):
            shape = [{"topic": t, "doc": d, value: v} for t, docs in data.items() for d, v in docs.items()]
        elif form == "tuples":
            shape = [[t, d, v] for t, docs in data.items() for d, v in docs.items()]
        elif form in ("columns", "pandas", "polars", "arrow"):
            shape = material.columns(data, value)
        for _ in range(rng.choice((1, 1, 2, 3))):
            shape = changed(rng, shape)
        return Case(self.name, given={"kind": kind, "form": form, "data": shape})

    def run(self, case: Case, folder: Path) -> str:
        """Make data of that form, where their library takes them, and evaluate some."""
        form = case.given["form"]
        try:
            data = _formed(form, case.given["data"])
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException:  # What polars panics with is no Exception.
            return "no such data"
        if isinstance(data, str):
            return "a path"
        try:
            is_run = case.given["kind"] == "run"
            read: Any = tr.read_run(data) if is_run else tr.read_qrels(data)
            # Read data are all of one form: evaluating them takes many times as long, and seldom shows more.
            if zlib.crc32(repr(case.given["data"]).encode("utf-8", "replace")) % 4 == 0:
                tr.evaluate(GOOD_QRELS if is_run else read, read if is_run else GOOD_RUN, "AP nDCG@3")
        except TypeError as error:
            # Data of another kind altogether are a mistake in a program, for which Python has this error.
            if "cannot be made of" not in str(error):
                raise
            return f"{form}: no data"
        return f"{case.given['kind']} {form}"


def _formed(form: str, data: Any) -> Any:
    if form == "tuples" and isinstance(data, list):
        return [tuple(row) if isinstance(row, list) else row for row in data]
    if form in material.TABLES:
        return material.table(form, data)
    if form == "numpy":
        return np.array([tuple(row.values()) for row in data], object)
    return data


TARGETS = (Objects(),)
