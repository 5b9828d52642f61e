"""Inputs that nobody would write, and answers that have to agree: ``python -m fuzz --help``."""
