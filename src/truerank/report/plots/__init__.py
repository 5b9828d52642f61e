"""Figures: one way to draw them, whatever they show and whatever file they end up in."""
