"""Runs against an order of documents, or against grades that their scores are to predict."""
