"""Boards: the same runs under several ways of scoring, and how far these agree."""
