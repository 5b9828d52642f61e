"""Runs, judgments and their join: the arrays everything else reads."""
