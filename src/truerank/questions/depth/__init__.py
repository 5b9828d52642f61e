"""Scores as a function of how deep the evaluation looks."""
