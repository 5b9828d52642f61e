"""Tests of whether systems differ by more than chance, from their scores topic by topic."""
