"""Runs and judgments from files and Python data."""

from truerank.io.load import as_preferences, as_qrels, as_run
from truerank.io.trec import read_preferences, read_qrels, read_run

__all__ = ["as_preferences", "as_qrels", "as_run", "read_preferences", "read_qrels", "read_run"]
