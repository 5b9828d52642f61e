"""Scores of runs, by measures and under conventions."""
