"""Stopping rules: where a list may end, going by its scores alone."""
